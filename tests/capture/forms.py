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


FORMS = [
    (by_levels, (TREE,)),
    (lists_that_change_places, (N,)),
    (a_list_without_its_end, (N,)),
    (the_longest_of_lists, (N,)),
    (lists_of_neighbours, (N,)),
    (neighbours_by_key, (N,)),
]
