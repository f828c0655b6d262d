"""Matrix and outer products."""

from __future__ import annotations

from ..errors import ShapeError, UnsupportedError
from ..ir import ops
from ..ir.node import Graph, Node
from ..ir.types import BOOL
from ..promotion import Operand, result_dtype
from . import movement
from .elementwise import multiply
from .operands import as_node, cast, in_computed, pair, shape_text, strong


def matmul(graph: Graph, x: Operand, y: Operand) -> Node:
    """`x @ y` of matrices; a vector is a row on the left and a column on the right."""
    dtype = result_dtype((x, y))
    first, second = as_node(graph, x, dtype), as_node(graph, y, dtype)
    if not first.shape or not second.shape:
        position = 1 if first.shape else 0
        raise ShapeError(
            f"matmul: Input operand {position} does not have enough dimensions (has 0, gufunc core with "
            f"signature "
            "(n?,k),(k,m?)->(n?,m?) requires 1)"
        )
    if len(first.shape) > 2 or len(second.shape) > 2:
        raise UnsupportedError(
            f"matmul of shapes {shape_text(first.shape)} and {shape_text(second.shape)}: only vectors and "
            f"matrices are "
            "supported; multiply one matrix at a time, and np.stack the results"
        )
    if dtype is BOOL:
        raise UnsupportedError("matmul of bool; cast one side with .astype(np.int32)")
    if first.shape[-1] != second.shape[0]:
        raise ShapeError(
            "matmul: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature "
            f"(n?,k),(k,m?)->(n?,m?) (size {second.shape[0]} is different from {first.shape[-1]})"
        )
    result_shape = (*first.shape[:-1], *second.shape[1:])
    if len(first.shape) == 1:
        first = movement.expand_dims(first.shape, 0).apply(graph, first)
    if len(second.shape) == 1:
        second = movement.expand_dims(second.shape, 1).apply(graph, second)
    # Products of 16-bit floats are exact in float32; their sums are rounded once.
    result = cast(graph, graph.make(ops.dot, in_computed(graph, first), in_computed(graph, second)), dtype)
    return movement.reshape(result.shape, result_shape).apply(graph, result)


def dot(graph: Graph, x: Operand, y: Operand) -> Node:
    """`np.dot`: as `matmul`, and a product with rank 0 multiplies."""
    first, second = strong(graph, x), strong(graph, y)
    return matmul(graph, x, y) if first.shape and second.shape else multiply(graph, x, y)


def vecdot(graph: Graph, x: Operand, y: Operand) -> Node:
    """Inner products of the vectors along the last axes."""
    first, second = pair(graph, x, y)
    extents = strong(graph, x).shape[-1:], strong(graph, y).shape[-1:]
    if extents[0] != extents[1] or not extents[0]:
        raise ShapeError(f"vecdot: the last axes must have one extent, not {extents[0]} and {extents[1]}")
    if first.dtype is BOOL:
        raise UnsupportedError("vecdot of bool; cast one side with .astype(np.int32)")
    dtype = first.dtype
    product = graph.make(ops.mul, in_computed(graph, first), in_computed(graph, second))
    total = graph.make(ops.reduce, product, attributes=("sum", (len(product.shape) - 1,)))
    return cast(graph, total, dtype)


def outer(graph: Graph, x: Operand, y: Operand) -> Node:
    """Every element of `x` times every element of `y`, both taken flat."""
    first, second = strong(graph, x), strong(graph, y)
    rows = movement.reshape(first.shape, (-1, 1) if first.size else (0, 1)).apply(graph, first)
    columns = movement.ravel(second.shape).apply(graph, second)
    return multiply(graph, rows, columns)
