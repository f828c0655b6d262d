"""Reduction of huge angles: x * 2/pi modulo 4 in integers, from the digits of 2/pi that matter.

M. Payne & R. Hanek, Radian Reduction for Trigonometric Functions (SIGNUM Newsletter 18, 1983). x = m * 2**k
with an integer m; digits of 2/pi so high that m * digit is a multiple of 4 are skipped (one by one, or by
whole bytes where they are loaded: m is shifted by the rest), the three words after them give two words of the
product: the quadrant and 60 good bits (f32) or 124 (f64) of the fraction. The closest a float comes to a
multiple of pi/2 is about 2**-30 (f32) and 2**-61 (f64), so a full significand is left. Words are as wide as
the float, so that f32 needs no 64-bit integers; where they and f64 are native it takes them, in fewer steps.
"""

from __future__ import annotations

import math
from functools import cache
from itertools import pairwise

from ...ir.types import F64, I64, INDEX, U32, U64
from ..kernel.nodes import Value
from .arithmetic import Arithmetic
from .double_word import ordered_sum, product
from .huge_angles import FIRST_EXPONENT, TWO_OVER_PI, narrowed

_UNIT = {
    "f32": (1.462918119976564e-09, -4.070940267922164e-17),
    "f64": (3.4061215800865545e-19, 1.3277647201629795e-35),
}
"""pi/2 * 2**(2 - width), which makes an angle of a fixed-point part of a quadrant, as a pair."""


def integer_reduction(a: Arithmetic, size: Value) -> tuple[Value, Value, Value]:
    """`huge_reduction` by products of integers."""
    if a.format.width == 32 and a.features.wide:
        return _wide_reduction(a, size, *_aligned(a, *_bits_of(a, size)))
    return _reduction_to_pair(a, size)


def _reduction_to_pair(a: Arithmetic, size: Value) -> tuple[Value, Value, Value]:
    quadrant, coarse, rest, tail = _fixed_point(a, size)
    # Where the angle is near 0, coarse and rest are 0, and the tail has more bits than a float.
    spare = a.format.width - a.format.precision
    last = tail & (1 << spare) - 1
    most = a.build.cast(a.build.bitcast(tail - last, a.format.signed), a.format.dtype)
    unit = a.number(2.0**-a.format.width)
    fine, lost = ordered_sum(a, rest, most * unit)
    total, error = ordered_sum(a, coarse, fine)
    error = error + a.multiply_add(a.build.cast(last, a.format.dtype), unit, lost)
    unit_high, unit_low = _UNIT[a.format.dtype.name]
    high, low = product(a, total, a.number(unit_high))
    low = low + a.multiply_add(total, a.number(unit_low), error * a.number(unit_high))
    high, low = ordered_sum(a, high, low)
    return quadrant, high + (size - size), low


def _bits_of(a: Arithmetic, size: Value) -> tuple[Value, Value]:
    """The bits of a float, and its significand."""
    bits = a.to_unsigned(size)
    fraction = bits & a.format.mantissa_mask
    return bits, fraction | a.format.mantissa_mask + 1


def _fixed_point(a: Arithmetic, size: Value) -> tuple[Value, Value, Value, Value]:
    """(q, c, r, t): size * 2/pi = q + (c + r + t * 2**-width) * 2**(2 - width) modulo 4; the floats c
    and r are whole, and t is an integer in two's complement."""
    width = a.format.width
    bits, significand = _bits_of(a, size)
    if width == 32 and a.features.fma:
        first, second, third = _chosen_digits(a, bits)
    else:
        significand, position = _aligned(a, bits, significand)
        first, second, third = _loaded_digits(a, position)
    low = significand * second
    tail = low + _high_product(a, significand, third, exact=False)
    carry = a.select(tail < low, a.unsigned(1), a.unsigned(0))
    head = significand * first + _high_product(a, significand, second) + carry
    # head has two integer bits and width - 2 of the fraction; round to the nearest quadrant.
    quadrant = head + (1 << (width - 3)) >> width - 2
    fraction = head - (quadrant << width - 2)
    # Round to the nearest head, then to the nearest one that is a float: what is left has either sign, and a
    # number near 0 is all in its last part.
    head = fraction + (tail >> width - 1)
    spare = width - a.format.precision
    coarse = head + (1 << (spare - 1)) & (1 << width) - (1 << spare)
    rest = head - coarse
    coarse, rest = (
        a.build.cast(a.build.bitcast(part, a.format.signed), a.format.dtype) for part in (coarse, rest)
    )
    return quadrant, coarse, rest, tail


