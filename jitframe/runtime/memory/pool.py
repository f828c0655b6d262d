"""Pooled device memory: blocks by size class, released when the device runs short."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...base.locks import new_reentrant_lock
from ...errors import OutOfMemoryError
from ..driver import MemoryStatistics

_SMALLEST = 256
REMEDIES = ("delete some", "work on parts", "choose another device")
"""Remedies for lack of memory."""


class NoMemory(Exception):
    """A driver's `allocate` raises this where the device has no such memory left."""


def size_class(nbytes: int) -> int:
    """Returns the bytes of the block for a request, at most an eighth more."""
    if nbytes <= _SMALLEST:
        return _SMALLEST
    step = 1 << max((nbytes - 1).bit_length() - 4, 8)
    return -(-nbytes // step) * step


class Counts:
    """Counts of a pool's allocations and releases."""

    def __init__(self) -> None:
        self.live = self.peak = self.allocations = self.reuses = self.buffers = self.requested = 0
        self.failures = 0

    def took(self, size: int, nbytes: int, fresh: bool) -> None:
        """Counts a block of `size` bytes for a request of `nbytes`; `fresh`: allocated on the device."""
        self.live += size
        self.peak = max(self.peak, self.live)
        self.buffers += 1
        self.requested += nbytes
        self.allocations += fresh
        self.reuses += not fresh

    def gave(self, size: int) -> None:
        self.live -= size
        self.buffers -= 1

    def statistics(self, pooled: int) -> MemoryStatistics:
        return MemoryStatistics(
            self.live, pooled, self.peak, self.allocations, self.reuses, self.buffers, self.requested,
            self.failures,
        )  # fmt: skip


class Pool:
    """Blocks of one device's memory. `allocate(nbytes)` and `release(block)` are the driver's own.

    No block is larger than `largest_bytes`. Where `memory_bytes` are known the pool never takes more: some
    devices give memory when it is first used, so their own limit shows too late. `room` tells how much of it
    can still be had, where something else bounds it; None where nothing does.

    Freed blocks are used again at once, by the queue that they were allocated for: that does its work in
    order.
    """

    def __init__(
        self,
        device: str,
        allocate: Callable[[int], Any],
        release: Callable[[Any], None],
        memory_bytes: int = 0,
        largest_bytes: int = 1 << 62,
        room: Callable[[], int | None] = lambda: None,
    ) -> None:
        self.device = device
        self._room = room
        self._allocate = allocate
        self._release = release
        self._memory_bytes = memory_bytes
        self._largest_bytes = largest_bytes
        self._free: dict[tuple[Any, int], list[Any]] = {}
        """By queue and size class."""
        self._taken: dict[int, tuple[Any, tuple[Any, int]]] = {}
        """Each live block, its queue and size class, by identity. Held, as Python would finalize a block
        before the array that owns it gives it back, where both are part of a cycle."""
        self._queue: Any = None
        self._lock = new_reentrant_lock()
        """The garbage collector may give blocks back while this thread takes one."""
        self._pooled = 0
        self._counts = Counts()

    def take(self, nbytes: int) -> Any:
        """Returns a block of at least so many bytes. Raises OutOfMemoryError where an empty pool has no
        room."""
        size = min(size_class(nbytes), max(self._largest_bytes, nbytes))
        with self._lock:
            key = self._queue, size
            blocks = self._free.get(key)
            known = bool(blocks)
            if blocks:
                block = blocks.pop()
                self._pooled -= size
            else:
                block = self._fresh(size)
            self._taken[id(block)] = block, key
            self._counts.took(size, nbytes, not known)
        return block

    def give(self, block: Any) -> None:
        """Takes a block back."""
        with self._lock:
            _, (queue, size) = self._taken.pop(id(block))
            self._counts.gave(size)
            self._pooled += size
            self._free.setdefault((queue, size), []).append(block)

    def select_queue(self, queue: Any) -> None:
        """Takes further blocks for the work of a queue; None is the first one."""
        self._queue = queue

    def close(self, queue: Any) -> None:
        """Gives the blocks of a finished queue to the first one."""
        with self._lock:
            for owner, size in [key for key in self._free if key[0] is queue]:
                self._free.setdefault((None, size), []).extend(self._free.pop((owner, size)))
            for number, (block, (owner, size)) in self._taken.items():
                if owner is queue:
                    self._taken[number] = block, (None, size)

    def trim(self) -> None:
        """Releases every free block."""
        with self._lock:
            self._trim()

    def statistics(self) -> MemoryStatistics:
        with self._lock:
            return self._counts.statistics(self._pooled)

    def _trim(self) -> None:
        free, self._free = self._free, {}
        self._pooled = 0
        for blocks in free.values():
            for block in blocks:
                self._release(block)

    def _fresh(self, size: int) -> Any:
        try:
            return self._asked(size)
        except NoMemory:
            self._trim()
        try:
            return self._asked(size)
        except NoMemory as problem:
            self._counts.failures += 1
            live = self._counts.live
            total = f" of {self._memory_bytes:,}" if self._memory_bytes else ""
            raise OutOfMemoryError(
                f"{self.device} has no memory for {size:,} bytes: {live:,} bytes{total} are in live "
                f"arrays ({problem})",
                context={"asked_bytes": size, "live_bytes": live, "total_bytes": self._memory_bytes},
                suggestions=REMEDIES,
            ) from None

    def _asked(self, size: int) -> Any:
        if 0 < self._memory_bytes < self._counts.live + self._pooled + size:
            raise NoMemory("the device has no more")
        room = self._room()
        if room is not None and size > room:
            raise NoMemory(f"{room:,} bytes are left of what this process may have")
        return self._allocate(size)
