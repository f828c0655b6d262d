"""f16 and bf16: 16 bits in memory, an f32 in registers that holds exactly such a value.

Every operation is computed in f32 and rounded, so a register always holds a value of the type, and its bits
are found without rounding. A language's own conversions are used where it has them (`Dialect.halves`), else
integer operations. A NaN that is rounded becomes quiet, so its leading payload bits are never all zero.
"""

from __future__ import annotations

from ...ir.types import BF16, F16, F32, F64, I16, U16, U32, DType
from ..kernel.nodes import Buffer, Value
from .context import Context
from .dialect import Half

_EXACT_SOURCES = frozenset(("bool", "i8", "u8"))
"""Integers that both types hold exactly."""


def is_half(dtype: DType) -> bool:
    return dtype is F16 or dtype is BF16


def half_of(c: Context, buffer: Value) -> Half | None:
    """Returns the conversions of a buffer's elements; None where memory holds register values."""
    if not is_half(buffer.dtype) or not isinstance(buffer, Buffer):
        return None
    if buffer.space not in ("global", "shared") or c.dialect.packed:
        return None
    return c.dialect.halves.get(buffer.dtype.name) or Half(c.type_of(U16))


def load_half(c: Context, half: Half, buffer: Buffer, at: str) -> str:
    name, space = c.names[buffer], c.dialect.spaces.get(buffer.space, "")
    if half.load:
        return c.own(half.load.format(name=name, at=at, space=space))
    return widened(c, half, buffer.dtype, f"{name}[{at}]")


def store_half(c: Context, half: Half, buffer: Buffer, at: str, value: str) -> None:
    name, space = c.names[buffer], c.dialect.spaces.get(buffer.space, "")
    if half.store:
        c.line(c.own(half.store.format(name=name, at=at, space=space, x=value)))
    else:
        c.line(f"{name}[{at}] = {narrowed(c, half, buffer.dtype, value)};")


def widened(c: Context, half: Half, dtype: DType, element: str) -> str:
    """Converts an element to a register's value."""
    if half.widened:
        return c.own(half.widened.format(x=element))
    return value_of(c, dtype, c.convert(c.type_of(U32), element))


def narrowed(c: Context, half: Half, dtype: DType, value: str) -> str:
    """Converts a register's value to an element."""
    if half.narrowed:
        return c.own(half.narrowed.format(x=value))
    return c.convert(half.storage, bits_of(c, dtype, value))


# Conversions -----------------------------------------------------------------------------------------
def rounded(c: Context, dtype: DType, x: str) -> str:
    """The f32 x rounded to nearest even to a value of the dtype."""
    half = c.dialect.halves.get(dtype.name)
    if half is not None and half.rounded:
        return c.own(half.rounded.format(x=x))
    body = _rounded_f16(c) if dtype is F16 else _rounded_bf16(c)
    return f"{c.helper(f'rounded_{dtype.name}', F32, (('x', F32),), body)}({x})"


def value_of(c: Context, dtype: DType, bits: str) -> str:
    """The f32 of a u32 below 65536, exact."""
    if dtype is BF16:
        return c.bits_as(c.type_of(F32), f"({bits}) << {c.unsigned(16)}")
    return f"{c.helper('value_of_f16', F32, (('bits', U32),), _value_of_f16(c))}({bits})"


def bits_of(c: Context, dtype: DType, x: str) -> str:
    """The bits of a register's value, as a u32 below 65536."""
    if dtype is BF16:
        return f"({c.bits_as(c.type_of(U32), x)} >> {c.unsigned(16)})"
    return f"{c.helper('bits_of_f16', U32, (('x', F32),), _bits_of_f16(c))}({x})"


def cast_to_half(c: Context, source: DType, target: DType, x: str) -> str:
    """Converts a number of another dtype: f64 to f16 is rounded once, others go through f32."""
    if source is F64 and target is F16:
        x = f"{c.helper('odd_f32', F32, (('x', F64),), _odd_f32(c))}({x})"
    elif not is_half(source) and source is not F32:
        x = c.to_f32(source, x)
    return x if source.name in _EXACT_SOURCES else rounded(c, target, x)


def bitcast_half(c: Context, source: DType, target: DType, x: str) -> str:
    """Between 16-bit dtypes, one of them a float."""
    unsigned = c.type_of(U32)
    if is_half(source):
        bits = bits_of(c, source, x)
    else:
        bits = f"({c.convert(unsigned, x)} & {c.unsigned(0xFFFF)})"
    if is_half(target):
        return value_of(c, target, bits)
    if target.name in c.dialect.wrapped:
        if target is U16:
            return bits
        shift = c.unsigned(16)  # the register is wider: the sign fills it
        return f"({c.bits_as(c.type_of(I16), f'({bits} << {shift})')} >> {shift})"
    bits = c.convert(c.type_of(U16), bits)
    return c.bits_as(c.type_of(I16), bits) if target is I16 else bits


