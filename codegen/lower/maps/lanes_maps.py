"""Elementwise kernels for workgroups of many lanes: teams of lanes take rows, neighbouring lanes neighbouring
columns.

Where a load runs along another axis than the stores, a square tile of it goes through shared memory: lanes
lie along its axis when they load it and along theirs when they use it. Its rows are padded by one element,
so that the lanes of a team read from different banks both ways.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ....ir.expr import Expr, ceil_div, less, lift, maximum, minimum
from ....ir.types import BOOL
from ...kernel.nodes import Value
from ..machine import TEAM
from ..writing.context import NARROW, GroupWriter
from ..writing.nest import Access, Axis
from .tiled_maps import write_map
from .transposed_tiles import fill_tiles, store_from_tiles, transposed_loads

WIDTH = 256
"""The most columns of a tile."""
SIDE = TEAM
"""Rows and columns of a tile that is transposed."""


def write_map_on_lanes(writing: GroupWriter) -> Expr:
    """Returns the number of workgroups."""
    parallel = writing.nest.parallel
    if len(parallel) < 2:
        return write_map(writing)
    across, transposed = transposed_loads(writing, SIDE * (SIDE + 1), writing.context.machine.shared_bytes)
    if across is not None:
        return _TransposedTiles(writing, across, transposed).write()
    return over_tiles(writing, lambda: writing.store_all(writing.group.stages))


def write_window_update_on_lanes(writing: GroupWriter) -> Expr:
    """Writes an array in one pass: values in the window of an update, elsewhere the old elements."""
    build, writer = writing.build, writing.writer
    whole, part = writing.group.stages
    window = part.window
    assert window is not None

    def element() -> None:
        inside = build.constant(True, BOOL)
        for axis, own, start, extent in zip(whole.axes, part.axes, window.starts, part.space, strict=True):
            position, first = writer.axes[axis], writer.index(lift(start))
            writer.axes[own] = position - first
            last = writer.index(lift(start) + lift(extent))
            inside = inside & (first <= position)
            inside = inside & (position < last)
        with build.when(inside):
            writing.store_all([part])
        with build.when(~inside):
            writing.store_all([whole])

    return over_tiles(writing, element)


def over_tiles(writing: GroupWriter, element: Callable[[], None]) -> Expr:
    """Writes `element` once, with the position on every axis set; returns the number of tiles."""
    machine, nest, build, writer = writing.context.machine, writing.nest, writing.build, writing.writer
    writing.workgroup = machine.lanes
    *outer, inner = nest.parallel
    extent, rows = nest.extents[inner], nest.count(outer)
    lane, group = build.lane_id(), build.group_id()
    if not outer or writing.context.decide(less(extent, NARROW)):
        # Too short for a team: elements of all rows by a linear index.
        tile, count = build.constant(machine.tile), rows * extent
        lower = group * tile
        upper = build.minimum(lower + tile, writer.index(count))
        with build.loop(lower + lane, upper, machine.lanes) as (linear,):
            writing.set_axes(nest.parallel, linear)
            element()
        return ceil_div(count, machine.tile)
    team = build.constant(TEAM)
    width = minimum(maximum(extent, 1), WIDTH)
    height, strips = machine.tile // width, ceil_div(extent, width)
    block, number = divmod(group, writer.index(strips))
    top, bottom = writing.row_range(block, height, rows)
    left = number * writer.index(width)
    right = build.minimum(left + writer.index(width), writer.index(extent))
    first = top + lane // team
    with build.loop(first, bottom, machine.lanes // TEAM) as (row,):
        writing.set_axes(outer, row)
        with build.loop(left + lane % team, right, team) as (column,):
            writer.axes[inner] = column
            element()
    return ceil_div(rows, height) * strips


class _TransposedTiles:
    """A map over square tiles of two axes, some of whose loads go through shared memory."""

    def __init__(self, writing: GroupWriter, across: Axis, transposed: Sequence[Access]) -> None:
        self.writing = writing
        self.across = across
        self.inner = writing.nest.parallel[-1]
        self.transposed = transposed
        lane = writing.build.lane_id()
        self.along, self.team = lane % SIDE, lane // SIDE

    def write(self) -> Expr:
        writing, build, writer, nest = (
            self.writing,
            self.writing.build,
            self.writing.writer,
            self.writing.nest,
        )
        writing.workgroup = writing.context.machine.lanes
        rest = [axis for axis in nest.parallel if axis not in (self.across, self.inner)]
        down, right = (ceil_div(nest.extents[axis], SIDE) for axis in (self.across, self.inner))
        tiles = [
            (build.allocate(access.memory.dtype, SIDE * (SIDE + 1), "shared"), access)
            for access in self.transposed
        ]
        group = build.group_id()
        tile, number = divmod(group, writer.index(right))
        side = build.constant(SIDE)
        writing.set_axes(rest, tile // writer.index(down))
        top = tile % writer.index(down) * side
        left = number * side
        pitch = build.constant(SIDE + 1)

        def load(line: Value) -> None:
            at = line * pitch + self.along
            fill_tiles(writing, tiles, at)

        def use(line: Value) -> None:
            at = self.along * pitch + line
            store_from_tiles(writing, tiles, at)

        self._lines(lambda line: (top + self.along, left + line), load)
        build.barrier()
        self._lines(lambda line: (top + line, left + self.along), use)
        return nest.count(rest) * down * right

    def _lines(self, place: Callable[[Value], tuple[Value, Value]], element: Callable[[Value], None]) -> None:
        """Loops with lanes along one side of the tile and teams along the other; `place` returns (across,
        inner)."""
        build, writer, nest = self.writing.build, self.writing.writer, self.writing.nest
        teams = build.constant(self.writing.context.machine.lanes // TEAM)
        with build.loop(self.team, SIDE, teams) as (line,):
            position = dict(zip((self.across, self.inner), place(line), strict=True))
            inside = [at < writer.index(nest.extents[axis]) for axis, at in position.items()]
            writer.axes.update(position)
            with build.when(build.emit("and", inside)):
                element(line)
