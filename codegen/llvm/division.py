"""Integer division and remainder as NumPy has them: rounded down and total."""

from __future__ import annotations

from ...ir.types import DType
from .writer import Operand, Writer, integer


def floor_divide(w: Writer, dtype: DType, x: Operand, y: Operand) -> Operand:
    """x // y, with x // 0 = 0 and MIN // -1 = MIN."""
    shift_by = _log2(y)
    if shift_by is not None:
        shift = "ashr" if dtype.is_signed else "lshr"
        return w.apply(shift + " {T} {0}, {1}", x, integer(shift_by, y.type))
    safe = y if y.literal not in (None, 0, -1) else _safe_divisor(w, dtype, x, y)
    quotient = _truncated(w, dtype, x, safe)
    if dtype.is_signed:
        down = _is_down(w, _remainder(w, dtype, x, safe, quotient), safe)
        quotient = w.select(down, w.binary("sub", quotient, integer(1, y.type)), quotient)
    if y.literal:
        return quotient
    is_zero = w.compare("icmp eq", y, integer(0, y.type))
    return w.select(is_zero, integer(0, y.type), quotient)


def floor_modulo(w: Writer, dtype: DType, x: Operand, y: Operand) -> Operand:
    """x % y with the sign of y, and x % 0 = 0."""
    shift_by = _log2(y)
    if shift_by is not None:
        return w.binary("and", x, integer((1 << shift_by) - 1, y.type))
    safe = y if y.literal not in (None, 0, -1) else _safe_modulus(w, dtype, y)
    remainder = _remainder(w, dtype, x, safe)
    if not dtype.is_signed:
        return remainder
    return w.select(_is_down(w, remainder, safe), w.binary("add", remainder, safe), remainder)


def _log2(y: Operand) -> int | None:
    """The exponent of a known power of two."""
    known = y.literal
    if known is None or known <= 0 or known & (known - 1):
        return None
    return known.bit_length() - 1


def _remainder(w: Writer, dtype: DType, x: Operand, y: Operand, quotient: Operand | None = None) -> Operand:
    """Returns the remainder of division toward zero: of scalars by the processor's division, of vectors
    computed from the quotient."""
    if max(x.width, y.width) == 1:
        return w.apply(("srem" if dtype.is_signed else "urem") + " {T} {0}, {1}", x, y)
    if quotient is None:
        quotient = _truncated(w, dtype, x, y)
    return w.binary("sub", x, w.binary("mul", quotient, y))


def _is_down(w: Writer, remainder: Operand, y: Operand) -> Operand:
    """Whether the quotient rounded down is one less than that toward zero."""
    inexact = w.compare("icmp ne", remainder, integer(0, y.type))
    opposed = w.compare("icmp slt", w.binary("xor", remainder, y), integer(0, y.type))
    return w.binary("and", inexact, opposed)


def _safe_modulus(w: Writer, dtype: DType, y: Operand) -> Operand:
    """Returns y, or 1 in place of 0 and of -1, by which remainders are 0 as well."""
    if not dtype.is_signed:
        unsafe = w.compare("icmp eq", y, integer(0, y.type))
    else:
        unsafe = w.compare("icmp ult", w.binary("add", y, integer(1, y.type)), integer(2, y.type))
    return w.select(unsafe, integer(1, y.type), y)


def _safe_divisor(w: Writer, dtype: DType, x: Operand, y: Operand) -> Operand:
    """Returns y, or 1 where dividing would trap; MIN // -1 wraps to MIN, which is MIN // 1."""
    kind = y.type
    unsafe = w.compare("icmp eq", y, integer(0, kind))
    if dtype.is_signed:
        lowest = integer(-(1 << (dtype.bits - 1)), kind)
        overflow = w.binary(
            "and", w.compare("icmp eq", x, lowest), w.compare("icmp eq", y, integer(-1, kind))
        )
        unsafe = w.binary("or", unsafe, overflow)
    return w.select(unsafe, integer(1, kind), y)


def _truncated(w: Writer, dtype: DType, x: Operand, y: Operand) -> Operand:
    """x / y toward zero. Vectors of at most 32 bits divide as floats, which is exact: a quotient that is
    no integer differs from the next one by more than the float's rounding (1/x > 2^-53, or 2^-24)."""
    divide, to_float, to_integer = (
        ("sdiv", "sitofp", "fptosi") if dtype.is_signed else ("udiv", "uitofp", "fptoui")
    )
    if max(x.width, y.width) == 1 or dtype.bits > 32 or y.literal is not None:
        return w.apply(divide + " {T} {0}, {1}", x, y)
    real = "double" if dtype.bits == 32 else "float"
    numerator, denominator = (w.apply(to_float + " {T} {0} to {R}", value, result=real) for value in (x, y))
    ratio = w.binary("fdiv", numerator, denominator)
    # Through 32 bits, which any of these quotients fits.
    kind = "i32"
    quotient = w.apply(to_integer + " {T} {0} to {R}", ratio, result=kind)
    return quotient if x.type == kind else w.convert("trunc", quotient, x.type)
