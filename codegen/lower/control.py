"""Loops and conds as plan steps: their regions are lowered like programs, into buffers given beforehand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...ir.expr import Expr, const, lift, product
from ...ir.node import Bits, Node, Region
from ..plan.nodes import BufferRef, Cond, Copy, Loop, ScalarRef
from .writer import Memory

if TYPE_CHECKING:
    from .program import Lowering, Scope


def lower_loop(lowering: Lowering, node: Node, scope: Scope) -> None:
    """Carried values live in pairs of buffers: one read, one written, swapped after each iteration."""
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
    written = [lowering.allocate(_extents(result), result.dtype, scope) for result in region.results]
    counter, *parameters = region.parameters
    arguments = dict(zip(parameters, carried, strict=False))
    for parameter, operand in zip(parameters[len(carried) :], operands[len(carried) :], strict=True):
        arguments[parameter] = scope.memories[operand]
    depths = {outer: depth + 1 for outer, depth in scope.loop_depth.items()}
    depths[counter] = 0
    steps = lowering.lower_region(region, arguments, written, depths)
    swaps = tuple((kept.buffer, made.buffer) for kept, made in zip(carried, written, strict=True))
    scope.steps.append(Loop(_bound(lower), _bound(upper), steps, swaps))
    scope.tuples[node] = carried


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
