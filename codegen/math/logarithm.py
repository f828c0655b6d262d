"""log, log2, log10: x = 2**e * m with m in [sqrt(1/2), sqrt(2)), log x = e * ln2 + log(1 + (m - 1)).

Structure after Cody and Waite (1980), chapter 5, with a polynomial in m - 1 in place of their quotient.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from ...ir.types import F32
from ..kernel.builder import KernelBuilder
from ..kernel.nodes import Value
from .arithmetic import Arithmetic
from .by_table import BINARY, DECIMAL_F64, NATURAL, log10_of_piece, log_of_piece, logarithm
from .coefficients import (
    LOG2_OF_SUM_F32,
    LOG2_OF_SUM_F64,
    LOG10_OF_SUM_F32,
    LOG10_OF_SUM_F64,
    LOG_F32,
    LOG_F64,
)
from .double_word import leading_half
from .exponential import LN2
from .formats import MathFeatures

_POLYNOMIALS = {"f32": LOG_F32, "f64": LOG_F64}
_LOG2_POLYNOMIALS = {"f32": LOG2_OF_SUM_F32, "f64": LOG2_OF_SUM_F64}
_LOG10_POLYNOMIALS = {"f32": LOG10_OF_SUM_F32, "f64": LOG10_OF_SUM_F64}
ROOT_HALF_BITS = {"f32": 0x3F3504F3, "f64": 0x3FE6A09E667F3BCD}
"""sqrt(1/2): subtracted from the bits it leaves floor(log2(x * sqrt(2))) in the exponent field."""


_LOG2_OF_E = {
    "f32": (1.44287109375, -0.00017605285393074155),
    "f64": (1.4426950514316559, -1.0542692476429138e-08),
}
_LOG10_OF_E = {
    "f32": (0.434326171875, -3.168997136526741e-05),
    "f64": (0.4342944845557213, -2.6524694553078553e-09),
}
"""In two parts, the first of half a significand."""
_LOG10_OF_2 = {
    "f32": (0.301025390625, 4.605039066518657e-06),
    "f64": (0.3010299956640665, -8.532344317057107e-14),
}
"""In two parts, the first so short that its products with exponents are exact."""


def log(build: KernelBuilder, x: Value, features: MathFeatures) -> Value:
    """The natural logarithm: -inf at 0, NaN below, inf at inf."""
    a = Arithmetic(build, x.dtype, features)
    if features.tables:
        return log_of_piece(a, x) if x.dtype is F32 else logarithm(a, x, NATURAL["f64"])
    return _logarithm(a, x, positive_normal_log)


def log2(build: KernelBuilder, x: Value, features: MathFeatures) -> Value:
    """The logarithm to the base 2, exact for powers of two."""
    a = Arithmetic(build, x.dtype, features)
    if features.tables:
        return logarithm(a, x, BINARY[x.dtype.name])
    return _logarithm(a, x, _positive_normal_log2)


def log10(build: KernelBuilder, x: Value, features: MathFeatures) -> Value:
    """The logarithm to the base 10, exact for powers of ten."""
    a = Arithmetic(build, x.dtype, features)
    if features.tables:
        return log10_of_piece(a, x) if x.dtype is F32 else logarithm(a, x, DECIMAL_F64)
    return _logarithm(a, x, _positive_normal_log10)


def _logarithm(a: Arithmetic, x: Value, plain: Callable[[Arithmetic, Value, int], Value]) -> Value:
    """`plain` of positive normal numbers, with the special cases that all logarithms share."""
    result = plain(a, x, 0)
    special = a.build.branch(
        not_positive_normal(a, x), lambda: (_special_log(a, x, plain),), lambda: (result,)
    )
    return special[0]


def not_positive_normal(a: Arithmetic, x: Value, doublings: int = 0) -> Value:
    """x is not a positive finite number of at least the least normal one, so often doubled: one unsigned
    comparison."""
    smallest = (1 + doublings) << a.format.mantissa
    normals = ((2 * a.format.bias + 1) << a.format.mantissa) - smallest
    return a.to_unsigned(x) - a.unsigned(smallest) >= a.unsigned(normals)


def split_exponent(a: Arithmetic, x: Value) -> tuple[Value, Value]:
    """(e, m) as floats with x = 2**e * m and m in [sqrt(1/2), sqrt(2)), for positive normal x."""
    bits = a.to_signed(x)
    above = bits - a.signed(ROOT_HALF_BITS[a.format.dtype.name])
    exponent = above >> a.format.mantissa
    m = a.to_float(bits - (exponent << a.format.mantissa))
    return a.build.cast(exponent, a.format.dtype), m


def positive_normal_log(a: Arithmetic, x: Value, shift: int) -> Value:
    """log(x * 2**-shift) for positive normal x."""
    exponent, m = split_exponent(a, x)
    if shift:
        exponent = exponent - a.number(shift)
    ln2_high, _ = LN2[a.format.dtype.name]
    return a.multiply_add(exponent, a.number(ln2_high), _rest_of_log(a, exponent, m))


def log_parts(a: Arithmetic, x: Value) -> tuple[Value, Value]:
    """log x as a sum of two for a finite positive x, denormals included; the first is exact, of few bits."""
    shift = a.format.mantissa + 2
    small = x < a.number(2.0 ** (1 - a.format.bias))
    exponent, m = split_exponent(a, a.select(small, x * a.number(2.0**shift), x))
    exponent = exponent - a.select(small, a.number(shift), a.number(0.0))
    ln2_high, _ = LN2[a.format.dtype.name]
    return exponent * a.number(ln2_high), _rest_of_log(a, exponent, m)


def _rest_of_log(a: Arithmetic, exponent: Value, m: Value) -> Value:
    """log m and what the first part of ln2 lacks, `exponent` times."""
    _, ln2_low = LN2[a.format.dtype.name]
    f = m - a.number(1.0)
    low = a.multiply_add(f * f, second_order(a, f), exponent * a.number(ln2_low))
    return f + low


def _positive_normal_log2(a: Arithmetic, x: Value, shift: int) -> Value:
    """log2(x * 2**-shift) for positive normal x."""
    exponent, f = _exponent_and_fraction(a, x, shift)
    tail = f * f * a.polynomial(f, _LOG2_POLYNOMIALS[a.format.dtype.name])
    return exponent + _plus_product(a, f, _LOG2_OF_E[a.format.dtype.name], tail)


def _positive_normal_log10(a: Arithmetic, x: Value, shift: int) -> Value:
    """log10(x * 2**-shift) for positive normal x."""
    exponent, f = _exponent_and_fraction(a, x, shift)
    high, low = _LOG10_OF_2[a.format.dtype.name]
    polynomial = a.polynomial(f, _LOG10_POLYNOMIALS[a.format.dtype.name])
    tail = a.multiply_add(f * f, polynomial, exponent * a.number(low))
    fraction = _plus_product(a, f, _LOG10_OF_E[a.format.dtype.name], tail)
    return a.multiply_add(exponent, a.number(high), fraction)


def _plus_product(a: Arithmetic, f: Value, factor: tuple[float, float], tail: Value) -> Value:
    """f * sum(factor) + tail, whose error is the rounding of the sum: without fma f is halved."""
    high, low = factor
    if a.features.fma:
        return a.multiply_add(f, a.number(high + low), tail)
    coarse = leading_half(a, f)
    fine = coarse * a.number(low) + (f - coarse) * a.number(high + low)
    return coarse * a.number(high) + (fine + tail)


def _exponent_and_fraction(a: Arithmetic, x: Value, shift: int) -> tuple[Value, Value]:
    """(e, f) with x * 2**-shift = 2**e * (1 + f)."""
    exponent, m = split_exponent(a, x)
    if shift:
        exponent = exponent - a.number(shift)
    return exponent, m - a.number(1.0)


def second_order(a: Arithmetic, f: Value) -> Value:
    """(log(1 + f) - f) / f**2 for f from sqrt(1/2) - 1 to sqrt(2) - 1."""
    return a.multiply_add(f, a.polynomial(f, _POLYNOMIALS[a.format.dtype.name]), a.number(-0.5))


def _special_log(a: Arithmetic, x: Value, plain: Callable[[Arithmetic, Value, int], Value]) -> Value:
    """`plain` of any x: denormals are scaled first."""
    shift = a.format.mantissa + 2
    small = x < a.number(2.0 ** (1 - a.format.bias))
    scaled = plain(a, x * a.number(2.0**shift), shift)
    zero = a.number(0.0)
    result = a.select(small, scaled, plain(a, x, 0))
    result = a.select(a.emit("eq", x, a.number(math.inf)), x, result)
    result = a.select(x > zero, result, a.number(math.nan))
    return a.select(a.emit("eq", x, zero), a.number(-math.inf), result)
