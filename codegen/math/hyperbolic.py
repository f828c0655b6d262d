"""tanh, sinh, cosh.

tanh of f32 is a polynomial below 0.55 (where tanh is 1/2), 1 - 2 / (e**(2x) + 1) above; of f64 h / (1 + h)
with h = (e**(2x) - 1) / 2 as a pair of floats. For the others x = n * ln2 + r with |r| <= ln2/2, or a
sixteenth of that by tables: sinh x = sinh(n * ln2) * cosh r + cosh(n * ln2) * sinh r, and cosh x with the
first factors exchanged. Those are sums of powers of two, and two short polynomials serve every x without a
division. Sums and products whose roundings would count are pairs (T. J. Dekker, 1971).
"""

from __future__ import annotations

import math

from ...ir.record import record
from ...ir.types import F32, F64
from ..kernel.builder import KernelBuilder
from ..kernel.nodes import Value
from .arithmetic import Arithmetic, of_piece
from .by_table import magic_of_steps
from .coefficients import COSH_F32, COSH_F64, SINH_F32, SINH_F64, TANH_F32
from .double_word import left_of, ordered_sum, product
from .exponential import POWER_RESTS, POWERS, bounded_exp, half_of_expm1, minus_logarithm, reduced_by_table
from .formats import MathFeatures
from .tables import TANH_CENTRES, TANH_FIRST, TANH_PIECES, TANH_SHIFT

_Pair = tuple[Value, Value]


class _Polynomials(metaclass=record):
    sine: tuple[float, ...]
    """sinh r = r + r**3 * sine(r**2)."""
    cosine: tuple[float, ...]
    """cosh r - 1 = r**2 * cosine(r**2)."""


class _Reduced(metaclass=record):
    """size = n * ln2 + r; where the polynomials are short, n counts steps of 1 / cells."""

    odd: _Pair
    """sinh(n * ln2) / 2."""
    even: _Pair
    """cosh(n * ln2) / 2."""
    r: _Pair
    polynomials: _Polynomials


_SATURATION = {"f32": 9.5, "f64": 19.5}
"""From here on tanh rounds to 1."""
_SMALL = 0.55
_SATURATED_PIECE = 10.0
"""Here the last piece begins, which rounds to 1."""


def tanh(build: KernelBuilder, x: Value, features: MathFeatures) -> Value:
    """The hyperbolic tangent: odd, ±1 at ±inf."""
    a = Arithmetic(build, x.dtype, features)
    size = abs(x)
    if features.tables and x.dtype is F32:
        return a.emit("copysign", _tanh_by_pieces(a, size), x)
    clamped = a.at_most(size, _SATURATION[x.dtype.name])
    if x.dtype is not F32:
        return a.emit("copysign", _quotient_of_expm1(a, clamped + clamped), x)
    growth = bounded_exp(a, clamped + clamped)
    large = a.number(1.0) - a.emit("div", a.number(2.0), growth + a.number(1.0))
    square = size * size
    tail = square * a.polynomial(square, TANH_F32)
    small = a.multiply_add(size, tail, size)
    result = a.select(size < a.number(_SMALL), small, large)
    return a.emit("copysign", result, x)


def _quotient_of_expm1(a: Arithmetic, x: Value) -> Value:
    """h / (1 + h) where h is half of e**x - 1, all of them pairs."""
    top, top_low = ordered_sum(a, *half_of_expm1(a, x))
    bottom, bottom_low = ordered_sum(a, a.at_least(top, 1.0), a.at_most(top, 1.0))
    inverse = a.emit("div", a.number(1.0), bottom)
    quotient = top * inverse
    rest = left_of(a, top, quotient, bottom) + top_low
    rest = a.multiply_add(-quotient, bottom_low + top_low, rest)
    return a.multiply_add(rest, inverse, quotient)


def _tanh_by_pieces(a: Arithmetic, size: Value) -> Value:
    size = a.at_most(size, _SATURATED_PIECE)
    least = a.signed((TANH_FIRST - 1) << TANH_SHIFT)
    leading = a.emit("maximum", a.to_signed(size), least) >> TANH_SHIFT
    return of_piece(a, size, leading, TANH_CENTRES, TANH_PIECES)


_LONG = {
    "f32": _Polynomials(SINH_F32, (0.5, *COSH_F32)),
    "f64": _Polynomials(SINH_F64, (0.5, *COSH_F64)),
}
_SHORT = {
    "f32": _Polynomials((1 / 6,), (1 / 2,)),
    "f64": _Polynomials((1 / 6, 1 / 120, 1 / 5040), (1 / 2, 1 / 24, 1 / 720)),
}
"""Taylor's series are enough up to ln2 / 32 and ln2 / 64."""
_OVERFLOW = {"f32": 89.5, "f64": 710.6}
"""sinh and cosh of this overflow, and halves of them do not."""
_UNBALANCED = {"f32": 30, "f64": 60}
"""From this n on 2**-n is negligible next to 2**n."""


