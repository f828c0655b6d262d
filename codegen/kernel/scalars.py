"""The meaning of every pure instruction on one element: the definition that all backends are tested against.

A bool is a Python bool, an integer or index a Python int in range, a float a NumPy scalar of its dtype
(bf16: a float32 that bf16 holds exactly). f16 and bf16 are computed in f32 and rounded after each operation.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

from ...ir.ops.elementwise import gamma, log_gamma
from ...ir.ops.randomness import mul_high_value, philox_words
from ...ir.types import BF16, BOOL, F16, I32, INDEX, U64, DType

Scalar = Any
"""bool, int, np.float16, np.float32 or np.float64, as the dtype has it."""


def storage_dtype(dtype: DType) -> np.dtype[Any]:
    """The NumPy dtype that holds an element in memory; bf16 is held as its bits."""
    return np.dtype(np.uint16 if dtype is BF16 else dtype.numpy_name)


def from_number(value: Any, dtype: DType) -> Scalar:
    """A Python or NumPy number as a scalar of `dtype`, rounded to nearest even or wrapped."""
    if dtype is BOOL:
        return bool(value)
    if dtype.is_integer:
        return wrap(int(value), dtype)
    return round_float(value, dtype)


def from_storage(element: Any, dtype: DType) -> Scalar:
    """A scalar from an element of an array of `storage_dtype(dtype)`."""
    if dtype is BF16:
        return np.uint32(int(element) << 16).view(np.float32)
    if dtype.is_float:
        return element
    return bool(element) if dtype is BOOL else int(element)


def to_storage(value: Scalar, dtype: DType) -> Any:
    """The element that an array of `storage_dtype(dtype)` holds for a scalar."""
    if dtype is BF16:
        return np.uint16(int(np.float32(value).view(np.uint32)) >> 16)
    return value


def wrap(value: int, dtype: DType) -> int:
    """Two's complement of the width of `dtype`; an index must not overflow."""
    bits = dtype.bits
    low = value & ((1 << bits) - 1)
    wrapped = low - (1 << bits) if dtype.is_signed and low >> (bits - 1) else low
    if dtype is INDEX and wrapped != value:
        raise ArithmeticError(f"an index overflows: {value}")
    return wrapped


def round_float(value: Any, dtype: DType) -> Scalar:
    """A float rounded once to `dtype` (bf16: from the nearest float32)."""
    with np.errstate(all="ignore"):
        return _rounding(dtype)(value)


@cache
def _rounding(dtype: DType) -> Callable[[Any], Scalar]:
    if dtype is BF16:
        return lambda value: _round_bf16(np.float32(value))
    return np.dtype(dtype.numpy_name).type


