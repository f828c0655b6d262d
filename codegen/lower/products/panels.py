"""Products of small matrices as kernels of a processor, and the parts that all such kernels share.

Matrices too small for a library's calls are read in place: lanes run along the columns of the result, and a
few rows at a time are summed in registers. Each result is the sum of its products in the order of the inner
axis, from zero, in the accumulator of the dtype, as on devices (`lanes_products`).
"""

from __future__ import annotations

from collections.abc import Sequence

from ....ir import ops
from ....ir.expr import Expr, ceil_div, lift, maximum
from ....ir.node import Node
from ...kernel.builder import KernelBuilder
from ...kernel.nodes import Buffer, Value
from ..writing.accumulators import add_product
from ..writing.context import GroupWriter
from ..writing.writer import memory_of_view

ROWS = 4
"""Results of a lane in registers."""


def write_small_product(writing: GroupWriter) -> Expr:
    """Returns the number of workgroups."""
    return _Small(writing).write()


class Operand:
    """The matrix of the present batch position: its start and strides."""

    def __init__(self, writing: GroupWriter, node: Node) -> None:
        writer = writing.writer
        memory = memory_of_view(node, writer.memories)
        *batch, row, column = memory.strides
        self.buffer: Buffer = writer.buffer(memory.buffer, memory.dtype)
        self.row, self.column = writer.index(row), writer.index(column)
        self.start = writer.index(memory.offset)
        for axis, step in zip(writing.group.stages[0].axes[:-2], batch, strict=True):
            self.start = self.start + writer.axes[axis] * writer.index(step)

    def lines(self, build: KernelBuilder, first: Value, bottom: Value, count: int) -> list[Value]:
        """Where some of its rows start; beyond the last one that one again."""
        last = bottom - 1
        rows = [first + number for number in range(count)]
        return [self.start + build.minimum(row, last) * self.row for row in rows]


def operands_of(writing: GroupWriter) -> tuple[Operand, Operand, Value]:
    """Returns both operands of a product, and the extent of its inner axis."""
    inputs = writing.group.stages[0].node.inputs
    x, y = (Operand(writing, node) for node in inputs)
    return x, y, writing.writer.index(lift(inputs[0].shape[-1]))


def within_batch(writing: GroupWriter, group: Value, tiles: Expr) -> Value:
    """Splits a workgroup's number: sets its position on the batch axes, and returns the index of its tile in
    that matrix."""
    *batch, _, _ = writing.group.stages[0].axes
    if not batch:
        return group
    count = writing.writer.index(tiles)
    writing.set_axes(batch, group // count)
    return group % count


def store_product(writing: GroupWriter, total: Value) -> None:
    """Stores a sum as the product at the present position, and the results of the other stages."""
    stage = writing.group.stages[0]
    value = writing.build.cast(total, stage.node.dtype)
    if len(writing.group.stages) == 1:
        writing.store(stage, value)
        return
    writing.writer.results[stage.node, stage.dims] = value
    writing.store_all(writing.group.stages)


class _Small:
    def __init__(self, writing: GroupWriter) -> None:
        self.writing = writing
        self.build = writing.build
        self.stage = writing.group.stages[0]
        self.dtype = ops.accumulator(self.stage.node.dtype)
        *self.batch, self.row, self.column = self.stage.axes

    def write(self) -> Expr:
        """Processes several whole matrices in a workgroup."""
        writing, nest = self.writing, self.writing.nest
        count = nest.count(self.batch)
        results = nest.extents[self.row] * nest.extents[self.column]
        height = maximum(writing.context.machine.tile // maximum(results, 1), 1)
        with writing.row_loop(self.build.group_id(), height, count) as (number,):
            writing.set_axes(self.batch, number)
            self._whole()
        return ceil_div(count, height)

    def _whole(self) -> None:
        build, writer = self.build, self.writing.writer
        x, y, inner = operands_of(self.writing)
        rows, columns = (self.writing.range_of(axis) for axis in (self.row, self.column))
        with build.loop(*columns, kind="lanes") as (j,):
            writer.axes[self.column] = j
            column = y.start + j * y.column
            with build.loop(*rows, build.constant(ROWS)) as (first,):
                lines = x.lines(build, first, rows[1], ROWS)

                def step(k: Value, *totals: Value) -> list[Value]:
                    right = build.load(y.buffer, column + k * y.row)
                    return self._step(x, lines, k * x.column, right, totals)

                zeros = [build.constant(0, self.dtype)] * ROWS
                totals = build.carry(0, inner, zeros, step)
                self._store_rows(totals, first, rows[1])

    def _store_rows(self, totals: Sequence[Value], first: Value, bottom: Value) -> None:
        build, axes = self.build, self.writing.writer.axes
        if len(self.writing.group.stages) == 1:
            for number, value in enumerate(totals):
                row = first + number
                with build.when(row < bottom):
                    axes[self.row] = row
                    store_product(self.writing, value)
            return
        results = [build.cast(value, self.stage.node.dtype) for value in totals]

        # The epilogue is written once, in a loop that rotates the results through registers.
        def element(number: Value, *values: Value) -> list[Value]:
            row = first + number
            with build.when(row < bottom):
                axes[self.row] = row
                store_product(self.writing, values[0])
            return [*values[1:], values[0]]

        build.carry(0, ROWS, results, element)

    def _step(
        self, x: Operand, lines: Sequence[Value], along: Value, right: Value, totals: Sequence[Value]
    ) -> list[Value]:
        """Adds one more product to the sums of rows."""
        build, right, made = self.build, self.build.cast(right, self.dtype), []
        for line, known in zip(lines, totals, strict=True):
            left = build.cast(build.load(x.buffer, line + along), self.dtype)
            made.append(add_product(build, known, left, right))
        return made
