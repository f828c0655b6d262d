"""The Mersenne Twister as code that is traced: M. Matsumoto and T. Nishimura, Mersenne Twister: A
623-Dimensionally Equidistributed Uniform Pseudo-Random Number Generator, ACM TOMACS 8, 1998. Its words are
624 of 32 bits, and how many of them were used."""

from __future__ import annotations

from typing import Any

import numpy as np

WORDS = 625
_COUNT = 624
_SHIFTED = 397
_UPPER = np.uint64(0x80000000)
_LOWER = np.uint64(0x7FFFFFFF)
_MATRIX = np.uint64(0x9908B0DF)


def _renew(words: Any) -> None:
    for place in range(_COUNT):
        mixed = (words[place] & _UPPER) | (words[(place + 1) % _COUNT] & _LOWER)
        words[place] = words[(place + _SHIFTED) % _COUNT] ^ (mixed >> 1) ^ (mixed & 1) * _MATRIX
    words[_COUNT] = 0


def next_half(words: Any) -> Any:
    """32 bits."""
    if words[_COUNT] >= _COUNT:
        _renew(words)
    word = words[int(words[_COUNT])]
    words[_COUNT] += 1
    word ^= word >> 11
    word ^= (word << 7) & 0x9D2C5680
    word ^= (word << 15) & 0xEFC60000
    return word ^ (word >> 18)


def next_word(words: Any) -> Any:
    """64 bits: two halves, the high one first."""
    high = next_half(words)
    return (high << 32) | next_half(words)


def next_double(words: Any) -> Any:
    """A float64 in [0, 1) of 53 bits of two halves."""
    high = next_half(words) >> 5
    low = next_half(words) >> 6
    return (float(high) * 67108864.0 + float(low)) / 9007199254740992.0
