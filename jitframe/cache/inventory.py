"""Operations on the kernels on disk for people and tools: list, read, verify, remove."""

from __future__ import annotations

from dataclasses import dataclass

from .entry import Entry, Header, decode, read_header
from .folder import PLAN_SUFFIX, SUFFIX, FileRefused, Folder
from .frame import EntryError, header_bytes_needed
from .ledger import LEDGER, TEMPORARY
from .store import MAXIMUM_ENTRY_BYTES

_HEADER_GUESS_BYTES = 4096


@dataclass(frozen=True, slots=True)
class StoredEntry:
    """A file as a listing shows it."""

    name: str
    """The key's digest in hexadecimal: the file's name without suffix."""
    header: Header
    file_bytes: int
    used_s: int
    """Unix time of the last use, accurate to an hour."""


@dataclass(frozen=True, slots=True)
class Damage:
    """A file in the store that is no valid kernel, and why."""

    name: str
    reason: str


def names(folder: Folder) -> list[str]:
    """The names of all entries, sorted."""
    return sorted(name.removesuffix(SUFFIX) for name in folder.names() if name.endswith(SUFFIX))


def entries(folder: Folder) -> list[StoredEntry]:
    """All entries whose header can be read, most recently used first; `verify` reports the others."""
    stored_entries = []
    for name in names(folder):
        try:
            entry = _stored(folder, name)
        except (EntryError, FileRefused, OSError):
            continue
        stored_entries.append(entry)
    return sorted(stored_entries, key=lambda entry: (-entry.used_s, -entry.header.created_ns, entry.name))


def load(folder: Folder, name: str) -> Entry:
    """Reads one entry, verifying every byte. Raises EntryError, OSError."""
    try:
        entry = decode(folder.read(name + SUFFIX, MAXIMUM_ENTRY_BYTES))
    except FileRefused as problem:
        raise EntryError(str(problem)) from None
    if entry.header.key.digest().hex() != name:
        raise EntryError("it holds another kernel than its name says")
    return entry


def verify(folder: Folder) -> tuple[int, list[Damage]]:
    """(number of valid entries, the damaged ones)."""
    whole, damaged = 0, []
    for name in names(folder):
        try:
            load(folder, name)
            whole += 1
        except FileNotFoundError:
            continue  # swept in between
        except (EntryError, OSError) as problem:
            damaged.append(Damage(name, str(problem)))
    return whole, damaged


def remove(folder: Folder, name: str) -> bool:
    """Removes one entry; returns False if it does not exist or is a directory."""
    return folder.remove(name + SUFFIX)


def clear(folder: Folder) -> int:
    """Removes every entry, the plans and abandoned files; returns the number of entries removed."""
    removed = 0
    for name in folder.names():
        if name.endswith(SUFFIX):
            removed += folder.remove(name)
        elif name.startswith(TEMPORARY) or name.endswith(PLAN_SUFFIX) or name == LEDGER:
            folder.remove(name)
    return removed


def _stored(folder: Folder, name: str) -> StoredEntry:
    start = folder.read(name + SUFFIX, _HEADER_GUESS_BYTES)
    needed = header_bytes_needed(start)
    if needed > len(start):
        start = folder.read(name + SUFFIX, min(needed, MAXIMUM_ENTRY_BYTES))
    status = folder.status(name + SUFFIX)
    if status is None:
        raise EntryError("it is gone")
    return StoredEntry(name, read_header(start), status.st_size, int(status.st_mtime))
