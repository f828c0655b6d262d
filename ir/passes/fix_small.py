"""Short axes become constants of the plan, so that their elements can stand in a kernel one by one.

Where a reduction over two to eight elements feeds further arithmetic (the length of a vector) or is a result
(the weighted colors of a pixel), one over up to sixteen is reduced again (the features of which a nearest
neighbour is looked for) or is of what several results share (the features of squared distances), or one over
up to four is repeated (the coordinates of a distance that all components of a force need), or a reduction
keeps an axis of up to four and computes its elements side by side (the three components of a force), extents
are guarded and written into the graph as plain numbers. That an axis is not short is guarded too, as a plan
for long ones would serve short ones as well. Exact.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ..expr import equal, less, lift, product
from ..index import Dim, Dims, folds, through
from ..node import Attributes, Graph, Node, Region, Walk
from ..ops.reduction import find
from ..structure import Size
from .short_axes import SMALL, axes_of, look_at_reduction
from .stages import Decide

Users = dict[Node, list[Node]]
Axes = Callable[[Node, Users], Sequence[tuple[Sequence[int], int]]]
"""Axes of a reduction that are unrolled where their elements are few, with the most that are; those of one
sequence together."""

FEW = 8
"""The most elements of axes that are reduced where they are used, which are read for one result each."""
SHARED = 16
"""The most where they are read for several: of longer rows vectors are loaded as they lie."""
FOUND = 24
"""The most where one of them is found: a row by itself is looked at twice."""


def fix_small_extents(graph: Graph, walk: Walk, decide: Decide) -> tuple[Node, ...]:
    """The same outputs with the sizes of short axes of reductions as plain ints."""
    for short in (_reduced, _kept):  # what is unrolled is known to what looks for costly parts
        fixed = _find(walk, decide, short)
        if fixed:
            walk = Walk(with_plain_sizes(graph, walk, fixed))
    return walk.outputs


def _find(walk: Walk, decide: Decide, short: Axes) -> dict[int, int]:
    fixed: dict[int, int] = {}
    for each in _graphs(walk):
        for node in each.order:
            if node.op.family != "reduce":
                continue
            for axes, most in short(node, each.users):
                extents = [node.inputs[0].shape[axis] for axis in axes]
                sizes = [extent for extent in extents if isinstance(extent, Size)]
                if sizes and _are_few(extents, most, decide):
                    known = [decide(equal(lift(size), int(size))) for size in sizes]
                    assert all(known)
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
    """The axes of a reduction that feeds arithmetic, and of one that is a result, of rows or as part of an
    array: columns are read in vectors anyway, and what is used again along its row is computed once for
    each."""
    rows = len(node.inputs[0].shape) - 1 in node.attribute("axes")
    if not node.shape or not (
        _is_used_in_arithmetic(node, users) or (_is_result(node, users) and (rows or _is_part(node, users)))
    ):
        return []
    if node.op is find:
        most = FOUND
    elif _is_reduced(node, users):
        most = SHARED
    elif _is_repeated(node, users):
        most = SMALL  # it may be computed again for each repetition
    else:
        most = _most_read(node)
    return [(node.attribute("axes"), most)]


def _is_repeated(node: Node, users: Users) -> bool:
    """Whether what is computed of a reduction's elements is repeated."""
    pending, seen = [node], {node}
    for each in pending:  # which grows meanwhile
        for user in users[each]:
            if user.op.repeats:
                return True
            if user.op.family in ("elementwise", "movement") and user not in seen:
                seen.add(user)
                pending.append(user)
    return False


def _most_read(node: Node) -> int:
    """How many elements a reduction reads where it is used: few of what other reductions give, more where
    several results read the same."""
    source, reduced = node.inputs[0], set(node.attribute("axes"))
    dims = tuple(Dim(axis) for axis in range(len(source.shape)))
    pending, seen = [(source, dims)], {(source, dims)}
    most = FEW
    for each, at in pending:  # which grows meanwhile
        if each.op.family in ("reduce", "scan", "contract"):
            return SMALL
        if each.op.repeats and not axes_of(at) - axes_of(through(each, at)) <= reduced:
            most = SHARED
        if each.op.family == "elementwise" or (each.op.family == "movement" and folds(each)):
            inner = [(below, _at(each, below, at)) for below in each.inputs]
            fresh = [key for key in inner if key not in seen]
            seen.update(fresh)
            pending += fresh
    return most


def _at(node: Node, source: Node, at: Dims) -> Dims:
    if not source.shape:
        return ()
    return at if node.op.family == "elementwise" else through(node, at)


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


def _is_part(node: Node, users: Users) -> bool:
    """Whether a result is written as part of an array, as the parts of complex numbers are."""
    while len(users[node]) == 1 and users[node][0].op.family == "movement":
        (node,) = users[node]
    return any(user.op.family == "update" for user in users[node])


def with_plain_sizes(graph: Graph, walk: Walk, fixed: dict[int, int]) -> tuple[Node, ...]:
    """The same outputs with plain ints, or other sizes, for the sizes of these symbols."""

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
