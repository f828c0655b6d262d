"""exp, exp2, expm1: reduction to |r| <= ln2/2, a minimax polynomial, and 2**n put into the exponent bits.

Structure after W. J. Cody and W. Waite, Software Manual for the Elementary Functions (1980), chapter 6, with
ln2 in two parts of which the first has trailing zero bits: n * LN2_HIGH is exact, with and without fma. By
tables 2**n has a fractional n, and is a pair; e**x - 1 is a sum of pairs (P. T. P. Tang, Table-Driven
Implementation of the Expm1 Function in IEEE Floating-Point Arithmetic, ACM TOMS 18, 1992).
"""

from __future__ import annotations

import math

from ...ir.record import record
from ...ir.types import F32
from ..kernel.builder import KernelBuilder
from ..kernel.nodes import Value
from .arithmetic import Arithmetic
from .by_table import magic_of_steps
from .coefficients import EXP2_F32, EXP2_F64, EXP_F32, EXP_F64, NEAR_EXP2_F64, NEAR_EXP_F64, NEAR_EXPM1_F64
from .double_word import ordered_sum, product, two_sum
from .formats import MathFeatures
from .tables import POWER_RESTS_F32, POWER_RESTS_F64, POWERS_F32, POWERS_F64


class _Constants(metaclass=record):
    polynomial: tuple[float, ...]
    overflow: float
    """e**this overflows, and n stays in range."""
    underflow: float
    """e**this is less than half the smallest denormal."""
    low: float
    """Below this the result is small, and denormal at last: 2**n is made in two steps."""


LN2 = {
    "f32": (0.693145751953125, 1.4286068203094173e-06),
    "f64": (0.6931471805601177, -1.7239444525614835e-13),
}
"""ln2 in two parts, the first of 15 (f32) or 41 (f64) bits."""

CONSTANTS = {
    "f32": _Constants(EXP_F32, 89.0, -104.0, -64.0),
    "f64": _Constants(EXP_F64, 710.0, -746.0, -640.0),
}

POWERS = {"f32": POWERS_F32, "f64": POWERS_F64}
"""2**(k / cells)."""
POWER_RESTS = {"f32": POWER_RESTS_F32, "f64": POWER_RESTS_F64}
"""What must be added to 1 as a factor to make them exact."""
_POWERS_OF_TWO = {"f32": EXP2_F32, "f64": EXP2_F64}
_EXP2_LOW = {"f32": -96.0, "f64": -920.0}
"""Below this 2**x is small, and denormal at last."""
_EXPM1_UNDERFLOW = {"f32": -18.0, "f64": -40.0}
"""e**this - 1 rounds to -1."""

_STEP = 65
"""By so many powers of two small results are lifted: past the denormals of both formats."""


def exp(build: KernelBuilder, x: Value, features: MathFeatures) -> Value:
    """e**x: inf from the overflow threshold on, gradual underflow, NaN kept."""
    a = Arithmetic(build, x.dtype, features)
    constants = CONSTANTS[x.dtype.name]
    x = a.at_least(a.at_most(x, constants.overflow), constants.underflow)
    if features.tables:
        return _exp_by_table(a, x)
    power, above_one = reduced_exp(a, x, a.format.bias - 1)
    return scaled(a, above_one, power, x < a.number(constants.low))


def scaled(
    a: Arithmetic, above_one: Value, power: Value, low: Value, factor_too: tuple[Value, Value] | None = None
) -> Value:
    """(1 + above_one) * 2**n; `power` holds the bits of 2**(n - 1), as n may exceed the largest exponent.

    Times the pair `factor_too`, between 1/64 and 1, where that is given.

    `low` says that the result may be denormal: it is made 2**_STEP times too large first, to be rounded once.
    """
    step = a.select(low, a.signed(_STEP << a.format.mantissa), a.signed(0))
    factor = a.to_float(power + step)
    if factor_too is None:
        product = a.multiply_add(above_one, factor, factor)
    else:
        high, rest = factor_too
        rest = a.multiply_add(above_one, rest, rest)
        product = (high + a.multiply_add(above_one, high, rest)) * factor
    return product * a.select(low, a.number(2.0 ** (1 - _STEP)), a.number(2.0))


