"""Loops along an axis on which positions wrap around (`roll`): split into segments with contiguous neighbors,
which load as whole vectors."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ....ir.expr import ONE
from ....ir.index import Iteration
from ...kernel.nodes import Value
from ..writing.context import GroupWriter
from ..writing.nest import Axis


def write_along(
    writing: GroupWriter, axis: Axis, lower: Value, upper: Value, element: Callable[[], None]
) -> None:
    """Writes a lanes loop over the positions of an axis; `element` writes the body.

    Each segment ends where one of its iterations wraps around.
    """
    build, writer = writing.build, writing.writer

    def piece(start: Value, end: Value) -> None:
        with build.loop(start, end, kind="lanes") as (i,):
            writer.axes[axis] = i
            element()

    iterations = _iterations_along(writing, axis) if writing.context.machine.lanes == 1 else ()
    if not iterations:
        piece(lower, upper)
        return

    def next_segment(_number: Value, start: Value) -> Sequence[Value]:
        writer.axes[axis] = start
        end = upper
        for iteration in iterations:
            value, left = writer.iteration_at(iteration)
            last = start + left
            inside = value.equals(0)
            end = build.select(inside, build.minimum(end, last), end)
        piece(start, end)
        return (end,)

    build.carry(0, _most_segments(iterations), (lower,), next_segment)


def _iterations_along(writing: GroupWriter, axis: Axis) -> tuple[Iteration, ...]:
    """Returns the iterations of loads that move along an axis element by element; iterations that others
    depend on first."""
    found: dict[Iteration, bool] = {}

    def look_at(iteration: Iteration) -> None:
        inner = [each for each, _step in iteration.dim.terms if isinstance(each, Iteration)]
        for each in inner:
            look_at(each)
        steps = dict(iteration.dim.terms)
        moved = any(axis in dict(each.dim.terms) and not found[each] for each in inner)
        found.setdefault(iteration, steps.get(axis) is ONE and not moved)

    for access in writing.nest.accesses:
        for step in access.steps:
            if isinstance(step, Iteration):
                look_at(step)
    return tuple(iteration for iteration, along in found.items() if along)


def _most_segments(iterations: Sequence[Iteration]) -> int:
    """Returns the largest possible number of segments: an iteration wraps once in every segment of those that
    it depends on."""
    changes: dict[Iteration, int] = {}
    for iteration in iterations:
        inner = (each for each, _step in iteration.dim.terms if isinstance(each, Iteration))
        changes[iteration] = 1 + 2 * sum(changes.get(each, 0) for each in inner)
    return 1 + sum(changes.values())
