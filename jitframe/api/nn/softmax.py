"""Softmax, its logarithm, and logarithms of sums of exponentials: one kernel for each, along any axes."""

from __future__ import annotations

import math
from typing import Any

from ...base.arguments import shown
from ...errors import ShapeError
from ...functions.operands import broadcasts
from ..elementwise import arithmetic, transcendental
from ..movement import squeeze
from ..reductions import max as largest
from ..reductions import sum as summed
from ..registry import public
from .operands import axes_of, bools, finished, real, widened

_where = arithmetic.where
_abs = arithmetic.UFUNCS["abs"]
_exp, _log = (transcendental.UFUNCS[name] for name in ("exp", "log"))


@public("reduction", name="nn.softmax")
def softmax(x: Any, axis: Any = -1, *, where: Any = None, out: Any = None) -> Any:
    """`exp(x) / sum(exp(x))` along an axis, or several together, which does not overflow.

    `where`: bools that broadcast against `x`; elsewhere the result is 0, and so it is where none holds.
    Shape: that of `x`. Dtype: that of floats, else the device's usual float. `out`: an array of that shape
    that the result is written to, which may be `x` or a view of it. Raises AxisError, ShapeError for a mask
    of another shape, DTypeError for complex numbers and for masks that are no bools.

    The shift by the largest element and the sum are those of scipy.special.softmax; one pass over a row that
    stays in cache for each.

    >>> jf.nn.softmax([0.0, np.log(3.0)]).numpy()
    array([0.25, 0.75])
    >>> jf.nn.softmax([5.0, 5.0, 9.0], where=[True, True, False]).numpy()
    array([0.5, 0.5, 0. ])
    """
    array = real("softmax", x)
    axes = axes_of("softmax", axis, array)
    shifted, mask = _shifted("softmax", array, axes, where)
    powers = _exp(shifted)
    total = summed(powers, axis=axes, keepdims=True)
    if mask is not None:
        total = _where(total == 0, 1.0, total)
    return finished(powers / total, array, out)


@public("reduction", name="nn.log_softmax")
def log_softmax(x: Any, axis: Any = -1, *, where: Any = None, out: Any = None) -> Any:
    """`x - logsumexp(x)` along an axis, or several together: the logarithms of `softmax`, of which none is
    lost.

    Where `where` does not hold the result is -inf. Otherwise as of `softmax`.

    >>> jf.nn.log_softmax([0.0, 1000.0]).numpy()
    array([-1000.,     0.])
    """
    array = real("log_softmax", x)
    axes = axes_of("log_softmax", axis, array)
    shifted, _mask = _shifted("log_softmax", array, axes, where)
    total = summed(_exp(shifted), axis=axes, keepdims=True)
    if where is not None:
        total = _where(total == 0, 1.0, total)
    return finished(shifted - _log(total), array, out)


@public("reduction", name="nn.logsumexp")
def logsumexp(x: Any, axis: Any = -1, *, where: Any = None, keepdims: bool = False, out: Any = None) -> Any:
    """`log(sum(exp(x)))` along an axis, or several together (None: all), which does not overflow.

    `where` as of `softmax`: of nothing it is -inf. Shape: that of `x` without the axes; with `keepdims` their
    extents are 1. Dtype and errors as of `softmax`.

    >>> float(jf.nn.logsumexp([1000.0, 1000.0]))
    1000.6931471805599
    """
    array = real("logsumexp", x)
    axes = axes_of("logsumexp", range(array.ndim) if axis is None else axis, array)
    return finished(lse("logsumexp", array, axes, where, keepdims), array, out)


def lse(function: str, array: Any, axes: tuple[int, ...], where: Any = None, keepdims: bool = False) -> Any:
    """`logsumexp` in the dtype that it is computed in."""
    wide, _mask = _masked(function, widened(array), where)
    top = _top(wide, axes)
    total = _log(summed(_exp(wide - top), axis=axes, keepdims=True)) + top
    return total if keepdims else squeeze(total, axis=axes)


def _masked(function: str, wide: Any, where: Any) -> tuple[Any, Any]:
    """The array with -inf where a mask does not hold, and the mask."""
    if where is None:
        return wide, None
    mask = bools(function, where, "where")
    if not broadcasts(mask.shape, wide.shape):
        raise ShapeError(f"{function}: where is {shown(mask)}, and does not broadcast to x, {shown(wide)}")
    return _where(mask, wide, -math.inf), mask


def _top(wide: Any, axes: tuple[int, ...]) -> Any:
    """The largest elements, and 0 where these are infinite: `inf - inf` is no number."""
    top = _largest(wide, axes)
    return _where(_abs(top) == math.inf, 0.0, top)


def _largest(wide: Any, axes: tuple[int, ...]) -> Any:
    if all(wide.shape[axis] for axis in axes):
        return largest(wide, axis=axes, keepdims=True)
    return largest(wide, axis=axes, keepdims=True, initial=-math.inf)


def _shifted(function: str, array: Any, axes: tuple[int, ...], where: Any) -> tuple[Any, Any]:
    wide, mask = _masked(function, widened(array), where)
    top = _largest(wide, axes)
    if mask is not None:
        top = _where(top == -math.inf, 0.0, top)
    return wide - top, mask
