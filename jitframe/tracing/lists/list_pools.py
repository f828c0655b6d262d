"""Pools of lists that variables, tuples, lists and dicts refer to by number: a traced number selects the
list, and all references to one list see its changes, as in Python.

A pool stores the items of many lists in the same arrays. Each list has a run of places there, and moves to a
longer run behind all others where it is full; the last list grows in place. The runs of unreachable lists are
not reused: where a pool is full, Python answers the call. List 0 always exists, and is empty.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator, Sequence
from typing import Any

import numpy

from ...api.calls import operand
from ...api.creation.constructors import asarray
from ...api.elementwise.arithmetic import where
from ...api.frame import innermost_frame
from ...functions import late
from ...functions.operands import reshaped, strong, truth
from ...ir import ops
from ...ir.types import I64, DType
from ..arguments.growing_list import GrowingList, elements_of, refuse_array
from ..arguments.returned_rows import POOLED, ROWS, Form
from ..values.cells import Cell
from ..values.concrete import known_value
from ..values.python_numbers import BEYOND, look_at
from ..values.traced import NUMBER, TracedArray
from ..values.traced_frame import TraceFrame, run_traced
from . import counted_lists, counted_results, traced_list_functions
from .counted_lists import END, HEAD, integer
from .item_forms import (
    UNDECIDED,
    Constants,
    ItemForm,
    Lists,
    columns_of,
    form_of,
    parts_of,
    shapes_of,
    types_of,
)
from .item_types import ItemType, type_of
from .list_arrays import accepts_part, array_of, become_array, need, read_item, snapshot, write

full = late("creation", "full")
_FEW = 8
"""Up to so many known items are appended one by one."""
_LEAST_ROOM = 4
"""The least capacity of a list that grows, in items."""


class ListPool(Lists):
    """The lists of one form that variables may refer to alternatively."""

    def __init__(self, frame: TraceFrame, most: int = 0) -> None:
        self.frame = frame
        self.form: ItemForm = UNDECIDED
        self.most = max(4 * counted_lists.usual_room(frame), most)
        """The capacity, in items and in lists."""
        self.lengths_known: set[int | None] = set()
        """The lengths of its lists; None among them where that of one may be another."""
        self.dtypes: list[set[DType]] = []
        """The dtypes of the items of each known list."""
        self.columns: list[GrowingList] = []
        self.lengths = itertools.count(self.most)
        """Lengths of the arrays: all different, as two arrays of equal length and content would be one node,
        and copied where they differ later."""
        self.heads, self.ends, self.limits = [self._column(_INTEGER) for _ in range(3)]
        for growing_list in (self.heads, self.ends, self.limits):
            write(growing_list.array, 0, 0, True)
        self.top, self.count = [
            TracedArray(Cell(frame, full(frame.begin(), (), number, I64))) for number in (0, 1)
        ]

    def _column(self, its: ItemType) -> GrowingList:
        column = GrowingList()
        node = self.frame.begin().make(ops.undefined, attributes=((next(self.lengths),), its.dtype))
        column.counter = ()  # of several types without knowing which
        become_array(column, TracedArray(Cell(self.frame, node)), its, 0)
        return column

    def decide(self, form: ItemForm, found: Sequence[ItemType]) -> None:
        """Sets the form of the items of its lists."""
        self.form = counted_lists.realized(form)
        self.columns += [self._column(its) for its in found]
        for column in self.columns:
            column.one_dtype = True

    # Its lists

    def refer(self, values: Any) -> Any:
        """Returns the number of a list, which joins the pool; None where it cannot."""
        if type(values) is not GrowingList:
            return None
        if values.pool is None:
            home = values.frame
            is_inside = home is self.frame or self.frame in getattr(home, "enclosing", ())
            is_free = not (values.is_plain or values.is_grown or values.in_table or values.ask)
            if not (is_inside and is_free and self._fits(values)):
                return None
            if not need(values, functools.partial(self.take, values)):
                return None
        return values.counter.number if values.pool is self else None

    def _fits(self, values: GrowingList) -> bool:
        """Whether the items of a list are of its form."""
        if values.counter is None and not list.__len__(values):
            return True
        known = _form_of(values)
        if known is None:
            return False
        form, item_types = known
        if any(shapes_of(form)):
            return False
        if self.form is UNDECIDED and not need(self, functools.partial(self.decide, form, item_types)):
            return False
        return _alike(form, self.form)

    def take(self, values: GrowingList) -> None:
        """Adds a list to the pool."""
        before, items = counted_results.copy_of(values), elements_of(values)
        is_known = before.counter is None and before.array is None
        values.array = values.tags = values.original = None
        self._be(values, self.new())
        lengths = {*self.lengths_known, len(items) if is_known else None}
        if is_known and len(items) <= _FEW:
            one_dtype = [column.one_dtype for column in self.columns]
            try:
                for each in items:
                    values.append(each)
            finally:  # `dtypes` has those of these items
                for column, known in zip(self.columns, one_dtype, strict=False):
                    column.one_dtype = known
            self._note(lengths, [items])
            return
        if is_known:
            frame: Any = innermost_frame()
            form = form_of(items[0])
            counted_lists.make_counted(before, form, types_of(frame, form, items) or ())
        run_traced(traced_list_functions.extend, values, before)
        self._note(lengths, [items] if is_known else [])

    def _note(self, lengths: set[int | None], lists: Sequence[Sequence[Any]]) -> None:
        frame: Any = innermost_frame()
        self.lengths_known = lengths
        for items in lists:
            types = [type_of(frame, each) for each in items]
            self.dtypes.append({each.dtype for each in types if each is not None})

    @property
    def width(self) -> int | None:
        """The length of all its lists, where NumPy makes an array of their dtype of each; None elsewhere."""
        if len(self.lengths_known) != 1 or self.form is not None or not self.columns[0].one_dtype:
            return None
        dtype = self.columns[0].items_type.dtype
        return next(iter(self.lengths_known)) if all(dtype in each for each in self.dtypes) else None

    def take_all(self, lists: Sequence[GrowingList]) -> None:
        """Adds known lists as the first ones of a new pool."""
        flat = [each for one in lists for each in one.items]
        is_free = len({id(each) for each in lists}) == len(lists) and self.form is UNDECIDED
        if not is_free or any(each.counter is not None or each.is_grown for each in lists):
            return
        form, frame = form_of(flat[0]) if flat else None, self.frame
        item_types = types_of(frame, form, flat)
        if isinstance(form, Lists) or any(shapes_of(form)) or item_types is None:
            return
        if max(len(flat), len(lists)) >= self.most:
            return
        if flat:
            self.decide(form, item_types)
            for column, part in zip(self.columns, columns_of(form, flat) or (), strict=True):
                column.mixed = any(type_of(frame, each) != column.items_type for each in part)
                column.array[: len(flat)] = array_of(frame, part, column.items_type)
        ends = numpy.cumsum([0, *(len(one.items) for one in lists)])
        for column, places in ((self.heads, ends[:-1]), (self.ends, ends[1:]), (self.limits, ends[1:])):
            column.array[1 : len(lists) + 1] = asarray(places.astype(numpy.int64))
        self.top[...] = len(flat)
        self.count[...] = len(lists) + 1
        self._note({len(one.items) for one in lists}, [one.items for one in lists])
        for number, each in enumerate(lists):
            each.array = each.tags = each.original = None
            self._be(each, number + 1)

    def list_of(self, number: Any) -> GrowingList:
        """Returns the list of a number."""
        growing_list = GrowingList()
        growing_list.frame = self.frame
        self._be(growing_list, number)
        return growing_list

    def known_list(self, number: Any) -> GrowingList:
        """Returns the list of a number that was read from an array; the number may be invalid where the
        result is unused."""
        inside = (number >= 0) & (number < self.count)
        return self.list_of(integer(where(inside, number, 0), (0, self.most - 1)))

    def _be(self, values: GrowingList, number: Any) -> None:
        values.pool, values.counter, values.columns = self, Reference(self, number), self.columns
        values.has_head = True
        become_array(values, self.heads.array, _INTEGER, 0)

    def new(self, needed: Any = True) -> Any:
        """Returns the number of a new list; that of the empty one where none is needed."""
        count = integer(self.count, (1, self.most - 1))
        number = count if needed is True else integer(where(needed, count, 0), (0, self.most - 1))
        start = self.top if needed is True else where(needed, self.top, 0)
        for growing_list in (self.heads, self.ends, self.limits):
            write(growing_list.array, number, start, True)
        self.count[...] = self._within(count + where(needed, 1, 0))
        return number

    def _within(self, value: Any) -> Any:
        """Returns a number of lists or items that is checked against the capacity at run time."""
        frame: Any = innermost_frame()
        graph, last = frame.begin(), self.most - 1
        bad = value > last
        node, fails = [strong(graph, operand(frame, graph, each)) for each in (where(bad, last, value), bad)]
        said = f"lists that are made and changed in a loop come to more than {last} lists or items"
        made = look_at(frame, node, truth(graph, fails), BEYOND, said)
        frame.root.ranges.known[made] = 0, last
        return TracedArray(Cell(frame, made), None, NUMBER)

    def takes(self, value: Any) -> bool:
        """Widens the types of the arrays where necessary so that they hold a value, too; returns whether that
        is possible."""
        if self.form is UNDECIDED:
            frame: Any = innermost_frame()
            form = form_of(value)
            item_types = types_of(frame, form, [value])
            if any(shapes_of(form)) or not item_types:
                return False
            if not need(self, functools.partial(self.decide, form, item_types)):
                return False
        parts = parts_of(self.form, value)
        return parts is not None and all(map(accepts_part, self.columns, parts))

    def append(self, values: GrowingList, value: Any) -> bool:
        """Appends an item to a list; returns whether the arrays may hold it."""
        if not self.takes(value):
            return False
        self.lengths_known.add(None)
        run_traced(traced_list_functions.append, values.counter, parts_of(self.form, value))
        return True

    # As results

    def returned(self) -> tuple[Form, list[Any]]:
        """Returns a form for its lists, besides their numbers, and the arrays that they are built from."""
        if any(column.is_mixed for column in self.columns):
            refuse_array("for all items of lists in it, which are of several types")
        ends = [snapshot(growing_list) for growing_list in (self.heads, self.ends)]
        if not self.columns:  # no list has had an item
            return (POOLED, (ROWS, True)), [*ends, ends[0]]
        parts: Iterator[Form] = iter([(ROWS, column.items_type.kind == NUMBER) for column in self.columns])
        form, wholes = counted_results.returned(
            self.form, parts, iter([snapshot(column) for column in self.columns])
        )
        return (POOLED, form), [*ends, *wholes]


_INTEGER = ItemType(I64, NUMBER)


class Reference:
    """A list by its number in a pool: the start and end of its items, in place of a counter."""

    def __init__(self, pool: ListPool, number: Any) -> None:
        self.pool = pool
        self.number = number

    def __getitem__(self, which: int) -> TracedArray:
        return self._read(self.pool.heads if which == HEAD else self.pool.ends)

    def store(self, which: int, value: Any) -> None:
        self.pool.lengths_known.add(None)
        write((self.pool.heads if which == HEAD else self.pool.ends).array, self.number, value, True)

    def _read(self, column: GrowingList) -> TracedArray:
        array = _written(column, self.number)
        if array is None:
            array = read_item(column, column.array, self.number, True)
        return integer(array, (0, self.pool.most - 1))

    # The interface of `traced_list_functions`

    def is_full(self) -> Any:
        return self[END] == self._read(self.pool.limits)

    def is_last(self) -> Any:
        """Whether its run is the last one."""
        return self._read(self.pool.limits) == self.pool.top

    def _more(self) -> Any:
        count = self[END] - self[HEAD]
        return integer(where(count < _LEAST_ROOM, _LEAST_ROOM, count), (0, self.pool.most))

    def lengthen(self) -> None:
        """Extends its run in place."""
        self._end_at(self.pool.top + self._more())

    def _end_at(self, place: Any) -> None:
        top = self.pool._within(place)
        self.pool.top[...] = top
        write(self.pool.limits.array, self.number, top, True)

    def move(self) -> tuple[Any, Any, Any]:
        """Moves its run behind all others; returns the old and new start and the number of items to copy."""
        head, end = self[HEAD], self[END]
        count = integer(end - head, (0, self.pool.most - 1))
        start = integer(self.pool.top, (0, self.pool.most - 1))
        stop = start + count
        room = stop + self._more() < self.pool.most
        self._end_at(stop + self._more())
        self.store(HEAD, start)
        self.store(END, where(room, stop, start))
        return head, start, integer(where(room, count, 0), (0, self.pool.most - 1))

    def copy(self, source: Any, target: Any) -> None:
        last = self.pool.most - 1
        source, target = integer(source, (0, last)), integer(target, (0, last))
        for column in self.pool.columns:
            write(column.array, target, read_item(column, column.array, source, True), True)

    def put(self, parts: Sequence[Any]) -> None:
        """Appends an item to the lists of these numbers."""
        end = self[END]
        for column, part in zip(self.pool.columns, parts, strict=True):
            write(column.array, end, part, True)
        room = end < self._read(self.pool.limits)
        self.store(END, end + where(room, 1, 0))


def _written(column: GrowingList, number: Any) -> TracedArray | None:
    """Returns the value that was just written to an item, where the trace knows it: without a read between
    the writes, the array may change in place."""
    frame: Any = innermost_frame()
    graph = frame.begin()
    array, place = [strong(graph, operand(frame, graph, each)) for each in (column.array, number)]
    at = known_value(frame, place) if array.op.family == "update" else None
    while array.op.family == "update":
        base, value, *indices = array.inputs
        if value.size != 1 or (indices and array.attribute("kind") != "set"):
            return None
        if indices[:1] != [place]:
            other = known_value(frame, indices[0]) if indices else array.attribute("starts")[0]
            if other is None or at is None:
                return None
            if other != at:
                array = base
                continue
        return TracedArray(Cell(frame, reshaped(graph, value, ())), None, NUMBER)
    return None


def _alike(form: ItemForm, other: ItemForm) -> bool:
    """Whether items of one form may be of another one, which has pools for the lists in it."""
    if isinstance(other, (Lists, Constants)):
        return isinstance(form, type(other))
    if not (isinstance(form, tuple) and isinstance(other, tuple)):
        return bool(form == other)
    return (
        form[0] is other[0]
        and len(form[1]) == len(other[1])
        and all(_alike(x, y) for x, y in zip(form[1], other[1], strict=True))
    )


class _Home:
    """Marks a frame that is to have a pool."""

    most = 0

    def __init__(self, frame: TraceFrame) -> None:
        self.frame = frame


def pool_of(values: GrowingList, others: GrowingList | None = None) -> ListPool | None:
    """Returns the pool of a list that is alternative to another one, or that a region returns; None where
    there can be none. It is made in the enclosing frame, or in that of the outer list."""
    lists = [values] if others is None else [values, others]
    pool: ListPool | None = next((each.pool for each in lists if each.pool is not None), None)
    if pool is not None:
        return pool
    frame: Any = innermost_frame()
    if not frame.enclosing:
        return None
    homes = [each.frame for each in lists if each.frame in frame.enclosing]
    home = min(homes, key=lambda each: len(each.enclosing)) if homes else frame.enclosing[-1]
    known = [found for each in lists if (found := _form_of(each)) is not None]
    if any(any(shapes_of(form)) for form, _ in known):
        return None
    pool = enclosing_pool(frame, known[0][0] if known else UNDECIDED)
    if pool is not None and pool.frame in (home, *home.enclosing):
        return pool
    need(_Home(home), functools.partial(_begin, home, *known[:1]))
    return None


def _form_of(values: GrowingList) -> tuple[ItemForm, Sequence[ItemType]] | None:
    """Returns the form of the items of a list, and the types of their scalars; None of an empty list."""
    frame: Any = innermost_frame()
    if values.counter is not None:
        return counted_lists.form_in(values), [column.items_type for column in values.columns]
    if values.array is not None:
        return None, [values.items_type]
    items = values.items
    form = form_of(items[0]) if items else None
    item_types = types_of(frame, form, items)
    return (form, item_types) if item_types else None


def _begin(home: TraceFrame, known: tuple[ItemForm, Sequence[ItemType]] | None = None) -> None:
    pool = ListPool(home)
    if known is not None:
        pool.decide(*known)
    home.root.hooks.pools.append(pool)


def enclosing_pool(frame: TraceFrame, form: ItemForm) -> ListPool | None:
    """Returns a pool of an enclosing frame whose lists may have items of a form."""
    for pool in reversed(frame.root.hooks.pools):
        is_open = form is UNDECIDED or pool.form is UNDECIDED
        if pool.frame in frame.enclosing and (is_open or _alike(form, pool.form)):
            list_pool: ListPool = pool
            return list_pool
    return None
