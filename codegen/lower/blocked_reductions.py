"""Reductions of few long rows: one kernel reduces blocks of an axis, another combines what they come to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...ir import ops
from ...ir.expr import ZERO, lift, mul, product
from ...ir.node import Node
from ...ir.passes.deviations import Deviation, Side, recentered
from ...ir.passes.groups import Fusion, Group
from ...ir.passes.stages import Stage
from ...ir.record import record, replace
from ...ir.types import DType
from ..plan.nodes import Alloc, PlanBuffer
from .accumulators import dtypes_of
from .schedule import Surroundings, lower_blocks, lower_group
from .writer import Memory, contiguous

if TYPE_CHECKING:
    from .program import Lowering, Scope


def lower_blocked_reductions(
    lowering: Lowering, group: Group, around: Surroundings, scope: Scope, fusion: Fusion
) -> None:
    """Reduce blocks of an axis to partial results, then combine those in the order of the blocks."""
    blocks = _Blocks(lowering, scope, max(around.extents) + 1)
    combine: list[Stage] = []
    for stage in group.stages:
        if stage.kind != "reduce":
            combine.append(stage)  # of its result
        elif stage.deviations is not None:
            combine.append(blocks.sum_of_products(stage, *stage.deviations))
        else:
            combine.append(blocks.reduction(stage))
    lowered, count = lower_blocks(replace(group, stages=blocks.stages), around)
    for partial in blocks.partials:
        memory = scope.memories[partial]
        results = product(lift(extent) for extent in partial.shape[:-1])
        lowering.buffers[memory.buffer] = PlanBuffer(partial.dtype, mul(results, count))
        scope.steps.append(Alloc(memory.buffer))
        scope.memories[partial] = replace(memory, strides=(*memory.strides, results))
    lowering.launch(lowered, scope)
    for stage in combine:
        if stage.stored:
            lowering.place(stage.node, scope, fusion)
    around.extents[blocks.axis] = count
    lowering.launch(lower_group(replace(group, stages=combine, reduced=[blocks.axis]), around), scope)


@record
class _Partial:
    """What blocks come to: a value of the kernel that reduces them, and the array of all."""

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
        """An array for each thing that is written for a block."""
        self._sums: dict[tuple[Node, tuple[int, ...]], _Partial] = {}

    def reduction(self, stage: Stage) -> Stage:
        """Reduces each block; gives the stage that combines the results."""
        if stage.reducer == "sum":
            return self._combining(stage, self._sum(stage, stage.value).array)
        dtypes = dtypes_of(stage, self.lowering.decide)
        made = [self._partial(stage, dtype) for dtype in dtypes]
        value, *positions = made
        self.stages.append(self._of_block(
            stage, made[-1].value, stage.value, found=value.value if positions else None
        ))  # fmt: skip
        return self._combining(stage, value.array, positions=positions[0].array if positions else None)

    def sum_of_products(self, stage: Stage, one: Deviation, other: Deviation) -> Stage:
        """Sums each block's products of deviations from its own means; gives the stage that adds what the
        true centers make of them: see `deviations`."""
        graph = self.graph
        unit = graph.constant(1.0, stage.node.dtype)
        count = self._sum(stage, graph.make(ops.broadcast, unit, attributes=(stage.space, ())))
        (first, left), (second, right) = (self._side(stage, each, count) for each in (one, other))
        products = self._sum(stage, graph.make(ops.mul, first, second))
        return self._combining(stage, recentered(graph, count.array, products.array, left, right))

    def _side(self, stage: Stage, given: Deviation, count: _Partial) -> tuple[Node, Side]:
        """The deviations of a block from its mean, and what is known of them by block."""
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
        """The sum of a value over each block; a value that several need is summed once."""
        key = value, tuple(stage.axes)
        made = self._sums.get(key)
        if made is None:
            made = self._sums[key] = self._partial(stage, value.dtype)
            self.stages.append(self._of_block(stage, made.value, value))
        return made

    def _partial(self, stage: Stage, dtype: DType) -> _Partial:
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
            node, "reduce", value, stage.space, stage.reduced, stage.reducer, found=found,
            axes=list(stage.axes), stored=True,
        )  # fmt: skip

    def _combining(self, stage: Stage, value: Node, positions: Node | None = None) -> Stage:
        rank = len(stage.node.shape)
        return Stage(
            stage.node, "reduce", value, (*stage.node.shape, 1), (rank,), stage.reducer, positions=positions,
            axes=[*stage.kept, self.axis], stored=stage.stored, reason=stage.reason,
        )  # fmt: skip
