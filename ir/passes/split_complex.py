"""Complex numbers become pairs of reals: no kernel ever sees a complex type.

Every op says by its `of_complex` what it is of the parts. In memory the parts of an element lie side by
side, as NumPy has them: a complex array is an array of reals with one more, last axis of two elements. That
goes for parameters, outputs, and for what loops carry. Exact: this is what the ops mean.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..node import Graph, Node, Region, topological
from ..ops.complex_numbers import in_memory, parts_of
from ..types import PART_OF


def split_complex(graph: Graph, outputs: Sequence[Node]) -> tuple[Node, ...]:
    """The same outputs, complex ones as arrays of reals; the outputs themselves where nothing is complex."""
    order = topological(outputs)
    if not any(node.dtype.is_complex or _has_complex_region(node) for node in order):
        return tuple(outputs)
    from ..ops import complex_arithmetic, complex_functions  # noqa: F401, they define what it asks for

    made: dict[Node, Node] = {}
    for node in order:
        made[node] = _split(graph, node, made)
    return tuple([_memory(graph, made[node]) for node in outputs])


def _has_complex_region(node: Node) -> bool:
    return any(
        each.dtype.is_complex or _has_complex_region(each)
        for region in node.attributes
        if isinstance(region, Region)
        for each in topological((*region.parameters, *region.results))
    )


def _split(graph: Graph, node: Node, made: Mapping[Node, Node]) -> Node:
    inputs = tuple([made[source] for source in node.inputs])
    if node.op.source == "array":
        return _parameter(graph, node)
    if node.op.family == "control":
        operands = [_memory(graph, each) for each in inputs]
        attributes = tuple([_region(each) if isinstance(each, Region) else each for each in node.attributes])
        return graph.make(node.op, *operands, attributes=attributes)
    if node.op.family == "item":
        item = graph.make(node.op, *inputs, attributes=node.attributes)
        return parts_of(graph, item) if node.dtype.is_complex else item
    if node.op.source == "undefined" and node.dtype.is_complex:
        attributes = ((*node.shape, 2), PART_OF[node.dtype])
        return parts_of(graph, graph.make(node.op, attributes=attributes))
    if not node.dtype.is_complex and not any(each.dtype.is_complex for each in inputs):
        return graph.like(node, inputs, node.attributes)
    assert node.op.of_complex is not None, f"{node.op.name} of complex numbers is made of no op of reals"
    return node.op.of_complex(graph, inputs, node.attributes)


def _parameter(graph: Graph, node: Node) -> Node:
    """What a parameter holds. Its run-time strides are counted in parts."""
    if not node.dtype.is_complex:
        return graph.like(node, (), node.attributes)
    index, shape, dtype, layout = node.attributes
    assert isinstance(shape, tuple) and isinstance(layout, str)
    letters = (layout[:-1] + "m" if layout.endswith("1") else layout).replace("1", "2") + "1"
    return parts_of(graph, graph.parameter(index, (*shape, 2), PART_OF[dtype], letters))  # type: ignore[arg-type,index]


def _region(region: Region) -> Region:
    """The same region, whose parameters and results are arrays of reals."""
    graph, made = region.graph, dict[Node, Node]()
    nodes = (*region.parameters, *region.results)
    for node in topological(nodes):
        made[node] = _split(graph, node, made)
    count = len(region.parameters)
    split = [_memory(graph, made[node]) for node in nodes]
    return Region(graph, tuple(split[:count]), tuple(split[count:]))


def _memory(graph: Graph, node: Node) -> Node:
    """A value as it lies in memory."""
    return in_memory(graph, node) if node.dtype.is_complex else node
