"""Ordered writes at run-time positions where several elements may have one place.

On a processor, rows: every workgroup visits all elements and writes those in its range of the first indexed
axis, so each place gets its elements in order, whatever the number of threads. Scalars (`chunked_scatter`)
are mostly written by one thread: another one would read the same positions, and has no work to take over.
Machines of many lanes: see `lanes_scatter`. Where the loops of a lane end after some iterations, a lane
writes so many elements in a launch, and the kernel is launched again for the next ones.
"""

from __future__ import annotations

from ....ir.expr import Expr, ceil_div, const, less, maximum, minimum, symbol
from ....ir.passes.stages import Stage
from ..machine import Machine
from ..writing.context import GroupWriter, LoweringContext
from ..writing.nest import Axis
from ..writing.writer import LAUNCH
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
    machine, nest, build = writing.context.machine, writing.nest, writing.build
    (stage,) = writing.group.stages
    in_order, loose = split_axes(writing, stage)

    def put() -> None:
        with writing.where_inside(stage):
            writing.put(stage)

    with writing.lane_each(loose, machine.lanes, build.group_id()) as workgroups:
        elements = nest.count(in_order)
        if is_one_launch(elements, writing.context):
            with loops_over(writing, in_order):
                put()
        else:
            size = const(_iterations(machine))
            bounds = writing.row_range(writing.writer.index(LAUNCH), size, elements)
            writing.each_row(in_order, *bounds, put)
            writing.launches = ceil_div(elements, size)
    return workgroups


def is_one_launch(elements: Expr, context: LoweringContext) -> bool:
    """Whether a lane may write so many elements in one kernel."""
    if context.machine.most_iterations is None:
        return True
    return context.decide(less(elements, _iterations(context.machine) + 1))


def _iterations(machine: Machine) -> int:
    """Elements of a launch: half of the iterations, as values may have loops of their own."""
    assert machine.most_iterations is not None
    return machine.most_iterations // 2


def split_axes(writing: GroupWriter, stage: Stage) -> tuple[list[Axis], list[Axis]]:
    """Separates the axes that run in order from the others."""
    parallel = writing.nest.parallel
    return (
        [axis for axis in parallel if axis in stage.in_order],
        [axis for axis in parallel if axis not in stage.in_order],
    )
