"""Polynomials as vectors of coefficients, that of the highest power first, as `numpy.polyval` has them."""

from __future__ import annotations

from typing import Any

import numpy

from ...base.arguments import integer, shown
from ...errors import ArgumentError, DTypeError, KindError, ShapeError
from ..creation.constructors import asarray, eye, full, zeros_like
from ..elementwise import transcendental
from ..frame import LazyValue, dtype_there
from ..linear_algebra import decompositions
from ..linear_algebra.products import matmul
from ..movement import as_lazy, atleast_1d, broadcast_to, concat, expand_dims, flip, stack
from ..reductions import cumprod
from ..reductions import sum as summed
from ..registry import public
from .convolution import convolve

_sqrt = transcendental.UFUNCS["sqrt"]


@public("elementwise", sample=lambda s: (s.v, s.v))
def polyval(p: Any, x: Any) -> Any:
    """The polynomial of coefficients `p`, that of the highest power first, at `x`, by Horner's rule.

    Shape and dtype: those of `x`, with what `p` promotes them to.

    >>> jf.polyval([1.0, 0.0, -1.0], np.array([2.0, 3.0])).numpy()
    array([3., 8.])
    """
    coefficients, array = as_lazy(p), as_lazy(x)
    result = zeros_like(array).reshape(array.shape)  # an array, where there is nothing to add
    for coefficient in coefficients:
        result = result * array + coefficient
    return result


def _coefficients(function: str, value: Any) -> Any:
    array = atleast_1d(as_lazy(value))
    if array.ndim != 1:
        raise ShapeError(
            f"{function}: coefficients are a vector, not an array of the shape {tuple(array.shape)}"
        )
    return array


def _check_sequence(function: str, value: Any) -> None:
    if not numpy.iterable(value) or not getattr(value, "shape", (1,)):
        raise KindError(f"{function} takes a vector, not {shown(value)}")


def _padded(a1: Any, a2: Any) -> tuple[Any, Any]:
    """Both as long as the longer one, zeros before the highest power."""
    missing = a1.shape[0] - a2.shape[0]
    if missing > 0:
        a2 = concat((full((missing,), 0, dtype=a2.dtype, device=a2.device), a2))
    elif missing < 0:
        a1 = concat((full((-missing,), 0, dtype=a1.dtype, device=a1.device), a1))
    return a1, a2


@public("elementwise", sample=lambda s: (s.v, s.v))
def polyadd(a1: Any, a2: Any) -> Any:
    """The sum of two polynomials. Shape: that of the longer one.

    >>> jf.polyadd([1, 2], [9, 5, 4]).numpy()
    array([9, 6, 6])
    """
    x, y = _padded(_coefficients("polyadd", a1), _coefficients("polyadd", a2))
    return x + y


@public("elementwise", sample=lambda s: (s.v, s.v))
def polysub(a1: Any, a2: Any) -> Any:
    """The difference of two polynomials. Shape: that of the longer one.

    >>> jf.polysub([2, 10, -2], [3, 10, -4]).numpy()
    array([-1,  0,  2])
    """
    x, y = _padded(_coefficients("polysub", a1), _coefficients("polysub", a2))
    return x - y


@public("elementwise", sample=lambda s: (s.v, s.v))
def polymul(a1: Any, a2: Any) -> Any:
    """The product of two polynomials.

    Zeros before their highest powers are left out, as NumPy does; how many there are is looked up in their
    values.

    >>> jf.polymul([1, 2, 3], [9, 5, 1]).numpy()
    array([ 9, 23, 38, 17,  3])
    """
    return convolve(_stripped("polymul", a1), _stripped("polymul", a2))


@public("elementwise", sample=lambda s: (s.v, s.v))
def polydiv(u: Any, v: Any) -> tuple[Any, Any]:
    """Quotient and remainder of the division of two polynomials, by long division.

    Zeros before their highest powers, and before that of the remainder, are left out, as NumPy does; how many
    there are is looked up in the values.

    >>> quotient, remainder = jf.polydiv([3.0, 5.0, 2.0], [2.0, 1.0])
    >>> quotient.numpy(), remainder.numpy()
    (array([1.5 , 1.75]), array([0.25]))
    """
    rest, divisor = _coefficients("polydiv", u) + 0.0, _coefficients("polydiv", v) + 0.0
    rest = rest.astype((rest[0] + divisor[0]).dtype)
    length, width = rest.shape[0], divisor.shape[0]
    scale = 1.0 / divisor[0]
    quotient = []
    for position in range(length - width + 1):
        factor = scale * rest[position]
        quotient.append(factor)
        window = rest[position : position + width] - factor * divisor
        rest = concat((rest[:position], window, rest[position + width :]))
    found = stack(quotient) if quotient else full((1,), 0.0, dtype=rest.dtype, device=rest.device)
    return found, _stripped("polydiv", rest, nearly=True)


