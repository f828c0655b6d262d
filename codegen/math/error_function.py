"""erf: x + x * P(x**2) below 0.92, 1 - e**Q(x) above, with Q a polynomial for log(erfc).

The split into a polynomial and a tail near 1 is W. J. Cody's (Rational Chebyshev Approximations for the Error
Function, 1969); a polynomial exponent instead of his quotients spares the division.
"""

from __future__ import annotations

from ..kernel.builder import KernelBuilder
from ..kernel.nodes import Value
from .arithmetic import Arithmetic
from .coefficients import ERF_F32, ERF_F64, LOG_ERFC_F32, LOG_ERFC_F64
from .exponential import bounded_exp
from .features import MathFeatures

_SMALL_POLYNOMIALS = {"f32": ERF_F32, "f64": ERF_F64}
_TAIL_POLYNOMIALS = {"f32": LOG_ERFC_F32, "f64": LOG_ERFC_F64}
_SATURATION = {"f32": 4.0, "f64": 6.0}
"""From here on erf rounds to 1."""
_SMALL = 0.92


def erf(build: KernelBuilder, x: Value, features: MathFeatures) -> Value:
    """The error function: odd, ±1 at ±inf."""
    a = Arithmetic(build, x.dtype, features)
    size = a.emit("abs", x)
    clamped = a.at_most(size, _SATURATION[x.dtype.name])
    complement = bounded_exp(a, a.polynomial(clamped, _TAIL_POLYNOMIALS[x.dtype.name]))
    large = a.sub(a.number(1.0), complement)
    # Where this one is chosen clamped is size, and its square is there already.
    tail = a.polynomial(a.mul(clamped, clamped), _SMALL_POLYNOMIALS[x.dtype.name])
    small = a.multiply_add(size, tail, size)
    result = a.select(a.emit("lt", size, a.number(_SMALL)), small, large)
    return a.emit("copysign", result, x)
