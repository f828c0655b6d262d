"""Window functions, which taper a signal to its ends, and the Bessel function of the Kaiser window."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy

from ...base.arguments import integer
from ...errors import ArgumentError
from ...functions.complex_numbers import real_numbers
from ..calls import call
from ..elementwise import transcendental
from ..elementwise.arithmetic import where
from ..registry import public
from .constructors import full
from .ranges import arange

_cos, _exp, _sqrt = (transcendental.UFUNCS[name] for name in ("cos", "exp", "sqrt"))


def _window(M: Any, made: Callable[[float], Any]) -> Any:
    """Makes a window of two points or more; a single one is 1. NumPy takes floats for their number, too."""
    points = M.item() if isinstance(M, (numpy.generic, numpy.ndarray)) and not M.shape else M
    points = points if isinstance(points, float) else integer(points, "M")
    if points != points:
        raise ArgumentError("M is a number of points, not NaN")
    return made(points) if points > 1 else full((int(points == 1),), 1.0)


def _cosines(M: Any, *weights: float) -> Any:
    """The sum of `weights[k] * cos(pi k n / (M - 1))`, n from 1 - M in steps of 2, as NumPy counts."""

    def made(points: float) -> Any:
        angles = arange(1 - points, points, 2) * 1.0
        result: Any = weights[0]
        for k, weight in enumerate(weights[1:], 1):
            result = result + weight * _cos((math.pi * k) * angles / (points - 1))
        return result

    return _window(M, made)


@public("creation", sample=lambda s: (3,))
def hanning(M: Any) -> Any:
    """The Hann window, a raised cosine: 1 in the middle, 0 at both ends.

    `M`: the number of points. Shape: [M], empty below 1. Dtype: float64.

    >>> jf.hanning(3).numpy()
    array([0., 1., 0.])
    """
    return _cosines(M, 0.5, 0.5)


@public("creation", sample=lambda s: (3,))
def hamming(M: Any) -> Any:
    """The Hamming window, a raised cosine with small steps at its ends.

    `M`: the number of points. Shape: [M], empty below 1. Dtype: float64.

    >>> jf.hamming(3).numpy().round(2)
    array([0.08, 1.  , 0.08])
    """
    return _cosines(M, 0.54, 0.46)


@public("creation", sample=lambda s: (3,))
def blackman(M: Any) -> Any:
    """The Blackman window, a sum of three cosines: little leaks to far frequencies.

    `M`: the number of points. Shape: [M], empty below 1. Dtype: float64.

    >>> abs(jf.blackman(3)).numpy().round(2)
    array([0., 1., 0.])
    """
    return _cosines(M, 0.42, 0.5, 0.08)


@public("creation", sample=lambda s: (3,))
def bartlett(M: Any) -> Any:
    """The Bartlett window, a triangle: 1 in the middle, 0 at both ends.

    `M`: the number of points. Shape: [M], empty below 1. Dtype: float64.

    >>> jf.bartlett(5).numpy()
    array([0. , 0.5, 1. , 0.5, 0. ])
    """

    def made(points: float) -> Any:
        n = arange(1 - points, points, 2)
        share = n / (points - 1)
        return where(n <= 0, 1 + share, 1 - share)

    return _window(M, made)


@public("creation", sample=lambda s: (3, 5.0))
def kaiser(M: Any, beta: Any) -> Any:
    """The Kaiser window, of Bessel functions: `beta` trades the width of its main lobe for what leaks.

    `M`: the number of points; `beta`: 0 is a rectangle, 5 like `hamming`, 8.6 like `blackman`.
    Shape: [M], empty below 1. Dtype: float64.

    >>> jf.kaiser(3, 5.0).numpy().round(4)
    array([0.0367, 1.    , 0.0367])
    """
    width = call(real_numbers, (beta,), "kaiser").astype(numpy.float64)

    def made(points: float) -> Any:
        alpha = (points - 1) / 2.0
        share = (arange(points) - alpha) / alpha
        return i0(width * _sqrt(1 - share * share)) / i0(width)

    return _window(M, made)


# Chebyshev coefficients of exp(-x) I0(x) on [0, 8] and of exp(-x) sqrt(x) I0(x) above, highest degree first:
# the functions at 64 Chebyshev points, computed to 50 digits.
_NEAR = (
    -4.4153416464793395e-18, 3.3307945188222384e-17, -2.431279846547955e-16, 1.715391285555133e-15,
    -1.1685332877993451e-14, 7.676185498604936e-14, -4.856446783111929e-13, 2.95505266312964e-12,
    -1.726826291441556e-11, 9.675809035373237e-11, -5.189795601635263e-10, 2.6598237246823866e-09,
    -1.300025009986248e-08, 6.046995022541919e-08, -2.670793853940612e-07, 1.1173875391201037e-06,
    -4.4167383584587505e-06, 1.6448448070728896e-05, -5.754195010082104e-05, 0.00018850288509584165,
    -0.0005763755745385824, 0.0016394756169413357, -0.004324309995050576, 0.010546460394594998,
    -0.02373741480589947, 0.04930528423967071, -0.09490109704804764, 0.17162090152220877,
    -0.3046826723431984, 0.6767952744094761,
)  # fmt: skip
_FAR = (
    -7.233180487874754e-18, -4.830504485944182e-18, 4.46562142029676e-17, 3.461222867697461e-17,
    -2.8276239805165836e-16, -3.425485619677219e-16, 1.7725601330565263e-15, 3.8116806693526224e-15,
    -9.554846698828307e-15, -4.150569347287222e-14, 1.54008621752141e-14, 3.8527783827421426e-13,
    7.180124451383666e-13, -1.7941785315068062e-12, -1.3215811840447713e-11,
    -3.1499165279632416e-11, 1.1889147107846439e-11, 4.94060238822497e-10, 3.3962320257083865e-09,
    2.266668990498178e-08, 2.0489185894690638e-07, 2.8913705208347567e-06, 6.889758346916825e-05,
    0.0033691164782556943, 0.8044904110141088,
)  # fmt: skip


@public("creation")
def i0(x: Any) -> Any:
    """The modified Bessel function of the first kind and order 0.

    By Chebyshev series of it, scaled by its growth, below and above 8 (Abramowitz and Stegun, Handbook of
    Mathematical Functions, 9.6). Shape: that of `x`. Dtype: that of `x`, of integers float64.

    >>> jf.i0([0.0, 1.0]).numpy().round(6)
    array([1.      , 1.266066])
    """
    array = call(real_numbers, (x,), "i0")
    size = abs(array if array.dtype.kind == "f" else array.astype(numpy.float64))
    growth = _exp(size)
    near = growth * _chebyshev(_NEAR, size / 2.0 - 2.0)
    far_size = where(size > 8.0, size, 9.0)
    far = growth * _chebyshev(_FAR, 32.0 / far_size - 2.0) / _sqrt(far_size)
    return where(size <= 8.0, near, far)


def _chebyshev(coefficients: tuple[float, ...], x: Any) -> Any:
    """Sums the series by Clenshaw's recurrence, at twice the point."""
    b0, b1, b2 = coefficients[0] + 0.0 * x, 0.0 * x, 0.0 * x
    for coefficient in coefficients[1:]:
        b2, b1 = b1, b0
        b0 = x * b1 - b2 + coefficient
    return 0.5 * (b0 - b2)
