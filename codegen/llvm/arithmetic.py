"""Arithmetic, comparisons and bit operations: kernel instructions as LLVM templates over operands."""

from __future__ import annotations

from collections.abc import Callable

from ...ir.record import record
from ...ir.types import F16, DType
from .division import floor_divide, floor_modulo
from .halves import narrow, widen
from .rounding import absolute, copysign, fmod, round_to_integer
from .spelling import double, is_nan
from .target import UnsupportedKernel, VectorTarget
from .writer import Operand, Writer, integer


class Machine(metaclass=record):
    """The context of an operation's template: the writer, the target, and whether fastmath is allowed."""

    writer: Writer
    target: VectorTarget
    fast: str = ""
    """Fast-math flags of + - * /, with a trailing space."""


Form = Callable[[Machine, DType, tuple[Operand, ...]], Operand]


def _plain(template: str) -> Form:
    return lambda m, dtype, xs: m.writer.apply(template, *xs)


def _flagged(op: str) -> Form:
    return lambda m, dtype, xs: m.writer.apply(op + " " + m.fast + "{T} {0}, {1}", *xs)


def _rounding(name: str) -> Form:
    return lambda m, dtype, xs: round_to_integer(m.writer, m.target, name, xs[0])


def _float_negate(m: Machine, dtype: DType, xs: tuple[Operand, ...]) -> Operand:
    return m.writer.apply("fneg {T} {0}", *xs)


def _fma(m: Machine, dtype: DType, xs: tuple[Operand, ...]) -> Operand:
    if not m.target.has_fma:
        raise UnsupportedKernel(f"fma: {m.target.simd} has no fused multiply-add; expand it first")
    return m.writer.apply("call {T} @llvm.fma.{S}({T} {0}, {T} {1}, {T} {2})", *xs)


def _scaling(name: str, middle: str = "") -> Form:
    """Returns the call of an AVX-512 instruction that exists for every width; `middle` stands after its first
    operand."""

    def form(m: Machine, dtype: DType, xs: tuple[Operand, ...]) -> Operand:
        if not m.target.has_scaling:
            raise UnsupportedKernel(f"{name}: {m.target.simd} has no instruction for it; expand it first")
        w, width = m.writer, max(x.width for x in xs)
        if width > m.target.lanes(dtype.bits):
            return w.by_halves(lambda *halves: form(m, dtype, halves), *xs)
        bits = max(128, width * dtype.bits)
        lanes, letter = bits // dtype.bits, "s" if dtype.bits == 32 else "d"
        every, rounding = f"i{max(8, lanes)} -1", ", i32 4" if bits == 512 else ""
        operand = w.apply(
            f"call {{T}} @llvm.x86.avx512.mask.{name}.p{letter}.{bits}"
            f"({{T}} {{0}}, {middle}{{T}} {{0}}, {every}{rounding})",
            *(w.widened(x, lanes) for x in xs),
        )
        return operand if width == lanes else w.shuffle(operand, range(width))

    return form


def _float_extremum(order: str) -> Form:
    def form(m: Machine, dtype: DType, xs: tuple[Operand, ...]) -> Operand:
        # A NaN is the result, the first of two. Of two equal zeros NumPy takes the second, and of float16's
        # the first. An ordered comparison is false for NaN, which picks y; an unordered one picks x.
        x, y = xs
        w = m.writer
        compared = order + ("e" if dtype is F16 else "t")
        ordered = "u" if _is_number(y) else "o"
        chosen = w.select(w.apply(f"fcmp {ordered}{compared} {{T}} {{0}}, {{1}}", x, y, result="i1"), x, y)
        if _is_number(x) or _is_number(y):
            return chosen
        return w.select(w.apply("fcmp uno {T} {0}, {0}", x, result="i1"), x, chosen)

    return form


def _is_number(x: Operand) -> bool:
    """Whether a float is a constant other than NaN."""
    return "0x" in x.text and not is_nan(x.text)


def _integer_extremum(name: str) -> Form:
    def form(m: Machine, dtype: DType, xs: tuple[Operand, ...]) -> Operand:
        sign = "s" if dtype.is_signed else "u"
        return m.writer.apply(f"call {{T}} @llvm.{sign}{name}.{{S}}({{T}} {{0}}, {{T}} {{1}})", *xs)

    return form


def _integer_abs(m: Machine, dtype: DType, xs: tuple[Operand, ...]) -> Operand:
    if not dtype.is_signed:
        return xs[0]
    return m.writer.apply("call {T} @llvm.abs.{S}({T} {0}, i1 false)", *xs)


def _shift(left: bool) -> Form:
    def form(m: Machine, dtype: DType, xs: tuple[Operand, ...]) -> Operand:
        x, count = xs
        w = m.writer
        op = "shl" if left else ("ashr" if dtype.is_signed else "lshr")
        if count.literal is not None and 0 <= count.literal < dtype.bits:
            return w.apply(op + " {T} {0}, {1}", x, count)
        # Unsigned comparison: a negative count is a large one.
        fits = w.compare("icmp ult", count, integer(dtype.bits, count.type))
        if op == "ashr":
            return w.binary("ashr", x, w.select(fits, count, integer(dtype.bits - 1, count.type)))
        return w.select(fits, w.apply(op + " {T} {0}, {1}", x, count), integer(0, count.type))

    return form


def _position_division(op: str) -> Form:
    return _plain(op + " {T} {0}, {1}")


