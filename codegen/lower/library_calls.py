"""Functions of libraries on stacks of matrices as steps of a plan."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...ir import ops
from ...ir.expr import ZERO, Expr, less, lift, maximum, minimum, product, symbol
from ...ir.node import Node
from ...ir.ops import fourier
from ...ir.types import U32, U64
from ..plan.libraries import FUNCTIONS, LibraryFunction
from ..plan.nodes import Axis, BufferRef, LibraryCall

if TYPE_CHECKING:
    from ...ir.ops.linear_algebra import Signature
    from .lowering import Lowering, Scope

CALL_NS = 500
"""The overhead of a call of LAPACK, besides its arithmetic."""
SMALL_MATRIX = 64
"""Up to this extent several matrices of a stack are processed concurrently; a larger one uses all threads of
the library."""
PARTS_OF_A_THREAD = 4
FLOPS_PER_NS = 2


def lower_library_call(lowering: Lowering, node: Node, scope: Scope) -> None:
    """Lowers a call: one step for the whole stack, with contiguous operands and results."""
    cores: Signature = node.op.library
    function = FUNCTIONS[cores.function]
    assert node.op.results is not None, node
    made = node.op.results(node)
    stack, bound = cores.bound([each.shape for each in node.inputs], node.attribute("extents"))
    if fourier.GATHERED in function.sizes:
        bound[fourier.GATHERED], stack = product(map(lift, stack)), ()
    sizes = tuple([lift(bound[letter]) for letter in function.sizes])
    count = product(map(lift, stack))
    operands = [scope.memories[source] for source in node.inputs]
    results = [lowering.allocate(tuple(map(lift, shape)), dtype, scope) for shape, dtype in made]
    batch = (Axis(count, tuple(map(lift, function.elements(sizes)))),) if stack else ()
    workspace = _workspace(lowering, function, sizes, count, scope)
    word = lowering.fault_word(node.attribute("site"), 0, U64 if lowering.machine.wide_faults else U32)
    scope.steps.append(
        LibraryCall(
            function.name,
            node.inputs[0].dtype,
            operands=tuple([BufferRef(operand.buffer, operand.offset) for operand in operands]),
            results=tuple([BufferRef(result.buffer) for result in results]),
            options=(),
            sizes=sizes,
            workspace=workspace,
            batch=batch,
            faults=(word,),
            cost_ns=count * (CALL_NS + lift(function.flops(sizes)) // FLOPS_PER_NS),
        )
    )
    scope.tuples[node] = results


for _op in ops.OPS.values():
    if _op.library is not None and _op.name in FUNCTIONS and _op not in fourier.OPS:  # see fft
        _op.defines("lower")(lower_library_call)


def _workspace(
    lowering: Lowering, function: LibraryFunction, sizes: tuple[Expr, ...], count: Expr, scope: Scope
) -> tuple[BufferRef, ...]:
    """Allocates memory for as many calls as run concurrently. On other devices the processor has its own."""
    if function.workspace is None or not lowering.machine.is_host:
        return ()
    words: Expr = ZERO
    for part in function.workspace(sizes).values():
        words = words + part
    largest: Expr = ZERO
    for size in sizes:
        largest = maximum(largest, size)
    most = minimum(count, symbol("device.threads") * PARTS_OF_A_THREAD)
    parts = maximum(less(largest, SMALL_MATRIX + 1) * most, 1)
    return (BufferRef(lowering.allocate((words * parts,), U64, scope).buffer),)
