"""argmax and argmin find what NumPy finds: the first of equals, NaN before every number."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import jitframe as jf
from jitframe.codegen.kernel.nodes import REDUCTION_LANES
from jitframe.codegen.lower.reductions.argreduce import LEAST, MOST
from jitframe.codegen.plan.nodes import Launch
from jitframe.errors import ArgumentError
from tests.functions.compare import DTYPES, check, small, tensors, values

FUNCTIONS = (np.argmax, np.argmin)


@pytest.mark.parametrize("dtype", DTYPES)
def test_axes_and_dtypes(dtype: str) -> None:
    for function in FUNCTIONS:
        for axis, keepdims in itertools.product((None, 0, 1, -1, 3, -4, (0, 1)), (False, True)):
            check(
                lambda x, f=function, axis=axis, keep=keepdims: f(x, axis=axis, keepdims=keep),
                small(dtype, (3, 4, 5)),
            )


def test_empty_and_rank_zero() -> None:
    for function in FUNCTIONS:
        for shape in ((0,), (0, 3), (3, 0), (0, 0), ()):
            for axis in (None, 0, -1):
                check(lambda x, f=function, axis=axis: f(x, axis=axis), np.ones(shape, "f4"))


def test_the_error_of_an_empty_axis_is_numpys() -> None:
    with pytest.raises(ArgumentError, match="attempt to get argmax of an empty sequence"):
        np.argmax(tensors(np.zeros((3, 0))), axis=1)


@pytest.mark.parametrize("dtype", DTYPES)
def test_every_telling_value_against_every_other(dtype: str) -> None:
    telling = values(dtype)
    pairs = np.array(np.meshgrid(telling, telling)).reshape(2, -1)
    for function in FUNCTIONS:
        check(lambda x, function=function: function(x, axis=0), pairs)
        check(lambda x, function=function: function(x, axis=1), pairs)
        check(function, pairs)
        check(lambda x, function=function: function(x, axis=0) * 2, pairs)  # unrolled where it is used


@pytest.mark.parametrize(
    "shape", [(1,), (31,), (1021,), (65_537,), (300_007,), (2, 70_003), (70_003, 2)], ids=str
)
@pytest.mark.parametrize(
    "dtype",
    ["float32", "uint8", *(pytest.param(name, marks=pytest.mark.slow) for name in ("float64", "int32"))],
)
def test_the_first_of_equals_wherever_it_lies(dtype: str, shape: tuple[int, ...]) -> None:
    random = np.random.default_rng(8)
    array = random.integers(0, 3, shape).astype(dtype)
    for function in FUNCTIONS:
        for view in (array, array[..., ::-1], array.T):
            for axis in (None, -1):
                expected = function(view, axis=axis)
                found = jf.jit(lambda x, f=function, a=axis: f(x, axis=a))(view)
                np.testing.assert_array_equal(found, expected)
                assert found.dtype == expected.dtype


@pytest.mark.parametrize("at", [0, 1, 15, 16, 31, 32, 4095, 65_535, 65_536, 99_999])
def test_a_nan_anywhere(at: int) -> None:
    array = np.random.default_rng(1).standard_normal(100_000).astype("f4")
    array[at] = np.nan
    array[at + 1 :: 1000] = -np.nan
    array[at + 1 :: 777] = np.inf
    for function in FUNCTIONS:
        check(function, array)


def test_nan_is_left_out() -> None:
    array = np.array([[np.nan, 2, 3, 3], [4, np.nan, -1, -1], [np.nan, np.nan, -np.inf, np.nan]])
    assert np.nanargmax(tensors(array), axis=1).numpy().tolist() == [2, 0, 0]  # NaN counts as -inf
    assert np.nanargmin(tensors(array), axis=1).numpy().tolist() == [1, 2, 2]
    check(lambda x: np.nanargmax(x, axis=0), array[:2])
    check(np.nanargmin, array[:2].astype("f4"))
    check(np.nanargmax, np.array([3, 1, 3]))
    check(np.nanargmin, np.array([2 + 1j, np.nan, 1 + 2j, 1 + 1j, np.inf]))
    check(lambda x: np.nanargmax(x, axis=1), np.array([[np.nan, -np.inf], [-np.inf, np.nan]]))


def test_where_all_are_nan_is_told_by_minus_one() -> None:
    array = np.array([[np.nan, np.nan], [1, np.nan]], "f4")
    assert np.nanargmax(tensors(array), axis=1).numpy().tolist() == [-1, 0]
    assert int(jf.nanargmin(tensors(array[0]))) == -1
    with pytest.raises(ValueError, match="All-NaN slice"):
        np.nanargmax(array, axis=1)


def test_methods_and_outputs() -> None:
    array = small("float32", (3, 4))
    check(lambda x: x.argmax(), array)
    check(lambda x: x.argmin(1), array)
    out = tensors(np.zeros(3, np.int64))
    assert np.argmax(tensors(array), axis=1, out=out) is out
    np.testing.assert_array_equal(out.numpy(), array.argmax(1))
    for function in (np.argmax, np.argmin, np.nanargmax, np.nanargmin):
        for given in (array, tensors(array)):
            with pytest.raises(
                TypeError, match="Cannot cast array data from dtype..float64.. to dtype..int64"
            ):
                function(given, 1, np.zeros(3))


@pytest.mark.parametrize(("shape", "axis", "kernels"), [
    ((200, 300), 1, 1), ((200, 300), 0, 1), ((200, 300), None, 1), ((300_000,), 0, 2),
])  # fmt: skip
def test_an_expression_and_its_position_are_one_kernel(
    shape: tuple[int, ...], axis: Any, kernels: int
) -> None:
    array = np.random.default_rng(0).standard_normal(shape).astype("f4")
    jitted = jf.jit(lambda x: np.argmax(np.exp(x) * 2 - x, axis=axis))
    ready = jitted.program(array).ready
    assert ready is not None
    steps = ready.template.lowered.plan.steps
    assert sum(isinstance(step, Launch) for step in steps) == kernels


def test_a_value_and_its_position_come_from_one_pass() -> None:
    array = np.random.default_rng(0).standard_normal((200, 300)).astype("f4")
    jitted = jf.jit(lambda x: (x.max(axis=1), x.argmax(axis=1)))
    ready = jitted.program(array).ready
    assert ready is not None
    assert sum(isinstance(step, Launch) for step in ready.template.lowered.plan.steps) == 1
    largest, where = jitted(array)
    np.testing.assert_array_equal(largest, array.max(1))
    np.testing.assert_array_equal(where, array.argmax(1))


def lowest_and_highest(dtype: str) -> tuple[Any, Any]:
    kind: Any = np.finfo(dtype) if dtype.startswith("float") else np.iinfo(dtype)
    return kind.min, kind.max


@pytest.mark.parametrize("extent", [1, LEAST - 1, LEAST, LEAST + 1, 2 * MOST, 8 * MOST + 17, 20_001])
@pytest.mark.parametrize(
    "dtype", ["int8", "uint8", "int16", "uint16", "int32", "uint64", "float32", "float64"]
)
def test_one_extreme_in_each_place_that_blocks_may_miss(dtype: str, extent: int) -> None:
    found = {function: jf.jit(lambda x, f=function: f(x)) for function in FUNCTIONS}
    borders = {edge + d for edge in (*range(0, extent, REDUCTION_LANES), extent) for d in (-1, 0, 1)}
    array = np.empty(extent, dtype)
    for function, extreme in zip(FUNCTIONS, reversed(lowest_and_highest(dtype)), strict=True):
        for at in sorted(each for each in borders if 0 <= each < extent):
            array[:] = 1
            array[at] = extreme
            assert found[function](array) == at
            array[at:] = extreme
            assert found[function](array) == at
        for everywhere in lowest_and_highest(dtype):
            array[:] = everywhere
            assert found[function](array) == 0


@pytest.mark.parametrize("dtype", ["uint8", "int64", "float32"])
def test_rows_over_two_axes_and_several_results_of_one_pass(dtype: str) -> None:
    random = np.random.default_rng(3)
    array = random.integers(0, 200, (3, 5, 2 * MOST + 9)).astype(dtype)
    for view in (array, array[:, ::2], array[:, :, ::-1], array[:, :, 1::2], array.transpose(1, 0, 2)):
        check(lambda x: (np.argmax(x, axis=-1), np.argmin(x, axis=-1)), view)
        check(lambda x: (np.argmax(x), np.argmin(x), np.argmax(x.astype("int64"))), view)
        check(lambda x: (np.argmax(x, axis=-1), x.max(axis=-1), x + x), view)


def test_small_integers_are_compared_in_vectors_of_their_own() -> None:
    (kernel,) = jf.jit(lambda x: np.argmax(x, axis=1)).explain(np.ones((70, 5000), "u1")).kernels
    text = kernel.source("kernel")
    assert "u8 = maximum" in text and "i32 = maximum" not in text
