"""Loops over whole arrays, each element of which follows from that element alone, as functions of elements.

`for _ in range(n): z = z * z + c` reads and writes memory once then, not n times: the loop runs in a kernel,
for each element. Exact: every element is computed as it was.
"""

from __future__ import annotations

from collections.abc import Sequence

from .. import ops
from ..node import Graph, Node, Region, topological
from ..rewrite import constant_value

ITERATIONS = 256
"""Of a kernel: a longer loop is one of the plan around it, whose steps are interrupted by signals."""


def sink_complex_loops(outputs: Sequence[Node]) -> tuple[Node, ...]:
    """Returns the same outputs, without such loops over complex arrays: with parts that lie side by side in
    memory they would not be elementwise."""
    order = topological(outputs)
    loops = [
        node for node in order if node.op is ops.loop and any(each.dtype.is_complex for each in node.inputs)
    ]
    return _sunk(Graph(), order, loops, outputs) if loops else tuple(outputs)


def sink_loops(graph: Graph, outputs: Sequence[Node]) -> tuple[Node, ...]:
    """Returns the same outputs, without loops whose iterations are elementwise."""
    order = topological(outputs)
    return _sunk(graph, order, [node for node in order if node.op is ops.loop], outputs)


def _sunk(
    graph: Graph, order: Sequence[Node], candidates: Sequence[Node], outputs: Sequence[Node]
) -> tuple[Node, ...]:
    loops = {node: _ElementLoop(node) for node in candidates}
    loops = {node: loop for node, loop in loops.items() if loop.is_elementwise()}
    if not loops:
        return tuple(outputs)
    made: dict[Node, Node] = {}
    sunk: dict[Node, list[Node]] = {}
    for node in order:
        if node.op is ops.item and node.inputs[0] in sunk:
            made[node] = sunk[node.inputs[0]][node.attribute("position")]
            continue
        inputs = [made[source] for source in node.inputs]
        if node in loops:
            loop = loops[node]
            sunk[node] = loop.applied(graph, inputs) if _is_short(inputs) else loop.in_blocks(graph, inputs)
        else:
            made[node] = graph.make(node.op, *inputs, attributes=node.attributes)
    return tuple(made[node] for node in outputs)


def _is_short(inputs: Sequence[Node]) -> bool:
    """Whether a loop with these inputs has so few iterations that one kernel runs all of them."""
    lower, upper = (constant_value(node) for node in inputs[:2])
    return lower is not None and upper is not None and upper - lower <= ITERATIONS


