"""Scans (prefix sums, products, maxima, minima) on a processor: the prefixes along an axis and what is stored
from them, in one pass.

Along the inner axis a row is a scan loop; along another axis a strip of accumulators moves down the columns.
A long row is scanned in blocks by three kernels (`blocked_scans`). Blocks depend on extents alone, so the
bits of a result do not depend on the number of threads. The last prefix of a block is what the next block
begins with, so running sums of terms that are not negative never fall.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ....ir.expr import ONE, Expr, ceil_div, maximum
from ....ir.ops import scan_identity
from ....ir.passes.cost import is_expensive
from ....ir.passes.stages import Stage
from ...kernel.nodes import SCAN_LANES, Value
from ..reductions.lanes_order import at_element
from ..writing.accumulators import reducer_of
from ..writing.context import GroupWriter, Schedule
from ..writing.nest import Axis

STRIP = 1024
"""Columns of a strip. In shorter strips the loads of a row stall on pending stores of the row before at the
same page offset."""
AHEAD = 16
"""Elements of a serial scan that are loaded before the first of them is combined."""


class ScanWriter(Schedule):
    """The base of the schedules of scans: the scan, its axis, its start and its end."""

    def __init__(self, writing: GroupWriter) -> None:
        super().__init__(writing)
        self.scan: Stage = writing.group.stages[0]
        self.stores = [stage for stage in writing.group.stages if not stage.carry.totals]
        self.axis: Axis
        (self.axis,) = writing.group.reduced
        self.bounds: tuple[Value, Value]

    def take_block(self, group: Value) -> tuple[Value, Expr]:
        """Splits a workgroup's number into (row or strip, block), and computes the range of the scan."""
        writing = self.writing
        if self.scan.carry.initial is not None:
            writing.cut_blocks()
        first, blocks = writing.take_block(group)
        self.bounds = writing.range_of(self.axis)
        return first, blocks

    def term(self) -> Value:
        return self.writer.value(self.scan.value, self.scan.dims)

    def combine(self, known: Value, term: Value) -> Value:
        return self.build.emit(reducer_of(self.scan).kernel, (known, term))

    def identity(self) -> Value:
        dtype = self.scan.node.dtype
        return self.build.constant(scan_identity(self.scan.reducer, dtype), dtype)

    def _beginning(self) -> Value | None:
        """Returns the total of all blocks before, at the current row or column; None in a scan without
        blocks."""
        writing, build = self.writing, self.build
        if self.scan.carry.initial is None:
            return None
        assert writing.blocks is not None and writing.blocks.number is not None
        number, zero = writing.blocks.number, build.constant(0)
        before = build.maximum(number - 1, zero)
        memory = writing.context.memories[self.scan.carry.initial]
        rows = self.writer.index(self.nest.count(self.nest.parallel))
        dims = tuple(dim for dim in self.scan.dims if dim.axis != self.axis)
        position = self.writer.position(memory, dims) + before * rows
        ended = build.load(self.writer.buffer(memory.buffer, memory.dtype), position)
        return build.select(number.equals(zero), self.identity(), ended)

    def store(self, prefix: Value, stream: Value | None = None) -> None:
        """Stores all stages at the current position, where the scan has reached `prefix`."""
        beginning = self._beginning()
        prefix = prefix if beginning is None else self.combine(beginning, prefix)
        self.writer.results[self.scan.node, self.scan.dims] = prefix
        self.writing.store_all(self.stores, stream)
        self.writer.results.clear()

    def one_by_one(self) -> Value:
        """Scans element by element, several of them loaded ahead; returns the last prefix."""
        build, (lower, upper) = self.build, self.bounds
        carried: Sequence[Value] = (self.identity(),)
        if not is_expensive(self.scan.value):  # what is costly to compute hides its loads
            ahead = build.constant(AHEAD)
            whole = (upper - lower) // ahead * ahead
            middle = lower + whole
            carried = build.carry(lower, middle, carried, self._several(AHEAD), ahead)
            lower = middle
        (last,) = build.carry(lower, upper, carried, self._several(1))
        return last

    def _several(self, count: int) -> Callable[[Value, Value], Sequence[Value]]:
        """Writes a loop's body: several elements are loaded before the first of them is combined and
        stored."""
        build, writer, scan, axis = self.build, self.writer, self.scan, self.axis

        def step(i: Value, carried: Value) -> Sequence[Value]:
            terms = []
            for number in range(count):
                writer.axes[axis, number] = i + number
                terms.append(writer.value(scan.value, at_element(scan.dims, axis, number)))
            for number, term in enumerate(terms):
                carried = self.combine(carried, term)
                writer.axes[axis] = writer.axes[axis, number]
                if self.stores:
                    self.store(carried)
                    build.memos.clear()  # the next element has values of its own
            return (carried,)

        return step

    def store_total(self, total: Value) -> None:
        """Stores the total of a block at its end, in kernels that compute totals."""
        if self.scan.carry.totals:
            self.writing.store(self.scan, total)


