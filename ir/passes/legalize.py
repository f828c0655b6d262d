"""Legalisation: what library calls, control steps and outputs need from their operands becomes explicit.

Copies are put where a step needs memory of its own, and products of dtypes without a library or a kernel
become multiply-and-sum; so do those with a vector, which read every element once: a library or a tile has
nothing to gain there, and what is around them fuses. The other way round, sums of products of matrices become
products for a library. Exact, but for the order of those sums.
"""

from __future__ import annotations

from collections.abc import Sequence

from .. import ops
from ..expr import equal, less, lift
from ..index import folds, view_of
from ..node import Graph, Node, Region, is_contiguous, topological, users_of
from ..types import BOOL
from .stages import LIBRARY_DTYPES, NO_LIMITS, Decide, Limits
from .summed_products import matrices_of


def legalize(
    graph: Graph,
    outputs: Sequence[Node],
    limits: Limits = NO_LIMITS,
    decide: Decide = lambda _: False,
) -> tuple[Node, ...]:
    """The same outputs in a graph whose every step gets operands it can take."""
    made: dict[Node, Node] = {}
    order = topological(outputs)
    users = users_of(order)
    for node in order:
        inputs = tuple(made[source] for source in node.inputs)
        if node.op is ops.reshape and not folds(node):
            made[node] = graph.make(ops.reshape, _in_memory(graph, *inputs), attributes=node.attributes)
        elif node.op is ops.dot:
            made[node] = _product(graph, inputs, limits, decide)
        elif node.op is ops.reduce and limits.library_products:
            made[node] = graph.make(node.op, *inputs, attributes=node.attributes)
            if users[node.inputs[0]] == [node] and node.inputs[0] not in outputs:
                made[node] = _sum(graph, made[node], limits, decide)
        elif node.op.family == "control" and node.op is not ops.item:
            attributes = tuple(
                _legal_region(value, limits, decide) if isinstance(value, Region) else value
                for value in node.attributes
            )
            # A loop reads its bounds from wherever they are.
            free = 2 if node.op is ops.loop else 0
            operands = inputs[:free] + tuple(_in_memory(graph, source) for source in inputs[free:])
            made[node] = graph.make(node.op, *operands, attributes=attributes)
        else:
            made[node] = graph.make(node.op, *inputs, attributes=node.attributes)
    return own_memory(graph, [made[node] for node in outputs])


def _legal_region(region: Region, limits: Limits, decide: Decide) -> Region:
    results = legalize(region.graph, region.results, limits, decide)
    return Region(region.graph, region.parameters, own_memory(region.graph, results, strict=True))


def own_memory(graph: Graph, outputs: Sequence[Node], strict: bool = False) -> tuple[Node, ...]:
    """Outputs of which no two share memory, nor one with a parameter; strict: not with any other value."""
    taken: set[Node] = set()
    result = []
    for node in outputs:
        base = node
        while base.op.name == "reshape":
            base = base.inputs[0]
        if base in taken or base.op.name == "parameter" or (strict and node.op.name in ("reshape", "item")):
            node = base = _fresh_copy(graph, node, taken)
        taken.add(base)
        result.append(node)
    return tuple(result)


def _fresh_copy(graph: Graph, node: Node, taken: set[Node]) -> Node:
    """A copy that is no output yet: equal copies are one node, so the second is a copy of the first."""
    made = graph.make(ops.copy, node)
    while made in taken:
        made = graph.make(ops.copy, made)
    return made


def _in_memory(graph: Graph, node: Node) -> Node:
    """An operand of a control step: a contiguous array, or a rank-0 value that can be written to one."""
    if node.op.name == "parameter" and (not node.shape or not is_contiguous(node)):
        return graph.make(ops.copy, node)
    return node


def _sum(graph: Graph, node: Node, limits: Limits, decide: Decide) -> Node:
    matrices = matrices_of(graph, node, decide)
    return node if matrices is None else _product(graph, matrices, limits, decide)


def _product(graph: Graph, inputs: tuple[Node, ...], limits: Limits, decide: Decide) -> Node:
    x, y = inputs
    dtype, wide = x.dtype, ops.accumulator(x.dtype)
    if _is_with_vector(x, y, decide):
        return _multiplied_and_summed(graph, x, y)
    if limits.small_products and _is_small(x, y, decide):
        return graph.make(ops.small_dot, x, y)
    if wide is not dtype and limits.library_products and wide in LIBRARY_DTYPES:
        x, y = (graph.make(ops.cast, each, attributes=(wide,)) for each in (x, y))
    made = graph.make(ops.dot, x, y)
    if limits.product(made) is None:
        return _multiplied_and_summed(graph, x, y)
    return made if made.dtype is dtype else graph.make(ops.cast, made, attributes=(dtype,))


def _is_with_vector(x: Node, y: Node, decide: Decide) -> bool:
    """Whether every element of one operand is needed once: nothing is gained from tiles of both."""
    return any(
        decide(equal(lift(extent), 1)) and not _repeats(other)
        for extent, other in ((x.shape[-2], y), (y.shape[-1], x))
    )


SMALL_MATRIX = 16
"""Rows, columns and inner extent up to which a call of a library takes longer than the product."""


def _is_small(x: Node, y: Node, decide: Decide) -> bool:
    """Whether the matrices are small, and no stack of them is many rows for one."""
    extents = (*x.shape[-2:], y.shape[-1])
    return not _repeats(y) and all(decide(less(lift(extent), SMALL_MATRIX + 1)) for extent in extents)


def _repeats(node: Node) -> bool:
    """Whether the same matrix stands at all positions of a batch axis."""
    _, dims = view_of(node)
    return not {*range(len(node.shape) - 2)} <= {axis for dim in dims for axis, _ in dim.terms}


def _multiplied_and_summed(graph: Graph, x: Node, y: Node) -> Node:
    *batch, m, k = x.shape
    shape, rank, kept = (*batch, m, k, y.shape[-1]), len(batch), tuple(range(len(batch)))
    dtype, wide = x.dtype, ops.accumulator(x.dtype)
    if wide is not x.dtype:
        x, y = (graph.make(ops.cast, each, attributes=(wide,)) for each in (x, y))
    left = graph.make(ops.broadcast, x, attributes=(shape, (*kept, rank, rank + 1)))
    right = graph.make(ops.broadcast, y, attributes=(shape, (*kept, rank + 1, rank + 2)))
    if wide is BOOL:
        return graph.make(
            ops.reduce, graph.make(ops.bitwise_and, left, right), attributes=("any", (rank + 1,))
        )
    total = graph.make(ops.reduce, graph.make(ops.mul, left, right), attributes=("sum", (rank + 1,)))
    return total if wide is dtype else graph.make(ops.cast, total, attributes=(dtype,))
