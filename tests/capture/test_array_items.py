"""Lists of arrays whose length values decide: one program, and NumPy's results where items are changed."""

from __future__ import annotations

import numpy as np
import pytest

import jitframe as jf
from tests.capture.array_items import CHANGED, ITEMS, TYPES, Y, never
from tests.capture.test_users_programs import same


@pytest.mark.parametrize("function", ITEMS, ids=lambda each: each.__name__)
def test_items(function):
    """The program has no cut, and the native entry answers. Compiling takes up to a second."""
    jitted = jf.jit(function)
    for end in (10.0, 10.0, 7.0, 10.0):
        mine, its = Y.copy(), Y.copy()
        same(jitted(mine, end), function(its, end))
        same(mine, its)
    assert not jitted.stats()["interpreted"] or function is never
    assert not jitted.explain(Y, 10.0).before


def as_python_has_it(function):
    jitted = jf.jit(function)
    for end in (6.0, 6.0, 5.0):
        mine, its = Y.copy(), Y.copy()
        same(jitted(mine, end), function(its, end))
        same(mine, its)


@pytest.mark.parametrize("function", [*CHANGED, *TYPES], ids=lambda each: each.__name__)
def test_items_that_change(function):
    """In Python the list has the array itself: what is written to it is seen in the list."""
    as_python_has_it(function)


@pytest.mark.parametrize("function", CHANGED, ids=lambda each: each.__name__)
def test_items_that_change_between_cuts(function, strict):
    as_python_has_it(function)


def test_rows_are_arrays_of_their_own():
    """What the caller writes to an item of a list that is returned is seen nowhere else."""

    def function(y, end):
        ys, t = [y], 0.0
        while t < end:
            y = y * 2
            ys.append(y)
            t += 1.0
        return ys

    first, second = [jf.jit(function)(Y, 5.0) for _ in range(2)]
    first[1][0] = -1
    assert second[1][0] == 2 * Y[0] and first[2][0] == 4 * Y[0]
    assert not any(np.shares_memory(each, Y) for each in second[1:])
    assert all(each.flags.c_contiguous and each.flags.writeable for each in second)


def test_more_items_than_there_is_room_for():
    """Python answers such calls."""

    def function(n):
        ys, i = [], 0
        while i < n:
            ys.append(np.zeros(2) + i)
            i += 1
        return np.array(ys)

    jitted = jf.jit(function)
    for n in (10, 70_000):
        found = jitted(np.int64(n))
        assert found.shape == (n, 2) and found[-1, 1] == n - 1


def test_what_cannot_be_captured_is_not_unrolled():
    """Without its loop the program would have thousands of operations: Python has it in less time."""

    def function(y, end):
        t, ys = 0.0, []
        while t < end:
            ys.append(y)
            t, y = t + 0.01, y * 0.99
        ys = np.array(ys)
        return ys, ys[::-1]

    jitted = jf.jit(function)
    for end in (50.0, 50.0):
        same(jitted(Y, end), function(Y, end))
    assert jitted.stats()["interpreted"] == 2


def test_views_of_the_items():
    def function(y, end):
        t, ys = 0.0, []
        while t < end:
            ys.append(y)
            t, y = t + 0.5, y * 0.99
        ys = np.array(ys)
        return ys, ys[1:]

    jitted = jf.jit(function)
    found = jitted(Y, 5.0)
    same(found, function(Y, 5.0))
    assert np.shares_memory(*found) and not jitted.stats()["interpreted"]


def test_no_items():
    """Of an empty list NumPy makes an array of one axis: Python answers."""

    def function(y, end):
        ys, t = [], 0.0
        while t < end:
            ys.append(y * t)
            t += 1.0
        return np.array(ys)

    jitted = jf.jit(function)
    for end in (3.0, 0.0, 3.0):
        same(jitted(Y, end), function(Y, end))
