"""Logarithms by tables, for targets that look up as cheaply as they add and take floats apart in one step.

x = 2**e * m with m in [1, 2), denormals included. The leading bits of m choose 1/c, which is so short that
f in 1 + f = m / c is exact, and |f| <= 1/16 (f64: 16 cells) or 1/32 (f32: 32 cells); and the logarithm of c
in two parts, of which the first is so short that its sum with the exponent's part is exact (P. T. P. Tang,
Table-Driven Implementation of the Logarithm Function in IEEE Floating-Point Arithmetic, ACM TOMS 16, 1990).
The first c is 1 and the last is 2: on both sides of 1 nothing but f is left. Zeros, infinities, NaN and
negative numbers need no care: their exponents and significands make the results.

log and log10 of f32 are polynomials of pieces instead: x = 2**e * m with m in [3/4, 3/2); r = m - 1 is exact,
and beside 1 nothing else is left. log(1 + r) = unit * r + r**2 * S(r), where four bits of m choose one of 16
polynomials S. As r is at most 1/2, errors of S count little. log2 keeps its table: there the exponent's part
is exact, and here it would cancel what is rounded.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...ir.record import record
from ..kernel.nodes import Value
from . import coefficients, tables
from .arithmetic import Arithmetic
from .double_word import ordered_sum, product
from .tables import LN_PIECES, LOG10_PIECES, LOG_PIECES_SHIFT


class Base(metaclass=record):
    """A base of logarithms, in one format."""

    polynomial: tuple[float, ...]
    """log(1 + f) = unit * f + f**2 * polynomial(f)."""
    unit: float
    unit_low: float
    """What `unit` lacks."""
    of_two: tuple[float, float]
    high: tuple[float, ...]
    low: tuple[float, ...]


NATURAL = {
    "f32": Base(
        coefficients.NEAR_LOG_F32, 1.0, 0.0, tables.LN_OF_2_F32, tables.LN_F32_HIGH, tables.LN_F32_LOW
    ),
    "f64": Base(
        coefficients.NEAR_LOG_F64, 1.0, 0.0, tables.LN_OF_2_F64, tables.LN_F64_HIGH, tables.LN_F64_LOW
    ),
}
BINARY = {
    "f32": Base(
        coefficients.NEAR_LOG2_F32,
        1.4426950408889634,
        0.0,
        tables.LOG2_OF_2_F32,
        tables.LOG2_F32_HIGH,
        tables.LOG2_F32_LOW,
    ),
    "f64": Base(
        coefficients.NEAR_LOG2_F64,
        1.4426950408889634,
        2.0355273740931033e-17,
        tables.LOG2_OF_2_F64,
        tables.LOG2_F64_HIGH,
        tables.LOG2_F64_LOW,
    ),
}
DECIMAL_F64 = Base(
    coefficients.NEAR_LOG10_F64,
    0.4342944819032518,
    1.098319650216765e-17,
    tables.LOG10_OF_2_F64,
    tables.LOG10_F64_HIGH,
    tables.LOG10_F64_LOW,
)
RECIPROCALS = {"f32": tables.RECIPROCALS_F32, "f64": tables.RECIPROCALS_F64}


def logarithm(a: Arithmetic, x: Value, base: Base) -> Value:
    """The logarithm of any x."""
    exponent, place, m = parts(a, x)
    f = a.multiply_add(m, a.lookup(RECIPROCALS[a.format.dtype.name], place), a.number(-1.0))
    whole, rest = of_cell(a, base, exponent, place)
    rest = a.multiply_add(f * f, a.polynomial(f, base.polynomial), rest)
    if a.format.width < 64:
        return whole + a.multiply_add(f, a.number(base.unit), rest)
    linear = f
    if base.unit_low:
        linear, lost = product(a, f, a.number(base.unit))
        rest = a.multiply_add(f, a.number(base.unit_low), lost) + rest
    return _with_rest(a, whole, linear, rest)


def _with_rest(a: Arithmetic, whole: Value, linear: Value, rest: Value) -> Value:
    """whole + linear + rest, rounded once but for the last bits of `rest`; an infinite `whole` stays."""
    total, lost = ordered_sum(a, whole, linear)
    rest = lost + rest
    # NaN is no less than anything: it becomes finite.
    return total + a.select(rest < a.number(1.0), rest, a.number(1.0))


def logarithm_of_sum(a: Arithmetic, high: Value, low: Value, doublings: Value | None = None) -> Value:
    """The natural logarithm of (high + low) * 2**doublings, for a low of the size of the last bits of high.

    Where high is 0, infinite or NaN, low may be NaN.
    """
    base = NATURAL[a.format.dtype.name]
    exponent, place, m = parts(a, high)
    inverse = a.lookup(RECIPROCALS[a.format.dtype.name], place)
    f = a.multiply_add(m, inverse, a.number(-1.0))
    below = a.emit("scale", low, -exponent)
    # NaN is no less than anything: it becomes finite.
    below = a.select(below < a.number(1.0), below, a.number(1.0))
    total = a.multiply_add(below, inverse, f)
    lost = a.multiply_add(below, inverse, f - total)
    if doublings is not None:
        exponent = exponent + doublings
    whole, rest = of_cell(a, base, exponent, place)
    rest = rest + lost
    rest = a.multiply_add(total * total, a.polynomial(total, base.polynomial), rest)
    if a.format.width < 64:
        return whole + (total + rest)
    return _with_rest(a, whole, total, rest)


def parts(a: Arithmetic, x: Value) -> tuple[Value, Value, Value]:
    """(e, k, m) with x = 2**e * m; m's place in the tables is in the low bits of k."""
    m = a.emit("significand", x)
    cells = len(RECIPROCALS[a.format.dtype.name])
    place = a.to_unsigned(m) >> (a.format.mantissa + 1 - cells.bit_length())
    return a.emit("exponent", x), place, m


