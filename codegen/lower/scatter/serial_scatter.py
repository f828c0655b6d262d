"""Ordered writes at run-time positions where several elements may have one place.

On a processor, rows: every workgroup visits all elements and writes those in its range of the first indexed
axis, so each place gets its elements in order, whatever the number of threads. Scalars (`chunked_scatter`)
are mostly written by one thread: another one would read the same positions, and has no work to take over.
Machines of many lanes: see `lanes_scatter`.
"""

from __future__ import annotations

from ....ir.expr import ONE, Expr, ceil_div, maximum, minimum, symbol
from ....ir.passes.stages import Stage
from ..writing.context import GroupWriter
from ..writing.nest import Axis
from .chunked_scatter import loops_over, places_of, write_numbers

LEAST_PART = 16384
"""The least elements for which another thread is worth its own pass over the positions."""


def write_in_order(writing: GroupWriter) -> Expr:
    """Returns the number of workgroups."""
    nest, build, writer = writing.nest, writing.build, writing.writer
    (stage,) = writing.group.stages
    in_order, loose = split_axes(writing, stage)
    if not loose:
        return write_numbers(writing, stage)
    elements = nest.count(nest.parallel)
    parts = maximum(minimum(symbol("device.threads"), ceil_div(elements, LEAST_PART)), 1)
    first = places_of(stage)[0]
    size = writer.index(ceil_div(first.extent, parts))
    lower = build.group_id() * size
    with loops_over(writing, in_order):
        inside = writing.resolve(stage)
        here = writer.at(first)
        mine = writer.within(here, lower, size)
        wanted = mine if inside is None else mine & inside
        *outer, inner = loose
        with (
            build.when(wanted),
            loops_over(writing, outer),
            build.loop(*writing.range_of(inner), kind="lanes") as (i,),
        ):
            writer.axes[inner] = i
            writing.put(stage)
    return parts


def write_in_order_by_lane(writing: GroupWriter) -> Expr:
    """Writes with a lane for each position on the other axes; returns the number of workgroups."""
    machine, nest, build, writer = writing.context.machine, writing.nest, writing.build, writing.writer
    writing.workgroup = machine.lanes
    (stage,) = writing.group.stages
    in_order, loose = split_axes(writing, stage)
    count = nest.count(loose)
    element = build.group_id() * machine.lanes + build.lane_id()
    with build.when(element < writer.index(count)):
        writing.set_axes(loose, element)
        with loops_over(writing, in_order), writing.where_inside(stage):
            writing.put(stage)
    return ceil_div(count, machine.lanes) if loose else ONE


def split_axes(writing: GroupWriter, stage: Stage) -> tuple[list[Axis], list[Axis]]:
    """Separates the axes that run in order from the others."""
    parallel = writing.nest.parallel
    return (
        [axis for axis in parallel if axis in stage.in_order],
        [axis for axis in parallel if axis not in stage.in_order],
    )
