"""Rows for workgroups of many lanes: a team of lanes for each short row, a whole workgroup for a long one.

The bits are the processor's. A block of a row has one accumulator for each lane of a team by definition: lane
j of the team takes elements j, j + TEAM and so on, and the team combines its accumulators by halves in shared
memory. In a long row every team has a block of its own at a time, and their results combine in order. Values
that several passes over a row need stay in shared memory between them, where there is room for the row.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager

from ....ir.expr import ONE, Expr, ceil_div, less
from ....ir.passes.stages import Stage
from ...kernel.nodes import Buffer, Value
from ..machine import TEAM
from ..writing.accumulators import combine, dtypes_of, identities, results
from ..writing.context import GroupWriter, Schedule, phases_of
from ..writing.nest import Axis
from .lanes_order import accumulate
from .row_values import RowValues, is_costly_along, needed_again
from .rows import BLOCKS, rounds

STRETCH, BLOCK = BLOCKS
AHEAD = 4
"""Elements of a lane that are loaded before the first of them is combined."""


class Rows(Schedule):
    def __init__(self, writing: GroupWriter) -> None:
        super().__init__(writing)
        self.lanes = writing.workgroup = self.context.machine.lanes
        self.teams = self.lanes // TEAM
        self.phases = phases_of(writing.group, writing.context.memories)
        self.lane = self.build.lane_id()
        self.team, self.member = divmod(self.lane, TEAM)
        self.arrays = self._shared_arrays()
        row = self.nest.count(self.nest.reduced)
        self.short = writing.blocks is None and writing.context.decide(less(row, BLOCK + 1))
        """Whether each team has a row of its own."""
        taken = sum(self.lanes * array.dtype.itemsize for array in {a for each in self.arrays for a in each})
        self.held = shared_row(writing, self.phases, BLOCK if self.short else None, taken)

    def write(self) -> Expr:
        build, nest, writing = self.build, self.nest, self.writing
        rows, blocks = nest.count(nest.parallel), ONE
        row = build.group_id()
        if self.short:
            row = row * self.teams + self.team
            self.writer.there = there = row < self.writer.index(rows)
            # Loads that all rows share are repeated for the last row.
            row = build.minimum(row, self.writer.index(rows + -1))
        else:
            row, blocks = writing.take_block(row)
        writing.set_axes(nest.parallel, row)
        for phase in self.phases:
            self._phase(phase)
        if per_row := writing.row_results:
            first = (self.member if self.short else self.lane).equals(0)
            with build.when(first & there if self.short else first):
                writing.store_all(per_row)
        return ceil_div(rows, self.teams) if self.short else rows * blocks

    def _shared_arrays(self) -> list[list[Buffer]]:
        """Allocates for each phase an array of the lanes' partial results for each of its reductions."""
        pool: dict[object, list[Buffer]] = {}
        arrays: list[list[Buffer]] = []
        for phase in self.phases:
            taken: dict[object, int] = {}
            arrays.append([])
            for stage in phase:
                if stage.kind != "reduce":
                    continue
                for dtype in dtypes_of(stage, self.writing.context.decide):
                    known, number = pool.setdefault(dtype, []), taken.get(dtype, 0)
                    taken[dtype] = number + 1
                    if number == len(known):
                        known.append(self.build.allocate(dtype, self.lanes, "shared"))
                    arrays[-1].append(known[number])
        return arrays

    def _phase(self, phase: list[Stage]) -> None:
        """One pass over the reduced axes: reductions of this phase, and stores whose values are known."""
        writing = self.writing
        reductions, stores = writing.of_phase(phase)
        if not reductions and not stores:
            return
        run = _Pass(self, reductions, stores, self.phases.index(phase))
        values = writing.over(self.nest.reduced, identities(writing, reductions), run.along)
        if stores and phase is not self.phases[-1]:
            self.build.barrier()  # a later pass may load a value that another lane of this one stored
        writing.keep_stored(stores)
        self.writer.results.update(results(self.build, reductions, values))


