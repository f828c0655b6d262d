"""atan, atan2, asin and acos: a polynomial near 0, and the identities that lead there.

atan(x) = pi/2 - atan(1/x) above 1 (one quotient and one polynomial on [0, 1] for atan2 too); asin(x) =
pi/2 - 2 asin(sqrt((1 - x)/2)) above 1/2, where (1 - x)/2 is exact: both after W. J. Cody and W. Waite,
Software Manual for the Elementary Functions (1980), chapters 10 and 11. pi/2 and pi are taken in two parts.
By tables atan(x) = atan(c) + atan((x - c) / (1 + c * x)) for a c near x; the quotient is a pair (P. T. P.
Tang, Table-Lookup Algorithms for Elementary Functions and Their Error Analysis, ARITH 10, 1991).
"""

from __future__ import annotations

import math

from ...ir.record import record
from ...ir.types import F64
from ..kernel.builder import KernelBuilder
from ..kernel.nodes import Value
from .arithmetic import Arithmetic
from .coefficients import ASIN_F32, ASIN_F64, ATAN_F32, ATAN_F64, NEAR_ATAN_F64
from .double_word import ordered_sum, product
from .formats import MathFeatures
from .roots import root_of_sum
from .tables import ATAN_HIGH, ATAN_LOW, ATAN_TANGENTS


class _Constants(metaclass=record):
    atan: tuple[float, ...]
    asin: tuple[float, ...]
    half_pi: tuple[float, float]
    """pi/2 in two parts; twice them is pi."""


CONSTANTS = {
    "f32": _Constants(ATAN_F32, ASIN_F32, (1.5707963705062866, -4.371138828673793e-08)),
    "f64": _Constants(ATAN_F64, ASIN_F64, (1.5707963267948966, 6.123233995736766e-17)),
}


_FIRST = 7
ATAN_SHIFT = 51
"""Cells of tangents are half octaves."""
_LEAST_TANGENT, _LARGEST_TANGENT = 2.0**-4, 12.0
"""The first cell reaches down from one and a half times the one to 0, the last from the other on."""
_HUGE, _LIFT = 2.0**1000, 500.0


def atan(build: KernelBuilder, x: Value, features: MathFeatures) -> Value:
    """The arc tangent: odd, ±pi/2 at ±inf."""
    a = Arithmetic(build, x.dtype, features)
    size = abs(x)
    if features.tables and x.dtype is F64:
        return a.emit("copysign", _atan_by_table(a, size), x)
    steep = size > a.number(1.0)
    quotient = a.select(steep, a.emit("div", a.number(-1.0), size), size)
    high, low = CONSTANTS[x.dtype.name].half_pi
    zero = a.number(0.0)
    offset, rest = a.select(steep, a.number(high), zero), a.select(steep, a.number(low), zero)
    return a.emit("copysign", _atan_plus(a, quotient, offset, rest), x)


def _atan_by_table(a: Arithmetic, x: Value) -> Value:
    """The arc tangent of a positive x: atan c + atan((x - c) / (1 + c * x)), or pi/2 - atan(1 / x) of a large
    one."""
    x, least, most = a.at_most(x, _HUGE), a.number(_LEAST_TANGENT), _LARGEST_TANGENT
    bounded = a.at_most(x, most)
    bounded = a.select(bounded < least, least, bounded)
    place = a.to_unsigned(bounded) >> ATAN_SHIFT
    tangent = a.lookup(ATAN_TANGENTS, place)
    # Tangents of the last cell are infinite: 0 * x - 1 over 0 + 1 * x.
    finite = a.select(x < a.number(most), a.number(1.0), a.number(0.0))
    top = a.emit("fma", x, finite, -tangent)  # exact
    bottom = a.emit("fma", x, tangent, finite)
    bottom_low = a.emit("fma", x, tangent, finite - bottom)
    angle = a.lookup(ATAN_HIGH, place), a.lookup(ATAN_LOW, place)
    total, rest = _angle_plus_atan(a, angle, (top, None), (bottom, bottom_low))
    return total + rest


