"""Decompositions of matrices on nodes, and functions based on them."""

from __future__ import annotations

import math

import numpy

from ..arrays.promotion import Operand, result_dtype
from ..errors import LinAlgError, ShapeError
from ..ir import ops
from ..ir.node import Graph, Node
from ..ir.ops import small_matrices
from ..ir.types import I32, I64, PART_OF, DType
from . import movement
from .complex_numbers import conjugate, real, real_numbers, size_squared
from .creation import eye
from .elementwise import divide, greater, multiply, negative, not_equal, subtract, where
from .joining import part, roll
from .linear_algebra import are_small, check_square, check_stack, in_doubles, library_call, narrowed
from .operands import as_node, broadcast_shapes, cast, constant, reshaped, shape_text, spread, strong
from .products import matmul
from .reductions import any_, count_nonzero, max_, sum
from .unrolled_matrices import cholesky as unrolled_cholesky
from .unrolled_matrices import elements, from_elements, is_unrolled


def transposed(graph: Graph, node: Node) -> Node:
    """The last two axes exchanged."""
    axes = [*range(len(node.shape))]
    axes[-2:] = axes[-1], axes[-2]
    return graph.make(ops.permute, node, attributes=(tuple(axes),))


def cholesky(graph: Graph, a: Operand, upper: bool) -> Node:
    """The triangular factors of positive definite matrices."""
    dtype, (node,) = in_doubles(graph, "cholesky", a)
    check_square(node)
    if upper:  # the lower triangle of the transposed matrix is the upper one
        node = transposed(graph, node)
    if is_unrolled(graph, node.shape[:-2], node.shape[-1], node.dtype):
        made = from_elements(graph, unrolled_cholesky(graph, elements(graph, node)))
    else:
        op = small_matrices.small_cholesky if are_small(node) else ops.cholesky
        (made,) = library_call(graph, op, (node,))
    made = narrowed(graph, made, dtype)
    return transposed(graph, made) if upper else made


def qr(graph: Graph, a: Operand, mode: str) -> list[Node]:
    """Q and R, or R alone of the mode "r"; of "raw" reflections and their factors."""
    dtype, (node,) = in_doubles(graph, "qr", a)
    check_stack(node)
    *stack, m, n = node.shape
    k = min(m, n)
    if mode == "raw":
        if not k:
            raw = graph.make(ops.undefined, attributes=((*stack, n, m), node.dtype))
            nodes = [raw, graph.make(ops.undefined, attributes=((*stack, k), node.dtype))]
        else:
            nodes = library_call(graph, ops.qr_raw, (node,), (k,))
        return _narrowed(graph, nodes, dtype)
    if not k:
        rows = m if mode == "complete" else k
        q = spread(graph, eye(graph, m, rows, 0, node.dtype), (*stack, m, rows))
        r = graph.make(ops.undefined, attributes=((*stack, rows, n), node.dtype))
        nodes = [r] if mode == "r" else [q, r]
    elif mode == "complete":
        nodes = library_call(graph, ops.qr_complete, (node,))
    else:
        small = are_small(node)
        whole = small_matrices.small_qr if small else ops.qr
        triangle = small_matrices.small_qr_r if small else ops.qr_r
        nodes = library_call(graph, triangle if mode == "r" else whole, (node,), (k,))
    return _narrowed(graph, nodes, dtype)


def eigh(graph: Graph, a: Operand, lower: bool, vectors: bool) -> list[Node]:
    """Eigenvalues of symmetric matrices, ascending, and eigenvectors in columns."""
    dtype, (node,) = in_doubles(graph, "eigh" if vectors else "eigvalsh", a)
    check_square(node)
    if are_small(node):
        op = small_matrices.small_eigh if vectors else small_matrices.small_eigvalsh
        nodes = library_call(graph, op, (node if lower else transposed(graph, node),))
    elif vectors:
        nodes = library_call(graph, ops.eigh if lower else ops.eigh_upper, (node,))
    else:
        nodes = library_call(graph, ops.eigvalsh, (node if lower else transposed(graph, node),))
    return _narrowed(graph, nodes, dtype)


def eig(graph: Graph, a: Operand, vectors: bool) -> list[Node]:
    """Of complex matrices eigenvalues, and eigenvectors in columns. Of real ones the real and imaginary parts
    of the eigenvalues, and columns: see `with_complex_columns`."""
    dtype, (node,) = in_doubles(graph, "eig" if vectors else "eigvals", a)
    check_square(node)
    return _narrowed(graph, library_call(graph, ops.eig if vectors else ops.eigvals, (node,)), dtype)