def _aligned(a: Arithmetic, bits: Value, significand: Value) -> tuple[Value, Value]:
    """The significand shifted so that the digits that matter begin with a byte, and which one (an index)."""
    # The digit whose product with the last bit of the significand is worth 2.
    offset = (bits >> a.format.mantissa) - _first_exponent(a)
    # Lanes that are not huge come here too on some targets: their loads must stay inside the table.
    last = a.unsigned(_last_offset(a))
    offset = a.select(offset > last, last, offset)
    shifted = significand << (offset & 7)
    return shifted, a.build.cast(offset >> 3, INDEX)


def _wide_reduction(
    a: Arithmetic, size: Value, significand: Value, position: Value
) -> tuple[Value, Value, Value]:
    """The reduction of an f32 in u64 and f64: a significand of 31 bits times 96 digits, of which the upper 64
    bits count."""
    build = a.build
    digits = build.table(U64, _words(64, _last_offset(a) // 8 + 9, start=4))
    m = build.cast(significand, U64)
    first = build.load(digits, position)
    next_word = build.load(digits, position + 8) >> 32
    head = m * first + (m * next_word >> 32)
    quadrant = head + (1 << 61) >> 62
    fraction = build.cast(build.bitcast(head - (quadrant << 62), I64), F64)
    r, low = narrowed(a, fraction * (math.pi / 2 * 2.0**-62))
    return build.cast(quadrant, U32), r + (size - size), low


def _chosen_digits(a: Arithmetic, bits: Value) -> tuple[Value, Value, Value]:
    """Three words of 2/pi for an f32 of at least 2, whose last seven bits of the exponent field say which.

    Seven words hold all that may be needed: choosing among them takes fewer steps than loads that differ from
    lane to lane. Processors with fma also shift every lane by a count of its own.
    """
    origin = 8 * (8 - a.format.width // 8) + FIRST_EXPONENT - _first_exponent(a)
    digits = int.from_bytes(TWO_OVER_PI)
    words = [
        a.unsigned(digits >> (8 * len(TWO_OVER_PI) - origin - 32 * (k + 1)) & 0xFFFFFFFF) for k in range(7)
    ]
    for bit in (6, 5):
        mask = a.unsigned(1 << (a.format.mantissa + bit))
        later = (bits & mask).differs(0)
        step = 1 << (bit - 5)
        words = [a.select(later, after, before) for before, after in zip(words, words[step:])]
    count = bits >> a.format.mantissa & 31
    rest = 32 - count
    first, second, third = (before << count | after >> rest for before, after in pairwise(words))
    return first, second, third


@cache
def _words(width: int, count: int, start: int) -> tuple[int, ...]:
    """Words of digits of 2/pi that begin with every byte from `start` on."""
    step = width // 8
    return tuple(int.from_bytes(TWO_OVER_PI[k : k + step]) for k in range(start, start + count))


def _loaded_digits(a: Arithmetic, position: Value) -> tuple[Value, Value, Value]:
    """Three words of 2/pi, from a byte on; 0 is the first of the last word of zeros."""
    step = a.format.width // 8
    words = _words(a.format.width, _last_offset(a) // 8 + 2 * step + 1, start=8 - step)
    table = a.build.table(a.format.unsigned, words)
    first, second, third = (a.build.load(table, position + k * step) for k in range(3))
    return first, second, third


def _last_offset(a: Arithmetic) -> int:
    """The offset of the digits that inf would need."""
    return 2 * a.format.bias + 1 - _first_exponent(a)


def _first_exponent(a: Arithmetic) -> int:
    """The exponent field of floats whose digits begin with the word of zeros."""
    return a.format.bias + a.format.precision + 1 - a.format.width


def _high_product(a: Arithmetic, x: Value, y: Value, exact: bool = True) -> Value:
    """The upper word of the double-width product x * y, from products of halves; inexact: up to 3 less."""
    half = a.format.width // 2
    mask = a.unsigned((1 << half) - 1)
    x_low, x_high = x & mask, x >> half
    y_low, y_high = y & mask, y >> half
    middle, other = x_low * y_high, x_high * y_low
    if exact:
        # Neither sum overflows: (2**h - 1)**2 + 2**h - 1 < 2**(2h).
        middle = middle + (x_low * y_low >> half)
        other = other + (middle & mask)
    upper = x_high * y_high + (middle >> half)
    return upper + (other >> half)
