"""Products with windows whose lanes run along the lines of an image, which is read line by line.

With windows of stride two, the even and the odd elements of a line are copied apart. See
`window_products.py`.
"""

from __future__ import annotations

import itertools
from contextlib import ExitStack

from ....ir.expr import Expr, ceil_div, maximum, product
from ....ir.passes.window_products import HELD, LANES, NEAR
from ...kernel.nodes import Value
from .operands import Operand, position_of
from .panels import store_product
from .window_products import Windows

LINE = 32
"""Lanes that are summed together: two vectors of the widest registers; one or half of one at the end."""
UNROLLED_BYTES = 64
"""Of those where windows are unrolled: a vector of the widest registers; half of one at the end."""


class WindowLines(Windows):
    def write(self) -> Expr:
        build, index = self.build, self.writer.index
        groups = self._cut_strips()
        self.panel = build.allocate(self.dtype, HELD)
        self.sums = build.allocate(self.dtype, self.together * (LANES + LINE))
        nothing = build.constant(0, self.dtype)
        with build.loop(0, index(self.held), kind="lanes") as (k,):
            build.store(self.panel, k, nothing)
        with build.loop(*self.numbers) as (number,):
            self.writing.set_axes(self.batch, number)
            self._copy()
            self.x = Operand(self.writing, self.node.inputs[0], len(self.batch), self.rows)
            self.x.find_start()
            with build.loop(0, index(self.nest.extents[self.row])) as (row,):
                self.writer.axes[self.row] = row
                self.left_row = build.add(self.x.start, position_of(self.writing, self.x.first, row))
                with build.loop(self.top, self.bottom, self.together) as (line,):
                    self._sum_lines(line)
                    self._store_lines(line)
        return groups

    def _cut_strips(self) -> Expr:
        """Cuts tiles of some results of some lines; returns their number."""
        reach, along = self.reach, self.columns[-1]
        strips = maximum(ceil_div(along, LANES), 1)
        width = maximum(ceil_div(along, strips), 1)
        self.part = ceil_div(width + reach.along // reach.step_along + LINE // 2, LINE // 2) * (LINE // 2)
        planes, pitch = product(reach.planes), self._pitch()
        most = (NEAR // maximum(planes * pitch, 1) - reach.down) // reach.step_down + 1
        groups = self._cut(width, most, self.nest.count(self.batch))
        self.held = planes * self.lines * pitch
        return groups

    def _pitch(self) -> Expr:
        return self.part * self.reach.step_along

    def _line(self, plane: Value, line: Value) -> Value:
        return (plane * self.writer.index(self.lines) + line) * self.writer.index(self._pitch())

    def _copy_plane(self, at: Value, plane: Value) -> None:
        reach, index = self.reach, self.writer.index
        axis = reach.axis_along
        begin, lower, upper = self._seen(axis, reach.step_along, reach.along, self.left, self.right)
        at = at + (begin + lower) * index(self._stride(axis))
        with ExitStack() as stack:
            to = plane * index(self.lines)
            if reach.axis_down is not None:
                above, first, last = self._lines_seen()
                (line,) = stack.enter_context(self.build.loop(first, last))
                at, to = at + (above + line) * index(self._stride(reach.axis_down)), to + line
            self._copy_line(at, to * index(self._pitch()), lower, upper - lower)

    def _copy_line(self, at: Value, to: Value, first: Value, count: Value) -> None:
        """Copies contiguous elements; `first`: the offset of the first one from the line's start.

        With windows of stride two, every second element is read by the same places of the windows: these are
        made adjacent.
        """
        build, step = self.build, self.reach.step_along.value
        assert step is not None

        def copy(element: Value, number: int) -> None:
            place = first + number
            place = place % step * self.writer.index(self.part) + place // step
            # As vectors of all numbers share what they load.
            value = build.cast(build.load(self.source, at + element * step + number), self.dtype)
            build.store(self.panel, to + (place + element), value)

        with build.loop(0, count // step, kind="lanes", short=True) as (k,):
            for number in range(step):
                copy(k, number)
        for number in range(step - 1):
            with build.when(number < count % step):
                copy(count // step, number)

    def _shift(self, place: Value) -> Value:
        index, along = self.writer.index, self.reach.axis_along
        apart = index(self.reach.step_along)
        shift = self.build.constant(0) if along.inner is None else place * index(along.inner[1])
        return shift % apart * index(self.part) + shift // apart

    def _weight(self, tap: Value) -> Value:
        at = self.build.add(self.left_row, position_of(self.writing, self.x.second, tap))
        return self.build.cast(self.build.load(self.x.buffer, at), self.dtype)

    def _sum_lines(self, line: Value) -> None:
        """Computes the results of some lines from `line` on."""
        build, index = self.build, self.writer.index
        first = (line - self.top) * index(self.reach.step_down)
        seen = self.right - self.left
        unrolled = UNROLLED_BYTES // self.dtype.itemsize
        sizes = [unrolled, unrolled // 2] if self.unrolled else [LINE, LINE // 2, LINE // 4]
        with build.loop(0, seen, sizes[0]) as (lane,):
            rest = seen - lane
            for lanes, less in itertools.zip_longest(sizes, sizes[1:], fillvalue=0):
                fits = rest > less
                with (
                    build.when(fits if lanes == sizes[0] else fits & (rest <= lanes)),
                    build.loop(0, lanes, kind="lanes") as (j,),
                ):
                    for number, value in enumerate(self._sums(first, lane + j)):
                        build.store(self.sums, lane + j + number * (LANES + LINE), value)

    def _store_lines(self, first: Value) -> None:
        """Stores the results, and those of the epilogue."""
        build, index = self.build, self.writer.index
        down, along = (index(extent) for extent in self.columns[-2:])
        with build.loop(first, build.minimum(first + self.together, self.bottom)) as (line,):
            sums = (line - first) * (LANES + LINE)
            before = (self.outer * down + line) * along + self.left
            with build.loop(0, self.right - self.left, kind="lanes") as (j,):
                self.writer.axes[self.column] = before + j
                store_product(self.writing, build.load(self.sums, sums + j))
