"""Lists of numbers that grow and shrink as values decide: an array of the most items, and how many there are.

Where a list gets more items than the array holds, Python answers the call.
"""

from __future__ import annotations

import functools
import operator
from typing import Any

from ..api.elementwise import where
from ..api.frame import innermost_frame, operand
from ..api.selection import select, write_selection
from ..errors import NumberError, TraceError
from ..functions.creation import full
from ..functions.operands import strong
from ..ir import ops
from ..ir.record import replace
from ..ir.types import I64
from .cells import Cell
from .growing_list import IN_ARRAY, GrowingList
from .list_arrays import (
    READ,
    STORED,
    ItemType,
    ListNeeded,
    array_of,
    joined,
    need,
    snapshot,
    takes,
    type_of,
    type_of_items,
)
from .returned_rows import COUNTED, Form
from .traced import NUMBER, TracedArray

HEAD, END = 0, 1
"""In the counter of a list: the position of its first item, and that behind its last one."""


def needed(values: GrowingList, items: list[Any]) -> ListNeeded | None:
    """Has a list be counted whose length changes in a loop or branch; `items`: what it holds there. None
    where it cannot be."""
    home = values.frame
    if values.is_plain or home is None or values.in_table is not None or values.counter is not None:
        return None
    if home.root.hooks is None or values.ask is not None:
        return None
    frame: Any = innermost_frame()
    known = list.__getitem__(values, slice(None))
    found = type_of_items(frame, items) if items else None
    if found is None or (known and any(type_of(frame, each) is None for each in known)):
        return None
    return ListNeeded(values, functools.partial(_become, values, found))


def _become(values: GrowingList, found: ItemType) -> None:
    frame: Any = innermost_frame()
    items: Any = values.array if values.array is not None else list.__getitem__(values, slice(None))
    held = list.__len__(values)
    most = max(values.most, 4 * held)
    if held:
        its = values.items_type if values.array is items else type_of_items(frame, items)
        wanted = None if its is None else joined(its, found)
        if wanted is None:
            raise TraceError("a list that grows or shrinks as values decide holds items of several types")
        values.mixed, found = values.is_mixed or its != found, wanted
    graph = frame.begin()
    array = TracedArray(Cell(frame, graph.make(ops.undefined, attributes=((most,), found.dtype))))
    if held:
        array[:held] = array_of(frame, items, found)
    dtype = frame.device.narrows.get(I64, I64)
    values.counter = TracedArray(Cell(frame, full(frame.begin(), (2,), 0, dtype)))
    if held:
        values.counter[END] = held
    values.array, values.items_type, values.tags = array, found, None
    values.original = None
    list.__setitem__(values, slice(None), [])


def length(values: GrowingList) -> Any:
    """How many items there are."""
    return _counted(values, END) - _counted(values, HEAD) if values.has_head else _counted(values, END)


def _counted(values: GrowingList, which: int) -> TracedArray:
    counter = values.counter
    assert counter is not None and values.array is not None
    frame: Any = counter._frame
    graph = frame.begin()
    node = strong(graph, operand(frame, graph, counter[which]))
    frame.root.ranges.known[node] = 0, values.array.shape[0]
    frame.note(node)
    return TracedArray(Cell(frame, node), None, NUMBER)


def fix(values: GrowingList) -> None:
    """Has the trace cut where the length is needed now: the list is an array of so many items."""
    if innermost_frame() is not values.frame:
        raise TraceError(
            "a list that grows or shrinks as values decide is asked in a loop or branch for more than its "
            "length, its items at positions and its end"
        )
    head = operator.index(_counted(values, HEAD)) if values.has_head else 0
    end = operator.index(_counted(values, END))
    whole, count = snapshot(values)[head:end].copy(), end - head
    values.counter, values.has_head = None, False
    if count:
        values.array = whole
        list.__setitem__(values, slice(None), [IN_ARRAY] * count)
    else:
        values.array = None


def append(values: GrowingList, value: Any) -> bool:
    """Adds a number to the end; whether it is one of a type that the array may hold."""
    found = type_of(innermost_frame(), value)  # type: ignore[arg-type]
    if found is None or not takes(values, found, value):
        return False
    end, array = _counted(values, END), values.array
    assert array is not None and values.counter is not None
    most = array.shape[0]
    error = NumberError(f"a list gets more than {most} items in a loop; write to an array")
    error.is_beyond = True
    _raise_unless(end < most, error)
    place = where(end < most, end, most - 1)
    write_selection(array, replace(select(place, array.shape), labels=(STORED,)), value)
    values.counter[END] = place + 1
    return True


def pop(values: GrowingList, first: bool) -> Any:
    """Takes the last item away, or the first one."""
    if first and not values.has_head and not need(values, functools.partial(_have_head, values)):
        raise TraceError("a list that grows or shrinks as values decide loses its first item")
    some = length(values) > 0
    _raise_unless(some, IndexError("pop from empty list"))
    place = where(some, _counted(values, HEAD) if first else _counted(values, END) - 1, 0)
    found = _read(values, place)
    assert values.counter is not None
    values.counter[HEAD if first else END] = where(some, place + 1 if first else place, 0)
    return found


def _have_head(values: GrowingList) -> None:
    values.has_head = True


def item_at(values: GrowingList, index: Any) -> Any:
    """The item at a position, an integer or a value of the trace."""
    return _read(values, _place(values, index, "list index out of range"))


def store_at(values: GrowingList, index: Any, value: Any) -> bool:
    """Makes a number the item at a position; whether it is one of a type that the array may hold."""
    found = type_of(innermost_frame(), value)  # type: ignore[arg-type]
    if found is None or not takes(values, found, value):
        return False
    array = values.array
    assert array is not None
    place = _place(values, index, "list assignment index out of range")
    write_selection(array, replace(select(place, array.shape), labels=(STORED,)), value)
    return True


def _place(values: GrowingList, index: Any, message: str) -> Any:
    count = length(values)
    if isinstance(index, int):
        place = index if index >= 0 else count + index
        inside = count > index if index >= 0 else place >= 0
    else:
        place = index + where(index < 0, count, 0)
        inside = (place >= 0) & (place < count)
    _raise_unless(inside, IndexError(message))
    return where(inside, place + _counted(values, HEAD) if values.has_head else place, 0)


def _read(values: GrowingList, place: Any) -> Any:
    array = values.array
    assert array is not None
    frame: Any = array._frame
    selection = replace(select(place, array.shape), labels=(READ,))
    graph = frame.begin()
    source = strong(graph, operand(frame, graph, array))
    node = selection.read(graph, source, selection.nodes(frame, graph))
    frame.note(node)
    frame.root.list_reads[node] = None if values.is_mixed else values.items_type
    return TracedArray(Cell(frame, node), None, values.items_type.kind)


def _raise_unless(inside: Any, error: Exception) -> None:
    frame: Any = innermost_frame()
    frame.root.hooks.raise_unless(inside, error)


def take_apart(values: GrowingList) -> tuple[Form, list[Any]]:
    """How a list is put together of its array and its length."""
    whole = snapshot(values)
    return ((COUNTED, values.items_type.kind == NUMBER),), [
        whole,
        _counted(values, HEAD),
        _counted(values, END),
    ]
