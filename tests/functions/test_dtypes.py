"""Every function on every dtype, and on every pair of them, gives NumPy's dtype and bits."""

from __future__ import annotations

import operator
import warnings
from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import jitframe as jf
from jitframe.errors import JitframeError
from tests.conformance.devices import require
from tests.foundations.values import DTYPES, FLOATS, INTEGERS, assert_same_bits, interesting

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")

BINARY = (
    np.add, np.subtract, np.multiply, np.divide, np.floor_divide, np.remainder, np.fmod, np.minimum,
    np.maximum, np.copysign, np.equal, np.not_equal, np.less, np.less_equal, np.greater, np.greater_equal,
    np.logical_and, np.logical_or, np.logical_xor, np.bitwise_and, np.bitwise_or, np.bitwise_xor,
    np.left_shift, np.right_shift, divmod, np.gcd, np.lcm,
)  # fmt: skip
UNARY = (
    np.negative, np.positive, np.absolute, np.fabs, np.square, np.reciprocal, np.sign, np.sqrt, np.rint,
    np.floor, np.ceil, np.trunc, np.round, np.isnan, np.isinf, np.isfinite, np.invert, np.logical_not,
)  # fmt: skip
NUMBERS: tuple[Any, ...] = (True, 0, 1, 2, -1, 3, 100, 300, 70_000, 2**40, 2**63, -(2**63), 0.5, -2.5, 1e30)
PAIRS = [(x, y) for x in DTYPES for y in DTYPES]
WITHOUT_BFLOAT16 = tuple(name for name in DTYPES if name != "bfloat16")


def sampled(pairs: list[Any], step: int) -> list[Any]:
    """All of them, those but every `step`-th in the slow set only."""
    return [
        each if number % step == 0 else pytest.param(*each, marks=pytest.mark.slow)
        for number, each in enumerate(pairs)
    ]


def numpys(function: Callable[..., Any], *arguments: Any) -> Any:
    """What NumPy gives; None where it refuses."""
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return function(*arguments)
        except (TypeError, OverflowError):
            return None


def compare(functions: tuple[Callable[..., Any], ...], *arguments: Any) -> None:
    """One jitted program of all that NumPy does not refuse; the others are refused here too."""
    wanted = [(function, numpys(function, *arguments)) for function in functions]
    known = [function for function, theirs in wanted if theirs is not None]

    def program(*given: Any) -> Any:
        return tuple(function(*given) for function in known)

    for (function, theirs), ours in zip(
        [each for each in wanted if each[1] is not None], jf.jit(program)(*arguments), strict=True
    ):
        several = zip(ours, theirs, strict=True) if isinstance(theirs, tuple) else [(ours, theirs)]
        for mine, right in several:
            assert np.asarray(mine).dtype == right.dtype, (function, mine.dtype, right.dtype)
            assert_same_bits(mine, right, *(each for each in arguments if isinstance(each, np.ndarray)))
    for function, theirs in wanted:
        if theirs is None:
            with pytest.raises((TypeError, OverflowError)) as caught:
                jf.jit(lambda *given, function=function: function(*given))(*arguments)
            of_python = type(caught.value) is OverflowError  # raised by NumPy: integers of more than 64 bits
            assert of_python or isinstance(caught.value, JitframeError), (function, caught.value)


@pytest.mark.parametrize(("x", "y"), sampled([pair for pair in PAIRS if "bfloat16" not in pair], 7))
def test_every_function_of_two_dtypes(x: str, y: str) -> None:
    a, b = np.resize(interesting(x), 331), np.resize(interesting(y)[::-1], 331)
    compare(BINARY, a, b)


@pytest.mark.parametrize("dtype", WITHOUT_BFLOAT16)
def test_every_function_of_one_dtype(dtype: str) -> None:
    compare(UNARY, interesting(dtype))


@pytest.mark.parametrize(("x", "y"), sampled([pair for pair in PAIRS if "bfloat16" not in pair], 11))
def test_rank_0_arrays_are_as_strong_as_others(x: str, y: str) -> None:
    compare((np.add, np.multiply, np.maximum, np.less), interesting(x), interesting(y)[1])
    compare((np.add, np.multiply, np.maximum, np.less), interesting(y)[1], interesting(x))


@pytest.mark.parametrize("dtype", WITHOUT_BFLOAT16)
def test_python_numbers_that_stand_in_the_program(dtype: str) -> None:
    """They are weak, and an integer that the dtype cannot hold is an OverflowError, but in comparisons."""
    x = interesting(dtype)
    for number in NUMBERS:
        functions = tuple(
            lambda a, f=f, n=number: f(a, n)
            for f in (np.add, np.multiply, np.maximum, np.less, np.equal, np.greater_equal)
        )
        compare(functions, x)


