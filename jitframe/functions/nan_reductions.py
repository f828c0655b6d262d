"""Reductions that ignore NaN. The selection happens in the loop that reduces."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from ..arrays.promotion import Operand
from ..ir import ops
from ..ir.node import Graph, Node
from ..ir.types import F32, I32, I64
from .elementwise import isnan, logical_not, sqrt
from .operands import as_node, cast, filled, strong
from .reductions import all_, check_identity, condition, max_, mean, min_, prod, sum, var

if TYPE_CHECKING:
    from typing import Unpack

    from .reductions import Chosen


def nansum(graph: Graph, x: Operand, *, where: Operand | None = None, **options: Any) -> Node:
    """As `sum`, NaN counting as 0."""
    return sum(graph, x, where=_not_nan(graph, x, where), **options)


def nanprod(graph: Graph, x: Operand, *, where: Operand | None = None, **options: Any) -> Node:
    """As `prod`, NaN counting as 1."""
    return prod(graph, x, where=_not_nan(graph, x, where), **options)


def nanmean(graph: Graph, x: Operand, *, where: Operand | None = None, **options: Any) -> Node:
    """The mean of what is no NaN; NaN where nothing is left."""
    return mean(graph, x, where=_not_nan(graph, x, where), **options)


def nanvar(graph: Graph, x: Operand, *, where: Operand | None = None, **options: Any) -> Node:
    """The variance of what is no NaN; NaN where `ddof` or fewer are left."""
    x = strong(graph, x)
    return var(graph, x, where=_not_nan(graph, x, where), nan_if_few=x.dtype.is_inexact, **options)


def nanstd(graph: Graph, x: Operand, **options: Any) -> Node:
    """The standard deviation of what is no NaN: the root of `nanvar`."""
    return sqrt(graph, nanvar(graph, x, **options))


def nanmax(
    graph: Graph, x: Operand, axis: Any = None, keepdims: bool = False, **chosen: Unpack[Chosen]
) -> Node:
    """The largest of what is no NaN; NaN where nothing is left."""
    return _extreme(graph, strong(graph, x), "fmax", axis, keepdims, **chosen)


def nanmin(
    graph: Graph, x: Operand, axis: Any = None, keepdims: bool = False, **chosen: Unpack[Chosen]
) -> Node:
    """The smallest of what is no NaN; NaN where nothing is left."""
    return _extreme(graph, strong(graph, x), "fmin", axis, keepdims, **chosen)


def _extreme(
    graph: Graph, x: Node, name: str, axis: Any, keepdims: bool, initial: Operand | None = None,
    where: Operand | None = None,
) -> Node:  # fmt: skip
    reduction = max_ if name == "fmax" else min_
    if not x.dtype.is_inexact:
        return reduction(graph, x, axis, keepdims, initial=initial, where=where)
    check_identity(x.shape, axis, name, initial, where)
    missing = isnan(graph, x)
    limit = -math.inf if name == "fmax" else math.inf
    if initial is not None or x.dtype.is_complex:
        none = complex(limit, limit) if x.dtype.is_complex else limit
        filled_in = graph.make(ops.select, missing, filled(graph, none, x), x)
        start = None if initial is None else _number(graph, initial, x, none)
        node = reduction(graph, filled_in, axis, keepdims, initial=start, where=where)
        if initial is not None:
            return node
        nothing = all_(graph, missing, axis, keepdims)
        return graph.make(ops.select, nothing, filled(graph, complex(math.nan, math.nan), node), node)
    # Integers in the order of the floats have values below the least and above the greatest float: they stand
    # for NaN.
    wide = cast(graph, x, F32) if x.dtype.bits < 32 else x
    integers = I32 if wide.dtype is F32 else I64
    key = _mirrored(graph, graph.make(ops.bitcast, wide, attributes=(integers,)))
    least = -(1 << integers.bits - 1) if name == "fmax" else (1 << integers.bits - 1) - 1
    key = graph.make(ops.select, missing, filled(graph, least, key), key)
    node = reduction(graph, key, axis, keepdims)
    number = graph.make(ops.bitcast, _mirrored(graph, node), attributes=(wide.dtype,))
    nothing = graph.make(ops.eq, node, filled(graph, least, node))
    number = graph.make(ops.select, nothing, filled(graph, math.nan, number), number)
    return cast(graph, number, x.dtype)


def _number(graph: Graph, initial: Operand, x: Node, none: complex) -> Node:
    """`initial` in the dtype of `x`; `none` if it is NaN, which is then ignored."""
    start = as_node(graph, initial, x.dtype)
    return graph.make(ops.select, isnan(graph, start), filled(graph, none, start), start)


def _mirrored(graph: Graph, bits: Node) -> Node:
    """Maps the bits of floats to integers in the floats' order, -0.0 below 0.0; and back."""
    highest = filled(graph, (1 << bits.dtype.bits - 1) - 1, bits)
    negative = graph.make(ops.lt, bits, filled(graph, 0, bits))
    return graph.make(ops.select, negative, graph.make(ops.bitwise_xor, bits, highest), bits)


def _not_nan(graph: Graph, x: Operand, where: Operand | None) -> Operand | None:
    """The condition that excludes NaN, combined with `where`."""
    x = strong(graph, x)
    if not x.dtype.is_inexact:
        return where
    number = logical_not(graph, isnan(graph, x))
    if where is None:
        return number
    return graph.make(ops.bitwise_and, number, condition(graph, where, x.shape))
