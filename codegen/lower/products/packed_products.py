"""Matrix products as kernels of a processor: the right operand packed as it is read, results in registers.

A workgroup computes a strip of columns, of some or all rows. Of a block of inner positions, the strip's part
of the right operand is packed side by side in the accumulator's dtype, which stays in the first caches; a few
rows at a time are summed in registers, so that each step loads a vector of the panel once and an element of
the left operand for each row. What follows the product elementwise is made of the sums before they leave the
caches (K. Goto and R. van de Geijn, "Anatomy of high-performance matrix multiplication", ACM TOMS 34, 2008).

Rows, inner positions and columns may be several axes of an operand: the windows of a convolution are packed
from the image. A position in the left operand is the sum of a row's and of an inner position's, in the right
one that of an inner position's and of a column's; both are found once for many uses.

Where both operands lie along the inner axis, as inputs and weights of a layer, and rows are few, the product
is made transposed: the few rows are packed, and the weights are read in place, an element for each vector of
those.

Each result is the sum, block by block, of the sums of its products in the order of the inner axes, from zero,
in the accumulator of the dtype, each step rounded once where the processor has such an instruction.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from ....ir import ops
from ....ir.expr import (
    ONE,
    ZERO,
    Expr,
    ceil_div,
    equal,
    less,
    lift,
    maximum,
    minimum,
    product,
    symbol,
)
from ....ir.node import Node
from ....ir.record import record
from ....ir.types import BOOL, I64, INDEX
from ...kernel.nodes import Buffer, Value
from ..writing.accumulators import add_product
from ..writing.context import GroupWriter, next_position
from ..writing.writer import memory_of_view
from .panels import store_product, within_batch

ROWS = 8
"""Results of a lane in registers: more would not fit those of AVX2."""
LINE_BYTES = 128
"""Of a strip: two vectors of the widest registers."""
DEPTH, LEAST_DEPTH = 256, 128
"""Inner positions of a panel, 32 KB, or 16 where rows are few: their sums are added up from zero, which keeps
errors small."""
SQUARE = 16
"""Columns that are transposed together: as many as a vector has lanes."""
STRIPS = 4
"""Of a workgroup, where that leaves enough of them: rows of the left operand are read once for all. Where
these are few, panels have fewer inner positions and more strips: packing counts, and memory is fast along
long lines."""
FEWEST_ROWS = 64
"""Of a workgroup that packs for them, where there are as many."""
MOST_ROWS = 256
"""Of a workgroup: as many sums lie in the second cache, beside as much of the left operand."""
SUMS = STRIPS * (MOST_ROWS + ROWS)
"""Lines of sums, of all strips."""
GROUPS_OF_A_THREAD = 2


class Axes(metaclass=record):
    """Axes of an operand that are one of the product: extents, and how far elements are apart."""

    extents: tuple[Expr, ...]
    steps: tuple[Expr, ...]

    @property
    def plain(self) -> bool:
        """Whether a running number times one step is the position."""
        return len(self.steps) == 1


def _merged(extents: Sequence[Expr], steps: Sequence[Expr]) -> Axes:
    """The axes, fewer where neighbours lie as one."""
    found: list[tuple[Expr, Expr]] = []
    for extent, step in zip(extents, steps, strict=True):
        if extent is ONE:
            continue
        if found and found[-1][1] is step * extent:
            found[-1] = found[-1][0] * extent, step
        else:
            found.append((extent, step))
    found = found or [(ONE, ZERO)]
    return Axes(tuple(extent for extent, _ in found), tuple(step for _, step in found))


def split(sizes: Sequence[Value], number: Value) -> list[Value]:
    """The positions on axes that a running number over them is at."""
    made: list[Value] = []
    for size in reversed(sizes[1:]):
        made.append(number % size)
        number = number // size
    return [number, *reversed(made)]


def position_of(writing: GroupWriter, axes: Axes, number: Value, leave: int = 0) -> Value:
    """How far the element of a running number over the axes, but for the last ones, is from the first."""
    index = writing.writer.index
    found = writing.build.constant(0)
    extents = axes.extents[: len(axes.steps) - leave]
    for place, step in zip(split([index(each) for each in extents], number), axes.steps, strict=False):
        found = found + place * index(step)
    return found


class Operand:
    """The axes of both sides of a matrix, and where that of a batch position starts."""

    start: Value

    def __init__(self, writing: GroupWriter, node: Node, batch: int, first: int) -> None:
        """`first`: how many axes after those of the batch are of the first side."""
        self.writing, self.batch = writing, batch
        self.memory = memory_of_view(node, writing.writer.memories)
        extents, steps = [lift(extent) for extent in node.shape], self.memory.strides
        self.buffer: Buffer = writing.writer.buffer(self.memory.buffer, self.memory.dtype)
        middle = batch + first
        self.first = _merged(extents[batch:middle], steps[batch:middle])
        self.second = _merged(extents[middle:], steps[middle:])

    def find_start(self) -> None:
        """At the present batch position."""
        writer = self.writing.writer
        self.start = writer.index(self.memory.offset)
        axes = self.writing.group.stages[0].axes[: self.batch]
        for axis, step in zip(axes, self.memory.strides, strict=False):
            self.start = self.start + writer.axes[axis] * writer.index(step)

    def transpose(self) -> None:
        self.first, self.second = self.second, self.first


def write_packed(writing: GroupWriter) -> Expr:
    """Gives the number of workgroups."""
    return _Packed(writing).write()


class _Packed:
    def __init__(self, writing: GroupWriter) -> None:
        self.writing, self.build = writing, writing.build
        self.stage = writing.group.stages[0]
        self.node = self.stage.node
        self.dtype = ops.accumulator(self.node.dtype)
        self.columns = LINE_BYTES // self.dtype.itemsize
        *self.batch, self.row, self.column = self.stage.axes
        x, y = self.node.inputs
        of_rows, of_columns = ops.sides(self.node)
        batch = len(self.batch)
        self.x = Operand(writing, x, batch, of_rows)
        self.y = Operand(writing, y, batch, len(y.shape) - batch - of_columns)
        shape = x.shape if len(x.shape) - of_rows <= len(y.shape) - of_columns else y.shape
        inner = shape[batch + of_rows :] if shape is x.shape else shape[batch : len(shape) - of_columns]
        self.length = product(map(lift, inner))
        self.packed = self.node.op.in_panels or self._lies_in_panels()
        self.transposed = not self.packed and self._is_narrow_by_rows()
        if self.transposed:
            self.x, self.y = self.y, self.x
            self.row, self.column = self.column, self.row
            self.x.transpose()
            self.y.transpose()
        self.panel: Buffer
        self.sums: Buffer
        self.left_places: Buffer | None = None
        self.right_places: Buffer | None = None

    def _is_narrow_by_rows(self) -> bool:
        """Whether the product is made transposed: both operands lie along the inner axis, and the rows of the
        left one are few and fill vectors."""
        x, y, decide = self.x, self.y, self.writing.context.decide
        if not (x.first.plain and y.second.plain and x.second.steps == y.first.steps == (ONE,)):
            return False
        rows = self.writing.nest.extents[self.row]
        lanes = ceil_div(rows, SQUARE) * SQUARE
        return decide(less(rows, MOST_ROWS + 1)) and decide(less(8 * lanes, 9 * rows + 1))

    def write(self) -> Expr:
        build, nest, index = self.build, self.writing.nest, self.writing.writer.index
        rows, columns = nest.extents[self.row], nest.extents[self.column]
        batches = nest.count(self.batch)
        # As many strips and rows as leave each thread something to do.
        groups = symbol("device.threads") * GROUPS_OF_A_THREAD
        tiles = product((batches, ceil_div(columns, self.columns), ceil_div(rows, FEWEST_ROWS)))
        self.depth, most_strips = lift(DEPTH), lift(STRIPS)
        if not self.packed:
            lines = ceil_div(minimum(rows, MOST_ROWS), ROWS) * ROWS + ROWS
            most_strips = minimum(SUMS // lines, STRIPS * DEPTH // LEAST_DEPTH)
            self.depth = STRIPS * DEPTH // most_strips
        width = self.columns * maximum(minimum(tiles // maximum(groups, 1), most_strips), 1)
        strips = ceil_div(columns, width)
        wanted = ceil_div(groups, maximum(strips * batches, 1))
        some = ceil_div(ceil_div(rows, wanted), ROWS) * ROWS
        height = minimum(maximum(some, ROWS), MOST_ROWS)
        blocks = ceil_div(rows, height)
        group = within_batch(self.writing, build.group_id(), blocks * strips)
        strip, block = divmod(group, index(blocks))
        self.lines = self.writing.writer.index(height + ROWS)
        self.top, self.bottom = self.writing.row_range(block, height, rows)
        self.first, self.end = self.writing.row_range(strip, width, columns)
        self._tile()
        return batches * (blocks * strips)

    def _tile(self) -> None:
        build, length, packed = self.build, self.length, self.packed
        self.x.find_start()
        self.y.find_start()
        # Panels of about one depth: a last short one would be read and written for little.
        even = ceil_div(length, maximum(ceil_div(length, self.depth), 1))
        extent, depth = (self.writing.writer.index(each) for each in (length, maximum(even, 1)))
        zero, one = build.constant(0), build.constant(1)
        self.width = build.constant(self.columns)
        self.sums_of_strip = self.lines * self.width
        self.panel_of_strip = self.writing.writer.index(self.depth) * self.width
        panels = STRIPS * DEPTH * self.columns
        self.panel = self.y.buffer if packed else build.allocate(self.dtype, panels)
        self.sums = build.allocate(self.dtype, SUMS * self.columns)
        if not self.x.second.plain:
            self.left_places = build.allocate(I64, DEPTH)
        if not self.y.first.plain and not self.y.second.plain:
            self.right_places = build.allocate(I64, DEPTH)
        if not packed:
            self._clear_partial_strip(depth)
        # Without inner positions the sums are stored as well.
        with build.loop(zero, build.maximum(extent, one), depth) as (start,):
            count = build.minimum(depth, extent - start)
            following = start + depth < extent
            if not packed:
                self._pack_strips(start, count)
            place_of = self._places(self.x.second, start, count, self.left_places)
            with (
                build.loop(self.top, self.bottom, ROWS) as (first,),
                self._each_strip() as strip,
            ):
                panel = self._panel_of(strip)
                if packed:
                    panel = self.left * extent + start * self.width + self.y.start
                sums = strip * self.sums_of_strip + (first - self.top) * self.width
                self._add_rows(first, start, count, panel, sums, place_of)
                if not self.transposed:
                    with build.when(~following):
                        self._store_rows(first, sums)
        if self.transposed:
            self._store_transposed()

    def _clear_partial_strip(self, depth: Value) -> None:
        """Columns beyond the last one are multiplied with the others."""
        build = self.build
        with self._each_strip() as strip, build.when(self.right - self.left < self.width):
            at = self._panel_of(strip)
            with build.loop(build.constant(0), depth * self.width, kind="lanes") as (i,):
                build.store(self.panel, at + i, build.constant(0, self.dtype))

    def _store_rows(self, first: Value, sums: Value) -> None:
        """The results of some rows, while their sums are in the first cache."""
        build = self.build
        with build.loop(first, build.minimum(first + ROWS, self.bottom)) as (row,):
            line = sums + (row - first) * self.width
            with build.loop(self.left, self.right, kind="lanes") as (j,):
                self.writing.writer.axes.update({self.row: row, self.column: j})
                store_product(self.writing, build.load(self.sums, line + (j - self.left)))

    def _store_transposed(self) -> None:
        """The results, whose columns are the sums' rows: squares of these are transposed in registers."""
        build, rows = self.build, self.bottom - self.top
        lines = build.allocate(self.dtype, SQUARE * MOST_ROWS)
        padded = (rows + (SQUARE - 1)) // SQUARE * SQUARE
        with self._each_strip() as strip, build.loop(self.left, self.right, SQUARE) as (first,):
            place = strip * self.sums_of_strip + (first - self.left)
            with build.loop(build.constant(0), padded, kind="lanes") as (k,):
                at = place + k * self.width
                values = [build.load(self.sums, at + number) for number in range(SQUARE)]
                for number, value in enumerate(values):
                    build.store(lines, k + number * MOST_ROWS, value)
            with build.loop(first, build.minimum(first + SQUARE, self.right)) as (column,):
                line = (column - first) * MOST_ROWS
                with build.loop(self.top, self.bottom, kind="lanes") as (row,):
                    self.writing.writer.axes.update({self.row: row, self.column: column})
                    store_product(self.writing, build.load(lines, line + (row - self.top)))

    def _lies_in_panels(self) -> bool:
        """Whether the right operand is in memory as its panels are: [strips, inner, columns of a strip]."""
        y, width = self.y, self.y.second.extents[-1]
        return (
            y.buffer.dtype is self.dtype
            and len(y.second.steps) == 2
            and y.second.steps == (width * self.length, ONE)
            and y.first.steps == (width,)
            and self.writing.context.decide(equal(width, self.columns))
        )

    @contextmanager
    def _each_strip(self) -> Iterator[Value]:
        """A loop over the strips of the workgroup, whose columns are from `left` to `right`."""
        build = self.build
        count, rest = divmod(self.end - self.first, self.width)
        with build.loop(0, count + build.minimum(rest, 1)) as (strip,):
            self.left = self.first + strip * self.width
            self.right = build.minimum(self.left + self.width, self.end)
            yield strip

    def _panel_of(self, strip: Value) -> Value:
        return strip * self.panel_of_strip

    # Packing ------------------------------------------------------------------------------------------
    def _pack_strips(self, start: Value, count: Value) -> None:
        """Write the strips' parts of some inner positions of the right operand side by side."""
        y = self.y
        *outer, last = zip(y.second.extents, y.second.steps, strict=True)
        along = self.writing.writer.index(last[1])
        if outer:
            place_of = self._places(y.first, start, count, self.right_places)
        transposed = last[1] is not ONE and y.first.plain and y.first.steps[0] is ONE
        if not outer and not transposed:
            self._pack_lines(start, count, along)
            return
        with self._each_strip() as strip:
            panel = self._panel_of(strip)
            if outer:
                self._pack_runs(count, along, panel, place_of)
            else:
                self._pack_transposed(start, count, along, panel)

    def _pack_lines(self, start: Value, count: Value, along: Value) -> None:
        """Line by line, those of all strips: they are neighbours in memory."""
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
        """The same of columns that are several axes: those side by side on the last one, for all inner
        positions, before the next ones."""
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
        """The same where elements lie side by side along the inner axis: squares of them are transposed in
        registers. Beyond the last column it is repeated."""
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

    def _each_inner(
        self, axes: Axes, start: Value, count: Value, base: Value, write: Callable[[Value, Value], None]
    ) -> None:
        """`write(position, line of the panel)` for each of some inner positions."""
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

    # Sums ---------------------------------------------------------------------------------------------
    def _places(
        self, axes: Axes, start: Value, count: Value, table: Buffer | None
    ) -> Callable[[Value], Value]:
        """How far some inner positions are from the first of all, noted in the table where they are several
        axes."""
        build = self.build
        if table is None:
            step = self.writing.writer.index(axes.steps[0])
            first = start * step
            return lambda k: first + k * step
        noted = table

        def write(at: Value, line: Value) -> None:
            build.store(noted, line // self.width, build.cast(at, I64))

        self._each_inner(axes, start, count, build.constant(0), write)
        return lambda k: build.cast(build.load(noted, k), INDEX)

    def _add_rows(
        self,
        first: Value,
        start: Value,
        count: Value,
        panel: Value,
        sums: Value,
        place_of: Callable[[Value], Value],
    ) -> None:
        """Add the products of some inner positions to some rows' sums, or begin these with them; beyond the
        last row it is repeated."""
        build, x = self.build, self.x
        last = self.bottom - 1
        lines = []
        for number in range(ROWS):
            row = build.minimum(first + number, last)
            lines.append(x.start + position_of(self.writing, x.first, row))

        def add(offset: Value, lanes: Value) -> None:
            with build.loop(0, lanes, kind="lanes") as (lane,):
                j = offset + lane
                slots = [sums + (j + self.width * number) for number in range(ROWS)]

                def step(k: Value, *totals: Value) -> list[Value]:
                    right = build.load(self.panel, panel + (k * self.width + j))
                    place = place_of(k)
                    return [
                        self._added(known, build.cast(build.load(x.buffer, line + place), self.dtype), right)
                        for line, known in zip(lines, totals, strict=True)
                    ]

                made = build.carry(0, count, [build.constant(0, self.dtype)] * ROWS, step)
                both = "or" if self.dtype is BOOL else "add"
                with build.when(start > 0):
                    for slot, value in zip(slots, made, strict=True):
                        known = build.load(self.sums, slot)
                        build.store(self.sums, slot, build.emit(both, (known, value)))
                with build.when(start <= 0):
                    for slot, value in zip(slots, made, strict=True):
                        build.store(self.sums, slot, value)

        # Of a last strip a half, a quarter or both are multiplied, where these hold its columns.
        zero, half, quarter = (build.constant(self.columns * part // 4) for part in (0, 2, 1))
        used = self.right - self.left
        more = used > half
        whole = used > half + quarter
        with build.when(whole):
            add(zero, self.width)
        with build.when(~whole & (used > quarter)):
            add(zero, half)
        with build.when(~whole & (more | (used <= quarter))):
            add(build.select(more, half, zero), quarter)

    def _added(self, known: Value, left: Value, right: Value) -> Value:
        if self.dtype.is_float:
            return self.build.emit("multiply_add", (left, right, known))
        return add_product(self.build, known, left, right)
