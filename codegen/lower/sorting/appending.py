"""Appending the elements of a loop to several streams that lie side by side in one array."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ....ir.types import INDEX
from ...kernel.builder import KernelBuilder
from ...kernel.nodes import Buffer, Value
from ..machine import Machine

STAGED = 512
"""Elements that are appended to memory on the stack at a time: with eight streams of 64 bits, 32 KiB."""


def append(
    build: KernelBuilder,
    machine: Machine,
    result: Buffer,
    bounds: tuple[Value, Value],
    places: Sequence[Value],
    chosen: Callable[[Value], tuple[Value, Sequence[Value]]],
) -> None:
    """Appends elements to streams that begin at `places`, and writes nothing else of the result. `chosen`
    returns an iteration's element, and whether each stream takes it.

    Where only whole vectors are stored fast, the elements go through memory where each stream has room for
    all of them.
    """
    if machine.exact_appends:

        def move(i: Value, *at: Value) -> Sequence[Value]:
            element, masks = chosen(i)
            for place, mask in zip(at, masks, strict=True):
                build.store(result, place, element, mask)
            return _moved(build, at, masks)

        build.carry(*bounds, places, move, appends=True)
        return
    lower, upper = bounds
    stage = build.allocate(result.dtype, STAGED * len(places))
    starts = [build.constant(number * STAGED) for number in range(len(places))]

    def put(i: Value, *at: Value) -> Sequence[Value]:
        element, masks = chosen(i)
        for place in at:
            build.store(stage, place, element)
        return _moved(build, at, masks)

    def step(first: Value, *at: Value) -> Sequence[Value]:
        ends = build.carry(first, build.minimum(first + STAGED, upper), starts, put, appends=True)
        counts = [end - start for start, end in zip(starts, ends, strict=True)]
        for place, start, count in zip(at, starts, counts, strict=True):
            with build.loop(0, count, kind="lanes") as (k,):
                build.store(result, place + k, build.load(stage, start + k))
        return [place + count for place, count in zip(at, counts, strict=True)]

    build.carry(lower, upper, places, step, STAGED)


def _moved(build: KernelBuilder, places: Sequence[Value], masks: Sequence[Value]) -> list[Value]:
    return [place + build.cast(mask, INDEX) for place, mask in zip(places, masks, strict=True)]
