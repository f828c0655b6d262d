"""Writes codegen/math/coefficients.py: every polynomial of the vector math, fitted from scratch.

Run: python -m tests.math.tools.coefficients
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import mpmath
import numpy as np
from mpmath import mpf

from .minimax import rounded, rounded_at_once

TARGET = Path(__file__).parents[3] / "codegen" / "math" / "coefficients.py"
HEADER = '''"""Minimax coefficients, lowest power first; written by tests/math/tools/coefficients.py.

Each comment gives the log2 of the largest error, relative to the function where not said otherwise.
"""

# fmt: off
'''
PRECISION = 200
"""Bits the fits are computed with."""
FORMATS = {"f32": np.float32, "f64": np.float64}

Function = Callable[[mpf], mpf]


@dataclass(frozen=True)
class Task:
    """One polynomial: what it stands for, the weight of its error, its interval and its lengths."""

    name: str
    meaning: str
    target: Function
    weight: Function
    interval: dict[str, tuple[float, float]]
    counts: dict[str, int]
    at_once: bool = False
    """Coefficients of long polynomials that are rounded together: one by one the last ones cannot make good
    what the first lack."""


def of_root(function: Function) -> Function:
    """function(sqrt(z)) of z: odd and even functions are fitted in z = x * x."""
    return lambda z: function(mpmath.sqrt(z))


def at_zero(limit: object, function: Function) -> Function:
    """`function` with its limit at 0."""
    return lambda x: mpf(limit) if x == 0 else function(x)


def scaled_erfc(x: mpf, centre: mpf) -> mpf:
    return mpmath.exp(x * x) * mpmath.erfc(x) * (x + centre)


def stirling_rest(x: mpf) -> mpf:
    """What the series of Stirling's formula stands for."""
    return mpmath.loggamma(x) - ((x - 0.5) * mpmath.log(x) - x + mpmath.log(2 * mpmath.pi) / 2)


def log_gamma_by_zeros(x: mpf) -> mpf:
    """log(gamma(x)) / ((x - 1) * (x - 2))."""
    slope = {mpf(1): mpmath.euler, mpf(2): 1 - mpmath.euler}
    return slope[x] if x in slope else mpmath.loggamma(x) / ((x - 1) * (x - 2))


def of_logarithm(unit: mpf) -> tuple[Function, Function]:
    """What is fitted for log(1 + f) / unit beyond f / unit, and the weight of its error."""
    return (
        at_zero(-1 / (2 * unit), lambda f: (mpmath.log1p(f) - f) / (f * f * unit)),
        at_zero(0, lambda f: f * f * unit / mpmath.log1p(f)),
    )


def of_reciprocal_root(degree: int) -> tuple[Function, Function]:
    """What is fitted for (1 - e)**(-1/degree) beyond 1, and the weight of its error."""
    power = -mpf(1) / degree
    return (
        at_zero(-power, lambda e: ((1 - e) ** power - 1) / e),
        lambda e: e * (1 - e) ** -power,
    )


def both(lower: float, upper: float) -> dict[str, tuple[float, float]]:
    return {"f32": (lower, upper), "f64": (lower, upper)}


