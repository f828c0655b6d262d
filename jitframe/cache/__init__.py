"""The kernel cache, on by default, bounded: `stats()`, `entries()`, `why()`, `clear()`, `path`, …"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..base.background import wait_for_all
from ..base.boundary import guarded
from ..errors import CacheError
from .folder import Folder, FolderRefused
from .frame import EntryError
from .service import CompiledParts, KernelCache, kernel_cache

if TYPE_CHECKING:
    from pathlib import Path

    from .entry import Entry
    from .explain import Why
    from .inventory import Damage, StoredEntry
    from .sweep import SweepResult

    path: Path

__all__ = [
    "CompiledParts", "KernelCache", "clear", "entries", "kernel_cache", "load", "lookup_or_compile", "path",
    "prune", "remove", "stats", "verify", "why",
]  # fmt: skip


def lookup_or_compile(
    kernel_text: str,
    target: str,
    options: Mapping[str, object] | None,
    compile: Callable[[], CompiledParts],
    origin: str = "",
    *,
    name: str = "",
    generator: str | None = None,
) -> bytes:
    """The image of a kernel: from memory, disk or `compile`; see `KernelCache.lookup_or_compile`."""
    return kernel_cache().lookup_or_compile(
        kernel_text, target, options, compile, origin, name=name, generator=generator
    )


@guarded
def stats() -> dict[str, int | float]:
    """What the cache did in this process.

    `compiled`, `memory_hits`, `disk_hits`, `misses`, `faults` are counts; `seconds_compiling` was spent and
    `seconds_saved` was not, thanks to kernels found on disk; `bytes_read` and `bytes_written` are the disk's.

    >>> jf.cache.stats()["faults"]
    0
    """
    wait_for_all()
    return kernel_cache().statistics.snapshot()


@guarded
def entries() -> list[StoredEntry]:
    """Every kernel on disk, most recently used first; empty when the disk is not used. Raises CacheError.

    >>> sum(entry.header.created_ns < 0 for entry in jf.cache.entries())
    0
    """
    from . import inventory  # 6 ms: here and below, for those who look at the cache

    with _folder() as folder:
        return inventory.entries(folder) if folder is not None else []


@guarded
def verify() -> tuple[int, list[Damage]]:
    """(number of whole kernels on disk, the damaged ones), every byte checked. Raises CacheError.

    >>> whole, damaged = jf.cache.verify()
    >>> whole >= 0
    True
    """
    from . import inventory

    with _folder() as folder:
        return inventory.verify(folder) if folder is not None else (0, [])


@guarded
def clear() -> int:
    """Forget all kernels, in memory and on disk; the number removed from disk. Raises CacheError.

    Functions that are compiled already keep working.
    """
    from . import inventory

    kernel_cache().memory.clear()
    with _folder() as folder:
        return inventory.clear(folder) if folder is not None else 0


@guarded
def prune(to_bytes: int) -> SweepResult:
    """Remove the least recently used kernels until `to_bytes` of disk are left. Raises CacheError.

    >>> jf.cache.prune(2**50).removed
    0
    """
    from . import sweep

    with _folder() as folder:
        return sweep.sweep(folder, to_bytes) if folder is not None else sweep.SweepResult(0, 0, 0, 0)


@guarded
def load(name: str) -> Entry:
    """All that is kept of one kernel, by the name that `entries` gives. Raises CacheError.

    >>> jf.cache.load("0" * 64)
    Traceback (most recent call last):
    jitframe.errors.CacheError: the cache holds no kernel ...
    """
    from . import inventory

    with _folder() as folder:
        if folder is None or name not in inventory.names(folder):
            raise CacheError(f"the cache holds no kernel {name!r}")
        return inventory.load(folder, name)


@guarded
def remove(name: str) -> bool:
    """Remove one kernel from disk, damaged or not; False where it is gone already. Raises CacheError.

    >>> jf.cache.remove("0" * 64)
    False
    """
    from . import inventory

    with _folder() as folder:
        return folder is not None and inventory.remove(folder, name)


@guarded
def why(name: str | None = None) -> list[Why]:
    """Why kernels were compiled in this process, oldest first; only those called `name` if it is given.

    >>> jf.cache.why("a kernel that nobody made")
    []
    """
    from .explain import explain  # 7 ms

    there = entries()
    reasons = []
    for miss in kernel_cache().statistics.misses():
        if name is None or miss.name == name:
            before = [entry for entry in there if entry.header.created_ns < miss.began_ns]
            reasons.append(explain(miss.key, miss.name, miss.origin, before))
    return reasons


@contextlib.contextmanager
def _folder() -> Iterator[Folder | None]:
    """The folder for something a person asked for: None where there is none yet, and faults are errors."""
    wait_for_all()
    disk = kernel_cache().disk
    try:
        try:
            folder = disk.folder() if disk is not None else None
        except FileNotFoundError:
            folder = None
        yield folder
    except (OSError, FolderRefused, EntryError) as problem:
        raise CacheError(f"the kernel cache cannot be used: {problem}") from None


def __getattr__(name: str) -> Any:
    if name == "path":
        folder = kernel_cache().folder
        if folder is None:
            raise CacheError(
                "the kernel cache has no folder: no home folder is known; set JITFRAME_CACHE_DIR"
            )
        return Path(folder)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
