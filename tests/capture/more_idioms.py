"""More idioms, of Python's builtins, containers, classes and functions: the second half of `IDIOMS`."""

# ruff: noqa: B007, C417
from __future__ import annotations

import functools
import operator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

X = np.array([3.0, 1.0, 4.0, 1.5, 9.0])
M = np.arange(12.0).reshape(3, 4)
N = np.array([4, 2])


def matched(n):
    match n[0]:
        case 1:
            return n * 10
        case 2 | 4:
            return n * 20
        case k if k > 10:
            return -n
        case _:
            return n


def caught_by_type(x):
    try:
        if x[0] < 0:
            raise ValueError("negative")
        y = np.sqrt(x)
    except (KeyError, ValueError):
        y = x * 0
    else:
        y = y + 1
    finally:
        x[1] = 7
    return y


def traced_step(x, n):
    total = 0.0
    for i in range(0, n[0], n[1]):
        total += x[i]
    return total


def several_breaks(x):
    i = 0
    while True:
        i += 1
        if i > 100:
            break
        if x[0] * i > 50:
            break
        x = x + 0.5
    return i, x


def divided(x):
    q, r = divmod(x[0] * 10, 3)
    return q, r, pow(x[1], 2), abs(-x[2]), round(x[3])


def converted(x):
    return int(x[0]), float(x[1]), bool(x[2] > 0)


def in_order(x):
    return sorted(x), sorted(x, reverse=True)


def sorted_by_a_key(x):
    return sorted(range(len(x)), key=lambda i: x[i])


def greatest_by_a_key(x):
    return max(x, key=lambda v: (v - 2) ** 2)


def sums_of_products(x, y):
    return sum(a * b for a, b in zip(x, y, strict=True))


def nonlocal_count(x):
    count = 0

    def note(v):
        nonlocal count
        if v > 2:
            count += 1

    for v in x:
        note(v)
    return count


def tuple_of_arrays(x, y):
    total = 0.0
    for each in (x, y):
        total += each.sum()
    return total


class Counter:
    def __init__(self, start):
        self.total = start

    def __call__(self, v):
        if v > 1.2:
            self.total += v
        return self.total


def called_objects(x):
    counter = Counter(0.5)
    return np.array([counter(v) for v in x])


@dataclass
class Body:
    place: np.ndarray
    speed: float

    def moved(self, dt):
        return Body(self.place + self.speed * dt, self.speed * 0.5)


def dataclasses_in_a_loop(x):
    body = Body(x, 1.0)
    for _ in range(100):
        body = body.moved(0.1)
    return body.place


class Pair(NamedTuple):
    low: float
    high: float


def named_tuples(x):
    pair = Pair(x[0], x[0])
    for v in x:
        pair = Pair(min(pair.low, v), max(pair.high, v))
    return pair.high - pair.low


def neighbours(x):
    for i in range(len(x) - 1):
        yield x[i], x[i + 1]


def generators(x):
    return sum(b - a for a, b in neighbours(x))


def formatted(x):
    return f"{x.shape} {x[0]:.2f}"


def looked_at(x):
    if not isinstance(x, np.ndarray) or np.isscalar(x) or not hasattr(x, "__len__"):
        raise TypeError("no array")
    assert isinstance(x, np.ndarray)
    return x * 2 if x.dtype == np.float64 and x.dtype.kind == "f" else x


def weighted(*arrays, weight=1.0, **more):
    return sum(each * weight for each in arrays) + more.get("offset", 0)


def star_arguments(x, y):
    return weighted(x, y, weight=2.0, offset=1) + weighted(*[x, y])


def keyword_only(x, *, scale=2.0):
    return x * scale


@functools.lru_cache(None)
def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


def cached(x):
    return x * fibonacci(20)


def twice(function):
    @functools.wraps(function)
    def inner(x):
        return function(function(x))

    return inner


@twice
def decorated(x):
    return x * 2 if x[0] > 1 else x


def partial_functions(x):
    return functools.partial(np.clip, a_min=2, a_max=4)(x)


def walrus(x):
    total, i = 0.0, 0
    while i < 4 and (v := x[i]) < 5:
        total += v
        i += 1
    return total


def mapped(x):
    return list(map(lambda v: v * 2, x))


def filtered_by_a_function(x):
    return list(filter(lambda v: v > 2, x))


def reduced(x):
    return functools.reduce(operator.mul, x, 1.0)


def by_position(m):
    out = np.zeros(m.shape)
    for i, j in np.ndindex(m.shape):
        out[i, j] = m[i, j] * (i - j)
    return out


def enumerated(m):
    total = 0.0
    for (i, _), v in np.ndenumerate(m):
        total += v * i
    return total


def iterated(m):
    total = 0.0
    for v in np.nditer(m):
        total += v * v
    return total


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


MORE = [
    (matched, (N,)),
    (caught_by_type, (X,)),
    (traced_step, (X, N)),
    (several_breaks, (X,)),
    (divided, (X,)),
    (converted, (X,)),
    (in_order, (X,)),
    (sorted_by_a_key, (X,)),
    (greatest_by_a_key, (X,)),
    (sums_of_products, (X, X)),
    (nonlocal_count, (X,)),
    (tuple_of_arrays, (X, X)),
    (called_objects, (X,)),
    (dataclasses_in_a_loop, (X,)),
    (named_tuples, (X,)),
    (generators, (X,)),
    (formatted, (X,)),
    (looked_at, (X,)),
    (star_arguments, (X, X)),
    (keyword_only, (X,)),
    (cached, (X,)),
    (decorated, (X,)),
    (partial_functions, (X,)),
    (walrus, (X,)),
    (mapped, (X,)),
    (filtered_by_a_function, (X,)),
    (reduced, (X,)),
    (by_position, (M,)),
    (enumerated, (M,)),
    (iterated, (M,)),
    (dict_of_counts, (X,)),
    (dict_of_lists, (X,)),
    (a_set, (N,)),
    (a_stack, (X,)),
    (a_path, (N,)),
    (printed, (X,)),
    (recursive, (X,)),
    (recursive_by_values, (X,)),
    (swapped, (X,)),
    (row_of_a_matrix, (M,)),
    (views, (M,)),
    (masked, (X,)),
    (positions, (X,)),
    (chosen, (X,)),
    (slices_of_a_position, (X,)),
    (triangle, (M,)),
    (nested_function, (X,)),
    (lambda_in_a_loop, (X,)),
    (default_of_none, (X,)),
    (warm_up, (X,)),
    (flag, (X,)),
    (convergence, (X,)),
    (a_context, (X,)),
    (text_that_decides, (X,)),
    (no_turn, (X, N)),
    (one_turn, (X, N)),
    (nested_loops_with_breaks, (M,)),
    (power_of_a_counter, (X,)),
    (complex_steps, (X,)),
    (bits, (N,)),
    (results_by_name, (X,)),
    (ring_buffer, (X,)),
    (two_at_once, (X,)),
]
