"""Limits, usage and statistics of a backend, the holders of its memory, and its release."""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING

from ..errors import ArgumentError, BackendError
from ..ir.record import record
from ..runtime.memory.holders import Holder, holders
from ..runtime.memory.limits import Limits, Pressure, free_bytes
from .load import device_load, host_load

if TYPE_CHECKING:
    from .backend import Backend

__all__ = ["Holder", "Limits", "Pressure", "Statistics", "Usage"]


class Usage(metaclass=record):
    """The present usage of a backend's device."""

    live_bytes: int
    """Bytes of buffers in use: those of the program, of Tensors, and of pending work."""
    pooled_bytes: int
    """Bytes of free blocks in the pool."""
    buffers: int
    """The number of buffers in use."""
    kernels: int
    """Kernels that are ready to be launched; 0 where the driver does not tell."""
    streams: int
    """Open streams of the program."""
    free_bytes: int | None
    """Memory that can still be allocated; None where neither the driver nor a limit tells."""
    cpu_load: float | None
    """The load of this machine's processors in the last minute, from 0 to 1; None where the system does not
    tell."""
    device_load: float | None
    """The load of the device in the last moments, from 0 to 1; None where nobody tells. A device that
    computes on this machine's processors has their load."""
    device_load_reason: str
    """The reason why `device_load` is None; empty where it is known."""


class Statistics(metaclass=record):
    """Statistics of a backend's device so far."""

    peak_bytes: int
    """The most live bytes at one time."""
    allocations: int
    """Buffers allocated, from new and reused blocks."""
    deallocations: int
    """Buffers freed."""
    average_bytes: float
    """Bytes requested by an allocation, on average; 0 where there was none."""
    hit_rate: float
    """Share of the allocations that the pool had a block for; 0 where there was none."""
    failures: int
    """Allocations that failed."""


def usage(backend: Backend) -> Usage:
    """See `Backend.usage`."""
    backend.check_open()
    device = backend.device
    with device.using() as driver:
        counted = driver.statistics()
        count_kernels = getattr(driver, "kernel_count", None)
        load, reason = device_load(device)
        return Usage(
            counted.live,
            counted.pooled,
            counted.buffers,
            0 if count_kernels is None else count_kernels(),
            backend.open_streams,
            free_bytes(device),
            host_load(),
            load,
            reason,
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


class Monitor:
    """Records which line of the program makes what a backend's device holds, for out-of-memory errors and
    `holders`. It costs about two microseconds for each Tensor and buffer, and nothing while it is off.

    >>> import jitframe as jf
    >>> backend = jf.backends.get("cpu")
    >>> backend.monitor()
    >>> backend.monitor.is_on
    True
    >>> backend.monitor(False)
    """

    def __init__(self, backend: Backend) -> None:
        self._backend = backend

    def __repr__(self) -> str:
        return f"<monitor of {self._backend.name}, {'on' if self.is_on else 'off'}>"

    @property
    def is_on(self) -> bool:
        """Whether the device's monitor is on: all users of a shared backend share it. Does not open the
        device."""
        return self._backend.device.is_monitored

    def __call__(self, on: bool = True) -> None:
        """Switches the monitor on or off. Raises ArgumentError unless given a bool, BackendError after
        `shutdown`."""
        if not isinstance(on, bool):
            raise ArgumentError(f"monitor({on!r}): it is switched on by True and off by False")
        self._backend.check_open()
        device = self._backend.device
        device.is_monitored = on
        self._backend._restoring["monitor"] = lambda: setattr(device, "is_monitored", False)


def holders_of(backend: Backend) -> list[Holder]:
    """See `Backend.holders`."""
    backend.check_open()
    return holders(backend.device)


def stream_opened(backend: Backend) -> None:
    """Counts one more stream of the program. Raises BackendError at the limit."""
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
    """Counts a stream as closed."""
    with backend._lock:
        backend.open_streams -= 1
