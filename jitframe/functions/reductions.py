"""Sums, means, extremes and variances over axes, in NumPy's result dtypes."""

from __future__ import annotations

import math
from typing import Any

from ..errors import ShapeError, UnsupportedError
from ..indexing import normalize_axes
from ..ir import ops
from ..ir.node import Graph, Node, Shape
from ..ir.types import BOOL, F64, I64, U64, DType
from ..promotion import Operand
from . import movement
from .elementwise import divide, sqrt, subtract
from .operands import cast, in_computed, strong, truth


def sum(
    graph: Graph, x: Operand, axis: Any = None, dtype: DType | None = None, keepdims: bool = False
) -> Node:
    """The sum; bool and signed integers in int64, unsigned ones in uint64, floats in their own dtype."""
    x = strong(graph, x)
    return _accumulated(graph, cast(graph, x, accumulator(x, dtype, "sum")), "sum", axis, keepdims)


def prod(
    graph: Graph, x: Operand, axis: Any = None, dtype: DType | None = None, keepdims: bool = False
) -> Node:
    """The product; dtypes as in `sum`."""
    x = strong(graph, x)
    return _accumulated(graph, cast(graph, x, accumulator(x, dtype, "prod")), "prod", axis, keepdims)


def _accumulated(graph: Graph, x: Node, kind: str, axis: Any, keepdims: bool) -> Node:
    """A sum or product in the dtype of `x`: that of 16-bit floats is computed in float32 and rounded once."""
    return cast(graph, _reduce(graph, in_computed(graph, x), kind, axis, keepdims), x.dtype)


def accumulator(x: Node, dtype: DType | None, function: str) -> DType:
    """The dtype in which a sum or product is computed: the one asked for, or NumPy's."""
    if dtype is not None:
        if dtype is BOOL:
            raise UnsupportedError(f"{function} with dtype=bool; write np.any(x) or np.all(x)")
        return dtype
    if x.dtype.is_float:
        return x.dtype
    if x.dtype.kind == "uint":
        return U64
    return I64


def mean(
    graph: Graph, x: Operand, axis: Any = None, dtype: DType | None = None, keepdims: bool = False
) -> Node:
    """The arithmetic mean: the sum over the count; integers in float64, 16-bit floats in float32."""
    x = strong(graph, x)
    x = cast(graph, x, _floating_accumulator(x, dtype, "mean"))
    summed = x if dtype is not None else in_computed(graph, x)
    mean = _over(graph, _accumulated(graph, summed, "sum", axis, keepdims), _count(x.shape, axis))
    return cast(graph, mean, x.dtype)


def var(
    graph: Graph,
    x: Operand,
    axis: Any = None,
    dtype: DType | None = None,
    ddof: float = 0,
    keepdims: bool = False,
) -> Node:
    """The variance in two passes: the mean of squared distances from the mean, over the count less `ddof`."""
    x = strong(graph, x)
    x = cast(graph, x, _floating_accumulator(x, dtype, "var"))
    count = _count(x.shape, axis)
    distance = subtract(graph, x, _over(graph, _accumulated(graph, x, "sum", axis, keepdims=True), count))
    squares = graph.make(ops.mul, distance, distance)
    return _over(graph, _accumulated(graph, squares, "sum", axis, keepdims), max(count - ddof, 0))


def std(
    graph: Graph,
    x: Operand,
    axis: Any = None,
    dtype: DType | None = None,
    ddof: float = 0,
    keepdims: bool = False,
) -> Node:
    """The standard deviation: the root of `var`."""
    return sqrt(graph, var(graph, x, axis, dtype, ddof, keepdims))


def _floating_accumulator(x: Node, dtype: DType | None, function: str) -> DType:
    if dtype is not None:
        if not dtype.is_float:
            raise UnsupportedError(
                f"{function} with dtype={dtype.numpy_name}; cast the result with .astype() instead"
            )
        return dtype
    return x.dtype if x.dtype.is_float else F64


def _over(graph: Graph, total: Node, count: float) -> Node:
    # A count may be beyond float16.
    wide = in_computed(graph, total)
    return cast(graph, divide(graph, wide, graph.number(count, wide.dtype, common=False)), total.dtype)


def max_(graph: Graph, x: Operand, axis: Any = None, keepdims: bool = False) -> Node:
    """The largest element; NaN where there is one."""
    return _extreme(graph, x, axis, keepdims, "max", "maximum")


def min_(graph: Graph, x: Operand, axis: Any = None, keepdims: bool = False) -> Node:
    """The smallest element; NaN where there is one."""
    return _extreme(graph, x, axis, keepdims, "min", "minimum")


def _extreme(graph: Graph, x: Operand, axis: Any, keepdims: bool, kind: str, name: str) -> Node:
    x = strong(graph, x)
    axes = reduced_axes(axis, len(x.shape))
    if any(x.shape[each] == 0 for each in axes):
        raise ShapeError(f"zero-size array to reduction operation {name} which has no identity")
    return _reduce(graph, x, kind, axis, keepdims)


def ptp(graph: Graph, x: Operand, axis: Any = None, keepdims: bool = False) -> Node:
    """The largest less the smallest element."""
    return subtract(graph, max_(graph, x, axis, keepdims), min_(graph, x, axis, keepdims))


def all_(graph: Graph, x: Operand, axis: Any = None, keepdims: bool = False) -> Node:
    """Whether every element differs from zero."""
    return _reduce(graph, truth(graph, x), "all", axis, keepdims)


def any_(graph: Graph, x: Operand, axis: Any = None, keepdims: bool = False) -> Node:
    """Whether any element differs from zero."""
    return _reduce(graph, truth(graph, x), "any", axis, keepdims)


def count_nonzero(graph: Graph, x: Operand, axis: Any = None, keepdims: bool = False) -> Node:
    """How many elements differ from zero."""
    return _reduce(graph, cast(graph, truth(graph, x), I64), "sum", axis, keepdims)


def reduced_axes(axis: Any, rank: int) -> Shape:
    """The axes a reduction goes over, ascending: all of them for None."""
    return tuple(range(rank)) if axis is None else tuple(sorted(normalize_axes(axis, rank)))


def kept_shape(shape: Shape, axes: Shape, keepdims: bool) -> Shape:
    """The shape left after a reduction over `axes`."""
    if keepdims:
        return tuple(1 if axis in axes else extent for axis, extent in enumerate(shape))
    return tuple(extent for axis, extent in enumerate(shape) if axis not in axes)


def _count(shape: Shape, axis: Any) -> int:
    return math.prod(shape[each] for each in reduced_axes(axis, len(shape)))


def _reduce(graph: Graph, x: Node, kind: str, axis: Any, keepdims: bool) -> Node:
    axes = reduced_axes(axis, len(x.shape))
    result = graph.make(ops.reduce, x, attributes=(kind, axes)) if axes else x
    if not keepdims:
        return result
    return movement.reshape(result.shape, kept_shape(x.shape, axes, True)).apply(graph, result)
