"""Maps: every element by itself. Tiles of rows and columns; a map may fill an array piece by piece."""

from __future__ import annotations

from collections.abc import Callable

from ...ir.expr import ONE, Expr, add, ceil_div, floor_div, lift, maximum, minimum, mul
from ...ir.passes.stages import Stage
from ...ir.types import BOOL
from ..kernel.nodes import Value
from .context import TILE, GroupWriter

SQUARE = 64
"""Rows and columns of a tile where accesses run along different axes, so that cache lines are used whole."""


def write_map(writing: GroupWriter) -> Expr:
    """One lanes loop along the inner axis inside loops over the rows of a tile; gives the number of tiles."""
    nest, build = writing.nest, writing.build
    stages = writing.group.stages
    if not nest.parallel:
        with build.loop(build.constant(0), build.constant(1), kind="lanes"):
            writing.store_all(stages)
        return ONE
    *outer, inner = nest.parallel
    stream = writing.stream_flag()

    def run(lower: Value, upper: Value) -> None:
        with build.loop(lower, upper, kind="lanes") as (i,):
            writing.writer.axes[inner] = i
            writing.store_all(stages, stream)

    crossing = bool(outer) and any(access.steps.get(outer[-1]) is ONE for access in nest.accesses)
    return _tiles(writing, crossing, run)


def _tiles(writing: GroupWriter, crossing: bool, run: Callable[[Value, Value], None]) -> Expr:
    """Cut rows and columns into tiles; `run` writes the loop over a range of the inner axis."""
    nest, build, writer = writing.nest, writing.build, writing.writer
    *outer, inner = nest.parallel
    extent, rows = nest.extents[inner], nest.count(outer)
    width, height = lift(TILE), ONE
    if crossing:
        width = height = lift(SQUARE)
    elif outer:
        width = minimum(maximum(extent, 1), TILE)
        height = floor_div(TILE, width)
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


def write_pieces(writing: GroupWriter, whole: Stage, part: Stage) -> Expr:
    """An array in one pass: the window of it that an update writes, the rest from what was there before."""
    nest, build, writer = writing.nest, writing.build, writing.writer
    *outer, inner = nest.parallel
    window = part.window
    assert window is not None
    at = {axis: position for position, axis in enumerate(whole.axes)}
    stream = writing.stream_flag()

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
        with build.loop(build.sub(begin, first), build.sub(end, first), kind="lanes") as (j,):
            writer.axes[part.axes[at[inner]]] = j
            writing.store_all([part], stream)
        run_base(end, upper)

    return _tiles(writing, False, run)
