"""Dicts and sets with keys that values decide, under random operations: what Python gives, in its order and
types, or its error, at every input."""

from __future__ import annotations

from collections import Counter, defaultdict

import numpy as np
import pytest

import jitframe as jf
from jitframe.tracing.lists import counted_lists
from tests.jit.same import assert_same, check


def a_dict(operations, numbers):
    d = {3: 1}
    total = 0
    for operation, v in zip(operations, numbers):
        v = int(v)
        if operation < 3:
            d[v] = total % 11
        elif operation == 3:
            d[v] = d.get(v, 7) + 1
        elif operation == 4:
            total = total * 31 % 10007 + d.pop(v, -1)
        elif operation == 5:
            total += d.setdefault(v, 5)
        elif operation == 6 and v in d:
            del d[v]
        elif operation == 7:
            total += 3 * d[v]
        elif operation == 8:
            d[v] += 2
        elif v == 3:
            d.clear()
        total = total * 3 % 10007 + len(d)
    return d, total


def of_tuples(operations, numbers):
    d = {}
    found = []
    for i, (operation, v) in enumerate(zip(operations, numbers)):
        key = (int(v) % 3, (int(operation), int(v) % 2 == 0))
        if operation < 5:
            d[key] = (i, int(v) * 0.5)
        elif operation < 7 and key in d:
            found.append(d[key][0])
        elif operation == 7:
            found.append(len(d))
        elif (1, (4, False)) in d:
            d[1, (4, False)] = (-i, 2.5)
    for (a, (b, c)), (at, half) in d.items():
        found.append(int(a + b + c + at + half))
    return d, found


def a_set(operations, numbers):
    s = {1, 5}
    total = 0
    for operation, v in zip(operations, numbers):
        if operation < 4:
            s.add(int(v))
        elif operation == 4:
            s.discard(int(v))
        elif operation == 5 and v % 3 == 0:
            s.remove(int(v))
        elif operation == 6:
            s.update((int(v) + 1, 2))
        elif v not in s:
            total += 1
        total = total * 2 % 9973 + len(s) * (5 in s)
    return s, total


def of_floats(operations, numbers):
    d = {}
    for operation, v in zip(operations, numbers):
        x = (v - 4) * 0.5
        if operation == 3:
            x = -x
        d[x] = d.get(x, 0) + 1
    total = 0
    for x, count in d.items():
        total += count * x
    return d, total, 0 in d, 0.5 in d, 0.25 in d


def counted(operations, numbers):
    counts, sums, seen = defaultdict(int), defaultdict(float), Counter()
    for operation, v in zip(operations, numbers):
        counts[int(v)] += int(operation)
        sums[v] += v * 0.25
        seen[operation % 2 == 0, v] += 1
        if operation == 9:
            counts[-1] -= seen[False, v]
    return counts, sums, seen, sum(counts.values()), max(seen.values()), -1 in counts


def of_known_keys(operations, numbers):
    parent = {i: i for i in range(100)}
    for operation, v in zip(operations, numbers):
        a, b = int(operation), int(v) * 11
        while parent[a] != a:
            parent[a] = parent[parent[a]]
            a = parent[a]
        while parent[b] != b:
            b = parent[b]
        parent[a] = b
    return parent


def in_turns(operations, numbers):
    """A dict and a set of each turn."""
    total = 0
    for i in range(len(numbers) - 8):
        seen, at = set(), {}
        for j in range(i, i + 8):
            k = int(numbers[j]) + int(operations[i]) % 3
            if k in seen:
                total += j - at[k]
            seen.add(k)
            at[k] = j
        total += len(seen) - len(at)
    return total


def the_most(operations, numbers):
    votes = {}
    for v in numbers:
        votes[int(v)] = votes.get(int(v), 0) + 1
    keys = []
    for k in votes:
        keys.append((k, votes[k]))
    best = max(keys, key=lambda pair: (pair[1], -pair[0]))
    return max(votes, key=votes.get), min(votes, key=lambda k: votes[k] * 100 - k), best


def first_seen(operations, numbers):
    seen = {}
    for i, v in enumerate(numbers):
        if operations[i] - v in seen:
            return seen[operations[i] - v], i
        seen[v] = i
    return -1, -1


