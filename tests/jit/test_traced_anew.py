"""What is traced anew in each call is Python's where that is sooner: functions and objects that each call
makes, texts, and what differs elsewhere."""

from __future__ import annotations

import functools

import numpy as np

import jitframe as jf
from tests.jit.same import assert_same

X = np.array([3.0, 1.0, 4.0, 1.5, 9.0, 2.0])


def test_a_function_that_each_call_makes_anew_is_pythons() -> None:
    def root(function, x):
        for _ in range(3):
            x = x - function(x) / 2
        return x

    jitted = jf.jit(root)
    for number in range(300):
        expected = root(lambda x: x * number, X)  # noqa: B023  it is called at once
        assert_same(jitted(lambda x: x * number, X), expected)  # noqa: B023
    assert jitted.stats()["traces"] < 30 and jitted.stats()["interpreted"] > 200


class _Pricer:
    """Keeps a cache of its own, which no other one has."""

    def __init__(self) -> None:
        self.rate = 0.05
        self.discount = functools.lru_cache(self._discount)

    def _discount(self, years):
        return np.exp(-self.rate * years)


def test_an_object_that_each_call_makes_anew_with_a_cache_of_its_own_is_pythons() -> None:
    def price(pricer, x, years):
        return x.mean() * pricer.discount(years)

    jitted = jf.jit(price)
    for _ in range(300):
        assert_same(jitted(_Pricer(), X, 2.0), price(_Pricer(), X, 2.0))
    assert jitted.stats()["traces"] < 30 and jitted.stats()["interpreted"] > 200


class _Learner:
    """Its table of values is read by one method and changed by another between the calls."""

    def __init__(self) -> None:
        self.values = dict.fromkeys(range(12), 0.5)

    def best(self, state):
        found = [(self.values[(state + move) % 12], (state + move) % 12) for move in range(3)]
        found.sort(key=lambda each: each[0], reverse=True)
        return found[0][1]


def test_what_is_read_elsewhere_and_differs_in_each_call_is_pythons() -> None:
    best, ours, theirs = jf.jit(_Learner.best), _Learner(), _Learner()
    for number in range(300):
        state, wanted = best(ours, number % 12), theirs.best(number % 12)
        assert state == wanted
        ours.values[state] = theirs.values[wanted] = number / 7 % 1
    assert best.stats()["traces"] < 150 and best.stats()["interpreted"] > 100


def test_texts_that_differ_in_each_call_are_pythons() -> None:
    def distance(one, other, costs):
        return sum(costs[a != b] for a, b in zip(one, other, strict=True))

    jitted, costs = jf.jit(distance), np.array([0.0, 1.5])
    for number in range(200):
        one, other = f"{number:08b}", f"{7 * number:08b}"[:8]
        other = other.ljust(len(one), "0")
        assert_same(jitted(one, other, costs), distance(one, other, costs))
    assert jitted.stats()["traces"] < 40 and jitted.stats()["interpreted"] > 100


def test_one_function_for_arrays_of_many_kinds_is_traced() -> None:
    jitted = jf.jit(lambda function, x: function(x))
    for kind in range(1, 20):
        given = np.ones((2,) * kind, np.float32)
        assert_same(jitted(np.sqrt, given), np.sqrt(given))
        assert_same(jitted(_half, given), _half(given))
    assert not jitted.stats()["interpreted"]


def _half(x):
    return x / 2
