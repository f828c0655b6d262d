"""Programs whose loops append to lists, as users write them: `KEPT` become loops, `OTHERS` what they may."""

# ruff: noqa: RUF005, RUF007, SIM113

from __future__ import annotations

from typing import NamedTuple

import numpy as np

KEPT = []
OTHERS = []
N = 400
X = np.random.default_rng(3).normal(size=N)


def case(cases, *arguments):
    """Lists a function with its arguments."""

    def listed(function):
        cases.append((function, arguments))
        return function

    return listed


@case(KEPT, 0.01)
def lorenz(dt):
    x, y, z = 1.0, 1.0, 1.0
    out = []
    for _ in range(N):
        dx, dy, dz = 10 * (y - x), x * (28 - z) - y, x * y - 8 / 3 * z
        x, y, z = x + dx * dt, y + dy * dt, z + dz * dt
        out.append((x, y, z))
    return np.array(out)


@case(KEPT, X)
def running_max(x):
    out = []
    largest = x[0]
    for v in x:
        largest = max(largest, v)
        out.append(largest)
    return np.array(out)


@case(KEPT, np.array([1.0, 0.0]))
def euler(y):
    path = [y]
    for _ in range(N):
        y = y + 0.01 * np.array([y[1], -y[0]])
        path.append(y)
    return np.stack(path)


@case(KEPT, X)
def random_walk(steps):
    places = [0.0]
    for step in steps:
        places.append(places[-1] + step)
    return places


@case(KEPT, 300)
def collatz(n):
    lengths = []
    for start in range(1, n):
        k, steps = start, 0
        while k != 1:
            k = k // 2 if k % 2 == 0 else 3 * k + 1
            steps += 1
        lengths.append(steps)
    return max(lengths), np.array(lengths), sum(lengths)


@case(KEPT, np.array([3, 5]))
def recurrence(start):
    terms = [start[0], start[1]]
    for i in range(2, N):
        terms.append((terms[i - 1] + terms[i - 2] * 3) % 1009)
    return terms


@case(KEPT, X)
def lengths_in_the_loop(x):
    out = []
    for v in x:
        out.append(v * len(out))
    return out, len(out)


@case(KEPT, X)
def first_of_an_empty_list(x):
    out = []
    for v in x:
        before = out[-1] if out else 0.0
        out.append(before * 0.5 + v)
    return np.array(out)


@case(KEPT, X)
def by_the_counter(x):
    out = []
    for i in range(len(x)):
        if i > 0:
            out.append(out[i - 1] * 0.5 + x[i])
        else:
            out.append(x[0])
    return np.array(out)


OTHERS.append(
    KEPT.pop()
)  # one way of the branch appends, and so does the other: which item is which is not seen


@case(KEPT, X)
def two_lists(x):
    evens, odds = [], []
    for i in range(N):
        evens.append(x[i])
        odds.append(int(i))
    return np.array(evens), odds


@case(KEPT, X)
def several_in_a_turn(x):
    out = []
    for v in x:
        out.append(v)
        out.extend([v * 2, v * 3])
    return np.array(out), out[4], out[-1]


@case(OTHERS, X)
def unlike_items_in_a_turn(x):
    out = []
    for i in range(N):
        out.append(i)
        out.append(x[i])
    return out


@case(KEPT, X)
def rows_of_rows(x):
    table = []
    for i in range(30):
        row = []
        for j in range(20):
            row.append(x[i] * x[j])
        table.append(row)
    return np.array(table), table


@case(KEPT, X)
def flat_in_two_loops(x):
    out = []
    for i in range(30):
        for j in range(20):
            out.append(x[i] - x[j])
    return np.array(out)


@case(KEPT, X)
def comprehensions(x):
    squares = [v * v for v in x]
    return np.array([a + b for a, b in zip(squares, x)]), sum(v * 2 for v in x), max(abs(v) for v in x)


@case(KEPT, X)
def comprehension_in_a_loop(x):
    out = []
    for i in range(N - 3):
        out.append([x[i] * k for k in range(3)])
    return np.array(out)


@case(KEPT, X)
def comprehension_of_comprehensions(x):
    return np.array([[x[i] + x[j] for j in range(80)] for i in range(90)])


@case(KEPT, X)
def arrays_one_after_another(x):
    blocks = []
    for v in x:
        blocks.append(np.arange(3) * v)
    rows = np.vstack(blocks)
    return np.concatenate(blocks), rows, np.hstack(blocks), np.column_stack(blocks), np.stack(blocks, axis=1)


@case(KEPT, X)
def a_second_loop(x):
    out = []
    for v in x:
        out.append(v + 1)
    total = 0.0
    for i, v in enumerate(out):
        total += v * i
    for v in reversed(out):
        total = total * 0.5 + v
    for a, b in zip(out, out[1:]):
        total += a * b
    for v in x:
        out.append(v)
    return total, len(out), out[3], out[-2], np.array(out), np.mean(out), min(out), np.array(out[::7])


