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
those. So it is where the right operand has windows, which are read in place: the weights are packed. One or
two columns that are left over fill no vector: their products are summed along the inner axis.

Few rows read a small right operand in place where its lines are whole strips and a vector is a line of the
cache: packing would take longer than it saves.

Each result is the sum, block by block, of the sums of its products in the order of the inner axes, from zero,
in the accumulator of the dtype, each step rounded once where the processor has such an instruction; in a
column that is left over, of the sums of every 32nd one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

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
from ....ir.types import BOOL, I32, I64, DType
from ...kernel.nodes import Buffer, Value
from ..writing.accumulators import add_product
from ..writing.context import GroupWriter
from .operands import Axes, Operand, position_of
from .panels import store_product, within_batch
from .strips import SQUARE, Strips

MOST_SUMS, FEWEST_SUMS = 8, 6
"""Rows that are summed together, two vectors of each, in 32 registers and in 16: with more, the vectors of
the panel and an element of the left operand would not fit these (T. M. Low et al., "Analytical modeling is
enough for high-performance BLIS", ACM TOMS 43, 2016)."""
LINE_BYTES = 128
"""Bytes of a strip's line: two vectors of the widest registers."""
DEPTH, GREATEST_DEPTH = 256, 512
"""Inner positions of a panel: as many as leave the columns of two vectors in 32 KB, the L1 cache, and those
of a row in 2 KB, of which a few are read beside. With 16 registers, whose vectors are half as wide, these are
512 elements of 32 bits; windows that are read in place gain nothing by it. Their sums are added up from zero,
which keeps errors small."""
LINES = 1024
"""Of a workgroup's panels, 128 KB, and about as many of its sums: with as much of the left operand they stay
in the L2 cache. Deeper panels have fewer strips, and serve more rows: what is packed is read more often.
Where rows are few, panels have half as many inner positions and twice as many strips: packing counts, and
memory is fast along long lines. Fewer strips have more rows."""
FEWEST_ROWS = 64
"""Of a workgroup that packs for them, where there are as many."""
NARROW = 256
"""The most rows that are packed instead of weights."""
FEW_COLUMNS, LONG = 2, 64
"""Columns beyond those that fill a quarter of a strip up to which they are summed one by one, along the inner
axis, and inner positions from which that is faster."""
MOST_READ_IN_PLACE, LONGEST_LINE = 1 << 19, 2048
"""Elements of a right operand that few rows read in place, and of its lines: it stays in the L2 cache, or
comes from the next one while sums are computed; of longer lines too many share a set of the cache."""
MANY_WINDOWS = 96
"""Of an image: they pay for packing the left operand's rows."""
STORED = 8
"""Of the rows that are summed together, as many groups of a transposed product are stored together, while
their sums are in the L1 cache."""
GROUPS_OF_A_THREAD = 2
GROUPS_WITHOUT_PACKING = 8
"""Of a thread where nothing is packed: more of them cost nothing, and threads end together."""


def write_packed(writing: GroupWriter) -> Expr:
    """Returns the number of workgroups."""
    return _Packed(writing).write()


def _rounded_up(count: Expr, unit: Expr) -> Expr:
    return ceil_div(count, unit) * unit


