"""Limits of a device's memory, and the layer of its driver that enforces them.

Without limits there is no such layer: the driver itself is used. The processor's native pool has limits of
its own (see `cpu.bounds`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ...cache.service import kernel_cache
from ...errors import ArgumentError, BackendError, DTypeError, OutOfMemoryError
from ...ir.record import record
from ..discovery import probe, registry
from ..discovery.options import named_fields
from .pool import REMEDIES

if TYPE_CHECKING:
    from ..device import Device
    from ..driver import Driver, MemoryStatistics


class Pressure(metaclass=record):
    """The argument of a pressure callback."""

    device: str
    live_bytes: int
    """In buffers that are in use."""
    threshold_bytes: int


@named_fields
class Limits(metaclass=record):
    """The limits of a device; None is no limit. They cover everything there: buffers, Tensors, and
    allocations of jitted functions."""

    max_bytes: int | None = None
    """The most bytes in blocks of the device, live or pooled. Pooled blocks are released first; where that
    does not suffice, OutOfMemoryError."""
    max_buffers: int | None = None
    """Blocks in use at a time; one more is an OutOfMemoryError."""
    max_kernels: int | None = None
    """Kernels ready to be launched; the least recently used one is dropped for the next, and made again from
    the kernel cache when it is needed. On the CPU, machine code that was loaded stays: there it bounds the
    images that are kept beside it."""
    max_streams: int | None = None
    """Streams of the program's own that are open at a time; one more is a BackendError."""
    pressure_bytes: int | None = None
    """The callback `on_pressure` is called when more bytes than these are live."""
    on_pressure: Callable[[Pressure], Any] | None = None
    """Called after the request or run that made them so, in its thread; it may use the device. What it raises
    is shown as errors of threads are (sys.excepthook), and nothing else happens."""

    def check(self) -> None:
        """Raises ArgumentError for numbers that are no limits."""
        for name in ("max_bytes", "max_buffers", "max_kernels", "max_streams", "pressure_bytes"):
            value = getattr(self, name)
            if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < 0):
                raise ArgumentError(f"{name}={value!r}; it is a whole number from 0 on, or None for no limit")
        if self.max_kernels == 0:
            raise ArgumentError("max_kernels=0; at least one kernel must be ready to be launched")
        if (self.pressure_bytes is None) != (self.on_pressure is None):
            raise ArgumentError("pressure_bytes and on_pressure go together; give both or neither")

    @property
    def bound_memory(self) -> bool:
        """Whether allocations must be checked."""
        return not (self.max_bytes is None and self.max_buffers is None and self.pressure_bytes is None)


class LimitedDriver:
    """A driver with limits. All other calls go to the driver."""

    def __init__(self, driver: Driver, device: Device, limits: Limits) -> None:
        self.inner = driver
        self._device = device
        self._limits = limits
        self._taken = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    def allocate(self, nbytes: int) -> Any:
        """Raises OutOfMemoryError where a limit, or the device, leaves no room."""
        before = self.inner.statistics()
        problem = self._problem(before, nbytes)
        if problem:
            raise self._refused(problem, nbytes, before)
        most = self._limits.max_bytes
        if most is not None and before.live + before.pooled + nbytes > most:
            self.inner.trim()
        memory = self.inner.allocate(nbytes)
        after = self.inner.statistics()
        if most is not None and after.live + after.pooled > most:
            # Blocks are a little larger than requested.
            self.inner.trim()
            if after.live > most:
                self.inner.free(memory)
                self.inner.trim()
                raise self._refused("max_bytes", nbytes, before)
        self._taken += 1
        threshold = self._limits.pressure_bytes
        if threshold is not None and before.live <= threshold < after.live:
            self._device.tell_later(lambda: self._tell(after.live))
        return memory

    def free(self, memory: Any) -> None:
        self._taken -= 1
        self.inner.free(memory)

    def _problem(self, counted: MemoryStatistics, nbytes: int) -> str:
        """Returns the limit that is exceeded, or None."""
        limits = self._limits
        if limits.max_bytes is not None and counted.live + nbytes > limits.max_bytes:
            return "max_bytes"
        if limits.max_buffers is not None and self._buffers(counted) >= limits.max_buffers:
            return "max_buffers"
        return ""

    def _buffers(self, counted: MemoryStatistics) -> int:
        """Returns the live buffers; for drivers that count none, those allocated here."""
        return max(counted.buffers, self._taken)

    def _refused(self, limit: str, nbytes: int, counted: MemoryStatistics) -> OutOfMemoryError:
        name, most = self._device.name, getattr(self._limits, limit)
        if limit == "max_bytes":
            what = (
                f"{name} may hold {most:,} bytes (max_bytes), holds {counted.live:,}, and {nbytes:,} more "
                "are asked for"
            )
        else:
            what = (
                f"{name} may have {most:,} buffers (max_buffers), and has them; {nbytes:,} bytes are asked "
                "for"
            )
        context = {
            "asked_bytes": nbytes, "live_bytes": counted.live, "live_buffers": self._buffers(counted),
            limit: most,
        }  # fmt: skip
        return OutOfMemoryError(what, device=name, context=context, suggestions=REMEDIES)

    def _tell(self, live: int) -> None:
        limits = self._limits
        assert limits.on_pressure is not None
        assert limits.pressure_bytes is not None
        limits.on_pressure(Pressure(self._device.name, live, limits.pressure_bytes))


