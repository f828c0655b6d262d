"""Enumeration sort of short rows: each element counts those before it in its row, and moves to that place.

The work is quadratic in the length, but runs in parallel, without a branch (D. Muller and F. Preparata,
Bounds to Complexities of Networks for Sorting and for Switching, 1975).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ....ir.expr import ceil_div, maximum, minimum
from ....ir.types import I64, INDEX, U32, U64
from ...kernel.builder import KernelBuilder
from ...kernel.nodes import Buffer, Value
from .chunks import rows_at_once
from .rows import Rows, SortKernel

MOST = 256
"""The most keys of a row in a processor's private memory."""
BLOCKS = {U32: 32, U64: 16, I64: 16}
"""Elements whose relative order needs a comparison of positions where they are equal, by the dtype of keys:
two vectors and more. They divide all lengths of private memory for keys."""


def sort_short_rows(rows: Rows) -> None:
    if rows.machine.lanes > 1:
        _on_lanes(rows)
    else:
        _on_processor(rows)


def rank(
    build: KernelBuilder,
    bounds: tuple[Value, Value],
    key_at: Callable[[Value], Value],
    i: Value,
    own: Value,
    before: Value,
) -> Value:
    """Returns `before` plus the number of elements `key_at` positions in bounds that come before number `i`,
    whose key is `own`. Counted in the dtype of keys, so that both have the same vector length."""
    number, one = build.cast(i, own.dtype), build.constant(1, own.dtype)

    def step(j: Value, counted: Value) -> tuple[Value, ...]:
        other = key_at(j)
        equal = other.equals(own) & (build.cast(j, own.dtype) < number)
        return (build.select(((other < own) | equal), counted + one, counted),)

    return build.carry(*bounds, (before,), step)[0]


def _count_one_side(
    build: KernelBuilder, bounds: tuple[Value, Value], keys: Buffer, own: Value, before: Value, compare: str
) -> Value:
    """Adds the count over elements that all stand before number `i` (`compare`: "le"), or all behind it
    ("lt")."""
    one = build.constant(1, own.dtype)

    def step(j: Value, counted: Value) -> tuple[Value, ...]:
        comes_first = build.emit(compare, (build.load(keys, j), own))
        return (build.select(comes_first, counted + one, counted),)

    return build.carry(*bounds, (before,), step)[0]


def each_place(build: KernelBuilder, keys: Buffer, length: Value) -> Iterator[tuple[Value, Value]]:
    """Computes the number and the sorted place of each of the first `length` keys, in a loop.

    Blocks are whole vectors: the padding behind the last key is written, and counted without effect.
    """
    size = BLOCKS[keys.dtype]
    zero, block_size = build.constant(0), build.constant(size)
    places = build.allocate(keys.dtype, size)
    blocks = (length + (size - 1)) // block_size
    with build.loop(length, blocks * block_size, kind="lanes") as (i,):
        build.store(keys, i, build.constant(0, keys.dtype))
    with build.loop(zero, length, block_size) as (block,):
        end = build.minimum(block + block_size, length)
        with build.loop(zero, block_size, kind="lanes") as (number,):
            i = block + number
            own = build.load(keys, i)
            place = _count_one_side(build, (zero, block), keys, own, build.constant(0, own.dtype), "le")
            place = rank(build, (block, end), lambda j: build.load(keys, j), i, own, place)
            build.store(places, number, _count_one_side(build, (end, length), keys, own, place, "lt"))
        with build.loop(block, end, kind="lanes") as (i,):
            yield i, build.cast(build.load(places, i - block), INDEX)


def _on_processor(rows: Rows) -> None:
    """Sorts some rows in a workgroup."""
    kernel = SortKernel(rows, "sort_short_rows")
    build, order = kernel.build, rows.order
    source, result = kernel.buffer(rows.source, "in"), kernel.buffer(rows.result, "out")
    at_once = rows_at_once(rows)
    length, height, count = (kernel.index(expr) for expr in (rows.length, at_once, rows.count))
    keys = build.allocate(order.key_dtype, MOST)
    first = build.group_id() * height
    last = build.minimum(first + height, count)
    with build.loop(first, last) as (row,):
        start = row * length
        with build.loop(0, length, kind="lanes") as (i,):
            build.store(keys, i, order.key(build, build.load(source, start + i)))
        for i, place in each_place(build, keys, length):
            _put(rows, build, source, result, start, i, place)
    kernel.launch(ceil_div(rows.count, at_once), rows.elements * maximum(minimum(rows.length, MOST), 1))


def _on_lanes(rows: Rows) -> None:
    """Sorts with a lane for each element."""
    lanes = rows.machine.lanes
    kernel = SortKernel(rows, "sort_short_rows", lanes)
    build, order = kernel.build, rows.order
    source, result = kernel.buffer(rows.source, "in"), kernel.buffer(rows.result, "out")
    length, elements = kernel.index(rows.length), kernel.index(rows.elements)
    number = build.group_id() * lanes + build.lane_id()
    with build.when(number < elements):
        i = number % length
        start = number - i

        def key_at(j: Value) -> Value:
            return order.key(build, build.load(source, start + j))

        own = key_at(i)
        bounds = build.constant(0), length
        place = rank(build, bounds, key_at, i, own, build.constant(0, own.dtype))
        _put(rows, build, source, result, start, i, place)
    kernel.launch(ceil_div(rows.elements, lanes), rows.elements * maximum(rows.length, 1))


def _put(
    rows: Rows, build: KernelBuilder, source: Buffer, result: Buffer, start: Value, i: Value, place: Value
) -> None:
    """Writes element number `i` of the row that begins at `start` to its place in the result."""
    value = build.cast(i, result.dtype) if rows.positions else build.load(source, start + i)
    build.store(result, start + build.cast(place, INDEX), value)
