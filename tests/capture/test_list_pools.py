"""Lists that variables, lists and dicts refer to, one or another as values decide, under random operations:
what Python gives, or its error."""

from __future__ import annotations

import re
from collections import defaultdict

import numpy as np
import pytest

import jitframe as jf
from tests.jit.same import check


def variables(operations, numbers):
    a, b, c = [], [1], [2, 3]
    total = 0
    for operation, v in zip(operations, numbers):
        operation, v = int(operation), int(v)
        if operation == 0:
            a = b
        elif operation == 1:
            b = []
        elif operation == 2:
            a, c = c, a
        elif operation == 3:
            a.append(v)
        elif operation == 4:
            b.extend(c[-2:])
        elif operation == 5:
            if c:
                total = total * 3 % 1009 + c.pop()
        elif operation == 6:
            b = a[v - 3 : -1]
        elif operation == 7:
            c = a[-3:] + [v] + b[:2]  # noqa: RUF005 - a sum of lists
        elif operation == 8:
            for x in a:
                total = total * 5 % 1009 + x
                if len(a) < 9:
                    a.append(x + 1)
        elif operation == 9:
            total += 100 * (a is b) + 10 * (b is c) + len(c)
        elif operation == 10:
            a = a.copy()
        elif v == 3:
            c.clear()
    return a, b, c, total


def inside(operations, numbers):
    lists = [[] for _ in range(5)]
    total = 0
    for operation, v in zip(operations, numbers):
        operation, v = int(operation), int(v)
        if operation < 4:
            lists[v % 5].append(total % 11)
        elif operation == 4:
            lists[v % 5] = lists[-1 - v % 3]
        elif operation == 5:
            lists[v % 3] = [v]
        elif operation == 6:
            lists[v % 5] = lists[v % 2][1:]
        elif operation == 7:
            if lists[v % 4]:
                total = total * 7 % 1009 + lists[v % 4].pop(0)
        elif operation == 8:
            total += 100 * (lists[v % 5] is lists[0]) + (v in lists[v % 4])
        else:
            total += sum(lists[v % 5])
    return lists, total


def of_keys(operations, numbers):
    groups = defaultdict(list)
    total = 0
    for operation, v in zip(operations, numbers):
        operation, v = int(operation), int(v)
        if operation < 6:
            groups[v % 5].append((v, total % 11))
        elif operation == 6:
            groups[v % 5] = groups[v % 3]
        elif operation == 7:
            total += len(groups[v % 7])
        elif operation == 8:
            for x, y in groups[v % 5]:
                total = total * 3 % 1009 + x - y
        elif v in groups:
            groups.pop(v)
    return groups, total


@pytest.mark.more  # seconds: random programs
@pytest.mark.usefixtures("strict")
@pytest.mark.parametrize("program", [variables, inside, of_keys])
def test_random_operations(program):
    jitted = jf.jit(program)
    rng = np.random.default_rng(5)
    for _ in range(40):
        operations, numbers = rng.integers(0, 12, 60), rng.integers(0, 8, 60)
        assert jitted(operations, numbers) == program(operations, numbers)
    assert not jitted.program(operations, numbers).segments
    assert type(jitted(operations, numbers)[0]) is type(program(operations, numbers)[0])


def by_levels(indptr, indices, start):
    level = [-1] * (len(indptr) - 1)
    level[start] = 0
    frontier = [start]
    depth = 0
    while frontier:
        depth += 1
        following = []
        for u in frontier:
            for k in range(indptr[u], indptr[u + 1]):
                v = int(indices[k])
                if level[v] < 0:
                    level[v] = depth
                    following.append(v)
        frontier = following
    return level


def bracketed(x):
    stack = []
    for v in x:
        v = int(v)
        while stack and stack[-1] > v:
            stack = stack[:-1]
        stack = [*stack, v] if v % 2 else stack + [v]  # noqa: RUF005 - both forms
    return stack


def longest_run(x):
    best, run = [], []
    for v in x:
        v = int(v)
        if run and v < run[-1]:
            run = []
        run.append(v)
        if len(run) > len(best):
            best = run
    return best


def made_in_an_arm(x):
    found = []
    for v in x:
        if v > 5:
            some = [int(v), 1]
        else:
            some = [int(v)]
        found = some + found[:4]
    return found


