"""What a fake device is asked for, and the faults that a test asks for: calls that go another way."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from ...base.locks import new_reentrant_lock
from ...errors import (
    ArgumentError,
    BackendError,
    BackendUnavailableError,
    CompileError,
    OutOfMemoryError,
    listed,
)
from ...ir.record import mutable, record
from ...runtime.memory.pool import REMEDIES

if TYPE_CHECKING:
    from .driver import FakeDriver

OPERATIONS: dict[str, tuple[str, type[BackendError]]] = {
    "open": ("opening it", BackendUnavailableError),
    "allocate": ("allocating", OutOfMemoryError),
    "free": ("giving memory back", BackendError),
    "upload": ("an upload", BackendError),
    "download": ("a download", BackendError),
    "copy": ("a copy", BackendError),
    "compile": ("compiling", CompileError),
    "launch": ("launching", BackendError),
    "multiply": ("a matrix product", BackendError),
    "synchronize": ("waiting", BackendError),
}
"""What a device is asked for, in words, and the error where it fails."""
_COPIES = ("upload", "download", "copy")


class Call(metaclass=record):
    """Something that a device was asked for."""

    operation: str
    """One of "open", "allocate", "free", "upload", "download" (reads too), "copy", "compile", "launch",
    "multiply" (a product by a library), "synchronize"."""
    device: int = 0
    """The device's number."""
    nbytes: int = 0
    """Of memory, copies, and the results of products."""
    kernel: str = ""
    """The kernel's name, of compiling and launching."""
    groups: int = 0
    """Workgroups of a launch."""


class Fault(metaclass=mutable):
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


class Faults:
    """The calls that devices got, and the faults that they meet from now on.

    Faults may be asked for at any time, from any thread, and hold for all devices unless `when` looks at the
    call's `device`.
    """

    def __init__(self) -> None:
        self.calls: list[Call] = []
        """What the devices were asked for, in order."""
        self._faults: list[Fault] = []
        self._lock = new_reentrant_lock()

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
            self._faults.append(Fault(operations, after, times, when, act, late))

    def note(self, call: Call) -> list[Fault]:
        """The faults that a call meets."""
        with self._lock:
            self.calls.append(call)
            return [fault for fault in self._faults if fault.takes(call)]


def _check(operation: str) -> None:
    if operation not in OPERATIONS:
        raise ArgumentError(f"a device is not asked for {operation!r}, but for {listed(list(OPERATIONS))}")


def _raise(call: Call, driver: FakeDriver, error: Callable[[Call], Exception] | None) -> None:
    if error is not None:
        raise _once(error(call))
    doing, kind = OPERATIONS[call.operation]
    advice = REMEDIES if kind is OutOfMemoryError else ()
    raise _once(kind(f"{driver.name}: {doing} failed, as the test asked for", suggestions=advice))


def _once(problem: Exception) -> Exception:
    """One fault is one failure: what a device refused is not asked for again."""
    return problem.for_good() if isinstance(problem, OutOfMemoryError) else problem
