"""Lists created by traced code, which a loop may convert to arrays (see `list_arrays`).

While a loop that appends is traced, its iteration represents all iterations: the loop answers queries about
the items of earlier iterations, and queries without an answer that holds for every iteration raise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from copy import deepcopy
from typing import Any, Final, NoReturn, Protocol, SupportsIndex

from ...api.frame import innermost_frame
from ...base.importing import load
from ...errors import TraceError
from .returned_rows import Form


class Earlier(Protocol):
    """The items of a list at the start of an iteration of a loop, of any iteration."""

    def length(self) -> Any:
        """The present length, as a traced value."""

    def at(self, index: Any) -> Any:
        """Returns the item at an index."""


class _InArray:
    def __repr__(self) -> str:
        return "<in an array>"


IN_ARRAY: Final = _InArray()
"""The placeholder of each item in a list that is an array."""
_KNOWN = (int, slice)


class GrowingList(list[Any]):
    """A list in traced code; `earlier` is set while a loop that appends to it, or may, is traced."""

    __slots__ = (
        "added", "array", "ask", "columns", "counter", "earlier", "first", "form", "frame", "has_head",
        "in_table", "is_grown", "is_plain", "is_shared", "items_type", "mixed", "most", "one_dtype",
        "original", "pool", "tags", "types",
    )  # fmt: skip

    outside, outside_stored = "list index out of range", "list assignment index out of range"
    nothing_left = "pop from empty list"

    def __init__(self, items: Iterable[Any] = ()) -> None:
        super().__init__(items)
        self.frame: Any = innermost_frame()
        """The frame that it was made in."""
        self.array: Any = None
        """The array of its items, where it is one."""
        self.counter: Any = None
        """The start and end of its items in the array, of a list that grows and shrinks."""
        self.has_head = False
        """Whether such a list grows or shrinks at its front too."""
        self.pool: Any = None
        """The pool of a list that variables or other lists refer to by number."""
        self.columns: Sequence[GrowingList] = ()
        """The lists that hold the scalars of such a list's items: the list itself where items are scalars."""
        self.form: Any = None
        """The form by which scalars make up an item."""
        self.added: int | None = None
        """The most items that such a list can have come to, where that is known."""
        self.first = 0
        """The number of its first items, where some of them are of another dtype than the array; where
        `one_dtype` holds, later ones are not."""
        self.most = 0
        """The least capacity of such a list, in items."""
        self.items_type: Any = None
        self.tags: Any = None
        """Of an array whose items are of several types: the index into `types` of each."""
        self.types: list[Any] = []
        self.mixed = self.one_dtype = False
        """Whether items are of several types, at positions that are not known; whether these certainly have
        one dtype, as Python's floats and NumPy's do (but for the `first` ones)."""
        self.is_plain = False
        """Whether it never becomes an array."""
        self.is_shared = False
        """Whether another list has taken over its content: it does not change any more."""
        self.in_table: GrowingList | None = None
        """The list of lists, an array, of which it is a row."""
        self.original: list[Any] | None = None
        """Its items before it became an array."""
        self.earlier: Earlier | None = None
        self.is_grown = False
        """Whether it has items of earlier iterations, which are not in the Python list."""
        self.ask: Callable[[], None] | None = None
        """Of the end of a list from outside: called where code asks for more than the end."""

    @property  # type: ignore[misc] # nobody sets it
    def __class__(self) -> type:
        return list

    @classmethod
    def of(cls, array: Any, items_type: Any) -> GrowingList:
        """Returns a list that is an array."""
        made = cls([IN_ARRAY] * array.shape[0])
        made.array, made.items_type, made.frame = array, items_type, array._cell.frame
        return made

    def row(self, array: Any) -> GrowingList:
        """Returns a list in it, which is this view of its array."""
        made = GrowingList.of(array, self.items_type)
        made.frame, made.in_table = self.frame, self
        return made

    def as_array(self) -> Any:
        """Returns what NumPy makes of it, where it is an array."""
        if self.counter is not None and (found := counted_results().open_array(self)) is not None:
            return found
        self._fix()
        return None if self.array is None else self.whole()

    def whole(self) -> Any:
        """Returns its present content as an array of its own."""
        table = self if self.in_table is None else self.in_table
        if table.mixed or len({each.dtype for each in self.types}) > 1:
            refuse_array("for an array, whose dtype its items decide, which are of several types")
        whole: Any = list_arrays().snapshot(self)
        return whole

    def deconstruct(self) -> tuple[Form, list[Any]]:
        """Returns a form and the arrays that it is built from."""
        whole = self if self.in_table is None else self.in_table
        if any(each.mixed for each in (whole, *self.columns)):
            refuse_array("for all items, which are of several types")
        rooms = list_arrays() if self.counter is None else counted_results()
        found: tuple[Form, list[Any]] = rooms.deconstruct(self)
        return found

    @property
    def is_mixed(self) -> bool:
        """Whether items had other types than the array."""
        return self.mixed or self.tags is not None

    @property
    def is_flat_array(self) -> bool:
        return self.array is not None and self.counter is None and self.array.ndim == 1

    @property
    def items(self) -> list[Any]:
        """Its items, also before and in an iteration of a loop."""
        if self.is_flat_array:
            return [list_arrays().item_at(self, position) for position in range(list.__len__(self))]
        return list.__getitem__(self, slice(None))

    def _check_row(self) -> None:
        """Raises TraceError of a row of a list that is no array any more."""
        table = self.in_table
        if table is not None and (table.array is None or table.array._cell is not self.array._cell):
            refuse_array("for an item after the list that it is in has changed")

    def _check_shared(self) -> None:
        if self.is_shared:
            raise TraceError(
                "a list that is one list or another, as traced values decide, is changed; work on a copy"
            )

    def _plain(self, what: str = "") -> None:
        """Converts it to a plain list, as more than its items changes; `what` says why its content has to be
        known."""
        if what:
            self._known(what)
        self._check_shared()
        if self.in_table is not None:
            list_arrays().become_lists(self.in_table)
        self._fix()
        if self.array is not None and not list_arrays().need(self, lambda: list_arrays().become_plain(self)):
            refuse_array("to be changed in another way than by x[i] = value")

    def _fix(self) -> None:
        """Makes the length a known number."""
        if self.counter is not None:
            counted_results().fix(self)

    @property
    def versions(self) -> tuple[int, ...]:
        """The version of a list that has grown or shrunk; empty of other lists."""
        return tuple([each._cell.version for each in self.counter or ()])

    def truth(self) -> Any:
        """Whether there are items, which may be a traced value."""
        return self.length() > 0

    def length(self) -> Any:
        """The number of items, which may be a traced value."""
        self._whole()
        if self.counter is not None:
            return counted_lists().length(self)
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
        self._fix()

    # Answers that hold of any iteration

    def __getitem__(self, index: Any) -> Any:
        self._whole()
        if self.array is not None or index.__class__ not in _KNOWN:
            found = self._item(index)
            if found is not None:
                return found
        if self.earlier is None:
            return list.__getitem__(self, index)
        if isinstance(index, slice):
            return self._slice(index)
        return self.earlier.at(index)

    def _item(self, index: Any) -> Any:
        """Returns an item of the array; None where the list is none."""
        if isinstance(index, slice):
            if self.counter is not None and (index.step or 1).__class__ is int:
                made_part: GrowingList = counted_lists().part(self, index)
                return made_part
            self._fix()
            if self.is_flat_array and index.__class__ is slice:
                if _has_traced(index):
                    return None
                made = GrowingList.of(list_arrays().snapshot(self)[index].copy(), self.items_type)
                made.mixed = self.is_mixed
                return made
            return None
        if self.counter is not None:
            return counted_lists().item_at(self, list_arrays().position_of(index))
        self._check_row()
        place = list_arrays().position_of(index)
        if self.array is None and (
            isinstance(place, int) or self.is_grown or not list_arrays().made_array(self)
        ):
            return None
        if self.counter is not None:
            return counted_lists().item_at(self, place)
        if isinstance(place, int) and not -list.__len__(self) <= place < list.__len__(self):
            raise IndexError(self.outside)
        return list_arrays().item_at(self, place)

    def _slice(self, index: slice) -> list[Any]:
        """Returns the last items of a list that grows."""
        if not self.is_grown:
            return list.__getitem__(self, index)
        start, stop = index.start, index.stop
        length = list.__len__(self)
        last = isinstance(start, int) and -length <= start < 0 and index.step in (None, 1)
        if not last or not (stop is None or (isinstance(stop, int) and stop < 0)):
            _refuse("its slices, but for those of the last items that are always there")
        return [self[position] for position in range(start, 0 if stop is None else stop)]

    # Changes that keep the items before

    def __iadd__(self, values: Iterable[Any]) -> GrowingList:  # type: ignore[misc]
        self.extend(values)
        return self

    def append(self, value: Any) -> None:
        if self.counter is not None and counted_lists().append(self, value):
            return
        self._plain()
        list.append(self, value)

    def extend(self, values: Iterable[Any]) -> None:
        is_counted = _is_counted(values) or is_listed(values)
        if is_counted or (self.counter is not None and isinstance(values, (tuple, list))):
            counted_lists().extend(self, values)
            return
        self._plain()
        list.extend(self, values)

    # Operations that need all items

    def __len__(self) -> int:
        self._known("its length")
        return list.__len__(self)

    def __iter__(self) -> Iterator[Any]:
        self._known("all its items")
        return self._iterated()

    def _iterated(self) -> Iterator[Any]:
        """Yields each item as it is when asked for; the list may become an array meanwhile."""
        position = 0
        while True:
            if self.counter is not None:
                raise TraceError("a list grows or shrinks, as values decide, while a loop goes through it")
            if position >= list.__len__(self):
                return
            yield self[position] if self.is_flat_array else list.__getitem__(self, position)
            position += 1

    def __reversed__(self) -> Iterator[Any]:
        self._known("all its items")
        return list.__reversed__(self) if self.array is None else reversed(self.items)

    def _all(self) -> list[Any]:
        self._known("all its items")
        return self.items

    def __contains__(self, value: object) -> bool:
        return value in self._all()

    def __eq__(self, other: object) -> bool:
        return self._all() == other

    def __ne__(self, other: object) -> bool:
        return self._all() != other

    __hash__ = None

    def __add__(self, other: Any) -> Any:
        if self.counter is not None or _is_counted(other):
            return counted_lists().joined_lists(self, other)
        return GrowingList(self._all() + list(other)) if isinstance(other, list) else NotImplemented

    def __radd__(self, other: Any) -> Any:
        return GrowingList([*other, *self._all()]) if isinstance(other, list) else NotImplemented

    def __mul__(self, count: SupportsIndex) -> list[Any]:
        return GrowingList(self._all() * count)

    __rmul__ = __mul__

    def __setitem__(self, index: Any, value: Any) -> None:
        if self.counter is not None and not isinstance(index, slice) and counted_lists().takes(self, value):
            self._check_shared()
            counted_lists().store_at(self, list_arrays().position_of(index), value)
            return
        self._known("an item to be changed")
        self._check_shared()
        if (self.array is None and not index.__class__ not in _KNOWN) or not self._stored(index, value):
            list.__setitem__(self, index, value)

    def _stored(self, index: Any, value: Any) -> bool:
        """Stores to the array; returns whether the list is one."""
        if isinstance(index, slice):
            self._plain()
            return False
        self._check_row()
        place = list_arrays().position_of(index)
        if self.array is None and isinstance(place, int):
            list.__setitem__(self, place, value)
            return True
        found = list_arrays().type_of(innermost_frame(), value)
        if found is None or (self.array is not None and not self.is_flat_array):
            self._plain()
            return False
        if self.array is None and not list_arrays().made_array(self, found):
            return False
        if isinstance(place, int) and not -list.__len__(self) <= place < list.__len__(self):
            raise IndexError(self.outside_stored)
        if not list_arrays().accepts_part(self, value):
            self._plain()
            return False
        self._check_row()
        list_arrays().store_at(self, place, value)
        return True

    def __delitem__(self, index: Any) -> None:
        self._plain("an item to be taken away")
        list.__delitem__(self, index)

    def __repr__(self) -> str:
        return repr(self._all())

    def copy(self) -> list[Any]:
        if self.counter is not None:
            return counted_lists().part(self, slice(None))  # type: ignore[no-any-return]
        self._known("all its items")
        if self.is_flat_array:
            return list_arrays().copied(self)  # type: ignore[no-any-return]
        return GrowingList(self.items)

    def __deepcopy__(self, memo: dict[int, Any]) -> list[Any]:
        self._known("for a deep copy")
        return GrowingList(deepcopy(self.items, memo)) if self.array is None else list_arrays().copied(self)

    def count(self, value: Any) -> int:
        return load("jitframe.tracing.lists.list_searches").count_of(self, value)  # type: ignore[no-any-return]

    def index(self, *given: Any) -> int:
        return load("jitframe.tracing.lists.list_searches").place_of(self, *given)  # type: ignore[no-any-return]

    def insert(self, index: SupportsIndex, value: Any) -> None:
        self._plain("an item to be put between others")
        list.insert(self, index, value)

    def _counted(self) -> bool:
        """Converts it to an array with a counter, where a loop that appends to it removes items as well;
        returns whether it has one."""
        if self.is_grown and self.counter is None and self.earlier is not None:
            needed = counted_lists().needs_count(self, [self.earlier.at(-1)])
            if needed is not None:
                raise needed
        return self.counter is not None

    def pop(self, index: SupportsIndex = -1) -> Any:
        """Removes an item and returns it."""
        if index in (-1, 0) and self._counted():
            return counted_lists().pop(self, index == 0)
        self._plain("an item to be taken away")
        if not list.__len__(self):
            raise IndexError(self.nothing_left)
        return list.pop(self, index)

    def remove(self, value: Any) -> None:
        self._plain("an item to be taken away")
        list.remove(self, value)

    def clear(self) -> None:
        if self._counted():
            counted_lists().clear(self)
            return
        self._plain("its items to be taken away")
        list.clear(self)

    def reverse(self) -> None:
        if self._counted():
            counted_lists().reverse(self)
            return
        self._plain("all its items")
        list.reverse(self)

    def sort(self, **options: Any) -> None:
        if self._counted():
            self._check_shared()
            load("jitframe.tracing.standins.sorting").sort(self, **options)
            return
        self._plain("all its items")
        replace(self, [*load("jitframe.tracing.standins.sorting").sorted_(self, **options)])


