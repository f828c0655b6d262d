"""The special cases of pow: zeros, infinities, NaN and negative bases, as C99 and NumPy have them."""

from __future__ import annotations

import math

from ..kernel.nodes import Value
from .arithmetic import Arithmetic


def special_power(a: Arithmetic, x: Value, y: Value, result: Value) -> Value:
    """x**y for every x and y, given |x|**y for finite x that are not 0."""
    zero, one, infinity = a.number(0.0), a.number(1.0), a.number(math.inf)
    size = a.emit("abs", x)
    half = a.mul(y, a.number(0.5))
    broken = a.emit("ne", a.emit("floor", y), y)
    odd = a.emit("and", a.emit("eq", a.emit("floor", y), y), a.emit("ne", a.emit("floor", half), half))
    # 0 and inf: to a positive power themselves, to a negative one each other.
    empty, endless = a.emit("eq", size, zero), a.emit("eq", size, infinity)
    grows = a.emit("xor", empty, a.emit("gt", y, zero))
    result = a.select(a.emit("or", empty, endless), a.select(grows, infinity, zero), result)
    sign = a.emit("and", a.to_unsigned(x), a.unsigned(a.format.sign_bit))
    negated = a.to_float(a.emit("xor", a.to_unsigned(result), sign))
    result = a.select(odd, negated, result)
    negative = a.emit("and", a.emit("lt", x, zero), a.emit("lt", size, infinity))
    nan = a.number(math.nan)
    result = a.select(a.emit("and", negative, broken), nan, result)
    unordered = a.emit("or", a.emit("ne", x, x), a.emit("ne", y, y))
    result = a.select(unordered, nan, result)
    unit = a.emit("or", a.emit("eq", x, one), a.emit("eq", y, zero))
    return a.select(unit, one, result)
