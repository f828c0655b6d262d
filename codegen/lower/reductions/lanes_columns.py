"""Columns for workgroups of many lanes: each lane has columns of its own, its accumulators in registers.

A column's elements are combined one after another, as in the processor's strips, so the bits are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from ....ir.expr import Expr, ceil_div
from ....ir.passes.stages import Stage
from ...kernel.nodes import Value
from ..writing.accumulators import identities, results
from ..writing.context import GroupWriter, Schedule, phases_of
from .lanes_order import accumulate

COLUMNS = 64
"""The most columns of a workgroup: there are often few, and many rows."""
ROWS_AHEAD = 16
"""Rows that are loaded before the first of them is combined, as a lane walks down all of them alone."""


@contextmanager
def column_of_lane(writing: GroupWriter, take_block: Callable[[Value], tuple[Value, Expr]]) -> Iterator[Expr]:
    """Sets each lane at a column of its own; returns the number of workgroups. `take_block`: the writer's, or
    that of a scan."""
    build, writer, nest = writing.build, writing.writer, writing.nest
    *outer, inner = nest.parallel
    extent = nest.extents[inner]
    columns = writing.workgroup = min(COLUMNS, writing.context.machine.lanes)
    strips, rows = ceil_div(extent, columns), nest.count(outer)
    group, blocks = take_block(build.group_id())
    writing.set_axes(outer, group // writer.index(strips))
    strip = group % writer.index(strips)
    column = strip * columns + build.lane_id()
    with build.when(column < writer.index(extent)):
        writer.axes[inner] = column
        yield rows * strips * blocks


class Columns(Schedule):
    def write(self) -> Expr:
        writing = self.writing
        with column_of_lane(writing, writing.take_block) as workgroups:
            for phase in phases_of(writing.group, writing.context.memories):
                self._phase(phase)
            writing.store_all(writing.row_results)
        return workgroups

    def _phase(self, phase: list[Stage]) -> None:
        """One pass over the reduced axes: reductions of this phase, and stores whose values are known."""
        writing = self.writing
        reductions, stores = writing.of_phase(phase)
        if reductions or stores:
            axis = writing.nest.reduced[-1]

            def down(accumulators: Sequence[Value]) -> Sequence[Value]:
                bounds = writing.range_of(axis)
                return accumulate(writing, reductions, stores, axis, bounds, accumulators, 1, ROWS_AHEAD)

            values = writing.over(writing.nest.reduced, identities(writing, reductions), down)
            writing.writer.results.update(results(writing.build, reductions, values))
        writing.keep_stored(stores)