@case(KEPT, X)
def earlier_items_in_an_inner_loop(x):
    out = [1.0]
    for i in range(1, N):
        total = 0.0
        for j in range(i):
            total += out[j] * 0.01
        out.append(total * x[i])
    return np.array(out)


@case(KEPT, X)
def by_adding(x):
    out = [0]
    for v in x:
        out += [v, -v]
    return out


class Pair(NamedTuple):
    low: float
    high: float


@case(KEPT, X)
def named_pairs(x):
    found = []
    for v in x:
        found.append(Pair(v - 1, v * 2))
    return found


@case(KEPT, X)
def integers_and_bools(x):
    signs, counts, kinds = [], [], []
    count = 0
    for v in x:
        count += 1
        signs.append(v > 0)
        counts.append(count)
        kinds.append(np.float32(v))
    return signs, counts, np.array(kinds), all(signs), any(signs)


class History:
    def __init__(self):
        self.values = []

    def note(self, value):
        self.values.append(value)


@case(KEPT, X)
def list_of_an_object(x):
    history = History()
    for v in x:
        history.values.append(v * 2)
    return np.array(history.values)


@case(KEPT, X)
def written_to_afterwards(x):
    rows = []
    for v in x:
        rows.append(np.zeros(3) + v)
    rows[2][1] = 100.0
    rows[5] = rows[4] * 2
    rows.pop()
    return np.array(rows[:300]), rows[2]


@case(KEPT, X)
def state_and_copies(x):
    u, kept = np.zeros(4), []
    for v in x:
        u[1:] = u[:-1]
        u[0] = v
        kept.append(u.copy())
    u[0] = -1
    return np.array(kept), u


# What cannot be kept, or not so.


@case(OTHERS, X[:70])
def one_array_many_times(x):
    u, kept = np.zeros(4), []
    for v in x:
        u[1:] = u[:-1]
        u[0] = v
        kept.append(u)
    return np.array(kept)


@case(OTHERS, X[:70])
def written_to_in_the_next_turn(x):
    u, kept = np.zeros(4), []
    for v in x:
        u[0] += 1
        u = u + v
        kept.append(u)
    return np.array(kept)


@case(OTHERS, X[:70])
def written_to_after_the_loop(x):
    u, kept = np.zeros(4), []
    for v in x:
        u = u * 0.5 + v
        kept.append(u)
    u[0] = 100.0
    return np.array(kept), u


@case(OTHERS, X[:70])
def twice_the_same(x):
    first, second = [], []
    for v in x:
        made = np.zeros(2) + v
        first.append(made)
        second.append(made)
    first[3][0] = 7.0
    return np.array(first), np.array(second)


@case(OTHERS, X[:70])
def item_written_to_in_the_loop(x):
    rows = [np.zeros(2)]
    for v in x:
        rows[-1][0] += 1
        rows.append(rows[-1] + v)
    return np.array(rows)


@case(OTHERS, X[:70].reshape(35, 2))
def views_of_what_changes(x):
    rows = []
    for i in range(35):
        rows.append(x[i])
        x[i, 0] += 1
    x[3] = 9
    return np.array(rows)


@case(OTHERS, X[:70])
def the_same_list_twice(x):
    table, last = [], None
    for v in x:
        last = [v, v * 2]
        table.append(last)
    last.append(3.0)
    return table


@case(OTHERS, X[:70])
def filtered(x):
    out = []
    for v in x:
        if v > 0:
            out.append(v)
    return np.array(out)


@case(OTHERS, X[:70])
def a_stack(x):
    stack = []
    for v in x:
        while stack and stack[-1] > v:
            stack.pop()
        stack.append(v)
    return np.array(stack)


@case(OTHERS, X[:70])
def all_of_the_list(x):
    out = []
    for v in x:
        out.append(v + sum(out) * 0.001)
    return out


@case(OTHERS, X[:70])
def sorted_in_the_loop(x):
    out = []
    for v in x:
        out.append(v)
        out.sort()
    return out


@case(OTHERS, X[:70])
def two_shapes(x):
    out = []
    for i in range(70):
        out.append(x[:i])
    return np.concatenate(out)


@case(OTHERS, X[:70])
def two_kinds(x):
    out = []
    for i in range(70):
        out.append(x[i] if i % 2 else None)
    return [each is None for each in out]


@case(OTHERS, X[:70])
def a_new_list_in_each_turn(x):
    out = []
    for v in x:
        out = out + [v]
    return np.array(out)


@case(OTHERS, X[:70], 7)
def until_a_break(x, n):
    out = []
    for v in x:
        if v > 1.5:
            break
        out.append(v)
    return np.array(out), n


@case(OTHERS, X[:70])
def buckets(x):
    found = [[] for _ in range(3)]
    for i in range(70):
        found[i % 3].append(x[i])
    return found


@case(OTHERS, np.array([27]))
def path(n):
    k, found = n[0], [n[0]]
    while k != 1:
        k = k // 2 if k % 2 == 0 else 3 * k + 1
        found.append(k)
    return found
