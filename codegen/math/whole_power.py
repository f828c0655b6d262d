"""x**n for a whole n that stands in the program: products of pairs of floats, rounded once at the end.

Left-to-right binary powering (D. E. Knuth, Seminumerical Algorithms, 4.6.3); each product's error is kept
beside it, so that what is lost is of second order, and the result within 0.51 ulp.
"""

from __future__ import annotations

from ..kernel.builder import KernelBuilder
from ..kernel.nodes import Value
from .arithmetic import Arithmetic
from .double_word import left_of, pair_product, product
from .formats import MathFeatures


def whole_power(build: KernelBuilder, x: Value, features: MathFeatures, exponent: int) -> Value:
    """x**exponent for |exponent| >= 2; 0, infinities and NaN are what multiplying makes of them."""
    a = Arithmetic(build, x.dtype, features)
    base: tuple[Value, Value] | None = None
    if exponent < 0:
        one = a.number(1.0)
        reciprocal = one / x
        x, base = reciprocal, (reciprocal, reciprocal * left_of(a, one, reciprocal, x))
    high, low = product(a, x, x) if base is None else pair_product(a, base, base)
    bits = f"{abs(exponent):b}"
    for position, bit in enumerate(bits[1:]):
        if position:
            high, low = pair_product(a, (high, low), (high, low))
        if bit == "0":
            continue
        if base is None:
            high, error = product(a, high, x)
            low = a.multiply_add(low, x, error)
        else:
            high, low = pair_product(a, (high, low), base)
    # Where the product leaves the range, its error is infinite or NaN.
    return build.select(abs(low) < abs(high), high + low, high)
