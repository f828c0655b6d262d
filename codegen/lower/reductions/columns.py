"""Reductions along an outer axis: a strip of accumulators for adjacent columns stays in cache."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ....ir.expr import Expr, ceil_div, less
from ....ir.passes.cost import arithmetic, is_expensive
from ....ir.passes.stages import Stage
from ...kernel.nodes import Buffer, Value
from ..writing.accumulators import combine, dtypes_of, identities, results, terms
from ..writing.context import GroupWriter, Schedule, phases_of
from ..writing.nest import Axis
from .lanes_order import at_element

STRIP = 512
"""Columns of a strip whose accumulators stay in the L1 cache."""
ROWS = 8
"""Rows that are added to an accumulator while it is in a register: a strip of few columns would wait for the
store-to-load latency of its accumulators after each. Argreduce, whose chain is longer, takes half as many."""


FEW, LONG_TERM, MANY_ROWS = 32, 6, 64
"""Columns up to which terms of so many operations are combined down many rows in registers: computing them
hides the latency, while the addresses of ROWS rows do not fit registers and are found for few vectors."""


class Columns(Schedule):
    def __init__(self, writing: GroupWriter) -> None:
        super().__init__(writing)
        self.accumulators: dict[Stage, list[Buffer]] = {}
        self.finished: dict[Stage, list[Buffer]] = {}
        """Reductions whose accumulators hold their results."""

    def write(self) -> Expr:
        writing, build, writer, nest = self.writing, self.build, self.writer, self.nest
        *outer, self.inner = nest.parallel
        extent = nest.extents[self.inner]
        strips, rows = ceil_div(extent, STRIP), nest.count(outer)
        group, blocks = writing.take_block(build.group_id())
        writing.set_axes(outer, group // writer.index(strips))
        self.start = group % writer.index(strips) * STRIP
        stop = build.minimum(self.start + STRIP, writer.index(extent))
        self.width = stop - self.start
        for stage in writing.group.stages:
            if stage.kind == "reduce":
                dtypes = dtypes_of(stage, writing.context.decide)
                self.accumulators[stage] = [build.allocate(dtype, STRIP) for dtype in dtypes]
        for phase in phases_of(writing.group, writing.context.memories):
            self._phase(phase)
        if per_row := writing.row_results:
            self._along(lambda j: writing.store_all(per_row))
        return rows * strips * blocks

    def _phase(self, phase: list[Stage]) -> None:
        """One pass over the reduced axes: reductions of this phase, and stores whose values are known."""
        writing, build, nest = self.writing, self.build, self.nest
        reductions, stores = writing.of_phase(phase)

        def clear(j: Value) -> None:
            for stage in reductions:
                for memory, value in zip(self.accumulators[stage], identities(writing, [stage]), strict=True):
                    build.store(memory, j, value)

        def accumulate(j: Value, offsets: Sequence[int | None]) -> None:
            # All loads of a row come first: those of interleaved columns become whole vectors.
            known = {
                stage: [build.load(memory, j) for memory in self.accumulators[stage]] for stage in reductions
            }
            for number in offsets:
                added = {
                    stage: terms(writing, stage, at_element(stage.dims, writing.nest.reduced[-1], number))
                    for stage in reductions
                }
                for stage in reductions:
                    known[stage] = combine(build, [stage], known[stage], added[stage])
            for stage in reductions:
                for memory, value in zip(self.accumulators[stage], known[stage], strict=True):
                    build.store(memory, j, value)
            writing.store_all(stores)

        # Costly computations hide the latency of the accumulators.
        cheap = not stores and not any(is_expensive(stage.value) for stage in reductions)
        at_once = (
            ROWS // max((len(self.accumulators[stage]) for stage in reductions), default=1) if cheap else 1
        )
        if reductions:
            self._along(clear)
        if reductions or stores:
            axis = writing.nest.reduced[-1]

            long = all(arithmetic(stage.value, LONG_TERM) >= LONG_TERM for stage in reductions)
            in_registers = cheap and long and writing.context.decide(less(nest.extents[self.inner], FEW + 1))

            def down(_: Sequence[Value]) -> Sequence[Value]:
                if in_registers:
                    self._rows_in_registers(axis, reductions)
                else:
                    self._rows(axis, accumulate, at_once)
                return ()

            writing.over(writing.nest.reduced, (), down)
        writing.keep_stored(stores)
        self.finished.update((stage, self.accumulators[stage]) for stage in reductions)

    def _along(self, body: Callable[[Value], None]) -> None:
        """Writes a lanes loop over the strip's columns, which loads the finished reductions of each."""
        build, writer = self.build, self.writer
        with build.loop(0, self.width, kind="lanes") as (j,):
            writer.axes[self.inner] = self.start + j
            values = [build.load(memory, j) for memories in self.finished.values() for memory in memories]
            writer.results = results(build, list(self.finished), values)
            body(j)
            writer.results = {}

    def _rows(self, axis: Axis, body: Callable[[Value, Sequence[int | None]], None], at_once: int) -> None:
        """Writes a loop over several rows at once, then one for the remaining rows."""
        build, writer = self.build, self.writer
        lower, upper = self.writing.range_of(axis)
        if at_once > 1:
            step, middle = build.in_steps(lower, upper, at_once)
            with build.loop(lower, middle, step) as (i,):
                for number in range(at_once):
                    writer.axes[axis, number] = i + number
                self._along(lambda j: body(j, range(at_once)))
            lower = middle
        with build.loop(lower, upper) as (i,):
            writer.axes[axis] = i
            self._along(lambda j: body(j, (None,)))

    def _rows_in_registers(self, axis: Axis, reductions: list[Stage]) -> None:
        """Writes a loop over the rows of a vector of columns: what all rows have in common is found once."""
        build, writing = self.build, self.writing
        lower, upper = writing.range_of(axis)
        memories = [memory for stage in reductions for memory in self.accumulators[stage]]
        with build.loop(lower, upper, MANY_ROWS) as (first,):
            last = build.minimum(first + MANY_ROWS, upper)

            def combined(j: Value) -> None:
                def row(i: Value, *known: Value) -> list[Value]:
                    self.writer.axes[axis] = i
                    added = [
                        value
                        for stage in reductions
                        for value in terms(writing, stage, at_element(stage.dims, axis, None))
                    ]
                    return combine(build, reductions, list(known), added)

                known = build.carry(first, last, [build.load(memory, j) for memory in memories], row)
                for memory, value in zip(memories, known, strict=True):
                    build.store(memory, j, value)

            self._along(combined)
