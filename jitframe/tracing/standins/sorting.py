"""Python's `sorted` and `list.sort` of traced values: a stable merge sort of counted lists, and a sorting
network of few numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...api.frame import LazyValue, innermost_frame
from ...errors import NumberError
from ..arguments.growing_dict import Keyed
from ..arguments.growing_list import GrowingList
from ..lists import counted_lists
from ..lists.item_types import type_of
from ..lists.ranges import rows_of
from ..lists.row_values import Rows
from ..values.traced_frame import run_traced
from . import sequences
from .containers import Heap, captures
from .python_builtins import chosen

LEAST, FEW = 4, 12
"""Python sorts shorter sequences; lists of at most so many numbers are sorted by a network."""


def sort(values: GrowingList, key: Callable[[Any], Any] | None = None, reverse: Any = False) -> None:
    """Sorts a counted list."""
    if key is None:
        _merge(values, _same, bool(reverse))
        return
    pairs = GrowingList()
    run_traced(sequences.extend_with_keys, pairs, values, key)
    if not counted_lists.become_counted(pairs, ()):
        return  # there is no item
    _merge(pairs, _first, bool(reverse))
    run_traced(sequences.take_back, Heap(values), pairs)


def _merge(values: GrowingList, key: Callable[[Any], Any], reverse: bool) -> None:
    spare = GrowingList()
    types = [column.items_type for column in values.columns]
    counted_lists.make_counted(spare, values.form, types)
    run_traced(sequences.merge_sort, Heap(values), Heap(spare), key, reverse, _check)


def _same(item: Any) -> Any:
    return item


def _first(item: Any) -> Any:
    return item[0]


def _check(key: Any) -> None:
    """Leaves keys that are not equal to themselves, and so have no order, to Python."""
    for part in key if isinstance(key, tuple) else (key,):
        if isinstance(part, tuple):
            _check(part)
        elif isinstance(part, LazyValue) and part.dtype.kind == "f":
            error = NumberError("an item that is sorted is not a number, which has no order")
            counted_lists.raise_unless(part == part, error)


def sorted_(iterable: Any, /, *, key: Callable[[Any], Any] | None = None, reverse: Any = False) -> Any:
    """`sorted`."""
    if isinstance(iterable, Keyed) and iterable.table is not None:
        iterable = iterable.table.all_keys(ordered=False)
    few = _few(iterable) if key is None and captures() else None
    if few is not None:
        return GrowingList(exchanged(few, bool(reverse)))
    if not captures() or not _is_of_values(iterable, key):
        return sorted(iterable, key=key, reverse=reverse)
    growing_list = GrowingList()
    run_traced(sequences.extend, growing_list, iterable)
    if growing_list.counter is None and not counted_lists.become_counted(growing_list, growing_list.items):
        return sorted(iterable, key=key, reverse=reverse)
    sort(growing_list, key, reverse)
    return growing_list


def _few(iterable: Any) -> list[Any] | None:
    """Returns the numbers of a short list, tuple or array, of one type and among them traced ones; None of
    others."""
    is_array = isinstance(iterable, LazyValue) and len(iterable.shape) == 1
    if (
        not (is_array or isinstance(iterable, (list, tuple)))
        or getattr(iterable, "counter", None) is not None
    ):
        return None
    if getattr(iterable, "is_grown", False) or not 1 < len(iterable) <= FEW:
        return None
    items = list(iterable)
    frame: Any = innermost_frame()
    types = [type_of(frame, each) for each in items]
    is_one = types[0] is not None and all(item_type == types[0] for item_type in types)
    return items if is_one and any(map(_is_value, items)) and not _is_complex(items[0]) else None


def _is_complex(value: Any) -> bool:
    return isinstance(value, complex) or getattr(getattr(value, "dtype", None), "kind", "") == "c"


def exchanged(items: list[Any], reverse: bool) -> list[Any]:
    """Sorts a few numbers by exchanges of neighbors (bubble sort, as a network)."""
    found = list(items)
    for each in found:
        _check(each)
    for last in range(len(found) - 1, 0, -1):
        for place in range(last):
            x, y = found[place : place + 2]
            swaps = x < y if reverse else y < x
            found[place : place + 2] = chosen(swaps, y, x), chosen(swaps, x, y)
    return found


def _is_of_values(iterable: Any, key: Any) -> bool:
    """Whether a sequence is long enough, and its order depends on single traced values."""
    if isinstance(iterable, GrowingList) and iterable.counter is not None:
        return True
    rows = iterable if isinstance(iterable, Rows) else rows_of(iterable)
    if rows is None or rows.count < LEAST:
        return False
    first = rows.at(0)
    return _is_value(first if key is None else key(first))


def _is_value(item: Any) -> bool:
    if isinstance(item, tuple):
        return any(map(_is_value, item))
    return isinstance(item, LazyValue) and not item.shape
