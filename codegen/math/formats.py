"""The float formats that vector math computes in, and the features of a target that it uses."""

from __future__ import annotations

import struct

from ...ir.record import record
from ...ir.types import F32, F64, I32, I64, U32, U64, DType


class FloatFormat(metaclass=record):
    """A binary interchange format: `mantissa` counts the stored bits."""

    dtype: DType
    signed: DType
    unsigned: DType
    mantissa: int
    bias: int
    pack: str

    @property
    def width(self) -> int:
        return self.dtype.bits

    @property
    def precision(self) -> int:
        """Significant bits, the hidden one included."""
        return self.mantissa + 1

    @property
    def sign_bit(self) -> int:
        return 1 << (self.width - 1)

    @property
    def mantissa_mask(self) -> int:
        return (1 << self.mantissa) - 1

    def nearest(self, value: float) -> float:
        """`value` rounded to this format."""
        if self.dtype is F64:
            return value
        rounded: float = struct.unpack(self.pack, struct.pack(self.pack, value))[0]
        return rounded


FORMATS: dict[str, FloatFormat] = {
    "f32": FloatFormat(F32, I32, U32, 23, 127, "f"),
    "f64": FloatFormat(F64, I64, U64, 52, 1023, "d"),
}


class MathFeatures(metaclass=record):
    """Capabilities that choose between forms of one function; every form keeps the stated accuracy."""

    fma: bool = True
    """The instruction `fma` may be emitted; without it products are split so that they are exact."""
    wide: bool = False
    """f64 and 64-bit integers are native: f32 functions may take their hard steps in them."""
    tables: bool = False
    """A lookup in a table of up to 32 f32 or 16 f64 takes an instruction, and so do the optional
    instructions of `kernel.ops.OPTIONAL`."""
