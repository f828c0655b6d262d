"""Choosing a schedule: the shape of the loop nest, and who runs it.

*map* (no reduction), *rows* (the innermost axis is reduced), *columns* (another axis is reduced), each for
machines whose lanes loops are vector instructions and for those that run workgroups of many lanes. Which of
the three it is does not depend on the machine: the order of a sum does not, either.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...ir import ops
from ...ir.expr import ONE, Expr, less, lift, product
from ...ir.node import Node
from ...ir.passes.cost import is_expensive
from ...ir.passes.groups import Group
from ...ir.passes.short_axes import SMALL
from ...ir.passes.window_products import abreast
from ...ir.record import mutable
from ..kernel.nodes import Kernel
from .machine import SHORT_ROW
from .writing.context import NARROW, GroupWriter, LoweringContext, phases_of
from .writing.nest import Nest

__all__ = ["Lowered", "LoweringContext", "lower_blocks", "lower_group"]


class Lowered(metaclass=mutable):
    """A kernel with the plan's argument for each of its parameters."""

    kernel: Kernel
    buffers: tuple[int, ...]
    indices: tuple[Expr, ...]
    scalars: tuple[Node, ...]
    groups: Expr
    bytes_moved: Expr
    cost: Expr
    faults: tuple[tuple[int, int], ...] = ()
    """The site and the index array of each word for faults."""
    co_aligned: tuple[tuple[int, int], ...] = ()
    """Buffers written from end to end, each with those that are read so and have elements of that size."""
    launches: Expr = ONE
    """Launches of the kernel, one after another; each is given its number as `LAUNCH`."""


PRODUCTS_OF_A_COST = 2
"""Products that a kernel sums in the time of an addition that reads and writes memory."""
Schedule = Callable[[GroupWriter], Expr]
"""Writes a kernel; returns the number of workgroups."""


def lower_group(group: Group, context: LoweringContext, schedule: Schedule | None = None) -> Lowered:
    """Writes the kernel of a group, by the schedule of its shape or a given one."""
    return _finish(GroupWriter(group, context), schedule)


def lower_blocks(group: Group, context: LoweringContext) -> tuple[Lowered, Expr]:
    """Writes the kernel that reduces blocks of one axis to partial results; returns it with the number of
    blocks.

    The group's stage writes block number b of its result at b * (elements of the result).
    """
    writing = GroupWriter(group, context)
    count = writing.cut_blocks()
    return _finish(writing), count


def _finish(writing: GroupWriter, schedule: Schedule | None = None) -> Lowered:
    nest, writer = writing.nest, writing.writer
    writing.resolve_fixed()
    co_aligned = _co_aligned_reads(writing)
    groups = (schedule or _schedule(writing))(writing)
    elements = nest.count([*nest.parallel, *nest.reduced])
    if writing.group.scratch:
        elements = product(map(lift, writing.group.stages[-1].node.shape))  # its stages may be parts of that
    cost = elements * writing.element_cost()
    if shape_of(writing) == "product":
        cost = cost + elements * _inner_extent(writing.group.stages[0].node) // PRODUCTS_OF_A_COST
    return Lowered(
        writing.build.finish(writing.workgroup), tuple(writer.buffers), tuple(writer.indices),
        tuple(writer.scalars), groups, writing.moved, cost, tuple(writer.faults), co_aligned,
        writing.launches,
    )  # fmt: skip


def _co_aligned_reads(writing: GroupWriter) -> tuple[tuple[int, int], ...]:
    """Returns `Lowered.co_aligned`. Rows are excluded: unless they are aligned, each begins and ends within a
    line."""
    axes, shape = [*writing.nest.parallel, *writing.nest.reduced], shape_of(writing)
    if not writing.context.machine.streams or len(axes) != 1 or not shape.startswith(("map", "scan")):
        return ()
    runs = [access for access in writing.nest.accesses if access.steps.get(axes[0]) is ONE]
    return tuple(
        (written.memory.buffer, read.memory.buffer)
        for written in runs
        for read in runs
        if written.store
        and not read.store
        and read.memory.buffer != written.memory.buffer
        and read.memory.dtype.itemsize == written.memory.dtype.itemsize
    )


def shape_of(writing: GroupWriter) -> str:
    """Returns the shape of the group's loop nest, by which schedules are chosen."""
    nest, group = writing.nest, writing.group
    if group.stages[0].kind == "product":
        return "product"
    if group.windowed:
        return "pieces"
    if group.scratch:
        return "tiles"
    if any(stage.in_order for stage in group.stages):
        return "ordered"
    if not nest.reduced:
        return "map"
    if group.stages[0].carry.serial:
        return "scan serially"
    prefix = "scan " if group.stages[0].kind == "scan" else ""
    return prefix + ("columns" if runs_along_columns(nest, writing.context) else "rows")


