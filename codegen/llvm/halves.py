"""f16 and bf16: held as 16 bits, widened to f32 for each operation and rounded to nearest even after it."""

from __future__ import annotations

from .spelling import double
from .target import VectorTarget
from .writer import Operand, Writer, integer


def widen(w: Writer, target: VectorTarget, name: str, bits: Operand) -> Operand:
    """The f32 value of 16 stored bits, exact."""
    if name == "bf16":
        return w.apply(
            "bitcast {T} {0} to {R}",
            w.apply("shl {T} {0}, {1}", _wide(w, bits), integer(16, "i32")),
            result="float",
        )
    if target.has_f16c:
        half = w.apply("bitcast {T} {0} to {R}", bits, result="half")
        return w.apply("fpext {T} {0} to {R}", half, result="float")
    return _half_to_float(w, bits)


def narrow(w: Writer, target: VectorTarget, name: str, value: Operand) -> Operand:
    """f32 rounded to 16 bits, to nearest even; a NaN stays one, with its leading payload bits."""
    if name == "bf16":
        return _float_to_bfloat(w, value)
    if target.has_f16c:
        half = w.apply("fptrunc {T} {0} to {R}", value, result="half")
        return w.apply("bitcast {T} {0} to {R}", half, result="i16")
    return _float_to_half(w, value)


def round_to_odd(w: Writer, value: Operand) -> Operand:
    """f64 -> f32, truncated, with the last bit set where inexact, so that rounding again rounds once.

    (Boldo and Melquiond, "Emulation of FMA and correctly rounded sums: proved algorithms using rounding
    to odd", IEEE Transactions on Computers 57(4), 2008.)
    """
    near = w.apply("fptrunc {T} {0} to {R}", value, result="float")
    back = w.apply("fpext {T} {0} to {R}", near, result="double")
    above = w.apply("fcmp ogt {T} {0}, {1}", _abs(w, back), _abs(w, value), result="i1")
    inexact = w.apply("fcmp one {T} {0}, {1}", back, value, result="i1")
    bits = w.apply("bitcast {T} {0} to {R}", near, result="i32")
    bits = w.apply("sub {T} {0}, {1}", bits, w.apply("zext {T} {0} to {R}", above, result="i32"))
    bits = w.apply("or {T} {0}, {1}", bits, w.apply("zext {T} {0} to {R}", inexact, result="i32"))
    return w.apply("bitcast {T} {0} to {R}", bits, result="float")


def _abs(w: Writer, value: Operand) -> Operand:
    return w.apply("call {T} @llvm.fabs.{S}({T} {0})", value)


def _wide(w: Writer, bits: Operand) -> Operand:
    return w.apply("zext {T} {0} to {R}", bits, result="i32")


def _half_to_float(w: Writer, bits: Operand) -> Operand:
    """By scaling: the magnitude's bits, read as f32 and multiplied by 2^112, are right for all finite
    values, subnormal ones included; infinities and NaN get the largest exponent."""
    wide = _wide(w, bits)
    magnitude = w.apply("and {T} {0}, {1}", wide, integer(0x7FFF, "i32"))
    shifted = w.apply("shl {T} {0}, {1}", magnitude, integer(13, "i32"))
    scaled = w.apply(
        "fmul {T} {0}, {1}",
        w.apply("bitcast {T} {0} to {R}", shifted, result="float"),
        Operand(double(2.0**112), "float"),
    )
    finite = w.apply("bitcast {T} {0} to {R}", scaled, result="i32")
    # The hardware's conversion makes a signalling NaN quiet; so does this.
    special = w.apply("or {T} {0}, {1}", shifted, integer(0x7F800000, "i32"))
    is_nan = w.apply("icmp ugt {T} {0}, {1}", magnitude, integer(0x7C00, "i32"), result="i1")
    quiet = w.select(is_nan, integer(0x00400000, "i32"), integer(0, "i32"))
    special = w.apply("or {T} {0}, {1}", special, quiet)
    is_special = w.apply("icmp uge {T} {0}, {1}", magnitude, integer(0x7C00, "i32"), result="i1")
    chosen = w.select(is_special, special, finite)
    sign = w.apply("and {T} {0}, {1}", wide, integer(0x8000, "i32"))
    signed = w.apply("or {T} {0}, {1}", chosen, w.apply("shl {T} {0}, {1}", sign, integer(16, "i32")))
    return w.apply("bitcast {T} {0} to {R}", signed, result="float")


