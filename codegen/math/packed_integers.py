"""Integers of four bits in words of 32 bits, as floats."""

from __future__ import annotations

from ...ir.types import F32, U32
from ..kernel.builder import KernelBuilder
from ..kernel.nodes import Value
from .arithmetic import Arithmetic
from .expand import Body
from .formats import MathFeatures

VALUES = (0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, -8.0, -7.0, -6.0, -5.0, -4.0, -3.0, -2.0, -1.0)
HALFWAY = 12
"""The bits by which a word is shifted for integers beyond its lowest 20 bits: all of these share that."""
LOOKED_UP = (0, 4, 5, 6, 7)
"""The places of integers that tables are for: the first, which is not shifted, and those that a mantissa does
not have. The others take instructions that a processor computes meanwhile."""


def _place(place: int) -> Body:
    def body(build: KernelBuilder, word: Value, features: MathFeatures) -> Value:
        """The bits of the integer of a place as float32. Exact: the integer is bits of a mantissa, the
        highest of the four inverted, from which is subtracted what it is without them, and 8."""
        a = Arithmetic(build, F32, features)
        bit, dtype = 4 * place, word.dtype
        word = build.cast(word, U32)
        if features.tables and place in LOOKED_UP:
            return build.cast(a.to_unsigned(a.lookup(VALUES, word >> bit if place else word)), dtype)
        if bit + 4 > a.format.mantissa:
            word, bit = word >> HALFWAY, bit - HALFWAY
        exponent = a.format.mantissa - bit
        bits = (word & (15 << bit)) ^ (a.format.bias + exponent << a.format.mantissa | 8 << bit)
        return build.cast(a.to_unsigned(a.to_float(bits) - a.number(2**exponent + 8)), dtype)

    return body


int4_0, int4_1, int4_2, int4_3, int4_4, int4_5, int4_6, int4_7 = map(_place, range(8))
