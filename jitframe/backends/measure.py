"""Measured speeds of devices: kernels of this package measure each once, and the results are stored on disk.

The rates are those of generated kernels, which programs achieve too.
"""

from __future__ import annotations

from ..runtime.device import Device
from ..runtime.discovery import measured
from ..runtime.discovery.measured import Level, Measured
from ..runtime.driver import Driver
from . import probes
from .load import host_load

_TRIES = 3
"""Times that each speed is measured, interleaved, so that a short disturbance spoils only one."""
_BUDGET_S = 2.0
"""Seconds for all of it. Work that has begun is completed: memory is filled, drivers compile."""
_BUSY = 0.5
"""Load of the host's processors by other processes from which on a measurement is not trusted for long."""


def measure(device: Device, refresh: bool = False) -> Measured:
    """Returns the stored speeds, or measures, which takes two to three seconds; `refresh` always measures, as
    is also done once a machine that was busy in a measurement is less so. The better of each old and new
    figure is stored.

    Raises BackendError where the device cannot be used.
    """
    before, load = measured.known(device.facts), host_load() or 0.0
    if before is not None and not refresh and not (before.load >= _BUSY and load < before.load / 2):
        return before
    with device.using() as driver:
        found = _measured(driver, load)
    if before is not None:
        found = found.better(before)
    measured.keep(device.facts, found)
    return found


def _measured(driver: Driver, load: float) -> Measured:
    """Measures the speeds in turns, so that a disturbance of one try does not last to another."""
    whole = probes.Budget(_BUDGET_S)
    levels = tuple(Level(*each) for each in probes.levels(driver, probes.Budget(_BUDGET_S / 3)))
    found: Measured | None = None
    for _ in range(_TRIES):
        before = whole.left_s
        one = Measured(
            probes.bandwidth(driver, whole.share(2)),
            probes.arithmetic(driver, whole.share(2)),
            probes.launch_seconds(driver, whole.share(2)),
            levels,
            load,
        )
        found = one if found is None else one.better(found)
        if whole.left_s < before - whole.left_s:
            break
    assert found is not None
    return found
