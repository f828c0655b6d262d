"""sinc: sin(pi * x) / (pi * x); x less the nearest integer is exact, and so are the zeros."""

from __future__ import annotations

import math

from ..kernel.builder import KernelBuilder
from ..kernel.nodes import Value
from .arithmetic import Arithmetic
from .coefficients import COSC_F32, COSC_F64, SINC_F32, SINC_F64
from .features import MathFeatures

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
    size, magic = a.emit("abs", x), a.number(a.magic())
    # Floats from the bound on are even integers. Even ones are taken away first: `magic` rounds halves of
    # what is below the bound to integers, or to even ones where they are large.
    bounded = a.at_most(size, 2.0 ** (a.format.mantissa + 1))
    even = a.sub(a.add(a.mul(bounded, a.number(0.5)), magic), magic)
    left = a.sub(bounded, a.add(even, even))
    rounded = a.add(left, magic)
    f = a.sub(left, a.sub(rounded, magic))
    # Toward the half, where the tail of the sine is no longer small, it is the cosine of what is left.
    distance = a.emit("abs", f)
    far = a.emit("gt", distance, a.number(0.35))
    g = a.select(far, a.sub(a.number(0.5), distance), distance)
    square = a.mul(g, g)
    sine = a.multiply_add(a.mul(g, square), a.polynomial(square, _SINE[x.dtype.name]), g)
    high, low = _INVERSE_PI[x.dtype.name]
    rest = a.multiply_add(square, a.polynomial(square, _COSINE[x.dtype.name]), a.number(low))
    sine = a.select(far, a.add(a.number(high), rest), sine)
    sign = a.emit("xor", a.shift_left(a.to_unsigned(rounded), a.format.width - 1), a.to_unsigned(f))
    sine = a.emit("copysign", sine, a.to_float(sign))
    result = a.emit("div", sine, size)
    result = a.select(a.emit("eq", size, a.number(0.0)), a.number(1.0), result)
    return a.select(a.emit("lt", size, a.number(math.inf)), result, a.number(math.nan))
