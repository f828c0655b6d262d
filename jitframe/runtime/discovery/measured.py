"""Measurements of devices, stored on disk for every process (see `backends.measure`).

They are keyed by device, driver version and the version of the measuring kernels: another driver is measured
anew.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from ...cache.digest import digest
from ...cache.folder import FileRefused, Folder, FolderRefused
from ...settings import settings
from ..driver import DeviceFacts

_FOLDER = "measurements"
_VERSION = 2
_MOST_BYTES = 1 << 16
_FAULTS = (OSError, FolderRefused, FileRefused, ValueError, TypeError, KeyError)


@dataclass(frozen=True, slots=True)
class Level:
    """A cache, or the main memory, as seen by one compute unit."""

    name: str
    """"L1", "L2", ... or "memory"."""
    working_set_bytes: int
    """The bytes that the measurement read and wrote."""
    latency_s: float
    """Seconds from a load to the next one that depends on its value."""
    unit_bandwidth: float
    """Bytes that one compute unit reads and writes in a second."""


@dataclass(frozen=True, slots=True)
class Measured:
    """Measurements of a device: the best of several runs, and of earlier measurements."""

    bandwidth: float
    """Bytes a second that all units read and write in memory, in `y = a * x + b` over large arrays."""
    arithmetic: Mapping[str, float]
    """Operations a second by dtype ("float32", "float64"): dependent multiply-adds, eight chains a lane,
    each of them two operations."""
    launch_s: float
    """Seconds from the smallest launch to the end of its synchronization."""
    levels: tuple[Level, ...]
    """The caches, the nearest first, then the memory."""
    load: float = 0.0
    """The share of the host's processors that were otherwise busy just before."""

    def better(self, other: Measured) -> Measured:
        """Returns the better of each figure."""
        levels = {level.name: level for level in other.levels}
        return Measured(
            max(self.bandwidth, other.bandwidth),
            {name: max(rate, other.arithmetic.get(name, 0.0)) for name, rate in self.arithmetic.items()},
            min(self.launch_s, other.launch_s),
            tuple(_better_level(level, levels.get(level.name)) for level in self.levels),
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


def known(facts: DeviceFacts) -> Measured | None:
    """Returns the measurements of a device by this process or an earlier one; None where there are none."""
    key = _key(facts)
    if key not in _known and settings().cache:
        found = _read(key)
        if found is not None:
            _known[key] = found
    return _known.get(key)


def keep(facts: DeviceFacts, measured: Measured) -> None:
    """Stores measurements for this process and later ones."""
    key = _key(facts)
    _known[key] = measured
    if settings().cache:
        _write(key, measured)


def _key(facts: DeviceFacts) -> str:
    """Returns the facts that the speed depends on: title, versions, and size of the device."""
    words = (facts.title, facts.api, facts.version, facts.units, facts.vector_bytes, _VERSION)
    return digest(*(str(word).encode() for word in words)).hex()


def _folder(create: bool) -> Folder:
    root = settings().cache_folder()
    if root is None:
        raise FileNotFoundError("no home folder is known")
    return Folder(root, _FOLDER, create=create)


def _read(key: str) -> Measured | None:
    try:
        text = _folder(create=False).read(f"{key}.json", _MOST_BYTES)
        told: dict[str, Any] = json.loads(text)
        told["levels"] = tuple(Level(**each) for each in told["levels"])
        return Measured(**told)
    except _FAULTS:  # a fault of the disk is a measurement that was not made
        return None


def _write(key: str, measured: Measured) -> None:
    data = json.dumps(asdict(measured), indent=1).encode()
    try:
        _folder(create=True).publish(f"{key}.json", f"{key}.{os.getpid()}.new", data)
    except _FAULTS:
        pass
