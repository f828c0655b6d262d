"""Arithmetic, logic, comparison and choice, with the total meaning that the instruction set gives them."""

from __future__ import annotations

from collections.abc import Callable

from ...ir.types import BOOL, F16, DType
from ..kernel.nodes import Instruction, constant_number
from .context import Context
from .halves import is_half, rounded

_SYMBOLS = {"add": "+", "sub": "-", "mul": "*", "div": "/", "and": "&", "or": "|", "xor": "^"}
_COMPARE = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
_LOGIC = {
    "and": "{x} && {y}",
    "or": "{x} || {y}",
    "xor": "{x} != {y}",
    "not": "!{x}",
    "minimum": "{x} && {y}",
    "maximum": "{x} || {y}",
    "eq": "{x} == {y}",
    "ne": "{x} != {y}",
    "lt": "!{x} && {y}",
    "le": "!{x} || {y}",
    "gt": "{x} && !{y}",
    "ge": "{x} || !{y}",
}
_INEXACT = frozenset(("add", "sub", "mul", "div", "fma", "sqrt"))
"""Operations that round in f16 and bf16; the others map values of such a type to values of it."""
_REASSOCIATED = frozenset(("add", "sub", "mul", "div"))


def arithmetic(c: Context, instruction: Instruction) -> None:
    """An instruction of rule same or shift."""
    dtype = instruction.operands[0].dtype
    operands = c.operands(instruction)
    if dtype.kind == "bool":
        value = _logic(instruction.op.name, operands)
    elif dtype.is_float:
        value = _float(c, instruction, dtype, operands)
        if is_half(dtype) and instruction.op.name in _INEXACT:
            value = rounded(c, dtype, value)
    else:
        value = _integer(c, instruction, dtype, operands)
    c.define(instruction, value)


def compare(c: Context, instruction: Instruction) -> None:
    name, operands = instruction.op.name, c.operands(instruction)
    dtype = instruction.operands[0].dtype
    if dtype.kind == "bool":
        c.define(instruction, _logic(name, operands))
        return
    x, y = operands
    value = f"{x} {_COMPARE[name]} {y}"
    if dtype.is_float and c.dialect.kept and (name == "ne" or x == y):
        # Compilers that assume no NaN decide these without a comparison.
        nan = " || ".join(c.own(c.dialect.is_nan.format(x=v)) for v in dict.fromkeys((x, y)))
        value = f"{nan} || {value}" if name == "ne" else f"!({nan}) && {value}"
    c.define(instruction, value)


def select(c: Context, instruction: Instruction) -> None:
    condition, then, orelse = c.operands(instruction)
    c.define(instruction, c.select(condition, then, orelse))


def _logic(name: str, operands: list[str]) -> str:
    return _LOGIC[name].format(x=operands[0], y=operands[-1])


# Floats ----------------------------------------------------------------------------------------------
def _float(c: Context, instruction: Instruction, dtype: DType, operands: list[str]) -> str:
    name, d = instruction.op.name, c.dialect
    if name in _REASSOCIATED:
        return _kept_operation(c, instruction, operands)
    if name == "neg":
        return f"-{operands[0]}"
    if name in ("minimum", "maximum"):
        return f"{extreme_function(c, name, dtype)}({', '.join(operands)})"
    spelled = d.functions.get(name)
    if spelled is None:
        raise c.refuse(f"{name} has no exact form in {d.name}", "leave it to another device")
    return c.own(spelled.format(**dict(zip("xyz", operands))))


def _kept_operation(c: Context, instruction: Instruction, operands: list[str]) -> str:
    """Returns one operation that compilers may not merge with others, nor simplify by rules that NaN and -0
    break."""
    name, kept = instruction.op.name, c.dialect.kept
    if not kept:
        return f"{operands[0]} {_SYMBOLS[name]} {operands[1]}"
    cancels = name in ("sub", "div") and operands[0] == operands[1]
    x, y = [
        c.own(kept.format(x=text)) if constant_number(value) == 0 or (cancels and number) else text
        for number, (text, value) in enumerate(zip(operands, instruction.operands))
    ]
    value = f"{x} {_SYMBOLS[name]} {y}"
    # Rounding to 16 bits and storing read the bits too.
    opaque = instruction.result in c.stored_only or is_half(instruction.result.dtype)
    return value if opaque else c.own(kept.format(x=value))


def extreme_function(c: Context, name: str, dtype: DType) -> str:
    """Returns a function for the minimum or maximum of two: a NaN wins, and of equal values the first."""
    parameters = (("x", dtype), ("y", dtype))
    # Of two equal zeros NumPy takes the second, and of float16's the first.
    symbol = ("<" if name == "minimum" else ">") + ("=" if dtype is F16 else "")
    ordered = c.select(f"x {symbol} y", "x", "y")
    if not dtype.is_float:
        return c.helper(f"{name}_{dtype.name}", dtype, parameters, [f"return {ordered};"])
    nan_x, nan_y = (f"({c.dialect.is_nan.format(x=v)})" for v in "xy")
    body = [f"return {c.select(nan_x, 'x', c.select(nan_y, 'y', ordered))};"]
    return c.helper(f"{name}_{dtype.name}", dtype, parameters, body)


def pair(c: Context, kind: str, dtype: DType, x: str, y: str) -> str:
    """Combines x and y in one expression, for atomics and subgroup reductions."""
    if kind == "exchange":
        return y
    if kind in ("min", "max"):
        return f"{extreme_function(c, {'min': 'minimum', 'max': 'maximum'}[kind], dtype)}({x}, {y})"
    if not dtype.is_float:
        symbol = _SYMBOLS[kind]
        return f"({wrapping(c, kind, dtype, x, y) if kind == 'add' else f'{x} {symbol} {y}'})"
    if is_half(dtype):
        return rounded(c, dtype, f"{x} + {y}")
    value = f"({x} + {y})"
    return c.own(c.dialect.kept.format(x=value)) if c.dialect.kept else value