class ScanRows(ScanWriter):
    """The schedule with one scan loop for a row."""

    def write(self) -> Expr:
        nest, machine = self.nest, self.context.machine
        rows, height = nest.count(nest.parallel), ONE
        if self.scan.carry.initial is None and self.writing.blocks is None:
            height = maximum(self.writing.tile() // maximum(nest.count(nest.reduced), 1), 1)
        group, blocks = self.take_block(self.build.group_id())
        with self.writing.row_loop(group, height, rows) as (r,):
            self.writing.set_axes(nest.parallel, r)
            self.store_total(_scan_loop(self) if machine.scan_loops else _scan_one_by_one(self))
        return ceil_div(rows, height) * blocks


def _scan_loop(scan: ScanWriter) -> Value:
    """Writes a scan loop, which stores the prefixes where necessary; returns the last prefix."""
    build, writer = scan.build, scan.writer
    stream = scan.writing.stream_flag() if scan.stores else None

    def term(i: Value) -> Sequence[Value]:
        writer.axes[scan.axis] = i
        return (scan.term(),)

    def emit(i: Value, prefix: Value) -> Sequence[Value]:
        writer.axes[scan.axis] = i
        if scan.stores:
            scan.store(prefix, stream)
        return ()

    (total,) = build.scan(
        *scan.bounds, (scan.identity(),), term, lambda known, value: (scan.combine(known, value),), emit
    )
    return total


def _scan_one_by_one(scan: ScanWriter) -> Value:
    """Writes a scan as loads, stores and plain loops, for machines of one lane without scan loops."""
    build, writer, (lower, upper) = scan.build, scan.writer, scan.bounds
    scratch = build.allocate(scan.scan.node.dtype, SCAN_LANES)

    def together(first: Value, carried: Value) -> Sequence[Value]:
        count = build.minimum(upper - first, SCAN_LANES)
        with build.loop(0, count) as (k,):
            writer.axes[scan.axis] = first + k
            build.store(scratch, k, scan.term())
        distance = 1
        while distance < SCAN_LANES:
            for j in range(SCAN_LANES):
                if j & distance:
                    before, own = (build.constant(at) for at in ((j & (-2 * distance)) + distance - 1, j))
                    with build.when(own < count):
                        combined = scan.combine(build.load(scratch, before), build.load(scratch, own))
                        build.store(scratch, own, combined)
            distance *= 2
        with build.loop(0, count) as (k,):
            writer.axes[scan.axis] = first + k
            if scan.stores:
                scan.store(scan.combine(carried, build.load(scratch, k)))
        last = build.load(scratch, count - 1)
        return (scan.combine(carried, last),)

    (total,) = build.carry(lower, upper, (scan.identity(),), together, SCAN_LANES)
    return total


class ScanColumns(ScanWriter):
    """The schedule with accumulators of a strip of columns, to which every row is added."""

    def write(self) -> Expr:
        writing, build, writer, nest = self.writing, self.build, self.writer, self.nest
        *outer, inner = nest.parallel
        extent = nest.extents[inner]
        strips, rows = ceil_div(extent, STRIP), nest.count(outer)
        group, blocks = self.take_block(build.group_id())
        writing.set_axes(outer, group // writer.index(strips))
        start = group % writer.index(strips) * STRIP
        stop = build.minimum(start + STRIP, writer.index(extent))
        width = stop - start
        scratch = build.allocate(self.scan.node.dtype, STRIP)

        def along(body: Callable[[Value], None]) -> None:
            with build.loop(0, width, kind="lanes") as (j,):
                writer.axes[inner] = start + j
                body(j)

        def step(j: Value) -> None:
            prefix = self.combine(build.load(scratch, j), self.term())
            build.store(scratch, j, prefix)
            if self.stores:
                self.store(prefix)

        along(lambda j: build.store(scratch, j, self.identity()))
        with build.loop(*self.bounds) as (i,):
            writer.axes[self.axis] = i
            along(step)
        if self.scan.carry.totals:
            along(lambda j: self.store_total(build.load(scratch, j)))
        return rows * strips * blocks


class SerialScan(ScanWriter):
    """The schedule of a serial scan."""

    def write(self) -> Expr:
        row, _ = self.take_block(self.build.group_id())
        self.writing.set_axes(self.nest.parallel, row)
        self.one_by_one()
        return self.nest.count(self.nest.parallel)
