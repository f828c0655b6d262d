"""Matrix products as kernels of a processor: dtypes without a library, and matrices too small for its calls.

Lanes run along the columns of the result. A tile takes a vector of columns at a time: their part of the right
operand is written side by side, converted to the accumulator's dtype, and stays in the first cache for all
rows; a few rows at a time are summed in registers, so that each step loads that vector once and an element of
the left operand for each row. Small matrices are read where they lie.

Each result is the sum of its products in the order of the inner axis, from zero, in the accumulator of the
dtype; as on devices (`products.py`).
"""

from __future__ import annotations

from collections.abc import Sequence

from ...ir import ops
from ...ir.expr import ZERO, Expr, ceil_div, floor_div, lift, maximum, mul
from ...ir.index import view_of
from ...ir.node import Node
from ...ir.types import BOOL
from ..kernel.nodes import Buffer, Value
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


class _Operand:
    """Where the matrix of the present batch position starts, and its strides."""

    def __init__(self, panels: _Panels, node: Node) -> None:
        build, writer = panels.build, panels.writing.writer
        base, dims = view_of(node)
        memory = writer.memories[base]
        steps = coefficients(memory, dims)
        *batch, row, column = (steps.get(axis, ZERO) for axis in range(len(node.shape)))
        self.buffer: Buffer = writer.buffer(memory.buffer, memory.dtype)
        self.row, self.column = writer.index(row), writer.index(column)
        self.start = writer.index(base_offset(memory, dims))
        for axis, step in zip(panels.batch, batch, strict=True):
            self.start = build.add(self.start, build.mul(writer.axes[axis], writer.index(step)))


class _Panels:
    def __init__(self, writing: GroupWriter) -> None:
        self.writing = writing
        self.build = writing.build
        self.stage = writing.group.stages[0]
        self.dtype = ops.accumulator(self.stage.node.dtype)
        *self.batch, self.row, self.column = self.stage.axes

    def write(self) -> Expr:
        return self._write_small() if self.stage.node.op is ops.small_dot else self._write_tiles()

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

    def _write_tiles(self) -> Expr:
        """A tile of one matrix for each workgroup."""
        writing, build, nest = self.writing, self.build, self.writing.nest
        strips = ceil_div(nest.extents[self.column], TILE_COLUMNS)
        blocks = ceil_div(nest.extents[self.row], TILE_ROWS)
        group, across = build.group_id(), writing.writer.index(strips)
        if self.batch:
            tiles = writing.writer.index(mul(blocks, strips))
            writing.set_axes(self.batch, build.emit("quotient", (group, tiles)))
            group = build.emit("remainder", (group, tiles))
        block, strip = (build.emit(name, (group, across)) for name in ("quotient", "remainder"))
        top, bottom = writing.row_range(block, lift(TILE_ROWS), nest.extents[self.row])
        left, right = writing.row_range(strip, lift(TILE_COLUMNS), nest.extents[self.column])
        self._tile(top, bottom, left, right)
        return mul(nest.count(self.batch), mul(blocks, strips))

    def _operands(self) -> tuple[_Operand, _Operand, Value]:
        x, y = (_Operand(self, node) for node in self.stage.node.inputs)
        return x, y, self.writing.writer.index(lift(self.stage.node.inputs[0].shape[-1]))

    # Tiles --------------------------------------------------------------------------------------------
    def _tile(self, top: Value, bottom: Value, left: Value, right: Value) -> None:
        build, writer = self.build, self.writing.writer
        x, y, inner = self._operands()
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
                total = build.load(sums, build.sub(row, top))
                self._store(build.cast(total, self.stage.node.dtype))

    def _add_rows(
        self, x: _Operand, held: Buffer, sums: Buffer, place: Value, first: Value, bottom: Value,
        start: Value, count: Value,
    ) -> None:  # fmt: skip
        """Add the products of some inner positions to some rows' sums; beyond the last row it is repeated."""
        build = self.build
        numbers = [build.constant(number) for number in range(ROWS)]
        lines = self._lines(x, first, bottom, ROWS)
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
        x, y, inner = self._operands()
        rows, columns = (self.writing.range_of(axis) for axis in (self.row, self.column))
        with build.loop(*columns, kind="lanes") as (j,):
            writer.axes[self.column] = j
            column = build.add(y.start, build.mul(j, y.column))
            with build.loop(*rows, build.constant(SMALL_ROWS)) as (first,):
                lines = self._lines(x, first, rows[1], SMALL_ROWS)

                def step(k: Value, *totals: Value) -> list[Value]:
                    right = build.load(y.buffer, build.add(column, build.mul(k, y.row)))
                    return self._step(x, lines, build.mul(k, x.column), right, totals)

                zeros = [build.constant(0, self.dtype)] * SMALL_ROWS
                totals = build.carry(build.constant(0), inner, zeros, step)
                self._store_rows(totals, first, rows[1])

    def _store_rows(self, totals: Sequence[Value], first: Value, bottom: Value) -> None:
        build, axes = self.build, self.writing.writer.axes
        results = [build.cast(value, self.stage.node.dtype) for value in totals]
        if len(self.writing.group.stages) == 1:
            for number, value in enumerate(results):
                row = build.add(first, build.constant(number))
                with build.when(build.emit("lt", (row, bottom))):
                    axes[self.row] = row
                    self._store(value)
            return

        # What follows is written once, in a loop that passes the results on in turn, in registers.
        def element(number: Value, *values: Value) -> list[Value]:
            row = build.add(first, number)
            with build.when(build.emit("lt", (row, bottom))):
                axes[self.row] = row
                self._store(values[0])
            return [*values[1:], values[0]]

        build.carry(build.constant(0), build.constant(SMALL_ROWS), results, element)

    # Both ---------------------------------------------------------------------------------------------
    def _lines(self, x: _Operand, first: Value, bottom: Value, count: int) -> list[Value]:
        """Where some rows of the left operand start; beyond the last one that one again."""
        build = self.build
        last = build.sub(bottom, build.constant(1))
        rows = [build.add(first, build.constant(number)) for number in range(count)]
        return [build.add(x.start, build.mul(build.emit("minimum", (row, last)), x.row)) for row in rows]

    def _step(
        self, x: _Operand, lines: Sequence[Value], along: Value, right: Value, totals: Sequence[Value]
    ) -> list[Value]:
        """The sums of rows and one more product each."""
        build, right, made = self.build, self.build.cast(right, self.dtype), []
        for line, known in zip(lines, totals, strict=True):
            left = build.cast(build.load(x.buffer, build.add(line, along)), self.dtype)
            if self.dtype is BOOL:
                made.append(build.emit("or", (known, build.emit("and", (left, right)))))
            else:
                made.append(build.add(known, build.mul(left, right)))
        return made

    def _store(self, value: Value) -> None:
        """Store the result at the present position and what the other stages make of it."""
        writing = self.writing
        if len(writing.group.stages) == 1:
            writing.store(self.stage, value)
            return
        writing.writer.results[self.stage.node, self.stage.dims] = value
        writing.store_all(writing.group.stages)
