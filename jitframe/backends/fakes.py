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
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

from ..codegen.kernel.nodes import Kernel, walk
from ..errors import (
    ArgumentError,
    BackendError,
    BackendUnavailableError,
    CompileError,
    DeviceLostError,
    OutOfMemoryError,
    listed,
)
from ..ir.record import mutable, record, replace
from ..ir.types import BY_NUMPY_NAME, DTYPES
from ..runtime import registry
from ..runtime.cpu.driver import CpuDriver
from ..runtime.cpu.facts import processor_facts
from ..runtime.cpu.target import host_target
from ..runtime.driver import DeviceFacts, MemoryStatistics, PerformanceHints, numbered_device
from ..runtime.entries import BackendEntry
from ..runtime.executor import View
from ..runtime.pool import REMEDIES, NoMemory, Pool
from .registration import unregister

OPERATIONS: dict[str, tuple[str, type[BackendError]]] = {
    "open": ("opening it", BackendUnavailableError),
    "allocate": ("allocating", OutOfMemoryError),
    "free": ("giving memory back", BackendError),
    "upload": ("an upload", BackendError),
    "download": ("a download", BackendError),
    "copy": ("a copy", BackendError),
    "compile": ("compiling", CompileError),
    "launch": ("launching", BackendError),
    "synchronize": ("waiting", BackendError),
}
"""What a device is asked for, in words, and the error where it fails."""
_COPIES = ("upload", "download", "copy")
_STALE = 0xA5
"""What memory holds once it was given back: who still reads it shall notice."""


@record
class Call:
    """Something that a device was asked for."""

    operation: str
    """One of "open", "allocate", "free", "upload", "download" (reads too), "copy", "compile", "launch",
    "synchronize"."""
    device: int = 0
    """The device's number."""
    nbytes: int = 0
    """Of memory and copies."""
    kernel: str = ""
    """The kernel's name, of compiling and launching."""
    groups: int = 0
    """Workgroups of a launch."""


@mutable
class _Fault:
    """Calls that go another way than the others."""

    operations: tuple[str, ...]
    after: int
    times: int | None
    when: Callable[[Call], bool]
    act: Callable[[Call, FakeDriver], None]
    late: bool = False
    met: int = 0

    def takes(self, call: Call) -> bool:
        if call.operation not in self.operations or not self.when(call):
            return False
        self.met += 1
        return self.met > self.after and (self.times is None or self.met <= self.after + self.times)


class FakeBackend:
    """A backend of fake devices, known by its name inside a `with` block or between `install` and `remove`.

    `devices` of them, each with `memory_bytes` of its own. `dtypes` are NumPy's names of those that they have
    (all unless given); `facts` replaces other fields of `DeviceFacts`. Fake devices are not taken by "auto".

    Faults may be asked for at any time, from any thread, and hold for all devices unless `when` looks at the
    call's `device`.
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
        self.calls: list[Call] = []
        """What the devices were asked for, in order."""
        self._faults: list[_Fault] = []
        self._lock = threading.Lock()

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

    # What it was asked for ----------------------------------------------------------------------------
    def count(self, operation: str) -> int:
        """How often. Raises ArgumentError for what is no operation."""
        _check(operation)
        return sum(call.operation == operation for call in self.calls)

    def clear(self) -> None:
        """Forgets all calls and faults; a device that was lost stays lost."""
        with self._lock:
            self.calls.clear()
            self._faults.clear()

    # Faults -------------------------------------------------------------------------------------------
    def fail(
        self,
        operation: str,
        *,
        times: int | None = 1,
        after: int = 0,
        when: Callable[[Call], bool] = lambda call: True,
        error: Callable[[Call], Exception] | None = None,
        late: bool = False,
    ) -> None:
        """Makes an operation fail: calls that `when` takes, but for the first `after` of them; so many
        `times`, or always with None.

        `error(call)` gives what is raised; else it is what drivers raise: OutOfMemoryError of "allocate",
        CompileError of "compile", BackendUnavailableError of "open", BackendError of the others. `late`: the
        call itself goes well, and the next wait ("download", "synchronize") raises, as on devices that work
        asynchronously.

        Raises ArgumentError for what is no operation.
        """
        _check(operation)
        self._add((operation,), times, after, when, lambda call, driver: _raise(call, driver, error), late)

    def lose(self, operation: str | None = None, *, after: int = 0, number: int = 0) -> None:
        """Makes a device be lost at an operation, or at whatever it is asked for next: that and all that
        follows raise DeviceLostError, until the device is opened again, which its next use does."""
        if operation is not None:
            _check(operation)
        operations = tuple(OPERATIONS) if operation is None else (operation,)

        def lost(call: Call, driver: FakeDriver) -> None:
            driver.is_lost = True
            raise driver.lost()

        self._add(operations, 1, after, lambda call: call.device == number, lost, False)

    def slow(self, bytes_per_second: float, when: Callable[[Call], bool] = lambda call: True) -> None:
        """Makes copies take as long as that, in every direction, from now on."""
        if not bytes_per_second > 0:
            raise ArgumentError(f"bytes_per_second={bytes_per_second}: a speed is more than 0")

        def wait(call: Call, driver: FakeDriver) -> None:
            time.sleep(call.nbytes / bytes_per_second)

        self._add(_COPIES, None, 0, when, wait, False)

    def _add(
        self,
        operations: tuple[str, ...],
        times: int | None,
        after: int,
        when: Callable[[Call], bool],
        act: Callable[[Call, FakeDriver], None],
        late: bool,
    ) -> None:
        with self._lock:
            self._faults.append(_Fault(operations, after, times, when, act, late))

    def note(self, call: Call) -> list[_Fault]:
        """The faults that a call meets."""
        with self._lock:
            self.calls.append(call)
            return [fault for fault in self._faults if fault.takes(call)]


def _check(operation: str) -> None:
    if operation not in OPERATIONS:
        raise ArgumentError(f"a device is not asked for {operation!r}, but for {listed(list(OPERATIONS))}")


def _raise(call: Call, driver: FakeDriver, error: Callable[[Call], Exception] | None) -> None:
    if error is not None:
        raise error(call)
    doing, kind = OPERATIONS[call.operation]
    advice = REMEDIES if kind is OutOfMemoryError else ()
    raise kind(f"{driver.name}: {doing} failed, as the test asked for", suggestions=advice)


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
            )
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

    def gemm(self, step: Any, a: View, b: View, c: View) -> None:
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
