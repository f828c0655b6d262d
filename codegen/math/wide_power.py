"""pow of f32 through f64: one logarithm and one power of two, whose errors the rounding to f32 hides.

The logarithm's relative error of 2**-33 is worth a fifth of an ulp where the result is largest or smallest.
f64 holds every result with an exponent to spare, so that the conversion to f32 is what overflows, underflows
gradually and rounds. A processor runs few of these long chains side by side: polynomials are kept shallow.
"""

from __future__ import annotations

from ...ir.types import F64
from ..kernel.builder import KernelBuilder
from ..kernel.nodes import Value
from .arithmetic import Arithmetic
from .coefficients import WIDE_EXP2_F64, WIDE_LOG2_F64
from .features import MathFeatures
from .logarithm import ROOT_HALF_BITS, not_positive_normal
from .special_power import special_power

_BEYOND = 1000.0
"""2**this overflows f32, 2**-this underflows it; f64 has both."""


def wide_power(build: KernelBuilder, x: Value, y: Value, features: MathFeatures) -> Value:
    """x**y of f32: where x is no positive normal number, through the branch."""
    a = Arithmetic(build, x.dtype, features)
    wide = Arithmetic(build, F64, features)
    size, one = a.emit("abs", x), a.number(1.0)
    logarithm = _log2(wide, build.cast(size, F64))
    total = wide.mul(build.cast(y, F64), logarithm)
    total = wide.at_least(wide.at_most(total, _BEYOND), -_BEYOND)
    # The logarithm of 1 times what is infinite or NaN is NaN.
    result = a.select(a.emit("eq", size, one), one, build.cast(_exp2(wide, total), x.dtype))
    special = not_positive_normal(a, x)
    return build.branch(special, lambda: (special_power(a, x, y, result),), lambda: (result,))[0]


def _exp2(a: Arithmetic, x: Value) -> Value:
    """2**x for |x| <= 1000."""
    magic = a.number(a.magic())
    rounded = a.add(x, magic)
    fraction = a.shallow_polynomial(a.sub(x, a.sub(rounded, magic)), WIDE_EXP2_F64)
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
