"""Items of tuples, lists and dicts at traced positions, or by traced keys.

Numbers become an array in the frame in which all of them are known, arrays are stacked, and tuples are split
into columns. Other items are refused, unless they are equal.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..api import movement
from ..api.calls import operand
from ..api.elementwise.arithmetic import where
from ..api.frame import entered, innermost_frame
from ..api.indexing.selection import select
from ..errors import TraceError
from ..functions.operands import strong
from ..tracing.arguments.growing_dict import TOGETHER, GrowingDict
from ..tracing.arguments.growing_list import GrowingList, elements_of
from ..tracing.environment.views import DictView, ListView
from ..tracing.lists.item_types import ItemType, type_of_items
from ..tracing.lists.list_arrays import array_of, position_of
from ..tracing.values.cells import Cell
from ..tracing.values.traced import ARRAY, NUMBER, TracedArray
from ..tracing.values.traced_frame import TraceFrame
from .aliases import tie

MOST_KEYS = 64
"""The most nonconsecutive keys of a dict that a traced key is compared with."""


def item_of(container: Any, index: Any) -> Any:
    """`container[index]`, where the index is, or contains, a traced value."""
    if isinstance(container, dict):
        place, found = _place_of(list(container), index)
        _raise_unless(found, KeyError("a key that is not in the dict"))
        return _at(list(container.values()), place)
    items = elements_of(container) if isinstance(container, list) else container
    place = position_of(index)
    kind = "list" if isinstance(container, list) else "tuple"
    if isinstance(place, int):
        return items[place]
    return _at(items, _inside(place, len(items), f"{kind} index out of range"))


def is_table(container: Any, index: Any) -> bool:
    """Whether an item is looked up by a traced position or key."""
    if isinstance(container, dict):
        is_plain = type(container) in (dict, DictView) or (
            type(container) is GrowingDict and container.table is None and 0 < len(container) <= TOGETHER
        )
        return is_plain and _is_traced(index)
    if not isinstance(index, TracedArray) or index._shape:
        return False
    if isinstance(container, GrowingList):
        items = elements_of(container)
        is_plain = container.array is None and container.earlier is None and container.ask is None
        return is_plain and bool(items) and not all(_is_number(each) for each in items)
    return isinstance(container, tuple) or type(container) in (list, ListView)


def _is_traced(key: Any) -> bool:
    return isinstance(key, TracedArray) or (isinstance(key, tuple) and any(map(_is_traced, key)))


def _is_number(value: Any) -> bool:
    return type(value) is GrowingList or not isinstance(value, (tuple, str, TracedArray)) or (
        isinstance(value, TracedArray) and value._kind != ARRAY
    )  # fmt: skip


def _inside(place: TracedArray, count: int, message: str) -> Any:
    """Returns a nonnegative position; raises where it is out of range."""
    frame: Any = innermost_frame()
    low, high = frame.root.ranges.of_operand(frame, operand(frame, frame.begin(), place))
    if low < -count or high >= count:
        inside = (place >= -count) & (place < count)
        _raise_unless(inside, IndexError(message))
        place = where(inside, place, 0)
    if low < 0:
        place = where(place < 0, place + count, place)
    return _bounded(place, count)


def _bounded(place: Any, count: int) -> TracedArray:
    frame: Any = innermost_frame()
    graph = frame.begin()
    node = strong(graph, operand(frame, graph, place))
    frame.root.ranges.known[node] = 0, max(count - 1, 0)
    frame.note(node)
    return TracedArray(Cell(frame, node), None, NUMBER)


def _place_of(keys: Sequence[Any], key: Any) -> tuple[Any, Any]:
    """Returns the position of a key among others, and whether it is one of them."""
    hooks: Any = innermost_frame().root.hooks  # type: ignore[union-attr]
    whole = isinstance(key, TracedArray) and (key._dtype.is_integer or key._dtype.kind == "bool")
    if (
        whole
        and all(type(each) is int for each in keys)
        and list(keys) == [*range(keys[0], keys[0] + len(keys))]
    ):
        place = key - keys[0]
        found = (place >= 0) & (place < len(keys))
        return _bounded(where(found, place, 0), len(keys)), found
    if len(keys) > MOST_KEYS:
        raise TraceError(
            f"a dict of more than {MOST_KEYS} keys is asked for one that is a value of the trace"
        )
    place, found = 0, False
    for number, each in enumerate(keys):
        same = hooks.equal(each, key)
        if same is False:
            continue
        place, found = (number, True) if same is True else (where(same, number, place), found | same)
    return _bounded(place, len(keys)), found


def _at(items: Sequence[Any], place: Any) -> Any:
    """Returns the item at a position that is certainly in range."""
    if not items:
        return 0  # after an error
    first = items[0]
    if all(each is first for each in items):
        return first
    frame: Any = innermost_frame()
    if isinstance(first, (tuple, list)):
        if any(type(each) is not type(first) or len(each) != len(first) for each in items):
            raise TraceError(
                "a position that is a value of the trace chooses between sequences of several kinds"
            )
        columns = [elements_of(each) if isinstance(each, list) else each for each in items]
        members = [_at(column, place) for column in zip(*columns, strict=True)]
        if isinstance(first, list):
            growing_list = GrowingList(members)
            growing_list.is_shared = True  # a copy, which nobody may write to
            return growing_list
        return tuple.__new__(type(first), members)
    types = type_of_items(frame, items)
    if types is not None:
        return _number_at(frame, items, types, place)
    arrays = [each for each in items if isinstance(each, TracedArray) and each._kind == ARRAY]
    alike = {(array._dtype, array.shape) for array in arrays}
    if len(arrays) < len(items) or len(alike) != 1:
        raise TraceError(
            "a position that is a value of the trace chooses between things that are neither numbers nor "
            "arrays of one shape and dtype"
        )
    found = movement.stack(arrays)[place]
    tie(found, [array._cell for array in arrays], frozenset(), False)
    return found


def _number_at(frame: TraceFrame, items: Sequence[Any], types: ItemType, place: Any) -> TracedArray:
    """Returns one of several numbers, which are an array in the frame in which all of them are known."""
    cells = [each._cell.frame for each in items if isinstance(each, TracedArray)]
    outwards = (frame, *reversed(frame.enclosing))
    home = next((each for each in outwards if any(each is cell for cell in cells)), outwards[-1])
    with entered(home):
        array = array_of(home, items, types)
    graph = frame.begin()
    selection = select(place, array.shape)
    node = selection.read(graph, strong(graph, operand(frame, graph, array)), selection.nodes(frame, graph))
    frame.note(node)
    return TracedArray(Cell(frame, node), None, types.kind)


def _raise_unless(inside: Any, error: Exception) -> None:
    frame: Any = innermost_frame()
    frame.root.hooks.raise_unless(inside, error)
