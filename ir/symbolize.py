"""Symbolic sizes: graphs whose sizes are expressions over those of their structure, from which plans are
made."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator

from .node import Attributes, Graph, Node, Region, Shape, topological
from .structure import Axes, Ranks, Size, Structure, find_structure


def symbolize(
    outputs: Iterable[Node], structure: Structure | None = None
) -> tuple[Structure, tuple[Node, ...]]:
    """Returns the same graph with every size a `Size`, and its structure, found here unless given. Only done
    when a plan has to be made."""
    outputs = tuple(outputs)
    if structure is None:
        structure = find_structure(outputs)
    symbols = Symbols(structure.found)
    return structure, _rebuild(outputs, structure.axes, symbols, Graph())


def sites(outputs: Iterable[Node]) -> list[Node]:
    """Returns the gathers and scatters, those of regions too, by the `site` that `symbolize` gives them."""
    nodes: list[Node] = []
    for node in topological(outputs):
        for region in node.attributes:
            if isinstance(region, Region):
                nodes.extend(sites((*region.parameters, *region.results)))
        if "site" in node.op.attribute_names:
            nodes.append(node)
    return nodes


class Symbols(Axes):
    """Calls the `structure` rules again, in the order of `find_structure`: every number that they take is a
    `Size` for their `sized`."""

    def __init__(self, found: Axes) -> None:
        super().__init__()
        self.found = found
        self.taken: list[Size] = []
        """The numbers of the current node, in the order in which its rule took them."""
        self.made: list[Region] = []
        """Its regions, with sizes."""
        self.graph = Graph()
        self._next = 0
        self._sites = 0
        self._sizes: dict[int, Size] = {}
        self._shapes: dict[tuple[int, ...], Shape] = {}

    @property
    def node_sizes(self) -> Iterator[Size]:
        return iter(self.taken)

    def number(self, value: int) -> int:
        number = self._next
        self._next += 1
        self.taken.append(self.size(number))
        return number

    def unify(self, first: tuple[int, ...], second: tuple[int, ...]) -> tuple[int, ...]:
        return first

    def scalar(self, index: int) -> int:
        return self.found.scalars[index]

    def region(self, region: Region, operands: Ranks, parameters: tuple[Node, ...]) -> Hashable:
        taken, regions, outer = self.taken, self.made, self.graph
        graph = Graph(outer)
        count = len(region.parameters)
        nodes = _rebuild((*region.parameters, *region.results), self.found.regions[id(region)], self, graph)
        self.taken, self.made, self.graph = taken, regions, outer
        self.made.append(Region(graph, nodes[:count], nodes[count:]))
        return None

    def inside(self, region: Region, node: Node) -> tuple[int, ...]:
        return self.found.inside(region, node)

    def site(self) -> int:
        """Returns the number of a node for errors."""
        self._sites += 1
        return self._sites - 1

    def size(self, number: int) -> Size:
        """Returns the size of a number of the structure."""
        number = self.found.find(number)
        known = self._sizes.get(number)
        if known is None:
            known = self._sizes[number] = Size(self.found.sizes[number], number)
        return known

    def shape(self, numbers: tuple[int, ...]) -> Shape:
        shape = self._shapes.get(numbers)
        if shape is None:
            shape = self._shapes[numbers] = tuple([self.size(number) for number in numbers])
        return shape


def _rebuild(
    outputs: tuple[Node, ...], axes: dict[Node, tuple[int, ...]], symbols: Symbols, graph: Graph
) -> tuple[Node, ...]:
    made: dict[Node, Node] = {}
    symbols.graph = graph
    for node, own in axes.items():
        op, attributes = node.op, node.attributes
        if op.structure is not None:
            symbols.taken, symbols.made = [], []
            op.structure(symbols, node, [axes[source] for source in node.inputs])
            attributes = _sized(node, symbols.shape(own), symbols)
        made[node] = graph.make(op, *[made[source] for source in node.inputs], attributes=attributes)
    return tuple(made[node] for node in outputs)


def _sized(node: Node, shape: Shape, symbols: Symbols) -> Attributes:
    if node.op.sized is not None:
        return node.op.sized(node, shape, symbols)
    named = zip(node.op.attribute_names, node.attributes, strict=True)
    return tuple(shape if name == "shape" else value for name, value in named)
