"""erf and erfc. erf: x + x * P(x**2) below 0.92, 1 - e**Q(x) above, with Q a polynomial for log(erfc).

The split into a polynomial and a tail near 1 is W. J. Cody's (Rational Chebyshev Approximations for the Error
Function, 1969); a polynomial exponent instead of his quotients spares the division. Where coefficients are
looked up, f32 erf is x times erf(x) / x, a polynomial for each of 32 pieces.
"""

from __future__ import annotations

from ...ir.record import record
from ...ir.types import F32
from ..kernel.builder import KernelBuilder
from ..kernel.nodes import Value
from .arithmetic import Arithmetic, of_piece
from .coefficients import ERF_F32, ERF_F64, ERFCX_F32, ERFCX_F64, LOG_ERFC_F32, LOG_ERFC_F64
from .double_word import left_of, ordered_sum, pair_product, product, two_sum
from .exponential import bounded_exp, reduced_exp, scaled
from .formats import MathFeatures
from .tables import ERF_CENTRES, ERF_PER_UNIT, ERF_PIECES

_SMALL_POLYNOMIALS = {"f32": ERF_F32, "f64": ERF_F64}
_TAIL_POLYNOMIALS = {"f32": LOG_ERFC_F32, "f64": LOG_ERFC_F64}
_SATURATION = {"f32": 4.0, "f64": 6.0}
"""From here on erf rounds to 1."""
_SMALL = 0.92
_BORDER = 0.7
"""Up to here 1 - erf(x) loses no more than an ulp."""


class _Complement(metaclass=record):
    polynomial: tuple[float, ...]
    """e**(x**2) erfc(x) (x + k) = 1 + c q + q**2 P(q), where q = (x - k) / (x + k)."""
    slope: tuple[float, float]
    """c, and what it lacks."""
    centre: float
    beyond: float
    """From here on erfc rounds to 0."""
    low: float
    """Beyond this square erfc is small, and denormal at last."""


_CENTRE = 1.7736174456755012
"""2 k e**(k**2) erfc(k) = 1."""
_SLOPE = -0.6153790602344131
"""1 + 4 k**2 (1 - 2 / sqrt(pi))."""

COMPLEMENTS = {
    "f32": _Complement(ERFCX_F32, (_SLOPE, -2.476154322274156e-08), _CENTRE, 10.1, 64.0),
    "f64": _Complement(ERFCX_F64, (_SLOPE, 3.751281376648339e-17), _CENTRE, 27.3, 640.0),
}


def erf(build: KernelBuilder, x: Value, features: MathFeatures) -> Value:
    """The error function: odd, ±1 at ±inf."""
    a = Arithmetic(build, x.dtype, features)
    size = abs(x)
    if features.tables and x.dtype is F32:
        return a.emit("copysign", _erf_by_pieces(a, size), x)
    clamped = a.at_most(size, _SATURATION[x.dtype.name])
    complement = bounded_exp(a, a.polynomial(clamped, _TAIL_POLYNOMIALS[x.dtype.name]))
    large = 1.0 - complement
    # Where this one is chosen clamped is size, and its square is there already.
    tail = a.polynomial(clamped * clamped, _SMALL_POLYNOMIALS[x.dtype.name])
    small = a.multiply_add(size, tail, size)
    result = a.select(size < a.number(_SMALL), small, large)
    return a.emit("copysign", result, x)


def _erf_by_pieces(a: Arithmetic, size: Value) -> Value:
    """size * (erf(size) / size) by a piecewise polynomial: the quotient has no zero, so segments of equal
    width suffice."""
    size = a.at_most(size, ERF_CENTRES[-1])
    nearest = size + a.number(a.magic() / ERF_PER_UNIT)
    return size * of_piece(a, size, a.to_signed(nearest), ERF_CENTRES, ERF_PIECES)


def erfc(build: KernelBuilder, x: Value, features: MathFeatures) -> Value:
    """1 - erf(x) without cancellation: e**(-x**2) times a polynomial in (x - k) / (x + k) above 0.7.

    The fraction is M. M. Shepherd & J. G. Laframboise's (Chebyshev Approximation of (1 + 2x) exp(x**2) erfc x
    in 0 <= x < inf, 1981); x**2 is taken in two parts, as its rounding would be felt in the exponent, and so
    is what the exponential is multiplied by.
    """
    a = Arithmetic(build, x.dtype, features)
    constants = COMPLEMENTS[x.dtype.name]
    size = a.at_most(abs(x), constants.beyond)
    total, total_low = two_sum(a, size, a.number(constants.centre))
    reciprocal = a.number(1.0) / total
    rest = left_of(a, a.number(1.0), reciprocal, total)
    reciprocal_low = reciprocal * (rest - reciprocal * total_low)
    # (x - k) / (x + k) = 1 - 2 k / (x + k)
    double = a.number(-2 * a.format.nearest(constants.centre))
    times, lost = product(a, double, reciprocal)
    fraction, fraction_low = ordered_sum(a, a.number(1.0), times)
    fraction_low = fraction_low + a.multiply_add(double, reciprocal_low, lost)
    slope, slope_low = map(a.number, constants.slope)
    first, lost = product(a, fraction, slope)
    line, line_low = ordered_sum(a, a.number(1.0), first)
    curve = fraction * fraction * a.polynomial(fraction, constants.polynomial)
    steepness = a.multiply_add(fraction, a.number(2 * constants.polynomial[0]), slope)
    lost = a.multiply_add(fraction_low, steepness, a.multiply_add(fraction, slope_low, lost))
    line_low = line_low + (curve + lost)
    factor, rest = pair_product(a, (reciprocal, reciprocal_low), ordered_sum(a, line, line_low))
    square, square_low = product(a, size, size)
    rest = a.multiply_add(-square_low, factor, rest)
    power, above_one = reduced_exp(a, -square, a.format.bias - 1)
    tail = scaled(a, above_one, power, square > a.number(constants.low), (factor, rest))
    tail = a.select(x < 0.0, 2.0 - tail, tail)
    # Where this one is chosen size is |x|, and 1 - x - x * P loses nothing.
    near = a.multiply_add(x, a.polynomial(square, _SMALL_POLYNOMIALS[x.dtype.name]), x)
    return a.select(size < a.number(_BORDER), 1.0 - near, tail)
