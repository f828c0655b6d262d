"""Out-of-memory handling: what is freed and retried when a limit, a device, an allocator or the system
refuses memory.

Pools give back what they keep before they refuse anything. Then, once: garbage is collected (arrays that
nobody holds may be parts of cycles), what was dropped is taken back, also what queues still use, the device
waited for, its pool emptied, and the request made again. What is refused then is an OutOfMemoryError.
"""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING, Any

from ...errors import OutOfMemoryError
from ...ir.record import replace

if TYPE_CHECKING:
    from ..device import Device
    from ..driver import Driver, MemoryStatistics


def make_room(device: Device, driver: Driver | None = None) -> None:
    """Gives back all that nobody needs, for who uses the driver; without one, what nobody holds is enough."""
    gc.collect()
    device._take_dropped()
    if device._ordering is not None:
        device._ordering.wait_for_all()
    if driver is not None:
        driver.synchronize()
        driver.trim()


class PatientDriver:
    """A driver whose requests for memory are made again before they fail. All else is the driver's own.

    It stays before its driver; what is between the two (limits, an application's allocator) comes and goes.
    """

    def __init__(self, driver: Driver, device: Device) -> None:
        self.driver = driver
        self._device = device
        self._failures = 0
        self.stand_before(driver)

    def stand_before(self, inner: Driver) -> None:
        """What is asked from now on."""
        self.inner = inner
        # What every launch asks for, without the way through __getattr__.
        self.launch, self.free, self.compile = inner.launch, inner.free, inner.compile

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    def allocate(self, nbytes: int) -> Any:
        """Raises OutOfMemoryError where there is none after `make_room` either."""
        try:
            try:
                return self.inner.allocate(nbytes)
            except OutOfMemoryError as problem:
                if not problem.ask_again:
                    raise
            make_room(self._device, self.inner)
            return self.inner.allocate(nbytes)
        except OutOfMemoryError:
            self._failures += 1
            raise

    def statistics(self) -> MemoryStatistics:
        """Those of the inner driver; a request that is refused twice is one failure, whoever refuses it."""
        return replace(self.inner.statistics(), failures=self._failures)