def with_complex_columns(graph: Graph, first: Node, imaginary: Node, *columns: Node) -> list[Node]:
    """Eigenvalues of real matrices as complex numbers, and their eigenvectors.

    The vector of a real value is its column. Two conjugate values stand one after the other, that of positive
    imaginary part first, and their columns are the real and the imaginary part of the first one's vector.
    """
    nodes = [graph.make(ops.pair, first, imaginary)]
    for column in columns:
        signs = movement.expand_dims(imaginary.shape, -2).apply(graph, imaginary)
        signs = spread(graph, signs, column.shape)
        zero = constant(graph, 0, signs)
        leads, follows = greater(graph, signs, zero), greater(graph, zero, signs)
        before, after = (roll(graph, column, by, -1) for by in (1, -1))
        parts = (
            where(graph, follows, before, column),
            where(graph, leads, after, where(graph, follows, negative(graph, column), zero)),
        )
        nodes.append(graph.make(ops.pair, *parts))
    return nodes


def svd(graph: Graph, a: Operand, full: bool, vectors: bool, symmetric: bool = False) -> list[Node]:
    """U, singular values descending, and V transposed; or the singular values alone."""
    dtype, (node,) = in_doubles(graph, "svd", a)
    check_stack(node)
    if symmetric:
        check_square(node)
        node = mirrored(graph, node)
    *stack, m, n = node.shape
    k = min(m, n)
    if not k:
        values = graph.make(ops.undefined, attributes=((*stack, k), PART_OF.get(node.dtype, node.dtype)))
        columns, rows = (m, n) if full else (k, k)
        u = spread(graph, eye(graph, m, columns, 0, node.dtype), (*stack, m, columns))
        v = spread(graph, eye(graph, rows, n, 0, node.dtype), (*stack, rows, n))
        return _narrowed(graph, [u, values, v] if vectors else [values], dtype)
    if are_small(node):
        return _narrowed(graph, _small_svd(graph, node, full, vectors), dtype)
    op = (ops.svd_full if full else ops.svd) if vectors else ops.svdvals
    return _narrowed(graph, library_call(graph, op, (node,), (k,)), dtype)


def _small_svd(graph: Graph, node: Node, full: bool, vectors: bool) -> list[Node]:
    """The SVD by kernels, which take matrices with at least as many rows as columns: a wide one is
    transposed, and its left and right vectors are exchanged."""
    wide = node.shape[-1] > node.shape[-2]
    given = transposed(graph, node) if wide else node
    if not vectors:
        return library_call(graph, small_matrices.small_svdvals, (given,))
    op = small_matrices.small_svd_full if full else small_matrices.small_svd
    u, values, v = library_call(graph, op, (given,))
    return [transposed(graph, v), values, transposed(graph, u)] if wide else [u, values, v]


def _narrowed(graph: Graph, nodes: list[Node], dtype: DType) -> list[Node]:
    return [narrowed(graph, node, dtype) for node in nodes]


def adjoint(graph: Graph, node: Node) -> Node:
    """The last two axes exchanged, and complex numbers conjugate."""
    return conjugate(graph, transposed(graph, node))


def mirrored(graph: Graph, node: Node) -> Node:
    """Symmetric (or Hermitian) matrices from their lower triangles."""
    row, column = (
        graph.make(ops.iota, attributes=(node.shape, len(node.shape) - back, I64)) for back in (2, 1)
    )
    made = where(graph, graph.make(ops.le, column, row), node, adjoint(graph, node))
    if not node.dtype.is_complex:
        return made
    diagonal = graph.make(ops.eq, column, row)
    return where(graph, diagonal, real(graph, made), made)


def pinv(graph: Graph, a: Operand, rcond: Operand | None, symmetric: bool) -> Node:
    """Pseudo-inverse matrices, without singular values up to `rcond` times the largest; None: those that
    rounding leaves."""
    node = floating(graph, a)
    check_stack(node)
    *stack, m, n = node.shape
    if not node.size:
        return spread(graph, cast(graph, eye(graph, n, m, 0), node.dtype), (*stack, n, m))
    u, s, v = svd(graph, node, False, True, symmetric)
    if rcond is None:
        rcond = max(m, n) * float(numpy.finfo(node.dtype.numpy_name).eps)
    limits = strong(graph, rcond)
    if broadcast_shapes(limits.shape, tuple(stack)) != tuple(stack):
        raise ShapeError(
            f"pinv: rcond has the shape {shape_text(limits.shape)}; it is a number, or one for each matrix "
            f"of the stack {shape_text(tuple(stack))}"
        )
    reach = max_(graph, s, -1, True)
    kept = greater(graph, s, multiply(graph, _against(graph, limits, s), reach))
    inverses = where(graph, kept, divide(graph, 1.0, where(graph, kept, s, 1.0)), 0.0)
    columns = movement.expand_dims(inverses.shape, -1).apply(graph, inverses)
    return matmul(graph, adjoint(graph, v), multiply(graph, columns, adjoint(graph, u)))


