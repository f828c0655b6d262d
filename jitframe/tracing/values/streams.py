"""Generators of `jf.random` in a traced program: their key and the number of the next draw are an input of
the call, which advances them by the draws of the program."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy

from ...api.frame import entered
from ...api.random.generator import Generator
from ...errors import TraceError
from ...ir.ops.randomness import WORD
from ...ir.types import U32
from .cells import Cell
from .draws import Argument, Draw, External
from .traced import TracedArray

if TYPE_CHECKING:
    from .traced_frame import TraceFrame


def stream(frame: TraceFrame, generator: Generator, source: External | Argument) -> Generator:
    """Returns the stand-in for a generator from outside: the same one for the same source."""
    place = ("held", id(generator)) if isinstance(source, External) else ("leaf", source.leaf)
    root = frame.root
    known = root.given_streams.get(place)
    if known is None:
        with entered(root):
            number = root.drawn((4,), U32)
            words = TracedArray(Cell(root, root.parameters[number].node))
            key, key_high, low, high = [words[each] for each in range(4)]
            made = Generator._of((key, key_high), (low, high), generator.device)
        known = root.given_streams[place] = made, source, number
    standin: Generator = known[0]
    return standin


def note_streams(frame: TraceFrame) -> None:
    """Records at the end of a trace how many draws each call makes."""
    for made, source, number in frame.given_streams.values():
        draw = Draw(_advanced, (source, External(made._count)), (), None, number, (4,), numpy.dtype("uint32"))
        frame.draws.insert(0, draw)


def _advanced(generator: Generator, count: int) -> numpy.ndarray:
    """Returns the words of the key and of the number of the next draw; advances the generator."""
    low, high = generator._start
    first = (low | high << 32) + generator._take(count)
    return numpy.array([*generator._key, first & WORD, first >> 32 & WORD], numpy.uint32)


def source_of(frame: TraceFrame, generator: Generator) -> External | Argument:
    """Returns the source of a generator that a call returns."""
    for made, source, _ in frame.given_streams.values():
        if made is generator:
            found: External | Argument = source
            return found
    raise TraceError(
        "the function returns a jf.random.Generator that it made; make it outside, and pass it as an argument"
    )