def answer(function, *arguments):
    try:
        return function(*arguments)
    except KeyError as error:
        return repr(error)


def shown(value):
    """With the types of all numbers, and the order of dicts."""
    if isinstance(value, dict):
        return type(value), getattr(value, "default_factory", None), [shown(each) for each in value.items()]
    if isinstance(value, set):
        return set, sorted(map(shown, value), key=repr)
    if isinstance(value, (tuple, list)):
        return type(value), [shown(each) for each in value]
    return type(value), repr(value)


PROGRAMS = [a_dict, of_tuples, a_set, of_floats, counted, of_known_keys, in_turns, the_most, first_seen]


@pytest.mark.parametrize("function", PROGRAMS)
def test_random_operations(function):
    """One program answers all inputs: many keys, few, and operations that fail midway. Compiling takes a
    second."""
    jitted = jf.jit(function)
    rng = np.random.default_rng(11)
    for trial in range(60):
        operations = rng.integers(0, (10, 6, 10)[trial % 3], 64)
        numbers = rng.integers(0, (9, 6, 40)[trial % 3], 64) % (9 if function is of_known_keys else 40)
        expected = answer(function, operations, numbers)
        assert shown(answer(jitted, operations, numbers)) == shown(expected), trial
    assert not jitted.program(np.zeros(64, np.int64), np.ones(64, np.int64)).segments


def through_a_window(x):
    """Keys come and go many more times than there is room for."""
    d = {}
    for i in range(len(x)):
        k = int(x[i])
        if k in d:
            d.pop(k)
        d[k] = i
        if len(d) > 5:
            first = -1
            for each in d:
                first = each if first < 0 else first
            d.pop(first)
    return d


def hashes(x):
    """Keys that are far apart, negative, and multiples of large powers of two."""
    d = {}
    for v in x:
        for k in (int(v), -int(v), int(v) << 40, int(v) * 65536):
            d[k] = d.get(k, 0) + 1
    return d


def test_room_ends(monkeypatch):
    monkeypatch.setattr(counted_lists, "_MOST", 64)
    x = np.random.default_rng(1).integers(0, 12, 300)
    assert shown(jf.jit(through_a_window)(x)) == shown(through_a_window(x))


def test_keys_of_all_kinds():
    x = np.random.default_rng(1).integers(0, 400, 900)
    jitted = jf.jit(hashes)
    assert shown(jitted(x)) == shown(hashes(x))
    assert not jitted.program(x).segments


def of_nan(x):
    s = set()
    for v in x:
        s.add(v)
    return len(s)


def test_keys_that_are_not_equal_to_themselves():
    """Python looks at the identity of such a key first, so it answers."""
    jitted = jf.jit(of_nan)
    assert jitted(np.array([1.0, 2.0, 1.0, -0.0, 0.0])) == 3
    x = np.array([1.0, np.nan, np.nan])
    assert jitted(x) == of_nan(x)


def of_two_types(x, n):
    d = {}
    for v in x:
        d[v] = 1
    return 1 in d, True in d, n in d, 2.5 in d


def test_keys_of_two_types():
    x, n = np.array([1.0, 2.5]), np.array([2.5, 7.0])
    for v in n:
        assert jf.jit(of_two_types)(x, v) == of_two_types(x, v)
    for v in (1, 3, 2.5):
        assert jf.jit(of_two_types)(np.arange(3), v) == of_two_types(np.arange(3), v)


def gone_through(x):
    s = set()
    for v in x:
        s.add(int(v))
    return [v * 2 for v in s]


def test_the_order_of_sets_is_pythons():
    x = np.array([70, 3, 9, 70, 40000, -1])
    assert jf.jit(gone_through)(x) == gone_through(x)


def of_arrays_with_other_names(x, turns):
    """A layer has the array that the optimizer finds in a dict."""
    weights, sizes = np.ones((3, 3)), np.zeros(3)
    params, speed = {"w": weights, "b": sizes}, {"w": np.zeros((3, 3)), "b": np.zeros(3)}
    total, seen = 0.0, []
    for _ in range(turns):
        y = x @ weights + sizes
        gradients = {"w": y * 0.1, "b": y.mean(axis=0)}
        for name in params:
            speed[name] = 0.9 * speed[name] - 0.01 * gradients[name]
            params[name] += speed[name]
            params[name] *= 0.999
        total += weights.sum() - sizes.sum()
        seen.append(y.sum())
    return total, seen, params, weights


