"""Finds the f64 numbers closest to multiples of pi/2: python -m tests.math.tools.near_quarters [count].

For each exponent e the best approximations of 2**e / (pi/2) by fractions are the convergents of its continued
fraction (W. Kahan, Minimizing q*m - n, 1983; J.-M. Muller, Elementary Functions, chapter on range reduction).
"""

from __future__ import annotations

import math
import sys

import mpmath

DIGITS = 1400
"""Binary ones: 1024 of the largest float, and what is left of it modulo pi/2 to more than a significand."""


def nearest_of(exponent: int) -> tuple[float, float] | None:
    """(distance, x): x = m * 2**exponent is closest to a multiple of pi/2, of all m with at most 53 bits."""
    quarter = mpmath.pi / 2
    rest = mpmath.ldexp(1, exponent) / quarter
    before, now = (0, 1), (1, 0)  # numerators and denominators of two convergents
    while True:
        whole = int(mpmath.floor(rest))
        following = whole * now[0] + before[0], whole * now[1] + before[1]
        if following[1] >= 2**53:
            break
        before, now = now, following
        rest = 1 / (rest - whole)
    if not now[0] or not now[1]:
        return None
    distance = abs(mpmath.ldexp(now[1], exponent) - now[0] * quarter)
    return float(distance), math.ldexp(now[1], exponent)


def nearest(count: int) -> list[float]:
    """The floats closest to a multiple of pi/2, the closest one first."""
    with mpmath.workprec(DIGITS):
        found = {
            x: distance for exponent in range(-1, 971) for distance, x in [nearest_of(exponent) or (1.0, 0.0)]
        }
    return sorted(found, key=found.__getitem__)[:count]


if __name__ == "__main__":
    print(*(x.hex() for x in nearest(int(sys.argv[1]) if len(sys.argv) > 1 else 24)), sep="\n")
