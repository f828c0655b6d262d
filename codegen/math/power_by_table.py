"""pow by tables: log2|x| as a pair of floats, and 2**(k / n) as a pair.

The method of the module by_table, with the first terms of log(1 + f) in pairs. The relative error is 2**-67
in f64, so y times the logarithm stays below the result's rounding; in f32 it is 2**-30, which is an
ulp of the largest and smallest results and hardly anything of others.
"""

from __future__ import annotations

from ..kernel.nodes import Value
from .arithmetic import Arithmetic
from .by_table import BINARY, RECIPROCALS, magic_of_steps, parts
from .coefficients import NEAR_EXP2_F32, NEAR_EXP2_F64, PRECISE_NEAR_LOG2_F32, PRECISE_NEAR_LOG_F64
from .double_word import ordered_sum, product
from .exponential import POWER_RESTS, scaled_by_table
from .tables import POW_BORDER, POW_LOG2, POW_RECIPROCAL

_LOG2_OF_E = {
    "f32": (1.4426950216293335, 1.925963033500011e-08),
    "f64": (1.4426950408889634, 2.0355273740931033e-17),
}
"""In two parts."""
_CELLS = {
    "f32": (RECIPROCALS["f32"], BINARY["f32"].high, BINARY["f32"].low),
    "f64": (
        (POW_RECIPROCAL, *RECIPROCALS["f64"][1:]),
        (POW_LOG2[0], *BINARY["f64"].high[1:]),
        (POW_LOG2[1], *BINARY["f64"].low[1:]),
    ),
}
"""1 / c, and log2(c) in two parts."""
_NEAR_EXP2 = {"f32": NEAR_EXP2_F32, "f64": NEAR_EXP2_F64}


def power_of_size(a: Arithmetic, size: Value, y: Value) -> Value:
    """size**y for a finite positive size, denormals included, and any y; 1 where size is 1."""
    name, bias = a.format.dtype.name, a.format.bias
    high, low = log2_pair(a, size)
    first = y * high
    bounded = a.at_least(a.at_most(first, bias + 2.0), -(bias + a.format.mantissa + 3.0))
    # Beyond the bounds nothing else counts, and may be infinite or NaN.
    inside = a.emit("eq", first, bounded)
    rest = a.multiply_add(y, low, a.emit("fma", y, high, -first))
    rest = a.select(inside, rest, a.number(0.0))
    magic = a.number(magic_of_steps(a))
    rounded = bounded + rest + magic
    n = rounded - magic
    r = bounded - n + rest
    lost = a.lookup(POWER_RESTS[name], a.to_signed(rounded))
    above_one = a.multiply_add(r, a.shallow_polynomial(r, _NEAR_EXP2[name]), lost)
    result = scaled_by_table(a, above_one, rounded, n)
    # The logarithm of 1 times NaN is NaN.
    one = a.number(1.0)
    return a.select(a.emit("eq", size, one), one, result)


def log2_pair(a: Arithmetic, size: Value) -> tuple[Value, Value]:
    """log2 of a finite positive size as a pair, whose second part may be as large as 2**-12."""
    name = a.format.dtype.name
    exponent, place, m = parts(a, size)
    inverse, whole, whole_low = (a.lookup(values, place) for values in _CELLS[name])
    if name == "f64":
        # f**3 / 3 is single: where it counts most, f must be small next to the logarithm.
        near_one, zero = m < a.number(POW_BORDER), a.number(0.0)
        inverse = a.select(near_one, a.number(1.0), inverse)
        whole, whole_low = a.select(near_one, zero, whole), a.select(near_one, zero, whole_low)
    whole = exponent + whole
    f = a.multiply_add(m, inverse, a.number(-1.0))
    high, rest = _near_log2_f32(a, f) if name == "f32" else _near_log2_f64(a, f)
    total, error = ordered_sum(a, whole, high)
    return total, error + (rest + whole_low)


def _near_log2_f32(a: Arithmetic, f: Value) -> tuple[Value, Value]:
    """log2(1 + f) as a pair; of the square's last bits nothing is kept, which is 2**-30 of the whole."""
    scale, scale_low = _LOG2_OF_E["f32"]
    linear, rest = product(a, f, a.number(scale))
    rest = a.multiply_add(f, a.number(scale_low), rest)
    square, minus_half = f * f, a.number(-0.5 * scale)
    rest = a.multiply_add(f * square, a.shallow_polynomial(f, PRECISE_NEAR_LOG2_F32), rest)
    high = a.multiply_add(square, minus_half, linear)
    return high, rest + a.multiply_add(square, minus_half, linear - high)


def _near_log2_f64(a: Arithmetic, f: Value) -> tuple[Value, Value]:
    """log2(1 + f) as a pair, by way of log(1 + f) with its square and its cube in pairs."""
    square, square_low = product(a, f, f)
    minus_half = a.number(-0.5)
    first = a.multiply_add(square, minus_half, f)
    low = a.multiply_add(square, minus_half, f - first)
    low = a.multiply_add(square_low, minus_half, low)
    third, *others = PRECISE_NEAR_LOG_F64
    cube, cube_low = product(a, f, square)
    term, term_low = product(a, cube, a.number(third))
    cube_low = a.multiply_add(f, square_low, cube_low)
    low = low + a.multiply_add(cube_low, a.number(third), term_low)
    low = a.multiply_add(cube * f, a.shallow_polynomial(f, others), low)
    high, lost = ordered_sum(a, first, term)
    low = low + lost
    scale, scale_low = _LOG2_OF_E["f64"]
    scaled_high, rest = product(a, high, a.number(scale))
    rest = a.multiply_add(high, a.number(scale_low), rest)
    return scaled_high, a.multiply_add(low, a.number(scale), rest)
