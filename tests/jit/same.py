"""Comparing what a jitted function does with what NumPy does."""

from __future__ import annotations

import copy

import numpy as np

import jitframe as jf


def assert_same(found, expected, tolerance=2e-6):
    """Equal values, types, dtypes and shapes; floats up to a relative tolerance (in terms of float32)."""
    assert type(found) is type(expected), (found, expected)
    if isinstance(expected, dict):
        assert list(found) == list(expected)
        for key in expected:
            assert_same(found[key], expected[key], tolerance)
    elif isinstance(expected, (tuple, list)):
        assert len(found) == len(expected)
        for mine, its in zip(found, expected, strict=True):
            assert_same(mine, its, tolerance)
    elif isinstance(expected, (np.ndarray, np.generic)):
        assert found.dtype == expected.dtype and found.shape == expected.shape, (found, expected)
        if expected.dtype.kind == "f":
            scale = tolerance if expected.dtype == np.float32 else 1e-14
            np.testing.assert_allclose(found, expected, rtol=scale, atol=scale)
        else:
            np.testing.assert_array_equal(found, expected)
    elif isinstance(expected, float):
        assert found == expected or abs(found - expected) <= 1e-14 * abs(expected)
    else:
        assert found == expected


def check(function, *arguments, calls=2, tolerance=2e-6, **options):
    """The function gives and writes the same under jit as in NumPy, at the first call and later ones."""
    jitted = jf.jit(function, **options)
    for _ in range(calls):
        mine, its = copy.deepcopy(arguments), copy.deepcopy(arguments)
        expected = function(*its)
        assert_same(jitted(*mine), expected, tolerance)
        assert_same(list(mine), list(its), tolerance)
    return jitted
