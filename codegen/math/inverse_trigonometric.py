"""atan, atan2, asin and acos: a polynomial near 0, and the identities that lead there.

atan(x) = pi/2 - atan(1/x) above 1 (one quotient and one polynomial on [0, 1] for atan2 too); asin(x) =
pi/2 - 2 asin(sqrt((1 - x)/2)) above 1/2, where (1 - x)/2 is exact: both after W. J. Cody and W. Waite,
Software Manual for the Elementary Functions (1980), chapters 10 and 11. pi/2 and pi are taken in two parts.
"""

from __future__ import annotations

from ...ir.record import record
from ..kernel.builder import KernelBuilder
from ..kernel.nodes import Value
from .arithmetic import Arithmetic
from .coefficients import ASIN_F32, ASIN_F64, ATAN_F32, ATAN_F64
from .double_word import ordered_sum
from .formats import MathFeatures


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


def atan(build: KernelBuilder, x: Value, features: MathFeatures) -> Value:
    """The arc tangent: odd, ±pi/2 at ±inf."""
    a = Arithmetic(build, x.dtype, features)
    size = abs(x)
    steep = size > 1.0
    quotient = a.select(steep, a.number(-1.0) / size, size)
    high, low = CONSTANTS[x.dtype.name].half_pi
    zero = a.number(0.0)
    offset, rest = a.select(steep, a.number(high), zero), a.select(steep, a.number(low), zero)
    return a.emit("copysign", _atan_beside(a, quotient, offset, rest), x)


def atan2(build: KernelBuilder, y: Value, x: Value, features: MathFeatures) -> Value:
    """The angle of the point (x, y), from -pi to pi; zeros count by their sign, as in C99 and NumPy."""
    a = Arithmetic(build, x.dtype, features)
    across, up = abs(x), abs(y)
    steep = up > across
    small, large = a.select(steep, across, up), a.select(steep, up, across)
    zero, one = a.number(0.0), a.number(1.0)
    # 0 / 0 is 0 here and inf / inf is 1; NaN equals nothing.
    alike = a.select(large.equals(zero), zero, one)
    quotient = a.select(small.equals(large), alike, small / large)
    # The angle is q, pi/2 - q or pi/2 + q (steep), pi - q: q or -q beside a number of half pi.
    left = a.to_signed(x) < 0
    negated = left ^ steep
    mask = a.select(negated, a.unsigned(a.format.sign_bit), a.unsigned(0))
    quotient = a.to_float(a.to_unsigned(quotient) ^ mask)
    high, low = CONSTANTS[x.dtype.name].half_pi
    count = a.select(steep, one, a.select(left, a.number(2.0), zero))
    offset, rest = count * a.number(high), count * a.number(low)
    return a.emit("copysign", _atan_beside(a, quotient, offset, rest), y)


def _atan_beside(a: Arithmetic, t: Value, offset: Value, rest: Value) -> Value:
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
    large, square, root = _folded(a, size)
    negated = a.select(large, -root, size)
    # 2 (pi/4 - asin(root)) or asin(size).
    high, low = CONSTANTS[x.dtype.name].half_pi
    zero = a.number(0.0)
    offset, rest = a.select(large, a.number(high / 2), zero), a.select(large, a.number(low / 2), zero)
    return a.emit("copysign", _asin_beside(a, negated, square, offset, rest, large), x)


def acos(build: KernelBuilder, x: Value, features: MathFeatures) -> Value:
    """The arc cosine, from 0 to pi: NaN beyond ±1."""
    a = Arithmetic(build, x.dtype, features)
    large, square, root = _folded(a, abs(x))
    # 2 asin(root), 2 (pi/2 - asin(root)) or pi/2 - asin(x).
    above = x > 0.5
    negated = a.select(above, root, -a.select(large, root, x))
    high, low = CONSTANTS[x.dtype.name].half_pi
    zero = a.number(0.0)
    offset, rest = a.select(above, zero, a.number(high)), a.select(above, zero, a.number(low))
    return _asin_beside(a, negated, square, offset, rest, large)


def _folded(a: Arithmetic, size: Value) -> tuple[Value, Value, Value]:
    """(large, z, r): z is size**2, or (1 - size)/2 where size is above 1/2; r is the root of the latter."""
    half = a.number(0.5)
    large = size > half
    folded = a.multiply_add(size, a.number(-0.5), half)
    return large, a.select(large, folded, size * size), a.emit("sqrt", folded)


def _asin_beside(a: Arithmetic, v: Value, square: Value, offset: Value, rest: Value, twice: Value) -> Value:
    """offset + rest + asin(v), doubled where `twice`; offset is 0 or larger than |v|."""
    tail = square * a.polynomial(square, CONSTANTS[a.format.dtype.name].asin)
    first, lost = ordered_sum(a, offset, v)
    total = first + (lost + a.multiply_add(v, tail, rest))
    return a.select(twice, total + total, total)
