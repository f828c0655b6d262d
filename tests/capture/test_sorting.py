"""Lists that values decide about, sorted: what Python gives, in its order and types."""

from __future__ import annotations

import numpy as np
import pytest

import jitframe as jf
from tests.capture.test_dicts import shown


def a_list(x):
    out = []
    for v in x:
        if v > 3:
            out.append(int(v))
    out.sort()
    return out, sorted(out, reverse=True), len(out)


def ties(x):
    """Equal keys stay in their order, forwards and backwards."""
    out = []
    for i, v in enumerate(x):
        if v % 5:
            out.append((int(v) % 4, i))
    other = sorted(out, key=lambda pair: pair[0], reverse=True)
    out.sort(key=lambda pair: -pair[0])
    return out, other


def in_a_loop(x):
    """A list that is sorted again and again while it changes."""
    out, total = [], 0
    for v in x:
        out.append(int(v))
        if v % 3 == 0:
            out.sort(reverse=bool(0))
            total += out[0] + out.pop()
    return out, total


def positions(x):
    return sorted(range(len(x)), key=lambda i: x[i])


def of_a_set(x):
    s = set(x)
    return sorted(s), max(s), min(s), len(s), sum(sorted(s))


def of_a_dict(x):
    d = {}
    for v in x:
        d[int(v)] = d.get(int(v), 0) + 1
    return sorted(d.items(), key=lambda item: (-item[1], item[0])), sorted(d)


def windows(x):
    out = np.zeros(len(x))
    for i in range(1, len(x) - 1):
        out[i] = sorted([x[i - 1], x[i], x[i + 1]])[1] - sorted((x[i - 1], x[i]), reverse=True)[0]
    return out


def slices(x):
    """Short arrays, whose items are sorted in a loop."""
    out = np.zeros(len(x))
    for i in range(1, len(x) - 1):
        low, high = sorted(x[i - 1 : i + 1])
        out[i] = high - low + sorted(x[i - 1 : i + 2], reverse=True)[1]
    return out


def whole(x):
    return sorted(x), sorted(x, reverse=True), sorted(x, key=lambda v: -v * v)


def while_it_grows(x):
    out, total = [], 0
    for v in x:
        out.append(int(v))
        out.sort()
        total += out[0] * 2 + out[-1]
    return total


PROGRAMS = [a_list, ties, while_it_grows, in_a_loop, positions, of_a_set, of_a_dict, whole]


@pytest.mark.parametrize("function", PROGRAMS)
def test_numbers(function):
    jitted = jf.jit(function)
    rng = np.random.default_rng(5)
    for size in (2, 10, 60):
        x = rng.integers(0, size // 2 + 5, 61)
        assert shown(jitted(x)) == shown(function(x))
    assert not jitted.program(np.arange(61)).segments


@pytest.mark.parametrize("function", [windows, slices])
def test_few_numbers(function):
    jitted = jf.jit(function)
    x = np.random.default_rng(5).random(80)
    assert np.array_equal(jitted(x), function(x))
    assert not jitted.program(x).segments


@pytest.mark.parametrize("function", [positions, whole, windows, slices])
def test_what_has_no_order(function):
    """Python's sort decides where a NaN lies."""
    x = np.array([3.0, np.nan, 1.0, -0.0, 0.0, 2.0, np.nan, -1.0])
    jitted = jf.jit(function)
    for given in (np.nan_to_num(x), x, x[::-1].copy()):
        assert repr(jitted(given)) == repr(function(given))
