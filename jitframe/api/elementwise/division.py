"""Divisions and powers of arrays, and functions composed of them."""

from __future__ import annotations

from typing import Any

from ...functions import division, late
from ..calls import call
from ..registry import public
from .ufunc import Public, all_made, binary, pair


@public("elementwise", sample=lambda s: (s.x, s.x))
def divmod(
    x1: Any, x2: Any, out1: Any = None, out2: Any = None, /, *, out: Any = (None, None), where: Any = True,
    casting: Any = "same_kind", order: Any = "K", dtype: Any = None, subok: bool = True,
    signature: Any = None,
) -> tuple[Any, Any]:  # fmt: skip
    """(x1 // x2, x1 % x2): the quotients rounded down, and the remainders, with the sign of `x2`.

    Shape: the operands' shapes broadcast. `out` is a tuple of two arrays, or of None in the place of one.

    >>> quotient, rest = jf.divmod([7, -7], 3)
    >>> quotient.numpy(), rest.numpy()
    (array([ 2, -3]), array([1, 2]))
    """
    results = call(division.divmod, (x1, x2))
    return pair(
        "divmod", results, (out1, out2), out,
        where=where, casting=casting, order=order, dtype=dtype, signature=signature,
    )  # fmt: skip


UFUNCS: dict[str, Public] = all_made(
    __name__,
    binary(
        "floor_divide", division.floor_divide, "same",
        "`x1 // x2`: the quotients rounded down. Integers: x // 0 is 0.",
        ("[7, -7], 2", "array([ 3, -4])"),
    ),
    binary(
        "remainder", division.remainder, "same",
        "`x1 % x2`: what `floor_divide` leaves, with the sign of `x2`. Integers: x % 0 is 0.",
        ("[7, -7], 3", "array([1, 2])"),
        numpy=("remainder", "mod"),
    ),
    binary(
        "fmod", division.fmod, "same",
        "What division leaves, as C has it: with the sign of `x1`.",
        ("[7, -7], 3", "array([ 1, -1])"),
        math="fmod",
    ),
    binary(
        "gcd", division.gcd, "integer",
        "The greatest common divisor, which is not negative; gcd(x, 0) is |x|.",
        ("[12, 18], 8", "array([4, 2])"),
    ),
    binary(
        "lcm", division.lcm, "integer",
        "The least common multiple, which is not negative; lcm(x, 0) is 0. It wraps around.",
        ("[4, 6], 10", "array([20, 30])"),
    ),
    binary(
        "pow", division.power, "same",
        "`x1 ** x2`. Integers to a negative power: ArgumentError; they wrap around.",
        ("[1, 2, 3], 2", "array([1, 4, 9])"),
        numpy=("power", "pow"), math="pow", sample=lambda s: (s.x, 2),
    ),
    binary(
        "float_power", late("numeric", "float_power"), "float64",
        "`x1 ** x2` in float64.",
        ("[1, 2, 3], -1", "array([1.        , 0.5       , 0.33333333])"),
    ),
)  # fmt: skip
"""Functions with a ufunc's arguments, by the array API's names."""
