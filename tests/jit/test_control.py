"""`jf.fori_loop` and `jf.cond`: in a trace and outside of it."""

from __future__ import annotations

import numpy as np
import pytest

import jitframe as jf
from tests.jit.same import assert_same, check

X = np.array([0.5, -1.5, 2.25])


def test_loop_of_one_array():
    check(lambda x: jf.fori_loop(0, 5, lambda i, c: c * 0.5 + i, x), X)


def test_loop_bound_is_an_argument_and_compiles_once():
    def function(x, n):
        return jf.fori_loop(0, n, lambda i, c: c * 1.5 + x, x)

    jitted = jf.jit(function)
    assert_same(jitted(X, 3), function(X, 3))
    before = jf.cache.stats()["compiled"]
    for n in (0, 1, 10):
        assert_same(jitted(X, n), function(X, n))
    assert jf.cache.stats()["compiled"] == before and jitted.stats()["traces"] == 1


def test_loop_of_a_tuple_with_numbers():
    def function(x):
        return jf.fori_loop(
            1, 4, lambda i, c: (c[1], c[0] + c[1] * i, c[2] + 1, c[3] * 0.5), (x, x * 2, 0, 1.0)
        )

    check(function, X)


def test_loop_number_takes_the_dtype_of_the_body():
    check(lambda x: jf.fori_loop(0, 3, lambda i, c: c + x[0], 0), X)
    check(lambda x: jf.fori_loop(0, 3, lambda i, c: c + x.sum(), 0.0), X)


def test_loop_writes_to_what_it_carries():
    def step(_, u):
        around = u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2]
        following = u.copy()
        following[1:-1, 1:-1] += 0.25 * (around - 4 * u[1:-1, 1:-1])
        return following

    plate = np.arange(30.0).reshape(5, 6) % 7
    check(lambda u: jf.fori_loop(0, 20, step, u), plate)


def test_loop_in_a_loop():
    def function(x):
        return jf.fori_loop(0, 3, lambda i, c: jf.fori_loop(0, 2, lambda j, d: d * 0.5 + i * j + x, c), x)

    check(function, X)


def test_loop_that_returns_what_it_was_given():
    check(lambda x: jf.fori_loop(0, 3, lambda i, c: c, x), X)
    check(lambda x: jf.fori_loop(0, 3, lambda i, c: (c[1], c[0]), (x, x + 1)), X)
    check(lambda x: jf.fori_loop(0, 3, lambda i, c: (c[0] + 1, c[0]), (x, x)), X)


@pytest.mark.parametrize("value", [0.25, 0.75])
def test_cond_of_an_argument(value):
    check(lambda p, x: jf.cond(p > 0.5, lambda v: v + 1, lambda v: v * p, x), value, X)


def test_cond_of_an_array_value():
    check(lambda x: jf.cond(x[0] > x[1], lambda v: (v * 2, 1.5), lambda v: (v, 2), x), X)
    check(lambda x: jf.cond(x.sum() < 0, lambda: x + 1, lambda: x), X)


def test_cond_with_different_captures():
    y = np.array([1.0, 2.0, 3.0])
    check(lambda x, k: jf.cond(x[2] > k, lambda v: v + y, lambda v: v * k, x), X, 2)
    check(lambda x, k: jf.cond(x[2] > k, lambda v: v + y, lambda v: v * k, x), X, 3)


def test_cond_in_a_loop():
    def function(x):
        return jf.fori_loop(0, 6, lambda i, c: jf.cond(c.sum() > 3, lambda v: v * 0.5, lambda v: v + 1, c), x)

    check(function, X)


def test_arrays_from_outside_come_in_by_value():
    def function(x):
        y = x * 2
        part = y[1:]
        result = jf.fori_loop(0, 3, lambda i, c: c + part[0] * i, x)
        y[1] = 100
        return result, y

    check(function, X)


def test_outside_of_a_trace_they_are_python():
    x = X.copy()

    def body(i, c):
        c += i
        return c

    assert_same(jf.fori_loop(0, 4, body, x), X + 6)
    assert_same(x, X)
    assert_same(jf.cond(True, lambda v: v + 1, lambda v: v - 1, x), X + 1)
    assert jf.cond(False, lambda: 1, lambda: 2) == 2


def test_scan_over_nothing():
    def running(x):
        return jf.scan(lambda c, row: ((c[0] + row.sum(), c[1]), row * c[1]), (0.0, np.int32(2)), x)

    (total, kept), rows = jf.jit(running)(np.ones((0, 3)))
    assert (total, kept) == (0, 2) and rows.shape == (0, 3)
