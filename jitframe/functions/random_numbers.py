"""Random numbers on nodes: element `i` of a draw is a function of the generator's key, the draw's number and
`i`, so that it depends neither on devices nor on how the work is divided."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from ..arrays.promotion import Operand
from ..ir import ops
from ..ir.node import Graph, Node, Shape
from ..ir.ops.randomness import WORD
from ..ir.types import BOOL, F32, F64, I32, U32, U64, DType
from .formula import Term, cos, log, sqrt
from .operands import as_node, cast, constant, reshaped, spread

State = tuple[Node, Node, Node, Node]
"""Of rank 0 and uint32: the two words of the key, then those of the draw's number."""
DERIVED = 1 << 31
"""A bit of the number's upper word that marks words of a derived key."""


def number_words(graph: Graph, low: Node, high: Node, offset: int) -> tuple[Node, Node]:
    """The words of the draw number `offset` draws later, `offset` being below 2**32."""
    if not offset:
        return low, high
    step = graph.scalar(graph.number_index(offset, U32), U32)
    later = graph.make(ops.add, low, step)
    carry = cast(graph, graph.make(ops.lt, later, step), U32)
    return later, graph.make(ops.add, high, carry)


def words(graph: Graph, state: State, shape: Shape, which: Sequence[int]) -> list[Node]:
    """Some of the four words of each element, uint32."""
    extent = math.prod(shape)
    key, key_high, number, number_high = [spread(graph, node, shape) for node in state]
    zero = constant(graph, 0, key)
    place, place_high = zero, zero
    if shape:
        kind = U32 if extent <= WORD else U64
        place = graph.make(ops.iota, attributes=((extent,), 0, kind))
        place = reshaped(graph, place, shape)
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
    """The key derived from a seed."""
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
    return (Term(graph, value) >> 32).to(U32).node


class Draw:
    """One draw of a generator, or a variable it is composed of, in the shape and dtype of the result."""

    def __init__(self, graph: Graph, state: State, shape: Shape, dtype: DType) -> None:
        self.graph, self.state, self.shape, self.dtype = graph, state, shape, dtype

    def of(self, parameter: Operand) -> Term:
        """A parameter broadcast to each element."""
        return self.own(parameter).spread(self.shape)

    def own(self, parameter: Operand) -> Term:
        """A parameter in its own shape."""
        return Term(self.graph, as_node(self.graph, parameter, self.dtype))

    def pairs(self, count: int) -> list[tuple[Term, Term | None]]:
        """`count` pairs of words of each element; for float32 only the upper ones."""
        step = 1 if self.dtype is F64 else 2
        nodes = words(self.graph, self.state, self.shape, range(0, 2 * count, step))
        terms = [Term(self.graph, word) for word in nodes]
        if self.dtype is F64:
            return list(zip(terms[::2], terms[1::2], strict=True))
        return [(term, None) for term in terms]

    def part(self, which: int) -> Draw:
        """One of the variables that the draw is composed of."""
        low, high = derived_key(self.graph, self.state, self.graph.constant(_PARTS + which, I32))
        zero = self.graph.constant(0, U32)
        return Draw(self.graph, (low, high, zero, zero), self.shape, self.dtype)

    def round(self, number: Node) -> Callable[[int], Draw]:
        """The variables of one round of proposals, by their numbers."""
        key = derived_key(self.graph, self.state, number)

        def variable(which: int) -> Draw:
            low, high = (self.graph.constant(value, U32) for value in (which, 0))
            return Draw(self.graph, (*key, low, high), self.shape, self.dtype)

        return variable


_PARTS = 1 << 16
"""Variable numbers above all rounds of proposals."""


