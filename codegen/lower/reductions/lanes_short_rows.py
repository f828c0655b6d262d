"""Rows of a few elements for workgroups of many lanes: each lane has a row of its own.

A team of lanes would mostly idle, and wait for its shared memory. The bits are those of longer rows
(`lanes_rows`): one element is in each accumulator, and these are combined by halves.
"""

from __future__ import annotations

from collections.abc import Sequence

from ....ir.passes.stages import Stage
from ...kernel.nodes import Value
from ..machine import SHORT_ROW
from ..writing.accumulators import combine, dtypes_of, identities, terms
from ..writing.context import GroupWriter, phases_of
from .lanes_columns import Columns
from .row_values import RowValues, is_costly_along, needed_again
from .rows import rounds


class ShortRows(Columns):
    ahead = 4

    def __init__(self, writing: GroupWriter) -> None:
        super().__init__(writing)
        phases = phases_of(writing.group, writing.context.memories)
        self.held = RowValues(writing, needed_again(writing, phases, is_costly_along, loads=False))
        self.held.hold(SHORT_ROW, "private")

    def _along(
        self, reductions: list[Stage], stores: list[Stage], accumulators: Sequence[Value], number: int
    ) -> Sequence[Value]:
        if not any(map(rounds, reductions)):
            return super()._along(reductions, stores, accumulators, number)
        writing, build, axis = self.writing, self.build, self.nest.reduced[-1]
        dtypes = [dtype for stage in reductions for dtype in dtypes_of(stage, writing.context.decide)]
        arrays = [build.allocate(dtype, SHORT_ROW) for dtype in dtypes]
        nothing = identities(writing, reductions)
        with build.loop(0, SHORT_ROW) as (i,):
            for array, value in zip(arrays, nothing, strict=True):
                build.store(array, i, value)
        with build.loop(*writing.range_of(axis)) as (i,):
            self.writer.axes[axis] = i
            with self.held.element(number, i):
                values = [value for stage in reductions for value in terms(writing, stage, stage.dims)]
                writing.store_all(stores)
            for array, value in zip(arrays, combine(build, reductions, nothing, values), strict=True):
                build.store(array, i, value)
        lanes = [[build.load(array, build.constant(lane)) for array in arrays] for lane in range(SHORT_ROW)]
        while len(lanes) > 1:
            half = len(lanes) // 2
            lanes = [
                combine(build, reductions, *pair) for pair in zip(lanes[:half], lanes[half:], strict=True)
            ]
        return combine(build, reductions, accumulators, lanes[0])