FLOAT: dict[str, Form] = {
    "add": _flagged("fadd"),
    "sub": _flagged("fsub"),
    "mul": _flagged("fmul"),
    "div": _flagged("fdiv"),
    "neg": _float_negate,
    "abs": lambda m, dtype, xs: absolute(m.writer, xs[0]),
    "fmod": lambda m, dtype, xs: fmod(m.writer, *xs),
    "minimum": _float_extremum("l"),
    "maximum": _float_extremum("g"),
    "fma": _fma,
    "sqrt": _plain("call {T} @llvm.sqrt.{S}({T} {0})"),
    "floor": _rounding("floor"),
    "ceil": _rounding("ceil"),
    "trunc": _rounding("trunc"),
    "rint": _rounding("rint"),
    "copysign": lambda m, dtype, xs: copysign(m.writer, *xs),
    "scale": _scaling("scalef", "{T} {1}, "),
    "exponent": _scaling("getexp"),
    # 8: NaN of negative numbers; 3: from 3/4 to 3/2, not from 1 to 2.
    "significand": _scaling("getmant", "i32 8, "),
    "significand_near_one": _scaling("getmant", "i32 11, "),
}


# Of these, most kernels need none.
def _floor_divide(m: Machine, dtype: DType, xs: tuple[Operand, ...]) -> Operand:
    return floor_divide(m.writer, dtype, *xs)


def _floor_modulo(m: Machine, dtype: DType, xs: tuple[Operand, ...]) -> Operand:
    return floor_modulo(m.writer, dtype, *xs)


INTEGER: dict[str, Form] = {
    "add": _plain("add {T} {0}, {1}"),
    "sub": _plain("sub {T} {0}, {1}"),
    "mul": _plain("mul {T} {0}, {1}"),
    "neg": lambda m, dtype, xs: m.writer.apply("sub {T} {0}, {1}", integer(0, xs[0].type), *xs),
    "abs": _integer_abs,
    "floordiv": _floor_divide,
    "floormod": _floor_modulo,
    "quotient": _position_division("udiv"),
    "remainder": _position_division("urem"),
    "minimum": _integer_extremum("min"),
    "maximum": _integer_extremum("max"),
    "and": _plain("and {T} {0}, {1}"),
    "or": _plain("or {T} {0}, {1}"),
    "xor": _plain("xor {T} {0}, {1}"),
    "not": lambda m, dtype, xs: m.writer.apply("xor {T} {0}, {1}", *xs, integer(-1, xs[0].type)),
    "shift_left": _shift(left=True),
    "shift_right": _shift(left=False),
}

BOOLEAN: dict[str, Form] = {
    "and": _plain("and {T} {0}, {1}"),
    "or": _plain("or {T} {0}, {1}"),
    "xor": _plain("xor {T} {0}, {1}"),
    "minimum": _plain("and {T} {0}, {1}"),
    "maximum": _plain("or {T} {0}, {1}"),
    "not": lambda m, dtype, xs: m.writer.apply("xor {T} {0}, {1}", *xs, Operand("true", "i1")),
}

# Work on the bits of 16-bit floats, which are held as such.
_HALF_BITS: dict[str, Callable[[Writer, tuple[Operand, ...]], Operand]] = {
    "neg": lambda w, xs: w.apply("xor {T} {0}, {1}", *xs, integer(-0x8000, "i16")),
    "abs": lambda w, xs: w.apply("and {T} {0}, {1}", *xs, integer(0x7FFF, "i16")),
    "copysign": lambda w, xs: w.binary(
        "or", w.binary("and", xs[0], integer(0x7FFF, "i16")), w.binary("and", xs[1], integer(-0x8000, "i16"))
    ),
}


def is_short_float(dtype: DType) -> bool:
    """Whether a float is stored as its bits and computed with in f32."""
    return dtype.is_float and dtype.bits == 16


def arithmetic(m: Machine, name: str, dtype: DType, operands: tuple[Operand, ...]) -> Operand:
    """The value of an arithmetic instruction on operands of `dtype`."""
    if is_short_float(dtype):
        if (on_bits := _HALF_BITS.get(name)) is not None:
            return on_bits(m.writer, operands)
        wide = tuple(widen(m.writer, m.target, dtype.name, operand) for operand in operands)
        return narrow(m.writer, m.target, dtype.name, FLOAT[name](m, dtype, wide))
    table = FLOAT if dtype.is_float else BOOLEAN if dtype.kind == "bool" else INTEGER
    return table[name](m, dtype, operands)


def compare(m: Machine, name: str, dtype: DType, x: Operand, y: Operand) -> Operand:
    """A comparison; NaN is unequal to everything and in no order."""
    w = m.writer
    if is_short_float(dtype):
        x, y = (widen(w, m.target, dtype.name, operand) for operand in (x, y))
    if dtype.is_float:
        return w.apply(f"fcmp {'u' if name == 'ne' else 'o'}{name} {{T}} {{0}}, {{1}}", x, y, result="i1")
    sign = "" if name in ("eq", "ne") else "s" if dtype.is_signed else "u"
    return w.apply(f"icmp {sign}{name} {{T}} {{0}}, {{1}}", x, y, result="i1")


def zero(dtype: DType, type_: str) -> Operand:
    """The constant 0 of a register type."""
    if type_ in ("float", "double"):
        return Operand(double(0.0), type_)
    return Operand("false", "i1") if type_ == "i1" else integer(0, type_)
