"""The cache's statistics of this process: counters, and a record of each miss."""

from __future__ import annotations

from collections import deque

from ..base.locks import new_reentrant_lock
from ..ir.record import record
from .key import CacheKey

MISSES_KEPT = 1000


class Miss(metaclass=record):
    """A kernel that had to be compiled."""

    key: CacheKey
    name: str
    origin: str
    began_ns: int
    """Unix time when compilation began."""
    compile_ns: int


class Statistics:
    """Counters since the process began, for several threads.

    Nothing is called while the lock is held: Python runs signal handlers at calls, and one of them may wait
    for a thread that counts.
    """

    def __init__(self) -> None:
        self._lock = new_reentrant_lock()
        self.reset()

    def reset(self) -> None:
        last_misses: deque[Miss] = deque(maxlen=MISSES_KEPT)
        with self._lock:
            self._memory_hits = 0
            self._disk_hits = 0
            self._misses = 0
            self._compiled = 0
            self._faults = 0
            self._compiling_ns = 0
            self._saved_ns = 0
            self._read_bytes = 0
            self._written_bytes = 0
            self._last_misses = last_misses

    def memory_hit(self) -> None:
        with self._lock:
            self._memory_hits += 1

    def disk_hit(self, compile_ns: int, load_ns: int, image_bytes: int) -> None:
        """Counts a hit on disk, which saves the recorded compile time less the time to read it."""
        with self._lock:
            self._disk_hits += 1
            self._saved_ns += compile_ns - load_ns
            self._read_bytes += image_bytes

    def miss(self) -> None:
        with self._lock:
            self._misses += 1

    def compiled(self, miss: Miss, written_bytes: int) -> None:
        with self._lock:
            self._compiled += 1
            self._compiling_ns += miss.compile_ns
            self._written_bytes += written_bytes
        self._last_misses.append(miss)

    def fault(self) -> None:
        with self._lock:
            self._faults += 1

    def misses(self) -> list[Miss]:
        """The last misses, oldest first."""
        return list(self._last_misses)

    def snapshot(self) -> dict[str, int | float]:
        """All counters by name; times in seconds, sizes in bytes."""
        return {
            "compiled": self._compiled,
            "memory_hits": self._memory_hits,
            "disk_hits": self._disk_hits,
            "misses": self._misses,
            "seconds_compiling": self._compiling_ns / 1e9,
            "seconds_saved": self._saved_ns / 1e9,
            "bytes_read": self._read_bytes,
            "bytes_written": self._written_bytes,
            "faults": self._faults,
        }
