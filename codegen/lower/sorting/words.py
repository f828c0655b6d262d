"""The words that sorts move: keys, and the elements' positions with them."""

from __future__ import annotations

from collections.abc import Sequence

from ....ir.expr import less
from ....ir.types import I64, INDEX, U32, U64, DType
from ...kernel.nodes import Buffer, Value
from .rows import Rows, SortKernel

DIGIT = 8
"""Bits of a digit: each of its values has a write position with a cache line of its own."""
DIGITS = 1 << DIGIT
SIGN = 1 << 63
LEAST_SPLIT_BITS = 32
"""The least bits of keys that are split by pivots: shorter ones have few digits."""
LEAST_LANE_PASSES = 32
"""The least product of a vector's lanes and the passes of a radix sort for which quicksort is faster."""


class Words:
    """The words that are moved for each element: its key; for argsort with the position in the low bits of a
    wider word, or in a second array."""

    def __init__(self, rows: Rows) -> None:
        self.rows, self.order = rows, rows.order
        self.first_bit = 0
        self.dtype: DType = self.order.key_dtype
        self.position_dtype: DType | None = None
        twice = rows.elements * 2
        if rows.positions:
            packed = self.dtype is U32 and rows.result.dtype is I64
            if packed and rows.decide(less(rows.length, 1 << 32)):
                self.first_bit, self.dtype = 32, U64
            else:
                self.position_dtype = rows.position_dtype()
        lanes = rows.machine.append_bits // self.dtype.bits
        self.are_split = (
            self.position_dtype is None
            and self.order.bits >= LEAST_SPLIT_BITS
            and lanes * self.passes >= LEAST_LANE_PASSES
        )
        """Whether elements are split by pivots; else sorted by one digit after another."""
        if self.are_split and self.dtype is U64:
            self.dtype = I64  # which more processors compare by one instruction
        self.words = rows.scratch(self.dtype, twice)
        self.places = None if self.position_dtype is None else rows.scratch(self.position_dtype, twice)

    @property
    def passes(self) -> int:
        """Digits of a key."""
        return self.order.bits // DIGIT or 1

    def buffers(self, kernel: SortKernel) -> list[Buffer]:
        return [kernel.buffer(memory) for memory in (self.words, self.places) if memory is not None]

    def encoded(self, kernel: SortKernel, value: Value, position: Value) -> Value:
        build = kernel.build
        word = self.order.key(build, value)
        if self.first_bit:
            word = (build.cast(word, U64) << self.first_bit) | build.cast(position, U64)
        return build.bitcast(word - SIGN, I64) if self.dtype is I64 else word

    def result(self, kernel: SortKernel, moved: Sequence[Buffer], at: Value) -> Value:
        """Returns the element, or position, that was moved to a place."""
        build = kernel.build
        if self.places is not None:
            return build.cast(build.load(moved[1], at), self.rows.result.dtype)
        return self.decoded(kernel, build.load(moved[0], at))

    def decoded(self, kernel: SortKernel, word: Value) -> Value:
        """Returns the element of a word, or its position."""
        if not self.rows.positions:
            key = kernel.build.bitcast(word, U64) + SIGN if self.dtype is I64 else word
            return self.order.element(kernel.build, key)
        return kernel.build.cast((word & ((1 << self.first_bit) - 1)), self.rows.result.dtype)

    def shift(self, kernel: SortKernel, digit_pass: Value) -> Value:
        """Returns the shift of a pass's digit, which is known to be less than the width."""
        bit = digit_pass * DIGIT + self.first_bit
        return kernel.build.cast(bit, self.dtype) & (self.dtype.bits - 1)

    def digit(self, kernel: SortKernel, word: Value, shift: Value) -> Value:
        return kernel.build.cast((word >> shift) & (DIGITS - 1), INDEX)

    def varies(self, kernel: SortKernel, differing: Value, shift: Value) -> Value:
        """Whether the elements have several values of a digit, by the bits in which they differ."""
        return self.digit(kernel, differing, shift).differs(0)
