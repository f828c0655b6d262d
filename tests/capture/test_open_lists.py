"""Arrays made of lists that grow as values decide, and loops and reductions of Python's over what a mask has
chosen: one program, whose arrays have the length that they turn out to have."""

from __future__ import annotations

import copy

import numpy as np
import pytest

import jitframe as jf
from jitframe.settings import configure, restore
from tests.capture.test_users_programs import same

X = np.random.default_rng(3).standard_normal(120).round(2)
N = np.random.default_rng(4).integers(0, 4, 120)
M = np.random.default_rng(5).standard_normal((120, 3))


def above(x):
    found = []
    for v in x:
        if v > 0.5:
            found.append(v)
    return np.array(found)


def places_above(x):
    found = []
    for i in range(len(x)):
        if x[i] > 0.5:
            found.append(i)
    return np.array(found)


def peaks(x):
    found = []
    for i in range(1, len(x) - 1):
        if x[i - 1] < x[i] > x[i + 1]:
            found.append((i, i + 1))
    found = np.array(found)
    return found, found[:, 1].mean()


def pairs(x):
    found = []
    for i in range(30):
        for j in range(i):
            if x[i] * x[j] > 1:
                found.append((i, j))
    return np.asarray(found)


def decay(x):
    t, y, times, values = 0.0, 1.0, [], []
    while t < x[0] ** 2:
        times.append(t)
        values.append(y)
        y -= 0.01 * y
        t += 0.01
    times, values = np.array(times), np.array(values)
    return times, np.max(np.abs(values - np.exp(-times)))


def two_of_one_length(x):
    ones, others = [], []
    for v in x:
        if v > 0:
            ones.append(v)
            others.append(v * v)
    ones, others = np.array(ones), np.array(others)
    return np.sum(ones * others), ones - others


def records(x):
    stack = [-9.0]
    for v in x:
        while len(stack) > 1 and stack[-1] > v:
            stack.pop()
        stack.append(v)
    return np.diff(np.array(stack))


def doubled_in_branches(x):
    found = []
    for i in range(len(x)):
        if x[i] > 1:
            for k in range(3):
                if x[k] < x[i]:
                    found.append(x[k])
        elif x[i] < -1:
            found.append(x[i])
            found.append(-x[i])
    return np.array(found)


def some_of_several_dtypes(x):
    found = [0]
    for v in x:
        if v > x[0]:
            found.append(v)
    return np.array(found)


def distances(x):
    """Of all pairs: the bounds of the inner loop depend on the outer one."""
    found = []
    for i in range(len(x) - 1):
        for j in range(i + 1, len(x)):
            found.append(abs(x[j] - x[i]))
    return np.array(found)


def distances_back(x):
    found = []
    for i in range(len(x)):
        for j in range(i, -1, -2):
            found.append(x[i] * x[j])
    return np.array(found)


ARRAYS = [
    above,
    places_above,
    peaks,
    pairs,
    decay,
    two_of_one_length,
    records,
    doubled_in_branches,
    distances,
    distances_back,
]


@pytest.mark.parametrize("function", ARRAYS, ids=lambda each: each.__name__)
def test_arrays_of_lists(function):
    """The program has no cut, and the native entry answers. Compiling takes up to half a second."""
    jitted = jf.jit(function)
    for x in (X, X, X - 0.25, X[::-1].copy(), X):
        same(jitted(x), function(x))
    assert jitted.stats()["interpreted"] == 0
    assert not jitted.explain(X).before


@pytest.mark.parametrize("function", [two_of_one_length, distances, distances_back])
def test_no_more_room_than_iterations(function):
    """The array of a list has room for what the loops around may append, not for what the list may hold."""
    sizes = [node.shape[0] for node in jf.jit(function).program(X[:20]).outputs if node.shape]
    assert sizes and max(sizes) < 2000


@pytest.mark.parametrize("x", [np.full(9, -5.0), np.array([0.1, 0.9, 0.2])])
def test_an_empty_list(x):
    """NumPy makes float64[0] of it, whatever would have been in it: Python answers."""
    jitted = jf.jit(places_above)
    for each in (X, x, X, x):
        same(jitted(each), places_above(each))
    assert jitted.stats()["interpreted"] <= 2


