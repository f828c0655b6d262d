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


class Counter:
    def __init__(self) -> None:
        self.level = 0.0
        self.log: list[Any] = []

    def add(self, value: Any) -> Any:
        self.level += value
        self.level *= 0.7
        return self.level > 1.0

    def keep(self, value: Any) -> Any:
        self.log.append(value)
        return value > 0.9


KEPT = Counter()


def any_of_an_object(x):
    kept = Counter()
    return any(kept.add(value) for value in x), kept.level


def all_of_an_object(x):
    kept = Counter()
    return all(not kept.add(value) for value in x), kept.level


def any_that_counts(x):
    kept = Counter()
    return any(kept.keep(value) for value in x), len(kept.log)


def any_of_some(x):
    kept = Counter()
    return any(kept.add(value) for value in x if value > 0.3), kept.level


def any_of_two_loops(x):
    kept = Counter()
    return any(kept.add(value + other) for value in x for other in x[:3]), kept.level


def any_of_a_map(x):
    kept = Counter()
    return any(map(kept.add, x)), kept.level


def any_of_a_list(x):
    kept = Counter()
    return any([kept.add(value) for value in x]), kept.level  # noqa: C419


def any_in_a_loop(x):
    kept, total = Counter(), 0.0
    for value in x:
        if any(kept.add(value * other) for other in x[:5]):
            total += kept.level
    return total, kept.level


def any_of_what_changes_nothing(x):
    return any(value > 0.97 for value in x), all(value > 0.01 for value in x if value < 0.5)


@pytest.mark.parametrize("count", [5, 20, 80])
@pytest.mark.parametrize(
    "function",
    [
        any_of_an_object, all_of_an_object, any_that_counts, any_of_some, any_of_two_loops, any_of_a_map,
        any_of_a_list, any_in_a_loop, any_of_what_changes_nothing,
    ],
)  # fmt: skip
@pytest.mark.filterwarnings("ignore:.*plain Python")
def test_what_any_and_all_do_not_need_is_not_computed(function: Callable[..., Any], count: int) -> None:
    jitted = jf.jit(function)
    for seed in range(3):
        x = np.random.default_rng(seed).random(count)
        for found, expected in zip(jitted(x), function(x), strict=True):
            assert found == pytest.approx(expected, rel=1e-14)


def of_an_object_outside(x):
    return np.array([KEPT.add(value) + KEPT.level for value in x])


def test_objects_of_the_module_are_changed_once() -> None:
    x = np.random.default_rng(0).random(100)
    KEPT.level = 0.0
    expected, level = of_an_object_outside(x), KEPT.level
    KEPT.level = 0.0
    assert_same(jf.jit(of_an_object_outside)(x), expected, 1e-12)
    assert KEPT.level == level
