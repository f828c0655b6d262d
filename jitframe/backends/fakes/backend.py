"""A backend for tests: it computes on the processor, records its calls, and fails on request.

>>> import jitframe as jf
>>> with jf.backends.fake() as fake:
...     x = jf.asarray([1.0, 2.0], device="fake")
...     fake.fail("launch")
...     try:
...         (x + 1).numpy()
...     except jf.errors.BackendError as error:
...         print(error.message)
...     (x + 1).tolist()
fake device: launching failed, as the test asked for
[2.0, 3.0]
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...errors import ArgumentError, listed, nearest
from ...ir.record import replace
from ...ir.types import BY_NUMPY_NAME, DTYPES
from ...runtime.cpu.facts import processor_facts
from ...runtime.cpu.kernels.target import host_target
from ...runtime.discovery import registry
from ...runtime.discovery.backend_entry import BackendEntry
from ...runtime.driver import DeviceFacts, numbered_device
from ..registration import unregister
from .driver import FakeDriver
from .faults import Call, Faults
from .queues import DelayedDriver


class FakeBackend(Faults):
    """A backend of fake devices, known by its name inside a `with` block or between `install` and `remove`.

    `devices`: their number; each has `memory_bytes` of its own. `dtypes` are NumPy's names of the supported
    ones (by default all); `facts` replaces other fields of `DeviceFacts`. "auto" does not take fake devices.

    With `streams=4`, say, they have so many queues and run their work as late as possible: an operation that
    reads memory before another queue has written it finds old bytes there, each time.

    `library_products=True` gives them a library of matrix products, whose calls can fail too ("multiply").
    The methods of `Faults` inject faults.
    """

    def __init__(
        self,
        name: str = "fake",
        *,
        devices: int = 1,
        dtypes: Sequence[str] | None = None,
        memory_bytes: int = 1 << 30,
        **facts: Any,
    ) -> None:
        super().__init__()
        names = [dtype.numpy_name for dtype in DTYPES] if dtypes is None else list(dtypes)
        unknown = [each for each in names if each not in BY_NUMPY_NAME]
        if unknown:
            raise ArgumentError(f"{unknown[0]!r} is no dtype; there are {listed(list(BY_NUMPY_NAME))}")
        for fact in facts:
            if fact not in DeviceFacts.__slots__:  # type: ignore[attr-defined]
                near = nearest(fact, (*DeviceFacts.__slots__, "memory_bytes", "devices"))  # type: ignore[attr-defined]
                raise ArgumentError(f"a fake device has no {fact!r}{near}; it has the fields of DeviceFacts")
        if devices < 1:
            raise ArgumentError(f"devices={devices}: a fake backend has at least one")
        made = DeviceFacts(
            title=f"{name} device",
            api="the processor",
            kind="other",
            dtypes=frozenset(BY_NUMPY_NAME[each].name for each in names),
            version="1",
            memory_bytes=memory_bytes,
            largest_buffer=memory_bytes,
            fma=processor_facts(host_target()).fma,
            alignment=64,
        )
        self.name = name
        self.facts = tuple(replace(made, **facts) for _ in range(devices))

    # A backend's module -------------------------------------------------------------------------------
    def enumerate(self) -> Sequence[DeviceFacts]:
        return self.facts

    def open(self, number: int) -> FakeDriver:
        facts = numbered_device(self.name, number, self.facts)
        make = FakeDriver if facts.streams == 1 else DelayedDriver
        driver = make(self, number, facts)
        driver.met(Call("open", number))
        return driver

    # Known by its name --------------------------------------------------------------------------------
    def install(self) -> FakeBackend:
        """Registers the backend. Raises BackendError for a name in use."""
        title = "a fake for tests"
        registry.register(BackendEntry(self.name, 0, title=title, factory=lambda: self, isolated=False))
        return self

    def remove(self) -> None:
        """Removes the backend; values on its devices remain usable."""
        unregister(self.name)

    def __enter__(self) -> FakeBackend:
        return self.install()

    def __exit__(self, *error: Any) -> None:
        self.remove()


def fake(
    name: str = "fake",
    *,
    devices: int = 1,
    dtypes: Sequence[str] | None = None,
    memory_bytes: int = 1 << 30,
    streams: int = 1,
    library_products: bool = False,
    **facts: Any,
) -> FakeBackend:
    """Makes a FakeBackend for a `with` block; its parameters are those of the class.

    >>> import jitframe as jf
    >>> with jf.backends.fake("tiny", memory_bytes=4096, dtypes=["float32", "int32", "bool"]) as tiny:
    ...     x = jf.ones(100, dtype="float32", device="tiny").sum().item()
    ...     tiny.count("launch"), tiny.calls[0].operation
    (1, 'open')
    """
    facts |= {"streams": streams, "library_products": library_products}
    return FakeBackend(name, devices=devices, dtypes=dtypes, memory_bytes=memory_bytes, **facts)