def of_two_lengths(x):
    ones, others = [], []
    for v in x:
        if v > 0:
            ones.append(v)
        if v > 1:
            others.append(v)
    return np.array(ones) - np.array(others)


@pytest.mark.parametrize("x", [[2.0, 3.0], [3.0, 0.5, 0.7], [-1.0]])
def test_lists_of_two_lengths(x):
    """One of a single item is repeated; where lengths differ otherwise, the error is NumPy's."""
    jitted = jf.jit(of_two_lengths)
    for each in (np.array([1.5, 2.5]), np.array(x), np.array([1.5, 2.5])):
        same(jitted(each), of_two_lengths(each))
    with pytest.raises(ValueError, match="could not be broadcast together"):
        jitted(np.array([3.0, 0.5, 2.0]))


def first_of_several_dtypes(x):
    found = [0, 1.5]
    for v in x:
        if v > 1:
            found.pop()
    return np.array(found)


def returned_with_its_types(x):
    found = [0, 1.5]
    for v in x:
        if v > 0:
            found.append(2.5)
    return found


@pytest.mark.parametrize(
    "function", [some_of_several_dtypes, first_of_several_dtypes, returned_with_its_types]
)
def test_items_of_several_dtypes(function):
    """An array of integers where no float is in the list, and in a list Python's integers stay some."""
    jitted = jf.jit(function)
    for x in (np.array([0.5, 2.0]), np.arange(1.0, -5, -1), np.array([0.5, 2.0])):
        same(jitted(x), function(x))


@pytest.mark.parametrize("function", [places_above, two_of_one_length])
def test_what_python_may_not_answer_is_cut(function):
    before = configure(strict=True)
    try:
        for x in (X, np.full(9, -5.0)):
            same(jf.jit(function)(x), function(x))
    finally:
        restore(before)


def writes(x):
    x[0] += 1
    return places_above(x)


def prints(x):
    print("places")
    return places_above(x)


@pytest.mark.parametrize("function", [writes, prints])
def test_calls_with_effects_are_not_made_twice(function, capsys):
    """Python cannot answer such a call once the program has run: its length is a cut."""
    jitted = jf.jit(function)
    for x in (X, np.full(9, -5.0), X):
        mine, its = x.copy(), x.copy()
        found = jitted(mine)
        printed = capsys.readouterr().out
        same(found, function(its))
        same(mine, its)
        assert printed == capsys.readouterr().out


def sums(x, n):
    total = 0.0
    for k in range(9):
        total += sum(x[n != k])
    return total, sum(n[n == 1]), sum(x[n == 3], 5.0)


def extremes(x, n):
    return max(x[n != 1]), min(n[n > 1]), max(x[n == 0], key=lambda v: -abs(v))


def quantified(x, n):
    return any(x[n == 1] > 2), all(x[n != 2] > -9), any(v > 1 for v in x[n == 3])


def nearest_rows(x, n):
    found, total = [], 0.0
    for i, row in enumerate(M[n != 1]):
        distance = np.sqrt(np.sum((row - M[3]) ** 2))
        if distance < 1:
            found.append(i)
            total += distance
    return found, total


def rows_of_groups(x, n):
    sums = np.zeros((4, 3))
    for k in range(4):
        for row in M[n == k]:
            sums[k] += row * row
    return sums


def rows_beside_elements(x, n):
    total = 0.0
    for row, v in zip(M[n > 1], x[n > 1]):
        total += row[1] * v
    return total


MASKS = [sums, extremes, quantified, nearest_rows, rows_of_groups, rows_beside_elements]


@pytest.mark.parametrize("function", MASKS, ids=lambda each: each.__name__)
def test_what_a_mask_has_chosen(function):
    """Compiling takes up to half a second."""
    jitted = jf.jit(function)
    for n in (N, N, N[::-1].copy()):
        mine, its = copy.deepcopy((X, n)), copy.deepcopy((X, n))
        same(jitted(*mine), function(*its))
    assert jitted.stats()["interpreted"] == 0
    assert not jitted.explain(X, N).before


def test_the_largest_of_none():
    with pytest.raises(ValueError, match="empty"):
        jf.jit(extremes)(X, np.zeros(120, int))
