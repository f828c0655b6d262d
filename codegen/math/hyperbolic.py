"""tanh: a polynomial below 0.55 (where tanh is 1/2), 1 - 2 / (e**(2x) + 1) above."""

from __future__ import annotations

from ..kernel.builder import KernelBuilder
from ..kernel.nodes import Value
from .arithmetic import Arithmetic
from .coefficients import TANH_F32, TANH_F64
from .exponential import bounded_exp
from .features import MathFeatures

_POLYNOMIALS = {"f32": TANH_F32, "f64": TANH_F64}
_SATURATION = {"f32": 9.5, "f64": 19.5}
"""From here on tanh rounds to 1."""
_SMALL = 0.55


def tanh(build: KernelBuilder, x: Value, features: MathFeatures) -> Value:
    """The hyperbolic tangent: odd, ±1 at ±inf."""
    a = Arithmetic(build, x.dtype, features)
    size = a.emit("abs", x)
    clamped = a.at_most(size, _SATURATION[x.dtype.name])
    growth = bounded_exp(a, a.add(clamped, clamped))
    large = a.sub(a.number(1.0), a.emit("div", a.number(2.0), a.add(growth, a.number(1.0))))
    square = a.mul(size, size)
    tail = a.mul(square, a.polynomial(square, _POLYNOMIALS[x.dtype.name]))
    small = a.multiply_add(size, tail, size)
    result = a.select(a.emit("lt", size, a.number(_SMALL)), small, large)
    return a.emit("copysign", result, x)
