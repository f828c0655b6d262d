"""A `return` in a loop: what it gives, and that the loop does not compute it."""

from __future__ import annotations

import copy

import numpy as np
import pytest

import jitframe as jf
from tests.jit.same import assert_same

X = np.array([3.0, 1.0, 4.0, 1.5, 5.0, 9.0])


def history(x):
    steps, n = [], 0
    while True:
        x = 0.5 * (x + 2 / x)
        steps.append(x.sum())
        n += 1
        if np.abs(x * x - 2).max() < 1e-9:
            return x, np.array(steps), n


def both_ways(x):
    found = []
    for i in range(100):
        x = 0.5 * (x + 2 / x)
        found.append(x[0])
        if abs(x[0] - x[1]) < 1e-9:
            return x, found, i
    return x, found, -1


def in_two_loops(x):
    last = 0.0
    for i in range(len(x)):
        for j in range(i):
            last = x[i] - x[j]
            if last > 3:
                return np.array([last, i, j])
        if x[i] > 8:
            return np.sort(x)[:2], i
    else:
        x = -x
    return x


def the_last_of_several(x):
    total = 0.0
    while True:
        total += x[0]
        if total > 50:
            return np.full(2, total)
        if total > 20 and x[1] > 1:
            return x * total
        if total > 30:
            return np.minimum(x, total)


def with_a_handler(x):
    total = 0.0
    for i in range(6):
        try:
            total += x[i]
            if total > 5:
                return np.maximum(x, total)
        finally:
            x[0] += 1
    return x


def in_a_context(x):
    total = 0.0
    for i in range(6):
        with np.errstate(divide="ignore"):
            total += x[i]
            if total > 5:
                return np.maximum(x, total)
    return x


def after_a_break(x):
    total = 0.0
    while True:
        total += x[0]
        if total > 11:
            return np.full(3, total)
        if x[1] > 2:
            break
        x = x + 0.5
    return x * total


def bound_in_the_loop(x):
    for v in x:
        w = v * 2
        if w > 6:
            return np.full(2, w)
    return x


def never(x):
    total = 0.0
    for v in x:
        total += v
        if total > 1000:
            return np.cumsum(x)
    return None


EACH = [
    history, both_ways, in_two_loops, the_last_of_several, with_a_handler, in_a_context, after_a_break,
    bound_in_the_loop, never,
]  # fmt: skip


@pytest.mark.parametrize("function", EACH, ids=lambda each: each.__name__)
def test_it_is_pythons(function, strict):
    jitted = jf.jit(function)
    for by in (1.0, 0.25, 2.0, -1.0 if function in (in_two_loops, bound_in_the_loop, never) else 4.0):
        given, expected = X * by, X * by
        assert_same(jitted(given), function(expected), tolerance=1e-12)
        assert_same(given, expected)


@pytest.mark.parametrize("function", [history, both_ways], ids=lambda each: each.__name__)
def test_lists_of_the_loop_are_returned_without_a_cut(function, strict):
    assert not jf.jit(function).explain(copy.copy(X)).before
