"""Control flow as it is written; `IDIOMS` has arguments for each: the table of docs/control_flow.md."""

from __future__ import annotations

import numpy as np


def two_ways(x):
    if x[0] > 2:
        y = x[1] * 2
    else:
        y = x[2]
    return y


def one_way(x):
    if x.sum() > 2:
        x = x * 2
    return x


def early_returns(x):
    if x[0] > 9:
        return x + 1
    if x[1] > 9:
        return x - 1
    return x


def expression(x):
    return x[0] if x[0] > x[1] else -x[1]


def connectives(x):
    return (x[0] > 2 and x[1] < 2) or not x[2] > 4


def chained(x):
    return 0 < x[0] <= x[2] < 5


def membership(x):
    return x[0] in (1, 2, 3)


def asserted(x):
    assert x[0] > 0, "positive"
    return x


def raised(x):
    if x.max() > 100:
        raise ValueError("too large")
    return x


def by_a_float(x, t):
    return x * 2 if t > 0.5 else x


def by_an_integer(x, n):
    return x * 2 if n > 3 else x


def short_loop(x):
    for _ in range(3):
        x = x * 0.5 + 1
    return x


def long_loop(x):
    for _ in range(5000):
        x = x * 0.5 + 1
    return x


def bound_of_an_array(x, n):
    for i in range(int(n)):
        x[i] = x[i] + i
    return x


def rows(x):
    total = 0
    for v in x:
        total += v
    return total


def numbered(x):
    total = 0.0
    for i, v in enumerate(x):
        total += i * v
    return total


def pairs(x, y):
    total = 0.0
    for a, b in zip(x, y):
        total += a * b
    return total


def backwards(x):
    total = 0.0
    for v in reversed(x):
        total = total * 0.5 + v
    return total


def recurrence(x):
    for i in range(len(x) - 2, -1, -1):
        x[i] += 0.5 * x[i + 1]
    return x


def elements(m):
    for i in range(3):
        for j in range(4):
            if m[i, j] > 5:
                m[i, j] = 0
    return m


def until(x):
    while x[0] < 100:
        x = x * 2
    return x


def endless(x):
    n = 0
    while True:
        n += 1
        if n * x[0] > 20:
            break
    return n


def search(x):
    for i in range(len(x)):
        if x[i] > 3.5:
            return i
    return -1


def otherwise(x):
    for v in x:
        if v > 100:
            break
    else:
        return 0
    return 1


def skipping(x):
    total = 0.0
    for v in x:
        if v < 2:
            continue
        total += v
    return total


def comprehension(x):
    return np.array([v * 2 if v > 2 else v for v in x])


def quantifiers(x):
    return any(v > 4 for v in x), all(v > 4 for v in x), sum(x), max(x), min(x)


def growing(x):
    out = []
    for v in x:
        out.append(v * 2)
    return np.array(out)


def item_of_a_list(x):
    point = [0.0, 1.0]
    for v in x:
        if v > 2:
            point[0] += v
    return point[0]


def two_buffers(u):
    v = u.copy()
    for _ in range(1000):
        v[1:-1] = 0.5 * (u[2:] + u[:-2])
        u, v = v, u
    return u


def none_or_value(x):
    if x[0] > 2:
        return x
    return None


def two_shapes(x):
    if x[0] > 2:
        return x
    return x[:2]


def filtered(x):
    out = []
    for v in x:
        if v > 2:
            out.append(v)
    return np.array(out)


def one_way_name(x):
    if x[0] > 2:
        y = 1
    return y


def maybe_the_same(x):
    y = x
    if x[0] > 2:
        y = x * 2
    y[0] = 1
    return y


def caught(x):
    try:
        if x[0] > 2:
            raise ValueError("large")
    except ValueError:
        x = -x
    return x


def shrinking(x):
    while x[0] > 2:
        x = x[1:]
    return x


X = np.array([3.0, 1.0, 4.0, 1.5, 9.0, 2.0])
LONG = np.linspace(-1, 1, 3000)
M = np.arange(12.0).reshape(3, 4)
N = np.array(4)

IDIOMS = [
    (two_ways, (X,)),
    (one_way, (X,)),
    (early_returns, (X,)),
    (expression, (X,)),
    (connectives, (X,)),
    (chained, (X,)),
    (membership, (X,)),
    (asserted, (X,)),
    (raised, (X,)),
    (
        by_a_float,
        (
            X,
            0.25,
        ),
    ),
    (
        by_an_integer,
        (
            X,
            4,
        ),
    ),
    (short_loop, (X,)),
    (long_loop, (X,)),
    (
        bound_of_an_array,
        (
            X,
            N,
        ),
    ),
    (rows, (LONG,)),
    (numbered, (LONG,)),
    (
        pairs,
        (
            LONG,
            LONG,
        ),
    ),
    (backwards, (LONG,)),
    (recurrence, (LONG,)),
    (elements, (M,)),
    (until, (X,)),
    (endless, (X,)),
    (search, (X,)),
    (otherwise, (X,)),
    (skipping, (X,)),
    (comprehension, (X,)),
    (quantifiers, (X,)),
    (growing, (X,)),
    (item_of_a_list, (X,)),
    (two_buffers, (X,)),
    (none_or_value, (X,)),
    (two_shapes, (X,)),
    (filtered, (X,)),
    (one_way_name, (X,)),
    (maybe_the_same, (X,)),
    (caught, (X,)),
    (shrinking, (X,)),
]
