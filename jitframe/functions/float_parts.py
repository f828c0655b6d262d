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
from .operands import as_node, broadcast_shapes, cast, constant, in_computed, match, spread, strong


class _Layout(metaclass=record):
    """How the bits of a float lie: an integer of its width, the stored bits of the fraction, the bias."""

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
"""Unsigned integers by the bits of a dtype."""


def _bits(graph: Graph, x: Node) -> Node:
    return graph.make(ops.bitcast, x, attributes=(_LAYOUTS[x.dtype].signed,))


def _float(graph: Graph, bits: Node, dtype: DType) -> Node:
    return graph.make(ops.bitcast, bits, attributes=(dtype,))


def _select(graph: Graph, condition: Node, yes: Node, no: Node) -> Node:
    return graph.make(ops.select, condition, yes, no)


def signbit(graph: Graph, x: Operand) -> Node:
    """Whether the sign is set, that of zeros and NaNs too."""
    x = real_numbers(graph, x, "signbit")
    if x.dtype.kind in ("bool", "uint"):
        return spread(graph, graph.constant(False, BOOL), x.shape)
    bits = _bits(graph, x) if x.dtype.is_float else x
    return graph.make(ops.lt, bits, constant(graph, 0, bits))


def nextafter(graph: Graph, x: Operand, y: Operand) -> Node:
    """The next float after `x` toward `y`; `y` where they are equal."""
    dtype = floating_result((x, y))
    if dtype.is_complex:
        raise of_real_numbers("nextafter", dtype)
    x, y = match(graph, (x, y), dtype)
    layout = _LAYOUTS[x.dtype]
    bits, other = _bits(graph, x), _bits(graph, y)
    zero, one = constant(graph, 0.0, x), constant(graph, 1, bits)
    outward = graph.make(ops.eq, graph.make(ops.lt, x, y), graph.make(ops.ge, bits, constant(graph, 0, bits)))
    moved = _select(graph, outward, graph.make(ops.add, bits, one), graph.make(ops.sub, bits, one))
    smallest = graph.make(
        ops.bitwise_or, graph.make(ops.bitwise_and, other, constant(graph, layout.sign, bits)), one
    )
    moved = _select(graph, graph.make(ops.eq, x, zero), smallest, moved)
    moved = _select(graph, graph.make(ops.eq, x, y), other, moved)
    result = _float(graph, moved, x.dtype)
    result = _select(graph, graph.make(ops.ne, y, y), y, result)
    return _select(graph, graph.make(ops.ne, x, x), x, result)


def largest_float(graph: Graph, x: Node) -> Node:
    """The largest finite number of the dtype of `x`, in its shape."""
    bits = _bits(graph, x)
    return _float(graph, constant(graph, _LAYOUTS[x.dtype].infinity - 1, bits), x.dtype)


def spacing(graph: Graph, x: Operand) -> Node:
    """The distance to the next float of larger size, with the sign of `x`; of float16 to the next above."""
    x = in_floating(graph, real_numbers(graph, x, "spacing"))
    layout = _LAYOUTS[x.dtype]
    bits = _bits(graph, x)
    zero = constant(graph, 0.0, x)
    if x.dtype is F16:
        following = nextafter(graph, x, constant(graph, math.inf, x))
        distance = graph.make(ops.sub, following, x)
    else:
        following = _float(graph, graph.make(ops.add, bits, constant(graph, 1, bits)), x.dtype)
        distance = graph.make(ops.sub, following, x)
    smallest = _float(graph, constant(graph, 1, bits), x.dtype)
    if x.dtype is not BF16:  # which keeps the sign of zeros too
        distance = _select(graph, graph.make(ops.eq, x, zero), smallest, distance)
    size = graph.make(ops.bitwise_and, bits, constant(graph, layout.magnitude, bits))
    special = graph.make(ops.ge, size, constant(graph, layout.infinity, bits))
    return _select(graph, special, constant(graph, math.nan, x), distance)


