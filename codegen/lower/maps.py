"""Maps: every element by itself. Tiles of rows and columns; a map may fill an array piece by piece."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext

from ...ir.expr import ONE, Expr, add, ceil_div, floor_div, less, lift, maximum, minimum, mul
from ...ir.types import BOOL
from ..kernel.nodes import Value
from .context import NARROW, SQUARE, GroupWriter
from .turns import write_along

LEAST_STREAMED_BYTES = 2048
"""Of a row that is written piece by piece: where pieces meet, lines of the cache are filled by several
stores, and rows shorter than this lose more there than they gain past the caches."""


def write_map(writing: GroupWriter) -> Expr:
    """One lanes loop along the inner axis inside loops over the rows of a tile; gives the number of tiles."""
    nest = writing.nest
    stages = writing.group.stages
    if not nest.parallel:
        writing.store_all(stages)
        return ONE
    if _is_narrow(writing):
        return _write_narrow(writing)
    if len(nest.parallel) > 1:
        from .turned import write_turned  # one axis has nothing to be turned around

        turned = write_turned(writing)
        if turned is not None:
            return turned
    *outer, inner = nest.parallel
    stream = writing.stream_flag()

    def run(lower: Value, upper: Value) -> None:
        write_along(writing, inner, lower, upper, lambda: writing.store_all(stages, stream))

    crossing = bool(outer) and any(access.steps.get(outer[-1]) is ONE for access in nest.accesses)
    return _tiles(writing, crossing, run)


def _is_narrow(writing: GroupWriter) -> bool:
    """Whether the inner axis is too short for vectors (a pixel's colors) and the one around it is not."""
    nest, decide = writing.nest, writing.around.decide
    if len(nest.parallel) < 2:
        return False
    around, inner = (nest.extents[axis] for axis in nest.parallel[-2:])
    return decide(less(inner, NARROW)) and not decide(less(around, NARROW))


def _write_narrow(writing: GroupWriter) -> Expr:
    """Lanes along the axis around a short inner one, for each position on that while the tile is in cache."""
    nest, build = writing.nest, writing.build
    inner = nest.parallel.pop()
    along = nest.parallel[-1]

    def run(lower: Value, upper: Value) -> None:
        with build.loop(*writing.range_of(inner)) as (k,):
            writing.writer.axes[inner] = k
            write_along(writing, along, lower, upper, lambda: writing.store_all(writing.group.stages))

    groups = _tiles(writing, False, run, writing.around.machine.tile // NARROW)
    nest.parallel.append(inner)
    return groups


def _tiles(
    writing: GroupWriter, crossing: bool, run: Callable[[Value, Value], None], elements: int | None = None
) -> Expr:
    """Cut rows and columns into tiles of about `elements` (None: as the machine has it); `run` writes a loop
    over the inner axis."""
    elements = elements or writing.around.machine.tile
    nest, build, writer = writing.nest, writing.build, writing.writer
    *outer, inner = nest.parallel
    extent, rows = nest.extents[inner], nest.count(outer)
    width, height = lift(elements), ONE
    if crossing:
        width = height = lift(SQUARE)
    elif outer:
        width = minimum(maximum(extent, 1), elements)
        height = floor_div(elements, width)
    strips = ceil_div(extent, width)

    def strip(number: Value) -> None:
        lower = build.mul(number, writer.index(width))
        run(lower, build.emit("minimum", (build.add(lower, writer.index(width)), writer.index(extent))))

    group = build.group_id()
    if not outer:
        strip(group)
        return strips
    block = build.emit("quotient", (group, writer.index(strips)))
    number = build.emit("remainder", (group, writer.index(strips)))
    with writing.row_loop(block, height, rows) as (r,):
        writing.set_axes(outer, r)
        strip(number)
    return mul(ceil_div(rows, height), strips)


def write_pieces(writing: GroupWriter) -> Expr:
    """An array in one pass: the window of it that an update writes, the rest from what was there before."""
    nest, build, writer = writing.nest, writing.build, writing.writer
    *outer, inner = nest.parallel
    whole, part = writing.group.stages
    window = part.window
    assert window is not None
    at = {axis: position for position, axis in enumerate(whole.axes)}
    row_bytes = mul(nest.extents[inner], whole.node.dtype.itemsize)
    stream = writing.stream_flag(less(LEAST_STREAMED_BYTES - 1, row_bytes))

    def limits(axis: int) -> tuple[Value, Value]:
        position = at[axis]
        start = lift(window.starts[position])
        return writer.index(start), writer.index(add(start, lift(part.space[position])))

    def run_base(lower: Value, upper: Value) -> None:
        with build.loop(lower, upper, kind="lanes") as (i,):
            writer.axes[inner] = i
            writing.store_all([whole], stream)

    def run(lower: Value, upper: Value) -> None:
        inside = build.constant(True, BOOL)
        for axis in outer:
            first, last = limits(axis)
            position = writer.axes[axis]
            inside = build.emit("and", (inside, build.emit("le", (first, position))))
            inside = build.emit("and", (inside, build.emit("lt", (position, last))))
            writer.axes[part.axes[at[axis]]] = build.sub(position, first)
        first, last = limits(inner)

        def clip(value: Value) -> Value:
            return build.emit("minimum", (build.emit("maximum", (value, lower)), upper))

        begin = build.emit("select", (inside, clip(first), upper))
        end = build.emit("select", (inside, clip(last), upper))
        run_base(lower, begin)
        # What a row of the window reads once must not be read for rows beside it.
        begin, stop = build.sub(begin, first), build.sub(end, first)
        with build.when(inside) if outer else nullcontext(), build.loop(begin, stop, kind="lanes") as (j,):
            writer.axes[part.axes[at[inner]]] = j
            writing.store_all([part], stream)
        run_base(end, upper)

    return _tiles(writing, False, run)
