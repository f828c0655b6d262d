"""Elements stored through views of rows and columns: one element is changed, whatever shows it."""

from __future__ import annotations

import numpy as np
import pytest

import jitframe as jf
from tests.jit.same import check


def column(x, out):
    shown = out[:, 1]
    for i in range(len(x)):
        shown[i] = x[i] * 2
    return out


def columns_of_a_helper(x, out):
    def fill(target):
        for i in range(len(x)):
            target[i] += x[i]

    for j in range(3):
        fill(out[:, j])
    return out


def row(x, out):
    table = np.zeros((3, len(x)))
    last = table[-1]
    for i in range(1, len(x)):
        last[i] = last[i - 1] * 0.5 + x[i]
    return table, out


def row_of_the_loop(x, out):
    for i in range(1, len(out)):
        here, before = out[i], out[i - 1]
        for j in range(3):
            here[j] = before[j] + x[i] + here[j - 1]
    return out


def transposed(x, out):
    for j in range(3):
        shown = out.T[j]
        for i in range(len(x)):
            shown[i] = x[i] - j
    return out


def of_three_axes(x, out):
    cube = np.zeros((4, len(x), 3))
    plane = cube[2]
    for i in range(len(x)):
        plane[i][1] = x[i]
        plane[i, 0] -= plane[i][1]
        cube[:, :, 2][3][i] = i
        cube[i % 4][:, 2][0] += 1.0
    return cube, out


def partly_shown(x, out):
    shown = out[1:-1, 2]
    for i in range(len(x) - 2):
        shown[i] = x[i]
        shown[-1] += 1.0
    return out


FUNCTIONS = (column, columns_of_a_helper, row, row_of_the_loop, transposed, of_three_axes, partly_shown)


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda each: each.__name__)
def test_it_is_numpys(function):
    check(function, np.arange(8.0), np.arange(24.0).reshape(8, 3))


@pytest.mark.parametrize("function", FUNCTIONS[:6], ids=lambda each: each.__name__)
def test_an_iteration_touches_no_row_and_no_column(function):
    """Of as many elements as make loops steps of their own, where an iteration computes whole arrays."""
    count = 6000
    explained = jf.jit(function).explain(np.arange(1.0 * count), np.zeros((count, 3)))
    assert "an iteration computes more than" not in str(explained)


def test_positions_outside_of_a_row_are_told_with_the_axis_of_the_row():
    @jf.jit
    def function(x, n):
        shown = x[1]
        for i in range(n):
            shown[i] = 1.0
        return x

    with pytest.raises(IndexError, match="index 3 is out of bounds for axis 0 with size 3"):
        function(np.zeros((2, 3)), 5)


def one_column_after_another(x):
    x = x * 2
    x[:, 0] += 1
    x[:, -1] = x[:, -1] * x[:, 0]
    x[0] -= x[-1]
    x[..., -1] /= 4
    x[:, 0] = np.where(x[:, 0] > 3, x[:, -1], x[:, 0])
    return x


@pytest.mark.parametrize("shape", [(5, 3), (5, 1), (1, 3), (1, 1), (7, 2), (4000, 3)])
def test_columns_of_all_shapes_are_numpys(shape):
    """Arrays of one row or column among them, for which what is read happens to be what is written."""
    x = np.arange(1.0 * np.prod(shape)).reshape(shape) - 3
    check(one_column_after_another, x)


def test_one_function_for_all_shapes_decides_anew_where_rows_meet():
    function = jf.jit(one_column_after_another)
    for shape in [(6, 3), (6, 1), (1, 4), (6, 2), (1, 1), (3, 3)]:
        x = np.arange(1.0 * np.prod(shape)).reshape(shape) - 3
        np.testing.assert_array_equal(function(x), one_column_after_another(x))


def test_columns_are_changed_in_one_array():
    def function(x):
        x = x * 2
        for column in range(x.shape[1]):
            x[:, column] += x[:, column] * 0.5
        return x

    text = jf.jit(function).explain(np.ones((4000, 5))).text()
    assert text.count("alloc ") == 1, text