def _against(graph: Graph, value: Operand, like: Node) -> Operand:
    """Thresholds for each matrix of a stack, shaped to compare with singular values."""
    node = cast(graph, real_numbers(graph, value, "a tolerance"), like.dtype)
    return movement.expand_dims(node.shape, -1).apply(graph, node) if node.shape else node


def matrix_rank(
    graph: Graph, a: Operand, tolerance: Operand | None, relative: Operand | None, symmetric: bool
) -> Node:
    """How many singular values are above a tolerance: one given, or one relative to the largest, or what
    rounding leaves."""
    node = strong(graph, a)
    if len(node.shape) < 2:
        return cast(graph, any_(graph, not_equal(graph, node, 0)), I64)
    (s,) = svd(graph, node, False, False, symmetric)
    m, n = node.shape[-2:]
    if tolerance is None and relative is None and not min(m, n):
        return cast(graph, sum(graph, s, -1), I64)
    if tolerance is not None:
        limit = _against(graph, tolerance, s)
    else:
        if relative is None:
            relative = max(m, n) * float(numpy.finfo(s.dtype.numpy_name).eps)
        largest = max_(graph, s, -1, True, initial=None if min(m, n) else 0)
        limit = multiply(graph, _against(graph, relative, s), largest)
    return count_nonzero(graph, greater(graph, s, limit), -1)


def lstsq(graph: Graph, a: Operand, b: Operand, rcond: Operand | None) -> list[Node]:
    """The x of least length that makes `a @ x - b` smallest, sums of squares that are left, the rank, and the
    singular values."""
    dtype, (left, right) = in_doubles(graph, "lstsq", a, b)
    vector = len(right.shape) == 1
    if vector:
        right = reshaped(graph, right, (*right.shape, 1))
    for node in (left, right):
        if len(node.shape) != 2:
            raise LinAlgError(f"{len(node.shape)}-dimensional array given. Array must be two-dimensional")
    (m, n), (rows, sides) = left.shape, right.shape
    plain = PART_OF.get(left.dtype, left.dtype)
    if m != rows:
        raise LinAlgError(f"Incompatible dimensions: {shape_text(left.shape)} and {shape_text(right.shape)}")
    k = min(m, n)
    if k and not sides:  # LAPACK requires a right-hand side
        padded = spread(graph, graph.constant(0, left.dtype), (m, 1))
        x, residuals, rank, s = lstsq(graph, left, padded, rcond)
        x, residuals = part(graph, x, 1, 0, 0), part(graph, residuals, 0, 0, 0)
        x, residuals, s = _narrowed(graph, [x, residuals, s], dtype)
        return [x, residuals, rank, s]
    if k:
        reach = max(m, n) * float(numpy.finfo(left.dtype.numpy_name).eps) if rcond is None else rcond
        x, counted, s = library_call(graph, ops.lstsq, (left, right, as_node(graph, reach, plain)), (k,))
        rank = cast(graph, counted, I32)
    else:
        x, rank = spread(graph, graph.constant(0, left.dtype), (n, sides)), graph.constant(0, I32)
        s = graph.make(ops.undefined, attributes=((0,), plain))
    if m > n:
        left_over = size_squared(graph, subtract(graph, right, matmul(graph, left, x)))
        full = graph.make(ops.eq, rank, graph.constant(n, I32))
        residuals = where(graph, full, sum(graph, left_over, 0), math.nan)
    else:
        residuals = graph.make(ops.undefined, attributes=((0,), plain))
    if vector:
        x = reshaped(graph, x, (n,))
    x, residuals, s = _narrowed(graph, [x, residuals, s], dtype)
    return [x, residuals, rank, s]


def floating(graph: Graph, x: Operand) -> Node:
    """An operand in floats or complex numbers: integers become float64."""
    node = strong(graph, x)
    return node if node.dtype.is_inexact else as_node(graph, node, result_dtype((node, 1.0)))
