"""Lists that traced code makes, of which a loop may make an array.

While a loop that appends is traced, its turn stands for all turns: what the list holds from the turns before
is asked of the loop, and what cannot be told of a turn in general raises.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NoReturn, Protocol, SupportsIndex

from ..errors import TraceError


class Earlier(Protocol):
    """What a list holds where a turn of a loop begins, whichever turn it is."""

    def length(self) -> Any:
        """How many items the list has now, as a value of the trace."""

    def at(self, index: Any) -> Any:
        """The item at an index."""


class GrowingList(list[Any]):
    """A list; `earlier` is set while a loop is traced that appends to it, or may."""

    __slots__ = ("ask", "earlier", "is_grown")

    def __init__(self, items: Iterable[Any] = ()) -> None:
        super().__init__(items)
        self.earlier: Earlier | None = None
        self.is_grown = False
        """Whether it has items of turns before, which are not among those that it holds."""
        self.ask: Callable[[], None] | None = None
        """Of the end of a list from outside: called where more than its end is asked for."""

    @property  # type: ignore[misc]
    def __class__(self) -> type:  # type: ignore[override]
        return list

    @property
    def items(self) -> list[Any]:
        """What it holds: before a loop, and in its turn."""
        return list.__getitem__(self, slice(None))

    def truth(self) -> Any:
        """Whether there are items, perhaps as a value of the trace."""
        return self.length() > 0

    def length(self) -> Any:
        """How many items there are, perhaps as a value of the trace."""
        self._whole()
        if self.earlier is None or not self.is_grown:
            return list.__len__(self)
        return self.earlier.length()

    def _whole(self) -> None:
        if self.ask is not None:
            self.ask()
            raise TraceError("a list from outside is asked for more than its end")

    def _known(self, what: str) -> None:
        self._whole()
        if self.is_grown:
            _refuse(what)

    # What is told of any turn

    def __getitem__(self, index: Any) -> Any:
        self._whole()
        if self.earlier is None:
            return list.__getitem__(self, index)
        if isinstance(index, slice):
            return self._slice(index)
        return self.earlier.at(index)

    def _slice(self, index: slice) -> list[Any]:
        """The last items, of a list that grows."""
        if not self.is_grown:
            return list.__getitem__(self, index)  # type: ignore[no-any-return]
        start, stop = index.start, index.stop
        held = list.__len__(self)
        last = isinstance(start, int) and -held <= start < 0 and index.step in (None, 1)
        if not last or not (stop is None or (isinstance(stop, int) and stop < 0)):
            _refuse("its slices, but for those of the last items that are always there")
        return [self[position] for position in range(start, 0 if stop is None else stop)]

    # What changes nothing of the items before

    def __iadd__(self, values: Iterable[Any]) -> GrowingList:  # type: ignore[override, misc]
        self.extend(values)
        return self

    # What has to know all items

    def __len__(self) -> int:
        self._known("its length")
        return list.__len__(self)

    def __iter__(self) -> Iterator[Any]:
        self._known("all its items")
        return list.__iter__(self)

    def __reversed__(self) -> Iterator[Any]:
        self._known("all its items")
        return list.__reversed__(self)

    def __contains__(self, value: object) -> bool:
        self._known("all its items")
        return list.__contains__(self, value)

    def __eq__(self, other: object) -> bool:
        self._known("all its items")
        return list.__eq__(self, other)

    def __ne__(self, other: object) -> bool:
        self._known("all its items")
        return list.__ne__(self, other)

    __hash__ = None  # type: ignore[assignment]

    def __add__(self, other: Any) -> Any:
        self._known("all its items")
        return list.__add__(self, other)

    def __radd__(self, other: Any) -> Any:
        self._known("all its items")
        return other + self.items if isinstance(other, list) else NotImplemented

    def __mul__(self, count: SupportsIndex) -> list[Any]:
        self._known("all its items")
        return list.__mul__(self, count)

    __rmul__ = __mul__

    def __setitem__(self, index: Any, value: Any) -> None:
        self._known("an item to be changed")
        list.__setitem__(self, index, value)

    def __delitem__(self, index: Any) -> None:
        self._known("an item to be taken away")
        list.__delitem__(self, index)

    def __repr__(self) -> str:
        self._known("all its items")
        return list.__repr__(self)

    def copy(self) -> list[Any]:
        self._known("all its items")
        return self.items

    def count(self, value: Any) -> int:
        self._known("all its items")
        return list.count(self, value)

    def index(self, *arguments: Any) -> int:
        self._known("all its items")
        return list.index(self, *arguments)

    def insert(self, index: SupportsIndex, value: Any) -> None:
        self._known("an item to be put between others")
        list.insert(self, index, value)

    def pop(self, index: SupportsIndex = -1) -> Any:
        self._known("an item to be taken away")
        return list.pop(self, index)

    def remove(self, value: Any) -> None:
        self._known("an item to be taken away")
        list.remove(self, value)

    def clear(self) -> None:
        self._known("its items to be taken away")
        list.clear(self)

    def reverse(self) -> None:
        self._known("all its items")
        list.reverse(self)

    def sort(self, **options: Any) -> None:
        self._known("all its items")
        list.sort(self, **options)


def _refuse(what: str) -> NoReturn:
    raise TraceError(
        f"a list that a loop appends to is asked for {what} in the loop; its last item, items at positions "
        "and len() are known there"
    )


def held(values: list[Any]) -> list[Any]:
    """What a list holds, also one that is traced in a loop."""
    return list.__getitem__(values, slice(None))


def replace(values: list[Any], items: list[Any]) -> None:
    """Makes the items of a list others."""
    list.__setitem__(values, slice(None), items)
