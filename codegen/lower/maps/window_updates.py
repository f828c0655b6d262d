"""An array in one pass: the window that an update writes, and the old elements around it.

In large arrays whose rows are whole cache lines, a line that holds elements of both is written once, as a
seam: streaming stores of partially filled lines cost more than the others gain.
"""

from __future__ import annotations

from contextlib import nullcontext

from ....ir.expr import ONE, Expr, ceil_div, equal, less, lift, maximum, minimum
from ....ir.types import BOOL
from ...kernel.nodes import Value
from ..writing.context import GroupWriter, Schedule
from ..writing.writer import contiguous
from .tiled_maps import tile_rows

LEAST_STREAMED_BYTES = 2048
"""The least bytes of a streamed row that is not made of whole lines: its ends share lines with other rows,
and shorter rows lose more there than they gain."""
LINE_BYTES = 64
SEAM_BYTES = 16 << 20
"""Smaller launches stay in the caches, where seams cost short rows more than they gain."""


class Pieces(Schedule):
    def __init__(self, writing: GroupWriter) -> None:
        super().__init__(writing)
        self.whole, self.part = writing.group.stages
        *self.outer, self.inner = writing.nest.parallel
        assert self.part.window is not None
        self.own = dict(zip(self.whole.axes, self.part.axes, strict=True))
        """The window's axes by the array's."""
        limits = zip(self.whole.axes, self.part.window.starts, self.part.space, strict=True)
        self.limits = {axis: (lift(start), start + lift(extent)) for axis, start, extent in limits}

    def write(self) -> Expr:
        nest, itemsize = self.writing.nest, self.whole.node.dtype.itemsize
        extent, line = nest.extents[self.inner], LINE_BYTES // itemsize
        long = less(LEAST_STREAMED_BYTES - 1, extent * itemsize)
        first, last = self.limits[self.inner]
        self.cuts = [first, last]
        self.has_seams = self._pays_for_seams(line)
        if self.has_seams:
            end = minimum(ceil_div(last, line) * line, extent)
            first_whole = minimum(ceil_div(first, line) * line, end)
            last_whole = maximum(last // line * line, first_whole)
            self.cuts = [first // line * line, first_whole, last_whole, end]
        self.stream = self.writing.stream_flag(ONE if self.has_seams else long)
        return tile_rows(self.writing, False, self._row)

    def _pays_for_seams(self, line: int) -> bool:
        """Whether much is streamed, and every row begins and ends at a line's boundary."""
        context, node = self.writing.context, self.whole.node
        if not context.machine.streams or node not in context.streamed:
            return False
        memory, extents = context.memories[node], [lift(extent) for extent in node.shape]
        if self.inner != self.whole.axes[-1] or memory.strides != contiguous(extents):
            return False
        remainder = extents[-1] - extents[-1] // line * line
        return context.decide(less(SEAM_BYTES, self.writing.moved) * equal(remainder, 0))

    def _row(self, lower: Value, upper: Value) -> None:
        """Writes a row, or a part of a long one."""
        build, index = self.build, self.writer.index
        inside = self._within_rows()
        cuts = [build.minimum(build.maximum(index(cut), lower), upper) for cut in self.cuts]
        begin, end = (build.select(inside, cut, upper) for cut in (cuts[0], cuts[-1]))
        if not self.has_seams:
            self._write_whole(lower, begin)
            # Loads once for a row of the window must not serve rows outside of it.
            with build.when(inside) if self.outer else nullcontext():
                self._write_part(begin, end)
            self._write_whole(end, upper)
            return
        _, first, last, _ = cuts
        with build.loop(0, 2) as (side,):
            left = side.equals(0)

            def of_side(x: Value, y: Value) -> Value:
                return build.select(left, x, y)

            self._write_whole(of_side(lower, end), of_side(begin, upper))
            with build.when(inside):
                self._write_seam(of_side(begin, last), of_side(first, end))
                self._write_part(of_side(first, last), last)

    def _within_rows(self) -> Value:
        """Whether this row crosses the window, whose positions are known from here on."""
        index, inside = self.writer.index, self.build.constant(True, BOOL)
        for axis in self.outer:
            first, last = map(index, self.limits[axis])
            position = self.writer.axes[axis]
            inside = inside & (first <= position)
            inside = inside & (position < last)
            self.writer.axes[self.own[axis]] = position - first
        return inside

    def _write_whole(self, lower: Value, upper: Value) -> None:
        with self.build.loop(lower, upper, kind="lanes") as (i,):
            self.writer.axes[self.inner] = i
            self.writing.store_all([self.whole], self.stream)

    def _write_part(self, lower: Value, upper: Value) -> None:
        build, first = self.build, self.writer.index(self.limits[self.inner][0])
        begin, end = lower - first, upper - first
        with build.loop(begin, end, kind="lanes") as (j,):
            self.writer.axes[self.own[self.inner]] = j
            self.writing.store_all([self.part], self.stream)

    def _write_seam(self, lower: Value, upper: Value) -> None:
        build, writer = self.build, self.writer
        first, last = map(writer.index, self.limits[self.inner])
        with build.loop(lower, upper, kind="lanes", short=True) as (i,):
            writer.axes[self.inner] = i
            writer.axes[self.own[self.inner]] = i - first
            inside = (first <= i) & (i < last)
            before = writer.value(self.whole.value, self.whole.dims)
            value = build.choose(inside, lambda: writer.value(self.part.value, self.part.dims), before)
            self.writing.store(self.whole, value, self.stream)
