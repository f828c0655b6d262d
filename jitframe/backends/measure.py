"""How fast a device is, measured once by kernels of our own and kept on disk; nothing here is a guess.

What is kept is keyed by device, driver version and the measuring kernels' version: another driver measures
anew. The rates are those of kernels that this package generates, which is what programs get.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from ..cache.digest import digest
from ..cache.folder import FileRefused, Folder, FolderRefused
from ..runtime.device import Device
from ..runtime.driver import DeviceFacts, Driver
from ..settings import settings
from . import probes
from .load import host_load

_FOLDER = "measurements"
_VERSION = 2
_TRIES = 3
"""Times that each speed is measured, in turns: what another program does in a moment spoils one."""
_RETRIED_S = 6.0
"""Seconds after which there are no further tries."""
_BUSY = 0.5
"""Share of the host's processors in use by others from which on a measurement is not trusted for long."""
_MOST_BYTES = 1 << 16
_FAULTS = (OSError, FolderRefused, FileRefused, ValueError, TypeError, KeyError)


@dataclass(frozen=True, slots=True)
class Level:
    """A cache, or the memory behind them all, as one compute unit sees it."""

    name: str
    """"L1", "L2", ... or "memory"."""
    working_set_bytes: int
    """What was read and written to measure it."""
    latency_s: float
    """Seconds from a load to the next one that needs its value."""
    unit_bandwidth: float
    """Bytes that one compute unit reads and writes in a second."""


@dataclass(frozen=True, slots=True)
class Measured:
    """What was measured on a device: the best of several tries, and of what was measured before."""

    bandwidth: float
    """Bytes a second that all units read and write in memory, in `y = a * x + b` over large arrays."""
    arithmetic: Mapping[str, float]
    """Operations a second by dtype ("float32", "float64"): dependent multiply-adds, eight chains a lane,
    each of them two operations."""
    launch_s: float
    """Seconds from asking for the smallest launch until it was waited for."""
    levels: tuple[Level, ...]
    """The caches, the nearest first, then the memory."""
    load: float = 0.0
    """Share of the host's processors that were busy with something else just before."""

    def better(self, other: Measured) -> Measured:
        """The better of each figure: what a device did once it can do."""
        levels = {each.name: each for each in other.levels}
        return Measured(
            max(self.bandwidth, other.bandwidth),
            {name: max(rate, other.arithmetic.get(name, 0.0)) for name, rate in self.arithmetic.items()},
            min(self.launch_s, other.launch_s),
            tuple(_better_level(each, levels.get(each.name)) for each in self.levels),
            min(self.load, other.load),
        )


def _better_level(level: Level, other: Level | None) -> Level:
    if other is None or other.working_set_bytes != level.working_set_bytes:
        return level
    latency, bandwidth = (
        min(level.latency_s, other.latency_s),
        max(level.unit_bandwidth, other.unit_bandwidth),
    )
    return Level(level.name, level.working_set_bytes, latency, bandwidth)


_known: dict[str, Measured] = {}


def known(device: Device) -> Measured | None:
    """What was measured on a device, by this process or an earlier one; None where nothing was."""
    key = _key(device.facts)
    if key not in _known and settings().cache:
        found = _read(key)
        if found is not None:
            _known[key] = found
    return _known.get(key)


def measure(device: Device, refresh: bool = False) -> Measured:
    """What is known, or measured now, which takes seconds; `refresh` measures in any case, as is done with
    what a busy machine measured once it is less busy. The better of each old and new figure is kept.

    Raises BackendError where the device cannot be used.
    """
    before, load = known(device), host_load() or 0.0
    if before is not None and not refresh and not (before.load >= _BUSY and load < before.load / 2):
        return before
    with device.using() as driver:
        found = _measured(driver, load)
    if before is not None:
        found = found.better(before)
    key = _key(device.facts)
    _known[key] = found
    if settings().cache:
        _write(key, found)
    return found


def _measured(driver: Driver, load: float) -> Measured:
    """In turns, so that what disturbs one try is over in another."""
    levels = tuple(Level(*each) for each in probes.levels(driver))
    found: Measured | None = None
    end = time.monotonic() + _RETRIED_S
    for _ in range(_TRIES):
        if found is not None and time.monotonic() > end:
            break
        one = Measured(
            probes.bandwidth(driver), probes.arithmetic(driver), probes.launch_seconds(driver), levels, load
        )
        found = one if found is None else one.better(found)
    assert found is not None
    return found


def _key(facts: DeviceFacts) -> str:
    """The facts that decide the speed: title, versions, and how much of the device there is to use."""
    words = (facts.title, facts.api, facts.version, facts.units, facts.vector_bytes, _VERSION)
    return digest(*(str(word).encode() for word in words)).hex()


def _read(key: str) -> Measured | None:
    try:
        text = Folder(settings().cache_folder(), _FOLDER, create=False).read(f"{key}.json", _MOST_BYTES)
        told: dict[str, Any] = json.loads(text)
        told["levels"] = tuple(Level(**each) for each in told["levels"])
        return Measured(**told)
    except _FAULTS:  # a fault of the disk is a measurement that was not made
        return None


def _write(key: str, measured: Measured) -> None:
    data = json.dumps(asdict(measured), indent=1).encode()
    try:
        folder = Folder(settings().cache_folder(), _FOLDER, create=True)
        folder.publish(f"{key}.json", f"{key}.{os.getpid()}.new", data)
    except _FAULTS:
        pass
