"""Reductions down a few columns: vectors along the columns, in the order in which `rows` adds.

The elements of one column are a few places apart in memory, so a reduction column by column would read single
elements. Here all columns are read together, one row of the array after another, and the lanes of the loop in
`rows`, which are combined at the end of each block, are cells in the L1 cache: element i of a block goes to
cell i modulo their number. The sums have the same bits.
"""

from __future__ import annotations

from collections.abc import Sequence

from ....ir.expr import Expr
from ...kernel.nodes import REDUCTION_LANES, Buffer, Value
from ..writing.accumulators import combine, dtypes_of, identities, results, terms
from ..writing.context import NARROW, GroupWriter, Schedule
from ..writing.nest import Axis
from .lanes_order import at_element
from .rows import BLOCKS, rounds

AT_ONCE = 8
"""Rows of one iteration."""


class NarrowColumns(Schedule):
    def __init__(self, writing: GroupWriter) -> None:
        super().__init__(writing)
        self.stages = [stage for stage in writing.group.stages if stage.kind == "reduce"]
        self.blocks = BLOCKS if any(map(rounds, self.stages)) else ()
        self.dtypes = [dtype for stage in self.stages for dtype in dtypes_of(stage, writing.context.decide)]

    def write(self) -> Expr:
        writing, build, nest = self.writing, self.build, self.nest
        *outer, self.inner = nest.parallel
        group, blocks = writing.take_block(build.group_id())
        writing.set_axes(outer, group)
        self.width = writing.writer.index(nest.extents[self.inner])
        self.cells = self._allocate(REDUCTION_LANES * NARROW)
        self.levels = [self._allocate(NARROW) for _ in self.blocks]
        total = self._allocate(NARROW)
        self._clear(total, NARROW)
        axis = nest.reduced[-1]

        def down(_: Sequence[Value]) -> Sequence[Value]:
            self._join(total, self._reduced(axis, *writing.range_of(axis), 0))
            return ()

        writing.over(nest.reduced, (), down)
        with build.loop(0, self.width, kind="lanes") as (j,):
            writing.writer.axes[self.inner] = j
            values = [build.load(memory, j) for memory in total]
            writing.writer.results = results(build, self.stages, values)
            writing.store_all(writing.row_results)
        return nest.count(outer) * blocks

    def _reduced(self, axis: Axis, start: Value, stop: Value, level: int) -> list[Buffer]:
        """Returns the columns' results between two rows: block by block, or where there are no blocks, of the
        cells."""
        build = self.build
        if level == len(self.blocks):
            self._fill_cells(axis, start, stop)
            return self.cells
        total, size = self.levels[level], build.constant(self.blocks[level])
        self._clear(total, NARROW)
        with build.loop(start, stop, size) as (first,):
            last = build.minimum(first + size, stop)
            self._join(total, self._reduced(axis, first, last, level + 1))
        return total

    def _fill_cells(self, axis: Axis, start: Value, stop: Value) -> None:
        """Combines rows into the cells, and the cells into the first one."""
        build = self.build
        self._clear(self.cells, REDUCTION_LANES * NARROW)
        step, middle = build.in_steps(start, stop, AT_ONCE)
        with build.loop(start, middle, step) as (i,):
            self._add_rows(axis, start, i, AT_ONCE)
        with build.loop(middle, stop) as (i,):
            self._add_rows(axis, start, i, 1)
        half = REDUCTION_LANES // 2
        while half:
            end = build.constant(half * NARROW)
            with build.loop(0, end, kind="lanes") as (j,):
                self._combine(self.cells, j, [build.load(cell, j + end) for cell in self.cells])
            half //= 2

    def _add_rows(self, axis: Axis, start: Value, first: Value, count: int) -> None:
        build, writer = self.build, self.writing.writer
        cell = (first - start) & (REDUCTION_LANES - 1)
        place = cell * NARROW
        for number in range(count):
            writer.axes[axis, number] = first + number
        with build.loop(0, self.width, kind="lanes") as (j,):
            writer.axes[self.inner] = j
            for number in range(count):
                at = place + number * NARROW + j
                added = [
                    value
                    for stage in self.stages
                    for value in terms(self.writing, stage, at_element(stage.dims, axis, number))
                ]
                self._combine(self.cells, at, added)

    # Memory of the columns ----------------------------------------------------------------------------
    def _allocate(self, count: int) -> list[Buffer]:
        return [self.build.allocate(dtype, count) for dtype in self.dtypes]

    def _clear(self, memories: list[Buffer], count: int) -> None:
        build, values = self.build, identities(self.writing, self.stages)
        with build.loop(0, count, kind="lanes") as (j,):
            for memory, value in zip(memories, values, strict=True):
                build.store(memory, j, value)

    def _join(self, memories: list[Buffer], others: list[Buffer]) -> None:
        """Combines the first columns of both."""
        with self.build.loop(0, self.width, kind="lanes") as (j,):
            self._combine(memories, j, [self.build.load(other, j) for other in others])

    def _combine(self, memories: list[Buffer], at: Value, added: list[Value]) -> None:
        known = [self.build.load(memory, at) for memory in memories]
        for memory, value in zip(memories, combine(self.build, self.stages, known, added), strict=True):
            self.build.store(memory, at, value)
