"""Small reduced axes become part of what a plan is for, so that their reductions can be unrolled.

Where a reduction over two to four elements feeds further arithmetic (the three coordinates of a distance),
its extents are guarded and written into the graph as plain numbers. Exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..expr import equal, lift
from ..node import Attributes, Graph, Node, Region, topological, users_of
from ..structure import Size
from .stages import Decide

SMALL = 4
"""The most elements that a reduction is unrolled over."""


def fix_small_extents(graph: Graph, outputs: Sequence[Node], decide: Decide) -> tuple[Node, ...]:
    """The same outputs with the sizes of small reduced axes as plain ints."""
    fixed = _find(outputs, decide)
    return _replaced(graph, outputs, fixed) if fixed else tuple(outputs)


def _find(outputs: Sequence[Node], decide: Decide) -> dict[int, int]:
    order = topological(outputs)
    users = users_of(order)
    fixed: dict[int, int] = {}
    for node in order:
        if node.op.family != "reduce" or not node.shape or not _is_used_in_arithmetic(node, users):
            continue
        extents = [node.inputs[0].shape[axis] for axis in node.attribute("axes")]
        count = 1
        for extent in extents:
            count *= int(extent)
        if 2 <= count <= SMALL and all(decide(equal(lift(extent), int(extent))) for extent in extents):
            fixed.update((extent.symbol, int(extent)) for extent in extents if isinstance(extent, Size))
    return fixed


def _is_used_in_arithmetic(node: Node, users: dict[Node, list[Node]]) -> bool:
    return any(user.op.family not in ("movement", "update", "control", "contract") for user in users[node])


def _replaced(graph: Graph, outputs: Sequence[Node], fixed: dict[int, int]) -> tuple[Node, ...]:
    def plain(value: Any) -> Any:
        if isinstance(value, Size):
            return fixed.get(value.symbol, value)
        if isinstance(value, tuple):
            return tuple(plain(each) for each in value)
        if isinstance(value, Region):
            inner = Graph(graph)
            nodes = _replaced(inner, (*value.parameters, *value.results), fixed)
            return Region(inner, nodes[: len(value.parameters)], nodes[len(value.parameters) :])
        return value

    made: dict[Node, Node] = {}
    for node in topological(outputs):
        attributes: Attributes = tuple(plain(value) for value in node.attributes)
        made[node] = graph.make(node.op, *[made[source] for source in node.inputs], attributes=attributes)
    return tuple(made[node] for node in outputs)