def of_cell(a: Arithmetic, base: Base, exponent: Value, place: Value) -> tuple[Value, Value]:
    """The logarithm of 2**exponent * c in two parts, of which the first is exact."""
    high, low = a.lookup(base.high, place), a.lookup(base.low, place)
    if base.of_two == (1.0, 0.0):
        return exponent + high, low
    two_high, two_low = base.of_two
    return a.multiply_add(exponent, a.number(two_high), high), a.multiply_add(
        exponent, a.number(two_low), low
    )


def cells(a: Arithmetic) -> int:
    """Entries of each table of the format."""
    return len(RECIPROCALS[a.format.dtype.name])


def magic_of_steps(a: Arithmetic) -> float:
    """Added to a small x it leaves x in units of 1 / cells, rounded, in the low bits."""
    return a.magic() / cells(a)


_LN_OF_2 = 0.6931471805599453
_LOG10_OF_E = 0.4342944819032518
_LOG10_OF_2 = (0.3010299801826477, 1.5481333548450493e-08)
"""In two parts. The second is not negative: infinite exponents keep their sign."""


def log_of_piece(a: Arithmetic, x: Value) -> Value:
    """The natural logarithm of any x of f32."""
    exponent, r, curve = _piece_of(a, x, LN_PIECES)
    rest = a.multiply_add(r * r, curve, r)
    return a.multiply_add(exponent, a.number(_LN_OF_2), rest)


def log10_of_piece(a: Arithmetic, x: Value) -> Value:
    """The decimal logarithm of any x."""
    exponent, r, curve = _piece_of(a, x, LOG10_PIECES)
    two, two_low = _LOG10_OF_2
    rest = a.multiply_add(r * r, curve, exponent * a.number(two_low))
    rest = a.multiply_add(r, a.number(_LOG10_OF_E), rest)
    return a.multiply_add(exponent, a.number(two), rest)


def _piece_of(a: Arithmetic, x: Value, columns: Sequence[Sequence[float]]) -> tuple[Value, Value, Value]:
    """(e, r, S(r)) with x = 2**e * (1 + r) and the coefficients of S by segment."""
    m = a.emit("significand_near_one", x)
    exponent = a.emit("exponent", x) - a.emit("exponent", m)
    r = m - a.number(1.0)
    place = a.to_unsigned(m) >> LOG_PIECES_SHIFT
    *lower, total = (a.lookup(column, place) for column in columns)
    for coefficient in reversed(lower):
        total = a.multiply_add(total, r, coefficient)
    return exponent, r, total
