"""The generator PCG64 as traced code: M. E. O'Neill, PCG: A Family of Simple Fast Space-Efficient
Statistically Good Algorithms for Random Number Generation, 2014 (a congruential generator of 128 bits, XSL
RR)."""

from __future__ import annotations

from typing import Any

import numpy as np

MULTIPLIER = 0x2360ED051FC65DA44385DF649FCCF645
_HIGH = np.uint64(MULTIPLIER >> 64)
_LOW = np.uint64(MULTIPLIER & 0xFFFFFFFFFFFFFFFF)
_HALF = np.uint64(0xFFFFFFFF)
WORDS = 6


def high_product(x: Any, y: Any) -> Any:
    """Returns the high word of a product, by halves."""
    x0, x1, y0, y1 = x & _HALF, x >> 32, y & _HALF, y >> 32
    first = x1 * y0 + (x0 * y0 >> 32)
    second = x0 * y1 + (first & _HALF)
    return x1 * y1 + (first >> 32) + (second >> 32)


def next_word(words: Any) -> Any:
    """Returns 64 bits."""
    high, low = words[0], words[1]
    product = low * _LOW
    after = product + words[3]
    high = high_product(low, _LOW) + high * _LOW + low * _HIGH + words[2] + (after < product)
    words[0], words[1] = high, after
    mixed, turn = high ^ after, high >> 58
    return (mixed >> turn) | (mixed << ((64 - turn) & 63))


def next_half(words: Any) -> Any:
    """Returns 32 bits: the low half of a word, then its high one."""
    if words[4] != 0:
        words[4] = 0
        return words[5]
    word = next_word(words)
    words[4] = 1
    words[5] = word >> 32
    return word & _HALF


def next_double(words: Any) -> Any:
    """Returns a float64 in [0, 1) with 53 bits."""
    return float(next_word(words) >> 11) * 2.0**-53
