"""Lists created by traced code, which a loop may convert to arrays (see `list_arrays`).

While a loop that appends is traced, its iteration stands for all iterations: what the list holds from the
iterations before is asked of the loop, and what cannot be told of an iteration in general raises.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final, NoReturn, Protocol, SupportsIndex

from ...api.frame import entered, innermost_frame
from ...base.importing import load
from ...errors import TraceError
from .returned_rows import Form


class Earlier(Protocol):
    """What a list holds where an iteration of a loop begins, whichever it is."""

    def length(self) -> Any:
        """How many items the list has now, as a value of the trace."""

    def at(self, index: Any) -> Any:
        """The item at an index."""


class _InArray:
    def __repr__(self) -> str:
        return "<in an array>"


IN_ARRAY: Final = _InArray()
"""In a list that is an array, in the place of each item."""
_KNOWN = (int, slice)


class GrowingList(list[Any]):
    """A list; `earlier` is set while a loop is traced that appends to it, or may."""

    __slots__ = (
        "array", "ask", "columns", "counter", "earlier", "form", "frame", "has_head", "in_table", "is_grown",
        "is_plain", "is_shared", "items_type", "mixed", "most", "original", "pool", "tags", "types",
    )  # fmt: skip

    outside, outside_stored = "list index out of range", "list assignment index out of range"
    nothing_left = "pop from empty list"

    def __init__(self, items: Iterable[Any] = ()) -> None:
        super().__init__(items)
        self.frame: Any = innermost_frame()
        """In which it was made."""
        self.array: Any = None
        """Where it is an array, what it holds."""
        self.counter: Any = None
        """Of a list that grows and shrinks: where its items begin in the array, and where they end."""
        self.has_head = False
        """Whether such a list loses or gets first items as well."""
        self.pool: Any = None
        """Of one that variables or other lists refer to by a number: what it is a list of."""
        self.columns: Sequence[GrowingList] = ()
        """What holds the numbers of the items of such a list: itself, where items are numbers."""
        self.form: Any = None
        """How an item is made of them."""
        self.most = 0
        """Items that such a list has room for at least."""
        self.items_type: Any = None
        self.tags: Any = None
        """Of an array whose items are of several types: which of `types` each is of."""
        self.types: list[Any] = []
        self.mixed = False
        """Whether items are of several types, and it is not known which."""
        self.is_plain = False
        """Whether it is never an array."""
        self.is_shared = False
        """Whether another list holds what it held, in its place: it does not change any more."""
        self.in_table: GrowingList | None = None
        """The list that is an array of which it is a row."""
        self.original: list[Any] | None = None
        """What it held before it was an array."""
        self.earlier: Earlier | None = None
        self.is_grown = False
        """Whether it has items of iterations before, which are not among those that it holds."""
        self.ask: Callable[[], None] | None = None
        """Of the end of a list from outside: called where more than its end is asked for."""

    @property  # type: ignore[misc] # nobody sets it
    def __class__(self) -> type:
        return list

    @classmethod
    def of(cls, array: Any, items_type: Any) -> GrowingList:
        """A list that is an array."""
        made = cls([IN_ARRAY] * array.shape[0])
        made.array, made.items_type, made.frame = array, items_type, array._cell.frame
        return made

    def row(self, array: Any) -> GrowingList:
        """One of the lists in it, which is this view of its array."""
        made = GrowingList.of(array, self.items_type)
        made.frame, made.in_table = self.frame, self
        return made

    def as_array(self) -> Any:
        """What NumPy makes of it, where it is an array."""
        self._fix()
        return None if self.array is None else self.whole()

    def whole(self) -> Any:
        """What it holds now, as an array of its own."""
        table = self if self.in_table is None else self.in_table
        if table.mixed or len({each.dtype for each in self.types}) > 1:
            _refuse_array("for an array, whose dtype its items decide, which are of several types")
        whole: Any = list_arrays().snapshot(self)
        return whole

    def take_apart(self) -> tuple[Form, list[Any]]:
        """How it is put together of arrays, and these."""
        whole = self if self.in_table is None else self.in_table
        if any(each.mixed for each in (whole, *self.columns)):
            _refuse_array("for all items, which are of several types")
        rooms = list_arrays() if self.counter is None else counted_lists()
        found: tuple[Form, list[Any]] = rooms.take_apart(self)
        return found

    @property
    def is_mixed(self) -> bool:
        """Whether items were of other types than the array."""
        return self.mixed or self.tags is not None

    @property
    def is_flat_array(self) -> bool:
        return self.array is not None and self.counter is None and self.array.ndim == 1

    @property
    def items(self) -> list[Any]:
        """What it holds: before a loop, and in its turn."""
        if self.is_flat_array:
            return [list_arrays().item_at(self, position) for position in range(list.__len__(self))]
        return list.__getitem__(self, slice(None))

    def _check_row(self) -> None:
        """Raises TraceError of a list in another one that is no array any more."""
        table = self.in_table
        if table is not None and (table.array is None or table.array._cell is not self.array._cell):
            _refuse_array("for an item after the list that it is in has changed")

    def _check_shared(self) -> None:
        if self.is_shared:
            raise TraceError(
                "a list that is one list or another, as traced values decide, is changed; work on a copy"
            )

    def _plain(self, what: str = "") -> None:
        """Has it be no array, as more than its items changes; `what`: why all of it has to be known."""
        if what:
            self._known(what)
        self._check_shared()
        if self.in_table is not None:
            list_arrays().become_lists(self.in_table)
        self._fix()
        if self.array is not None and not list_arrays().need(self, lambda: list_arrays().become_plain(self)):
            _refuse_array("to be changed in another way than by x[i] = value")

    def _fix(self) -> None:
        """Has the length be known."""
        if self.counter is not None:
            counted_lists().fix(self)

    @property
    def versions(self) -> tuple[int, ...]:
        """Others where such a list has grown or shrunk in between; none of other lists."""
        return tuple([each._cell.version for each in self.counter or ()])

    def truth(self) -> Any:
        """Whether there are items, perhaps as a value of the trace."""
        return self.length() > 0

    def length(self) -> Any:
        """How many items there are, perhaps as a value of the trace."""
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

    # What is told of any iteration

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
        """An item of an array; None where it is none."""
        if isinstance(index, slice):
            if self.counter is not None and index.step in (None, 1):
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
        """The last items, of a list that grows."""
        if not self.is_grown:
            return list.__getitem__(self, index)
        start, stop = index.start, index.stop
        length = list.__len__(self)
        last = isinstance(start, int) and -length <= start < 0 and index.step in (None, 1)
        if not last or not (stop is None or (isinstance(stop, int) and stop < 0)):
            _refuse("its slices, but for those of the last items that are always there")
        return [self[position] for position in range(start, 0 if stop is None else stop)]

    # What changes nothing of the items before

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

    # What has to know all items

    def __len__(self) -> int:
        self._known("its length")
        return list.__len__(self)

    def __iter__(self) -> Iterator[Any]:
        self._known("all its items")
        return self._iterated()

    def _iterated(self) -> Iterator[Any]:
        """The items one by one, each as it is when it is asked for; it may become an array meanwhile."""
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
        """Stores to an array; whether it is one."""
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
        if not list_arrays().accepts_number(self, value):
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
            copied: GrowingList = list_arrays().copied(self)
            return copied
        return GrowingList(self.items)

    def count(self, value: Any) -> int:
        return self._all().count(value)

    def index(self, *arguments: Any) -> int:
        return self._all().index(*arguments)

    def insert(self, index: SupportsIndex, value: Any) -> None:
        self._plain("an item to be put between others")
        list.insert(self, index, value)

    def _counted(self) -> None:
        """Has it be an array with a counter, where a loop that appends to it takes items away as well."""
        if self.is_grown and self.counter is None and self.earlier is not None:
            needed = counted_lists().needs_count(self, [self.earlier.at(-1)])
            if needed is not None:
                raise needed

    def pop(self, index: SupportsIndex = -1) -> Any:
        """An item, which is taken away."""
        if index in (-1, 0):
            self._counted()
        if self.counter is not None and index in (-1, 0):
            return counted_lists().pop(self, index == 0)
        self._plain("an item to be taken away")
        if not list.__len__(self):
            raise IndexError(self.nothing_left)
        return list.pop(self, index)

    def remove(self, value: Any) -> None:
        self._plain("an item to be taken away")
        list.remove(self, value)

    def clear(self) -> None:
        self._counted()
        if self.counter is not None:
            counted_lists().clear(self)
            return
        self._plain("its items to be taken away")
        list.clear(self)

    def reverse(self) -> None:
        self._plain("all its items")
        list.reverse(self)

    def sort(self, **options: Any) -> None:
        self._counted()
        if self.counter is not None:
            self._check_shared()
            load("jitframe.tracing.standins.sorting").sort(self, **options)
            return
        self._plain("all its items")
        replace(self, [*load("jitframe.tracing.standins.sorting").sorted_(self, **options)])


def _refuse_array(what: str) -> NoReturn:
    raise TraceError(
        f"a list with items at positions that are values of the trace is asked {what}; keep the items that "
        "change so in a list of their own"
    )


def _is_counted(values: Any) -> bool:
    """Whether it is a list whose length is a value of the trace."""
    return isinstance(values, GrowingList) and values.counter is not None


def is_listed(values: Any) -> bool:
    """Whether it is what a mask has chosen, whose elements may be items of a list of open length."""
    return getattr(type(values), "_is_of_mask", False) and bool(values.is_listed)


def _has_traced(index: slice) -> bool:
    bounds = index.start, index.stop, index.step
    return any(each is not None and each.__class__ is not int for each in bounds)


def list_arrays() -> Any:
    """What lists do that are arrays."""
    return load("jitframe.tracing.lists.list_arrays")  # a room above this one; few programs have such lists


def counted_lists() -> Any:
    """What lists do that grow and shrink as values decide."""
    return load("jitframe.tracing.lists.counted_lists")


def _refuse(what: str) -> NoReturn:
    raise TraceError(
        f"a list that a loop appends to is asked for {what} in the loop; its last item, items at positions "
        "and len() are known there"
    )


def is_keyed(value: Any) -> bool:
    """Whether it is a dict or set that traced code makes (see `growing_dict`)."""
    return hasattr(type(value), "is_hashed")


def elements_of(values: list[Any]) -> list[Any]:
    """What a list holds, also one that is traced in a loop."""
    return list.__getitem__(values, slice(None))


def stored_items(values: list[Any]) -> list[Any]:
    """What a list holds, of an array that was written to as values."""
    if not isinstance(values, GrowingList) or not values.is_flat_array:
        return elements_of(values)
    array = values.array
    assert array is not None
    if not array._cell.version and values.original is not None:
        return values.original
    if values.is_mixed:
        _refuse_array("to be stored outside, with items of several types")
    with entered(array._cell.frame):
        return values.items


def replace(values: list[Any], items: list[Any]) -> None:
    """Makes the items of a list others."""
    list.__setitem__(values, slice(None), items)
