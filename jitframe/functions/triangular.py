"""Systems of equations with triangular matrices, on nodes: a loop over the rows, each of which needs those
that are solved."""

from __future__ import annotations

from ..ir import ops
from ..ir.node import Graph, Node
from ..ir.types import I64
from .creation import iota
from .loop_nodes import at, put, repeated
from .operands import constant, filled, spread
from .reductions import sum as total_of


def solve_triangular(graph: Graph, a: Node, b: Node, lower: bool, unit: bool) -> Node:
    """x with A x = b, [n] or [n, k], for the lower or the upper triangle of `a`, [n, n]; what its other
    elements are does not matter. `unit`: the diagonal is taken for 1. Forward or backward substitution
    (G. H. Golub, C. F. Van Loan, Matrix Computations, section 3.1)."""
    rows = a.shape[0]
    count, last = (graph.number(each, I64, common=False) for each in (rows, rows - 1))

    def row(body: Graph, index: Node, carried: list[Node], given: list[Node]) -> list[Node]:
        (solved,), (matrix, right, end) = carried, given
        here = index if lower else body.make(ops.sub, end, index)
        factors = at(body, matrix, here)
        places = iota(body, (rows,), 0, I64)
        # What is not solved yet is 0, and what stands there in the matrix may be anything.
        known = body.make(ops.lt, *_ordered(lower, places, spread(body, here, places.shape)))
        factors = body.make(ops.select, known, factors, filled(body, 0, factors))
        if len(solved.shape) > 1:
            factors = body.make(ops.reshape, factors, attributes=((rows, 1),))
            factors = spread(body, factors, solved.shape)
        value = total_of(body, body.make(ops.mul, factors, solved), 0, False)
        value = body.make(ops.sub, at(body, right, here), value)
        if not unit:
            diagonal = at(body, at(body, matrix, here), here)
            value = body.make(ops.div, value, spread(body, diagonal, value.shape))
        return [put(body, solved, value, here)]

    nodes = [a, b, last]
    (node,) = repeated(graph, constant(graph, 0, count), count, [filled(graph, 0, b)], nodes, row)
    return node


def _ordered(lower: bool, places: Node, here: Node) -> tuple[Node, Node]:
    return (places, here) if lower else (here, places)
