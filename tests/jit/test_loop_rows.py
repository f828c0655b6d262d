"""Loops along the last axis of arrays go row by row, products in loops are added up column by column, and
threads share the rows and columns of a symmetric matrix."""

from __future__ import annotations

import copy

import numpy as np
import pytest

import jitframe as jf
from tests.jit.same import check
from tests.jit.test_loop_nests import is_shared, nests_of

RNG = np.random.default_rng(3)


def tridiagonal(a, b, c, d):
    """Thomas' algorithm for each row, over all rows at once."""
    n = d.shape[-1]
    c, d = c.copy(), d.copy()
    c[:, :, 0] = c[:, :, 0] / b[:, :, 0]
    d[:, :, 0] = d[:, :, 0] / b[:, :, 0]
    for k in range(1, n):
        scale = 1.0 / (b[:, :, k] - a[:, :, k] * c[:, :, k - 1])
        c[:, :, k] = c[:, :, k] * scale
        d[:, :, k] = (d[:, :, k] - a[:, :, k] * d[:, :, k - 1]) * scale
    last = d[:, :, n - 1].copy()
    for k in range(n - 2, -1, -1):
        last[:] = d[:, :, k] - c[:, :, k] * last
        d[:, :, k] = last
    return d


def smoothed(x, weight):
    """What is carried as a whole, bound anew; a view of a row's end; a number of the loop."""
    out = np.zeros_like(x)
    state = x[:, 0] * 2
    for k in range(x.shape[1]):
        state = np.where(state > 2, state * weight, state + x[:, k]) + k
        out[:, k] = state
        out[:, k] *= 0.5
    return out, state


def from_the_end(x):
    for k in range(1, x.shape[1]):
        x[:, -k - 1] += x[:, -k]
    return x


def shifted_rows(x, y):
    """Views that begin at other rows are read, not written."""
    for k in range(2, x.shape[1]):
        x[:, k] = x[:, k - 2] + (y[1:, k] - y[:-1, k])
    return x


ROWS = {
    "tridiagonal": (tridiagonal, lambda n: [RNG.random((40, 30, n)) + each for each in (0, 3, 0, 0)]),
    "smoothed": (smoothed, lambda n: (RNG.random((3000, n)), 0.5)),
    "from the end": (from_the_end, lambda n: (RNG.random((500, n)),)),
    "shifted rows": (shifted_rows, lambda n: (RNG.random((700, n)), RNG.random((701, n)))),
}


@pytest.mark.parametrize("name", ROWS)
def test_a_loop_along_rows_is_one_kernel(name):
    function, arguments = ROWS[name]
    for n in (40, 9, 3):
        given = arguments(n)
        meant, ours = copy.deepcopy(given), copy.deepcopy(given)
        for x, y in zip(_leaves(function(*meant)), _leaves(jf.jit(function)(*ours)), strict=True):
            np.testing.assert_array_equal(x, y)
        for x, y in zip(meant, ours, strict=True):
            np.testing.assert_array_equal(x, y)
    assert set(nests_of(function, *arguments(300))) == {""}


def test_a_position_beyond_the_rows_is_an_error():
    def beyond(x, n):
        for k in range(n):
            x[:, k] = x[:, k - 1] + 1
        return x

    function = jf.jit(beyond)
    np.testing.assert_array_equal(function(np.ones((3000, 20)), 20), beyond(np.ones((3000, 20)), 20))
    with pytest.raises(IndexError, match="index 20 is out of bounds for axis 1 with size 20"):
        function(np.ones((3000, 20)), 21)


def other_row(x):
    for k in range(1, x.shape[1]):
        x[1:, k] = x[:-1, k - 1]
    return x


def whole_rows(x):
    for k in range(1, x.shape[1]):
        x[:, k] = x[:, k - 1] - x[:, k - 1].mean()
    return x


def another_order(x):
    for k in range(1, x.shape[1]):
        x[:, k] = x[::-1, k - 1] + 1
    return x


@pytest.mark.parametrize("function", [other_row, whole_rows, another_order])
def test_rows_that_need_each_other(function):
    check(function, RNG.random((3000, 20)))


def convolved(image, weights):
    rows, columns = weights.shape[:2]
    height, width = image.shape[1] - rows + 1, image.shape[2] - columns + 1
    out = np.empty((image.shape[0], height, width, weights.shape[3]), image.dtype)
    for i in range(height):
        for j in range(width):
            out[:, i, j, :] = np.sum(
                image[:, i : i + rows, j : j + columns, :, np.newaxis] * weights[np.newaxis], axis=(1, 2, 3)
            )
    return out


