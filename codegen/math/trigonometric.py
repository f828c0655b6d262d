"""sin, cos and tan: x = q * pi/2 + r with |r| <= pi/4, then one of two minimax polynomials by the quadrant q,
or for tan their quotient.

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
from .coefficients import COS_F32, COS_F64, SIN_F32, SIN_F64
from .double_word import ordered_sum, product, two_sum
from .features import MathFeatures
from .huge_angles import huge_reduction


class _Constants(metaclass=record):
    sine: tuple[float, ...]
    cosine: tuple[float, ...]
    fused_parts: tuple[float, ...]
    """pi/2 in a part of full precision, one of full precision or as `keeps_rest` says, and the rest."""
    keeps_rest: bool
    """Whether up to the limit q times the second part is a float."""
    fused_limit: float
    split_parts: tuple[float, ...]
    """pi/2 in short parts and a last one of full precision: up to the limit q times a short part is exact,
    and so is the difference after the second one, whose last bit is no lower than that of a result near 1."""
    split_limit: float


CONSTANTS = {
    "f32": _Constants(
        SIN_F32,
        COS_F32,
        (1.5707963705062866, -4.371138828673793e-08, -1.7151245100058819e-15),
        False,
        1e5,
        (1.5703125, 0.0004837512969970703, 7.549533620476723e-08, 2.5633440682570896e-12),
        12000.0,
    ),
    "f64": _Constants(
        SIN_F64,
        COS_F64,
        (1.5707963267948966, 6.12323399409214e-17, 1.6446256936324258e-26),
        True,
        4e6,
        (1.5707963267341256, 6.077105485502443e-11, -4.9789962502207207e-17, -2.940788670387328e-27),
        1.6e6,
    ),
}


def sin(build: KernelBuilder, x: Value, features: MathFeatures) -> Value:
    """The sine of an angle in radians, for every finite x; NaN at ±inf; keeps -0."""
    a = Arithmetic(build, x.dtype, features)
    quadrant, r, low = _reduced(a, a.emit("abs", x))
    negative = a.emit("and", a.to_unsigned(x), a.unsigned(a.format.sign_bit))
    return _by_quadrant(a, quadrant, (r, low), negative)


def cos(build: KernelBuilder, x: Value, features: MathFeatures) -> Value:
    """The cosine of an angle in radians, for every finite x; NaN at ±inf."""
    a = Arithmetic(build, x.dtype, features)
    quadrant, r, low = _reduced(a, a.emit("abs", x))
    return _by_quadrant(a, a.add(quadrant, a.unsigned(1)), (r, low), None)


def tan(build: KernelBuilder, x: Value, features: MathFeatures) -> Value:
    """The tangent of an angle in radians, for every finite x; NaN at ±inf; keeps -0."""
    a = Arithmetic(build, x.dtype, features)
    quotient_of = _quotient if a.format.width < 64 else _exact_quotient
    sign_flip, quotient = quotient_of(a, a.emit("abs", x))
    negative = a.emit("and", a.to_unsigned(x), a.unsigned(a.format.sign_bit))
    return a.to_float(a.emit("xor", a.to_unsigned(quotient), a.emit("xor", sign_flip, negative)))


def _quotient(a: Arithmetic, size: Value) -> tuple[Value, Value]:
    """The tangent but for its sign, which the last bit of the quadrant changes: that as a sign bit first."""
    quadrant, r, low = _reduced(a, size)
    sine, cosine = _sine_and_cosine(a, r, low)
    turned = a.shift_left(quadrant, a.format.width - 1)
    odd = a.emit("ne", turned, a.unsigned(0))
    return turned, a.emit("div", a.select(odd, cosine, sine), a.select(odd, sine, cosine))


def _exact_quotient(a: Arithmetic, size: Value) -> tuple[Value, Value]:
    """As `_quotient`, from pairs: the angle, its sine and its cosine have what one float lacks beside them,
    and so does the quotient, which is corrected by what it leaves of the dividend."""
    quadrant, r, r_low = _reduced_to_pair(a, size)
    sine, cosine = _pairs(a, r, r_low)
    sign_flip = a.shift_left(quadrant, a.format.width - 1)
    odd = a.emit("ne", sign_flip, a.unsigned(0))
    (top, top_low), (bottom, bottom_low) = (
        [a.select(odd, *both) for both in zip(*pairs, strict=True)]
        for pairs in ((cosine, sine), (sine, cosine))
    )
    inverse = a.emit("div", a.number(1.0), bottom)
    quotient = a.mul(top, inverse)
    times, error = product(a, quotient, bottom)
    rest = a.add(a.sub(a.sub(top, times), error), a.sub(top_low, a.mul(quotient, bottom_low)))
    return sign_flip, a.multiply_add(rest, inverse, quotient)


def _pairs(a: Arithmetic, r: Value, low: Value) -> tuple[tuple[Value, Value], tuple[Value, Value]]:
    """sin and cos of r + low as pairs, for |r| <= pi/4."""
    constants = CONSTANTS[a.format.dtype.name]
    square, square_low = product(a, r, r)
    half = a.mul(square, a.number(0.5))
    slope = a.sub(a.number(1.0), half)
    # The cube of r is a tenth of the sine: what its factors lose would show.
    steepness = a.polynomial(square, constants.sine)
    factor, lost = product(a, square, steepness)
    curve, more = product(a, r, factor)
    more = a.add(more, a.mul(r, a.multiply_add(square_low, steepness, lost)))
    high, rest = ordered_sum(a, r, curve)
    sine = ordered_sum(a, high, a.add(rest, a.multiply_add(low, slope, more)))
    high, rest = ordered_sum(a, a.number(1.0), a.emit("neg", half))
    curve = a.mul(a.mul(square, square), a.polynomial(square, constants.cosine))
    lost = a.multiply_add(r, low, a.mul(square_low, a.number(0.5)))
    return sine, ordered_sum(a, high, a.add(rest, a.sub(curve, lost)))


def _reduced_to_pair(a: Arithmetic, size: Value) -> tuple[Value, Value, Value]:
    """(q, r, s): size = q * pi/2 + r + s, where s is what r lacks; only the lowest two bits of q count."""
    constants = CONSTANTS[a.format.dtype.name]
    limit = constants.fused_limit if a.features.fma else constants.split_limit
    magic = a.number(a.magic())
    rounded = a.multiply_add(size, a.number(2 / math.pi), magic)
    n = a.sub(rounded, magic)
    if a.features.fma:
        first, second, last = constants.fused_parts
        coarse = a.multiply_add(n, a.number(-first), size)  # exact
        times, error = product(a, n, a.number(second))
    else:
        *short, second, last = constants.split_parts
        coarse = size
        for part in short:
            coarse = a.sub(coarse, a.mul(n, a.number(part)))  # exact
        times, error = a.mul(n, a.number(second)), a.number(0.0)
    high, low = two_sum(a, coarse, a.emit("neg", times))
    r, r_low = ordered_sum(a, high, a.sub(low, a.multiply_add(n, a.number(last), error)))
    quadrant = a.to_unsigned(rounded)
    huge = a.emit("gt", size, a.number(limit))
    chosen = a.build.branch(huge, lambda: huge_reduction(a, size), lambda: (quadrant, r, r_low), rare=True)
    return chosen[0], chosen[1], chosen[2]


def _reduced(a: Arithmetic, size: Value) -> tuple[Value, Value, Value | None]:
    """(q, r, s): size = q * pi/2 + r + s, where s is what r lacks, if that is kept; only the lowest two bits
    of q count."""
    constants = CONSTANTS[a.format.dtype.name]
    parts, limit = constants.split_parts, constants.split_limit
    if a.features.fma:
        parts, limit = constants.fused_parts, constants.fused_limit
    magic = a.number(a.magic())
    rounded = a.multiply_add(size, a.number(2 / math.pi), magic)
    n = a.sub(rounded, magic)
    r, low = _subtract_parts(a, size, n, parts, constants.keeps_rest)
    quadrant = a.to_unsigned(rounded)
    # NaN is not above the limit: it stays on the short way, which keeps it.
    huge = a.emit("gt", size, a.number(limit))
    kept = (r,) if low is None else (r, low)
    chosen = a.build.branch(
        huge, lambda: huge_reduction(a, size)[: 1 + len(kept)], lambda: (quadrant, *kept), rare=True
    )
    return chosen[0], chosen[1], chosen[2] if low is not None else None


def _subtract_parts(
    a: Arithmetic, size: Value, n: Value, parts: tuple[float, ...], keeps_rest: bool
) -> tuple[Value, Value | None]:
    """size - n * sum(parts), and what that lacks. With fma it is kept where n times the last but one part is
    a float, so that taking it off loses nothing that the difference does not show."""
    *first, second, last = parts
    coarse = size
    for part in first:  # exact
        coarse = a.multiply_add(n, a.number(-part), coarse)
    if a.features.fma:
        r = a.multiply_add(n, a.number(-second), coarse)
        if not keeps_rest:
            return a.multiply_add(n, a.number(-last), r), None
        low = a.multiply_add(n, a.number(-second), a.sub(coarse, r))
        return r, a.multiply_add(n, a.number(-last), low)
    product = a.mul(n, a.number(second))
    r = a.sub(coarse, product)
    low = a.sub(a.sub(coarse, r), product)
    return r, a.sub(low, a.mul(n, a.number(last)))


def _by_quadrant(
    a: Arithmetic, quadrant: Value, r: tuple[Value, Value | None], negative: Value | None
) -> Value:
    """sin(quadrant * pi/2 + r) of a pair r, its sign turned by the sign bit `negative`."""
    sine, cosine = _sine_and_cosine(a, *r)
    odd = a.emit("ne", a.emit("and", quadrant, a.unsigned(1)), a.unsigned(0))
    sign = a.shift_left(a.emit("and", quadrant, a.unsigned(2)), a.format.width - 2)
    if negative is not None:
        sign = a.emit("xor", sign, negative)
    return a.to_float(a.emit("xor", a.to_unsigned(a.select(odd, cosine, sine)), sign))


def _sine_and_cosine(a: Arithmetic, r: Value, low: Value | None) -> tuple[Value, Value]:
    """sin and cos of r + low, for |r| <= pi/4 and a `low` of at most an ulp of 1."""
    constants = CONSTANTS[a.format.dtype.name]
    if low is None:
        square = a.mul(r, r)
        sine = a.multiply_add(a.mul(r, square), a.polynomial(square, constants.sine), r)
        return sine, _cosine(a, square)
    square = a.multiply_add(r, r, a.mul(a.add(r, r), low))
    sine = a.add(a.multiply_add(a.mul(r, square), a.polynomial(square, constants.sine), low), r)
    return sine, _cosine(a, square)


def _cosine(a: Arithmetic, square: Value) -> Value:
    """The cosine of an angle by its square."""
    constants = CONSTANTS[a.format.dtype.name]
    tail = a.multiply_add(square, a.polynomial(square, constants.cosine), a.number(-0.5))
    return a.multiply_add(square, tail, a.number(1.0))
