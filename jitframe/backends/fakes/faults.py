"""The calls of a fake device, and the faults that a test injects into them."""

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
"""The operations of a device, in words, and the error where one fails."""
_COPIES = ("upload", "download", "copy")


class Call(metaclass=record):
    """A call of a device."""

    operation: str
    """One of "open", "allocate", "free", "upload", "download" (reads too), "copy", "compile", "launch",
    "multiply" (a product by a library), "synchronize"."""
    device: int = 0
    """The device's number."""
    nbytes: int = 0
    """Bytes of memory, of copies, and of the results of products."""
    kernel: str = ""
    """The kernel's name, for compiling and launching."""
    groups: int = 0
    """Workgroups of a launch."""


class Fault(metaclass=mutable):
    """A fault of some calls."""

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
    """The calls of devices, and the faults of their further calls.

    Faults may be added at any time, from any thread, and hold for all devices unless `when` checks the call's
    `device`.
    """

    def __init__(self) -> None:
        self.calls: list[Call] = []
        """The calls of the devices, in order."""
        self._faults: list[Fault] = []
        self._lock = new_reentrant_lock()

    # What it was asked for ----------------------------------------------------------------------------
    def count(self, operation: str) -> int:
        """Returns the number of calls. Raises ArgumentError for an unknown operation."""
        _check(operation)
        return sum(call.operation == operation for call in self.calls)

    def clear(self) -> None:
        """Removes all calls and faults; a lost device stays lost."""
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
        """Makes an operation fail: calls for which `when` is true, except the first `after` of them; so many
        `times`, or always with None.

        `error(call)` returns the exception; by default it is the drivers': OutOfMemoryError of "allocate",
        CompileError of "compile", BackendUnavailableError of "open", BackendError of the others. `late`: the
        call itself succeeds, and the next wait ("download", "synchronize") raises, as on asynchronous
        devices.

        Raises ArgumentError for an unknown operation.
        """
        _check(operation)
        self._add((operation,), times, after, when, lambda call, driver: _raise(call, driver, error), late)

    def lose(self, operation: str | None = None, *, after: int = 0, number: int = 0) -> None:
        """Loses a device at an operation, or at its next call of any kind: that and all further calls raise
        DeviceLostError, until the device is opened again, as its next use does."""
        if operation is not None:
            _check(operation)
        operations = tuple(OPERATIONS) if operation is None else (operation,)

        def lost(call: Call, driver: FakeDriver) -> None:
            driver.is_lost = True
            raise driver.lost()

        self._add(operations, 1, after, lambda call: call.device == number, lost, False)

    def slow(self, bytes_per_second: float, when: Callable[[Call], bool] = lambda call: True) -> None:
        """Slows copies down to this rate, in every direction, from now on."""
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
        """Returns the faults of a call."""
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
    """Marks a fault as final: a refused call is not repeated."""
    return problem.for_good() if isinstance(problem, OutOfMemoryError) else problem
