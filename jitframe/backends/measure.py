"""How fast a device is, measured once by kernels of our own and kept on disk; nothing here is a guess.

The rates are those of kernels that this package generates, which is what programs get.
"""

from __future__ import annotations

from ..runtime.device import Device
from ..runtime.discovery import measured
from ..runtime.discovery.measured import Level, Measured
from ..runtime.driver import Driver
from . import probes
from .load import host_load

_TRIES = 3
"""Times that each speed is measured, in turns: what another program does in a moment spoils one."""
_BUDGET_S = 2.0
"""Seconds in which all of that is done. What was begun is ended: memory is filled, drivers compile."""
_BUSY = 0.5
"""Share of the host's processors in use by others from which on a measurement is not trusted for long."""


def measure(device: Device, refresh: bool = False) -> Measured:
    """What is known, or measured now, which takes two to three seconds; `refresh` measures in any case, as is
    done with what a busy machine measured once it is less busy. The better of each old and new figure is
    kept.

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
    """In turns, so that what disturbs one try is over in another."""
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
