"""sin, cos and tan: x = q * pi/2 + r with |r| <= pi/4, then one of two minimax polynomials by the quadrant q,
or for tan a polynomial of its own and a quotient.

Arguments up to a limit are reduced with pi/2 in three or four parts (Cody & Waite 1980, chapter 8): with fma
every part has full precision, without it the first parts are short, so that q * part is exact. Larger ones
multiply the digits of 2/pi that matter (M. Payne & R. Hanek, Radian Reduction for Trigonometric Functions,
SIGNUM 1983) in integers, in a branch of their own.
"""

from __future__ import annotations

import math

from ...ir.record import record
from ..kernel.builder import KernelBuilder
from ..kernel.nodes import Value
from .arithmetic import Arithmetic
from .coefficients import (
    COS_F32,
    COS_F64,
    COSC_F32,
    COSC_F64,
    SIN_F32,
    SIN_F64,
    SINC_F32,
    SINC_F64,
    TAN_F32,
    TAN_F64,
)
from .double_word import left_of, ordered_sum, product, two_sum
from .formats import MathFeatures
from .huge_angles import huge_reduction


class _Constants(metaclass=record):
    sine: tuple[float, ...]
    cosine: tuple[float, ...]
    tangent: tuple[float, ...]
    fused_parts: tuple[float, ...]
    """pi/2 in a part of full precision, one of full precision (f64: so short that up to the limit q times it
    is a float), and the rest."""
    fused_limit: float
    split_parts: tuple[float, ...]
    """pi/2 in short parts and a last one of full precision: up to the limit q times a short part is exact,
    and so is the difference after the second one, whose last bit is no lower than that of a result near 1."""
    split_limit: float


CONSTANTS = {
    "f32": _Constants(
        SIN_F32,
        COS_F32,
        TAN_F32,
        (1.5707963705062866, -4.371138828673793e-08, -1.7151245100058819e-15),
        1e5,
        (1.5703125, 0.0004837512969970703, 7.549533620476723e-08, 2.5633440682570896e-12),
        12000.0,
    ),
    "f64": _Constants(
        SIN_F64,
        COS_F64,
        TAN_F64,
        (1.5707963267948966, 6.12323399409214e-17, 1.6446256936324258e-26),
        4e6,
        (1.5707963267341256, 6.077105485502443e-11, -4.9789962502207207e-17, -2.940788670387328e-27),
        1.6e6,
    ),
}


def sin(build: KernelBuilder, x: Value, features: MathFeatures) -> Value:
    """The sine of an angle in radians, for every finite x; NaN at ±inf; keeps -0."""
    a = Arithmetic(build, x.dtype, features)
    quadrant, r, low = _reduced(a, abs(x))
    negative = a.emit("and", a.to_unsigned(x), a.unsigned(a.format.sign_bit))
    return _by_quadrant(a, quadrant, (r, low), negative)


def cos(build: KernelBuilder, x: Value, features: MathFeatures) -> Value:
    """The cosine of an angle in radians, for every finite x; NaN at ±inf."""
    a = Arithmetic(build, x.dtype, features)
    quadrant, r, low = _reduced(a, abs(x))
    return _by_quadrant(a, quadrant + a.unsigned(1), (r, low), None)


def tan(build: KernelBuilder, x: Value, features: MathFeatures) -> Value:
    """The tangent of an angle in radians, for every finite x; NaN at ±inf; keeps -0."""
    a = Arithmetic(build, x.dtype, features)
    size = abs(x)
    quotient = _quotient(a, size) if a.format.width < 64 else _exact_quotient(a, size)
    sign = a.emit("and", a.to_unsigned(x), a.unsigned(a.format.sign_bit))
    return a.to_float(a.emit("xor", a.to_unsigned(quotient), sign))


def _quotient(a: Arithmetic, size: Value) -> Value:
    """The tangent as t = tan r, or -1 / t in odd quadrants."""
    quadrant, r, low = _reduced(a, size)
    square = r * r
    steepness = a.polynomial(square, CONSTANTS[a.format.dtype.name].tangent)
    rest = r * square * steepness
    rest = rest + a.multiply_add(low, square, low)
    t = r + rest
    odd = a.emit("ne", a.emit("and", quadrant, a.unsigned(1)), a.unsigned(0))
    return a.emit("div", a.select(odd, a.number(-1.0), t), a.select(odd, t, a.number(1.0)))


