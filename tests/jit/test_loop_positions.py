"""What loops in kernels ask once, before they run without checks and in vectors."""

from __future__ import annotations

import numpy as np
import pytest

import jitframe as jf
from jitframe.codegen.kernel.text import kernel_text
from tests.jit.same import check
from tests.lower.programs import ready_of


def met_rising(d, row, at, low):
    """One of the iterations writes what the others read."""
    for j in range(low, d.shape[1] - 1):
        if d[row, j + 1] > 0.2:
            d[0, j + 1] = d[row, at] * d[0, j + 1] + d[1, at]
    return d


def met_falling(d, row, at, low):
    n = d.shape[1]
    for j in range(low, n):
        d[0, n - 1 - j] = d[row, n - 1 - j] - d[0, at] * 0.5
    return d


def met_twice(d, row, at, low):
    """Two positions that do not move, one of which is written."""
    other = at // 2
    for j in range(low, d.shape[1]):
        if d[0, at] < 0.9:
            d[0, j] = d[0, at] + d[0, other] + d[row, j]
    return d


def met_after_writing(d, row, at, low):
    """What the iteration itself wrote is read again."""
    for j in range(low, d.shape[1]):
        d[0, j] = d[0, j] + d[row, at]
        d[1, j] = d[0, at] * 2
        if d[1, j] > 1:
            d[0, j] = d[0, j] - 1
    return d


@pytest.mark.parametrize("function", [met_rising, met_falling, met_twice, met_after_writing])
def test_what_one_iteration_writes_and_others_read(function):
    rng = np.random.default_rng(5)
    for n, row, low in ((60, 0, 0), (60, 1, 30), (2, 0, 0)):
        for at in (1, n // 2 + 1, n - 1) if n > 2 else (0, 1):
            check(function, rng.random((2, n)), row, at, low)


def test_loops_with_conditions_run_in_vectors():
    for function in (met_rising, met_falling, met_twice, met_after_writing):
        kernels = ready_of(function, np.ones((2, 99)), 0, 3, 1).template.lowered.plan.kernels
        assert any("for lanes" in kernel_text(each) for each in kernels if each.name == "loop_nest")


def test_positions_that_are_multiples_of_the_counter():
    def spread(x, y, n, by):
        for k in range(n):
            y[k * by + 1] = x[2 * k] + y[k * by]
        return y

    (nest, *_) = ready_of(spread, np.zeros(400), np.zeros(400), 99, 3).template.lowered.plan.kernels
    unchecked = kernel_text(nest).split("else:")[0].rsplit("for ", 1)[1]
    assert "store" in unchecked and "atomic" not in unchecked
    rng = np.random.default_rng(8)
    for by in (0, 1, 3, 4, -2):
        check(spread, rng.random(400), rng.random(400), 99, by)
    for by in (5, 1 << 62, -(1 << 62), (1 << 61) + 1):
        with pytest.raises(IndexError, match="is out of bounds for axis 0 with size 400"):
            jf.jit(spread)(np.zeros(400), np.zeros(400), np.array([99])[0], np.array([by])[0])


def sieve(n):
    prime = np.ones(n + 1, dtype=np.bool_)
    prime[:2] = False
    i = 2
    while i * i <= n:
        if prime[i]:
            for j in range(i * i, n + 1, i):
                prime[j] = False
        i += 1
    return prime


def test_ranges_whose_step_the_values_decide():
    def visited(x, bounds):
        total = 0.0
        for k in range(len(bounds)):
            for i in range(bounds[k, 0], bounds[k, 1], bounds[k, 2]):
                total = total * 0.5 + x[i] * i
        return total

    jitted = jf.jit(sieve)
    for n in (300, 301):
        np.testing.assert_array_equal(jitted(n), sieve(n))
    assert "written out" not in str(jitted.explain(300))
    rng = np.random.default_rng(9)
    bounds = np.stack([rng.integers(0, 50, 300), rng.integers(0, 50, 300), rng.integers(1, 9, 300)], 1)
    bounds[::2] *= (1, 1, -1)
    check(visited, rng.random(50), bounds)
    bounds[7, 2] = 0
    with pytest.raises(ValueError, match=r"range\(\) arg 3 must not be zero"):
        jf.jit(visited)(rng.random(50), bounds)


def test_integers_that_are_halved_stay_small():
    def search(x, keys):
        out = np.zeros(len(keys), dtype=np.int64)
        for q in range(len(keys)):
            low, high = 0, len(x)
            while low < high:
                middle = (low + high) // 2
                if x[middle] < keys[q]:
                    low = middle + 1
                else:
                    high = middle
            out[q] = low
        return out

    rng = np.random.default_rng(11)
    x, keys = np.sort(rng.random(50)), rng.random(99)
    np.testing.assert_array_equal(jf.jit(search)(x, keys), np.searchsorted(x, keys))
    assert "raised" not in str(jf.jit(search).explain(x, keys))  # no number may grow beyond 64 bits
