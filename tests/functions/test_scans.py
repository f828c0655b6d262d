"""Cumulative sums and products: NumPy's values, dtypes and shapes; accuracy, order, kernels."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import jitframe as jf
from jitframe.codegen.plan.nodes import Launch
from jitframe.errors import ArgumentError
from jitframe.runtime.cpu.execution.runtime import runtime
from tests.functions.compare import DTYPES, check, small, tensors

SHAPES = [(), (0,), (1,), (17,), (3, 4, 5), (0, 3), (3, 0), (2, 33)]
LONG = [(1021,), (65_537,), (300_007,), (2, 70_003), (70_003, 2), (70_001, 20), (20, 70_001)]


@pytest.mark.parametrize("axis", [None, 0, 1, -1, 3, -4], ids=str)
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("function", [np.cumsum, np.cumprod], ids=lambda function: function.__name__)
def test_axes_and_dtypes(function: Callable[..., Any], dtype: str, axis: Any) -> None:
    array = small(dtype, (3, 4, 5)) / (2 if dtype.startswith("float") else 1)
    array = array.astype(dtype)
    exact = not dtype.startswith("float")
    found = lambda x: function(x, axis=axis)  # noqa: E731
    if exact or axis in (3, -4):
        check(found, array)
    else:
        got, expected = found(tensors(array)).numpy(), found(array)
        assert (got.dtype, got.shape) == (expected.dtype, expected.shape)
        np.testing.assert_allclose(got, expected, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_shapes(shape: tuple[int, ...]) -> None:
    array = np.arange(np.prod(shape, dtype=int)).reshape(shape)
    for axis in (None, *range(len(shape)), 0):
        check(lambda x, axis=axis: np.cumsum(x, axis=axis), array)
        check(lambda x, axis=axis: x.cumprod(axis), array)


@pytest.mark.parametrize("target", DTYPES[1:])
@pytest.mark.parametrize("source", ["bool", "uint8", "int32", "float32"])
def test_accumulator_dtype(source: str, target: str) -> None:
    check(lambda x: np.cumsum(x, dtype=target), np.arange(4).astype(source))


@pytest.mark.parametrize("shape", LONG, ids=str)
def test_long_integer_scans_are_exact(shape: tuple[int, ...]) -> None:
    array = np.random.default_rng(1).integers(-100, 100, shape)
    for axis in (None, *range(len(shape))):
        jitted = jf.jit(lambda x, axis=axis: np.cumsum(x, axis=axis))
        for view in (array, array[::-1], array.T) if axis is not None else (array,):
            np.testing.assert_array_equal(jitted(view), np.cumsum(view, axis=axis))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("shape", [(1, 300_007), (300_007, 1), (70_001, 20), (20, 70_001)], ids=str)
def test_as_accurate_as_numpys(shape: tuple[int, ...], axis: int, dtype: str) -> None:
    """Against a longer format: the mean error is at most NumPy's, whose sum runs serially."""
    array = np.random.default_rng(5).random(shape).astype(dtype)
    exact = np.cumsum(array.astype(np.longdouble), axis=axis)
    ours = jf.jit(lambda x: np.cumsum(x, axis=axis))(array)
    errors = [np.abs(found - exact).mean() for found in (ours, np.cumsum(array, axis=axis))]
    assert errors[0] <= errors[1] + np.finfo(dtype).eps * float(np.abs(exact).mean()) / 2


@pytest.mark.parametrize("shape", [(40,), (5000,), (300_007,), (4, 100_000), (100_000, 30)], ids=str)
def test_sums_of_what_is_not_negative_never_fall(shape: tuple[int, ...]) -> None:
    random = np.random.default_rng(2)
    array = (random.random(shape) ** 8 * (random.random(shape) < 0.5)).astype("f4")
    for axis in range(len(shape)):
        found = jf.jit(lambda x, axis=axis: np.cumsum(x, axis=axis))(array)
        assert (np.diff(found, axis=axis) >= 0).all()


