"""Matrix products as kernels: tiles of both operands in shared memory, a block of results in each lane.

A workgroup computes a tile of the product. It walks along the inner axis by a few elements at a time: what
the lanes loaded before goes to shared memory, the next elements are asked for, and while these are under way
every lane multiplies from shared memory into its own results. A lane's results lie apart by the number of
lanes in each direction, so that neighbouring lanes read and write neighbouring elements. At the end the tile
is stored, with what other stages make of it.

Where shared memory is no faster than other memory, as on software devices, every lane reads its lines of the
operands in place, without barriers.

Each result is the sum of its products in the order of the inner axis, from zero, in the operands' dtype; with
`fma` every step rounds once. Of a long inner axis the workgroups sum parts (see `blocked_reductions`).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from ....ir import ops
from ....ir.expr import ONE, Expr, ceil_div, less, lift
from ....ir.node import Node
from ....ir.record import record
from ...kernel.nodes import Buffer, Value
from ..machine import Machine
from ..writing.accumulators import add_product
from ..writing.context import GroupWriter
from ..writing.nest import Axis
from ..writing.writer import memory_of_view
from .panels import store_product, within_batch

LARGE = 1 << 20
"""The least number of results for which tiles four times as large still occupy a device."""

FEW = 1024
"""The least results of a matrix for which a lane that reads its operands in place computes several."""


class Tiling(metaclass=record):
    """Lanes across and down a workgroup's tile, results of a lane each way, inner elements at a time."""

    across: int
    down: int
    each: int
    depth: int

    @property
    def rows(self) -> int:
        return self.down * self.each

    @property
    def columns(self) -> int:
        return self.across * self.each

    @property
    def padding(self) -> int:
        """Elements after each line in shared memory: lanes along the inner axis write different banks."""
        return max(32 // self.depth, 1)

    def elements(self) -> int:
        """Elements of shared memory."""
        return self.depth * (self.rows + self.columns + 2 * self.padding)


def tilings(machine: Machine, itemsize: int) -> list[Tiling]:
    """Returns the tilings for a machine, small tiles first."""
    across, down = _lanes_each_way(machine)
    found = []
    for each, depth in ((4, 16), (8, 8)):
        tiling = Tiling(across, down, each, depth)
        while machine.lanes > 1 and tiling.elements() * itemsize > machine.shared_bytes and tiling.depth > 1:
            tiling = Tiling(across, down, each, tiling.depth // 2)
        # 64 results of 8 bytes would leave a lane no registers.
        if each == 4 or (machine.lanes >= 256 and tiling.depth == depth and itemsize <= 4):
            found.append(tiling)
    return found


def in_place_tiling(machine: Machine, few: bool) -> Tiling:
    """Returns the tiling of lanes that read operands in place; `few`: a lane each for few results."""
    across, down = _lanes_each_way(machine)
    return Tiling(across, down, 1 if few else 4, 1)


def _lanes_each_way(machine: Machine) -> tuple[int, int]:
    across = 1
    while across * across < machine.lanes:
        across *= 2
    return across, machine.lanes // across


def write_product(writing: GroupWriter) -> Expr:
    """Returns the number of workgroups."""
    stage = writing.group.stages[0]
    if not writing.context.machine.fast_shared:
        results = writing.nest.count(stage.axes[-2:])
        few = writing.context.decide(less(results, FEW))
        return _Product(writing, in_place_tiling(writing.context.machine, few)).write()
    sizes = tilings(writing.context.machine, ops.accumulator(stage.node.dtype).itemsize)
    large = len(sizes) > 1 and not writing.context.decide(less(writing.nest.count(stage.axes), LARGE))
    return _Product(writing, sizes[1 if large else 0]).write()


class _Operand:
    """One operand: the positions of its elements, and the elements of a tile that this lane loads."""

    def __init__(
        self, product: _Product, node: Node, inner: int, lines: int, first: Value, extent: Value
    ) -> None:
        """`inner`: the operand's axis that is summed over; a tile has `lines` along the other."""
        self.product = product
        build, writer = product.build, product.writing.writer
        memory = memory_of_view(node, writer.memories)
        *batch, row, column = memory.strides
        strides = (row, column)
        self.source: Buffer = writer.buffer(memory.buffer, memory.dtype)
        self.step = writer.index(strides[inner])
        depth = product.tiling.depth
        self.pitch = lines + product.tiling.padding
        self.dtype = ops.accumulator(node.dtype)
        self.shared = build.allocate(self.dtype, depth * self.pitch, "shared")
        along_inner = strides[inner] is ONE
        fast = build.constant(depth if along_inner else lines)
        stride, offset = writer.index(strides[1 - inner]), writer.index(memory.offset)
        for position, step in zip(product.batch, batch, strict=True):
            offset = offset + position * writer.index(step)
        self.parts: list[tuple[Value, Value, Value, Value]] = []
        """For each element: its positions on the inner axis, in shared memory and in the operand, and whether
        its line exists."""
        for number in range(0, depth * lines, product.lanes):
            running = product.lane + number
            near, far = (build.emit(name, (running, fast)) for name in ("remainder", "quotient"))
            at, line = (near, far) if along_inner else (far, near)
            place = at * self.pitch + line
            line = first + line
            position = offset + line * stride
            self.parts.append((at, place, position, line < extent))

    def load(self, start: Value, stop: Value) -> list[Value]:
        """Loads this lane's elements of the tile that starts at `start` on the inner axis; 0 outside."""
        build = self.product.build
        values = []
        for at, _place, position, there in self.parts:
            inner = start + at
            mask = there & (inner < stop)
            position = position + inner * self.step
            values.append(build.cast(build.load(self.source, position, mask), self.dtype))
        return values

    def share(self, values: Sequence[Value]) -> None:
        for (_at, place, _position, _there), value in zip(self.parts, values, strict=True):
            self.product.build.store(self.shared, place, value)

    def read(self, at: Value, first: Value, apart: int) -> list[Value]:
        """Reads the elements of inner position `at` for this lane's results."""
        build = self.product.build
        base = at * self.pitch + first
        return [build.load(self.shared, base + number * apart) for number in range(self.product.tiling.each)]


class _InPlace:
    """One operand in memory: where the lines of this lane's results start. Beyond the last line that one is
    read again."""

    def __init__(
        self, product: _Product, node: Node, inner: int, first: Value, apart: int, extent: Value
    ) -> None:
        """`inner`: the operand's axis that is summed over; `first`, `apart`: the lane's lines."""
        self.build = product.build
        build, writer = product.build, product.writing.writer
        memory = memory_of_view(node, writer.memories)
        *batch, row, column = memory.strides
        strides = (row, column)
        self.source: Buffer = writer.buffer(memory.buffer, memory.dtype)
        self.step = writer.index(strides[inner])
        self.dtype = ops.accumulator(node.dtype)
        offset = writer.index(memory.offset)
        for position, step in zip(product.batch, batch, strict=True):
            offset = offset + position * writer.index(step)
        last, stride = extent - 1, writer.index(strides[1 - inner])
        self.lines = [
            offset + build.minimum(first + number * apart, last) * stride
            for number in range(product.tiling.each)
        ]

    def read(self, at: Value) -> list[Value]:
        """Reads the elements of inner position `at` for this lane's results."""
        build, along = self.build, at * self.step
        return [build.cast(build.load(self.source, line + along), self.dtype) for line in self.lines]


class _Product:
    def __init__(self, writing: GroupWriter, tiling: Tiling) -> None:
        self.writing = writing
        self.build = writing.build
        self.tiling = tiling
        self.lanes = writing.workgroup = writing.context.machine.lanes
        self.lane = self.build.lane_id()
        self.stage = writing.group.stages[0]

    def write(self) -> Expr:
        writing, build, writer, tiling = self.writing, self.build, self.writing.writer, self.tiling
        x, y = self.stage.node.inputs
        *batch_axes, row_axis, column_axis = self.stage.axes
        rows, columns = (writer.index(writing.nest.extents[axis]) for axis in (row_axis, column_axis))
        start, extent = build.constant(0), writer.index(lift(x.shape[-1]))
        strips = ceil_div(writing.nest.extents[column_axis], tiling.columns)
        blocks = ceil_div(writing.nest.extents[row_axis], tiling.rows)
        group, parts_of_inner = writing.take_block(build.group_id())
        across = build.constant(tiling.across)
        if writing.blocks is not None:
            start, extent = writing.range_of(writing.blocks.axis)
        tile_number = within_batch(writing, group, blocks * strips)
        self.batch = [writer.axes[axis] for axis in batch_axes]
        block, strip = divmod(tile_number, writer.index(strips))
        top = block * tiling.rows
        left = strip * tiling.columns
        down_lane, across_lane = divmod(self.lane, across)
        lane = down_lane, across_lane
        if writing.context.machine.fast_shared:
            first = _Operand(self, x, 1, tiling.rows, top, rows)
            second = _Operand(self, y, 0, tiling.columns, left, columns)
            results = self._through_shared_memory(first, second, lane, start, extent)
        else:
            lines = _InPlace(self, x, 1, top + down_lane, tiling.down, rows)
            others = _InPlace(self, y, 0, left + across_lane, tiling.across, columns)
            zeros = [build.constant(0, lines.dtype)] * tiling.each**2
            results = build.carry(
                start, extent, zeros, lambda at, *sums: self._added(sums, lines.read(at), others.read(at))
            )
        places = {
            row_axis: (top + down_lane, tiling.down, rows),
            column_axis: (left + across_lane, tiling.across, columns),
        }
        self._store(results, places)
        return writing.nest.count(batch_axes) * (blocks * strips) * parts_of_inner

    def _added(self, sums: Sequence[Value], xs: Sequence[Value], ys: Sequence[Value]) -> list[Value]:
        """Adds a product to each of this lane's sums."""
        pairs, fma = product(xs, ys), self.writing.context.machine.fma
        return [add_product(self.build, known, *pair, fma) for pair, known in zip(pairs, sums, strict=True)]

    def _through_shared_memory(
        self, first: _Operand, second: _Operand, lane: tuple[Value, Value], start: Value, extent: Value
    ) -> Sequence[Value]:
        """Returns the sums over the inner axis from `start` to `extent`."""
        build, tiling, parts = self.build, self.tiling, len(first.parts)

        def multiply(at: Value, *sums: Value) -> list[Value]:
            xs = first.read(at, lane[0], tiling.down)
            ys = second.read(at, lane[1], tiling.across)
            return self._added(sums, xs, ys)

        def tile(start: Value, *carried: Value) -> list[Value]:
            sums, prefetched = carried[: tiling.each**2], carried[tiling.each**2 :]
            first.share(prefetched[:parts])
            second.share(prefetched[parts:])
            build.barrier()
            following = start + tiling.depth
            prefetched = (*first.load(following, extent), *second.load(following, extent))
            sums = build.carry(0, tiling.depth, sums, multiply)
            build.barrier()
            return [*sums, *prefetched]

        zero = build.constant(0, first.dtype)
        initial = [zero] * tiling.each**2 + first.load(start, extent) + second.load(start, extent)
        return build.carry(start, extent, initial, tile, tiling.depth)[: tiling.each**2]

    def _store(self, results: Sequence[Value], places: dict[Axis, tuple[Value, int, Value]]) -> None:
        """Stores this lane's results, and those of the other stages."""
        results = [self.build.cast(value, self.stage.node.dtype) for value in results]
        writing, build, each = self.writing, self.build, self.tiling.each
        if len(writing.group.stages) == 1:
            for number, value in enumerate(results):
                offsets = [build.constant(part) for part in divmod(number, each)]
                with build.when(self._place(offsets, places)):
                    store_product(writing, value)
            return

        # The epilogue is written once, in loops that rotate a lane's results through registers.
        def row(i: Value, *values: Value) -> list[Value]:
            def element(j: Value, *rest: Value) -> list[Value]:
                with build.when(self._place((i, j), places)):
                    store_product(writing, rest[0])
                return [*rest[1:], rest[0]]

            build.carry(0, each, values[:each], element)
            return [*values[each:], *values[:each]]

        build.carry(0, each, results, row)

    def _place(self, offsets: Sequence[Value], places: dict[Axis, tuple[Value, int, Value]]) -> Value:
        """Sets the position of a result; returns whether it is inside of the product."""
        inside = []
        for offset, (axis, (first, apart, extent)) in zip(offsets, places.items(), strict=True):
            at = first + offset * apart
            self.writing.writer.axes[axis] = at
            inside.append(at < extent)
        return inside[0] & inside[1]
