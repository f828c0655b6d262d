"""The ledger of disk use: every file is recorded in it before it is written."""

from __future__ import annotations

import os
import stat
import time

from .folder import PLAN_SUFFIX, SUFFIX, FileRefused, Folder

TEMPORARY = ".new-"
LEDGER = ".ledger"
_BLOCK_BYTES = 4096
_ABANDONED_AFTER_S = 3600


def temporary_name() -> str:
    """A unique file name."""
    return f"{TEMPORARY}{os.getpid()}-{os.urandom(6).hex()}"


def account(folder: Folder, added_bytes: int) -> int:
    """Note that a file of this size is added; about how many bytes of disk are in use then.

    The ledger is a file as many bytes long as blocks are in use: appending is one atomic step for every
    process, and asking costs no listing. It may only overstate (replaced, removed entries) until a sweep.
    Where something else is in its place, or it cannot be written to, a new one takes that.
    """
    blocks = bytes(_blocks(added_bytes))
    try:
        return folder.append(LEDGER, blocks, create=False) * _BLOCK_BYTES
    except FileNotFoundError:
        pass
    except FileRefused:
        folder.vacate(LEDGER)
    used_bytes = sum(disk_bytes for _, disk_bytes, _ in files(folder))
    return folder.append(LEDGER, bytes(_blocks(used_bytes)) + blocks, create=True) * _BLOCK_BYTES


def set_used(folder: Folder, used_bytes: int) -> None:
    """Sets the recorded disk use in bytes."""
    folder.publish(LEDGER, temporary_name(), bytes(_blocks(used_bytes)))


def files(folder: Folder) -> list[tuple[float, int, str]]:
    """(last use, bytes of disk, name) of every entry; removes abandoned temporary files on the way."""
    found, now = [], time.time()
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
        found.append((status.st_mtime, _blocks(status.st_size) * _BLOCK_BYTES, name))
    return found


def _blocks(size_bytes: int) -> int:
    return -(-size_bytes // _BLOCK_BYTES)
