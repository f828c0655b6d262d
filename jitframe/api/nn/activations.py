"""Activations: functions of each element by itself, and gated ones of two halves of an axis."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from ...arrays.indexing import normalize_axis
from ...base.arguments import shown, word
from ...errors import ArgumentError, ShapeError
from ..elementwise import arithmetic, transcendental
from ..registry import public
from .operands import applied, finished, real, widened

_where = arithmetic.where
_maximum, _abs = (arithmetic.UFUNCS[name] for name in ("maximum", "abs"))
_exp, _expm1, _log1p, _erf, _tanh = (
    transcendental.UFUNCS[name] for name in ("exp", "expm1", "log1p", "erf", "tanh")
)
_clip = arithmetic.clip
SELU_ALPHA, SELU_SCALE = 1.6732632423543772, 1.0507009873554805
_GELUS = ("erf", "tanh")


def _sigmoid(x: Any) -> Any:
    return 1.0 / (1.0 + _exp(-x))


def _softplus(x: Any) -> Any:
    return _maximum(x, 0.0) + _log1p(_exp(-_abs(x)))


def _silu(x: Any) -> Any:
    return x / (1.0 + _exp(-x))


def _gelu(x: Any) -> Any:
    return 0.5 * x * (1.0 + _erf(x * math.sqrt(0.5)))


def _gelu_by_tanh(x: Any) -> Any:
    return 0.5 * x * (1.0 + _tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x * x * x)))


@public("elementwise", name="nn.sigmoid")
def sigmoid(x: Any, /, *, out: Any = None) -> Any:
    """`1 / (1 + exp(-x))`, between 0 and 1.

    Shape: that of `x`. Dtype: that of floats, else the device's usual float. `out`: an array of that shape
    that the result is written to, which may be `x` or a view of it. DTypeError for complex numbers. So it
    is for all activations.

    >>> jf.nn.sigmoid([-1000.0, 0.0, 1000.0]).numpy()
    array([0. , 0.5, 1. ])
    """
    return applied("sigmoid", _sigmoid, x, out)


@public("elementwise", name="nn.silu")
def silu(x: Any, /, *, out: Any = None) -> Any:
    """`x * sigmoid(x)`, also called swish (Elfwing, Uchibe, Doya 2017). As of `sigmoid`.

    >>> jf.nn.silu([0.0, 20.0]).numpy().round(3)
    array([ 0., 20.])
    """
    return applied("silu", _silu, x, out)


@public("elementwise", name="nn.gelu")
def gelu(x: Any, /, *, approximate: str = "erf", out: Any = None) -> Any:
    """`x` times the probability that a normal variable is below it (Hendrycks, Gimpel 2016).

    `approximate`: "erf", the exact one, or "tanh", the formula with a hyperbolic tangent. As of `sigmoid`.

    >>> jf.nn.gelu([-1.0, 0.0, 1.0]).numpy().round(4)
    array([-0.1587,  0.    ,  0.8413])
    >>> jf.nn.gelu([1.0], approximate="tanh").numpy().round(4)
    array([0.8412])
    """
    word(approximate, "gelu: approximate", _GELUS)
    return applied("gelu", _gelu if approximate == "erf" else _gelu_by_tanh, x, out)


@public("elementwise", name="nn.relu")
def relu(x: Any, /, *, out: Any = None) -> Any:
    """`max(x, 0)`. As of `sigmoid`.

    >>> jf.nn.relu([-2.0, 3.0]).numpy()
    array([0., 3.])
    """
    return applied("relu", lambda x: _maximum(x, 0.0), x, out)


@public("elementwise", name="nn.relu6")
def relu6(x: Any, /, *, out: Any = None) -> Any:
    """`min(max(x, 0), 6)`. As of `sigmoid`.

    >>> jf.nn.relu6([-2.0, 3.0, 8.0]).numpy()
    array([0., 3., 6.])
    """
    return applied("relu6", lambda x: _clip(x, 0.0, 6.0), x, out)


@public("elementwise", name="nn.leaky_relu")
def leaky_relu(x: Any, /, slope: float = 0.01, *, out: Any = None) -> Any:
    """`x` where it is not negative, else `slope * x`. As of `sigmoid`.

    >>> jf.nn.leaky_relu([-2.0, 3.0], 0.25).numpy()
    array([-0.5,  3. ])
    """
    return applied("leaky_relu", lambda x: _where(x >= 0, x, slope * x), x, out)


@public("elementwise", name="nn.elu")
def elu(x: Any, /, alpha: float = 1.0, *, out: Any = None) -> Any:
    """`x` where it is positive, else `alpha * (exp(x) - 1)` (Clevert, Unterthiner, Hochreiter 2015). As of
    `sigmoid`.

    >>> jf.nn.elu([-1000.0, 3.0]).numpy()
    array([-1.,  3.])
    """
    return applied("elu", lambda x: _where(x > 0, x, alpha * _expm1(x)), x, out)


@public("elementwise", name="nn.selu")
def selu(x: Any, /, *, out: Any = None) -> Any:
    """`elu` scaled so that layers keep mean 0 and variance 1 (Klambauer and others 2017). As of `sigmoid`.

    >>> jf.nn.selu([0.0, 1.0]).numpy().round(4)
    array([0.    , 1.0507])
    """

    def formula(x: Any) -> Any:
        return _where(x > 0, SELU_SCALE * x, SELU_SCALE * SELU_ALPHA * _expm1(x))

    return applied("selu", formula, x, out)


@public("elementwise", name="nn.hardsigmoid")
def hardsigmoid(x: Any, /, *, out: Any = None) -> Any:
    """`x / 6 + 1/2`, held between 0 and 1. As of `sigmoid`.

    >>> jf.nn.hardsigmoid([-4.0, 0.0, 3.0]).numpy()
    array([0. , 0.5, 1. ])
    """
    return applied("hardsigmoid", lambda x: _clip(x + 3.0, 0.0, 6.0) / 6.0, x, out)


@public("elementwise", name="nn.hardswish")
def hardswish(x: Any, /, *, out: Any = None) -> Any:
    """`x * hardsigmoid(x)` (Howard and others 2019). As of `sigmoid`.

    >>> jf.nn.hardswish([-4.0, 0.0, 3.0]).numpy()
    array([-0.,  0.,  3.])
    """
    return applied("hardswish", lambda x: x * _clip(x + 3.0, 0.0, 6.0) / 6.0, x, out)


@public("elementwise", name="nn.softplus")
def softplus(x: Any, /, beta: float = 1.0, *, out: Any = None) -> Any:
    """`log(1 + exp(beta * x)) / beta`, which neither overflows nor loses small values. As of `sigmoid`.

    >>> jf.nn.softplus([0.0, 10.0]).numpy().round(2)
    array([ 0.69, 10.  ])
    """
    if not beta > 0:
        raise ArgumentError(f"softplus: beta must be positive, and {beta!r} was given")
    return applied("softplus", lambda x: _softplus(x) if beta == 1 else _softplus(beta * x) / beta, x, out)


@public("elementwise", name="nn.softsign")
def softsign(x: Any, /, *, out: Any = None) -> Any:
    """`x / (1 + |x|)`. As of `sigmoid`.

    >>> jf.nn.softsign([-1.0, 3.0]).numpy()
    array([-0.5 ,  0.75])
    """
    return applied("softsign", lambda x: x / (1.0 + _abs(x)), x, out)


@public("elementwise", name="nn.mish")
def mish(x: Any, /, *, out: Any = None) -> Any:
    """`x * tanh(softplus(x))` (Misra 2019). As of `sigmoid`.

    >>> jf.nn.mish([0.0, 1.0]).numpy().round(4)
    array([0.    , 0.8651])
    """
    return applied("mish", lambda x: x * _tanh(_softplus(x)), x, out)


@public("elementwise", name="nn.swiglu", sample=lambda s: (s.x, s.x))
def swiglu(gate: Any, up: Any = None, /, *, axis: int = -1, out: Any = None) -> Any:
    """`silu(gate) * up`, the gated unit of many transformers (Shazeer 2020).

    Both have one shape and dtype; without `up`, `gate` holds both in the two halves of `axis`, the gate
    first. `out` and dtypes as of `sigmoid`. Raises ShapeError for other shapes, and for an axis of an odd
    extent.

    >>> jf.nn.swiglu([0.0, 20.0], [5.0, 0.5]).numpy().round(3)
    array([ 0., 10.])
    >>> jf.nn.swiglu([[20.0, 3.0]]).numpy().round(3)
    array([[60.]])
    """
    return _gated("swiglu", _silu, gate, up, axis, out)


@public("elementwise", name="nn.geglu", sample=lambda s: (s.x, s.x))
def geglu(gate: Any, up: Any = None, /, *, approximate: str = "erf", axis: int = -1, out: Any = None) -> Any:
    """`gelu(gate) * up`; as of `swiglu`, `approximate` as of `gelu`.

    >>> jf.nn.geglu([0.0, 20.0], [5.0, 0.5]).numpy().round(3)
    array([ 0., 10.])
    """
    word(approximate, "geglu: approximate", _GELUS)
    return _gated("geglu", _gelu if approximate == "erf" else _gelu_by_tanh, gate, up, axis, out)


def _gated(function: str, formula: Callable[[Any], Any], gate: Any, up: Any, axis: int, out: Any) -> Any:
    array = real(function, gate, "gate")
    if up is None:
        along = normalize_axis(axis, array.ndim)
        half, rest = divmod(array.shape[along], 2)
        if rest:
            raise ShapeError(
                f"{function}: gate is {shown(array)}, and axis {axis} has an odd extent; it holds gate and up"
            )
        before = (slice(None),) * along
        array, other = array[(*before, slice(None, half))], array[(*before, slice(half, None))]
    else:
        other = real(function, up, "up")
        if tuple(other.shape) != tuple(array.shape):
            raise ShapeError(
                f"{function}: gate is {shown(array)}, and up {shown(other)}: their shapes must be equal"
            )
    return finished(formula(widened(array)) * widened(other), array, out)
