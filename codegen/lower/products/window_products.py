"""Products of few rows with windows of an image: part of the image in scratch, results in registers.

A workgroup computes one tile of the columns at some batch positions: lines along the last axis of the
columns, some of the axis before it if there is one, one position of those further out. What its windows see
of the image is copied, in the accumulator's dtype; the zeros around are written once, for all batch
positions. A few lines of results are summed together: one place further down, a window sees what the next
line's window saw before, so a vector of the image is loaded once for all these lines. Where windows are two
elements apart, the even and the odd ones of a line are copied apart.

Each result is the sum of its products from zero, each step rounded once where the processor has such an
instruction: plane by plane, in a plane column by column of the window.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack

from ....ir import ops
from ....ir.expr import ONE, Expr, ceil_div, lift, maximum, product, symbol
from ....ir.passes.margins import ImageAxis, image_of
from ....ir.passes.window_products import HELD, LANES, NEAR, TOGETHER, Reach
from ...kernel.nodes import Value
from ..writing.accumulators import add_product
from ..writing.context import GroupWriter, Schedule
from ..writing.writer import memory_of_view
from .packed_products import Operand, position_of, split
from .panels import store_product

LINE = 32
"""Lanes that are summed together: two vectors of the widest registers; one or half of one at the end."""
GROUPS_OF_A_THREAD = 4


class WindowProduct(Schedule):
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

    def write(self) -> Expr:
        build, index = self.build, self.writer.index
        groups = self._cut()
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

    def _cut(self) -> Expr:
        """The tile of this workgroup; gives how many of those there are."""
        build, index, reach = self.build, self.writer.index, self.reach
        *outer, down, along = self.columns
        strips = maximum(ceil_div(along, LANES), 1)
        width = maximum(ceil_div(along, strips), 1)
        self.part = ceil_div(width + reach.along // reach.step_along + LINE // 2, LINE // 2) * (LINE // 2)
        self.pitch = self.part * reach.step_along
        planes = product(reach.planes)
        most = maximum(
            (NEAR // maximum(planes * self.pitch, 1) - reach.down) // reach.step_down + 1, self.together
        )
        blocks = maximum(ceil_div(down, most), 1)
        height = maximum(ceil_div(ceil_div(down, blocks), self.together), 1) * self.together
        self.lines = (height - 1) * reach.step_down + reach.down
        self.held = planes * self.lines * self.pitch
        tiles = product((*outer, strips, blocks))
        batches = self.nest.count(self.batch)
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
        """Where the tile begins on each axis of the columns."""
        return tiles * parts

    # The part of the image ------------------------------------------------------------------------------
    def _copy(self) -> None:
        """What windows of the tile see of the image at the present batch position."""
        build, index = self.build, self.writer.index
        at = index(self.memory.offset)
        planes: list[tuple[int, ImageAxis]] = []
        spans: dict[int, tuple[int, Value, Value, Value]] = {}
        tile = (
            (len(self.columns) - 2, self.reach.step_down, self.reach.down, self.top, self.bottom),
            (len(self.columns) - 1, self.reach.step_along, self.reach.along, self.left, self.right),
        )
        for number, axis in enumerate(self.image.axes):
            column = None if axis.column is None else self._column(axis.column)
            spot = next((each for each in tile if each[0] == column), None)
            if axis.batch is not None:
                place = self.writer.axes[self.batch[axis.batch[0]]] * index(axis.batch[1])
                at = at + (place + index(axis.start)) * index(self.memory.strides[number])
            elif spot is None or column is None:
                planes.append((number, axis))
            else:
                _, step, reach, low, high = spot
                begin = index(axis.start) + low * index(step)
                seen = (high - low - 1) * index(step) + index(reach)
                lower = build.maximum(build.constant(0) - begin, 0)
                spans[column] = number, begin, lower, build.minimum(index(axis.extent) - begin, seen)
        with ExitStack() as stack:
            to = build.constant(0)
            for number, axis in planes:
                (place,) = stack.enter_context(build.loop(0, index(self.reach.places(axis))))
                to = to * index(self.reach.places(axis)) + place
                position = index(axis.start)
                if axis.inner is not None:
                    position = position + place * index(axis.inner[1])
                if axis.column is not None:
                    begin = self.begins[self._column(axis.column)]
                    position = position + begin * index(axis.column[1])
                at = at + position * index(self.memory.strides[number])
                inside = (position >= 0) & (position < index(axis.extent))
                stack.enter_context(build.when(inside))
            to = to * index(self.lines)
            if len(self.columns) - 2 in spans:
                number, begin, lower, upper = spans[len(self.columns) - 2]
                (line,) = stack.enter_context(build.loop(lower, upper))
                at = at + (begin + line) * index(self.memory.strides[number])
                to = to + line
            to = to * index(self.pitch)
            number, begin, lower, upper = spans[len(self.columns) - 1]
            at = at + (begin + lower) * index(self.memory.strides[number])
            self._copy_line(at, to, lower, upper - lower)

    def _column(self, term: tuple[int, Expr]) -> int:
        """Which of the columns' axes it is."""
        return term[0] - self.rank + len(self.columns)

    def _copy_line(self, at: Value, to: Value, first: Value, count: Value) -> None:
        """Elements that are neighbours in memory; `first`: how far the first one is from the line's begin.

        Where windows are two apart, every second element is seen by the same places of the windows: these lie
        side by side.
        """
        build, step = self.build, self.reach.step_along.value
        assert step is not None

        def copy(element: Value, number: int) -> None:
            place = first + number
            place = place % step * self.writer.index(self.part) + place // step
            value = build.cast(build.load(self.source, at + (element * step + number)), self.dtype)
            build.store(self.panel, to + (place + element), value)

        with build.loop(0, count // step, kind="lanes", short=True) as (k,):
            for number in range(step):
                copy(k, number)
        for number in range(step - 1):
            with build.when(number < count % step):
                copy(count // step, number)

    # Sums -----------------------------------------------------------------------------------------------
    def _sum_lines(self, line: Value) -> None:
        """Results of some lines from `line` on."""
        build, index = self.build, self.writer.index
        first = (line - self.top) * index(self.reach.step_down)
        seen = self.right - self.left
        with build.loop(0, seen, LINE) as (lane,):
            half, quarter = (seen - lane <= LINE // part for part in (2, 4))
            for condition, lanes in ((~half, LINE), (half & ~quarter, LINE // 2), (quarter, LINE // 4)):
                with build.when(condition), build.loop(0, lanes, kind="lanes") as (j,):
                    for number, value in enumerate(self._sums(first, lane + j)):
                        build.store(self.sums, lane + j + number * (LANES + LINE), value)

    def _sums(self, first: Value, lane: Value) -> Sequence[Value]:
        """The sums of the lines that begin at `first` in the part of the image."""
        index, reach = self.writer.index, self.reach
        loops: list[tuple[ImageAxis, Expr]] = [
            (axis, reach.places(axis)) for axis in self.image.axes if reach.is_plane(axis)
        ]
        along, down, apart = reach.axis_along, reach.axis_down, reach.step_along
        pitch = index(self.pitch)

        def over(level: int, plane: Value, taps: Value, sums: Sequence[Value]) -> Sequence[Value]:
            if level < len(loops):
                axis, places = loops[level]

                def step(place: Value, *known: Value) -> Sequence[Value]:
                    return over(level + 1, plane * index(places) + place, self._tap(taps, axis, place), known)

                return self.build.carry(0, index(places), sums, step)

            def column(place: Value, *known: Value) -> Sequence[Value]:
                shift = build.constant(0) if along.inner is None else place * index(along.inner[1])
                shift = shift % index(apart) * index(self.part) + shift // index(apart)
                start = (plane * index(self.lines) + first) * pitch + shift + lane
                return self._down(down, start, self._tap(taps, along, place), known)

            return self.build.carry(0, index(reach.places(along)), sums, column)

        build = self.build
        nothing = [build.constant(0, self.dtype)] * self.together
        return over(0, build.constant(0), build.constant(0), nothing)

    def _tap(self, taps: Value, axis: ImageAxis, place: Value) -> Value:
        """The number of a place of the windows, of those on all inner axes."""
        if axis.inner is None:
            return taps
        number = axis.inner[0] - len(self.batch)
        return taps + place * self.writer.index(product(self.inner[number + 1 :]))

    def _down(
        self, axis: ImageAxis | None, start: Value, taps: Value, sums: Sequence[Value]
    ) -> Sequence[Value]:
        """The sums and the products of one column of the windows."""
        build, index = self.build, self.writer.index
        pitch, step = index(self.pitch), index(self.reach.step_down)

        def load(line: Value) -> Value:
            return build.load(self.panel, start + line * pitch)

        def add(place: Value, known: Sequence[Value], seen: Sequence[Value]) -> list[Value]:
            tap = taps if axis is None else self._tap(taps, axis, place)
            at = build.add(self.left_row, position_of(self.writing, self.x.second, tap))
            weight = build.cast(build.load(self.x.buffer, at), self.dtype)
            return [self._added(total, weight, value) for total, value in zip(known, seen, strict=True)]

        if axis is None or axis.inner is None:
            zero = build.constant(0)
            return add(zero, sums, [load(step * number) for number in range(self.together)])
        places, apart = index(self.reach.places(axis)), axis.inner[1]
        if apart is not ONE:

            def row(place: Value, *known: Value) -> Sequence[Value]:
                lines = [place * index(apart) + step * number for number in range(self.together)]
                return add(place, known, [load(line) for line in lines])

            return build.carry(0, places, sums, row)

        def phase(from_place: Value, *known: Value) -> Sequence[Value]:
            """Places `step` apart: each sees what the place before saw of the next line."""
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

    def _store_lines(self, first: Value) -> None:
        """The results, and what is made of them."""
        build, index = self.build, self.writer.index
        down, along = (index(extent) for extent in self.columns[-2:])
        with build.loop(first, build.minimum(first + self.together, self.bottom)) as (line,):
            sums = (line - first) * (LANES + LINE)
            before = (self.outer * down + line) * along + self.left
            with build.loop(0, self.right - self.left, kind="lanes") as (j,):
                self.writer.axes[self.column] = before + j
                store_product(self.writing, build.load(self.sums, sums + j))
