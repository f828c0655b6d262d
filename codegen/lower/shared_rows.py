"""What a workgroup of many lanes holds of a row in shared memory while it makes several passes over it.

Worth it is what is loaded from memory or costs much to compute. Lanes meet between passes.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...ir.expr import less
from ...ir.passes.stages import Stage
from .context import GroupWriter
from .machine import TEAM
from .row_values import RowValues, is_costly_along, needed_again

MOST_BYTES = 32768
"""Of shared memory for values of rows: more would leave too few workgroups side by side."""
LEAST_LONG = 2048
"""Positions that there is room for, where a workgroup has a row to itself and that has no more."""
_WORD_BYTES = 4
"""What an element takes at least: some languages have no smaller ones in shared memory."""


def held_row(
    writing: GroupWriter, passes: Sequence[Sequence[Stage]], short: int | None, taken_bytes: int
) -> RowValues:
    """Values of a row of one workgroup or team, held where there is room for them.

    `short`: the most positions of a row that a team has to itself; None: a workgroup has it.
    `taken_bytes`: of shared memory, for other things.
    """
    build = writing.build
    values = RowValues(writing, needed_again(writing, passes, is_costly_along, loads=True))
    lanes, row = writing.around.machine.lanes, writing.nest.count(writing.nest.reduced)
    rows = lanes // TEAM if short else 1
    each = rows * values.bytes_each(_WORD_BYTES)
    room = min(writing.around.machine.shared_bytes - taken_bytes, MOST_BYTES)
    most = room // each // TEAM * TEAM if each else 0
    sizes = [min(most, short)] if short else [size for size in (LEAST_LONG, most) if size <= most]
    for size in sizes:
        if size and (size == short or writing.around.decide(less(row, size + 1))):
            values.hold(size * rows, "shared")
            if short:
                team = build.emit("quotient", (build.lane_id(), build.constant(TEAM)))
                values.base = build.mul(team, build.constant(size))
            break
    return values
