"""Products of matrices and vectors, inner and outer products."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from ..arrays.indexing import normalize_axes, normalize_axis
from ..arrays.promotion import Operand, result_dtype
from ..base.arguments import integer, is_sequence
from ..errors import ArgumentError, AxisError, ShapeError
from ..ir.node import Graph, Node, is_contiguous
from . import movement
from .complex_numbers import conjugate
from .contraction import contract, image_product, matrix_product, multiply_and_sum
from .elementwise import multiply
from .operands import as_node, broadcast_shapes, reshaped, shape_text, spread, strong


def matmul(graph: Graph, x: Operand, y: Operand) -> Node:
    """`x @ y`: products of the matrices in the last two axes, the axes before them broadcast.

    A vector is a row on the left and a column on the right.
    """
    first, second = _of_one_dtype(graph, x, y)
    _check_ranks("matmul", "(n?,k),(k,m?)->(n?,m?)", (first, second), (1, 1))
    _check_inner("matmul", "(n?,k),(k,m?)->(n?,m?)", first.shape[-1], second.shape[-2:][0])
    if len(second.shape) == 1:
        return _summed_product(graph, first, second, -1)
    if len(first.shape) == 1:
        return _summed_product(graph, _column(graph, first), second, -2)
    return _matrices(graph, first, second)


def windows_matmul(graph: Graph, x: Operand, y: Operand) -> Node:
    """`x @ y` where the columns of `y` are windows of images, as convolutions multiply."""
    first, second = _of_one_dtype(graph, x, y)
    batch = broadcast_shapes(first.shape[:-2], second.shape[:-2])
    return image_product(
        graph,
        spread(graph, first, (*batch, *first.shape[-2:])),
        spread(graph, second, (*batch, *second.shape[-2:])),
    )


def _of_one_dtype(graph: Graph, x: Operand, y: Operand) -> tuple[Node, Node]:
    dtype = result_dtype((x, y))
    return as_node(graph, x, dtype), as_node(graph, y, dtype)


def _check_ranks(function: str, signature: str, nodes: Sequence[Node], ranks: Sequence[int]) -> None:
    for position, (node, rank) in enumerate(zip(nodes, ranks, strict=True)):
        if len(node.shape) < rank:
            raise ShapeError(
                f"{function}: Input operand {position} does not have enough dimensions (has "
                f"{len(node.shape)}, gufunc core with signature {signature} requires {rank})"
            )


def _check_inner(function: str, signature: str, first: int, second: int) -> None:
    if first != second:
        raise ShapeError(
            f"{function}: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature "
            f"{signature} (size {second} is different from {first})"
        )


def _column(graph: Graph, x: Node) -> Node:
    """Vectors as matrices of one column."""
    return movement.expand_dims(x.shape, -1).apply(graph, x)


def _matrices(graph: Graph, x: Node, y: Node) -> Node:
    if len(y.shape) == 2 and len(x.shape) > 2 and _joins(x):
        # One product with all rows.
        rows = movement.reshape(x.shape, (x.size // x.shape[-1], x.shape[-1])).apply(graph, x)
        result = matrix_product(graph, rows, y)
        return movement.reshape(result.shape, (*x.shape[:-1], y.shape[-1])).apply(graph, result)
    batch = broadcast_shapes(x.shape[:-2], y.shape[:-2])
    return matrix_product(
        graph, spread(graph, x, (*batch, *x.shape[-2:])), spread(graph, y, (*batch, *y.shape[-2:]))
    )


def _joins(x: Node) -> bool:
    """Whether the leading axes of an array merge without a copy."""
    if 0 in x.shape or x.op.family == "movement":
        return False
    return x.op.source != "array" or is_contiguous(x)


def _summed_product(graph: Graph, x: Node, y: Node, axis: int) -> Node:
    """The sum of x * y, broadcast, over an axis counted from the end."""
    shape = broadcast_shapes(x.shape, y.shape)
    return multiply_and_sum(graph, spread(graph, x, shape), spread(graph, y, shape), (len(shape) + axis,))


def matvec(graph: Graph, x: Operand, y: Operand) -> Node:
    """The matrices in the last two axes of `x` times the vectors along the last axis of `y`."""
    first, second = _of_one_dtype(graph, x, y)
    _check_ranks("matvec", "(m,n),(n)->(m)", (first, second), (2, 1))
    _check_inner("matvec", "(m,n),(n)->(m)", first.shape[-1], second.shape[-1])
    row = movement.expand_dims(second.shape, -2).apply(graph, second)
    return _summed_product(graph, first, row, -1)


def vecmat(graph: Graph, x: Operand, y: Operand) -> Node:
    """The vectors along the last axis of `x` times the matrices in the last two axes of `y`."""
    first, second = _of_one_dtype(graph, x, y)
    _check_ranks("vecmat", "(n),(n,m)->(m)", (first, second), (1, 2))
    _check_inner("vecmat", "(n),(n,m)->(m)", first.shape[-1], second.shape[-2])
    return _summed_product(graph, conjugate(graph, _column(graph, first)), second, -2)


def vecdot(graph: Graph, x: Operand, y: Operand, axis: int = -1) -> Node:
    """Inner products of the vectors along an axis of both, the last one unless another is given."""
    first, second = _of_one_dtype(graph, x, y)
    _check_ranks("vecdot", "(n),(n)->()", (first, second), (1, 1))
    moved = []
    for node in (first, second):
        along = normalize_axis(axis, len(node.shape))
        moved.append(movement.moveaxis(node.shape, along, -1).apply(graph, node))
    _check_inner("vecdot", "(n),(n)->()", moved[0].shape[-1], moved[1].shape[-1])
    return _summed_product(graph, conjugate(graph, moved[0]), moved[1], -1)


def dot(graph: Graph, x: Operand, y: Operand) -> Node:
    """`np.dot`: sums over the last axis of `x` and the last but one of `y`; rank 0 multiplies."""
    first, second = strong(graph, x), strong(graph, y)  # NumPy makes arrays of numbers first
    if not first.shape or not second.shape:
        return multiply(graph, first, second)
    if len(second.shape) <= 2:
        _check_dot(first, second, second.shape[0])
        return matmul(graph, x, y)
    _check_dot(first, second, second.shape[-2])
    return tensordot(graph, x, y, ((-1,), (-2,)))


def _check_dot(x: Node, y: Node, inner: int) -> None:
    if x.shape[-1] != inner:
        axis = max(len(y.shape) - 2, 0)
        raise ShapeError(
            f"shapes {shape_text(x.shape)} and {shape_text(y.shape)} not aligned: {x.shape[-1]} "
            f"(dim {len(x.shape) - 1}) != {inner} (dim {axis})"
        )


def inner(graph: Graph, x: Operand, y: Operand) -> Node:
    """Sums over the last axes of both; rank 0 multiplies."""
    first, second = strong(graph, x), strong(graph, y)
    if not first.shape or not second.shape:
        return multiply(graph, first, second)
    if first.shape[-1] != second.shape[-1]:
        raise ShapeError(
            f"shapes {shape_text(first.shape)} and {shape_text(second.shape)} not aligned: "
            f"{first.shape[-1]} (dim {len(first.shape) - 1}) != "
            f"{second.shape[-1]} (dim {len(second.shape) - 1})"
        )
    return tensordot(graph, x, y, ((-1,), (-1,)))


def vdot(graph: Graph, x: Operand, y: Operand) -> Node:
    """The sum of the products of all elements of both, taken flat; the first one's complex conjugates."""
    first, second = _of_one_dtype(graph, strong(graph, x), strong(graph, y))
    if first.size != second.size:
        raise ShapeError(f"cannot reshape array of size {second.size} into shape ({first.size},)")
    if first.shape != second.shape:
        first, second = (movement.ravel(node.shape).apply(graph, node) for node in (first, second))
    return multiply_and_sum(graph, conjugate(graph, first), second, tuple(range(len(first.shape))))


