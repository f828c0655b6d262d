"""Indexing with traced integers and arrays under jit: values, aliasing, what is written, errors."""

from __future__ import annotations

import numpy as np
import pytest

import jitframe as jf
from jitframe.errors import BoundsError
from tests.jit.same import check


def read_rows(x, i, j):
    return x[i], x[:, j], x[i, j], x[i, 1:3], x[..., j], x[None, i]


def write_rows(x, i, j):
    x[i] = 7.0
    x[:, j] = x[0, 0] * 2 + x[:, 0]
    x[i, j] += 1
    x[-1, 1:3] = i
    return x.sum()


def through_a_view(x, i):
    row = x[i]
    row[1] = 50.0
    row += 1
    same = x[i]
    x[i, 0] = -1.0
    return same[0], row * 1


def gathered(x, places):
    chosen = x[places]
    chosen[0] = 100.0  # a copy
    x[places] += 1
    return chosen, x[:, places], x[places, places]


def scattered(x, places, values):
    x[places] = values
    x[1:][places % 2] = 3.0
    return x


def shifted(x, i):
    x[i] = x[i - 1] + x[i + 1]
    x[i + 1] = x[::-1][i]
    return x


def at_its_own_position(x):
    x[x % 3] = x
    return x


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        (read_rows, (np.arange(20.0).reshape(4, 5), 2, -1)),
        (write_rows, (np.arange(20.0).reshape(4, 5), 2, -2)),
        (write_rows, (np.arange(16.0).reshape(4, 4), np.int64(1), np.int32(0))),
        (through_a_view, (np.arange(12.0).reshape(4, 3), 1)),
        (gathered, (np.arange(16.0).reshape(4, 4), np.array([1, 1, -1]))),
        (scattered, (np.arange(10.0), np.array([3, 3, -2]), np.array([1.0, 2.0, 3.0]))),
        (shifted, (np.arange(9.0), 3)),
        (at_its_own_position, (np.arange(7),)),
    ],
)
def test_it_is_numpys(function, arguments):
    check(function, *arguments)


def test_a_row_that_is_returned_is_a_view_of_the_argument():
    x = np.arange(6.0).reshape(3, 2)
    row = jf.jit(lambda x, i: x[i + 1])(x, 0)
    assert np.shares_memory(row, x)
    row[0] = 9.0
    assert x[1, 0] == 9.0


def recurrence(n, x):
    def body(i, x):
        x[i] = x[i - 1] * 0.5 + x[i - 2]
        return x

    return jf.fori_loop(2, n, body, x)


def rows_of_a_loop(n, x):
    def body(i, carried):
        x, total = carried
        x[i, :] = x[i - 1, ::-1] + 1
        x[:, 0] += i
        return x, total + x[i, 1]

    return jf.fori_loop(1, n, body, (x, 0.0))


def test_loops_write_their_positions():
    check(recurrence, 9, np.arange(9.0))
    check(rows_of_a_loop, 4, np.arange(12.0).reshape(4, 3))


def test_positions_out_of_bounds():
    @jf.jit
    def pick(x, i):
        return x[0] + x[:, i][0]

    x = np.arange(6.0).reshape(2, 3)
    assert pick(x, -3)[0] == 0.0
    for _ in range(2):  # the first call and the native one
        with pytest.raises(BoundsError) as caught:
            pick(x, 3)
        first, second = str(caught.value).split("\n")
        assert first == "index 3 is out of bounds for axis 1 with size 3"
        assert __file__ in second and second.endswith("in test_positions_out_of_bounds.<locals>.pick")
        np.testing.assert_array_equal(pick(x, 2), x[0] + 2)


def test_a_loop_writes_its_positions_where_they_are():
    """The loop is one kernel, which writes each element once: nothing is copied, and nothing swapped."""
    explained = jf.jit(recurrence).explain(9, np.arange(9.0))
    assert len(explained.kernels) == 1
    assert "swap" not in explained.plan
    (launch,) = explained.kernels[0].launches
    assert launch.bytes_moved == 9 * 8


def both_ways(n, x, y):
    def body(i, carried):
        x, y = carried
        x[i] = y[i - 1] + 1
        y[i] = x[i] * 2
        return x, y

    return jf.fori_loop(1, n, body, (x, y))


def crossing(n, x, y):
    def body(i, carried):
        x, y = carried
        before = x[i]
        x[i] = y[0]
        y[0] = before
        x[0] += x.sum()
        return y, x

    return jf.fori_loop(0, n, body, (x, y))


def two_writes(n, x, places):
    def body(i, x):
        x[places] += x[i]
        x[i] = x[places[0]] + x[::-1][i]
        return x

    return jf.fori_loop(0, n, body, x)


def test_loops_that_read_what_they_write():
    check(both_ways, 5, np.zeros(5), np.arange(5.0))
    check(crossing, 3, np.arange(4.0), np.arange(4.0) * 3)
    check(two_writes, 4, np.arange(5.0), np.array([1, 3, 3]))


X, PLACES, VALUES = np.arange(64.0), np.arange(0, 64, 3), np.ones(22)


def changed_there(x, places, values):
    x[places] += values


def put_there(x, places, values):
    x[places] = values * 2


def added_up(x, places, values):
    np.add.at(x, places, values)


@pytest.mark.parametrize(
    ("function", "kernels"),
    [
        (lambda x, i, v: np.sqrt(x[i]) * 2 + v, 1),
        (lambda x, i, v: (x * 2 + 1)[-i], 1),  # the arithmetic is done where it is read
        (lambda x, i, v: x[::-1][2:][i - 2], 1),
        (lambda x, i, v: x[i].sum(), 1),
        (lambda x, i, v: np.exp(x)[i], 2),
        (put_there, 1),
        (added_up, 1),
        (changed_there, 2),  # what is added to is read before anything is written
    ],
)
def test_kernels(function, kernels):
    """A gather is part of its user's loop; a scatter writes into the argument, and nothing else."""
    explained = jf.jit(function).explain(X, PLACES, VALUES)
    assert len(explained.kernels) == kernels
    assert "copy" not in explained.plan
    check(function, X, PLACES, VALUES)


def test_why_a_value_goes_to_memory():
    reasons = jf.jit(lambda x, i: np.exp(x)[i]).explain(X, PLACES).reasons
    assert "it is read at positions computed at run time" in reasons.values()


def stacked_with_nothing(s):
    """The joined rows are written one after the other, each from positions that fit it alone."""
    size = s.shape[0]
    sums = np.zeros((size + 1, size + 1), dtype=s.dtype)
    for diagonal in range(2, 2 * size + 1):
        i = np.arange(max(1, diagonal - size), min(size, diagonal - 1) + 1)
        j = diagonal - i
        sums[i, j] = np.maximum.reduce([np.zeros_like(i), s[i - 1, j - 1]])
    return sums


@pytest.mark.parametrize("size", [2, 3, 5])
def test_rows_beside_a_window_do_not_read_what_it_is_filled_from(size):
    check(stacked_with_nothing, np.arange(size * size).reshape(size, size) % 7)


def backwards(x):
    x[::-1, ::-1][0] = 7


def scaled_part(x):
    x[1:-1][::2].T[2:4] *= 2


@pytest.mark.parametrize("function", [backwards, scaled_part])
def test_what_is_written_through_several_views_is_written_in_place(function):
    array = np.arange(42.0).reshape(6, 7)
    explained = jf.jit(function).explain(array.copy())
    assert len(explained.kernels) == 1
    assert "alloc" not in explained.plan
    check(function, array)
