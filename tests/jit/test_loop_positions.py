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
    jitted = jf.jit(spread)
    for by in (5, 1 << 62, -(1 << 62), (1 << 61) + 1):
        with pytest.raises(IndexError, match="is out of bounds for axis 0 with size 400"):
            jitted(np.zeros(400), np.zeros(400), np.array([99])[0], np.array([by])[0])


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
    assert "unrolled" not in str(jitted.explain(300))
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


def neighbours(g):
    """Of each cell those that are there."""
    n, m = g.shape
    out = np.zeros((n, m))
    for i in range(n):
        for j in range(m):
            total, weight = g[i, j], 1.0
            if i > 0:
                total += g[i - 1, j]
                weight += 1
            if i < n - 1:
                total += g[i + 1, j]
                weight += 1
            if j > 0:
                total += g[i, j - 1]
                weight += 1
            if j < m - 1:
                total += g[i, j + 1]
                weight += 1
            out[i, j] = total / weight
    return out


def perimeter(g):
    n, m = g.shape
    count = 0
    for i in range(n):
        for j in range(m):
            if g[i, j] > 0.5:
                count += 4
                if i > 0 and g[i - 1, j] > 0.5:
                    count -= 1
                if i < n - 1 and g[i + 1, j] > 0.5:
                    count -= 1
                if j > 1 and g[i, j - 2] > 0.5:
                    count -= 1
                if j < m - 1 and g[i, j + 1] > 0.5:
                    count -= 1
    return count


def backwards(g):
    """Positions that fall, and one that is only in range in the middle."""
    n, m = g.shape
    last = 0.0
    for k in range(-2, m + 2):
        if k >= 0 and k < m:
            last = last - g[0, m - 1 - k] * g[n - 1, k]
        else:
            last -= 1
    return last


def around_the_end(g):
    """The first position counts from the end."""
    total = g[0, 0] * 0
    for j in range(g.shape[1]):
        if g[0, j] > 0.3:
            total += g[0, j - 1]
    return total


@pytest.mark.parametrize("function", [neighbours, perimeter, backwards, around_the_end])
def test_edges_run_apart_from_what_is_between(function):
    rng = np.random.default_rng(3)
    for n, m in ((1, 1), (1, 2), (2, 1), (2, 3), (3, 2), (5, 17), (17, 40), (3, 0), (0, 3)):
        if n * m or function in (neighbours, perimeter):
            check(function, rng.random((n, m)))


def test_what_lies_between_edges_is_not_checked():
    for function in (neighbours, perimeter):
        kernels = ready_of(function, np.ones((9, 9))).template.lowered.plan.kernels
        (nest,) = (kernel_text(each) for each in kernels if each.name == "loop_nest")
        assert nest.count("for lanes ") == 2  # where all positions are in range, and between the edges


def test_what_is_out_of_bounds_at_an_edge_is_an_error():
    def beyond(x, first, last):
        total = 0.0
        for i in range(first, last):
            if x[i % 10] > 0:
                total += x[i + 1]
        return total

    x = np.ones(10)
    jitted = jf.jit(beyond)
    for first, last in ((0, 9), (-5, 9), (-11, -3), (3, 3)):
        assert jitted(x, np.array([first])[0], np.array([last])[0]) == beyond(x, first, last)
    for first, last, position in ((0, 10, 10), (-12, 3, -11), (5, 12, 12), (20, 25, 25)):
        with pytest.raises(IndexError, match=f"index {position} is out of bounds for axis 0 with size 10"):
            jitted(x, np.array([first])[0], np.array([last])[0])


def test_sums_of_some_terms_have_the_bits_of_branches():
    def chosen(x, y):
        a, b, c, d = -0.0, -0.0, 0.0, 1.5
        for i in range(1, len(x)):
            if x[i] > 0:
                a += x[i]
            if x[i] < 0:
                b = b - y[i]
            if x[i] > y[i]:
                c += x[i]
            else:
                c -= y[i]
            if y[i] > x[i - 1]:
                d -= x[i]
            else:
                d -= y[i]
        return a, b, c, d

    special = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 1e-310, 3.0, -3.0])
    rng = np.random.default_rng(11)
    cases = [(rng.choice(special[:k], 9), rng.choice(special[:k], 9)) for k in (1, 2, 2, 4, 8, 8)]
    cases += [
        (-np.abs(rng.random(50)), rng.random(50)),
        (rng.random(50), -rng.random(50)),
        (X := np.zeros(9), -X),
    ]
    jitted = jf.jit(chosen)
    for x, y in cases:
        for dtype in (np.float64, np.float32):
            found = jitted(x.astype(dtype), y.astype(dtype))
            with np.errstate(invalid="ignore"):
                numpys = chosen(x.astype(dtype), y.astype(dtype))
            for own, wanted in zip(found, numpys, strict=True):
                assert np.isnan(own) == np.isnan(wanted)
                assert np.isnan(own) or (own == wanted and np.signbit(own) == np.signbit(wanted))


def test_integers_of_which_some_are_added_wrap_around():
    def chosen(x, start):
        total = start
        for i in range(len(x)):
            if x[i] > 100:
                total += x[i]
            else:
                total -= x[i]
        return total

    for dtype in (np.uint8, np.int8, np.uint64, np.int32):
        x = (np.arange(200) % 127).astype(dtype)
        start = np.array([7], dtype)[0]
        with np.errstate(over="ignore"):
            assert jf.jit(chosen)(x, start) == chosen(x, start)
