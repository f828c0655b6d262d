"""The states of NumPy's and Python's random generators as arrays: read before a program runs, written back
after."""

from __future__ import annotations

import functools
import itertools
import random
from collections.abc import Callable
from typing import Any

import numpy

from ...errors import UnsupportedError

_MASK = (1 << 64) - 1
MT19937_WORDS = 624
"""Words of the Mersenne Twister's state."""
MT19937_SHIFT = 397
"""The recurrence of the twister: word i is renewed from words i, i + 1 and i + 397."""


def bits_of(generator: Any) -> str | None:
    """Returns the class name of a generator's bit generator; None of other objects."""
    found = bit_generator_of(generator)
    return None if found is None else "MT19937" if type(found) is random.Random else type(found).__name__


def bit_generator_of(generator: Any) -> Any:
    """Returns the bit generator that makes a generator's words; None of other objects."""
    if isinstance(generator, (numpy.random.BitGenerator, random.Random)):
        return generator
    if isinstance(generator, numpy.random.RandomState):
        return generator._bit_generator
    return generator.bit_generator if isinstance(generator, numpy.random.Generator) else None


def restorer(generator: Any) -> Callable[[], None]:
    """Returns a function that restores the present state of a generator."""
    source = bit_generator_of(generator)
    if isinstance(source, random.Random):
        return functools.partial(source.setstate, source.getstate())
    state = source.state
    left = spare_normal(generator) if _keeps_normals(generator) else None

    def give_back() -> None:
        source.state = state
        if left is not None:
            store_spare_normal(generator, left)

    return give_back


def _keeps_normals(generator: Any) -> bool:
    return isinstance(generator, numpy.random.RandomState) and bits_of(generator) == "MT19937"


def words_of(generator: Any) -> numpy.ndarray:
    """Returns the words of PCG64 or of the Mersenne Twister, in the layout of `pcg64` and `mt19937`."""
    if isinstance(generator, random.Random):
        return numpy.array(generator.getstate()[1], numpy.uint64)
    state = bit_generator_of(generator).state
    words = state["state"]
    if state["bit_generator"] == "PCG64":
        halves = [half for each in (words["state"], words["inc"]) for half in (each >> 64, each & _MASK)]
        return numpy.array([*halves, state["has_uint32"], state["uinteger"]], numpy.uint64)
    if state["bit_generator"] == "MT19937":
        return numpy.append(words["key"].astype(numpy.uint64), numpy.uint64(words["pos"]))
    raise UnsupportedError(
        f"a {state['bit_generator']} has taken the place of another bit generator since the function was "
        "traced"
    )


def twisted(word: Any, following: Any, shifted: Any) -> Any:
    """A renewed word of the Mersenne Twister."""
    mixed = (word & numpy.uint64(0x80000000)) | (following & numpy.uint64(0x7FFFFFFF))
    return shifted ^ (mixed >> 1) ^ (mixed & 1) * numpy.uint64(0x9908B0DF)


def _renewed(words: numpy.ndarray) -> numpy.ndarray:
    """The state that `mt19937` left, with all words renewed, as NumPy stores it."""
    place = int(words[-1]) - MT19937_WORDS
    if place <= 0:
        return words
    state = numpy.append(words[:-1], words[0])
    # No segment reads a word that it renews itself.
    length = MT19937_WORDS - MT19937_SHIFT
    ends = [each for each in (length, 2 * length, MT19937_WORDS) if each > place]
    for begin, end in itertools.pairwise([place, *ends]):
        shifted = (numpy.arange(begin, end) + MT19937_SHIFT) % MT19937_WORDS
        state[begin:end] = twisted(state[begin:end], state[begin + 1 : end + 1], state[shifted])
    state[-1] = place
    return state


def store_words(generator: Any, words: numpy.ndarray) -> None:
    """Stores the words that a program has left in a generator."""
    if len(words) == MT19937_WORDS + 1:
        words = _renewed(words)
    if isinstance(generator, random.Random):
        version, _, left = generator.getstate()
        generator.setstate((version, tuple(words.tolist()), left))
        return
    source = bit_generator_of(generator)
    state = source.state
    if state["bit_generator"] == "PCG64":
        high, low, more, less, has_half, half = words.tolist()
        state["state"] = {"state": high << 64 | low, "inc": more << 64 | less}
        state["has_uint32"], state["uinteger"] = has_half, half
    else:
        state["state"] = {"key": words[:-1].astype(numpy.uint32), "pos": int(words[-1])}
    source.state = state


def spare_normal(generator: Any) -> numpy.ndarray:
    """Returns whether a RandomState or Random holds a spare normal number, and that number."""
    if isinstance(generator, random.Random):
        left = generator.getstate()[2]
        return numpy.array([left is not None, left or 0.0], numpy.float64)
    state = generator.get_state(legacy=False)
    return numpy.array([state["has_gauss"], state["gauss"]], numpy.float64)


def store_spare_normal(generator: Any, left: numpy.ndarray) -> None:
    """Stores the spare normal number that a program has left in a RandomState or Random, or removes it."""
    if isinstance(generator, random.Random):
        version, words, _ = generator.getstate()
        generator.setstate((version, words, float(left[1]) if left[0] else None))
        return
    state = generator.get_state(legacy=False)
    state["has_gauss"], state["gauss"] = int(left[0]), float(left[1])
    generator.set_state(state)
