"""Rows on workgroups of many lanes: tiles are sorted by counting, then sorted runs are merged, two by two.

A lane has an element. In a tile it counts, in shared memory, which of the others come before it. In a merge
it finds by binary search how many elements of the other run do, and goes there: equal elements of the first
run stay before those of the second. (N. Satish, M. Harris and M. Garland, Designing Efficient Sorting
Algorithms for Manycore GPUs, 2009.)

The keys alternate between the halves of one buffer.
"""

from __future__ import annotations

from collections.abc import Sequence

from ....ir.expr import ceil_div, less
from ....ir.types import INDEX, DType
from ...kernel.nodes import Buffer, Value
from .ranks import rank
from .rows import Rows, SortKernel


def sort_by_merging(rows: Rows) -> None:
    _Merge(rows).sort()


class _Merge:
    def __init__(self, rows: Rows) -> None:
        self.rows, self.order = rows, rows.order
        self.lanes = rows.machine.lanes
        self.dtypes: list[DType] = [self.order.key_dtype]
        if rows.positions:
            self.dtypes.append(rows.position_dtype())
        self.words = [rows.scratch(dtype, rows.elements * 2) for dtype in self.dtypes]

    def sort(self) -> None:
        rows = self.rows
        self._sort_tiles()
        kernel = self._merge()
        width, runs = self.lanes, 0
        while not rows.decide(less(rows.length, width + 1)):
            half = runs % 2
            kernel.launch(ceil_div(rows.elements, self.lanes), rows.elements * 8, (width, half, 1 - half))
            width, runs = width * 2, runs + 1
        self._read(runs % 2)

    def _buffers(self, kernel: SortKernel) -> list[Buffer]:
        return [kernel.buffer(memory) for memory in self.words]

    def _sort_tiles(self) -> None:
        """Sorts tiles: a workgroup has a tile of a row."""
        rows, lanes = self.rows, self.lanes
        kernel = SortKernel(rows, "sort_tiles", lanes)
        build = kernel.build
        shared = build.allocate(self.order.key_dtype, lanes, "shared")
        source, moved = kernel.buffer(rows.source, "in"), self._buffers(kernel)
        tiles = ceil_div(rows.length, lanes)
        length, per_row = kernel.index(rows.length), kernel.index(tiles)
        group, lane, width = build.group_id(), build.lane_id(), build.constant(lanes)
        start = group // per_row * length
        first = group % per_row * width
        count = build.minimum(length - first, width)
        inside = lane < count
        # Lanes behind the end repeat the last element, and write nothing.
        own = build.minimum(lane, count - 1)
        place = first + own
        key = self.order.key(build, build.load(source, start + place))
        build.store(shared, lane, key)
        build.barrier()
        bounds, none = (build.constant(0), count), build.constant(0, key.dtype)
        at = build.cast(rank(build, bounds, lambda j: build.load(shared, j), own, key, none), INDEX)
        with build.when(inside):
            self._put(kernel, moved, start + first + at, [key, place])
        kernel.launch(rows.count * tiles, rows.elements * lanes)

    def _put(self, kernel: SortKernel, moved: Sequence[Buffer], at: Value, values: Sequence[Value]) -> None:
        for buffer, value in zip(moved, values, strict=False):
            kernel.build.store(buffer, at, kernel.build.cast(value, buffer.dtype))

    def _own(self, kernel: SortKernel) -> tuple[Value, Value]:
        """Returns the number of a lane's element, and whether it exists."""
        build = kernel.build
        number = build.group_id() * self.lanes + build.lane_id()
        return number, number < kernel.index(self.rows.elements)

    def _merge(self) -> SortKernel:
        """Merges runs to runs of twice the length, from one half of the words to the other."""
        rows = self.rows
        kernel = SortKernel(rows, "merge_runs", self.lanes)
        build = kernel.build
        width, source, target = (kernel.parameter() for _ in range(3))
        moved = self._buffers(kernel)
        length, elements = kernel.index(rows.length), kernel.index(rows.elements)
        number, inside = self._own(kernel)
        with build.when(inside):
            one = build.constant(1)
            place = number % length
            start = number - place
            run = place // width
            is_second = (run % 2).equals(one)
            first = run * width
            pair = build.select(is_second, first - width, first)
            other = build.select(is_second, pair, first + width)
            lower = build.minimum(other, length)
            upper = build.minimum(other + width, length)
            base = source * elements + start
            values = [build.load(buffer, base + place) for buffer in moved]
            key = values[0]

            def searching(low: Value, high: Value) -> Value:
                return low < high

            def halve(low: Value, high: Value) -> Sequence[Value]:
                middle = (low + high) // 2
                value = build.load(moved[0], base + middle)
                smaller = value < key
                before = smaller | (is_second & value.equals(key))
                return (build.select(before, middle + one, low), build.select(before, high, middle))

            low, _ = build.repeat_while((lower, upper), searching, halve)
            at = place - first + (low - lower)
            to = target * elements + (start + (pair + at))
            self._put(kernel, moved, to, values)
        return kernel

    def _read(self, half: int) -> None:
        rows = self.rows
        kernel = SortKernel(rows, "read_keys", self.lanes)
        build = kernel.build
        result, moved = kernel.buffer(rows.result, "out"), self._buffers(kernel)
        number, inside = self._own(kernel)
        with build.when(inside):
            at = kernel.index(half) * kernel.index(rows.elements) + number
            if rows.positions:
                value = build.cast(build.load(moved[1], at), result.dtype)
            else:
                value = self.order.element(build, build.load(moved[0], at))
            build.store(result, number, value)
        kernel.launch(ceil_div(rows.elements, self.lanes), rows.elements)
