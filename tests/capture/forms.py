"""Forms that algorithms are written in: lists that take each other's place, graphs of lists. `test_page`
tells what becomes of each."""

from __future__ import annotations

from collections import defaultdict

import numpy as np

N = np.random.default_rng(8).integers(0, 10, 40)
TREE = np.array([0, 0, 1, 1, 2, 4, 4, 6, 3])


def by_levels(parents):
    counts = []
    level = [0]
    while level:
        counts.append(len(level))
        following = []
        for u in level:
            for v in range(1, len(parents)):
                if parents[v] == u:
                    following.append(v)
        level = following
    return counts


def lists_that_change_places(n):
    some, other = [], []
    for v in n:
        if v > 5:
            some, other = other, []
        some.append(int(v))
    return some, other


def a_list_without_its_end(n):
    stack = []
    for v in n:
        while stack and stack[-1] > v:
            stack = stack[:-1]
        stack = [*stack, int(v)]
    return stack


def the_longest_of_lists(n):
    best, run = [], []
    for v in n:
        if run and v < run[-1]:
            run = []
        run.append(int(v))
        if len(run) > len(best):
            best = run
    return best


def lists_of_neighbours(n):
    graph = [[] for _ in range(10)]
    for i in range(len(n) - 1):
        graph[n[i]].append(int(n[i + 1]))
    seen, stack = {0}, [0]
    while stack:
        for v in graph[stack.pop()]:
            if v not in seen:
                seen.add(v)
                stack.append(v)
    return len(seen), graph


def neighbours_by_key(n):
    graph = defaultdict(list)
    for i in range(len(n) - 1):
        graph[int(n[i])].append((int(n[i + 1]), 0.5 * i))
    total = 0.0
    for u in range(10):
        for v, weight in graph[u]:
            total += weight * (v - u)
    return total


def none_at_first(n):
    best = None
    for v in n:
        if v > 3 and (best is None or v < best):
            best = int(v)
    return best


def the_last_of_each(n):
    last, total = {}, 0
    for i in range(len(n)):
        before = last.get(int(n[i]))
        if before is not None:
            total += i - before
        last[int(n[i])] = i
    return total


def two_with_a_sum(n):
    seen = {}
    for i in range(len(n)):
        if 17 - n[i] in seen:
            return [seen[17 - n[i]], i]
        seen[int(n[i])] = i
    return None


FORMS = [
    (none_at_first, (N,)),
    (the_last_of_each, (N,)),
    (two_with_a_sum, (N,)),
    (by_levels, (TREE,)),
    (lists_that_change_places, (N,)),
    (a_list_without_its_end, (N,)),
    (the_longest_of_lists, (N,)),
    (lists_of_neighbours, (N,)),
    (neighbours_by_key, (N,)),
]
