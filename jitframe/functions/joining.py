"""Joins arrays: each part is written into an uninitialized array."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..arrays.indexing import normalize_axis
from ..arrays.promotion import Operand, result_dtype
from ..arrays.views import Slice
from ..base.arguments import integer
from ..errors import ArgumentError, ShapeError
from ..ir import ops
from ..ir.node import Graph, Node, Shape
from ..ir.types import BOOL, DType
from . import movement
from .elementwise import not_equal, subtract
from .operands import as_node, reshaped, strong


def concatenate(graph: Graph, parts: Sequence[Operand], axis: Any = 0, dtype: DType | None = None) -> Node:
    """Parts of equal shapes, but for `axis`, one after another along it; `axis` None takes them flat."""
    if not parts:
        raise ArgumentError("need at least one array to concatenate")
    axis = axis if axis is None else integer(axis, "axis")
    dtype = result_dtype(parts) if dtype is None else dtype
    nodes = [as_node(graph, part, dtype) for part in parts]
    if axis is None:
        nodes = [movement.ravel(node.shape).apply(graph, node) for node in nodes]
    rank = len(nodes[0].shape)
    if not rank:
        raise ShapeError("zero-dimensional arrays cannot be concatenated")
    along = normalize_axis(0 if axis is None else axis, rank)
    for position, node in enumerate(nodes):
        _check_part(nodes[0], node, position, along)
    extents = [node.shape[along] for node in nodes]
    shape = (*nodes[0].shape[:along], sum(extents), *nodes[0].shape[along + 1 :])
    result = graph.make(ops.undefined, attributes=(shape, dtype))
    start = 0
    for node, extent in zip(nodes, extents, strict=True):
        if extent:
            starts = tuple(start if position == along else 0 for position in range(rank))
            result = graph.make(ops.update, result, node, attributes=(starts, (1,) * rank))
        start += extent
    return result


def _check_part(first: Node, node: Node, position: int, along: int) -> None:
    if len(node.shape) != len(first.shape):
        raise ShapeError(
            "all the input arrays must have same number of dimensions, but the array at index 0 has "
            f"{len(first.shape)} dimension(s) and the array at index {position} has {len(node.shape)} "
            f"dimension(s)"
        )
    for axis, (expected, extent) in enumerate(zip(first.shape, node.shape, strict=True)):
        if axis != along and expected != extent:
            raise ShapeError(
                "all the input array dimensions except for the concatenation axis must match exactly, but "
                "along "
                f"dimension {axis}, the array at index 0 has size {expected} and the array at index "
                f"{position} has "
                f"size {extent}"
            )


def stack(graph: Graph, parts: Sequence[Operand], axis: Any = 0, dtype: DType | None = None) -> Node:
    """Parts of one shape side by side along a new axis."""
    if not parts:
        raise ArgumentError("need at least one array to stack")
    dtype = result_dtype(parts) if dtype is None else dtype
    nodes = [as_node(graph, part, dtype) for part in parts]
    if any(node.shape != nodes[0].shape for node in nodes):
        raise ShapeError("all input arrays must have the same shape")
    along = normalize_axis(axis, len(nodes[0].shape) + 1)
    widened = [movement.expand_dims(node.shape, along).apply(graph, node) for node in nodes]
    return concatenate(graph, widened, along)


def reconstruct(graph: Graph, shape: Shape, scalars: Sequence[Node]) -> Node:
    """An array of a shape from nodes of rank 0, in C order."""
    return movement.reshape((len(scalars),), shape).apply(graph, stack(graph, scalars))


def vstack(graph: Graph, parts: Sequence[Operand], dtype: DType | None = None) -> Node:
    """Rows on top of each other."""
    return concatenate(graph, [_at_least(graph, part, 2) for part in parts], 0, dtype)


def hstack(graph: Graph, parts: Sequence[Operand], dtype: DType | None = None) -> Node:
    """Parts side by side: along axis 1, or axis 0 for vectors."""
    nodes = [_at_least(graph, part, 1) for part in parts]
    return concatenate(graph, nodes, 0 if nodes and len(nodes[0].shape) == 1 else 1, dtype)


def column_stack(graph: Graph, parts: Sequence[Operand]) -> Node:
    """Vectors as columns, matrices side by side."""
    nodes = [strong(graph, part) for part in parts]
    columns = [
        movement.reshape(node.shape, (-1, 1)).apply(graph, node) if len(node.shape) < 2 else node
        for node in nodes
    ]
    return concatenate(graph, columns, 1)


def _at_least(graph: Graph, part: Operand, rank: int) -> Node:
    node = strong(graph, part)
    return movement.at_least(node.shape, rank).apply(graph, node)


# The same for parts that are the rows of one array.


def stack_rows(graph: Graph, rows: Operand, axis: Any = 0, dtype: DType | None = None) -> Node:
    """`stack` of the rows of an array."""
    node = strong(graph, rows) if dtype is None else as_node(graph, rows, dtype)
    along = normalize_axis(axis, len(node.shape))
    order = [*range(1, along + 1), 0, *range(along + 1, len(node.shape))]
    return ops.permuted(graph, node, tuple(order))


def concatenate_rows(graph: Graph, rows: Operand, axis: Any = 0, dtype: DType | None = None) -> Node:
    """`concatenate` of the rows of an array."""
    node = strong(graph, rows) if dtype is None else as_node(graph, rows, dtype)
    shape = node.shape[1:]
    if axis is None:
        return movement.ravel(node.shape).apply(graph, node)
    if not shape:
        raise ShapeError("zero-dimensional arrays cannot be concatenated")
    along = normalize_axis(axis, len(shape))
    joined = (*shape[:along], node.shape[0] * shape[along], *shape[along + 1 :])
    moved = stack_rows(graph, node, along)
    return reshaped(graph, moved, joined)


def vstack_rows(graph: Graph, rows: Operand, dtype: DType | None = None) -> Node:
    """`vstack` of the rows of an array."""
    node = strong(graph, rows) if dtype is None else as_node(graph, rows, dtype)
    if len(node.shape) > 2:
        return concatenate_rows(graph, node)
    return node if node.shape[1:] else reshaped(graph, node, (node.shape[0], 1))


def hstack_rows(graph: Graph, rows: Operand, dtype: DType | None = None) -> Node:
    """`hstack` of the rows of an array."""
    node = strong(graph, rows) if dtype is None else as_node(graph, rows, dtype)
    return concatenate_rows(graph, node, 1 if len(node.shape) > 2 else None)


def column_stack_rows(graph: Graph, rows: Operand) -> Node:
    """`column_stack` of the rows of an array."""
    node = strong(graph, rows)
    if len(node.shape) > 2:
        return concatenate_rows(graph, node, 1)
    return ops.permuted(graph, vstack_rows(graph, node), (1, 0))


OF_ROWS: dict[Any, Any] = {
    stack: stack_rows, concatenate: concatenate_rows, vstack: vstack_rows, hstack: hstack_rows,
    column_stack: column_stack_rows,
}  # fmt: skip
"""The functions for rows by the function of several parts."""


def roll(graph: Graph, x: Operand, shift: int, axis: Any = None) -> Node:
    """Elements shifted along an axis (None: all in C order); those that leave come in at the other end."""
    node = strong(graph, x)
    if axis is None:
        flat = movement.ravel(node.shape).apply(graph, node)
        return movement.reshape(flat.shape, node.shape).apply(graph, roll(graph, flat, shift, 0))
    along = normalize_axis(axis, len(node.shape))
    extent = node.shape[along]
    return wrapped(graph, node, along, -shift % extent if extent else 0, extent)


def wrapped(graph: Graph, node: Node, axis: int, start: int, extent: int) -> Node:
    """`extent` elements of an axis from `start` on, from the beginning again once the end is reached."""
    if not start and extent == node.shape[axis]:
        return node
    starts = tuple(start if each == axis else 0 for each in range(len(node.shape)))
    shape = (*node.shape[:axis], extent, *node.shape[axis + 1 :])
    if node.op.shift == "cyclic" and shape == node.shape == node.inputs[0].shape:
        inner = zip(starts, node.attribute("starts"), shape, strict=True)
        (node,), starts = node.inputs, tuple((x + y) % extent if extent else 0 for x, y, extent in inner)
        if not any(starts):
            return node
    return graph.make(ops.wrap, node, attributes=(starts, shape))


def diff(graph: Graph, x: Operand, n: int = 1, axis: Any = -1) -> Node:
    """Differences of neighbours along an axis, `n` times; of bools whether they differ."""
    node = strong(graph, x)
    if not node.shape:
        raise ShapeError("diff requires input that is at least one dimensional")
    along = normalize_axis(axis, len(node.shape))
    difference = not_equal if node.dtype is BOOL else subtract
    for _ in range(min(n, node.shape[along])):  # nothing is left
        extent = node.shape[along]
        after = part(graph, node, along, min(1, extent), extent)
        node = difference(graph, after, part(graph, node, along, 0, max(extent - 1, 0)))
    return node


def part(graph: Graph, node: Node, axis: int, start: int, stop: int) -> Node:
    """The positions from `start` to `stop - 1` of an axis."""
    extents = tuple(stop - start if each == axis else extent for each, extent in enumerate(node.shape))
    starts = tuple(start if each == axis and stop > start else 0 for each in range(len(node.shape)))
    return Slice(starts, (1,) * len(node.shape), extents).apply(graph, node)
