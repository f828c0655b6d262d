"""cbrt, hypot, and square roots as pairs of floats.

The bits of a float, read as an integer, are nearly linear in its logarithm: a multiple of them is those of a
power, to a few percent. For the cube root, y**3 * x = 1 - e then gives x**(-1/3) = y * (1 - e)**(-1/3), a
polynomial in e (J.-M. Muller, Elementary Functions, 3rd ed., 2016, section 5.6, has both for the square
root), and Newton's step on the root itself squares what error is left, without a division. hypot takes its
squares in pairs and corrects the root by what it lacks (C. F. Borges, Algorithm 1014: An Improved Algorithm
for hypot(x, y), ACM TOMS 47, 2020).
"""

from __future__ import annotations

import math

from ..kernel.builder import KernelBuilder
from ..kernel.nodes import Value
from .arithmetic import Arithmetic
from .coefficients import CUBE_ROOT_F32, CUBE_ROOT_F64
from .double_word import ordered_sum, product
from .formats import MathFeatures
from .logarithm import not_positive_normal

_CUBE_ROOT = {"f32": CUBE_ROOT_F32, "f64": CUBE_ROOT_F64}
_LOG_BIAS = -0.117
"""Added to the logarithm that the bits give, it makes the rough value too small and e positive."""


def cbrt(build: KernelBuilder, x: Value, features: MathFeatures) -> Value:
    """The cube root: odd, of every number."""
    a = Arithmetic(build, x.dtype, features)
    size = abs(x)
    plain = _cube_root(a, size)
    # What the root's cube lacks of a small x would be denormal.
    doublings = a.format.mantissa + 4

    def special() -> tuple[Value]:
        thirds = 2 * doublings // 3
        lifted = _cube_root(a, size * a.number(2.0 ** (3 * thirds))) * a.number(2.0**-thirds)
        small = size < a.number(2.0 ** (1 - a.format.bias + doublings))
        return (a.select(small, lifted, size),)

    result = build.branch(not_positive_normal(a, size, doublings), special, lambda: (plain,))[0]
    return a.emit("copysign", result, x)


def _cube_root(a: Arithmetic, x: Value) -> Value:
    """The cube root of a positive normal x, or of 0."""
    y = _rough_reciprocal(a, x)
    left = a.multiply_add(-(x * y), y * y, a.number(1.0))
    y = a.multiply_add(y * left, a.polynomial(left, _CUBE_ROOT[a.format.dtype.name]), y)
    square = y * y
    root = x * square
    if a.features.fma:
        # Newton's step by what the cube of the root lacks: all of it, in f64.
        again, again_low = product(a, root, root)
        rest = a.emit("fma", -again, root, x)
        if a.format.width == 64:
            rest = a.emit("fma", -again_low, root, rest)
        return a.multiply_add(rest, square * a.number(1 / 3), root)
    # Halves: the cube of a root that was rounded up may lie beyond the largest float.
    half = root * a.number(0.5)
    rest = x * a.number(0.5) - root * root * half
    return a.multiply_add(rest, square * a.number(2 / 3), root)


def root_of_sum(a: Arithmetic, high: Value, low: Value, fine: bool = False) -> tuple[Value, Value]:
    """sqrt(high + low) as a pair, for a positive normal high or 0, and a low below its last bits.

    What the rounded root lacks is divided by twice the root, whose reciprocal the bits give well enough: it
    is exact at powers of two, and 12 percent too large in the middle between them. A step of Newton's makes
    it `fine`: one percent too small.
    """
    root = a.emit("sqrt", high)
    if a.features.fma:
        rest = a.emit("fma", -root, root, high)
    else:
        square, square_low = product(a, root, root)
        rest = high - square - square_low
    inverse = a.to_float(a.signed((2 * a.format.bias - 1) << a.format.mantissa) - a.to_signed(root))
    if fine:
        left = a.multiply_add(root * a.number(-2.0), inverse, a.number(1.0))
        inverse = a.multiply_add(left, inverse, inverse)
    return root, (rest + low) * inverse


def _sum_of_squares(a: Arithmetic, large: Value, small: Value) -> tuple[Value, Value]:
    """large**2 + small**2 as a pair, but for the last bits of its second part."""
    square, square_low = product(a, large, large)
    other, other_low = product(a, small, small)
    total, low = ordered_sum(a, square, other)
    return total, low + (square_low + other_low)


def _rough_reciprocal(a: Arithmetic, x: Value) -> Value:
    """x**(-1/3) of a positive normal x to 6 percent: all but the lowest bits, times -1/3."""
    mantissa, bias = a.format.mantissa, a.format.bias
    dropped = a.format.width - 1 - mantissa + (a.format.width == 64)
    # The bits that are kept fill a significand: an exponent put above them makes a float of their number.
    unit = 2.0**mantissa
    kept = a.emit("or", a.to_unsigned(x) >> dropped, a.unsigned((bias + mantissa) << mantissa))
    one = (bias * (1 + 1 / 3) + _LOG_BIAS) * 2.0 ** (mantissa - dropped)
    estimate = a.multiply_add(a.to_float(kept), a.number(-1 / 3), a.number(math.floor(one + unit / 3 + unit)))
    return a.to_float(a.to_unsigned(estimate) << dropped)


def hypot(build: KernelBuilder, x: Value, y: Value, features: MathFeatures) -> Value:
    """sqrt(x**2 + y**2) without overflow or underflow on the way; inf where either is, even beside NaN."""
    a = Arithmetic(build, x.dtype, features)
    x, y = abs(x), abs(y)
    first = x > y
    large, small = a.select(first, x, y), a.select(first, y, x)
    step = 2 * a.format.mantissa + 40 if a.format.width == 32 else 600
    huge = large > a.number(2.0 ** (a.format.bias // 2 - 10))
    tiny = large < a.number(2.0 ** -(a.format.bias // 2 - 12))
    one = a.number(1.0)
    up, down = a.number(2.0**step), a.number(2.0**-step)
    scale = a.select(huge, down, a.select(tiny, up, one))
    large, small = large * scale, small * scale
    root, rest = root_of_sum(a, *_sum_of_squares(a, large, small), fine=True)
    result = (root + rest) * a.select(huge, up, a.select(tiny, down, one))
    infinity = a.number(math.inf)
    endless = a.emit("or", a.emit("eq", x, infinity), a.emit("eq", y, infinity))
    return a.select(endless, infinity, result)