def _float_to_half(w: Writer, value: Operand) -> Operand:
    """Normal results by integer rounding of the rebiased bits, subnormal ones by adding 0.5 in f32, whose
    last bit then weighs 2^-24 (F. Giesen, "float->half variants", 2012)."""
    bits = w.apply("bitcast {T} {0} to {R}", value, result="i32")
    magnitude = w.apply("and {T} {0}, {1}", bits, integer(0x7FFFFFFF, "i32"))
    odd = w.apply(
        "and {T} {0}, {1}",
        w.apply("lshr {T} {0}, {1}", magnitude, integer(13, "i32")),
        integer(1, "i32"),
    )
    rebiased = w.apply("add {T} {0}, {1}", magnitude, integer(((15 - 127) << 23) + 0xFFF, "i32"))
    normal = w.apply("lshr {T} {0}, {1}", w.apply("add {T} {0}, {1}", rebiased, odd), integer(13, "i32"))
    half = Operand(double(0.5), "float")
    added = w.apply("fadd {T} {0}, {1}", w.apply("bitcast {T} {0} to {R}", magnitude, result="float"), half)
    small = w.apply(
        "sub {T} {0}, {1}",
        w.apply("bitcast {T} {0} to {R}", added, result="i32"),
        integer(126 << 23, "i32"),
    )
    is_small = w.apply("icmp ult {T} {0}, {1}", magnitude, integer(113 << 23, "i32"), result="i1")
    finite = w.select(is_small, small, normal)
    # 65520 and above round to infinity; a NaN keeps its leading payload bits and becomes quiet.
    is_nan = w.apply("icmp ugt {T} {0}, {1}", magnitude, integer(255 << 23, "i32"), result="i1")
    payload = w.apply(
        "and {T} {0}, {1}",
        w.apply("lshr {T} {0}, {1}", magnitude, integer(13, "i32")),
        integer(0x3FF, "i32"),
    )
    payload = w.apply("or {T} {0}, {1}", payload, integer(0x7E00, "i32"))
    special = w.select(is_nan, payload, integer(0x7C00, "i32"))
    is_special = w.apply("icmp uge {T} {0}, {1}", magnitude, integer(0x477FF000, "i32"), result="i1")
    chosen = w.select(is_special, special, finite)
    sign = w.apply(
        "and {T} {0}, {1}",
        w.apply("lshr {T} {0}, {1}", bits, integer(16, "i32")),
        integer(0x8000, "i32"),
    )
    return w.apply("trunc {T} {0} to {R}", w.apply("or {T} {0}, {1}", chosen, sign), result="i16")


def _float_to_bfloat(w: Writer, value: Operand) -> Operand:
    bits = w.apply("bitcast {T} {0} to {R}", value, result="i32")
    high = w.apply("lshr {T} {0}, {1}", bits, integer(16, "i32"))
    odd = w.apply("and {T} {0}, {1}", high, integer(1, "i32"))
    biased = w.apply("add {T} {0}, {1}", bits, integer(0x7FFF, "i32"))
    rounded = w.apply("lshr {T} {0}, {1}", w.apply("add {T} {0}, {1}", biased, odd), integer(16, "i32"))
    quiet = w.apply("or {T} {0}, {1}", high, integer(0x40, "i32"))
    is_nan = w.apply("fcmp uno {T} {0}, {0}", value, result="i1")
    return w.apply("trunc {T} {0} to {R}", w.select(is_nan, quiet, rounded), result="i16")
