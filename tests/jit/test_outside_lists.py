"""Empty lists that are given, or held by what is given, and that get as many items as values decide."""

from __future__ import annotations

import copy

import numpy as np
import pytest

import jitframe as jf


class Recorder:
    def __init__(self):
        self.high, self.low, self.count = [], [], 0

    def add(self, i, v):
        if v > 0.5:
            self.high.append((i, v))
            self.count += 1
        elif v < 0.2:
            self.low.append(i)


def given(found, x):
    for v in x:
        if v > 0.5:
            found.append(v)
    return found, len(found)


def in_a_dict(by_name, x):
    for v in x:
        if v > 0.5:
            by_name["high"].append(v)


def of_an_object(recorder, x):
    for i, v in enumerate(x):
        recorder.add(i, v)


def after_a_condition(found, x):
    if x.max() > 0.9:
        found.append(x.max())


def taken_again(found, x):
    for v in x:
        if v > 0.3:
            found.append(v)
        elif found:
            found.pop()


def of_a_mask(found, x):
    found.extend(x[x > 0.5])


def of_arrays(found, x):
    for v in x:
        if v > 0.5:
            found.append(x * v)


def of_lists(found, x):
    for v in x:
        if v > 0.5:
            found.append([v, 2 * v])


def content(value):
    return repr(vars(value) if isinstance(value, Recorder) else value)


CASES = [
    (given, list), (in_a_dict, lambda: {"high": []}), (of_an_object, Recorder), (after_a_condition, list),
    (taken_again, list), (of_a_mask, list), (of_arrays, list), (of_lists, list),
]  # fmt: skip


@pytest.mark.parametrize(("function", "make"), CASES, ids=[each.__name__ for each, _ in CASES])
def test_empty_lists_are_filled(function, make):
    jitted, rng = jf.jit(function), np.random.default_rng(1)
    for turn in range(8):
        x = rng.random(10 + turn % 2)
        one, other = make(), make()
        expected, found = function(one, x), jitted(other, x)
        assert content(other) == content(one), turn
        assert repr(found) == repr(expected)
        assert found is None or found[0] is other
    assert not jitted.program(make(), x).segments or function is of_an_object


def test_lists_with_items_are_pythons():
    """Which of its items are still there is not known."""
    jitted, x = jf.jit(taken_again), np.random.default_rng(2).random(9)
    for before in ([1.0], [np.float64(2.0), 1]):
        one, other = copy.copy(before), copy.copy(before)
        taken_again(one, x)
        jitted(other, x)
        assert repr(other) == repr(one)
