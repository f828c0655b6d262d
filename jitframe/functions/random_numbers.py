"""Random numbers on nodes: element `i` of a draw is a function of the generator's key, the draw's number and
`i`, so that it depends neither on devices nor on how the work is divided."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from ..ir import ops
from ..ir.node import Graph, Node, Shape
from ..ir.ops.randomness import WORD
from ..ir.types import BOOL, F32, F64, U32, U64, DType
from .operands import cast, constant, spread

State = tuple[Node, Node, Node, Node]
"""Of rank 0 and uint32: the two words of the key, then those of the draw's number."""
DERIVED = 1 << 31
"""Set in the number's upper word where the words become another key."""


def number_words(graph: Graph, low: Node, high: Node, offset: int) -> tuple[Node, Node]:
    """The number `offset` draws later, which is below 2**32."""
    if not offset:
        return low, high
    step = graph.scalar(graph.number_index(offset, U32), U32)
    later = graph.make(ops.add, low, step)
    carry = cast(graph, graph.make(ops.lt, later, step), U32)
    return later, graph.make(ops.add, high, carry)


def words(graph: Graph, state: State, shape: Shape, which: Sequence[int]) -> list[Node]:
    """Some of the four words of each element, uint32."""
    extent = math.prod(shape)
    key, key_high, number, number_high = [spread(graph, each, shape) for each in state]
    zero = constant(graph, 0, key)
    place, place_high = zero, zero
    if shape:
        kind = U32 if extent <= WORD else U64
        place = graph.make(ops.iota, attributes=((extent,), 0, kind))
        if len(shape) > 1:
            place = graph.make(ops.reshape, place, attributes=(shape,))
        if kind is U64:
            place_high = _upper(graph, place)
            place = cast(graph, place, U32)
    operands = (place, place_high, number, number_high, key, key_high)
    return [graph.make(ops.PHILOX[each], *operands) for each in which]


def derived_key(graph: Graph, state: State, turn: Node) -> tuple[Node, Node]:
    """The key of another generator, for each number of a draw of this one."""
    key, key_high, number, number_high = state
    high = graph.make(ops.bitwise_or, number_high, graph.constant(DERIVED, U32))
    low, rest = integer_words(graph, turn)
    first, second = [graph.make(ops.PHILOX[each], low, rest, number, high, key, key_high) for each in (0, 1)]
    return first, second


def seed_key(graph: Graph, seed: Node) -> tuple[Node, Node]:
    """The key that a seed stands for."""
    zero = graph.constant(0, U32)
    low, high = integer_words(graph, seed)
    first, second = [graph.make(ops.PHILOX[each], low, high, zero, zero, zero, zero) for each in (0, 1)]
    return first, second


def integer_words(graph: Graph, value: Node) -> tuple[Node, Node]:
    """The two words of an integer in two's complement."""
    if value.dtype.bits == 64:
        wide = cast(graph, value, U64)
        return cast(graph, wide, U32), _upper(graph, wide)
    sign = graph.constant(0, U32)
    if value.dtype.is_signed:
        zero = graph.constant(0, value.dtype)
        below = graph.make(ops.lt, value, zero)
        sign = graph.make(ops.select, below, graph.constant(WORD, U32), sign)
    return cast(graph, value, U32), sign


def _upper(graph: Graph, value: Node) -> Node:
    return cast(graph, graph.make(ops.shift_right, value, constant(graph, 32, value)), U32)


def _shifted(graph: Graph, word: Node, count: int) -> Node:
    return graph.make(ops.shift_right, word, constant(graph, count, word))


def _scaled(graph: Graph, value: Node, factor: float) -> Node:
    return graph.make(ops.mul, value, constant(graph, factor, value))


def _fraction(graph: Graph, high: Node, low: Node | None, dtype: DType) -> Node:
    """In [0, 1): a multiple of 2**-53 of two words; of float32 one of 2**-24, of the upper word alone."""
    if low is None:
        return _scaled(graph, cast(graph, _shifted(graph, high, 8), dtype), 2.0**-24)
    return _scaled(graph, _integral(graph, high, low), 2.0**-53)


def _integral(graph: Graph, high: Node, low: Node) -> Node:
    """53 bits, as a float64."""
    upper = _scaled(graph, cast(graph, _shifted(graph, high, 5), F64), 2.0**26)
    return graph.make(ops.add, upper, cast(graph, _shifted(graph, low, 6), F64))