def _exact_quotient(a: Arithmetic, size: Value) -> Value:
    """The tangent of j * pi/4 + r with |r| <= pi/8 as (S + C * t) / (C - S * t).

    t is tan r; S and C are sine and cosine of j * pi/4 but for a common factor: -1, 0 or 1. All are pairs,
    and the quotient is corrected by what it leaves of the dividend.
    """
    octant, r, r_low = _reduced_to_octant(a, size)
    square = r * r
    steepness = a.polynomial(square, CONSTANTS[a.format.dtype.name].tangent)
    cube = r * square
    t = a.multiply_add(cube, steepness, r)
    t_low = a.multiply_add(cube, steepness, r - t + r_low)
    sine, cosine = _of_octant(a, octant)
    top, top_low = _one_and(a, sine, cosine, t, t_low)
    bottom, bottom_low = _one_and(a, cosine, -sine, t, t_low)
    inverse = a.emit("div", a.number(1.0), bottom)
    quotient = top * inverse
    rest = left_of(a, top, quotient, bottom) + top_low
    rest = a.multiply_add(-quotient, bottom_low, rest)
    return a.multiply_add(rest, inverse, quotient)


def _one_and(a: Arithmetic, whole: Value, factor: Value, t: Value, low: Value) -> tuple[Value, Value]:
    """whole + factor * (t + low) as a pair; both are -1, 0 or 1."""
    total = a.multiply_add(factor, t, whole)
    return total, a.multiply_add(factor, low, a.multiply_add(factor, t, whole - total))


def _of_octant(a: Arithmetic, octant: Value) -> tuple[Value, Value]:
    """Sine and cosine of an octant's angle times the larger one's reciprocal, up to the sign of both."""
    if a.features.tables:
        return a.lookup((0.0, 1.0, 1.0, 1.0) * 2, octant), a.lookup((1.0, 1.0, 0.0, -1.0) * 2, octant)
    zero, one = a.number(0.0), a.number(1.0)
    low = a.emit("and", octant, a.unsigned(3))
    sine = a.select(a.emit("eq", low, a.unsigned(0)), zero, one)
    cosine = a.select(a.emit("eq", low, a.unsigned(2)), zero, one)
    return sine, a.select(a.emit("eq", low, a.unsigned(3)), a.number(-1.0), cosine)


def _reduced_to_octant(a: Arithmetic, size: Value) -> tuple[Value, Value, Value]:
    """(j, r, s): size = j * pi/4 + r + s, where s is what r lacks; only the lowest two bits of j count.
    For formats whose second part of pi/2 keeps its products exact."""
    octant, high, low, huge = _nearest(a, size, 2)
    # Near a multiple of pi/2 the last part is no small part of the rest.
    short = octant, *ordered_sum(a, high, low)
    chosen = a.build.branch(huge, lambda: _huge_octant(a, size), lambda: short, rare=True)
    return chosen[0], chosen[1], chosen[2]


def _huge_octant(a: Arithmetic, size: Value) -> tuple[Value, Value, Value]:
    """As `_reduced_to_octant`, from the quadrant of a large angle."""
    quadrant, r, r_low = huge_reduction(a, size)
    below = r < a.number(0.0)
    nearest, nearest_low = (
        a.select(below, a.number(-part / 2), a.number(part / 2))
        for part in CONSTANTS[a.format.dtype.name].fused_parts[:2]
    )
    step = a.select(below, a.unsigned((1 << a.format.width) - 1), a.unsigned(1))
    far = abs(r) > a.number(math.pi / 8)
    moved, moved_low = two_sum(a, r - nearest, r_low - nearest_low)  # the first difference is exact
    octant = quadrant + quadrant + a.select(far, step, a.unsigned(0))
    return octant, a.select(far, moved, r), a.select(far, moved_low, r_low)


def _reduced(a: Arithmetic, size: Value) -> tuple[Value, Value, Value]:
    """(q, r, s): size = q * pi/2 + r + s, where s is what r lacks; only the lowest two bits of q count."""
    *short, huge = _nearest(a, size, 1)
    chosen = a.build.branch(huge, lambda: huge_reduction(a, size), lambda: short, rare=True)
    return chosen[0], chosen[1], chosen[2]


def _nearest(a: Arithmetic, size: Value, steps: int) -> tuple[Value, Value, Value, Value]:
    """(n, r, s, huge): size = n * pi/2 / steps + r + s, where s is what r lacks, or size is huge."""
    constants = CONSTANTS[a.format.dtype.name]
    parts, limit = constants.split_parts, constants.split_limit
    if a.features.fma:
        parts, limit = constants.fused_parts, constants.fused_limit
    magic = a.number(a.magic())
    rounded = a.multiply_add(size, a.number(2 * steps / math.pi), magic)
    n = rounded - magic
    place = a.to_unsigned(rounded)
    r, low = _subtract_parts(a, size, n, tuple(part / steps for part in parts))
    # NaN is not above the limit: it stays on the short way, which keeps it.
    return place, r, low, size > a.number(limit / steps)


