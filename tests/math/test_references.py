"""The vector math against mpmath, the reference against mpmath, and the coefficients against their fit."""

from __future__ import annotations

from collections.abc import Callable

import mpmath
import numpy as np
import pytest

from .compiled import ARITY, Variant, compiled, levels, variants
from .points import borders, f64_regions, float_type, pair_regions
from .tools import coefficients, tables

pytestmark = pytest.mark.skipif(not levels(), reason="vector levels are x86-64's")

EXACT: dict[str, Callable[..., mpmath.mpf]] = {
    "exp": mpmath.exp, "log": mpmath.log, "sin": mpmath.sin, "cos": mpmath.cos, "tanh": mpmath.tanh,
    "erf": mpmath.erf, "pow": mpmath.power, "tan": mpmath.tan, "asin": mpmath.asin, "acos": mpmath.acos,
    "atan": mpmath.atan, "atan2": mpmath.atan2, "erfc": mpmath.erfc, "lgamma": mpmath.loggamma,
    "tgamma": mpmath.gamma, "exp2": lambda x: mpmath.power(2, x), "expm1": mpmath.expm1,
    "log2": lambda x: mpmath.log(x) / mpmath.ln2, "log10": lambda x: mpmath.log(x) / mpmath.ln10,
    "log1p": mpmath.log1p, "sinh": mpmath.sinh, "cosh": mpmath.cosh, "asinh": mpmath.asinh,
    "acosh": mpmath.acosh, "atanh": mpmath.atanh, "cbrt": lambda x: mpmath.sign(x) * mpmath.cbrt(abs(x)),
    "sinc": lambda x: mpmath.sinpi(x) / (mpmath.pi * x) if x else mpmath.mpf(1), "hypot": mpmath.hypot,
}  # fmt: skip

LIMITS = dict.fromkeys(ARITY, 1.6) | {
    "tan": 3.2, "atan": 1.9, "atan2": 1.95, "erfc": 3.7, "lgamma": 3.7, "expm1": 1.8, "cosh": 1.95,
    "atanh": 1.85, "sinc": 1.95,
}  # fmt: skip
_POSITIVE = (0.0, np.inf)
_DOMAINS = {
    "log": _POSITIVE, "log2": _POSITIVE, "log10": _POSITIVE, "pow": _POSITIVE, "log1p": (-1.0, np.inf),
    "exp2": (-1100.0, 1100.0), "expm1": (-2000.0, 2000.0), "sinh": (-2000.0, 2000.0), "lgamma": _POSITIVE,
    "cosh": (-2000.0, 2000.0), "acosh": (1.0, np.inf), "atanh": (-1.0, 1.0), "erfc": (-100.0, 100.0),
    "tgamma": (-1000.0, 1000.0),
}  # fmt: skip
"""Between these bounds a function of real numbers is one."""


def errors(name: str, got: np.ndarray, arguments: tuple[np.ndarray, ...]) -> list[float]:
    """Errors in ulp of the true value, where that is a normal number."""
    tiny, largest = mpmath.mpf(float(np.finfo(got.dtype).tiny)), mpmath.mpf(float(np.finfo(got.dtype).max))
    precision = np.finfo(got.dtype).nmant + 1
    found = []
    with mpmath.workprec(240):
        for result, *values in zip(got.tolist(), *(x.tolist() for x in arguments), strict=True):
            true = EXACT[name](*(mpmath.mpf(v) for v in values))
            if tiny <= abs(true) <= largest:
                unit = mpmath.ldexp(1, mpmath.frexp(true)[1] - precision)
                found.append(float(abs(mpmath.mpf(result) - true) / unit))
    return found


def finite(name: str, arrays: tuple[np.ndarray, ...]) -> tuple[np.ndarray, ...]:
    """The tuples of arguments of which the function is a real number."""
    fit = np.logical_and.reduce([np.isfinite(x) for x in arrays])
    lowest, highest = _DOMAINS.get(name, (-1e300, 1e300))
    with np.errstate(invalid="ignore"):  # signalling NaNs
        first = arrays[0].astype(np.float64)
        fit &= (first > lowest) & (first < highest)
        if name in ("asin", "acos"):
            fit &= np.abs(first) <= 1
        if name == "tgamma":
            fit &= (first > 0) | (first != np.floor(first))
    return tuple(x[fit] for x in arrays)


def check(name: str, dtype: str, count: int, limit: float) -> int:
    if ARITY[name] == 2:
        regions = list(pair_regions(name, dtype, count, seed=21))
    elif dtype == "f64":
        regions = [(x,) for x in f64_regions(name, count, seed=21)]
    else:
        bits = np.random.default_rng(8).integers(0, 1 << 32, count, dtype=np.uint32)
        regions = [(bits.view(np.float32),), (borders(name, dtype, count // 20),)]
    tested = 0
    for region in regions:
        arguments = finite(name, tuple(side[:: max(1, side.size // count)] for side in region))
        for variant in variants():
            found = errors(name, compiled(name, dtype, variant)(*arguments), arguments)
            tested += len(found)
            assert max(found, default=0.0) <= limit
    return tested


@pytest.mark.parametrize("dtype", ["f32", "f64"])
@pytest.mark.parametrize("name", ARITY)
def test_against_mpmath(name: str, dtype: str) -> None:
    assert check(name, dtype, 100, LIMITS[name]) > 120  # half of the floats lie below acosh's domain


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("name", ARITY)
def test_twenty_thousand_points_against_mpmath(name: str) -> None:
    assert check(name, "f64", 6000, LIMITS[name]) > 2 * 20_000


@pytest.mark.parametrize("variant", variants())
@pytest.mark.parametrize("name", ["sin", "cos", "tan"])
def test_the_hardest_arguments(name: str, variant: Variant) -> None:
    """The floats nearest to a multiple of pi/2 (Muller, Elementary Functions, 11.4), and the largest."""
    for dtype, hardest in (
        ("f32", [16367173 * 2.0**72, 3.4028234663852886e38, 2.0**127, 1e5, 12000.0]),
        ("f64", [6381956970095103 * 2.0**797, 1.7976931348623157e308, 2.0**1023, 4e6, 1.6e6]),
    ):
        x = np.array(hardest, float_type(dtype))
        x = np.concatenate([x, -x, np.nextafter(x, float_type(dtype)(1)), x / 3])
        assert max(errors(name, compiled(name, dtype, variant)(x), (x,))) <= LIMITS[name]


def test_short_polynomials_are_the_fit_of_their_functions() -> None:
    with mpmath.workprec(coefficients.PRECISION):
        text = coefficients.TARGET.read_text()
        for task in coefficients.tasks():
            if task.counts.get("f32", 6) <= 5:
                assert coefficients.entry(task, "f32") + "\n" in text


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_all_polynomials_are_the_fit_of_their_functions() -> None:
    assert coefficients.document() == coefficients.TARGET.read_text()


def test_tables_are_those_of_the_tool() -> None:
    """All but the pieces, which are fitted."""
    text = tables.TARGET.read_text()
    with mpmath.workprec(tables.PRECISION):
        assert "\n".join(tables.exact_tables()) in text


@pytest.mark.slow
def test_fitted_tables_are_those_of_the_tool() -> None:
    assert tables.document() == tables.TARGET.read_text()
