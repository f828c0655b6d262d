"""Lists of numbers as arrays: what a list becomes where an item is asked for, or changed, at a position that
only the program knows.

The array is made in the frame that the list was made in. Where a loop or branch inside of it is being traced,
`ListNeeded` ends that trace: it is made again with the list as an array, which it writes to as to any array
from around it.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy

from ..api import creation, movement
from ..api.frame import innermost_frame, operand
from ..api.selection import select, write_selection
from ..arrays.promotion import NUMBERS, Weak, kind_of
from ..functions.creation import full
from ..functions.operands import as_node, cast, strong
from ..ir.node import Node
from ..ir.record import record, replace
from ..ir.types import BOOL, I8, DType
from .cells import Cell
from .growing_list import IN_ARRAY, GrowingList
from .returned_rows import LISTS, ROWS, TAGGED, Form
from .row_values import Rows, row_at, run_of
from .traced import ARRAY, NUMBER, SCALAR, TracedArray

if TYPE_CHECKING:
    from .traced_frame import TraceFrame

READ, STORED = -1, -2
"""In place of an axis, of which the message of a position outside speaks."""
_EXACT = 1 << 53
"""Floats hold all integers up to it."""


class ListNeeded(BaseException):
    """A list has to be something else before the loop or branch that is traced: an array, or none."""

    def __init__(self, values: GrowingList, change: Callable[[], None]) -> None:
        self.values = values
        self.change = change


class ItemType(metaclass=record):
    """What the items of a list are."""

    dtype: DType
    kind: int


def position_of(index: Any) -> Any:
    """The index of an item: an integer, or a value of the trace."""
    if not isinstance(index, TracedArray):
        return operator.index(index)
    dtype = index._dtype
    if index._shape or not (dtype.is_integer or (dtype is BOOL and index._kind == NUMBER)):
        raise TypeError(f"list indices must be integers or slices, not {index._described()}")
    known = index._known()
    if known is None and not index._frame.root.keeps_scalars:
        known = index._value_by_arguments()
    if known is not None:
        return int(known)
    return index + 0 if dtype is BOOL else index


# Types of items


def type_of(frame: TraceFrame, value: Any) -> ItemType | None:
    """That of a number; None of anything else."""
    if isinstance(value, TracedArray):
        return None if value._shape or value._kind == ARRAY else ItemType(value._dtype, value._kind)
    if value.__class__ not in NUMBERS and not isinstance(value, numpy.generic):
        return None
    graph = frame.begin()
    given = operand(frame, graph, value)
    if isinstance(given, Node):
        return ItemType(given.dtype, SCALAR)
    return ItemType(strong(graph, given).dtype, NUMBER)


def type_of_items(frame: TraceFrame, items: Sequence[Any]) -> ItemType | None:
    """That of all items; None where they are not numbers that one array holds."""
    found: ItemType | None = None
    seen: set[Any] = set()
    for each in items:
        plain = each if each.__class__ in NUMBERS else None
        if plain is not None and (plain.__class__, plain) in seen:
            continue
        seen.add((plain.__class__, plain))
        its = type_of(frame, each)
        found = its if found is None or its is None else joined(found, its)
        if found is None or (found.dtype.is_float and not _is_exact(frame, each)):
            return None
    if found is not None and found.dtype.is_float and not all(_is_exact(frame, each) for each in items):
        return None
    return found


def joined(x: ItemType, y: ItemType) -> ItemType | None:
    """What holds items of both, as a variable would that is bound to one or the other (see
    `capture.values`)."""
    if x == y:
        return x
    if x.dtype is y.dtype:
        return x if x.kind != NUMBER else y
    ranks = kind_of(x.dtype), kind_of(y.dtype)
    if ranks[0] == ranks[1]:
        return None
    low, high = (x, y) if ranks[0] < ranks[1] else (y, x)
    if low.kind != high.kind and high.dtype.bits != 64:
        return None
    return high


def takes(values: GrowingList, found: ItemType, value: Any) -> bool:
    """Has an array be of a type that holds a value of this type, too; whether that can be."""
    whole = values if values.in_table is None else values.in_table
    frame: Any = innermost_frame()
    wanted = joined(whole.items_type, found)
    if wanted is None or (found != wanted and wanted.dtype.is_float and not _is_exact(frame, value)):
        return False
    if wanted != whole.items_type:
        return need(whole, functools.partial(_retype, whole, wanted))
    if found != wanted and not whole.is_mixed:
        return need(whole, functools.partial(_mix, whole))
    return True


def knows_type(values: GrowingList, found: ItemType, value: Any) -> bool:
    """Has a list not know the types of its items where that of a value is not known; whether that can be."""
    if values.tags is None or found != values.items_type or not isinstance(value, TracedArray):
        return True
    frame: Any = innermost_frame()
    node = operand(frame, frame.begin(), value)
    node = node.node if isinstance(node, Weak) else node
    if is_certain(frame, node, found):  # type: ignore[arg-type]
        return True
    return need(values, functools.partial(_forget_types, values))


def _forget_types(values: GrowingList) -> None:
    values.mixed, values.tags = True, None


def _mix(values: GrowingList) -> None:
    """Has a list know the types of its items, which differ from now on."""
    array = values.array
    assert array is not None
    values.mixed = array.ndim > 1 or values.counter is not None
    if values.mixed:
        return
    frame: Any = innermost_frame()
    values.types = [values.items_type]
    values.tags = TracedArray(Cell(frame, full(frame.begin(), array.shape, 0, I8)))


def _retype(values: GrowingList, found: ItemType) -> None:
    """Makes an array one of another type."""
    if not values.is_mixed:
        _mix(values)
    frame: Any = innermost_frame()
    array = values.array
    assert array is not None
    values.array, values.items_type = array_of(frame, array, found), found
    if array.ndim == 2:
        for number, each in enumerate(list.__getitem__(values, slice(None))):
            _set(each, values.array[number], found)


def _is_exact(frame: TraceFrame, value: Any) -> bool:
    """Whether a float of 64 bits holds a number."""
    if isinstance(value, TracedArray):
        if not value._dtype.is_integer:
            return True
        given = operand(frame, frame.begin(), value)
        low, high = frame.root.ranges.of_operand(frame, given)
        return low >= -_EXACT and high <= _EXACT
    return not isinstance(value, int) or -_EXACT <= value <= _EXACT


def is_certain(frame: TraceFrame, node: Node, wanted: ItemType) -> bool:
    """Whether a value of the type `wanted` is of it in Python, too, where an item of several types may be of
    another one."""
    reads = frame.root.list_reads
    if node in reads:
        return bool(reads[node] == wanted)
    if not node.inputs:
        outer = next((each for each, inner in frame.invariants.items() if inner is node), None)
        return outer is not None and is_certain(frame.enclosing[-1], outer, wanted)
    if node.op.family != "elementwise":  # of an array, or what a loop or branch gives
        return bool(node.inputs[0].shape) and node.op.family != "item"
    made = [is_certain(frame, each, wanted) for each in node.inputs if each.dtype is node.dtype]
    # Of a sum or product one operand says the type; of a choice each.
    return bool(made) and (all(made) if node.op.overflow is None else any(made))


# Lists that become arrays, and arrays that become lists


def need(values: GrowingList, change: Callable[[], None]) -> bool:
    """Has a list changed by `change`, in the frame that it was made in; whether that can be."""
    frame, home = innermost_frame(), values.frame
    if frame is home:
        change()
        return True
    around = getattr(frame, "enclosing", ())
    if home not in around:
        return False
    between = [frame, *around[around.index(home) + 1 :]]
    if not all(getattr(each, "captures", False) for each in between):
        return False
    raise ListNeeded(values, change)


def made_array(values: GrowingList, wanted: ItemType | None = None) -> bool:
    """Makes a list an array, also of the type `wanted`; whether it can be one."""
    if values.is_plain or values.frame is None or not list.__len__(values):
        return False
    items = list.__getitem__(values, slice(None))
    if all(_is_row(each) for each in items):
        return _made_table(values, items)
    frame: Any = innermost_frame()
    found = type_of_items(frame, items)
    if found is not None and wanted is not None:
        found = joined(found, wanted)
    return found is not None and need(values, functools.partial(_become, values, found))


def _is_row(value: Any) -> bool:
    return type(value) is GrowingList


def _made_table(values: GrowingList, rows: Sequence[Any]) -> bool:
    """Makes a list of lists of one length an array of two axes."""
    frame: Any = innermost_frame()
    counts = {list.__len__(each) for each in rows}
    if len({id(each) for each in rows}) < len(rows) or len(counts) != 1 or 0 in counts:
        return False
    if any(each.is_plain or each.in_table or each.frame is not values.frame for each in rows):
        return False
    found: ItemType | None = None
    for each in rows:
        its = type_of_items(frame, each.items) if each.array is None else each.items_type
        found = its if found is None or its is None else joined(found, its)
        if found is None:
            return False
    assert found is not None  # a list has rows
    return need(values, functools.partial(_become_table, values, found))


def _become(values: GrowingList, found: ItemType) -> None:
    """Makes a list an array."""
    frame: Any = innermost_frame()
    items = list.__getitem__(values, slice(None))
    its = [type_of(frame, each) for each in items]
    if any(each != found for each in its):
        values.types = list(dict.fromkeys(its))
        values.tags = creation.asarray(numpy.array([values.types.index(each) for each in its], numpy.int8))
    values.original = items
    _set(values, array_of(frame, items, found), found)


def _set(values: GrowingList, array: TracedArray, found: ItemType) -> None:
    values.array, values.items_type = array, found
    list.__setitem__(values, slice(None), [IN_ARRAY] * array.shape[0])


def _become_table(values: GrowingList, found: ItemType) -> None:
    frame: Any = innermost_frame()
    rows = list.__getitem__(values, slice(None))
    for each in rows:
        if each.array is None:
            _become(each, found)
    whole = movement.stack([array_of(frame, each.array, found) for each in rows])
    values.array, values.items_type = whole, found
    values.mixed = any(each.mixed or each.tags is not None for each in rows)
    for number, each in enumerate(rows):
        each.in_table, each.tags = values, None
        _set(each, whole[number], found)


def array_of(frame: TraceFrame, items: Any, found: ItemType) -> TracedArray:
    """A new array of numbers."""
    graph = frame.begin()
    if isinstance(items, TracedArray):
        return TracedArray(Cell(frame, cast(graph, strong(graph, operand(frame, graph, items)), found.dtype)))
    run = run_of(items)
    if run is not None:
        return array_of(frame, run.array(), found)
    if all(each.__class__ in NUMBERS for each in items):
        if all(each.__class__ is items[0].__class__ and each == items[0] for each in items):
            return TracedArray(Cell(frame, full(graph, (len(items),), items[0], found.dtype)))
        made = creation.asarray(numpy.array(items, found.dtype.numpy_name))
    else:
        nodes = [as_node(graph, operand(frame, graph, each), found.dtype) for each in items]
        made = movement.stack([TracedArray(Cell(frame, node), None, SCALAR) for node in nodes])
    return TracedArray(Cell(frame, strong(frame.graph, operand(frame, frame.begin(), made))))


def become_plain(values: GrowingList) -> None:
    """Makes an array a list again, which stays one."""
    if values.in_table is not None:
        become_plain(values.in_table)
        return
    array, kind = values.array, values.items_type.kind
    values.is_plain = True
    if array is None:
        return
    rows = list.__getitem__(values, slice(None))
    values.array = None
    if array.ndim == 1:
        list.__setitem__(values, slice(None), [row_at(array, place, kind) for place in range(array.shape[0])])
        return
    for each in rows:
        each.in_table = None
        become_plain(each)


# Items


def item_at(values: GrowingList, index: Any) -> Any:
    """The item at a position: an integer in its bounds, or a value of the trace."""
    array = values.array
    assert array is not None
    if array.ndim == 2:
        if isinstance(index, int):
            return list.__getitem__(values, index)
        selection = replace(select(index, array.shape), labels=(READ,))
        return values.row(array._selected(selection))
    kind = values.items_type.kind
    if isinstance(index, int):
        found = row_at(array, index % array.shape[0], kind)
        _note_read(values, found._cell.frame, found._node(found._cell.frame.graph))
        return found
    frame: Any = array._frame
    selection = replace(select(index, array.shape), labels=(READ,))
    graph = frame.begin()
    source = strong(graph, operand(frame, graph, array))
    node = selection.read(graph, source, selection.nodes(frame, graph))
    frame.note(node)
    _note_read(values, frame, node)
    return TracedArray(Cell(frame, node), None, kind)


def _note_read(values: GrowingList, frame: TraceFrame, node: Node) -> None:
    whole = values if values.in_table is None else values.in_table
    frame.root.list_reads[node] = None if whole.is_mixed else values.items_type


def store_at(values: GrowingList, index: Any, value: Any) -> None:
    """Makes a number the item at a position, of its type."""
    array, tags = values.array, values.tags
    assert array is not None
    _write(array, index, value)
    if tags is not None:
        frame: Any = innermost_frame()
        its = type_of(frame, value)
        if its not in values.types:
            values.types.append(its)
        _write(tags, index, numpy.int8(values.types.index(its)))


def _write(array: TracedArray, index: Any, value: Any) -> None:
    if isinstance(index, int):
        array[index] = value
    else:
        write_selection(array, replace(select(index, array.shape), labels=(STORED,)), value)


def snapshot(values: GrowingList) -> TracedArray:
    """A new array of what a list holds now, that is one."""
    array = values.array
    assert array is not None
    frame: Any = array._frame
    graph = frame.begin()
    node = strong(graph, operand(frame, graph, array))
    frame.note(node)
    return TracedArray(Cell(frame, node))


def take_apart(values: GrowingList) -> tuple[Form, list[Any]]:
    """How a list is put together of arrays, and these (see `returned_rows`)."""
    whole = snapshot(values)
    is_python = values.items_type.kind == NUMBER
    if values.tags is not None:
        types = tuple([(each.dtype.numpy_name, each.kind == NUMBER) for each in values.types])
        tags = strong(
            whole._cell.frame.graph, operand(whole._cell.frame, whole._cell.frame.begin(), values.tags)
        )
        return ((TAGGED, types),), [whole, TracedArray(Cell(whole._cell.frame, tags))]
    if whole.ndim == 1:
        return ((ROWS, is_python),), [whole]
    return ((LISTS, is_python, whole.shape[1]),), [whole.reshape(-1)]


def copied(values: GrowingList) -> GrowingList:
    """A new list of numbers that is an array as well."""
    made = GrowingList.of(snapshot(values), values.items_type)
    made.mixed = values.is_mixed
    return made


def rows_of_array(values: GrowingList) -> Rows:
    """What is at each position of a list that is an array, when it is asked for."""
    return Rows(list.__len__(values), lambda position: item_at(values, position))


def iterated(values: GrowingList) -> Iterator[Any]:
    """The items one by one, each when it is asked for."""
    return (item_at(values, position) for position in range(list.__len__(values)))
