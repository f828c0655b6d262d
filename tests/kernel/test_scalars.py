"""The meaning of pure instructions, held against NumPy, ml_dtypes and mpmath."""

from __future__ import annotations

import itertools
import platform
from typing import Any

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jitframe.codegen.kernel.scalars import (
    _fma_by_fractions,
    bitcast,
    cast,
    evaluate,
    from_number,
    from_storage,
    round_float,
    storage_dtype,
    to_storage,
)
from jitframe.ir.types import BF16, BOOL, DTYPES, F16, F32, F64, I8, I32, I64, INDEX, U8, U64, DType

FLOATS = (F16, BF16, F32, F64)
INTEGERS = tuple(d for d in DTYPES if d.is_integer)
SPECIAL = [
    0.0,
    -0.0,
    0.5,
    1.0,
    -1.0,
    1.5,
    2.5,
    -2.5,
    3.0,
    1e-8,
    1e30,
    -7.25,
    np.inf,
    -np.inf,
    np.nan,
    65504.0,
]


def numpy_type(dtype: DType) -> Any:
    if dtype is BF16:
        return np.dtype(pytest.importorskip("ml_dtypes").bfloat16)
    return np.dtype(dtype.numpy_name)


def samples(dtype: DType) -> list[Any]:
    if dtype is BOOL:
        return [False, True]
    if dtype.is_float:
        return [round_float(x, dtype) for x in SPECIAL]
    low = -(1 << (dtype.bits - 1)) if dtype.is_signed else 0
    high = (1 << (dtype.bits - (1 if dtype.is_signed else 0))) - 1
    return [low, low + 1, 0, 1, 2, 3, 7, dtype.bits - 1, dtype.bits, high - 1, high] + (
        [-1, -5] if low else []
    )


def array(value: Any, dtype: DType) -> np.ndarray[Any, Any]:
    """A scalar as NumPy has it."""
    return np.array([to_storage(value, dtype)], storage_dtype(dtype)).view(numpy_type(dtype))


def same(found: Any, wanted: np.ndarray[Any, Any], dtype: DType) -> bool:
    held = array(found, dtype)
    if dtype.is_float and np.isnan(wanted.astype(np.float64)[0]):
        return bool(np.isnan(held.astype(np.float64)[0]))
    return held.tobytes() == wanted.astype(numpy_type(dtype)).tobytes()


UFUNCS: dict[str, tuple[Any, tuple[DType, ...]]] = {
    "add": (np.add, FLOATS + INTEGERS),
    "sub": (np.subtract, FLOATS + INTEGERS),
    "mul": (np.multiply, FLOATS + INTEGERS),
    "neg": (np.negative, FLOATS + INTEGERS),
    "abs": (np.abs, FLOATS + INTEGERS),
    "div": (np.divide, FLOATS),
    "floordiv": (np.floor_divide, INTEGERS),
    "floormod": (np.remainder, INTEGERS),
    "fmod": (np.fmod, FLOATS),
    "gcd": (np.gcd, tuple(dtype for dtype in INTEGERS if not dtype.is_signed)),
    "sqrt": (np.sqrt, FLOATS),
    "floor": (np.floor, FLOATS),
    "ceil": (np.ceil, FLOATS),
    "trunc": (np.trunc, FLOATS),
    "rint": (np.rint, FLOATS),
    "copysign": (np.copysign, FLOATS),
    "and": (np.bitwise_and, (BOOL, *INTEGERS)),
    "or": (np.bitwise_or, (BOOL, *INTEGERS)),
    "xor": (np.bitwise_xor, (BOOL, *INTEGERS)),
    "not": (np.invert, (BOOL, *INTEGERS)),
    "shift_left": (np.left_shift, INTEGERS),
    "shift_right": (np.right_shift, INTEGERS),
    "eq": (np.equal, DTYPES),
    "ne": (np.not_equal, DTYPES),
    "lt": (np.less, DTYPES),
    "ge": (np.greater_equal, DTYPES),
}


@pytest.mark.parametrize(
    ("name", "ufunc", "dtypes"), [(name, *case) for name, case in UFUNCS.items()], ids=[*UFUNCS]
)
def test_operations_are_numpys(name: str, ufunc: Any, dtypes: tuple[DType, ...]) -> None:
    for dtype in dtypes:
        for operands in itertools.product(samples(dtype), repeat=ufunc.nin):
            with np.errstate(all="ignore"):
                wanted = ufunc(*[array(x, dtype) for x in operands])
            found = evaluate(name, list(operands), dtype)
            assert same(found, wanted, BOOL if wanted.dtype == np.bool_ else dtype), (dtype, operands)


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize(("name", "ufunc"), [("minimum", np.minimum), ("maximum", np.maximum)])
def test_minimum_and_maximum_keep_nan_as_numpy_does(name: str, ufunc: Any, dtype: DType) -> None:
    for x, y in itertools.product(samples(dtype), repeat=2):
        with np.errstate(all="ignore"):
            wanted = ufunc(array(x, dtype), array(y, dtype))
        if dtype.is_float and x == y == 0:
            continue  # either zero, as NumPy leaves it
        assert same(evaluate(name, [x, y], dtype), wanted, dtype), (x, y)


OUT_OF_RANGE = [127.5, 128.0, 255.0, 256.0, 300.0, -129.0, 32768.0, 65536.0, 2147483648.0, -2147483904.0]
OUT_OF_RANGE += [4294967296.0, 9.223372036854775808e18, -9.3e18, 1e19, 1.8446744073709552e19, 1e30, -1e30]


