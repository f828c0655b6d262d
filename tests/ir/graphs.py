"""Programs that the tests of the graph IR share."""

from __future__ import annotations

from jitframe.ir import ops
from jitframe.ir.node import Graph, Node, Region
from jitframe.ir.types import F32, I64


def counting_region(outer: Graph, swapped: bool = False) -> Region:
    """(index, x, y) -> (x + y * float(index), x)."""
    graph = Graph(outer)
    index = graph.parameter(0, (), I64)
    x, y = graph.parameter(1, (3,), F32), graph.parameter(2, (3,), F32)
    moved = graph.make(ops.cast, index, attributes=(F32,))
    spread = graph.make(ops.broadcast, moved, attributes=((3,), ()))
    grown = graph.make(ops.add, x, graph.make(ops.mul, y, spread))
    return Region(graph, (index, x, y), (x, grown) if swapped else (grown, x))


def loop_program(graph: Graph) -> tuple[Node, ...]:
    """Two loops, one of them around a cond."""
    x, y = graph.parameter(0, (3,), F32), graph.parameter(1, (3,), F32)
    bounds = graph.constant(0, I64), graph.scalar(0, I64)
    first = graph.make(ops.loop, *bounds, x, y, attributes=(counting_region(graph),))
    body = Graph(graph)
    index, carried = body.parameter(0, (), I64), body.parameter(1, (3,), F32)
    test = body.make(ops.lt, index, body.constant(2, I64))
    double, keep = Graph(body), Graph(body)
    value, same = double.parameter(0, (3,), F32), keep.parameter(0, (3,), F32)
    arms = Region(double, (value,), (double.make(ops.add, value, value),)), Region(keep, (same,), (same,))
    chosen = body.make(ops.item, body.make(ops.cond, test, carried, attributes=arms), attributes=(0,))
    second = graph.make(ops.loop, *bounds, x, attributes=(Region(body, (index, carried), (chosen,)),))
    return (
        graph.make(ops.item, first, attributes=(0,)),
        graph.make(ops.item, first, attributes=(1,)),
        graph.make(ops.item, second, attributes=(0,)),
    )


def chain(graph: Graph, length: int) -> Node:
    """A chain of `length` additions."""
    node = start = graph.parameter(0, (8,), F32)
    for _ in range(length):
        node = graph.make(ops.add, node, start)
    return node
