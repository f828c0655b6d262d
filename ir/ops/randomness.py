"""Counter-based random bits: Philox4x32-10, and the high half of a product.

Philox takes a counter of four words and a key of two, and gives four words of random bits; there is no state.
J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw, Parallel random numbers: as easy as 1, 2, 3, SC11 (2011),
section 3.3; the constants are those of its library Random123.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy

from ..node import Attributes, Inferred, Node, Op
from ..types import U32

Array = Any

ROUNDS = 10
MULTIPLIERS = (0xD2511F53, 0xCD9E8D57)
KEY_STEPS = (0x9E3779B9, 0xBB67AE85)
"""The increments of the key from round to round: the golden ratio, and the root of 3 less 1."""
WORD = (1 << 32) - 1


def philox_words(counter: tuple[Any, ...], key: tuple[Any, ...]) -> tuple[Any, ...]:
    """Returns the four words of a counter and a key: of Python integers, or of arrays of uint64."""
    c0, c1, c2, c3 = counter
    k0, k1 = key
    for _ in range(ROUNDS):
        first, second = MULTIPLIERS[0] * c0, MULTIPLIERS[1] * c2
        c0, c1, c2, c3 = (second >> 32) ^ c1 ^ k0, second & WORD, (first >> 32) ^ c3 ^ k1, first & WORD
        k0, k1 = (k0 + KEY_STEPS[0]) & WORD, (k1 + KEY_STEPS[1]) & WORD
    return c0, c1, c2, c3


def mul_high_value(x: int, y: int, bits: int) -> int:
    """Returns the high half of the product of two unsigned integers."""
    return x * y >> bits


def _same(inputs: tuple[Node, ...], _attributes: Attributes) -> Inferred:
    first = inputs[0]
    assert all(other.shape == first.shape and other.dtype is first.dtype for other in inputs), inputs
    return first.shape, first.dtype


def _words(inputs: tuple[Node, ...], attributes: Attributes) -> Inferred:
    assert inputs[0].dtype is U32 and len(inputs) == 6, inputs
    return _same(inputs, attributes)


def _word(number: int) -> Callable[..., Array]:
    def reference(inputs: list[Array], _attributes: Attributes, _node: Node) -> Array:
        wide = [numpy.asarray(each, numpy.uint64) for each in inputs]
        return philox_words(tuple(wide[:4]), tuple(wide[4:]))[number].astype(numpy.uint32)

    return reference


def _high(inputs: list[Array], _attributes: Attributes, node: Node) -> Array:
    wide = object if node.dtype.bits == 64 else numpy.uint64
    x, y = (each.astype(wide) for each in inputs)
    return numpy.asarray(x * y >> numpy.asarray(node.dtype.bits, wide)).astype(node.dtype.numpy_name)


PHILOX = tuple(
    Op(
        f"philox{number}",
        "elementwise",
        _words,
        _word(number),
        instruction=f"philox{number}",
        cost=30,
        kinds=frozenset(("uint",)),
    )
    for number in range(4)
)
"""The ops by the number of their word. The operands: the four words of the counter, the two of the key."""

mul_high = Op(
    "mul_high",
    "elementwise",
    _same,
    _high,
    instruction="mul_high",
    cost=4,
    kinds=frozenset(("uint",)),
    commutative=True,
)

OPS = (*PHILOX, mul_high)
