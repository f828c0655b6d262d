"""The right operand of a product, packed once for many products: strips of columns, each line contiguous, as
`packed_products` reads them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....ir import ops
from ....ir.expr import ONE, ceil_div, lift
from ....ir.node import Node
from ...plan.nodes import BufferRef
from ..writing.writer import Memory, memory_of_view
from ..written_kernel import WrittenKernel
from .packed_products import LINE_BYTES

if TYPE_CHECKING:
    from ..lowering import Lowering, Scope


@ops.panels.defines("lower")
def lower_panels(lowering: Lowering, node: Node, scope: Scope) -> None:
    """One launch, a strip for each workgroup; columns beyond the last one are 0."""
    (matrix,) = node.inputs
    memory = memory_of_view(matrix, scope.memories)
    inner, columns = map(lift, matrix.shape)
    dtype = ops.accumulator(matrix.dtype)
    line = LINE_BYTES // dtype.itemsize
    strips = ceil_div(columns, line)
    result = lowering.allocate((strips, inner, lift(line)), dtype, scope)
    kernel = WrittenKernel(lowering, scope, "pack")
    build = kernel.build
    source = kernel.buffer_of(BufferRef(memory.buffer), memory.dtype, "in")
    panels = kernel.buffer(result, "out")
    down, along = map(kernel.index, memory.strides)
    depth, width, zero = kernel.index(inner), build.constant(line), build.constant(0)
    strip = build.group_id()
    left = strip * width
    start = kernel.index(memory.offset) + left * along
    first = left * depth
    used = build.minimum(width, kernel.index(columns) - left)
    strip_elements = depth * width
    with build.when(used < width), build.loop(zero, strip_elements, kind="lanes") as (i,):
        build.store(panels, first + i, build.constant(0, dtype))
    transposed = memory.strides[0] is ONE
    outer, vector = (used, depth) if transposed else (depth, used)
    with build.loop(zero, outer) as (slow,), build.loop(zero, vector, kind="lanes") as (fast,):
        k, j = (fast, slow) if transposed else (slow, fast)
        value = build.load(source, start + (k * down + j * along))
        build.store(panels, first + (k * width + j), build.cast(value, dtype))
    kernel.launch(strips, inner * line // 8)
    scope.tuples[node] = [Memory(result.buffer, dtype, (lift(line), ONE))]
