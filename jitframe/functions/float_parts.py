"""Parts and neighbours of floats, from their bits: signs, exponents, fractions, spacings."""

from __future__ import annotations

import math

from ..arrays.promotion import Operand, floating_result
from ..errors import DTypeError
from ..ir import ops
from ..ir.node import Graph, Node
from ..ir.record import record
from ..ir.types import BF16, BOOL, F16, F32, F64, I16, I32, I64, U8, U16, U32, U64, DType
from .complex_numbers import of_real_numbers, real_numbers
from .elementwise import as_integer, in_floating
from .formula import Term, where
from .operands import as_node, broadcast_shapes, cast, constant, in_computed, match, spread, strong


class _Layout(metaclass=record):
    """The layout of a float's bits: an integer of its width, the stored bits of the fraction, the bias."""

    signed: DType
    mantissa: int
    bias: int

    @property
    def sign(self) -> int:
        return -(1 << (self.signed.bits - 1))

    @property
    def magnitude(self) -> int:
        return (1 << (self.signed.bits - 1)) - 1

    @property
    def infinity(self) -> int:
        return self.magnitude & ~self.fraction

    @property
    def fraction(self) -> int:
        return (1 << self.mantissa) - 1


_LAYOUTS = {
    F16: _Layout(I16, 10, 15), BF16: _Layout(I16, 7, 127), F32: _Layout(I32, 23, 127),
    F64: _Layout(I64, 52, 1023),
}  # fmt: skip
UNSIGNED = {1: U8, 8: U8, 16: U16, 32: U32, 64: U64}
"""Unsigned integer dtypes by number of bits."""


def _bits(x: Term) -> Term:
    graph = x.graph
    return Term(graph, graph.make(ops.bitcast, x.node, attributes=(_LAYOUTS[x.node.dtype].signed,)))


def _float(bits: Term, dtype: DType) -> Term:
    return Term(bits.graph, bits.graph.make(ops.bitcast, bits.node, attributes=(dtype,)))


def signbit(graph: Graph, x: Operand) -> Node:
    """Whether the sign is set, that of zeros and NaNs too."""
    x = real_numbers(graph, x, "signbit")
    if x.dtype.kind in ("bool", "uint"):
        return spread(graph, graph.constant(False, BOOL), x.shape)
    term = Term(graph, x)
    return ((_bits(term) if x.dtype.is_float else term) < 0).node


def nextafter(graph: Graph, x: Operand, y: Operand) -> Node:
    """The next float after `x` toward `y`; `y` where they are equal."""
    dtype = floating_result((x, y))
    if dtype.is_complex:
        raise of_real_numbers("nextafter", dtype)
    first, second = (Term(graph, node) for node in match(graph, (x, y), dtype))
    bits, other = _bits(first), _bits(second)
    outward = (first < second) == (bits >= 0)
    moved = where(outward, bits + 1, bits - 1)
    moved = where(first == 0.0, other & _LAYOUTS[dtype].sign | 1, moved)
    result = _float(where(first == second, other, moved), dtype)
    result = where(second != second, second, result)
    return where(first != first, first, result).node


def largest_float(graph: Graph, x: Node) -> Node:
    """The largest finite number of the dtype of `x`, in its shape."""
    return _float(_bits(Term(graph, x)).like(_LAYOUTS[x.dtype].infinity - 1), x.dtype).node


def spacing(graph: Graph, x: Operand) -> Node:
    """The distance to the next float of larger size, with the sign of `x`; of float16 to the next above."""
    x = in_floating(graph, real_numbers(graph, x, "spacing"))
    layout, term = _LAYOUTS[x.dtype], Term(graph, x)
    bits = _bits(term)
    if x.dtype is F16:
        following = Term(graph, nextafter(graph, x, constant(graph, math.inf, x)))
    else:
        following = _float(bits + 1, x.dtype)
    distance = following - term
    if x.dtype is not BF16:  # which keeps the sign of zeros too
        distance = where(term == 0.0, _float(bits.like(1), x.dtype), distance)
    return where(bits & layout.magnitude >= layout.infinity, math.nan, distance).node


