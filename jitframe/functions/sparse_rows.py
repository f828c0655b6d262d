"""Sums over the rows of sparse matrices, on nodes: loops over the rows and their elements, which become one
kernel.

A row's elements are those from `starts[row]` to `starts[row + 1]`. Rows are independent, so threads and lanes
share them; the elements of a row are added up in their order.
"""

from __future__ import annotations

from ..ir import ops
from ..ir.node import Graph, Node
from ..ir.types import I64
from .loop_nodes import put, repeated
from .operands import cast, constant, filled, from_start, spread


def at(graph: Graph, x: Node, index: Node) -> Node:
    """The part of `x` at a position of its first axis, which is checked at run time."""
    return graph.make(ops.gather, x, index, attributes=((0,), 0, (False,), (0,), 0))


def _bounds(graph: Graph, starts: Node, row: Node) -> tuple[Node, Node]:
    after = graph.make(ops.add, row, graph.constant(1, I64))
    return cast(graph, at(graph, starts, row), I64), cast(graph, at(graph, starts, after), I64)


def row_products(graph: Graph, data: Node, columns: Node, starts: Node, x: Node) -> Node:
    """[rows, …] of a matrix in compressed rows and `x`, [columns] or [columns, count]."""
    rows = starts.shape[0] - 1
    shape = (rows, *x.shape[1:])
    empty = graph.make(ops.broadcast, graph.constant(0, x.dtype), attributes=(shape, ()))
    is_vector = len(x.shape) == 1

    def row(body: Graph, index: Node, carried: list[Node], given: list[Node]) -> list[Node]:
        values, places, firsts, source = given
        lower, upper = _bounds(body, firsts, index)

        def term(inner: Graph, k: Node, total: list[Node], known: list[Node]) -> list[Node]:
            factor, column = at(inner, known[0], k), from_start(inner, at(inner, known[1], k))
            part = at(inner, known[2], column)
            if is_vector:
                return [inner.make(ops.add, total[0], inner.make(ops.mul, factor, part))]
            product = inner.make(ops.mul, spread(inner, factor, part.shape), part)
            return [
                put(inner, total[0], inner.make(ops.add, at(inner, total[0], known[3]), product), known[3])
            ]

        if is_vector:
            (total,) = repeated(
                body, lower, upper, [body.constant(0, x.dtype)], [values, places, source], term
            )
            return [put(body, carried[0], total, index)]
        here = body.make(ops.copy, index)
        return repeated(body, lower, upper, [carried[0]], [values, places, source, here], term)

    count = graph.number(rows, I64, common=False)
    (node,) = repeated(graph, graph.constant(0, I64), count, [empty], [data, columns, starts, x], row)
    return node


def triangular_solve(
    graph: Graph, data: Node, columns: Node, starts: Node, b: Node, lower: bool, unit: bool
) -> Node:
    """x with A x = b, for the lower or the upper triangle of a matrix in compressed rows; others of its
    elements are left out. `unit`: its diagonal is taken for 1."""
    rows = starts.shape[0] - 1
    count = graph.number(rows, I64, common=False)
    last = graph.number(rows - 1, I64, common=False)

    def row(body: Graph, index: Node, carried: list[Node], given: list[Node]) -> list[Node]:
        values, places, firsts, right, end = given
        here = index if lower else body.make(ops.sub, end, index)
        first, after = _bounds(body, firsts, here)
        zero, one = body.constant(0, b.dtype), body.constant(1, b.dtype)

        def term(inner: Graph, k: Node, totals: list[Node], known: list[Node]) -> list[Node]:
            factor, column = at(inner, known[0], k), cast(inner, at(inner, known[1], k), I64)
            solved, place = known[2], known[3]
            before = inner.make(ops.lt, *((column, place) if lower else (place, column)))
            product = inner.make(ops.mul, factor, at(inner, solved, column))
            total = inner.make(ops.add, totals[0], product)
            diagonal = inner.make(ops.add, totals[1], factor)
            same = inner.make(ops.eq, column, place)
            return [
                inner.make(ops.select, before, total, totals[0]),
                inner.make(ops.select, same, diagonal, totals[1]),
            ]

        given_inside = [values, places, carried[0], body.make(ops.copy, here)]
        total, diagonal = repeated(body, first, after, [zero, zero], given_inside, term)
        value = body.make(ops.sub, at(body, right, here), total)
        value = body.make(ops.div, value, one if unit else diagonal)
        return [put(body, carried[0], value, here)]

    start = filled(graph, 0, b)
    nodes = [data, columns, starts, b, last]
    (node,) = repeated(graph, constant(graph, 0, count), count, [start], nodes, row)
    return node
