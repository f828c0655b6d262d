"""Casts with NumPy's values on x86-64, total, and bitcasts."""

from __future__ import annotations

from ...ir.types import BOOL, F32, I32, I64, U32, U64, DType
from ..kernel.nodes import Instruction
from .arithmetic import wrap
from .context import Context
from .halves import bitcast_half, cast_to_half, is_half
from .literals import register_float


def cast(c: Context, instruction: Instruction) -> None:
    (x,) = c.operands(instruction)
    source, target = instruction.operands[0].dtype, instruction.result.dtype
    c.type_of(source)
    c.define(instruction, _cast(c, source, target, x))


def bitcast(c: Context, instruction: Instruction) -> None:
    (x,) = c.operands(instruction)
    source, target = instruction.operands[0].dtype, instruction.result.dtype
    if source.name == target.name:
        c.define(instruction, x)
    elif is_half(source) or is_half(target):
        c.define(instruction, bitcast_half(c, source, target, x))
    elif source is BOOL:
        c.define(instruction, c.select(x, c.literal(target, 1), c.literal(target, 0)))
    elif target is BOOL:
        c.define(instruction, f"{x} != {c.literal(source, 0)}")
    elif source.name in c.dialect.wrapped:
        c.define(instruction, wrap(c, target, c.bits_as(c.type_of(target), x)))
    else:
        c.define(instruction, c.bits_as(c.type_of(target), x))


def _cast(c: Context, source: DType, target: DType, x: str) -> str:
    type_ = c.type_of(target)
    if source.name == target.name:
        return x
    if target is BOOL:
        return _is_nonzero(c, source, x)
    if source is BOOL:
        return c.select(x, c.literal(target, 1), c.literal(target, 0))
    if is_half(target):
        return cast_to_half(c, source, target, x)
    source = register_float(source) if source.is_float else source
    if target is F32:
        return x if source is F32 else c.to_f32(source, x)
    if target.is_float:
        return x if source is target else c.convert(type_, x)
    if source.is_float:
        return f"{_whole(c, source, target)}({x})"
    return wrap(c, target, c.convert(type_, x)) if c.type_of(source) != type_ else wrap(c, target, x)


def _is_nonzero(c: Context, source: DType, x: str) -> str:
    if not source.is_float or not c.dialect.kept:
        return f"{x} != {c.literal(source, 0)}"
    # NaN is not zero, whatever the compiler assumes of NaN.
    bits = c.bits_as(c.type_of(U32), x)
    return f"({bits} & {c.unsigned(0x7FFFFFFF)}) != {c.unsigned(0)}"


def _whole(c: Context, source: DType, target: DType) -> str:
    """Returns the function that truncates a float to an integer; out of range, and for NaN, the lowest
    one."""
    if target.kind == "index":
        target = I64 if c.index_bits == 64 else I32
    if target is U64:
        body = _to_u64(c, source)
    elif target.bits == 64:
        body = [f"return {_guarded(c, source, I64, 'x')};"]
    elif target is U32 and source is F32 and "i64" not in c.dialect.types:
        body = _to_u32(c)
    elif target is U32:
        body = [f"return {c.convert(c.type_of(U32), _guarded(c, source, I64, 'x'))};"]
    else:
        whole = _guarded(c, source, I32, "x")
        if target is not I32:
            whole = wrap(c, target, c.convert(c.type_of(target), whole))
        body = [f"return {whole};"]
    return c.helper(f"{target.name}_of_{source.name}", target, (("x", source),), body)


def _guarded(c: Context, source: DType, whole: DType, x: str) -> str:
    limit = c.literal(source, 2.0 ** (whole.bits - 1))
    inside = f"({c.dialect.functions['abs'].format(x=x)} < {limit})"
    if c.dialect.kept:
        # NaN and infinity by their bits: a comparison with NaN may give either answer.
        bits = f"({c.bits_as(c.type_of(U32), x)} & {c.unsigned(0x7FFFFFFF)})"
        inside = f"({bits} < {c.unsigned(_f32_bits_of_power(whole.bits - 1))})"
    lowest = c.literal(whole, -(1 << (whole.bits - 1)))
    return c.select(inside, c.convert(c.type_of(whole), x), lowest)


def _f32_bits_of_power(exponent: int) -> int:
    return (127 + exponent) << 23


def _to_u64(c: Context, source: DType) -> list[str]:
    """For values of 2^63 and above, 2^63 is subtracted before and added after."""
    limit, zero = c.literal(source, 2.0**63), c.literal(source, 0.0)
    large, top = f"(x >= {limit})", c.literal(U64, 1 << 63)
    return [
        c.let_line(source, "lowered", f"x - {c.select(large, limit, zero)}"),
        c.let_line(I64, "whole", _guarded(c, source, I64, "lowered")),
        f"return {c.bits_as(c.type_of(U64), 'whole')} ^ {c.select(large, top, c.literal(U64, 0))};",
    ]


def _to_u32(c: Context) -> list[str]:
    """Returns the low 32 bits of the truncated value without 64-bit integers: a float's bits, shifted into
    place."""
    return [
        c.let_line(U32, "bits", c.bits_as(c.type_of(U32), "x")),
        c.let_line(U32, "exponent", f"(bits >> {c.unsigned(23)}) & {c.unsigned(255)}"),
        c.let_line(U32, "mantissa", f"(bits & {c.unsigned(0x7FFFFF)}) | {c.unsigned(0x800000)}"),
        # 2^0 has exponent 127, and the mantissa's last bit stands for 2^(exponent - 150).
        c.let_line(U32, "right", f"({c.unsigned(150)} - exponent) & {c.unsigned(31)}"),
        c.let_line(U32, "left", f"(exponent - {c.unsigned(150)}) & {c.unsigned(31)}"),
        c.let_line(
            U32, "small", c.select(f"(exponent < {c.unsigned(127)})", c.unsigned(0), "(mantissa >> right)")
        ),
        c.let_line(
            U32, "large", c.select(f"(exponent > {c.unsigned(181)})", c.unsigned(0), "(mantissa << left)")
        ),
        c.let_line(BOOL, "negative", f"(bits >> {c.unsigned(31)}) != {c.unsigned(0)}"),
        c.let_line(U32, "whole", c.select(f"(exponent < {c.unsigned(150)})", "small", "large")),
        f"return {c.select('negative', f'({c.unsigned(0)} - whole)', 'whole')};",
    ]
