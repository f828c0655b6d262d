"""Simplification of a region's graph before it becomes a kernel's loop: copies, products and writes that
it does not need."""

from __future__ import annotations

from ....ir import ops
from ....ir.index import index_nodes
from ....ir.node import Graph, Node, Region, topological


def clean_region(region: Region) -> Region:
    """Returns the simplified region, made of nodes of its own. Exact, but for the order of the sums of
    products."""
    graph = Graph(region.graph)
    nodes = topological((*region.parameters, *region.results))
    made: dict[Node, Node] = {}
    for node in nodes:
        inputs = tuple([made[source] for source in node.inputs])
        made[node] = _clean(graph, node, inputs)
    return Region(
        graph,
        tuple([made[parameter] for parameter in region.parameters]),
        tuple([made[result] for result in region.results]),
    )


def clean_control(graph: Graph, node: Node, inputs: tuple[Node, ...]) -> Node:
    """A control node with clean regions."""
    attributes = tuple(
        clean_region(attribute) if isinstance(attribute, Region) else attribute
        for attribute in node.attributes
    )
    return graph.make(node.op, *inputs, attributes=attributes)


def _clean(graph: Graph, node: Node, inputs: tuple[Node, ...]) -> Node:
    if node.op.copies:
        # copy(x) -> x: values have no memory here
        return inputs[0]
    if node.op.family == "contract" and _along_same_axes(node):
        return ops.dot_as_sum(graph, inputs, node.attributes)
    if node.op.family == "control" and node.op.nested:
        return clean_control(graph, node, inputs)
    base = inputs[0] if inputs else None
    if base is not None and base.op.family == "update" and _at_one_place(node, inputs, base):
        if node.op.family == "gather":
            # gather(scatter(x, v, i), i) -> v
            return base.inputs[1]
        if inputs[1] is base.inputs[1]:
            # scatter(scatter(x, v, i), v, i) -> scatter(x, v, i)
            return base
    return graph.make(node.op, *inputs, attributes=node.attributes)


def _along_same_axes(node: Node) -> bool:
    """Whether the contracted axes of a product's operands are the same."""
    x, y = node.inputs
    rows, columns = ops.sides(node)
    batch = len(node.shape) - 2
    return x.shape[batch + rows :] == y.shape[batch : len(y.shape) - columns]


def _at_one_place(node: Node, inputs: tuple[Node, ...], base: Node) -> bool:
    """Whether a node reads or sets the same run-time position as its base, which sets it."""
    indices = inputs[node.op.index_arrays :] if node.op.index_arrays else ()
    if not indices or indices != index_nodes(base) or any(index.shape for index in indices):
        return False
    if base.op.index_map is not None:
        return False  # it sets a window of the read elements
    if any(each.attribute("kind") != "set" for each in (node, base) if each.op.family == "update"):
        return False
    return all(node.attribute(name) == base.attribute(name) for name in ("axes", "position"))
