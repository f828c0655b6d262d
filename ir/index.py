"""Index maps: which element of a node an iteration over some axes looks at.

A node of rank r is looked at through r `Dim`s; each is start + step * (position on one loop axis), or a
fixed position; windows add the positions on further axes. Movement ops turn the map of their result into the
map of their input.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any, NamedTuple

from .expr import ONE, ZERO, Expr, add, lift, mul
from .node import Node
from .structure import reshape_groups


class Dim(NamedTuple):
    """start + step * axis + the sum of `more`; axis None is a fixed position."""

    axis: Hashable | None
    start: Expr = ZERO
    step: Expr = ONE
    more: tuple[tuple[Hashable, Expr], ...] = ()
    """Further axes with their steps."""

    @property
    def plain(self) -> bool:
        """Whether it runs over its axis from the start, one by one."""
        return self.axis is not None and self.start is ZERO and self.step is ONE and not self.more

    @property
    def terms(self) -> tuple[tuple[Hashable, Expr], ...]:
        """Every axis that moves the position, with its step."""
        return ((self.axis, self.step), *self.more) if self.axis is not None else ()

    def moved(self, start: Expr, step: Expr) -> Dim:
        """start + step * (this)."""
        return Dim(
            self.axis,
            add(start, mul(step, self.start)),
            mul(step, self.step),
            tuple((axis, mul(step, inner)) for axis, inner in self.more),
        )

    def renamed(self, names: Mapping[Any, Any]) -> Dim:
        """The same over other axes."""
        if self.axis is None:
            return self
        more = tuple((names.get(axis, axis), step) for axis, step in self.more)
        return Dim(names.get(self.axis, self.axis), self.start, self.step, more)


Dims = tuple[Dim, ...]
FIXED = Dim(None, ZERO, ZERO)


def folds(node: Node) -> bool:
    """Whether a movement node is only a change of index map (a general reshape is not)."""
    if node.op.name != "reshape":
        return True
    groups = reshape_groups(node.inputs[0].shape, node.shape)
    return all(group.same or len(group.sources) + len(group.targets) == 1 for group in groups)


def through(node: Node, dims: Dims) -> Dims:
    """The index map of the input of a movement node, from that of its result."""
    return _THROUGH[node.op.name](node, dims)


def _permute(node: Node, dims: Dims) -> Dims:
    result = list(dims)
    for position, axis in enumerate(node.attribute("axes")):
        result[axis] = dims[position]
    return tuple(result)


def _broadcast(node: Node, dims: Dims) -> Dims:
    return tuple(dims[axis] for axis in node.attribute("axes"))


def _slice(node: Node, dims: Dims) -> Dims:
    starts, steps, _shape = node.attributes
    return tuple(
        dim.moved(lift(start), lift(step))
        for dim, start, step in zip(dims, starts, steps, strict=True)  # type: ignore[call-overload]
    )


def _reshape(node: Node, dims: Dims) -> Dims:
    result = [FIXED] * len(node.inputs[0].shape)
    for group in reshape_groups(node.inputs[0].shape, node.shape):
        if group.same:
            result[group.sources[0]] = dims[group.targets[0]]
        else:
            assert len(group.sources) + len(group.targets) == 1, node
    return tuple(result)


def _window(node: Node, dims: Dims) -> Dims:
    return tuple(_sum([dims[axis] for axis in axes]) for axes in node.attribute("axes"))


def _sum(dims: list[Dim]) -> Dim:
    """The sum of positions, axis by axis."""
    if len(dims) == 1:
        return dims[0]
    start, steps = ZERO, dict[Hashable, Expr]()
    for dim in dims:
        start = add(start, dim.start)
        for axis, step in dim.terms:
            steps[axis] = add(steps.get(axis, ZERO), step)
    if not steps:
        return Dim(None, start, ZERO)
    (axis, step), *more = steps.items()
    return Dim(axis, start, step, tuple(more))


def into_reduction(node: Node, dims: Dims, positions: Dims) -> Dims:
    """The index map of a reduction's input: `dims` on the axes it keeps, `positions` on those it reduces."""
    reduced = node.attribute("axes")
    kept, gone = iter(dims), iter(positions)
    return tuple(next(gone) if axis in reduced else next(kept) for axis in range(len(node.inputs[0].shape)))


_THROUGH = {
    "permute": _permute, "broadcast": _broadcast, "slice": _slice, "reshape": _reshape, "window": _window,
}  # fmt: skip
