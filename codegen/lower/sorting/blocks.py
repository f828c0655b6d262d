"""A sorting network for a block of words on a processor, by whole vectors.

A block is read as runs of RUN words, one in each lane, which a network sorts without exchanges between lanes.
Bitonic merges then double the runs: distances of RUN words and more are those of whole vectors, smaller ones
lie within the lanes again. (K. Batcher, Sorting Networks and their Applications, 1968.)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...kernel.builder import KernelBuilder
from ...kernel.nodes import Buffer, Value

RUN = 16
"""Words of a lane."""


def sort_block(build: KernelBuilder, words: Buffer, size: Value, lanes: int) -> None:
    """Sorts the first `size` words of a block of RUN vectors; those behind them become the largest ones."""
    dtype, length = words.dtype, RUN * lanes
    largest = build.constant((1 << dtype.bits - dtype.is_signed) - 1, dtype)
    with build.loop(size, length, kind="lanes") as (i,):
        build.store(words, i, largest)
    _within_lanes(build, words, lanes, _merge_exchange(RUN))
    halves = [(k, k + distance) for distance in (8, 4, 2, 1) for k in range(RUN) if not k & distance]

    def is_short(run: Value) -> Value:
        return run < size

    def double(run: Value) -> Sequence[Value]:
        twice = run + run
        with build.loop(0, size, twice) as (start,):
            _compare_mirrored(build, words, start, run, twice)
        build.repeat_while((run // 2,), lambda distance: distance >= RUN, lambda distance: between(distance))
        _within_lanes(build, words, lanes, halves)
        return (twice,)

    def between(distance: Value) -> Sequence[Value]:
        with (
            build.loop(0, size, distance + distance) as (start,),
            build.loop(start, start + distance, RUN) as (first,),
            build.loop(0, RUN, kind="lanes") as (i,),
        ):
            _exchange(build, words, first + i, first + i + distance)
        return (distance // 2,)

    build.repeat_while((build.constant(RUN),), is_short, double)


def _compare_mirrored(build: KernelBuilder, words: Buffer, start: Value, run: Value, twice: Value) -> None:
    """Compares the words of a run with those of the next one from its end."""
    last = start + twice - 1
    with build.loop(0, run, RUN) as (first,), build.loop(0, RUN, kind="lanes") as (i,):
        _exchange(build, words, start + first + i, last - first - i)


def _exchange(build: KernelBuilder, words: Buffer, first: Value, second: Value) -> None:
    x, y = build.load(words, first), build.load(words, second)
    build.store(words, first, build.minimum(x, y))
    build.store(words, second, build.maximum(x, y))


def _within_lanes(build: KernelBuilder, words: Buffer, lanes: int, pairs: Sequence[tuple[int, int]]) -> None:
    """Exchanges pairs of words of each lane."""
    with build.loop(0, lanes, kind="lanes") as (lane,):
        first = lane * RUN
        own = [build.load(words, first + k) for k in range(RUN)]
        for low, high in pairs:
            x, y = own[low], own[high]
            own[low], own[high] = build.minimum(x, y), build.maximum(x, y)
        for k, word in enumerate(own):
            build.store(words, first + k, word)


def _merge_exchange(length: int) -> list[tuple[int, int]]:
    """The pairs of a network that sorts (D. Knuth, The Art of Computer Programming 3, 5.2.2, algorithm M)."""

    def pairs() -> Iterator[tuple[int, int]]:
        highest = power = 1 << ((length - 1).bit_length() - 1)
        while power:
            farthest, skipped, distance = highest, 0, power
            while True:
                yield from ((k, k + distance) for k in range(length - distance) if k & power == skipped)
                if farthest == power:
                    break
                distance, farthest, skipped = farthest - power, farthest // 2, power
            power //= 2

    return list(pairs())
