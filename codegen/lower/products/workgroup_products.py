"""Matrix products for processors whose compiler vectorizes loops without inner loops.

A workgroup has a tile of the results. For each section of the inner axis, the right operand's elements are
packed, and every row of the tile adds its products to its sums in a loop along the columns: a few rows and
inner positions at a time, so that each load serves several. All of it stays in the L1 and L2 caches.

Each result is the sum of its products in the order of the inner axis, from zero, in the accumulator of the
dtype; with `fma` every step rounds once, as on other devices (`lanes_products`).
"""

from __future__ import annotations

from collections.abc import Sequence

from ....ir import ops
from ....ir.expr import Expr, ceil_div, lift
from ...kernel.nodes import Buffer, Value
from ..writing.accumulators import add_product
from ..writing.context import GroupWriter
from .panels import Operand, operands_of, store_product, within_batch

TILE = 64
"""Rows and columns of a workgroup's results."""
DEPTH = 64
"""Inner positions that are packed: 16 KB of f32."""
ROWS, STEPS = 2, 4
"""Rows and inner positions of a loop along the columns: their elements of the left operand fit registers."""


def write_scratch_product(writing: GroupWriter) -> Expr:
    """Returns the number of workgroups."""
    nest, build = writing.nest, writing.build
    *batch, row, column = writing.group.stages[0].axes
    blocks, strips = (ceil_div(nest.extents[axis], TILE) for axis in (row, column))
    tiles = blocks * strips
    block, strip = divmod(within_batch(writing, build.group_id(), tiles), writing.writer.index(strips))
    top, bottom = writing.row_range(block, lift(TILE), nest.extents[row])
    left, right = writing.row_range(strip, lift(TILE), nest.extents[column])
    _Tile(writing).write(top, bottom, left, right)
    return nest.count(batch) * tiles


class _Tile:
    def __init__(self, writing: GroupWriter) -> None:
        self.writing = writing
        self.build = writing.build
        self.dtype = ops.accumulator(writing.group.stages[0].node.dtype)
        self.packed: Buffer
        self.sums: Buffer

    def write(self, top: Value, bottom: Value, left: Value, right: Value) -> None:
        build, writer, (x, y, inner) = self.build, self.writing.writer, operands_of(self.writing)
        *_, row_axis, column_axis = self.writing.group.stages[0].axes
        zero, depth, width = build.constant(0), build.constant(DEPTH), right - left
        self.packed, self.sums = (build.allocate(self.dtype, lines * TILE) for lines in (DEPTH, TILE))
        with build.loop(zero, build.constant(TILE * TILE), kind="lanes") as (i,):
            build.store(self.sums, i, build.constant(0, self.dtype))
        with build.loop(zero, inner, depth) as (start,):
            count = build.minimum(depth, inner - start)
            self._hold(y, start, count, left, width)
            with build.loop(top, bottom, ROWS) as (first,):
                along = start * x.column
                lines = [line + along for line in x.lines(build, first, bottom, ROWS)]
                self._add_rows(x, lines, first - top, count, width)
        with build.loop(top, bottom) as (row,), build.loop(zero, width, kind="lanes") as (j,):
            writer.axes.update({row_axis: row, column_axis: left + j})
            store_product(self.writing, build.load(self.sums, self._place(row - top, j)))

    def _hold(self, y: Operand, start: Value, count: Value, left: Value, width: Value) -> None:
        """Packs the right operand's part of the tile."""
        build = self.build
        with (
            build.loop(0, count) as (k,),
            build.loop(build.constant(0), width, kind="lanes") as (j,),
        ):
            line = y.start + (start + k) * y.row
            at = line + (left + j) * y.column
            build.store(self.packed, self._place(k, j), build.cast(build.load(y.buffer, at), self.dtype))

    def _add_rows(self, x: Operand, lines: Sequence[Value], place: Value, count: Value, width: Value) -> None:
        """Accumulates the products of the loaded inner positions into some rows of sums."""
        build = self.build

        def add(k: Value, steps: int) -> None:
            positions = [k + step for step in range(steps)]
            lefts = [
                [build.cast(build.load(x.buffer, line + at * x.column), self.dtype) for at in positions]
                for line in lines
            ]
            with build.loop(build.constant(0), width, kind="lanes") as (j,):
                rights = [build.load(self.packed, self._place(at, j)) for at in positions]
                for number, row in enumerate(lefts):
                    at = self._place(place + number, j)
                    total = build.load(self.sums, at)
                    for left, right in zip(row, rights, strict=True):
                        total = add_product(build, total, left, right, self.writing.context.machine.fma)
                    build.store(self.sums, at, total)

        steps = build.constant(STEPS)
        whole = count // steps * steps
        with build.loop(0, whole, steps) as (k,):
            add(k, STEPS)
        with build.loop(whole, count) as (k,):
            add(k, 1)

    def _place(self, line: Value, j: Value) -> Value:
        """Of column j in a line of an array of the tile's width."""
        return line * TILE + j
