"""Programs with queues, stacks and heaps of tuples, and with tables that values are looked up in."""

from __future__ import annotations

import bisect
import heapq
from collections import deque, namedtuple

import numpy as np

_rng = np.random.default_rng(3)
GRID = (_rng.random((14, 15)) < 0.3).astype(int)
COST = _rng.integers(1, 10, (9, 8)).astype(float)
K = _rng.integers(0, 8, 120)
X = _rng.random(90) * 5
MOVES = ((0, 1), (1, 0), (0, -1), (-1, 0))
PRICES = {0: 1.0, 1: 2.5, 2: 0.5, 3: 4.0}
Task = namedtuple("Task", "due number")


def breadth_first(grid, start, goal):
    h, w = grid.shape
    steps = np.full((h, w), -1)
    steps[start] = 0
    queue = deque([start])
    while queue:
        y, x = queue.popleft()
        if (y, x) == goal:
            return steps
        for dy, dx in MOVES:
            a, b = y + dy, x + dx
            if 0 <= a < h and 0 <= b < w and not grid[a, b] and steps[a, b] < 0:
                steps[a, b] = steps[y, x] + 1
                queue.append((a, b))
    return steps


def flood_fill(grid, y, x):
    grid = grid.copy()
    old = grid[y, x]
    stack = [(y, x)]
    while stack:
        y, x = stack.pop()
        if 0 <= y < grid.shape[0] and 0 <= x < grid.shape[1] and grid[y, x] == old:
            grid[y, x] = 7
            stack.extend([(y + 1, x), (y - 1, x), (y, x + 1), (y, x - 1)])
    return grid


def shortest(cost):
    h, w = cost.shape
    dist = np.full((h, w), np.inf)
    dist[0, 0] = cost[0, 0]
    heap = [(cost[0, 0], (0, 0))]
    while heap:
        d, (y, x) = heapq.heappop(heap)
        if d > dist[y, x]:
            continue
        for dy, dx in MOVES:
            a, b = y + dy, x + dx
            if 0 <= a < h and 0 <= b < w and d + cost[a, b] < dist[a, b]:
                dist[a, b] = d + cost[a, b]
                heapq.heappush(heap, (dist[a, b], (a, b)))
    return dist


def heap_sort(x):
    heap = []
    for v in x:
        heapq.heappush(heap, v)
    out = np.zeros(len(x))
    for i in range(len(x)):
        out[i] = heapq.heappop(heap)
    return out


def heaps_of_ties(k):
    heap = [(v, i) for i, v in enumerate(k)]
    heapq.heapify(heap)
    found = []
    while len(heap) > 3:
        v, i = heapq.heappop(heap)
        found.append(i)
        if v % 3 == 0:
            heapq.heappushpop(heap, (v + 1, i))
        elif v == 1:
            heapq.heapreplace(heap, (v + 5, -i))
    return found


def round_robin(k, turns):
    """Items go through a queue many more times than it has room for."""
    queue = deque()
    for v in k[:50]:
        queue.append((v, 1))
    total = 0
    for turn in range(turns[0]):
        v, many = queue.popleft()
        total = (total * 3 + v * many) % 10007
        queue.append((v, many + turn % 2))
    return total, len(queue)


def both_ends(k):
    d = deque()
    for v in k:
        if v % 4 == 0:
            d.append(v)
        elif v % 4 == 1:
            d.appendleft(v * 10)
        elif d and v % 4 == 2:
            d.popleft()
        elif d:
            d.pop()
    total = 0
    while d:
        total = total * 7 % 1009 + d.pop()
    return total


def window(x):
    recent = deque(maxlen=4)
    total = 0.0
    for v in x:
        if v > 1:
            recent.append(v)
        if len(recent) == 4 and recent[0] < recent[-1]:
            total += recent[1]
    return total, len(recent)


def window_leftwards(k):
    recent = deque([0, 0], maxlen=3)
    for v in k:
        if v != 3:
            recent.appendleft(v)
    return recent[0], recent[1], recent[2]


def pairs_found(x):
    found = []
    for i in range(len(x)):
        for j in range(i):
            if x[i] - x[j] > 4.6:
                found.append((i, j, (x[i], True)))
    return found


def tasks(k):
    found = [Task(0, 0)]
    for i, v in enumerate(k):
        if v > found[-1].due:
            found.append(Task(v, i))
        elif v == 0 and len(found) > 2:
            found[-1] = Task(found[-2].due, -i)
    return found


def loses_too_much(k):
    queue = deque([(1, 2)])
    total = 0
    for v in k:
        if v > 2:
            total += queue.popleft()[0]
        elif v == 1:
            queue.append((v, v))
    return total


def walk(k):
    directions = ((1, 0), (0, 1), (-1, 0), (0, -1))
    d = x = y = 0
    for v in k:
        d = (d + v) % 4
        x, y = x + directions[d][0], y + directions[d - 4][1]
    return x, y


def beyond(k):
    table = (1.5, 2.5, 3.5)
    total = 0.0
    for v in k:
        total += table[v]
    return total


def from_the_end(k):
    table, total = [(1, 2.0), (3, 4.0), (5, 6.0)], 0.0
    for v in k:
        n, f = table[-(v % 3) - 1]
        total += n * f
    return total


def price(k):
    total = 0.0
    for v in k:
        total += PRICES[v % 4]
    return total


def no_such_key(k):
    total = 0.0
    for v in k:
        total += PRICES[v]
    return total