def _fraction_above_zero(graph: Graph, high: Node, low: Node | None) -> Node:
    """In (0, 1]: a multiple of 2**-53; of float32, whose small numbers lie closer, one of 2**-32."""
    if low is None:
        value = cast(graph, high, F32)
        return _scaled(graph, graph.make(ops.add, value, constant(graph, 1.0, value)), 2.0**-32)
    value = _integral(graph, high, low)
    return _scaled(graph, graph.make(ops.add, value, constant(graph, 1.0, value)), 2.0**-53)


def _pairs(
    graph: Graph, state: State, shape: Shape, dtype: DType, count: int
) -> list[tuple[Node, Node | None]]:
    """`count` pairs of words of each element; of float32 the upper ones alone."""
    if dtype is F64:
        found = words(graph, state, shape, range(2 * count))
        return [(found[2 * each], found[2 * each + 1]) for each in range(count)]
    return [(word, None) for word in words(graph, state, shape, range(0, 2 * count, 2))]


def uniform(graph: Graph, state: State, shape: Shape, dtype: DType) -> Node:
    """Uniform in [0, 1)."""
    ((high, low),) = _pairs(graph, state, shape, dtype, 1)
    return _fraction(graph, high, low, dtype)


def exponential(graph: Graph, state: State, shape: Shape, dtype: DType) -> Node:
    """Exponential of mean 1, by inversion: -log(u)."""
    ((high, low),) = _pairs(graph, state, shape, dtype, 1)
    return graph.make(ops.neg, graph.make(ops.log, _fraction_above_zero(graph, high, low)))


def normal(graph: Graph, state: State, shape: Shape, dtype: DType) -> Node:
    """Normal of mean 0 and variance 1: sqrt(-2 log u) cos(2 pi v).

    G. E. P. Box, M. E. Muller, A note on the generation of random normal deviates, Annals of Mathematical
    Statistics 29 (1958), 610-611.
    """
    first, second = _pairs(graph, state, shape, dtype, 2)
    size = _scaled(graph, graph.make(ops.log, _fraction_above_zero(graph, *first)), -2.0)
    angle = _scaled(graph, _fraction(graph, *second, dtype), 2 * math.pi)
    return graph.make(ops.mul, graph.make(ops.sqrt, size), graph.make(ops.cos, angle))


def below(graph: Graph, state: State, shape: Shape, span: Node, dtype: DType) -> Node:
    """Integers in [0, span): the upper part of a random fraction of twice the width of `span`, times span.

    The probability of each differs from 1 / span by less than 2**-64 (of uint32) or 2**-128 (of uint64).
    After D. Lemire, Fast random integer generation in an interval, ACM TOMACS 29 (2019), section 4, where the
    fraction is as wide as `span`, and what is not even is rejected.
    """
    span = spread(graph, span, shape)
    if span.dtype is U32:
        high, low = words(graph, state, shape, (0, 1))
    else:
        found = [cast(graph, each, U64) for each in words(graph, state, shape, range(4))]
        high, low = (
            graph.make(ops.bitwise_or, graph.make(ops.shift_left, upper, constant(graph, 32, upper)), lower)
            for upper, lower in (found[:2], found[2:])
        )
    middle = graph.make(ops.mul, high, span)
    total = graph.make(ops.add, middle, graph.make(ops.mul_high, low, span))
    carry = cast(graph, graph.make(ops.lt, total, middle), span.dtype)
    return cast(graph, graph.make(ops.add, graph.make(ops.mul_high, high, span), carry), dtype)


def bits(graph: Graph, state: State, shape: Shape, dtype: DType) -> Node:
    """All integers of 32 or 64 bits alike."""
    high, *rest = words(graph, state, shape, (0,) if dtype.bits <= 32 else (0, 1))
    for low in rest:
        upper = cast(graph, high, U64)
        upper = graph.make(ops.shift_left, upper, constant(graph, 32, upper))
        high = graph.make(ops.bitwise_or, upper, cast(graph, low, U64))
    return cast(graph, high, dtype)


Elementwise = Callable[[Graph, State, Shape, DType], Node]


def offset(graph: Graph, drawn: Node, low: int, dtype: DType) -> Node:
    """`low + drawn` in a dtype that holds it."""
    if dtype.kind == "bool":
        return graph.make(ops.gt, drawn, constant(graph, 0, drawn)) if low == 0 else _ones(graph, drawn)
    node = cast(graph, drawn, dtype)
    if not low:
        return node
    return graph.make(
        ops.add, node, spread(graph, graph.scalar(graph.number_index(low, dtype), dtype), node.shape)
    )


def _ones(graph: Graph, like: Node) -> Node:
    return spread(graph, graph.constant(True, BOOL), like.shape)
