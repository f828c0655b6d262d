"""asinh, acosh, atanh.

asinh x = log(x + sqrt(x**2 + 1)) and acosh x = log(x + sqrt(x**2 - 1)), with roots and sums in pairs of
floats, so that no other form is needed where they are small. atanh x is half the logarithm of
(1 + x) / (1 - x), which 2**k brings near 1: atanh x = k * ln2 / 2 + atanh(q) with
q = (1 + x - 2**k * (1 - x)) / (1 + x + 2**k * (1 - x)).
"""

from __future__ import annotations

import math

from ..kernel.builder import KernelBuilder
from ..kernel.nodes import Value
from .arithmetic import Arithmetic
from .by_table import logarithm_of_sum
from .coefficients import ATANH_F32, ATANH_F64
from .double_word import left_of, ordered_sum, product
from .exponential import LN2
from .formats import MathFeatures
from .logarithm import positive_normal_log
from .logarithm_of_sum import log_of_sum
from .roots import root_of_sum

_POLYNOMIALS = {"f32": ATANH_F32, "f64": ATANH_F64}
_LARGE = {"f32": 2.0**30, "f64": 2.0**400}
"""The square is finite, and adding 1 to it changes nothing."""
_SMALL = {"f32": 2.0**-12, "f64": 2.0**-27}
"""asinh x rounds to x."""


def asinh(build: KernelBuilder, x: Value, features: MathFeatures) -> Value:
    """The inverse hyperbolic sine: odd, ±inf at ±inf."""
    a = Arithmetic(build, x.dtype, features)
    size = abs(x)
    square, square_low = product(a, size, size)
    total, low = ordered_sum(a, a.at_least(square, 1.0), a.at_most(square, 1.0))
    root, root_low = root_of_sum(a, total, low + square_low)
    high, low = ordered_sum(a, root, size)
    low = low + root_low
    if features.tables:
        return a.emit("copysign", _log_or_log_of_double(a, size, high, low), x)
    plain = log_of_sum(a, high, low)
    plain = a.select(size < a.number(_SMALL[x.dtype.name]), size, plain)
    fits = size < a.number(_LARGE[x.dtype.name])
    result = build.branch(fits, lambda: (plain,), lambda: (_log_of_double(a, size),))[0]
    return a.emit("copysign", result, x)


def acosh(build: KernelBuilder, x: Value, features: MathFeatures) -> Value:
    """The inverse hyperbolic cosine: 0 at 1, NaN below, inf at inf."""
    a = Arithmetic(build, x.dtype, features)
    one = a.number(1.0)
    below = x - one
    above, above_low = ordered_sum(a, x, one)
    square, square_low = product(a, below, above)
    root, root_low = root_of_sum(a, square, a.multiply_add(below, above_low, square_low))
    high, low = ordered_sum(a, x, root)
    low = low + root_low
    valid, nan = x >= one, a.number(math.nan)
    if features.tables:
        return a.select(valid, _log_or_log_of_double(a, x, high, low), nan)
    plain = a.select(valid, log_of_sum(a, high, low), nan)
    fits = x < a.number(_LARGE[x.dtype.name])
    return build.branch(fits, lambda: (plain,), lambda: (_log_of_double(a, x),))[0]


def _log_or_log_of_double(a: Arithmetic, size: Value, high: Value, low: Value) -> Value:
    """log(high + low), or log(2 * size) of what is large."""
    fits = size < a.number(_LARGE[a.format.dtype.name])
    zero = a.number(0.0)
    high, low = a.select(fits, high, size), a.select(fits, low, zero)
    return logarithm_of_sum(a, high, low, a.select(fits, zero, a.number(1.0)))


def _log_of_double(a: Arithmetic, size: Value) -> Value:
    """log(2 * size) of what is large; inf and NaN are kept."""
    result = positive_normal_log(a, size, -1)
    return a.select(size < a.number(math.inf), result, size)


def atanh(build: KernelBuilder, x: Value, features: MathFeatures) -> Value:
    """The inverse hyperbolic tangent: odd, ±inf at ±1, NaN beyond."""
    a = Arithmetic(build, x.dtype, features)
    mantissa = a.format.mantissa
    size, one = abs(x), a.number(1.0)
    below, below_low = ordered_sum(a, one, -size)
    above = one + size
    # The bits of floats grow by one exponent from a float to its double, so k is the whole part of log2 of
    # (1 + x) / (1 - x) and q lies between 0 and 1/3: no sum cancels, and q is small next to the result.
    quotient = a.to_signed(above) - a.to_signed(below)
    power = a.to_float(
        a.emit("and", quotient, a.signed(~a.format.mantissa_mask)) + a.signed(a.format.bias << mantissa)
    )
    counted = a.emit("or", quotient >> mantissa, a.signed((a.format.bias + mantissa) << mantissa))
    exponent = a.to_float(counted) - a.number(2.0**mantissa)
    quotient_of = _quotient if a.format.width == 64 else _rough_quotient
    q, q_low = quotient_of(a, power, (below, below_low))
    whole = a.emit("eq", exponent, a.number(0.0))
    q, q_low = a.select(whole, size, q), a.select(whole, a.number(0.0), q_low)
    square = q * q
    ln2_high, ln2_low = LN2[x.dtype.name]
    tail = a.multiply_add(exponent, a.number(ln2_low / 2), q_low)
    tail = a.multiply_add(q * square, a.polynomial(square, _POLYNOMIALS[x.dtype.name]), tail)
    if a.format.width == 64:
        high, lost = ordered_sum(a, exponent * a.number(ln2_high / 2), q)
        plain = high + (lost + tail)
    else:
        plain = a.multiply_add(exponent, a.number(ln2_high / 2), q + tail)
    end = a.select(a.emit("eq", size, one), a.number(math.inf), a.number(math.nan))
    return a.emit("copysign", a.select(size < one, plain, end), x)


def _quotient(a: Arithmetic, power: Value, below: tuple[Value, Value]) -> tuple[Value, Value]:
    """q as a pair, for 1 - x as a pair: dividend and divisor are pairs, and what the quotient leaves of the
    dividend corrects it."""
    one, two = a.number(1.0), a.number(2.0)
    more, fewer = power + one, power - one
    taken, taken_low = product(a, more, below[0])
    top, top_low = ordered_sum(a, two, -taken)
    top_low = top_low - a.multiply_add(more, below[1], taken_low)
    added, added_low = product(a, fewer, below[0])
    bottom, bottom_low = ordered_sum(a, two, added)
    bottom_low = bottom_low + a.multiply_add(fewer, below[1], added_low)
    inverse = a.emit("div", one, bottom)
    q = top * inverse
    rest = left_of(a, top, q, bottom) + top_low
    return q, a.multiply_add(-q, bottom_low, rest) * inverse


def _rough_quotient(a: Arithmetic, power: Value, below: tuple[Value, Value]) -> tuple[Value, Value]:
    """As `_quotient`, of which the second part is 0."""
    one, two = a.number(1.0), a.number(2.0)
    more = power + one
    if a.features.fma:
        difference = a.emit("fma", -more, below[0], two)
    else:
        difference = one - power * below[0] + (one - below[0])
    difference = a.multiply_add(-more, below[1], difference)
    divisor = a.multiply_add(power - one, below[0], two)
    return a.emit("div", difference, divisor), a.number(0.0)
