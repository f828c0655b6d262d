"""pow: 2**(y * log2|x|) with the logarithm in a pair of floats, then the special cases of C99.

log2 m = c * atanh(s), s = (m - 1) / (m + 1) (P. T. P. Tang, Table-Driven Implementation of the Logarithm
Function, 1990, without his table): the first two terms of the series are pairs of floats, the others are
single. The relative error is about 2**-11 ulp, so y times it stays below the result's rounding.

f32 goes through f64 where that is native: one logarithm, whose relative error of 2**-33 is worth a fifth of
an ulp where the result is largest or smallest, and one power of two. f64 holds every result with an exponent
to spare, so that the conversion to f32 is what overflows, underflows gradually and rounds. A processor runs
few of these long chains side by side: polynomials are kept shallow.
"""

from __future__ import annotations

import math

from ...ir.record import record
from ...ir.types import F32, F64
from ..kernel.builder import KernelBuilder
from ..kernel.nodes import Value
from .arithmetic import Arithmetic
from .coefficients import EXP2_F32, EXP2_F64, LOG2_F32, LOG2_F64, WIDE_EXP2_F64, WIDE_LOG2_F64
from .double_word import ordered_sum, product
from .exponential import scaled
from .formats import MathFeatures
from .logarithm import ROOT_HALF_BITS, not_positive_normal, split_exponent
from .power_by_table import power_of_size


class _Constants(metaclass=record):
    log2: tuple[float, ...]
    exp2: tuple[float, ...]
    slope: tuple[float, float]
    """2 / ln2 in two parts."""
    third: tuple[float, float]
    """2 / (3 * ln2) in two parts."""
    fifth: tuple[float, float]
    """2 / (5 * ln2) in two parts."""
    ln2: tuple[float, float]
    largest_exponent: float
    """A power of two so large that any |x| != 1 raised to it leaves the range."""
    overflow: float
    """2**this overflows, and rounds to an exponent that 2**n still has."""
    underflow: float
    """2**this is less than half the smallest denormal."""
    low: float
    """Below this the result is small, and denormal at last."""


CONSTANTS = {
    "f32": _Constants(
        LOG2_F32,
        EXP2_F32,
        (2.885390043258667, 3.851926067000022e-08),
        (0.9617967009544373, -7.028461812552678e-09),
        (0.5770780444145203, -2.805893473123433e-08),
        (0.6931471824645996, -1.9046542121259336e-09),
        2.0**32,
        128.4,
        -151.0,
        -96.0,
    ),
    "f64": _Constants(
        LOG2_F64,
        EXP2_F64,
        (2.8853900817779268, 4.0710547481862066e-17),
        (0.9617966939259756, 5.0577616648125907e-17),
        (0.5770780163555853, 5.2551030481378675e-17),
        (0.6931471805599453, 2.3190468138462996e-17),
        2.0**64,
        1024.4,
        -1076.0,
        -920.0,
    ),
}


def pow(build: KernelBuilder, x: Value, y: Value, features: MathFeatures) -> Value:
    """x**y with the special cases of C99 and NumPy: x**0 = 1**y = 1, NaN for a negative x and a broken y."""
    if features.wide and not features.tables and x.dtype is F32:
        return wide_power(build, x, y, features)
    a = Arithmetic(build, x.dtype, features)
    special = not_positive_normal(a, x)
    if features.tables:
        result = power_of_size(a, abs(x), y)
    else:
        result = _power_of_size(a, abs(x), y)
        special = special | y.differs(y)
    return build.branch(special, lambda: (special_power(a, x, y, result),), lambda: (result,))[0]


def _power_of_size(a: Arithmetic, size: Value, y: Value) -> Value:
    """size**y for a finite positive size, denormals included, and any y."""
    constants = CONSTANTS[a.format.dtype.name]
    high, low = log2_pair(a, size)
    bound = constants.largest_exponent
    y = a.at_least(a.at_most(y, bound), -bound)
    total, error = product(a, y, high)
    error = a.multiply_add(y, low, error)
    inside = abs(total) < a.number(-constants.underflow)
    error = a.select(inside, error, a.number(0.0))
    total = a.at_least(a.at_most(total, constants.overflow), constants.underflow)
    magic = a.number(a.magic(a.format.bias - 1))
    rounded = total + magic
    r, rest = ordered_sum(a, total - (rounded - magic), error)
    above_one = _exp2_minus_1(a, r, rest)
    exponent = a.to_signed(rounded) << a.format.mantissa
    return scaled(a, above_one, exponent, total < a.number(constants.low))


def _exp2_minus_1(a: Arithmetic, r: Value, rest: Value) -> Value:
    """2**(r + rest) - 1 for |r| <= 1/2, rounded only once: results that are integers come out exactly."""
    constants = CONSTANTS[a.format.dtype.name]
    ln2_high, ln2_low = a.number(constants.ln2[0]), a.number(constants.ln2[1])
    low = a.multiply_add(r, ln2_low, rest * ln2_high)
    tail = a.multiply_add(r * r, a.polynomial(r, constants.exp2), low)
    if a.features.fma:
        return a.multiply_add(r, ln2_high, tail)
    linear, error = product(a, r, ln2_high)
    return linear + (error + tail)


def exp2_pair(a: Arithmetic, r: Value, rest: Value) -> tuple[Value, Value]:
    """2**(r + rest) as a pair, for |r| <= 1/2."""
    constants = CONSTANTS[a.format.dtype.name]
    ln2_high, ln2_low = a.number(constants.ln2[0]), a.number(constants.ln2[1])
    linear, error = product(a, r, ln2_high)
    error = error + a.multiply_add(r, ln2_low, rest * ln2_high)
    error = a.multiply_add(r * r, a.polynomial(r, constants.exp2), error)
    high, low = ordered_sum(a, a.number(1.0), linear)
    return high, low + error


