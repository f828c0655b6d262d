"""The distributions of Python's `random` as traced code: the same numbers in the same order.

Each function is given the stream, whose methods return the next words, and the arguments of Python's method.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .distributions import exchanged

_KINDERMAN = 4 * math.exp(-0.5) / math.sqrt(2.0)


def uniform(stream: Any, a: Any, b: Any) -> Any:
    return a + (b - a) * stream.next_double()


def bit_length(count: Any) -> Any:
    bits = 0
    while (count >> bits) > 0:
        bits += 1
    return bits


def below(stream: Any, count: Any) -> Any:
    """Returns an integer from 0 to `count` - 1, by rejection of numbers with as many bits."""
    bits = stream.bit_length(count)
    number = _with_bits(stream, bits)
    while number >= count:
        number = _with_bits(stream, bits)
    return number


def _with_bits(stream: Any, bits: Any) -> Any:
    if bits <= 32:
        return int(stream.next_half() >> (32 - bits))
    low = stream.next_half()
    return int(low | (stream.next_half() >> (64 - bits)) << 32)


def randrange(stream: Any, start: Any, stop: Any, step: Any) -> Any:
    count = (stop - start + step - 1) // step if step > 0 else (stop - start + step + 1) // step
    if count <= 0:
        raise ValueError("empty range for randrange()")
    return start + step * below(stream, count)


def randint(stream: Any, a: Any, b: Any) -> Any:
    if b < a:
        raise ValueError("empty range for randint()")
    return a + below(stream, b - a + 1)


def gauss(stream: Any, mu: Any, sigma: Any) -> Any:
    """The normal distribution by Box and Muller (1958), which yields two numbers, of which one is kept."""
    left = stream.left
    if left[0] != 0.0:
        value = float(left[1])
        left[0] = 0.0
    else:
        turn = 2.0 * math.pi * stream.next_double()
        radius = math.sqrt(-2.0 * math.log(1.0 - stream.next_double()))
        value = math.cos(turn) * radius
        left[0] = 1.0
        left[1] = math.sin(turn) * radius
    return mu + value * sigma


def normalvariate(stream: Any, mu: Any, sigma: Any) -> Any:
    """A. J. Kinderman and J. F. Monahan, Computer Generation of Random Variables Using the Ratio of Uniform
    Deviates, ACM TOMS 3, 1977."""
    while True:
        first = stream.next_double()
        second = 1.0 - stream.next_double()
        value = _KINDERMAN * (first - 0.5) / second
        if value * value / 4.0 <= -math.log(second):
            break
    return mu + value * sigma


def expovariate(stream: Any, lambd: Any) -> Any:
    return -math.log(1.0 - stream.next_double()) / lambd


def _up_to(stream: Any, most: Any) -> Any:
    return below(stream, most + 1)


def order(stream: Any, extent: int) -> Any:
    """Returns a permutation of the positions, as `shuffle` makes it."""
    return exchanged(stream, np.arange(extent), extent, 1, _up_to)


def sample(stream: Any, extent: int, count: int) -> Any:
    """Returns `count` different positions: a few from a shrinking pool, many by rejection of repeated
    ones."""
    array = np.empty(count, np.int64)
    most = 21
    if count > 5:
        most += 4 ** math.ceil(math.log(count * 3, 4))
    if extent <= most:
        pool = np.arange(extent)
        for place in range(count):
            other = below(stream, extent - place)
            array[place] = pool[other]
            pool[other] = pool[extent - place - 1]
        return array
    taken = np.zeros(extent, bool)
    for place in range(count):
        other = below(stream, extent)
        while taken[other]:
            other = below(stream, extent)
        taken[other] = True
        array[place] = other
    return array
