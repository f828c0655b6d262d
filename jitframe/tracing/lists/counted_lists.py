"""Lists whose length is a traced value: ring buffers in arrays.

Each scalar of an item has an array of the list's capacity, and each array of an item one of which it is a
row; an item may be a tuple, also a nested one. The arrays are rings with two counters: the position of the
first item and that behind the last one, which may be one revolution further. A counter is an array of rank 0,
which loops keep in a register. Python answers calls in which a list exceeds its capacity.

Rows are copies of the arrays that were appended, and items that are read are copies of rows. In Python they
are one object; so nothing may be written to either (see `hold`).
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Sequence
from typing import Any

from ...api.calls import operand
from ...api.elementwise.arithmetic import where
from ...api.frame import innermost_frame
from ...base.importing import load
from ...errors import NumberError, TraceError
from ...functions import late
from ...functions.integer_ranges import Range
from ...functions.operands import strong
from ...ir import ops
from ...ir.types import I64
from ..arguments.growing_list import GrowingList
from ..values.cells import Cell, hold
from ..values.concrete import is_of_mask
from ..values.traced import ARRAY, NUMBER, TracedArray
from ..values.traced_frame import TraceFrame, run_traced
from . import traced_list_functions
from .item_forms import (
    UNDECIDED,
    Constants,
    ItemForm,
    Lists,
    columns_of,
    form_of,
    made_of,
    parts_of,
    shapes_of,
    types_of,
)
from .item_types import ItemType, joined, type_of_part, type_of_parts
from .list_arrays import ListNeeded, accepts_part, array_of, become_array, need, read_item, write

full = late("creation", "full")
HEAD, END = 0, 1
"""In the counter of a list."""
_MOST, _ALL = 1 << 16, 1 << 20
"""The least capacity, and the largest one that large arrays suggest."""
_LEAST_ROWS, _ALL_ELEMENTS = 1 << 10, 1 << 26
"""The least capacity of a list of large arrays, and the most elements that it may have in all."""

# Conversion to counted lists


def needs_count(values: GrowingList, items: Sequence[Any]) -> ListNeeded | None:
    """Converts a list whose length changes in a loop or branch to a counted one; `items`: its content there.
    Returns None where that is impossible."""
    home = values.frame
    if values.is_plain or home is None or values.in_table is not None or values.counter is not None:
        return None
    if home.root.hooks is None or values.ask is not None or not items:
        return None
    frame: Any = innermost_frame()
    form = form_of(items[0])
    found = types_of(frame, form, items)
    if type(values) is GrowingList:
        pool = list_pools().enclosing_pool(home, form)
        if pool is not None and found and not any(shapes_of(form)):
            return ListNeeded(values, functools.partial(pool.take, values))
    known = list.__getitem__(values, slice(None))
    if not found or (values.array is None and known and types_of(frame, form, known) is None):
        return None
    return ListNeeded(values, functools.partial(make_counted, values, form, found))


def make_counted(values: GrowingList, form: ItemForm, found: Sequence[ItemType]) -> None:
    frame: Any = innermost_frame()
    items, count = list.__getitem__(values, slice(None)), list.__len__(values)
    form = _pool_of(items) if form is UNDECIDED else realized(form)
    shapes = [*shapes_of(form)]
    most = max(4 * count, _room(frame, max(map(math.prod, shapes)), values.most))
    if isinstance(form, Lists):
        form.take_all(items)
    columns: Sequence[Any] | None = [values.array] if values.array is not None else columns_of(form, items)
    if columns is None:
        raise TraceError("a list whose length values decide holds lists that loops of their own have made")
    mixed = values.is_mixed
    dtype = frame.device.fitting(I64)
    counter = [TracedArray(Cell(frame, full(frame.begin(), (), number, dtype))) for number in (0, count)]
    values.form, values.counter, values.added = form, counter, count
    values.columns = [values] if form is None else [GrowingList() for _ in found]
    for number, (column, wanted, shape) in enumerate(zip(values.columns, found, shapes, strict=True)):
        its = wanted
        if count:
            before = columns[number]
            is_array = before is column.array
            known = column.items_type if is_array else type_of_parts(frame, before)
            both = None if known is None else joined(known, wanted)
            if both is None:
                raise TraceError("a list that grows or shrinks as values decide holds items of several types")
            types = [known] if is_array else [type_of_part(frame, each) for each in before]
            its, column.mixed = both, mixed or any(each != wanted for each in (both, *types))
            column.one_dtype = not mixed
            is_one = all(each.dtype is its.dtype for each in types)  # type: ignore[union-attr]
            column.first = 0 if is_one else count
        else:
            column.one_dtype = True
        graph = frame.begin()
        array = TracedArray(Cell(frame, graph.make(ops.undefined, attributes=((most, *shape), its.dtype))))
        if count:
            array[:count] = array_of(frame, columns[number], its)
        if count and its.kind == ARRAY:
            for each in columns[number]:
                hold(each._cell)
        column.tags = column.original = None
        column.counter = counter
        become_array(column, array, its, 0)
    become_array(values, values.columns[0].array, values.columns[0].items_type, 0)


def _pool_of(items: Sequence[Any]) -> ItemForm:
    """Returns the pool for the items of a list that are lists."""
    pools = {each.pool for each in items if each.pool is not None}
    return pools.pop() if len(pools) == 1 else realized(UNDECIDED)


def realized(form: ItemForm) -> ItemForm:
    """Returns the form of a list of the innermost frame, with a pool for the items that are, or contain,
    lists."""
    frame: Any = innermost_frame()
    if isinstance(form, Constants):
        form.frame = frame
    if not isinstance(form, tuple):
        return list_pools().ListPool(frame) if form is UNDECIDED else form
    return form[0], tuple(map(realized, form[1]))


def _room(frame: TraceFrame, size: int, most: int) -> int:
    """Returns the capacity of a list, `most` at least, with arrays of so many elements as items."""
    usual = usual_room(frame)
    if size == 1:
        return max(most, usual)
    return min(max(most, min(usual, max(_ALL // size, _LEAST_ROWS))), _ALL_ELEMENTS // size)


def usual_room(frame: TraceFrame) -> int:
    """The usual capacity in items: larger where large arrays are given."""
    largest = max((each.node.size for each in frame.root.parameters), default=0)
    return max(_MOST, min(4 * largest, _ALL))


def list_pools() -> Any:
    return load("jitframe.tracing.lists.list_pools")  # few programs have lists of lists


def form_in(values: GrowingList) -> ItemForm:
    """Returns the form by which scalars make up an item."""
    return values.form if values.pool is None else values.pool.form


# Queries and changes


def length(values: GrowingList) -> Any:
    """The number of items."""
    end = counted(values, END)
    if not values.has_head:
        return end
    return integer(end - counted(values, HEAD), (0, most_of(values)))


def item_at(values: GrowingList, index: Any) -> Any:
    """Returns the item at an index: an integer, or a traced value."""
    return _read(values, _place(values, index, values.outside))


def takes(values: GrowingList, value: Any) -> bool:
    """Widens the types of the arrays where necessary so that they hold a value, too; returns whether that is
    possible."""
    if values.pool is not None:
        return bool(values.pool.takes(value))
    parts = parts_of(values.form, value)
    return parts is not None and all(map(accepts_part, values.columns, parts))


def store_at(values: GrowingList, index: Any, value: Any) -> None:
    """Stores a value that `takes` has accepted."""
    _write(values, _place(values, index, values.outside_stored), value)


def append(values: GrowingList, value: Any, first: bool = False) -> bool:
    """Appends or prepends an item; returns whether the arrays may hold it."""
    if values.pool is not None:
        return bool(values.pool.append(values, value))
    if not takes(values, value):
        return False
    if first:
        _need_head(values)
    _note_added(values)
    most = most_of(values)
    room = length(values) < most
    raise_unless(room, NumberError(f"a list gets more than {most} items in a loop; write to an array"))
    if not first:
        end = counted(values, END)
        place = _wrapped(values, end) if values.has_head else integer(where(room, end, 0), (0, most - 1))
        _write(values, place, value)
        set_count(values, END, where(room, end + 1, end))
        return True
    head = counted(values, HEAD)
    place = integer(where(head > 0, head, most) - 1, (0, most - 1))
    _write(values, place, value)
    set_count(values, END, where(head > 0, 0, most) + counted(values, END))
    set_count(values, HEAD, place)
    return True


def _note_added(values: GrowingList) -> None:
    """Counts an item for each iteration of the loops around the present code in which the list was not
    made."""
    if values.added is None:
        return
    frame: Any = innermost_frame()
    inside = itertools.takewhile(lambda each: each is not values.frame, (frame, *reversed(frame.enclosing)))
    times = [each.times for each in inside]
    values.added = None if None in times else values.added + math.prod(times)


def pop(values: GrowingList, first: bool, message: str = "") -> Any:
    """Removes the last item, or the first one, and returns it."""
    if first:
        _need_head(values)
    most = most_of(values)
    some = length(values) > 0
    raise_unless(some, IndexError(message or values.nothing_left))
    if first:
        head = counted(values, HEAD)
        found = _read(values, head)
        if values.pool is not None:
            set_count(values, HEAD, where(some, head + 1, head))
            return found
        ends = head == most - 1
        set_count(values, END, counted(values, END) - where(ends & some, most, 0))
        set_count(values, HEAD, where(some, where(ends, 0, head + 1), head))
        return found
    end = counted(values, END)
    last = integer(where(some, end - 1, 0), (0, 2 * most - 1 if values.has_head else most - 1))
    found = _read(values, _wrapped(values, last) if values.has_head else last)
    set_count(values, END, last if not values.has_head else where(some, last, end))
    return found


def shorten(values: GrowingList, most: int, first: bool) -> None:
    """Removes the first item, or the last one, where there are more than `most`."""
    if first:
        _need_head(values)
    more = length(values) > most
    if not first:
        set_count(values, END, counted(values, END) - where(more, 1, 0))
        return
    head = counted(values, HEAD)
    ends = more & (head == most_of(values) - 1)
    set_count(values, END, counted(values, END) - where(ends, most_of(values), 0))
    set_count(values, HEAD, where(ends, 0, head + where(more, 1, 0)))


def become_counted(values: GrowingList, items: Sequence[Any]) -> bool:
    """Converts a list to a counted one now, with these items or before they are added; returns whether it is
    one."""
    if values.counter is not None:
        return True
    needed = needs_count(values, items)
    return needed is not None and need(values, needed.change)


# Positions that are certainly in range


def item_of(values: GrowingList, place: Any) -> Any:
    """Returns the item at the position of a loop counter."""
    return _read(values, _inside(values, place), False)


def read_at(values: GrowingList, place: Any) -> Any:
    """Returns the item at a position."""
    return _read(values, _inside(values, within(values, place)))


def write_at(values: GrowingList, place: Any, value: Any) -> None:
    """Stores a value that `takes` has accepted at such a position."""
    _write(values, _inside(values, place), value)


def certain(values: GrowingList, place: Any) -> Any:
    """Returns a position that is in range wherever it is computed."""
    return place if isinstance(place, int) else integer(place, (0, most_of(values) - 1))


def within(values: GrowingList, place: Any) -> Any:
    """Clamps a position into range: both arms of a condition may be computed."""
    if isinstance(place, int):
        return place
    frame: Any = innermost_frame()
    graph, last = frame.begin(), most_of(values) - 1
    low, high = frame.root.ranges.of(frame, strong(graph, operand(frame, graph, place)))
    if low >= 0 and high <= last:
        return place
    inside = place <= last if low >= 0 else (place >= 0) & (place <= last)
    return integer(where(inside, place, 0), (0, last))


def _inside(values: GrowingList, place: Any) -> TracedArray:
    found = integer(place, (0, most_of(values) - 1))
    return _wrapped(values, found + counted(values, HEAD)) if values.has_head else found


def part(values: GrowingList, index: slice) -> GrowingList:
    """Returns a new list of the items of a slice, whose step is a known number."""
    made, at = GrowingList(), functools.partial(item_of, values)
    step = 1 if index.step is None else index.step
    run_traced(traced_list_functions.part, made, at, index.start, index.stop, step, length(values))
    return made


def reverse(values: GrowingList) -> None:
    values._check_shared()
    run_traced(traced_list_functions.reverse, values, length(values))


def joined_lists(*lists: Any) -> GrowingList:
    """Returns a new list of the items of several lists."""
    made = GrowingList()
    for each in lists:
        extend(made, each)
    return made


def extend(values: GrowingList, more: Any) -> None:
    """Appends the items of a list, one of both being counted, or of a masked selection."""
    if is_of_mask(more):
        mask, each = more.flat()
        run_traced(traced_list_functions.chosen, values, mask, each, mask.shape[0])
        return
    if isinstance(more, GrowingList) and more.counter is not None:
        run_traced(traced_list_functions.extend, values, more)
        return
    for each in more:
        values.append(each)


class Unnamed(GrowingList):
    """A list that no variable and no other list refers to, and that is in no pool."""

    __slots__ = ()


def list_of(chosen: Any, kind: type[GrowingList] = GrowingList) -> GrowingList:
    """Returns a new list of the elements of a masked selection."""
    made = kind()
    extend(made, chosen)
    return made


def has_some(values: GrowingList, message: str) -> None:
    """Raises where the list is empty."""
    raise_unless(length(values) > 0, IndexError(message))


def clear(values: GrowingList) -> None:
    """Removes all items."""
    values._check_shared()
    if values.pool is not None:
        set_count(values, END, counted(values, HEAD))
        return
    for which in (HEAD, END):
        set_count(values, which, 0)


def _need_head(values: GrowingList) -> None:
    if not values.has_head and not need(values, functools.partial(_have_head, values)):
        raise TraceError("a list that grows or shrinks as values decide loses or gets its first item")


def _have_head(values: GrowingList) -> None:
    values.has_head = True


def _place(values: GrowingList, index: Any, message: str) -> Any:
    """Returns the position of an item in the ring."""
    count = length(values)
    if isinstance(index, int):
        place = index if index >= 0 else count + index
        inside = count > index if index >= 0 else place >= 0
    else:
        place = index + where(index < 0, count, 0)
        inside = (place >= 0) & (place < count)
    raise_unless(inside, IndexError(message))
    return _inside(values, where(inside, place, 0))


def _wrapped(values: GrowingList, place: Any) -> Any:
    most = most_of(values)
    return integer(where(place < most, place, place - most), (0, most - 1))


def most_of(values: GrowingList) -> int:
    return int(values.columns[0].array.shape[0] if values.pool is None else values.pool.most)


def counts_of(values: GrowingList) -> list[TracedArray]:
    """Returns the arrays with the start and the end of the items."""
    pool = values.pool
    return list(values.counter) if pool is None else [pool.heads.array, pool.ends.array]


def counted(values: GrowingList, which: int) -> TracedArray:
    counter, most = values.counter, most_of(values)
    return integer(counter[which], (0, most - 1 if which == HEAD else 2 * most if values.has_head else most))


def set_count(values: GrowingList, which: int, value: Any) -> None:
    if values.pool is None:
        values.counter[which][...] = value
    else:
        values.counter.store(which, value)


def integer(value: Any, span: Range) -> TracedArray:
    """Returns a Python integer with these known bounds."""
    frame: Any = innermost_frame()
    graph = frame.begin()
    node = strong(graph, operand(frame, graph, value))
    frame.root.ranges.known[node] = span
    frame.note(node)
    return TracedArray(Cell(frame, node), None, NUMBER)


def _read(values: GrowingList, place: Any, known: bool = True) -> Any:
    """Returns the item at a position; `known`: the position is in range wherever it is computed, and is not
    checked."""
    found = [read_item(column, column.array, place, known) for column in values.columns]
    return made_of(form_in(values), iter(found))


def _write(values: GrowingList, place: Any, value: Any) -> None:
    for column, part in zip(values.columns, parts_of(form_in(values), value) or (), strict=True):
        write(column.array, place, part, True)


def raise_unless(inside: Any, error: Exception) -> None:
    frame: Any = innermost_frame()
    frame.root.hooks.raise_unless(inside, error)
