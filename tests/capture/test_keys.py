"""`min` and `max` with a key: a few items are compared by the program, each key asked for once."""

from __future__ import annotations

import numpy as np
import pytest

import jitframe as jf
from tests.capture.test_python_numbers import check as same_outcomes


def nearest(x, centers):
    """The position of the nearest of some points, of each element."""
    found = np.zeros(len(x), np.int64)
    for i in range(len(x)):
        found[i] = min(range(len(centers)), key=lambda k: abs(x[i] - centers[k]))
    return found


def least_used(x):
    used, order = np.zeros(5), []
    for v in x:
        at = min((4, 2, 0, 1, 3), key=lambda k: used[k])
        used[at] += v
        order.append(at)
    return order, used


def ends(x):
    points = [(x[0], 3.0), (x[1], -1.0), (x[2], 2.0)]
    return max(points, key=lambda point: point[1])[0], min(points, key=lambda point: -point[1])[0]


def of_items(x):
    of_numbers = max([1, 2.5, 4], key=lambda v: -v * x[0])
    return max(x, key=lambda v: (v - 2) ** 2), min(list(x), key=abs), of_numbers


def asked_once(x):
    asked = []
    best = max(range(4), key=lambda k: asked.append(k) or x[k] % 3)
    return best, asked


def no_items(x):
    return min([], key=lambda v: x[0], default=x[1])


X = np.random.default_rng(0).integers(-9, 9, 90).astype(float)


@pytest.mark.parametrize("function", [least_used, ends, of_items, asked_once, no_items])
def test_extremes_by_a_key(function, strict):
    jitted = jf.jit(function)
    for x in (X, X[::-1].copy(), np.where(X > 5, np.nan, X)):
        meant, found = function(x), jitted(x)
        np.testing.assert_equal(found, meant)


def test_in_loops(strict):
    centers = np.array([3.0, -2.0, 0.0, 3.0, np.nan])
    np.testing.assert_array_equal(jf.jit(nearest)(X, centers), nearest(X, centers))


def test_keys_that_are_no_scalars():
    same_outcomes(lambda x: min([3, 1, 2], key=lambda k: (x[k], k)), (np.array([2.0, 1.0, 1.0, 0.5]),))
    with pytest.raises(ValueError, match="truth value of an array"):
        jf.jit(lambda x: max([1, 2], key=lambda k: x))(np.arange(3.0))


def named_weights(x, sizes, turns):
    """A dict whose keys are made of the number of a turn, in a program too long to be unrolled."""
    weights = {}
    for i in range(1, len(sizes)):
        weights["W" + str(i)] = np.full((sizes[i - 1], sizes[i]), 0.1 * i)
    losses = []
    for _ in range(turns):
        y = x
        for i in range(1, len(sizes)):
            y = np.tanh(y @ weights[f"W{i}"])
        for i in range(1, len(sizes)):
            weights["W" + str(i)] -= 0.01 * y.mean() * weights["W" + str(i)]
        losses.append(y.sum())
    return losses, weights


@pytest.mark.parametrize("turns", [3, 40])
def test_names_made_of_numbers(turns, strict):
    """Loops that make texts of values which a region does not have are unrolled."""
    x = np.linspace(0, 1, 12).reshape(4, 3)
    meant, found = named_weights(x, (3, 5, 4, 2), turns), jf.jit(named_weights)(x, (3, 5, 4, 2), turns)
    np.testing.assert_allclose(found[0], meant[0])
    assert list(found[1]) == list(meant[1])
    for name, value in meant[1].items():
        np.testing.assert_allclose(found[1][name], value)
