"""Regions of a trace: the body of a loop or an arm of a condition, traced into a graph of its own.

Values of the enclosing trace enter a region as further parameters (invariants). A region has no side effects.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy

from ...api.calls import operand
from ...api.frame import LazyValue, entered
from ...arrays.promotion import NUMBERS, Operand, Weak
from ...errors import TraceError
from ...functions.operands import strong
from ...ir.node import Graph, Node
from ...ir.types import I64
from ..arguments.trees import Tree, flatten, unflatten
from .cells import Cell
from .concrete import known_value
from .optional import OptionalNumber
from .traced import ARRAY, NUMBER, SCALAR, TracedArray
from .traced_frame import TraceFrame, ValueOf

if TYPE_CHECKING:
    from ...api.random.random_stream import Stream


class IterationsNeededError(BaseException):
    """The body of a loop draws from a generator of jitframe's, but its iterations are not counted."""


class RegionFrame(TraceFrame):
    """Makes the values of one region."""

    times: int | None = None
    """How often the region runs at most when the enclosing one runs, where that is known."""

    def __init__(self, name: str, parent: TraceFrame) -> None:
        graph = Graph()
        # Scalars are numbered over the whole trace.
        graph.scalar_values = parent.graph.scalar_values
        super().__init__(name, graph, parent.device)
        self.runs = parent.runs
        self.enclosing = (*parent.enclosing, parent)
        self.copied = parent.copied
        self.lines = parent.lines
        self.inputs: list[Node] = []
        """The region's parameters."""
        self.root.graphs.append(graph)

    def stream(self, generator: Stream) -> Stream:
        known = self.streams.get(id(generator))
        if known is None:
            if self.iteration is None:
                raise IterationsNeededError
            with entered(self):
                made = generator._derived(generator._words(), self.iteration(), self)
            known = self.streams[id(generator)] = generator, made
            self.root.taken.append(lambda: self.streams.pop(id(generator)))
        found: Stream = known[1]
        return found

    @property
    def given(self) -> list[tuple[Node, Node]]:
        """Loop-invariant operands: values of the enclosing trace that the region reads and does not change,
        as pairs (parameter, outer value)."""
        return [(inner, outer) for outer, inner in self.invariants.items()]

    def input(self, like: Node) -> Node:
        """A new parameter of the region."""
        node = self.graph.parameter(len(self.inputs), like.shape, like.dtype)
        self.inputs.append(node)
        return node

    def counter(self, iterations: tuple[int, int] | None) -> TracedArray:
        """Adds a parameter that is the number of the present iteration. `iterations`: the first number and
        the count, where they are known while tracing."""
        node = self.graph.parameter(len(self.inputs), (), I64)
        self.inputs.append(node)
        made = TracedArray(Cell(self, node), None, NUMBER)
        self.iteration = lambda: made
        if iterations is not None:
            first, count = iterations
            self.iterations = count, lambda: made - first if first else made
        return made

    def body_arguments(self, tree: Tree, values: Sequence[RegionValue]) -> Any:
        """Returns the arguments of the body for values of the enclosing trace: a new parameter for each."""
        inside = [TracedArray(Cell(self, self.input(each.node)), None, each.kind) for each in values]
        return unflatten(tree, inside)

    def adopt(self, graph: Graph, value: LazyValue) -> Operand:
        parent = self.enclosing[-1]
        if isinstance(value, TracedArray):
            if value.__class__ is OptionalNumber:
                value = value._certain()
            if value._cell.frame is self:
                return value._operand(graph)
            given = (
                value._operand(parent.graph)
                if value._cell.frame is parent
                else parent.adopt(parent.graph, value)
            )
        else:
            given = parent.adopt(parent.graph, value)
        if isinstance(given, Weak):
            return Weak(self.invariant(given.node))
        assert isinstance(given, Node), given
        return self.invariant(given)

    def invariant(self, node: Node) -> Node:
        """Returns the region's parameter for a node of the enclosing graph."""
        if node.op.source in ("constant", "scalar"):
            return self.graph.make(node.op, attributes=node.attributes)
        found = self.invariants.get(node)
        if found is None:
            found = self.invariants[node] = self.input(node)
            if node.dtype.is_integer and not node.shape:
                ranges = self.root.ranges
                ranges.known[found] = ranges.of(self.enclosing[-1], node)
        return found

    def inside(self, node: Node, within: TraceFrame) -> Node:
        return node if within is self else self.invariant(self.enclosing[-1].inside(node, within))

    def leaf_value(self, leaf: Node, value_of: ValueOf | None = None) -> numpy.ndarray | None:
        if leaf.op.source == "scalar":
            return super().leaf_value(leaf)
        outer = self.outside(leaf)
        return None if outer is None else (value_of or known_value)(self.enclosing[-1], outer)

    def outside(self, parameter: Node) -> Node | None:
        return next((outer for outer, inner in self.invariants.items() if inner is parameter), None)

    def trusted(self, graph: Graph, array: numpy.ndarray) -> Node:
        if not array.ndim:
            return super().trusted(graph, array)
        parent = self.enclosing[-1]
        return self.invariant(parent.trusted(parent.graph, array))


class RegionValue:
    """A leaf of a region's operands or results."""

    __slots__ = ("kind", "node")

    def __init__(self, node: Node, kind: int) -> None:
        self.node = node
        self.kind = kind


def value_of(frame: TraceFrame, leaf: Any, what: str) -> RegionValue:
    """Returns the user's value as a traced one; `what` names it in messages."""
    if not isinstance(leaf, (LazyValue, numpy.ndarray, numpy.generic)) and leaf.__class__ not in NUMBERS:
        raise TraceError(
            f"{what} holds a {type(leaf).__name__}; only arrays and numbers, and tuples, lists and dicts "
            "of them"
        )
    graph = frame.begin()
    given = operand(frame, graph, leaf)
    if isinstance(given, Node):
        kind = leaf._kind if isinstance(leaf, TracedArray) else ARRAY if given.shape else SCALAR
        return RegionValue(given, kind)
    return RegionValue(given.node if isinstance(given, Weak) else strong(graph, given), NUMBER)


def values_of(frame: TraceFrame, given: Any, what: str) -> tuple[Tree, list[RegionValue]]:
    """Returns the user's values as a tree, and its leaves as traced values."""
    leaves: list[Any] = []
    tree = flatten(given, leaves)
    return tree, [value_of(frame, leaf, what) for leaf in leaves]


def outside_value(frame: TraceFrame, node: Node, kind: int = ARRAY) -> TracedArray:
    """Returns a value of the trace that encloses a region."""
    frame.note(node)
    return TracedArray(Cell(frame, node), None, kind)


def run_region(
    region: RegionFrame, body: Callable[..., Any], arguments: Sequence[Any]
) -> tuple[Tree, list[RegionValue]]:
    """Traces a body into a region; returns the tree and its results."""
    with entered(region):
        return values_of(region, body(*arguments), f"what {region.name} returns")
