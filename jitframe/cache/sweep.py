"""Keeping the folder within its bound: a sweep of what was used least recently."""

from __future__ import annotations

import os
from typing import NamedTuple

from .folder import Folder
from .ledger import files, set_used
from .lock import try_lock, unlock

_SWEEP_LOCK = ".sweeping"


class SweepResult(NamedTuple):
    removed: int
    removed_bytes: int
    kept: int
    kept_bytes: int


def sweep(folder: Folder, to_bytes: int) -> SweepResult:
    """Remove the least recently used entries until `to_bytes` of disk are left, and what was abandoned."""
    there = files(folder)
    total_bytes = sum(disk_bytes for _, disk_bytes, _ in there)
    removed = removed_bytes = 0
    for _, disk_bytes, name in sorted(there):
        if total_bytes - removed_bytes <= to_bytes:
            break
        removed += folder.remove(name)
        removed_bytes += disk_bytes
    set_used(folder, total_bytes - removed_bytes)
    return SweepResult(removed, removed_bytes, len(there) - removed, total_bytes - removed_bytes)


def sweep_unless_running(folder: Folder, to_bytes: int) -> None:
    """Sweep, unless another process or thread is at it."""
    descriptor = folder.open_lock(_SWEEP_LOCK)
    try:
        if try_lock(descriptor):
            sweep(folder, to_bytes)
            unlock(descriptor)
    finally:
        os.close(descriptor)
