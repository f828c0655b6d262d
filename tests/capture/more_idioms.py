"""More idioms, of Python's builtins, containers, classes and functions: the second half of `IDIOMS`."""

# ruff: noqa: C417
from __future__ import annotations

import functools
import operator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from tests.capture.array_idioms import (
    a_context,
    a_path,
    a_set,
    a_stack,
    bits,
    chosen,
    complex_steps,
    convergence,
    counted_slices,
    counts_by_key,
    default_of_none,
    dict_of_counts,
    dict_of_lists,
    flag,
    growing_slices,
    lambda_in_a_loop,
    made_by_their_class,
    masked,
    nested_function,
    nested_loops_with_breaks,
    no_turn,
    one_turn,
    places_seen,
    positions,
    power_of_a_counter,
    printed,
    recursive,
    recursive_by_values,
    results_by_name,
    ring_buffer,
    row_of_a_matrix,
    slices_of_a_position,
    swapped,
    text_that_decides,
    triangle,
    two_at_once,
    views,
    warm_up,
)

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
    (counts_by_key, (N,)),
    (places_seen, (N,)),
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
    (counted_slices, (X,)),
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
    (made_by_their_class, (X,)),
    (growing_slices, (M,)),
]
