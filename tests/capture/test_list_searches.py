"""`index` and `count` of lists whose items values decide."""

from __future__ import annotations

import copy
import math

import numpy as np
import pytest

import jitframe as jf
from tests.capture.test_users_programs import same

X = np.random.default_rng(8).random((40, 2)).round(1)
CENTERS = [(0.2, 0.3), (0.7, 0.8), (0.2, 0.3)]


def nearest(points):
    labels = [0] * len(points)
    for i in range(len(points)):
        distances = [math.hypot(points[i, 0] - x, points[i, 1] - y) for x, y in CENTERS]
        labels[i] = distances.index(min(distances))
    return labels


def nearest_rows(points):
    labels = np.zeros(len(points), int)
    for i, point in enumerate(points):
        distances = [np.linalg.norm(point - center) for center in points[:5]]
        labels[i] = distances.index(min(distances))
    return labels


def of_a_list_that_grew(points):
    squares = []
    for v in points[:, 0]:
        squares.append(v * v)
    i = squares.index(max(squares))
    return i, points[i], squares.count(squares[0])


def of_a_filtered_list(points):
    found = []
    for v in points[:, 0]:
        if v > 0.3:
            found.append(v)
    return found.index(min(found)), found.count(found[0])


def of_a_table(points):
    bins = [0] * 11
    for v in points[:, 1]:
        bins[int(v * 10)] += 1
    return bins.index(max(bins)), bins.count(0)


def name_of_the_nearest(points):
    distances = [abs(points[0, 0] - 0.1), abs(points[0, 0] - 0.5), abs(points[0, 0] - 0.9)]
    return (10, 20, 30)[distances.index(min(distances))]


PROGRAMS = [
    nearest, nearest_rows, of_a_list_that_grew, of_a_filtered_list, of_a_table, name_of_the_nearest,
]  # fmt: skip


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda each: each.__name__)
def test_index_and_count(function):
    jitted = jf.jit(function)
    for points in (X, X, X[::-1].copy()):
        mine, its = copy.deepcopy(points), copy.deepcopy(points)
        same(jitted(mine), function(its))
    assert jitted.stats()["interpreted"] == 0
    assert not jitted.explain(X).before


def place_of_the_last(x):
    return [x[0], x[1]].index(x[2])


def place_of_the_least(x):
    values = [x[0], x[1], x[2]]
    return values.index(min(values))


def outcome(function, x):
    try:
        return function(x)
    except ValueError as error:
        return str(error)


@pytest.mark.parametrize("function", [place_of_the_last, place_of_the_least])
@pytest.mark.parametrize("x", [[1.0, 2.0, 2.0], [1.0, 2.0, 3.0], [np.nan, 1.0, 0.5], [1.0, np.nan, 1.0]])
def test_what_is_not_there(function, x):
    """The error is Python's, and so is the place of a NaN, which is found as the object that it is."""
    x, jitted = np.array(x), jf.jit(function)
    for _ in range(2):
        assert outcome(jitted, x) == outcome(function, x)


def test_the_least_of_arrays_of_one_element():
    def least(x):
        values = [x[i : i + 1, None] for i in range(4)]
        found = min(values)
        found += 1
        return found, values[1]

    x = np.array([3.0, 1.0, 2.0, 5.0])
    mine, its = x.copy(), x.copy()
    same(jf.jit(least)(mine), least(its))
    same(mine, its)
