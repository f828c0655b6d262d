"""Dicts and sets with traced keys: hash tables in arrays.

As in CPython's dicts the entries lie in order of insertion, here as a counted list, and a table of slots maps
keys to entries; a key is searched at the slots where CPython would search (Objects/dictobject.c). An entry
knows its slot, and a slot is valid only where its entry refers back to it, so that nothing is initialized
before use (P. Briggs, L. Torczon, An Efficient Representation for Sparse Sets, ACM LOPLAS 2, 1993). Removed
entries keep their places until the capacity is reached, or until all are iterated over.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ...api.calls import operand
from ...api.elementwise.arithmetic import where
from ...api.frame import innermost_frame
from ...errors import NumberError, TraceError
from ...functions import late
from ...functions.operands import as_node, cast, strong
from ...ir import ops
from ...ir.types import F64, I8, I64
from ..arguments.growing_dict import MISSING, Keyed
from ..arguments.growing_list import GrowingList
from ..arguments.returned_rows import COLUMNS, COUNTED, MAPPING, ROWS, Form
from ..lists import counted_lists, counted_results
from ..lists.counted_lists import END, HEAD, counted, integer, most_of, raise_unless, set_count
from ..lists.item_forms import ItemForm, Lists, form_of, made_of, parts_of, shapes_of, types_of
from ..lists.item_types import ItemType, is_exact, joined, type_of
from ..lists.list_arrays import accepts_part, become_array, need, read_item, snapshot, write
from ..values.cells import Cell
from ..values.traced import NUMBER, SCALAR, TracedArray
from ..values.traced_frame import run_traced
from . import sequences

full = late("creation", "full")
_ROW = 1_000_003
"""The distance of the hashes of tuples whose first items differ by one; tuples that differ in the last item
are neighbors."""
_SPREAD = 0x9E3779B97F4A7C15 - (1 << 64)
"""2**64 by the golden ratio (D. Knuth, The Art of Computer Programming 3, 6.4), as a signed integer."""
_POSITIVE = (1 << 63) - 1


def become_table(values: Keyed, entry: tuple[Any, Any] | None) -> bool:
    """Converts a dict or set to a hash table that has this entry or will have it; returns whether it is
    one."""
    home, frame = values.frame, innermost_frame()
    if values.table is not None:
        return True
    root: Any = getattr(home, "root", None)
    if root is None or root.hooks is None or frame is None or home.device.fitting(I64) is not I64:
        return False
    return _needed(values, entry) and need(values, functools.partial(_become, values, *_types(values, entry)))


def _items(values: Keyed, entry: tuple[Any, Any] | None) -> list[tuple[Any, ...]]:
    pairs = [*values.known().items(), *([] if entry is None else [entry])]
    return [(key, 0) if values.original is set else (key, value, 0) for key, value in pairs]


def _types(values: Keyed, entry: tuple[Any, Any] | None) -> tuple[ItemForm, list[ItemType]]:
    frame: Any = innermost_frame()
    items = _items(values, entry)
    form = form_of(items[0])
    return form, ([] if any(shapes_of(form)) else types_of(frame, form, items) or [])


def _needed(values: Keyed, entry: tuple[Any, Any] | None) -> bool:
    """Whether a table can hold its entries, and has to."""
    items = _items(values, entry)
    if not items or any(value is MISSING for each in items for value in each):
        return False
    form, item_types = _types(values, entry)
    if not item_types:
        return False
    keys = _count(form[1][0])
    return bool(keys) and not any(item_type.dtype.is_complex for item_type in item_types[:keys])


def _count(form: ItemForm) -> int:
    """The number of scalars of a form."""
    return len([*shapes_of(form)])


def _become(values: Keyed, form: ItemForm, found: Sequence[ItemType]) -> None:
    entries = GrowingList(_items(values, None))
    entries.most = values.most
    known = list.__len__(entries)
    counted_lists.make_counted(entries, form, found)
    values.put_back({})
    values.table = HashTable(values, entries)
    if known:
        run_traced(sequences.fill_again, values.table)


class HashTable:
    """The entries of a dict or set, and their slots."""

    def __init__(self, values: Keyed, entries: GrowingList) -> None:
        self.of = values
        self.entries = entries
        form = entries.form[1]
        count = _count(form[0])
        self.key_form: ItemForm = form[0]
        self.value_form: ItemForm = form[1]
        self.keys_, self.values_ = entries.columns[:count], entries.columns[count:-1]
        self.slots = entries.columns[-1]
        self.most = most_of(entries)
        frame = entries.frame
        size = 1 << (2 * self.most - 1).bit_length()
        self.mask = size - 1
        made = frame.begin().make(ops.undefined, attributes=((size,), I64))
        self.places = GrowingList()
        become_array(self.places, TracedArray(Cell(frame, made)), ItemType(I64, NUMBER), 0)
        self.gone: GrowingList | None = None
        """The flags of removed entries, where there are some."""
        self.gone_count: Any = None

    # Look-up

    def _key(self, key: Any) -> list[Any]:
        """Returns the scalars of a key, in the types of the columns. Raises TraceError of another kind of
        key."""
        parts = parts_of(self.key_form, key)
        frame: Any = innermost_frame()
        if parts is None:
            raise TraceError("a dict or set of values of the trace is asked for a key of another form")
        arrays = []
        for column, part in zip(self.keys_, parts, strict=True):
            its, wanted = type_of(frame, part), column.items_type.dtype
            both = None if its is None else joined(its, column.items_type)
            if both is None or both.dtype is not wanted or (wanted.is_float and not is_exact(frame, part)):
                raise TraceError("a dict or set of values of the trace is asked for a key of another type")
            if wanted.is_float:
                same = part == part
                raise_unless(same, NumberError("a key is not a number: Python's dicts look at its identity"))
            node = as_node(frame.begin(), operand(frame, frame.begin(), part), wanted)
            arrays.append(TracedArray(Cell(frame, node), None, SCALAR))
        return arrays

    def search(self, key: Any) -> _Search:
        return _Search(self, self._key(key))

    def _found(self, key: Any, find: Callable[..., Any] = sequences.find) -> tuple[_Search, Any, Any]:
        """Returns the search for a key, the slot where it ended, and the entry, or -1."""
        search = self.search(key)
        place, entry = run_traced(find, search)
        return search, place, entry

    def contains(self, key: Any) -> Any:
        return self._found(key)[2] >= 0

    def inside(self, entry: Any) -> Any:
        """Clamps the position of an entry into range."""
        return integer(where(entry < 0, 0, entry), (0, self.most - 1))

    def value(self, entry: Any) -> Any:
        at = self.inside(entry)
        columns = [_read(column, at) for column in self.values_]
        return made_of(self.value_form, iter(columns))

    def get(self, key: Any, default: Any) -> Any:
        _, _, entry = self._found(key)
        return self._or(entry, default)

    def _or(self, entry: Any, default: Any) -> Any:
        root: Any = innermost_frame().root  # type: ignore[union-attr]
        return root.hooks.choose(entry >= 0, lambda: self.value(entry), lambda: default)

    def item(self, key: Any, default: Any) -> Any:
        """Returns the value of a key; stores the default first where it has none."""
        if default is MISSING:
            return self._required(key, self._found(key)[2])
        return self.value(self._put(key, default, False))

    def _required(self, key: Any, entry: Any) -> Any:
        raise_unless(entry >= 0, KeyError(f"{key!r}"))
        return self.value(entry)

    # Changes of one key

    def store(self, key: Any, value: Any) -> None:
        self._put(key, value, True)

    def update(self, key: Any, change: Callable[[Any], Any], default: Any) -> None:
        """Replaces the value of a key, or the default, by the result of a function of it."""
        search, place, entry = self._searched(key)
        old = self._required(key, entry) if default is MISSING else self._or(entry, default)
        value = change(old)
        self._take_types(self.values_, self.value_form, value)
        self._write(search, place, entry, value, True)

    def _put(self, key: Any, value: Any, overwrites: bool) -> Any:
        """Stores a value of a key that has none, or overwrites it; returns the entry."""
        if not overwrites and isinstance(self.value_form, Lists) and self.value_form.is_new(value):
            search, place, entry = self._searched(key)
            made = self.value_form.list_of(self.value_form.new(entry < 0))
            return self._write(search, place, entry, made, False)
        if self.values_:
            self._take_types(self.values_, self.value_form, value)
        return self._write(*self._searched(key), value, overwrites)

    def _searched(self, key: Any) -> tuple[_Search, Any, Any]:
        """Like `_found`, for a key that may be inserted."""
        self._take_types(self.keys_, self.key_form, key)
        return self._found(key, sequences.find if self.gone is None else sequences.find_among_gaps)

    def _write(self, search: _Search, place: Any, entry: Any, value: Any, overwrites: bool) -> Any:
        """Writes an entry, a new one where there is none."""
        end, new = counted(self.entries, END), entry < 0
        room = end < self.most
        error = NumberError(f"a dict or set gets more than {self.most} entries in a loop; use an array")
        raise_unless(room | (entry >= 0), error)
        at = integer(where(new, where(room, end, 0), entry), (0, self.most - 1))
        for column, part in zip(self.keys_, search.parts, strict=True):
            _store(column, at, where(new, part, _read(column, at)))
        for column, part in zip(self.values_, parts_of(self.value_form, value) or (), strict=False):
            old = None if overwrites else _read(column, at)
            _store(column, at, part if old is None else where(new, part, old))
        self._link(at, place, end + where(new & room, 1, 0))
        return at

    def _link(self, at: Any, place: Any, end: Any) -> None:
        """Links an entry with its slot."""
        _store(self.slots, at, place)
        _store(self.places, place, at)
        if self.gone is not None:
            _store(self.gone, at, 0)
        set_count(self.entries, END, end)

    def _take_types(self, columns: Sequence[GrowingList], form: ItemForm, value: Any) -> None:
        """Widens the types of columns so that they hold a key or value, too."""
        parts = parts_of(form, value)
        if parts is None or not all(map(accepts_part, columns, parts)):
            raise TraceError("a dict or set of values of the trace gets an entry of another form")

    def pop(self, key: Any, default: Any) -> Any:
        """Removes an entry and returns its value."""
        if self.gone is None and not need(self.of, self._have_gone):
            raise TraceError("an entry of a dict or set of values of the trace is taken away")
        assert self.gone is not None
        _, _, entry = self._found(key)
        found, at = entry >= 0, self.inside(entry)
        if default is MISSING:
            raise_unless(found, KeyError(f"{key!r}"))
        value = None
        if self.values_:
            value = self.value(entry) if default is MISSING else self._or(entry, default)
        _store(self.gone, at, where(found, 1, _read(self.gone, at)))
        self.gone_count[...] = self.gone_count + where(found, 1, 0)
        run_traced(sequences.make_room, self)
        return value

    def _have_gone(self) -> None:
        frame: Any = innermost_frame()
        self.gone = GrowingList()
        array = TracedArray(Cell(frame, full(frame.begin(), (self.most,), 0, I8)))
        become_array(self.gone, array, ItemType(I8, SCALAR), 0)
        self.gone_count = TracedArray(Cell(frame, full(frame.begin(), (), 0, I64)))

    def clear(self) -> None:
        set_count(self.entries, END, 0)
        if self.gone is not None:
            self.gone_count[...] = 0

    # All entries

    def length(self) -> Any:
        end = counted(self.entries, END)
        return end if self.gone is None else integer(end - self.gone_count, (0, self.most))

    def has_many_gaps(self) -> Any:
        """Whether compaction pays off, so many entries were removed."""
        return self.gone_count >= max(self.most // 4, 1)

    def has_gaps(self) -> Any:
        """Whether entries were removed."""
        return self.gone_count > 0

    def take_all(self) -> Any:
        """Clears the slots before all entries are inserted again; returns their count."""
        count = counted(self.entries, END)
        self.clear()
        return count

    def is_there(self, place: Any) -> Any:
        """Whether the entry at a position was not removed."""
        return True if self.gone is None else _read(self.gone, self.inside(place)) == 0

    def search_at(self, place: Any) -> _Search:
        """Returns the search for the key of an entry."""
        at = self.inside(place)
        parts = [_read(column, at) for column in self.keys_]
        return _Search(self, [TracedArray(array._cell, None, SCALAR) for array in parts])

    def put_back(self, search: _Search, place: Any, slot: Any) -> None:
        """Inserts an entry again, whose slot was found."""
        source, end = self.inside(place), counted(self.entries, END)
        at = integer(end, (0, self.most - 1))
        for column, part in zip(self.keys_, search.parts, strict=True):
            _store(column, at, part)
        for column in self.values_:
            _store(column, at, _read(column, source))
        self._link(at, slot, end + 1)

    def _dense(self) -> None:
        """Compacts the entries."""
        if self.gone is not None:
            run_traced(sequences.close_gaps, self)

    def _view(self, form: ItemForm, columns: Sequence[GrowingList]) -> GrowingList:
        """Returns a list that is a view of some columns."""
        self._dense()
        view = GrowingList()
        view.frame, view.form, view.columns = self.entries.frame, form, columns
        view.counter, view.is_shared = self.entries.counter, True
        become_array(view, columns[0].array, columns[0].items_type, 0)
        return view

    def keys(self) -> GrowingList:
        return self.all_keys(ordered=True)

    @property
    def has_whole_keys(self) -> bool:
        """Whether the keys are integers, whose sum is the same in any order."""
        return all(column.items_type.dtype.is_integer for column in self.keys_)

    def all_keys(self, ordered: bool) -> GrowingList:
        """Returns the keys; `ordered`: in order of insertion."""
        if ordered and self.of.original is set:
            raise TraceError("a set is gone through in the order of Python's own, which no program knows")
        return self._view(self.key_form, self.keys_)

    def values(self) -> GrowingList:
        return self._view(self.value_form, self.values_)

    def items(self) -> GrowingList:
        return self._view((tuple, (self.key_form, self.value_form)), [*self.keys_, *self.values_])

    def deconstruct(self) -> tuple[Form, list[Any]]:
        """Returns a form and the arrays that the dict or set is built from (see `returned_rows`)."""
        columns = [*self.keys_, *self.values_]
        if any(column.is_mixed for column in columns):
            raise TraceError("a dict or set of values of the trace is returned that holds several types")
        parts: Iterator[Form] = iter([(ROWS, each.items_type.kind == NUMBER) for each in columns])
        taken = iter([snapshot(column) for column in columns])
        form, wholes = counted_results.returned(self.key_form, parts, taken)
        forms = [form]
        if self.values_:
            form, more = counted_results.returned(self.value_form, parts, taken)
            forms.append(form)
            wholes += more
        if self.gone is not None:
            forms.append((ROWS, True))
            wholes.append(snapshot(self.gone))
        factory = _original(getattr(self.of, "default_factory", None))
        made = MAPPING, self.of.original, factory, self.gone is not None
        inner: Form = (COUNTED, (COLUMNS, tuple, tuple(forms)))
        return (made, inner), [counted(self.entries, HEAD), counted(self.entries, END), *wholes]


class _Search:
    """The search for a key: its scalars, in the types of the columns."""

    def __init__(self, table: HashTable, parts: Sequence[TracedArray]) -> None:
        self.table = table
        self.parts = parts

    def start(self) -> tuple[Any, Any]:
        """Returns the first slot, and the state that the next ones depend on."""
        first, *rest = map(_hash, self.parts)
        for each in rest:
            first = first * _ROW + each
        first = first & _POSITIVE
        return first & self.table.mask, first

    def next(self, place: Any, rest: Any) -> tuple[Any, Any]:
        """Returns the slot after one."""
        rest = rest >> 5
        return (place * 5 + rest + 1) & self.table.mask, rest

    def entry(self, place: Any) -> Any:
        """Returns the entry of a slot, or -1."""
        table = self.table
        slot = integer(place & table.mask, (0, table.mask))
        array = _read(table.places, slot)
        inside = (array >= 0) & (array < counted(table.entries, END))
        at = integer(where(inside, array, 0), (0, table.most - 1))
        inside = inside & (_read(table.slots, at) == slot)
        return integer(where(inside, at, -1), (-1, table.most - 1))

    def gap(self, gap: Any, place: Any, entry: Any) -> Any:
        """Returns the first slot of a removed entry, or -1."""
        is_gap = (gap < 0) & (self.table.is_there(entry) == False)  # noqa: E712
        return integer(where(is_gap, place, gap), (-1, self.table.mask))

    def place(self, gap: Any, place: Any, entry: Any) -> Any:
        """Returns the slot where a key is, or is inserted."""
        return integer(where((gap >= 0) & (entry < 0), gap, place), (0, self.table.mask))

    def goes_on(self, entry: Any) -> Any:
        """Whether a slot has an entry of another key."""
        table = self.table
        at = table.inside(entry)
        other: Any = False
        for column, part in zip(table.keys_, self.parts, strict=True):
            other = (_read(column, at) != part) | other
        if table.gone is not None:
            other = other | (_read(table.gone, at) != 0)
        return (entry >= 0) & other


def _read(column: GrowingList, place: Any) -> TracedArray:
    """Returns the element at a position that is certainly in range."""
    return read_item(column, column.array, place, True)


def _store(column: GrowingList, place: Any, value: Any) -> None:
    write(column.array, place, value, True)


def _original(factory: Any) -> Any:
    """Returns the user's own factory in place of its stand-in."""
    return getattr(factory, "__jitframe_original__", factory)


def _hash(part: TracedArray) -> Any:
    """Returns the hash of a scalar: equal scalars of one type have the same. Integers are their own hash, as
    in CPython."""
    frame: Any = innermost_frame()
    graph = frame.begin()
    node = strong(graph, operand(frame, graph, part))
    if not node.dtype.is_float:
        return TracedArray(Cell(frame, cast(graph, node, I64)), None, SCALAR)
    wide = strong(
        graph, operand(frame, graph, TracedArray(Cell(frame, cast(graph, node, F64)), None, SCALAR) + 0.0)
    )
    bits = TracedArray(Cell(frame, graph.make(ops.bitcast, wide, attributes=(I64,))), None, SCALAR) * _SPREAD
    return bits ^ (bits >> 32)
