"""Memory of an application's own allocator, another framework's pool say, in the place of a driver's pool."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from ..errors import BackendError, OutOfMemoryError
from ..ir.record import replace
from .pool import REMEDIES, Counts

if TYPE_CHECKING:
    from .device import Device
    from .driver import Driver, MemoryStatistics


class Allocator(Protocol):
    """Where a device's memory comes from, as an application supplies it.

    What it gives is what the device's interface calls memory: an address (CPU, CUDA, HIP), a
    `pyopencl.Buffer` or one of pyopencl's pools, a `wgpu.GPUBuffer` (for storage and copies both ways), an
    `MTLBuffer`. It is aligned as the interface aligns, on the CPU to nothing. Blocks are asked for one at a
    time on devices, and from any thread on the CPU.
    """

    def allocate(self, nbytes: int) -> Any:
        """Memory of at least so many bytes, more than none; None or 0 where there is no more."""
        ...

    def free(self, memory: Any) -> None:
        """Takes it back; the device is through with it."""
        ...


class AllocatingDriver:
    """A driver with memory of an application's. What it does not do itself is the driver's own.

    It stays before its driver once it is there: memory goes back to whom it came from, however late.
    """

    def __init__(self, driver: Driver, device: Device) -> None:
        self.behind = driver
        self.allocator: Allocator | None = None
        self._device = device
        self._given: dict[int, tuple[Any, Any, int, Allocator]] = {}
        """Memory by its identity: itself, as the application knows it, its bytes, and whose it is."""
        self._counts = Counts()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.behind, name)

    def allocate(self, nbytes: int) -> Any:
        """Raises OutOfMemoryError where the application has no more."""
        allocator = self.allocator
        if allocator is None:
            return self.behind.allocate(nbytes)
        size = max(-(-nbytes // 4) * 4, 4)  # some devices write whole words
        given = allocator.allocate(size)
        if not given:
            live = self._counts.live
            raise OutOfMemoryError(
                f"the allocator that {self._device.name} was given has no memory for {nbytes:,} bytes: "
                f"{live:,} bytes of it are in use",
                device=self._device.name,
                context={"asked_bytes": nbytes, "live_bytes": live},
                suggestions=REMEDIES,
            )
        memory = self.behind.adopt(given, nbytes)  # type: ignore[attr-defined]
        self._given[id(memory)] = memory, given, size, allocator
        self._counts.took(size, nbytes, True)
        return memory

    def free(self, memory: Any) -> None:
        found = self._given.pop(id(memory), None)
        if found is None:
            self.behind.free(memory)
            return
        _, given, size, allocator = found
        self._counts.gave(size)
        # Its owner may give it to anybody, who knows nothing of this device's order of work.
        self.behind.synchronize()
        allocator.free(given)

    def statistics(self) -> MemoryStatistics:
        own, more = self.behind.statistics(), self._counts.statistics(0)
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
    if device.is_host:
        _use_on_host(allocator)
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
    from .cpu import bounds  # the processor's own

    if allocator is None:
        bounds.own_allocator()
    else:
        bounds.use_allocator(lambda nbytes: int(allocator.allocate(nbytes) or 0), allocator.free)