def tasks() -> list[Task]:
    half_ln2 = float(mpmath.ln2) / 2 * 1.001
    quarter_pi = (float(mpmath.pi) / 4 * 1.002) ** 2
    root = float(mpmath.sqrt(2))
    third = mpf(1) / 3
    near_one = {"f32": (-0.0206, 0.03126), "f64": (-0.0372, 0.0626)}
    slope = 2 / mpmath.ln2
    # Where the scaled function is 1: a constant term of 1 needs no rounding.
    centre = mpmath.findroot(lambda k: scaled_erfc(k, k) - 1, 1.8)
    scaled_slope = 1 + 4 * centre**2 * (1 - 2 / mpmath.sqrt(mpmath.pi))
    middle = mpmath.findroot(lambda x: log_gamma_by_zeros(x) - mpf(15) / 32, 1.6)
    limits = (("f32", 10.1), ("f64", 27.3))
    two_over_root_pi = 2 / mpmath.sqrt(mpmath.pi)
    return [
        Task(
            "EXP",
            "exp(r) = 1 + r + r**2 * P(r)",
            at_zero(0.5, lambda r: (mpmath.expm1(r) - r) / r**2),
            lambda r: r**2 / mpmath.exp(r),
            both(-half_ln2, half_ln2),
            {"f32": 5, "f64": 10},
        ),
        Task(
            "LOG",
            "log(1 + f) = f - f**2 / 2 + f**3 * P(f)",
            at_zero(third, lambda f: (mpmath.log1p(f) - f + f * f / 2) / f**3),
            at_zero(0, lambda f: f**3 / mpmath.log1p(f)),
            both(root / 2 - 1, root - 1),
            {"f32": 8, "f64": 19},
        ),
        Task(
            "LOG2_OF_SUM",
            "log2(1 + f) = f / ln2 + f**2 * P(f)",
            *of_logarithm(mpmath.ln2),
            both(root / 2 - 1, root - 1),
            {"f32": 9, "f64": 20},
        ),
        Task(
            "LOG10_OF_SUM",
            "log10(1 + f) = f / ln10 + f**2 * P(f)",
            *of_logarithm(mpmath.ln10),
            both(root / 2 - 1, root - 1),
            {"f32": 9, "f64": 20},
        ),
        Task(
            "SIN",
            "sin(r) = r + r**3 * P(r**2)",
            at_zero(-mpf(1) / 6, of_root(lambda r: (mpmath.sin(r) - r) / r**3)),
            at_zero(0, of_root(lambda r: r**3 / mpmath.sin(r))),
            both(0, quarter_pi),
            {"f32": 3, "f64": 7},
        ),
        Task(
            "COS",
            "cos(r) = 1 - r**2 / 2 + r**4 * P(r**2)",
            at_zero(mpf(1) / 24, of_root(lambda r: (mpmath.cos(r) - 1 + r * r / 2) / r**4)),
            of_root(lambda r: r**4 / mpmath.cos(r)),
            both(0, quarter_pi),
            {"f32": 3, "f64": 6},
        ),
        Task(
            "TAN",
            "tan(r) = r + r**3 * P(r**2)",
            at_zero(third, of_root(lambda r: (mpmath.tan(r) - r) / r**3)),
            at_zero(0, of_root(lambda r: r**3 / mpmath.tan(r))),
            {"f32": (0, quarter_pi), "f64": (0, quarter_pi / 4)},
            {"f32": 6, "f64": 9},
            at_once=True,
        ),
        Task(
            "TANH",
            "tanh(x) = x + x**3 * P(x**2)",
            at_zero(-third, of_root(lambda x: (mpmath.tanh(x) - x) / x**3)),
            at_zero(0, of_root(lambda x: x**3 / mpmath.tanh(x))),
            {"f32": (0, 0.551**2)},
            {"f32": 5},
        ),
        Task(
            "SINH",
            "sinh(r) = r + r**3 * P(r**2)",
            at_zero(mpf(1) / 6, of_root(lambda r: (mpmath.sinh(r) - r) / r**3)),
            at_zero(0, of_root(lambda r: r**3 / mpmath.sinh(r))),
            both(0, half_ln2**2),
            {"f32": 3, "f64": 5},
        ),
        Task(
            "COSH",
            "cosh(r) = 1 + r**2 / 2 + r**4 * P(r**2)",
            at_zero(mpf(1) / 24, of_root(lambda r: (mpmath.cosh(r) - 1 - r * r / 2) / r**4)),
            of_root(lambda r: r**4 / mpmath.cosh(r)),
            both(0, half_ln2**2),
            {"f32": 2, "f64": 5},
        ),
        Task(
            "ATANH",
            "atanh(q) = q + q**3 * P(q**2)",
            at_zero(third, of_root(lambda q: (mpmath.atanh(q) - q) / q**3)),
            at_zero(0, of_root(lambda q: q**3 / mpmath.atanh(q))),
            both(0, 0.1112),
            {"f32": 4, "f64": 10},
        ),
        Task(
            "SINC",
            "sin(pi * f) / pi = f + f**3 * P(f**2)",
            at_zero(-(mpmath.pi**2) / 6, of_root(lambda f: (mpmath.sinpi(f) / mpmath.pi - f) / f**3)),
            at_zero(0, of_root(lambda f: mpmath.pi * f**3 / mpmath.sinpi(f))),
            both(0, 0.1226),
            {"f32": 4, "f64": 8},
        ),
        Task(
            "COSC",
            "cos(pi * g) / pi = 1 / pi + g**2 * P(g**2)",
            at_zero(-mpmath.pi / 2, of_root(lambda g: (mpmath.cospi(g) - 1) / (mpmath.pi * g * g))),
            of_root(lambda g: mpmath.pi * g * g / mpmath.cospi(g)),
            both(0, 0.0226),
            {"f32": 3, "f64": 6},
        ),
        Task(
            "CUBE_ROOT",
            "(1 - e)**(-1/3) = 1 + e * P(e)",
            *of_reciprocal_root(3),
            both(0, 0.1775),
            {"f32": 4, "f64": 6},
        ),
        Task(
            "ERF",
            "erf(x) = x + x * P(x**2)",
            at_zero(two_over_root_pi - 1, of_root(lambda x: (mpmath.erf(x) - x) / x)),
            at_zero(1 / two_over_root_pi, of_root(lambda x: x / mpmath.erf(x))),
            both(0, 0.921**2),
            {"f32": 6, "f64": 12},
        ),
        Task(
            "LOG_ERFC",
            "log(1 - erf(x)) = P(x), error relative to 1",
            lambda x: mpmath.log(mpmath.erfc(x)),
            mpmath.erfc,
            {"f32": (0.919, 4.0), "f64": (0.919, 6.0)},
            {"f32": 7, "f64": 19},
        ),
        Task(
            "LOG2",
            "log2((1 + s) / (1 - s)) = s * (c + c/3 * t + c/5 * t**2 + t**3 * P(t)), t = s**2, c = 2 / ln2",
            at_zero(
                slope / 7,
                of_root(lambda s: slope * (mpmath.atanh(s) / s - 1 - s**2 / 3 - s**4 / 5) / s**6),
            ),
            lambda t: t**3 / slope,
            both(0, ((root - 1) / (root + 1)) ** 2 * 1.001),
            {"f32": 3, "f64": 8},
        ),
        Task(
            "EXP2",
            "2**r = 1 + ln2 * r + r**2 * P(r)",
            at_zero(mpmath.ln2**2 / 2, lambda r: (mpf(2) ** r - 1 - r * mpmath.ln2) / r**2),
            lambda r: r**2 / mpf(2) ** r,
            both(-0.501, 0.501),
            {"f32": 5, "f64": 10},
        ),
        Task(
            "WIDE_LOG2",
            "log2(1 + f) = f * P(f), for results in f32",
            at_zero(1 / mpmath.ln2, lambda f: mpmath.log1p(f) / (f * mpmath.ln2)),
            at_zero(mpmath.ln2, lambda f: f * mpmath.ln2 / mpmath.log1p(f)),
            {"f64": (root / 2 - 1, root - 1)},
            {"f64": 12},
        ),
        Task(
            "WIDE_EXP2",
            "2**r = P(r), for results in f32",
            lambda r: mpf(2) ** r,
            lambda r: mpf(2) ** -r,
            {"f64": (-0.5, 0.5)},
            {"f64": 7},
        ),
        Task(
            "NEAR_LOG",
            "log(1 + f) = f + f**2 * P(f)",
            *of_logarithm(mpf(1)),
            near_one,
            {"f32": 4, "f64": 10},
            at_once=True,
        ),
        Task(
            "NEAR_LOG2",
            "log2(1 + f) = f / ln2 + f**2 * P(f)",
            *of_logarithm(mpmath.ln2),
            near_one,
            {"f32": 4, "f64": 10},
            at_once=True,
        ),
        Task(
            "NEAR_LOG10",
            "log10(1 + f) = f / ln10 + f**2 * P(f)",
            *of_logarithm(mpmath.ln10),
            near_one,
            {"f64": 10},
            at_once=True,
        ),
        Task(
            "PRECISE_NEAR_LOG",
            "log(1 + f) = f - f**2 / 2 + f**3 * P(f)",
            at_zero(third, lambda f: (mpmath.log1p(f) - f + f * f / 2) / f**3),
            at_zero(0, lambda f: f**3 / mpmath.log1p(f)),
            {"f64": (-0.0372, 0.0391)},
            {"f64": 11},
        ),
        Task(
            "PRECISE_NEAR_LOG2",
            "log2(1 + f) = f / ln2 - f**2 / (2 * ln2) + f**3 * P(f)",
            at_zero(third / mpmath.ln2, lambda f: (mpmath.log1p(f) - f + f * f / 2) / f**3 / mpmath.ln2),
            at_zero(0, lambda f: f**3 * mpmath.ln2 / mpmath.log1p(f)),
            {"f32": near_one["f32"]},
            {"f32": 3},
        ),
        Task(
            "NEAR_EXP",
            "exp(r) = 1 + r + r**2 * P(r)",
            at_zero(0.5, lambda r: (mpmath.expm1(r) - r) / r**2),
            lambda r: r**2 / mpmath.exp(r),
            {"f64": (-half_ln2 / 16, half_ln2 / 16)},
            {"f64": 5},
        ),
        Task(
            "NEAR_EXPM1",
            "exp(r) - 1 = r + r**2 * P(r)",
            at_zero(0.5, lambda r: (mpmath.expm1(r) - r) / r**2),
            at_zero(0, lambda r: r**2 / mpmath.expm1(r)),
            {"f64": (-half_ln2 / 16, half_ln2 / 16)},
            {"f64": 6},
        ),
        Task(
            "NEAR_EXP2",
            "2**r = 1 + r * P(r)",
            at_zero(mpmath.ln2, lambda r: (mpf(2) ** r - 1) / r),
            lambda r: r / mpf(2) ** r,
            {"f32": (-0.01565, 0.01565), "f64": (-0.0313, 0.0313)},
            {"f32": 4, "f64": 6},
            at_once=True,
        ),
        Task(
            "ATAN",
            "atan(x) = x + x**3 * P(x**2)",
            at_zero(-third, of_root(lambda x: (mpmath.atan(x) - x) / x**3)),
            at_zero(0, of_root(lambda x: x**3 / mpmath.atan(x))),
            both(0, 1.0),
            {"f32": 9, "f64": 20},
        ),
        Task(
            "NEAR_ATAN",
            "atan(t) = t + t**3 * P(t**2)",
            at_zero(-third, of_root(lambda x: (mpmath.atan(x) - x) / x**3)),
            at_zero(0, of_root(lambda x: x**3 / mpmath.atan(x))),
            {"f64": (0, 0.13**2)},
            {"f64": 7},
        ),
        Task(
            "ASIN",
            "asin(x) = x + x**3 * P(x**2)",
            at_zero(mpf(1) / 6, of_root(lambda x: (mpmath.asin(x) - x) / x**3)),
            at_zero(0, of_root(lambda x: x**3 / mpmath.asin(x))),
            both(0, 0.25),
            {"f32": 5, "f64": 13},
        ),
        Task(
            "ERFCX",
            f"e**(x**2) erfc(x) (x + k) = 1 + c * q + q**2 * P(q), q = (x - k) / (x + k), k = {centre:.6f}",
            lambda q: (scaled_erfc(centre * (1 + q) / (1 - q), centre) - 1 - scaled_slope * q) / q**2,
            lambda q: q**2 / scaled_erfc(centre * (1 + q) / (1 - q), centre),
            {
                suffix: ((0.699 - centre) / (0.699 + centre), (x - centre) / (x + centre))
                for suffix, x in limits
            },
            {"f32": 8, "f64": 23},
            at_once=True,
        ),
        Task(
            "STIRLING",
            "log(gamma(x)) = (x - 1/2) * log(x) - x + log(2 * pi) / 2 + P(1/x**2) / x",
            at_zero(mpf(1) / 12, of_root(lambda z: stirling_rest(1 / z) / z)),
            of_root(lambda z: z),
            {"f32": (0, 1 / 15.9), "f64": (0, 1 / 63.9)},
            {"f32": 4, "f64": 7},
        ),
        Task(
            "LGAMMA",
            f"log(gamma(x)) = (x - 1) * (x - 2) * (15 / 32 + t * P(t)), t = x - {middle:.6f}",
            lambda t: (log_gamma_by_zeros(t + middle) - mpf(15) / 32) / t,
            lambda t: t / log_gamma_by_zeros(t + middle),
            both(0.7499 - float(middle), 2.5001 - float(middle)),
            {"f32": 14, "f64": 31},
            at_once=True,
        ),
    ]


