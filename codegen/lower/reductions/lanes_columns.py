"""Columns for workgroups of many lanes: each lane has a column of its own, its accumulators in registers.

A column's elements are combined one after another, as in the processor's strips, so the bits are the same.
Neighbouring lanes have neighbouring columns, of the next rows too: in a stack of small matrices a workgroup
has those of several.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial

from ....ir.expr import Expr
from ....ir.passes.stages import Stage
from ...kernel.nodes import Value
from ..writing.accumulators import identities, results
from ..writing.context import GroupWriter, Schedule, phases_of
from .lanes_order import accumulate
from .row_values import RowValues

COLUMNS = 64
"""The most columns of a workgroup: there are often few, and many rows."""


@contextmanager
def column_of_lane(writing: GroupWriter, take_block: Callable[[Value], tuple[Value, Expr]]) -> Iterator[Expr]:
    """Sets each lane at a column of its own; returns the number of workgroups. `take_block`: the writer's, or
    that of a scan."""
    group, blocks = take_block(writing.build.group_id())
    lanes = min(COLUMNS, writing.context.machine.lanes)
    with writing.lane_each(writing.nest.parallel, lanes, group) as workgroups:
        yield workgroups * blocks


class Columns(Schedule):
    ahead = 16
    """Elements that are loaded before the first of them is combined: a lane walks down all of them alone."""

    def __init__(self, writing: GroupWriter) -> None:
        super().__init__(writing)
        self.held = RowValues(writing, {})

    def write(self) -> Expr:
        writing = self.writing
        with column_of_lane(writing, writing.take_block) as workgroups:
            for number, phase in enumerate(phases_of(writing.group, writing.context.memories)):
                self._phase(phase, number)
            writing.store_all(writing.row_results)
        return workgroups

    def _phase(self, phase: list[Stage], number: int) -> None:
        """One pass over the reduced axes: reductions of this phase, and stores whose values are known."""
        writing = self.writing
        reductions, stores = writing.of_phase(phase)
        if reductions or stores:

            def along(accumulators: Sequence[Value]) -> Sequence[Value]:
                return self._along(reductions, stores, accumulators, number)

            values = writing.over(writing.nest.reduced, identities(writing, reductions), along)
            writing.writer.results.update(results(writing.build, reductions, values))
        writing.keep_stored(stores)

    def _along(
        self, reductions: list[Stage], stores: list[Stage], accumulators: Sequence[Value], number: int
    ) -> Sequence[Value]:
        """Writes the loop over the innermost axis in pass `number`; returns the accumulators' last values."""
        axis = self.nest.reduced[-1]
        return accumulate(
            self.writing,
            reductions,
            stores,
            axis,
            self.writing.range_of(axis),
            accumulators,
            1,
            self.ahead,
            partial(self.held.element, number),
        )
