"""Formulas on nodes: terms with Python's operators.

What a term meets has its shape and dtype, or is a number. That takes them, and stands in the kernel: also in
regions, which have no scalars of their own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..arrays.promotion import Number
from ..ir import ops
from ..ir.node import Graph, Node, Op, Shape
from ..ir.types import DType
from .operands import cast, constant, spread


def _operator(op: Op) -> Callable[[Term, Value], Term]:
    return lambda x, y: x.make(op, y)


def _reflected(op: Op) -> Callable[[Term, Value], Term]:
    return lambda x, y: x.like(y).make(op, x)


def _function(op: Op) -> Callable[[Term], Term]:
    return lambda x: x.make(op)


class Term:
    """A node of a graph in a formula."""

    __slots__ = ("graph", "node")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, graph: Graph, node: Node) -> None:
        self.graph = graph
        self.node = node

    def make(self, op: Op, *others: Value) -> Term:
        """`op(self, *others)`."""
        return Term(self.graph, self.graph.make(op, self.node, *[self.like(each).node for each in others]))

    def like(self, value: Value) -> Term:
        """A number in this term's shape and dtype; a term unchanged."""
        return value if isinstance(value, Term) else Term(self.graph, constant(self.graph, value, self.node))

    def to(self, dtype: DType) -> Term:
        """This term in another dtype."""
        return Term(self.graph, cast(self.graph, self.node, dtype))

    def spread(self, shape: Shape) -> Term:
        """Broadcast to a shape."""
        return Term(self.graph, spread(self.graph, self.node, shape))

    __add__, __sub__, __mul__ = _operator(ops.add), _operator(ops.sub), _operator(ops.mul)
    __truediv__, __pow__ = _operator(ops.div), _operator(ops.pow)
    __rsub__, __rtruediv__ = _reflected(ops.sub), _reflected(ops.div)
    __lt__, __le__, __gt__, __ge__ = (_operator(op) for op in (ops.lt, ops.le, ops.gt, ops.ge))
    __eq__: Any = _operator(ops.eq)
    __ne__: Any = _operator(ops.ne)
    __and__, __or__, __xor__ = (_operator(op) for op in (ops.bitwise_and, ops.bitwise_or, ops.bitwise_xor))
    __lshift__, __rshift__ = _operator(ops.shift_left), _operator(ops.shift_right)
    __abs__, __neg__, __invert__ = (_function(op) for op in (ops.abs, ops.neg, ops.bitwise_not))


Value = Term | Number

exp, expm1, log, log1p = (_function(op) for op in (ops.exp, ops.expm1, ops.log, ops.log1p))
sqrt, floor, ceil, lgamma = (_function(op) for op in (ops.sqrt, ops.floor, ops.ceil, ops.lgamma))
cos, acos = _function(ops.cos), _function(ops.acos)


def where(condition: Term, x: Value, y: Value) -> Term:
    """`x` where the condition holds, else `y`; one of them is a term."""
    like = x if isinstance(x, Term) else y
    assert isinstance(like, Term), (x, y)
    return condition.make(ops.select, like.like(x), like.like(y))
