"""Numbers in C-like languages: exact, whatever the number."""

from __future__ import annotations

import math
import struct

from ...ir.types import BF16, F16, F32, DType
from .dialect import Dialect

_BITS = {"f32": ("<f", "<I", 8), "f64": ("<d", "<Q", 16)}
_PLAIN = 1 << 20
"""Multiples of 1/1024 below this are spelled in decimal: any reader parses them exactly."""


def literal(dialect: Dialect, dtype: DType, value: bool | float, index_bits: int) -> str:
    """A constant of a dtype that the dialect has."""
    type_ = dialect.type_of(dtype, index_bits)
    if dtype.kind == "bool":
        return dialect.literals["bool"].format(x="true" if value else "false")
    if dtype.is_float:
        return _float(dialect, register_float(dtype), nearest(dtype, float(value)), type_)
    name = f"i{index_bits}" if dtype.kind == "index" else dtype.name
    return _integer(dialect, dtype, name, int(value), type_, index_bits)


def register_float(dtype: DType) -> DType:
    """The float that a register holds: f16 and bf16 are values of f32."""
    return F32 if dtype.bits == 16 else dtype


def nearest(dtype: DType, value: float) -> float:
    """Returns a number rounded to f16 or bf16; of other dtypes unchanged."""
    if not math.isfinite(value) or dtype not in (F16, BF16):
        return value
    if dtype is F16:
        try:
            return float(struct.unpack("<e", struct.pack("<e", value))[0])
        except OverflowError:
            return math.copysign(math.inf, value)
    try:
        (bits,) = struct.unpack("<I", struct.pack("<f", value))
    except OverflowError:
        return math.copysign(math.inf, value)
    bits = (bits + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000
    return float(struct.unpack("<f", struct.pack("<I", bits))[0])


def _integer(dialect: Dialect, dtype: DType, name: str, value: int, type_: str, index_bits: int) -> str:
    bits = index_bits if dtype.kind == "index" else dtype.bits
    if value == -(1 << (bits - 1)) and type_ in dialect.lowest and bits >= 32:
        return dialect.lowest[type_]
    text = dialect.literals[name].format(x=value)
    return f"({text})" if value < 0 and not text.startswith("(") else text


def _float(dialect: Dialect, dtype: DType, value: float, type_: str) -> str:
    if not math.isfinite(value) or (value == 0.0 and math.copysign(1.0, value) < 0):
        bits = bit_literal(dialect, dtype, value)
        return dialect.special_float.format(type=type_, bits=bits)
    return _signed(dialect.literals[dtype.name].format(x=digits(dtype, abs(value))), value)


def digits(dtype: DType, value: float) -> str:
    """A non-negative finite float rounded to its dtype: short decimals where exact, else hexadecimal."""
    rounded = struct.unpack("<f", struct.pack("<f", value))[0] if dtype.name == "f32" else value
    if rounded < _PLAIN and (rounded * 1024).is_integer():
        return repr(rounded)
    mantissa, exponent = float(rounded).hex().split("p")
    head, _, tail = mantissa.partition(".")
    return f"{head}.{tail.rstrip('0') or '0'}p{exponent}"


def bit_literal(dialect: Dialect, dtype: DType, value: float) -> str:
    """The bits of a float as an unsigned literal of its width."""
    pack, unpack, width = _BITS[dtype.name]
    (bits,) = struct.unpack(unpack, struct.pack(pack, value))
    return dialect.literals[f"u{width * 4}"].format(x=f"0x{bits:0{width}x}")


def _signed(text: str, value: float) -> str:
    return f"(-{text})" if value < 0 else text
