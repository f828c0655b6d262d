"""Loops, conds and external kernels as plan steps.

Regions are lowered like programs, into buffers given beforehand. Each carried value has a buffer. A step
writes its new value there directly where the old value is dead (an elementwise step, an update of a window);
else to a second buffer, and the two are swapped after the step. A value that only moves to another carried
value (`return new, u`) takes its memory along.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ...ir import ops
from ...ir.expr import ZERO, Expr, const, less, lift, product
from ...ir.node import Graph, Node, Region
from ...ir.passes.groups import WritePlan
from ...ir.passes.stages import Decide
from ...ir.passes.temporal_blocking import is_pipeline
from ...ir.passes.write_back import plan_writes
from ...ir.types import BOOL, Bits
from ..plan.nodes import (
    HOST,
    Bound,
    BufferRef,
    Callback,
    Cond,
    Copy,
    Launch,
    Loop,
    LoopIndex,
    ScalarRef,
    Step,
    While,
)
from . import scalar_regions  # noqa: F401 (it writes what is in functions of elements)
from .writing.writer import Memory

if TYPE_CHECKING:
    from .lowering import Lowering, Scope


@ops.parallel_loop.defines("lower")
@ops.loop.defines("lower")
def lower_loop(lowering: Lowering, node: Node, scope: Scope) -> None:
    region: Region = node.attributes[0]
    lower, upper, *operands = node.inputs
    from .loops.nests import lower_nest  # 19 ms, and many programs have no loop

    if lower_nest(lowering, node, scope):
        return
    carried = [lowering.start_from(operand, scope) for operand in operands[: len(region.results)]]
    counter, *parameters = region.parameters
    arguments = _arguments(parameters, carried, operands, scope)
    depths = {outer: depth + 1 for outer, depth in scope.loop_depth.items()}
    depths[counter] = 0
    steps, swaps = _body(lowering, region, parameters, carried, arguments, depths, scope)
    scope.steps.append(Loop(_bound(lower, scope), _bound(upper, scope), steps, swaps))
    scope.tuples[node] = carried


@ops.while_.defines("lower")
def lower_while(lowering: Lowering, node: Node, scope: Scope) -> None:
    body, condition = node.attributes
    from .loops.nests import lower_nest  # 19 ms, and many programs have no loop

    if lower_nest(lowering, node, scope):
        return
    carried = [lowering.start_from(operand, scope) for operand in node.inputs[: len(body.results)]]
    depths = dict(scope.loop_depth)
    arguments = _arguments(body.parameters, carried, node.inputs, scope)
    steps, swaps = _body(lowering, body, body.parameters, carried, arguments, depths, scope)
    predicate = lowering.allocate((), BOOL, scope)
    test = lowering.lower_region(
        WritePlan(condition.results), _arguments(condition.parameters, carried, node.inputs, scope),
        dict(zip(condition.results, [predicate], strict=True)), depths,
    )  # fmt: skip
    scope.steps.append(While(BufferRef(predicate.buffer), test, steps, swaps))
    scope.tuples[node] = carried


@ops.cond.defines("lower")
def lower_cond(lowering: Lowering, node: Node, scope: Scope) -> None:
    """Lowers a cond: both arms write the same buffers, those of operands that each arm updates in place or
    leaves unchanged."""
    then, orelse = node.attributes
    predicate, *operands = node.inputs
    homes, plans = _kept_homes(lowering, (then, orelse), operands)
    memories: list[Memory] = []
    for position, operand in enumerate(operands):
        if position in homes.values():
            memories.append(lowering.start_from(operand, scope))
            continue
        if operand.op.source == "undefined" and operand not in scope.memories:
            scope.memories[operand] = lowering.allocate(_extents(operand), operand.dtype, scope)
        memories.append(scope.memories[operand])
    written = [
        memories[homes[position]]
        if position in homes
        else lowering.allocate(_extents(result), result.dtype, scope)
        for position, result in enumerate(then.results)
    ]
    arms = []
    for region, (made, plan) in zip((then, orelse), plans, strict=True):
        arguments = dict(zip(region.parameters, memories, strict=True))
        places = zip(made, plan.outputs, strict=True)
        results = {result: written[position] for position, result in places if result not in plan.targets}
        arms.append(lowering.lower_region(plan, arguments, results, dict(scope.loop_depth)))
    memory = scope.memories[predicate]
    scope.steps.append(Cond(BufferRef(memory.buffer, memory.offset), *arms))
    scope.tuples[node] = written


def _kept_homes(
    lowering: Lowering, arms: Sequence[Region], operands: Sequence[Node]
) -> tuple[dict[int, int], list[tuple[list[int], WritePlan]]]:
    """Returns the results in the memory of an operand, with that operand, and how each arm computes them."""
    homes: dict[int, int] = {}
    for position, result in enumerate(arms[0].results):
        first, other = [_begun_from(region, position) for region in arms]
        if not result.shape or first is None or first != other or first in homes.values():
            continue
        # Other buffers may be shared, or have strides.
        if operands[first].op.source == "undefined" or operands[first].op.family == "update":
            homes[position] = first
    plans = []
    for region in arms:
        made = [
            position
            for position, result in enumerate(region.results)
            if position not in homes or not _is_left(result)
        ]
        results = [region.results[position] for position in made]
        writes = {
            number: region.parameters[homes[position]]
            for number, position in enumerate(made)
            if position in homes
        }
        plan = plan_writes(Graph(), results, writes, lowering.decide) if writes else WritePlan(tuple(results))
        if any(new is not old for new, old in zip(plan.outputs, results, strict=True)) or plan.keep:
            whole = list(range(len(region.results)))
            return {}, [(whole, WritePlan(arm.results)) for arm in arms]
        plans.append((made, plan))
    return homes, plans


def _begun_from(region: Region, position: int) -> int | None:
    """Returns the parameter that a result updates, or is."""
    node = region.results[position]
    if _is_left(node):
        (node,) = node.inputs
    while node.op.family == "update":
        node = node.inputs[0]
    return region.parameters.index(node) if node in region.parameters else None


def _is_left(result: Node) -> bool:
    """Whether a result is an unchanged parameter."""
    return bool(result.op.copies) and result.inputs[0].op.source == "array"


@ops.callback.defines("lower")
def lower_callback(lowering: Lowering, node: Node, scope: Scope) -> None:
    """Lowers a callback: one step with contiguous operands and results; the token has memory of its own each
    time."""
    assert node.op.results is not None, node
    operands = [scope.memories[source] for source in node.inputs]
    results = [
        lowering.allocate(tuple(map(lift, shape)), dtype, scope) for shape, dtype in node.op.results(node)
    ]
    scope.steps.append(
        Callback(
            HOST,
            tuple([BufferRef(operand.buffer, operand.offset) for operand in operands]),
            tuple([BufferRef(result.buffer) for result in results]),
        )
    )
    scope.tuples[node] = results


@ops.custom.defines("lower")
def lower_custom(lowering: Lowering, node: Node, scope: Scope) -> None:
    """Lowers an external kernel: one launch. Operands that it changes in place are copied first; computed
    scalars are loaded by it."""
    made: Any = node.attribute("kernel")
    numbers = node.attribute("numbers")
    shapes = [_sizes(shape) for shape in node.attribute("shapes")]
    arrays, scalars = node.inputs[: len(made.arrays)], node.inputs[len(made.arrays) :]
    loaded = tuple(each.op.family != "leaf" for each in scalars)
    kernel = made.kernel_with(loaded)
    refs: list[BufferRef] = []
    results: list[Memory] = []
    nodes = iter(arrays)
    for access in made.accesses:
        source = None if access == "out" else scope.memories[next(nodes)]
        if access == "in":
            assert source is not None
            refs.append(BufferRef(source.buffer, source.offset))
            continue
        memory = lowering.allocate(shapes[len(results)], made.results[len(results)], scope)
        if source is not None:
            count = product(shapes[len(results)])
            scope.steps.append(Copy(BufferRef(memory.buffer), BufferRef(source.buffer, source.offset), count))
        results.append(memory)
        refs.append(BufferRef(memory.buffer))
    for scalar, is_loaded in zip(scalars, loaded, strict=True):
        if is_loaded:
            memory = scope.memories[scalar]
            refs.append(BufferRef(memory.buffer, memory.offset))
    grid, sizes = made.split(_sizes(numbers))
    lowering.kernels.append(kernel)
    scope.steps.append(
        Launch(
            len(lowering.kernels) - 1,
            tuple(refs),
            tuple(sizes),
            tuple(lowering.scalar(each, scope) for each in scalars if each.op.family == "leaf"),
            product(grid),
            _cost(shapes),
        )
    )
    scope.tuples[node] = results


def _cost(shapes: Sequence[Sequence[Expr]]) -> Expr:
    """Estimates a nanosecond for each element of a result, as the kernel's work is unknown."""
    cost = ZERO
    for shape in shapes:
        cost = cost + product(shape)
    return cost