def left_by_a_loop(x):
    for i in range(3):
        out = []
        for v in x:
            if v > i:
                out.append(int(v))
    return out


def a_table_that_grows(x):
    rows = [[i, i] for i in range(4)]
    for v in x:
        rows[int(v) % 4].append(int(v))
    return rows


def pairs_in_lists(x):
    graph = [[] for _ in range(10)]
    for i in range(len(x) - 1):
        graph[int(x[i])].append((int(x[i + 1]), 0.5 * i))
    total = 0.0
    for u in range(10):
        for v, weight in graph[u]:
            total += v * weight
    return total, graph


def never_filled(x):
    lists = [[] for _ in range(4)]
    total = 0
    for v in x:
        total += len(lists[int(v) % 4])
    return total, lists


def one_of_each(x):
    sources = []
    for start in x:
        queue, seen = [int(start)], 0
        while queue and seen < 20:
            following = []
            for u in queue:
                seen += 1
                if u % 3:
                    following.append(u // 2)
                if u > 4:
                    following.append(u - 4)
            queue = following
        sources.append(seen)
    return sources


X = np.random.default_rng(2).integers(0, 10, 60)
POINTERS = np.arange(0, 121, 3)
TARGETS = np.random.default_rng(4).integers(0, 40, 120)


@pytest.mark.usefixtures("strict")
@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        (by_levels, (POINTERS, TARGETS, 3)),
        (bracketed, (X,)),
        (longest_run, (X,)),
        (made_in_an_arm, (X,)),
        (left_by_a_loop, (X,)),
        (a_table_that_grows, (X,)),
        (pairs_in_lists, (X,)),
        (never_filled, (X,)),
        (one_of_each, (X,)),
    ],
    ids=lambda each: getattr(each, "__name__", ""),
)
def test_program(function, arguments):
    assert not check(function, *arguments).program(*arguments).segments


def appended_before(x):
    """Begins with lists of one item, of none and of more than a list has room for at first."""
    some, other, third = [int(x[0])], [], [1, 2, 3]
    third.append(int(x[1]))
    third.append(7)
    third[-2] += some[0]
    for v in x:
        if v % 2:
            some, other = other, some
        elif v % 3:
            third = [*some, int(v)]
        some.append(int(v))
    return some, len(other), third[0]


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        (by_levels, (POINTERS, TARGETS, 3)),
        (a_table_that_grows, (X,)),
        (pairs_in_lists, (X,)),
        (never_filled, (X,)),
        (one_of_each, (X,)),
        (appended_before, (X,)),
    ],
    ids=lambda each: getattr(each, "__name__", ""),
)
def test_the_arrays_of_a_pool_are_not_copied(function, arguments):
    """They begin without values; what is before the loops writes to them where they are."""
    explained = check(function, *arguments).explain(*arguments)
    moved = [
        (kernel.name, launch.bytes_moved)
        for kernel in explained.kernels
        for launch in kernel.launches
        if "nest" not in kernel.name
    ]
    assert moved and max(number for _, number in moved) < 1 << 16, moved
    copies = re.findall(r" copy .* (\d+) elements", str(explained.plan))
    assert all(int(each) < 1 << 12 for each in copies), copies


def taken_from_nothing(x):
    some, other = [1], []
    for _ in x:
        some, other = other, some
        some.pop()
    return some


def beyond_the_end(x):
    lists = [[] for _ in range(3)]
    total = 0
    for v in x:
        lists[int(v) % 3].append(int(v))
        total += lists[1][2]
    return total


@pytest.mark.parametrize("function", [taken_from_nothing, beyond_the_end])
def test_errors_are_pythons(function):
    with pytest.raises(IndexError) as expected:
        function(X)
    with pytest.raises(IndexError) as found:
        jf.jit(function)(X)
    assert str(found.value) == str(expected.value)


def repeated(x, count):
    some = [1, 2, 3, 4]
    i = 0
    while i < count[0]:
        some = some[1:] + [int(x[i % len(x)])]  # noqa: RUF005 - a sum of lists
        i += 1
    return some


def test_a_full_pool_is_left_to_python():
    """Each iteration makes lists, of which no place is used again."""
    count = np.array([200_000])
    assert jf.jit(repeated)(X, count) == repeated(X, count)
    assert jf.jit(repeated)(X, count // 1000) == repeated(X, count // 1000)
