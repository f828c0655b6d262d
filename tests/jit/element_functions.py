"""Functions of scalars with loops and conditions: name -> (function, arguments of a floating dtype)."""

from __future__ import annotations

import math

import numpy as np


def escape_time(x, y):
    re = im = 0.0
    for n in range(60):
        if re * re + im * im > 4.0:
            return n
        re, im = re * re - im * im + x, 2 * re * im + y
    return 60


def square_root(a):
    x = a if a > 1 else a * 0 + 1
    while abs(x * x - a) > 1e-5 * a:
        x = 0.5 * (x + a / x)
    return x


def greatest_divisor(a, b):
    while b:
        a, b = b, a % b
    return a


def collatz(n):
    steps = 0
    while n != 1:
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        steps += 1
    return steps


def checksum(byte):
    code = byte ^ 0xFFFF
    for _ in range(8):
        if code & 1:
            code = (code >> 1) ^ 0x8408
        else:
            code = code >> 1
    return code ^ 0xFFFF


def sine(x):
    term = total = x
    k = 1
    while abs(term) > 1e-7 * abs(total):
        term = -term * x * x / ((2 * k) * (2 * k + 1))
        total += term
        k += 1
    return total


def apart(x, y):
    if x > y:
        return x - y, x
    return y - x, y


def _power_sum(x, count):
    total = 0.0
    for k in range(1, count):
        if k == 4:
            continue
        total += x**k / k
    return total


def many_ways(x):
    if x < -1:
        return np.exp(x)
    if x < 0.5:
        return _power_sum(x, 6)
    for k in range(100):
        if x * k > 7:
            break
    else:
        k = -1
    return k + np.sqrt(x)


def nested(x, n):
    total = x * 0
    for i in range(n):
        j = 0
        while j < i and total < 50:
            total += x * j
            j += 1
        if total > 40:
            return total
    return total


def bisection(c):
    low, high = c * 0, c * 0 + 4
    while high - low > 1e-4:
        middle = (low + high) / 2
        if middle * middle * middle > c:
            high = middle
        else:
            low = middle
    return low


def logical(a, b):
    return a and not b


def _numbers(dtype, *shape):
    return np.random.default_rng(3).normal(size=shape).astype(dtype)


def _integers(low, high, *shape, dtype=np.int32):
    return np.random.default_rng(4).integers(low, high, shape, dtype)


FUNCTIONS = {
    "escape_time": (escape_time, lambda t: (np.linspace(-2, 1, 33, dtype=t), _numbers(t, 9, 1))),
    "square_root": (square_root, lambda t: (np.linspace(0.3, 90, 41, dtype=t)[::-2],)),
    "greatest_divisor": (greatest_divisor, lambda t: (_integers(0, 999, 37), _integers(1, 999, 3, 1))),
    "collatz": (collatz, lambda t: (np.arange(1, 90, dtype=np.int32),)),
    "checksum": (checksum, lambda t: (np.arange(256, dtype=np.int32),)),
    "sine": (sine, lambda t: (_numbers(t, 50),)),
    "apart": (apart, lambda t: (_numbers(t, 9), _numbers(t, 4, 1))),
    "many_ways": (many_ways, lambda t: (3 * _numbers(t, 70),)),
    "nested": (nested, lambda t: (_numbers(t, 5, 7), _integers(0, 12, 7))),
    "bisection": (bisection, lambda t: (np.linspace(0.1, 50, 20, dtype=t),)),
    "logical": (logical, lambda t: (_numbers(t, 8) > 0, _numbers(t, 3, 1) > 0)),
}


def iterated(z, c):
    n = 0
    while abs(z) <= 2 and n < 50:
        z = z * z + c
        n += 1
    return n, z


def payments(rate, years):
    """An exception that depends on values."""
    if rate < 0:
        raise ValueError("a negative rate")
    total = 0.0
    for year in range(years):
        total += math.exp(-rate * year)
    return total


def option_price(spot, strike):
    """A binomial tree of 20 steps: an array for each element."""
    steps = 20
    values = np.zeros(steps + 1, np.float32)
    for j in range(steps + 1):
        gain = spot * 1.05 ** (2 * j - steps) - strike
        values[j] = gain if gain > 0 else 0
    for step in range(steps, 0, -1):
        for j in range(step):
            values[j] = 0.99 * (0.48 * values[j + 1] + 0.52 * values[j])
    return values[0]


TABLE = np.array([5.0, 6.0, 7.0], np.float32)


def looked_up(i):
    return TABLE[i] * 2


def correlation(x, y):
    x, y = x - x.mean(), y - y.mean()
    return (x * y).sum() / np.sqrt((x * x).sum() * (y * y).sum())


def smoothed(x, weight):
    out = np.zeros_like(x)
    state = x[0]
    for i in range(len(x)):
        state = weight * x[i] + (1 - weight) * state
        out[i] = state
    return out


def first_above(x, least):
    for i in range(len(x)):
        if x[i] > least:
            return i, x[i]
    return -1, x[0] * 0


def product(a, b):
    return a @ b


ON_STACKS = {
    "option_price": (option_price, None, lambda t: (90 + 10 * _numbers(t, 3, 5), t(100))),
    "looked_up": (looked_up, None, lambda t: (np.array([[2, 0], [1, 1]], np.int32),)),
    "correlation": (correlation, "(n),(n)->()", lambda t: (_numbers(t, 4, 1, 9), _numbers(t, 3, 9)[::-1])),
    "smoothed": (smoothed, "(n),()->(n)", lambda t: (_numbers(t, 6, 70), np.array([[0.5], [0.25]], t))),
    "first_above": (first_above, "(n),()->(),()", lambda t: (_numbers(t, 60, 9), t(1))),
    "product": (product, "(m,n),(n)->(m)", lambda t: (_numbers(t, 5, 2, 3), _numbers(t, 3))),
}
"""Functions of arrays, and with arrays in them: function, signature, arguments."""
