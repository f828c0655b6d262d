"""One promotion rule everywhere: NumPy 2's (NEP 50, https://numpy.org/neps/nep-0050-scalar-promotion.html).

Arrays and NumPy scalars bring their dtype. Python numbers are weak: they bring a kind (bool < int < float <
complex) and take the dtype of what they meet, or the default dtype of their kind where that is of a lower
kind.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy

from ..errors import DTypeError, NumberError, UnsupportedError
from ..ir.node import Node
from ..ir.types import (
    ARRAY_DTYPES,
    BF16,
    BOOL,
    BY_NUMPY_NAME,
    C128,
    F16,
    F32,
    F64,
    I8,
    I16,
    I32,
    I64,
    PART_OF,
    U8,
    U16,
    U32,
    U64,
    WITH_PARTS,
    DType,
)

Number = bool | int | float | complex


class Weak:
    """A rank-0 node that represents a Python number (an argument of a traced function, say)."""

    __slots__ = ("node",)

    def __init__(self, node: Node) -> None:
        self.node = node


Operand = Node | Weak | Number
"""What the functions on nodes take: at least one of a function's operands is a Node."""

NUMBERS = frozenset((bool, int, float, complex))
"""Exact types of weak numbers: `numpy.float64` is a float too, and is strong."""

_BOOL, _INTEGER, _FLOAT, _COMPLEX = range(4)
_KIND_OF_NUMBER: dict[type, int] = {bool: _BOOL, int: _INTEGER, float: _FLOAT, complex: _COMPLEX}
_DEFAULTS = (BOOL, I64, F64, C128)
_SIGNED = {8: I8, 16: I16, 32: I32, 64: I64}
_UNSIGNED = {8: U8, 16: U16, 32: U32, 64: U64}


def kind_of(dtype: DType) -> int:
    """Returns 0 for bool, 1 for integers, 2 for floats, 3 for complex: the promotion order of kinds."""
    if dtype.is_float:
        return _FLOAT
    if dtype.is_complex:
        return _COMPLEX
    return _BOOL if dtype is BOOL else _INTEGER


def _promote_integers(x: DType, y: DType) -> DType:
    if x.kind == y.kind:
        return x if x.bits >= y.bits else y
    signed, unsigned = (x, y) if x.kind == "int" else (y, x)
    if signed.bits > unsigned.bits:
        return signed
    return _SIGNED[2 * unsigned.bits] if unsigned.bits < 64 else F64


def _promote_floats(x: DType, y: DType) -> DType:
    if x.bits == y.bits:  # float16 and bfloat16: neither holds the other
        return x if x is y else F32
    return x if x.bits > y.bits else y


def _promote_mixed(floating: DType, other: DType) -> DType:
    """A float that holds both, where 8-bit integers fit every float and 16-bit ones fit float32."""
    if other is BOOL:
        return floating
    needed = {8: F16, 16: F32}.get(other.bits, F64)
    if needed is F16:
        return floating
    return _promote_floats(floating, needed) if floating.bits < needed.bits else floating


def with_parts(dtype: DType) -> DType:
    """The complex dtype that holds the values of a dtype."""
    return dtype if dtype.is_complex else WITH_PARTS[_promote(F32, dtype)]


def _promote(x: DType, y: DType) -> DType:
    if x is y:
        return x
    if x.is_complex or y.is_complex:
        return WITH_PARTS[_promote_floats(PART_OF[with_parts(x)], PART_OF[with_parts(y)])]
    kinds = kind_of(x), kind_of(y)
    if kinds[0] == kinds[1]:
        return _promote_floats(x, y) if kinds[0] == _FLOAT else _promote_integers(x, y)
    low, high = (x, y) if kinds[0] < kinds[1] else (y, x)
    return _promote_mixed(high, low) if high.is_float else high


_PROMOTED: dict[tuple[str, str], DType] = {}
_FLOATING = {
    dtype.name: dtype
    if dtype.is_float or dtype.is_complex
    else {1: F16, 8: F16, 16: F32}.get(dtype.bits, F64)
    for dtype in ARRAY_DTYPES
}


def promote(x: DType, y: DType) -> DType:
    """The dtype that holds two arrays' values; it need not be a supported one."""
    if x is y:
        return x
    dtype = _PROMOTED.get((x.name, y.name))
    if dtype is None:
        dtype = _PROMOTED[x.name, y.name] = _promote(x, y)
    return dtype


def number_kind(value: Number) -> int:
    """The kind of a Python number, subclasses of int, float and complex included."""
    kind = _KIND_OF_NUMBER.get(type(value))
    if kind is not None:
        return kind
    if isinstance(value, int):
        return _INTEGER
    return _COMPLEX if isinstance(value, complex) else _FLOAT


def result_dtype(operands: Iterable[Operand | DType]) -> DType:
    """The dtype of a result: arrays' dtypes promoted, then raised to the kind of the weak numbers."""
    strong: DType | None = None
    weak = -1
    for operand in operands:
        if operand.__class__ is Node or operand.__class__ is DType:
            dtype: DType = operand.dtype if isinstance(operand, Node) else operand
            strong = dtype if strong is None else promote(strong, dtype)
        elif isinstance(operand, Weak):
            weak = max(weak, kind_of(operand.node.dtype))
        else:
            weak = max(weak, number_kind(operand))  # type: ignore[arg-type]
    if strong is None:
        return _DEFAULTS[weak]
    if weak <= kind_of(strong):
        return strong
    return with_parts(strong) if weak == _COMPLEX and strong.is_float else _DEFAULTS[weak]


