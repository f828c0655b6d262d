"""Complex numbers become pairs of reals: no kernel ever sees a complex type.

Every op says by its `of_complex` what it is of the parts. In memory the parts of an element lie side by
side, as NumPy has them: a complex array is an array of reals with one more, last axis of two elements. That
goes for parameters, outputs, and for arrays that loops carry; one complex number that a loop carries is two
numbers. Exact: this is what the ops mean.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .. import ops
from ..node import PAIR, Attributes, Graph, Node, Region, topological
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
        return _parameter(graph, node, node.attribute("index"))
    if node.op.family == "control":
        if node.op.has_regions:
            operands, attributes = _flat(graph, inputs), _with_split_regions(node)
        else:
            operands, attributes = [_memory(graph, each) for each in inputs], node.attributes
        return graph.make(node.op, *operands, attributes=attributes)
    if node.op.family == "item":
        return _item(graph, node, inputs[0])
    if node.op.source == "undefined" and node.dtype.is_complex:
        attributes = ((*node.shape, 2), PART_OF[node.dtype])
        return parts_of(graph, graph.make(node.op, attributes=attributes))
    has_complex = node.dtype.is_complex or any(each.dtype.is_complex for each in inputs)
    if not has_complex and not _has_complex_region(node):
        return graph.like(node, inputs, node.attributes)
    assert node.op.of_complex is not None, f"{node.op.name} of complex numbers is made of no op of reals"
    return node.op.of_complex(graph, inputs, node.attributes)


def _item(graph: Graph, node: Node, source: Node) -> Node:
    """A result of a control op, which has more of them where numbers before it are complex."""
    control, position = node.inputs[0], node.attribute("position")
    if not control.op.has_regions:
        item = graph.make(node.op, source, attributes=(position,))
        return parts_of(graph, item) if node.dtype.is_complex else item
    region: Region = control.attributes[0]
    first = sum(map(_width, region.results[:position]))
    items = [
        graph.make(node.op, source, attributes=(first + number,))
        for number in range(_width(region.results[position]))
    ]
    if len(items) == 2:
        return graph.make(PAIR, *items)
    return parts_of(graph, items[0]) if node.dtype.is_complex else items[0]


@ops.apply.defines("of_complex")
def _apply(graph: Graph, inputs: Sequence[Node], attributes: Attributes) -> Node:
    """A function of elements is one of their parts."""
    region, position = attributes
    assert isinstance(region, Region) and isinstance(position, int)
    first = sum(map(_width, region.results[:position]))
    split, operands = _region(region), [part for node in inputs for part in _parts(node)]
    nodes = [
        graph.make(ops.apply, *operands, attributes=(split, first + number))
        for number in range(_width(region.results[position]))
    ]
    return nodes[0] if len(nodes) == 1 else graph.make(PAIR, *nodes)


def _width(node: Node) -> int:
    """As how many values a value of a region is carried."""
    return 2 if node.dtype.is_complex and not node.shape else 1


def _parts(node: Node) -> tuple[Node, ...]:
    return node.inputs if node.dtype.is_complex else (node,)


def _flat(graph: Graph, values: Sequence[Node]) -> list[Node]:
    """Values as regions have them: arrays as they lie in memory, numbers in parts."""
    nodes: list[Node] = []
    for value in values:
        nodes += (_memory(graph, value),) if value.shape else _parts(value)
    return nodes


def _with_split_regions(node: Node) -> Attributes:
    return tuple(
        [_region(attribute) if isinstance(attribute, Region) else attribute for attribute in node.attributes]
    )


def _parameter(graph: Graph, node: Node, index: int) -> Node:
    """What a parameter holds, as parameter number `index`. Its run-time strides are counted in parts."""
    _, shape, _, layout = node.attributes
    if not node.dtype.is_complex:
        return graph.parameter(index, shape, node.dtype, layout)
    letters = (layout[:-1] + "m" if layout.endswith("1") else layout).replace("1", "2") + "1"
    return parts_of(graph, graph.parameter(index, (*shape, 2), PART_OF[node.dtype], letters))


def _region(region: Region) -> Region:
    """The same region of reals."""
    graph, made = region.graph, dict[Node, Node]()
    parameters: list[Node] = []
    for node in region.parameters:
        if _width(node) == 2:
            parts = [graph.parameter(len(parameters) + k, (), PART_OF[node.dtype]) for k in range(2)]
            made[node] = graph.make(PAIR, *parts)
            parameters += parts
        else:
            made[node] = _parameter(graph, node, len(parameters))
            parameters.append(_memory(graph, made[node]))
    for node in topological((*region.parameters, *region.results)):
        if node not in made:
            made[node] = _split(graph, node, made)
    return Region(graph, tuple(parameters), tuple(_flat(graph, [made[node] for node in region.results])))


def _memory(graph: Graph, node: Node) -> Node:
    """A value as it lies in memory."""
    return in_memory(graph, node) if node.dtype.is_complex else node