class _Pass:
    """One pass over the reduced axes of a row."""

    def __init__(self, rows: Rows, reductions: list[Stage], stores: list[Stage], number: int) -> None:
        self.rows = rows
        self.number = number
        self.build = rows.build
        self.reductions = reductions
        self.stores = stores
        self.arrays = rows.arrays[number]
        self.identities = identities(rows.writing, reductions)
        self.axis: Axis = rows.nest.reduced[-1]

    def along(self, accumulators: Sequence[Value]) -> Sequence[Value]:
        """Loops with lanes along the innermost axis; returns the accumulators' last values."""
        rows, build, axis = self.rows, self.build, self.axis
        lower, upper = rows.writing.range_of(axis)
        if rows.writer.there is not None:
            upper = build.select(rows.writer.there, upper, lower)
        if not self.reductions:
            first = lower + (rows.member if rows.short else rows.lane)
            step_of_lanes = build.constant(TEAM if rows.short else rows.lanes)
            with build.loop(first, upper, step_of_lanes) as (i,):
                rows.writer.axes[axis] = i
                with self._element(i, None):
                    rows.writing.store_all(self.stores)
            return ()
        return self.combine(accumulators, self._row(lower, upper))

    def combine(self, accumulators: Sequence[Value], values: Sequence[Value]) -> list[Value]:
        return combine(self.build, self.reductions, accumulators, values)

    def _row(self, lower: Value, upper: Value) -> Sequence[Value]:
        rows, build = self.rows, self.build
        if rows.short:
            self._by_halves(self._accumulate(lower + rows.member, upper, TEAM))
            results = self._partial(rows.team * TEAM)
            build.barrier()
            return results
        if not any(rounds(stage) for stage in self.reductions):
            # Any order gives the same result.
            self._by_halves(self._accumulate(lower + rows.lane, upper, rows.lanes))
            return self._teams_in_order(self.identities)

        def stretch(first: Value, *carried: Value) -> Sequence[Value]:
            last = build.minimum(first + STRETCH, upper)

            def blocks(start: Value, *known: Value) -> Sequence[Value]:
                own = start + rows.team * BLOCK
                stop = build.minimum(own + BLOCK, last)
                self._by_halves(self._accumulate(own + rows.member, stop, TEAM))
                # A block beyond the end gives the identity, which changes no bit.
                return self._teams_in_order(known)

            step = build.constant(BLOCK * rows.teams)
            return self.combine(carried, build.carry(first, last, self.identities, blocks, step))

        return build.carry(lower, upper, self.identities, stretch, STRETCH)

    def _accumulate(self, first: Value, upper: Value, step: int) -> Sequence[Value]:
        """Accumulates over this lane's elements."""
        rows = self.rows
        return accumulate(
            rows.writing,
            self.reductions,
            self.stores,
            self.axis,
            (first, upper),
            self.identities,
            step,
            AHEAD,
            self._element,
        )

    def _element(self, position: Value, which: int | None) -> AbstractContextManager[None]:
        return self.rows.held.element(self.number, position, which)

    def _by_halves(self, values: Sequence[Value]) -> None:
        """Combines the lanes of each team; the results lie at the first lane's place."""
        rows, build, half = self.rows, self.build, TEAM // 2
        while half and rows.writing.context.machine.shuffles:
            distance = build.constant(half)
            values = self.combine(values, [build.shuffle_down(value, distance) for value in values])
            half //= 2
        for array, value in zip(self.arrays, values, strict=True):
            build.store(array, rows.lane, value)
        while half:
            build.barrier()
            with build.when(rows.member < half):
                other = self._partial(rows.lane + half)
                combined = self.combine(self._partial(rows.lane), other)
                for array, value in zip(self.arrays, combined, strict=True):
                    build.store(array, rows.lane, value)
            half //= 2
        build.barrier()

    def _teams_in_order(self, accumulators: Sequence[Value]) -> Sequence[Value]:
        for team in range(self.rows.teams):
            accumulators = self.combine(accumulators, self._partial(self.build.constant(team * TEAM)))
        self.build.barrier()  # before the arrays are written again
        return accumulators

    def _partial(self, at: Value) -> list[Value]:
        return [self.build.load(array, at) for array in self.arrays]


MOST_BYTES = 32768
"""The most shared memory for values of rows: more would leave too few concurrent workgroups."""
LEAST_LONG = 2048
"""The least capacity in positions of rows that have a workgroup."""
_WORD_BYTES = 4
"""The least size of an element: some languages have no smaller ones in shared memory."""


def shared_row(
    writing: GroupWriter, passes: Sequence[Sequence[Stage]], short: int | None, taken_bytes: int
) -> RowValues:
    """Allocates shared memory for values of a row, where there is room.

    `short`: the most positions of a row that a team has; None: a workgroup has it. `taken_bytes`: shared
    memory for other purposes.
    """
    values = RowValues(writing, needed_again(writing, passes, is_costly_along, loads=True))
    lanes, row = writing.context.machine.lanes, writing.nest.count(writing.nest.reduced)
    rows = lanes // TEAM if short else 1
    each = rows * values.bytes_each(_WORD_BYTES)
    room = min(writing.context.machine.shared_bytes - taken_bytes, MOST_BYTES)
    most = room // each // TEAM * TEAM if each else 0
    sizes = [min(most, short)] if short else [size for size in (LEAST_LONG, most) if size <= most]
    for size in sizes:
        if size and (size == short or writing.context.decide(less(row, size + 1))):
            values.hold(size * rows, "shared")
            if short:
                team = writing.build.lane_id() // TEAM
                values.base = team * size
            break
    return values
