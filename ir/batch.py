"""Stacks: a graph on each element of stacked inputs, by the `batch` of every op."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .node import Graph, Node, topological
from .ops.batching import batched, stacked


def batch(graph: Graph, outputs: Sequence[Node], given: Mapping[Node, Node], size: int) -> list[Node]:
    """The outputs with a new first axis of `size`, where `given` says which nodes have one, and with it what
    they are: values that do not depend on these are repeated.

    Raises NotImplementedError for an op that has no rule.
    """
    made: dict[Node, Node] = dict(given)
    for node in topological(outputs):
        if node not in made and any(source in made for source in node.inputs):
            inputs = [made[each] if each in made else stacked(graph, each, size) for each in node.inputs]
            made[node] = batched(node.op)(graph, node, inputs, size)
    return [made[node] if node in made else stacked(graph, node, size) for node in outputs]
