"""Several passes over a row: what one of them computed at some cost is not computed again by another."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import jitframe as jf
from jitframe.codegen.kernel.parse import parse_kernel
from jitframe.codegen.lower.machine import SCRATCH_ELEMENTS

from .programs import floats, lanes_loops

STEPS = 4


def standardised(a: Any, b: Any) -> Any:
    """Two reductions a step, each of what the step before made of both arrays."""
    for number in range(STEPS):
        a = (a - np.mean(a, axis=1, keepdims=True)) / (np.std(a, axis=1, keepdims=True) + 1e-5)
        a, b = np.maximum(a, b * 0.5), np.minimum(a * b, 2) - number
    return a, b


def long_sum(a: Any) -> Any:
    """Nothing in it is expensive, but it is long."""
    for number in range(12):
        a = np.abs(a - number)
    return a - np.mean(a, axis=1, keepdims=True)


def share(a: Any) -> Any:
    exponentials = np.exp(a - np.max(a, axis=1, keepdims=True))
    return exponentials / np.sum(exponentials, axis=1, keepdims=True)


def operations(function: Any, *arrays: np.ndarray) -> list[dict[str, int]]:
    """Of each pass over a row, in all kernels."""
    kernels = [parse_kernel(each.source("kernel")) for each in jf.jit(function).explain(*arrays).kernels]
    return [loop.operations for kernel in kernels for loop in lanes_loops(kernel)]


def test_each_pass_over_a_row_is_short() -> None:
    passes = operations(standardised, floats(40, 300), floats(40, 300))
    assert sum(each.get("div", 0) for each in passes) == STEPS
    longest = max(sum(each.values()) for each in passes)
    assert longest < 16, "a step has nine operations along the row"


def test_a_long_formula_is_computed_once() -> None:
    first, last = operations(long_sum, floats(40, 300))
    assert first["abs"] == 12
    assert last == {"sub": 1}


@pytest.mark.parametrize("columns", [1, 31, 100, 513, SCRATCH_ELEMENTS, SCRATCH_ELEMENTS + 1])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_results_for_rows_of_any_length(columns: int, dtype: Any) -> None:
    arrays = [floats(5, columns).astype(dtype), np.flip(floats(5, columns), 1).astype(dtype)]
    wide = standardised(*(array.astype(np.float64) for array in arrays))
    tolerance = 1e-3 if dtype is np.float32 else 1e-9
    for found, wanted in zip(jf.jit(standardised)(*arrays), wide, strict=True):
        np.testing.assert_allclose(found, wanted, rtol=tolerance, atol=tolerance)


def test_a_sum_has_the_same_bits_whether_or_not_its_row_is_near() -> None:
    near = floats(3, SCRATCH_ELEMENTS)
    far = np.concatenate([near, np.full((3, 100), -np.inf, np.float32)], axis=1)  # their shares are zero
    function = jf.jit(share)
    assert np.array_equal(function(far)[:, :SCRATCH_ELEMENTS], function(near))