def _stripped(function: str, value: Any, nearly: bool = False) -> Any:
    """Without zeros (or what `numpy.allclose` takes for them) before the highest power; one number stays."""
    array = _coefficients(function, value)
    if array.shape[0] <= 1:
        return array
    known = numpy.asarray(
        array._concrete(f"{function}: how many zeros come before the highest power is a shape")
        if isinstance(array, LazyValue)
        else array
    )
    zero = numpy.isclose(known, 0, rtol=1e-14) if nearly else known == 0
    first = int(numpy.argmin(zero)) if not zero.all() else known.shape[0] - 1
    return array[first:]


@public("elementwise", sample=lambda s: (s.v,))
def polyder(p: Any, m: Any = 1) -> Any:
    """The `m`-th derivative of a polynomial. Shape: [n - m], of a constant [0].

    >>> jf.polyder([1, 1, 1, 1]).numpy()
    array([3, 2, 1])
    """
    times = integer(m, "m")
    if times < 0:
        raise ArgumentError("Order of derivative must be positive (see polyint)")
    result = _coefficients("polyder", p)
    for _ in range(min(times, result.shape[0] + 1)):
        powers = numpy.arange(result.shape[0] - 1, 0, -1)
        result = result[:-1] * powers
    return result


@public("elementwise", sample=lambda s: (s.v,))
def polyint(p: Any, m: Any = 1, k: Any = None) -> Any:
    """The `m`-th antiderivative of a polynomial. Shape: [n + m]. Dtype: a float.

    `k`: the constants of integration, the first for the first one; one number for all, none for 0.

    >>> jf.polyint([6.0, 2.0], k=3.0).numpy()
    array([3., 2., 3.])
    """
    times = integer(m, "m")
    if times < 0:
        raise ArgumentError("Order of integral must be positive (see polyder)")
    if not times:
        return as_lazy(p)
    constants = atleast_1d(as_lazy(numpy.zeros(times) if k is None else k))
    if constants.shape[0] == 1 and times > 1:
        constants = constants[0] * numpy.ones(times)
    if constants.shape[0] < times:
        raise ArgumentError("k must be a scalar or a rank-1 array of length 1 or >m.")
    result = _coefficients("polyint", p)
    for number in range(times):
        powers = numpy.arange(result.shape[0], 0, -1)
        result = concat((result / powers, expand_dims(constants[number], 0)))
    return result


@public("elementwise", sample=lambda s: (s.v,))
def poly(seq_of_zeros: Any) -> Any:
    """The polynomial that has these zeros, and 1 before its highest power; of a square matrix the
    characteristic one, whose zeros are the eigenvalues.

    Shape: [n + 1]. Dtype: a float; complex where the zeros are, unless they are pairs of conjugates: the
    values are looked at. Raises ShapeError for other arrays.

    >>> jf.poly([1.0, 2.0]).numpy()
    array([ 1., -3.,  2.])
    """
    _check_sequence("poly", seq_of_zeros)
    zeros = as_lazy(seq_of_zeros)
    if zeros.ndim == 2 and zeros.shape[0] == zeros.shape[1] and zeros.size:
        zeros = decompositions.eigvals(zeros)
    elif zeros.ndim != 1:
        raise ShapeError(
            f"poly: zeros are a vector, or a square matrix has them, not an array of shape {zeros.shape}"
        )
    if not zeros.size:
        return asarray(1.0)
    zeros = zeros if zeros.dtype.kind in "fc" else zeros.astype(numpy.float64)
    result = one = full((1,), 1, dtype=zeros.dtype, device=zeros.device)
    for position in range(zeros.shape[0]):
        result = convolve(result, concat((one, -zeros[position : position + 1])))
    if zeros.dtype.kind == "c":
        known = zeros._concrete("poly: whether zeros are pairs of conjugates decides the dtype")
        if (numpy.sort(known) == numpy.sort(known.conjugate())).all():
            return result.real.copy()
    return result


@public("elementwise", sample=lambda s: (s.v,))
def roots(p: Any) -> Any:
    """The zeros of a polynomial: eigenvalues of its companion matrix.

    (R. A. Horn, C. R. Johnson, Matrix Analysis, 1985, section 3.3.) Shape: [degree]. Dtype: that of
    `linalg.eigvals`, which like the number of zeros before the highest power and at the end is looked up in
    the values. Raises ShapeError for more than one axis.

    >>> jf.roots([1.0, -3.0, 2.0]).numpy()
    array([2., 1.])
    """
    _check_sequence("roots", p)
    coefficients = _coefficients("roots", p)
    places = numpy.flatnonzero(coefficients._concrete("roots: the degree is a shape"))
    if not places.size:
        return asarray(numpy.zeros(0))
    first, last = int(places[0]), int(places[-1])
    at_zero = coefficients.shape[0] - 1 - last
    inner = coefficients[first : last + 1]
    if inner.dtype.kind not in "fc":
        inner = inner.astype(numpy.float64)
    degree = inner.shape[0] - 1
    if not degree:
        return asarray(numpy.zeros(at_zero))
    top = expand_dims(-inner[1:] / inner[0], 0)
    below = eye(degree - 1, degree, dtype=inner.dtype, device=inner.device)
    found = decompositions.eigvals(concat((top, below)))
    if not at_zero:
        return found
    return concat((found, full((at_zero,), 0, dtype=found.dtype, device=found.device)))


