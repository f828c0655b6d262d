"""log and log10 of f32 as polynomials of pieces, for targets that look up as cheaply as they add and take
floats apart in one step.

x = 2**e * m with m in [3/4, 3/2), denormals included: r = m - 1 is exact, and beside 1 nothing else is left.
log(1 + r) = unit * r + r**2 * S(r), where four bits of m choose one of 16 polynomials S. As r is at most 1/2,
errors of S count little. Zeros, infinities, NaN and negative numbers need no care: their exponents and
significands make the results.

log2 stays with `by_table`: there the exponent's part is exact, and here it would cancel what is rounded.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..kernel.nodes import Value
from .arithmetic import Arithmetic
from .tables import LN_PIECES, LOG10_PIECES, LOG_PIECES_SHIFT

_LN_OF_2 = 0.6931471805599453
_LOG10_OF_E = 0.4342944819032518
_LOG10_OF_2 = (0.3010299801826477, 1.5481333548450493e-08)
"""In two parts. The second is not negative: infinite exponents keep their sign."""


def log(a: Arithmetic, x: Value) -> Value:
    """The natural logarithm of any x."""
    exponent, r, curve = _parts(a, x, LN_PIECES)
    rest = a.multiply_add(a.mul(r, r), curve, r)
    return a.multiply_add(exponent, a.number(_LN_OF_2), rest)


def log10(a: Arithmetic, x: Value) -> Value:
    """The decimal logarithm of any x."""
    exponent, r, curve = _parts(a, x, LOG10_PIECES)
    two, two_low = _LOG10_OF_2
    rest = a.multiply_add(a.mul(r, r), curve, a.mul(exponent, a.number(two_low)))
    rest = a.multiply_add(r, a.number(_LOG10_OF_E), rest)
    return a.multiply_add(exponent, a.number(two), rest)


def _parts(a: Arithmetic, x: Value, columns: Sequence[Sequence[float]]) -> tuple[Value, Value, Value]:
    """(e, r, S(r)) with x = 2**e * (1 + r) and the columns of coefficients of S by pieces."""
    m = a.emit("significand_near_one", x)
    exponent = a.sub(a.emit("exponent", x), a.emit("exponent", m))
    r = a.sub(m, a.number(1.0))
    place = a.shift_right(a.to_unsigned(m), LOG_PIECES_SHIFT)
    *lower, total = (a.lookup(column, place) for column in columns)
    for coefficient in reversed(lower):
        total = a.multiply_add(total, r, coefficient)
    return exponent, r, total
