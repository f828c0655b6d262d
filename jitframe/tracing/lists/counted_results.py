"""Counted lists as arrays, as plain lists of a known length, and as results."""

from __future__ import annotations

import operator
from collections.abc import Iterator
from typing import Any

from ... import api
from ...api.frame import innermost_frame
from ...base.importing import load
from ...errors import TraceError
from ...ir import ops
from ..arguments.growing_list import GrowingList, elements_of
from ..arguments.returned_rows import COLUMNS, CONSTANTS, COUNTED, ROWS, Form
from ..values.cells import Cell, hold
from ..values.traced import NUMBER, TracedArray
from ..values.traced_frame import run_traced
from . import traced_list_functions
from .counted_lists import END, HEAD, counted, form_in, most_of
from .item_forms import ArrayForm, Constants, ItemForm, Lists, made_of
from .list_arrays import become_array, snapshot
from .row_values import rows_in


def fix(values: GrowingList) -> None:
    """Cuts the trace for the present length, and makes it known."""
    if innermost_frame() is not values.frame:
        raise TraceError(
            "a list that grows or shrinks as values decide is asked in a loop or branch for more than its "
            "length, its items at positions and its end"
        )
    head = operator.index(counted(values, HEAD)) if values.has_head else 0
    end = operator.index(counted(values, END))
    wholes = [_ring(snapshot(column), head, end) for column in values.columns]
    columns, form, count = values.columns, form_in(values), end - head
    values.counter, values.has_head, values.columns, values.form, values.pool = None, False, (), None, None
    if form is None or not columns:
        its = columns[0].items_type if columns else values.items_type
        become_array(values, wholes[0] if count else None, its, count)
        return
    if count and any(column.is_mixed for column in columns):
        raise TraceError("a list that grows or shrinks as values decide holds numbers of several types")
    for whole in wholes:
        hold(whole._cell)
    rows = [rows_in(whole, column.items_type.kind) for whole, column in zip(wholes, columns, strict=True)]
    values.array = None
    list.__setitem__(values, slice(None), [made_of(form, iter(row)) for row in zip(*rows, strict=True)])


def _ring(whole: TracedArray, head: int, end: int) -> Any:
    """Returns the items from one position of a ring to another, as an array of their own."""
    most = whole.shape[0]
    if end <= most:
        return whole[head:end].copy()
    return api.movement.concat([whole[head:], whole[: end - most]])


def open_array(values: GrowingList) -> Any:
    """Returns the array of open length that NumPy makes of the items, scalars, arrays of one shape or tuples
    of these; None where their number has to be known."""
    columns, form = values.columns, form_in(values)
    if values.has_head or values.pool is not None or not columns:
        return None
    if any(column.is_mixed and not column.one_dtype for column in columns):
        return None
    first = max(column.first for column in columns)
    number = counted(values, END)
    if first and not packed().left_where(number, number <= first, "all items of a list are of another dtype"):
        return None
    if isinstance(form, tuple) and any(each != form[1][0] for each in form[1]):
        return None
    if isinstance(form, Lists):
        return _array_of_lists(values, form)
    first_form = form[1][0] if isinstance(form, tuple) else form
    if isinstance(first_form, (tuple, Lists, Constants)):
        return None
    wholes = [snapshot(column)[: values.added] for column in columns]
    if len({whole.dtype for whole in wholes}) > 1 or not wholes[0].shape[0]:
        return None
    whole = api.movement.stack(wholes, 1) if isinstance(form, tuple) else wholes[0]
    return packed().of_list(whole, number)


def _array_of_lists(values: GrowingList, pool: Any) -> Any:
    """Returns the array that NumPy makes of lists of one length; None where they may have several."""
    frame: Any = innermost_frame()
    if pool.frame is not frame or not pool.width:
        return None
    shape, dtype = (most_of(values), pool.width), pool.columns[0].items_type.dtype
    whole = TracedArray(Cell(frame, frame.begin().make(ops.undefined, attributes=(shape, dtype))))
    run_traced(traced_list_functions.copy_rows, values, whole, pool.width)
    return packed().of_list(whole, counted(values, END))


def packed() -> Any:
    return load("jitframe.tracing.values.packed")  # few programs have arrays of open length


def deconstruct(values: GrowingList) -> tuple[Form, list[Any]]:
    """Returns a form and the arrays that the list is built from (see `returned_rows`)."""
    parts = iter([(ROWS, each.items_type.kind == NUMBER) for each in values.columns])
    wholes = iter([snapshot(column) for column in values.columns])
    if not values.columns:  # a list of a pool in which no list has had an item
        return (), []
    form, found = returned(form_in(values), parts, wholes)
    return ((COUNTED, form),), [counted(values, HEAD), counted(values, END), *found]


def returned(form: ItemForm, parts: Iterator[Form], wholes: Iterator[Any]) -> tuple[Form, list[Any]]:
    """Returns a form for items of `form`, and the arrays that they are built from; `parts`, `wholes`: of the
    columns."""
    if form is None or isinstance(form, ArrayForm):
        return next(parts), [next(wholes)]
    if isinstance(form, Constants):
        next(parts)
        return (CONSTANTS, form.constants), [next(wholes)]
    if isinstance(form, Lists):
        next(parts)
        pooled, found = form.returned()
        return pooled, [next(wholes), *found]
    made = [returned(each, parts, wholes) for each in form[1]]
    return (COLUMNS, form[0], tuple([each for each, _ in made])), [
        each for _, found in made for each in found
    ]


def copy_of(values: GrowingList) -> GrowingList:
    """Returns the present content of a list as a list of its own."""
    growing_list = GrowingList(elements_of(values))
    for name in ("frame", "array", "counter", "has_head", "form", "items_type", "mixed", "tags", "types"):
        setattr(growing_list, name, getattr(values, name))
    growing_list.columns = [growing_list if column is values else column for column in values.columns]
    return growing_list
