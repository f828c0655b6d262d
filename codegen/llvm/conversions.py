"""Casts between element types with NumPy's values on x86-64, total.

A float outside the integer type's range gives what NumPy's C casts compile to: conversion to i32 (for i8,
u8, i16, u16, i32) or to i64 (for u32, i64), where NaN and values out of that range give its minimum, then
truncation of the bits. For u64, values of 2^63 and above have 2^63 subtracted before and added after.
"""

from __future__ import annotations

from ...ir.types import DType
from .arithmetic import Machine, compare, is_short_float, zero
from .halves import narrow, round_to_odd, widen
from .rounding import absolute
from .spelling import double, register_type
from .writer import Operand, Writer, integer


def cast(m: Machine, source: DType, target: DType, x: Operand) -> Operand:
    """x, of `source`, as a value of `target`."""
    w = m.writer
    if register_type(source) == register_type(target) and not (
        is_short_float(source) or is_short_float(target)
    ):
        return x
    if source.name == target.name:
        return x
    if target.kind == "bool":
        if is_short_float(source):
            source, x = _as_float(m, source, x)
        return compare(m, "ne", source, x, zero(source, x.type))
    if is_short_float(target):
        return _to_short_float(m, source, target, x)
    if source.is_float:
        source, x = _as_float(m, source, x)
        return _from_float(m, source, target, x)
    return _from_integer(w, source, target, x)


def _as_float(m: Machine, source: DType, x: Operand) -> tuple[DType, Operand]:
    if not is_short_float(source):
        return source, x
    return DType("f32", "float32", "float", 32), widen(m.writer, m.target, source.name, x)


def _to_short_float(m: Machine, source: DType, target: DType, x: Operand) -> Operand:
    w = m.writer
    if not source.is_float:
        single = _from_integer(w, source, DType("f32", "float32", "float", 32), x)
    elif source.name == "f64" and target.name == "f16":
        single = round_to_odd(w, x)
    elif source.name == "f64":
        # NumPy's bfloat16 rounds twice: it knows float32 only.
        single = w.convert("fptrunc", x, "float")
    else:
        _, single = _as_float(m, source, x)
    return narrow(w, m.target, target.name, single)


def _from_integer(w: Writer, source: DType, target: DType, x: Operand) -> Operand:
    kind = register_type(target)
    signed = source.is_signed and source.kind != "bool"
    if target.is_float:
        op = "sitofp" if signed else "uitofp"
    elif source.bits > target.bits:
        op = "trunc"
    elif source.bits < target.bits:
        op = "sext" if signed else "zext"
    else:
        return x
    return w.apply(op + " {T} {0} to {R}", x, result=kind)


def _from_float(m: Machine, source: DType, target: DType, x: Operand) -> Operand:
    w = m.writer
    kind = register_type(target)
    if target.is_float:
        if target.bits == source.bits:
            return x
        return w.apply(
            ("fpext" if target.bits > source.bits else "fptrunc") + " {T} {0} to {R}", x, result=kind
        )
    if target.kind == "uint" and target.bits == 64:
        return _to_u64(w, x)
    through = 64 if target.bits == 64 or (target.kind == "uint" and target.bits == 32) else 32
    whole = _to_signed(w, x, through)
    return whole if through == target.bits else w.convert("trunc", whole, kind)


def _to_signed(w: Writer, x: Operand, bits: int) -> Operand:
    """Toward zero; NaN and values out of range give the minimum."""
    kind = f"i{bits}"
    limit = Operand(double(2.0 ** (bits - 1)), x.type)
    inside = w.compare("fcmp olt", absolute(w, x), limit)
    whole = w.convert("fptosi", x, kind)
    return w.select(inside, whole, integer(-(1 << (bits - 1)), kind))


def _to_u64(w: Writer, x: Operand) -> Operand:
    limit = Operand(double(2.0**63), x.type)
    large = w.compare("fcmp oge", x, limit)
    lowered = w.select(large, w.binary("fsub", x, limit), x)
    whole = _to_signed(w, lowered, 64)
    top = w.select(large, integer(-(1 << 63), "i64"), integer(0, "i64"))
    return w.binary("xor", whole, top)


def bitcast(m: Machine, target: DType, x: Operand) -> Operand:
    """The same bits as another type; a bool is the byte it is stored as."""
    kind = register_type(target)
    if x.type == kind:
        return x
    if x.type == "i1":
        return m.writer.convert("zext", x, kind)
    if kind == "i1":
        return m.writer.compare("icmp ne", x, integer(0, x.type))
    return m.writer.convert("bitcast", x, kind)
