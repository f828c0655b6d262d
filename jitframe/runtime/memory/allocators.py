"""Memory of an application's own allocator, such as another framework's pool, in place of a driver's pool."""

from __future__ import annotations

import operator
import sys
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from ...base.locks import Local
from ...errors import ArgumentError, BackendError, OutOfMemoryError, listed
from ...ir.record import replace
from .pool import REMEDIES, Counts

if TYPE_CHECKING:
    from ..device import Device
    from ..driver import Driver, MemoryStatistics


class Allocator(Protocol):
    """The source of a device's memory, supplied by an application.

    What it gives is what the device's interface calls memory: an address (CPU, CUDA, HIP), a
    `pyopencl.Buffer` or one of pyopencl's pools, a `wgpu.GPUBuffer` (for storage and copies both ways), an
    `MTLBuffer`. It is aligned as the interface aligns, on the CPU to nothing. Blocks are asked for one at a
    time on devices, and from any thread on the CPU.
    """

    def allocate(self, nbytes: int) -> Any:
        """Memory of at least so many bytes, more than none; None or 0 where there is no more.

        What it raises, and what is no such memory, becomes an OutOfMemoryError with that as its cause.
        """
        ...

    def free(self, memory: Any) -> None:
        """Takes it back; the device is through with it. What it raises is shown as errors of threads are
        (sys.excepthook), and nothing else happens: nobody waits for memory to go back."""
        ...


_LOWEST_ADDRESS = 4096
"""The first page is never allocated: a null pointer and addresses near it stay invalid."""


def address_of(given: Any, nbytes: int) -> int:
    """Returns memory as an address. Raises ArgumentError for other objects."""
    try:
        address = operator.index(given)
    except TypeError:
        address = 0
    if isinstance(given, bool) or not _LOWEST_ADDRESS <= address <= (1 << 63) - nbytes:
        raise ArgumentError(f"{given!r} is no address; an allocator of this device gives positive integers")
    return address


def check_object(given: Any, name: str, size: int | None, nbytes: int) -> None:
    """Raises ArgumentError for what is no memory object of an interface (its `size` is None then), and for
    one that is too small."""
    if size is None:
        raise ArgumentError(f"{given!r} is no {name}; an allocator of this device gives such objects")
    if size < nbytes:
        raise ArgumentError(f"a {name} of {size:,} bytes was given, and {nbytes:,} were asked for")


def _is_nothing(given: Any) -> bool:
    return given is None or (isinstance(given, int) and given == 0 and given is not False)


def refusal(device: str, nbytes: int, live: int, problem: BaseException | None) -> OutOfMemoryError:
    """Returns the error for a failed request to an application's allocator; `problem`: its exception or
    invalid result."""
    remedies: tuple[str, ...]
    if problem is None:
        said, remedies = "", REMEDIES
    elif isinstance(problem, ArgumentError):
        said, remedies = f" ({problem.message})", MEND
    else:
        said, remedies = f" (it raised {type(problem).__name__}: {problem})", (*MEND, *REMEDIES[:2])
    made = OutOfMemoryError(
        f"the allocator that {device} was given has no memory for {nbytes:,} bytes{said}: {live:,} bytes of "
        "it are in use",
        device=device,
        context={"asked_bytes": nbytes, "live_bytes": live},
        suggestions=remedies,
    )
    made.__cause__ = problem
    return made


MEND = ("mend that allocator", "take it back with backend.use_allocator(None)")


def given_back(allocator: Allocator, memory: Any) -> None:
    """Returns memory to an application."""
    try:
        allocator.free(memory)
    except Exception as problem:
        sys.excepthook(type(problem), problem, problem.__traceback__)


class AllocatingDriver:
    """A driver with memory of an application's. All other calls go to the driver.

    It stays before its driver once it is there: memory goes back to whom it came from, however late.
    """

    def __init__(self, driver: Driver, device: Device) -> None:
        self.inner = driver
        self.allocator: Allocator | None = None
        self._device = device
        self._given: dict[int, tuple[Any, Any, int, Allocator]] = {}
        """Memory by identity: the block, the application's object, its bytes, and its allocator."""
        self._counts = Counts()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    def allocate(self, nbytes: int) -> Any:
        """Raises OutOfMemoryError where the application has no more."""
        allocator = self.allocator
        if allocator is None:
            return self.inner.allocate(nbytes)
        size = max(-(-nbytes // 4) * 4, 4)  # some devices write whole words
        problem: Exception | None = None
        memory = None
        try:
            given = allocator.allocate(size)
            if not _is_nothing(given):
                memory = self.inner.adopt(given, nbytes)  # type: ignore[attr-defined]
        except Exception as found:  # of the application's own
            problem = found
        if memory is None:
            raise refusal(self._device.name, nbytes, self._counts.live, problem) from problem
        self._given[id(memory)] = memory, given, size, allocator
        self._counts.took(size, nbytes, True)
        return memory

    def free(self, memory: Any) -> None:
        found = self._given.pop(id(memory), None)
        if found is None:
            self.inner.free(memory)
            return
        _, given, size, allocator = found
        self._counts.gave(size)
        # Its owner may reuse it at once, outside of this device's order of work.
        self.inner.synchronize()
        given_back(allocator, given)

    def statistics(self) -> MemoryStatistics:
        own, more = self.inner.statistics(), self._counts.statistics(0)
        return replace(
            own,
            live=own.live + more.live,
            peak=own.peak + more.peak,
            allocations=own.allocations + more.allocations,
            buffers=own.buffers + more.buffers,
            requested=own.requested + more.requested,
        )


def use_allocator(device: Device, allocator: Allocator | None) -> None:
    """See `Backend.use_allocator`."""
    lacking = [name for name in ("allocate", "free") if not callable(getattr(allocator, name, None))]
    if allocator is not None and lacking:
        raise ArgumentError(
            f"use_allocator({allocator!r}): an allocator has the methods allocate(nbytes) and free(memory), "
            f"and this one has no {listed(lacking)}; None takes memory from the device again"
        )
    if device.is_host:
        _use_on_host(allocator)
        return
    if allocator is None and device._driver is None:  # what it had is gone with its driver
        return
    with device.using():
        driver = device.driver
        if not hasattr(driver, "adopt"):
            raise BackendError(
                f"{device.name} ({device.facts.title}) takes no memory of others",
                device=device.name,
                suggestions=("leave its pool to it",),
            )
        if device._allocating is None:
            if allocator is None:
                return
            device._allocating = AllocatingDriver(driver, device)
        device._allocating.allocator = allocator
        driver.trim()
        device._arrange(driver)


def _use_on_host(allocator: Allocator | None) -> None:
    from ..cpu.execution import bounds  # the processor's own

    if allocator is None:
        bounds.own_allocator()
        return

    asked = Local()

    def allocate(nbytes: int) -> int:
        """Returns 0 and records the reason on failure; native code calls this, through which exceptions
        cannot propagate."""
        bounds.note(None)
        if getattr(asked, "is_at_it", False):
            bounds.note(BackendError("the allocator that cpu was given asks cpu itself for memory"))
            return 0
        asked.is_at_it = True
        try:
            given = allocator.allocate(nbytes)
            return 0 if _is_nothing(given) else address_of(given, nbytes)
        except BaseException as problem:
            bounds.note(problem)
            return 0
        finally:
            asked.is_at_it = False

    bounds.use_allocator(allocate, partial(given_back, allocator))
