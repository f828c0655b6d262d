"""Limits the folder's size: a sweep removes the least recently used files."""

from __future__ import annotations

import os
import sys
from typing import NamedTuple

from .folder import Folder
from .ledger import files, set_used

if sys.platform == "win32":
    import msvcrt

    def try_lock(descriptor: int) -> bool:
        """Takes the lock without waiting; returns False if another process holds it."""
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

    def unlock(descriptor: int) -> None:
        msvcrt.locking(descriptor, msvcrt.LK_UNLCK, 1)

else:

    def try_lock(descriptor: int) -> bool:
        """Takes the lock without waiting; returns False if another process holds it.

        True as well where the file system has no locks: two sweeps at once only remove the same files twice.
        """
        import fcntl

        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError:
            return True
        return True

    def unlock(descriptor: int) -> None:
        import fcntl

        try:
            fcntl.flock(descriptor, fcntl.LOCK_UN)
        except OSError:
            pass  # the lock was never there


_SWEEP_LOCK = ".sweeping"


class SweepResult(NamedTuple):
    removed: int
    removed_bytes: int
    kept: int
    kept_bytes: int


def sweep(folder: Folder, to_bytes: int) -> SweepResult:
    """Removes the least recently used entries until `to_bytes` of disk are used, and abandoned files."""
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
    """Sweeps, unless another process or thread does so."""
    descriptor = folder.open_lock(_SWEEP_LOCK)
    try:
        if try_lock(descriptor):
            sweep(folder, to_bytes)
            unlock(descriptor)
    finally:
        os.close(descriptor)
