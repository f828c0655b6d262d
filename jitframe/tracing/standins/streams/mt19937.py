"""The Mersenne Twister as traced code: M. Matsumoto and T. Nishimura, Mersenne Twister: A 623-Dimensionally
Equidistributed Uniform Pseudo-Random Number Generator, ACM TOMACS 8, 1998.

NumPy renews all 624 words of 32 bits at once after their use. Here each word is renewed when it is drawn,
which gives the same words: a draw has no loop, and a function of many draws stays small.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...arguments.bit_generators import MT19937_SHIFT as _SHIFTED
from ...arguments.bit_generators import MT19937_WORDS as _COUNT
from ...arguments.bit_generators import twisted

WORDS = _COUNT + 1
"""The words of the state, and a position: below 624 that of the next word, which is renewed already; from 624
on, less 624, that of the next word, which is renewed when it is drawn."""


def next_half(words: Any) -> Any:
    """Returns 32 bits."""
    position = int(words[_COUNT])
    place = position % _COUNT
    renewed = twisted(words[place], words[(place + 1) % _COUNT], words[(place + _SHIFTED) % _COUNT])
    word = np.where(position < _COUNT, words[place], renewed)
    words[place] = word
    words[_COUNT] = np.where(position == 2 * _COUNT - 1, _COUNT, position + 1)
    word = word ^ (word >> 11)
    word = word ^ ((word << 7) & 0x9D2C5680)
    word = word ^ ((word << 15) & 0xEFC60000)
    return word ^ (word >> 18)


def next_word(words: Any) -> Any:
    """Returns 64 bits: two halves, the high one first."""
    high = next_half(words)
    return (high << 32) | next_half(words)


def next_double(words: Any) -> Any:
    """Returns a float64 in [0, 1) with 53 bits of two halves."""
    high = next_half(words) >> 5
    low = next_half(words) >> 6
    return (float(high) * 67108864.0 + float(low)) / 9007199254740992.0
