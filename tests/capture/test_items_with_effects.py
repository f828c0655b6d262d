"""Comprehensions whose items change something: each does so once, also the first one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import jitframe as jf
from tests.jit.same import assert_same


class Filter:
    """A recursive filter that keeps its state."""

    def __init__(self) -> None:
        self.state = np.zeros(2)
        self.gain = np.eye(2)

    def step(self, value: Any) -> Any:
        self.gain = np.array([[0.9, 0.1], [0.0, 0.8]]) @ self.gain
        self.gain = self.gain + 0.01
        self.state = self.state * 0.5 + self.gain[0] * value
        return self.state


def of_an_object(x):
    kept = Filter()
    return np.array([kept.step(value) for value in x])


def of_a_list(x):
    total = [0.0]

    def add(value):
        total[0] += value
        total[0] *= 0.5
        return total[0]

    listed = np.array([add(value) for value in x])
    return listed, sum([add(value) for value in x]), max(add(value) for value in x), total[0]


def of_an_array(x):
    state = np.zeros(3)

    def add(value):
        state[1] += value
        state[0] = state[1] * 2
        return state[0]

    return np.array([add(value) for value in x]), state


def of_a_dict(x):
    state = {"total": 0.0}

    def add(value):
        state["total"] += value
        state["total"] *= 0.9
        return state["total"]

    return np.array([add(value) for value in x]), state["total"]


def of_a_variable(x):
    total = 0.0

    def add(value):
        nonlocal total
        total = total * 0.5 + value
        total = total + 1
        return total

    return np.array([add(value) for value in x]), total


def of_a_list_that_grows(x):
    seen = []

    def add(value):
        seen.append(value)
        return value + len(seen)

    return np.array([add(value) for value in x]) + len(seen)


def of_what_is_given(x):
    before = x.copy()

    def put(place):
        x[place] += before[place]
        x[place] *= 2
        return x[place]

    return np.array([put(place) for place in range(len(before))])


@pytest.mark.parametrize("count", [2, 20, 63, 64, 200])
@pytest.mark.parametrize(
    "function",
    [
        of_an_object, of_a_list, of_an_array, of_a_dict, of_a_variable, of_a_list_that_grows,
        of_what_is_given,
    ],
)  # fmt: skip
def test_each_item_acts_once(function: Callable[..., Any], count: int) -> None:
    jitted = jf.jit(function)
    for seed in range(2):
        given = np.random.default_rng(seed).random(count) + 0.1
        mine, its = given.copy(), given.copy()
        expected = function(its)
        assert_same(jitted(mine), expected, 1e-12)
        np.testing.assert_array_equal(mine, its)
    assert not jitted.stats()["interpreted"]


def test_items_that_change_nothing_are_one_loop() -> None:
    """And the first of them is no program of its own."""
    jitted = jf.jit(lambda x: np.array([value * 2 if value > 0.5 else -value for value in x]))
    assert len(jitted.explain(np.random.default_rng(0).random(200)).kernels) == 1
