"""Objects that jitted functions copy."""

from __future__ import annotations

import copy

import numpy as np
import pytest

import jitframe as jf
from tests.jit.same import check


class Momentum:
    """Copied by nothing else: Python stores in a class what its first copy has found out about it."""

    def __init__(self, rate=0.1):
        self.rate, self.speed = rate, None

    def update(self, w, gradient):
        if self.speed is None:
            self.speed = np.zeros_like(w)
        self.speed = 0.9 * self.speed + gradient
        return w - self.rate * self.speed


class Layer:
    def __init__(self, count, optimizer):
        self.w, self.optimizer, self.other = np.ones(count), copy.copy(optimizer), copy.deepcopy(optimizer)

    def step(self, gradient):
        self.w = self.optimizer.update(self.w, gradient)
        return self.other.update(self.w, 2 * gradient)


OUTSIDE = Momentum(0.3)


def of_an_object_from_outside(gradient):
    layer = Layer(len(gradient), OUTSIDE)
    layer.step(gradient)
    return layer.step(gradient), layer.optimizer.speed, OUTSIDE.rate


def of_an_argument(gradient, optimizer):
    layer = Layer(len(gradient), optimizer)
    layer.optimizer.rate = 2.0
    layer.step(gradient)
    return layer.step(gradient), layer.other.speed, optimizer.rate


def test_copies():
    gradient = np.arange(4.0)
    for function, arguments in ((of_an_object_from_outside, ()), (of_an_argument, (Momentum(),))):
        jitted = jf.jit(function)
        found = jitted(gradient, *arguments)
        assert jitted.stats()["interpreted"] == 0
        assert all(getattr(each, "speed", None) is None for each in (OUTSIDE, *arguments))
        for mine, its in zip(found, function(gradient, *arguments), strict=True):
            np.testing.assert_allclose(mine, its)


def changed_after_a_copy(rows, x):
    grid = [[0.0] * 3 for _ in rows]
    for row in grid:
        row[int(x[0])] = x[1]
    before, given = copy.deepcopy(grid), copy.deepcopy(rows)
    grid[1][0] = given[0][0] = x[2]
    return grid, before, given, before[0] is grid[0], given[0] is rows[0]


def copied_in_a_loop(rows, x):
    best, values = None, [0.0] * len(x)
    for i in range(len(x)):
        values[i] = x[i] * 2
        if x[i] > 0.5:
            best = copy.deepcopy(values)
    return best, values, rows


@pytest.mark.parametrize("function", [changed_after_a_copy, copied_in_a_loop])
def test_deep_copies_of_lists_share_no_lists(function, strict):
    check(function, [[1.0, 2.0], [3.0]], np.array([2.0, 0.0, 1.0, 5.0]))