def frexp(graph: Graph, x: Operand) -> tuple[Node, Node]:
    """A fraction of size [1/2, 1) and an int32 exponent, of which `x` is the product `f * 2**e`.

    Zeros, infinities and NaNs are their own fraction, with the exponent 0.
    """
    node = in_floating(graph, real_numbers(graph, x, "frexp"))
    number = Term(graph, in_computed(graph, node))
    dtype = number.node.dtype
    layout, bits = _LAYOUTS[dtype], _bits(number)
    size = bits & layout.magnitude
    # A subnormal is its fraction as an integer times the smallest float.
    subnormal = size < 1 << layout.mantissa
    normal = where(subnormal, _bits(size.to(dtype)), size)
    bias = where(subnormal, size.like(2 * layout.bias - 2 + layout.mantissa), layout.bias - 1)
    fraction = normal & layout.fraction | (bits & layout.sign | (layout.bias - 1) << layout.mantissa)
    plain = (size > 0) & (size < layout.infinity)
    exponent = where(plain, (normal >> layout.mantissa) - bias, 0)
    return where(plain, _float(fraction, dtype), number).to(node.dtype).node, exponent.to(I32).node


def ldexp(graph: Graph, x: Operand, exponent: Operand) -> Node:
    """`x * 2**exponent`, rounded once."""
    # NumPy computes an integer number in the least of floats.
    node = (
        as_node(graph, x, F16) if x.__class__ is int else in_floating(graph, real_numbers(graph, x, "ldexp"))
    )
    power = as_integer(graph, real_numbers(graph, exponent, "ldexp"))
    if power.dtype.is_float or power.dtype is U64:
        raise DTypeError(
            f"ldexp: the exponent must be of an integer dtype that int64 holds, not {power.dtype.numpy_name}"
        )
    shape = broadcast_shapes(node.shape, power.shape)
    node, power = spread(graph, node, shape), spread(graph, power, shape)
    result = Term(graph, in_computed(graph, node))
    dtype = result.node.dtype
    layout = _LAYOUTS[dtype]
    wide = power.dtype if power.dtype in (I64, U32) else I32
    most, least = layout.bias, 1 - layout.bias
    far = 4 * (layout.bias + layout.mantissa)
    left = Term(graph, power).to(I64 if wide is U32 else wide)
    left = left.make(ops.maximum, -far).make(ops.minimum, far).to(layout.signed)

    def times(value: Term, count: Term) -> Term:
        return value * _float(count + layout.bias << layout.mantissa, dtype)

    # In up to three steps; those downward leave the last one enough to round only there (musl's scalbn).
    down = least + layout.mantissa + 1
    for _ in range(2):
        step = where(left < least, down, where(left > most, left.like(most), 0))
        result = times(result, step)
        left = left - step
    left = left.make(ops.maximum, least).make(ops.minimum, most)
    return times(result, left).to(node.dtype).node


def modf(graph: Graph, x: Operand) -> tuple[Node, Node]:
    """The fractional and the whole part, both with the sign of `x`."""
    x = in_floating(graph, real_numbers(graph, x, "modf"))
    term, whole = Term(graph, x), graph.make(ops.trunc, x)
    rest = where(abs(term) < math.inf, term - Term(graph, whole), 0.0).make(ops.copysign, term)
    return where(term != term, term, rest).node, whole


def bitwise_count(graph: Graph, x: Operand) -> Node:
    """How many bits of the absolute value are set, as uint8."""
    x = strong(graph, x)
    if x.dtype.is_inexact:
        raise DTypeError(f"bitwise_count: integers or bools needed, not {x.dtype.numpy_name}")
    if x.dtype is BOOL:
        return cast(graph, x, U8)
    if x.dtype.is_signed:
        x = graph.make(ops.abs, x)
    bits = x.dtype.bits
    total = Term(graph, x).to(UNSIGNED[bits])

    def mask(pattern: int) -> int:
        return pattern * ((1 << bits) - 1) // 255 if bits > 8 else pattern

    # Counts of 2, 4 and 8 bits side by side; a product adds up the bytes (Warren, "Hacker's Delight", 5-1).
    total = total - (total >> 1 & mask(0x55))
    total = (total & mask(0x33)) + (total >> 2 & mask(0x33))
    total = total + (total >> 4) & mask(0x0F)
    if bits > 8:
        total = total * mask(0x01) >> bits - 8
    return total.to(U8).node
