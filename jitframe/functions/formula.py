"""Arithmetic of floats of one shape and dtype on nodes, whose numbers are constants of the kernel: also in
regions, which have no scalars of their own."""

from __future__ import annotations

from collections.abc import Callable

from ..ir import ops
from ..ir.node import Graph, Node, Op
from .operands import constant

Value = Node | float


def _binary(op: Op) -> Callable[[Graph, Value, Value], Node]:
    def function(graph: Graph, x: Value, y: Value) -> Node:
        like = x if isinstance(x, Node) else y
        assert isinstance(like, Node), (x, y)
        return graph.make(
            op, *[each if isinstance(each, Node) else constant(graph, each, like) for each in (x, y)]
        )

    return function


def _unary(op: Op) -> Callable[[Graph, Node], Node]:
    return lambda graph, x: graph.make(op, x)


add, subtract = _binary(ops.add), _binary(ops.sub)
multiply, divide = _binary(ops.mul), _binary(ops.div)
power = _binary(ops.pow)
less, less_equal, greater, greater_equal = (_binary(op) for op in (ops.lt, ops.le, ops.gt, ops.ge))
absolute, negative, floor, ceil, sqrt = (
    _unary(op) for op in (ops.abs, ops.neg, ops.floor, ops.ceil, ops.sqrt)
)
exp, expm1, log, log1p = (_unary(op) for op in (ops.exp, ops.expm1, ops.log, ops.log1p))


def where(graph: Graph, condition: Node, x: Value, y: Value) -> Node:
    """`x` where the condition holds, else `y`; one of them is a node."""
    like = x if isinstance(x, Node) else y
    assert isinstance(like, Node), (x, y)
    return graph.make(ops.select, condition, *_nodes(graph, x, y, like))


def _nodes(graph: Graph, x: Value, y: Value, like: Node) -> list[Node]:
    return [each if isinstance(each, Node) else constant(graph, each, like) for each in (x, y)]
