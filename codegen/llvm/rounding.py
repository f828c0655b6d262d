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
    # Adding and subtracting 2^fraction_bits rounds a smaller magnitude to the nearest integer; a correction
    # by one gives the other directions. Larger values are integers, or NaN.
    magic = Operand(double(2.0 ** FRACTION_BITS[x.type]), x.type)
    one = Operand(double(1.0), x.type)
    magnitude = absolute(w, x)
    nearest = w.binary("fsub", w.binary("fadd", magnitude, magic), magic)
    if name == "trunc":
        nearest = _adjust(w, nearest, "ogt", magnitude, "fsub", one)
    nearest = copysign(w, nearest, x)
    if name == "floor":
        nearest = copysign(w, _adjust(w, nearest, "ogt", x, "fsub", one), x)
    if name == "ceil":
        nearest = copysign(w, _adjust(w, nearest, "olt", x, "fadd", one), x)
    small = w.compare("fcmp olt", magnitude, magic)
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
    magnitude, divisor = (w.convert("bitcast", absolute(w, value), kind) for value in (x, y))
    ex, mx = _decompose(w, magnitude, fraction, _EXPONENT_MASK[x.type])
    ey, my = _decompose(w, divisor, fraction, _EXPONENT_MASK[x.type])
    scale = _leading_zeros(w, my, fraction)
    my = w.binary("shl", my, scale)
    infinity = Operand(double(float("inf")), x.type)
    valid = w.compare("fcmp olt", absolute(w, x), infinity)
    nonzero = w.compare("fcmp one", y, Operand(double(0.0), x.type))
    valid = w.binary("and", valid, nonzero)
    steps = w.binary("add", w.binary("sub", ex, ey), scale)
    steps = w.splat(w.select(valid, steps, integer(-1, kind)), width)
    remainder = _long_division(w, mx, my, steps, kind)
    # The remainder, below my, counts units of y's last place; where x's exponent was smaller, x it is.
    smaller = w.compare("icmp slt", steps, integer(0, kind))
    value = _compose(w, w.binary("lshr", remainder, scale), ey, fraction, x.type, kind)
    value = copysign(w, w.select(smaller, absolute(w, x), value), x)
    nan = Operand(double(float("nan")), x.type)
    invalid = w.binary("fadd", w.binary("fadd", x, y), nan)
    return w.select(valid, value, invalid)


def _leading_zeros(w: Writer, significand: Operand, fraction: int) -> Operand:
    """Returns how far a subnormal's significand lies below a normal one."""
    bits = int(significand.type[1:])
    safe = w.binary("or", significand, integer(1, significand.type))
    zeros = w.apply("call {T} @llvm.ctlz.{S}({T} {0}, i1 true)", safe)
    return w.binary("sub", zeros, integer(bits - 1 - fraction, significand.type))


def _decompose(w: Writer, bits: Operand, fraction: int, mask: int) -> tuple[Operand, Operand]:
    """Biased exponent (1 for subnormals) and significand, of a magnitude's bits."""
    kind = bits.type
    field = w.binary("and", w.binary("lshr", bits, integer(fraction, kind)), integer(mask, kind))
    stored = w.binary("and", bits, integer((1 << fraction) - 1, kind))
    subnormal = w.compare("icmp eq", field, integer(0, kind))
    full = w.binary("or", stored, integer(1 << fraction, kind))
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
    fits = w.compare("icmp uge", rest.operand, my)
    reduced = w.select(fits, w.binary("sub", rest.operand, my), rest.operand)
    active = w.compare("icmp sge", left.operand, integer(0, kind))
    again = w.compare("icmp sgt", left.operand, integer(0, kind))
    reduced = w.select(active, reduced, rest.operand)
    shifted = w.binary("shl", reduced, integer(1, kind))
    following = w.select(again, shifted, reduced)
    fewer = w.select(active, w.binary("sub", left.operand, integer(1, kind)), left.operand)
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
    return w.compare("icmp ne", bits, integer(0, bits.type))


def _compose(
    w: Writer, significand: Operand, exponent: Operand, fraction: int, kind: str, bits: str
) -> Operand:
    """significand * 2^(exponent - bias - fraction), exact: convert, then scale by a power of two.

    The integer has at most fraction + 1 bits. The scale is applied in two exact steps, as its exponent may
    lie below the normal range.
    """
    value = w.convert("sitofp", significand, kind)
    first = w.binary("sub", exponent, integer(fraction, bits))
    # 2^(first - bias): normal if first >= 1; else scale by 2^(first + fraction - bias) and by 2^-fraction.
    low = w.compare("icmp slt", first, integer(1, bits))
    stored = w.select(low, exponent, first)
    scale = w.convert("bitcast", w.binary("shl", stored, integer(fraction, bits)), kind)
    rest = w.select(low, Operand(double(2.0**-fraction), kind), Operand(double(1.0), kind))
    return w.binary("fmul", w.binary("fmul", value, rest), scale)