def entry(task: Task, suffix: str) -> str:
    """One polynomial as it stands in the file."""
    coefficients, error = (rounded_at_once if task.at_once else rounded)(
        task.target, task.weight, range(task.counts[suffix]), *task.interval[suffix], FORMATS[suffix]
    )
    lower, upper = task.interval[suffix]
    lines = [
        f"# {task.meaning}",
        f"# on [{lower:.6g}, {upper:.6g}]: {float(mpmath.log(error, 2)):.1f}",
        f"{task.name}_{suffix.upper()} = (",
        *wrapped([_text(c, FORMATS[suffix]) for c in coefficients], 4),
    ]
    return "\n".join([*lines, ")"])


def wrapped(items: Sequence[str], indent: int) -> Iterator[str]:
    """Items with commas in lines of at most 110 columns."""
    line = " " * indent + f"{items[0]},"
    for item in items[1:]:
        if len(line) + len(item) > 107:
            yield line
            line = " " * indent + f"{item},"
        else:
            line += f" {item},"
    yield line


def document() -> str:
    """The text of codegen/math/coefficients.py."""
    with mpmath.workprec(PRECISION):
        return (
            "\n".join([HEADER, *(entry(task, suffix) for task in tasks() for suffix in task.counts)]) + "\n"
        )


def main() -> None:
    TARGET.write_text(document())


def _text(value: float, dtype: type[np.floating]) -> str:
    return str(dtype(value)) if dtype is np.float32 else repr(value)


if __name__ == "__main__":
    main()
