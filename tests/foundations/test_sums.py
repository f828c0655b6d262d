"""F5: a sum has the same bits at every thread count and instruction set, and is as accurate as NumPy's."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import jitframe as jf
from jitframe.runtime.cpu.kernels.target import LEVELS
from tests.foundations.programs import available
from tests.foundations.reductions import JITTED, arrays, axes_of, cases, fingerprints
from tests.foundations.values import assert_same_bits

RUN_CASES = "import runpy; runpy.run_module('tests.foundations.reductions', run_name='__main__')"


def differing(first: dict[str, str], second: dict[str, str]) -> list[str]:
    assert first.keys() == second.keys() and len(first) > 100
    return [label for label in first if first[label] != second[label]]


@pytest.fixture(scope="module")
def here() -> dict[str, dict[str, str]]:
    """The bits of every case in this process, on three threads."""
    return {dtype: fingerprints(dtype, 3) for dtype in ("float32", "float64")}


@pytest.mark.parametrize("threads", [1, 2, 7])
def test_sums_do_not_depend_on_the_number_of_threads(threads, here):
    for dtype, known in here.items():
        assert differing(known, fingerprints(dtype, threads)) == []


def test_sums_do_not_depend_on_the_threads_a_plan_was_bound_for(here, in_process):
    """A plan that is bound already knows another number of threads than the one it now runs with."""
    found = in_process(RUN_CASES, "7", JITFRAME_NUM_THREADS="7")
    for dtype, known in here.items():
        assert differing(known, found[dtype]) == []


@pytest.mark.parametrize("level", LEVELS)
def test_sums_do_not_depend_on_the_instruction_set(level, here, in_process):
    if not available(level):
        pytest.skip(f"this processor has no {level}")
    found = in_process(RUN_CASES, "1", JITFRAME_SIMD=level)
    for dtype, known in here.items():
        assert differing(known, found[dtype]) == []


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("dtype", ["bool", "uint8", "int32", "int64"])
def test_sums_of_integers_are_exact(dtype):
    """uint8 is summed as int64: NumPy's own choice, uint64, is no dtype here."""
    kind = np.int64 if dtype == "uint8" else None
    jitted = jf.jit(lambda x, axis: (x.sum(axis=axis, dtype=kind), x.max(axis=axis)), static_argnames="axis")
    for _, array in arrays(dtype):
        for axis in axes_of(array):
            if array.size:
                total, most = jitted(array, axis)
                assert_same_bits(total, array.sum(axis=axis, dtype=kind))
                assert_same_bits(most, array.max(axis=axis))


@pytest.mark.parametrize("columns", [1, 3, 20])
def test_a_sum_of_negative_zeros_is_positive(columns):
    """As NumPy's: a sum begins with 0.0, in a loop and where a short axis is unrolled."""
    zeros, ones = np.full((5, columns), -0.0), np.ones((5, columns))
    for function in (
        lambda x, y: (x * y).sum(axis=1),
        lambda x, y: (x * x).sum(axis=1),
        lambda x, y: x.sum(axis=1),
    ):
        found = jf.jit(function)(zeros, ones)
        assert_same_bits(found, function(zeros, ones))
        assert not np.signbit(found).any()


def error(found: Any, exact: float) -> float:
    return abs(float(found) - exact)


DISTRIBUTIONS = ["uniform", "normal", "wide", "cancelling"]
NOISE = 1.5
"""Two equally good orders of adding differ by so much on a few dozen random samples."""
ROUNDED = 0.5
"""Errors below half a unit in the last place are those of an exact sum that is rounded."""


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("distribution", DISTRIBUTIONS)
def test_sums_are_as_accurate_as_numpys(distribution, dtype):
    ours, theirs = errors(distribution, dtype)
    assert ours <= max(NOISE * theirs, ROUNDED), f"{ours:.2f} units against NumPy's {theirs:.2f}"


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_sums_of_equal_values_are_nearly_as_accurate_as_numpys(dtype):
    """The worst case: every addition of an accumulator rounds the same way, errors grow with its length."""
    ours, theirs = errors("constant", dtype)
    assert ours <= 2 * theirs, f"{ours:.2f} units against NumPy's {theirs:.2f}"


def errors(distribution: str, dtype: str) -> tuple[float, float]:
    """Our errors against the exact sum and NumPy's, on average, in units of its last place."""
    jitted = jf.jit(lambda x: x.sum())
    ours, theirs = [], []
    for size in (100, 1000, 4099, 30_000, 100_003, 1_000_003):
        for seed in range(8):
            x = sample(distribution, size, seed).astype(dtype)
            exact = math.fsum(x)
            scale = float(np.abs(x).astype(np.float64).sum()) * float(np.finfo(dtype).eps)
            ours.append(error(jitted(x), exact) / scale)
            theirs.append(error(x.sum(), exact) / scale)
    return sum(ours) / len(ours), sum(theirs) / len(theirs)


def sample(distribution: str, size: int, seed: int) -> np.ndarray:
    random = np.random.default_rng(seed)
    if distribution == "uniform":
        return random.random(size)
    if distribution == "normal":
        return random.standard_normal(size)
    if distribution == "wide":
        return random.random(size) * 10.0 ** random.integers(-6, 7, size)
    if distribution == "constant":
        return np.full(size, 0.1 + seed)
    half = random.standard_normal(size // 2) * 1000
    return np.concatenate([half, -half[::-1], random.random(size - 2 * (size // 2))])


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_sums_along_axes_are_as_accurate_as_numpys(dtype):
    """Column sums, which NumPy adds one row after the other, and row sums."""
    jitted = jf.jit(lambda x, axis: x.sum(axis=axis), static_argnames="axis")
    for shape in ((30_000, 50), (50, 30_000), (1000, 1000)):
        x = np.random.default_rng(3).random(shape).astype(dtype)
        for axis in (0, 1):
            exact = np.array([math.fsum(row) for row in np.moveaxis(x, axis, -1)])
            unit = exact * float(np.finfo(dtype).eps)
            ours = np.abs((jitted(x, axis).astype(np.float64) - exact) / unit).mean()
            theirs = np.abs((x.sum(axis=axis).astype(np.float64) - exact) / unit).mean()
            limit = max(NOISE * theirs, ROUNDED)
            assert ours <= limit, f"{shape} over {axis}: {ours:.2f} units against NumPy's {theirs:.2f}"


def test_every_case_is_a_sum_of_what_it_says():
    """The fingerprints compare bits only with each other: here the values are compared with NumPy's."""
    for name, label, array, axis in cases("float64"):
        if name == "total":
            found = JITTED[name](array, axis)
            limit = float(np.abs(array).sum()) * 1e-13
            np.testing.assert_allclose(found, array.sum(axis=axis), rtol=1e-12, atol=limit, err_msg=label)
