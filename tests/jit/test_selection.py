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
