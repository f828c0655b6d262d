"""Stacks: a graph on each element of stacked inputs, by the `batch` of every op."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .node import Graph, Node, topological
from .ops.batching import batched, stacked


def batch(
    graph: Graph,
    outputs: Sequence[Node],
    given: Mapping[Node, Node],
    size: int,
    around: Mapping[Node, Node] | None = None,
) -> list[Node]:
    """The outputs with a new first axis of `size`, where `given` says which nodes have one, and with it what
    they are: values that do not depend on these are repeated.

    `around`: the outputs are of a region, and those of its parameters that are not in `given` are these nodes
    of `graph`. Raises NotImplementedError for an op that has no rule.
    """
    made: dict[Node, Node] = dict(given)
    same: dict[Node, Node] = dict(around or {})
    """What does not depend on the position in the stack, in `graph`."""
    for node in topological(outputs):
        if node in made or node in same:
            continue
        if any(source in made for source in node.inputs):
            inputs = [
                made[each] if each in made else stacked(graph, same[each], size) for each in node.inputs
            ]
            made[node] = batched(node.op)(graph, node, inputs, size)
        elif around is None:
            same[node] = node
        else:
            same[node] = graph.like(node, tuple([same[each] for each in node.inputs]), node.attributes)
    return [made[node] if node in made else stacked(graph, same[node], size) for node in outputs]