def frexp(graph: Graph, x: Operand) -> tuple[Node, Node]:
    """A fraction of size [1/2, 1) and an int32 exponent, of which `x` is the product `f * 2**e`.

    Zeros, infinities and NaNs are their own fraction, with the exponent 0.
    """
    given = in_floating(graph, real_numbers(graph, x, "frexp"))
    x = in_computed(graph, given)
    layout = _LAYOUTS[x.dtype]
    bits = _bits(graph, x)

    def number(value: int) -> Node:
        return constant(graph, value, bits)

    size = graph.make(ops.bitwise_and, bits, number(layout.magnitude))
    # A subnormal is its fraction as an integer times the smallest float.
    subnormal = graph.make(ops.lt, size, number(1 << layout.mantissa))
    scaled = _bits(graph, cast(graph, size, x.dtype))
    normal = _select(graph, subnormal, scaled, size)
    bias = _select(
        graph,
        subnormal,
        number(2 * layout.bias - 2 + layout.mantissa),
        number(layout.bias - 1),
    )
    exponent = graph.make(ops.sub, graph.make(ops.shift_right, normal, number(layout.mantissa)), bias)
    fraction = graph.make(
        ops.bitwise_or,
        graph.make(ops.bitwise_and, normal, number(layout.fraction)),
        graph.make(
            ops.bitwise_or,
            graph.make(ops.bitwise_and, bits, number(layout.sign)),
            number((layout.bias - 1) << layout.mantissa),
        ),
    )
    plain = graph.make(
        ops.bitwise_and,
        graph.make(ops.gt, size, number(0)),
        graph.make(ops.lt, size, number(layout.infinity)),
    )
    fraction = _select(graph, plain, _float(graph, fraction, x.dtype), x)
    exponent = _select(graph, plain, exponent, number(0))
    return cast(graph, fraction, given.dtype), cast(graph, exponent, I32)


def ldexp(graph: Graph, x: Operand, exponent: Operand) -> Node:
    """`x * 2**exponent`, rounded once."""
    # NumPy computes an integer number in the least of floats.
    given = (
        as_node(graph, x, F16) if x.__class__ is int else in_floating(graph, real_numbers(graph, x, "ldexp"))
    )
    power = as_integer(graph, real_numbers(graph, exponent, "ldexp"))
    if power.dtype.is_float or power.dtype is U64:
        raise DTypeError(
            f"ldexp: the exponent must be of an integer dtype that int64 holds, not {power.dtype.numpy_name}"
        )
    shape = broadcast_shapes(given.shape, power.shape)
    given, power = spread(graph, given, shape), spread(graph, power, shape)
    x = in_computed(graph, given)
    layout = _LAYOUTS[x.dtype]
    wide = power.dtype if power.dtype in (I64, U32) else I32
    most, least = layout.bias, 1 - layout.bias
    far = 4 * (layout.bias + layout.mantissa)
    power = cast(graph, power, I64 if wide is U32 else wide)
    power = graph.make(ops.maximum, power, constant(graph, -far, power))
    power = cast(graph, graph.make(ops.minimum, power, constant(graph, far, power)), layout.signed)

    def number(value: int) -> Node:
        return constant(graph, value, power)

    def times(value: Node, count: Node) -> Node:
        biased = graph.make(ops.add, count, number(layout.bias))
        scale = graph.make(ops.shift_left, biased, number(layout.mantissa))
        return graph.make(ops.mul, value, _float(graph, scale, x.dtype))

    # In up to three steps; those downward leave the last one enough to round only there (musl's scalbn).
    down = least + layout.mantissa + 1
    result = x
    for _ in range(2):
        step = _select(graph, graph.make(ops.gt, power, number(most)), number(most), number(0))
        step = _select(graph, graph.make(ops.lt, power, number(least)), number(down), step)
        result = times(result, step)
        power = graph.make(ops.sub, power, step)
    power = graph.make(ops.minimum, graph.make(ops.maximum, power, number(least)), number(most))
    return cast(graph, times(result, power), given.dtype)


def modf(graph: Graph, x: Operand) -> tuple[Node, Node]:
    """The fractional and the whole part, both with the sign of `x`."""
    x = in_floating(graph, real_numbers(graph, x, "modf"))
    whole = graph.make(ops.trunc, x)
    finite = graph.make(ops.lt, graph.make(ops.abs, x), constant(graph, math.inf, x))
    is_nan = graph.make(ops.ne, x, x)
    rest = _select(graph, finite, graph.make(ops.sub, x, whole), constant(graph, 0.0, x))
    rest = graph.make(ops.copysign, rest, x)
    return _select(graph, is_nan, x, rest), whole


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
    total = unsigned = cast(graph, x, UNSIGNED[bits])

    def mask(pattern: int) -> Node:
        return constant(graph, pattern * ((1 << bits) - 1) // 255 if bits > 8 else pattern, unsigned)

    def shifted(value: Node, count: int) -> Node:
        return graph.make(ops.shift_right, value, constant(graph, count, unsigned))

    def masked(value: Node, pattern: int) -> Node:
        return graph.make(ops.bitwise_and, value, mask(pattern))

    # Counts of 2, 4 and 8 bits side by side; a product adds up the bytes (Warren, "Hacker's Delight", 5-1).
    total = graph.make(ops.sub, total, masked(shifted(total, 1), 0x55))
    total = graph.make(ops.add, masked(total, 0x33), masked(shifted(total, 2), 0x33))
    total = masked(graph.make(ops.add, total, shifted(total, 4)), 0x0F)
    if bits > 8:
        total = shifted(graph.make(ops.mul, total, mask(0x01)), bits - 8)
    return cast(graph, total, U8)
