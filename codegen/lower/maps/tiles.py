"""Pipelines over tiles: a workgroup computes, of every array that others of the group read, the part for its
current tile of the results.

That part lies in scratch memory, one tile after another in the same place, so that it stays in the cache. It
is the tile with a halo on each side, clipped to the array.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

from ....ir.expr import Expr, ceil_div, less, lift, maximum, minimum, product
from ....ir.node import Node
from ....ir.passes.groups import Group
from ....ir.passes.stages import Stage
from ....ir.passes.tiles import tile_extents
from ....ir.types import BOOL
from ...kernel.nodes import Value
from ..writing.context import GroupWriter, Schedule
from ..writing.writer import Memory, contiguous
from .window_updates import LEAST_STREAMED_BYTES
from .wrapped_axes import write_along

if TYPE_CHECKING:
    from ..lowering import Lowering, Scope

TOGETHER = 16
"""The most tiles of a workgroup: its scratch memory is evicted to main memory once in the end, as are the
results."""

Range = tuple[Value, Value]


class Tiling:
    """The tiles into which the results of a group are cut."""

    def __init__(self, group: Group) -> None:
        self.extents = extents = tuple(map(lift, group.stages[-1].node.shape))
        self.tile = tile_extents(extents)
        self.counts = [ceil_div(extent, size) for extent, size in zip(extents, self.tile, strict=True)]
        self.count = product(self.counts)
        self.together = maximum(minimum(self.count // TOGETHER, TOGETHER), 1)
        self.groups = ceil_div(self.count, self.together)
        self.parts = {
            array: [size + margin for size, margin in zip(self.tile, reach.margins, strict=True)]
            for array, reach in group.reaches.items()
        }
        """The extents of each array's part in scratch memory."""


def place_in_scratch(lowering: Lowering, group: Group, scope: Scope) -> None:
    """Allocates scratch memory for the parts of arrays."""
    tiling = Tiling(group)
    for array in dict.fromkeys(group.scratch.values()):
        part = tiling.parts[array]
        memory = lowering.allocate((tiling.groups, *part), array.dtype, scope)
        scratch = Memory(memory.buffer, array.dtype, contiguous(part))
        scope.memories.update({node: scratch for node, root in group.scratch.items() if root is array})


