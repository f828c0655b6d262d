"""`def`, `lambda` and `class` inside a loop of a captured function: each iteration makes its own."""

# ruff: noqa: B023  functions that read the counter of their loop are what is tested
import numpy as np
import pytest

import jitframe as jf

pytestmark = pytest.mark.usefixtures("strict")
X = np.arange(1.0, 701.0) / 7


def a_function(x, n):
    total = 0.0
    for i in range(n):

        def scaled(value, by=x[i]):
            return value * by + i

        total += scaled(x[i])
    return total, scaled(x[0])


def a_lambda(x, n):
    total = 0.0
    for i in range(n):
        squared = lambda value: value * value - i  # noqa: E731  as users write it
        if squared(x[i]) > 0:
            total += squared(x[i])
    return total


def a_class(x, n):
    total = 0.0
    for i in range(n):

        class Point:
            factor = 2.0

            def __init__(self, value):
                self.value = value

            def scaled(self):
                return self.value * self.factor + i

        total += Point(x[i]).scaled()
    return total


def a_class_with_a_value_of_the_iteration(x, n):
    total = 0.0
    for i in range(n):

        class Point:
            factor = x[i]

        total += Point.factor
    return total


def a_function_that_rebinds(x, n):
    total = 0.0
    for i in range(n):

        def add(value):
            nonlocal total
            total += value

        add(x[i] * i)
    return total


def a_function_that_outlives_the_loop(x, n):
    kept = []
    for i in range(n):

        def shifted(value):
            return value + i

        kept.append(shifted)
    return kept[-1](x[0]), len(kept)


def one_of_two_functions(x, n):
    def chosen(value):
        return value

    for i in range(n):
        if x[i] > 50:

            def chosen(value):
                return -value

    return chosen(x[1])


@pytest.mark.parametrize(
    "function",
    [
        a_function, a_lambda, a_class, a_class_with_a_value_of_the_iteration, a_function_that_rebinds,
        a_function_that_outlives_the_loop,
    ],
    ids=lambda function: function.__name__,
)  # fmt: skip
def test_the_loop_is_compiled(function):
    jitted = jf.jit(function)
    for n in (600, 600, 7):
        np.testing.assert_allclose(jitted(X, n), function(X, n), rtol=1e-12)
    assert jitted.stats()["interpreted"] == 0 and jitted.stats()["kernels"] <= 4


def test_which_function_is_bound_follows_from_values():
    jitted = jf.jit(one_of_two_functions)
    for x in (X, X / 10, X):
        assert jitted(x, 400) == one_of_two_functions(x, 400)
