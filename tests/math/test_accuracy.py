"""The errors of compiled functions stay below the documented ones: over samples, or (slow) everything."""

from __future__ import annotations

import numpy as np
import pytest

from .compiled import FORMS, UNARY, levels
from .measure import worst_over
from .points import borders, f64_regions, pow_regions, sampled_f32, specials
from .reference import HAS_LONG_DOUBLE, NEVER, reference, worst_error
from .test_specials import POW_FORMS
from .tools.numerics import BEGIN, DOCUMENT, END, label

LIMIT = 2.0
"""Promised for every function, in ulp."""

VARIANTS = tuple(fma for fma in (True, False) if levels() and (not fma or "avx2" in levels()))

pytestmark = [
    pytest.mark.skipif(not levels(), reason="vector levels are x86-64's"),
    pytest.mark.skipif(not HAS_LONG_DOUBLE, reason="the reference is glibc's long double on x86-64"),
]


def documented() -> dict[tuple[str, str], tuple[str, float, float]]:
    """From docs/numerics.md, by function and form: arguments tested, worst ulp with and without fma."""
    table = DOCUMENT.read_text().split(BEGIN)[1].split(END)[0]
    cells = [[c.strip() for c in line.strip("|").split("|")] for line in table.splitlines() if "`" in line]
    return {(c[0].strip("`"), c[1]): (c[2], float(c[3]), float(c[5])) for c in cells}


def test_the_document_lists_every_function_below_the_limit() -> None:
    found = documented()
    assert set(found) == {(name, label(dtype, wide)) for name, dtype, wide in FORMS}
    assert all(max(row[1:]) <= LIMIT for row in found.values())
    assert all(found[name, "f32"][0] == "all" for name in UNARY)


@pytest.mark.parametrize("name", UNARY)
def test_float32_samples(name: str) -> None:
    arguments = [*sampled_f32(257), borders(name, "f32"), specials("f32")]
    worst = worst_over(name, "f32", VARIANTS, ((x,) for x in arguments))
    _, fused, split = documented()[name, "f32"]
    for fma, error in worst.items():
        assert error.ulp <= (fused if fma else split) + 0.001, error


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("name", UNARY)
def test_every_float32(name: str) -> None:
    worst = worst_over(name, "f32", VARIANTS, ((x,) for x in sampled_f32(1)))
    _, fused, split = documented()[name, "f32"]
    for fma, error in worst.items():
        assert error.ulp == pytest.approx(fused if fma else split, abs=0.001), error


@pytest.mark.parametrize("name", UNARY)
def test_float64_regions(name: str) -> None:
    arguments = [*f64_regions(name, 1 << 16, seed=7), specials("f64")]
    for error in worst_over(name, "f64", VARIANTS, ((x,) for x in arguments)).values():
        assert error.ulp <= LIMIT - 0.3, error


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("name", UNARY)
def test_ten_million_float64(name: str) -> None:
    arguments = ((x,) for seed in (11, 12) for x in f64_regions(name, 1 << 20, seed))
    for error in worst_over(name, "f64", VARIANTS, arguments).values():
        assert error.ulp <= LIMIT, error


@pytest.mark.parametrize(("dtype", "wide"), POW_FORMS)
def test_pow_regions(dtype: str, wide: bool) -> None:
    for error in worst_over("pow", dtype, VARIANTS, pow_regions(dtype, 1 << 15, seed=5), wide).values():
        assert error.ulp <= LIMIT - 0.2, error


@pytest.mark.slow
@pytest.mark.parametrize(("dtype", "wide"), POW_FORMS)
def test_pow_regions_at_length(dtype: str, wide: bool) -> None:
    for error in worst_over("pow", dtype, VARIANTS, pow_regions(dtype, 1 << 21, seed=6), wide).values():
        assert error.ulp <= LIMIT, error


def test_the_measure_sees_what_is_wrong() -> None:
    """One ulp off is one ulp, and a wrong kind of result is never forgiven."""
    x = np.linspace(0.5, 2, 64).astype(np.float32)
    want = reference("exp", x)
    right = np.exp(x.astype(np.float64)).astype(np.float32)
    assert worst_error(right, want, (x,)).ulp <= 0.5
    off = right.copy()
    off[17] = np.nextafter(off[17], np.float32(9))
    found = worst_error(off, want, (x,))
    assert 0.5 < found.ulp <= 1.5 and found.arguments == (x[17].item(),)
    for wrong in (np.nan, np.inf, -np.inf):
        broken = right.copy()
        broken[3] = wrong
        assert worst_error(broken, want, (x,)).ulp == NEVER
    zeros = np.array([0.0, -0.0])
    assert worst_error(-zeros, reference("sin", zeros), (zeros,)).ulp == NEVER
    assert worst_error(zeros, reference("sin", zeros), (zeros,)).ulp == 0
