"""`Real`: a node with Python's operators, so that formulas in real numbers read as on paper."""

from __future__ import annotations

from collections.abc import Callable
from typing import Self, TypeVar

from ..node import Graph, Node, Op
from . import elementwise, movement


class Real:
    """A node of floats, or of bools, in a graph; numbers among the operands are constants of the kernel."""

    __slots__ = ("graph", "node")

    def __init__(self, graph: Graph, node: Node) -> None:
        self.graph = graph
        self.node = node

    def of(self, node: Node) -> Self:
        """Wraps a node of the same graph."""
        return type(self)(self.graph, node)

    def make(self, op: Op, *others: Self | float) -> Self:
        return self.of(self.graph.make(op, self.node, *(self.same(each).node for each in others)))

    def number(self, value: float) -> Node:
        return self.graph.constant(value, self.node.dtype)

    def same(self, value: Self | float) -> Self:
        """Returns a value in this one's shape and dtype."""
        if isinstance(value, Real):
            return value
        node, shape = self.number(value), self.node.shape
        return self.of(self.graph.make(movement.broadcast, node, attributes=(shape, ())) if shape else node)

    def __add__(self, other: Self | float) -> Self:
        return self.make(elementwise.add, other)

    def __sub__(self, other: Self | float) -> Self:
        return self.make(elementwise.sub, other)

    def __mul__(self, other: Self | float) -> Self:
        return self.make(elementwise.mul, other)

    def __truediv__(self, other: Self | float) -> Self:
        return self.make(elementwise.div, other)

    def __radd__(self, other: float) -> Self:
        return self.same(other) + self

    def __rsub__(self, other: float) -> Self:
        return self.same(other) - self

    def __rmul__(self, other: float) -> Self:
        return self.same(other) * self

    def __rtruediv__(self, other: float) -> Self:
        return self.same(other) / self

    def __neg__(self) -> Self:
        return self.make(elementwise.neg)

    def __abs__(self) -> Self:
        return self.make(elementwise.abs)

    def __lt__(self, other: Self | float) -> Self:
        return self.make(elementwise.lt, other)

    def __le__(self, other: Self | float) -> Self:
        return self.make(elementwise.le, other)

    def __gt__(self, other: Self | float) -> Self:
        return self.make(elementwise.gt, other)

    def __ge__(self, other: Self | float) -> Self:
        return self.make(elementwise.ge, other)

    def equals(self, other: Self | float) -> Self:
        return self.make(elementwise.eq, other)

    def differs(self, other: Self | float) -> Self:
        return self.make(elementwise.ne, other)

    def __and__(self, other: Self) -> Self:
        return self.make(elementwise.bitwise_and, other)

    def __or__(self, other: Self) -> Self:
        return self.make(elementwise.bitwise_or, other)

    def __invert__(self) -> Self:
        return self.make(elementwise.bitwise_not)

    @property
    def is_nan(self) -> Self:
        return self.differs(self)

    @property
    def is_inf(self) -> Self:
        return self.__abs__().equals(float("inf"))

    @property
    def is_finite(self) -> Self:
        return self.__abs__() < float("inf")

    def with_sign(self, other: Self | float) -> Self:
        return self.make(elementwise.copysign, other)

    def maximum(self, other: Self | float) -> Self:
        return self.make(elementwise.maximum, other)

    def minimum(self, other: Self | float) -> Self:
        return self.make(elementwise.minimum, other)


R = TypeVar("R", bound=Real)


def where(condition: R, x: R | float, y: R | float) -> R:
    """Selects `x` where the condition holds, else `y`; at least one of them is a `Real`."""
    like = x if isinstance(x, Real) else y
    assert isinstance(like, Real)
    graph = condition.graph
    return condition.of(graph.make(elementwise.select, condition.node, like.same(x).node, like.same(y).node))


def _function(op: Op) -> Callable[..., Real]:
    def function(x: Real, *others: Real | float) -> Real:
        return x.make(op, *others)

    function.__name__ = function.__qualname__ = op.name
    return function


sqrt, exp, expm1, log, log1p = map(
    _function, (elementwise.sqrt, elementwise.exp, elementwise.expm1, elementwise.log, elementwise.log1p)
)
sin, cos, sinh, cosh = map(_function, (elementwise.sin, elementwise.cos, elementwise.sinh, elementwise.cosh))
asin, acos, atan, atan2 = map(
    _function, (elementwise.asin, elementwise.acos, elementwise.atan, elementwise.atan2)
)
hypot, power = map(_function, (elementwise.hypot, elementwise.pow))
