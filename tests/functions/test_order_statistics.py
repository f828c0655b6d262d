"""Medians, percentiles and quantiles are NumPy's: methods, axes, dtypes, NaN, computed quantiles."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import jitframe as jf
from jitframe.api.statistics.order_statistics import _METHODS
from jitframe.errors import ArgumentError, BoundsError, UnsupportedError
from tests.functions.compare import check, interpreted, is_new, small, tensors

QUANTILES = (0.3, 1, [0.0, 0.25, 1.0], np.float32(0.5), [[0.1, 0.2], [0.3, 1.0]])


def same(function: Callable[..., Any], *arguments: Any) -> None:
    """Lazily, and once for each kind of arrays in `jit`, within some ulp: what is interpolated is rounded in
    other places."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        expected = np.asarray(function(*arguments))
    with interpreted():
        compared = [function(*tensors(arguments)).numpy()]
    if is_new(function, arguments):
        compared.append(np.asarray(jf.jit(function)(*arguments)))
    for found in compared:
        assert (found.dtype, found.shape) == (expected.dtype, expected.shape)
        digits = {"float16": 2e-3, "float32": 4e-7}.get(expected.dtype.name, 1e-15)
        np.testing.assert_allclose(found, expected, rtol=digits)


def holed(array: np.ndarray) -> np.ndarray:
    """Some elements NaN, but one at least in each row and column a number."""
    array = array.copy()
    array.reshape(-1)[::4] = np.nan
    return array


@pytest.mark.parametrize("method", _METHODS)
def test_every_method(method: str) -> None:
    array = small("float32", (3, 10))
    for axis in (None, 0):
        for q in QUANTILES[::2]:
            same(lambda x, q=q, a=axis: np.quantile(x, q, axis=a, method=method), array)
    same(lambda x: np.nanquantile(x, [0.0, 0.4, 1.0], axis=1, method=method), holed(array))
    same(lambda x: np.quantile(x, 0.37, method=method), array.astype("int32"))


@pytest.mark.parametrize("dtype", ["float64", "float16", "int64", "uint8", "bool"])
def test_every_dtype_and_axis(dtype: str) -> None:
    array = small("float64", (4, 5, 3)).astype(dtype)
    for axis in (None, 1, (0, -1), ()):
        for keepdims in (False, True):
            same(lambda x, a=axis, k=keepdims: np.median(x, axis=a, keepdims=k), array)
            same(lambda x, a=axis, k=keepdims: np.nanmedian(x, axis=a, keepdims=k), array)
            if dtype != "bool":
                same(lambda x, a=axis, k=keepdims: np.percentile(x, 30, axis=a, keepdims=k), array)
    same(lambda x: np.median(x[:, ::-1, ::2].transpose(2, 0, 1), axis=0), array)
    if dtype != "bool":
        for q in QUANTILES[:4]:
            same(lambda x, q=q: np.quantile(x, q, axis=0), array)
    same(lambda x: np.quantile(x, [0, 1], axis=0), array)


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_nan(dtype: str) -> None:
    array = holed(small(dtype, (5, 7)))
    array[2] = np.nan
    for axis in (None, 0, 1):
        same(lambda x, a=axis: np.median(x, axis=a), array)
        same(lambda x, a=axis: np.nanmedian(x, axis=a), array)
        same(lambda x, a=axis: np.percentile(x, 25.0, axis=a), array)
        same(lambda x, a=axis: np.nanpercentile(x, 25.0, axis=a), array)
    same(lambda x: np.nanmedian(x, axis=0), np.full((3, 2), np.nan, dtype))
    same(lambda x: np.median(x), np.array([np.inf, -np.inf, np.inf, 1], dtype))


@pytest.mark.parametrize("method", ["linear", "nearest", "midpoint", "hazen", "inverted_cdf"])
def test_quantiles_that_are_computed(method: str) -> None:
    array = small("float64", (4, 30))
    for q in (np.array(0.3), np.array([0.0, 0.5, 0.9, 1.0])):
        same(lambda x, q: np.quantile(x, q, axis=1, method=method), array, q)
        same(lambda x, q: np.percentile(x, q * 100, method=method), array, q)
        same(lambda x, q: np.nanquantile(x, q, axis=0, method=method), holed(array), q)


def test_no_elements() -> None:
    check(np.median, np.zeros(0))
    check(lambda x: np.median(x, axis=1), np.zeros((3, 0)))
    check(lambda x: np.median(x, axis=0), np.zeros((3, 0)))
    with pytest.raises(BoundsError, match="quantiles of no elements"):
        jf.quantile(np.zeros(0), 0.5)


def test_out() -> None:
    array, out = small("float64", (4, 9)), np.zeros(4)
    assert np.median(tensors(array), axis=1, out=out) is out
    np.testing.assert_array_equal(out, np.median(array, axis=1))

    @jf.jit
    def written(x: Any, out: Any) -> None:
        np.quantile(x, 0.25, axis=1, out=out)

    written(array, out)
    np.testing.assert_allclose(out, np.quantile(array, 0.25, axis=1))


def test_refused() -> None:
    x = tensors(np.arange(4.0))
    with pytest.raises(ArgumentError, match=r"Quantiles must be in the range \[0, 1\]"):
        np.quantile(x, 1.5)
    with pytest.raises(ArgumentError, match=r"Percentiles must be in the range \[0, 100\]"):
        np.percentile(x, -1)
    with pytest.raises(ArgumentError, match="method must be one of"):
        np.quantile(x, 0.5, method="middle")  # type: ignore[call-overload]
    with pytest.raises(UnsupportedError, match="weights of quantiles are not supported"):
        np.quantile(x, 0.5, method="inverted_cdf", weights=np.ones(4))
    with pytest.raises(ArgumentError, match="q must be a scalar or 1d"):
        np.quantile(x, np.zeros((1, 1, 1)))


@pytest.mark.parametrize("dtype", [np.uint8, np.int16, np.int32, np.int64])
def test_quantiles_by_integers(dtype) -> None:
    for x in (np.arange(5, dtype=np.float32)[::-1], np.array(3.0), np.arange(6).reshape(2, 3)):
        for q in (np.array([0, 1, 1], dtype), np.array(1, dtype)):
            expected = np.quantile(x, q, axis=-1 if x.ndim else None)
            for found in (
                jf.quantile(x, jf.asarray(q), axis=-1 if x.ndim else None).numpy(),
                jf.jit(lambda x, q: np.quantile(x, q, axis=-1 if x.ndim else None))(x, q),
            ):
                np.testing.assert_array_equal(found, expected)