def _sizes(values: Any) -> tuple[Expr, ...]:
    return tuple(map(lift, values))


def _arguments(
    parameters: Sequence[Node], carried: Sequence[Memory], operands: Sequence[Node], scope: Scope
) -> dict[Node, Memory]:
    """Returns the memory of a region's carried values and of the enclosing graph's values."""
    arguments = dict(zip(parameters, carried, strict=False))
    for parameter, operand in zip(parameters[len(carried) :], operands[len(carried) :], strict=True):
        arguments[parameter] = scope.memories[operand]
    return arguments


def _body(
    lowering: Lowering,
    region: Region,
    parameters: Sequence[Node],
    carried: Sequence[Memory],
    arguments: dict[Node, Memory],
    depths: dict[Node, int],
    scope: Scope,
) -> tuple[tuple[Step, ...], tuple[tuple[int, int], ...]]:
    """Returns the steps of a loop's body, and the buffers to swap after each run."""
    moved = _moved(lowering, region, parameters, carried)
    changed = [position for position in range(len(carried)) if position not in moved]
    taken_by = {source: position for position, source in moved.items()}
    homes = []
    for position in changed:
        # Where a value takes over the memory of this place, its own memory is free, or the next one's.
        home = position
        while home in taken_by:
            home = taken_by[home]
        homes.append(home)
    nodes = [region.results[position] for position in changed]
    plan = _in_place(nodes, [parameters[home] for home in homes], lowering.decide)
    if plan.targets and is_pipeline(nodes, lowering.decide, lowering.machine.limits):
        plan = WritePlan(tuple(nodes))  # whose tiles read elements that must not be overwritten
    results: dict[Node, Memory] = {}
    holding = {position: carried[source].buffer for position, source in moved.items()}
    for position, home, result in zip(changed, homes, plan.outputs, strict=True):
        holding[position] = carried[home].buffer
        if result not in plan.targets:
            results[result] = lowering.allocate(_extents(result), result.dtype, scope)
            holding[position] = results[result].buffer
    swaps = _swaps({memory.buffer: holding[position] for position, memory in enumerate(carried)})
    return lowering.lower_region(plan, arguments, results, depths), swaps


