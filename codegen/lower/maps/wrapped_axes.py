"""Loops along an axis on which positions wrap around: in pieces, so that in each of them neighbouring
elements are read from neighbouring places, as whole vectors."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ....ir.expr import ONE
from ....ir.index import Turn
from ...kernel.nodes import Value
from ..writing.context import GroupWriter
from ..writing.nest import Axis


def write_along(
    writing: GroupWriter, axis: Axis, lower: Value, upper: Value, element: Callable[[], None]
) -> None:
    """A lanes loop over positions of an axis; `element` writes what is done at each.

    Each turn is made at one position of a piece, its first, and ends the piece where it changes.
    """
    build, writer = writing.build, writing.writer

    def piece(start: Value, end: Value) -> None:
        with build.loop(start, end, kind="lanes") as (i,):
            writer.axes[axis] = i
            element()

    turns = _turns_along(writing, axis) if writing.context.machine.lanes == 1 else ()
    if not turns:
        piece(lower, upper)
        return

    def next_segment(_number: Value, start: Value) -> Sequence[Value]:
        writer.axes[axis] = start
        end = upper
        for turn in turns:
            made, left = writer.turn_at(turn)
            last = start + left
            inside = made.equals(0)
            end = build.select(inside, build.minimum(end, last), end)
        piece(start, end)
        return (end,)

    build.carry(0, _most_segments(turns), (lower,), next_segment)


def _turns_along(writing: GroupWriter, axis: Axis) -> tuple[Turn, ...]:
    """The turns of loads that move along an axis element by element; those that others are made of first."""
    found: dict[Turn, bool] = {}

    def look_at(turn: Turn) -> None:
        inner = [each for each, _step in turn.dim.terms if isinstance(each, Turn)]
        for each in inner:
            look_at(each)
        steps = dict(turn.dim.terms)
        moved = any(axis in dict(each.dim.terms) and not found[each] for each in inner)
        found.setdefault(turn, steps.get(axis) is ONE and not moved)

    for access in writing.nest.accesses:
        for each in access.steps:
            if isinstance(each, Turn):
                look_at(each)
    return tuple(turn for turn, along in found.items() if along)


def _most_segments(turns: Sequence[Turn]) -> int:
    """How many pieces there are at most: a turn changes once in every piece of those that it is made of."""
    changes: dict[Turn, int] = {}
    for turn in turns:
        inner = (each for each, _step in turn.dim.terms if isinstance(each, Turn))
        changes[turn] = 1 + 2 * sum(changes.get(each, 0) for each in inner)
    return 1 + sum(changes.values())
