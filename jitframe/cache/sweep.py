"""Keeping the folder within its bound: a ledger of disk use, and a sweep of what was used least recently."""

from __future__ import annotations

import os
import stat
import time
from typing import NamedTuple

from .folder import PLAN_SUFFIX, SUFFIX, Folder
from .lock import try_lock, unlock

TEMPORARY = ".new-"
LEDGER = ".ledger"
_SWEEP_LOCK = ".sweeping"
_BLOCK_BYTES = 4096
_ABANDONED_AFTER_S = 3600


class SweepResult(NamedTuple):
    removed: int
    removed_bytes: int
    kept: int
    kept_bytes: int


def temporary_name() -> str:
    """A name nobody else uses."""
    return f"{TEMPORARY}{os.getpid()}-{os.urandom(6).hex()}"


def account(folder: Folder, added_bytes: int) -> int:
    """Note that a file of this size is added; about how many bytes of disk are in use then.

    The ledger is a file as many bytes long as blocks are in use: appending is one atomic step for every
    process, and asking costs no listing. It may only overstate (replaced, removed entries) until a sweep.
    """
    blocks = bytes(_blocks(added_bytes))
    try:
        return folder.append(LEDGER, blocks, create=False) * _BLOCK_BYTES
    except FileNotFoundError:
        used_bytes = sum(disk_bytes for _, disk_bytes, _ in _files(folder))
        return folder.append(LEDGER, bytes(_blocks(used_bytes)) + blocks, create=True) * _BLOCK_BYTES


def sweep(folder: Folder, to_bytes: int) -> SweepResult:
    """Remove the least recently used entries until `to_bytes` of disk are left, and what was abandoned."""
    files = _files(folder)
    total_bytes = sum(disk_bytes for _, disk_bytes, _ in files)
    removed = removed_bytes = 0
    for _, disk_bytes, name in sorted(files):
        if total_bytes - removed_bytes <= to_bytes:
            break
        removed += folder.remove(name)
        removed_bytes += disk_bytes
    folder.publish(LEDGER, temporary_name(), bytes(_blocks(total_bytes - removed_bytes)))
    return SweepResult(removed, removed_bytes, len(files) - removed, total_bytes - removed_bytes)


def sweep_unless_running(folder: Folder, to_bytes: int) -> None:
    """Sweep, unless another process or thread is at it."""
    descriptor = folder.open_lock(_SWEEP_LOCK)
    try:
        if try_lock(descriptor):
            sweep(folder, to_bytes)
            unlock(descriptor)
    finally:
        os.close(descriptor)


def _files(folder: Folder) -> list[tuple[float, int, str]]:
    """(last use, bytes of disk, name) of every entry; abandoned temporary files are removed on the way."""
    files, now = [], time.time()
    for name in folder.names():
        if not name.endswith((SUFFIX, PLAN_SUFFIX)) and not name.startswith(TEMPORARY):
            continue
        status = folder.status(name)
        if status is None or stat.S_ISDIR(status.st_mode):
            continue
        if name.startswith(TEMPORARY):
            if now - status.st_mtime > _ABANDONED_AFTER_S:
                folder.remove(name)
            continue
        files.append((status.st_mtime, _blocks(status.st_size) * _BLOCK_BYTES, name))
    return files


def _blocks(size_bytes: int) -> int:
    return -(-size_bytes // _BLOCK_BYTES)
