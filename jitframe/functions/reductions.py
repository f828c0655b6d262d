"""Sums, means, extremes and variances over axes, in NumPy's result dtypes."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, TypedDict

from ..arrays.indexing import normalize_axes
from ..arrays.promotion import Operand
from ..base.arguments import integer
from ..errors import ArgumentError, DTypeError, ShapeError, UnsupportedError
from ..ir import ops
from ..ir.node import Graph, Node, Shape
from ..ir.types import BOOL, F64, I64, PART_OF, U64, DType
from .complex_numbers import size_squared
from .complex_scans import product
from .elementwise import divide, sqrt, subtract
from .operands import (
    as_node,
    broadcast_shapes,
    cast,
    filled,
    in_computed,
    reshaped,
    shape_text,
    spread,
    strong,
    truth,
)

if TYPE_CHECKING:
    from typing import Unpack


class Chosen(TypedDict, total=False):
    """The elements that a reduction combines, by a condition, and an initial value."""

    initial: Operand | None
    where: Operand | None


def sum(
    graph: Graph, x: Operand, axis: Any = None, keepdims: bool = False, *, dtype: DType | None = None,
    **chosen: Unpack[Chosen],
) -> Node:  # fmt: skip
    """The sum; bool and signed integers in int64, unsigned ones in uint64, floats in their own dtype.

    `initial` is added, and only elements where `where` holds are.
    """
    x = strong(graph, x)
    x = cast(graph, x, accumulator(x, dtype, "sum"))
    return _accumulated(graph, x, "sum", axis, keepdims, **chosen)


def prod(
    graph: Graph, x: Operand, axis: Any = None, keepdims: bool = False, *, dtype: DType | None = None,
    **chosen: Unpack[Chosen],
) -> Node:  # fmt: skip
    """The product; dtypes, `initial` and `where` as in `sum`."""
    x = strong(graph, x)
    x = cast(graph, x, accumulator(x, dtype, "prod"))
    return _accumulated(graph, x, "prod", axis, keepdims, **chosen)


def _accumulated(
    graph: Graph, x: Node, kind: str, axis: Any, keepdims: bool, **chosen: Unpack[Chosen]
) -> Node:
    """A sum or product in the dtype of `x`: that of 16-bit floats is computed in float32 and rounded once."""
    if chosen.get("initial") is not None:
        chosen["initial"] = as_node(graph, chosen["initial"], x.dtype)  # type: ignore[arg-type]
    return cast(graph, _combined(graph, in_computed(graph, x), kind, axis, keepdims, **chosen), x.dtype)


def _combined(
    graph: Graph, x: Node, kind: str, axis: Any, keepdims: bool, initial: Operand | None = None,
    where: Operand | None = None,
) -> Node:  # fmt: skip
    reduced_axes(axis, len(x.shape))
    result = _reduce(graph, _only_where(graph, x, kind, where), kind, axis, keepdims)
    return _with_initial(graph, result, kind, initial)


def condition(graph: Graph, where: Operand, shape: Shape) -> Node:
    """The condition of `where=`, broadcast to the shape of what is reduced."""
    node = truth(graph, where)
    if len(node.shape) > len(shape) or broadcast_shapes(node.shape, shape) != shape:
        raise ShapeError(
            f"where= has the shape {shape_text(node.shape)}, which does not broadcast to that of the array, "
            f"{shape_text(shape)}"
        )
    return spread(graph, node, shape)


def _only_where(graph: Graph, x: Node, kind: str, where: Operand | None) -> Node:
    """`x` with the neutral element of the reduction where the condition does not hold."""
    if where is None:
        return x
    number = ops.REDUCERS[kind].identity(PART_OF.get(x.dtype, x.dtype))
    limit = x.dtype.is_complex and math.isinf(number)
    identity = filled(graph, complex(number, number) if limit else number, x)
    return graph.make(ops.select, condition(graph, where, x.shape), x, identity)


def _with_initial(graph: Graph, result: Node, kind: str, initial: Operand | None) -> Node:
    """A reduction's result combined with `initial`, cast to its dtype."""
    if initial is None:
        return result
    node = as_node(graph, initial, result.dtype)
    node = spread(graph, node, result.shape)
    return graph.make(_COMBINED[kind], node, result)


_COMBINED = {
    "sum": ops.add, "prod": ops.mul, "max": ops.maximum, "min": ops.minimum, "all": ops.bitwise_and,
    "any": ops.bitwise_or, "bit_and": ops.bitwise_and, "bit_or": ops.bitwise_or, "bit_xor": ops.bitwise_xor,
}  # fmt: skip


