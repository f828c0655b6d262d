"""Sort keys: unsigned integers in the order of the elements, and elements from keys.

NaN is the largest; zeros are equal where positions are asked for, else -0.0 comes first, so that every key
is one element (every NaN the same). Keys of a descending sort are those of an ascending one subtracted from
the largest. After D. Knuth, The Art of Computer Programming 3, 5.2.5, and T. Herf, Radix Tricks (2001).
"""

from __future__ import annotations

from ....ir.record import record
from ....ir.types import BF16, BOOL, F16, F64, I32, I64, U16, U32, U64, DType
from ...kernel.builder import KernelBuilder
from ...kernel.nodes import Value

_INFINITY = {F16: 0x7C00, BF16: 0x7F80, F64: 0x7FF0_0000_0000_0000}


class Order(metaclass=record):
    """The order of a dtype's elements."""

    dtype: DType
    descending: bool
    equal_zeros: bool
    """Whether -0.0 has the key of 0.0."""

    @property
    def key_dtype(self) -> DType:
        return U64 if self.dtype.bits == 64 else U32

    @property
    def bits(self) -> int:
        """The bits of a key, from the lowest."""
        return self.dtype.bits

    @property
    def _largest(self) -> int:
        return (1 << self.bits) - 1

    @property
    def _sign(self) -> int:
        return 1 << (self.bits - 1)

    def key(self, build: KernelBuilder, value: Value) -> Value:
        """Returns the key of an element."""
        made = self._ascending(build, value)
        return self._reversed(build, made) if self.descending else made

    def element(self, build: KernelBuilder, key: Value) -> Value:
        """Returns the element of a key, where zeros have keys of their own."""
        assert not self.equal_zeros
        dtype, wide = self.dtype, self.key_dtype
        if self.descending:
            key = self._reversed(build, key)
        if dtype.kind == "int":
            key = key - self._sign
            return build.cast(build.bitcast(key, I64 if wide is U64 else I32), dtype)
        if dtype.is_float:
            sign = build.constant(self._sign, wide)
            positive = key >= sign
            bits = build.select(positive, key - sign, self._reversed(build, key))
            return build.bitcast(build.cast(bits, U16) if dtype.bits == 16 else bits, dtype)
        if dtype is BOOL:
            return key.differs(0)
        return build.cast(key, dtype)

    def _reversed(self, build: KernelBuilder, key: Value) -> Value:
        return self._largest - key

    def _ascending(self, build: KernelBuilder, value: Value) -> Value:
        dtype, wide = self.dtype, self.key_dtype
        if dtype.kind == "int":
            signed = build.cast(value, I64 if wide is U64 else I32)
            return build.bitcast(signed, wide) + self._sign
        if not dtype.is_float:
            return build.cast(value, wide)
        bits = build.cast(build.bitcast(value, U16), wide) if dtype.bits == 16 else build.bitcast(value, wide)
        sign = build.constant(self._sign, wide)
        size = bits & (self._sign - 1)
        below = sign - size if self.equal_zeros else self._reversed(build, bits)
        made = build.select(bits >= sign, below, sign + size)
        infinity = build.constant(_INFINITY.get(dtype, 0x7F80_0000), wide)
        largest = build.constant(self._largest, wide)
        return build.select(size > infinity, largest, made)