def sparse_keys(k):
    names = {(0, 0): 5, (1, 0): 7, (1, 1): -2, (0, 1): 0}
    total = 0
    for i in range(1, len(k)):
        total = total * 2 % 97 + names[k[i] % 2, int(k[i - 1] > 3)]
    return total


def chosen_arrays(k):
    arrays = (np.arange(3.0), np.ones(3), np.array([5.0, 1, 2]))
    total = np.zeros(3)
    for v in k:
        total += arrays[v % 3]
    return total


def written_through(k):
    arrays = (np.zeros(2), np.zeros(2))
    for v in k:
        arrays[v % 2][0] += v
    return arrays


def compared(k):
    best, count, same = (0, 0), 0, 0
    for i in range(len(k)):
        here = (k[i], -i)
        if here > best:
            best = here
        if (k[i], 1) <= (k[i - 1], 1, 0):
            count += 1
        if (k[i], k[i - 1]) != (k[i - 1], k[i]):
            same += 1
    return best, count, same


def compared_floats(x):
    count = 0
    for i in range(1, len(x)):
        v = np.nan if x[i] < 0.5 else x[i]
        count += (v, 1) < (x[i - 1], 0)
        count += 3 * ((v, i) == (v, i))
        count += 5 * ((x[i], (1, v)) >= (x[i], (1, 2.0)))
    return count


def increasing(k):
    tails = []
    for v in k:
        place = bisect.bisect_left(tails, v)
        if place == len(tails):
            tails.append(v)
        else:
            tails[place] = v
    return len(tails)


def grades(x):
    limits, total = [1.0, 2.0, 3.5], 0
    for v in x:
        total = total * 2 % 1013 + bisect.bisect(limits, v)
    return total


def filtered(k):
    return [v * 2 for v in k if v % 3 == 0]


def filtered_few(k):
    return [int(v) * 2 for v in k[:20] if v % 3 == 0 if v > 5], [v for v in k if v > 100]


def reductions_of_generators(k):
    x = k[:12] * 0.5
    total = sum(v for v in x if v > 1), any(v > 3 for v in k if v < 4), all(v > 3 for v in k if v > 2)
    return total, max(v for v in k if v < 6), min(int(v) for v in k), sum(int(v) for v in k if v > 100)


def reductions_in_loops(k):
    total, most = 0, 0
    for i in range(1, len(k)):
        total += sum(1 for j in range(i) if k[j] == k[i])
        most = max(most, max(k[j] - k[i] for j in range(i)))
        if any(k[j] > k[i] for j in range(i) if j % 2) and not all(k[j] < 7 for j in range(i)):
            total += 1000
    return total, most


def least_of_none(k):
    return min(v for v in k if v > 100)


def over_what_was_found(k):
    found = []
    for i, v in enumerate(k):
        if v > 4:
            found.append((v, i))
    total = 0
    for v, i in found:
        if v == 7:
            continue
        if total > 10**6:
            break
        total = total * 3 % 1009 + v * i
    else:
        total += 1
    return total


def folds_of_what_was_found(k):
    found = []
    for v in k:
        if v > 4:
            found.append(v)
    return sum(found), max(found), min(found), 6 in found, 3 in found, any(found), all(found)


def a_queue_of_a_generator(k):
    queue = deque(i for i in range(len(k)) if k[i] > 5)
    total = 0
    while queue:
        total = total * 7 % 1013 + queue.popleft()
    return total


def grows_meanwhile(k):
    found = []
    for v in k:
        if v > 5:
            found.append(v)
    for v in found:
        if len(found) < 200:
            found.append(v + 1)
    return found


def drawn_while_filtered(k, seed):
    rng = np.random.default_rng(seed)
    return [int(v) for v in k[:15] if rng.random() < v / 8], rng.random()


def generators_taken(k):
    first = next(i for i in range(3) if "abc"[i] == "b")
    beyond = next(i for i in range(len(k)) if k[i] > 5)
    return first, int(beyond), len(tuple(v for v in k if v > 5)), sorted(v for v in [3, 1, 2] if v != 2)


def best_by_options(k):
    best = [0] + [1000] * 60
    for t in range(1, 61):
        options = [best[t - c] + 1 for c in k[:9] if 0 < c <= t]
        if options:
            best[t] = min(options)
    return best[60]


KEPT = [
    (filtered, (K,)),
    (filtered_few, (K,)),
    (reductions_of_generators, (K,)),
    (reductions_in_loops, (K,)),
    (least_of_none, (K,)),
    (over_what_was_found, (K,)),
    (folds_of_what_was_found, (K,)),
    (a_queue_of_a_generator, (K,)),
    (best_by_options, (K,)),
    (breadth_first, (GRID, (0, 0), (13, 14))),
    (flood_fill, (GRID, 3, 3)),
    (shortest, (COST,)),
    (heap_sort, (X,)),
    (round_robin, (K, np.array([20000]))),
    (both_ends, (K,)),
    (window, (X,)),
    (window_leftwards, (K,)),
    (pairs_found, (X,)),
    (loses_too_much, (K,)),
    (walk, (K,)),
    (beyond, (K % 3,)),
    (beyond, (K,)),
    (from_the_end, (K,)),
    (price, (K,)),
    (no_such_key, (K,)),
    (sparse_keys, (K,)),
    (chosen_arrays, (K,)),
    (compared, (K,)),
    (compared_floats, (X,)),
    (increasing, (K,)),
    (grades, (X,)),
]
OTHERS = [
    (generators_taken, (K,)),
    (grows_meanwhile, (K,)),
    (drawn_while_filtered, (K, 5)),
    (heaps_of_ties, (K,)),
    (tasks, (K,)),
    (written_through, (K,)),
]