@pytest.mark.parametrize("dtype", WITHOUT_BFLOAT16)
def test_python_numbers_given_at_the_call(dtype: str) -> None:
    x = interesting(dtype)
    jitted = jf.jit(lambda a, n: (a + n, a * n, np.maximum(a, n)))
    for number in NUMBERS:
        wanted = numpys(lambda a, n: (a + n, a * n, np.maximum(a, n)), x, number)
        if wanted is None:
            with pytest.raises(OverflowError):
                jitted(x, number)
            continue
        for ours, theirs in zip(jitted(x, number), wanted, strict=True):
            assert_same_bits(ours, theirs, x)


def test_a_number_must_fit_every_dtype_that_it_meets() -> None:
    jitted = jf.jit(lambda a, b, n: (a + n, b + n))
    signed, unsigned = np.array([1, 2], np.int32), np.array([1, 2], np.uint32)
    for _ in range(3):
        assert jitted(signed, unsigned, 2**31 - 1)[1].tolist() == [2**31, 2**31 + 1]
        for number in (-1, 2**31):
            with pytest.raises(OverflowError, match=f"Python integer {number} out of bounds for u?int32"):
                jitted(signed, unsigned, number)


def test_large_unsigned_numbers() -> None:
    x = np.array([0, 1], np.uint64)
    jitted = jf.jit(lambda a, n: a + n)
    assert [jitted(x, number)[0] for number in (1, 2**63, 2**64 - 1, 2**63 - 1)] == [
        1, 2**63, 2**64 - 1, 2**63 - 1
    ]  # fmt: skip
    mixed = jf.jit(lambda a, b, n: (a + n, b * n))
    assert [each.tolist() for each in mixed(x, np.ones(2), 2**63)] == [[2**63, 2**63 + 1], [2.0**63] * 2]


@pytest.mark.parametrize("dtype", WITHOUT_BFLOAT16)
def test_numpy_scalars_given_at_the_call(dtype: str) -> None:
    x = np.arange(5, dtype=np.int16)
    scalar = interesting(dtype)[-1]
    compare((np.add, np.multiply, np.less), x, scalar)
    compare((np.add, np.multiply, np.less), scalar, x)


@pytest.mark.parametrize("dtype", WITHOUT_BFLOAT16)
def test_reductions_have_numpys_dtypes(dtype: str) -> None:
    x = np.random.default_rng(3).integers(0, 9, (7, 33)).astype(dtype)
    for axis in (None, 0, 1):
        functions = tuple(
            lambda a, f=f, axis=axis: f(a, axis=axis)
            for f in (np.sum, np.prod, np.max, np.min, np.any, np.all, np.mean)
        )
        compare(functions[:1] + functions[2:], x)
        ours, theirs = jf.jit(functions[1])(x % 3 + 1), np.prod(x % 3 + 1, axis=axis)
        assert ours.dtype == theirs.dtype
    for function in (np.var, np.std):
        ours, theirs = jf.jit(lambda a, f=function: f(a))(x), function(x)
        assert ours.dtype == theirs.dtype
        assert abs(float(ours) - float(theirs)) <= 2 * float(np.spacing(theirs))


def test_float16_means_do_not_overflow() -> None:
    """NumPy computes them in float32; a count beyond float16 is no infinity."""
    x = np.full(100_000, 60.0, np.float16)
    assert jf.jit(np.mean)(x) == np.mean(x) == 60
    assert jf.jit(np.var)(np.full(70_000, 0.5, np.float16)) == 0
    assert np.isinf(jf.jit(np.sum)(x)) and np.isinf(np.sum(x))
    y = np.random.default_rng(0).normal(size=(50, 1000)).astype(np.float16)
    assert_same_bits(jf.jit(lambda a: a.sum(1))(y), y.astype(np.float64).sum(1).astype(np.float16))


# bfloat16, whose NumPy is ml_dtypes ----------------------------------------------------------------------
BFLOAT16 = np.dtype(ml_dtypes.bfloat16)
IN_BFLOAT16 = (
    np.add, np.subtract, np.multiply, np.divide, np.minimum, np.maximum, np.copysign, np.fmod, np.equal,
    np.less, np.greater_equal, np.logical_and,
)  # fmt: skip


