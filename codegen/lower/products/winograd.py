"""Convolutions of 3 x 3 by transformed weights and squares of the image: 16 products for 4 results.

A workgroup computes the squares of a strip, 2 x 2 results each, of some rows. Squares lie along the lanes.
For a number of channels, the squares of the image are transformed into a panel which stays in the second
cache; then a few rows at a time are summed in registers, as of a packed product, once for each of the 16
elements of a transformed square. Squares of results are made of these sums while they are in the cache, and
what follows the convolution elementwise is made of the results.

All elements of a square are in the sums of its four results, whose windows have nine each. Where results of
a few rows are not all finite, or a window's elements are small beside those of another one of the square, so
that the result would be lost in these, they are computed again as they are defined, product by product; sums
that are too large for the dtype show in the same way. Windows of zeros give 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ....ir import ops
from ....ir.expr import Expr, ceil_div, lift, maximum, minimum, symbol
from ....ir.passes.margins import ImageAxis, image_of
from ....ir.passes.winograd import PLACES, SQUARE, STRIP, SUMS
from ...kernel.nodes import Buffer, Value
from ..writing.context import GroupWriter, Schedule
from ..writing.writer import memory_of_view
from .operands import Operand, position_of
from .panels import store_product
from .winograd_weights import APART, SIDE, VECTOR, pitch_of_weights, rows_together

if TYPE_CHECKING:
    pass

PITCH = 48
"""Elements from line to line of what is copied of the image, and of results: whole vectors are read and
written where a line of squares ends."""
DEPTH = 48
"""Channels of a panel."""
PLANE = DEPTH * STRIP + 16
"""Elements of a panel of one element of a square: those of the others are in other sets of the cache."""
ROWS = 128
"""Of a workgroup, at most: what is known of their sums between panels stays in the cache, too."""
FEWEST_ROWS = 32
"""Of a workgroup where rows are shared by several."""
RANGE = 32
"""How many times as large as those of another one the elements of a window of a square may be, summed up:
errors of a result are as large as those of results that have elements of so much."""
GROUPS_OF_A_THREAD = 4


class Winograd(Schedule):
    def __init__(self, writing: GroupWriter) -> None:
        super().__init__(writing)
        self.node = self.group.stages[0].node
        self.dtype = ops.accumulator(self.node.dtype)
        self.together = rows_together(self.context.machine)
        *self.batch, self.row, self.column = self.group.stages[0].axes
        x, y, weights = self.node.inputs
        image = image_of(y, len(self.batch), 2)
        assert image is not None, self.node
        self.image = image
        self.memory = memory_of_view(image.node, self.writer.memories)
        self.source = self.writer.buffer(self.memory.buffer, self.memory.dtype)
        self.x = Operand(writing, x, len(self.batch), 1)
        transformed = memory_of_view(weights, self.writer.memories)
        self.weights = self.writer.buffer(transformed.buffer, transformed.dtype)
        self.channels = lift(y.shape[len(self.batch)])
        self.height, self.width = map(lift, y.shape[-2:])
        places = {axis.column[0]: axis for axis in image.axes if axis.column is not None}
        self.down, self.along = (places[number] for number in sorted(places))

    def write(self) -> Expr:
        build, index = self.build, self.writer.index
        rows = self.nest.extents[self.row]
        self.squares_along = ceil_div(self.width, SQUARE)
        self.squares_down = ceil_div(self.height, SQUARE)
        squares = self.nest.count(self.batch) * self.squares_down * self.squares_along
        strips = ceil_div(squares, STRIP)
        wanted = ceil_div(symbol("device.threads") * GROUPS_OF_A_THREAD, maximum(strips, 1))
        parts = maximum(ceil_div(rows, ROWS), minimum(wanted, ceil_div(rows, FEWEST_ROWS)))
        each = ceil_div(ceil_div(rows, maximum(parts, 1)), self.together) * self.together
        parts = ceil_div(rows, maximum(each, 1))
        group = build.group_id()
        self.top, self.bottom = self.writing.row_range(group % index(parts), each, rows)
        self.first, self.end = self.writing.row_range(group // index(parts), lift(STRIP), squares)
        self._compute()
        return parts * strips

    def _compute(self) -> None:
        build, index = self.build, self.writer.index
        self.writing.set_axes(self.batch, build.constant(0))
        self.x.find_start()
        self.lines, self.sizes = (build.allocate(self.dtype, SIDE * 2 * PITCH) for _ in range(2))
        self.windows = build.allocate(self.dtype, SQUARE * SQUARE * STRIP)
        with build.loop(0, SQUARE * SQUARE * STRIP, kind="lanes") as (k,):
            build.store(self.windows, k, build.constant(0, self.dtype))
        self.panel = build.allocate(self.dtype, SUMS * PLANE)
        self.sums = build.allocate(self.dtype, (ROWS + self.together) * SUMS * STRIP)
        self.results = build.allocate(self.dtype, self.together * 2 * SQUARE * PITCH)
        self.extent = index(self.channels)
        depth = index(ceil_div(self.channels, maximum(ceil_div(self.channels, DEPTH), 1)))
        with build.loop(0, self.extent, depth) as (start,):
            count = build.minimum(depth, self.extent - start)
            self._transform_image(start, count)
            with build.loop(0, SUMS) as (number,), self._each_rows() as first:
                self._add_rows(number, first, start, count)
            with build.when(start + depth >= self.extent):
                unlike, empty = self._compare_windows()
                with self._each_rows() as first:
                    self._transform_sums(first)
                    with build.when(empty > 0):
                        self._clear_empty()
                    with build.when(~self._are_finite(unlike)):
                        self._sum_directly(first)
                    self._store(first)

    @contextmanager
    def _each_rows(self) -> Iterator[Value]:
        """Loops over rows that are summed together."""
        with self.build.loop(self.top, self.bottom, self.together) as (first,):
            yield first

    def _sums_of(self, first: Value) -> Value:
        """Returns the place of some rows' sums, of which each has a line for each element of a square."""
        return (first - self.top) * (SUMS * STRIP)

    # The image ------------------------------------------------------------------------------------------
    @contextmanager
    def _each_line(self) -> Iterator[tuple[Value, Value, Value, Value]]:
        """Loops over the lines of squares: its number in its image, its first square, the number of
        squares, and the place of the first one in the strip."""
        build, along = self.build, self.writer.index(self.squares_along)
        with build.loop(self.first // along, (self.end - 1) // along + 1) as (line,):
            low = build.maximum(self.first, line * along)
            high = build.minimum(self.end, (line + 1) * along)
            down = self.writer.index(self.squares_down)
            self.writing.set_axes(self.batch, line // down)
            yield line % down, low - line * along, high - low, low - self.first

    def _start(self, channel: Value) -> Value:
        """Returns the position of a channel's first element in the present image."""
        index, at = self.writer.index, self.writer.index(self.memory.offset)
        for axis, stride in zip(self.image.axes, self.memory.strides, strict=True):
            if axis in (self.down, self.along):
                continue
            position = index(axis.start)
            if axis.batch is not None:
                position = position + self.writer.axes[self.batch[axis.batch[0]]] * index(axis.batch[1])
            if axis.inner is not None:
                position = position + channel * index(axis.inner[1])
            at = at + position * index(stride)
        return at

    def _stride(self, axis: ImageAxis) -> Value:
        return self.writer.index(self.memory.strides[self.image.axes.index(axis)])

    def _seen(self, axis: ImageAxis, first: Value, count: Value) -> tuple[Value, Value, Value]:
        """Returns where `count` elements from the `first` begin on an axis of the image, and the range of
        those inside of it."""
        build, index = self.build, self.writer.index
        begin = index(axis.start) + first
        lower = build.maximum(0 - begin, 0)
        return begin, lower, build.maximum(build.minimum(index(axis.extent) - begin, count), lower)

    def _transform_image(self, start: Value, count: Value) -> None:
        """Writes the transformed squares of some channels to the panel."""
        build = self.build
        nothing = build.constant(0, self.dtype)
        with self._each_line() as (line, square, squares, place):
            with build.loop(0, SIDE * 2 * PITCH, kind="lanes") as (k,):
                build.store(self.lines, k, nothing)
                build.store(self.sizes, k, nothing)
            above, first, last = self._seen(self.down, line * SQUARE, build.constant(SIDE))
            begin, lower, upper = self._seen(self.along, square * SQUARE, squares * SQUARE + (SIDE - SQUARE))
            with build.loop(0, count) as (channel,):
                at = self._start(start + channel) + begin + lower
                with build.loop(first, last) as (number,):
                    below = at + (above + number) * self._stride(self.down)
                    self._copy_line(below, number * (2 * PITCH), lower, upper - lower)
                with build.loop(0, squares, kind="lanes", short=True) as (lane,):
                    self._transform_squares(channel, place, lane)
            self._add_sizes(place, squares)

    def _copy_line(self, at: Value, to: Value, first: Value, count: Value) -> None:
        """Copies elements of a line, from the place `first` on, the even and the odd ones apart."""
        build = self.build

        def copy(element: Value, number: int) -> None:
            place = first + number
            place = to + (place % 2 * PITCH + place // 2 + element)
            value = build.cast(build.load(self.source, at + element * 2 + number), self.dtype)
            build.store(self.lines, place, value)
            build.store(self.sizes, place, build.load(self.sizes, place) + build.emit("abs", (value,)))

        with build.loop(0, count // 2, kind="lanes", short=True) as (k,):
            copy(k, 0)
            copy(k, 1)
        with build.when(count % 2 > 0):
            copy(count // 2, 0)

    def _square(self, lines: Buffer, lane: Value) -> list[list[Value]]:
        """Returns the elements of a square of copied lines."""
        offsets = [column % 2 * PITCH + column // 2 for column in range(SIDE)]
        return [
            [self.build.load(lines, lane + (row * 2 * PITCH + offset)) for offset in offsets]
            for row in range(SIDE)
        ]

    def _add_sizes(self, place: Value, squares: Value) -> None:
        """Adds the sizes of the elements of each window."""
        build = self.build
        with build.loop(0, squares, kind="lanes") as (lane,):
            across = [_of_windows(line) for line in self._square(self.sizes, lane)]
            made = [_of_windows(column) for column in zip(*across, strict=True)]
            for column, sizes in enumerate(made):
                for line, size in enumerate(sizes):
                    at = place + lane + (line * SQUARE + column) * STRIP
                    build.store(self.windows, at, build.load(self.windows, at) + size)

    def _compare_windows(self) -> tuple[Value, Value]:
        """Returns how many squares have windows that are large and others that are small but not 0, and how
        many have windows that are 0."""
        build = self.build
        one, none = (build.constant(number, self.dtype) for number in (1, 0))

        def term(lane: Value) -> list[Value]:
            sizes = [build.load(self.windows, lane + number * STRIP) for number in range(SQUARE * SQUARE)]
            greatest = sizes[0]
            for size in sizes[1:]:
                greatest = build.maximum(greatest, size)
            alike, empty = none, none
            for size in sizes:
                is_empty = build.emit("eq", (size, none))
                enough = build.emit("le", (greatest, size * RANGE))
                empty = empty + build.select(is_empty, one, none)
                alike = alike + build.select(is_empty | enough, none, one)
            return [alike, empty]

        def combine(*both: Value) -> list[Value]:
            return [both[0] + both[2], both[1] + both[3]]

        unlike, empty = build.reduce(0, self.end - self.first, [none, none], term, combine)
        return unlike, empty

    def _transform_squares(self, channel: Value, place: Value, lane: Value) -> None:
        """B' d B of squares of the copied lines."""
        build = self.build
        square = self._square(self.lines, lane)
        across = [_of_image(line) for line in square]
        made = [_of_image(column) for column in zip(*across, strict=True)]
        at = channel * STRIP + place + lane
        for column, elements in enumerate(made):
            for row, value in enumerate(elements):
                build.store(self.panel, at + (row * SIDE + column) * PLANE, value)

    # Sums -------------------------------------------------------------------------------------------------
    def _rows(self, first: Value) -> list[Value]:
        """Returns the rows that are summed together; the last one is repeated as padding."""
        return [self.build.minimum(first + number, self.bottom - 1) for number in range(self.together)]

    def _add_rows(self, number: Value, first: Value, start: Value, count: Value) -> None:
        """Adds the products of a panel's channels, of one element of a square, to the sums of some rows, or
        initializes these."""
        build, index, together = self.build, self.writer.index, self.together
        pitch = index(pitch_of_weights(self.channels))
        weights = (first // together * SUMS + number) * pitch + start * APART
        panel = number * PLANE
        slots = self._sums_of(first) + number * (together * STRIP)

        def add(offset: Value, lanes: Value) -> None:
            with build.loop(0, lanes, kind="lanes") as (lane,):
                j = offset + lane

                def step(k: Value, *totals: Value) -> list[Value]:
                    right = build.load(self.panel, panel + (k * STRIP + j))
                    at = weights + k * APART
                    return [
                        self._added(known, build.load(self.weights, at + row), right)
                        for row, known in enumerate(totals)
                    ]

                made = build.carry(0, count, [build.constant(0, self.dtype)] * together, step)
                places = [slots + (j + STRIP * row) for row in range(together)]
                with build.when(start > 0):
                    for slot, value in zip(places, made, strict=True):
                        build.store(self.sums, slot, value + build.load(self.sums, slot))
                with build.when(start <= 0):
                    for slot, value in zip(places, made, strict=True):
                        build.store(self.sums, slot, value)

        self._each_part(self.end - self.first, add)

    def _each_part(self, used: Value, add: Callable[[Value, Value], None]) -> None:
        """Runs `add(first lane, lanes)` for those vectors of a strip that hold squares."""
        build = self.build
        zero, half, quarter = (build.constant(STRIP * part // 4) for part in (0, 2, 1))
        whole = used > half + quarter
        with build.when(whole):
            add(zero, build.constant(STRIP))
        with build.when(~whole & (used > quarter)):
            add(zero, half)
        with build.when(~whole & ((used > half) | (used <= quarter))):
            add(build.select(used > half, half, zero), quarter)

    def _added(self, known: Value, left: Value, right: Value) -> Value:
        return self.build.emit("multiply_add", (left, right, known))

    # Results ------------------------------------------------------------------------------------------------
    def _transform_sums(self, first: Value) -> None:
        """A' m A of the sums of some rows."""
        build = self.build
        padded = (self.end - self.first + (VECTOR - 1)) // VECTOR * VECTOR
        with (
            build.loop(0, self.together) as (row,),
            build.loop(0, padded, kind="lanes") as (lane,),
        ):
            at = self._sums_of(first) + row * STRIP + lane
            elements = [
                build.load(self.sums, at + number * (self.together * STRIP)) for number in range(SUMS)
            ]
            across = [_of_sums(elements[number : number + SIDE]) for number in range(0, SUMS, SIDE)]
            made = [_of_sums(column) for column in zip(*across, strict=True)]
            to = row * (2 * SQUARE * PITCH) + lane * SQUARE
            for line in range(SQUARE):
                for column in range(SQUARE):
                    build.store(self.results, to + (line * 2 * PITCH + column), made[column][line])

    def _clear_empty(self) -> None:
        """Sets results whose windows are 0, and which are finite, to 0."""
        build = self.build
        nothing = build.constant(0, self.dtype)
        with (
            build.loop(0, self.together) as (row,),
            build.loop(0, SQUARE * SQUARE) as (number,),
            build.loop(0, self.end - self.first, kind="lanes") as (lane,),
        ):
            line, column = number // SQUARE, number % SQUARE
            at = (row * SQUARE + line) * (2 * PITCH) + lane * SQUARE + column
            known, size = build.load(self.results, at), build.load(self.windows, lane + number * STRIP)
            is_empty = build.emit("eq", (size, nothing))
            build.store(self.results, at, build.select(is_empty, known * nothing, known))

    def _are_finite(self, known: Value) -> Value:
        """Whether the results of some rows are finite: their products with 0 are 0. `known`: more that is 0
        unless they are computed again."""
        build = self.build
        nothing = build.constant(0, self.dtype)
        used = (self.end - self.first) * SQUARE

        def of_line(line: Value, sums: Value) -> list[Value]:
            (total,) = build.reduce(
                0,
                used,
                [nothing],
                lambda k: [build.load(self.results, line * (2 * PITCH) + k) * nothing],
                lambda one, other: [one + other],
            )
            return [sums + total]

        (total,) = build.carry(0, self.together * SQUARE, [known], of_line)
        return build.emit("eq", (total, nothing))

    @contextmanager
    def _each_result(self, rows: Value) -> Iterator[tuple[Value, Value, Value, Value, Value]]:
        """Loops over `rows` and the lines of results: a row, the line's number, its first column, how many
        columns, and the place of the first one."""
        build, index = self.build, self.writer.index
        with (
            build.loop(0, rows) as (row,),
            self._each_line() as (line, square, squares, place),
            build.loop(0, build.minimum(index(self.height) - line * SQUARE, SQUARE)) as (number,),
        ):
            left = square * SQUARE
            count = build.minimum(squares * SQUARE, index(self.width) - left)
            at = (row * SQUARE + number) * (2 * PITCH) + place * SQUARE
            yield row, line * SQUARE + number, left, count, at

    def _sum_directly(self, first: Value) -> None:
        """Computes the results of some rows as they are defined."""
        build, index = self.build, self.writer.index
        taps = self.x.second
        starts = [self.x.start + position_of(self.writing, self.x.first, row) for row in self._rows(first)]
        with self._each_result(build.constant(1)) as (_, line, left, count, at):
            above, upper, lower = self._seen(self.down, line, build.constant(SIDE - 1))
            begin = index(self.along.start) + left
            with build.loop(0, count, kind="lanes") as (j,):

                def step(number: Value, *known: Value) -> Sequence[Value]:
                    channel, place = number // PLACES, number % PLACES
                    down, along = place // 3, begin + j + place % 3
                    inside = (down >= upper) & (down < lower)
                    inside = inside & (along >= 0) & (along < index(self.along.extent))
                    position = self._start(channel) + (above + down) * self._stride(self.down) + along
                    right = build.cast(build.load(self.source, position, inside), self.dtype)
                    tap = position_of(self.writing, taps, number)
                    return [
                        self._added(
                            total, build.cast(build.load(self.x.buffer, start + tap), self.dtype), right
                        )
                        for start, total in zip(starts, known, strict=True)
                    ]

                zeros = [build.constant(0, self.dtype)] * self.together
                for row, value in enumerate(build.carry(0, self.extent * PLACES, zeros, step)):
                    build.store(self.results, at + j + row * (2 * SQUARE * PITCH), value)

    def _store(self, first: Value) -> None:
        """Stores the results of some rows, and those of the epilogue."""
        build, index = self.build, self.writer.index
        rows = build.minimum(self.bottom - first, self.together)
        with self._each_result(rows) as (row, line, left, count, at):
            self.writer.axes[self.row] = first + row
            before = line * index(self.width) + left
            with build.loop(0, count, kind="lanes") as (j,):
                self.writer.axes[self.column] = before + j
                store_product(self.writing, build.load(self.results, at + j))


def _of_image(d: Sequence[Value]) -> list[Value]:
    """B' d."""
    return [d[0] - d[2], d[1] + d[2], d[2] - d[1], d[1] - d[3]]


def _of_sums(m: Sequence[Value]) -> list[Value]:
    """A' m."""
    return [m[0] + m[1] + m[2], m[1] - m[2] - m[3]]


def _of_windows(d: Sequence[Value]) -> list[Value]:
    middle = d[1] + d[2]
    return [d[0] + middle, middle + d[3]]