@public("elementwise", sample=lambda s: (s.v,))
def vander(x: Any, N: Any = None, increasing: bool = False) -> Any:
    """Powers of `x`, one column for each: the highest first, or with `increasing` the 0th.

    `N`: the number of columns, by default as many as `x` has elements. Shape: [len(x), N]. Dtype: that of
    `x` with int64, as NumPy has it: float64 of float32.

    >>> jf.vander([1, 2, 3]).numpy()
    array([[1, 1, 1],
           [4, 2, 1],
           [9, 3, 1]])
    """
    array = as_lazy(x)
    if array.ndim != 1:
        raise ShapeError("x must be a one-dimensional array or sequence.")
    columns = array.shape[0] if N is None else integer(N, "N")
    kind = dtype_there(array, numpy.promote_types(array.dtype, numpy.int64))
    array = array.astype(kind)
    if columns <= 0:
        if columns < 0:
            raise ArgumentError("negative dimensions are not allowed")
        return full((array.shape[0], 0), 0, dtype=kind, device=array.device)
    ones = full((array.shape[0], 1), 1, dtype=kind, device=array.device)
    repeated = broadcast_to(expand_dims(array, 1), (array.shape[0], columns - 1))
    powers = concat((ones, cumprod(repeated, axis=1)), axis=1)
    return powers if increasing else flip(powers, axis=1)


@public("reduction", sample=lambda s: (s.v, s.v, 1))
def polyfit(
    x: Any, y: Any, deg: Any, rcond: Any = None, full: bool = False, w: Any = None, cov: Any = False
) -> Any:
    """The coefficients of the polynomial of degree `deg` that fits points best, the highest power first.

    `x`: [n]; `y`: [n] or [n, k]. `w`: [n], factors of the distances. Smallest are the squares of these, by
    `linalg.lstsq` with `rcond` of the powers of `x`, each column scaled to length 1. Shape: [deg + 1] or
    [deg + 1, k]. Dtype: float64. With `full` residuals, rank, singular values and `rcond` too; with `cov` the
    covariances of the coefficients, scaled by the residuals unless it is "unscaled".

    >>> jf.polyfit([0.0, 1.0, 2.0], [1.0, 3.0, 5.0], 1).numpy().round(12)
    array([2., 1.])
    """
    degree = integer(deg, "deg")
    points, values = as_lazy(x) + 0.0, as_lazy(y) + 0.0
    if degree < 0:
        raise ArgumentError("expected deg >= 0")
    if points.ndim != 1:
        raise DTypeError("expected 1D vector for x")
    if points.size == 0:
        raise DTypeError("expected non-empty vector for x")
    if values.ndim not in (1, 2):
        raise DTypeError("expected 1D or 2D array for y")
    if points.shape[0] != values.shape[0]:
        raise DTypeError("expected x and y to have same length")
    if rcond is None:
        rcond = points.shape[0] * numpy.finfo(points.dtype).eps
    columns, right = vander(points, degree + 1), values
    if w is not None:
        weights = as_lazy(w) + 0.0
        if weights.ndim != 1:
            raise DTypeError("expected a 1-d array for weights")
        if weights.shape[0] != points.shape[0]:
            raise DTypeError("expected w and y to have the same length")
        columns = columns * expand_dims(weights, 1)
        right = right * (expand_dims(weights, 1) if right.ndim == 2 else weights)
    scale = _sqrt(summed(columns * columns, axis=0))
    scaled = columns / scale
    found, residuals, rank, singular = decompositions.lstsq(scaled, right, rcond)
    across = expand_dims(scale, 1) if right.ndim == 2 else scale
    coefficients = found / across
    if full:
        return coefficients, residuals, rank, singular, rcond
    if not cov:
        return coefficients
    covariances = decompositions.inv(matmul(scaled.T, scaled)) / (expand_dims(scale, 1) * scale)
    if isinstance(cov, str) and cov == "unscaled":
        return coefficients, covariances if right.ndim == 1 else expand_dims(covariances, 2)
    if points.shape[0] <= degree + 1:
        raise ArgumentError("the number of data points must exceed order to scale the covariance matrix")
    left = matmul(scaled, found) - right
    factor = summed(left * left, axis=0) / (points.shape[0] - degree - 1)
    return coefficients, covariances * factor if right.ndim == 1 else expand_dims(covariances, 2) * factor