@pytest.mark.parametrize("other", DTYPES)
def test_bfloat16_with_every_dtype(other: str) -> None:
    a, b = np.resize(interesting("bfloat16"), 331), np.resize(interesting(other)[::-1], 331)
    functions = IN_BFLOAT16 if other in ("bfloat16", "bool", "int8", "uint8") else IN_BFLOAT16[:6]
    compare(functions, a, b)
    compare(functions, b, a)


def test_bfloat16_alone() -> None:
    compare(
        (np.negative, np.absolute, np.square, np.reciprocal, np.sqrt, np.rint, np.floor, np.ceil, np.trunc,
         np.isnan, np.isinf, np.isfinite, np.logical_not),
        interesting("bfloat16"),
    )  # fmt: skip


def test_numbers_are_weak_with_bfloat16_too() -> None:
    """NumPy has no such rule for dtypes of other packages: there 0.5 makes float32."""
    x = interesting("bfloat16")
    for number in (True, 2, 0.5, 1e30):
        given = jf.jit(lambda a, n=number: a * n)(x), jf.jit(lambda a, n: a * n)(x, number)
        for ours in given:
            assert_same_bits(ours, x * np.asarray(number).astype(BFLOAT16), x)


def test_bfloat16_sums_in_float32() -> None:
    x = np.full(1000, 1.0078125, BFLOAT16)
    assert jf.jit(np.sum)(x) == np.asarray(1008, BFLOAT16)
    assert jf.jit(np.mean)(x) == x[0]


def test_the_rest_of_the_library_knows_them() -> None:
    for name in (*INTEGERS, *FLOATS):
        made = jf.ones(3, dtype=name) * 2
        assert made.dtype == np.dtype(name) == getattr(jf, name)
        assert made.numpy().tolist() == [2, 2, 2]
        assert jf.asarray([1, 2], dtype=name).astype(jf.float64).numpy().tolist() == [1, 2]
        assert operator.index(made.size) == 3


@pytest.mark.parametrize("dtype", INTEGERS)
def test_comparisons_with_integers_given_at_the_call(dtype: str) -> None:
    """No element equals a number that its dtype cannot hold, and all are less or all are greater."""
    x = interesting(dtype)
    jitted = jf.jit(lambda a, n: (a < n, a <= n, a == n, a != n, a > n, a >= n, n < a, n == a))
    for number in (
        0,
        1,
        -1,
        5,
        127,
        128,
        -128,
        -129,
        255,
        256,
        300,
        65535,
        65536,
        2**31,
        -(2**31) - 1,
        2**32,
    ):
        if np.iinfo(dtype).bits == 64 and not np.iinfo(dtype).min <= number:
            with pytest.raises(OverflowError):
                jitted(x, number)
            continue
        wanted = (x < number, x <= number, x == number, x != number, x > number, x >= number, number < x)
        for ours, theirs in zip(jitted(x, number), (*wanted, x == number), strict=True):
            assert_same_bits(ours, theirs, x)


@pytest.mark.parametrize(
    "exponents",
    ["bool", "uint8", *(pytest.param(f"uint{bits}", marks=pytest.mark.slow) for bits in (16, 32, 64))],
)
def test_integer_powers_of_arrays(exponents: str) -> None:
    y = np.resize(interesting(exponents), 300)
    for dtype in ("bool", *INTEGERS):
        if np.result_type(dtype, exponents).kind != "f":
            compare((np.power,), np.resize(interesting(dtype), 300), y)


def test_integer_powers_that_may_be_negative(strict: None) -> None:
    x = np.arange(9)
    jitted = jf.jit(lambda a, n: a**n)
    assert jitted(x, 5).tolist() == (x**5).tolist() and jitted(x, 0).tolist() == [1] * 9
    with pytest.raises(ValueError, match="Integers to negative integer powers are not allowed"):
        jitted(x, -1)
    with pytest.raises(NotImplementedError, match=r"may hold negative ones.*\.astype\(np\.uint8\)"):
        jf.jit(np.power)(x, x)


def test_a_device_without_64_bits_sums_in_32() -> None:
    name = require("webgpu").device.name
    for dtype, wanted in (("uint8", "uint32"), ("uint32", "uint32"), ("int8", "int32"), ("bool", "int32")):
        x = np.array([1, 1, 0, 1]).astype(dtype)
        made = jf.asarray(x, device=name).sum()
        assert (made.dtype, made.numpy()) == (np.dtype(wanted), 3)
        with pytest.raises(TypeError, match=r"has no uint64; it has bool, int8, .*cast to uint32 first"):
            jf.asarray(x, dtype="uint64", device=name)