class _ElementLoop:
    """A counted loop over arrays."""

    def __init__(self, node: Node) -> None:
        self.node = node
        region = node.attributes[0]
        assert isinstance(region, Region)
        self.region: Region = region
        self.index, *parameters = region.parameters
        count = len(region.results)
        self.carried, self.given = parameters[:count], parameters[count:]
        self.shape = region.results[0].shape if region.results else ()
        self.changing: set[Node] = {self.index, *self.carried}
        """Nodes that differ between iterations."""
        self.body: list[Node] = []
        """Those of the body, in order."""
        for each in topological(region.results):
            if not self.changing.isdisjoint(each.inputs):
                self.changing.add(each)
                self.body.append(each)
        read = [*region.results, *(source for each in self.body for source in each.inputs)]
        outside = [each for each in map(_scalar, read) if each not in self.changing]
        self.invariants = list(dict.fromkeys(each for each in outside if each.op.source != "constant"))
        """What the body reads from outside, constants left out."""

    def is_elementwise(self) -> bool:
        """Whether all that changes has one shape, or is a scalar, and is computed element by element."""
        if not self.shape or not any(node.shape for node in self.body):
            return False
        if any(node.shape != self.shape for node in (*self.region.results, *self.carried)):
            return False
        if any(invariant.shape not in ((), self.shape) for invariant in self.invariants):
            return False
        return all(map(self._is_of_elements, self.body))

    def _is_of_elements(self, node: Node) -> bool:
        if node.op is ops.broadcast:
            return not node.inputs[0].shape and node.shape == self.shape
        alike = node.shape in ((), self.shape) and all(each.shape == node.shape for each in node.inputs)
        return alike and node.op.family == "elementwise" and node.op.fault is None

    def applied(self, graph: Graph, inputs: Sequence[Node]) -> list[Node]:
        """Returns the results, made in a graph where the loop has these inputs."""
        bounds = self.node.op.bounds
        outside: dict[Node, Node] = dict(zip(self.given, inputs[bounds + len(self.carried) :], strict=True))
        for node in topological(self.invariants):
            if node not in outside:
                sources = [outside[source] for source in node.inputs]
                outside[node] = graph.make(node.op, *sources, attributes=node.attributes)
        operands = [
            *inputs[: bounds + len(self.carried)],
            *(outside[invariant] for invariant in self.invariants),
        ]
        spread = [
            operand if operand.shape else graph.make(ops.broadcast, operand, attributes=(self.shape, ()))
            for operand in operands
        ]
        region = self._of_scalars(graph, operands)
        return [
            graph.make(ops.apply, *spread, attributes=(region, position))
            for position in range(len(self.region.results))
        ]

    def in_blocks(self, graph: Graph, inputs: Sequence[Node]) -> list[Node]:
        """Returns the results of a loop whose iterations are blocks of this one's."""
        lower, upper, *operands = inputs
        dtype, count = lower.dtype, len(self.carried)
        inner = Graph(graph)
        number = inner.parameter(0, (), dtype)
        ordered = [*operands[:count], lower, upper, *operands[count:]]
        parameters = [
            inner.parameter(place, node.shape, node.dtype) for place, node in enumerate(ordered, start=1)
        ]
        carried, (low, high, *nodes) = parameters[:count], parameters[count:]
        step = inner.constant(ITERATIONS, dtype)
        start = inner.make(ops.add, low, inner.make(ops.mul, number, step))
        stop = inner.make(ops.minimum, inner.make(ops.add, start, step), high)
        results = self.applied(inner, [start, stop, *carried, *nodes])
        body = Region(inner, (number, *parameters), tuple(results))
        zero, more = graph.constant(0, dtype), graph.constant(ITERATIONS - 1, dtype)
        total = graph.make(ops.add, graph.make(ops.sub, upper, lower), more)
        blocks = graph.make(ops.floordiv, total, graph.constant(ITERATIONS, dtype))
        loop = graph.make(ops.loop, zero, blocks, *ordered, attributes=(body, *self.node.attributes[1:]))
        return [graph.make(ops.item, loop, attributes=(place,)) for place in range(count)]

    def _of_scalars(self, graph: Graph, operands: Sequence[Node]) -> Region:
        """Returns the region that is applied to the elements of the operands: the loop over scalars."""
        outer = Graph(graph)
        parameters = [outer.parameter(place, (), operand.dtype) for place, operand in enumerate(operands)]
        inner = Graph(outer)
        own = [self.index, *self.carried, *self.invariants]
        nodes = [inner.parameter(place, (), each.dtype) for place, each in enumerate(own)]
        known = dict(zip(own, nodes, strict=True))

        def value(node: Node) -> Node:
            scalar = _scalar(node)
            if scalar not in known:
                known[scalar] = inner.make(scalar.op, attributes=scalar.attributes)
            return known[scalar]

        for each in self.body:
            if each.op is not ops.broadcast:
                known[each] = inner.make(each.op, *map(value, each.inputs), attributes=each.attributes)
        body = Region(inner, tuple(nodes), tuple(map(value, self.region.results)))
        loop = outer.make(ops.loop, *parameters, attributes=(body, *self.node.attributes[1:]))
        results = [outer.make(ops.item, loop, attributes=(place,)) for place in range(len(self.carried))]
        return Region(outer, tuple(parameters), tuple(results))


def _scalar(node: Node) -> Node:
    """Returns the scalar that a node repeats, else the node."""
    while node.op is ops.broadcast and not node.inputs[0].shape:
        (node,) = node.inputs
    return node
