"""Functions of NumPy programs that are compositions of others: tolerances, cases, slopes, statistics."""

from __future__ import annotations

import math
from typing import Any

import numpy

from ...arrays.promotion import from_numpy, promote
from ...base.arguments import integer, shown
from ...errors import ArgumentError, BoundsError, DTypeError, KindError, ShapeError, UnsupportedError
from ...functions import numeric as nodes
from ...functions.operands import fitted, strong
from ...functions.products import matmul
from ...ir.node import Node
from ...ir.types import F64
from ..arranging.diagonals import diagonal
from ..calls import call
from ..creation.constructors import astype, full
from ..elementwise import transcendental
from ..elementwise.arithmetic import clip
from ..frame import LazyValue, dtype_there
from ..movement import as_lazy, concat, expand_dims, matrix_transpose, moveaxis, reshape, squeeze, stack
from ..reductions import mean
from ..registry import public


@public("elementwise", makes_arrays=True, keeps_scalars=True)
def real(val: Any) -> Any:
    """The real parts, a view of complex numbers; real numbers themselves.

    Shape: that of `val`. Dtype: of complex numbers that of a part, else that of `val`.

    >>> jf.real([1.0, 2j]).numpy()
    array([1., 0.])
    """
    array = as_lazy(val)
    return array.real if array._dtype.is_complex or not array.shape else array[...]


@public("elementwise", makes_arrays=True, keeps_scalars=True)
def imag(val: Any) -> Any:
    """The imaginary parts, a view of complex numbers; of real numbers zeros.

    Shape: that of `val`. Dtype: of complex numbers that of a part, else that of `val`.

    >>> jf.imag([1.0, 2j]).numpy()
    array([0., 2.])
    """
    return as_lazy(val).imag


@public("elementwise")
def angle(z: Any, deg: bool = False) -> Any:
    """The angle to the positive real axis; of real numbers 0, or pi where they are negative.

    Shape: that of `z`. Dtype: float. With `deg` in degrees.

    >>> jf.angle([1.0, -2.0]).numpy()
    array([0.        , 3.14159265])
    """
    return call(nodes.angle, (z,), bool(deg))


@public("elementwise")
def isreal(x: Any) -> Any:
    """Whether the imaginary part is zero.

    Shape: that of `x`. Dtype: bool.

    >>> jf.isreal([1.0, 2j]).numpy()
    array([ True, False])
    """
    return as_lazy(x).imag == 0


@public("elementwise")
def iscomplex(x: Any) -> Any:
    """Whether the imaginary part is other than zero.

    Shape: that of `x`. Dtype: bool.

    >>> jf.iscomplex([1.0, 2j]).numpy()
    array([False,  True])
    """
    return as_lazy(x).imag != 0


@public("elementwise")
def nan_to_num(x: Any, copy: bool = True, nan: Any = 0.0, posinf: Any = None, neginf: Any = None) -> Any:
    """`x` with NaN and infinities replaced, by default by 0 and the largest numbers of the dtype.

    Shape and dtype: those of `x`. With `copy=False` it is written to `x`.

    >>> jf.nan_to_num([1.0, np.nan, -np.inf], neginf=-9.0).numpy()
    array([ 1.,  0., -9.])
    """
    if copy is False and hasattr(x, "__array__") and not isinstance(x, (LazyValue, numpy.ndarray)):
        raise ArgumentError(f"nan_to_num: copy=False writes to an array, and x is {shown(x)}")
    given = [each for each in (nan, posinf, neginf) if each is not None]

    def replaced(graph: Any, operand: Any, *rest: Any) -> Any:
        return nodes.nan_to_num(graph, operand, *rest, above=posinf is not None, below=neginf is not None)

    array = as_lazy(x)
    made = call(replaced, (array, *given), out=None if copy or array._is_one_number else array)
    return made if made.shape else made[()]


@public("elementwise", sample=lambda s: (s.x, s.x))
def isclose(a: Any, b: Any, rtol: Any = 1e-05, atol: Any = 1e-08, equal_nan: bool = False) -> Any:
    """Whether elements are equal within `atol` + `rtol` * |b|.

    Shape: that of both, broadcast. Dtype: bool. `equal_nan`: NaN equals NaN.

    >>> jf.isclose([1.0, 2.0], [1.0 + 1e-9, 2.1]).numpy()
    array([ True, False])
    """
    return call(nodes.isclose, (as_lazy(a), as_lazy(b), rtol, atol), bool(equal_nan))


@public("elementwise", sample=lambda s: (s.x, s.x), says_bool=True)
def allclose(a: Any, b: Any, rtol: Any = 1e-05, atol: Any = 1e-08, equal_nan: bool = False) -> Any:
    """Whether all elements are equal within tolerances: a lazy bool of no axes.

    It is evaluated where Python asks for a condition. `equal_nan`: NaN equals NaN.

    >>> bool(jf.allclose([1.0, 2.0], [1.0 + 1e-9, 2.0]))
    True
    """
    return isclose(a, b, rtol, atol, equal_nan).all()


