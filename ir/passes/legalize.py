"""Legalisation: what library calls, control steps and outputs need from their operands becomes explicit.

Copies are put where a step needs memory of its own or a unit stride, and products of dtypes without a library
or a kernel become multiply-and-sum; so do those with a vector where products are kernels, as tiles would be
almost empty. Exact, but for the order of those vectors' sums.
"""

from __future__ import annotations

from collections.abc import Sequence

from .. import ops
from ..expr import equal, lift
from ..index import folds
from ..node import Graph, Node, Region, is_contiguous, topological
from ..types import BOOL
from .stages import NO_LIMITS, Decide, Limits, matrix_base


def legalize(
    graph: Graph,
    outputs: Sequence[Node],
    limits: Limits = NO_LIMITS,
    decide: Decide = lambda _: False,
) -> tuple[Node, ...]:
    """The same outputs in a graph whose every step gets operands it can take."""
    made: dict[Node, Node] = {}
    for node in topological(outputs):
        inputs = tuple(made[source] for source in node.inputs)
        if node.op is ops.reshape and not folds(node):
            made[node] = graph.make(ops.reshape, _in_memory(graph, *inputs), attributes=node.attributes)
        elif node.op is ops.dot:
            made[node] = _product(graph, inputs, limits, decide)
        elif node.op.family == "control" and node.op is not ops.item:
            attributes = tuple(
                _legal_region(value, limits, decide) if isinstance(value, Region) else value
                for value in node.attributes
            )
            operands = tuple(_in_memory(graph, source) for source in inputs)
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


def _product(graph: Graph, inputs: tuple[Node, ...], limits: Limits, decide: Decide) -> Node:
    x, y = inputs
    kind = limits.product(x.dtype)
    if kind == "product":
        if not any(decide(equal(lift(extent), 1)) for extent in (x.shape[0], y.shape[1])):
            return graph.make(ops.dot, x, y)
    elif kind == "library":
        return graph.make(ops.dot, _with_unit_stride(graph, x), _with_unit_stride(graph, y))
    shape = (x.shape[0], x.shape[1], y.shape[1])
    left = graph.make(ops.broadcast, x, attributes=(shape, (0, 1)))
    right = graph.make(ops.broadcast, y, attributes=(shape, (1, 2)))
    if x.dtype is BOOL:
        return graph.make(ops.reduce, graph.make(ops.bitwise_and, left, right), attributes=("any", (1,)))
    return graph.make(ops.reduce, graph.make(ops.mul, left, right), attributes=("sum", (1,)))


def _with_unit_stride(graph: Graph, node: Node) -> Node:
    base = matrix_base(node)
    if base.op.name != "parameter" or base.attribute("layout") in ("m1", "s1", "1s"):
        return node
    return graph.make(ops.copy, node)
