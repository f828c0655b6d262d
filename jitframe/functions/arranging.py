"""Arrays repeated, made diagonals, cut and joined."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ..arrays.indexing import normalize_axis
from ..arrays.promotion import Operand
from ..arrays.views import Reshape
from ..base.arguments import check_size, extents_of, integer, is_sequence, shape_of
from ..errors import ArgumentError, BoundsError, KindError, ShapeError
from ..ir import ops
from ..ir.node import Graph, Node
from ..ir.types import BOOL, I64, DType
from . import movement
from .creation import full, iota
from .elementwise import add, equal, less_equal, where
from .joining import concatenate, part, roll
from .operands import cast, fitted, reshaped, spread, strong


def tile(graph: Graph, x: Operand, counts: Any) -> Node:
    """The array set side by side so many times along each axis, missing counts being 1."""
    node = strong(graph, x)
    times = shape_of(counts, "reps")
    if any(count < 0 for count in times):
        raise ArgumentError(f"tile: counts must not be negative, got {times}")
    rank = max(len(times), len(node.shape))
    check_size((*times, *node.shape), node.dtype.itemsize)
    times = (1,) * (rank - len(times)) + times
    shape = (1,) * (rank - len(node.shape)) + node.shape
    # An axis with a count of 1 is not repeated, so it stays as it is.
    kept: list[int] = []
    seen: list[int] = []
    for count, extent in zip(times, shape, strict=True):
        seen.extend((extent,) if count == 1 else (1, extent))
        kept.extend((extent,) if count == 1 else (count, extent))
    node = reshaped(graph, node, tuple(seen))
    node = movement.broadcast_to(node.shape, tuple(kept)).apply(graph, node)
    result = tuple(count * extent for count, extent in zip(times, shape, strict=True))
    return reshaped(graph, node, result)


def repeat(graph: Graph, x: Operand, count: int, axis: Any = None) -> Node:
    """Every element (or slice along an axis) so many times, one after another."""
    node = strong(graph, x)
    if count < 0:
        raise ArgumentError("repeats may not contain negative values.")
    if axis is None:
        node, along = movement.ravel(node.shape).apply(graph, node), 0
    else:
        along = normalize_axis(axis, len(node.shape))
    shape = node.shape
    check_size((*shape, count), node.dtype.itemsize)
    node = Reshape((*shape[: along + 1], 1, *shape[along + 1 :])).apply(graph, node)
    node = spread(graph, node, (*shape[: along + 1], count, *shape[along + 1 :]))
    return Reshape((*shape[:along], shape[along] * count, *shape[along + 1 :])).apply(graph, node)


def rolled(graph: Graph, x: Operand, shifts: Any, axes: Any) -> Node:
    """`roll` by several shifts along several axes, broadcast against each other."""
    node = strong(graph, x)
    given = tuple(shifts) if is_sequence(shifts) else (shifts,)
    along = tuple(axes) if is_sequence(axes) else (axes,)
    if axes is None and len(given) == 1:
        return roll(graph, node, integer(given[0], "shift"), None)
    if axes is None:
        return roll(graph, node, sum(integer(each, "shift") for each in given), None)
    if len(given) != len(along) and 1 not in (len(given), len(along)):
        raise ArgumentError("'shift' and 'axis' should be scalars or 1D sequences")
    count = max(len(given), len(along)) if given and along else 0
    given, along = (each * count if len(each) == 1 else each for each in (given, along))
    for shift, axis in zip(given, along, strict=True):
        node = roll(graph, node, integer(shift, "shift"), axis)
    return node


def diag(graph: Graph, x: Operand, offset: int = 0) -> Node:
    """The diagonal of a matrix; of a vector the matrix that has it as diagonal."""
    node = strong(graph, x)
    if len(node.shape) == 2:
        return movement.diagonal(node.shape, offset).apply(graph, node)
    if len(node.shape) != 1:
        raise ShapeError("Input must be 1- or 2-d.")
    (count,) = node.shape
    size = count + abs(offset)
    check_size((size, size), node.dtype.itemsize)
    start = max(-offset, 0), max(offset, 0)
    square = full(graph, (size, size), 0, node.dtype)
    if not count:
        return square
    whole = (count, count)
    on_diagonal = equal(graph, iota(graph, whole, 0, I64), iota(graph, whole, 1, I64))
    values = where(graph, on_diagonal, spread(graph, node, whole), graph.number(0, node.dtype))
    if not offset:
        return values
    return graph.make(ops.update, square, values, attributes=(start, (1, 1)))


def tri(graph: Graph, rows: int, columns: int | None, diagonal: int, dtype: DType) -> Node:
    """Ones at and below a diagonal, zeros above."""
    shape = (max(rows, 0), max(rows if columns is None else columns, 0))
    check_size(shape, dtype.itemsize)
    row = iota(graph, shape, 0, I64)
    if diagonal:
        row = add(graph, row, diagonal)
    return cast(graph, less_equal(graph, iota(graph, shape, 1, I64), row), dtype)


def indices(graph: Graph, shape: Any, dtype: DType) -> list[Node]:
    """The positions along each axis of an array."""
    extents = extents_of(shape, "dimensions")
    check_size((len(extents), *extents), dtype.itemsize, "indices: the result's shape")
    if dtype is BOOL and max(extents, default=0) > 2:
        raise KindError(f"indices: bools tell two positions apart, and dimensions is {extents}")
    return [iota(graph, extents, axis, dtype) for axis in range(len(extents))]


def resize(graph: Graph, x: Operand, shape: Any) -> Node:
    """The elements in C order, again from the first where they are too few, in another shape."""
    node = strong(graph, x)
    target = extents_of(shape, "new_shape", node.dtype.itemsize)
    size, wanted = math.prod(node.shape), math.prod(target)
    if not size:
        return full(graph, target, 0, node.dtype)
    node = movement.ravel(node.shape).apply(graph, node)
    if wanted > size:
        node = tile(graph, node, -(-wanted // size))
    return movement.reshape((wanted,), target).apply(graph, part(graph, node, 0, 0, wanted))


def deleted(graph: Graph, x: Operand, where_: Sequence[int], axis: int) -> Node:
    """The array without the slices at ascending positions along an axis."""
    node = strong(graph, x)
    segments, start = [], 0
    for position in where_:
        if position > start:
            segments.append(part(graph, node, axis, start, position))
        start = position + 1
    if start < node.shape[axis] or not segments:
        segments.append(part(graph, node, axis, min(start, node.shape[axis]), node.shape[axis]))
    return segments[0] if len(segments) == 1 else concatenate(graph, segments, axis)


def inserted(graph: Graph, x: Operand, values: Operand, position: int, axis: int, scalar: bool) -> Node:
    """The array with values before a position of an axis, broadcast as NumPy does: `scalar` for a plain
    integer."""
    node = strong(graph, x)
    values = cast(graph, strong(graph, values), node.dtype)
    rank = len(node.shape)
    if len(values.shape) < rank:
        values = movement.at_least(values.shape, rank).apply(graph, values)
    if scalar:
        values = movement.moveaxis(values.shape, 0, axis).apply(graph, values)
    count = values.shape[axis]
    shape = tuple(count if each == axis else extent for each, extent in enumerate(node.shape))
    values = fitted(graph, values, shape)
    extent = node.shape[axis]
    before, after = part(graph, node, axis, 0, position), part(graph, node, axis, position, extent)
    return concatenate(graph, [before, values, after], axis)


def followed_by(graph: Graph, x: Operand, values: Operand, count: int, axis: int) -> Node:
    """The array with `count` values after the end of an axis, broadcast as NumPy's `insert` does."""
    node = strong(graph, x)
    values = cast(graph, strong(graph, values), node.dtype)
    shape = tuple(count if each == axis else extent for each, extent in enumerate(node.shape))
    return concatenate(graph, [node, fitted(graph, values, shape)], axis)


def checked_position(position: int, extent: int, axis: int) -> int:
    """A non-negative position. Raises BoundsError with NumPy's text."""
    if not -extent <= position < extent:
        raise BoundsError(f"index {position} is out of bounds for axis {axis} with size {extent}")
    return position + extent if position < 0 else position
