"""Products with windows, vectorized over images: each lane has one image, with weights of its own.

The elements of a vector are at one place of these images, so lines may be short, and windows any number of
elements apart. Where images lie line by line, squares of their elements are transposed in registers as they
are copied, and squares of results as they are stored. Lines have no zeros as padding: windows that reach
beyond have fewer places. See `window_products.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack

from ....ir.expr import ONE, Expr, ceil_div, lift, maximum, product
from ....ir.passes.window_products import ABREAST, HELD, NEAR, STRIP, abreast
from ...kernel.nodes import Buffer, Value
from ..writing.context import GroupWriter
from ..writing.nest import store_place
from ..writing.writer import coefficients
from .operands import Operand, position_of
from .panels import store_product
from .window_products import Windows


class WindowImages(Windows):
    def __init__(self, writing: GroupWriter) -> None:
        super().__init__(writing)
        place = abreast(self.node, self.context.decide)
        assert place is not None, self.node
        self.place, self.lane = place, self.batch[place]
        self.others = [axis for axis in self.batch if axis != self.lane]
        (image,) = [axis for axis in self.image.axes if axis.batch and axis.batch[0] == place]
        assert image.batch is not None
        self.apart = image.batch[1] * self._stride(image)
        """The distance of images in memory."""
        extent = self.reach.axis_along.extent
        self.whole = self.reach.fits(extent, self.context.decide)
        """Whether the panel has whole lines, or those of a strip."""
        self.extent = extent if self.whole else self.reach.of_strip
        """The length of a line in the panel."""

    def write(self) -> Expr:
        build, index = self.build, self.writer.index
        images = self.nest.extents[self.lane]
        blocks = ceil_div(images, ABREAST)
        groups = self._cut_lines(self.nest.count(self.others) * blocks)
        self.panel, self.weights = build.allocate(self.dtype, HELD), build.allocate(self.dtype, NEAR)
        self.sums, self.transposed = (build.allocate(self.dtype, HELD + ABREAST * ABREAST) for _ in range(2))
        nothing = build.constant(0, self.dtype)
        with build.loop(0, index(self.held * ABREAST), kind="lanes") as (k,):
            build.store(self.panel, k, nothing)
        with build.loop(*self.numbers) as (number,):
            self.writing.set_axes(self.others, number // index(blocks))
            self.first = number % index(blocks) * ABREAST
            self.count = build.minimum(index(images) - self.first, ABREAST)
            self.writer.axes[self.lane] = self.first
            self._copy()
            self.x = Operand(self.writing, self.node.inputs[0], len(self.batch), self.rows)
            self.x.find_start()
            with build.loop(0, index(self.nest.extents[self.row])) as (row,):
                self.writer.axes[self.row] = row
                self._copy_weights(self.x.start + position_of(self.writing, self.x.first, row))
                with build.loop(self.top, self.bottom, self.together) as (line,):
                    self._sum_lines(line)
                    self._store_lines(line)
        return groups

    def _cut_lines(self, batches: Expr) -> Expr:
        """Cuts tiles of some lines; returns their number."""
        reach, width = self.reach, self.columns[-1] if self.whole else lift(STRIP)
        planes = product(reach.planes)
        seen = NEAR // ABREAST // maximum(planes * self.extent, 1)
        most = (seen - reach.down) // reach.step_down + 1
        groups = self._cut(width, most, batches)
        self.plane = self.lines * self.extent + ABREAST
        """Positions of the panel, with room for the zeros at the end of the last copy."""
        self.held = planes * self.plane
        return groups

    # Copies ---------------------------------------------------------------------------------------------
    def _transpose(
        self, source: Buffer, at: Value, apart: Value, count: Value, to: Buffer, place: Value
    ) -> None:
        """Copies contiguous elements of all images, transposed so that those of one place are adjacent; up to
        `ABREAST` zeros follow. The last image is repeated as padding."""
        build = self.build
        last = self.count - 1
        starts = [at + build.minimum(build.constant(number), last) * apart for number in range(ABREAST)]
        whole = count - count % ABREAST

        def copy(first: Value, masked: bool) -> None:
            with build.loop(0, ABREAST, kind="lanes") as (k,):
                element = first + k
                inside = element < count if masked else None
                values = [build.load(source, start + element, inside) for start in starts]
                slot = place + element * ABREAST
                for number, value in enumerate(values):
                    build.store(to, slot + number, build.cast(value, self.dtype))

        with build.loop(0, whole, ABREAST) as (first,):
            copy(first, False)
        with build.when(whole < count):
            copy(whole, True)

    def _line_up(
        self, source: Buffer, at: Value, apart: Value, step: Value, count: Value, to: Buffer, place: Value
    ) -> None:
        """Copies element by element. The last lanes of fewer images keep what they had: no result is of
        them."""
        build = self.build
        with build.loop(0, count) as (k,), build.loop(0, self.count, kind="lanes") as (j,):
            value = build.load(source, at + k * step + j * apart)
            build.store(to, place + k * ABREAST + j, build.cast(value, self.dtype))

    def _copy_plane(self, at: Value, plane: Value) -> None:
        build, index, reach = self.build, self.writer.index, self.reach
        axis = reach.axis_along
        step, line_length, count = self._stride(axis), index(self.extent), index(axis.extent)
        if not self.whole:
            begin, lower, upper = self._seen(axis, reach.step_along, reach.along, self.left, self.right)
            at, count = at + (begin + lower) * index(step), upper - lower
        with ExitStack() as stack:
            to = plane * index(self.plane)
            if reach.axis_down is not None:
                above, first, last = self._lines_seen()
                down = self._stride(reach.axis_down)
                if self.whole and down is step * self.extent:
                    at, to = at + (above + first) * index(down), to + first * line_length
                    count = build.maximum(last - first, 0) * count
                else:
                    (line,) = stack.enter_context(build.loop(first, last))
                    at, to = at + (above + line) * index(down), to + line * line_length
            apart, to = index(self.apart), to * ABREAST
            if step is ONE and self.apart is not ONE:
                self._transpose(self.source, at, apart, count, self.panel, to)
            else:
                self._line_up(self.source, at, apart, index(step), count, self.panel, to)

    def _copy_weights(self, at: Value) -> None:
        """Copies the weights of a row: tap by tap, those of all images adjacent."""
        index, taps = self.writer.index, self.x.second
        apart, count, zero = (
            index(self.x.memory.strides[self.place]),
            product(self.inner),
            self.build.constant(0),
        )
        if taps.plain and taps.steps[0] is ONE:
            self._transpose(self.x.buffer, at, apart, index(count), self.weights, zero)
            return
        with self.build.loop(0, index(count)) as (tap,):
            start = at + position_of(self.writing, taps, tap)
            self._line_up(
                self.x.buffer, start, apart, zero, self.build.constant(1), self.weights, tap * ABREAST
            )

    # Sums -----------------------------------------------------------------------------------------------
    def _pitch(self) -> Expr:
        return self.extent * ABREAST

    def _line(self, plane: Value, line: Value) -> Value:
        index = self.writer.index
        return (plane * index(self.plane) + line * index(self.extent)) * ABREAST

    def _apart_along(self) -> Expr:
        along = self.reach.axis_along
        return ONE if along.inner is None else along.inner[1]

    def _shift(self, place: Value) -> Value:
        return place * self.writer.index(self._apart_along() * ABREAST)

    def _places_along(self) -> tuple[Value, Value]:
        """Returns the places within the line."""
        build, index = self.build, self.writer.index
        apart, places = self._apart_along(), self.reach.places(self.reach.axis_along)

        def up_to(distance: Value) -> Value:
            """Returns the places of a window up to a distance from its start."""
            beyond = build.maximum(distance, 0)
            return beyond if apart is ONE else (beyond + (index(apart) - 1)) // index(apart)

        first = up_to(0 - self.begin)
        extent = index(self.reach.axis_along.extent)
        return first, build.minimum(up_to(extent - self.begin), index(places))

    def _along(self, sums: Sequence[Value], column: Callable[..., Sequence[Value]]) -> Sequence[Value]:
        return self.build.carry(*self._places_along(), sums, column)

    def _weight(self, tap: Value) -> Value:
        return self.build.load(self.weights, tap * ABREAST + self.in_lane)

    def _sum_lines(self, line: Value) -> None:
        """Computes the results of some lines from `line` on, those of all images at one place in a vector."""
        build, index = self.build, self.writer.index
        step, start = index(self.reach.step_along), index(self.reach.axis_along.start)
        first = (line - self.top) * index(self.reach.step_down)
        width, origin = self.right - self.left, build.constant(0)
        if not self.whole:
            origin = build.maximum(start + self.left * step, 0)
        with build.loop(0, width) as (column,):
            self.begin = start + (self.left + column) * step
            slot = column * ABREAST
            with build.loop(0, ABREAST, kind="lanes") as (self.in_lane,):
                sums = self._sums(first, (self.begin - origin) * ABREAST + self.in_lane)
                for number, value in enumerate(sums):
                    build.store(self.sums, slot + number * (width * ABREAST) + self.in_lane, value)

    def _store_lines(self, line: Value) -> None:
        """Stores the results, and those of the epilogue."""
        build, index = self.build, self.writer.index
        down, along = (index(extent) for extent in self.columns[-2:])
        width, lines = self.right - self.left, build.minimum(self.bottom - line, self.together)
        before, count = (self.outer * down + line) * along + self.left, lines * width
        if self._stores_images():
            with (
                build.loop(0, lines) as (i,),
                build.loop(0, width) as (k,),
                build.loop(0, self.count, kind="lanes") as (j,),
            ):
                self.writer.axes.update({self.column: before + i * along + k, self.lane: self.first + j})
                store_product(self.writing, build.load(self.sums, (i * width + k) * ABREAST + j))
            return
        pitch = (width * self.together + (ABREAST - 1)) // ABREAST * ABREAST
        with build.loop(0, count, ABREAST) as (start,), build.loop(0, ABREAST, kind="lanes") as (k,):
            slot = (start + k) * ABREAST
            values = [build.load(self.sums, slot + number) for number in range(ABREAST)]
            for number, value in enumerate(values):
                build.store(self.transposed, start + k + number * pitch, value)
        # Whole lines are contiguous.
        runs, length = (build.constant(1), count) if self.whole else (lines, width)
        with build.loop(0, self.count) as (each,), build.loop(0, runs) as (i,):
            self.writer.axes[self.lane] = self.first + each
            with build.loop(0, length, kind="lanes") as (k,):
                self.writer.axes[self.column] = before + i * along + k
                store_product(self.writing, build.load(self.transposed, each * pitch + i * length + k))

    def _stores_images(self) -> bool:
        """Whether results of several images at one place are adjacent in memory."""
        stage = next(stage for stage in self.group.stages if stage.stored)
        return coefficients(*store_place(stage, self.context.memories)).get(self.lane) is ONE
