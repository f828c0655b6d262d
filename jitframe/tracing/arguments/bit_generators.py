"""What a generator of NumPy's or Python's is made of, as arrays, and back: what a call does before and after
its program runs."""

from __future__ import annotations

import functools
import random
from collections.abc import Callable
from typing import Any

import numpy

from ...errors import UnsupportedError

_MASK = (1 << 64) - 1


def bits_of(generator: Any) -> str | None:
    """The name of its bit generator's class; None of what has none."""
    found = bit_generator_of(generator)
    return None if found is None else "MT19937" if type(found) is random.Random else type(found).__name__


def bit_generator_of(generator: Any) -> Any:
    """The object that makes its words; None of what is no generator."""
    if isinstance(generator, (numpy.random.BitGenerator, random.Random)):
        return generator
    if isinstance(generator, numpy.random.RandomState):
        return generator._bit_generator
    return generator.bit_generator if isinstance(generator, numpy.random.Generator) else None


def kept_state(generator: Any) -> Callable[[], None]:
    """What gives it the state back that it has now."""
    source = bit_generator_of(generator)
    if isinstance(source, random.Random):
        return functools.partial(source.setstate, source.getstate())
    state = source.state
    left = left_of(generator) if _keeps_normals(generator) else None

    def give_back() -> None:
        source.state = state
        if left is not None:
            give_left(generator, left)

    return give_back


def _keeps_normals(generator: Any) -> bool:
    return isinstance(generator, numpy.random.RandomState) and bits_of(generator) == "MT19937"


def words_of(generator: Any) -> numpy.ndarray:
    """The words of PCG64 or of the Mersenne Twister, as `pcg64` and `mt19937` have them."""
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


def give_words(generator: Any, words: numpy.ndarray) -> None:
    """Gives a generator the words that a program has left."""
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


def left_of(generator: Any) -> numpy.ndarray:
    """Of a RandomState or Random: whether a normal number is left, and that."""
    if isinstance(generator, random.Random):
        left = generator.getstate()[2]
        return numpy.array([left is not None, left or 0.0], numpy.float64)
    state = generator.get_state(legacy=False)
    return numpy.array([state["has_gauss"], state["gauss"]], numpy.float64)


def give_left(generator: Any, left: numpy.ndarray) -> None:
    """Gives a RandomState or Random the normal number that a program has left, or none."""
    if isinstance(generator, random.Random):
        version, words, _ = generator.getstate()
        generator.setstate((version, words, float(left[1]) if left[0] else None))
        return
    state = generator.get_state(legacy=False)
    state["has_gauss"], state["gauss"] = int(left[0]), float(left[1])
    generator.set_state(state)
