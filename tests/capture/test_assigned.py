"""Variables that have a value on some ways only; read without one, they raise what they do in Python."""

from __future__ import annotations

import numpy as np
import pytest

import jitframe as jf
from tests.jit.same import assert_same

X = np.random.default_rng(0).random(60)


def least(x):
    low = np.inf
    for i in range(len(x)):
        if x[i] < low:
            low = x[i]
            at, name = i + 7, "low"
    return name, x[at - 7], at


def farthest_pair(x):
    most = -1.0
    for i in range(len(x)):
        for j in range(i + 1, len(x)):
            apart = abs(x[i] - x[j])
            if apart > most:
                most = apart
                pair = i, j
    return pair, most


def first(x):
    for i in range(len(x)):
        if x[i] > 0.5:
            found = i
            break
    return found


def by_cases(x):
    if x[0] > 2:
        y = 1
    elif x[0] > 0.005:
        y = 2
    return y


def since_the_last(x):
    count, gap = 0, 0.0
    for v in x:
        if v > 0.5:
            if count > 0:
                gap = v - last  # noqa: F821 # it has a value then
            last = v
            count += 1
    return last, gap


def counted_on(x):
    for v in x:
        if v > 0.7:
            total = v
        elif v < 0.2:
            total += 1.0
    return total


def a_row(x):
    for i in range(len(x)):
        if x[i] > 0.9:
            row = np.zeros(3)
            row[0] = x[i]
            break
    row[1] = 5.0
    return row


def halved(x):
    while x[0] > 0.5:
        y = x[0]
        x = x * 0.5
    return y


def largest_element(m):
    most = 0.02
    for i in range(m.shape[0]):
        for j in range(m.shape[1]):
            if m[i, j] > most:
                most = m[i, j]
                row, column = i, j
    m[row, column] = -1
    return row, column, most, m


def quietly(x):
    with np.errstate(all="ignore"):
        for v in x:
            if v > 0.6:
                last = v
    return last * 2


@pytest.mark.parametrize(
    "function",
    [
        least, farthest_pair, first, by_cases, since_the_last, counted_on, a_row, halved, largest_element,
        quietly,
    ],
)  # fmt: skip
def test_a_variable_of_some_ways(function, strict):
    jitted = jf.jit(function)
    without = 0
    for scale in (1.0, 0.01, 3.0, -1.0, np.nan, 1.0):
        x = X * scale
        x = x.reshape(10, 6) if function is largest_element else x
        expected = _outcome(function, x.copy())
        assert_same(_outcome(jitted, x.copy()), expected)
        without += type(expected) is str
    assert without or function is farthest_pair
    assert jitted.stats()["interpreted"] == 0 and jitted.stats()["traces"] == 1


def _outcome(function, x):
    try:
        return function(x)
    except UnboundLocalError as error:
        return str(error)


def test_handlers_see_what_reading_raises():
    def function(x):
        for v in x:
            if v > 0.99:
                large = v
        try:
            return large
        except NameError:
            return -1.0

    jitted = jf.jit(function)
    for x in (X, X * 0.5, X):
        assert jitted(x) == function(x)