# Bodies ----------------------------------------------------------------------------------------------
def _rounded_f16(c: Context) -> list[str]:
    """The last place of a normal result is bit 13 of the f32; that of a subnormal one 2^-24.

    A carry out of the significand raises the exponent, as it should. Below 2^-24 there is no bit to round
    at, and the result is that or zero.
    """
    u, zero, one = c.unsigned, c.unsigned(0), c.unsigned(1)
    normal = f"(magnitude >= {u(113 << 23)})"
    places = c.select(normal, u(13), f"(({u(126)} - (magnitude >> {u(23)})) & {u(31)})")
    tiny = c.select(f"(magnitude > {u(0x33000000)})", u(0x33800000), zero)
    return [
        c.let_line(U32, "bits", c.bits_as(c.type_of(U32), "x")),
        c.let_line(U32, "magnitude", f"bits & {u(0x7FFFFFFF)}"),
        c.let_line(U32, "places", places),
        c.let_line(U32, "unit", f"{one} << places"),
        c.let_line(U32, "half_up", f"magnitude + (unit >> {one}) - {one} + ((magnitude >> places) & {one})"),
        c.let_line(U32, "cut", f"half_up & ~(unit - {one})"),
        c.let_line(U32, "near", c.select(f"(magnitude < {u(0x33800000)})", tiny, "cut")),
        c.let_line(U32, "finite", c.select(f"(near >= {u(0x47800000)})", u(0x7F800000), "near")),
        c.let_line(U32, "nan", f"(magnitude | {u(0x00400000)}) & {u(0xFFFFE000)}"),
        c.let_line(U32, "kept_bits", c.select(f"(magnitude > {u(0x7F800000)})", "nan", "finite")),
        f"return {c.bits_as(c.type_of(F32), f'(bits & {u(0x80000000)}) | kept_bits')};",
    ]


def _rounded_bf16(c: Context) -> list[str]:
    u = c.unsigned
    rounded_up = f"((bits + {u(0x7FFF)} + ((bits >> {u(16)}) & {u(1)})) & {u(0xFFFF0000)})"
    nan = f"((bits | {u(0x00400000)}) & {u(0xFFFF0000)})"
    is_nan = f"((bits & {u(0x7FFFFFFF)}) > {u(0x7F800000)})"
    return [
        c.let_line(U32, "bits", c.bits_as(c.type_of(U32), "x")),
        f"return {c.bits_as(c.type_of(F32), c.select(is_nan, nan, rounded_up))};",
    ]


def _value_of_f16(c: Context) -> list[str]:
    """Normal values move up and get f32's bias; subnormal ones are whole numbers of 2^-24."""
    u, f32 = c.unsigned, c.type_of(F32)
    number = c.bits_as(c.type_of(U32), c.convert(f32, "magnitude"))
    subnormal = c.select(f"(magnitude == {u(0)})", u(0), f"({number} - {u(24 << 23)})")
    special = f"((magnitude << {u(13)}) | {u(0x7F800000)})"
    normal = f"((magnitude << {u(13)}) + {u(112 << 23)})"
    return [
        c.let_line(U32, "magnitude", f"bits & {u(0x7FFF)}"),
        c.let_line(U32, "large", c.select(f"(magnitude >= {u(0x7C00)})", special, normal)),
        c.let_line(U32, "wide", c.select(f"(magnitude < {u(0x400)})", subnormal, "large")),
        f"return {c.bits_as(f32, f'((bits & {u(0x8000)}) << {u(16)}) | wide')};",
    ]


def _bits_of_f16(c: Context) -> list[str]:
    """Of a value that f16 holds."""
    u = c.unsigned
    significand = f"((magnitude & {u(0x7FFFFF)}) | {u(0x800000)})"
    subnormal = f"({significand} >> (({u(126)} - (magnitude >> {u(23)})) & {u(31)}))"
    special = f"({u(0x7C00)} | ((magnitude >> {u(13)}) & {u(0x3FF)}))"
    normal = f"((magnitude - {u(112 << 23)}) >> {u(13)})"
    return [
        c.let_line(U32, "bits", c.bits_as(c.type_of(U32), "x")),
        c.let_line(U32, "magnitude", f"bits & {u(0x7FFFFFFF)}"),
        c.let_line(U32, "large", c.select(f"(magnitude >= {u(0x7F800000)})", special, normal)),
        c.let_line(U32, "small", c.select(f"(magnitude == {u(0)})", u(0), subnormal)),
        c.let_line(U32, "narrow", c.select(f"(magnitude < {u(113 << 23)})", "small", "large")),
        f"return ((bits >> {u(16)}) & {u(0x8000)}) | narrow;",
    ]


def _odd_f32(c: Context) -> list[str]:
    """f64 -> f32, cut off, with the last bit set where that is inexact: rounding again rounds once.

    (Boldo and Melquiond, "Emulation of FMA and correctly rounded sums: proved algorithms using rounding to
    odd", IEEE Transactions on Computers 57(4), 2008.)
    """
    u, magnitude = c.unsigned, c.dialect.functions["abs"]
    beyond = f"({magnitude.format(x='back')} > {magnitude.format(x='x')})"
    inexact = "(back < x || back > x)"
    return [
        c.let_line(F32, "near", c.convert(c.type_of(F32), "x")),
        c.let_line(F64, "back", c.convert(c.type_of(F64), "near")),
        c.let_line(U32, "bits", c.bits_as(c.type_of(U32), "near")),
        c.let_line(U32, "cut", f"bits - {c.select(beyond, u(1), u(0))}"),
        f"return {c.bits_as(c.type_of(F32), f'cut | {c.select(inexact, u(1), u(0))}')};",
    ]
