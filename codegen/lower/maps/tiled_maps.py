"""Elementwise kernels over tiles of rows and columns."""

from __future__ import annotations

from collections.abc import Callable

from ....ir.expr import ONE, ZERO, Expr, ceil_div, less, lift, maximum, minimum
from ...kernel.nodes import Value
from ..writing.context import NARROW, SQUARE, GroupWriter
from ..writing.nest import Axis, Nest
from .transposed_tiles import write_transposed
from .wrapped_axes import write_along


def write_map(writing: GroupWriter) -> Expr:
    """Writes a lanes loop along the inner axis inside loops over the rows of a tile; returns the number of
    tiles."""
    nest = writing.nest
    stages = writing.group.stages
    if not nest.parallel:
        writing.store_all(stages)
        return ONE
    if _is_narrow(writing):
        return _write_narrow(writing)
    if len(nest.parallel) > 1:
        transposed = write_transposed(writing)
        if transposed is not None:
            return transposed
    *outer, inner = nest.parallel
    stream = writing.stream_flag()

    def run(lower: Value, upper: Value) -> None:
        write_along(writing, inner, lower, upper, lambda: writing.store_all(stages, stream))

    return tile_rows(writing, bool(outer) and _crosses(nest, outer[-1], inner), run)


def _crosses(nest: Nest, outer: Axis, inner: Axis) -> bool:
    """Whether some access runs across the rows; one element for a whole row does not."""
    return any(
        access.steps.get(outer) is ONE and access.steps.get(inner, ZERO) is not ZERO
        for access in nest.accesses
    )


def _is_narrow(writing: GroupWriter) -> bool:
    """Whether the inner axis is too short for vectors (a pixel's colors) and the next outer one is not."""
    nest, decide = writing.nest, writing.context.decide
    if len(nest.parallel) < 2:
        return False
    context, inner = (nest.extents[axis] for axis in nest.parallel[-2:])
    return decide(less(inner, NARROW)) and not decide(less(context, NARROW))


def _write_narrow(writing: GroupWriter) -> Expr:
    """Writes lanes along the axis outside a short inner one, for each of its positions while a tile is
    cached."""
    nest, build = writing.nest, writing.build
    inner = nest.parallel.pop()
    along = nest.parallel[-1]
    stream = writing.stream_flag() if nest.extents[inner] is ONE else None

    def run_at(k: Value, lower: Value, upper: Value) -> None:
        writing.writer.axes[inner] = k
        write_along(writing, along, lower, upper, lambda: writing.store_all(writing.group.stages, stream))

    def run(lower: Value, upper: Value) -> None:
        if nest.extents[inner] is ONE:  # offsets are constants: adjacent stores become stores of vectors
            run_at(build.constant(0), lower, upper)
            return
        with build.loop(*writing.range_of(inner)) as (k,):
            run_at(k, lower, upper)

    groups = tile_rows(writing, False, run, writing.context.machine.tile // NARROW)
    nest.parallel.append(inner)
    return groups


def tile_rows(
    writing: GroupWriter, crossing: bool, run: Callable[[Value, Value], None], elements: int | None = None
) -> Expr:
    """Cuts rows and columns into tiles of about `elements` (None: the group's tile); `run` writes a loop
    over the inner axis."""
    elements = elements or writing.tile()
    nest, build, writer = writing.nest, writing.build, writing.writer
    *outer, inner = nest.parallel
    extent, rows = nest.extents[inner], nest.count(outer)
    width, height = lift(elements), ONE
    if crossing:
        width = height = lift(SQUARE)
    elif outer:
        width = minimum(maximum(extent, 1), elements)
        height = elements // width
    strips = ceil_div(extent, width)

    def strip(number: Value) -> None:
        lower = number * writer.index(width)
        run(lower, build.minimum(lower + writer.index(width), writer.index(extent)))

    group = build.group_id()
    if not outer:
        strip(group)
        return strips
    block = group // writer.index(strips)
    number = group % writer.index(strips)
    writing.each_row(outer, *writing.row_range(block, height, rows), lambda: strip(number))
    return ceil_div(rows, height) * strips
