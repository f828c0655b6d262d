"""Minimax polynomials by Remez's exchange, with coefficients rounded to a float format one by one.

The error made smallest is `|weight(x) * (target(x) - sum(c[k] * x**powers[k]))|` over [lower, upper].
Method: E. Ya. Remez (1934), as in J.-M. Muller, Elementary Functions (3rd ed., 2016), section 3.6. Rounding:
the lowest power first, the others fitted again around it (Brisebarre, Muller & Tisserand 2006 solve this
exactly; the greedy form comes close).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import mpmath
import numpy as np

Function = Callable[[mpmath.mpf], mpmath.mpf]


@dataclass(frozen=True)
class Fit:
    """The polynomial sum(c[k] * x**powers[k]) and the largest weighted error it makes."""

    coefficients: tuple[mpmath.mpf, ...]
    error: mpmath.mpf


def remez(
    target: Function, weight: Function, powers: Sequence[int], lower: float, upper: float, rounds: int = 30
) -> Fit:
    """The weighted minimax polynomial in the given powers; the best of `rounds` where exchanges wander."""
    count = len(powers)
    middle, half = mpmath.mpf(lower + upper) / 2, mpmath.mpf(upper - lower) / 2
    grid = [middle - half * mpmath.cos(mpmath.pi * k / (40 * count)) for k in range(40 * count + 1)]
    scale = max(abs(mpmath.mpf(lower)), abs(mpmath.mpf(upper)))
    if powers[0] > 0:  # the error near 0 is out of the polynomial's hands: no alternation there
        grid = [x for x in grid if abs(x) > scale / 50]
    targets, weights = [target(x) for x in grid], [weight(x) for x in grid]
    basis = [[(x / scale) ** p for p in powers] for x in grid]
    chosen = [round((len(grid) - 1) * (k + 0.5) / (count + 1)) for k in range(count + 1)]
    best, worst = list[mpmath.mpf](), mpmath.inf
    for _ in range(rounds):
        matrix, right = mpmath.matrix(count + 1, count + 1), mpmath.matrix(count + 1, 1)
        for row, at in enumerate(chosen):
            for column in range(count):
                matrix[row, column] = basis[at][column] * weights[at]
            matrix[row, count] = (-1) ** row
            right[row] = targets[at] * weights[at]
        solved = mpmath.lu_solve(matrix, right)
        solution, level = list(solved)[:count], abs(solved[count])
        errors = [
            weights[k] * (targets[k] - sum(c * b for c, b in zip(solution, basis[k], strict=True)))
            for k in range(len(grid))
        ]
        largest = max(abs(e) for e in errors)
        if largest < worst:
            best, worst = solution, largest
        if largest <= level * mpmath.mpf("1.01"):
            break
        chosen = _alternation(errors, count + 1)
    return Fit(tuple(c / scale**p for c, p in zip(best, powers, strict=True)), worst)


def _alternation(errors: Sequence[mpmath.mpf], wanted: int) -> list[int]:
    """Indices of the largest error of each run of equal signs, thinned to `wanted` without the smallest."""
    peaks: list[int] = []
    for k, error in enumerate(errors):
        if peaks and (errors[peaks[-1]] > 0) == (error > 0):
            if abs(error) > abs(errors[peaks[-1]]):
                peaks[-1] = k
        else:
            peaks.append(k)
    if len(peaks) < wanted:
        raise ArithmeticError(f"{len(peaks)} alternations where {wanted} are needed: fit more precisely")
    while len(peaks) >= wanted + 2:
        sizes = [max(abs(errors[a]), abs(errors[b])) for a, b in pairwise(peaks)]
        smallest = sizes.index(min(sizes))
        del peaks[smallest : smallest + 2]
    if len(peaks) > wanted:
        peaks.pop(0 if abs(errors[peaks[0]]) < abs(errors[peaks[-1]]) else -1)
    return peaks


def rounded(
    target: Function,
    weight: Function,
    powers: Sequence[int],
    lower: float,
    upper: float,
    dtype: type[np.floating],
) -> tuple[tuple[float, ...], float]:
    """Coefficients that are numbers of `dtype`, lowest power first, and the largest weighted error."""
    fixed: list[tuple[mpmath.mpf, int]] = []

    def rest(x: mpmath.mpf) -> mpmath.mpf:
        return target(x) - sum(c * x**p for c, p in fixed)

    error = mpmath.mpf(0)
    for position, power in enumerate(powers):
        fit = remez(rest, weight, powers[position:], lower, upper)
        error = fit.error
        fixed.append((nearest(fit.coefficients[0], dtype), power))
    points = [mpmath.mpf(lower) + mpmath.mpf(upper - lower) * k / 997 for k in range(998)]
    error = max([error, *(abs(weight(x) * rest(x)) for x in points)])
    return tuple(float(c) for c, _ in fixed), float(error)


def rounded_at_once(
    target: Function,
    weight: Function,
    powers: Sequence[int],
    lower: float,
    upper: float,
    dtype: type[np.floating],
) -> tuple[tuple[float, ...], float]:
    """As `rounded`, with every coefficient of one fit rounded to the nearest number."""
    fit = remez(target, weight, powers, lower, upper)
    fixed = [nearest(c, dtype) for c in fit.coefficients]

    def error(x: mpmath.mpf) -> mpmath.mpf:
        return abs(weight(x) * (target(x) - sum(c * x**p for c, p in zip(fixed, powers, strict=True))))

    points = [mpmath.mpf(lower) + mpmath.mpf(upper - lower) * k / 997 for k in range(998)]
    return tuple(float(c) for c in fixed), float(max(map(error, points)))


def nearest(value: mpmath.mpf, dtype: type[np.floating]) -> mpmath.mpf:
    """`value` rounded to the nearest number of `dtype`."""
    bits = np.finfo(dtype).nmant + 1
    with mpmath.workprec(bits):
        return +value