def _quotient_by_table(a: Arithmetic, small: Value, large: Value) -> tuple[Value, Value]:
    """The arc tangent of small / large as a pair, where neither is negative and the first is no larger."""
    # Products of normal numbers may still lose their last bits, or be infinite.
    first, last = (a.format.bias + k << a.format.mantissa for k in (-400, 1000))
    unusual = a.to_unsigned(large) - a.unsigned(first) >= a.unsigned(last - first)
    tiny = a.to_unsigned(small) - a.unsigned(1) < a.unsigned(first)
    chosen = a.build.branch(
        a.emit("or", unusual, tiny), lambda: _lifted(a, small, large), lambda: (small, large), rare=True
    )
    return _near_tangent(a, chosen[0], chosen[1])


def _lifted(a: Arithmetic, small: Value, large: Value) -> tuple[Value, Value]:
    """Numbers of the same quotient, neither tiny nor huge: 0 / 0 is 0 here, inf / inf is 1, and NaN stays."""
    zero, one, infinity = a.number(0.0), a.number(1.0), a.number(math.inf)
    endless = a.emit("eq", large, infinity)
    small = a.select(endless, a.select(a.emit("eq", small, infinity), one, small * zero), small)
    large = a.select(a.emit("or", endless, a.emit("eq", large, zero)), one, large)
    lift = a.number(_LIFT) - a.emit("exponent", large)
    return a.emit("scale", small, lift), a.emit("scale", large, lift)


def _near_tangent(a: Arithmetic, small: Value, large: Value) -> tuple[Value, Value]:
    """atan c + atan((small - c * large) / (large + c * small)) as a pair."""
    # Bits of floats are nearly their logarithms: their difference is that of the quotient to 6 percent.
    bits = a.to_signed(small) - a.to_signed(large) + a.signed(a.format.bias << a.format.mantissa)
    least = a.signed((a.format.bias - 4) << a.format.mantissa)
    place = a.emit("maximum", bits, least) >> ATAN_SHIFT
    tangent = a.lookup(ATAN_TANGENTS, place)
    taken, taken_low = product(a, large, tangent)
    added, added_low = product(a, small, tangent)
    bottom, bottom_low = ordered_sum(a, large, added)
    angle = a.lookup(ATAN_HIGH, place), a.lookup(ATAN_LOW, place)
    top = small - taken, -taken_low  # exact
    return _angle_plus_atan(a, angle, top, (bottom, bottom_low + added_low))


def _angle_plus_atan(
    a: Arithmetic, angle: tuple[Value, Value], top: tuple[Value, Value | None], bottom: tuple[Value, Value]
) -> tuple[Value, Value]:
    """angle + atan(top / bottom), all of them pairs, for a small quotient; the angle is 0 or larger."""
    inverse = a.emit("div", a.number(1.0), bottom[0])
    t = top[0] * inverse
    left = a.emit("fma", -t, bottom[0], top[0])
    left = a.emit("fma", -t, bottom[1], left if top[1] is None else left + top[1])
    square = t * t
    rest = a.emit("fma", left, inverse, angle[1])
    rest = a.emit("fma", t * square, a.polynomial(square, NEAR_ATAN_F64), rest)
    total, lost = ordered_sum(a, angle[0], t)
    return total, lost + rest


def atan2(build: KernelBuilder, y: Value, x: Value, features: MathFeatures) -> Value:
    """The angle of the point (x, y), from -pi to pi; zeros count by their sign, as in C99 and NumPy."""
    a = Arithmetic(build, x.dtype, features)
    across, up = abs(x), abs(y)
    steep = up > across
    small, large = a.select(steep, across, up), a.select(steep, up, across)
    zero, one = a.number(0.0), a.number(1.0)
    # The angle is q, pi/2 - q or pi/2 + q (steep), pi - q: q or -q beside a number of half pi.
    left = a.to_signed(x) < a.signed(0)
    negated = a.emit("xor", left, steep)
    mask = a.select(negated, a.unsigned(a.format.sign_bit), a.unsigned(0))

    def signed(part: Value) -> Value:
        return a.to_float(a.emit("xor", a.to_unsigned(part), mask))

    high, low = CONSTANTS[x.dtype.name].half_pi
    count = a.select(steep, one, a.select(left, a.number(2.0), zero))
    offset, rest = count * a.number(high), count * a.number(low)
    if features.tables and x.dtype is F64:
        angle, angle_low = _quotient_by_table(a, small, large)
        total, lost = ordered_sum(a, offset, signed(angle))
        return a.emit("copysign", total + (lost + (rest + signed(angle_low))), y)
    # 0 / 0 is 0 here and inf / inf is 1; NaN equals nothing.
    alike = a.select(a.emit("eq", large, zero), zero, one)
    quotient = signed(a.select(a.emit("eq", small, large), alike, a.emit("div", small, large)))
    return a.emit("copysign", _atan_plus(a, quotient, offset, rest), y)


