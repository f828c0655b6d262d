"""Strips of a product's right operand, packed line by line: the columns of an inner position side by side.

Columns that are several axes are packed run by run along the last one. Where inner positions are neighbours
in memory, and columns far apart, squares are transposed in registers.
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from ....ir.expr import ONE, Expr, equal, less
from ....ir.types import INDEX, DType
from ...kernel.nodes import Buffer, Value, constant_number
from ..writing.context import GroupWriter, next_position
from .operands import Axes, Operand, position_of, split

SQUARE = 16
"""Columns that are transposed together: the lanes of a vector."""
FEWEST_PLACES = 4
"""The least places of a window along a line that are copied together where windows are far apart."""


class Strips(ABC):
    """The strips of a workgroup, and their packing."""

    dtype: DType
    y: Operand
    panel: Buffer
    panel_of_strip: Value
    """Elements of a strip."""
    width: Value
    """Columns of a strip."""
    first: Value
    """The range of the workgroup's columns."""
    end: Value
    left: Value
    """The range of the present strip's columns."""
    right: Value
    right_places: Buffer | None = None

    def __init__(self, writing: GroupWriter) -> None:
        self.writing, self.build = writing, writing.build

    @contextmanager
    def _each_strip(self) -> Iterator[Value]:
        """Loops over the strips of the workgroup, whose columns are from `left` to `right`."""
        build = self.build
        count, rest = divmod(self.end - self.first, self.width)
        with build.loop(0, count + build.minimum(rest, 1)) as (strip,):
            self.left = self.first + strip * self.width
            self.right = build.minimum(self.left + self.width, self.end)
            yield strip

    def _panel_of(self, strip: Value) -> Value:
        return strip * self.panel_of_strip

    def _pack_strips(self, start: Value, count: Value) -> None:
        """Packs the strips' parts of some inner positions of the right operand."""
        y = self.y
        *outer, last = zip(y.second.extents, y.second.steps, strict=True)
        along = self._along(last[1])
        if outer:
            place_of = self._places(y.first, start, count, self.right_places)
        transposed = last[1] is not ONE and y.first.plain and y.first.steps[0] is ONE
        if not outer and not transposed:
            self._pack_lines(start, count, along)
            return
        windows = bool(outer) and constant_number(along) is None and self._has_long_windows()
        with self._each_strip() as strip:
            panel = self._panel_of(strip)
            if windows:
                self._pack_windows(start, count, panel, place_of)
            elif outer:
                self._pack_runs(count, along, panel, place_of)
            else:
                self._pack_transposed(start, count, along, panel)

    def _along(self, step: Expr) -> Value:
        """Returns the stride of columns as a constant where it is so small that vectors of all elements
        between are read faster than single columns."""
        decide = self.writing.context.decide
        for known in (2, 3, 4):
            if step.value is None and decide(equal(step, known)):
                return self.build.constant(known)
        return self.writing.writer.index(step)

    def _pack_lines(self, start: Value, count: Value, along: Value) -> None:
        """Packs line by line, over all strips, which are adjacent in memory."""
        build, y = self.build, self.y
        strips, rest = divmod(self.end - self.first, self.width)

        def copy(at: Value, line: Value) -> None:
            def lanes(strip: Value, used: Value) -> None:
                to, base = self._panel_of(strip) + line, at + (self.first + strip * self.width) * along
                with build.loop(0, used, kind="lanes", short=True) as (j,):
                    value = build.cast(build.load(y.buffer, base + j * along), self.dtype)
                    build.store(self.panel, to + j, value)

            with build.loop(0, strips) as (strip,):
                lanes(strip, self.width)
            with build.when(rest > 0):
                lanes(strips, rest)

        self._each_inner(y.first, start, count, y.start, copy)

    def _pack_runs(
        self, count: Value, along: Value, panel: Value, place_of: Callable[[Value], Value]
    ) -> None:
        """Packs columns that are several axes: those contiguous on the last axis, for all inner positions,
        before the next ones."""
        build, y, zero, one = self.build, self.y, self.build.constant(0), self.build.constant(1)
        extent = self.writing.writer.index(y.second.extents[-1])
        end = (self.right - one) // extent + one
        with build.loop(self.left // extent, end) as (run,):
            before = run * extent
            low = build.maximum(self.left, before)
            high = build.minimum(self.right, before + extent)
            base = y.start + position_of(self.writing, y.second, run, leave=1)
            base = base - before * along
            with build.loop(low, high, kind="lanes", short=True) as (j,):
                at = base + j * along
                to = panel + (j - self.left)
                with build.loop(zero, count) as (k,):
                    value = build.load(y.buffer, place_of(k) + at)
                    line = k * self.width
                    build.store(self.panel, line + to, build.cast(value, self.dtype))

    def _pack_transposed(self, start: Value, count: Value, along: Value, panel: Value) -> None:
        """Packs operands that are contiguous along the inner axis: squares are transposed in registers. The
        last column is repeated as padding."""
        build, y = self.build, self.y
        last = self.right - 1
        with build.loop(self.left, self.right, SQUARE) as (j,):
            columns = [j + number for number in range(SQUARE)]
            lines = [y.start + build.minimum(column, last) * along for column in columns]
            place = panel + (j - self.left)
            with build.loop(build.constant(0), count, kind="lanes") as (k,):
                at, to = start + k, place + k * self.width
                values = [build.cast(build.load(y.buffer, line + at), self.dtype) for line in lines]
                for number, value in enumerate(values):
                    build.store(self.panel, to + number, value)

    def _has_long_windows(self) -> bool:
        """Whether inner positions are several axes, with more than a few contiguous ones on the last."""
        decide, axes = self.writing.context.decide, self.y.first
        along = not axes.plain and decide(equal(axes.steps[-1], 1))
        return along and decide(less(FEWEST_PLACES - 1, axes.extents[-1]))

    def _pack_windows(
        self, start: Value, count: Value, panel: Value, place_of: Callable[[Value], Value]
    ) -> None:
        """Packs windows that are far apart, line by line of theirs, by squares."""
        build, y, zero = self.build, self.y, self.build.constant(0)
        last, line = self.right - 1, self.writing.writer.index(y.first.extents[-1])
        with build.loop(self.left, self.right, SQUARE) as (j,):
            columns = [build.minimum(j + number, last) for number in range(SQUARE)]
            starts = [y.start + position_of(self.writing, y.second, column) for column in columns]
            to = panel + (j - self.left)
            with build.loop(start // line, (start + count - 1) // line + 1) as (number,):
                first = build.maximum(number * line - start, zero)
                length = build.minimum((number + 1) * line - start, count) - first
                place = place_of(first)
                with build.loop(0, length, SQUARE) as (k,), build.loop(0, SQUARE, kind="lanes") as (lane,):
                    # Beyond the line is what comes next, or nothing that is read.
                    at, slot = k + lane, to + (first + k + lane) * self.width
                    values = [build.load(y.buffer, each + place + at, at < length) for each in starts]
                    for place_in_row, value in enumerate(values):
                        build.store(self.panel, slot + place_in_row, build.cast(value, self.dtype))

    def _each_inner(
        self, axes: Axes, start: Value, count: Value, base: Value, write: Callable[[Value, Value], None]
    ) -> None:
        """Runs `write(position, line of the panel)` for each of some inner positions."""
        build, index = self.build, self.writing.writer.index
        zero = build.constant(0)
        if axes.plain:
            with build.loop(zero, count) as (k,):
                at = base + (start + k) * index(axes.steps[0])
                write(at, k * self.width)
            return
        extents, steps = map(index, axes.extents), [index(step) for step in axes.steps]
        sizes = [*extents]
        initial = split(sizes, start)

        def step(k: Value, *at: Value) -> list[Value]:
            position = base
            for each, apart in zip(at, steps, strict=True):
                position = position + each * apart
            write(position, k * self.width)
            return next_position(build, at, sizes)

        build.carry(zero, count, initial, step)

    def _places(
        self, axes: Axes, start: Value, count: Value, table: Buffer | None
    ) -> Callable[[Value], Value]:
        """Computes the offsets of some inner positions from the first of all, stored in the table where they
        are several axes."""
        build = self.build
        if table is None:
            step = self.writing.writer.index(axes.steps[0])
            first = start * step
            return lambda k: first + k * step
        noted = table

        def write(at: Value, line: Value) -> None:
            build.store(noted, line // self.width, build.cast(at, noted.dtype))

        self._each_inner(axes, start, count, build.constant(0), write)
        return lambda k: build.cast(build.load(noted, k), INDEX)