def runs_along_columns(nest: Nest, context: LoweringContext) -> bool:
    """Whether the axis that is contiguous in memory is not reduced, and is long enough for vectors."""
    return nest.inner in nest.parallel and not context.decide(less(nest.extents[nest.inner], NARROW))


def _schedule(writing: GroupWriter) -> Schedule:
    """Returns the schedule of this shape of loop nest on the machine."""
    for rule in writing.context.machine.rules:
        schedule: Schedule | None = rule(writing)
        if schedule is not None:
            return schedule
    machine, shape = writing.context.machine, shape_of(writing)
    if shape == "product" and writing.group.stages[0].node.op.small:
        shape = "small product"
    elif machine.lanes == 1:
        if shape == "product" and not machine.lanes_hold_loops:
            shape = "product in workgroups"
        elif shape == "product" and writing.group.stages[0].node.op.fills_margins:
            shape = "product with windows"
            if writing.group.stages[0].node.op.in_panels:
                shape = "product with transformed windows"
            elif abreast(writing.group.stages[0].node, writing.context.decide) is not None:
                shape = "product with windows of images"
        elif shape == "rows" and writing.nest.inner in writing.nest.parallel:
            shape = "narrow columns" if is_narrow(writing) else shape
    elif shape == "rows" and writing.blocks is None:
        row = writing.nest.count(writing.nest.reduced)
        shape = "short rows" if writing.context.decide(less(row, SHORT_ROW + 1)) else shape
    module, name = _SCHEDULES[shape][machine.lanes > 1].rsplit(".", 1)
    found: Any = getattr(__import__(f"{__package__}.{module}", fromlist=(name,)), name)
    written: Schedule = getattr(found, "of", found)
    return written


def is_narrow(writing: GroupWriter) -> bool:
    """Whether a group of `rows` reduces adjacent columns once, and computes one element for each column
    besides."""
    group, nest, context = writing.group, writing.nest, writing.context
    if not context.machine.lanes_hold_loops or nest.inner not in nest.parallel:
        return False
    _, *later = phases_of(group, context.memories)
    if any(stage.kind == "reduce" for phase in later for stage in phase):
        return False
    for stage in group.stages:
        if stage.kind == "reduce" and is_expensive(stage.value):
            return False  # lanes beyond the last column would be computed in vain
        if stage.kind != "reduce" and not writing.per_row(stage):
            return False
    return not context.decide(less(nest.extents[nest.inner], SMALL + 1))


_SCHEDULES = {
    "columns": ("reductions.columns.Columns", "reductions.lanes_columns.Columns"),
    "map": ("maps.tiled_maps.write_map", "maps.lanes_maps.write_map_on_lanes"),
    "narrow columns": ("reductions.narrow_columns.NarrowColumns", ""),
    "ordered": ("scatter.serial_scatter.write_in_order", "scatter.lanes_scatter.write_in_order_on_lanes"),
    "pieces": ("maps.window_updates.Pieces", "maps.lanes_maps.write_window_update_on_lanes"),
    "product": (
        "products.packed_products.write_packed",
        "products.lanes_products.write_product",
    ),
    "product in workgroups": ("products.workgroup_products.write_scratch_product", ""),
    "product with transformed windows": ("products.winograd.Winograd", ""),
    "product with windows": ("products.window_lines.WindowLines", ""),
    "product with windows of images": ("products.window_images.WindowImages", ""),
    "rows": ("reductions.rows.Rows", "reductions.lanes_rows.Rows"),
    "scan columns": ("scans.serial_scans.ScanColumns", "scans.lanes_scans.Columns"),
    "scan rows": ("scans.serial_scans.ScanRows", "scans.lanes_scans.Rows"),
    "scan serially": ("scans.serial_scans.SerialScan", "scans.serial_scans.SerialScan"),
    "short rows": ("", "reductions.lanes_short_rows.ShortRows"),
    "small product": (
        "products.panels.write_small_product",
        "products.lanes_small_products.write_small_product_on_lanes",
    ),
    "tiles": ("maps.tiles.Tiles", ""),
}
"""The schedules of each shape: for vector lanes, and for workgroups of many lanes. To import all of them
takes 19 ms of processor time, and a program needs one or two."""


def _inner_extent(node: Node) -> Expr:
    """Returns the products of each result of a matrix product."""
    x, *_ = node.inputs
    rows, _ = ops.sides(node)
    return product(map(lift, x.shape[len(node.shape) - 2 + rows :]))
