"""Verification of graphs: checks the rules node by node; a violation is an AssertionError with the graph."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from .node import Node, Region, topological
from .ops import OPS
from .text import marked_graph, type_text
from .types import ARRAY_DTYPES


def verify_graph(outputs: Iterable[Node], after: str = "") -> None:
    """Raises AssertionError where a node breaks its op's rules; `after` names the pass that made the
    graph."""
    outputs = tuple(outputs)
    found = next(_problems(outputs), None)
    if found is not None:
        node, problem = found
        made = f"after {after}: " if after else ""
        raise AssertionError(f"{made}{problem}\n{marked_graph(outputs, node)}")


def _problems(outputs: tuple[Node, ...]) -> Iterator[tuple[Node, str]]:
    order = topological(outputs)
    indices: dict[object, Node] = {}
    for node in order:
        for problem in _node_problems(node):
            yield node, problem
        if node.op.source == "array":
            other = indices.setdefault(node.attribute("index"), node)
            if other is not node:
                yield node, f"parameter {node.attribute('index')} is also {type_text(other)}"
        for value in node.attributes:
            if isinstance(value, Region):
                yield from _region_problems(node, value)


def _node_problems(node: Node) -> Iterator[str]:
    op = node.op
    if OPS.get(op.name) is not op:
        yield f"{op.name} is no op"
        return
    if len(node.attributes) != len(op.attribute_names):
        wanted = ", ".join(op.attribute_names) or "none"
        yield f"{op.name} has {len(node.attributes)} attributes, not {wanted}"
        return
    if isinstance(next(iter(node.attributes), None), Region) != op.has_regions:
        yield f"{op.name} {'starts with no region' if op.has_regions else 'has no regions'}"
        return
    if node.dtype not in ARRAY_DTYPES:
        yield f"no value of a graph is {node.dtype}"
    if any(extent < 0 for extent in node.shape):
        yield "an extent is negative"
    if node.inputs and node.inputs[-1].dtype.kind not in op.kinds:
        yield f"{op.name} of {node.inputs[-1].dtype}"
        return
    try:
        shape, dtype = op.infer(node.inputs, node.attributes)
    except (AssertionError, ValueError, IndexError, TypeError) as error:
        yield f"{op.name} does not take these: {error}"
        return
    if shape != node.shape or dtype is not node.dtype:
        yield f"{op.name} gives {dtype.name}{list(shape)}, but the node is {type_text(node)}"


def _region_problems(owner: Node, region: Region) -> Iterator[tuple[Node, str]]:
    """Returns the violations in a region, reported for its owner."""
    if len(set(region.parameters)) != len(region.parameters):
        yield owner, "two parameters of a region are one"
    own = set(region.parameters)
    for node in topological((*region.parameters, *region.results)):
        if node.op.source == "array" and node not in own:
            yield owner, f"a region reads {type_text(node)}, which is no parameter of it"
    for node, problem in _problems((*region.parameters, *region.results)):
        yield owner, f"in its region, {type_text(node)} = {node.op.name}: {problem}"