def sinh(build: KernelBuilder, x: Value, features: MathFeatures) -> Value:
    """The hyperbolic sine: odd, ±inf from the overflow threshold on."""
    a = Arithmetic(build, x.dtype, features)
    size = abs(x)
    reduced = _reduced_by_table(a, size) if features.tables and x.dtype is F64 else _reduced(a, size)
    if x.dtype is F64:
        half = _half_of_sum(a, reduced.odd, reduced.even, reduced)
    else:
        # What rounding took from r is at most a quarter of an ulp of the result.
        half = _rough_half(a, reduced.odd, reduced.even, reduced, None)
    # Halving loses the last bit of a denormal.
    tiny = size < a.number(2.0 ** -(a.format.mantissa // 2 + 2))
    return a.emit("copysign", a.select(tiny, size, half + half), x)


def cosh(build: KernelBuilder, x: Value, features: MathFeatures) -> Value:
    """The hyperbolic cosine: even, inf from the overflow threshold on."""
    a = Arithmetic(build, x.dtype, features)
    size = abs(x)
    if features.tables:
        half = _half_of_cosh(a, _reduced_by_table(a, size))
    else:
        reduced = _reduced(a, size)
        if x.dtype is F64:
            half = _half_of_sum(a, reduced.even, reduced.odd, reduced)
        else:
            half = _rough_half(a, reduced.even, reduced.odd, reduced, reduced.r[1])
    return half + half


def _half_of_sum(a: Arithmetic, main: _Pair, other: _Pair, reduced: _Reduced) -> Value:
    """main * cosh r + other * sinh r, with main and other * r as pairs."""
    (r, r_low), polynomials = reduced.r, reduced.polynomials
    square = r * r
    tail = a.multiply_add(r * square, a.polynomial(square, polynomials.sine), r_low)
    cosine = square * a.polynomial(square, polynomials.cosine)
    linear, linear_low = product(a, other[0], r)
    linear_low = a.multiply_add(other[0], tail, a.multiply_add(other[1], r, linear_low))
    high, low = ordered_sum(a, main[0], linear)
    return high + (low + a.multiply_add(main[0], cosine, main[1] + linear_low))


def _rough_half(a: Arithmetic, main: _Pair, other: _Pair, reduced: _Reduced, r_low: Value | None) -> Value:
    """As `_half_of_sum`, in floats but for r."""
    r, polynomials = reduced.r[0], reduced.polynomials
    square = r * r
    cube, sine = r * square, a.polynomial(square, polynomials.sine)
    tail = cube * sine if r_low is None else a.multiply_add(cube, sine, r_low)
    cosine = square * a.polynomial(square, polynomials.cosine)
    return main[0] + a.multiply_add(other[0], r, a.multiply_add(main[0], cosine, other[0] * tail))


def _half_of_cosh(a: Arithmetic, reduced: _Reduced) -> Value:
    """As `_half_of_sum`, of an r so small that nothing but `even` needs a pair."""
    r, polynomials = reduced.r[0], reduced.polynomials
    square = r * r
    sine = a.multiply_add(r * square, a.polynomial(square, polynomials.sine), r)
    cosine = square * a.polynomial(square, polynomials.cosine)
    even, even_low = reduced.even
    return even + a.multiply_add(reduced.odd[0], sine, a.multiply_add(even, cosine, even_low))


def _reduced(a: Arithmetic, size: Value) -> _Reduced:
    name, mantissa, bias = a.format.dtype.name, a.format.mantissa, a.format.bias
    size = a.at_most(size, _OVERFLOW[name])
    magic = a.magic(bias - 2)
    rounded = a.multiply_add(size, a.number(1 / math.log(2)), a.number(magic))
    n = rounded - a.number(magic)
    if a.features.tables:
        quarter = a.number(0.25)
        growth, decay = a.emit("scale", quarter, n), a.emit("scale", quarter, -n)
    else:
        # 2**(n - 2) and 2**(-n - 2), by the bits of n + bias - 2 in `rounded`.
        grown = a.to_signed(rounded) << mantissa
        bounded = a.to_signed(a.at_most(rounded, magic + _UNBALANCED[name])) << mantissa
        growth = a.to_float(grown)
        decay = a.to_float(a.signed((2 * bias - 4) << mantissa) - bounded)
    if a.format.dtype is F32:  # what the sums lack does not count
        odd, even = growth - decay, growth + decay
        return _Reduced((odd, odd), (even, even), minus_logarithm(a, size, n), _LONG[name])
    odds, evens = ordered_sum(a, growth, -decay), ordered_sum(a, growth, decay)
    return _Reduced(odds, evens, minus_logarithm(a, size, n), _LONG[name])


def _reduced_by_table(a: Arithmetic, size: Value) -> _Reduced:
    name = a.format.dtype.name
    rounded, n, *r = reduced_by_table(a, a.at_most(size, _OVERFLOW[name]))
    opposite = a.number(magic_of_steps(a)) - n
    growth, decay = (
        a.emit("scale", a.lookup([power / 4 for power in POWERS[name]], a.to_signed(bits)), exponent)
        for bits, exponent in ((rounded, n), (opposite, a.emit("neg", n)))
    )
    fall = -decay
    odd, odd_low = ordered_sum(a, growth, fall)
    even, even_low = ordered_sum(a, growth, decay)
    if a.format.dtype is F64:
        more, less = (a.lookup(POWER_RESTS[name], a.to_signed(bits)) for bits in (rounded, opposite))
        odd_low = a.multiply_add(growth, more, a.multiply_add(fall, less, odd_low))
        even_low = a.multiply_add(growth, more, a.multiply_add(decay, less, even_low))
    return _Reduced((odd, odd_low), (even, even_low), (r[0], r[1]), _SHORT[name])
