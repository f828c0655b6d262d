"""Norms of vectors and matrices, and other names of `numpy.linalg` for what stands elsewhere."""

from __future__ import annotations

import math
import operator
from typing import Any

from ...arrays.indexing import normalize_axis
from ...base.arguments import is_sequence, shown
from ...errors import ArgumentError, DTypeError, KindError, LinAlgError, ShapeError
from ...functions.complex_numbers import size_squared
from ..arranging.diagonals import diagonal, trace
from ..calls import call
from ..creation.constructors import astype, eye
from ..elementwise import arithmetic, division, transcendental
from ..mathematics.numeric import cross
from ..movement import as_lazy, expand_dims, moveaxis
from ..reductions import max as largest
from ..reductions import min as smallest
from ..reductions import sum as summed
from ..registry import public
from .decompositions import inv, slogdet, svdvals
from .products import matmul

_abs, _sqrt = arithmetic.UFUNCS["abs"], transcendental.UFUNCS["sqrt"]
_power = division.UFUNCS["pow"]


def _floating(x: Any) -> Any:
    array = as_lazy(x)
    return array if array._dtype.is_inexact else array * 1.0


@public("reduction", name="linalg.norm")
def norm(x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Any:
    """The length of vectors along one axis, the norm of matrices over two, or the length of all elements.

    Of vectors: the root of the sum of squares (`ord` None or 2), sums of sizes to any other power, the
    largest (inf), the smallest (-inf), or how many are not zero (0). Of matrices: the same root ("fro" or
    None), or the largest or smallest sum of sizes over a column (1, -1) or a row (inf, -inf), or of singular
    values the largest (2), the smallest (-2) or the sum ("nuc").

    >>> float(jf.linalg.norm(jf.asarray([3.0, 4.0])))
    5.0
    """
    array = _floating(x)
    if is_sequence(ord):
        raise KindError(f"norm: ord is one number or a word, not {shown(ord)}")
    if axis is None:
        if ord is None or array.ndim not in (1, 2):
            if ord is not None:
                raise ArgumentError("Improper number of dimensions to norm.")
            return _lengths(array, tuple(range(array.ndim)), 2, keepdims)
        axes: tuple[int, ...] = tuple(range(array.ndim))
    else:
        given = axis if isinstance(axis, tuple) else (axis,)
        axes = tuple(normalize_axis(each, array.ndim) for each in given)
    if len(axes) == 1:
        return _lengths(array, axes, 2 if ord is None else ord, keepdims)
    if len(axes) != 2:
        raise ArgumentError("Improper number of dimensions to norm.")
    if axes[0] == axes[1]:
        raise ArgumentError("Duplicate axes given.")
    return _of_matrices(array, axes, ord, keepdims)


@public("reduction", name="linalg.vector_norm")
def vector_norm(x: Any, /, *, axis: Any = None, keepdims: bool = False, ord: Any = 2) -> Any:
    """The length of vectors, whose elements are those along one axis or several; see `norm`.

    Shape: that of `x` without the axes; with `keepdims` their extents are 1. Dtype: float.

    >>> jf.linalg.vector_norm([[3.0, 4.0], [6.0, 8.0]], axis=1).numpy()
    array([ 5., 10.])
    """
    array = _floating(x)
    given = range(array.ndim) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    axes = tuple(normalize_axis(each, array.ndim) for each in given)
    return _lengths(array, axes, 2 if ord is None else ord, keepdims)


@public("reduction", name="linalg.matrix_norm")
def matrix_norm(x: Any, /, *, keepdims: bool = False, ord: Any = "fro") -> Any:
    """The norm of the matrices in the last two axes; see `norm`.

    Shape: that of `x` without these. Dtype: float.

    >>> jf.linalg.matrix_norm([[3.0, 0.0], [0.0, 4.0]]).numpy()
    array(5.)
    """
    return norm(x, ord, (-2, -1), keepdims)


def _lengths(x: Any, axes: tuple[int, ...], ord: Any, keepdims: bool) -> Any:
    if isinstance(ord, str):
        raise ArgumentError(f"Invalid norm order '{ord}' for vectors")
    if isinstance(ord, complex) or (isinstance(ord, int) and not -(1 << 63) <= ord < 1 << 64):
        raise KindError(f"the order of a norm is a real number of 64 bits, not {ord}")
    if ord == 2:
        return _sqrt(summed(call(size_squared, (x,)), axis=axes, keepdims=keepdims))
    if ord == 0:
        return summed((x != 0).astype(x.real.dtype), axis=axes, keepdims=keepdims)
    sizes = _abs(x)
    if ord in (math.inf, -math.inf):
        return _extreme(sizes, axes, ord > 0, keepdims)
    if ord == 1:
        return summed(sizes, axis=axes, keepdims=keepdims)
    return _power(summed(_power(sizes, ord), axis=axes, keepdims=keepdims), 1.0 / ord)


def _extreme(sizes: Any, axes: Any, is_largest: bool, keepdims: bool) -> Any:
    """The largest size, 0 without any; or the smallest one."""
    if is_largest:
        return largest(sizes, axis=axes, keepdims=keepdims, initial=0)
    return smallest(sizes, axis=axes, keepdims=keepdims)


def _of_matrices(x: Any, axes: tuple[int, ...], ord: Any, keepdims: bool) -> Any:
    if ord in (None, "fro", "f"):
        return _lengths(x, axes, 2, keepdims)
    if ord in (2, -2, "nuc"):
        values = svdvals(moveaxis(x, axes, (-2, -1)))
        if ord == 2:
            combined = _extreme(values, -1, True, False)
        else:
            combined = (smallest if ord == -2 else summed)(values, axis=-1)
        return expand_dims(combined, axes) if keepdims else combined
    if ord not in (1, -1, math.inf, -math.inf):
        raise ArgumentError("Invalid norm order for matrices.")
    inner, outer = axes if abs(ord) == 1 else axes[::-1]
    sums = summed(_abs(x), axis=inner, keepdims=True)
    found = _extreme(sums, outer, ord > 0, True)
    return found if keepdims else found.squeeze(axes)


@public("reduction", name="linalg.cond", sample=lambda s: (s.regular,))
def cond(x: Any, p: Any = None) -> Any:
    """The condition number: the factor by which relative errors of the right-hand side of equations may grow
    in the solution. It is the norm of matrices times that of their inverse, inf for singular ones.

    `x`: [..., m, n], square but for `p` of None, 2 and -2, which take singular values; other `p` are orders
    of `norm`. Shape: that of `x` without these two axes. Dtype: float. Raises LinAlgError for empty arrays.

    >>> float(jf.linalg.cond([[2.0, 0.0], [0.0, 1.0]]))
    2.0
    """
    array = _floating(x)
    if not array.size:
        raise LinAlgError("cond is not defined on empty arrays")
    if p in (None, 2, -2):
        values = svdvals(array)
        first, last = values[..., 0], values[..., -1]
        ratio = last / first if p == -2 else first / last
        return arithmetic.where((ratio != ratio) & (array == array).all((-2, -1)), math.inf, ratio)
    singular = slogdet(array).sign == 0
    unit = eye(array.shape[-1], dtype=array.dtype, device=array.device)
    inverse = inv(arithmetic.where(expand_dims(singular, (-2, -1)), unit, array))
    lengths = norm(array, p, (-2, -1)) * norm(inverse, p, (-2, -1))
    return arithmetic.where(singular, math.inf, lengths)


@public("reduction", name="linalg.trace")
def linalg_trace(x: Any, /, *, offset: int = 0, dtype: Any = None) -> Any:
    """The sums along a diagonal of the matrices in the last two axes.

    Shape: that of `x` without these. Dtype: as of `sum`.

    >>> jf.linalg.trace([[1, 2], [3, 4]]).numpy()
    array(5)
    """
    return trace(x, offset, -2, -1, dtype)


@public("reduction", name="linalg.diagonal")
def linalg_diagonal(x: Any, /, *, offset: int = 0) -> Any:
    """A diagonal of the matrices in the last two axes.

    Shape: that of `x` without these, and the diagonal's length.

    >>> jf.linalg.diagonal([[1, 2], [3, 4]]).numpy()
    array([1, 4])
    """
    return diagonal(x, offset, -2, -1)


@public("reduction", name="linalg.cross", sample=lambda s: (s.v, s.v))
def linalg_cross(x1: Any, x2: Any, /, *, axis: int = -1) -> Any:
    """The vector products along an axis of 3 components.

    Shape: that of both, broadcast. Raises ShapeError for other numbers of components.

    >>> jf.linalg.cross([1, 0, 0], [0, 1, 0]).numpy()
    array([0, 0, 1])
    """
    for each in (x1, x2):
        if as_lazy(each).shape[axis] != 3:
            raise ShapeError(f"linalg.cross: vectors of {as_lazy(each).shape[axis]} components; both need 3")
    return cross(x1, x2, axis=axis)


@public("reduction", name="linalg.matrix_power", sample=lambda s: (s.large, 2))
def matrix_power(a: Any, n: Any) -> Any:
    """The product of `n` of the same square matrices, in the last two axes; for `n` below 0 of their inverse.

    Shape and dtype: those of `a`, of inverses floats. Raises LinAlgError for matrices that are not square,
    and for singular ones where `n` is below 0.

    >>> jf.linalg.matrix_power([[1, 1], [0, 1]], 5).numpy()
    array([[1, 5],
           [0, 1]])
    """
    array, count = as_lazy(a), operator.index(n) if hasattr(n, "__index__") else None
    if count is None:
        raise DTypeError("exponent must be an integer")
    if array.ndim < 2 or array.shape[-1] != array.shape[-2]:
        raise LinAlgError("Last 2 dimensions of the array must be square")
    if count < 0:
        array, count = inv(array), -count
    if count == 0:
        ones = array * 0 + eye(array.shape[-1], dtype=array.dtype, device=array.device)
        return astype(ones, array.dtype)
    result = None
    while count:
        if count & 1:
            result = array if result is None else matmul(result, array)
        count >>= 1
        if count:
            array = matmul(array, array)
    return result
