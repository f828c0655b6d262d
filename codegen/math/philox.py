"""The words of Philox4x32-10 (see `ir.ops.randomness`), and the high half of a product.

A target without 64-bit integers multiplies halves of 16 bits. What gives one word of a counter and a key
gives all four: equal steps are made once.
"""

from __future__ import annotations

from collections.abc import Callable

from ...ir.ops.randomness import KEY_STEPS, MULTIPLIERS, ROUNDS, WORD
from ...ir.types import U32, U64
from ..kernel.builder import KernelBuilder
from ..kernel.nodes import Value
from .formats import MathFeatures


def mul_high(build: KernelBuilder, x: Value, y: Value, features: MathFeatures) -> Value:
    """The high half of x * y, exact."""
    if x.dtype is U32 and features.wide:
        product = build.cast(x, U64) * build.cast(y, U64)
        return build.cast(product >> 32, U32)
    return _by_halves(build, x, y)


def _by_halves(build: KernelBuilder, x: Value, y: Value) -> Value:
    """No sum overflows: (2**h - 1)**2 + 2 * (2**h - 1) = 2**(2 * h) - 1 for halves of h bits."""
    half = x.dtype.bits // 2
    low = build.constant((1 << half) - 1, x.dtype)

    def lower(value: Value) -> Value:
        return value & low

    def upper(value: Value) -> Value:
        return value >> half

    def times(a: Value, b: Value) -> Value:
        return a * b

    def add(a: Value, b: Value) -> Value:
        return a + b

    x0, x1, y0, y1 = lower(x), upper(x), lower(y), upper(y)
    first = add(times(x1, y0), upper(times(x0, y0)))
    second = add(times(x0, y1), lower(first))
    return add(add(times(x1, y1), upper(first)), upper(second))


def _words(build: KernelBuilder, values: tuple[Value, ...], features: MathFeatures) -> tuple[Value, ...]:
    return _wide_words(build, values) if features.wide else _narrow_words(build, values)


def _xor(build: KernelBuilder, x: Value, y: Value, z: Value) -> Value:
    return x ^ y ^ z


def _keys(build: KernelBuilder, keys: tuple[Value, Value], number: int) -> list[Value]:
    """Those of a round, in 32 bits."""
    steps = [build.constant(number * each & WORD, U32) for each in KEY_STEPS]
    return [build.emit("add", pair) if number else pair[0] for pair in zip(keys, steps)]


def _narrow_words(build: KernelBuilder, values: tuple[Value, ...]) -> tuple[Value, ...]:
    c0, c1, c2, c3, *keys = values
    first, second = [build.constant(each, U32) for each in MULTIPLIERS]
    for number in range(ROUNDS):
        k0, k1 = _keys(build, (keys[0], keys[1]), number)
        high0, low0 = _by_halves(build, c0, first), c0 * first
        high2, low2 = _by_halves(build, c2, second), c2 * second
        c0, c1, c2, c3 = _xor(build, high2, c1, k0), low2, _xor(build, high0, c3, k1), low0
    return c0, c1, c2, c3


def _wide_words(build: KernelBuilder, values: tuple[Value, ...]) -> tuple[Value, ...]:
    """Words in 64 bits: a vector multiplies the lower halves of its lanes in one instruction, and nothing is
    moved between lanes until the end."""
    c0, c1, c2, c3 = [build.cast(value, U64) for value in values[:4]]
    first, second = [build.constant(each, U64) for each in MULTIPLIERS]
    half, mask = build.constant(32, U64), build.constant(WORD, U64)
    for number in range(ROUNDS):
        k0, k1 = [build.cast(value, U64) for value in _keys(build, (values[4], values[5]), number)]
        product, other = c0 * first, c2 * second
        high0, low0 = product >> half, product & mask
        high2, low2 = other >> half, other & mask
        c0, c1, c2, c3 = _xor(build, high2, c1, k0), low2, _xor(build, high0, c3, k1), low0
    c0, c1, c2, c3 = [build.cast(value, U32) for value in (c0, c1, c2, c3)]
    return c0, c1, c2, c3


def _word(number: int) -> Callable[..., Value]:
    def body(build: KernelBuilder, *operands: Value | MathFeatures) -> Value:
        *values, features = operands
        return _words(build, tuple(values), features)[number]  # type: ignore[arg-type]

    return body


philox0, philox1, philox2, philox3 = map(_word, range(4))
