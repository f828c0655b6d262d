"""Parts and neighbours of floats, decimals, bit counts: NumPy's bits, over every 16-bit float."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import jitframe as jf
from jitframe.errors import JitframeError
from tests.conformance.devices import require
from tests.foundations.values import DTYPES, FLOATS, INTEGERS, assert_same_bits, interesting
from tests.functions.compare import interpreted

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")

SLOW = pytest.mark.slow
PARTS = (np.signbit, np.spacing, np.frexp, np.modf, np.bitwise_count, np.fix)


def values(dtype: str) -> np.ndarray:
    if dtype in ("float16", "bfloat16"):
        return np.arange(1 << 16, dtype=np.uint16).view(np.dtype(dtype))
    return interesting(dtype)


def check(function: Callable[..., Any], *arguments: Any) -> None:
    """Jitted, and on tensors, as NumPy has it; refused where NumPy refuses."""
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            wanted = function(*arguments)
        except TypeError:
            with pytest.raises(TypeError) as caught:
                jf.jit(lambda *given: function(*given))(*arguments)
            assert isinstance(caught.value, JitframeError)
            return
    found = jf.jit(lambda *given: function(*given))(*arguments)
    with interpreted():
        lazy = function(*[jf.asarray(each) if isinstance(each, np.ndarray) else each for each in arguments])
    if not isinstance(wanted, tuple):
        wanted, found, lazy = (wanted,), (found,), (lazy,)
    for theirs, ours, tensor in zip(wanted, found, lazy, strict=True):
        assert_same_bits(ours, theirs, *arguments)
        with interpreted():
            assert_same_bits(tensor.numpy(), theirs, *arguments)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("function", PARTS, ids=lambda function: function.__name__)
def test_of_one_value(function: Callable[..., Any], dtype: str) -> None:
    check(function, values(dtype))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("decimals", [-1, 2, *(pytest.param(n, marks=SLOW) for n in (-3, 1, 5, 9))])
def test_decimals(dtype: str, decimals: int) -> None:
    x = values(dtype)
    if dtype in INTEGERS and decimals < 0:
        x = x // 2  # what is rounded beyond the dtype has no one value
    check(lambda a: np.round(a, decimals), x)


@pytest.mark.parametrize("y", ["bool", "int8", "uint8", "int16", "uint16", *FLOATS])
@pytest.mark.parametrize(
    "x", ["int8", "float16", *(pytest.param(name, marks=SLOW) for name in ("uint16", "bfloat16", "float64"))]
)
def test_nextafter(x: str, y: str) -> None:
    first, second = np.resize(interesting(x), 331), np.resize(interesting(y)[::-1], 331)
    if "float16" in (x, y):  # NumPy before 2.5 gives the first of equal zeros
        first, second = (np.where(each == 0, each.dtype.type(0), each) for each in (first, second))
    check(np.nextafter, first, second)


@pytest.mark.parametrize("y", ["bool", "int8", "uint32", "int64", "uint64", "float32"])
@pytest.mark.parametrize(
    "x", ["int8", "float32", *(pytest.param(name, marks=SLOW) for name in ("uint16", "float16", "float64"))]
)
def test_ldexp(x: str, y: str) -> None:
    check(np.ldexp, np.resize(interesting(x), 331), np.resize(interesting(y)[::-1], 331))


@pytest.mark.parametrize("dtype", FLOATS)
def test_ldexp_rounds_once(dtype: str) -> None:
    """Results over the whole range, among them subnormal ones where two roundings would show."""
    x = values(dtype) if dtype in ("float16", "bfloat16") else np.repeat(interesting(dtype), 200)
    exponents = np.random.default_rng(5).integers(-2400, 2400, x.size) // [1, 2, 8, 60][x.itemsize % 3]
    check(np.ldexp, x, exponents.astype(np.int32))
    check(lambda a: np.ldexp(*np.frexp(a)), x)


ON_DEVICES = [
    pytest.param(device, dtype, marks=pytest.mark.slow if dtype in slow else ())
    for device, slow in (("opencl", FLOATS), ("webgpu", ("bfloat16",)))
    for dtype in ("float16", "float32", "int16", "uint8", "bfloat16")
]


@pytest.mark.parametrize(("device", "dtype"), ON_DEVICES)
def test_on_devices(device: str, dtype: str) -> None:
    target = require(device).device
    x = interesting(dtype)
    floats = dtype not in INTEGERS
    functions = (
        (np.signbit, np.frexp, lambda a: np.nextafter(a, a[::-1]), lambda a: np.ldexp(a, np.int32(3)))
        if floats
        else (np.signbit, np.bitwise_count)
    )
    for function in functions:
        wanted, found = function(x), jf.jit(lambda a, f=function: f(a), device=target.name)(x)
        several = zip(found, wanted, strict=True) if isinstance(wanted, tuple) else [(found, wanted)]
        for ours, theirs in several:
            assert_same_bits(ours, theirs, x)


def test_messages() -> None:
    x = jf.asarray(np.ones(3))
    for function, message in (
        (lambda: np.bitwise_count(x), "bitwise_count: integers or bools needed, not float64"),
        (
            lambda: np.ldexp(x, x),
            "ldexp: the exponent must be of an integer dtype that int64 holds, not float64",
        ),
        (lambda: np.round(x > 0, 1), "round: a bool has no decimals; cast it with .astype(np.int64) first"),
    ):
        with pytest.raises(TypeError) as caught:
            function()
        assert str(caught.value).split("\n")[0] == message
