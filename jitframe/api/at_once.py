"""What NumPy has for public functions, where small arrays that are known are given to it as they are.

In this table are functions of which every result is a new array or a scalar, and the same one whoever
computes it, but for the last bits of floating sums and functions.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy

OPTIONS = frozenset(("axis", "keepdims", "dtype", "side", "decimals", "shift", "k", "n", "copy"))
"""Arguments that may be given by name: the others are not NumPy's alike, or are written to."""
Counterpart = tuple[Callable[..., Any], int]
"""A function, and how many arguments it takes by position."""


def _reduced(ufunc: Any) -> Counterpart:
    """What NumPy's function does after it has found out that its argument is an array."""
    reduce = ufunc.reduce

    def reduced(a: Any, axis: Any = None, dtype: Any = None, keepdims: Any = False) -> Any:
        return reduce(a, axis, dtype, None, keepdims)

    return reduced, 2


def _extreme(ufunc: Any) -> Counterpart:
    reduce = ufunc.reduce

    def reduced(a: Any, axis: Any = None, *, keepdims: Any = False) -> Any:
        return reduce(a, axis, None, None, keepdims)

    return reduced, 2


def _truth(ufunc: Any) -> Counterpart:
    reduce = ufunc.reduce

    def reduced(a: Any, axis: Any = None, *, keepdims: Any = False) -> Any:
        return reduce(a, axis, numpy.bool_, None, keepdims)

    return reduced, 2


_total: Any = numpy.add.reduce


def _mean(a: Any, axis: Any = None, *, keepdims: Any = False) -> Any:
    """`numpy.mean` of floats of 32 and 64 bits; of others by itself."""
    if a.dtype.kind != "f":
        return numpy.mean(a, axis, keepdims=keepdims)
    total = _total(a, axis, None, None, keepdims)
    return total / (a.size // total.size)


def _position(method: Callable[..., Any]) -> Counterpart:
    def found(a: Any, axis: Any = None) -> Any:
        return method(a, axis)

    return found, 2


def _where(condition: Any, x: Any, y: Any) -> Any:
    return numpy.where(condition, x, y)


def _clip(a: Any, a_min: Any = None, a_max: Any = None) -> Any:
    return numpy.clip(a, a_min, a_max)


def _cast(x: Any, dtype: Any, copy: bool = True) -> Any:
    """The casts that are the same on every processor."""
    made = numpy.dtype(dtype)
    if x.dtype.kind in "fc" and made.kind not in "fcb" and made != numpy.int64:
        raise TypeError(dtype)
    if not copy:
        raise TypeError(copy)
    return x.astype(made)


def _joined(function: Callable[..., Any]) -> Counterpart:
    def joined(arrays: Any, axis: Any = 0) -> Any:
        return function(arrays, axis)

    return joined, 2


def _cumulative(ufunc: Any) -> Counterpart:
    accumulate = ufunc.accumulate

    def accumulated(a: Any, axis: Any = None) -> Any:
        if axis is None:
            axis, a = 0, a.ravel()
        return accumulate(a, axis)

    return accumulated, 2


_UNARY = (
    "exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sqrt", "square", "cbrt", "sin", "cos", "tan",
    "sinh", "cosh", "tanh", "floor", "ceil", "trunc", "rint", "negative", "sign", "isnan", "isinf",
    "isfinite", "signbit", "logical_not", "absolute", "fabs", "arcsin", "arccos", "arctan", "arcsinh",
    "arccosh", "arctanh", "reciprocal", "deg2rad", "rad2deg", "radians", "degrees",
)  # fmt: skip
_BINARY = (
    "add", "subtract", "multiply", "divide", "maximum", "minimum", "fmax", "fmin", "less", "less_equal",
    "greater", "greater_equal", "equal", "not_equal", "logical_and", "logical_or", "logical_xor",
    "bitwise_and", "bitwise_or", "bitwise_xor", "floor_divide", "remainder", "fmod", "power", "arctan2",
    "hypot", "copysign", "logaddexp", "logaddexp2", "left_shift", "right_shift", "matmul",
)  # fmt: skip
_AS_THEY_ARE: tuple[Counterpart, ...] = (
    (numpy.vstack, 1), (numpy.hstack, 1), (numpy.column_stack, 1), (numpy.dot, 2), (numpy.outer, 2),
    (numpy.inner, 2), (numpy.vdot, 2), (numpy.tensordot, 2), (numpy.kron, 2), (numpy.cross, 2),
    (numpy.trace, 1), (numpy.roll, 3), (numpy.diff, 2), (numpy.repeat, 2), (numpy.tile, 2), (numpy.tril, 2),
    (numpy.triu, 2), (numpy.searchsorted, 2), (numpy.round, 2),
)  # fmt: skip
COUNTERPARTS: dict[str, Counterpart] = {
    **{name: (getattr(numpy, name), 1) for name in _UNARY},
    **{name: (getattr(numpy, name), 2) for name in _BINARY},
    "sum": _reduced(numpy.add),
    "prod": _reduced(numpy.multiply),
    "max": _extreme(numpy.maximum),
    "min": _extreme(numpy.minimum),
    "all": _truth(numpy.logical_and),
    "any": _truth(numpy.logical_or),
    "mean": (_mean, 2),
    "argmax": _position(numpy.ndarray.argmax),
    "argmin": _position(numpy.ndarray.argmin),
    "cumsum": _cumulative(numpy.add),
    "cumprod": _cumulative(numpy.multiply),
    "count_nonzero": (numpy.count_nonzero, 1),
    "where": (_where, 3),
    "clip": (_clip, 3),
    **{each.__name__: _joined(each) for each in (numpy.concatenate, numpy.stack)},
    **{each.__name__: (each, most) for each, most in _AS_THEY_ARE},
    "astype": (_cast, 2),
}
"""By NumPy's names."""
_CREATORS: tuple[Any, ...] = (numpy.zeros, numpy.ones, numpy.eye, numpy.arange, numpy.linspace)
CREATORS: dict[str, Callable[..., Any]] = {each.__name__: each for each in _CREATORS}
"""Those whose arguments are no arrays."""
