"""`Real`: a node with Python's operators, so that formulas in real numbers read as on paper."""

from __future__ import annotations

from collections.abc import Callable

from ..node import Graph, Node, Op
from . import elementwise, movement


class Real:
    """A node of floats, or of bools, in a graph; numbers among the operands stand in the kernel."""

    __slots__ = ("graph", "node")

    def __init__(self, graph: Graph, node: Node) -> None:
        self.graph = graph
        self.node = node

    def _of(self, op: Op, *others: Real | float) -> Real:
        return Real(self.graph, self.graph.make(op, self.node, *(self.same(each).node for each in others)))

    def same(self, value: Real | float) -> Real:
        """A value in this one's shape and dtype."""
        if isinstance(value, Real):
            return value
        node = self.graph.constant(value, self.node.dtype)
        shape = self.node.shape
        if shape:
            node = self.graph.make(movement.broadcast, node, attributes=(shape, ()))
        return Real(self.graph, node)

    def __add__(self, other: Real | float) -> Real:
        return self._of(elementwise.add, other)

    def __sub__(self, other: Real | float) -> Real:
        return self._of(elementwise.sub, other)

    def __mul__(self, other: Real | float) -> Real:
        return self._of(elementwise.mul, other)

    def __truediv__(self, other: Real | float) -> Real:
        return self._of(elementwise.div, other)

    def __radd__(self, other: float) -> Real:
        return self.same(other) + self

    def __rsub__(self, other: float) -> Real:
        return self.same(other) - self

    def __rmul__(self, other: float) -> Real:
        return self.same(other) * self

    def __rtruediv__(self, other: float) -> Real:
        return self.same(other) / self

    def __neg__(self) -> Real:
        return self._of(elementwise.neg)

    def __abs__(self) -> Real:
        return self._of(elementwise.abs)

    def __lt__(self, other: Real | float) -> Real:
        return self._of(elementwise.lt, other)

    def __le__(self, other: Real | float) -> Real:
        return self._of(elementwise.le, other)

    def __gt__(self, other: Real | float) -> Real:
        return self._of(elementwise.gt, other)

    def __ge__(self, other: Real | float) -> Real:
        return self._of(elementwise.ge, other)

    def equals(self, other: Real | float) -> Real:
        return self._of(elementwise.eq, other)

    def differs(self, other: Real | float) -> Real:
        return self._of(elementwise.ne, other)

    def __and__(self, other: Real) -> Real:
        return self._of(elementwise.bitwise_and, other)

    def __or__(self, other: Real) -> Real:
        return self._of(elementwise.bitwise_or, other)

    def __invert__(self) -> Real:
        return self._of(elementwise.bitwise_not)

    @property
    def is_nan(self) -> Real:
        return self.differs(self)

    @property
    def is_inf(self) -> Real:
        return abs(self).equals(float("inf"))

    @property
    def is_finite(self) -> Real:
        return abs(self) < float("inf")

    def with_sign(self, other: Real | float) -> Real:
        return self._of(elementwise.copysign, other)

    def maximum(self, other: Real | float) -> Real:
        return self._of(elementwise.maximum, other)

    def minimum(self, other: Real | float) -> Real:
        return self._of(elementwise.minimum, other)


def where(condition: Real, x: Real | float, y: Real | float) -> Real:
    """`x` where the condition holds, else `y`; one of them is no number."""
    like = x if isinstance(x, Real) else y
    assert isinstance(like, Real)
    graph = condition.graph
    made = graph.make(elementwise.select, condition.node, like.same(x).node, like.same(y).node)
    return Real(graph, made)


def _function(op: Op) -> Callable[..., Real]:
    def function(x: Real, *others: Real | float) -> Real:
        return x._of(op, *others)

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
