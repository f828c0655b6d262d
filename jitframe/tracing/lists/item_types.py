"""Types of the items of lists: the dtype of the array, and whether items are Python's own numbers, NumPy's
scalars, or arrays."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy

from ...api.calls import operand
from ...arrays.promotion import NUMBERS, kind_of
from ...functions.operands import strong
from ...ir.node import Node
from ...ir.record import record
from ...ir.types import F64, I64, DType
from ..values.traced import ARRAY, NUMBER, SCALAR, TracedArray

if TYPE_CHECKING:
    from ..values.traced_frame import TraceFrame

_EXACT = 1 << 53
"""Floats hold all integers up to this one."""


class ItemType(metaclass=record):
    """The type of the items of a list."""

    dtype: DType
    kind: int


def type_of(frame: TraceFrame, value: Any) -> ItemType | None:
    """Returns the type of a scalar; None of other values."""
    if isinstance(value, TracedArray):
        return None if value._shape or value._kind == ARRAY else ItemType(value._dtype, value._kind)
    if value.__class__ not in NUMBERS and not isinstance(value, numpy.generic):
        return None
    graph = frame.begin()
    given = operand(frame, graph, value)
    if isinstance(given, Node):
        return ItemType(given.dtype, SCALAR)
    return ItemType(strong(graph, given).dtype, NUMBER)


def type_of_part(frame: TraceFrame, value: Any) -> ItemType | None:
    """Returns the type of a scalar or array."""
    if isinstance(value, TracedArray) and value._kind == ARRAY and value._shape:
        return ItemType(value._dtype, ARRAY)
    return type_of(frame, value)


def type_of_parts(frame: TraceFrame, values: Sequence[Any]) -> ItemType | None:
    """Returns the common type of scalars, or of arrays; None where one array cannot hold them."""
    types = {type_of_part(frame, each) for each in values[:1]}
    if any(each is not None and each.kind == ARRAY for each in types):
        return functools.reduce(_joined_if_known, [type_of_part(frame, each) for each in values])
    return type_of_items(frame, values)


def type_of_items(frame: TraceFrame, items: Sequence[Any]) -> ItemType | None:
    """Returns the common type of all items; None where one array cannot hold them."""
    item_type: ItemType | None = None
    seen: set[Any] = set()
    for each in items:
        plain = each if each.__class__ in NUMBERS else None
        if plain is not None and (plain.__class__, plain) in seen:
            continue
        seen.add((plain.__class__, plain))
        its = type_of(frame, each)
        item_type = its if item_type is None or its is None else joined(item_type, its)
        if item_type is None or (item_type.dtype.is_float and not is_exact(frame, each)):
            return None
    if (
        item_type is not None
        and item_type.dtype.is_float
        and not all(is_exact(frame, each) for each in items)
    ):
        return None
    return item_type


def _joined_if_known(x: ItemType | None, y: ItemType | None) -> ItemType | None:
    return None if x is None or y is None else joined(x, y)


def joined(x: ItemType, y: ItemType) -> ItemType | None:
    """Returns the type that holds items of both, like that of a variable bound to either (see
    `capture.values`)."""
    if x == y:
        return x
    if ARRAY in (x.kind, y.kind):
        return ItemType(F64, ARRAY) if x.kind == y.kind and {x.dtype, y.dtype} == {I64, F64} else None
    if x.dtype is y.dtype:
        return x if x.kind != NUMBER else y
    ranks = kind_of(x.dtype), kind_of(y.dtype)
    if ranks[0] == ranks[1]:
        return None
    low, high = (x, y) if ranks[0] < ranks[1] else (y, x)
    if low.kind != high.kind and high.dtype.bits != 64:
        return None
    return high


def is_exact(frame: TraceFrame, value: Any) -> bool:
    """Whether a float of 64 bits represents a number exactly."""
    if isinstance(value, TracedArray):
        if not value._dtype.is_integer:
            return True
        given = operand(frame, frame.begin(), value)
        low, high = frame.root.ranges.of_operand(frame, given)
        return low >= -_EXACT and high <= _EXACT
    return not isinstance(value, int) or -_EXACT <= value <= _EXACT


def is_certain(frame: TraceFrame, node: Node, wanted: ItemType) -> bool:
    """Whether a value of the type `wanted` certainly has this type in Python, too, where an item of several
    types may have another."""
    reads = frame.root.list_reads
    if node in reads:
        return bool(reads[node] == wanted)
    if not node.inputs:
        outer = next((each for each, inner in frame.invariants.items() if inner is node), None)
        return outer is not None and is_certain(frame.enclosing[-1], outer, wanted)
    if node.op.family != "elementwise":  # of an array, or a result of a loop or branch
        return bool(node.inputs[0].shape) and node.op.family != "item"
    made = [is_certain(frame, each, wanted) for each in node.inputs if each.dtype is node.dtype]
    # One operand decides the type of a sum or product; all operands that of a choice.
    return bool(made) and (all(made) if node.op.overflow is None else any(made))
