"""Counted loops of scalars that change nothing any more once a condition is met: loops that end there.

`for _ in range(n): x = where(inside(x), f(x), x)` does nothing more for an element that has left: so read
assignments under a mask in a loop over whole arrays, which `element_loops` has made one of each element.
"""

from __future__ import annotations

from collections.abc import Sequence

from .. import ops
from ..node import Attributes, Graph, Node, Region, topological
from ..types import BOOL
from .simplify import simplify

MOST_TRIED = 16
"""Conditions of a loop that are tried at most: each one is a rewrite of the body, or two."""


def leave_early(graph: Graph, outputs: Sequence[Node], of_elements: bool = False) -> tuple[Node, ...]:
    """Returns the same outputs, where loops in functions of elements end with their last change.
    `of_elements`: the graph is that of such a function."""
    made: dict[Node, Node] = {}
    left: dict[Node, Node] = {}
    for node in topological(outputs):
        inputs = tuple([made[source] for source in node.inputs])
        if node.op is ops.item and node.inputs[0] in left:
            position = node.attribute("position") + 1
            made[node] = graph.make(ops.item, left[node.inputs[0]], attributes=(position,))
            continue
        attributes = _with_regions(graph, node.attributes, of_elements or node.op is ops.apply)
        if of_elements and node.op is ops.loop:
            (body,) = attributes
            assert isinstance(body, Region)
            ended = _ended(graph, inputs[:2], inputs[2:], body)
            if ended is not None:
                made[node] = left[node] = ended
                continue
        made[node] = graph.like(node, inputs, attributes)
    return tuple([made[node] for node in outputs])


def _with_regions(graph: Graph, attributes: Attributes, of_elements: bool) -> Attributes:
    """Returns attributes with such regions; themselves where nothing changes."""
    if not any(each.__class__ is Region for each in attributes):
        return attributes
    changed = [_region(graph, each, of_elements) if isinstance(each, Region) else each for each in attributes]
    return attributes if all(map(lambda one, other: one is other, changed, attributes)) else tuple(changed)


def _region(parent: Graph, region: Region, of_elements: bool) -> Region:
    inner, count = Graph(parent), len(region.parameters)
    before = (*region.parameters, *region.results)
    nodes = leave_early(inner, before, of_elements)
    return region if nodes == before else Region(inner, nodes[:count], nodes[count:])


def _ended(graph: Graph, bounds: Sequence[Node], operands: Sequence[Node], body: Region) -> Node | None:
    """loop(l, u, x): x = c(x) ? f(x) : x -> while i < u and c(x): x = f(x), and its inverse; exact, as a
    condition that does not read the counter stays as it is with the values that it leaves.

    Returns None where the body has no such condition. The first item of the new loop is the counter.
    """
    found = _condition_of_change(body)
    if found is None:
        return None
    condition, value = found
    (lower, upper), count = bounds, len(body.results)
    ordered = [lower, *operands[:count], upper, *operands[count:]]
    inner = Graph(graph)
    parameters = tuple([inner.parameter(place, (), node.dtype) for place, node in enumerate(ordered)])
    counter, limit = parameters[0], parameters[count + 1]
    own = dict(zip(body.parameters, (*parameters[: count + 1], *parameters[count + 2 :]), strict=True))
    (holds,) = _copied(inner, (condition,), own)
    if not value:
        holds = inner.make(ops.bitwise_not, holds)
    test = inner.make(ops.bitwise_and, inner.make(ops.lt, counter, limit), holds)
    results = _copied(inner, _results_where(body, condition, value), own)
    following = inner.make(ops.add, counter, inner.constant(1, counter.dtype))
    regions = Region(inner, parameters, (following, *results)), Region(inner, parameters, (test,))
    return graph.make(ops.while_, *ordered, attributes=regions)


def _condition_of_change(body: Region) -> tuple[Node, bool] | None:
    """Returns a condition that does not read the counter, and its value without which an iteration changes
    nothing."""
    counter, *parameters = body.parameters
    changing = [after for before, after in zip(parameters, body.results, strict=False) if after is not before]
    if not changing:
        return None
    needed = set.intersection(*(set(topological((result,))) for result in changing))
    excluded, tried = {counter}, 0
    for node in topological(body.results):
        if node.op.family == "control" or not excluded.isdisjoint(node.inputs):
            excluded.add(node)
        elif node in needed and node.dtype is BOOL and node.op.source != "constant" and tried < MOST_TRIED:
            tried += 1
            for value in (True, False):
                results = _results_where(body, node, not value)
                if all(after is before for before, after in zip(parameters, results, strict=False)):
                    return node, value
    return None


def _results_where(body: Region, condition: Node, holds: bool) -> list[Node]:
    """Returns the results of an iteration, simplified, where a condition is known. A flag that is the
    condition, and keeps its value, is the parameter."""
    inner = Graph(body.graph)
    known = inner.constant(holds, BOOL)
    simple = simplify(inner, _copied(inner, body.results, {condition: known}))
    return [
        parameter if parameter is condition and result is known else result
        for parameter, result in zip(body.parameters[1:], simple, strict=False)
    ]


def _copied(graph: Graph, nodes: Sequence[Node], made: dict[Node, Node]) -> list[Node]:
    """Returns nodes made in a graph, with others in place of those in `made`."""
    made = dict(made)
    for node in topological(nodes):
        if node not in made:
            made[node] = graph.like(node, tuple([made[source] for source in node.inputs]), node.attributes)
    return [made[node] for node in nodes]
