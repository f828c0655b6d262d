"""A backend for tests: it computes for real, on the processor, notes what it is asked for, and fails when it
is told to.

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

import ctypes
import math
import time
from collections.abc import Sequence
from typing import Any

from ..codegen.kernel.nodes import Kernel, walk
from ..codegen.plan.bound import BoundGemm
from ..errors import ArgumentError, DeviceLostError, OutOfMemoryError, listed
from ..ir.record import mutable, replace
from ..ir.types import BY_NAME, BY_NUMPY_NAME, DTYPES
from ..runtime import registry
from ..runtime.cpu.driver import CpuDriver
from ..runtime.cpu.facts import processor_facts
from ..runtime.cpu.target import host_target
from ..runtime.driver import DeviceFacts, MemoryStatistics, PerformanceHints, numbered_device
from ..runtime.entries import BackendEntry
from ..runtime.executor import View
from ..runtime.pool import REMEDIES, NoMemory, Pool
from .faults import Call, Faults
from .registration import unregister

_STALE = 0xA5
"""What memory holds once it was given back: who still reads it shall notice."""


class FakeBackend(Faults):
    """A backend of fake devices, known by its name inside a `with` block or between `install` and `remove`.

    `devices` of them, each with `memory_bytes` of its own. `dtypes` are NumPy's names of those that they have
    (all unless given); `facts` replaces other fields of `DeviceFacts`. Fake devices are not taken by "auto".

    `library_products=True` gives them a library of matrix products, whose calls can fail too ("multiply").
    Faults are asked for by the methods of `Faults`.
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
        names = [each.numpy_name for each in DTYPES] if dtypes is None else list(dtypes)
        unknown = [each for each in names if each not in BY_NUMPY_NAME]
        if unknown:
            raise ArgumentError(f"{unknown[0]!r} is no dtype; there are {listed(list(BY_NUMPY_NAME))}")
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
        driver = FakeDriver(self, number, facts)
        driver.met(Call("open", number))
        return driver

    # Known by its name --------------------------------------------------------------------------------
    def install(self) -> FakeBackend:
        """Makes the backend known. Raises BackendError for a name that is taken."""
        title = "a fake for tests"
        registry.register(BackendEntry(self.name, 0, title=title, factory=lambda: self, isolated=False))
        return self

    def remove(self) -> None:
        """Takes it back; what is on its devices can be used on."""
        unregister(self.name)

    def __enter__(self) -> FakeBackend:
        return self.install()

    def __exit__(self, *error: Any) -> None:
        self.remove()


@mutable
class _Held:
    """What of a driver's work went wrong and is told at the next wait."""

    error: Exception | None = None


class FakeDriver:
    """One fake device: the processor's driver, with memory of its own and faults."""

    def __init__(self, backend: FakeBackend, number: int, facts: DeviceFacts) -> None:
        self.facts = facts
        self.is_lost = False
        self.name = facts.title
        self._backend, self._number = backend, number
        self._late: _Held = _Held()
        self._processor = CpuDriver(processor_facts(host_target()))
        self._pool = Pool(self.name, self._fresh, self._processor.free, facts.memory_bytes)

    def met(self, call: Call) -> None:
        """Notes a call, and does what was asked for it."""
        faults = self._backend.note(call)
        if self.is_lost:
            raise self.lost()
        for fault in faults:
            if not fault.late:
                fault.act(call, self)
                continue
            try:
                fault.act(call, self)
            except Exception as problem:
                self._late.error = self._late.error or problem

    def lost(self) -> DeviceLostError:
        error = DeviceLostError(f"{self.name} was lost with all that it held")
        error.driver = self
        return error

    def use(self, hints: PerformanceHints) -> None:
        self.facts = replace(self.facts, hints=hints)

    def _meet(self, operation: str, nbytes: int = 0, kernel: str = "", groups: int = 0) -> None:
        self.met(Call(operation, self._number, nbytes, kernel, groups))

    def _wait(self) -> None:
        error, self._late.error = self._late.error, None
        if error is not None:
            raise error

    # Memory -------------------------------------------------------------------------------------------
    def _fresh(self, nbytes: int) -> Any:
        try:
            return self._processor.allocate(nbytes)
        except OutOfMemoryError as problem:
            raise NoMemory(problem.message) from None

    def allocate(self, nbytes: int) -> Any:
        self._meet("allocate", nbytes)
        if nbytes > self.facts.largest_buffer:
            raise OutOfMemoryError(
                f"{self.name} gives {self.facts.largest_buffer:,} bytes at once at most, not {nbytes:,}",
                suggestions=REMEDIES[1:],
            ).for_good()
        return self._pool.take(nbytes)

    def free(self, memory: Any) -> None:
        self._meet("free", memory.nbytes)
        ctypes.memset(memory.address, _STALE, memory.nbytes)
        self._pool.give(memory)

    def upload(self, target: View, data: memoryview) -> None:
        self._meet("upload", data.nbytes)
        self._processor.upload(target, data)

    def download(self, source: View, out: memoryview) -> None:
        self._meet("download", out.nbytes)
        self._wait()
        self._processor.download(source, out)

    def read(self, source: View, nbytes: int) -> bytes:
        out = bytearray(nbytes)
        self.download(source, memoryview(out))
        return bytes(out)

    def copy(self, target: View, source: View, nbytes: int) -> None:
        self._meet("copy", nbytes)
        self._processor.copy(target, source, nbytes)

    def trim(self) -> None:
        self._pool.trim()

    def statistics(self) -> MemoryStatistics:
        return self._pool.statistics()

    # Kernels ------------------------------------------------------------------------------------------
    def check(self, kernel: Kernel) -> None:
        """Raises NotImplementedError for a kernel of dtypes that the device lacks."""
        names = {buffer.dtype.name for buffer in kernel.buffers}
        names |= {value.dtype.name for each in walk(kernel.body) for value in each.results}
        lacks = names - self.facts.dtypes - {"index"}
        if lacks:
            raise NotImplementedError(f"{self.name} has no {listed(sorted(lacks))}")

    def compile(self, kernel: Kernel) -> Any:
        self._meet("compile", kernel=kernel.name)
        self.check(kernel)
        return self._processor.compile(kernel)

    def launch(self, handle: Any, buffers: Sequence[View], values: bytes, groups: int) -> None:
        if groups > 0:
            self._meet("launch", kernel=handle.kernel.name, groups=groups)
            self._processor.launch(handle, buffers, values, groups)

    def gemm(self, step: BoundGemm, a: View, b: View, c: View) -> None:
        itemsize = BY_NAME[step.dtype].itemsize
        self._meet("multiply", step.m * step.n * math.prod(each.count for each in step.batch) * itemsize)
        self._processor.gemm(step, a, b, c)

    # Order --------------------------------------------------------------------------------------------
    def mark(self) -> float:
        return time.perf_counter()

    def elapsed(self, first: float, last: float) -> float:
        return last - first

    def synchronize(self) -> None:
        self._meet("synchronize")
        self._wait()


def fake(name: str = "fake", **options: Any) -> FakeBackend:
    """A FakeBackend for a `with` block; `options` are those of the class.

    >>> import jitframe as jf
    >>> with jf.backends.fake("tiny", memory_bytes=4096, dtypes=["float32", "int32", "bool"]) as tiny:
    ...     x = jf.ones(100, dtype="float32", device="tiny").sum().item()
    ...     tiny.count("launch"), tiny.calls[0].operation
    (1, 'open')
    """
    return FakeBackend(name, **options)