def _atan_plus(a: Arithmetic, t: Value, offset: Value, rest: Value) -> Value:
    """offset + rest + atan(t) for |t| <= 1, where offset is 0 or larger than |t|."""
    square = t * t
    coefficients = CONSTANTS[a.format.dtype.name].atan
    # The first steps one by one: their terms cancel, and halves of the polynomial are larger than the whole.
    total = a.polynomial(square, coefficients[_FIRST:])
    for coefficient in reversed(coefficients[:_FIRST]):
        total = a.multiply_add(total, square, a.number(coefficient))
    first, lost = ordered_sum(a, offset, t)
    return first + (lost + a.multiply_add(t, square * total, rest))


def asin(build: KernelBuilder, x: Value, features: MathFeatures) -> Value:
    """The arc sine, from -pi/2 to pi/2: odd, NaN beyond ±1."""
    a = Arithmetic(build, x.dtype, features)
    size = abs(x)
    large, square, (root, root_low) = _folded(a, size)
    negated = a.select(large, -root, size)
    # 2 (pi/4 - asin(root)) or asin(size).
    high, low = CONSTANTS[x.dtype.name].half_pi
    zero = a.number(0.0)
    offset, rest = (
        a.select(large, a.number(high / 2), zero),
        a.select(large, a.number(low / 2) - root_low, zero),
    )
    return a.emit("copysign", _asin_plus(a, negated, square, offset, rest, large), x)


def acos(build: KernelBuilder, x: Value, features: MathFeatures) -> Value:
    """The arc cosine, from 0 to pi: NaN beyond ±1."""
    a = Arithmetic(build, x.dtype, features)
    large, square, (root, root_low) = _folded(a, abs(x))
    # 2 asin(root), 2 (pi/2 - asin(root)) or pi/2 - asin(x).
    above = x > a.number(0.5)
    negated = a.select(above, root, -a.select(large, root, x))
    high, low = CONSTANTS[x.dtype.name].half_pi
    zero = a.number(0.0)
    offset = a.select(above, zero, a.number(high))
    lost = a.select(large, root_low, zero)
    rest = a.select(above, lost, a.number(low) - lost)
    return _asin_plus(a, negated, square, offset, rest, large)


def _folded(a: Arithmetic, size: Value) -> tuple[Value, Value, tuple[Value, Value]]:
    """(large, z, r): z is size**2, or (1 - size)/2 where size is above 1/2; r is the root of the latter as a
    pair, whose second part is 0 in f32."""
    half = a.number(0.5)
    large = size > half
    folded = a.multiply_add(size, a.number(-0.5), half)
    square, zero = a.select(large, folded, size * size), a.number(0.0)
    if a.format.width < 64:
        return large, square, (a.emit("sqrt", folded), zero)
    return large, square, root_of_sum(a, folded, zero)


def _asin_plus(a: Arithmetic, v: Value, square: Value, offset: Value, rest: Value, twice: Value) -> Value:
    """offset + rest + asin(v), doubled where `twice`; offset is 0 or larger than |v|."""
    tail = square * a.polynomial(square, CONSTANTS[a.format.dtype.name].asin)
    first, lost = ordered_sum(a, offset, v)
    total = first + (lost + a.multiply_add(v, tail, rest))
    return a.select(twice, total + total, total)
