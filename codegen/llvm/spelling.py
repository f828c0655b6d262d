"""LLVM's types and constants for jitframe's element types."""

from __future__ import annotations

import math
import struct
from functools import cache

from ...ir.types import DType

_FLOATS = {"f16": "i16", "bf16": "i16", "f32": "float", "f64": "double"}
SUFFIX = {"float": "f32", "double": "f64"}


def register_type(dtype: DType) -> str:
    """The type of a value: bool is i1, 16-bit floats are held as their bits."""
    if dtype.is_float:
        return _FLOATS[dtype.name]
    return f"i{dtype.bits}"


def memory_type(dtype: DType) -> str:
    """The type of an element in memory: a bool takes a byte."""
    return "i8" if dtype.kind == "bool" else register_type(dtype)


def stored_type(type_: str) -> str:
    """The element type in memory of a register type: bools take a byte, one by one and side by side."""
    return "i8" if type_ == "i1" else type_


def bits_of(type_: str) -> int:
    """The bits of a scalar type."""
    return {"float": 32, "double": 64}.get(type_) or int(type_[1:])


def bytes_of(type_: str) -> int:
    """The bytes of an element in memory, which are also its alignment."""
    return bits_of(type_) // 8


@cache
def vector(element: str, width: int) -> str:
    return element if width == 1 else f"<{width} x {element}>"


@cache
def suffix(element: str, width: int) -> str:
    """The overload suffix of an intrinsic: f32, v16f32, v8i64."""
    name = SUFFIX.get(element, "p0" if element == "ptr" else element)
    return name if width == 1 else f"v{width}{name}"


def constant(value: bool | int | float, dtype: DType) -> str:
    """A literal of `dtype`, rounded and wrapped as storage would."""
    if dtype.kind == "bool":
        return "true" if value else "false"
    if not dtype.is_float:
        return str(wrap(int(value), dtype.bits, dtype.is_signed))
    if dtype.name == "f64":
        return double(float(value))
    if dtype.name == "f32":
        return double(_to_f32(float(value)))
    return str(half_bits(float(value)) if dtype.name == "f16" else bfloat_bits(float(value)))


def double(value: float) -> str:
    """LLVM's hexadecimal literal, which serves float and double."""
    return f"0x{struct.unpack('<Q', struct.pack('<d', value))[0]:016X}"


def is_nan(text: str) -> bool:
    """Whether a constant float's text, of one lane or of all, is a NaN."""
    bits = int(text[text.index("0x") :].rstrip(")"), 16)
    return bits & (1 << 63) - 1 > 0x7FF << 52


def wrap(value: int, bits: int, signed: bool) -> int:
    value &= (1 << bits) - 1
    return value - (1 << bits) if signed and value >> (bits - 1) else value


def _to_f32(value: float) -> float:
    try:
        rounded: float = struct.unpack("<f", struct.pack("<f", value))[0]
    except OverflowError:
        return math.copysign(math.inf, value)
    return rounded


def half_bits(value: float) -> int:
    try:
        bits: int = struct.unpack("<h", struct.pack("<e", value))[0]
    except OverflowError:
        return 0x7C00 if value > 0 else 0x7C00 - 0x8000
    return bits


def bfloat_bits(value: float) -> int:
    (bits,) = struct.unpack("<I", struct.pack("<f", _to_f32(value)))
    if value != value:
        return wrap((bits >> 16) | 0x40, 16, True)
    return wrap((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16, 16, True)
