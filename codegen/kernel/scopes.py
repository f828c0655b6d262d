"""A scoped symbol table with one look-up, however deeply blocks are nested."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Generic, TypeVar

T = TypeVar("T")


class Scopes(Generic[T]):
    """Values by key, each visible from a block on; a block's entries are removed at its end.

    >>> known = Scopes[str]()
    >>> known.put("x", "outer", 0)
    >>> known.enter(); known.put("x", "inner", 1); known.get("x")
    'inner'
    >>> known.leave(); known.get("x")
    'outer'
    """

    def __init__(self) -> None:
        self._known: dict[Hashable, T] = {}
        self._added: list[list[tuple[Hashable, T | None]]] = [[]]
        """The keys added on each level, each with its value before."""
        self.get = self._known.get
        """Returns the value of the innermost block with the key; None: there is none."""

    def put(self, key: Hashable, value: T, level: int) -> None:
        """Makes a value visible in the block of a level, and in nested blocks without a value of their
        own."""
        before = self.get(key)
        if before is not None:
            for added in self._added[level + 1 :]:
                for place, (known, outer) in enumerate(added):
                    if known == key:
                        added[place] = key, value
                        self._added[level].append((key, outer))
                        return
        self._known[key] = value
        self._added[level].append((key, before))

    def add(self, key: Hashable, value: T, level: int) -> None:
        """`put` of a key without a value here."""
        self._known[key] = value
        self._added[level].append((key, None))

    def enter(self) -> None:
        self._added.append([])

    def leave(self) -> None:
        self._forget(self._added.pop())

    def clear(self) -> None:
        """Removes the entries of the innermost block."""
        self._forget(self._added[-1])
        self._added[-1] = []

    def _forget(self, added: list[tuple[Hashable, T | None]]) -> None:
        for key, before in reversed(added):
            if before is None:
                del self._known[key]
            else:
                self._known[key] = before
