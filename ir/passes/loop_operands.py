"""Products in loops with a matrix that the loop does not change: it is packed once, before. Exact."""

from __future__ import annotations

from collections.abc import Sequence

from .. import ops
from ..node import Attributes, Graph, Node, Region, topological
from .matrix_products import is_large
from .stages import LIBRARY_DTYPES, Decide, Limits


def pack_before_loop(
    graph: Graph, node: Node, operands: Sequence[Node], attributes: Attributes, limits: Limits, decide: Decide
) -> tuple[tuple[Node, ...], Attributes]:  # fmt: skip
    """The operands and regions of a loop, the matrices that do not change among the operands as `panels`.

    Those that an inner loop found are moved on, out of this one as well.
    """
    regions = [value for value in attributes if isinstance(value, Region)]
    if not limits.packed_products or not node.op.carries:
        return tuple(operands), attributes
    carried = len(regions[0].results)
    unchanged = {
        parameter: operand
        for region in regions
        for parameter, operand in _given(node, region, operands)[carried:]
    }
    moved: dict[Node, None] = {}
    for region in regions:
        for each in topological(region.results):
            found = each if each.op is ops.panels else _packable(each, limits, decide)
            source = None if found is None else _source(found)
            if found is not None and source in unchanged:
                moved[found] = None
    nodes = list(operands)
    for each in moved:
        source = _source(each)
        assert source is not None
        matrix = _rebuilt(graph, _matrix(each), {source: unchanged[source]})
        nodes.append(graph.make(ops.item, graph.make(ops.panels, matrix), attributes=(0,)))
    return tuple(nodes), tuple(_with_panels(region, list(moved)) for region in regions)


def _given(node: Node, region: Region, operands: Sequence[Node]) -> list[tuple[Node, Node]]:
    """A region's parameters, but for the counter, and what they are."""
    values = operands[node.op.bounds :]
    parameters = region.parameters[len(region.parameters) - len(values) :]
    return list(zip(parameters, values, strict=True))


def _packable(node: Node, limits: Limits, decide: Decide) -> Node | None:
    """A product that a kernel can read the right operand of in panels."""
    if node.op is ops.packed_dot:
        fits = len(node.inputs[1].shape) == 2
    else:
        fits = node.op is ops.dot and limits.large_products and len(node.shape) == 2
        fits = fits and node.dtype in LIBRARY_DTYPES
        fits = fits and is_large(node.inputs[0], node.inputs[1], decide)
    return node if fits else None


def _matrix(node: Node) -> Node:
    """What is packed, of a product or of panels."""
    return node.inputs[-1]


def _source(node: Node) -> Node | None:
    """The parameter that the matrix is a view of."""
    matrix = _matrix(node)
    while matrix.op.family == "movement" and len(matrix.inputs) == 1:
        (matrix,) = matrix.inputs
    return matrix if matrix.op.source == "array" else None


def _rebuilt(graph: Graph, node: Node, made: dict[Node, Node]) -> Node:
    for each in topological((node,)):
        if each not in made:
            made[each] = graph.make(
                each.op, *[made[source] for source in each.inputs], attributes=each.attributes
            )
    return made[node]


def _with_panels(region: Region, moved: Sequence[Node]) -> Region:
    """The region with packed matrices as further parameters."""
    graph, parameters = region.graph, list(region.parameters)
    panels: dict[Node, Node] = {}
    for each in moved:
        matrix = _matrix(each)
        panels[each] = graph.parameter(len(parameters), matrix.shape, matrix.dtype)
        parameters.append(panels[each])
    made: dict[Node, Node] = {}
    for node in topological(region.results):
        inputs = [made[source] for source in node.inputs]
        if node in panels and node.op is not ops.panels:
            rows, shape = (node.attributes[0], node.shape) if node.attributes else (1, node.shape)
            made[node] = graph.make(ops.panel_dot, inputs[0], panels[node], attributes=(rows, 1, shape))
        elif node.op.family == "item" and node.inputs[0] in panels:
            made[node] = panels[node.inputs[0]]
        else:
            made[node] = graph.make(node.op, *inputs, attributes=node.attributes)
    return Region(graph, tuple(parameters), tuple(made[result] for result in region.results))
