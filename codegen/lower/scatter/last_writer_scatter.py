"""Assignments at run-time positions whose last element wins: three kernels of many lanes.

The first kernel clears a word for each place, the second finds in it the number of the last element of that
place, the third writes those elements. A few elements of a large array are not written this way.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....ir import ops
from ....ir.expr import less, lift, product
from ....ir.index import index_nodes
from ....ir.node import Node, Shape
from ....ir.passes.groups import Group
from ....ir.passes.stages import LastWriter, Stage
from ....ir.record import replace
from ....ir.types import U32
from ...plan.nodes import Alloc, PlanBuffer
from ..schedule import LoweringContext, lower_group
from ..writing.writer import Memory, contiguous

if TYPE_CHECKING:
    from ..lowering import Lowering, Scope

LEAST_ELEMENTS = 1024
"""Fewer are written in order by the lanes that own their places."""
MOST_CLEARED = 64
"""The most places for each element."""


def lower_last_writer_scatter(
    lowering: Lowering, group: Group, context: LoweringContext, scope: Scope
) -> bool:
    """Lowers the group so, if it is such an assignment and that pays; returns whether it did."""
    (stage,) = group.stages
    assert stage.scatter is not None
    if stage.scatter.attribute("kind") != "set":
        return False
    base, axes = stage.scatter.inputs[0], stage.scatter.attribute("axes")
    extents = tuple(lift(base.shape[axis]) for axis in axes)
    elements, places = product(context.extents[axis] for axis in stage.in_order), product(extents)
    numbered = less(elements, 1 << 31)
    if context.decide(less(elements, LEAST_ELEMENTS)) or not context.decide(numbered):
        return False
    if not context.decide(less(places, elements * MOST_CLEARED)):
        return False
    number = len(lowering.buffers)
    shape = tuple(base.shape[axis] for axis in axes)
    last = lowering.placeholders.parameter(-number, shape, U32)
    scope.memories[last] = Memory(number, U32, contiguous(extents))
    written = lower_group(replace(group, stages=[replace(stage, last_writer=LastWriter(last))]), context)
    most = context.machine.most_buffers
    if most is not None and len(written.buffers) > most:
        del scope.memories[last]
        return False
    lowering.buffers.append(PlanBuffer(U32, places))
    scope.steps.append(Alloc(number))
    for first in (_cleared(lowering, context, last), _numbers(lowering, stage, last)):
        lowering.launch(lower_group(Group([first], list(first.axes), []), context), scope)
    lowering.launch(written, scope)
    return True


def _cleared(lowering: Lowering, context: LoweringContext, last: Node) -> Stage:
    """The kernel that clears the words."""
    new = max(context.extents) + 1
    axes = list(range(new, new + len(last.shape)))
    context.extents.update(zip(axes, map(lift, last.shape), strict=True))
    return Stage(last, "store", _zeros(lowering, last.shape), last.shape, axes=axes, stored=True)


def _zeros(lowering: Lowering, shape: Shape) -> Node:
    graph = lowering.placeholders
    return graph.make(ops.broadcast, graph.constant(0, U32), attributes=(shape, ()))


def _numbers(lowering: Lowering, stage: Stage, last: Node) -> Stage:
    """The kernel that finds the last element of each place."""
    graph, scatter = lowering.placeholders, stage.scatter
    assert scatter is not None
    indices = index_nodes(scatter)
    shape = indices[0].shape
    value = _zeros(lowering, shape)
    known, labels, site = (scatter.attribute(name) for name in ("known", "labels", "site"))
    attributes = (tuple(range(len(indices))), 0, "maximum", known, labels, False, site)
    node = graph.make(ops.scatter, last, value, *indices, attributes=attributes)
    axes = list(stage.in_order)
    return Stage(
        last,
        "store",
        value,
        shape,
        scatter=node,
        last_writer=LastWriter(ordinals=True),
        axes=axes,
        stored=True,
    )