def bounded_exp(a: Arithmetic, x: Value) -> Value:
    """e**x where neither overflow nor denormal results can occur."""
    power, above_one = reduced_exp(a, x, a.format.bias)
    factor = a.to_float(power)
    return a.multiply_add(above_one, factor, factor)


def reduced_exp(a: Arithmetic, x: Value, bias: int) -> tuple[Value, Value]:
    """The bits of 2**(n + bias - format bias) and e**r - 1, where x = n * ln2 + r."""
    power, r = _reduced(a, x, bias)
    tail = a.polynomial(r, CONSTANTS[a.format.dtype.name].polynomial)
    return power, a.multiply_add(r * r, tail, r)


def _reduced(a: Arithmetic, x: Value, bias: int) -> tuple[Value, Value]:
    """The bits of 2**(n + bias - format bias) and r, where x = n * ln2 + r."""
    rounded, n = _rounded(a, x, a.magic(bias))
    return a.to_signed(rounded) << a.format.mantissa, _minus_logarithm(a, x, n)[1]


def _rounded(a: Arithmetic, x: Value, magic: float) -> tuple[Value, Value]:
    """What has x / ln2, rounded, in its low bits, and that number."""
    offset = a.number(magic)
    rounded = a.multiply_add(x, a.number(1 / math.log(2)), offset)
    return rounded, rounded - offset


def _minus_logarithm(a: Arithmetic, x: Value, n: Value) -> tuple[Value, Value]:
    """x - n * ln2: by the first part of ln2, which is exact, and by both."""
    ln2_high, ln2_low = LN2[a.format.dtype.name]
    coarse = a.multiply_add(n, a.number(-ln2_high), x)
    return coarse, a.multiply_add(n, a.number(-ln2_low), coarse)


def minus_logarithm(a: Arithmetic, x: Value, n: Value) -> tuple[Value, Value]:
    """x - n * ln2 as a pair."""
    coarse, r = _minus_logarithm(a, x, n)
    return r, a.multiply_add(n, a.number(-LN2[a.format.dtype.name][1]), coarse - r)


def exp2(build: KernelBuilder, x: Value, features: MathFeatures) -> Value:
    """2**x: exact for integers, inf from the overflow threshold on, gradual underflow, NaN kept."""
    a = Arithmetic(build, x.dtype, features)
    name, bias = x.dtype.name, a.format.bias
    # 2**(bias + 1) overflows, and half of it does not; 2**-(bias + mantissa + 1) is rounded to 0.
    x = a.at_least(a.at_most(x, bias + 1), -(bias + a.format.mantissa + 1))
    if features.tables:
        return _exp2_by_table(a, x)
    magic = a.number(a.magic(bias - 1))
    rounded = x + magic
    r = x - (rounded - magic)
    tail = r * r * a.polynomial(r, _POWERS_OF_TWO[name])
    above_one = a.multiply_add(r, a.number(math.log(2)), tail)
    power = a.to_signed(rounded) << a.format.mantissa
    return scaled(a, above_one, power, x < a.number(_EXP2_LOW[name]))


def _exp_by_table(a: Arithmetic, x: Value) -> Value:
    name = a.format.dtype.name
    magic, polynomial = (a.magic(), EXP_F32) if name == "f32" else (magic_of_steps(a), NEAR_EXP_F64)
    rounded, n = _rounded(a, x, magic)
    _, r = _minus_logarithm(a, x, n)
    if name == "f32":
        above_one = a.multiply_add(r * r, a.polynomial(r, polynomial), r)
        return a.emit("scale", above_one + a.number(1.0), n)
    lost = a.lookup(POWER_RESTS[name], a.to_signed(rounded))
    above_one = r + a.multiply_add(r * r, a.polynomial(r, polynomial), lost)
    return scaled_by_table(a, above_one, rounded, n)