def log2_pair(a: Arithmetic, size: Value) -> tuple[Value, Value]:
    """log2 of a finite positive size as a pair."""
    constants = CONSTANTS[a.format.dtype.name]
    small = size < a.number(2.0 ** (1 - a.format.bias))
    shift = a.format.mantissa + 2
    exponent, m = split_exponent(a, a.select(small, size * a.number(2.0**shift), size))
    exponent = exponent - a.select(small, a.number(shift), a.number(0.0))
    s_high, s_low = _quotient(a, m)
    # t = s**2
    t_high, t_low = product(a, s_high, s_high)
    t_low = a.multiply_add(s_high + s_high, s_low, t_low)
    # w = slope + third * t + t**2 * (fifth + t * P(t)); the last term is so small that it needs no pair, but
    # for the low parts of t and of its coefficient.
    third_high, third_low = a.number(constants.third[0]), a.number(constants.third[1])
    u_high, u_low = product(a, t_high, third_high)
    fifth, fifth_low = constants.fifth
    slope_low = a.multiply_add(t_high, a.number(2 * fifth), third_high)
    known_low = a.multiply_add(t_high, a.number(fifth_low), third_low)
    u_low = u_low + a.multiply_add(t_high, known_low, t_low * slope_low)
    tail = a.polynomial(t_high, (fifth, *constants.log2))
    u_low = a.multiply_add(t_high * t_high, tail, u_low)
    w_high, w_low = ordered_sum(a, a.number(constants.slope[0]), u_high)
    w_low = w_low + (u_low + a.number(constants.slope[1]))
    # s * w
    high, low = product(a, s_high, w_high)
    low = low + a.multiply_add(s_high, w_low, s_low * w_high)
    total, error = ordered_sum(a, exponent, high)
    return ordered_sum(a, total, error + low)


def _quotient(a: Arithmetic, m: Value) -> tuple[Value, Value]:
    """(m - 1) / (m + 1) as a pair."""
    one = a.number(1.0)
    above = m - one
    below = m + one
    below_low = m - (below - one)  # exact: below - 1 is a float near m
    reciprocal = one / below
    high = above * reciprocal
    taken, taken_low = product(a, high, below)
    left = above - taken - taken_low
    left = left - high * below_low
    return high, left * reciprocal


def special_power(a: Arithmetic, x: Value, y: Value, result: Value) -> Value:
    """x**y for every x and y, given |x|**y for finite x that are not 0."""
    zero, one, infinity = a.number(0.0), a.number(1.0), a.number(math.inf)
    size = abs(x)
    half = y * 0.5
    broken = a.emit("floor", y).differs(y)
    odd = a.emit("floor", y).equals(y) & a.emit("floor", half).differs(half)
    # 0 and inf: to a positive power themselves, to a negative one each other.
    empty, endless = size.equals(zero), size.equals(infinity)
    grows = empty ^ (y > zero)
    result = a.select(empty | endless, a.select(grows, infinity, zero), result)
    sign = a.to_unsigned(x) & a.format.sign_bit
    negated = a.to_float(a.to_unsigned(result) ^ sign)
    result = a.select(odd, negated, result)
    negative = (x < zero) & (size < infinity)
    nan = a.number(math.nan)
    result = a.select(negative & broken, nan, result)
    unordered = x.differs(x) | y.differs(y)
    result = a.select(unordered, nan, result)
    unit = x.equals(one) | y.equals(zero)
    return a.select(unit, one, result)


_BEYOND = 1000.0
"""2**this overflows f32, 2**-this underflows it; f64 has both."""


def wide_power(build: KernelBuilder, x: Value, y: Value, features: MathFeatures) -> Value:
    """x**y of f32: where x is no positive normal number, through the branch."""
    a = Arithmetic(build, x.dtype, features)
    wide = Arithmetic(build, F64, features)
    size, one = abs(x), a.number(1.0)
    logarithm = _log2(wide, build.cast(size, F64))
    total = build.cast(y, F64) * logarithm
    total = wide.at_least(wide.at_most(total, _BEYOND), -_BEYOND)
    # The logarithm of 1 times what is infinite or NaN is NaN.
    result = a.select(size.equals(one), one, build.cast(_exp2(wide, total), x.dtype))
    special = not_positive_normal(a, x)
    return build.branch(special, lambda: (special_power(a, x, y, result),), lambda: (result,))[0]


def _exp2(a: Arithmetic, x: Value) -> Value:
    """2**x for |x| <= 1000."""
    magic = a.number(a.magic())
    rounded = x + magic
    fraction = a.shallow_polynomial(x - (rounded - magic), WIDE_EXP2_F64)
    exponent = a.to_signed(rounded) << a.format.mantissa
    return a.to_float(a.to_signed(fraction) + exponent)


def _log2(a: Arithmetic, size: Value) -> Value:
    """log2 of a positive normal f64 to 33 bits, without signed 64-bit shifts or casts: AVX2 lacks both."""
    mantissa, bias = a.format.mantissa, a.format.bias
    root = ROOT_HALF_BITS["f64"]
    above = a.to_unsigned(size) + ((bias << mantissa) - root)
    counted = above >> mantissa | (bias + mantissa) << mantissa
    exponent = a.to_float(counted) - a.number(2.0**mantissa + bias)
    m = a.to_float((above & a.format.mantissa_mask) + root)
    f = m - 1.0
    return a.multiply_add(f, a.shallow_polynomial(f, WIDE_LOG2_F64), exponent)