def limited(driver: Driver, device: Device, limits: Limits) -> Driver:
    """Returns a driver with limits. Raises BackendError where its number of kernels cannot be limited."""
    limit_kernels = getattr(driver, "limit_kernels", None)
    if limit_kernels is not None:
        limit_kernels(limits.max_kernels)
    elif limits.max_kernels is not None:
        raise BackendError(
            f"{device.name} keeps its kernels to itself: max_kernels cannot be set",
            device=device.name,
            suggestions=("leave that limit out",),
        )
    if not limits.bound_memory:
        return driver
    limited_driver = LimitedDriver(driver, device, limits)
    if limits.max_bytes is not None:
        counted = driver.statistics()
        if counted.live + counted.pooled > limits.max_bytes:
            driver.trim()
    return limited_driver


def limit_processor(limits: Limits) -> None:
    """Sets the limits of the native pool, which are the whole process's."""
    from ..cpu.execution import bounds

    bounds.set_limits(limits.max_bytes, limits.max_buffers)
    told, threshold = limits.on_pressure, limits.pressure_bytes
    tell = None
    if told is not None and threshold is not None:
        tell = lambda: told(Pressure("cpu", bounds.live_bytes(), threshold))  # noqa: E731
    bounds.set_pressure(threshold, tell)
    kernel_cache().memory.limit(limits.max_kernels)


def set_limits(device: Device, limits: Limits | None) -> None:
    """See `Device.limit`."""
    if not isinstance(limits, (Limits, type(None))):
        raise DTypeError(f"limits are a jf.backends.Limits, or None for none, not {limits!r}")
    wanted = limits or Limits()
    wanted.check()
    if device.is_host:
        limit_processor(wanted)
        device._limits = limits
        return
    if limits is None and device._driver is None:  # not opened to lift what it will not have
        device._limits = None
        return
    with device.using():
        before, device._limits = device._limits, wanted
        try:
            device._arrange(device.driver)
        except BackendError:
            device._limits = before
            raise
        device._limits = limits


def free_bytes(device: Device) -> int | None:
    """Returns the bytes that can still be allocated on a device, for the user of its driver; None where they
    are unknown."""
    # Native calls take memory of a processor whose driver nobody has opened.
    counted = (device._front or device.driver).statistics()
    told = _told_free_bytes(device)
    free = told + counted.pooled if told else None
    most = device.limits.max_bytes if device.limits is not None else None
    if most is None:
        return free
    left = max(most - counted.live, 0)
    return left if free is None else min(left, free)


def _told_free_bytes(device: Device) -> int:
    """Returns the free bytes according to the system or the driver; 0 where they are unknown."""
    try:
        backend, number = registry.parse(device.name)
        return probe.free_bytes(registry.named_entry(backend), number, device.facts)
    except BackendError:  # a device that no backend lists
        return 0
