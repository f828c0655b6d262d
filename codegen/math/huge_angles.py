"""Reduction of huge angles modulo pi/2, from the digits of 2/pi that matter: an f32's in f64 where that is
native and has fma, others in integers.
"""

from __future__ import annotations

import math
from functools import cache

from ...ir.types import F32, F64, INDEX, U32, U64
from ..kernel.nodes import Value
from .arithmetic import Arithmetic

TWO_OVER_PI = bytes(8) + bytes.fromhex(
    "a2f9836e4e441529fc2757d1f534ddc0db6295993c439041fe5163abdebbc561b7246e3a424d"
    "d2e006492eea09d1921cfe1deb1cb129a73ee88235f52ebb4484e99c7026b45f7e413991d639"
    "835339f49c845f8bbdf9283b1ff897ffde05980fef2f118b5a0a6d1f6d367ecf27cb09b74f46"
    "3f669e5fea2d7527bac7ebe5f17b3d0739f78a5292ea6bfb5fb11f8d5d0856033046fc7b6bab"
)
"""64 zeros and the first 1216 binary digits of 2/pi."""
FIRST_EXPONENT = 128
"""The exponent field of 2.0 as an f32: digits are chosen for floats from there on."""


def huge_reduction(a: Arithmetic, size: Value) -> tuple[Value, Value, Value]:
    """(q, r, s) with size = q * pi/2 + r + s modulo 2*pi, for size above 1000; s is below half an ulp of r,
    which is NaN where size is inf."""
    if a.format.width == 32 and a.features.wide and a.features.fma:
        return _fused_reduction(a, size)
    from .payne_hanek import integer_reduction  # an f32 on most processors needs none of it

    return integer_reduction(a, size)


def _fused_reduction(a: Arithmetic, size: Value) -> tuple[Value, Value, Value]:
    """The reduction of an f32 of at least 2 in f64 with fma: its product with 106 digits, of which the first
    53 are multiplied exactly, as a rounded product and what that lacks."""
    build, bits = a.build, a.to_unsigned(size)
    block = build.cast(bits >> a.format.mantissa + 4 & 7, INDEX)
    digits = build.table(F64, _digit_pairs())
    first, second = build.load(digits, block), build.load(digits, block + 8)
    x = build.cast(size, F64)
    product = x * first
    # Below 2**41: the sum's low bits are the nearest integer. Where size is inf, `lacking` is NaN.
    magic = build.constant(1.5 * 2.0**52, F64)
    rounded = product + magic
    lacking = a.emit("fma", x, first, -product)
    fraction = product - (rounded - magic) + a.emit("fma", x, second, lacking)
    angle = fraction * (math.pi / 2)
    return build.cast(build.bitcast(rounded, U64), U32), *narrowed(a, angle)


def narrowed(a: Arithmetic, angle: Value) -> tuple[Value, Value]:
    """An f64 as a pair of f32."""
    r = a.build.cast(angle, F32)
    return r, a.build.cast(angle - a.build.cast(r, F64), F32)


@cache
def _digit_pairs() -> tuple[float, ...]:
    """For every sixteen exponents of f32 from FIRST_EXPONENT on, 53 digits of 2/pi, the first of which is
    worth 2 in a product with the last bit of the least of these floats; then, for each, the 53 after them."""
    digits, known = int.from_bytes(TWO_OVER_PI), 8 * len(TWO_OVER_PI) - 64
    least_bits = range(FIRST_EXPONENT - 150, 256 - 150, 16)

    def digits_from(first: int) -> float:
        last = first + 52
        return math.ldexp(digits >> (known - last) & (1 << 53) - 1, -last)

    return tuple(digits_from(bit - 1 + skipped) for skipped in (0, 53) for bit in least_bits)
