"""floor, ceil, trunc, rint and fmod of floats without library calls, exact, keeping -0.0."""

from __future__ import annotations

from .spelling import double
from .target import VectorTarget
from .writer import Operand, Writer, integer

_INTRINSIC = {"floor": "floor", "ceil": "ceil", "trunc": "trunc", "rint": "rint"}
FRACTION_BITS = {"float": 23, "double": 52}
_BITS = {"float": "i32", "double": "i64"}
_EXPONENT_MASK = {"float": 0xFF, "double": 0x7FF}


def absolute(w: Writer, x: Operand) -> Operand:
    return w.apply("call {T} @llvm.fabs.{S}({T} {0})", x)


def copysign(w: Writer, x: Operand, y: Operand) -> Operand:
    return w.apply("call {T} @llvm.copysign.{S}({T} {0}, {T} {1})", x, y)


def round_to_integer(w: Writer, target: VectorTarget, name: str, x: Operand) -> Operand:
    """One of floor, ceil, trunc, rint (to nearest even)."""
    if target.has_round:
        return w.apply("call {T} @llvm." + _INTRINSIC[name] + ".{S}({T} {0})", x)
    # Adding and subtracting 2^fraction_bits rounds a smaller magnitude to the nearest integer; a
    # correction by one turns that into the direction wanted. Larger values are integers, or NaN.
    magic = Operand(double(2.0 ** FRACTION_BITS[x.type]), x.type)
    one = Operand(double(1.0), x.type)
    magnitude = absolute(w, x)
    nearest = w.apply("fsub {T} {0}, {1}", w.apply("fadd {T} {0}, {1}", magnitude, magic), magic)
    if name == "trunc":
        nearest = _adjust(w, nearest, "ogt", magnitude, "fsub", one)
    nearest = copysign(w, nearest, x)
    if name == "floor":
        nearest = copysign(w, _adjust(w, nearest, "ogt", x, "fsub", one), x)
    if name == "ceil":
        nearest = copysign(w, _adjust(w, nearest, "olt", x, "fadd", one), x)
    small = w.apply("fcmp olt {T} {0}, {1}", magnitude, magic, result="i1")
    return w.select(small, nearest, x)


def _adjust(w: Writer, value: Operand, order: str, than: Operand, op: str, one: Operand) -> Operand:
    off = w.apply("fcmp " + order + " {T} {0}, {1}", value, than, result="i1")
    return w.select(off, w.apply(op + " {T} {0}, {1}", value, one), value)


def fmod(w: Writer, x: Operand, y: Operand) -> Operand:
    """x - y * trunc(x / y) computed exactly: long division of the significands, one bit a step.

    A vector runs as many steps as its largest difference of exponents.
    """
    width = max(x.width, y.width)
    x, y = w.splat(x, width), w.splat(y, width)
    kind, fraction = _BITS[x.type], FRACTION_BITS[x.type]
    magnitude, divisor = (
        w.apply("bitcast {T} {0} to {R}", absolute(w, value), result=kind) for value in (x, y)
    )
    ex, mx = _decompose(w, magnitude, fraction, _EXPONENT_MASK[x.type])
    ey, my = _decompose(w, divisor, fraction, _EXPONENT_MASK[x.type])
    scale = _leading_zeros(w, my, fraction)
    my = w.apply("shl {T} {0}, {1}", my, scale)
    infinity = Operand(double(float("inf")), x.type)
    valid = w.apply("fcmp olt {T} {0}, {1}", absolute(w, x), infinity, result="i1")
    nonzero = w.apply("fcmp one {T} {0}, {1}", y, Operand(double(0.0), x.type), result="i1")
    valid = w.apply("and {T} {0}, {1}", valid, nonzero)
    steps = w.apply("add {T} {0}, {1}", w.apply("sub {T} {0}, {1}", ex, ey), scale)
    steps = w.splat(w.select(valid, steps, integer(-1, kind)), width)
    remainder = _long_division(w, mx, my, steps, kind)
    # The remainder, below my, counts units of y's last place; where x's exponent was smaller, x it is.
    smaller = w.apply("icmp slt {T} {0}, {1}", steps, integer(0, kind), result="i1")
    value = _compose(w, w.apply("lshr {T} {0}, {1}", remainder, scale), ey, fraction, x.type, kind)
    value = copysign(w, w.select(smaller, absolute(w, x), value), x)
    nan = Operand(double(float("nan")), x.type)
    invalid = w.apply("fadd {T} {0}, {1}", w.apply("fadd {T} {0}, {1}", x, y), nan)
    return w.select(valid, value, invalid)


