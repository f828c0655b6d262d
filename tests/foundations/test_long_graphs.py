"""F8: graphs of thousands of nodes pass through every stage without recursion, in linear time."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator

import numpy as np
import pytest

import jitframe as jf
from tests.foundations.programs import plan_of
from tests.work import calls

LONG = 50_000


@pytest.fixture
def shallow() -> Iterator[None]:
    """A recursion limit that a recursion over nodes would reach at once."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(600)
    yield
    sys.setrecursionlimit(before)


def test_a_lazy_chain_evaluates_itself_on_the_way(shallow):
    start = jf.asarray(np.zeros(5))
    value = start
    for _ in range(LONG):
        value = value + 1
    np.testing.assert_array_equal(value.numpy(), np.full(5, float(LONG)))


def test_a_lazy_chain_that_is_dropped_unevaluated(shallow):
    value = jf.asarray(np.zeros(5))
    for _ in range(LONG):
        value = value * 1.5 + 1
    del value
    gc.collect()


def chain(x, length):
    """Four operations on one array in each step."""
    y = x
    for step in range(length):
        y = y * 0.999 + x
        y = np.abs(y - step)
    return y


def mixed(x, length):
    """Costly functions, sums along rows, and values that loops carry on: eleven operations in each step."""
    y = x
    for step in range(length):
        y = np.exp(-y * y) + x * (0.5 + step)
        y = np.where(y > x, np.sin(y), x)
        y = y - y.mean(axis=1, keepdims=True)
    return y


@pytest.mark.parametrize(("function", "length"), [(chain, 500), (mixed, 90)])
def test_twice_as_many_operations_are_compiled_by_twice_as_many_calls(shallow, function, length):
    x = np.linspace(0, 1, 60).reshape(6, 10)

    def compiled(steps: int) -> None:
        jitted = jf.jit(function, static_argnames="length")
        np.testing.assert_allclose(jitted(x, steps), function(x, steps), rtol=1e-6, atol=1e-9)

    compiled(3)  # what is loaded by the first use of all
    half, whole = calls(lambda: compiled(length // 2)), calls(lambda: compiled(length))
    assert whole < 2.3 * half, f"{half} and {whole}"


def test_many_results_of_many_operations(shallow):
    @jf.jit
    def rows(x):
        results = []
        for step in range(60):
            x = np.sqrt(x * x + step)
            results.append(x.sum())
        return tuple(results)

    x = np.linspace(0, 1, 101)
    np.testing.assert_allclose(rows(x), rows.__wrapped__(x), rtol=1e-13)
    assert len(plan_of(rows, x).outputs) == 60


def test_a_deep_graph_of_updates(shallow):
    @jf.jit
    def fill(n):
        y = np.zeros(300)
        for k in range(300):
            y[k] = k * n
        return y

    np.testing.assert_array_equal(fill(3.0), np.arange(300) * 3.0)
