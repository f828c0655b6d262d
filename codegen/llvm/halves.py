"""f16 and bf16: stored as 16 bits, widened to f32 for each operation and rounded to nearest even after it."""

from __future__ import annotations

from .spelling import double
from .target import VectorTarget
from .writer import Operand, Writer, integer


def widen(w: Writer, target: VectorTarget, name: str, bits: Operand) -> Operand:
    """The f32 value of 16 stored bits, exact."""
    if name == "bf16":
        return w.convert("bitcast", w.binary("shl", _wide(w, bits), integer(16, "i32")), "float")
    if target.has_f16c:
        half = w.convert("bitcast", bits, "half")
        return w.convert("fpext", half, "float")
    return _half_to_float(w, bits)


def narrow(w: Writer, target: VectorTarget, name: str, value: Operand) -> Operand:
    """f32 rounded to 16 bits, to nearest even; a NaN stays one, with its leading payload bits."""
    if name == "bf16":
        return _float_to_bfloat(w, value)
    if target.has_f16c:
        half = w.convert("fptrunc", value, "half")
        return w.convert("bitcast", half, "i16")
    return _float_to_half(w, value)


def round_to_odd(w: Writer, value: Operand) -> Operand:
    """f64 -> f32, truncated, with the last bit set where inexact, so that rounding again rounds once.

    (Boldo and Melquiond, "Emulation of FMA and correctly rounded sums: proved algorithms using rounding
    to odd", IEEE Transactions on Computers 57(4), 2008.)
    """
    near = w.convert("fptrunc", value, "float")
    back = w.convert("fpext", near, "double")
    above = w.compare("fcmp ogt", _abs(w, back), _abs(w, value))
    inexact = w.compare("fcmp one", back, value)
    bits = w.convert("bitcast", near, "i32")
    bits = w.binary("sub", bits, w.convert("zext", above, "i32"))
    bits = w.binary("or", bits, w.convert("zext", inexact, "i32"))
    return w.convert("bitcast", bits, "float")


def _abs(w: Writer, value: Operand) -> Operand:
    return w.apply("call {T} @llvm.fabs.{S}({T} {0})", value)


def _wide(w: Writer, bits: Operand) -> Operand:
    return w.convert("zext", bits, "i32")


def _half_to_float(w: Writer, bits: Operand) -> Operand:
    """By scaling: the magnitude's bits, read as f32 and multiplied by 2^112, are right for all finite
    values, subnormal ones included; infinities and NaN get the largest exponent."""
    wide = _wide(w, bits)
    magnitude = w.binary("and", wide, integer(0x7FFF, "i32"))
    shifted = w.binary("shl", magnitude, integer(13, "i32"))
    scaled = w.binary("fmul", w.convert("bitcast", shifted, "float"), Operand(double(2.0**112), "float"))
    finite = w.convert("bitcast", scaled, "i32")
    # The hardware's conversion makes a signalling NaN quiet; so does this.
    special = w.binary("or", shifted, integer(0x7F800000, "i32"))
    is_nan = w.compare("icmp ugt", magnitude, integer(0x7C00, "i32"))
    quiet = w.select(is_nan, integer(0x00400000, "i32"), integer(0, "i32"))
    special = w.binary("or", special, quiet)
    is_special = w.compare("icmp uge", magnitude, integer(0x7C00, "i32"))
    chosen = w.select(is_special, special, finite)
    sign = w.binary("and", wide, integer(0x8000, "i32"))
    signed = w.binary("or", chosen, w.binary("shl", sign, integer(16, "i32")))
    return w.convert("bitcast", signed, "float")


def _float_to_half(w: Writer, value: Operand) -> Operand:
    """Normal results by integer rounding of the rebiased bits, subnormal ones by adding 0.5 in f32, whose
    last bit then weighs 2^-24 (F. Giesen, "float->half variants", 2012)."""
    bits = w.convert("bitcast", value, "i32")
    magnitude = w.binary("and", bits, integer(0x7FFFFFFF, "i32"))
    odd = w.binary("and", w.binary("lshr", magnitude, integer(13, "i32")), integer(1, "i32"))
    rebiased = w.binary("add", magnitude, integer(((15 - 127) << 23) + 0xFFF, "i32"))
    normal = w.binary("lshr", w.binary("add", rebiased, odd), integer(13, "i32"))
    half = Operand(double(0.5), "float")
    added = w.binary("fadd", w.convert("bitcast", magnitude, "float"), half)
    small = w.binary("sub", w.convert("bitcast", added, "i32"), integer(126 << 23, "i32"))
    is_small = w.compare("icmp ult", magnitude, integer(113 << 23, "i32"))
    finite = w.select(is_small, small, normal)
    # 65520 and above round to infinity; a NaN keeps its leading payload bits and becomes quiet.
    is_nan = w.compare("icmp ugt", magnitude, integer(255 << 23, "i32"))
    payload = w.binary("and", w.binary("lshr", magnitude, integer(13, "i32")), integer(0x3FF, "i32"))
    payload = w.binary("or", payload, integer(0x7E00, "i32"))
    special = w.select(is_nan, payload, integer(0x7C00, "i32"))
    is_special = w.compare("icmp uge", magnitude, integer(0x477FF000, "i32"))
    chosen = w.select(is_special, special, finite)
    sign = w.binary("and", w.binary("lshr", bits, integer(16, "i32")), integer(0x8000, "i32"))
    return w.convert("trunc", w.binary("or", chosen, sign), "i16")


def _float_to_bfloat(w: Writer, value: Operand) -> Operand:
    bits = w.convert("bitcast", value, "i32")
    high = w.binary("lshr", bits, integer(16, "i32"))
    odd = w.binary("and", high, integer(1, "i32"))
    biased = w.binary("add", bits, integer(0x7FFF, "i32"))
    rounded = w.binary("lshr", w.binary("add", biased, odd), integer(16, "i32"))
    quiet = w.binary("or", high, integer(0x40, "i32"))
    is_nan = w.apply("fcmp uno {T} {0}, {0}", value, result="i1")
    return w.convert("trunc", w.select(is_nan, quiet, rounded), "i16")