def refuse_array(what: str) -> NoReturn:
    raise TraceError(
        f"a list with items at positions that are values of the trace is asked {what}; keep the items that "
        "change so in a list of their own"
    )


def _is_counted(values: Any) -> bool:
    """Whether it is a list whose length is a traced value."""
    return isinstance(values, GrowingList) and values.counter is not None


def is_listed(values: Any) -> bool:
    """Whether it is a masked selection whose elements may be items of a list of unknown length."""
    return getattr(type(values), "_is_of_mask", False) and bool(values.is_listed)


def _has_traced(index: slice) -> bool:
    return any(end is not None and end.__class__ is not int for end in (index.start, index.stop, index.step))


def list_arrays() -> Any:
    """Returns the module of operations on lists that are arrays."""
    return load("jitframe.tracing.lists.list_arrays")  # a room above this one; few programs have such lists


def counted_lists() -> Any:
    """Returns the module of operations on lists whose length is a traced value."""
    return load("jitframe.tracing.lists.counted_lists")


def counted_results() -> Any:
    """Returns the module of such lists as arrays and results."""
    return load("jitframe.tracing.lists.counted_results")  # as above


def _refuse(what: str) -> NoReturn:
    raise TraceError(
        f"a list that a loop appends to is asked for {what} in the loop; its last item, items at positions "
        "and len() are known there"
    )


def is_keyed(value: Any) -> bool:
    """Whether it is a dict or set in traced code (see `growing_dict`)."""
    return hasattr(type(value), "is_hashed")


def elements_of(values: list[Any]) -> list[Any]:
    """Returns the items of a list, also of one that a loop changes."""
    return list.__getitem__(values, slice(None))


def replace(values: list[Any], items: list[Any]) -> None:
    """Replaces the items of a list."""
    list.__setitem__(values, slice(None), items)
