"""The element types of arrays and kernels, one frozen record each, and numbers of these types."""

from __future__ import annotations

import struct
from collections.abc import Hashable
from typing import Literal

from .record import identity_record

Kind = Literal["bool", "int", "uint", "float", "complex", "index"]
Number = bool | int | float | complex


class DType(metaclass=identity_record):
    """An element type. `name` is jitframe's short spelling, `numpy_name` NumPy's."""

    name: str
    numpy_name: str
    kind: Kind
    bits: int

    @property
    def itemsize(self) -> int:
        """Bytes of one stored element (a bool takes one byte)."""
        return max(1, self.bits // 8)

    @property
    def is_float(self) -> bool:
        return self.kind == "float"

    @property
    def is_complex(self) -> bool:
        return self.kind == "complex"

    @property
    def is_inexact(self) -> bool:
        """Whether it is a float or a complex dtype."""
        return self.kind in ("float", "complex")

    @property
    def is_signed(self) -> bool:
        return self.kind in ("int", "float", "index")

    @property
    def is_integer(self) -> bool:
        return self.kind in ("int", "uint", "index")

    def __repr__(self) -> str:
        return self.name


BOOL = DType("bool", "bool", "bool", 1)
I8 = DType("i8", "int8", "int", 8)
I16 = DType("i16", "int16", "int", 16)
I32 = DType("i32", "int32", "int", 32)
I64 = DType("i64", "int64", "int", 64)
U8 = DType("u8", "uint8", "uint", 8)
U16 = DType("u16", "uint16", "uint", 16)
U32 = DType("u32", "uint32", "uint", 32)
U64 = DType("u64", "uint64", "uint", 64)
F16 = DType("f16", "float16", "float", 16)
BF16 = DType("bf16", "bfloat16", "float", 16)
F32 = DType("f32", "float32", "float", 32)
F64 = DType("f64", "float64", "float", 64)
C64 = DType("c64", "complex64", "complex", 64)
C128 = DType("c128", "complex128", "complex", 128)
INDEX = DType("index", "int64", "index", 64)
"""Positions and extents inside kernels: 64 bits on the CPU, 32 or 64 per launch on GPUs."""

DTYPES: tuple[DType, ...] = (BOOL, I8, I16, I32, I64, U8, U16, U32, U64, F16, BF16, F32, F64)
"""The dtypes in which kernels compute."""
COMPLEX: tuple[DType, ...] = (C64, C128)
"""The dtypes whose values are pairs of reals: graphs have them until `passes.split_complex`."""
ARRAY_DTYPES: tuple[DType, ...] = (*DTYPES, *COMPLEX)
"""The dtypes that arrays have."""
PART_OF: dict[DType, DType] = {C64: F32, C128: F64}
"""The dtype of each part of a complex value."""
WITH_PARTS: dict[DType, DType] = {part: dtype for dtype, part in PART_OF.items()}
"""The complex dtype of each dtype of parts."""
BY_NAME: dict[str, DType] = {dtype.name: dtype for dtype in (*ARRAY_DTYPES, INDEX)}
BY_NUMPY_NAME: dict[str, DType] = {dtype.numpy_name: dtype for dtype in ARRAY_DTYPES}


class Bits:
    """A number compared by its type and bits."""

    __slots__ = ("key", "value")

    def __init__(self, value: bool | int | float) -> None:
        self.value = value
        self.key: Hashable = struct.pack("<d", value) if isinstance(value, float) else (type(value), value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Bits) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)

    def __repr__(self) -> str:
        return repr(self.value)


COMMON = frozenset((0, 1, -1, 2, 0.5, float("inf"), float("-inf")))
"""Numbers that are baked into kernels."""


def is_common(value: bool | int | float) -> bool:
    """Whether a number is baked into kernels: 0, 1, -1, 2, 1/2, infinities, NaN, bools."""
    return isinstance(value, bool) or value != value or value in COMMON


def normalized(value: Number, dtype: DType) -> bool | int | float:
    """Returns a real number as Python's number of a dtype's kind."""
    assert not isinstance(value, complex), (value, dtype)
    if dtype is BOOL:
        return bool(value)
    return float(value) if dtype.is_float else int(value)
