"""Layers that look up or multiply: linear maps, embeddings, one-hot vectors, means over masked positions."""

from __future__ import annotations

import math
from typing import Any

from ...arrays.indexing import normalize_axis
from ...arrays.promotion import from_numpy
from ...base.arguments import count, shown
from ...errors import ShapeError
from ...ir.types import DType
from ..creation.ranges import arange
from ..elementwise import arithmetic
from ..indexing.reading import take
from ..linear_algebra.products import matmul
from ..movement import as_lazy, expand_dims, moveaxis
from ..reductions import max as largest
from ..reductions import sum as summed
from ..registry import public
from .operands import along, bools, finished, fitting, in_dtype, integers, real, widened

_where, _maximum = arithmetic.where, arithmetic.UFUNCS["maximum"]


@public("product", name="nn.linear", sample=lambda s: (s.large, s.large))
def linear(x: Any, weight: Any, bias: Any = None, *, out: Any = None) -> Any:
    """`x @ weight.T + bias`.

    `x`: [..., inputs]; `weight`: [outputs, inputs]; `bias`: [outputs]. Shape: [..., outputs]. Dtype: what `x`
    and `weight` promote to. `out`: an array of that shape that the result is written to. Raises ShapeError
    where these do not fit, with the shapes.

    >>> jf.nn.linear([1.0, 10.0], [[1.0, 2.0], [3.0, 0.0]], [0.5, 0.0]).numpy()
    array([21.5,  3. ])
    """
    array, matrix = real("linear", x), real("linear", weight, "weight")
    if matrix.ndim != 2 or not array.ndim or array.shape[-1] != matrix.shape[1]:
        raise ShapeError(
            f"linear: x is {shown(array)}, and weight {shown(matrix)}: they take [..., inputs] and "
            "[outputs, inputs]" + _transposed(array, matrix)
        )
    made = matmul(array, matrix.T)
    if bias is not None:
        made = made + along("linear", "bias", bias, made, (made.ndim - 1,))
    return finished(made, made, out)


def _transposed(array: Any, matrix: Any) -> str:
    fits = matrix.ndim == 2 and array.ndim and array.shape[-1] == matrix.shape[0]
    return "; transpose weight?" if fits else ""


@public("movement", name="nn.embedding", sample=lambda s: (s.positions(2), s.x))
def embedding(indices: Any, table: Any, *, out: Any = None) -> Any:
    """The rows of `table` at indices.

    `indices`: integers of any shape, where -1 is the last row; `table`: [rows, width]. Shape: that of
    `indices` and an axis of that width. Dtype: that of `table`. Raises IndexError for an index out of
    bounds, ShapeError for a table of another rank, DTypeError for indices that are no integers.

    >>> jf.nn.embedding([2, 0], [[1.0, 1.5], [2.0, 2.5], [3.0, 3.5]]).numpy()
    array([[3. , 3.5],
           [1. , 1.5]])
    """
    rows, at = as_lazy(table), integers("embedding", indices, "indices")
    if rows.ndim != 2:
        raise ShapeError(f"embedding: table is {shown(rows)}, and takes [rows, width]")
    return finished(take(rows, at, axis=0), rows, out)


@public("creation", name="nn.one_hot", sample=lambda s: (s.positions(2), 3))
def one_hot(indices: Any, classes: int, *, axis: int = -1, dtype: Any = None) -> Any:
    """Vectors of zeros with a one at an index.

    Shape: that of `indices` with an axis of `classes` put at `axis`. Dtype: the device's usual float unless
    `dtype` is given. An index that is no class gives zeros alone. DTypeError for indices that are no
    integers.

    >>> jf.nn.one_hot([1, 0], 3).numpy()
    array([[0., 1., 0.],
           [1., 0., 0.]])
    """
    at = integers("one_hot", indices, "indices")
    number = count(classes, "one_hot: classes")
    chosen = expand_dims(at, -1) == arange(number, dtype=at.dtype, device=at._frame.device.name)
    made = _where(chosen, 1.0, 0.0)
    if dtype is not None:
        made = in_dtype(made, _wanted(made, dtype))
    return moveaxis(made, -1, normalize_axis(axis, made.ndim))


def _wanted(array: Any, dtype: Any) -> DType:
    wanted = from_numpy(dtype)
    array._frame.check(wanted)
    return wanted


@public("reduction", name="nn.mean_pool", sample=lambda s: (s.x, s.chosen))
def mean_pool(x: Any, mask: Any = None, *, axis: int = -2, out: Any = None) -> Any:
    """The means over the positions of `axis` for which the mask holds, such as the tokens of a sentence.

    `x`: [..., positions, width] for the default axis; `mask`: bools, [..., positions], None for all of them.
    Shape: that of `x` without the axis; where no position is left, 0. Dtype: that of floats, else the
    device's usual float. Raises ShapeError for a mask of another shape.

    >>> jf.nn.mean_pool([[1.0, 2.0], [3.0, 4.0], [9.0, 9.0]], [True, True, False]).numpy()
    array([2., 3.])
    """
    array, at, valid = _pooled("mean_pool", x, mask, axis)
    wide = widened(array)
    if valid is None:
        total, number = summed(wide, axis=at), float(max(array.shape[at], 1))
    else:
        total = summed(_where(valid, wide, 0.0), axis=at)
        number = _maximum(summed(in_dtype(valid, wide._dtype), axis=at), 1.0)
    return finished(total / number, array, out)


@public("reduction", name="nn.max_pool", sample=lambda s: (s.x, s.chosen))
def max_pool(x: Any, mask: Any = None, *, axis: int = -2, out: Any = None) -> Any:
    """The largest elements over the positions of `axis` for which the mask holds; otherwise as `mean_pool`.
    Where no position is left, -inf.

    >>> jf.nn.max_pool([[1.0, 2.0], [3.0, 0.0], [9.0, 9.0]], [True, True, False]).numpy()
    array([3., 2.])
    """
    array, at, valid = _pooled("max_pool", x, mask, axis)
    wide = widened(array)
    chosen = wide if valid is None else _where(valid, wide, -math.inf)
    return finished(largest(chosen, axis=at, initial=-math.inf), array, out)


def _pooled(function: str, x: Any, mask: Any, axis: int) -> tuple[Any, int, Any]:
    array = real(function, x)
    if array.ndim < 2:
        raise ShapeError(f"{function}: x is {shown(array)}, and has axes of positions and of elements")
    at = normalize_axis(axis, array.ndim)
    if mask is None:
        return array, at, None
    valid = bools(function, mask, "mask")
    whole = moveaxis(array, at, -2)
    fitting(function, "mask", valid, whole.shape[:-1], f"x, {shown(array)}, with positions on axis {axis},")
    return array, at, moveaxis(expand_dims(valid, -1), -2, at)
