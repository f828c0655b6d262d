"""Products of few rows with windows of an image: part of the image in scratch, results in registers.

A workgroup computes one tile of the columns at some batch positions: lines along the last axis of the
columns, some of the axis before it if there is one, one position of the outer ones. The part of the image
with the windows of the tile is copied, in the accumulator's dtype; the padding of zeros is written once, for
all batch positions. A few lines of results are summed together: a window one place further down reads the
elements of the next line's window, so a vector of the image is loaded once for all these lines. The places of
small windows stand one by one: loops over three places would take longer than what is in them. Lanes run
along the lines (`window_lines.py`) or over images (`window_images.py`). Each result is the sum of its
products from zero, each step rounded once where the processor has such an instruction: plane by plane, in a
plane column by column of the window.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from contextlib import ExitStack

from ....ir import ops
from ....ir.expr import ONE, Expr, ceil_div, lift, maximum, product, symbol
from ....ir.passes.margins import ImageAxis, image_of
from ....ir.passes.window_products import TOGETHER, Reach
from ...kernel.nodes import Buffer, Value
from ..writing.accumulators import add_product
from ..writing.context import GroupWriter, Schedule
from ..writing.writer import memory_of_view
from .operands import Operand, split

GROUPS_OF_A_THREAD = 4


class Windows(Schedule):
    """The base of products with windows, whatever lanes run along."""

    panel: Buffer
    """The part of the image, padded with zeros."""
    x: Operand

    def __init__(self, writing: GroupWriter) -> None:
        super().__init__(writing)
        self.node = self.group.stages[0].node
        self.dtype = ops.accumulator(self.node.dtype)
        *self.batch, self.row, self.column = self.group.stages[0].axes
        self.rows, columns = ops.sides(self.node)
        y = self.node.inputs[1]
        image = image_of(y, len(self.batch), columns)
        assert image is not None, self.node
        self.image = image
        self.memory = memory_of_view(image.node, self.writer.memories)
        self.source = self.writer.buffer(self.memory.buffer, self.memory.dtype)
        self.reach = Reach(y, image)
        self.rank = len(y.shape)
        lines = [ONE] if columns == 1 else []
        self.columns = [*lines, *(lift(extent) for extent in y.shape[self.rank - columns :])]
        self.together = 1 if lines else TOGETHER
        self.inner = [lift(extent) for extent in y.shape[len(self.batch) : self.rank - columns]]

    # The tile ---------------------------------------------------------------------------------------------
    def _cut(self, width: Expr, most: Expr, batches: Expr) -> Expr:
        """Cuts the tile of this workgroup, `width` results along each of `most` lines at most, at some of the
        batch positions; returns the number of those."""
        build, index, reach = self.build, self.writer.index, self.reach
        *outer, down, along = self.columns
        strips = maximum(ceil_div(along, maximum(width, 1)), 1)
        blocks = maximum(ceil_div(down, maximum(most, self.together)), 1)
        height = maximum(ceil_div(ceil_div(down, blocks), self.together), 1) * self.together
        self.lines = (height - 1) * reach.step_down + reach.down
        """Lines of the image."""
        tiles = product((*outer, strips, blocks))
        wanted = ceil_div(symbol("device.threads") * GROUPS_OF_A_THREAD, maximum(tiles, 1))
        each = maximum(ceil_div(batches, wanted), 1)
        parts = maximum(ceil_div(batches, each), 1)
        number = build.group_id()
        self.numbers = self.writing.row_range(number % index(parts), each, batches)
        number = number // index(parts)
        strip, number = number % index(strips), number // index(strips)
        block, self.outer = number % index(blocks), number // index(blocks)
        self.top, self.bottom = self.writing.row_range(block, height, down)
        self.left, self.right = self.writing.row_range(strip, width, along)
        first = [*split([index(each) for each in outer], self.outer)] if outer else []
        self.begins = [*first, self.top, self.left]
        """The start of the tile on each axis of the columns."""
        return tiles * parts

    # The part of the image ------------------------------------------------------------------------------
    def _copy(self) -> None:
        """Copies the part of the image with the windows of the tile at the present batch position, plane by
        plane."""
        index, at = self.writer.index, self.writer.index(self.memory.offset)
        planes: list[tuple[int, ImageAxis]] = []
        for number, axis in enumerate(self.image.axes):
            if axis.batch is not None:
                place = self.writer.axes[self.batch[axis.batch[0]]] * index(axis.batch[1])
                at = at + (place + index(axis.start)) * index(self.memory.strides[number])
            elif self.reach.is_plane(axis):
                planes.append((number, axis))
        with ExitStack() as stack:
            plane = self.build.constant(0)
            for number, axis in planes:
                (place,) = stack.enter_context(self.build.loop(0, index(self.reach.places(axis))))
                plane = plane * index(self.reach.places(axis)) + place
                position = index(axis.start)
                if axis.inner is not None:
                    position = position + place * index(axis.inner[1])
                if axis.column is not None:
                    begin = self.begins[axis.column[0] - self.rank + len(self.columns)]
                    position = position + begin * index(axis.column[1])
                at = at + position * index(self.memory.strides[number])
                inside = (position >= 0) & (position < index(axis.extent))
                stack.enter_context(self.build.when(inside))
            self._copy_plane(at, plane)

    @abstractmethod
    def _copy_plane(self, at: Value, plane: Value) -> None:
        """Copies the tile's part of the plane that begins at a position of the image's buffer."""

    def _stride(self, axis: ImageAxis) -> Expr:
        """Returns the stride of an axis of the image."""
        return self.memory.strides[self.image.axes.index(axis)]

    def _seen(self, axis: ImageAxis, step: Expr, reach: Expr, low: Value, high: Value) -> tuple[Value, ...]:
        """Returns the start of the windows from `low` to `high` along the image, and the range of elements
        inside of it, relative to that."""
        build, index = self.build, self.writer.index
        begin = index(axis.start) + low * index(step)
        seen = (high - low - 1) * index(step) + index(reach)
        lower = build.maximum(build.constant(0) - begin, 0)
        return begin, lower, build.minimum(index(axis.extent) - begin, seen)

    def _lines_seen(self) -> tuple[Value, ...]:
        """Returns these for the tile's lines."""
        axis, reach = self.reach.axis_down, self.reach
        assert axis is not None
        return self._seen(axis, reach.step_down, reach.down, self.top, self.bottom)

    # Sums -----------------------------------------------------------------------------------------------
    @property
    def unrolled(self) -> bool:
        """Whether windows are so small that their size is known and their places stand one by one."""
        return all(
            self.reach.places(axis).value is not None
            for axis in (self.reach.axis_along, self.reach.axis_down)
            if axis is not None
        )

    def _sums(self, first: Value, lane: Value) -> Sequence[Value]:
        """Computes the sums of the lines that begin at `first` in the part of the image; `lane`: the places
        of a vector's elements in a line."""
        index, reach = self.writer.index, self.reach
        loops: list[tuple[ImageAxis, Expr]] = [
            (axis, reach.places(axis)) for axis in self.image.axes if reach.is_plane(axis)
        ]

        def over(level: int, plane: Value, taps: Value, sums: Sequence[Value]) -> Sequence[Value]:
            if level < len(loops):
                axis, places = loops[level]

                def step(place: Value, *known: Value) -> Sequence[Value]:
                    return over(level + 1, plane * index(places) + place, self._tap(taps, axis, place), known)

                if places is ONE:
                    return step(self.build.constant(0), *sums)
                return self.build.carry(0, index(places), sums, step)

            def column(place: Value, *known: Value) -> Sequence[Value]:
                start = self._line(plane, first) + self._shift(place) + lane
                return self._down(reach.axis_down, start, self._tap(taps, reach.axis_along, place), known)

            return self._along(sums, column)

        nothing = [self.build.constant(0, self.dtype)] * self.together
        return over(0, self.build.constant(0), self.build.constant(0), nothing)

    def _along(self, sums: Sequence[Value], column: Callable[..., Sequence[Value]]) -> Sequence[Value]:
        """Runs `column(place, *sums)` for the places of a window along a line."""
        places = self.reach.places(self.reach.axis_along)
        if places.value is None or not self.unrolled:
            return self.build.carry(0, self.writer.index(places), sums, column)
        for place in range(places.value):
            sums = column(self.build.constant(place), *sums)
        return sums

    @abstractmethod
    def _line(self, plane: Value, line: Value) -> Value:
        """Returns the start of an image's line in the panel."""

    @abstractmethod
    def _pitch(self) -> Expr:
        """Returns the distance of lines there."""

    @abstractmethod
    def _shift(self, place: Value) -> Value:
        """Returns the offset of a window's place along the line from its first one."""

    @abstractmethod
    def _weight(self, tap: Value) -> Value:
        """Returns the weight of a window's place."""

    def _tap(self, taps: Value, axis: ImageAxis, place: Value) -> Value:
        """Returns the number of a window's place, over all inner axes."""
        if axis.inner is None:
            return taps
        number = axis.inner[0] - len(self.batch)
        return taps + place * self.writer.index(product(self.inner[number + 1 :]))

    def _down(
        self, axis: ImageAxis | None, start: Value, taps: Value, sums: Sequence[Value]
    ) -> Sequence[Value]:
        """Adds the products of one column of the windows to the sums."""
        build, index = self.build, self.writer.index
        pitch, step = index(self._pitch()), index(self.reach.step_down)

        def load(line: Value) -> Value:
            return build.load(self.panel, start + line * pitch)

        def add(place: Value, known: Sequence[Value], seen: Sequence[Value]) -> list[Value]:
            weight = self._weight(taps if axis is None else self._tap(taps, axis, place))
            return [self._added(total, weight, value) for total, value in zip(known, seen, strict=True)]

        if axis is None or axis.inner is None:
            zero = build.constant(0)
            return add(zero, sums, [load(step * number) for number in range(self.together)])
        count, apart = self.reach.places(axis), axis.inner[1]
        if count.value is not None and self.unrolled:
            loaded: dict[Expr, Value] = {}
            for number in range(count.value):
                lines = [apart * number + self.reach.step_down * each for each in range(self.together)]
                loaded |= {line: load(index(line)) for line in lines if line not in loaded}
                sums = add(build.constant(number), sums, [loaded[line] for line in lines])
            return sums
        places = index(count)
        if apart is not ONE:

            def row(place: Value, *known: Value) -> Sequence[Value]:
                lines = [place * index(apart) + step * number for number in range(self.together)]
                return add(place, known, [load(line) for line in lines])

            return build.carry(0, places, sums, row)

        def phase(from_place: Value, *known: Value) -> Sequence[Value]:
            """Places `step` apart: each reads the element that the place before read of the next line."""
            before = [load(from_place + step * number) for number in range(self.together - 1)]

            def row(number: Value, *carried: Value) -> Sequence[Value]:
                place = from_place + number * step
                seen = [*carried[self.together :], load(place + step * (self.together - 1))]
                return [*add(place, carried[: self.together], seen), *seen[1:]]

            count = (places - from_place + step - 1) // step
            return build.carry(0, count, [*known, *before], row)[: self.together]

        if self.reach.step_down is ONE:
            return phase(build.constant(0), *sums)
        return build.carry(0, build.minimum(step, places), sums, phase)

    def _added(self, known: Value, left: Value, right: Value) -> Value:
        if self.dtype.is_float:
            return self.build.emit("multiply_add", (left, right, known))
        return add_product(self.build, known, left, right)
