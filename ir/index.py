"""Index maps: the element of a node that an iteration over some axes reads.

A node of rank r is looked at through r `Dim`s; each is start + step * (position on one loop axis), or a
fixed position; windows and axes that are split add the positions on further axes. Movement ops turn the map
of their result into the map of their input. A position that wraps around the end of an axis is that sum and
an `Iteration` more.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from functools import lru_cache
from itertools import product as combinations
from typing import Any, NamedTuple

from .expr import ONE, ZERO, Expr, lift
from .node import Node
from .record import record, replace


class Dim(NamedTuple):
    """start + step * axis + the sum of `more`; axis None is a fixed position."""

    axis: Hashable | None
    start: Expr = ZERO
    step: Expr = ONE
    more: tuple[tuple[Hashable, Expr], ...] = ()
    """Further axes with their steps."""

    @property
    def plain(self) -> bool:
        """Whether it runs over a loop axis from the start, with step 1."""
        return (
            self.axis is not None
            and self.start is ZERO
            and self.step is ONE
            and not self.more
            and self.axis.__class__ not in (Position, Iteration)
        )

    @property
    def terms(self) -> tuple[tuple[Hashable, Expr], ...]:
        """Returns every axis that moves the position, with its step."""
        return ((self.axis, self.step), *self.more) if self.axis is not None else ()

    def moved(self, start: Expr, step: Expr) -> Dim:
        """Returns start + step * (this)."""
        return Dim(
            self.axis,
            start + step * self.start,
            step * self.step,
            tuple((axis, step * inner) for axis, inner in self.more),
        )

    def renamed(self, names: Mapping[Any, Any]) -> Dim:
        """Renames its axes."""
        if self.axis is None:
            return self
        more = tuple([(_renamed(axis, names), step) for axis, step in self.more]) if self.more else ()
        return Dim(_renamed(self.axis, names), self.start, self.step, more)


Dims = tuple[Dim, ...]
Maps = dict[Dims, None]
"""Index maps, each once, in order of discovery: no text depends on addresses of objects."""


@lru_cache(1024)
def over(axes: tuple[int, ...]) -> Dims:
    """Returns the index map that runs over each axis from the start, with step 1."""
    return tuple([Dim(axis) for axis in axes])


class Position(metaclass=record):
    """Replaces a loop axis: an element of an index array is the position, on an axis of `extent` elements.

    `known`: it is certainly in range and not negative.
    """

    array: Node
    dims: Dims
    extent: Expr
    known: bool

    def __hash__(self) -> int:
        return hash((self.array, self.dims))


class Iteration(metaclass=record):
    """Replaces a loop axis: the term that wraps a position beyond an axis of `extent` elements around to its
    beginning, -extent, and 0 for any other position."""

    dim: Dim
    extent: Expr

    def __hash__(self) -> int:
        return hash((self.dim, self.extent))


FIXED = Dim(None, ZERO, ZERO)


def is_number(node: Node) -> bool:
    """Whether a node is one number at every position, which needs no load."""
    if node.op.repeats:
        (node,) = node.inputs
    return node.op.source in ("constant", "scalar")


def folds(node: Node) -> bool:
    """Whether a movement node only changes the index map, which loops can follow; True of other nodes."""
    return node.op.folds(node)


def is_alias(node: Node) -> bool:
    """Whether no kernel computes a node: in memory, it is another name for other memory."""
    return node.op.family == "item" or not folds(node)


def through(node: Node, dims: Dims) -> Dims:
    """Returns the index map of the input of a movement node, from that of its result."""
    assert node.op.index_map is not None, node
    found: Dims = node.op.index_map(node, dims)
    return found


def each_once(pending: list[tuple[Node, Dims]]) -> Iterator[tuple[Node, Dims, set[Node]]]:
    """Takes nodes and index maps from a stack, to which the caller's loop adds further ones; yields each pair
    once, with the nodes that were taken so far at that map."""
    seen_at: dict[Dims, set[Node]] = {}
    last: Dims | None = None
    while pending:
        node, at = pending.pop()
        if at is not last:
            seen, last = seen_at.setdefault(at, set()), at
        if node not in seen:
            seen.add(node)
            yield node, at, seen


def view_of(node: Node) -> tuple[Node, Dims]:
    """Returns the array that an operand of a step is read from, and the operand's map of it: axis k is
    `Dim(k)`.

    Looks through movement that only rearranges elements, so that it costs no copy. A part of a value that
    would be computed for this step alone is such an array itself: the rest is not needed.
    """
    dims: Dims = tuple(Dim(axis) for axis in range(len(node.shape)))
    part: tuple[Node, Dims] | None = None
    while node.op.family == "movement" and node.inputs and folds(node):
        (below,) = node.inputs
        if below.op.family == "leaf" and below.op.source != "array":
            break  # numbers are in no memory
        inside = through(node, dims)
        if any(axis.__class__ is Iteration for dim in inside for axis, _ in dim.terms):
            break  # no stride says where these elements lie
        if part is None and node.size < below.size:
            part = node, dims
        dims = inside
        node = below
    return part if part is not None and node.op.family in ("elementwise", "reduce") else (node, dims)


def sum_of(dims: list[Dim]) -> Dim:
    """Adds positions, axis by axis."""
    if len(dims) == 1:
        return dims[0]
    start, steps = ZERO, dict[Hashable, Expr]()
    for dim in dims:
        start = start + dim.start
        for axis, step in dim.terms:
            steps[axis] = steps.get(axis, ZERO) + step
    if not steps:
        return Dim(None, start, ZERO)
    (axis, step), *more = steps.items()
    return Dim(axis, start, step, tuple(more))


def into_reduction(node: Node, dims: Dims, positions: Dims) -> Dims:
    """Returns the index map of a reduction's input: `dims` on the kept axes, `positions` on the reduced
    ones."""
    reduced = node.attribute("axes")
    kept, gone = iter(dims), iter(positions)
    return tuple(next(gone) if axis in reduced else next(kept) for axis in range(len(node.inputs[0].shape)))


def unrolled(node: Node, dims: Dims) -> list[Dims]:
    """Returns the index maps of the input of a reduction whose extents are plain numbers: one for each
    element."""
    source = node.inputs[0].shape
    ranges = [range(int(source[axis])) for axis in node.attribute("axes")]
    return [
        into_reduction(node, dims, tuple(Dim(None, lift(k), ZERO) for k in at))
        for at in combinations(*ranges)
    ]


def looked_up(node: Node, dims: Dims) -> tuple[Dims, Dims]:
    """Returns, of a gather at `dims`, the index maps of its index arrays (one for all) and of its source; of
    a scatter, those of its indices and of its base, for the value at `dims`."""
    source, indices = node.inputs[0], index_nodes(node)
    axes, position, known = (node.attribute(name) for name in ("axes", "position", "known"))
    rank = len(indices[0].shape)
    own = dims[position : position + rank]
    rest = iter(dims[:position] + dims[position + rank :])
    place = {
        axis: Dim(Position(index, own, lift(source.shape[axis]), sure))
        for axis, index, sure in zip(axes, indices, known, strict=True)
    }
    found = tuple(place[axis] if axis in place else next(rest) for axis in range(len(source.shape)))
    return own, found if node.op.index_map is None else node.op.index_map(node, found)


def index_nodes(node: Node) -> tuple[Node, ...]:
    """Returns the index arrays of a gather or scatter; none of any other node."""
    first = node.op.index_arrays
    return node.inputs[first:] if first else ()


def looks_at_positions(node: Node) -> bool:
    """Whether a node has positions that may be out of bounds."""
    return bool(index_nodes(node)) and not all(node.attribute("known"))


def is_run_time(dims: Dims) -> bool:
    """Whether an index map has a position known at run time."""
    return any(axis.__class__ is Position for dim in dims for axis, _ in dim.terms)


def _renamed(axis: Any, names: Mapping[Any, Any]) -> Any:
    if axis.__class__ is Position:
        return replace(axis, dims=tuple([dim.renamed(names) for dim in axis.dims]))
    if axis.__class__ is Iteration:
        return replace(axis, dim=axis.dim.renamed(names))
    return names.get(axis, axis)