def tensordot(graph: Graph, x: Operand, y: Operand, axes: Any = 2) -> Node:
    """Sums over the last `axes` axes of `x` and the first of `y`, or over pairs of axes: (of x, of y)."""
    first, second = _of_one_dtype(graph, strong(graph, x), strong(graph, y))
    ranks = len(first.shape), len(second.shape)
    if is_sequence(axes):
        try:
            of_x, of_y = axes
        except ValueError:
            raise ArgumentError(f"tensordot: axes={axes!r} must be a number or two lists of axes") from None
        given = [tuple(each) if is_sequence(each) else (each,) for each in (of_x, of_y)]
        pairs = [normalize_axes(each, rank) for each, rank in zip(given, ranks, strict=True)]
        if len(pairs[0]) != len(pairs[1]):
            raise ShapeError("shape-mismatch for sum: tensordot needs as many axes of x as of y")
    else:
        count = max(integer(axes, "axes"), 0)
        if count > min(ranks):
            raise AxisError(
                f"tensordot: arrays of {ranks[0]} and {ranks[1]} axes have no {count} to sum over"
            )
        pairs = [tuple(range(ranks[0] - count, ranks[0])), tuple(range(count))]
    for mine, its in zip(*pairs, strict=True):
        if first.shape[mine] != second.shape[its]:
            raise ShapeError(
                f"shape-mismatch for sum: axis {mine} of shape {shape_text(first.shape)} and axis "
                f"{its} of shape {shape_text(second.shape)} have different extents"
            )
    labels_x = tuple(range(ranks[0]))
    partner = dict(zip(pairs[1], pairs[0], strict=True))
    labels_y = tuple(partner.get(axis, ranks[0] + axis) for axis in range(ranks[1]))
    result = tuple(label for label in (*labels_x, *labels_y) if label not in pairs[0])
    return contract(graph, first, labels_x, second, labels_y, result)