def _round_bf16(value: np.float32) -> np.float32:
    if np.isnan(value):
        return value
    bits = int(value.view(np.uint32))
    rounded = (bits + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000
    return np.uint32(rounded).view(np.float32)


def evaluate(name: str, operands: list[Scalar], dtype: DType) -> Scalar:
    """The result of a pure instruction of rule same, shift, compare or select on operands of `dtype`."""
    with np.errstate(all="ignore"):
        return meaning(name, dtype)(*operands)


@cache
def meaning(name: str, dtype: DType) -> Callable[..., Scalar]:
    """Returns the function that `evaluate` calls; the caller ignores NumPy's warnings."""
    if name == "select":
        return lambda chosen, x, y: x if chosen else y
    if name in _COMPARE:
        compare = _COMPARE[name]
        return (lambda x, y: bool(compare(x, y))) if dtype.is_float else compare
    if dtype is BOOL:
        return lambda *operands: bool(_BOOLEAN[name](*operands))
    return _of_floats(name, dtype) if dtype.is_float else _of_integers(name, dtype)


def _of_integers(name: str, dtype: DType) -> Callable[..., int]:
    compute, more = _INTEGER[name], (dtype,) if name in _WIDTH else ()
    least = -(1 << (dtype.bits - 1)) if dtype.is_signed else 0
    most = least + (1 << dtype.bits) - 1

    def integer(*operands: int) -> int:
        exact = compute(*operands, *more)
        return exact if least <= exact <= most else wrap(exact, dtype)

    return integer


def _of_floats(name: str, dtype: DType) -> Callable[..., Scalar]:
    rounded = _rounding(dtype)
    if name in _MATH:
        function = _MATH[name]
        return lambda *operands: rounded(function(*map(np.float64, operands)))
    compute = _FLOAT[name]
    if dtype is not F16:
        return lambda *operands: rounded(compute(*operands))
    if name in _EXTREMES:
        return lambda x, y: x if x == y else rounded(compute(np.float32(x), np.float32(y)))
    return lambda *operands: rounded(compute(*map(np.float32, operands)))


def cast(value: Scalar, source: DType, target: DType) -> Scalar:
    """NumPy's value conversion as it is on x86-64, made total by a table (out of range, NaN)."""
    if target is BOOL:
        return bool(value != 0)
    if target.is_float:
        if source.is_float:
            return round_float(value, target)
        exact = np.array(value, storage_dtype(source))
        if target is BF16:
            return _round_bf16(np.float32(exact.astype(np.float32)))
        with np.errstate(over="ignore"):
            return exact.astype(target.numpy_name)[()]
    return float_to_integer(value, target) if source.is_float else wrap(int(value), target)


def float_to_integer(value: Scalar, target: DType) -> int:
    """Truncates; out of range and for NaN, the result is that of x86-64's conversion instructions.

    Narrow integers convert through i32, u32 through i64, and keep the low bits; u64 takes the half above
    2**63 by a shifted conversion. An impossible i32 or i64 conversion gives the smallest integer.
    """
    value = float(value)
    finite = math.isfinite(value)
    if target is U64 and value >= 2.0**63:
        return int(value) if finite and int(value) < 1 << 64 else 0
    bits = 32 if target.bits < 32 or target is I32 else 64
    whole = int(value) if finite else -(1 << (bits - 1))
    if not -(1 << (bits - 1)) <= whole < 1 << (bits - 1):
        whole = -(1 << (bits - 1))
    low = whole & ((1 << target.bits) - 1)
    return low - (1 << target.bits) if target.is_signed and low >> (target.bits - 1) else low


def bitcast(value: Scalar, source: DType, target: DType) -> Scalar:
    """The same bits read as another dtype of the same width."""
    stored = np.array(to_storage(value, source), storage_dtype(source))
    return from_storage(stored.view(storage_dtype(target))[()], target)


def _minimum(x: Any, y: Any) -> Any:
    return x if np.isnan(x) or x < y else (y if np.isnan(y) or y <= x else x)


def _maximum(x: Any, y: Any) -> Any:
    return x if np.isnan(x) or x > y else (y if np.isnan(y) or y >= x else x)


def _fma(x: Any, y: Any, z: Any) -> Any:
    """x * y + z, rounded once to the type of x."""
    return _fma_by_f64(float(x), float(y), float(z)) if x.itemsize == 4 else _fma_by_fractions(x, y, z)


def _fma_by_f64(x: float, y: float, z: float) -> np.float32:
    """Products of f32 are exact in f64; a sum that is rounded to odd there is rounded to f32 as the exact one
    is (Boldo and Melquiond, "Emulation of a FMA and correctly rounded sums", 2008)."""
    product = x * y
    total = product + z
    part = total - product
    lost = (product - (total - part)) + (z - part)
    if lost and math.isfinite(total) and not _is_odd(np.float64(total)):
        total = math.nextafter(total, math.copysign(math.inf, lost))
    return np.float32(total)


def _fma_by_fractions(x: Any, y: Any, z: Any) -> Any:
    if not (np.isfinite(x) and np.isfinite(y) and np.isfinite(z)) or 0 in (x, y):
        return x * y + z
    exact = Fraction(float(x)) * Fraction(float(y)) + Fraction(float(z))
    if exact == 0:
        return type(x)(0.0)
    try:
        near = type(x)(float(exact))
    except OverflowError:
        return type(x)(math.inf if exact > 0 else -math.inf)
    if not np.isfinite(near):
        near = np.copysign(np.finfo(type(x)).max, near)
    # float() rounded to 53 bits first; the nearest of the three candidates is the one rounding.
    candidates = [near, np.nextafter(near, type(x)(-np.inf)), np.nextafter(near, type(x)(np.inf))]
    return min(candidates, key=lambda c: (_distance(c, exact, type(x)), _is_odd(c)))


def _scale(x: Any, y: Any) -> Any:
    if np.isinf(y):
        return x * type(x)(np.inf if y > 0 else 0)
    return y if np.isnan(y) else np.ldexp(x, np.int32(np.floor(np.clip(y, -5000, 5000))))


def _exponent(x: Any) -> Any:
    if x == 0 or not np.isfinite(x):
        return type(x)(-np.inf) if x == 0 else np.abs(x)
    return type(x)(np.frexp(x)[1] - 1)


def _significand(x: Any) -> Any:
    if x == 0:
        return np.copysign(type(x)(1), x)
    if not x > 0:
        return type(x)(np.nan)
    return type(x)(1) if np.isinf(x) else np.frexp(x)[0] * 2


def _significand_near_one(x: Any) -> Any:
    found = _significand(x)
    return found / 2 if found >= 1.5 else found


def _distance(candidate: Any, exact: Fraction, kind: Any) -> Fraction:
    """Returns the distance of a candidate from the exact value; infinity stands one step beyond the largest
    float."""
    if np.isfinite(candidate):
        return abs(Fraction(float(candidate)) - exact)
    largest = np.finfo(kind).max
    step = Fraction(float(largest)) - Fraction(float(np.nextafter(largest, kind(0))))
    beyond = (Fraction(float(largest)) + step) * (1 if candidate > 0 else -1)
    return abs(beyond - exact)


def _is_odd(value: Any) -> int:
    return int(value.view(np.uint32 if value.itemsize == 4 else np.uint64)) & 1


def _shift_left(x: int, count: int, dtype: DType) -> int:
    return x << count if 0 <= count < dtype.bits else 0


def _shift_right(x: int, count: int, dtype: DType) -> int:
    return x >> count if 0 <= count < dtype.bits else (-1 if x < 0 else 0)


def _int4(place: int) -> Callable[..., int]:
    def compute(word: int) -> int:
        value = ((word >> 4 * place & 15) ^ 8) - 8
        return int(np.float32(value).view(np.uint32))

    return compute


def _philox(word: int) -> Callable[..., int]:
    def compute(*operands: int) -> int:
        found: int = philox_words(operands[:4], operands[4:])[word]
        return found

    return compute


def _quotient(x: int, y: int) -> int:
    if x < 0 or y <= 0:
        raise ArithmeticError(f"a position's division: {x} by {y}")
    return x // y


def _remainder(x: int, y: int) -> int:
    return x - y * _quotient(x, y)


def cardinal_sine(x: Any) -> Any:
    """sin(pi * x) / (pi * x) of float64 values, with exact zeros (np.sinc rounds pi * x first)."""
    with np.errstate(all="ignore"):
        size = np.abs(x)
        nearest = np.rint(size)
        sine = np.sin(np.pi * (size - nearest)) * np.where(nearest % 2 == 0, 1.0, -1.0)
        return np.where(size == 0, 1.0, np.where(np.isinf(size), np.nan, sine / (np.pi * size)))[()]


_COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    "eq": operator.eq,
    "ne": operator.ne,
    "lt": operator.lt,
    "le": operator.le,
    "gt": operator.gt,
    "ge": operator.ge,
}
_WIDTH = frozenset(("shift_left", "shift_right", "mul_high"))
_EXTREMES = frozenset(("minimum", "maximum"))
_BOOLEAN: dict[str, Callable[..., Any]] = {
    "minimum": lambda x, y: x and y,
    "maximum": lambda x, y: x or y,
    "and": lambda x, y: x and y,
    "or": lambda x, y: x or y,
    "xor": lambda x, y: x != y,
    "not": lambda x: not x,
}
_INTEGER: dict[str, Callable[..., int]] = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "neg": operator.neg,
    "abs": abs,
    "floordiv": lambda x, y: x // y if y else 0,
    "floormod": lambda x, y: x % y if y else 0,
    "gcd": math.gcd,
    "quotient": _quotient,
    "remainder": _remainder,
    "minimum": min,
    "maximum": max,
    "and": operator.and_,
    "or": operator.or_,
    "xor": operator.xor,
    "not": operator.invert,
    "shift_left": _shift_left,
    "shift_right": _shift_right,
    "mul_high": lambda x, y, dtype: mul_high_value(x, y, dtype.bits),
    **{f"philox{word}": _philox(word) for word in range(4)},
    **{f"int4_{place}": _int4(place) for place in range(8)},
}
_FLOAT: dict[str, Callable[..., Any]] = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "div": operator.truediv,
    "neg": operator.neg,
    "abs": abs,
    "fmod": np.fmod,
    "minimum": _minimum,
    "maximum": _maximum,
    "fma": _fma,
    "multiply_add": lambda x, y, z: x * y + z,
    "sqrt": np.sqrt,
    "floor": np.floor,
    "ceil": np.ceil,
    "trunc": np.trunc,
    "rint": np.rint,
    "copysign": np.copysign,
    "scale": _scale,
    "exponent": _exponent,
    "significand": _significand,
    "significand_near_one": _significand_near_one,
}
_MATH: dict[str, Callable[..., Any]] = {
    "exp": np.exp,
    "exp2": np.exp2,
    "expm1": np.expm1,
    "log": np.log,
    "log2": np.log2,
    "log10": np.log10,
    "log1p": np.log1p,
    "sin": np.sin,
    "cos": np.cos,
    "tanh": np.tanh,
    "sinh": np.sinh,
    "cosh": np.cosh,
    "asinh": np.arcsinh,
    "acosh": np.arccosh,
    "atanh": np.arctanh,
    "cbrt": np.cbrt,
    "sinc": cardinal_sine,
    "hypot": np.hypot,
    "erf": lambda x: math.erf(float(x)),
    "pow": np.power,
    "tan": np.tan,
    "asin": np.arcsin,
    "acos": np.arccos,
    "atan": np.arctan,
    "atan2": np.arctan2,
    "erfc": lambda x: math.erfc(float(x)),
    "lgamma": lambda x: log_gamma(float(x)),
    "tgamma": lambda x: gamma(float(x)),
}
