"""Three-way partition: each row is split into elements before, equal to and after its pivot, each part in
order.

Each chunk of a row counts its elements of the first two parts; the counts give the places of its elements.
"""

from __future__ import annotations

from collections.abc import Sequence

from ....ir.expr import Expr, ceil_div, const
from ....ir.types import INDEX
from ...kernel.nodes import Value
from ..writing.writer import Memory
from .appending import append
from .chunks import at_once, read_chunks
from .rows import Rows, SortKernel

CHUNK_OF_LANE = 256


class Partition:
    """The rows, with a pivot for each; the results are elements or positions."""

    def __init__(self, rows: Rows, pivots: Memory) -> None:
        self.rows, self.pivots = rows, pivots
        self.lanes = rows.machine.lanes
        on_lanes = self.lanes > 1
        self.chunks: Expr = (
            ceil_div(rows.length, CHUNK_OF_LANE) if on_lanes else read_chunks(rows, rows.count)
        )
        self.size: Expr = ceil_div(rows.length, self.chunks)
        self.units: Expr = rows.count * self.chunks
        self.at_once: Expr = const(self.lanes) if on_lanes else at_once(self.size)
        self.counts = rows.scratch(rows.position_dtype(), self.units * 2)

    def write(self) -> None:
        _CountKernel(self, "count_before_pivot").write()
        _MoveKernel(self, "move_by_pivot").write()


class _Kernel:
    def __init__(self, partition: Partition, name: str) -> None:
        self.partition, rows = partition, partition.rows
        kernel = self.kernel = SortKernel(rows, name, partition.lanes)
        self.build, self.order, self.rows = kernel.build, rows.order, rows
        self.zero, self.one = self.build.constant(0), self.build.constant(1)
        self.source = kernel.buffer(rows.source, "in")
        self.pivots = kernel.buffer(partition.pivots, "in")
        self.counts = kernel.buffer(partition.counts)
        self.length, self.chunks, self.size, self.units = (
            kernel.index(each) for each in (rows.length, partition.chunks, partition.size, partition.units)
        )

    def write(self) -> None:
        build, partition = self.build, self.partition
        height = self.kernel.index(partition.at_once)
        first = build.group_id() * height
        self.allocate()
        if partition.lanes > 1:  # a lane takes a chunk
            unit = first + build.lane_id()
            with build.when(unit < self.units):
                self._unit(unit)
        else:
            last = build.minimum(first + height, self.units)
            with build.loop(first, last) as (unit,):
                self._unit(unit)
        self.kernel.launch(ceil_div(partition.units, partition.at_once), self.rows.elements)

    def allocate(self) -> None: ...

    def write_unit(
        self, row: Value, chunk: Value, start: Value, pivot: Value, bounds: tuple[Value, Value]
    ) -> None:
        raise NotImplementedError

    def _unit(self, unit: Value) -> None:
        build = self.build
        row, chunk = divmod(unit, self.chunks)
        lower = build.minimum(chunk * self.size, self.length)
        upper = build.minimum(lower + self.size, self.length)
        pivot = self.order.key(build, build.load(self.pivots, row))
        self.write_unit(row, chunk, row * self.length, pivot, (lower, upper))

    def place_of(self, row: Value, chunk: Value) -> Value:
        """Returns the position of the counts of a chunk."""
        return (row * self.chunks + chunk) * 2


class _CountKernel(_Kernel):
    """Counts the elements of a chunk before the pivot, and those equal to it."""

    def write_unit(
        self, row: Value, chunk: Value, start: Value, pivot: Value, bounds: tuple[Value, Value]
    ) -> None:
        build, dtype = self.build, pivot.dtype

        def term(i: Value) -> Sequence[Value]:
            key = self.order.key(build, build.load(self.source, start + i))
            return [build.cast(build.emit(name, (key, pivot)), dtype) for name in ("lt", "eq")]

        def combine(x: Value, y: Value, dx: Value, dy: Value) -> Sequence[Value]:
            return x + dx, y + dy

        none = build.constant(0, dtype)
        at = self.place_of(row, chunk)
        for number, count in enumerate(build.reduce(*bounds, (none, none), term, combine)):
            build.store(self.counts, at + number, build.cast(count, self.counts.dtype))


class _MoveKernel(_Kernel):
    """Moves the elements of a chunk, or their positions."""

    def allocate(self) -> None:
        self.result = self.kernel.buffer(self.rows.result, "out")

    def write_unit(
        self, row: Value, chunk: Value, start: Value, pivot: Value, bounds: tuple[Value, Value]
    ) -> None:
        build, positions = self.build, self.rows.positions

        def counts_of(each: Value) -> list[Value]:
            at = self.place_of(row, each)
            return [build.cast(build.load(self.counts, at + number), INDEX) for number in (0, 1)]

        def add(each: Value, less: Value, equal: Value) -> Sequence[Value]:
            more = counts_of(each)
            return less + more[0], equal + more[1]

        less_before, equal_before = build.carry(self.zero, chunk, (self.zero, self.zero), add)
        less, equal = build.carry(chunk, self.chunks, (less_before, equal_before), add)
        after_before = bounds[0] - (less_before + equal_before)
        places = (start + less_before, start + (less + equal_before), start + (less + equal + after_before))

        def parts_of(i: Value) -> tuple[Value, Value, Value]:
            value = build.load(self.source, start + i)
            key = self.order.key(build, value)
            is_less, is_equal = (build.emit(name, (key, pivot)) for name in ("lt", "eq"))
            return build.cast(i, self.result.dtype) if positions else value, is_less, is_equal

        def move(i: Value, first: Value, second: Value, third: Value) -> Sequence[Value]:
            value, is_less, is_equal = parts_of(i)
            build.store(
                self.result, build.select(is_less, first, build.select(is_equal, second, third)), value
            )
            steps = [build.cast(each, INDEX) for each in (is_less, is_equal)]
            return first + steps[0], second + steps[1], third + (self.one - build.add(*steps))

        def chosen(i: Value) -> tuple[Value, Sequence[Value]]:
            value, is_less, is_equal = parts_of(i)
            return value, (is_less, is_equal, ~(is_less | is_equal))

        if self.rows.machine.append_bits and self.result.dtype.bits >= 32:
            append(build, self.rows.machine, self.result, bounds, places, chosen)
        else:
            build.carry(*bounds, places, move)
