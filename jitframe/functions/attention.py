"""Attention on nodes."""

from __future__ import annotations

from ..arrays.promotion import Operand
from ..ir import ops
from ..ir.node import Graph, Node
from ..ir.ops import accumulator
from ..ir.types import BOOL, I64, DType
from .operands import cast, strong

ALL = (1 << 31) - 1
"""The width of a window that covers everything."""


def attention(
    graph: Graph, q: Node, keys: Node, values: Node, scale: Operand, first: Operand | None, width: int | None,
    mask: Node | None = None,
) -> Node:  # fmt: skip
    """See `ops.attention`; `first` None: every query sees all keys."""
    wide = accumulator(q.dtype)
    scalars = [_number(graph, scale, wide)]
    if first is not None:
        scalars += [_number(graph, each, I64) for each in (first, ALL if width is None else width)]
    masks = () if mask is None else (mask if mask.dtype is BOOL else cast(graph, mask, wide),)
    attributes = (first is not None, mask is not None)
    node = graph.make(ops.attention, q, keys, values, *scalars, *masks, attributes=attributes)
    return graph.make(ops.item, node, attributes=(0,))


def _number(graph: Graph, value: Operand, dtype: DType) -> Node:
    """A number that may be a size, and so is no constant of a kernel; or a value of rank 0."""
    if isinstance(value, (int, float)):
        return graph.number(value, dtype, common=False)
    return cast(graph, strong(graph, value), dtype)
