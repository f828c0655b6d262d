"""|x|**y of f32 through f64: one logarithm and one power of two, whose errors the rounding to f32 hides.

The logarithm's relative error of 2**-33 is worth a fifth of an ulp where the result is largest or smallest.
f64 holds every result with an exponent to spare, so that the conversion to f32 is what overflows, underflows
gradually and rounds. A processor runs few of these long chains side by side: polynomials are kept shallow.
"""

from __future__ import annotations

from ...ir.types import F64
from ..kernel.nodes import Value
from .arithmetic import Arithmetic
from .coefficients import WIDE_EXP2_F64, WIDE_LOG2_F64
from .logarithm import ROOT_HALF_BITS

_LARGEST_EXPONENT = 2.0**32
"""Any f32 |x| != 1 raised to it leaves the range, and 0 times it is 0."""
_OVERFLOW, _UNDERFLOW = 129.0, -151.0
"""2**these round to inf and 0."""


def wide_power_of_size(a: Arithmetic, size: Value, y: Value) -> Value:
    """size**y for a finite positive f32 size, denormals included, and any y but NaN."""
    wide = Arithmetic(a.build, F64, a.features)
    y = a.at_least(a.at_most(y, _LARGEST_EXPONENT), -_LARGEST_EXPONENT)
    total = a.mul(a.build.cast(y, F64), _log2(wide, a.build.cast(size, F64)))
    total = wide.at_least(wide.at_most(total, _OVERFLOW), _UNDERFLOW)
    magic = wide.number(wide.magic())
    rounded = wide.add(total, magic)
    above_half = wide.shallow_polynomial(wide.sub(total, wide.sub(rounded, magic)), WIDE_EXP2_F64)
    exponent = wide.shift_left(wide.to_signed(rounded), wide.format.mantissa)
    return a.build.cast(wide.to_float(wide.add(wide.to_signed(above_half), exponent)), a.format.dtype)


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
