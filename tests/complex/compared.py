"""Programs on complex arrays, compared with NumPy: inside `jit`, as lazy Tensors, and on devices."""

from __future__ import annotations

import copy
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import jitframe as jf
from tests.functions.compare import interpreted

DTYPES = ("complex64", "complex128")
PARTS = (0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan)


def special(dtype: str) -> np.ndarray:
    """All combinations of telling parts."""
    made = np.empty(len(PARTS) ** 2, dtype)
    made.real, made.imag = (each.ravel() for each in np.meshgrid(PARTS, PARTS, indexing="ij"))
    return made


def drawn(dtype: str, *shape: int, seed: int = 0) -> np.ndarray:
    """Random numbers, whole in some bits, so that equal ones occur."""
    random = np.random.default_rng(seed)
    made: np.ndarray = (random.integers(-6, 7, shape) / 4 + 1j * random.integers(-6, 7, shape) / 4).astype(
        dtype
    )
    return made


def assert_close(found: Any, expected: Any, ulp: float = 8) -> None:
    """Equal types, dtypes and shapes; values within some ulp of the largest part, NaN for NaN."""
    if isinstance(expected, (tuple, list)):
        assert len(found) == len(expected)
        for each, wanted in zip(found, expected, strict=True):
            assert_close(each, wanted, ulp)
        return
    found, expected = np.asarray(found), np.asarray(expected)
    assert found.dtype == expected.dtype, (found.dtype, expected.dtype)
    assert found.shape == expected.shape, (found.shape, expected.shape)
    if expected.dtype.kind not in "fc":
        np.testing.assert_array_equal(found, expected)
        return
    largest = np.max(np.abs(expected[np.isfinite(expected)]), initial=1e-300)
    tolerance = float(ulp * np.finfo(expected.dtype).eps * largest)
    for part in ("real", "imag"):
        np.testing.assert_allclose(getattr(found, part), getattr(expected, part), rtol=0, atol=tolerance)


def check(function: Callable[..., Any], *arguments: Any, ulp: float = 8, lazily: bool = True) -> None:
    """The same results as NumPy's, and the same arguments afterwards."""
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        before = copy.deepcopy(arguments)
        expected = function(*before)
        given = copy.deepcopy(arguments)
        found = jf.jit(function)(*given)
        assert_close(found, expected, ulp)
        assert_close(
            [each for each in given if isinstance(each, np.ndarray)],
            [each for each in before if isinstance(each, np.ndarray)],
            ulp,
        )
        if lazily:
            lazy = [jf.asarray(each) if isinstance(each, np.ndarray) else each for each in arguments]
            with interpreted():
                assert_close(function(*lazy), expected, ulp)


def refuses(function: Callable[..., Any], *arguments: Any) -> None:
    """The function raises TypeError, as NumPy does, in a trace and on Tensors."""
    lazy = [jf.asarray(each) if isinstance(each, np.ndarray) else each for each in arguments]
    for attempt in (lambda: jf.jit(function)(*arguments), lambda: function(*lazy)):
        with pytest.raises(TypeError) as caught:
            attempt()
        assert isinstance(caught.value, jf.errors.JitframeError), function
