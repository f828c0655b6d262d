"""Functions of f32 as polynomials of pieces, which leading bits of the argument choose.

For targets where lookups are as cheap as sums: every coefficient is looked up.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..kernel.nodes import Value
from .arithmetic import Arithmetic


def of_piece(
    a: Arithmetic, x: Value, leading: Value, centres: Sequence[float], columns: Sequence[Sequence[float]]
) -> Value:
    """sum(columns[k][i] * (x - centres[i])**k) for the piece i = leading modulo the number of pieces.

    The difference is exact; the constant term, which is added last, is all but exact.
    """
    r = a.sub(x, a.lookup(centres, leading))
    constant, *terms = [a.lookup(column, leading) for column in columns]
    power = r
    while len(terms) > 1:
        pairs = [a.multiply_add(power, odd, even) for even, odd in zip(terms[::2], terms[1::2])]
        terms = pairs + terms[2 * len(pairs) :]
        power = a.mul(power, power) if len(terms) > 1 else power
    return a.multiply_add(r, terms[0], constant)