def _subtract_parts(a: Arithmetic, size: Value, n: Value, parts: tuple[float, ...]) -> tuple[Value, Value]:
    """size - n * sum(parts), and what that lacks: near a multiple of pi/2 the products of the last but one
    part and of the last one are no small part of the rest."""
    *first, second, last = parts
    coarse = size
    for part in first:  # exact
        coarse = a.multiply_add(n, a.number(-part), coarse)
    if a.features.fma and a.format.width == 64:  # n times the second part is a float
        r = a.multiply_add(n, a.number(-second), coarse)
        low = a.multiply_add(n, a.number(-second), coarse - r)
        return r, a.multiply_add(n, a.number(-last), low)
    taken = n * a.number(second)
    r = coarse - taken
    low = coarse - r - taken
    if a.features.fma:
        low = low - a.emit("fma", n, a.number(second), -taken)
    return r, low - n * a.number(last)


def _by_quadrant(a: Arithmetic, quadrant: Value, r: tuple[Value, Value], negative: Value | None) -> Value:
    """sin(quadrant * pi/2 + r) of a pair r, its sign turned by the sign bit `negative`."""
    sine, cosine = _sine_and_cosine(a, *r)
    odd = a.emit("ne", a.emit("and", quadrant, a.unsigned(1)), a.unsigned(0))
    sign = a.emit("and", quadrant, a.unsigned(2)) << (a.format.width - 2)
    if negative is not None:
        sign = a.emit("xor", sign, negative)
    return a.to_float(a.emit("xor", a.to_unsigned(a.select(odd, cosine, sine)), sign))


def _sine_and_cosine(a: Arithmetic, r: Value, low: Value) -> tuple[Value, Value]:
    """sin and cos of r + low, for |r| <= pi/4 and a `low` of at most an ulp of 1.

    1 - r**2 / 2 is a pair (as in FreeBSD's k_cos.c), in f64 r**2 and the first two terms of the sine, too.
    """
    precise = a.format.width == 64
    square = r * r
    # cos(r + low) is cos r - r * low.
    square_low = product(a, r, r)[1] if precise else None
    minus_half = a.number(-0.5)
    first, lost = ordered_sum(a, a.number(1.0), square * minus_half)
    lost = a.multiply_add(-r, low, lost)
    if square_low is not None:
        lost = a.multiply_add(square_low, minus_half, lost)
    constants = CONSTANTS[a.format.dtype.name]
    cosine = a.multiply_add(square * square, a.polynomial(square, constants.cosine), lost)
    cosine = first + cosine
    if square_low is None:
        tail = a.multiply_add(r * square, a.polynomial(square, constants.sine), low)
        return r + tail, cosine
    third, *others = constants.sine
    cube, cube_low = product(a, r, square)
    term, term_low = product(a, cube, a.number(third))
    rest = a.multiply_add(r, square_low, cube_low)
    # sin(r + low) is sin r + low * (1 - r**2 / 2).
    rest = a.multiply_add(rest, a.number(third), a.multiply_add(low, first, term_low))
    rest = a.multiply_add(cube * square, a.polynomial(square, others), rest)
    high, lost = ordered_sum(a, r, term)
    return high + (lost + rest), cosine


_SINE = {"f32": SINC_F32, "f64": SINC_F64}
_COSINE = {"f32": COSC_F32, "f64": COSC_F64}
_INVERSE_PI = {
    "f32": (0.31830987334251404, 1.2841276486597053e-08),
    "f64": (0.3183098861837907, -1.9678676675182486e-17),
}
"""1 / pi in two parts."""


def sinc(build: KernelBuilder, x: Value, features: MathFeatures) -> Value:
    """The normalised cardinal sine: 1 at 0, 0 at all other integers, NaN at ±inf as in NumPy."""
    a = Arithmetic(build, x.dtype, features)
    size, magic = abs(x), a.number(a.magic())
    # Floats from the bound on are even integers. Even ones are taken away first: `magic` rounds halves of
    # what is below the bound to integers, or to even ones where they are large.
    bounded = a.at_most(size, 2.0 ** (a.format.mantissa + 1))
    even = bounded * a.number(0.5) + magic - magic
    left = bounded - (even + even)
    rounded = left + magic
    f = left - (rounded - magic)
    # Toward the half, where the tail of the sine is no longer small, it is the cosine of what is left.
    distance = abs(f)
    far = distance > a.number(0.35)
    g = a.select(far, a.number(0.5) - distance, distance)
    square = g * g
    sine = a.multiply_add(g * square, a.polynomial(square, _SINE[x.dtype.name]), g)
    high, low = _INVERSE_PI[x.dtype.name]
    rest = a.multiply_add(square, a.polynomial(square, _COSINE[x.dtype.name]), a.number(low))
    sine = a.select(far, a.number(high) + rest, sine)
    sign = a.emit("xor", a.to_unsigned(rounded) << (a.format.width - 1), a.to_unsigned(f))
    sine = a.emit("copysign", sine, a.to_float(sign))
    result = a.emit("div", sine, size)
    result = a.select(a.emit("eq", size, a.number(0.0)), a.number(1.0), result)
    return a.select(size < a.number(math.inf), result, a.number(math.nan))