@pytest.mark.skipif(platform.machine() not in ("x86_64", "AMD64"), reason="the table is x86-64's")
@pytest.mark.parametrize("source", DTYPES, ids=str)
def test_casts_are_numpys_on_x86(source: DType) -> None:
    values = samples(source) + ([round_float(x, source) for x in OUT_OF_RANGE] if source.is_float else [])
    for target, value in itertools.product(DTYPES, values):
        with np.errstate(all="ignore"):
            wanted = array(value, source).astype(numpy_type(target))
        assert same(cast(value, source, target), wanted, target), (target, value)


def test_bitcasts_keep_every_bit() -> None:
    assert bitcast(np.float32(1.0), F32, I32) == 0x3F800000
    assert bitcast(-1, I32, F32).view(np.uint32) == 0xFFFFFFFF
    assert bitcast(round_float(-2.0, BF16), BF16, F16).tobytes() == np.uint16(0xC000).tobytes()
    assert bitcast(255, U8, I8) == -1


@pytest.mark.parametrize("dtype", [F32, F64], ids=str)
@given(st.data())
def test_fma_rounds_once(dtype: DType, data: st.DataObject) -> None:
    floats = st.floats(width=dtype.bits, min_value=-(2.0**30), max_value=2.0**30, allow_subnormal=False)
    x, y, z = (round_float(data.draw(floats), dtype) for _ in range(3))
    with mpmath.workprec(400):
        exact = mpmath.mpf(float(x)) * mpmath.mpf(float(y)) + mpmath.mpf(float(z))
    with mpmath.workprec(PRECISION[dtype]):
        wanted = +exact
    found = evaluate("fma", [x, y, z], dtype)
    if wanted != 0 and abs(wanted) < float(np.finfo(found.dtype).tiny):
        return  # mpmath has no subnormals
    assert float(found) == float(wanted)


def test_fma_of_float32_is_rounded_as_fractions_are() -> None:
    """Sums that cancel, and those half way between two floats: where f64 alone would round twice."""
    random = np.random.default_rng(0)
    x, y = (random.integers(1 << 23, 1 << 24, 2000).astype(np.float32) for _ in range(2))
    product = (x * y).astype(np.float32)
    for z in (product * np.float32(2**-24), np.spacing(product) / 2, -product, product * np.float32(2**-50)):
        for one, other, third in zip(x, y, z, strict=True):
            wanted = _fma_by_fractions(one, other, third)
            assert evaluate("fma", [one, other, third], F32).tobytes() == wanted.tobytes()


def test_fma_differs_from_rounding_twice() -> None:
    x = np.float32(1 + 2**-12)
    once = evaluate("fma", [x, x, np.float32(-1)], F32)
    assert once == np.float32(2**-11 + 2**-24)
    assert once != evaluate("add", [evaluate("mul", [x, x], F32), np.float32(-1)], F32)


def test_fma_at_the_ends_of_the_range() -> None:
    largest = np.finfo(np.float32).max
    one, infinite = np.float32(1), np.float32(np.inf)
    assert evaluate("fma", [largest, np.float32(2), np.float32(-largest)], F32) == largest
    assert evaluate("fma", [largest, np.float32(2), one], F32) == infinite
    assert np.isnan(evaluate("fma", [infinite, np.float32(0), one], F32))
    assert np.signbit(evaluate("fma", [np.float32(-0.0), one, np.float32(-0.0)], F32))
    assert not np.signbit(evaluate("fma", [one, one, np.float32(-1)], F32))


@pytest.mark.parametrize(
    "name", ["exp", "log", "sin", "cos", "tanh", "erf", "tan", "atan", "expm1", "log10", "log1p"]
)
@pytest.mark.parametrize("dtype", [F16, BF16, F32, F64], ids=str)
def test_math_is_within_an_ulp_of_the_exact_value(name: str, dtype: DType) -> None:
    for x in (0.3, 1.25, 2.75, 5.5):
        value = round_float(x, dtype)
        with mpmath.workdps(50):
            exact = getattr(mpmath, name)(mpmath.mpf(float(value)))
            found = evaluate(name, [value], dtype)
            step = mpmath.mpf(2) ** (int(mpmath.floor(mpmath.log(abs(exact), 2))) - PRECISION[dtype] + 1)
            # f64 comes from the platform's own functions, the rest is rounded from f64
            assert abs(mpmath.mpf(float(found)) - exact) <= step * (1 if dtype is F64 else 0.5001)


PRECISION = {F16: 11, BF16: 8, F32: 24, F64: 53}


@given(st.integers(0, 0xFFFF))
def test_bf16_elements_survive_storage(bits: int) -> None:
    value = from_storage(np.uint16(bits), BF16)
    assert to_storage(value, BF16) == bits
    if not np.isnan(value):
        assert to_storage(round_float(value, BF16), BF16) == bits


@given(st.floats(width=32, allow_nan=False))
def test_bf16_rounds_as_ml_dtypes_does(x: float) -> None:
    with np.errstate(over="ignore"):
        wanted = np.array([x], np.float32).astype(numpy_type(BF16))
    assert same(round_float(x, BF16), wanted, BF16)


def test_an_index_never_wraps() -> None:
    with pytest.raises(ArithmeticError, match="an index overflows: 9223372036854775808"):
        evaluate("add", [2**63 - 1, 1], INDEX)
    with pytest.raises(ArithmeticError, match="a position's division: 3 by 0"):
        evaluate("quotient", [3, 0], INDEX)
    assert from_number(2**63, I64) == -(2**63)
    assert from_number(-1, U64) == 2**64 - 1