def outer(graph: Graph, x: Operand, y: Operand) -> Node:
    """Every element of `x` times every element of `y`, both taken flat."""
    first, second = strong(graph, x), strong(graph, y)
    rows = movement.reshape(first.shape, (-1, 1) if first.size else (0, 1)).apply(graph, first)
    columns = movement.ravel(second.shape).apply(graph, second)
    return multiply(graph, rows, columns)


def kron(graph: Graph, x: Operand, y: Operand) -> Node:
    """The Kronecker product: `y` in place of each element of `x`, times that element."""
    first, second = _of_one_dtype(graph, strong(graph, x), strong(graph, y))
    rank = max(len(first.shape), len(second.shape))
    shapes = [(1,) * (rank - len(node.shape)) + node.shape for node in (first, second)]
    spaced = []
    for side, (node, shape) in enumerate(zip((first, second), shapes, strict=True)):
        pairs = ((extent, 1) if side == 0 else (1, extent) for extent in shape)
        target = tuple(extent for pair in pairs for extent in pair)
        spaced.append(reshaped(graph, node, target))
    result = multiply(graph, *spaced)
    target = tuple(a * b for a, b in zip(*shapes, strict=True))
    return reshaped(graph, result, target)


def multi_dot(graph: Graph, *arrays: Operand) -> Node:
    """The product of all matrices, in the order that takes the fewest multiplications."""
    if len(arrays) < 2:
        raise ArgumentError("Expecting at least two arrays.")
    if len(arrays) == 2:
        return dot(graph, *arrays)
    dtype = result_dtype(arrays)
    nodes = [as_node(graph, array, dtype) for array in arrays]
    for position, node in enumerate(nodes):
        ranks = (1, 2) if position in (0, len(nodes) - 1) else (2,)
        if len(node.shape) not in ranks:
            raise ShapeError(
                f"multi_dot: array {position} is {len(node.shape)}-dimensional; all must be "
                f"matrices, the first and the last may be vectors"
            )
    last = len(nodes) - 1
    extents = [
        1 if len(node.shape) == 1 and position == 0 else node.shape[0] for position, node in enumerate(nodes)
    ]
    extents.append(1 if len(nodes[last].shape) == 1 else nodes[last].shape[-1])
    return _multiplied(graph, nodes, _cheapest(extents), 0, last)


def _cheapest(extents: Sequence[int]) -> Callable[[int, int], int]:
    """The best split of a chain of matrices `extents[i]` x `extents[i + 1]` (T. H. Cormen et al.,
    Introduction to Algorithms, section 15.2)."""
    count = len(extents) - 1
    cost: dict[tuple[int, int], int] = {(i, i): 0 for i in range(count)}
    cut: dict[tuple[int, int], int] = {}
    for span in range(1, count):
        for i in range(count - span):
            j = i + span
            costs = {
                k: cost[i, k] + cost[k + 1, j] + math.prod((extents[i], extents[k + 1], extents[j + 1]))
                for k in range(i, j)
            }
            cut[i, j] = min(costs, key=costs.__getitem__)
            cost[i, j] = costs[cut[i, j]]
    return lambda i, j: cut[i, j]


def _multiplied(
    graph: Graph, nodes: Sequence[Node], cut: Callable[[int, int], int], first: int, last: int
) -> Node:
    if first == last:
        return nodes[first]
    middle = cut(first, last)
    left = _multiplied(graph, nodes, cut, first, middle)
    return dot(graph, left, _multiplied(graph, nodes, cut, middle + 1, last))
