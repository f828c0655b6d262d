"""Two variables of one array around a loop that binds one of them anew, and writes to the other."""

from __future__ import annotations

import numpy as np
import pytest

import jitframe as jf

X = np.resize(np.array([5.0, 1, 9, 4, 12, 3, 2, 8]), 12)


def elements(x):
    u = x * 2
    v, t = u, 0.0
    for _ in range(5):
        for a in v:
            t = (a + t) % 20
            u[2:] = 3.0
        v = u.copy()
    return t, u, v


def pairs(x):
    u = x * 2
    v, t = u, 0.0
    for _ in range(4):
        for a, b in zip(v, x, strict=True):
            t = max(a, b, t) % 20
            u[2:] = 3.0
        v = u[::-1].copy()
    return t, u, v


def view(x):
    u = x * 2
    v, t = u[3:], 0.0
    for _ in range(20):
        i = 0
        while i < len(v):
            t = 0.5 * t + v[i]
            u[i:] += 1.0
            i += 1
        v = u[:6].copy()
    return t, u, v


def in_the_same_loop(x):
    u = x * 2
    v, t = u, 0.0
    for i in range(20):
        t += v[i % 5] % 7
        u[1:] += i
        if i == 12:
            v = u * 2
    return t, u, v


def written_by_a_helper(x):
    def add(values, amount):
        values[1:] += amount

    u = x * 2
    v, t = u, 0.0
    for i in range(15):
        for a in v:
            t = (a + t) % 20
            add(u, a)
        v = u - i
    return t, u, v


@pytest.mark.parametrize("function", [elements, pairs, view, in_the_same_loop, written_by_a_helper])
def test_alias_until_bound_anew(function):
    jitted = jf.jit(function)
    for _ in range(3):
        for found, expected in zip(jitted(X), function(X), strict=True):
            np.testing.assert_allclose(found, expected, rtol=1e-12)


def exchanged(x):
    old, new = x.copy(), np.zeros_like(x)
    for _ in range(30):
        new[1:-1] = (old[:-2] + old[2:]) / 2
        old, new = new, old
    return old


def copied_first(x):
    u = x * 2
    v, t = u.copy(), 0.0
    for _ in range(5):
        for a in v:
            t = (a + t) % 20
            u[2:] = 3.0
        v = u.copy()
    return t


@pytest.mark.parametrize("function", [exchanged, copied_first])
def test_what_is_no_alias_is_compiled(strict, function):
    np.testing.assert_allclose(jf.jit(function)(X), function(X), rtol=1e-12)


def test_explain_says_why_the_loop_is_unrolled():
    jitted = jf.jit(elements)
    jitted(X)
    explained = jitted.explain(X).text()
    assert "reads an array that may be the one that it writes to" in explained
    assert "x = x.copy() before the loop" in explained
