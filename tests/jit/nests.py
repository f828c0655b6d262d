"""Programs whose loops are nests, over scalars, elements, short rows. Outside of a trace they are Python."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import jitframe as jf

Arguments = Callable[[Any], Sequence[Any]]
"""From a dtype to what a program is called with."""


def cholesky(a):
    def column(j, m):
        m[j, j] = np.sqrt(jf.fori_loop(0, j, lambda k, s: s - m[j, k] * m[j, k], m[j, j]))

        def row(i, m):
            m[i, j] = jf.fori_loop(0, j, lambda k, s: s - m[i, k] * m[j, k], m[i, j]) / m[j, j]
            return m

        return jf.fori_loop(j + 1, a.shape[0], row, m)

    return jf.fori_loop(0, a.shape[0], column, a)


def eliminate(a):
    def pivot(k, m):
        def row(i, m):
            m[i, k] = m[i, k] / m[k, k]

            def column(j, m):
                m[i, j] = m[i, j] - m[i, k] * m[k, j]
                return m

            return jf.fori_loop(k + 1, a.shape[0], column, m)

        return jf.fori_loop(k + 1, a.shape[0], row, m)

    return jf.fori_loop(0, a.shape[0], pivot, a)


def eliminate_rows(a):
    def pivot(k, m):
        def row(i, m):
            m[i, :] -= m[i, k] / m[k, k] * m[k, :]
            return m

        return jf.fori_loop(k + 1, a.shape[0], row, m)

    return jf.fori_loop(0, a.shape[0], pivot, a)


def shortest_paths(d):
    n = d.shape[0]

    def by_way_of(k, d):
        def start(i, d):
            def end(j, d):
                d[i, j] = np.minimum(d[i, j], d[i, k] + d[k, j])
                return d

            return jf.fori_loop(0, n, end, d)

        return jf.fori_loop(0, n, start, d)

    return jf.fori_loop(0, n, by_way_of, d)


def gauss_seidel(u, f, sweeps):
    def sweep(_, u):
        def row(i, u):
            def column(j, u):
                u[i, j] = (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1] - f[i, j]) / 4
                return u

            return jf.fori_loop(1, u.shape[1] - 1, column, u)

        return jf.fori_loop(1, u.shape[0] - 1, row, u)

    return jf.fori_loop(0, sweeps, sweep, u)


def edit_distance(a, b):
    """With two rows that change places."""
    m = b.shape[0]

    def row(i, rows):
        before, now = rows
        now[0] = i + 1

        def column(j, now):
            changed = before[j] + np.where(a[i] == b[j], 0, 1)
            now[j + 1] = np.minimum(np.minimum(before[j + 1] + 1, now[j] + 1), changed)
            return now

        return jf.fori_loop(0, m, column, now), before

    return jf.fori_loop(0, a.shape[0], row, (np.arange(m + 1), np.zeros(m + 1, np.int64)))[0]


def sparse_times_vector(starts, columns, values, x):
    def row(i, y):
        y[i] = jf.fori_loop(starts[i], starts[i + 1], lambda k, s: s + values[k] * x[columns[k]], y[i])
        return y

    return jf.fori_loop(0, starts.shape[0] - 1, row, np.zeros(starts.shape[0] - 1, x.dtype))


def recursive_filter(x):
    def step(i, carried):
        y, last, before = carried
        now = x[i] - last / 2 + before / 4
        y[i] = now
        return y, now, last

    return jf.fori_loop(0, x.shape[0], step, (np.zeros_like(x), x[0] * 0, x[0] * 0))


def checksum(data, table):
    start = np.uint32(0xFFFFFFFF)
    return (
        jf.fori_loop(0, data.shape[0], lambda i, c: table[(c ^ data[i]) & 0xFF] ^ (c >> np.uint32(8)), start)
        ^ start
    )


def bisection(target):
    def halve(bounds):
        low, high, steps = bounds
        middle = (low + high) / 2
        above = middle * middle > target
        return np.where(above, low, middle), np.where(above, middle, high), steps + 1

    return jf.while_loop(lambda b: (b[1] - b[0] > 1e-3) & (b[2] < 60), halve, (0.0, 10.0, 0))


def collatz(n):
    def length(i, longest):
        def step(state):
            value, count = state
            value = jf.cond(value % 2 == 0, lambda v: v // 2, lambda v: 3 * v + 1, value)
            return value, count + 1

        _, count = jf.while_loop(lambda s: s[0] > 1, step, (i + 1, 0))
        return np.maximum(longest, count)

    return jf.fori_loop(0, n, length, 0)


def insertion_sort(x):
    def insert(i, x):
        value = x[i]

        def move(state):
            x, j = state
            x[j] = x[j - 1]
            return x, j - 1

        x, j = jf.while_loop(lambda s: (s[1] > 0) & (s[0][np.maximum(s[1] - 1, 0)] > value), move, (x, i))
        x[j] = value
        return x

    return jf.fori_loop(1, x.shape[0], insert, x)


def reverse_by_swaps(x):
    def swap(i, x):
        j = x.shape[0] - 1 - i
        first, last = x[i], x[j]
        x[i] = last
        x[j] = first
        return x

    return jf.fori_loop(0, x.shape[0] // 2, swap, x)


def clamp_where(x):
    """An array that is written in one arm only, and one that both arms make anew."""

    def step(i, state):
        x, pair = state

        def high(x, pair):
            x[i] = 1
            return x, pair * 2

        return jf.cond(x[i] > 1, high, lambda x, pair: (x, pair + x[i]), x, pair)

    return jf.fori_loop(0, x.shape[0], step, (x, x[:2] * 0))


def old_and_new(x):
    """The version before is still read after an element of it was written."""

    def step(i, x):
        new = x.copy()
        new[i] = x[i] * 2
        new[0] = new[0] + x[new[0].astype(np.int64) * 0 + i]
        return new

    return jf.fori_loop(0, x.shape[0], step, x)


def both_versions(x):
    def step(i, pair):
        new, _ = pair
        old = new.copy()
        new[i] = new[i - 1] + 1
        return new, old

    return jf.fori_loop(0, x.shape[0], step, (x, x))


def shifted_rows(a):
    """A row written from one that overlaps it, and rows that change places."""

    def step(i, a):
        a[i, 1:] = a[i, :-1] + 1
        first, last = a[i].copy(), a[-1 - i].copy()
        a[i] = last
        a[-1 - i] = first * 2
        return a

    return jf.fori_loop(0, a.shape[0] // 2, step, a)


def row_sums(a):
    def step(i, state):
        sums, best = state
        sums[i] = a[i].sum() + sums[i - 1]
        return sums, np.maximum(best, a[:, i].max())

    return jf.fori_loop(0, a.shape[0], step, (a[0] * 0, a[0, 0]))


def fill_scratch(x):
    """An array of the body's own, that a loop inside writes."""

    def step(i, x):
        part = np.zeros(4, x.dtype)

        def fill(k, part):
            part[k] = x[i] + k
            return part

        part = jf.fori_loop(0, 4, fill, part)
        x[i] = part[3] - part[0]
        return x

    return jf.fori_loop(0, x.shape[0], step, x)