def accumulator(x: Node, dtype: DType | None, function: str) -> DType:
    """The dtype in which a sum or product is computed: the requested one, or NumPy's."""
    if dtype is not None:
        if dtype is BOOL:
            raise UnsupportedError(f"{function} with dtype=bool; write np.any(x) or np.all(x)")
        return dtype
    if x.dtype.is_inexact:
        return x.dtype
    if x.dtype.kind == "uint":
        return U64
    return I64


def mean(
    graph: Graph, x: Operand, axis: Any = None, keepdims: bool = False, *, dtype: DType | None = None,
    where: Operand | None = None,
) -> Node:  # fmt: skip
    """The arithmetic mean: the sum over the count; integers in float64, 16-bit floats in float32.

    `where`: of the elements where it holds; NaN without any.
    """
    x = strong(graph, x)
    _check_axes(x, axis, where)
    x = cast(graph, x, _floating_accumulator(x, dtype, "mean"))
    summed = x if dtype is not None else in_computed(graph, x)
    total = _accumulated(graph, summed, "sum", axis, keepdims, where=where)
    return cast(graph, _over(graph, total, _count(graph, x, axis, keepdims, where)), x.dtype)


def var(
    graph: Graph, x: Operand, axis: Any = None, keepdims: bool = False, *, dtype: DType | None = None,
    ddof: float = 0, where: Operand | None = None, mean: Operand | None = None, nan_if_few: bool = False,
) -> Node:  # fmt: skip
    """The variance in two passes: the mean of squared distances from the mean, over the count less `ddof`.

    `where`: of the elements where it holds. `mean`: what is known to be the mean, the axes kept.
    `nan_if_few`: NaN where there are no more of them than `ddof`.
    """
    node = strong(graph, x)
    _check_axes(node, axis, where)
    result_dtype = _floating_accumulator(node, dtype, "var")
    x = cast(graph, node, result_dtype)
    # NumPy's nanvar writes distances and their squares to a copy of the array.
    in_array = nan_if_few and node.dtype.is_inexact
    is_half = dtype is None and mean is None and result_dtype.bits == 16
    if is_half and not in_array:
        x = in_computed(graph, x)
    if mean is None:
        total = _accumulated(graph, x, "sum", axis, keepdims=True, where=where)
        mean = _over(graph, total, _count(graph, x, axis, True, where))
    elif in_array:
        found = broadcast_shapes(node.shape, strong(graph, mean).shape)
        if found != node.shape:
            raise ShapeError(
                f"mean broadcasts an array of shape {shape_text(node.shape)} to {shape_text(found)}; it has "
                "1 along the axes that are reduced, and else the array's own extents"
            )
    distance = subtract(graph, node, mean)
    if distance.dtype.is_complex and not node.dtype.is_complex:
        raise UnsupportedError("var: mean= is complex, and the numbers are real")
    squares = size_squared(graph, cast(graph, distance, node.dtype) if in_array else distance)
    if dtype is not None or x.dtype is not node.dtype:
        squares = cast(graph, squares, PART_OF.get(x.dtype, x.dtype))
    squares = _accumulated(graph, squares, "sum", axis, keepdims, where=where)
    count = _count(graph, x, axis, keepdims, where)
    if not isinstance(count, Node):
        result = _over(graph, squares, max(count - ddof, 0))
    else:
        left = subtract(graph, count, filled(graph, ddof, count))
        zero = filled(graph, 0, left)
        result = _over(graph, squares, graph.make(ops.maximum, left, zero))
        if nan_if_few:
            few = graph.make(ops.le, left, zero)
            result = graph.make(ops.select, few, filled(graph, math.nan, result), result)
    return cast(graph, result, result_dtype) if is_half or dtype is not None else result


def std(graph: Graph, x: Operand, axis: Any = None, keepdims: bool = False, **options: Any) -> Node:
    """The standard deviation: the root of `var`."""
    return sqrt(graph, var(graph, x, axis, keepdims, **options))


def _check_axes(x: Node, axis: Any, where: Operand | None) -> None:
    if axis is not None and where is None:  # else NumPy sums the condition
        normalize_axes(axis, len(x.shape))


def _floating_accumulator(x: Node, dtype: DType | None, function: str) -> DType:
    if dtype is not None:
        if not dtype.is_inexact:
            raise UnsupportedError(
                f"{function} with dtype={dtype.numpy_name}; cast the result with .astype() instead"
            )
        return dtype
    return x.dtype if x.dtype.is_inexact else F64


def _over(graph: Graph, total: Node, count: float | Node) -> Node:
    # A count may exceed float16.
    wide = in_computed(graph, total)
    if not isinstance(count, Node):
        count = graph.number(count, wide.dtype, common=False)
    return cast(graph, divide(graph, wide, cast(graph, count, wide.dtype)), total.dtype)