def test_the_threads_do_not_show() -> None:
    arrays = [np.random.default_rng(3).standard_normal(shape).astype("f4") for shape in LONG]
    jitted = jf.jit(lambda x, axis: np.cumsum(x, axis=axis) * 3, static_argnames="axis")
    before, made = runtime().threads, []
    try:
        for threads in (1, 2, 7):
            runtime().set_threads(threads)
            made.append([jitted(x, axis).tobytes() for x in arrays for axis in range(x.ndim)])
    finally:
        runtime().set_threads(before)
    assert made[0] == made[1] == made[2]


def test_special_values() -> None:
    for values in ([-0.0, -0.0, 1], [1, np.nan, 2, np.inf], [np.inf, -np.inf, 1], [0.0, -0.0]):
        check(np.cumsum, np.array(values, "f4"))
        check(np.cumprod, np.array(values))
    check(np.nancumsum, np.array([np.nan, 1, np.nan, 2, np.nan]))
    check(lambda x: np.nancumprod(x, axis=1), np.array([[np.nan, 2], [3, np.nan]], "f4"))
    check(np.nancumsum, np.array([1, 2, 3]))
    for pairs in ([complex(np.inf, 0), 1 + 1j], [1 + 1j, complex(np.inf, 0), 2], [complex(0, np.inf)]):
        check(np.cumprod, np.array(pairs))
        check(np.prod, np.array(pairs, "c8"))


def test_the_array_apis_names() -> None:
    array = np.arange(1, 7).reshape(2, 3)
    for function in (np.cumulative_sum, np.cumulative_prod):
        for axis in (0, 1, -1):
            check(lambda x, f=function, a=axis: f(x, axis=a), array)
            check(lambda x, f=function, a=axis: f(x, axis=a, include_initial=True), array)
        check(lambda x, f=function: f(x, include_initial=True), array[0])
        check(lambda x, f=function: f(x, dtype=np.float64), array[0])
    assert jf.cumulative_sum(tensors(array), axis=1).numpy().tolist() == [[1, 3, 6], [4, 9, 15]]
    with pytest.raises(ArgumentError, match="more than one dimension ``axis`` argument is required"):
        jf.cumulative_sum(tensors(array))


def launches(function: Callable[..., Any], *arguments: Any) -> int:
    ready = jf.jit(function).program(*arguments).ready
    assert ready is not None
    return sum(isinstance(step, Launch) for step in ready.template.lowered.plan.steps)


def test_what_is_scanned_and_what_follows_are_one_kernel() -> None:
    array = np.random.default_rng(0).standard_normal((100, 200)).astype("f4")
    for axis in (0, 1):
        assert launches(lambda x, axis=axis: np.cumsum(np.exp(x) * 2, axis=axis) / 3 - x, array) == 1
    assert launches(lambda x: np.cumsum(x * 2) + 1, np.zeros(300_000, "f4")) == 3  # in blocks
    function = lambda x: np.cumsum(x * 2, axis=1) - x  # noqa: E731
    np.testing.assert_allclose(jf.jit(function)(array), function(array), rtol=1e-4, atol=1e-4)


def test_scans_among_other_kernels() -> None:
    def normalized(x):
        running = np.cumsum(x / x.sum(axis=1, keepdims=True), axis=1)
        return running, running.max(axis=0), np.cumsum(running[:, ::2], axis=0), running[:, -1:] - running

    array = np.random.default_rng(0).integers(1, 9, (37, 90)).astype("f8")
    for found, expected in zip(jf.jit(normalized)(array), normalized(array), strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-12)


def test_in_place() -> None:
    def running(x, y):
        x[:] = np.cumsum(x, axis=1)
        y[1:] = np.cumsum(y)[:-1]

    arrays = np.arange(60.0).reshape(4, 15), np.arange(100_000)
    copies = [array.copy() for array in arrays]
    jf.jit(running)(*arrays)
    running(*copies)
    for found, expected in zip(arrays, copies, strict=True):
        np.testing.assert_array_equal(found, expected)


def test_explain_says_what_a_scan_does() -> None:
    told = str(jf.explain(np.cumsum(tensors(np.zeros(300_000, "f4"))) + 1))
    assert "scans 300000 in blocks" in told
    assert "cumulative_sum(%0, axis=0)" in told