@pytest.mark.parametrize("turns", [3, 200])
def test_arrays_in_dicts_are_changed_in_place(turns):
    check(of_arrays_with_other_names, np.eye(3) + 0.1, turns)


def test_comprehensions(strict):
    def sets(n):
        rests = {int(v) % 3 for v in n}
        large = {(int(v), i % 2) for i, v in enumerate(n) if v > 2}
        pairs = {int(v) * k for v in n for k in (1, 2)}
        return len(rests), max(rests), (5, 1) in large, pairs

    def dicts(n):
        last = {int(v): i for i, v in enumerate(n)}
        halves = {int(v): v / 2 for v in n if v > 2 and v != 7}
        return last, len(halves), halves.get(4, -1.0), sum(last.values())

    def known(n):
        squares = {k: k * k for k in range(5)}
        return squares, len({k % 2 for k in range(9)}), sorted({each * 2 for each in "text"}), n.sum()

    numbers = np.random.default_rng(0).integers(0, 9, 300)
    for function in (sets, dicts, known):
        jitted = jf.jit(function)
        for n in (numbers, numbers[::-1].copy(), numbers[:100], numbers[:3]):
            assert_same(jitted(n), function(n))
        assert not jitted.program(numbers).segments


def _two(x, y):
    one, other = set(), set()
    for v in x:
        if v > 2:
            one.add(int(v))
    for v in y:
        other.add(int(v))
    return one, other


def joined(x, y):
    one, other = _two(x, y)
    return one | other, one & other, one - other, one ^ other, len(one & other), {1, 2, 3} | one


def compared(x, y):
    one, other = _two(x, y)
    both = one | other
    return (
        one <= other, one < both, both >= other, one == other, one != other, one == one.copy(),
        one.isdisjoint(other), one.issubset(both), both.issuperset(one), (one & other) < one,
    )  # fmt: skip


def changed(x, y):
    one, other = _two(x, y)
    before = one.copy()
    one |= other
    before.discard(5)
    other -= {5, 6}
    before ^= {1, 2, 5}
    one &= {4, 5, 6, 7}
    return one, other, before


def by_methods(x, y):
    one, other = _two(x, y)
    union = one.union(other, {99, 100})
    union.add(77)
    common, rest = one.intersection(other, [4, 5, 6]), other.difference(one, (9,))
    other.intersection_update(one)
    one.update([50], range(3))
    return union, common, rest, other, len(one), sum(one), one.symmetric_difference(union)


def rows_with_several(x, y):
    count = 0
    for row in x.reshape(8, 5):
        seen = set()
        for v in row:
            seen.add(int(v))
        if len(seen & {1, 2, 3}) > 1:
            count += 1
    return count, len(set(x.tolist()) & set(y.tolist()))


SETS = [joined, compared, changed, by_methods, rows_with_several]


@pytest.mark.parametrize("function", SETS)
def test_sets_are_joined_and_compared(function, strict):
    jitted = jf.jit(function)
    for seed in range(4):
        rng = np.random.default_rng(seed)
        x, y = rng.integers(0, 9, 40), rng.integers(9 if seed == 3 else 4, 15, 40)
        assert jitted(x, y) == function(x, y)
    assert not jitted.program(x, y).segments


def test_common_members_of_two_types_are_pythons():
    """Python's intersection has the members of the smaller set."""

    def common(x):
        seen = set()
        for v in x:
            seen.add(v)
        return sorted(map(repr, seen & {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})), sorted(map(repr, {1, 2} & seen))

    x = np.random.default_rng(0).integers(0, 9, 40)
    for _ in range(3):
        assert jf.jit(common)(x) == common(x)


def test_what_is_no_set():
    function = lambda x: ({int(v) for v in x if v > 3} | [1]) and x  # noqa: E731
    with pytest.raises(TypeError, match="unsupported operand"):
        jf.jit(function)(np.arange(9))
