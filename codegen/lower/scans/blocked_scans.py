"""Scans of few long rows: three kernels over blocks of fixed size."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....ir.expr import ZERO, lift, product
from ....ir.passes.groups import Fusion, Group
from ....ir.passes.stages import Carry, Stage
from ...plan.nodes import Alloc, PlanBuffer
from ..schedule import LoweringContext, lower_blocks, lower_group
from ..writing.nest import plan_nest
from ..writing.writer import Memory, contiguous

if TYPE_CHECKING:
    from ..lowering import Lowering, Scope


def lower_blocked_scan(
    lowering: Lowering, group: Group, context: LoweringContext, scope: Scope, fusion: Fusion
) -> None:
    """Scans an axis in blocks, by three kernels: the total of each block, the scan of those totals, and the
    scan of each block combined with the total of all blocks before it."""
    stage = group.stages[0]
    for each in group.stages:
        if each.stored:
            lowering.place(each.node, scope, fusion)
    # All kernels take the elements in the same order, so that the total of a block is its last prefix.
    nest = plan_nest(group, scope.memories, context.inlined, context.extents, context.machine.lanes > 1)
    axis = stage.node.attribute("axis")
    result = tuple(lift(extent) for at, extent in enumerate(stage.node.shape) if at != axis)
    strides, dtype = contiguous(result), stage.node.dtype
    shape = (*(int(extent) for at, extent in enumerate(stage.node.shape) if at != axis), 1)
    scratch = len(lowering.buffers), len(lowering.buffers) + 1
    totals, ends, begins = (
        lowering.placeholders.parameter(-number, shape, dtype) for number in (*scratch, -1 - scratch[1])
    )
    lowering.buffers += [PlanBuffer(dtype, ZERO) for _ in scratch]
    scope.memories[totals] = Memory(scratch[0], dtype, strides)
    first = Stage(
        totals, "scan", stage.value, stage.space, (axis,), stage.reducer, carry=Carry(totals=True),
        axes=list(stage.axes), stored=True,
    )  # fmt: skip
    parallel, reduced = list(group.parallel), list(group.reduced)
    lowered, count = lower_blocks(Group([first], parallel, reduced, inner=nest.inner), context)
    for number in scratch:
        lowering.buffers[number] = PlanBuffer(dtype, product((*result, count)))
        scope.steps.append(Alloc(number))
    lowering.launch(lowered, scope)
    block = max(context.extents) + 1
    context.extents[block] = count
    for node, number in zip((totals, ends), scratch, strict=True):
        scope.memories[node] = Memory(number, dtype, (*strides, product(result)))
    rest = [each for position, each in enumerate(stage.axes) if position != axis]
    second = Stage(
        ends,
        "scan",
        totals,
        shape,
        reducer=stage.reducer,
        carry=Carry(serial=True),
        axes=[*rest, block],
        stored=True,
    )
    lowering.launch(lower_group(Group([second], rest, [block]), context), scope)
    scope.memories[begins] = Memory(scratch[1], dtype, strides)
    stage.carry = Carry(initial=begins)
    lowering.launch(lower_group(Group(group.stages, parallel, reduced, inner=nest.inner), context), scope)
