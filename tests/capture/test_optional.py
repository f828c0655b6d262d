"""Variables, items and results that are None on some ways: what Python gives, or its error."""

from __future__ import annotations

import numpy as np
import pytest

import jitframe as jf
from tests.jit.same import assert_same


def smallest(x):
    best = None
    for v in x:
        if v > 2 and (best is None or v < best):
            best = v
    return best


def at_which(x):
    best, place = None, None
    for i in range(len(x)):
        if x[i] > 4 and (best is None or x[i] > best):
            best, place = int(x[i]), i
    return best, place


def repeats(x):
    previous, count = None, 0
    for v in x:
        if v == previous:
            count += 1
        elif previous != v and previous is not None:
            count += 100
        previous = int(v) if v < 6 else None
    return count, previous


def pair_with_sum(x):
    seen = {}
    for i in range(len(x)):
        v = int(x[i])
        if 17 - v in seen:
            return [seen[17 - v], i]
        seen[v] = i
    return None


def first_of(x):
    for i in range(len(x)):
        if x[i] == 9:
            return i
    return None


def falls_off(x):
    for i in range(len(x)):
        if x[i] == 9:
            return i, float(x[i])


def gaps(x):
    last, total = {}, 0
    for i in range(len(x)):
        k = int(x[i])
        before = last.get(k)
        if before is not None:
            total += i - before
        last[k] = i
    return total, last.get(3), last.get(-3)


def place_of(x, wanted):
    for i in range(len(x)):
        if x[i] == wanted:
            return i
    return None


def by_a_helper(x):
    total = 0
    for wanted in range(12):
        found = place_of(x, wanted)
        if found is not None:
            total += found
        if not found:
            total += 1000
    return total


def a_pair_or_none(x):
    best = None
    for i in range(len(x)):
        here = (int(x[i]) % 4, i)
        if x[i] > 3 and (best is None or here > best):
            best = here
    if best is None:
        return -1
    first, second = best
    return first * 100 + second + best[1] + len(best)


def truths(x):
    some, count = None, 0
    for v in x:
        if not some:
            some = int(v) % 3
        count += 1 if some else 10
        count += some or 100
        if v > 7:
            some = None
    return count


def rows_or_none(x):
    previous, total = None, 0.0
    for i in range(len(x) - 3):
        row = x[i : i + 3] * 1.0
        if previous is not None:
            total += (row - previous).sum()
        previous = row if row[0] > 3 else None
    return total


PROGRAMS = [
    smallest, at_which, repeats, pair_with_sum, first_of, falls_off, gaps, by_a_helper, a_pair_or_none,
    truths,
]  # fmt: skip


@pytest.mark.usefixtures("strict")
@pytest.mark.parametrize("function", PROGRAMS)
def test_program(function):
    jitted = jf.jit(function)
    rng = np.random.default_rng(3)
    seen = set()
    for trial in range(12):
        x = rng.integers(0, (10, 3, 8)[trial % 3], 70)
        expected = function(x.copy())
        assert_same(jitted(x), expected)
        seen.add(repr(expected))
    assert len(seen) > 1
    assert not jitted.program(x).segments


def test_arrays_that_may_be_none():
    x = np.random.default_rng(3).integers(0, 8, 70)
    assert jf.jit(rows_or_none)(x) == rows_or_none(x)


def taken_for_a_number(x):
    best = None
    for v in x:
        if v > 6:
            best = int(v)
    return best + 1


def taken_apart(x):
    best = None
    for i in range(len(x)):
        if x[i] > 6:
            best = (i, int(x[i]))
    first, _ = best
    return first


def compared(x):
    best, count = None, 0
    for v in x:
        if v > 6:
            best = int(v)
        if v == 3:
            count += best < 8
    return count


@pytest.mark.parametrize("function", [taken_for_a_number, taken_apart, compared])
def test_errors_are_pythons(function):
    jitted = jf.jit(function)
    high, low = np.array([1, 7, 3, 9, 2]), np.array([1, 2, 3, 1, 2])
    assert jitted(high) == function(high)
    with pytest.raises(TypeError) as expected:
        function(low)
    with pytest.raises(TypeError) as found:
        jitted(low)
    assert str(found.value) == str(expected.value)
    assert jitted(high) == function(high)
