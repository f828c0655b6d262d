"""Sorting networks for many short rows on a processor, vectorized over rows.

The keys of a block lie transposed in private memory, with those of one position adjacent, so that every
exchange is one of whole vectors, without a branch. The network is K. Batcher's merge exchange (D. Knuth, The
Art of Computer Programming 3, 5.2.2, algorithm M), which sorts any number of keys: each of its steps compares
positions i and i + d in runs of consecutive i, which are one range of memory.
"""

from __future__ import annotations

from collections.abc import Sequence

from ....ir.expr import ceil_div, const, maximum, minimum
from ....ir.types import U32, U64
from ...kernel.builder import KernelBuilder
from ...kernel.nodes import Buffer, Value
from . import MOST_IN_NETWORK
from .rows import Rows, SortKernel

VECTOR = {U32: 16, U64: 8}
"""Rows of half a block, by the dtype of keys. Blocks of rows above half of the longest length are half as
high, so that all fit the L1 cache."""
POSITION = (1 << 32) - 1
"""The bits of an element's number, where the upper ones are its key."""


def sort_many_rows(rows: Rows) -> None:
    """Sorts a block of rows in a workgroup."""
    kernel = SortKernel(rows, "sort_many_rows")
    build, order = kernel.build, rows.order
    source, result = kernel.buffer(rows.source, "in"), kernel.buffer(rows.result, "out")
    dtype = U64 if rows.positions else order.key_dtype
    vector = VECTOR[dtype]
    fitting = const(MOST_IN_NETWORK) // maximum(rows.length, 1)
    at_once = minimum(fitting, 2) * vector
    length, side, count = (kernel.index(expr) for expr in (rows.length, at_once, rows.count))
    keys = build.allocate(dtype, MOST_IN_NETWORK * vector)
    zero = build.constant(0)
    first = build.group_id() * side
    height = build.minimum(side, count - first)
    start = first * length
    with build.loop(zero, length) as (i,), build.loop(zero, height, kind="lanes") as (row,):
        value = build.load(source, start + (row * length + i))
        key = order.key(build, value)
        if rows.positions:
            key = _with_position(build, key, i)
        build.store(keys, i * height + row, key)
    _exchange(build, keys, length, height)
    with build.loop(zero, height) as (row,), build.loop(zero, length, kind="lanes") as (i,):
        key = build.load(keys, i * height + row)
        at = start + (row * length + i)
        if rows.positions:
            value = build.cast(key & POSITION, result.dtype)
        else:
            value = order.element(build, key)
        build.store(result, at, value)
    kernel.launch(ceil_div(rows.count, at_once), rows.elements * 16)


def _with_position(build: KernelBuilder, key: Value, i: Value) -> Value:
    """Combines a key of 32 bits with its element's number: equal keys keep their order."""
    return (build.cast(key, U64) << 32) | build.cast(i, U64)


def _exchange(build: KernelBuilder, keys: Buffer, length: Value, height: Value) -> None:
    """Sorts `height` rows in the lanes of vectors."""
    zero, one, two = (build.constant(each) for each in range(3))

    def half(x: Value) -> Value:
        return x // two

    def is_positive(x: Value, *_: Value) -> Value:
        return x > zero

    def merged(size: Value) -> Sequence[Value]:
        """Merges runs of `size` positions by exchanges over decreasing distances."""

        def exchanged(distance: Value, farther: Value, skipped: Value) -> Sequence[Value]:
            end = length - distance
            apart = distance * height
            with build.loop(skipped, end, size + size) as (i,):
                stop = build.minimum(i + size, end)
                with build.loop(i * height, stop * height, kind="lanes") as (at,):
                    other = at + apart
                    x, y = build.load(keys, at), build.load(keys, other)
                    build.store(keys, at, build.minimum(x, y))
                    build.store(keys, other, build.maximum(x, y))
            return farther - size, half(farther), size

        build.repeat_while((size, highest, zero), is_positive, exchanged)
        return (half(size),)

    (highest,) = build.repeat_while(
        (one,), lambda power: power + power < length, lambda power: (power + power,)
    )
    build.repeat_while((highest,), is_positive, merged)