def _count(graph: Graph, x: Node, axis: Any, keepdims: bool, where: Operand | None) -> int | Node:
    """The number of elements reduced to one: a number, or as float those where the condition holds."""
    if where is None:
        return math.prod(x.shape[each] for each in reduced_axes(axis, len(x.shape)))
    ones = cast(graph, condition(graph, where, x.shape), I64)
    return cast(
        graph, _reduce(graph, ones, "sum", axis, keepdims), PART_OF.get(x.dtype, in_computed(graph, x).dtype)
    )


def max_(
    graph: Graph, x: Operand, axis: Any = None, keepdims: bool = False, **chosen: Unpack[Chosen]
) -> Node:
    """The largest element, of those where `where` holds and `initial`; NaN where there is one."""
    return _extreme(graph, x, "max", axis, keepdims, **chosen)


def min_(
    graph: Graph, x: Operand, axis: Any = None, keepdims: bool = False, **chosen: Unpack[Chosen]
) -> Node:
    """The smallest element, of those where `where` holds and `initial`; NaN where there is one."""
    return _extreme(graph, x, "min", axis, keepdims, **chosen)


def _extreme(
    graph: Graph, x: Operand, kind: str, axis: Any, keepdims: bool, **chosen: Unpack[Chosen]
) -> Node:
    x = strong(graph, x)
    check_identity(x.shape, axis, f"{kind}imum", **chosen)
    return _combined(graph, x, kind, axis, keepdims, **chosen)


def check_identity(
    shape: Shape, axis: Any, name: str, initial: Operand | None = None, where: Operand | None = None
) -> None:
    """Raises if a reduction without identity could have nothing to combine and has no `initial`."""
    if initial is not None:
        return
    if where is not None:
        raise ArgumentError(
            f"reduction operation '{name}' does not have an identity, so to use a where mask one has to "
            f"specify 'initial'"
        )
    if any(shape[each] == 0 for each in reduced_axes(axis, len(shape))):
        raise ShapeError(f"zero-size array to reduction operation {name} which has no identity")


def ptp(graph: Graph, x: Operand, axis: Any = None, keepdims: bool = False) -> Node:
    """The largest less the smallest element."""
    return subtract(graph, max_(graph, x, axis, keepdims), min_(graph, x, axis, keepdims))


def all_(
    graph: Graph, x: Operand, axis: Any = None, keepdims: bool = False, **chosen: Unpack[Chosen]
) -> Node:
    """Whether every element differs from zero, of those where `where` holds."""
    return _combined(graph, truth(graph, x), "all", axis, keepdims, **chosen)


def any_(
    graph: Graph, x: Operand, axis: Any = None, keepdims: bool = False, **chosen: Unpack[Chosen]
) -> Node:
    """Whether any element differs from zero, of those where `where` holds."""
    return _combined(graph, truth(graph, x), "any", axis, keepdims, **chosen)


def bitwise(
    graph: Graph, x: Operand, kind: str, axis: Any = None, keepdims: bool = False, **chosen: Unpack[Chosen]
) -> Node:
    """`bit_and`, `bit_or` or `bit_xor` of all elements."""
    x = strong(graph, x)
    if x.dtype.is_inexact:
        raise DTypeError(
            f"{kind.replace('bit', 'bitwise')}: integers or bools needed, not {x.dtype.numpy_name}"
        )
    if x.dtype is BOOL:
        kind = {"bit_and": "all", "bit_or": "any"}.get(kind, kind)
    return _combined(graph, x, kind, axis, keepdims, **chosen)


def count_nonzero(graph: Graph, x: Operand, axis: Any = None, keepdims: bool = False) -> Node:
    """How many elements differ from zero."""
    return _reduce(graph, cast(graph, truth(graph, x), I64), "sum", axis, keepdims)


def reduced_axes(axis: Any, rank: int) -> Shape:
    """The axes of a reduction in ascending order: all of them for None, none of a number."""
    if axis is None or (not rank and hasattr(axis, "__index__") and integer(axis, "axis") in (0, -1)):
        # NumPy's ufuncs allow these axes of a number
        return tuple(range(rank))
    return tuple(sorted(normalize_axes(axis, rank)))


def kept_shape(shape: Shape, axes: Shape) -> Shape:
    """The shape after a reduction over `axes` that keeps them."""
    return tuple(1 if axis in axes else extent for axis, extent in enumerate(shape))


def _reduce(graph: Graph, x: Node, kind: str, axis: Any, keepdims: bool) -> Node:
    axes = reduced_axes(axis, len(x.shape))
    if kind == "prod" and x.dtype.is_complex and axes:
        result = product(graph, x, axes)
    else:
        result = graph.make(ops.reduce, x, attributes=(kind, axes)) if axes else x
    if not keepdims:
        return result
    return reshaped(graph, result, kept_shape(x.shape, axes))
