"""Loads that run along another axis than the stores: a square tile of them is transposed in scratch memory.

Read in place, such loads take one element of a cache line for each row of the tile; with strides of a power
of two those lines evict each other before the next row.
"""

from __future__ import annotations

from collections.abc import Sequence

from ....ir.expr import ONE, ZERO, Expr, ceil_div, less
from ....ir.index import is_run_time
from ...kernel.nodes import Buffer, Value
from ..writing.context import NARROW, SQUARE, GroupWriter
from ..writing.nest import Access, Axis
from ..writing.writer import Key

PITCH = SQUARE + 16
"""Elements from one row of a transposed tile to the next: rows start in different sets of the cache."""

Tiles = Sequence[tuple[Buffer, Access]]
"""Scratch memory, and the load whose elements are transposed in it."""


def transposed_loads(writing: GroupWriter, tile_elements: int, room: int) -> tuple[Axis | None, list[Access]]:
    """Returns an axis along which loads move by one element that do not along the inner one, and those loads;
    their tiles take at most `room` bytes."""
    nest = writing.nest
    *outer, inner = nest.parallel
    for axis in reversed(outer):
        found: dict[Key, Access] = {}
        left = room
        for access in nest.accesses:
            along, inward = access.steps.get(axis, ZERO), access.steps.get(inner, ZERO)
            if access.key is None or along is not ONE or inward is ZERO or inward is ONE:
                continue
            nbytes = tile_elements * access.memory.dtype.itemsize
            # Constant positions may be those of an unrolled reduction: one load of many.
            dims = access.key[1]
            plain = all(dim.axis is not None and not dim.more for dim in dims) and not is_run_time(dims)
            if plain and access.key not in found and nbytes <= left:
                found[access.key] = access
                left -= nbytes
        if found:
            return axis, list(found.values())
    return None, []


def write_transposed(writing: GroupWriter) -> Expr | None:
    """Writes a map over square tiles; returns the number of tiles, None where no transposition pays."""
    nest, decide = writing.nest, writing.context.decide
    across, loads = transposed_loads(writing, SQUARE * PITCH, 1 << 16)
    if across is None or any(
        decide(less(nest.extents[axis], NARROW)) for axis in (across, nest.parallel[-1])
    ):
        return None
    return _write(writing, across, loads)


def _write(writing: GroupWriter, across: Axis, loads: Sequence[Access]) -> Expr:
    nest, build, writer = writing.nest, writing.build, writing.writer
    inner = nest.parallel[-1]
    rest = [axis for axis in nest.parallel if axis not in (across, inner)]
    down, right = (ceil_div(nest.extents[axis], SQUARE) for axis in (across, inner))
    stream = writing.stream_flag()
    tiles = [(build.allocate(access.memory.dtype, SQUARE * PITCH), access) for access in loads]
    tile, number = divmod(build.group_id(), writer.index(right))
    writing.set_axes(rest, tile // writer.index(down))
    top, bottom = _side(writing, across, tile % writer.index(down))
    left, end = _side(writing, inner, number)
    pitch, zero = build.constant(PITCH), build.constant(0)
    height, width = bottom - top, end - left
    with build.loop(zero, width) as (column,):
        writer.axes[inner] = left + column
        start = column * pitch
        with build.loop(zero, height, kind="lanes") as (row,):
            writer.axes[across] = top + row
            at = start + row
            fill_tiles(writing, tiles, at)
    with build.loop(zero, height) as (row,):
        writer.axes[across] = top + row
        with build.loop(zero, width, kind="lanes") as (column,):
            writer.axes[inner] = left + column
            at = column * pitch + row
            store_from_tiles(writing, tiles, at, stream)
    return nest.count(rest) * down * right


def _side(writing: GroupWriter, axis: Axis, number: Value) -> tuple[Value, Value]:
    """Returns the start and the end of a tile on an axis."""
    build, writer = writing.build, writing.writer
    start = number * SQUARE
    return start, build.minimum((start + SQUARE), writer.index(writing.nest.extents[axis]))


def fill_tiles(writing: GroupWriter, tiles: Tiles, at: Value) -> None:
    """Stores the loaded elements of the current position, at place `at` of each tile."""
    for buffer, access in tiles:
        assert access.key is not None
        writing.build.store(buffer, at, writing.writer.load(access.memory, access.key[1]))


def store_from_tiles(writing: GroupWriter, tiles: Tiles, at: Value, stream: Value | None = None) -> None:
    """Writes the group's stages at the current position, with transposed loads from place `at` of the
    tiles."""
    writing.writer.staged = {access.key: (buffer, at) for buffer, access in tiles if access.key is not None}
    writing.store_all(writing.group.stages, stream)
    writing.writer.staged = {}