def column_sums(x, y):
    out = np.zeros((x.shape[0], y.shape[2]))
    for i in range(x.shape[0]):
        out[i] = (x[i][:, None] * y[i]).sum(axis=0) + np.max(y[i], axis=0)
    return out


@pytest.mark.parametrize("channels", [1, 3, 6])
@pytest.mark.parametrize("size", [2, 5])
def test_products_of_several_axes_in_loops(channels, size):
    image, weights = RNG.random((2, 12, 11, channels)), RNG.random((size, size, channels, 16))
    check(convolved, image, weights)
    check(convolved, image.astype(np.float32), weights.astype(np.float32))


def test_sums_of_columns_in_loops():
    for rows in (0, 1, 3, 4, 7, 9):
        x, y = RNG.random((20, rows)), RNG.random((20, rows, 13))
        if rows:
            check(column_sums, x, y)
        check(lambda x, y: [x[i] @ y[i] for i in range(20)][7], x, y)
    assert nests_of(column_sums, RNG.random((300, 3)), RNG.random((300, 3, 13))) == [""]


def correlated(x):
    count = x.shape[1]
    out = np.eye(count)
    for i in range(count - 1):
        out[i + 1 :, i] = out[i, i + 1 :] = x[:, i] @ x[:, i + 1 :]
    return out


def symmetric(x, first):
    n = len(x)
    out = np.zeros((n, n))
    for i in range(n):
        for j in range(i + first, n):
            out[i, j] = out[j, i] = x[i] * x[j] + i - j
    return out


def below(x, first):
    """The positions are not symmetric where j begins below i: another iteration's element is written too."""
    n = len(x)
    out = np.zeros((n, n))
    for i in range(1, n):
        for j in range(i + first, n):
            out[i, j] = out[j, i] = x[i] * x[j] + i - j
    return out


def test_threads_share_the_rows_of_a_symmetric_matrix():
    x = RNG.random((40, 300))
    check(correlated, x)
    assert is_shared(correlated, x)
    for first in (0, 1, 2):
        check(symmetric, x[0], first)
    assert is_shared(lambda x: symmetric(x, 0), x[0])  # where it has to be known how far j is from i
    check(below, x[0], -1)
    assert not is_shared(below, x[0], -1)


def _leaves(found):
    return found if isinstance(found, tuple | list) else (found,)


def sweeps(p, q, u):
    """Columns and rows of windows, read where they were written."""
    n = len(u)
    for t in range(3):
        p[1 : n - 1, 0] = t
        for j in range(1, n - 1):
            p[1 : n - 1, j] = 1.0 / (2.0 + 0.5 * p[1 : n - 1, j - 1])
            q[1 : n - 1, j] = u[j, 0 : n - 2] - u[j, 2:n] + q[1 : n - 1, j - 1] * p[1 : n - 1, j]
        for j in range(n - 2, 0, -1):
            u[j, 1 : n - 1] = p[1 : n - 1, j] * u[j + 1, 1 : n - 1] + q[1 : n - 1, j]
    return u


def steps_of_windows(x):
    for j in range(1, x.shape[1]):
        x[1::2, j] += x[1::2, j - 1]
        x[::-3, -j] = j
        x[5:2:-1, j] -= x[2:5, j]
    return x


def one_window(x):
    for j in range(1, x.shape[1]):
        x[1:-1, j] = x[1:-1, j - 1] * 0.5 + j
    return x


def other_windows(x):
    """What is put back is another window, or one of the axis that is indexed."""
    for j in range(x.shape[1] - 4):
        x[2:4, 1:-1][:, j] = x[1:3, j]
        x[3] *= x[:, j].max()
        x[1:4, j + 1] = x[0:3, j + 1]
        x[:, j + 1] -= x[:, j]
        x[1:-1] = x[:-2] + 1
    return x


@pytest.mark.parametrize("n", [5, 12, 80])
def test_windows_of_rows_are_written_where_they_are(n):
    check(sweeps, *(RNG.random((n, n)) for _ in range(3)))
    check(steps_of_windows, RNG.random((n + 3, n)))
    check(one_window, RNG.random((n, 2 * n)))
    check(other_windows, RNG.random((n, n)))
    assert nests_of(sweeps, *(RNG.random((90, 90)) for _ in range(3))) == [""]


def test_complex_windows():
    x = RNG.random((30, 40)) + 1j * RNG.random((30, 40))
    check(steps_of_windows, x)
