"""Sources of memory for drivers of the processor: the process's pool, or blocks of a driver's own.

The process's pool serves native calls, Tensors of "cpu" and the shared backend; they share its limits and
counts. A driver that a program opens keeps blocks of that pool, and has limits and counts of its own.
"""

from __future__ import annotations

from typing import Protocol

from ...driver import MemoryStatistics
from ...memory.pool import NoMemory, Pool
from .bounds import refused, shortage
from .runtime import Buffer, runtime


class Bytes(Protocol):
    """Memory at an address, which is 0 once it was freed."""

    address: int
    nbytes: int


class HostMemory(Protocol):
    """The allocator of memory objects."""

    is_patient: bool
    """Whether it runs a garbage collection before it refuses memory."""

    def allocate(self, nbytes: int) -> Bytes:
        """Raises OutOfMemoryError."""
        ...

    def free(self, memory: Bytes) -> None: ...

    def trim(self) -> None: ...

    def statistics(self) -> MemoryStatistics: ...


class ProcessMemory:
    """The native runtime's pool."""

    is_patient = True

    def allocate(self, nbytes: int) -> Bytes:
        try:
            return runtime().allocate(nbytes)
        except MemoryError:
            problem = shortage()
            raise problem from problem.__cause__

    def free(self, memory: Bytes) -> None:
        _give_back(memory)

    def trim(self) -> None:
        runtime().trim()

    def statistics(self) -> MemoryStatistics:
        counted = runtime().statistics()
        return MemoryStatistics(
            counted["live_bytes"],
            counted["kept_bytes"],
            counted["peak_bytes"],
            counted["misses"],
            counted["hits"],
            counted["live_buffers"],
            counted["requested_bytes"],
            counted["failures"],
        )


class Taken:
    """The requested part of a block; external memory where there is no block."""

    __slots__ = ("__weakref__", "address", "block", "nbytes")

    def __init__(self, address: int, nbytes: int, block: Buffer | None = None) -> None:
        self.address = address
        self.nbytes = nbytes
        self.block = block


class OwnMemory:
    """Blocks of that pool which one driver keeps."""

    is_patient = False

    def __init__(self) -> None:
        self._pool = Pool("cpu", self._fresh, _give_back)

    def allocate(self, nbytes: int) -> Bytes:
        block: Buffer = self._pool.take(nbytes)
        return Taken(block.address, nbytes, block)

    def free(self, memory: Bytes) -> None:
        if memory.address:
            assert isinstance(memory, Taken)
            memory.address = 0
            self._pool.give(memory.block)

    def trim(self) -> None:
        self._pool.trim()

    def statistics(self) -> MemoryStatistics:
        return self._pool.statistics()

    def _fresh(self, nbytes: int) -> Buffer:
        try:
            return runtime().allocate(nbytes)
        except MemoryError:
            raise NoMemory(refused()[0]) from None


def _give_back(memory: Bytes) -> None:
    if memory.address:
        assert isinstance(memory, Buffer)
        memory.give_back()
