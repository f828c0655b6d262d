"""The loop nest of a group: its innermost axis, merged axes, and the cost of every access.

The nest is planned from the accesses alone: an axis along which most loads and stores move by one element
becomes the inner one (in views with steps, that of the last dimension that moves); adjacent axes merge into
one where every access crosses their border by a plain step.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ....ir.expr import ONE, ZERO, Expr, lift, product
from ....ir.index import (
    Dim,
    Dims,
    Iteration,
    each_once,
    index_nodes,
    into_reduction,
    is_number,
    looked_up,
    through,
)
from ....ir.node import Node
from ....ir.ops import REDUCERS
from ....ir.passes.groups import Group
from ....ir.passes.margins import operands_in_memory
from ....ir.passes.stages import Stage
from ....ir.record import mutable
from ....ir.types import I64
from .writer import Memory, coefficients, contiguous

Axis = int


class Access(metaclass=mutable):
    """A load or store of a group, with its step along each axis."""

    memory: Memory
    steps: dict[Any, Expr]
    """By loop axis, or iteration in its place."""
    store: bool
    key: tuple[Node, Dims] | None = None
    """The node and index map of a load."""


class Nest(metaclass=mutable):
    """Loop axes from outside in. `absorbed` axes are merged into the axis after them."""

    parallel: list[Axis]
    reduced: list[Axis]
    inner: Axis | None
    extents: dict[Axis, Expr]
    absorbed: set[Axis]
    accesses: list[Access]
    operand_bytes: Expr = ZERO
    """Bytes of a matrix product's operands, which are read tile by tile."""

    def count(self, axes: Sequence[Axis]) -> Expr:
        return product(self.extents[axis] for axis in axes)

    def bytes_moved(self) -> Expr:
        """The bytes that cross to memory if every buffer is touched once."""
        last = {(access.memory.buffer, access.store): access for access in self.accesses}
        result = self.operand_bytes
        for access in last.values():
            touched = product(
                self.extents[axis]
                for axis, step in access.steps.items()
                if axis in self.extents and step is not ZERO
            )
            result = result + touched * access.memory.dtype.itemsize
        return result


def counted_positions(stage: Stage, dims: Dims) -> tuple[Memory, Dims]:
    """Returns the linear position over the reduced axes at an index map of the stage, as if it were a
    store."""
    extents = [lift(stage.space[axis]) for axis in stage.reduced]
    return Memory(-1, I64, contiguous(extents)), tuple(dims[axis] for axis in stage.reduced)


def store_place(stage: Stage, memories: dict[Node, Memory]) -> tuple[Memory, Dims]:
    """Returns the target of a stage's store: its node's memory, or the window of it that an update writes,
    and the index map."""
    memory = memories[stage.node]
    kept = stage.kept_dims
    if stage.scatter is not None:
        return memory, looked_up(stage.scatter, kept)[1]
    if stage.window is None:
        return memory, kept
    offset, strides = memory.offset, []
    for start, step, stride in zip(stage.window.starts, stage.window.steps, memory.strides, strict=True):
        offset = offset + start * stride
        strides.append(stride * step)
    return Memory(memory.buffer, memory.dtype, tuple(strides), offset), kept


def plan_nest(
    group: Group,
    memories: dict[Node, Memory],
    inlined: set[Node],
    extents: dict[int, Expr],
    stores_lead: bool = False,
) -> Nest:
    """Collects the accesses of a group and orders its axes. `stores_lead`: the inner axis of a map is that of
    the stores, as shared memory can transpose the loads. Serial axes are the outermost parallel ones, in
    their order."""
    accesses, counted = _accesses(group, memories, inlined)
    # Positions of an argreduce are used as numbers too, but those of merged axes are the same.
    along = [access.steps for access in accesses] + [
        coefficients(*counted_positions(stage, stage.dims))
        for stage in group.stages
        if stage.kind == "reduce" and REDUCERS[stage.reducer].finds and stage.reduction.positions is None
    ]
    store_weight = 64 if stores_lead and not group.reduced else 2
    score: dict[Axis, int] = dict.fromkeys((*group.parallel, *group.reduced), 0)
    for access in accesses:
        of_rows = bool(group.reduced) and not any(axis in access.steps for axis in group.reduced)
        if of_rows and access.store:
            continue  # written once for each row
        # An access over more axes touches more elements, but for one of each row; a store costs about two
        # loads.
        moving = sum(
            step is not ZERO and axis.__class__ is not Iteration for axis, step in access.steps.items()
        )
        unit = [axis for axis, step in access.steps.items() if step is ONE and axis in score]
        weight = 1 if of_rows else (store_weight if access.store else 1) * 8**moving
        if not unit:
            for axis in _nearest(access):
                if axis in score:
                    score[axis] += weight // 2
        for axis in unit:
            # Of two axes of a window, the one along which results stand side by side shares its loads.
            shared = len(unit) > 1 and axis in group.parallel
            score[axis] += weight + weight // 2 if shared else weight
    order: list[Axis] = sorted((*group.parallel, *group.reduced), key=lambda axis: _natural(group, axis))
    last = order.index if not group.reduced else lambda axis: (axis in group.reduced, order.index(axis))
    in_order = [axis for stage in group.stages for axis in stage.in_order]
    loose = [axis for axis in order if axis not in in_order]
    inner = max(loose, key=lambda axis: (score[axis], last(axis))) if loose else None
    if inner in group.reduced:
        # Lanes along the other axis read what lies along the sum as one element for all of them, as in the
        # product of a row and a matrix; lanes along the sum would gather what lies along the other.
        along_sum = [access.steps for access in accesses if access.steps.get(inner) is ONE]
        alike = (axis for axis in group.parallel if axis in loose and score[axis] == score[inner] > 0)
        inner = next((a for a in alike if all(s.get(a, ZERO) is ZERO for s in along_sum)), inner)
    inner = inner if group.inner is None else group.inner
    along_any = {*group.parallel, *group.reduced, *(axis for stage in group.stages for axis in stage.axes)}
    own = {axis: extents[axis] for axis in sorted(along_any)}
    nest = Nest(list(group.parallel), list(group.reduced), inner, own, set(), accesses)
    if group.stages[0].kind == "product":
        for base in operands_in_memory(group.stages[0].node):
            nest.operand_bytes = nest.operand_bytes + product(map(lift, base.shape)) * base.dtype.itemsize
    for axes in (nest.parallel, nest.reduced):
        axes.sort(key=lambda axis: (axis not in in_order, axis == inner, order.index(axis)))
        if not (group.windowed or group.scratch) and group.stages[0].kind != "product":
            _merge(axes, nest, along, counted)
    return nest


