"""Short axes become part of what a plan is for, so that their elements can stand in a kernel one by one.

Where a reduction over two to four elements feeds further arithmetic (the three coordinates of a distance) or
is a result (the weighted colors of a pixel), one over up to sixteen is reduced again (the features of which a
nearest neighbour is looked for), or a reduction keeps an axis of up to four and computes its elements side by
side (the three components of a force), extents are guarded and written into the graph as plain numbers. That
an axis is not short is guarded too, as a plan for long ones would serve short ones as well. Exact.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ..expr import equal, less, lift, product
from ..node import Attributes, Graph, Node, Region, Walk
from ..structure import Size
from .short_axes import SMALL, look_at_reduction
from .stages import Decide

Users = dict[Node, list[Node]]
Axes = Callable[[Node, Users], Sequence[tuple[Sequence[int], int]]]
"""Axes of a reduction that are unrolled where their elements are few, with the most that are; those of one
sequence together."""

REDUCED_FURTHER = 16
"""The most elements of axes whose reductions are reduced again: the features of a nearest neighbour."""


def fix_small_extents(graph: Graph, walk: Walk, decide: Decide) -> tuple[Node, ...]:
    """The same outputs with the sizes of short axes of reductions as plain ints."""
    for axes_of in (_reduced, _kept):  # what is unrolled is known to what looks for costly parts
        fixed = _find(walk, decide, axes_of)
        if fixed:
            walk = Walk(with_plain_sizes(graph, walk, fixed))
    return walk.outputs


def _find(walk: Walk, decide: Decide, axes_of: Axes) -> dict[int, int]:
    fixed: dict[int, int] = {}
    for each in _graphs(walk):
        for node in each.order:
            if node.op.family != "reduce":
                continue
            for axes, most in axes_of(node, each.users):
                extents = [node.inputs[0].shape[axis] for axis in axes]
                sizes = [extent for extent in extents if isinstance(extent, Size)]
                if sizes and _are_few(extents, most, decide):
                    held = [decide(equal(lift(size), int(size))) for size in sizes]
                    assert all(held)
                    fixed.update((size.symbol, int(size)) for size in sizes)
    return fixed


def _are_few(extents: Sequence[int], most: int, decide: Decide) -> bool:
    """Whether axes have two to `most` elements."""
    count = product(extents)
    return decide(less(count, most + 1)) and decide(less(1, count))


def _graphs(walk: Walk) -> Iterator[Walk]:
    """A graph, then its regions."""
    yield walk
    for node in walk.order:
        if node.op.family == "control":
            for value in node.attributes:
                if isinstance(value, Region):
                    yield from _graphs(Walk((*value.parameters, *value.results)))


def _reduced(node: Node, users: Users) -> Sequence[tuple[Sequence[int], int]]:
    """The axes of a reduction that feeds arithmetic, and of one of rows that is a result: columns are read in
    vectors anyway, and what is used again along its row is computed once for each."""
    rows = len(node.inputs[0].shape) - 1 in node.attribute("axes")
    if not node.shape or not (_is_used_in_arithmetic(node, users) or (rows and _is_result(node, users))):
        return []
    return [(node.attribute("axes"), REDUCED_FURTHER if _is_reduced(node, users) else SMALL)]


def _is_reduced(node: Node, users: Users) -> bool:
    """Whether a reduction's elements, or what is computed of each alone, are reduced in turn."""
    pending, seen = [node], {node}
    for each in pending:  # which grows meanwhile
        for user in users[each]:
            if user.op.family == "reduce":
                return True
            if user.op.family == "elementwise" and user not in seen:
                seen.add(user)
                pending.append(user)
    return False


def _kept(node: Node, _users: Users) -> Sequence[tuple[Sequence[int], int]]:
    """The axes whose elements a reduction computes side by side."""
    reduced, found = node.attribute("axes"), look_at_reduction(node)
    rank = len(node.inputs[0].shape)
    return [([axis], SMALL) for axis in range(rank) if axis not in reduced and axis in found]


def _is_used_in_arithmetic(node: Node, users: dict[Node, list[Node]]) -> bool:
    return any(user.op.family not in ("movement", "update", "control", "contract") for user in users[node])


def _is_result(node: Node, users: Users) -> bool:
    """Whether nothing but its memory is made of a reduction."""
    pending = [node]
    for each in pending:  # which grows meanwhile
        if any(user.op.repeats or user.op.family not in ("movement", "update") for user in users[each]):
            return False
        pending += [user for user in users[each] if user not in pending]
    return True


def with_plain_sizes(graph: Graph, walk: Walk, fixed: dict[int, int]) -> tuple[Node, ...]:
    """The same outputs with plain ints for the sizes of these symbols."""

    def plain(value: Any) -> Any:
        if isinstance(value, Size):
            return fixed.get(value.symbol, value)
        if isinstance(value, tuple):
            return tuple(plain(each) for each in value)
        if isinstance(value, Region):
            inner = Graph(graph)
            nodes = with_plain_sizes(inner, Walk((*value.parameters, *value.results)), fixed)
            return Region(inner, nodes[: len(value.parameters)], nodes[len(value.parameters) :])
        return value

    made: dict[Node, Node] = {}
    for node in walk.order:
        attributes: Attributes = tuple(plain(value) for value in node.attributes)
        made[node] = graph.make(node.op, *[made[source] for source in node.inputs], attributes=attributes)
    return tuple(made[node] for node in walk.outputs)
