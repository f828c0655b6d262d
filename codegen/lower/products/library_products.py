"""Matrix products as library steps: their strides, operands in place, and copies of others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....ir import ops
from ....ir.expr import ONE, ZERO, Expr, less, lift, maximum, product
from ....ir.node import Node
from ....ir.passes.groups import Group
from ....ir.passes.stages import Stage
from ....ir.record import mutable
from ...plan.nodes import Axis, BufferRef, LibraryCall
from ..schedule import lower_group
from ..writing.context import LoweringContext
from ..writing.writer import Memory, memory_of_view

if TYPE_CHECKING:
    from ..lowering import Lowering, Scope


class Matrices(metaclass=mutable):
    """An operand or the result: the strides of rows, columns and batch axes."""

    ref: BufferRef
    batch: list[Expr]
    row: Expr
    column: Expr


def lower_library_product(lowering: Lowering, stage: Stage, context: LoweringContext, scope: Scope) -> None:
    """Adds the step of a product, and copies of operands that the library cannot read in place."""
    node = stage.node
    x, y = node.inputs
    target = scope.memories.get(node)
    if target is None:
        target = lowering.allocate(tuple(map(lift, node.shape)), node.dtype, scope)
        scope.memories[node] = target
    *batch, m, n = map(lift, node.shape)
    k = lift(x.shape[-1])
    a, b = (_operand(lowering, source, context, scope) for source in (x, y))
    c = _matrices(target)
    counts = list(batch)
    m = _join_rows(counts, m, a, b, c)
    _merge(counts, a, b, c)
    lda, transpose_a = _leading(a, m, k)
    ldb, transpose_b = _leading(b, k, n)
    scope.steps.append(
        LibraryCall(
            "gemm",
            node.dtype,
            operands=(a.ref, b.ref),
            results=(c.ref,),
            options=(int(transpose_a), int(transpose_b)),
            sizes=(m, n, k, lda, ldb, maximum(n, 1)),
            batch=tuple(
                Axis(count, strides) for count, strides in zip(counts, zip(a.batch, b.batch, c.batch))
            ),
            cost_ns=product((*counts, m, n, k)) // 32,
        )
    )


def _matrices(memory: Memory) -> Matrices:
    *batch, row, column = memory.strides
    return Matrices(BufferRef(memory.buffer, memory.offset), batch, row, column)


def _operand(lowering: Lowering, node: Node, context: LoweringContext, scope: Scope) -> Matrices:
    """Returns an operand in place, or a copy: a library needs contiguous rows or columns that do not
    overlap."""
    found = _matrices(memory_of_view(node, scope.memories))
    rows, columns = map(lift, node.shape[-2:])
    if _is_readable(lowering, found, rows, columns):
        return found
    return _copy(lowering, node, found, context, scope)


def _is_readable(lowering: Lowering, found: Matrices, rows: Expr, columns: Expr) -> bool:
    apart, extent = (found.row, columns) if found.column is ONE else (found.column, rows)
    if ONE not in (found.row, found.column):
        return False
    return apart is extent or lowering.decide(less(extent, apart + 1))  # strides may be negative


def _copy(
    lowering: Lowering, node: Node, found: Matrices, context: LoweringContext, scope: Scope
) -> Matrices:
    """Copies an operand, once where it is the same for all positions of an axis."""
    extents = [
        1 if step is ZERO and position < len(found.batch) and int(extent) else extent
        for position, (extent, step) in enumerate(
            zip(node.shape, (*found.batch, found.row, found.column), strict=True)
        )
    ]
    value = node
    if extents != list(node.shape):
        rank = len(extents)
        value = lowering.placeholders.make(
            ops.slice_, node, attributes=((0,) * rank, (1,) * rank, tuple(extents))
        )
    copied = lowering.placeholders.make(ops.copy, value)
    memory = lowering.allocate(tuple(map(lift, extents)), node.dtype, scope)
    scope.memories[copied] = memory
    axes = []
    for extent in extents:
        axes.append(max(context.extents, default=-1) + 1)
        context.extents[axes[-1]] = lift(extent)
    stage = Stage(
        copied, "store", value, tuple(extents), axes=axes, stored=True,
        reason="a library of products cannot read its strides",
    )  # fmt: skip
    lowering.launch(lower_group(Group([stage], list(axes), []), context), scope)
    made = _matrices(memory)
    made.batch = [
        ZERO if before is ZERO else stride for before, stride in zip(found.batch, made.batch, strict=True)
    ]
    return made


def _join_rows(counts: list[Expr], m: Expr, a: Matrices, b: Matrices, c: Matrices) -> Expr:
    """Merges batch axes along which only rows of a differ into the rows of one product; returns the rows."""
    while counts and b.batch[-1] is ZERO and a.column is ONE:
        if a.batch[-1] is not a.row * m or c.batch[-1] is not c.row * m:
            break
        m = m * counts.pop()
        for each in (a, b, c):
            each.batch.pop()
    return m


def _merge(counts: list[Expr], a: Matrices, b: Matrices, c: Matrices) -> None:
    """Merges adjacent batch axes with a common stride."""
    for inner in range(len(counts) - 1, 0, -1):
        outer = inner - 1
        if all(each.batch[outer] is each.batch[inner] * counts[inner] for each in (a, b, c)):
            counts[outer] = counts[outer] * counts[inner]
            del counts[inner]
            for each in (a, b, c):
                del each.batch[outer]


def _leading(matrices: Matrices, rows: Expr, columns: Expr) -> tuple[Expr, bool]:
    """Returns the leading dimension, and whether the matrix is read transposed."""
    transposed = matrices.column is not ONE
    apart, extent = (matrices.column, rows) if transposed else (matrices.row, columns)
    return maximum(maximum(apart, extent), 1), transposed
