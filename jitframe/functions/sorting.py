"""Sorts and selections on nodes: elements, their positions, and elements at positions along an axis."""

from __future__ import annotations

import math
from typing import Any

from ..arrays.indexing import normalize_axis
from ..arrays.promotion import Operand
from ..ir import ops
from ..ir.node import Graph, Node, Op
from ..ir.types import BOOL, I32, I64
from . import movement
from .complex_numbers import parts
from .elementwise import isnan
from .operands import cast, reshaped, spread, strong


def sort(graph: Graph, x: Operand, axis: Any, descending: bool = False, stable: bool = False) -> Node:
    """The elements in their order along an axis, complex ones by their real parts first. `stable`: which of
    two zeros comes first is kept as well, and every NaN stays itself."""
    x = strong(graph, x)
    along = normalize_axis(axis, len(x.shape))
    if x.size == 0 or x.shape[along] == 1:
        return graph.make(ops.copy, x)
    last = _with_last(graph, x, along)
    if x.dtype.is_complex or (stable and x.dtype.is_float):
        node = taken_along_last(graph, last, _order(graph, last, descending))
    else:
        node = _run(graph, ops.sort, last, (descending,))
    return _with_last(graph, node, along, back=True)


def argsort(graph: Graph, x: Operand, axis: Any, descending: bool = False) -> Node:
    """The positions of the elements in their order along an axis, equal ones in theirs."""
    x = strong(graph, x)
    along = normalize_axis(axis, len(x.shape))
    if x.size == 0 or x.shape[along] == 1:
        return spread(graph, graph.constant(0, I64), x.shape)
    last = _with_last(graph, x, along)
    return _with_last(graph, _order(graph, last, descending), along, back=True)


def order_statistics(graph: Graph, x: Operand, ranks: Node, axis: Any) -> tuple[Node, Node]:
    """The elements that sorting puts at positions along an axis, and those behind them, the last where there
    is none. `ranks`: int64, in range, with the axes of `x` but for another extent along `axis`."""
    x = strong(graph, x)
    along = normalize_axis(axis, len(x.shape))
    given = (_with_last(graph, node, along) for node in (x, ranks))
    node = graph.make(ops.order_statistics, *given)
    found = (graph.make(ops.item, node, attributes=(number,)) for number in range(2))
    first, second = (_with_last(graph, node, along, back=True) for node in found)
    return first, second


def partition(
    graph: Graph, x: Operand, pivots: Node, axis: Any, positions: bool, descending: bool = False
) -> Node:
    """Along an axis the elements before a pivot, those equal to it, and those after it, each in their order;
    or their positions. `pivots`: one for each row, with the other axes of `x`."""
    x = strong(graph, x)
    along = normalize_axis(axis, len(x.shape))
    attributes = (descending, I64 if positions else None)
    node = graph.make(ops.partition, _with_last(graph, x, along), pivots, attributes=attributes)
    return _with_last(graph, graph.make(ops.item, node, attributes=(0,)), along, back=True)


def first_positions(graph: Graph, mask: Operand) -> Node:
    """Returns the positions of a vector of bools: of those that are true, in order, then of the others."""
    return partition(graph, mask, graph.constant(True, BOOL), 0, positions=True, descending=True)


def _order(graph: Graph, x: Node, descending: bool) -> Node:
    """The positions that sort along the last axis."""
    if not x.dtype.is_complex:
        return _run(graph, ops.argsort, x, (descending, I64))
    first, second = parts(graph, x)
    # NaNs come last: first those whose imaginary part alone is NaN.
    missing = [cast(graph, isnan(graph, part), I32) for part in (first, second)]
    kind = graph.make(ops.add, graph.make(ops.add, missing[0], missing[0]), missing[1])
    order = _order(graph, second, descending)
    for key in (first, kind):
        again = _order(graph, taken_along_last(graph, key, order), descending)
        order = taken_along_last(graph, order, again)
    return order


def _run(graph: Graph, op: Op, x: Node, attributes: tuple[Any, ...]) -> Node:
    return graph.make(ops.item, graph.make(op, x, attributes=attributes), attributes=(0,))


def _with_last(graph: Graph, x: Node, axis: int, back: bool = False) -> Node:
    """The array with an axis moved to the end, or back from there."""
    ends = (len(x.shape) - 1, axis) if back else (axis, len(x.shape) - 1)
    return x if ends[0] == ends[1] else movement.moveaxis(x.shape, *ends).apply(graph, x)


def taken_along_last(graph: Graph, x: Node, positions: Node) -> Node:
    """The elements of each row at positions that are known to be in range."""
    *outer, length = x.shape
    rows = math.prod(outer)
    shape = (rows, positions.shape[-1])
    flat = reshaped(graph, positions, shape)
    row = graph.make(ops.iota, attributes=(shape, 0, flat.dtype))
    source = reshaped(graph, x, (rows, length))
    attributes = ((0, 1), 0, (True, True), (0, 1), 0)
    node = graph.make(ops.gather, source, row, flat, attributes=attributes)
    return movement.reshape(shape, positions.shape).apply(graph, node)
