"""Reductions of few long rows, and products of them: one kernel reduces blocks of an axis, another
combines the partial results."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....ir import ops
from ....ir.expr import ZERO, Expr, ceil_div, less, lift, product
from ....ir.node import Node
from ....ir.passes.centered_sums import Deviation, Side, recentered
from ....ir.passes.groups import Fusion, Group
from ....ir.passes.stages import Reduction, Stage
from ....ir.record import record, replace
from ....ir.types import DType
from ...plan.nodes import Alloc, PlanBuffer
from ..products.lanes_products import LARGE, write_product
from ..schedule import Lowered, LoweringContext, lower_blocks, lower_group
from ..writing.accumulators import dtypes_of
from ..writing.context import Blocks, GroupWriter
from ..writing.writer import Memory, contiguous

if TYPE_CHECKING:
    from ..lowering import Lowering, Scope

PART = 8192
"""Elements of a section of a product's inner axis, which a workgroup takes."""
LEAST_PARTS = 2


def lower_blocked_reductions(
    lowering: Lowering, group: Group, context: LoweringContext, scope: Scope, fusion: Fusion
) -> None:
    """Reduce blocks of an axis to partial results, then combine those in the order of the blocks."""
    blocks = _Blocks(lowering, scope, max(context.extents) + 1)
    combine: list[Stage] = []
    for stage in group.stages:
        if stage.kind != "reduce":
            combine.append(stage)  # of its result
        elif stage.reduction.deviations is not None:
            combine.append(blocks.sum_of_products(stage, *stage.reduction.deviations))
        else:
            combine.append(blocks.reduction(stage))
    blocks.launch(*lower_blocks(replace(group, stages=blocks.stages), context))
    for stage in combine:
        if stage.stored:
            lowering.place(stage.node, scope, fusion)
    lowering.launch(blocks.lower_combination(group, combine, context), scope)


def lower_split_product(lowering: Lowering, group: Group, context: LoweringContext, scope: Scope) -> bool:
    """Sums products over sections of a long inner axis in parallel, then combines these. False where the axis
    is short or there are many results. Stored stages have their memory."""
    stage, *others = group.stages
    node = stage.node
    inner = lift(node.inputs[0].shape[-1])
    if (
        ops.accumulator(node.dtype) is not node.dtype
        or lowering.decide(less(inner, LEAST_PARTS * PART))
        or not lowering.decide(less(product(map(lift, node.shape)), LARGE))
    ):
        return False
    blocks = _Blocks(lowering, scope, max(context.extents) + 1)
    partial = blocks.partial(stage, node.dtype)
    part = lowering.placeholders.make(node.op, *node.inputs, attributes=node.attributes)
    scope.memories[part] = scope.memories[partial.array]
    parts = Blocks(blocks.axis, lift(PART), ceil_div(inner, PART))

    def of_parts(writing: GroupWriter) -> Expr:
        writing.blocks, writing.nest.extents[parts.axis] = parts, inner
        return write_product(writing)

    first = replace(group, stages=[replace(stage, node=part, stored=True)])
    blocks.launch(lower_group(first, context, of_parts), parts.count)
    combine = [blocks.combining(replace(stage, reducer="sum"), partial.array), *others]
    lowering.launch(blocks.lower_combination(group, combine, context), scope)
    return True


class _Partial(metaclass=record):
    """A partial result of blocks: a value of the kernel that reduces them, and the array of all."""

    value: Node
    array: Node


