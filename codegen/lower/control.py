"""Loops and conds as plan steps: their regions are lowered like programs, into buffers given beforehand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...ir.expr import Expr, const, lift, product
from ...ir.node import Bits, Node, Region
from ...ir.passes.stages import Decide
from ...ir.passes.write_back import WritePlan, plan_writes
from ..plan.nodes import BufferRef, Cond, Copy, Loop, ScalarRef
from .writer import Memory

if TYPE_CHECKING:
    from .program import Lowering, Scope


def lower_loop(lowering: Lowering, node: Node, scope: Scope) -> None:
    """Carried values live in pairs of buffers: one read, one written, swapped after each iteration. Those of
    which the body writes a part alone, and reads nothing else that was there, live in one."""
    (region,) = node.attributes
    assert isinstance(region, Region)
    lower, upper, *operands = node.inputs
    carried: list[Memory] = []
    for operand in operands[: len(region.results)]:
        memory = lowering.allocate(_extents(operand), operand.dtype, scope)
        source = scope.memories[operand]
        count = product(_extents(operand))
        scope.steps.append(Copy(BufferRef(memory.buffer), BufferRef(source.buffer, source.offset), count))
        carried.append(memory)
    counter, *parameters = region.parameters
    in_place, writes = written_in_place(region, parameters[: len(carried)], lowering.decide)
    written = [
        memory if position in in_place else lowering.allocate(_extents(result), result.dtype, scope)
        for position, (result, memory) in enumerate(zip(region.results, carried, strict=True))
    ]
    arguments = dict(zip(parameters, carried, strict=False))
    for parameter, operand in zip(parameters[len(carried) :], operands[len(carried) :], strict=True):
        arguments[parameter] = scope.memories[operand]
    depths = {outer: depth + 1 for outer, depth in scope.loop_depth.items()}
    depths[counter] = 0
    steps = lowering.lower_region(region, arguments, written, depths, writes)
    swaps = tuple((x.buffer, y.buffer) for x, y in zip(carried, written, strict=True) if x is not y)
    scope.steps.append(Loop(_bound(lower), _bound(upper), steps, swaps))
    scope.tuples[node] = carried


def written_in_place(
    region: Region, parameters: Sequence[Node], decide: Decide
) -> tuple[set[int], WritePlan]:
    """Which results of a region are their parameters with parts written, that can be written where they are;
    and the plan to do so."""
    chosen: dict[int, Node] = {}
    plan = WritePlan(region.results)
    for position, (result, parameter) in enumerate(zip(region.results, parameters, strict=False)):
        base = result
        while base.op.family == "update":
            base = base.inputs[0]
        if base is not parameter or base is result:
            continue
        tried = plan_writes(region.graph, region.results, {**chosen, position: parameter}, decide)
        if tried.outputs == region.results:  # none is copied at the end
            chosen[position] = parameter
            plan = tried
    return set(chosen), plan


def lower_cond(lowering: Lowering, node: Node, scope: Scope) -> None:
    """Both arms write the same buffers."""
    then, orelse = node.attributes
    assert isinstance(then, Region) and isinstance(orelse, Region)
    predicate, *operands = node.inputs
    written = [lowering.allocate(_extents(result), result.dtype, scope) for result in then.results]
    arms = []
    for region in (then, orelse):
        arguments = {
            parameter: scope.memories[operand]
            for parameter, operand in zip(region.parameters, operands, strict=True)
        }
        arms.append(lowering.lower_region(region, arguments, written, dict(scope.loop_depth)))
    memory = scope.memories[predicate]
    scope.steps.append(Cond(BufferRef(memory.buffer, memory.offset), *arms))
    scope.tuples[node] = written


def _extents(node: Node) -> tuple[Expr, ...]:
    return tuple(lift(extent) for extent in node.shape)


def _bound(node: Node) -> Expr | ScalarRef:
    """A loop's bound: a number of the program or a scalar argument."""
    if node.op.name == "constant":
        bits = node.attributes[0]
        assert isinstance(bits, Bits)
        return const(int(bits.value))
    assert node.op.name == "scalar", "loop bounds are numbers or scalar arguments"
    index = node.attribute("index")
    assert isinstance(index, int)
    return ScalarRef(index)