class _Packed(Strips):
    def __init__(self, writing: GroupWriter) -> None:
        super().__init__(writing)
        wide = writing.context.machine.vector_registers >= 32
        self.rows = MOST_SUMS if wide else FEWEST_SUMS
        """Rows that are summed together."""
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
        panels = self.node.op.in_panels or self._lies_in_panels()
        self.right_in_place = not panels and self._reads_right_in_place()
        """Whether few rows read the right operand's lines where they are, as packing would take longer."""
        self.packed = panels or self.right_in_place
        self.in_place = not self.packed and self._reads_in_place()
        deep = not wide and self.dtype.itemsize <= 4 and not self.in_place
        self.most_depth = GREATEST_DEPTH if deep else DEPTH
        """Inner positions of a panel where rows are many, which are as many of a workgroup, or more."""
        self.strips = LINES // self.most_depth
        """Of such a workgroup."""
        self.most_sums = self.strips * (-(-self.most_depth // self.rows) + 1) * self.rows
        """Lines of sums, of all strips."""
        self.transposed = self.in_place or (not self.packed and self._is_narrow_by_rows())
        if self.transposed:
            self.x, self.y = self.y, self.x
            self.row, self.column = self.column, self.row
            self.x.transpose()
            self.y.transpose()
        self.by_columns = (
            not self.right_in_place
            and self.dtype.is_float
            and self.x.second.plain
            and self._lies_along_rows()
        )
        """Whether a few remaining columns may be summed one by one."""
        self.sums: Buffer
        self.left_places: Buffer | None = None

    def _reads_right_in_place(self) -> bool:
        """Whether the right operand has lines of whole strips, and is small, as is the number of rows."""
        y, extents, decide = self.y, self.writing.nest.extents, self.writing.context.decide
        rows, columns = extents[self.row], extents[self.column]
        if not self.writing.context.machine.vectors_fill_lines or y.buffer.dtype is not self.dtype:
            return False
        if not (y.first.plain and y.second.steps == (ONE,)):
            return False
        if decide(less(NARROW, rows)) or not decide(equal(_rounded_up(columns, lift(self.columns)), columns)):
            return False
        small = less(self.length * columns, MOST_READ_IN_PLACE + 1)
        return decide(small) and decide(less(y.first.steps[0], LONGEST_LINE + 1))

    def _reads_in_place(self) -> bool:
        """Whether the product is made transposed since the right operand has windows, whose inner positions
        are several axes: they overlap, so that packing writes elements many times. The left operand's rows
        fill vectors, and windows are many."""
        x, y, decide = self.x, self.y, self.writing.context.decide
        if not (x.first.plain and x.second.steps == (ONE,)) or y.first.plain:
            return False
        rows, columns = (self.writing.nest.extents[axis] for axis in (self.row, self.column))
        return not decide(less(columns, MANY_WINDOWS)) and self._fills_vectors(rows)

    def _fills_vectors(self, extent: Expr) -> bool:
        lanes = ceil_div(extent, SQUARE) * SQUARE
        return self.writing.context.decide(less(8 * lanes, 9 * extent + 1))

    def _is_narrow_by_rows(self) -> bool:
        """Whether the product is made transposed: both operands are contiguous along the inner axis, and the
        rows of the left one are few and fill vectors."""
        x, y, decide = self.x, self.y, self.writing.context.decide
        if not (x.first.plain and y.second.plain and x.second.steps == y.first.steps == (ONE,)):
            return False
        rows = self.writing.nest.extents[self.row]
        return decide(less(rows, NARROW + 1)) and self._fills_vectors(rows)

    def write(self) -> Expr:
        build, nest, index = self.build, self.writing.nest, self.writing.writer.index
        rows, columns = nest.extents[self.row], nest.extents[self.column]
        batches, strips, heights = (
            nest.count(self.batch),
            ceil_div(columns, self.columns),
            ceil_div(rows, self.rows),
        )
        threads = maximum(symbol("device.threads"), 1)
        # As many strips and rows as leave every thread work; windows take long to pack.
        groups = threads * (GROUPS_OF_A_THREAD if self.y.first.plain else 1)
        if self.right_in_place:
            groups = threads * GROUPS_WITHOUT_PACKING
        tiles = product((batches, strips, ceil_div(rows, FEWEST_ROWS)))
        self.depth, most_strips = lift(self.most_depth), lift(self.strips)
        if not self.packed:
            lines = ceil_div(minimum(rows, self.most_depth), self.rows) * self.rows + self.rows
            most_strips = minimum(self.most_sums // lines, 2 * self.strips)
            self.depth = LINES // most_strips
        most = maximum(minimum(tiles // groups, most_strips), 1)
        if self.in_place:
            # Many rows for one strip: what is packed serves all of them, and they are read again for little.
            most = ONE
        across = maximum(ceil_div(strips, most), 1)
        # As many for each thread, wherever there are more than threads.
        across = minimum(_rounded_up(across, minimum(across, threads)), maximum(strips, 1))
        taken = maximum(ceil_div(strips, across), 1)
        most_heights = maximum(self.most_sums // taken // self.rows - 1, 1)
        wanted = minimum(ceil_div(groups, maximum(across * batches, 1)), heights)
        blocks = maximum(maximum(ceil_div(heights, most_heights), wanted), 1)
        others = maximum(across * batches, 1)
        even = ceil_div(_rounded_up(others * blocks, threads), others)
        blocks = maximum(blocks, minimum(even, ceil_div(rows, FEWEST_ROWS)))
        group = within_batch(self.writing, build.group_id(), blocks * across)
        group, block = divmod(group, index(blocks))
        self.lines = index((ceil_div(heights, blocks) + 1) * self.rows)
        self.top, self.bottom = self._share(block, blocks, heights, self.rows, rows)
        self.first, self.end = self._share(group, across, strips, self.columns, columns)
        self._tile()
        return batches * (blocks * across)

    def _share(self, number: Value, parts: Expr, units: Expr, each: int, extent: Expr) -> tuple[Value, Value]:
        """The rows or columns of a workgroup, whole units but at the end: sizes differ by a unit at most."""
        index = self.writing.writer.index
        first, following = (part * index(units) // index(parts) * each for part in (number, number + 1))
        return first, self.build.minimum(following, index(extent))

    def _tile(self) -> None:
        build, length, packed = self.build, self.length, self.packed
        self.x.find_start()
        self.y.find_start()
        # Panels of about one depth: a last short one would be read and written for little.
        even = ceil_div(length, maximum(ceil_div(length, self.depth), 1))
        extent, depth = (self.writing.writer.index(each) for each in (length, maximum(even, 1)))
        self.extent = extent
        zero, one = build.constant(0), build.constant(1)
        self.width = build.constant(self.columns)
        self.pitch = self.writing.writer.index(self.y.first.steps[0]) if self.right_in_place else self.width
        """The distance of a panel's lines."""
        self.sums_of_strip = self.lines * self.width
        self.panel_of_strip = self.writing.writer.index(self.depth) * self.width
        panels = (LINES + SQUARE) * self.columns
        self.panel = self.y.buffer if packed else build.allocate(self.dtype, panels)
        self.sums = build.allocate(self.dtype, (self.most_sums + SQUARE) * self.columns)
        self.few = build.allocate(self.dtype, FEW_COLUMNS * self.most_depth) if self.by_columns else None
        if not self.x.second.plain:
            self.left_places = build.allocate(self._dtype_of_places(self.x.second), self.most_depth)
        if not self.y.first.plain and not self.y.second.plain:
            self.right_places = build.allocate(I64, self.most_depth)
        if not packed:
            self._clear_partial_strip(depth)
        # Without inner positions the sums are stored as well.
        with build.loop(zero, build.maximum(extent, one), depth) as (start,):
            count = build.minimum(depth, extent - start)
            following = start + depth < extent
            if not packed:
                self._pack_strips(start, count)
            self._set_columns_apart(start, count)
            place_of = self._places(self.x.second, start, count, self.left_places)

            def add(top: Value, bottom: Value) -> None:
                with build.loop(top, bottom, self.rows) as (first,), self._each_strip() as strip:
                    panel = self._panel_at(strip, start)
                    sums = strip * self.sums_of_strip + (first - self.top) * self.width
                    self._add_rows(first, start, count, panel, sums, place_of)
                    if not self.transposed:
                        with build.when(~following):
                            self._store_rows(first, sums)

            if not self.transposed:
                add(self.top, self.bottom)
            else:
                stored = STORED * self.rows
                with build.loop(self.top, self.bottom, stored) as (top,):
                    bottom = build.minimum(top + stored, self.bottom)
                    add(top, bottom)
                    with build.when(~following):
                        self._store_transposed(top, bottom)

    def _clear_partial_strip(self, depth: Value) -> None:
        """Zeroes the columns beyond the last one, which are multiplied with the others."""
        build = self.build
        with self._each_strip() as strip, build.when(self.right - self.left < self.width):
            at = self._panel_of(strip)
            with build.loop(build.constant(0), depth * self.width, kind="lanes") as (i,):
                build.store(self.panel, at + i, build.constant(0, self.dtype))

    def _store_rows(self, first: Value, sums: Value) -> None:
        """Stores the results of some rows, while their sums are in the L1 cache."""
        build = self.build
        with build.loop(first, build.minimum(first + self.rows, self.bottom)) as (row,):
            line = sums + (row - first) * self.width
            with build.loop(self.left, self.right, kind="lanes") as (j,):
                self.writing.writer.axes.update({self.row: row, self.column: j})
                store_product(self.writing, build.load(self.sums, line + (j - self.left)))

    def _store_transposed(self, top: Value, bottom: Value) -> None:
        """Stores the results of some rows of a transposed product, which are columns of its result: squares
        are transposed in registers."""
        build, rows, stored = self.build, bottom - top, STORED * self.rows
        lines = build.allocate(self.dtype, SQUARE * stored)
        padded = (rows + (SQUARE - 1)) // SQUARE * SQUARE
        with self._each_strip() as strip, build.loop(self.left, self.right, SQUARE) as (first,):
            place = strip * self.sums_of_strip + (top - self.top) * self.width + (first - self.left)
            with build.loop(build.constant(0), padded, kind="lanes") as (k,):
                at = place + k * self.width
                values = [build.load(self.sums, at + number) for number in range(SQUARE)]
                for number, value in enumerate(values):
                    build.store(lines, k + number * stored, value)
            with build.loop(first, build.minimum(first + SQUARE, self.right)) as (column,):
                line = (column - first) * stored
                with build.loop(top, bottom, kind="lanes") as (row,):
                    self.writing.writer.axes.update({self.row: row, self.column: column})
                    store_product(self.writing, build.load(lines, line + (row - top)))

    def _dtype_of_places(self, axes: Axes) -> DType:
        """Of positions on inner axes: where they are near, 32 bits, with which vectors stay as wide as those
        of elements."""
        reach = ZERO
        for extent, step in zip(axes.extents, axes.steps, strict=True):
            reach = reach + (extent - 1) * maximum(step, step * -1)
        return I32 if self.writing.context.decide(less(reach, 1 << 31)) else I64

    def _lies_along_rows(self) -> bool:
        """Whether the left operand is contiguous along inner positions."""
        return self.writing.context.decide(equal(self.x.second.steps[0], 1))

    def _lies_in_panels(self) -> bool:
        """Whether the right operand is packed in memory already: [strips, inner, columns of a strip]."""
        y, width = self.y, self.y.second.extents[-1]
        return (
            y.buffer.dtype is self.dtype
            and len(y.second.steps) == 2
            and y.second.steps == (width * self.length, ONE)
            and y.first.steps == (width,)
            and self.writing.context.decide(equal(width, self.columns))
        )

    def _panel_at(self, strip: Value, start: Value) -> Value:
        """Returns the start of a strip's inner positions from `start` on, in the panel or in the operand."""
        if not self.packed:
            return self._panel_of(strip)
        left = self.first + strip * self.width
        if self.right_in_place:
            return left + start * self.pitch + self.y.start
        return left * self.extent + start * self.width + self.y.start

    # A few columns ------------------------------------------------------------------------------------
    def _few_of(self, used: Value) -> Value:
        """Returns how many of a strip's last columns are summed one by one."""
        build = self.build
        if self.few is None:
            return build.constant(0)
        rest = used % (self.columns // 4)
        return build.select((rest <= FEW_COLUMNS) & (self.extent >= LONG), rest, build.constant(0))

    def _set_columns_apart(self, start: Value, count: Value) -> None:
        """Copies these columns of the last strip to contiguous memory."""
        build = self.build
        few_of_strip = self.few
        if few_of_strip is None:
            return
        last = (self.end - self.first - 1) // self.width
        used = self.end - self.first - last * self.width
        few = self._few_of(used)
        panel = self._panel_at(last, start) + used - few
        with build.loop(0, few) as (column,), build.loop(0, count) as (k,):
            value = build.load(self.panel, panel + column + k * self.width)
            build.store(few_of_strip, column * self.most_depth + k, value)

    def _add_columns(
        self, few: Value, lines: Sequence[Value], place: Value, count: Value, slot: Value, start: Value
    ) -> None:
        """Adds the products of some inner positions to the sums of these columns."""
        build, x = self.build, self.x
        packed = self.few
        assert packed is not None
        zeros = [build.constant(0, self.dtype)] * self.rows
        with build.loop(0, few) as (column,):

            def term(k: Value) -> list[Value]:
                right = build.load(packed, column * self.most_depth + k)
                lefts = [build.cast(build.load(x.buffer, line + place + k), self.dtype) for line in lines]
                return [left * right for left in lefts]

            def combine(*both: Value) -> list[Value]:
                return [one + other for one, other in zip(both[: self.rows], both[self.rows :], strict=True)]

            for number, value in enumerate(build.reduce(0, count, zeros, term, combine)):
                at = slot + column + self.width * number
                known = build.load(self.sums, at)
                build.store(self.sums, at, value + build.select(start > 0, known, zeros[0]))

    # Sums ---------------------------------------------------------------------------------------------
    def _add_rows(
        self,
        first: Value,
        start: Value,
        count: Value,
        panel: Value,
        sums: Value,
        place_of: Callable[[Value], Value],
    ) -> None:
        """Adds the products of some inner positions to some rows' sums, or initializes these; the last row is
        repeated as padding."""
        build, x = self.build, self.x
        last = self.bottom - 1
        lines = []
        for number in range(self.rows):
            row = build.minimum(first + number, last)
            lines.append(x.start + position_of(self.writing, x.first, row))

        def add(offset: Value, lanes: Value) -> None:
            with build.loop(0, lanes, kind="lanes") as (lane,):
                j = offset + lane
                slots = [sums + (j + self.width * number) for number in range(self.rows)]

                def step(k: Value, *totals: Value) -> list[Value]:
                    right = build.load(self.panel, panel + (k * self.pitch + j))
                    place = place_of(k)
                    return [
                        self._added(known, build.cast(build.load(x.buffer, line + place), self.dtype), right)
                        for line, known in zip(lines, totals, strict=True)
                    ]

                made = build.carry(0, count, [build.constant(0, self.dtype)] * self.rows, step)
                both = "or" if self.dtype is BOOL else "add"
                with build.when(start > 0):
                    for slot, value in zip(slots, made, strict=True):
                        known = build.load(self.sums, slot)
                        build.store(self.sums, slot, build.emit(both, (known, value)))
                with build.when(start <= 0):
                    for slot, value in zip(slots, made, strict=True):
                        build.store(self.sums, slot, value)

        if self.right_in_place:
            add(build.constant(0), self.width)
            return
        # Of a last strip a half, a quarter or both are multiplied, where these hold its columns.
        zero, half, quarter = (build.constant(self.columns * part // 4) for part in (0, 2, 1))
        used = self.right - self.left
        few = self._few_of(used)
        if self.few is not None:
            used = used - few
            self._add_columns(few, lines, start, count, sums + used, start)
        more = used > half
        whole = used > half + quarter
        with build.when(whole):
            add(zero, self.width)
        with build.when(~whole & (used > quarter)):
            add(zero, half)
        with build.when(~whole & (more | (used <= quarter)) & (used > 0)):
            add(build.select(more, half, zero), quarter)

    def _added(self, known: Value, left: Value, right: Value) -> Value:
        if self.dtype.is_float:
            return self.build.emit("multiply_add", (left, right, known))
        return add_product(self.build, known, left, right)
