"""Lists as arrays: a list becomes an array where an item at a traced position is read or changed.

The array is made in the frame that the list was made in. Where a loop or branch inside of it is being traced,
`ListNeeded` ends that trace: it is made again with the list as an array, which it writes to as to any array
of an enclosing frame.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy

from ... import api
from ...api.calls import operand
from ...api.frame import innermost_frame
from ...api.indexing.selection import Selection, select, write_selection
from ...arrays.promotion import NUMBERS, Weak
from ...functions import late
from ...functions.operands import as_node, cast, strong
from ...ir.node import Node
from ...ir.record import replace
from ...ir.types import BOOL, I8, U64
from ..arguments.growing_list import IN_ARRAY, GrowingList, counted_lists
from ..arguments.returned_rows import LISTS, ROWS, TAGGED, Form
from ..values.cells import Cell, hold
from ..values.conversions import DTYPES, item_of
from ..values.traced import ARRAY, NUMBER, SCALAR, TracedArray
from .item_types import ItemType, is_certain, is_exact, joined, type_of, type_of_items, type_of_part
from .row_values import Rows, row_at, run_of

if TYPE_CHECKING:
    from ..values.traced_frame import TraceFrame

full = late("creation", "full")
READ, STORED = -1, -2
"""Marks in place of an axis, for the messages of positions out of range."""


class ListNeeded(BaseException):
    """Aborts the trace of a loop or branch: a list, dict or set has to become an array before it."""

    def __init__(self, values: Any, change: Callable[[], None]) -> None:
        self.values = values
        self.change = change


def position_of(index: Any) -> Any:
    """Returns the index of an item: an integer, or a traced value."""
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


def accepts_part(values: GrowingList, value: Any) -> bool:
    """Widens the type of an array where necessary so that it holds a scalar, too, or another array as a row;
    returns whether that is possible. Nothing may be written to that array from now on."""
    frame: Any = innermost_frame()
    found = type_of_part(frame, value)
    if found is None or not (_takes(values, found, value) and _knows_type(values, found, value)):
        return False
    if found.kind == ARRAY:
        hold(value._cell)
    return True


def _takes(values: GrowingList, found: ItemType, value: Any) -> bool:
    whole = values if values.in_table is None else values.in_table
    frame: Any = innermost_frame()
    wanted = joined(whole.items_type, found)
    if wanted is None or (found != wanted and wanted.dtype.is_float and not is_exact(frame, value)):
        return False
    whole.one_dtype &= found.dtype is whole.items_type.dtype
    if wanted != whole.items_type:
        return need(whole, functools.partial(_retype, whole, wanted))
    if found != wanted and not whole.is_mixed:
        return need(whole, functools.partial(_mix, whole))
    return True


def _knows_type(values: GrowingList, found: ItemType, value: Any) -> bool:
    """Forgets the types of a list's items where that of a value is not known; returns whether that is
    possible."""
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
    """Records the type of each item of a list, as they differ from now on."""
    array = values.array
    assert array is not None
    values.mixed = array.ndim > 1 or values.counter is not None
    if values.mixed:
        return
    frame: Any = innermost_frame()
    values.types = [values.items_type]
    values.tags = TracedArray(Cell(frame, full(frame.begin(), array.shape, 0, I8)))


def _retype(values: GrowingList, found: ItemType) -> None:
    """Converts an array to another type."""
    if not values.is_mixed:
        _mix(values)
    frame: Any = innermost_frame()
    array = values.array
    assert array is not None
    values.array, values.items_type = array_of(frame, array, found), found
    if array.ndim == 2:
        for number, each in enumerate(list.__getitem__(values, slice(None))):
            become_array(each, values.array[number], found, array.shape[1])


# Conversion of lists to arrays, and back


def need(values: Any, change: Callable[[], None]) -> bool:
    """Applies `change` to a list, dict or set in the frame that it was made in; returns whether that is
    possible."""
    frame, home = innermost_frame(), values.frame
    if frame is home:
        change()
        return True
    enclosing = getattr(frame, "enclosing", ())
    if home not in enclosing:
        return False
    between = [frame, *enclosing[enclosing.index(home) + 1 :]]
    if not all(getattr(each, "captures", False) for each in between):
        return False
    raise ListNeeded(values, change)


def made_array(values: GrowingList, wanted: ItemType | None = None) -> bool:
    """Converts a list to an array, which also holds the type `wanted`; returns whether that is possible. A
    list of lists of several lengths becomes an array of their numbers (see `list_pools`)."""
    if values.is_plain or values.frame is None or not list.__len__(values):
        return False
    items = list.__getitem__(values, slice(None))
    if all(_is_row(each) for each in items):
        return _made_table(values, items) or counted_lists().become_counted(values, items)
    frame: Any = innermost_frame()
    found = type_of_items(frame, items)
    if found is not None and wanted is not None:
        found = joined(found, wanted)
    return found is not None and need(values, functools.partial(_become, values, found))


def _is_row(value: Any) -> bool:
    return type(value) is GrowingList


def _made_table(values: GrowingList, rows: Sequence[Any]) -> bool:
    """Converts a list of lists of one length to an array of two axes."""
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
    """Converts a list to an array."""
    frame: Any = innermost_frame()
    items = list.__getitem__(values, slice(None))
    its = [type_of(frame, each) for each in items]
    if any(each != found for each in its):
        values.types = list(dict.fromkeys(its))
        tags = numpy.array([values.types.index(each) for each in its], numpy.int8)
        values.tags = api.creation.constructors.asarray(tags)
    values.original = items
    become_array(values, array_of(frame, items, found), found, len(items))


def become_array(values: GrowingList, array: TracedArray | None, found: ItemType, count: int) -> None:
    values.array, values.items_type = array, found
    list.__setitem__(values, slice(None), [IN_ARRAY] * count)


def _become_table(values: GrowingList, found: ItemType) -> None:
    frame: Any = innermost_frame()
    rows = list.__getitem__(values, slice(None))
    if all(each.array is None for each in rows):
        items = [list.__getitem__(each, slice(None)) for each in rows]
        together = [each for row in items for each in row]
        whole = array_of(frame, together, found).reshape((len(rows), -1))
        for each, row in zip(rows, items, strict=True):
            each.original = row
        kinds = set(map(type, together))
        some: Iterable[Any] = together
        if NUMBERS.issuperset(kinds):
            some = [each for _, each in set(zip(map(type, together), together, strict=True))]
        is_mixed = any(type_of(frame, each) != found for each in some)
    else:
        for each in rows:
            if each.array is None:
                _become(each, found)
        whole = api.movement.stack([array_of(frame, each.array, found) for each in rows])
        is_mixed = any(each.is_mixed for each in rows)
    values.array, values.items_type, values.mixed = whole, found, is_mixed
    for number, each in enumerate(rows):
        each.in_table, each.tags = values, None
        become_array(each, whole[number], found, whole.shape[1])


def listed(array: TracedArray) -> Any:
    """`array.tolist()`: a list that is an array of one or two axes."""
    if not array.ndim:
        return item_of(array, ())
    if array.ndim > 2 or not array.size or array._dtype is U64 or array._known() is not None:
        return array._concrete(".tolist()").tolist()
    frame: Any = innermost_frame()
    found = ItemType(DTYPES[array._dtype.kind], NUMBER)
    found = ItemType(frame.device.narrows.get(found.dtype, found.dtype), NUMBER)
    whole = array_of(frame, array, found)
    made = GrowingList.of(whole, found)
    if whole.ndim == 2:
        list.__setitem__(made, slice(None), [made.row(whole[place]) for place in range(whole.shape[0])])
    return made


def array_of(frame: TraceFrame, items: Any, found: ItemType) -> TracedArray:
    """Returns a new array of scalars, or of arrays as its rows."""
    graph = frame.begin()
    if isinstance(items, TracedArray):
        return TracedArray(Cell(frame, cast(graph, strong(graph, operand(frame, graph, items)), found.dtype)))
    run = run_of(items)
    if run is not None:
        return array_of(frame, run.array(), found)
    kinds = set(map(type, items))
    if NUMBERS.issuperset(kinds):
        if len(kinds) == 1 and items.count(items[0]) == len(items):
            return TracedArray(Cell(frame, full(graph, (len(items),), items[0], found.dtype)))
        made = api.creation.constructors.asarray(numpy.array(items, found.dtype.numpy_name))
    else:
        nodes = [as_node(graph, operand(frame, graph, each), found.dtype) for each in items]
        made = api.movement.stack([TracedArray(Cell(frame, node), None, SCALAR) for node in nodes])
    return TracedArray(Cell(frame, strong(frame.graph, operand(frame, frame.begin(), made))))


def become_plain(values: GrowingList) -> None:
    """Converts an array back to a list, which remains one."""
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


def become_lists(values: GrowingList) -> None:
    """Converts an array of two axes to a list of lists of any length. Raises ListNeeded where that has to
    happen before the loop or branch that is traced."""
    frame: Any = innermost_frame()
    if frame is not values.frame and need(values, functools.partial(_become_lists, values)):
        raise AssertionError("a list was changed that is not of this frame")


def _become_lists(values: GrowingList) -> None:
    become_plain(values)
    rows = list.__getitem__(values, slice(None))
    for each in (values, *rows):
        each.is_plain = False
    counted_lists().become_counted(values, rows)


# Items


def item_at(values: GrowingList, index: Any) -> Any:
    """Returns the item at an index: an integer, in range where the length is known, or a traced value."""
    array = values.array
    assert array is not None
    if array.ndim == 2:
        if isinstance(index, int):
            return list.__getitem__(values, index)
        return values.row(array._selected(replace(select(index, array.shape), labels=(READ,))))
    if not isinstance(index, int):
        return read_item(values, array, index)
    found = row_at(array, index % array.shape[0], values.items_type.kind)
    _note_read(values, found._cell.frame, found._node(found._cell.frame.graph))
    return found


def read_item(values: GrowingList, array: TracedArray, place: Any, known: bool = False) -> TracedArray:
    """Returns the item at a position; `known`: it is certainly in range and not negative."""
    frame = array._frame
    selection = _item(array, place, READ, known)
    graph = frame.begin()
    source = strong(graph, operand(frame, graph, array))
    node = selection.read(graph, source, selection.nodes(frame, graph))
    frame.note(node)
    _note_read(values, frame, node)
    found = TracedArray(Cell(frame, node), None, values.items_type.kind)
    if found._kind == ARRAY:
        hold(found._cell)
    return found


def _note_read(values: GrowingList, frame: TraceFrame, node: Node) -> None:
    whole = values if values.in_table is None else values.in_table
    frame.root.list_reads[node] = None if whole.is_mixed else values.items_type


def store_at(values: GrowingList, index: Any, value: Any) -> None:
    """Stores a number that `accepts_part` has accepted."""
    array, tags = values.array, values.tags
    assert array is not None
    write(array, index, value)
    if tags is not None:
        frame: Any = innermost_frame()
        its = type_of(frame, value)
        if its not in values.types:
            values.types.append(its)
        write(tags, index, numpy.int8(values.types.index(its)))


def write(array: TracedArray, index: Any, value: Any, known: bool = False) -> None:
    if isinstance(index, int):
        array[index] = value
    else:
        write_selection(array, _item(array, index, STORED, known), value)


def _item(array: TracedArray, place: Any, label: int, known: bool) -> Selection:
    selection = select(place, array.shape)
    return replace(selection, labels=(label,), known=(known or selection.known[0],))


def snapshot(values: GrowingList) -> TracedArray:
    """Returns a new array of the present items."""
    array = values.array
    assert array is not None
    frame: Any = array._frame
    graph = frame.begin()
    node = strong(graph, operand(frame, graph, array))
    frame.note(node)
    return TracedArray(Cell(frame, node))


def deconstruct(values: GrowingList) -> tuple[Form, list[Any]]:
    """Returns a form and the arrays that the list is built from (see `returned_rows`)."""
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
    """Returns a new list that is an array as well."""
    made = GrowingList.of(snapshot(values), values.items_type)
    made.mixed = values.is_mixed
    return made


def rows_of_array(values: GrowingList) -> Rows:
    """Returns the items of a list that is an array, each made when asked for."""
    return Rows(list.__len__(values), lambda position: item_at(values, position))
