"""A graph whose sizes know which numbers of its structure they are: what plans are made from."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .node import Attributes, Graph, Node, Region, Shape, topological
from .structure import (
    Axes,
    Size,
    Structure,
    find_structure,
    groups_of,
    is_whole,
    kinds_of_wrap,
    same_axes,
)


def symbolize(
    outputs: Iterable[Node], structure: Structure | None = None
) -> tuple[Structure, tuple[Node, ...]]:
    """The same graph with every size a `Size`, and its structure, found here where it is not given. Only done
    when a plan has to be made."""
    outputs = tuple(outputs)
    if structure is None:
        structure = find_structure(outputs)
    return structure, _rebuild(outputs, structure.found, structure.axes, _Counter(), Graph())


def sites(outputs: Iterable[Node]) -> list[Node]:
    """Gathers and scatters, those of regions too, by the `site` that `symbolize` gives them."""
    found: list[Node] = []
    for node in topological(outputs):
        for region in node.attributes:
            if isinstance(region, Region):
                found.extend(sites((*region.parameters, *region.results)))
        if "site" in node.op.attribute_names:
            found.append(node)
    return found


class _Counter:
    """Replays the order in which numbers were taken."""

    def __init__(self) -> None:
        self.next = 0
        self.sites = 0
        """Gathers and scatters so far."""

    def take(self) -> int:
        self.next += 1
        return self.next - 1


def _rebuild(
    outputs: tuple[Node, ...],
    axes: Axes,
    by_node: dict[Node, tuple[int, ...]],
    counter: _Counter,
    graph: Graph,
) -> tuple[Node, ...]:
    made: dict[Node, Node] = {}
    sizes: dict[int, Size] = {}
    shapes: dict[tuple[int, ...], Shape] = {}

    def size(number: int) -> Size:
        number = axes.find(number)
        known = sizes.get(number)
        if known is None:
            known = sizes[number] = Size(axes.numbers[number], number)
        return known

    for node, numbers in by_node.items():
        inputs = tuple([made[source] for source in node.inputs])
        if node.op.family == "elementwise":
            made[node] = graph.make(node.op, *inputs, attributes=node.attributes)
            continue
        shape = shapes.get(numbers)
        if shape is None:
            shape = shapes[numbers] = tuple([size(number) for number in numbers])
        attributes = _sized_attributes(node, shape, axes, counter, size, graph)
        made[node] = graph.make(node.op, *inputs, attributes=attributes)
        if node.op.name == "reshape":
            made[node].groups = groups_of(node)
    return tuple(made[node] for node in outputs)


def _sized_attributes(
    node: Node, shape: Any, axes: Axes, counter: _Counter, size: Any, graph: Graph
) -> Attributes:
    """Attributes with sizes in place of ints, taking numbers in the order in which `find_structure` did."""
    name, attributes = node.op.name, node.attributes
    if name == "scalar":
        return (axes.scalars[attributes[0]], attributes[1])  # type: ignore[index]
    if name in ("slice", "update"):
        whole = node.inputs[0].shape
        extents = node.shape if name == "slice" else node.inputs[1].shape
        starts, steps = [], []
        for axis, (start, step, extent) in enumerate(zip(attributes[0], attributes[1], extents, strict=True)):  # type: ignore[call-overload]
            if is_whole(start, step, extent, whole[axis]):
                starts.append(0)
                steps.append(1)
                continue
            starts.append(Size(start, counter.take()))
            steps.append(step if step in (1, -1) else Size(step, counter.take()))
            counter.take()
        return (tuple(starts), tuple(steps), shape) if name == "slice" else (tuple(starts), tuple(steps))
    if name == "wrap":
        turned = []
        for start, kind in zip(attributes[0], kinds_of_wrap(node), strict=True):  # type: ignore[call-overload]
            turned.append(0 if kind == "whole" else Size(start, counter.take()))
            counter.next += kind == "longer"
        return tuple(turned), shape
    if name in ("loop", "while", "cond"):
        return tuple(_sized_region(region, axes, counter, graph) for region in attributes)
    if name == "custom":
        made, shapes, numbers = attributes
        sized = tuple(tuple(size(counter.take()) for _ in each) for each in shapes)  # type: ignore[attr-defined]
        return made, sized, tuple(size(counter.take()) for _ in numbers)  # type: ignore[attr-defined]
    if name in ("gather", "scatter"):
        counter.sites += 1
        return (*attributes[:-1], counter.sites - 1)
    if name == "reshape":
        for group in groups_of(node):
            if not group.same:
                counter.next += len(group.targets)
    elif name == "broadcast":
        counter.next += len(node.shape) - len(attributes[1])  # type: ignore[arg-type]
    elif name == "window":
        counter.next += len(node.shape) - len(same_axes(node))
    elif name in ("parameter", "iota", "undefined"):
        counter.next += len(node.shape)
    return tuple(
        shape if field == "shape" else value
        for field, value in zip(node.op.attribute_names, attributes, strict=True)
    )


def _sized_region(region: Any, axes: Axes, counter: _Counter, parent: Graph) -> Region:
    graph = Graph(parent)
    count = len(region.parameters)
    nodes = _rebuild((*region.parameters, *region.results), axes, axes.regions[id(region)], counter, graph)
    return Region(graph, nodes[:count], nodes[count:])
