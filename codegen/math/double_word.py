"""Exact products and sums as pairs of floats (T. J. Dekker, A floating-point technique for extending the
available precision, 1971)."""

from __future__ import annotations

from ..kernel.nodes import Value
from .arithmetic import Arithmetic


def leading_half(a: Arithmetic, x: Value) -> Value:
    """x cut to half its significand; products of halves are exact."""
    dropped = (a.format.precision + 1) // 2
    mask = (1 << a.format.width) - (1 << dropped)
    return a.to_float(a.to_unsigned(x) & mask)


def product(a: Arithmetic, x: Value, y: Value) -> tuple[Value, Value]:
    """(p, e) with p = x * y rounded and p + e = x * y (to the last bit but one where halves are unequal)."""
    rounded = x * y
    if a.features.fma:
        return rounded, a.emit("fma", x, y, -rounded)
    x_high, y_high = leading_half(a, x), leading_half(a, y)
    x_low, y_low = x - x_high, y - y_high
    error = x_high * y_high - rounded
    error = error + x_high * y_low + x_low * y_high
    return rounded, error + x_low * y_low


def pair_product(a: Arithmetic, x: tuple[Value, Value], y: tuple[Value, Value]) -> tuple[Value, Value]:
    """The product of two pairs, but for that of their low parts."""
    high, low = product(a, x[0], y[0])
    return high, low + a.multiply_add(x[0], y[1], x[1] * y[0])


def left_of(a: Arithmetic, top: Value, quotient: Value, bottom: Value) -> Value:
    """top - quotient * bottom, where the quotient is top / bottom but for an ulp or two: that is a float."""
    if a.features.fma:
        return a.emit("fma", -quotient, bottom, top)
    times, error = product(a, quotient, bottom)
    return top - times - error


def two_sum(a: Arithmetic, x: Value, y: Value) -> tuple[Value, Value]:
    """(s, e) with s + e = x + y exactly, whichever is larger (Knuth, Seminumerical Algorithms, 4.2.2)."""
    total = x + y
    second = total - x
    return total, x - (total - second) + (y - second)


def ordered_sum(a: Arithmetic, large: Value, small: Value) -> tuple[Value, Value]:
    """(s, e) with s + e = large + small exactly, where |large| >= |small| or large is 0."""
    total = large + small
    return total, small - (total - large)
