"""x**n for an n that stands in the program and is whole, or a half more: products of pairs of floats, rounded
once at the end.

Left-to-right binary powering (D. E. Knuth, Seminumerical Algorithms, 4.6.3); each product's error is kept
beside it, so that what is lost is of second order, and the result within 0.51 ulp, within 0.6 with a root.
"""

from __future__ import annotations

import math

from ..kernel.builder import KernelBuilder
from ..kernel.nodes import Value
from .arithmetic import Arithmetic
from .double_word import left_of, pair_product, product
from .formats import MathFeatures
from .roots import root_of_sum

Pair = tuple[Value, Value]


def fixed_power(build: KernelBuilder, x: Value, features: MathFeatures, exponent: float) -> Value:
    """x**exponent for a whole number beyond 1 or a whole number and a half, and their negatives."""
    a = Arithmetic(build, x.dtype, features)
    if float(exponent).is_integer():
        return _rounded(a, _raised(a, x, _reciprocal(a, x) if exponent < 0 else None, abs(int(exponent))))
    # The sign matters where x is finite and not 0: other powers by such numbers are those of the size.
    size = abs(x)
    if exponent == -0.5:
        result = _reciprocal_root(a, size)
    else:
        base = _reciprocal(a, size) if exponent < 0 else None
        high, low = (size, a.number(0.0)) if base is None else base
        whole = _raised(a, size, base, int(abs(exponent)))
        result = _rounded(a, pair_product(a, whole, root_of_sum(a, high, low)))
    negative = (x < a.number(0.0)) & (size < a.number(math.inf))
    return build.select(negative, a.number(math.nan), result)


def _raised(a: Arithmetic, x: Value, base: Pair | None, exponent: int) -> Pair:
    """The power of a pair by an exponent from 1 on; None: of x, which is exact."""
    high, low = (x, a.number(0.0)) if base is None else base
    for position, bit in enumerate(f"{exponent:b}"[1:]):
        if position or base is not None:
            high, low = pair_product(a, (high, low), (high, low))
        else:
            high, low = product(a, x, x)
        if bit == "0":
            continue
        if base is None:
            high, error = product(a, high, x)
            low = a.multiply_add(low, x, error)
        else:
            high, low = pair_product(a, (high, low), base)
    return high, low


def _reciprocal(a: Arithmetic, x: Value) -> Pair:
    one = a.number(1.0)
    reciprocal = one / x
    return reciprocal, reciprocal * left_of(a, one, reciprocal, x)


def _reciprocal_root(a: Arithmetic, size: Value) -> Value:
    """size**-0.5: its square may be beyond the range."""
    high, low = root_of_sum(a, size, a.number(0.0))
    one = a.number(1.0)
    reciprocal = one / high
    left = left_of(a, one, reciprocal, high) - reciprocal * low
    return _rounded(a, (reciprocal, reciprocal * left))


def _rounded(a: Arithmetic, pair: Pair) -> Value:
    """The sum of a pair; where a product has left the range, its error is infinite or NaN."""
    high, low = pair
    return a.select(abs(low) < abs(high), high + low, high)