def on_nodes(distribution: Callable[..., Term], spreads: bool = True) -> Callable[..., Node]:
    """Returns a function of (graph, state, shape, *parameters, dtype). `spreads`: parameters are
    broadcast."""

    def function(graph: Graph, state: State, shape: Shape, *given: Any) -> Node:
        *parameters, dtype = given
        draw = Draw(graph, state, shape, dtype)
        return distribution(
            draw, *[draw.of(parameter) if spreads else draw.own(parameter) for parameter in parameters]
        ).node

    return function


def _fraction(high: Term, low: Term | None) -> Term:
    """In [0, 1): a multiple of 2**-53 of two words; of float32 one of 2**-24, of the upper word alone."""
    return (high >> 8).to(F32) * 2.0**-24 if low is None else _integral(high, low) * 2.0**-53


def _integral(high: Term, low: Term) -> Term:
    """53 bits, as a float64."""
    return (high >> 5).to(F64) * 2.0**26 + (low >> 6).to(F64)


def _fraction_above_zero(high: Term, low: Term | None) -> Term:
    """In (0, 1]: a multiple of 2**-53; of float32, whose small numbers lie closer, one of 2**-32."""
    return (high.to(F32) + 1.0) * 2.0**-32 if low is None else (_integral(high, low) + 1.0) * 2.0**-53


def uniform(draw: Draw) -> Term:
    """Uniform in [0, 1)."""
    (words,) = draw.pairs(1)
    return _fraction(*words)


def exponential(draw: Draw) -> Term:
    """Exponential of mean 1, by inversion: -log(u)."""
    (words,) = draw.pairs(1)
    return -log(_fraction_above_zero(*words))


def normal(draw: Draw) -> Term:
    """Normal of mean 0 and variance 1: sqrt(-2 log u) cos(2 pi v).

    G. E. P. Box, M. E. Muller, A note on the generation of random normal deviates, Annals of Mathematical
    Statistics 29 (1958), 610-611.
    """
    first, second = draw.pairs(2)
    size = log(_fraction_above_zero(*first)) * -2.0
    return sqrt(size) * cos(_fraction(*second) * (2 * math.pi))


def below(graph: Graph, state: State, shape: Shape, span: Node, dtype: DType) -> Node:
    """Integers in [0, span): the upper part of a random fraction of twice the width of `span`, times span.

    The probability of each differs from 1 / span by less than 2**-64 (of uint32) or 2**-128 (of uint64).
    After D. Lemire, Fast random integer generation in an interval, ACM TOMACS 29 (2019), section 4, where the
    fraction is as wide as `span`, and what is not even is rejected.
    """
    factor = Term(graph, span).spread(shape)
    terms = [Term(graph, node) for node in words(graph, state, shape, range(2 if span.dtype is U32 else 4))]
    if span.dtype is U64:
        terms = [_joined(upper, lower) for upper, lower in (terms[:2], terms[2:])]
    high, low = terms
    middle = high * factor
    total = middle + low.make(ops.mul_high, factor)
    return (high.make(ops.mul_high, factor) + (total < middle).to(span.dtype)).to(dtype).node


def _joined(upper: Term, lower: Term) -> Term:
    """Two words as an integer of 64 bits."""
    return upper.to(U64) << 32 | lower.to(U64)


def bits(graph: Graph, state: State, shape: Shape, dtype: DType) -> Node:
    """All integers of 32 or 64 bits alike."""
    terms = [Term(graph, node) for node in words(graph, state, shape, range(1 if dtype.bits <= 32 else 2))]
    return (terms[0] if len(terms) == 1 else _joined(*terms)).to(dtype).node


def offset(graph: Graph, drawn: Node, low: int, dtype: DType) -> Node:
    """`low + drawn` in a dtype that holds it."""
    if dtype.kind == "bool":
        term = Term(graph, drawn)
        return (term > 0).node if low == 0 else spread(graph, graph.constant(True, BOOL), drawn.shape)
    node = cast(graph, drawn, dtype)
    if not low:
        return node
    return graph.make(
        ops.add, node, spread(graph, graph.scalar(graph.number_index(low, dtype), dtype), node.shape)
    )
