"""Memory pools of the program's own: buffers are allocated from one block and freed without the driver."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, SupportsIndex

from ..base.locks import new_reentrant_lock
from ..errors import ArgumentError, OutOfMemoryError
from ..runtime.handling import hears
from .buffers import (
    Buffer,
    BufferDescriptor,
    alignment_of,
    alloc,
    whole,
)
from .stores import Room, Store

if TYPE_CHECKING:
    from .backend import Backend

_ALIGNMENT = 256


@hears
class MemoryPool:
    """One block of a backend's memory, and buffers in it; made by `Backend.pool`.

    A buffer takes the first free range that is long enough; freed ranges are joined with their neighbors. The
    block itself is read and written at offsets. It is freed by `free`, at the end of a `with` block, or with
    the last reference to it and its buffers. Safe from several threads.

    >>> import jitframe as jf
    >>> with jf.backends.get("cpu").pool(1024) as pool:
    ...     first, second = pool.alloc(100), pool.alloc(200)
    ...     second.write(b"abc")
    ...     print(pool.read(3, offset=128), pool.used_bytes, pool.free_bytes)
    b'abc' 300 724
    """

    def __init__(
        self, backend: Backend, nbytes: SupportsIndex, alignment: SupportsIndex | None = None
    ) -> None:
        steps = backend.hints.alignment if alignment is None else alignment_of(alignment)
        self._whole = alloc(backend, nbytes, max(steps, _ALIGNMENT))
        self._free: list[tuple[int, int]] = [(0, self._whole.nbytes)]
        """Free ranges, as (offset, end), in order and never adjacent."""
        self._slots: dict[int, tuple[int, int]] = {}
        """Ranges in use, by the identity of their slots."""
        self._lock = new_reentrant_lock()

    def __repr__(self) -> str:
        return f"<pool of {self.nbytes:,} bytes on {self._whole.device.name}, {self.used_bytes:,} in use>"

    @property
    def backend(self) -> Backend:
        return self._whole.backend

    @property
    def nbytes(self) -> int:
        return self._whole.nbytes

    @property
    def used_bytes(self) -> int:
        """Bytes of the buffers in use."""
        with self._lock:
            return sum(end - start for start, end in self._slots.values())

    @property
    def free_bytes(self) -> int:
        """Bytes of the block that no buffer uses, including gaps for alignment."""
        return self.nbytes - self.used_bytes

    @property
    def largest_free_bytes(self) -> int:
        """Bytes of the longest free range."""
        with self._lock:
            return max((end - start for start, end in self._free), default=0)

    def alloc(self, nbytes: SupportsIndex, alignment: SupportsIndex | None = None) -> Buffer:
        """Allocates a buffer in the block; `alignment` is the device's hint by default. `free` or the last
        reference to the buffer frees its range.

        Raises OutOfMemoryError where no free range is long enough, ArgumentError for invalid numbers,
        BackendError after `free`.
        """
        size = whole("nbytes", nbytes)
        self._whole.check()
        block = self._whole.descriptor
        preferred = min(self.backend.hints.alignment, block.alignment)
        steps = preferred if alignment is None else alignment_of(alignment)
        if steps > block.alignment:
            raise ArgumentError(
                f"alignment={steps}, and the block of the pool is aligned to {block.alignment}; make a pool "
                "of that alignment"
            )
        with self._lock:
            start = self._take(size, steps)
            store = _Slot(self)
            self._slots[id(store)] = start, start + size
        descriptor = BufferDescriptor(size, steps, block.usage, block.location, block.device)
        return Buffer(self.backend, descriptor, store, start)

    def write(self, data: Any, offset: int = 0) -> None:
        """Copies bytes of the host into the block, regardless of its buffers. Raises BoundsError."""
        self._whole.write(data, offset)

    def read(self, nbytes: int | None = None, offset: int = 0) -> bytes:
        """Returns bytes of the block, after all earlier work. Raises BoundsError."""
        return self._whole.read(nbytes, offset)

    def part(self, offset: int, nbytes: int) -> Buffer:
        """Returns a range of the block as a buffer, regardless of its buffers. Raises BoundsError."""
        return self._whole.part(offset, nbytes)

    def reset(self) -> None:
        """Frees all ranges: the pool's buffers cannot be used any more."""
        with self._lock:
            self._slots.clear()
            self._free = [(0, self.nbytes)]

    def free(self) -> None:
        """Frees the block. Raises BackendError where it was freed before."""
        self._whole.free()
        self.reset()

    def __enter__(self) -> MemoryPool:
        return self

    def __exit__(self, *error: Any) -> None:
        self._whole.__exit__()

    # Places -------------------------------------------------------------------------------------------
    def _take(self, size: int, steps: int) -> int:
        """Takes a free range of so many bytes; returns its start."""
        if not size:
            return 0
        for number, (begin, end) in enumerate(self._free):
            start = -(-begin // steps) * steps
            if start + size <= end:
                rest = ((begin, start), (start + size, end))
                self._free[number : number + 1] = [each for each in rest if each[0] < each[1]]
                return start
        raise OutOfMemoryError(
            f"the pool of {self.nbytes:,} bytes has no place for {size:,}: {self.free_bytes:,} bytes are "
            f"free, at most {self.largest_free_bytes:,} of them in one piece",
            device=self._whole.device.name,
            context={"asked_bytes": size, "free_bytes": self.free_bytes, "holders": ()},
            suggestions=("give buffers back", "make a larger pool"),
        )

    def _give(self, slot: _Slot) -> bool:
        """Frees a range; returns whether it was in use."""
        with self._lock:
            place = self._slots.pop(id(slot), None)
            if place is None:
                return False
            if place[0] < place[1]:
                joined: list[tuple[int, int]] = []
                for start, end in sorted((*self._free, place)):
                    if joined and joined[-1][1] == start:
                        joined[-1] = joined[-1][0], end
                    else:
                        joined.append((start, end))
                self._free = joined
            return True

    def _holds(self, slot: _Slot) -> bool:
        return id(slot) in self._slots


class _Slot(Store):
    """A range of a pool's block."""

    __slots__ = ("_pool",)

    def __init__(self, pool: MemoryPool) -> None:
        self._pool = pool
        block = pool._whole._store
        super().__init__(block.device, block.nbytes, block._renew, block.on_host, Room(0))

    @property
    def root(self) -> Store:
        return self._pool._whole._store

    def end(self, why: str) -> bool:
        given = self._pool._give(self)
        if given:
            self._reason = why
        return given

    def __del__(self) -> None:
        self._pool._give(self)

    @property
    def ended(self) -> str:
        block = self._pool._whole._store.ended
        if block:
            return f"was in a pool that {block}"
        return "" if self._pool._holds(self) else self._reason or "was in a pool that was reset"