_NEAR = (-2, -1, 2)
"""Steps that are known to be short: those of parts of complex numbers, and of arrays read backwards."""


def _nearest(access: Access) -> Iterator[Axis]:
    """Yields the axes along which elements are likely nearest where none are adjacent: those of the last
    dimension, of a view with steps or reversed; in memory that a program takes such a view of, a part of
    complex numbers or a color of pixels, those of the last one that moves."""
    memory = access.memory
    if not any(step is ONE for step in memory.strides):
        yield from (axis for axis, step in access.steps.items() if step is memory.strides[-1])
    elif near := [axis for axis, step in access.steps.items() if step.value in _NEAR]:
        yield from near
    elif access.key is not None and memory.strides[-1] is ONE:
        moving = [dim for dim in access.key[1] if dim.terms]
        yield from (axis for axis, _ in (moving[-1].terms if moving else ()) if isinstance(axis, Axis))


def _natural(group: Group, axis: int) -> int:
    """Returns the dimension of an axis in the largest stage."""
    largest = max(group.stages, key=lambda stage: len(stage.axes))
    return largest.axes.index(axis) if axis in largest.axes else -1


def _merge(axes: list[Axis], nest: Nest, along: list[dict[Axis, Expr]], counted: set[Axis]) -> None:
    """Merges axis pairs (a, b) where every access moves along a as far as along all of b.

    `along`: the steps of accesses, and of other positions with the same requirement.
    """
    position = len(axes) - 2
    while position >= 0:
        outer, inner = axes[position], axes[position + 1]
        extent = nest.extents[inner]
        if (
            outer not in counted
            and inner not in counted
            and all(steps.get(outer, ZERO) is steps.get(inner, ZERO) * extent for steps in along)
        ):
            nest.extents[inner] = nest.extents[outer] * extent
            nest.extents[outer] = ONE
            nest.absorbed.add(outer)
            del axes[position]
        position -= 1


def _results_of(group: Group, stage: Stage, memories: dict[Node, Memory]) -> Iterator[Access]:
    """Returns the stores of a stage, and the load of a scan's initial value."""
    if stage.stored and stage.node not in group.scratch:
        memory, at = store_place(stage, memories)
        if stage.reduction.found is not None:
            found = memories[stage.reduction.found]
            yield Access(found, coefficients(found, at), True)
        yield Access(memory, coefficients(memory, at), True)
    if stage.kind != "product" and stage.carry.initial is not None:
        memory = memories[stage.carry.initial]
        along = tuple(dim for dim in stage.dims if dim.axis not in group.reduced)
        yield Access(memory, coefficients(memory, along), False)


def _accesses(
    group: Group, memories: dict[Node, Memory], inlined: set[Node]
) -> tuple[list[Access], set[Axis]]:
    """Returns every load and store of the group, and the axes whose position is used as a number."""
    nodes = {stage.node for stage in group.stages}
    accesses: list[Access] = []
    counted: set[Axis] = set()
    for stage in group.stages:
        dims = stage.dims
        if group.scratch:
            nodes = {stage.node}.intersection((stage.value,))
        accesses += _results_of(group, stage, memories)
        if stage.kind == "product":
            continue
        pending: list[tuple[Node, Dims]] = [(stage.value, dims)]
        if stage.reduction.positions is not None:
            pending.append((stage.reduction.positions, dims))
        if stage.scatter is not None:
            own, _ = looked_up(stage.scatter, dims)
            pending.extend((index, own) for index in index_nodes(stage.scatter))
        for node, at, seen in each_once(pending):
            if node in group.scratch and node not in nodes:
                continue
            if node in memories and node not in nodes:
                memory = memories[node]
                iterations = [axis for dim in at for axis, _step in dim.terms if isinstance(axis, Iteration)]
                wrapping = {axis for iteration in iterations for axis, _step in iteration.dim.terms}
                counted.update(axis for axis in wrapping if isinstance(axis, Axis))
                accesses.append(Access(memory, coefficients(memory, at), False, (node, at)))
            elif node.op.family == "movement":
                if node.op.source == "index":
                    counted.update(axis for axis, _step in at[node.attribute("axis")].terms)
                if node.inputs:
                    pending.append((node.inputs[0], through(node, at)))
            elif node.op.family == "reduce":
                if node in inlined:
                    fixed = tuple(Dim(None, ZERO, ZERO) for _ in node.attribute("axes"))
                    pending.append((node.inputs[0], into_reduction(node, at, fixed)))
            elif node.op.family == "gather":
                own, source = looked_up(node, at)
                pending.append((node.inputs[0], source))
                pending.extend((index, own) for index in index_nodes(node))
            elif node.op.family != "contract" and (node is stage.value or node not in nodes):
                pending += [
                    (source, at)
                    for source in node.inputs
                    if source not in seen and (source in memories or not is_number(source))
                ]
    return accesses, counted
