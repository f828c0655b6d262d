"""Positions where a mask holds, in loops and lists: `for j in np.nonzero(row)[0]`, `list(np.where(m)[0])`."""

from __future__ import annotations

import numpy as np
import pytest

import jitframe as jf
from tests.jit.same import assert_same

_rng = np.random.default_rng(11)
WEIGHTS = _rng.random((30, 30))
NONE, ALL = np.zeros((5, 5)), np.ones((5, 5))


def breadth_first(weights):
    near = weights > 0.9
    steps = np.full(len(near), -1)
    steps[0] = 0
    queue = [0]
    while queue:
        at = queue.pop(0)
        for each in np.nonzero(near[at])[0]:
            if steps[each] == -1:
                steps[each] = steps[at] + 1
                queue.append(each)
    return steps


def components(weights):
    near = weights > 0.95
    seen = np.zeros(len(near), bool)
    count = 0
    for start in range(len(near)):
        if not seen[start]:
            count += 1
            stack = [start]
            while stack:
                at = stack.pop()
                if not seen[at]:
                    seen[at] = True
                    stack.extend(np.flatnonzero(near[at] & ~seen))
    return count, seen


def growing_region(weights):
    members = list(np.where(weights[0] > 0.8)[0])
    at = 0
    while at < len(members) and len(members) < 40:
        members.extend(np.where(weights[members[at]] > 0.9)[0])
        at += 1
    return members


def numbered(weights):
    total = 0
    for row in weights:
        for number, place in enumerate(np.where(row > 0.7)[0]):
            total += number * place
    return int(total)


def pairs(weights):
    total = 0.0
    for row in weights:
        chosen = row[row > 0.6]
        for place, value in zip(np.flatnonzero(row > 0.6), chosen):
            total += place * value
    return float(total)


def rows_and_columns(weights):
    total = 0.0
    for limit in range(60, 90):
        ys, xs = np.nonzero(weights > limit / 90)
        for y, x in zip(ys, xs):
            total += weights[y, x] * y - x
    return float(total)


def sets_of_neighbors(weights):
    most = 0
    for row in weights:
        near = set(np.where(row > 0.8)[0])
        most = max(most, len(near) + (3 in near))
    return most


def single_ones(weights):
    found = np.zeros(len(weights), np.int64)
    for number in range(len(weights)):
        at = np.where(weights[number] > 0.7)[0]
        if at.size > 2:
            found[number] = at[0] + 10 * at[-1] + 100 * at[1] + 1000 * at[number % 2]
    return found


def best_of_some(weights):
    best = []
    for row in weights:
        at = np.flatnonzero(row > 0.5)
        if len(at) == 0:
            continue
        best.append(at[np.argmax(row[at])] - at[np.argmin(-row[at])] + at[np.argmax(row[at] * 0)])
    return best


def copies(weights):
    stack, total = [0], 0
    for number in range(len(weights)):
        if weights[number, 0] > 0.5:
            stack.append(number)
        known = list(stack)
        known.append(-1)
        total += len(known) + known[-2] - len(stack)
    return total, stack


def changed_after_the_search(weights):
    weights = weights.copy()
    total = 0.0
    for number in range(len(weights)):
        at = np.nonzero(weights[number] > 0.5)[0]
        weights[number] = 0
        for place in at:
            total += place
            weights[number, place] += 1
    return float(total), weights


def adjacency(weights):
    near = []
    for number, row in enumerate(weights):
        near.append([int(each) for each in np.where(row > 0.8)[0] if each > number])
    total = 0
    for number in range(len(weights)):
        for each in near[number]:
            total += each * len(near[each])
    return total


PROGRAMS = (
    breadth_first, components, growing_region, numbered, pairs, rows_and_columns, sets_of_neighbors,
    single_ones, best_of_some, copies, changed_after_the_search, adjacency,
)  # fmt: skip


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda each: each.__name__)
def test_it_is_numpys_and_one_program(function, strict):
    jitted = jf.jit(function)
    for weights in (WEIGHTS, NONE, ALL):
        assert_same(jitted(weights), function(weights))
    assert "cut" not in str(jitted.explain(WEIGHTS)).partition("\n")[0]


def beyond(weights):
    total = 0
    for row in weights:
        total += np.where(row > 0.9)[0][1]
    return total


def largest_of_none(weights):
    total = 0
    for row in weights:
        total += np.argmax(row[row > 0.99])
    return total


@pytest.mark.parametrize("function", [beyond, largest_of_none], ids=lambda each: each.__name__)
def test_errors_are_numpys(function):
    with pytest.raises((IndexError, ValueError)) as wanted:
        function(WEIGHTS)
    with pytest.raises(wanted.type):
        jf.jit(function)(WEIGHTS)


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.float32])
def test_the_largest_of_what_is_chosen_is_never_of_the_others(dtype):
    """Also where all that is chosen equals what stands for the others."""

    def places(values, chosen):
        some = values[chosen]
        return np.argmax(some), np.argmin(some), some.argmax()

    info = np.iinfo(dtype) if np.dtype(dtype).kind in "iu" else np.finfo(dtype)
    chosen = np.array([False, True, True, False, True])
    jitted = jf.jit(places)
    for values in ([info.min] * 5, [info.max] * 5, [3, 1, 2, 0, 2]):
        given = np.array(values, dtype)
        assert_same(jitted(given, chosen), places(given, chosen))
    if dtype is np.float32:
        for odd in (np.nan, np.inf, -np.inf):
            given = np.array([odd, 1, odd, odd, odd], dtype)
            assert_same(jitted(given, chosen), places(given, chosen))
