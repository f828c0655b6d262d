"""log1p, and the logarithm of a sum of two floats: the part that rounding took from the sum is kept.

log(high + low) with high = 2**e * m: low * 2**-e joins m - 1, which is exact, and what that addition rounds
away is added at the end (after the correction term of W. Kahan's log1p; here no division makes it).
"""

from __future__ import annotations

import math

from ..kernel.builder import KernelBuilder
from ..kernel.nodes import Value
from .arithmetic import Arithmetic
from .by_table import logarithm_of_sum
from .double_word import ordered_sum
from .exponential import LN2
from .formats import MathFeatures
from .logarithm import ROOT_HALF_BITS, positive_normal_log, second_order


def log1p(build: KernelBuilder, x: Value, features: MathFeatures) -> Value:
    """log(1 + x), relatively accurate near 0: -inf at -1, NaN below, inf at inf."""
    a = Arithmetic(build, x.dtype, features)
    total, low = ordered_sum(a, a.at_least(x, 1.0), a.at_most(x, 1.0))
    if features.tables:
        return a.emit("copysign", logarithm_of_sum(a, total, low), x)
    plain = a.emit("copysign", log_of_sum(a, total, low), x)
    return build.branch(_beyond(a, total), lambda: (_special_log1p(a, total),), lambda: (plain,))[0]


def log_of_sum(a: Arithmetic, high: Value, low: Value) -> Value:
    """log(high + low) for a normal high below 2**bias and a low of the size of its last bits."""
    if a.features.tables:
        return logarithm_of_sum(a, high, low)
    ln2_high, ln2_low = LN2[a.format.dtype.name]
    mantissa = a.format.mantissa
    bits = a.to_signed(high)
    above = bits - ROOT_HALF_BITS[a.format.dtype.name]
    counted = above >> mantissa
    power = counted << mantissa
    exponent = a.build.cast(counted, a.format.dtype)
    m = a.to_float(bits - power)
    inverse = a.to_float((a.format.bias << mantissa) - power)
    exact = m - 1.0
    f = a.multiply_add(low, inverse, exact)
    rest = a.multiply_add(low, inverse, exact - f)
    rest = a.multiply_add(exponent, a.number(ln2_low), rest)
    rest = a.multiply_add(f * f, second_order(a, f), rest)
    return a.multiply_add(exponent, a.number(ln2_high), f + rest)


def _beyond(a: Arithmetic, total: Value) -> Value:
    """1 + x is 0, negative, NaN, or so large that 1 does not count: one unsigned comparison."""
    smallest = 1 << a.format.mantissa
    fitting = ((2 * a.format.bias - 1) << a.format.mantissa) - smallest
    return a.to_unsigned(total) - smallest >= fitting


def _special_log1p(a: Arithmetic, total: Value) -> Value:
    result = positive_normal_log(a, total, 0)
    result = a.select(total.equals(a.number(math.inf)), total, result)
    result = a.select(total > 0.0, result, a.number(math.nan))
    return a.select(total.equals(0.0), a.number(-math.inf), result)
