"""`view(dtype)`: NumPy's bytes, shapes, aliasing and refusals, jitted and on tensors."""

from __future__ import annotations

import numpy as np
import pytest

import jitframe as jf
from jitframe.errors import JitframeError, UnsupportedError
from tests.conformance.devices import require
from tests.foundations.values import DTYPES, assert_same_bits

PAIRS = [(source, target) for source in DTYPES for target in DTYPES]


def some(dtype: str, shape: tuple[int, ...]) -> np.ndarray:
    """Any bits; bools that are 0 or 1."""
    random = np.random.default_rng(len(shape))
    if dtype == "bool":
        return random.integers(0, 2, shape).astype(bool)
    kind = np.dtype(dtype)
    return random.integers(0, 256, (*shape, kind.itemsize), np.uint8).view(kind)[..., 0]


def as_bool(array: np.ndarray) -> np.ndarray:
    """Bytes that are neither 0 nor 1 are 1 here."""
    return array.view(np.uint8) != 0 if array.dtype == bool else array


@pytest.mark.parametrize(
    ("source", "target"),
    [
        pair if number % 5 == 0 else pytest.param(*pair, marks=pytest.mark.slow)
        for number, pair in enumerate(PAIRS)
    ],
)
def test_every_pair(source: str, target: str) -> None:
    for shape in ((16,), (3, 8), (0, 8), (2, 1, 24)):
        x = some(source, shape)
        wanted = as_bool(x.view(target))
        assert_same_bits(jf.jit(lambda a: a.view(target).copy())(x), wanted)
        assert_same_bits(jf.asarray(x).view(target).numpy(), wanted)


@pytest.mark.parametrize(
    ("source", "target"), [("float32", "int32"), ("float64", "uint16"), ("uint8", "int64")]
)
def test_views_alias(source: str, target: str) -> None:
    """What is written through one is seen through the other, and results are views of arguments."""

    def program(x, y):
        bits = x.view(target)
        x[1] = y[0]
        seen = bits[1] + 0
        bits[0] = 7
        fresh = y + y
        halves = fresh.view(target)
        halves[..., 1:] = 3
        return bits, seen, x[0] + 0, fresh, halves, x.view(target)[2], y.view()

    mine, plain = some(source, (4, 8)), some(source, (4, 8))
    y = np.abs(some("uint8", (4, 8))).astype(source)
    with np.errstate(all="ignore"):
        theirs = program(plain, y)
    ours = jf.jit(program)(mine, y)
    assert_same_bits(mine, plain)
    for found, wanted in zip(ours, theirs, strict=True):
        assert_same_bits(found, wanted)
    assert np.shares_memory(ours[0], mine) and np.shares_memory(ours[5], mine) and ours[6].base is y
    assert np.shares_memory(ours[3], ours[4])


def test_tensors_alias() -> None:
    x = jf.asarray(np.arange(4.0))
    bits = x.view("int64")
    bits[0] = 1
    assert x.numpy().tolist() == [5e-324, 1, 2, 3]


def test_scalars_and_sliced_views() -> None:
    x = np.arange(24, dtype=np.float32).reshape(4, 6)

    def program(a):
        return (
            a[1, 2].view(np.int32),
            a[:, 2:4].view(np.uint64) + 1,
            a.T.view(np.int32) * 2,
            a.sum().view("u4"),
        )

    with np.errstate(all="ignore"):
        for found, wanted in zip(jf.jit(program)(x), program(x), strict=True):
            assert type(found) is type(wanted)
            assert_same_bits(found, wanted)


def test_the_fast_inverse_square_root() -> None:
    def program(x):
        guess = (np.int32(0x5F3759DF) - (x.view(np.int32) >> 1)).view(np.float32)
        return guess * (np.float32(1.5) - np.float32(0.5) * x * guess * guess)

    x = np.linspace(0.1, 100, 1000, dtype=np.float32)
    assert_same_bits(jf.jit(program)(x), program(x))


@pytest.mark.parametrize("device", ["opencl", "webgpu"])
def test_on_devices(device: str) -> None:
    name = require(device).device.name
    x = some("float32", (6, 8))
    for target in ("int32", "uint8", "float16"):
        assert_same_bits(jf.asarray(x, device=name).view(target).numpy(), x.view(target))
    assert_same_bits(jf.asarray(x.view("uint8"), device=name).view("float32").numpy(), x)


def test_refusals_are_numpys(strict: None) -> None:
    x = np.arange(30, dtype=np.int16).reshape(6, 5)
    for program in (
        lambda a: a.view("int32"),
        lambda a: a[:, ::2].view("int8"),
        lambda a: a.T.view("int8"),
        lambda a: a[0, 0:1].reshape(()).view("int32"),
    ):
        with pytest.raises(ValueError) as theirs:
            program(x)
        with pytest.raises(ValueError) as ours:
            jf.jit(program)(x)
        assert isinstance(ours.value, JitframeError)
        assert str(ours.value).split("\n")[0] == str(theirs.value)
    with pytest.raises(UnsupportedError, match="rows start between two elements of int32"):
        jf.jit(lambda a: a[:, :4].view("int32"))(x)
    with pytest.raises(TypeError, match="is no dtype"):
        jf.asarray(x).view("no dtype")
    assert jf.asarray(x)[:, ::2].copy().view("int8").shape == (6, 6)