def _leading_zeros(w: Writer, significand: Operand, fraction: int) -> Operand:
    """How far a subnormal's significand lies below a normal one."""
    bits = int(significand.type[1:])
    safe = w.apply("or {T} {0}, {1}", significand, integer(1, significand.type))
    zeros = w.apply("call {T} @llvm.ctlz.{S}({T} {0}, i1 true)", safe)
    return w.apply("sub {T} {0}, {1}", zeros, integer(bits - 1 - fraction, significand.type))


def _decompose(w: Writer, bits: Operand, fraction: int, mask: int) -> tuple[Operand, Operand]:
    """Biased exponent (1 for subnormals) and significand, of a magnitude's bits."""
    kind = bits.type
    field = w.apply(
        "and {T} {0}, {1}",
        w.apply("lshr {T} {0}, {1}", bits, integer(fraction, kind)),
        integer(mask, kind),
    )
    stored = w.apply("and {T} {0}, {1}", bits, integer((1 << fraction) - 1, kind))
    subnormal = w.apply("icmp eq {T} {0}, {1}", field, integer(0, kind), result="i1")
    full = w.apply("or {T} {0}, {1}", stored, integer(1 << fraction, kind))
    return w.select(subnormal, integer(1, kind), field), w.select(subnormal, stored, full)


def _long_division(w: Writer, mx: Operand, my: Operand, steps: Operand, kind: str) -> Operand:
    """mx modulo my, after shifting mx left `steps` times; lanes with negative steps stay as they are."""
    width = max(mx.width, my.width)
    mx, my = w.splat(mx, width), w.splat(my, width)
    before, head, done = w.block, w.label("fmod"), w.label("fmod_end")
    w.jump(head)
    w.start(head)
    spot = w.place()
    left = w.phi(spot, kind, width, (steps, before))
    rest = w.phi(spot, kind, width, (mx, before))
    w.enter_branch()
    fits = w.apply("icmp uge {T} {0}, {1}", rest.operand, my, result="i1")
    reduced = w.select(fits, w.apply("sub {T} {0}, {1}", rest.operand, my), rest.operand)
    active = w.apply("icmp sge {T} {0}, {1}", left.operand, integer(0, kind), result="i1")
    again = w.apply("icmp sgt {T} {0}, {1}", left.operand, integer(0, kind), result="i1")
    reduced = w.select(active, reduced, rest.operand)
    shifted = w.apply("shl {T} {0}, {1}", reduced, integer(1, kind))
    following = w.select(again, shifted, reduced)
    fewer = w.select(active, w.apply("sub {T} {0}, {1}", left.operand, integer(1, kind)), left.operand)
    left.close(fewer, head)
    rest.close(following, head)
    w.branch(any_lane(w, again), head, done)
    w.leave()
    w.start(done)
    return Operand(following.text, kind, width, w.depth)


def lane_bits(w: Writer, mask: Operand) -> Operand:
    """A mask as an integer, lane 0 its lowest bit."""
    return w.pure(f"bitcast {mask.spelled} to i{mask.width}", f"i{mask.width}", 1, (mask,))


def any_lane(w: Writer, mask: Operand) -> Operand:
    """Whether a lane is set."""
    if mask.width == 1:
        return mask
    bits = lane_bits(w, mask)
    return w.apply("icmp ne {T} {0}, {1}", bits, integer(0, bits.type), result="i1")


def _compose(
    w: Writer, significand: Operand, exponent: Operand, fraction: int, kind: str, bits: str
) -> Operand:
    """significand * 2^(exponent - bias - fraction), exact: convert, then scale by a power of two.

    The integer has at most fraction + 1 bits. The scale is applied in two exact steps, as its exponent may
    lie below the normal range.
    """
    value = w.apply("sitofp {T} {0} to {R}", significand, result=kind)
    first = w.apply("sub {T} {0}, {1}", exponent, integer(fraction, bits))
    # 2^(first - bias): normal if first >= 1; else scale by 2^(first + fraction - bias) and by 2^-fraction.
    low = w.apply("icmp slt {T} {0}, {1}", first, integer(1, bits), result="i1")
    stored = w.select(low, exponent, first)
    scale = w.apply(
        "bitcast {T} {0} to {R}", w.apply("shl {T} {0}, {1}", stored, integer(fraction, bits)), result=kind
    )
    rest = w.select(low, Operand(double(2.0**-fraction), kind), Operand(double(1.0), kind))
    return w.apply("fmul {T} {0}, {1}", w.apply("fmul {T} {0}, {1}", value, rest), scale)
