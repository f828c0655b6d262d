"""Idioms of containers, arrays and loops: the last part of `IDIOMS`."""

# ruff: noqa: B007

from __future__ import annotations

import numpy as np


def dict_of_counts(x):
    counts = {"small": 0, "large": 0}
    for v in x:
        counts["large" if v > 2 else "small"] += 1
    return counts


def dict_of_lists(x):
    groups = {}
    for i, v in enumerate(x):
        groups.setdefault(v > 2, []).append(i)
    return [len(each) for each in groups.values()]


def a_set(n):
    found = set()
    for v in n:
        found.add(int(v))
    return sorted(found)


def a_stack(x):
    stack = []
    for v in x:
        while stack and stack[-1] > v:
            stack.pop()
        stack.append(v)
    return np.array(stack)


def a_path(n):
    k, path = n[0], [n[0]]
    while k != 1:
        k = k // 2 if k % 2 == 0 else 3 * k + 1
        path.append(k)
    return path


def printed(x):
    for v in x:
        if v > 8:
            print("large", v)
    return x


def recursive(x):
    if len(x) < 2:
        return x.sum()
    half = len(x) // 2
    return max(recursive(x[:half]), recursive(x[half:]))


def recursive_by_values(x):
    if x[0] < 1:
        return x
    return recursive_by_values(x / 2)


def swapped(x):
    for i in range(len(x) - 1):
        if x[i] > x[i + 1]:
            x[i], x[i + 1] = x[i + 1], x[i]
    return x


def row_of_a_matrix(m):
    for i in range(1, 3):
        if m[i, 0] > m[i - 1, 0]:
            m[i] -= m[i - 1]
    return m


def views(m):
    inner = m[1:-1, 1:-1]
    for _ in range(50):
        inner *= 0.5
        inner += 1
    return m


def masked(x):
    for _ in range(3):
        x[x > 2] *= 0.5
    return x


def positions(x):
    return np.flatnonzero(x > 2)


def chosen(x):
    return x[x > 2]


def slices_of_a_position(x):
    best = 0.0
    for i in range(3):
        best = max(best, x[i : i + 2].sum())
    return best


def triangle(m):
    for i in range(3):
        for j in range(i):
            m[i, j] = 0
    return m


def nested_function(x):
    def inner(v, limit=2):
        return v if v < limit else limit

    return np.array([inner(v) for v in x])


def lambda_in_a_loop(x):
    square = lambda v: v * v  # noqa: E731
    for _ in range(40):
        x = square(x) % 3
    return x


def default_of_none(x, w=None):
    if w is None:
        w = np.ones_like(x)
    return (x * w).sum()


def warm_up(x):
    first = True
    for v in x:
        if first:
            low, first = v, False
        low = min(low, v)
    return low


def flag(x):
    found = False
    for v in x:
        found = found or v > 8
    return found


def convergence(x):
    for turn in range(1000):
        new = 0.5 * (x + 2 / x)
        if np.abs(new - x).max() < 1e-10:
            break
        x = new
    return x, turn


def a_context(x):
    with np.errstate(divide="ignore"):
        return np.where(x > 2, 1 / x, 0)


def text_that_decides(x, mode="mean"):
    if mode == "mean":
        return x.mean()
    elif mode == "max":
        return x.max()
    raise ValueError(f"unknown mode {mode!r}")


def no_turn(x, n):
    last = np.float64(-1)
    for i in range(n[0] - 4):
        last = x[i]
    return last


def one_turn(x, n):
    for i in range(n[0] - 3):
        x = x * (i + 2)
    return x


def nested_loops_with_breaks(m):
    for i in range(3):
        for j in range(4):
            if m[i, j] > 6:
                break
        else:
            continue
        break
    return i, j


def power_of_a_counter(x):
    for j in range(1, 4):
        x = x / (4**j - 1)
    return x


def complex_steps(x):
    z = 0j
    turns = 0
    while abs(z) <= 2 and turns < 30:
        z = z * z + complex(x[1] / 4, 0.2)
        turns += 1
    return turns


def bits(n):
    crc = 0xFFFF
    for byte in n:
        crc ^= int(byte)
        for _ in range(8):
            crc = (crc >> 1) ^ 0xA001 if crc & 1 else crc >> 1
    return crc


def results_by_name(x):
    found = {}
    for name, function in (("mean", np.mean), ("largest", np.max)):
        found[name] = function(x)
    return found


def ring_buffer(x):
    buffer = np.zeros(3)
    for i, v in enumerate(x):
        buffer[i % 3] = v
    return buffer


def two_at_once(x):
    low, high = 0, len(x) - 1
    while low < high:
        x[low], x[high] = x[high], x[low]
        low, high = low + 1, high - 1
    return x


def made_by_their_class(x):
    out = np.ndarray(x.shape, dtype=x.dtype)
    for i in range(len(x)):
        out[i] = x[i] * 2 if issubclass(type(x), np.ndarray) and type(out) is np.ndarray else 0
    return out


def growing_slices(m):
    for k in range(2):
        p = k + np.argmax(np.abs(m[k:, k]))
        m[[k, p]] = m[[p, k]]
        m[k + 1 :, k] /= m[k, k]
        m[k + 1 :, k + 1 :] -= np.outer(m[k + 1 :, k], m[k, k + 1 :])
    return m


def counts_by_key(n):
    counts = {}
    for v in n:
        counts[int(v)] = counts.get(int(v), 0) + 1
    return counts


def places_seen(n):
    seen = {(0, 0)}
    y = x = 0
    for v in n:
        y, x = (y + int(v)) % 3, (x + y) % 2
        if (y, x) in seen:
            return y, x
        seen.add((y, x))
    return -1, -1


def counted_slices(x):
    k = int((x > 2).sum())
    ordered = np.sort(x)[::-1]
    return ordered[:k], ordered[k:].sum()
