"""Several steps of a stencil in one pass over memory: a loop over it takes some steps in each iteration.

The steps of an iteration are a pipeline over tiles (see `tiles`), which reads and writes memory once. What is
left over is done by the loop as it was. Exact: each step computes what it did.
"""

from __future__ import annotations

from collections.abc import Sequence

from .. import ops
from ..expr import less, lift, product
from ..index import folds
from ..node import Graph, Node, Region, topological, users_of
from .fuse import fuse
from .groups import WritePlan
from .stages import Decide, Limits

STEPS = 4
"""Of an iteration: more save little, as there is arithmetic too, and take longer to compile."""
MOST_AXES = 2
"""In a block, one step reads and writes memory in nearly the time that its arithmetic and margins take."""
LARGE = 1 << 22
"""Elements of an array from which there is something to save: a quarter of them stay in the caches."""
MOST_NODES = 128
"""Of a step, which is compiled STEPS + 1 times."""
FAMILIES = frozenset(("elementwise", "movement", "update", "leaf"))


def block_in_time(graph: Graph, outputs: Sequence[Node], decide: Decide, limits: Limits) -> tuple[Node, ...]:
    """The same outputs; loops over stencils of large arrays are two, one of iterations of STEPS steps, one of
    the steps that are left."""
    order = topological(outputs)
    if not limits.tiles or not any(_may_be_stencil(node) for node in order):
        return tuple(outputs)
    made: dict[Node, Node] = {}
    for node in order:
        inputs = tuple(made[source] for source in node.inputs)
        loop = _Loop(graph, node, inputs) if _may_be_stencil(node) else None
        if loop is not None and loop.pays(decide, limits):
            made[node] = loop.in_two()
        else:
            made[node] = graph.make(node.op, *inputs, attributes=node.attributes)
    return tuple(made[node] for node in outputs)


def is_pipeline(results: Sequence[Node], decide: Decide, limits: Limits) -> bool:
    """Whether one kernel makes all results, tile by tile of what it reads at neighbouring positions."""
    users = users_of(topological(results))
    if not limits.tiles or not any(
        sum(user.op.shift == "linear" for user in nodes) > 1 and node.op.source != "array"
        for node, nodes in users.items()
    ):
        return False
    groups = fuse(WritePlan(tuple(results)), decide, limits).groups
    return len(groups) == 1 and bool(groups[0].scratch)


def _may_be_stencil(node: Node) -> bool:
    """Whether a node is a loop that changes arrays of one rank, and reads some of them at several places."""
    if node.op is not ops.loop:
        return False
    region: Region = node.attributes[0]
    index, *parameters = region.parameters
    order = topological(region.results)
    ranks = {len(each.shape) for each in _changed(region)}
    if len(order) > MOST_NODES or len(ranks) != 1 or not 0 < max(ranks) <= MOST_AXES:
        return False
    if index in order or not all(_is_plain(each) for each in order):
        return False
    users = users_of(order)
    carried = parameters[: len(region.results)]
    return any(sum(user.op.shift == "linear" for user in users.get(each, ())) > 1 for each in carried)


def _changed(region: Region) -> list[Node]:
    """The results that are not only what was carried, at its place or another's."""
    return [result for result in region.results if result not in region.parameters]


def _is_plain(node: Node) -> bool:
    return node.op.family in FAMILIES and folds(node)


class _Loop:
    """A loop node of a new graph: what it is made of there."""

    def __init__(self, graph: Graph, node: Node, inputs: Sequence[Node]) -> None:
        self.graph = graph
        region: Region = node.attributes[0]
        self.region = region
        self.lower, self.upper, *self.operands = inputs
        self.iteration: Region

    def pays(self, decide: Decide, limits: Limits) -> bool:
        """Whether the arrays are large, and the steps of an iteration become one pass."""
        if not decide(less(LARGE - 1, product(map(lift, _changed(self.region)[0].shape)))):
            return False
        self.iteration = self._repeated(STEPS)
        return is_pipeline(self.iteration.results, decide, limits)

    def _repeated(self, times: int) -> Region:
        """The region that does so many steps."""
        inner = Graph(self.graph)
        parameters = tuple(
            inner.make(parameter.op, attributes=parameter.attributes) for parameter in self.region.parameters
        )
        count = len(self.region.results)
        values = parameters
        for _ in range(times):
            made = dict(zip(self.region.parameters, values, strict=True))
            for node in topological(self.region.results):
                if node not in made:
                    sources = (made[source] for source in node.inputs)
                    made[node] = inner.make(node.op, *sources, attributes=node.attributes)
            results = tuple(made[node] for node in self.region.results)
            values = (parameters[0], *results, *parameters[count + 1 :])
        results = values[1 : count + 1]
        users = users_of(topological(results))
        # What the last steps read is held tile by tile, so that the result is another array.
        own = (
            inner.make(ops.copy, result) if users[result] and result not in parameters else result
            for result in results
        )
        return Region(inner, parameters, tuple(own))

    def in_two(self) -> Node:
        """The two loops. The body reads no counter, so both count from 0."""
        graph, dtype = self.graph, self.lower.dtype
        zero, steps = graph.constant(0, dtype), graph.constant(STEPS, dtype)
        count = graph.make(ops.maximum, graph.make(ops.sub, self.upper, self.lower), zero)
        iterations = graph.make(ops.floordiv, count, steps)
        rest = graph.make(ops.sub, count, graph.make(ops.mul, iterations, steps))
        first = graph.make(ops.loop, zero, iterations, *self.operands, attributes=(self.iteration,))
        carried = len(self.region.results)
        items = (graph.make(ops.item, first, attributes=(place,)) for place in range(carried))
        return graph.make(ops.loop, zero, rest, *items, *self.operands[carried:], attributes=(self.region,))
