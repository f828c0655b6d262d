"""Functions of complex numbers by real ones, with the branch cuts and the special values of C99's Annex G,
which are NumPy's.

asin, acos and what follows from them: T. E. Hull, T. F. Fairgrieve and P. T. P. Tang, "Implementing the
complex arcsine and arccosine functions using exception handling", ACM TOMS 23, 1997. sqrt and atanh:
W. Kahan, "Branch cuts for complex elementary functions", 1987.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from ..node import Op
from ..record import record
from ..types import F32, F64, DType
from . import elementwise
from .complex_arithmetic import Parts, of_parts, product, quotient
from .reals import (
    Real,
    acos,
    asin,
    atan,
    atan2,
    cos,
    cosh,
    exp,
    expm1,
    hypot,
    log,
    log1p,
    sin,
    sinh,
    sqrt,
    where,
)

INF, NAN, PI = math.inf, math.nan, math.pi


class Format(metaclass=record):
    """Thresholds of the functions, by the dtype of the parts."""

    exponent: float
    """The exp of it is far from overflow, and exp of twice it overflows."""
    saturated: float
    """The point from which on tanh is 1."""
    huge: float
    """Squares of smaller values do not overflow."""
    tiny: float
    """Squares of larger values do not underflow."""
    scale: float
    """A power of four that scales values below `tiny` far above it."""


FORMATS: dict[DType, Format] = {
    F32: Format(80.0, 10.0, 2.0**60, 2.0**-55, 2.0**64),
    F64: Format(700.0, 22.0, 2.0**500, 2.0**-480, 2.0**512),
}


def _format(x: Real) -> Format:
    return FORMATS[x.node.dtype]


def _like(x: Real, sign: Real) -> Real:
    return x.with_sign(sign)


# Exponential


def _bounded(x: Real) -> tuple[Real, Real]:
    """Splits x into a sum: a term whose exp does not overflow, and exp of the rest."""
    limit = _format(x).exponent
    far = x > limit
    return where(far, x - limit, x), where(far, x.same(math.exp(limit)), 1.0)


def exponential(x: Real, y: Real) -> Parts:
    near, scale = _bounded(x)
    size = exp(near)
    real_part, imag_part = size * cos(y) * scale, size * sin(y) * scale
    lost = ~y.is_finite
    below, above = x.equals(-INF) & lost, x.equals(INF) & lost
    real_part = where(below, 0.0, where(above, x, real_part))
    imag_part = where(below, _like(x.same(0.0), y), where(y.equals(0.0), y, imag_part))
    return real_part, imag_part


def exponential_less_one(x: Real, y: Real) -> Parts:
    """Returns expm1(x) cos(y) - 2 sin(y / 2)**2 and exp(x) sin(y); those of exp, less one, far from zero."""
    half = sin(y * 0.5)
    real_part = expm1(x) * cos(y) - 2.0 * half * half
    far_real, far_imag = exponential(x, y)
    far = x > _format(x).exponent
    real_part = where(far, far_real, where(x.equals(-INF), -1.0, real_part))
    return real_part, where(far | ~x.is_finite, far_imag, exp(x) * sin(y))


# Logarithms


def _size_logarithm(x: Real, y: Real) -> Real:
    """Returns log |x + yi|."""
    limits = _format(x)
    x, y = abs(x), abs(y)
    most, least = x.maximum(y), x.minimum(y)
    huge, tiny = most > limits.huge, most < limits.tiny
    scale = where(huge, x.same(1 / limits.scale), where(tiny, x.same(limits.scale), 1.0))
    moved = math.log(limits.scale)
    back = where(huge, x.same(moved), where(tiny, x.same(-moved), 0.0))
    size = log(hypot(x * scale, y * scale)) + back
    near_one = log1p((most - 1.0) * (most + 1.0) + least * least) * 0.5
    return where((most > 0.5) & (most < 2.0), near_one, size)


def logarithm(x: Real, y: Real) -> Parts:
    return _size_logarithm(x, y), atan2(y, x)


def logarithm_of_sum(x: Real, y: Real) -> Parts:
    """Returns log(1 + z)."""
    moved = x + 1.0
    small = (abs(x) < 0.5) & (abs(y) < 0.5)
    near = log1p(x * (x + 2.0) + y * y) * 0.5
    return where(small, near, _size_logarithm(moved, y)), atan2(y, moved)


def _scaled_logarithm(base: float) -> Callable[[Real, Real], Parts]:
    factor = 1 / math.log(base)

    def function(x: Real, y: Real) -> Parts:
        first, second = logarithm(x, y)
        return first * factor, second * factor

    return function


# Roots and powers


def root(x: Real, y: Real) -> Parts:
    """Returns the square root in the right half plane."""
    limits = _format(x)
    most = abs(x).maximum(abs(y))
    huge, tiny = most > limits.huge, most < limits.tiny
    scale = where(huge, x.same(1 / limits.scale), where(tiny, x.same(limits.scale), 1.0))
    back = where(huge, x.same(math.sqrt(limits.scale)), where(tiny, x.same(1 / math.sqrt(limits.scale)), 1.0))
    a, b = x * scale, y * scale
    larger = sqrt((abs(a) + hypot(a, b)) * 0.5)
    smaller = abs(b) / (larger * 2.0)
    smaller, larger = smaller * back, larger * back
    zero = x.equals(0.0) & y.equals(0.0)
    right = x >= 0.0
    real_part = where(zero, 0.0, where(right, larger, smaller))
    imag_part = where(zero, y, _like(where(right, smaller, larger), y))
    # Infinities.
    upright = y.is_inf
    real_part = where(upright, INF, where(x.equals(INF), INF, real_part))
    real_part = where(x.equals(-INF) & ~upright, where(y.is_nan, NAN, real_part.same(0.0)), real_part)
    flat = where(y.is_nan, NAN, _like(x.same(0.0), y))
    imag_part = where(upright, y, where(x.equals(INF), flat, imag_part))
    return real_part, where(x.equals(-INF) & ~upright, _like(x.same(INF), y), imag_part)


def power(a: Real, b: Real, c: Real, d: Real) -> Parts:
    """Returns exp((c + di) log(a + bi)); zeros and small integer exponents are as in NumPy."""
    size, angle = logarithm(a, b)
    exponent, turns = product(c, d, size, angle)
    real_part, imag_part = exponential(exponent, turns)
    nothing = a.equals(0.0) & b.equals(0.0)
    at_zero = where(c > 0.0, 0.0, a.same(NAN))
    one = c.equals(0.0) & d.equals(0.0)
    real_part = where(one, 1.0, where(nothing, at_zero, real_part))
    imag_part = where(one, 0.0, where(nothing, at_zero, imag_part))
    real_flat = d.equals(0.0)
    square = product(a, b, a, b)
    cube = product(*square, a, b)
    inverse = quotient(a.same(1.0), a.same(0.0), a, b)
    for whole, (first, second) in ((1.0, (a, b)), (2.0, square), (3.0, cube), (-1.0, inverse)):
        chosen = real_flat & c.equals(whole) & ~nothing
        real_part, imag_part = where(chosen, first, real_part), where(chosen, second, imag_part)
    return real_part, imag_part


# Hyperbolic and trigonometric functions


def _hyperbolic(x: Real, y: Real) -> tuple[Real, Real, Real, Real, Real]:
    """Returns sinh and cosh of x, divided by a scale that follows them; sin and cos of y."""
    limit = _format(x).exponent
    far = abs(x) > limit
    size = exp(abs(x) - limit) * 0.5
    first, second = where(far, _like(size, x), sinh(x)), where(far, size, cosh(x))
    return first, second, where(far, x.same(math.exp(limit)), 1.0), sin(y), cos(y)


def _times(x: Real, y: Real) -> Real:
    """x * y, where 0 times anything is 0 with the sign of the product."""
    zero = x.equals(0.0) | y.equals(0.0)
    signed = _like(x.same(1.0), x) * _like(x.same(1.0), y)
    return where(zero, _like(x.same(0.0), signed), x * y)


def hyperbolic_sine(x: Real, y: Real) -> Parts:
    sinh_x, cosh_x, scale, sin_y, cos_y = _hyperbolic(x, y)
    real_part, imag_part = _times(sinh_x, cos_y) * scale, _times(cosh_x, sin_y) * scale
    lost = ~y.is_finite
    real_part = where(x.equals(0.0) & lost, x, where(x.is_inf & lost, abs(x), real_part))
    return real_part, where(x.is_nan & y.equals(0.0), y, imag_part)


def hyperbolic_cosine(x: Real, y: Real) -> Parts:
    sinh_x, cosh_x, scale, sin_y, cos_y = _hyperbolic(x, y)
    real_part, imag_part = _times(cosh_x, cos_y) * scale, _times(sinh_x, sin_y) * scale
    lost = ~y.is_finite
    real_part = where(x.is_inf & lost, abs(x), real_part)
    zero = _like(x.same(0.0), _like(x.same(1.0), x) * _like(x.same(1.0), y))
    zero = where(x.is_nan, y, where(lost, 0.0, zero))
    flat = (x.equals(0.0) & lost) | (y.equals(0.0) & ~x.is_finite)
    return real_part, where(flat, zero, imag_part)


def hyperbolic_tangent(x: Real, y: Real) -> Parts:
    far = abs(x) > _format(x).saturated
    sin_y, cos_y = sin(y), cos(y)
    sinh_x, cosh_x = sinh(where(far, 0.0, x)), cosh(where(far, 0.0, x))
    below = sinh_x * sinh_x + cos_y * cos_y
    real_part = sinh_x * cosh_x / below
    imag_part = sin_y * cos_y / below
    faded = 4.0 * sin_y * cos_y * exp(abs(x) * -2.0)
    lost = ~y.is_finite
    faded = where(x.is_inf, _like(x.same(0.0), where(lost, y, faded)), faded)
    far_real = where(lost & x.is_finite, sin_y, _like(x.same(1.0), x))
    real_part = where(far, far_real, where(x.equals(0.0), x, real_part))
    imag_part = where(far, faded, where(y.equals(0.0), y, imag_part))
    return where(x.is_nan, x, real_part), imag_part


def _turned(function: Callable[[Real, Real], Parts]) -> Callable[[Real, Real], Parts]:
    """Returns f(iz) / i of an odd function f: sin from sinh, tan from tanh."""

    def rotated(x: Real, y: Real) -> Parts:
        second, first = function(y, x)
        return first, second

    return rotated


def cosine(x: Real, y: Real) -> Parts:
    return hyperbolic_cosine(-y, x)


# Their inverses


def _arcs(x: Real, y: Real) -> tuple[Real, Real, Real]:
    """Returns, for x, y >= 0, the real parts of asin and acos, and the imaginary part of asin, by Hull and
    others."""
    limits = _format(x)
    outside = x.maximum(y) > limits.huge
    a_x, a_y = where(outside, 0.5, x), where(outside, 0.5, y)
    right, left = hypot(a_x + 1.0, a_y), hypot(a_x - 1.0, a_y)
    a = (right + left) * 0.5
    b = a_x / a
    inside = a_x <= 1.0
    apart = right + (a_x + 1.0)
    rest_in, rest_out = left + (1.0 - a_x), left + (a_x - 1.0)
    above = a + a_x
    # The distance from the segment between the branch points, without cancellation.
    small = a_y * (a_y / apart)
    inner = sqrt(above * (small + rest_in) * 0.5)
    outer = a_y * sqrt((above / apart + above / rest_out) * 0.5)
    across = where(inside, inner, outer)
    steep = b > 0.6417
    arc_sine = where(steep, atan(a_x / across), asin(b.minimum(1.0)))
    arc_cosine = where(steep, atan(across / a_x), acos(b.minimum(1.0)))
    near_in, near_out = small + a_y * (a_y / rest_in), small + rest_out
    excess = where(a_x < 1.0, near_in, near_out) * 0.5
    # Where y * y underflows.
    thin = (a_y < limits.tiny) & (a_x < 1.0)
    height = where(thin, a_y / sqrt((1.0 - a_x) * (1.0 + a_x)), log1p(excess + sqrt(excess * (a + 1.0))))
    height = where(a > 1.5, log(a + sqrt((a - 1.0) * (a + 1.0))), height)
    height = where(outside, _size_logarithm(x, y) + math.log(2.0), height)
    arc_sine = where(outside, atan2(x, y), arc_sine)
    arc_cosine = where(outside, atan2(y, x), arc_cosine)
    return arc_sine, arc_cosine, height


def arc_sine(x: Real, y: Real) -> Parts:
    first, _, height = _arcs(abs(x), abs(y))
    real_part, imag_part = _like(first, x), _like(height, y)
    half = _like(x.same(PI / 2), x)
    real_part = where(x.is_inf & y.is_inf, half * 0.5, where(x.is_inf & y.is_finite, half, real_part))
    real_part = where(y.is_inf & x.is_finite, _like(x.same(0.0), x), where(x.equals(0.0), x, real_part))
    imag_part = where(x.is_inf | y.is_inf, _like(x.same(INF), y), imag_part)
    return real_part, imag_part


def arc_cosine(x: Real, y: Real) -> Parts:
    _, first, height = _arcs(abs(x), abs(y))
    left = x.with_sign(x.same(1.0)).differs(x) | (x.same(1.0).with_sign(x) < 0.0)
    real_part = where(left, PI - first, first)
    imag_part = -_like(height, y)
    real_part = where(x.equals(0.0), PI / 2, real_part)
    upright = y.is_inf & (x.is_finite | x.is_nan)
    slant = where(x > 0.0, x.same(PI / 4), 3 * PI / 4)
    flat = where(x > 0.0, x.same(0.0), PI)
    real_part = where(x.is_inf & y.is_inf, slant, where(x.is_inf & y.is_finite, flat, real_part))
    real_part = where(upright, where(x.is_nan, NAN, real_part.same(PI / 2)), real_part)
    imag_part = where(x.is_inf | y.is_inf, -_like(x.same(INF), y), imag_part)
    return real_part, imag_part


def arc_hyperbolic_cosine(x: Real, y: Real) -> Parts:
    angle, height = arc_cosine(x, y)
    return where(y.is_nan & x.equals(0.0), NAN, abs(height)), where(angle.is_nan, NAN, _like(angle, y))


def arc_hyperbolic_tangent(x: Real, y: Real) -> Parts:
    limits = _format(x)
    a, b = abs(x), abs(y)
    outside = a.maximum(b) > limits.huge
    c, d = where(outside, 2.0, a), where(outside, 2.0, b)
    apart = hypot(1.0 - c, d)
    near = (log(hypot(c + 1.0, d)) - log(apart)) * 0.5
    far = log1p(c / apart / apart * 4.0) * 0.25
    first = where(apart < 0.1, near, far)
    # The real part of 1 / z.
    inverse, _ = quotient(a.same(1.0), a.same(0.0), a, b)
    first = where(outside, where(a.is_inf | b.is_inf, inverse.same(0.0), inverse), first)
    angle = atan2(d * 2.0, (1.0 - c) * (1.0 + c) - d * d) * 0.5
    angle = where(outside, PI / 2, angle)
    imag_part = _like(angle, y)
    at_one = a.equals(1.0) & b.equals(0.0)
    first = where(at_one, INF, where(a.equals(0.0), 0.0, first))
    first = where(a.is_nan & b.is_inf, 0.0, where(b.is_nan & (a.is_inf | a.equals(0.0)), 0.0, first))
    first = where(b.is_nan & ~(a.is_inf | a.equals(0.0)) | (a.is_nan & ~b.is_inf), NAN, first)
    imag_part = where(at_one, y, imag_part)
    imag_part = where(b.is_inf, _like(x.same(PI / 2), y), imag_part)
    imag_part = where(b.is_nan | (a.is_nan & ~b.is_inf), NAN, imag_part)
    imag_part = where(a.is_inf & ~b.is_nan, _like(x.same(PI / 2), y), imag_part)
    return _like(first, x), imag_part


def _rule(op: Op, function: Callable[..., Parts]) -> None:
    op.defines("of_complex")(of_parts(function))


_rule(elementwise.exp, exponential)
_rule(elementwise.expm1, exponential_less_one)
_rule(elementwise.log, logarithm)
_rule(elementwise.log2, _scaled_logarithm(2.0))
_rule(elementwise.log10, _scaled_logarithm(10.0))
_rule(elementwise.log1p, logarithm_of_sum)
_rule(elementwise.sqrt, root)
_rule(elementwise.pow, power)
_rule(elementwise.sinh, hyperbolic_sine)
_rule(elementwise.cosh, hyperbolic_cosine)
_rule(elementwise.tanh, hyperbolic_tangent)
_rule(elementwise.sin, _turned(hyperbolic_sine))
_rule(elementwise.cos, cosine)
_rule(elementwise.tan, _turned(hyperbolic_tangent))
_rule(elementwise.asin, arc_sine)
_rule(elementwise.acos, arc_cosine)
_rule(elementwise.asinh, _turned(arc_sine))
_rule(elementwise.acosh, arc_hyperbolic_cosine)
_rule(elementwise.atanh, arc_hyperbolic_tangent)
_rule(elementwise.atan, _turned(arc_hyperbolic_tangent))
