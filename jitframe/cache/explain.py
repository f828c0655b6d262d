"""Why a kernel was compiled: the most similar entry, and the key fields that differed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from .inventory import StoredEntry
from .key import CacheKey


@dataclass(frozen=True, slots=True)
class Why:
    """Why one kernel was compiled."""

    key: str
    """The kernel's name in the cache."""
    name: str
    origin: str
    reason: str
    nearest: str | None
    """The name of the most similar entry, if there is one."""
    differing: tuple[tuple[str, str, str], ...]
    """(field, in this kernel, in the most similar one)."""

    def __str__(self) -> str:
        return f"{self.name or self.key[:12]}{f' ({self.origin})' if self.origin else ''}: {self.reason}"


def explain(key: CacheKey, name: str, origin: str, others: Iterable[StoredEntry]) -> Why:
    """Compares a key with the entries that were there before it."""
    own = key.digest().hex()
    best: tuple[int, int, StoredEntry] | None = None
    for entry in others:
        rank = _rank(key, name, origin, entry)
        if entry.name == own or rank is None:
            continue
        distance = len(key.differing(entry.header.key))
        if best is None or (rank, distance, -entry.header.created_ns) < (
            best[0],
            best[1],
            -best[2].header.created_ns,
        ):
            best = (rank, distance, entry)
    if best is None:
        return Why(own, name, origin, "first time: the cache held no kernel like it", None, ())
    nearest = best[2]
    differing = key.differing(nearest.header.key)
    return Why(own, name, origin, _sentence(nearest, differing), nearest.name, differing)


def _rank(key: CacheKey, name: str, origin: str, entry: StoredEntry) -> int | None:
    """0: the same kernel text; 1: the same line and name; 2: the same line; None: unrelated."""
    if entry.header.key.kernel == key.kernel:
        return 0
    if origin and entry.header.origin == origin:
        return 1 if entry.header.name == name else 2
    return None


def _sentence(nearest: StoredEntry, differing: tuple[tuple[str, str, str], ...]) -> str:
    shown = nearest.name[:12]
    fields = [field for field, _, _ in differing]
    if "kernel" not in fields:
        verb = "differs" if len(fields) == 1 else "differ"
        return f"the same kernel is there as {shown}, but {_names(fields)} {verb}"
    rest = [field for field in fields if field != "kernel"]
    also = f", and so {'does' if len(rest) == 1 else 'do'} {_names(rest)}" if rest else ""
    return f"the kernel's text differs from {shown} of the same line{also}"


def _names(fields: list[str]) -> str:
    return fields[0] if len(fields) == 1 else f"{', '.join(fields[:-1])} and {fields[-1]}"