def _exp2_by_table(a: Arithmetic, x: Value) -> Value:
    name = a.format.dtype.name
    magic = a.number(a.magic() if name == "f32" else magic_of_steps(a))
    rounded = x + magic
    n = rounded - magic
    r = x - n
    if name == "f64":
        lost = a.lookup(POWER_RESTS[name], a.to_signed(rounded))
        above_one = a.multiply_add(r, a.polynomial(r, NEAR_EXP2_F64), lost)
        return scaled_by_table(a, above_one, rounded, n)
    tail = r * r * a.polynomial(r, EXP2_F32)
    above_one = a.multiply_add(r, a.number(math.log(2)), tail)
    return a.emit("scale", above_one + a.number(1.0), n)


def scaled_by_table(a: Arithmetic, above_one: Value, rounded: Value, n: Value) -> Value:
    """(1 + above_one) * 2**n for any finite n, in units of 1 / cells that the low bits of `rounded` count."""
    power = a.lookup(POWERS[a.format.dtype.name], a.to_signed(rounded))
    return a.emit("scale", a.multiply_add(above_one, power, power), n)


def expm1(build: KernelBuilder, x: Value, features: MathFeatures) -> Value:
    """e**x - 1, relatively accurate near 0: 2**n * (e**r - 1) + (2**n - 1), halved until the end."""
    a = Arithmetic(build, x.dtype, features)
    name = x.dtype.name
    clamped = a.at_least(a.at_most(x, CONSTANTS[name].overflow), _EXPM1_UNDERFLOW[name])
    if x.dtype is F32:
        power, r = _reduced(a, clamped, a.format.bias - 1)
        factor = a.to_float(power)
        # The largest terms first: where they cancel, their sum is exact.
        half = a.multiply_add(r, factor, factor - a.number(0.5))
        tail = r * r * a.polynomial(r, CONSTANTS[name].polynomial)
        half = a.multiply_add(tail, factor, half)
    else:
        high, low = half_of_expm1(a, clamped)
        half = high + low
    # Halving loses the last bit of a denormal and the sign of -0.
    tiny = abs(x) < a.number(2.0 ** -(a.format.mantissa + 2))
    return a.select(tiny, x, half + half)


def half_of_expm1(a: Arithmetic, x: Value) -> tuple[Value, Value]:
    """(e**x - 1) / 2 as the sum of two, the first one much the larger, where e**x is normal.

    With 2**n by the table, n counts steps of 1 / cells, and the pair is good to some 2**-58 of its sum.
    """
    name = a.format.dtype.name
    if a.features.tables:
        rounded, n, r, rest = reduced_by_table(a, x)
        power = a.emit("scale", a.lookup([each / 2 for each in POWERS[name]], a.to_signed(rounded)), n)
        more = a.lookup(POWER_RESTS[name], a.to_signed(rounded))
        rest = rest + a.multiply_add(more, r, more)
        tail = a.multiply_add(r * r, a.polynomial(r, NEAR_EXPM1_F64), rest)
    else:
        rounded, n = _rounded(a, x, a.magic(a.format.bias - 1))
        r, rest = minus_logarithm(a, x, n)
        power = a.to_float(a.to_signed(rounded) << a.format.mantissa)
        tail = a.multiply_add(r * r, a.polynomial(r, CONSTANTS[name].polynomial), rest)
    whole, lost = two_sum(a, power, a.number(-0.5))
    linear, linear_low = product(a, power, r)
    high, low = ordered_sum(a, whole, linear)
    lost = lost + a.multiply_add(power, tail, linear_low)
    return high, low + lost


def reduced_by_table(a: Arithmetic, x: Value) -> tuple[Value, Value, Value, Value]:
    """(k, n, r, s): x = n * ln2 + r + s with n in steps of 1 / cells, which the low bits of k count, and s
    as what r lacks."""
    rounded, n = _rounded(a, x, magic_of_steps(a))
    return rounded, n, *minus_logarithm(a, x, n)