@public("elementwise", sample=lambda s: (s.x, s.x), says_bool=True)
def array_equal(a1: Any, a2: Any, equal_nan: bool = False) -> Any:
    """Whether shapes and all elements are equal: a lazy bool of no axes.

    It is evaluated where Python asks for a condition. `equal_nan`: NaN equals NaN.

    >>> bool(jf.array_equal([1, 2], [1, 2]))
    True
    """
    return call(nodes.array_equal, (as_lazy(a1), as_lazy(a2)), bool(equal_nan), False)


@public("elementwise", sample=lambda s: (s.x, s.x), says_bool=True)
def array_equiv(a1: Any, a2: Any) -> Any:
    """Whether all elements are equal once broadcast; False where shapes do not fit.

    >>> bool(jf.array_equiv([1, 2], [[1, 2], [1, 2]]))
    True
    """
    return call(nodes.array_equal, (as_lazy(a1), as_lazy(a2)), False, True)


@public("elementwise", sample=lambda s: ([s.mask], [s.x]), makes_arrays=True)
def select(condlist: Any, choicelist: Any, default: Any = 0) -> Any:
    """Of each element the first choice whose condition holds, else `default`.

    Shape: that of all, broadcast. Dtype: what choices and `default` promote to. Raises ArgumentError where
    there are not as many choices as conditions.

    >>> x = jf.asarray([-2, 0, 3])
    >>> jf.select([x < 0, x > 0], [-1, x * 10]).numpy()
    array([-1,  0, 30])
    """
    if len(condlist) != len(choicelist):
        raise ArgumentError("list of cases must be same length as list of conditions")
    if not len(condlist):
        raise ArgumentError("select with an empty condition list is not possible")
    conditions = [as_lazy(each) for each in condlist]
    return call(nodes.select, (*conditions, *choicelist, default))


def _conditions(x: Any, condlist: Any) -> list[Any]:
    """Returns the conditions of `piecewise`, which NumPy takes as a list, an array or one condition."""
    if numpy.isscalar(condlist):
        return [as_lazy(condlist)]
    if isinstance(condlist, (list, tuple)):
        are_several = not x.shape or isinstance(condlist[0], (list, numpy.ndarray, LazyValue))
        return [as_lazy(each) for each in condlist] if are_several else [as_lazy(condlist)]
    if not hasattr(condlist, "__getitem__"):
        raise KindError(f"piecewise: condlist is a list of conditions, not {shown(condlist)}")
    whole = as_lazy(condlist)
    if not whole.shape:
        raise BoundsError(f"piecewise: condlist is a list of conditions, not {shown(condlist)}")
    return [whole] if len(whole.shape) < 2 and x.shape else [*whole]


def _one_value(value: Any) -> Any:
    """Returns the number in place of a function of `piecewise`. NumPy takes one after another of several."""
    if math.prod(value.shape if isinstance(value, LazyValue) else numpy.shape(value)) != 1:
        raise UnsupportedError(f"piecewise: one number or a function for each case, not {shown(value)}")
    return value


@public("elementwise", sample=lambda s: (s.x, [s.mask], [1, 0]), makes_arrays=True)
def piecewise(x: Any, condlist: Any, funclist: Any, *args: Any, **kw: Any) -> Any:
    """A function by cases, in the dtype of `x`. Each of `funclist` is a number or a function, which is called
    on all of `x`, not on the elements of its case alone: it must be elementwise.

    Shape: that of `x`. `funclist` may have one more than `condlist`, for where no condition holds. `args`
    and `kw` go to the functions.

    >>> x = np.array([-2.0, 0.0, 3.0])
    >>> jf.piecewise(x, [x < 0, x >= 0], [lambda x: -x, lambda x: x * 10]).numpy()
    array([ 2.,  0., 30.])
    """
    array = as_lazy(x)
    conditions = [astype(each, bool, copy=False) for each in _conditions(array, condlist)]
    count = len(conditions)
    if len(funclist) not in (count, count + 1):
        raise ArgumentError(
            f"with {count} condition(s), either {count} or {count + 1} functions are expected"
        )
    for place, condition in enumerate(conditions):
        rank = len(condition.shape)
        if condition.shape != array.shape[:rank]:
            raise BoundsError(
                f"piecewise: a condition of shape {condition.shape} for an array of shape {array.shape}"
            )
        if 0 < rank < array.ndim:  # of slices, as a mask is
            conditions[place] = reshape(condition, (*condition.shape, *(1,) * (array.ndim - rank)))
    if len(funclist) == count + 1:
        taken = conditions[0]
        for condition in conditions[1:]:
            taken = taken | condition
        conditions.append(~taken)
    values = [each(array, *args, **kw) if callable(each) else _one_value(each) for each in funclist]

    def chosen(graph: Any, first: Any, *rest: Any) -> Any:
        chosen_values = [
            fitted(graph, strong(graph, each), array.shape) if isinstance(each, Node) else each
            for each in rest[len(conditions) :]
        ]
        return nodes.piecewise(graph, first, rest[: len(conditions)], chosen_values)

    return call(chosen, (array, *conditions, *values))


