"""Legalisation: what library calls, control steps and outputs need from their operands becomes explicit.

Copies are put where a step needs memory of its own, and products of matrices become what the device has for
them. Exact, but for the order of the sums of products.
"""

from __future__ import annotations

from collections.abc import Sequence

from .. import ops
from ..expr import lift
from ..index import folds
from ..node import Attributes, Graph, Node, Region, Shape, Walk, is_contiguous
from .loop_operands import pack_before_loop
from .matrix_products import legal_product, product_of_sum
from .stages import NO_LIMITS, Decide, Limits
from .step_products import make_in_steps
from .winograd import image_product


def legalize(
    graph: Graph, walk: Walk, limits: Limits = NO_LIMITS, decide: Decide = lambda _: False
) -> tuple[Node, ...]:
    """The same outputs in a graph whose every step gets operands it can take."""
    made: dict[Node, Node] = {}
    outputs, users = walk.outputs, walk.users
    for node in walk.order:
        inputs = tuple([made[source] for source in node.inputs])
        if not folds(node):
            made[node] = graph.make(ops.reshape, _in_memory(graph, *inputs), attributes=node.attributes)
        elif node.op is ops.dot:
            made[node] = legal_product(graph, inputs, limits, decide)
        elif node.op is ops.image_dot:
            made[node] = image_product(graph, inputs, limits, decide)
        elif node.op is ops.reduce and limits.library_products:
            made[node] = graph.like(node, inputs, node.attributes)
            if users[node.inputs[0]] == [node] and node.inputs[0] not in outputs:
                made[node] = product_of_sum(graph, made[node], limits, decide)
        elif (
            node.op.family == "elementwise" and node.op.instruction is None and node.op.decompose is not None
        ):
            made[node] = node.op.decompose(graph, inputs, node.attributes)
        elif node.op.family == "elementwise" and node.op.has_regions:
            made[node] = graph.make(
                node.op, *inputs, attributes=_with_legal_regions(node.attributes, limits, decide)
            )
        elif node.op.family == "control":
            sources, attributes = make_in_steps(node, users, limits, decide)
            attributes = _with_legal_regions(attributes, limits, decide)
            inputs = tuple([_in_shape(graph, made[source], shape) for source, shape in sources])
            # A loop reads its bounds from wherever they are.
            free = node.op.bounds
            operands = inputs[:free] + tuple(_in_memory(graph, source) for source in inputs[free:])
            if node.op.carries:
                operands, attributes = pack_before_loop(graph, node, operands, attributes, limits, decide)
            made[node] = graph.make(node.op, *operands, attributes=attributes)
        else:
            made[node] = graph.like(node, inputs, node.attributes)
    return own_memory(graph, [made[node] for node in outputs])


def _in_shape(graph: Graph, node: Node, shape: Shape) -> Node:
    """The same elements, with extents that are other words for its own."""
    same = all(lift(x) is lift(y) for x, y in zip(node.shape, shape, strict=True))
    return node if same else graph.make(ops.reshape, node, attributes=(shape,))


def _with_legal_regions(attributes: Attributes, limits: Limits, decide: Decide) -> Attributes:
    """The attributes of a node, with regions that can be lowered."""
    return tuple(
        _legal_region(value, limits, decide) if isinstance(value, Region) else value for value in attributes
    )


def _legal_region(region: Region, limits: Limits, decide: Decide) -> Region:
    results = legalize(region.graph, Walk(region.results), limits, decide)
    return Region(region.graph, region.parameters, own_memory(region.graph, results, strict=True))


def own_memory(graph: Graph, outputs: Sequence[Node], strict: bool = False) -> tuple[Node, ...]:
    """Outputs of which no two share memory, nor one with a parameter; strict: not with any other value."""
    taken: set[Node] = set()
    result = []
    for node in outputs:
        base = node
        while base.op.renames:
            base = base.inputs[0]
        if (
            base in taken
            or base.op.source == "array"
            or (strict and (node.op.renames or node.op.family == "item"))
        ):
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
    if node.op.source == "array" and (not node.shape or not is_contiguous(node)):
        return graph.make(ops.copy, node)
    return node
