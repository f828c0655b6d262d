"""pow of f32 through f64: one logarithm and one power of two, whose errors the rounding to f32 hides.

The logarithm's relative error of 2**-33 is worth a fifth of an ulp where the result is largest or smallest.
f64 holds every result with an exponent to spare, so that the conversion to f32 is what overflows, underflows
gradually and rounds. A processor runs few of these long chains side by side: polynomials are kept shallow.
"""

from __future__ import annotations

import math

from ...ir.types import F64
from ..kernel.builder import KernelBuilder
from ..kernel.nodes import Value
from .arithmetic import Arithmetic
from .coefficients import WIDE_EXP2_F64, WIDE_LOG2_F64
from .features import MathFeatures
from .logarithm import ROOT_HALF_BITS, not_positive_normal
from .special_power import special_power

_MODERATE = 7.5
"""2**(this * 128) and 2**(this * -126) are normal in f64."""
_BEYOND = 1000.0
"""2**this overflows f32, 2**-this underflows it; f64 has both."""


def wide_power(build: KernelBuilder, x: Value, y: Value, features: MathFeatures) -> Value:
    """x**y of f32: special cases, and exponents that may leave f64's range, go through the branch."""
    a = Arithmetic(build, x.dtype, features)
    wide = Arithmetic(build, F64, features)
    logarithm = _log2(wide, build.cast(a.emit("abs", x), F64))
    result = build.cast(_exp2_of_product(wide, build.cast(y, F64), logarithm), x.dtype)
    moderate = a.emit("le", a.emit("abs", y), a.number(_MODERATE))
    special = a.emit("or", not_positive_normal(a, x), a.emit("not", moderate))

    def by_cases() -> tuple[Value]:
        total = wide.mul(build.cast(y, F64), logarithm)
        inside = a.select(wide.emit("gt", total, wide.number(_BEYOND)), a.number(math.inf), result)
        inside = a.select(wide.emit("lt", total, wide.number(-_BEYOND)), a.number(0.0), inside)
        # 0 * inf: |x| is 1. A NaN in x or y is told from it later.
        inside = a.select(wide.emit("ne", total, total), a.number(1.0), inside)
        return (special_power(a, x, y, inside),)

    return build.branch(special, by_cases, lambda: (result,))[0]


def _exp2_of_product(a: Arithmetic, y: Value, logarithm: Value) -> Value:
    """2**(y * logarithm) for a product within +-1000."""
    magic = a.number(a.magic())
    rounded = a.multiply_add(y, logarithm, magic)
    rest = a.multiply_add(y, logarithm, a.emit("neg", a.sub(rounded, magic)))
    fraction = a.shallow_polynomial(rest, WIDE_EXP2_F64)
    exponent = a.shift_left(a.to_signed(rounded), a.format.mantissa)
    return a.to_float(a.add(a.to_signed(fraction), exponent))


def _log2(a: Arithmetic, size: Value) -> Value:
    """log2 of a positive normal f64 to 33 bits, without signed 64-bit shifts or casts: AVX2 lacks both."""
    mantissa, bias = a.format.mantissa, a.format.bias
    root = ROOT_HALF_BITS["f64"]
    above = a.add(a.to_unsigned(size), a.unsigned((bias << mantissa) - root))
    counted = a.emit("or", a.shift_right(above, mantissa), a.unsigned((bias + mantissa) << mantissa))
    exponent = a.sub(a.to_float(counted), a.number(2.0**mantissa + bias))
    m = a.to_float(a.add(a.emit("and", above, a.unsigned(a.format.mantissa_mask)), a.unsigned(root)))
    f = a.sub(m, a.number(1.0))
    return a.multiply_add(f, a.shallow_polynomial(f, WIDE_LOG2_F64), exponent)