@public("elementwise", sample=lambda s: (s.v, s.v))
def cross(a: Any, b: Any, axisa: int = -1, axisb: int = -1, axisc: int = -1, axis: int | None = None) -> Any:
    """The vector product of vectors of three components along an axis.

    Shape: that of both, broadcast. A vector of two components has 0 as its third; of two such the product is
    its third component alone, without the axis. Raises ShapeError for other numbers of components. `axisa`,
    `axisb` and `axisc` are the axes of `a`, of `b` and of the result; `axis` is all three.

    >>> jf.cross([1, 0, 0], [0, 1, 0]).numpy()
    array([0, 0, 1])
    """
    if axis is not None:
        axisa = axisb = axisc = axis
    axisa, axisb, axisc = (integer(each, "axis") for each in (axisa, axisb, axisc))
    first, second = as_lazy(a), as_lazy(b)
    if not first.shape or not second.shape:
        raise ShapeError("At least one array has zero dimension")
    first, second = moveaxis(first, axisa, -1), moveaxis(second, axisb, -1)
    counts = first.shape[-1], second.shape[-1]
    if not {2, 3}.issuperset(counts):
        raise ShapeError(f"cross: vectors of {counts[0]} and {counts[1]} components; both need 3, or 2")
    left, right = ([each[..., k] for k in range(each.shape[-1])] for each in (first, second))
    last = left[0] * right[1] - left[1] * right[0]
    if counts == (2, 2):
        return last
    if counts == (2, 3):
        parts = [left[1] * right[2], -(left[0] * right[2]), last]
    elif counts == (3, 2):
        parts = [-(left[2] * right[1]), left[2] * right[0], last]
    else:
        parts = [left[1] * right[2] - left[2] * right[1], left[2] * right[0] - left[0] * right[2], last]
    return moveaxis(stack(parts, axis=-1), -1, axisc)


@public("elementwise")
def cov(
    m: Any,
    y: Any = None,
    rowvar: bool = True,
    bias: bool = False,
    ddof: int | None = None,
    fweights: Any = None,
    aweights: Any = None,
    *,
    dtype: Any = None,
) -> Any:
    """The covariances of variables, one a row (`rowvar`) or a column, as a matrix.

    >>> jf.cov([[0.0, 1.0, 2.0], [2.0, 1.0, 0.0]]).numpy()
    array([[ 1., -1.],
           [-1.,  1.]])
    """
    if fweights is not None or aweights is not None:
        raise UnsupportedError("cov: weights; write np.matmul(x * weights, x.T) of the centred variables")
    if ddof is not None and ddof != int(ddof):
        raise ArgumentError("ddof must be integer")
    given = (m,) if y is None else (m, y)
    rows = [_variables(each, rowvar or len(as_lazy(each).shape) == 1) for each in given]
    wanted = from_numpy(dtype) if dtype is not None else F64
    if not rows[0].shape[0]:
        return full((0, 0), 0.0, device=rows[0].device)
    if dtype is None:
        for row in rows:
            wanted = promote(wanted, from_numpy(row.dtype))
    if not wanted.is_inexact:
        raise DTypeError(f"cov: dtype={wanted.numpy_name}: means of integers are floats; give a float dtype")
    joined = concat(rows, axis=0)
    joined = astype(joined, dtype_there(joined, wanted.numpy_name) if dtype is None else wanted.numpy_name)
    count = joined.shape[1]
    taken = ddof if ddof is not None else 0 if bias else 1
    centred = joined - mean(joined, axis=1, keepdims=True)
    products = call(matmul, (centred, matrix_transpose(centred).conj()))
    return squeeze(products / float(max(count - taken, 0)))


def _variables(value: Any, rowvar: bool) -> Any:
    array = as_lazy(value)
    if len(array.shape) > 2:
        raise ShapeError("m has more than 2 dimensions")
    if not array.shape:
        array = reshape(array, (1, 1))
    elif len(array.shape) == 1:
        array = expand_dims(array, axis=0)
    return array if rowvar else matrix_transpose(array)


@public("elementwise")
def corrcoef(x: Any, y: Any = None, rowvar: bool = True, *, dtype: Any = None) -> Any:
    """Correlation coefficients of variables, from -1 to 1, as a matrix.

    >>> jf.corrcoef([[0.0, 1.0, 2.0], [2.0, 1.0, 0.0]]).numpy()
    array([[ 1., -1.],
           [-1.,  1.]])
    """
    covariances = cov(x, y, rowvar, dtype=dtype)
    if not covariances.shape:
        return covariances / covariances
    deviations = transcendental.UFUNCS["sqrt"](diagonal(covariances).real)
    scaled = covariances / expand_dims(deviations, axis=1) / expand_dims(deviations, axis=0)
    if not scaled._dtype.is_complex:
        return clip(scaled, -1, 1)
    return clip(scaled.real, -1, 1) + 1j * clip(scaled.imag, -1, 1)
