"""Matrix products as kernels of a processor: dtypes without a library, and matrices too small for its calls.

Lanes run along the columns of the result. A tile takes a vector of columns at a time: their part of the right
operand is written side by side, converted to the accumulator's dtype, and stays in the first cache for all
rows; a few rows at a time are summed in registers, so that each step loads that vector once and an element of
the left operand for each row. Small matrices are read where they lie.

Each result is the sum of its products in the order of the inner axis, from zero, in the accumulator of the
dtype; as on devices (`products.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ...ir import ops
from ...ir.expr import ZERO, Expr, ceil_div, floor_div, lift, maximum, mul
from ...ir.index import view_of
from ...ir.node import Node
from ..kernel.builder import KernelBuilder
from ..kernel.nodes import Buffer, Value
from .accumulators import add_product
from .context import GroupWriter
from .writer import base_offset, coefficients

TILE_ROWS, TILE_COLUMNS = 64, 256
"""Of a workgroup."""
DEPTH = 256
"""Inner positions whose part of the right operand is written side by side: 16 KB for the widest vectors."""
ROWS = 8
"""Results of a lane in registers: more would not fit those of AVX2."""
SMALL_ROWS = 4


def write_panels(writing: GroupWriter) -> Expr:
    """Gives the number of workgroups."""
    return _Panels(writing).write()


class Operand:
    """Where the matrix of the present batch position starts, and its strides."""

    def __init__(self, writing: GroupWriter, node: Node) -> None:
        build, writer = writing.build, writing.writer
        base, dims = view_of(node)
        memory = writer.memories[base]
        steps = coefficients(memory, dims)
        *batch, row, column = (steps.get(axis, ZERO) for axis in range(len(node.shape)))
        self.buffer: Buffer = writer.buffer(memory.buffer, memory.dtype)
        self.row, self.column = writer.index(row), writer.index(column)
        self.start = writer.index(base_offset(memory, dims))
        for axis, step in zip(writing.group.stages[0].axes[:-2], batch, strict=True):
            self.start = build.add(self.start, build.mul(writer.axes[axis], writer.index(step)))

    def lines(self, build: KernelBuilder, first: Value, bottom: Value, count: int) -> list[Value]:
        """Where some of its rows start; beyond the last one that one again."""
        last = build.sub(bottom, build.constant(1))
        rows = [build.add(first, build.constant(number)) for number in range(count)]
        return [
            build.add(self.start, build.mul(build.emit("minimum", (row, last)), self.row)) for row in rows
        ]


def operands_of(writing: GroupWriter) -> tuple[Operand, Operand, Value]:
    """Both operands of a product, and the extent of its inner axis."""
    inputs = writing.group.stages[0].node.inputs
    x, y = (Operand(writing, node) for node in inputs)
    return x, y, writing.writer.index(lift(inputs[0].shape[-1]))


def write_tiles(
    writing: GroupWriter, rows: int, columns: int, tile: Callable[[Value, Value, Value, Value], None]
) -> Expr:
    """A tile of one matrix for each workgroup: `tile` writes that between top and bottom, left and right.
    Gives the number of workgroups."""
    build, nest = writing.build, writing.nest
    *batch, row, column = writing.group.stages[0].axes
    strips, blocks = ceil_div(nest.extents[column], columns), ceil_div(nest.extents[row], rows)
    group, across = build.group_id(), writing.writer.index(strips)
    if batch:
        tiles = writing.writer.index(mul(blocks, strips))
        writing.set_axes(batch, build.emit("quotient", (group, tiles)))
        group = build.emit("remainder", (group, tiles))
    block, strip = (build.emit(name, (group, across)) for name in ("quotient", "remainder"))
    top, bottom = writing.row_range(block, lift(rows), nest.extents[row])
    left, right = writing.row_range(strip, lift(columns), nest.extents[column])
    tile(top, bottom, left, right)
    return mul(nest.count(batch), mul(blocks, strips))


def store_product(writing: GroupWriter, total: Value) -> None:
    """Store a sum as the product at the present position, and what the other stages make of it."""
    stage = writing.group.stages[0]
    value = writing.build.cast(total, stage.node.dtype)
    if len(writing.group.stages) == 1:
        writing.store(stage, value)
        return
    writing.writer.results[stage.node, stage.dims] = value
    writing.store_all(writing.group.stages)


class _Panels:
    def __init__(self, writing: GroupWriter) -> None:
        self.writing = writing
        self.build = writing.build
        self.stage = writing.group.stages[0]
        self.dtype = ops.accumulator(self.stage.node.dtype)
        *self.batch, self.row, self.column = self.stage.axes

    def write(self) -> Expr:
        if self.stage.node.op.small:
            return self._write_small()
        return write_tiles(self.writing, TILE_ROWS, TILE_COLUMNS, self._tile)

    def _write_small(self) -> Expr:
        """Several whole matrices for a workgroup."""
        writing, nest = self.writing, self.writing.nest
        count = nest.count(self.batch)
        results = mul(nest.extents[self.row], nest.extents[self.column])
        height = maximum(floor_div(writing.around.machine.tile, maximum(results, 1)), 1)
        with writing.row_loop(self.build.group_id(), height, count) as (number,):
            writing.set_axes(self.batch, number)
            self._whole()
        return ceil_div(count, height)

    # Tiles --------------------------------------------------------------------------------------------
    def _tile(self, top: Value, bottom: Value, left: Value, right: Value) -> None:
        build, writer = self.build, self.writing.writer
        x, y, inner = operands_of(self.writing)
        zero = build.constant(0)
        with build.loop(left, right, kind="lanes") as (j,):
            writer.axes[self.column] = j
            column = build.add(y.start, build.mul(j, y.column))
            held = build.allocate(self.dtype, DEPTH)
            sums = build.allocate(self.dtype, TILE_ROWS)
            with build.loop(zero, build.constant(TILE_ROWS)) as (number,):
                build.store(sums, number, build.constant(0, self.dtype))
            with build.loop(zero, inner, build.constant(DEPTH)) as (start,):
                count = build.emit("minimum", (build.constant(DEPTH), build.sub(inner, start)))
                with build.loop(zero, count) as (k,):
                    at = build.add(column, build.mul(build.add(start, k), y.row))
                    build.store(held, k, build.cast(build.load(y.buffer, at), self.dtype))
                with build.loop(top, bottom, build.constant(ROWS)) as (first,):
                    self._add_rows(x, held, sums, build.sub(first, top), first, bottom, start, count)
            with build.loop(top, bottom) as (row,):
                writer.axes[self.row] = row
                store_product(self.writing, build.load(sums, build.sub(row, top)))

    def _add_rows(
        self, x: Operand, held: Buffer, sums: Buffer, place: Value, first: Value, bottom: Value,
        start: Value, count: Value,
    ) -> None:  # fmt: skip
        """Add the products of some inner positions to some rows' sums; beyond the last row it is repeated."""
        build = self.build
        numbers = [build.constant(number) for number in range(ROWS)]
        lines = x.lines(build, first, bottom, ROWS)
        known = [build.load(sums, build.add(place, number)) for number in numbers]

        def step(k: Value, *totals: Value) -> list[Value]:
            along = build.mul(build.add(start, k), x.column)
            return self._step(x, lines, along, build.load(held, k), totals)

        made = build.carry(build.constant(0), count, known, step)
        for number, value in zip(numbers, made, strict=True):
            build.store(sums, build.add(place, number), value)

    # Small matrices -----------------------------------------------------------------------------------
    def _whole(self) -> None:
        build, writer = self.build, self.writing.writer
        x, y, inner = operands_of(self.writing)
        rows, columns = (self.writing.range_of(axis) for axis in (self.row, self.column))
        with build.loop(*columns, kind="lanes") as (j,):
            writer.axes[self.column] = j
            column = build.add(y.start, build.mul(j, y.column))
            with build.loop(*rows, build.constant(SMALL_ROWS)) as (first,):
                lines = x.lines(build, first, rows[1], SMALL_ROWS)

                def step(k: Value, *totals: Value) -> list[Value]:
                    right = build.load(y.buffer, build.add(column, build.mul(k, y.row)))
                    return self._step(x, lines, build.mul(k, x.column), right, totals)

                zeros = [build.constant(0, self.dtype)] * SMALL_ROWS
                totals = build.carry(build.constant(0), inner, zeros, step)
                self._store_rows(totals, first, rows[1])

    def _store_rows(self, totals: Sequence[Value], first: Value, bottom: Value) -> None:
        build, axes = self.build, self.writing.writer.axes
        if len(self.writing.group.stages) == 1:
            for number, value in enumerate(totals):
                row = build.add(first, build.constant(number))
                with build.when(build.emit("lt", (row, bottom))):
                    axes[self.row] = row
                    store_product(self.writing, value)
            return
        results = [build.cast(value, self.stage.node.dtype) for value in totals]

        # What follows is written once, in a loop that passes the results on in turn, in registers.
        def element(number: Value, *values: Value) -> list[Value]:
            row = build.add(first, number)
            with build.when(build.emit("lt", (row, bottom))):
                axes[self.row] = row
                store_product(self.writing, values[0])
            return [*values[1:], values[0]]

        build.carry(build.constant(0), build.constant(SMALL_ROWS), results, element)

    # Both ---------------------------------------------------------------------------------------------
    def _step(
        self, x: Operand, lines: Sequence[Value], along: Value, right: Value, totals: Sequence[Value]
    ) -> list[Value]:
        """The sums of rows and one more product each."""
        build, right, made = self.build, self.build.cast(right, self.dtype), []
        for line, known in zip(lines, totals, strict=True):
            left = build.cast(build.load(x.buffer, build.add(line, along)), self.dtype)
            made.append(add_product(build, known, left, right))
        return made