# Integers --------------------------------------------------------------------------------------------
def _integer(c: Context, instruction: Instruction, dtype: DType, operands: list[str]) -> str:
    name, x, y = instruction.op.name, operands[0], operands[-1]
    if name in ("add", "sub", "mul"):
        return wrapping(c, name, dtype, x, y)
    if name == "neg":
        return wrapping(c, "sub", dtype, c.literal(dtype, 0), x)
    if name == "abs":
        if not dtype.is_signed:
            return x
        zero = c.literal(dtype, 0)
        return c.select(f"({x} < {zero})", f"({wrapping(c, 'sub', dtype, zero, x)})", x)
    if name in ("and", "or", "xor"):
        return f"{x} {_SYMBOLS[name]} {y}"
    if name == "not":
        return wrap(c, dtype, f"~{x}")
    if name in ("minimum", "maximum"):
        return c.select(f"({x} {'<' if name == 'minimum' else '>'} {y})", x, y)
    if name in ("quotient", "remainder"):
        return f"{x} {'/' if name == 'quotient' else '%'} {y}"
    if instruction.op.rule == "shift":
        count = constant_number(instruction.operands[1])
        if count is not None and 0 <= count < dtype.bits:
            return _shifted(c, name, dtype, x, c.unsigned(int(count)))
    return f"{_INTEGER_HELPERS[name](c, name, dtype)}({x}, {y})"


def wrapping(c: Context, name: str, dtype: DType, x: str, y: str) -> str:
    """x op y in two's complement of the dtype's width."""
    plain = f"{x} {_SYMBOLS[name]} {y}"
    if dtype.kind == "index" or c.dialect.signed_wraps:
        return wrap(c, dtype, plain)
    if dtype.bits >= 32 and not dtype.is_signed:
        return plain
    # Narrow operands are promoted to signed int, whose overflow is undefined like that of any signed type.
    wide = c.dialect.types["u64" if dtype.bits == 64 else "u32"]
    unsigned = f"{c.convert(wide, x)} {_SYMBOLS[name]} {c.convert(wide, y)}"
    return c.convert(c.type_of(dtype), unsigned)


def wrap(c: Context, dtype: DType, value: str) -> str:
    """Reduces a register's value to a dtype narrower than the register."""
    if dtype.name not in c.dialect.wrapped:
        return value
    if not dtype.is_signed:
        return f"({value}) & {c.unsigned((1 << dtype.bits) - 1)}"
    shift = c.unsigned(32 - dtype.bits)
    return f"(({value}) << {shift}) >> {shift}"


def _division(c: Context, name: str, dtype: DType) -> str:
    """floordiv and floormod: x // 0 = x % 0 = 0, and MIN // -1 = MIN."""
    zero, one = c.literal(dtype, 0), c.literal(dtype, 1)
    unsafe = f"y == {zero}"
    if dtype.is_signed:
        lowest, minus = c.literal(dtype, -(1 << (dtype.bits - 1))), c.literal(dtype, -1)
        unsafe = f"{unsafe} || (x == {lowest} && y == {minus})"
    body = [c.let_line(dtype, "safe", c.select(f"({unsafe})", one, "y"))]
    body.append(c.let_line(dtype, "quotient", "x / safe"))
    body.append(c.let_line(dtype, "rest", "x - quotient * safe"))
    value = "quotient" if name == "floordiv" else "rest"
    if dtype.is_signed:
        body.append(c.let_line(BOOL, "down", f"rest != {zero} && (rest ^ safe) < {zero}"))
        lower = f"quotient - {one}" if name == "floordiv" else "rest + safe"
        value = c.select("down", lower, value)
    body.append(f"return {c.select(f'(y == {zero})', zero, value)};")
    return c.helper(f"{name}_{dtype.name}", dtype, (("x", dtype), ("y", dtype)), body)


def _shift(c: Context, name: str, dtype: DType) -> str:
    """Shifts by any count: one outside 0..width-1 leaves 0, or the sign."""
    zero, width = c.literal(dtype, 0), c.literal(dtype, dtype.bits)
    inside = f"y < {width}" if not dtype.is_signed else f"y >= {zero} && y < {width}"
    count = c.dialect.shift_count.format(x=f"(y & {c.literal(dtype, dtype.bits - 1)})")
    sign = c.select(f"(x < {zero})", c.literal(dtype, -1), zero) if dtype.is_signed else zero
    beyond = zero if name == "shift_left" else sign
    shifted = f"({_shifted(c, name, dtype, 'x', count)})"
    body = [f"return {c.select(f'({inside})', shifted, beyond)};"]
    return c.helper(f"{name}_{dtype.name}", dtype, (("x", dtype), ("y", dtype)), body)


def _shifted(c: Context, name: str, dtype: DType, x: str, count: str) -> str:
    """A shift by less than the width."""
    if name == "shift_right":
        return f"{x} >> {count}"
    if c.dialect.signed_wraps:
        return wrap(c, dtype, f"{x} << {count}")
    wide = c.dialect.types["u64" if dtype.bits == 64 else "u32"]
    return c.convert(c.type_of(dtype), f"{c.convert(wide, x)} << {count}")


_INTEGER_HELPERS: dict[str, Callable[[Context, str, DType], str]] = {
    "floordiv": _division,
    "floormod": _division,
    "shift_left": _shift,
    "shift_right": _shift,
}
