"""Reduction of huge angles: x * 2/pi modulo 4 in integers, from the digits of 2/pi that matter.

M. Payne & R. Hanek, Radian Reduction for Trigonometric Functions (SIGNUM Newsletter 18, 1983). x = m * 2**k
with an integer m; digits of 2/pi so high that m * digit is a multiple of 4 are skipped, the three words after
them give two words of the product: the quadrant and at least 62 bits (f32) or 126 bits (f64) of the fraction.
The closest a float comes to a multiple of pi/2 is about 2**-30 (f32) and 2**-61 (f64), so a full significand
is left. Words are as wide as the float: no 64-bit integers are needed for f32.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from ...ir.types import INDEX
from ..kernel.nodes import Value
from .arithmetic import Arithmetic
from .double_word import leading_half


@dataclass(frozen=True, slots=True)
class _Constants:
    digits: tuple[int, ...]
    """A word of zeros, then the binary digits of 2/pi."""
    unit: tuple[float, float]
    """pi/2 * 2**(2 - width), which makes an angle of a fixed-point part of a quadrant: a first part of half
    the bits, and the rest."""


CONSTANTS = {
    "f32": _Constants(
        (0, 0xA2F9836E, 0x4E441529, 0xFC2757D1, 0xF534DDC0, 0xDB629599, 0x3C439041, 0xFE5163AB),
        (1.462922227801755e-09, -4.148534441591068e-15),
    ),
    "f64": _Constants(
        (
            0,
            0xA2F9836E4E441529,
            0xFC2757D1F534DDC0,
            0xDB6295993C439041,
            0xFE5163ABDEBBC561,
            0xB7246E3A424DD2E0,
            0x06492EEA09D1921C,
            0xFE1DEB1CB129A73E,
            0xE88235F52EBB4484,
            0xE99C7026B45F7E41,
            0x3991D639835339F4,
            0x9C845F8BBDF9283B,
            0x1FF897FFDE05980F,
            0xEF2F118B5A0A6D1F,
            0x6D367ECF27CB09B7,
            0x4F463F669E5FEA2D,
            0x7527BAC7EBE5F17B,
            0x3D0739F78A5292EA,
            0x6BFB5FB11F8D5D08,
            0x56033046FC7B6BAB,
        ),
        (3.406121610247037e-19, -3.016048264905552e-27),
    ),
}


def huge_reduction(a: Arithmetic, size: Value) -> tuple[Value, Value]:
    """(q, r) with size = q * pi/2 + r modulo 2*pi, for size above 1000; r is NaN where size is inf."""
    width = a.format.width
    bits = a.to_unsigned(size)
    significand = a.emit(
        "or", a.emit("and", bits, a.unsigned(a.format.mantissa_mask)), a.unsigned(a.format.mantissa_mask + 1)
    )
    first, second, third = _digits(a, a.shift_right(bits, a.format.mantissa))
    low = a.mul(significand, second)
    tail = a.add(low, _high_product(a, significand, third))
    carry = a.select(a.emit("lt", tail, low), a.unsigned(1), a.unsigned(0))
    head = a.add(a.add(a.mul(significand, first), _high_product(a, significand, second)), carry)
    # head has two integer bits and width - 2 of the fraction; round to the nearest quadrant.
    quadrant = a.shift_right(a.add(head, a.unsigned(1 << (width - 3))), width - 2)
    fraction = a.sub(head, a.shift_left(quadrant, width - 2))
    r = _angle(a, fraction, tail)
    return quadrant, a.add(r, a.sub(size, size))


def _digits(a: Arithmetic, exponent: Value) -> tuple[Value, Value, Value]:
    """Three words of 2/pi, from the digit whose product with the significand's last bit is worth 2."""
    width = a.format.width
    digits = CONSTANTS[a.format.dtype.name].digits
    offset = a.sub(exponent, a.unsigned(a.format.bias + a.format.precision + 1 - width))
    # Lanes that are not huge come here too on some targets: their loads must stay inside the table.
    last = a.unsigned((len(digits) - 4) * width + width - 1)
    offset = a.select(a.emit("gt", offset, last), last, offset)
    table = a.build.table(a.format.unsigned, digits)
    position = a.build.cast(a.shift_right(offset, width.bit_length() - 1), INDEX)
    words = [
        a.build.load(table, a.build.add(position, a.build.constant(k)) if k else position) for k in range(4)
    ]
    left = a.emit("and", offset, a.unsigned(width - 1))
    right = a.sub(a.unsigned(width), left)  # a shift by the whole width gives 0
    first, second, third = (
        a.emit("or", a.emit("shift_left", high, left), a.emit("shift_right", low, right))
        for high, low in pairwise(words)
    )
    return first, second, third


def _high_product(a: Arithmetic, x: Value, y: Value) -> Value:
    """The upper word of the double-width product x * y, from four products of halves."""
    half = a.format.width // 2
    mask = a.unsigned((1 << half) - 1)
    x_low, x_high = a.emit("and", x, mask), a.shift_right(x, half)
    y_low, y_high = a.emit("and", y, mask), a.shift_right(y, half)
    cross = a.mul(x_low, y_high)
    other = a.mul(x_high, y_low)
    middle = a.add(a.shift_right(a.mul(x_low, y_low), half), a.emit("and", cross, mask))
    middle = a.add(middle, a.emit("and", other, mask))
    upper = a.add(a.mul(x_high, y_high), a.shift_right(cross, half))
    return a.add(a.add(upper, a.shift_right(other, half)), a.shift_right(middle, half))


def _angle(a: Arithmetic, fraction: Value, tail: Value) -> Value:
    """The two's complement fixed-point number (fraction, tail), a part of a quadrant, in radians."""
    width = a.format.width
    negative = a.emit("ge", fraction, a.unsigned(a.format.sign_bit))
    zero, one = a.unsigned(0), a.unsigned(1)
    borrowed = a.emit("not", fraction)
    flipped = a.add(borrowed, a.select(a.emit("eq", tail, zero), one, zero))
    head = a.build.bitcast(a.select(negative, flipped, fraction), a.format.signed)
    tail = a.build.bitcast(a.shift_right(a.select(negative, a.sub(zero, tail), tail), 1), a.format.signed)
    # The head as a float and what that rounded off, then the tail.
    coarse = a.build.cast(head, a.format.dtype)
    rest = a.build.cast(a.sub(head, a.build.cast(coarse, a.format.signed)), a.format.dtype)
    fine = a.multiply_add(a.build.cast(tail, a.format.dtype), a.number(2.0 ** (1 - width)), rest)
    total = a.add(coarse, fine)
    error = a.sub(fine, a.sub(total, coarse))
    # The leading halves of both factors have an exact product.
    unit_high, unit_low = CONSTANTS[a.format.dtype.name].unit
    leading = leading_half(a, total)
    error = a.mul(a.add(error, a.sub(total, leading)), a.number(unit_high))
    low = a.multiply_add(total, a.number(unit_low), error)
    angle = a.multiply_add(leading, a.number(unit_high), low)
    return a.select(negative, a.emit("neg", angle), angle)