class Tiles(Schedule):
    def __init__(self, writing: GroupWriter) -> None:
        super().__init__(writing)
        self.tiling = Tiling(writing.group)

    def write(self) -> Expr:
        build, index, tiling = self.build, self.writer.index, self.tiling
        row_bytes = tiling.extents[-1] * self.group.stages[-1].node.dtype.itemsize
        self.stream = self.writing.stream_flag(less(LEAST_STREAMED_BYTES - 1, row_bytes))
        group = build.group_id()
        first = group * index(tiling.together)
        last = build.minimum(first + index(tiling.together), index(tiling.count))
        with build.loop(first, last) as (number,):
            tile = self._tile(number)
            stages = list(self.group.stages)
            while stages:
                stage = stages.pop(0)
                box = self._box(self._moved(stage, group, tile), tile)
                if stages and stages[0].after == (stage,) and stages[0].node is stage.node:
                    self._write_window_update(stage, stages.pop(0), box)
                    continue
                together = [stage]
                while stages and self._alike(stage, stages[0]):
                    self._moved(stages[0], group, tile)
                    together.append(stages.pop(0))
                with self._rows(stage, ranges := self._within(stage, box)):
                    self._write_row(together, *ranges[-1])
        return tiling.groups

    def _tile(self, number: Value) -> list[Range]:
        """Returns the window of a tile."""
        build, index, tile = self.build, self.writer.index, list[Range]()
        for extent, size, count in reversed(
            list(zip(self.tiling.extents, self.tiling.tile, self.tiling.counts, strict=True))
        ):
            place = number
            if len(tile) < len(self.tiling.extents) - 1:
                place = number % index(count)
                number = number // index(count)
            lower = place * index(size)
            upper = build.minimum(lower + index(size), index(extent))
            tile.append((lower, upper))
        return tile[::-1]

    def _alike(self, stage: Stage, other: Stage) -> bool:
        """Whether two stages have the same loops, and write whole arrays."""
        reaches = (self.group.reaches[self._array(each)] for each in (stage, other))
        return (
            stage.window is None is other.window
            and stage.axes == other.axes
            and stage.space == other.space
            and len(set(reaches)) == 1
        )

    def _array(self, stage: Stage) -> Node:
        return self.group.scratch.get(stage.node, stage.node)

    def _moved(self, stage: Stage, group: Value, tile: Sequence[Range]) -> Node:
        """Returns the array that a stage writes, with positions relative to its part in scratch memory from
        here on."""
        array = self._array(stage)
        if stage.node not in self.group.scratch:
            return array
        index = self.writer.index
        memory, part = self.writer.memories[array], self.tiling.parts[array]
        origin = group * index(product(part))
        for (lower, _), reach, stride in zip(
            tile, self.group.reaches[array].lower, memory.strides, strict=True
        ):
            begin = lower + index(reach)
            origin = origin - begin * index(stride)
        self.writer.origins[memory.buffer] = origin
        return array

    def _box(self, array: Node, tile: Sequence[Range]) -> list[Range]:
        """Returns the window of an array that a tile needs, clipped to the array."""
        build, index, reach = self.build, self.writer.index, self.group.reaches[array]
        return [
            (
                build.maximum(lower + index(before), 0),
                build.minimum(upper + index(after), index(lift(extent))),
            )
            for (lower, upper), before, after, extent in zip(
                tile, reach.lower, reach.upper, array.shape, strict=True
            )
        ]

    def _within(self, stage: Stage, box: Sequence[Range]) -> list[Range]:
        """Restricts a stage to the positions that write to a part of its array."""
        if stage.window is None:
            return list(box)
        build, index = self.build, self.writer.index
        ranges = []
        for (lower, upper), start, extent in zip(box, stage.window.starts, stage.space, strict=True):
            first = index(lift(start))
            begin = build.maximum(lower - first, 0)
            end = build.minimum(upper - first, index(lift(extent)))
            ranges.append((begin, end))
        return ranges

    @contextmanager
    def _rows(self, stage: Stage, ranges: Sequence[Range]) -> Iterator[None]:
        with ExitStack() as stack:
            for axis, (lower, upper) in zip(stage.axes[:-1], ranges[:-1], strict=True):
                (self.writer.axes[axis],) = stack.enter_context(self.build.loop(lower, upper))
            yield

    def _write_row(self, stages: Sequence[Stage], lower: Value, upper: Value) -> None:
        self.writer.computing = {stage.node for stage in stages if stage.value is stage.node}
        along = stages[0].axes[-1]
        write_along(self.writing, along, lower, upper, lambda: self.writing.store_all(stages, self.stream))

    def _write_window_update(self, whole: Stage, part: Stage, box: Sequence[Range]) -> None:
        """Writes an update row by row, with the old elements on both sides."""
        build, index = self.build, self.writer.index
        assert part.window is not None
        ranges = self._within(part, box)
        with self._rows(whole, box):
            inside = build.constant(True, BOOL)
            *outer, start = (index(lift(each)) for each in part.window.starts)
            for axis, own, first, (lower, upper) in zip(whole.axes, part.axes, outer, ranges, strict=False):
                place = self.writer.axes[axis] - first
                self.writer.axes[own] = place
                inside = inside & (lower <= place)
                inside = inside & (place < upper)
            (left, right), (lower, upper) = box[-1], ranges[-1]

            def limit(value: Value) -> Value:
                bounded = build.maximum(value + start, left)
                return build.select(inside, build.minimum(bounded, right), right)

            begin, end = limit(lower), limit(build.maximum(lower, upper))
            self._write_row([whole], left, begin)
            self._write_row([part], begin - start, end - start)
            self._write_row([whole], end, right)