class _Blocks:
    """The stages of the kernel that reduces blocks."""

    def __init__(self, lowering: Lowering, scope: Scope, axis: int) -> None:
        self.graph = lowering.placeholders
        self.lowering = lowering
        self.scope = scope
        self.axis = axis
        """The loop axis along the blocks."""
        self.stages: list[Stage] = []
        self.partials: list[Node] = []
        """An array for each value that is written for a block."""
        self.count: Expr = ZERO
        self._sums: dict[tuple[Node, tuple[int, ...]], _Partial] = {}

    def launch(self, lowered: Lowered, count: Expr) -> None:
        """Adds the kernel that reduces so many blocks, with memory for the partial results."""
        for partial in self.partials:
            memory = self.scope.memories[partial]
            results = product(lift(extent) for extent in partial.shape[:-1])
            self.lowering.buffers[memory.buffer] = PlanBuffer(partial.dtype, results * count)
            self.scope.steps.append(Alloc(memory.buffer))
            self.scope.memories[partial] = replace(memory, strides=(*memory.strides, results))
        self.lowering.launch(lowered, self.scope)
        self.count = count

    def lower_combination(self, group: Group, stages: list[Stage], context: LoweringContext) -> Lowered:
        """Returns the kernel that combines the blocks of a group, with its other stages."""
        context.extents[self.axis] = self.count
        return lower_group(replace(group, stages=stages, reduced=[self.axis]), context)

    def reduction(self, stage: Stage) -> Stage:
        """Reduces each block; returns the stage that combines the results."""
        if stage.reducer == "sum":
            return self.combining(stage, self._sum(stage, stage.value).array)
        dtypes = dtypes_of(stage, self.lowering.decide)
        partials = [self.partial(stage, dtype) for dtype in dtypes]
        value, *positions = partials
        self.stages.append(self._of_block(
            stage, partials[-1].value, stage.value, found=value.value if positions else None
        ))  # fmt: skip
        return self.combining(stage, value.array, positions=positions[0].array if positions else None)

    def sum_of_products(self, stage: Stage, one: Deviation, other: Deviation) -> Stage:
        """Sums each block's products of deviations from its own means; returns the stage that corrects these
        for the true centers: see `centered_sums`."""
        graph = self.graph
        unit = graph.constant(1.0, stage.node.dtype)
        count = self._sum(stage, graph.make(ops.broadcast, unit, attributes=(stage.space, ())))
        (first, left), (second, right) = (self._side(stage, deviation, count) for deviation in (one, other))
        products = self._sum(stage, graph.make(ops.mul, first, second))
        return self.combining(stage, recentered(graph, count.array, products.array, left, right))

    def _side(self, stage: Stage, given: Deviation, count: _Partial) -> tuple[Node, Side]:
        """Returns the deviations of a block from its mean, and their known sums by block."""
        graph = self.graph
        kept = tuple(position for position in range(len(stage.space)) if position not in stage.reduced)
        sums = self._sum(stage, given.values)
        mean = graph.make(ops.div, sums.value, count.value)
        mean = graph.make(ops.broadcast, mean, attributes=(stage.space, kept))
        deviations = graph.make(ops.sub, given.values, mean)
        (source,) = given.center.inputs
        axes = tuple(map(kept.index, given.center.attribute("axes")))
        center = graph.make(ops.broadcast, source, attributes=((*stage.node.shape, 1), axes))
        return deviations, Side(sums.array, self._sum(stage, deviations).array, center)

    def _sum(self, stage: Stage, value: Node) -> _Partial:
        """Returns the sum of a value over each block; a shared value is summed once."""
        key = value, tuple(stage.axes)
        partial = self._sums.get(key)
        if partial is None:
            partial = self._sums[key] = self.partial(stage, value.dtype)
            self.stages.append(self._of_block(stage, partial.value, value))
        return partial

    def partial(self, stage: Stage, dtype: DType) -> _Partial:
        number, shape = len(self.lowering.buffers), stage.node.shape
        value = self.graph.parameter(-number, shape, dtype)
        array = self.graph.parameter(-number, (*shape, 1), dtype)
        memory = Memory(number, dtype, contiguous(tuple(map(lift, shape))))
        self.scope.memories[value] = self.scope.memories[array] = memory
        self.lowering.buffers.append(PlanBuffer(dtype, ZERO))
        self.partials.append(array)
        return _Partial(value, array)

    def _of_block(self, stage: Stage, node: Node, value: Node, found: Node | None = None) -> Stage:
        return Stage(
            node, "reduce", value, stage.space, stage.reduced, stage.reducer,
            reduction=Reduction(found=found), axes=list(stage.axes), stored=True,
        )  # fmt: skip

    def combining(self, stage: Stage, value: Node, positions: Node | None = None) -> Stage:
        rank = len(stage.node.shape)
        return Stage(
            stage.node, "reduce", value, (*stage.node.shape, 1), (rank,), stage.reducer,
            reduction=Reduction(positions=positions),
            axes=[*stage.kept, self.axis], stored=stage.stored, reason=stage.reason,
        )  # fmt: skip
