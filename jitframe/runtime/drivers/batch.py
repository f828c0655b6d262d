"""Launches of one submission: their launch blocks, and the memory that they use."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Any, TypeVar

T = TypeVar("T")


class Batch:
    """At most so many launches, whose blocks lie at multiples of `alignment` in one range of memory."""

    def __init__(self, most: int, block_bytes: int, alignment: int) -> None:
        self.most = most
        self._alignment = alignment
        self._memory = bytearray(block_bytes)
        self.clear()

    def clear(self) -> None:
        self.launches = self._used = 0
        self._touched: set[int] = set()

    def has_room(self, block_bytes: int) -> bool:
        return self.launches < self.most and self._used + block_bytes <= len(self._memory)

    def add(self, block: bytes) -> int:
        """Adds a launch; returns the offset of its block."""
        place = self._used
        self._memory[place : place + len(block)] = block
        self._used += -(-len(block) // self._alignment) * self._alignment
        self.launches += 1
        return place

    def blocks(self) -> memoryview:
        """Returns all launch blocks."""
        return memoryview(self._memory)[: self._used]

    def use(self, memories: Iterable[Any]) -> None:
        self._touched.update(map(id, memories))

    def uses(self, memory: Any) -> bool:
        return id(memory) in self._touched


class Memo:
    """A bounded memo: values by key, all of which are dropped beyond a limit."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._known: dict[Hashable, Any] = {}

    def get(self, key: Hashable, make: Callable[[], T]) -> T:
        found: T | None = self._known.get(key)
        if found is None:
            if len(self._known) >= self._most:
                self._known.clear()
            found = self._known[key] = make()
        return found

    def clear(self) -> None:
        self._known.clear()