def around(x):
    """Values that change places."""
    return jf.fori_loop(0, 5, lambda i, s: (s[1], s[2], s[0][::-1] + i), (x, x * 2, x * 3))


def kalman(z):
    f = np.array([[1, 1], [0, 1]], z.dtype)

    def step(i, state):
        x, p, seen = state
        x, p = f @ x, f @ p @ f.T + np.eye(2, dtype=z.dtype) / 8
        gain = p[:, 0] / (p[0, 0] + 1)
        x = x + gain * (z[i] - x[0])
        p = p - gain[:, None] * p[0][None, :]
        seen[i] = x[0]
        return x, p, seen

    return jf.fori_loop(0, z.shape[0], step, (np.zeros(2, z.dtype), np.eye(2, dtype=z.dtype), z * 0))


def histogram(x):
    """Elements combined with what is there."""

    def step(i, h):
        h[x[i]] += 1
        return h

    return jf.fori_loop(0, x.shape[0], step, np.zeros(5, np.int64))


def sieve(n):
    def look(i, prime):
        def strike(p):
            return jf.while_loop(
                lambda s: s[1] < 50, lambda s: (_set(s[0], s[1], False), s[1] + i), (p, i * i)
            )[0]

        return jf.cond(prime[i], strike, lambda p: p, prime)

    return jf.fori_loop(2, n, look, np.ones(50, bool))


def _set(x, i, value):
    x[i] = value
    return x


def _matrix(dtype, n=7, m=7):
    return ((np.arange(n * m) * 7 % 11 + 1).reshape(n, m) + 20 * np.eye(n, m)).astype(dtype)


def _vector(dtype, n=9):
    return (np.arange(n) * 5 % 7 + 1).astype(dtype)


SPARSE = (np.array([0, 2, 2, 5]), np.array([0, 3, 1, 2, 3]))

NESTS: dict[str, tuple[Callable[..., Any], Arguments]] = {
    "cholesky": (cholesky, lambda t: (_matrix(t) @ _matrix(t).T,)),
    "eliminate": (eliminate, lambda t: (_matrix(t),)),
    "eliminate rows": (eliminate_rows, lambda t: (_matrix(t, 6, 9),)),
    "shortest paths": (shortest_paths, lambda t: (_matrix(t),)),
    "gauss seidel": (gauss_seidel, lambda t: (_matrix(t, 6, 8), _matrix(t, 6, 8), 3)),
    "sparse times vector": (sparse_times_vector, lambda t: (*SPARSE, _vector(t, 5), _vector(t, 4))),
    "recursive filter": (recursive_filter, lambda t: (_vector(t),)),
    "insertion sort": (insertion_sort, lambda t: (_vector(t),)),
    "reverse by swaps": (reverse_by_swaps, lambda t: (_vector(t),)),
    "clamp where": (clamp_where, lambda t: (_vector(t),)),
    "old and new": (old_and_new, lambda t: (_vector(t),)),
    "both versions": (both_versions, lambda t: (_vector(t),)),
    "shifted rows": (shifted_rows, lambda t: (_matrix(t, 5, 6),)),
    "row sums": (row_sums, lambda t: (_matrix(t),)),
    "fill scratch": (fill_scratch, lambda t: (_vector(t),)),
    "around": (around, lambda t: (_vector(t),)),
    "kalman": (kalman, lambda t: (_vector(t),)),
}
"""Nests over arrays of any dtype of floats."""

INTEGERS: dict[str, tuple[Callable[..., Any], Sequence[Any]]] = {
    "edit distance": (edit_distance, (np.array([1, 2, 3, 2, 5]), np.array([2, 3, 3, 1, 2, 5, 5]))),
    "checksum": (
        checksum,
        (np.arange(20, dtype=np.uint32) * 13, np.arange(256, dtype=np.uint32) * 2654435761),
    ),
    "bisection": (bisection, (2.0,)),
    "collatz": (collatz, (30,)),
    "histogram": (histogram, (np.array([1, 4, -1, 0, 1, -5]),)),
    "sieve": (sieve, (8,)),
}
"""Those of dtypes of their own."""
