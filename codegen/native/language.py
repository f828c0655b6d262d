"""What a native source imports: the types, `export`, `Global`, and the names of the intrinsics.

A native source is ordinary Python that the translator reads: functions whose parameters, results and
locals have fixed types. Integers wrap at their width; `//` and `%` round down as Python's do (by zero:
undefined); shifts by the width or more are undefined; `>>` keeps the sign. A struct parameter is a pointer
to the struct. An intrinsic whose parameter is called `place` takes a field or an element, not its value.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn, TypeVar

from .types import Array, Function, Pointer, Scalar, Struct, boolean, f32, f64, i8, i32, i64, ptr

__all__ = [
    "INTRINSICS", "Array", "Function", "Global", "Pointer", "Scalar", "Struct", "address", "atomic_add",
    "atomic_compare_exchange", "atomic_exchange", "atomic_load", "atomic_store", "bits_of_f32", "bits_of_f64",
    "boolean", "cpuid", "export", "f32", "f64", "fence", "i8", "i32", "i64", "leading_zeros", "local",
    "offset", "pause", "ptr", "select", "sfence", "shift_right_unsigned", "sizeof", "unsigned_less", "xgetbv",
]  # fmt: skip

F = TypeVar("F", bound=Callable[..., Any])


class Global:
    """A pointer to a struct that the loader writes into the image before the image becomes read-only."""

    def __init__(self, symbol: str, struct: type[Struct]) -> None:
        self.symbol = symbol
        self.struct = struct


def export(function: F) -> F:
    """Give the function a symbol in the image; others are internal and may be inlined away."""
    return function


def _native_only(*_: Any) -> NoReturn:
    raise NotImplementedError("this intrinsic exists in translated code only")


def address(place: Any) -> Any:
    """The address of a field or element."""
    _native_only(place)


def offset(pointer: Any, nbytes: Any) -> Any:
    """The pointer moved by a number of bytes."""
    _native_only(pointer, nbytes)


def local(kind: Any, length: int = 1) -> Any:
    """Uninitialised stack memory for `length` elements, alive until the function returns."""
    _native_only(kind, length)


def sizeof(kind: Any) -> Any:
    """Bytes that one element of the type takes in memory."""
    _native_only(kind)


def atomic_load(place: Any) -> Any:
    """Load with acquire order."""
    _native_only(place)


def atomic_store(place: Any, value: Any) -> None:
    """Store with release order."""
    _native_only(place, value)


def atomic_add(place: Any, value: Any) -> Any:
    """Add, sequentially consistent; gives the old value."""
    _native_only(place, value)


def atomic_exchange(place: Any, value: Any) -> Any:
    """Store, sequentially consistent; gives the old value."""
    _native_only(place, value)


def atomic_compare_exchange(place: Any, expected: Any, desired: Any) -> Any:
    """Store `desired` if `expected` is there, sequentially consistent; whether it was."""
    _native_only(place, expected, desired)


def fence() -> None:
    """A sequentially consistent fence."""
    _native_only()


def pause() -> None:
    """Tell the processor that this is a spin loop."""
    _native_only()


def sfence() -> None:
    """Order streaming stores before later stores; nothing where the architecture has none."""
    _native_only()


def cpuid(leaf: Any, subleaf: Any, registers: Any) -> None:
    """Write eax, ebx, ecx, edx to `registers: ptr[i32]`; zeros where the architecture has none."""
    _native_only(leaf, subleaf, registers)


def xgetbv() -> Any:
    """Extended control register 0 as i64; 0 where the architecture has none. Needs OSXSAVE."""
    _native_only()


def select(condition: bool, yes: Any, no: Any) -> Any:
    """One of two values, both evaluated, without a branch."""
    return yes if condition else no


def shift_right_unsigned(value: Any, amount: Any) -> Any:
    """Shift right, filling with zeros."""
    _native_only(value, amount)


def unsigned_less(left: Any, right: Any) -> Any:
    """Compare as unsigned integers."""
    _native_only(left, right)


def leading_zeros(value: int) -> int:
    """Zero bits above the highest set bit of an i64; 64 for 0."""
    return 64 - (value & (1 << 64) - 1).bit_length()


def bits_of_f32(value: Any) -> Any:
    """The bits of an f32 as i32."""
    _native_only(value)


def bits_of_f64(value: Any) -> Any:
    """The bits of an f64 as i64."""
    _native_only(value)


INTRINSICS: dict[int, str] = {
    id(function): function.__name__
    for function in (
        address, offset, local, sizeof, atomic_load, atomic_store, atomic_add, atomic_exchange,
        atomic_compare_exchange, fence, pause, sfence, cpuid, xgetbv, select, shift_right_unsigned,
        unsigned_less, leading_zeros, bits_of_f32, bits_of_f64,
    )
}  # fmt: skip
