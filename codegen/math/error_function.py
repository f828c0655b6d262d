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
from .arithmetic import Arithmetic
from .coefficients import ERF_F32, ERF_F64, ERFCX_F32, ERFCX_F64, LOG_ERFC_F32, LOG_ERFC_F64
from .double_word import product
from .exponential import bounded_exp, reduced_exp, scaled
from .features import MathFeatures
from .piecewise import of_piece
from .tables import ERF_CENTRES, ERF_PER_UNIT, ERF_PIECES

_SMALL_POLYNOMIALS = {"f32": ERF_F32, "f64": ERF_F64}
_TAIL_POLYNOMIALS = {"f32": LOG_ERFC_F32, "f64": LOG_ERFC_F64}
_SATURATION = {"f32": 4.0, "f64": 6.0}
"""From here on erf rounds to 1."""
_SMALL = 0.92
_QUARTER = 0.8
"""Where erfc is near 1/4: below 1 - erf(x) loses nothing worth an ulp."""


class _Complement(metaclass=record):
    polynomial: tuple[float, ...]
    """e**(x**2) erfc(x) (x + k) = 1 + q P(q), where q = (x - k) / (x + k)."""
    centre: float
    beyond: float
    """From here on erfc rounds to 0."""
    low: float
    """Beyond this square erfc is small, and denormal at last."""


_CENTRE = 1.7736174456755012
"""2 k e**(k**2) erfc(k) = 1."""

COMPLEMENTS = {
    "f32": _Complement(ERFCX_F32, _CENTRE, 10.1, 64.0),
    "f64": _Complement(ERFCX_F64, _CENTRE, 27.3, 640.0),
}


def erf(build: KernelBuilder, x: Value, features: MathFeatures) -> Value:
    """The error function: odd, ±1 at ±inf."""
    a = Arithmetic(build, x.dtype, features)
    size = a.emit("abs", x)
    if features.tables and x.dtype is F32:
        return a.emit("copysign", _erf_by_pieces(a, size), x)
    clamped = a.at_most(size, _SATURATION[x.dtype.name])
    complement = bounded_exp(a, a.polynomial(clamped, _TAIL_POLYNOMIALS[x.dtype.name]))
    large = a.sub(a.number(1.0), complement)
    # Where this one is chosen clamped is size, and its square is there already.
    tail = a.polynomial(a.mul(clamped, clamped), _SMALL_POLYNOMIALS[x.dtype.name])
    small = a.multiply_add(size, tail, size)
    result = a.select(a.emit("lt", size, a.number(_SMALL)), small, large)
    return a.emit("copysign", result, x)


def _erf_by_pieces(a: Arithmetic, size: Value) -> Value:
    """size * (erf(size) / size): the quotient is near no zero, so that pieces of equal widths will do."""
    size = a.at_most(size, ERF_CENTRES[-1])
    nearest = a.add(size, a.number(a.magic() / ERF_PER_UNIT))
    return a.mul(size, of_piece(a, size, a.to_signed(nearest), ERF_CENTRES, ERF_PIECES))


def erfc(build: KernelBuilder, x: Value, features: MathFeatures) -> Value:
    """1 - erf(x) without cancellation: e**(-x**2) times a polynomial in (x - k) / (x + k) above 0.8.

    The fraction is M. M. Shepherd & J. G. Laframboise's (Chebyshev Approximation of (1 + 2x) exp(x**2) erfc x
    in 0 <= x < inf, 1981); x**2 is taken in two parts, as its rounding would be felt in the exponent.
    """
    a = Arithmetic(build, x.dtype, features)
    constants = COMPLEMENTS[x.dtype.name]
    size = a.at_most(a.emit("abs", x), constants.beyond)
    centre = a.number(constants.centre)
    reciprocal = a.emit("div", a.number(1.0), a.add(size, centre))
    fraction = a.mul(a.sub(size, centre), reciprocal)
    tail = a.mul(fraction, a.polynomial(fraction, constants.polynomial))
    scaled_tail = a.multiply_add(reciprocal, tail, reciprocal)
    square, square_low = product(a, size, size)
    power, above_one = reduced_exp(a, a.emit("neg", square), a.format.bias - 1, a.emit("neg", square_low))
    tail = scaled(a, above_one, power, a.emit("gt", square, a.number(constants.low)), scaled_tail)
    tail = a.select(a.emit("lt", x, a.number(0.0)), a.sub(a.number(2.0), tail), tail)
    # Where this one is chosen size is |x|, and 1 - x - x * P loses nothing.
    near = a.multiply_add(x, a.polynomial(square, _SMALL_POLYNOMIALS[x.dtype.name]), x)
    return a.select(a.emit("lt", size, a.number(_QUARTER)), a.sub(a.number(1.0), near), tail)
