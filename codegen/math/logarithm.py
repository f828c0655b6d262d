"""log: x = 2**e * m with m in [sqrt(1/2), sqrt(2)), log x = e * ln2 + log(1 + (m - 1)).

Structure after Cody and Waite (1980), chapter 5, with a polynomial in m - 1 in place of their quotient.
"""

from __future__ import annotations

import math

from ..kernel.builder import KernelBuilder
from ..kernel.nodes import Value
from .arithmetic import Arithmetic
from .coefficients import LOG_F32, LOG_F64
from .exponential import LN2
from .features import MathFeatures

_POLYNOMIALS = {"f32": LOG_F32, "f64": LOG_F64}
ROOT_HALF_BITS = {"f32": 0x3F3504F3, "f64": 0x3FE6A09E667F3BCD}
"""sqrt(1/2): subtracted from the bits it leaves floor(log2(x * sqrt(2))) in the exponent field."""


def log(build: KernelBuilder, x: Value, features: MathFeatures) -> Value:
    """The natural logarithm: -inf at 0, NaN below, inf at inf."""
    a = Arithmetic(build, x.dtype, features)
    plain = positive_normal_log(a, x, 0)
    return build.branch(not_positive_normal(a, x), lambda: (_special_log(a, x),), lambda: (plain,))[0]


def not_positive_normal(a: Arithmetic, x: Value) -> Value:
    """x is not a positive normal finite number: one unsigned comparison."""
    smallest = 1 << a.format.mantissa
    normals = ((2 * a.format.bias + 1) << a.format.mantissa) - smallest
    return a.emit("ge", a.sub(a.to_unsigned(x), a.unsigned(smallest)), a.unsigned(normals))


def split_exponent(a: Arithmetic, x: Value) -> tuple[Value, Value]:
    """(e, m) as floats with x = 2**e * m and m in [sqrt(1/2), sqrt(2)), for positive normal x."""
    bits = a.to_signed(x)
    above = a.sub(bits, a.signed(ROOT_HALF_BITS[a.format.dtype.name]))
    exponent = a.shift_right(above, a.format.mantissa)
    m = a.to_float(a.sub(bits, a.shift_left(exponent, a.format.mantissa)))
    return a.build.cast(exponent, a.format.dtype), m


def positive_normal_log(a: Arithmetic, x: Value, shift: int) -> Value:
    """log(x * 2**-shift) for positive normal x."""
    exponent, m = split_exponent(a, x)
    if shift:
        exponent = a.sub(exponent, a.number(shift))
    ln2_high, _ = LN2[a.format.dtype.name]
    return a.multiply_add(exponent, a.number(ln2_high), _rest_of_log(a, exponent, m))


def log_parts(a: Arithmetic, x: Value) -> tuple[Value, Value]:
    """log x as a sum of two for a finite positive x, denormals included; the first is exact, of few bits."""
    shift = a.format.mantissa + 2
    small = a.emit("lt", x, a.number(2.0 ** (1 - a.format.bias)))
    exponent, m = split_exponent(a, a.select(small, a.mul(x, a.number(2.0**shift)), x))
    exponent = a.sub(exponent, a.select(small, a.number(shift), a.number(0.0)))
    ln2_high, _ = LN2[a.format.dtype.name]
    return a.mul(exponent, a.number(ln2_high)), _rest_of_log(a, exponent, m)


def _rest_of_log(a: Arithmetic, exponent: Value, m: Value) -> Value:
    """log m and what the first part of ln2 lacks, `exponent` times."""
    _, ln2_low = LN2[a.format.dtype.name]
    f = a.sub(m, a.number(1.0))
    tail = a.multiply_add(f, a.polynomial(f, _POLYNOMIALS[a.format.dtype.name]), a.number(-0.5))
    low = a.multiply_add(a.mul(f, f), tail, a.mul(exponent, a.number(ln2_low)))
    return a.add(f, low)


def _special_log(a: Arithmetic, x: Value) -> Value:
    """log of any x: denormals are scaled first."""
    shift = a.format.mantissa + 2
    small = a.emit("lt", x, a.number(2.0 ** (1 - a.format.bias)))
    scaled = positive_normal_log(a, a.mul(x, a.number(2.0**shift)), shift)
    zero = a.number(0.0)
    result = a.select(small, scaled, positive_normal_log(a, x, 0))
    result = a.select(a.emit("eq", x, a.number(math.inf)), x, result)
    result = a.select(a.emit("gt", x, zero), result, a.number(math.nan))
    return a.select(a.emit("eq", x, zero), a.number(-math.inf), result)
