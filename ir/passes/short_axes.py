"""Short axes: a handful of elements that stand in the kernel one by one.

A reduction over one is unrolled where it is used. A longer reduction that keeps one becomes as many results
of one loop, side by side: where a costly part of what it reduces is the same for all of them (the three
components of a force share the distance), which the loop then computes once; and where they lie side by side
in memory (the three colors of a pixel), which then is read once.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import islice

from ..expr import Expr, lift
from ..index import FIXED, Dim, Dims, folds, into_reduction, through
from ..node import Node
from ..record import fresh, mutable
from .cost import EXPENSIVE, arithmetic, is_unrolled

SMALL = 4
"""The most elements of a short axis."""
SIDE_BY_SIDE = 16
"""The most results of one loop that a reduction becomes."""
NEAREST = 256
"""Operations behind a reduction that are looked at before it is known what is computed elsewhere: of
thousands, most will be."""


class Kept(metaclass=mutable):
    """What speaks for computing the elements of an axis that a reduction keeps side by side."""

    repeated: dict[Node, set[Hashable]] = fresh(factory=dict)
    """Costly parts that change along a reduced axis, but not along these."""
    interleaved: set[Hashable] = fresh(factory=set)
    """Axes whose elements lie side by side in memory, inside of a reduced axis."""

    def __contains__(self, axis: Hashable) -> bool:
        return axis in self.interleaved or any(axis in same for same in self.repeated.values())


def is_short(extent: Expr) -> bool:
    """Whether an axis is short, and its extent part of what a plan is for."""
    return extent.value is not None and 2 <= extent.value <= SMALL


def look_at(
    value: Node,
    dims: Dims,
    reduced: Collection[Hashable],
    stop: Container[Node] = (),
    most: int | None = None,
) -> Kept:
    """What a reduction of an expression has in common along axes that it keeps.

    `dims`: where the expression is looked at; `stop`: what is computed elsewhere; `most`: how many operations
    are looked at, the nearest first (None: all).
    """
    found = Kept()
    seen_at: dict[Dims, set[Node]] = {dims: {value}}
    pending = [(value, dims, seen_at[dims])]
    for node, at, seen in islice(pending, most):  # which grows meanwhile
        if node.op.family == "elementwise" and (node not in stop or node is value):
            for source in node.inputs:
                if not source.shape and at:
                    pending += _unseen([(source, ())], seen_at)
                elif source not in seen:
                    seen.add(source)
                    pending.append((source, at, seen))
            continue
        below: list[tuple[Node, Dims]] = []
        if node in stop and node is not value:
            _look_at_array(node, at, reduced, found)
        elif node.op.repeats:
            (source,) = node.inputs
            inside = through(node, at) if source.shape else ()
            changing = axes_of(inside)
            if changing.isdisjoint(reduced):
                continue  # computed before the loop over them
            if (same := axes_of(at) - changing) and arithmetic(source, EXPENSIVE, stop) >= EXPENSIVE:
                found.repeated.setdefault(source, set()).update(same)
            below.append((source, inside))
        elif node.op.family == "movement" and folds(node):
            below += [(source, through(node, at)) for source in node.inputs]
        elif is_unrolled(node):
            fixed = (FIXED,) * len(node.attribute("axes"))
            below.append((node.inputs[0], into_reduction(node, at, fixed)))
        else:
            _look_at_array(node, at, reduced, found)
        pending += _unseen(below, seen_at)
    return found


def _unseen(
    keys: Iterable[tuple[Node, Dims]], seen_at: dict[Dims, set[Node]]
) -> Iterator[tuple[Node, Dims, set[Node]]]:
    """Those that are new, each with what has been seen where it is looked at."""
    for node, at in keys:
        seen = seen_at.setdefault(at, set())
        if node not in seen:
            seen.add(node)
            yield node, at, seen


def look_at_reduction(node: Node) -> Kept:
    """`look_at` what a reduction reduces; its axes are the dimensions of that."""
    source = node.inputs[0]
    dims = tuple(Dim(axis) for axis in range(len(source.shape)))
    return look_at(source, dims, node.attribute("axes"), most=NEAREST)


def _look_at_array(node: Node, at: Dims, reduced: Collection[Hashable], found: Kept) -> None:
    if len(at) < 2 or (node.op.source == "array" and not node.attribute("layout").endswith("1")):
        return
    outer, inner = at[-2:]
    if inner.axis not in reduced and any(axis in reduced for axis, _ in outer.terms):
        found.interleaved.update(axis for axis, _ in inner.terms)


def axes_of(dims: Dims) -> set[Hashable]:
    """The axes along which dimensions go."""
    return {axis for dim in dims for axis, _ in dim.terms}


class SideBySide:
    """Which broadcasts repeat only along short axes of the reductions that they are for."""

    def __init__(self, users: Mapping[Node, Sequence[Node]], stop: Container[Node]) -> None:
        self.users = users
        self.stop = stop
        self._found: dict[Node, Kept] = {}

    def covers(self, broadcast: Node) -> bool:
        """Whether what it repeats is computed once for all results, in the loop of each reduction."""
        (source,) = broadcast.inputs
        pending, seen = [broadcast], {broadcast}
        while pending:
            node = pending.pop()
            if node in self.stop or not self.users[node]:
                return False
            for user in self.users[node]:
                if user.op.family == "reduce" and not is_unrolled(user):
                    if not self._is_computed_together(user, source):
                        return False
                elif user.op.family not in ("elementwise", "movement", "reduce"):
                    return False
                elif user not in seen:
                    seen.add(user)
                    pending.append(user)
        return True

    def _is_computed_together(self, reduction: Node, source: Node) -> bool:
        """Whether a reduction computes its results for all repetitions of `source` side by side."""
        found = self._found.get(reduction)
        if found is None:
            found = self._found[reduction] = look_at_reduction(reduction)
        shape = reduction.inputs[0].shape
        short = short_axes({axis: lift(extent) for axis, extent in enumerate(shape)}, found)
        return source in found.repeated and found.repeated[source] <= set(short)


def short_axes(extents: Mapping[int, Expr], found: Kept) -> list[int]:
    """Those axes, of given extents, whose elements a loop computes side by side."""
    chosen, results = [], 1
    for axis, extent in extents.items():
        if is_short(extent) and axis in found:
            assert extent.value is not None
            results *= extent.value
            if results <= SIDE_BY_SIDE:
                chosen.append(axis)
    return chosen
