"""Special functions of statistics and learning, by their names in `scipy.special`: of each element, and
along axes."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from ..arrays.promotion import NUMBERS, promote
from .elementwise import arithmetic, transcendental
from .movement import squeeze
from .nn.operands import applied, finished, in_dtype, real, widened
from .nn.softmax import log_softmax as _log_softmax_along
from .nn.softmax import logsumexp as _logsumexp_along
from .nn.softmax import softmax as _softmax_along
from .reductions import max as largest
from .reductions import sum as summed
from .registry import public
from .samples import Sample

_where = arithmetic.where
_abs, _isnan, _minimum = (arithmetic.UFUNCS[name] for name in ("abs", "isnan", "minimum"))
_exp, _log, _log1p, _erfc, _atanh, _tan = (
    transcendental.UFUNCS[name] for name in ("exp", "log", "log1p", "erfc", "atanh", "tan")
)
_SHIFT = 10
"""The least argument for which the series of the digamma function is exact to the last places."""
_DIGAMMA = (1 / 12, -1 / 120, 1 / 252, -1 / 240, 1 / 132, -691 / 32760, 1 / 12)
"""Bernoulli numbers over their even indices (Abramowitz, Stegun, 6.3.18)."""


def _of_two(function: str, formula: Callable[[Any, Any], Any], x: Any, y: Any, out: Any) -> Any:
    first, second = real(function, x), real(function, y, "y")
    given = [lifted._dtype for each, lifted in ((x, first), (y, second)) if type(each) not in NUMBERS]
    dtype = promote(*given) if len(given) == 2 else (given or [first._dtype])[0]  # numbers take the other's
    first, second = in_dtype(first, dtype), in_dtype(second, dtype)
    return finished(formula(widened(first), widened(second)), first, out)


def _two(sample: Sample) -> tuple[Any, ...]:
    return (sample.x, sample.x)


@public("elementwise", name="special.expit", scipy="expit")
def expit(x: Any, /, *, out: Any = None) -> Any:
    """`1 / (1 + exp(-x))`, the logistic function, between 0 and 1.

    Shape: that of `x`. Dtype: that of floats, else the device's usual float. `out`: an array of that shape
    that the result is written to. DTypeError for complex numbers. So it is for all functions of one array
    here; those of two broadcast them.

    >>> jf.special.expit([-1000.0, 0.0, 1000.0]).numpy()
    array([0. , 0.5, 1. ])
    """
    return applied("expit", lambda x: 1.0 / (1.0 + _exp(-x)), x, out)


@public("elementwise", name="special.log_expit", scipy="log_expit")
def log_expit(x: Any, /, *, out: Any = None) -> Any:
    """`log(expit(x))`, without loss where that is near 0 or 1. As of `expit`.

    >>> jf.special.log_expit([-1000.0, 1000.0]).numpy()
    array([-1000.,     0.])
    """
    return applied("log_expit", lambda x: _minimum(x, 0.0) - _log1p(_exp(-_abs(x))), x, out)


@public("elementwise", name="special.logit", scipy="logit")
def logit(x: Any, /, *, out: Any = None) -> Any:
    """`log(x / (1 - x))`, the inverse of `expit`: infinite at 0 and 1, NaN beyond. As of `expit`.

    >>> jf.special.logit([0.0, 0.5, 1.0]).numpy()
    array([-inf,   0.,  inf])
    """

    def formula(x: Any) -> Any:
        from_half = x + x - 1.0
        return _where(_abs(from_half) < 0.5, 2.0 * _atanh(from_half), _log(x / (1.0 - x)))

    return applied("logit", formula, x, out)


@public("elementwise", name="special.ndtr", scipy="ndtr")
def ndtr(x: Any, /, *, out: Any = None) -> Any:
    """The probability that a standard normal variable is below `x`, without loss in either tail. As of
    `expit`.

    >>> jf.special.ndtr([-np.inf, 0.0, 1.959963984540054]).numpy()
    array([0.   , 0.5  , 0.975])
    """
    return applied("ndtr", lambda x: 0.5 * _erfc(x * -math.sqrt(0.5)), x, out)


@public("elementwise", name="special.digamma", scipy="psi")
def digamma(x: Any, /, *, out: Any = None) -> Any:
    """The derivative of the logarithm of the gamma function; infinite at 0, NaN at negative whole numbers. As
    of `expit`.

    Recurrence up to 10, there the asymptotic series, and reflection of negative numbers (Abramowitz, Stegun,
    6.3.5, 6.3.7, 6.3.18): within some 1e-15 of the value, or of 1 near its zeros.

    >>> jf.special.digamma([1.0, 2.0]).numpy().round(6)
    array([-0.577216,  0.422784])
    """

    def positive(x: Any) -> Any:
        below = _where(x < _SHIFT, 1.0, 0.0)
        steps = sum((1.0 / (x + number) for number in range(1, _SHIFT)), 1.0 / x) * below
        large = x + _SHIFT * below
        inverse = 1.0 / (large * large)
        series: Any = 0.0
        for coefficient in reversed(_DIGAMMA):
            series = (series + coefficient) * inverse
        return _log(large) - 0.5 / large - series - steps

    def formula(x: Any) -> Any:
        reflected = x < 0.0
        turns = x - arithmetic.UFUNCS["floor"](x)
        correction = _where(turns == 0.0, math.nan, math.pi / _tan(math.pi * turns))
        found = positive(_where(reflected, 1.0 - x, x))
        return _where(x == 0.0, -1.0 / x, _where(reflected, found - correction, found))

    return applied("digamma", formula, x, out)


@public("elementwise", name="special.entr", scipy="entr")
def entr(x: Any, /, *, out: Any = None) -> Any:
    """`-x * log(x)`, the entropy of a probability: 0 at 0, -inf below. As of `expit`.

    >>> jf.special.entr([0.0, 0.5, -1.0]).numpy().round(3)
    array([0.   , 0.347,  -inf])
    """

    def formula(x: Any) -> Any:
        return _where(x > 0.0, -x * _log(x), _where(x == 0.0, 0.0, _where(_isnan(x), x, -math.inf)))

    return applied("entr", formula, x, out)


def _unless_zero(x: Any, y: Any, product: Any) -> Any:
    return _where((x == 0.0) & ~_isnan(y), 0.0, product)


@public("elementwise", name="special.xlogy", scipy="xlogy", sample=_two)
def xlogy(x: Any, y: Any, /, *, out: Any = None) -> Any:
    """`x * log(y)`, and 0 where `x` is 0 and `y` is a number. As of `expit`.

    >>> jf.special.xlogy([0.0, 2.0], [0.0, 1.0]).numpy()
    array([0., 0.])
    """
    return _of_two("xlogy", lambda x, y: _unless_zero(x, y, x * _log(y)), x, y, out)


@public("elementwise", name="special.xlog1py", scipy="xlog1py", sample=_two)
def xlog1py(x: Any, y: Any, /, *, out: Any = None) -> Any:
    """`x * log1p(y)`, and 0 where `x` is 0 and `y` is a number. As of `expit`.

    >>> jf.special.xlog1py([0.0, 1.0], [-1.0, 0.0]).numpy()
    array([0., 0.])
    """
    return _of_two("xlog1py", lambda x, y: _unless_zero(x, y, x * _log1p(y)), x, y, out)


def _divergence(x: Any, y: Any, inside: Any, at_zero: Any) -> Any:
    """Returns `inside` where both are positive, `at_zero` where `x` is 0 and `y` is not negative, else inf or
    NaN."""
    outside = _where(_isnan(x + y), math.nan, math.inf)
    return _where((x > 0.0) & (y > 0.0), inside, _where((x == 0.0) & (y >= 0.0), at_zero, outside))


@public("elementwise", name="special.rel_entr", scipy="rel_entr", sample=_two)
def rel_entr(x: Any, y: Any, /, *, out: Any = None) -> Any:
    """`x * log(x / y)`, the term of a relative entropy: 0 where `x` is 0, inf where one is negative or `y`
    is 0. As of `expit`.

    >>> jf.special.rel_entr([0.0, 1.0, 1.0], [1.0, 1.0, 0.0]).numpy()
    array([ 0.,  0., inf])
    """
    return _of_two("rel_entr", lambda x, y: _divergence(x, y, x * _log(x / y), 0.0), x, y, out)


@public("elementwise", name="special.kl_div", scipy="kl_div", sample=_two)
def kl_div(x: Any, y: Any, /, *, out: Any = None) -> Any:
    """`x * log(x / y) - x + y`, convex in both: `y` where `x` is 0, else as `rel_entr`. As of `expit`.

    >>> jf.special.kl_div([0.0, 1.0], [2.0, 1.0]).numpy()
    array([2., 0.])
    """
    return _of_two("kl_div", lambda x, y: _divergence(x, y, x * _log(x / y) - x + y, y), x, y, out)


def _axes(x: Any, axis: Any) -> Any:
    return range(x.ndim) if axis is None else axis


@public("reduction", name="special.softmax", scipy="softmax")
def softmax(x: Any, axis: Any = None) -> Any:
    """`jf.nn.softmax` with SciPy's parameters: over all axes together where none is given.

    >>> jf.special.softmax([0.0, np.log(3.0)]).numpy()
    array([0.25, 0.75])
    """
    array = real("softmax", x)
    return _softmax_along(array, _axes(array, axis))


@public("reduction", name="special.log_softmax", scipy="log_softmax")
def log_softmax(x: Any, axis: Any = None) -> Any:
    """`jf.nn.log_softmax` with SciPy's parameters: over all axes together where none is given.

    >>> jf.special.log_softmax([0.0, 1000.0]).numpy()
    array([-1000.,     0.])
    """
    array = real("log_softmax", x)
    return _log_softmax_along(array, _axes(array, axis))


@public("reduction", name="special.logsumexp", scipy="logsumexp")
def logsumexp(a: Any, axis: Any = None, b: Any = None, keepdims: bool = False) -> Any:
    """`log(sum(b * exp(a)))` along an axis, or several together (None: all), which does not overflow.

    `b`: weights that broadcast against `a`, 1 if not given; NaN where the sum is negative (SciPy's
    `return_sign` is not taken). Shape: that of `a` without the axes; with `keepdims` their extents are 1.

    >>> float(jf.special.logsumexp([1000.0, 1000.0]))
    1000.6931471805599
    >>> float(jf.special.logsumexp([0.0, 5.0], b=[1.0, 0.0]))
    0.0
    """
    array = real("logsumexp", a)
    if b is None:
        return _logsumexp_along(array, axis, keepdims=keepdims)
    return _of_two("logsumexp", lambda a, b: _weighted(a, b, axis, keepdims), array, b, None)


def _weighted(a: Any, b: Any, axis: Any, keepdims: bool) -> Any:
    shown = _where(b == 0.0, -math.inf, a)
    top = largest(shown, axis=axis, keepdims=True, initial=-math.inf)
    top = _where(_abs(top) == math.inf, 0.0, top)
    total = _log(summed(b * _exp(shown - top), axis=axis, keepdims=True)) + top
    return total if keepdims else squeeze(total, axis=tuple(range(total.ndim)) if axis is None else axis)
