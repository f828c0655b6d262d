"""Distinct elements, unions, intersections and differences are NumPy's, with NaN and along axes."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import jitframe as jf
from tests.functions.compare import assert_same, check, tensors

DTYPES = ("float64", "int32", "bool")
SHAPES = ((0,), (1,), (50,), (6, 7), (3, 4, 2))


def drawn(dtype: str, shape: tuple[int, ...], seed: int = 0) -> np.ndarray:
    """Many equal elements, and NaN."""
    array = np.abs(np.random.default_rng(seed).standard_normal(shape) * 3).round().astype(dtype)
    if array.dtype.kind == "f" and array.size > 3:
        array.reshape(-1)[::5] = np.nan
    return array


@pytest.mark.parametrize("dtype", DTYPES)
def test_unique(dtype: str) -> None:
    for shape in SHAPES:
        array = drawn(dtype, shape)
        for flags in itertools.product((False, True), repeat=3) if shape == (50,) else [(True,) * 3]:
            check(lambda x, f=flags: np.unique(x, *f), array)
        check(lambda x: np.unique(x, return_index=True, return_counts=True, equal_nan=False), array)
    for axis in (0, 1, -1):
        check(lambda x, a=axis: np.unique(x, True, True, True, axis=a), drawn("int32", (9, 2, 3)) // 2)
        check(lambda x, a=axis: np.unique(x, axis=a), drawn(dtype, (6, 1)))
    check(lambda x: np.unique(x, axis=1), drawn(dtype, (6,)))
    check(lambda x: np.unique(x, return_counts=True, axis=0), np.zeros((4, 0)))


@pytest.mark.parametrize("dtype", DTYPES)
def test_unique_of_the_array_api(dtype: str) -> None:
    """Without NaN: NumPy leaves it open which of them is which."""
    for shape in SHAPES:
        array = np.nan_to_num(drawn(dtype, shape)).astype(dtype)
        for name in ("unique_all", "unique_counts", "unique_inverse"):
            found, expected = (getattr(np, name)(each) for each in (tensors(array), array))
            assert found._fields == expected._fields
            assert_same(tuple(found), tuple(expected))
        assert_same(np.unique_values(tensors(array)), np.sort(np.unique_values(array)))
    several = jf.unique_counts(jf.asarray([np.nan, 1.0, np.nan]))
    np.testing.assert_array_equal(several.values.numpy(), [1, np.nan, np.nan])
    np.testing.assert_array_equal(several.counts.numpy(), [1, 1, 1])


@pytest.mark.parametrize("device", ["webgpu", "opencl"])
def test_positions_and_counts_on_devices(device: str) -> None:
    """In the integers that the device has."""
    array = drawn("int32", (50,))
    found = np.unique(jf.asarray(array, device=device), True, True, True)
    for got, expected in zip(found, np.unique(array, True, True, True), strict=True):
        np.testing.assert_array_equal(got.numpy(), expected)


@pytest.mark.parametrize("dtype", DTYPES)
def test_two_arrays(dtype: str) -> None:
    other = drawn(dtype, (20,), 1)
    for shape in SHAPES:
        array = drawn(dtype, shape)
        for function in (np.union1d, np.intersect1d, np.setdiff1d, np.setxor1d):
            check(function, array, other)
            check(function, other[:0], array)
            check(lambda x, f=function: f(x, [1, 2, 7]), array)
        check(lambda x, y: np.intersect1d(x, y, return_indices=True), array, other)
        alone = np.unique(array)
        for function in (np.intersect1d, np.setdiff1d, np.setxor1d):
            check(lambda x, y, f=function: f(x, y, assume_unique=True), alone, np.unique(other))
    check(lambda x, y: np.intersect1d(x, y, True, True), np.array([3, 1, 2]), np.array([2, 9, 3]))


@pytest.mark.parametrize("dtype", DTYPES)
def test_members(dtype: str) -> None:
    """Few are compared with all elements, many are sorted."""
    array = drawn(dtype, (5, 30))
    for count in (0, 1, 20, 33, 500):
        given = drawn(dtype, (count,), 2)[::2]
        for invert in (False, True):
            check(lambda x, y, i=invert: np.isin(x, y, invert=i), array, given)
            found = jf.jit(lambda x, y, i=invert: np.isin(x, y, invert=i))(array, given)
            np.testing.assert_array_equal(found, np.isin(array, given, invert=invert))
            assert_same(jf.in1d(array, given, invert=invert), np.isin(array, given, invert=invert).ravel())
    found = jf.isin(tensors(array), tensors(np.arange(100.0) / 2)).numpy()
    np.testing.assert_array_equal(found, np.isin(array, np.arange(100.0) / 2))


def test_jitted_functions_are_cut_where_sizes_follow_from_values() -> None:
    def program(x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, ...]:
        values, inverse, counts = np.unique(x * 2, return_inverse=True, return_counts=True)
        return values + 1, inverse, counts.max(), np.intersect1d(x, y) - 1, np.setdiff1d(x, y)

    jitted = jf.jit(program)
    for seed in (0, 1):
        arguments = drawn("int32", (60,), seed), drawn("int32", (9,), seed + 5)
        for found, expected in zip(jitted(*arguments), program(*arguments), strict=True):
            np.testing.assert_array_equal(found, expected)


def test_what_is_sorted_is_sorted_once() -> None:
    """Values that are evaluated for their number are not computed again."""
    with jf.profile() as taken:
        values, counts = jf.unique(jf.asarray(drawn("int32", (3000,))), return_counts=True)
        values.numpy(), counts.numpy()
    assert sum(launch.name.startswith("sort") for launch in taken.launches) == 1
