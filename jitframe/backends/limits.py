"""What a backend holds and has done so far, who holds its memory, and giving back what nobody needs."""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING

from ..errors import ArgumentError, BackendError
from ..ir.record import record
from ..runtime.holders import Holder, holders
from ..runtime.limits import Limits, Pressure, free_bytes
from .load import device_load, host_load

if TYPE_CHECKING:
    from .backend import Backend

__all__ = ["Holder", "Limits", "Pressure", "Statistics", "Usage"]


class Usage(metaclass=record):
    """What a backend's device holds now."""

    live_bytes: int
    """In buffers that are in use: those of the program, of Tensors, and of work under way."""
    pooled_bytes: int
    """Kept for the next ones."""
    buffers: int
    """How many are in use."""
    kernels: int
    """Kernels that are ready to be launched; 0 where the driver keeps them to itself."""
    streams: int
    """Streams of the program's own that are open."""
    free_bytes: int | None
    """What can still be taken; None where neither the driver nor a limit tells."""
    cpu_load: float | None
    """Share of this machine's processors that were busy in the last minute; None where the system does not
    tell."""
    device_load: float | None
    """Share of the last moments in which the device was busy; None where its driver does not tell."""


class Statistics(metaclass=record):
    """What a backend's device was asked for so far."""

    peak_bytes: int
    """The most that was live at once."""
    allocations: int
    """Buffers taken, new ones and used ones."""
    deallocations: int
    """Buffers given back."""
    average_bytes: float
    """Bytes asked for by an allocation, on average; 0 where there was none."""
    hit_rate: float
    """Share of the allocations that the pool had a block for; 0 where there was none."""
    failures: int
    """Allocations that were refused."""


def usage(backend: Backend) -> Usage:
    """See `Backend.usage`."""
    backend.check_open()
    device = backend.device
    with device.using() as driver:
        counted = driver.statistics()
        count_kernels = getattr(driver, "kernel_count", None)
        return Usage(
            counted.live,
            counted.pooled,
            counted.buffers,
            0 if count_kernels is None else count_kernels(),
            backend.open_streams,
            free_bytes(device),
            host_load(),
            device_load(device),
        )


def statistics(backend: Backend) -> Statistics:
    """See `Backend.statistics`."""
    backend.check_open()
    counted = backend.device.statistics()
    taken = counted.allocations + counted.reuses
    return Statistics(
        counted.peak,
        taken,
        taken - counted.buffers,
        counted.requested / taken if taken else 0.0,
        counted.reuses / taken if taken else 0.0,
        counted.failures,
    )


def cleanup(backend: Backend) -> int:
    """See `Backend.cleanup`."""
    backend.check_open()
    gc.collect()
    with backend.device.using() as driver:
        driver.synchronize()
        before = driver.statistics().pooled
        driver.trim()
        return before - driver.statistics().pooled


def monitor(backend: Backend, on: bool) -> None:
    """See `Backend.monitor`."""
    if not isinstance(on, bool):
        raise ArgumentError(f"monitor({on!r}): it is switched on by True and off by False")
    backend.check_open()
    device = backend.device
    device.is_monitored = on
    backend._restoring["monitor"] = lambda: setattr(device, "is_monitored", False)


def held(backend: Backend) -> list[Holder]:
    """See `Backend.holders`."""
    backend.check_open()
    return holders(backend.device)


def stream_opened(backend: Backend) -> None:
    """Notes one more stream of the program's own. Raises BackendError where it may have no more."""
    limits = backend.limits
    most = None if limits is None else limits.max_streams
    with backend._lock:
        if most is not None and backend.open_streams >= most:
            raise BackendError(
                f"{backend.name} may have {most:,} streams (max_streams), and has them",
                device=backend.name,
                context={"max_streams": most},
                suggestions=("close one",),
            )
        backend.open_streams += 1


def stream_closed(backend: Backend) -> None:
    """Notes that one is closed."""
    with backend._lock:
        backend.open_streams -= 1
