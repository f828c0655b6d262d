"""Deques that traced code makes: lists that grow and shrink at both ends."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from typing import Any, NoReturn, SupportsIndex

from .growing_list import GrowingList, counted_lists


class GrowingDeque(GrowingList):
    """A deque in traced code."""

    __slots__ = ("maxlen",)
    outside = outside_stored = "deque index out of range"
    nothing_left = "pop from an empty deque"

    def __init__(self, items: Iterable[Any] = (), maxlen: int | None = None) -> None:
        kept = deque(items, maxlen)
        super().__init__(kept)
        self.maxlen = kept.maxlen

    @property  # type: ignore[misc] # nobody sets it
    def __class__(self) -> type:
        return deque

    def append(self, value: Any) -> None:
        super().append(value)
        self._shorten(0)

    def appendleft(self, value: Any) -> None:
        """Inserts an item at the front."""
        self._counted()
        if self.counter is None or not counted_lists().append(self, value, True):
            self.insert(0, value)
        self._shorten(-1)

    def _shorten(self, place: int) -> None:
        """Removes an item at an end where the deque has more than `maxlen`."""
        if self.maxlen is None:
            return
        self._counted()
        if self.counter is not None:
            counted_lists().shorten(self, self.maxlen, place == 0)
        elif list.__len__(self) > self.maxlen:
            list.pop(self, place)

    def extend(self, values: Iterable[Any]) -> None:
        for value in values:
            self.append(value)

    def extendleft(self, values: Iterable[Any]) -> None:
        """Inserts items at the front, one after another."""
        for value in values:
            self.appendleft(value)

    def pop(self) -> Any:  # type: ignore[override]
        return super().pop(-1)

    def popleft(self) -> Any:
        """Removes the first item and returns it."""
        return super().pop(0)

    def rotate(self, count: int = 1) -> None:
        """Moves items from one end to the other."""
        items = self._all()
        self._plain("all its items")
        if items:
            cut = -count % len(items)
            list.__setitem__(self, slice(None), items[cut:] + items[:cut])

    def copy(self) -> Any:
        return GrowingDeque(self._all(), self.maxlen)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            raise TypeError("sequence index must be integer, not 'slice'")
        return super().__getitem__(index)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, (GrowingDeque, deque)) and self._all() == list(other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = None

    def _iterated(self) -> Iterator[Any]:
        count = list.__len__(self)
        for each in super()._iterated():
            yield each
            if list.__len__(self) != count:
                raise RuntimeError("deque mutated during iteration")

    def sort(self, **options: Any) -> NoReturn:
        raise AttributeError("'collections.deque' object has no attribute 'sort'")

    def __mul__(self, count: SupportsIndex) -> Any:
        return GrowingDeque(self._all() * count, self.maxlen)

    __rmul__ = __mul__

    def __add__(self, other: Any) -> Any:
        if not isinstance(other, (GrowingDeque, deque)):
            return NotImplemented
        return GrowingDeque([*self._all(), *other], self.maxlen)

    __radd__ = None  # type: ignore[assignment]