def _moved(
    lowering: Lowering, region: Region, parameters: Sequence[Node], carried: Sequence[Memory]
) -> dict[int, int]:
    """Returns the results that are unchanged carried values, with these: they need no step, only that value's
    memory, which each can have once."""
    positions = {parameter: position for position, parameter in enumerate(parameters[: len(carried)])}
    copies = {
        position: positions[result.inputs[0]]
        for position, result in enumerate(region.results)
        if result.op.copies and result.inputs[0] in positions
    }
    moved: dict[int, int] = {}
    for position, source in sorted(copies.items(), key=lambda pair: pair[0] != pair[1]):
        place, other = (lowering.buffers[carried[each].buffer] for each in (position, source))
        if source not in moved.values() and place == other:
            moved[position] = source
    return moved


def _swaps(holding: Mapping[int, int]) -> tuple[tuple[int, int], ...]:
    """Returns the pairs of buffers that, swapped one after another, give each name its final memory."""
    names: dict[int, int] = {}
    """The present meaning of each swapped name."""
    swaps = []
    for name, wanted in holding.items():
        other = next((each for each, memory in names.items() if memory == wanted), wanted)
        if other != name:
            swaps.append((name, other))
            names[name], names[other] = wanted, names.get(name, name)
    return tuple(swaps)


def _in_place(results: Sequence[Node], parameters: Sequence[Node], decide: Decide) -> WritePlan:
    """Decides how each result reaches the memory of its parameter.

    Results that would have to be copied do not, nor those for which the copy costs more than a second buffer.
    Updates of windows come first: a second buffer would cost a copy of the rest of the array at each step.
    """
    writes: dict[int, Node] = {}
    plan = WritePlan(tuple(results))
    for position in sorted(
        range(len(results)),
        key=lambda place: (results[place].op.family != "update", not results[place].shape),
    ):
        more = plan_writes(Graph(), results, {**writes, position: parameters[position]}, decide)
        if all(new is old for new, old in zip(more.outputs, results, strict=True)):
            aside = [node for node in more.keep if node not in plan.keep]
            if aside and _is_most(aside, parameters[position], decide):
                continue
            writes[position] = parameters[position]
            plan = more
    return plan


def _is_most(aside: Sequence[Node], parameter: Node, decide: Decide) -> bool:
    """Whether the values copied to scratch first are more than half of the updated array.

    They are written twice and read once; with a second buffer the rest of the array is read and written.
    """
    moved = ZERO
    for node in aside:
        moved = moved + product(_extents(node))
    return decide(less(product(_extents(parameter)), 2 * moved))


def _extents(node: Node) -> tuple[Expr, ...]:
    return tuple(lift(extent) for extent in node.shape)


def _bound(node: Node, scope: Scope) -> Bound:
    """Returns a loop's bound: a constant, a scalar argument, an outer counter, or a value in memory."""
    if node.op.source == "constant":
        bits: Bits = node.attributes[0]
        return const(int(bits.value))
    if node in scope.loop_depth:
        return LoopIndex(scope.loop_depth[node], node.dtype)
    memory = scope.memories.get(node)
    if memory is not None:
        return BufferRef(memory.buffer, memory.offset)
    index = node.attribute("index")
    assert node.op.source == "scalar" and isinstance(index, int), node
    return ScalarRef(index)
