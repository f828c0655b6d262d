"""Values while a function is translated, and the implicit conversions that are allowed between them."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Any

from .types import (
    Function,
    NativeType,
    Pointer,
    Scalar,
    Struct,
    boolean,
    describe,
    f32,
    f64,
    i64,
    is_pointer,
    is_struct,
)


@dataclass(frozen=True, slots=True)
class Value:
    """An LLVM operand (a register or a constant) of a known type."""

    text: str
    kind: NativeType


@dataclass(frozen=True, slots=True)
class Literal:
    """A Python number or None that takes the type its use asks for."""

    number: int | float | None


@dataclass(frozen=True, slots=True)
class Place:
    """Memory: an address and the type of what lies there.

    `inline` marks a struct or array stored whole: its value is its address, and it cannot be assigned.
    """

    address: str
    kind: Any
    inline: bool = False


Operand = Value | Literal


def literal_as(literal: Literal, kind: NativeType) -> Value | None:
    """The literal as a constant of that type, or None where it does not fit."""
    number = literal.number
    if number is None:
        return Value("null", kind) if is_pointer(kind) else None
    if not isinstance(kind, Scalar):
        return None
    if kind is boolean:
        return Value("true" if number else "false", kind) if isinstance(number, bool) else None
    if kind.floating:
        return Value(float_text(float(number), kind), kind)
    if isinstance(number, float):
        return None
    bits = 8 * kind.nbytes
    if not -(1 << (bits - 1)) <= number < 1 << bits:
        return None
    return Value(str(kind(number)), kind)


def literal_default(literal: Literal) -> Value | None:
    """The literal with the type it has where nothing asks for one: i64, f64, boolean or ptr."""
    number = literal.number
    if number is None:
        return Value("null", Pointer())
    kind = boolean if isinstance(number, bool) else f64 if isinstance(number, float) else i64
    return literal_as(literal, kind)


def float_text(number: float, kind: Scalar) -> str:
    """LLVM's exact hexadecimal spelling; a float is written as the double of equal value."""
    if kind is f32:
        number = struct.unpack("<f", struct.pack("<f", number))[0]
    return f"0x{struct.unpack('<Q', struct.pack('<d', number))[0]:016X}"


def converts(source: NativeType, target: NativeType) -> bool:
    """Whether a value may be used where `target` is asked for, without a cast."""
    if source == target:
        return True
    if not (is_pointer(source) and is_pointer(target)):
        return False
    return _untyped(source) or _untyped(target)


def _untyped(kind: NativeType) -> bool:
    return isinstance(kind, Pointer) and kind.element is None


def element_of(kind: NativeType) -> Any:
    """What indexing such a pointer gives, or None where it cannot be indexed."""
    if isinstance(kind, Pointer):
        return kind.element
    return kind if is_struct(kind) else None


def integer(kind: NativeType) -> bool:
    return isinstance(kind, Scalar) and not kind.floating and kind is not boolean


def floating(kind: NativeType) -> bool:
    return isinstance(kind, Scalar) and kind.floating


__all__ = [
    "Function", "Literal", "Operand", "Place", "Struct", "Value", "converts", "describe", "element_of",
    "float_text", "floating", "integer", "literal_as", "literal_default",
]  # fmt: skip