def floating(dtype: DType) -> DType:
    """The dtype in which NumPy computes exp, sqrt and their like of `dtype`: float16 for bool and 8 bits."""
    return _FLOATING[dtype.name]


def floating_result(operands: Sequence[Operand]) -> DType:
    """Returns the dtype in which NumPy computes a float function of several operands: one that holds the
    dtype of each alone, so that it is float16 for int8 and uint8."""
    arrays = [operand.dtype for operand in operands if isinstance(operand, Node)]
    promoted = result_dtype(operands)
    if BF16 in arrays or kind_of(promoted) > max(map(kind_of, arrays), default=-1):
        return floating(promoted)
    result = floating(arrays[0])
    for dtype in arrays[1:]:
        result = promote(result, floating(dtype))
    return result


def from_numpy(dtype: Any) -> DType:
    """The DType of anything that NumPy takes as a dtype. Raises where arrays cannot have it."""
    if not isinstance(dtype, numpy.dtype):
        return _from_anything(dtype)
    known = KNOWN.get(dtype)
    if known is None:
        known = KNOWN[dtype] = _from_anything(dtype)
    return known


KNOWN: dict[numpy.dtype[Any], DType] = {
    numpy.dtype(dtype.numpy_name): dtype for dtype in ARRAY_DTYPES if dtype is not BF16
}
"""NumPy's own dtypes, and those found by `from_numpy`: NumPy takes microseconds to return a dtype's name."""


def is_supported(dtype: numpy.dtype[Any]) -> bool:
    """Whether arrays of a dtype can be inputs of programs."""
    return dtype in KNOWN or (dtype.isnative and dtype.name in BY_NUMPY_NAME)


def _from_anything(dtype: Any) -> DType:
    if isinstance(dtype, DType):
        return dtype
    if dtype.__class__ is str and dtype == BF16.numpy_name:
        bfloat16()
    parts = dtype if isinstance(dtype, tuple) else (dtype,)
    if any(not isinstance(part, type) and hasattr(part, "__array_ufunc__") for part in parts):
        raise DTypeError("an array is no dtype; write x.dtype for the one it has")
    try:
        described = numpy.dtype(dtype)
    except (TypeError, ValueError, OverflowError) as error:
        raise DTypeError(f"{dtype!r} is no dtype: {error}") from None
    found = KNOWN.get(described)
    if found is None and described.isnative:
        found = BY_NUMPY_NAME.get(described.name)
    if found is None:
        raise UnsupportedError(unsupported(described))
    return found


def unsupported(dtype: numpy.dtype[Any]) -> str:
    """Returns the text of the error about arrays of a dtype without programs."""
    names = ", ".join(each.numpy_name for each in ARRAY_DTYPES)
    return f"arrays of {dtype} are not supported; convert to one of {names}"


def bfloat16() -> numpy.dtype[Any]:
    """The dtype of bfloat16 arrays, which the package ml_dtypes adds to NumPy. Raises DTypeError without it.

    NumPy knows the name "bfloat16" from then on.
    """
    try:
        import ml_dtypes
    except ImportError:
        raise DTypeError(
            "bfloat16 arrays need the package ml_dtypes, which adds the dtype to NumPy: pip install ml_dtypes"
        ) from None
    dtype: numpy.dtype[Any] = numpy.dtype(ml_dtypes.bfloat16)
    return dtype


_RANGES: dict[str, tuple[int, int]] = {
    **{dtype.name: (-1 << dtype.bits - 1, (1 << dtype.bits - 1) - 1) for dtype in _SIGNED.values()},
    **{dtype.name: (0, (1 << dtype.bits) - 1) for dtype in _UNSIGNED.values()},
}


def limits_of(dtype: DType) -> tuple[int, int]:
    """The smallest and the largest value of an integer dtype."""
    return _RANGES[dtype.name]


def fits(value: int, dtype: DType) -> bool:
    """Whether an integer dtype holds `value`."""
    lowest, highest = _RANGES[dtype.name]
    return lowest <= value <= highest


def check_fits(value: bool | int | float, dtype: DType) -> None:
    """Raises NumPy's OverflowError where an integer dtype does not hold the Python integer `value`."""
    if dtype.is_integer and not fits(int(value), dtype):
        error = NumberError(f"Python integer {value} out of bounds for {dtype.numpy_name}")
        error.is_of_python = dtype is I64
        raise error


def castable(source: DType, target: DType) -> bool:
    """NumPy's `same_kind` rule, which in-place operations follow: never down a kind."""
    if source.kind == "int" and target.kind == "uint":
        return False
    return kind_of(source) <= kind_of(target)


def cast_error(
    source: object, target: object, casting: str, more: str = "; casting='unsafe' allows it"
) -> DTypeError:
    """Returns NumPy's message for a cast between two dtypes, given by name, that a rule forbids."""
    return DTypeError(
        f"Cannot cast array data from dtype('{source}') to dtype('{target}') according to the rule "
        f"'{casting}'{more}"
    )
