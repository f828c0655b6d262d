"""The errors of compiled functions stay below the documented ones: over samples, or (slow) everything."""

from __future__ import annotations

import numpy as np
import pytest

from .compiled import ARITY, FORMS, UNARY, Variant, compiled, has_tables, levels, variants
from .measure import own_reference, worst_over
from .points import borders, f64_regions, float_type, measured, pair_regions, sampled_f32, specials
from .reference import HAS_LONG_DOUBLE, NEVER, reference, suspects, worst_error
from .tools.numerics import BEGIN, BY_TABLES, DOCUMENT, END, label

LIMITS = dict.fromkeys(ARITY, 2.0) | {"tan": 3.0, "lgamma": 4.0}
"""Promised for every function, in ulp."""
PAIR_FORMS = [form for form in FORMS if ARITY[form[0]] == 2]

VARIANTS = variants()

pytestmark = [
    pytest.mark.skipif(not levels(), reason="vector levels are x86-64's"),
    pytest.mark.skipif(not HAS_LONG_DOUBLE, reason="the reference is glibc's long double on x86-64"),
]


def documented() -> dict[tuple[str, str], dict[Variant, tuple[str, float]]]:
    """From docs/numerics.md, by function and form: arguments tested and worst ulp of the variants."""
    table = DOCUMENT.read_text().split(BEGIN)[1].split(END)[0]
    cells = [[c.strip() for c in line.strip("|").split("|")] for line in table.splitlines() if "`" in line]
    found: dict[tuple[str, str], dict[Variant, tuple[str, float]]] = {}
    for name, form, tested, ulp, _, split, _ in cells:
        name, dtype = name.strip("`"), form.removesuffix(f", {BY_TABLES}")
        if dtype == form:
            found[name, form] = {"fma": (tested, float(ulp)), "split": (tested, float(split))}
        else:
            found[name, dtype]["tables"] = tested, float(ulp)
    return found


def found_everywhere(name: str) -> dict[Variant, float]:
    """The errors documented of the variants of a function that were run on every float32."""
    return {
        variant: ulp
        for variant, (tested, ulp) in documented()[name, "f32"].items()
        if tested.startswith("all")
    }


def test_the_document_lists_every_function_below_the_limit() -> None:
    found = documented()
    assert set(found) == {(name, label(dtype, wide)) for name, dtype, wide in FORMS}
    assert all(ulp <= LIMITS[name] for (name, _), row in found.items() for _, ulp in row.values())
    for name, dtype, wide in FORMS:
        assert ("tables" in found[name, label(dtype, wide)]) == (wide and has_tables(name, dtype))
    assert all({"fma", "split"} <= found_everywhere(name).keys() for name in UNARY)


@pytest.mark.parametrize("name", UNARY)
def test_float32_samples(name: str) -> None:
    arguments = [*sampled_f32(257), borders(name, "f32"), specials("f32")]
    worst = worst_over(name, "f32", VARIANTS, ((measured(name, x),) for x in arguments))
    found = found_everywhere(name)
    for variant, error in worst.items():
        assert error.ulp <= (found[variant] + 0.001 if variant in found else LIMITS[name]), error


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("name", UNARY)
def test_every_float32(name: str) -> None:
    worst = worst_over(
        name, "f32", VARIANTS, ((measured(name, x),) for x in sampled_f32(1)), against=own_reference
    )
    found = found_everywhere(name)
    for variant, error in worst.items():
        if variant in found:
            assert error.ulp == pytest.approx(found[variant], abs=0.001), error
        assert error.ulp <= LIMITS[name], error


@pytest.mark.parametrize("name", UNARY)
def test_float64_regions(name: str) -> None:
    arguments = [*f64_regions(name, 1 << 16, seed=7), specials("f64")]
    for error in worst_over(name, "f64", VARIANTS, ((measured(name, x),) for x in arguments)).values():
        assert error.ulp <= LIMITS[name] - 0.3, error


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("name", UNARY)
def test_ten_million_float64(name: str) -> None:
    arguments = ((measured(name, x),) for seed in (11, 12) for x in f64_regions(name, 1 << 20, seed))
    for error in worst_over(name, "f64", VARIANTS, arguments).values():
        assert error.ulp <= LIMITS[name], error


@pytest.mark.parametrize(("name", "dtype", "wide"), PAIR_FORMS)
def test_pairs(name: str, dtype: str, wide: bool) -> None:
    regions = pair_regions(name, dtype, 1 << 15, seed=5)
    for error in worst_over(name, dtype, VARIANTS, regions, wide).values():
        assert error.ulp <= LIMITS[name], error


@pytest.mark.slow
@pytest.mark.parametrize(("name", "dtype", "wide"), PAIR_FORMS)
def test_pairs_at_length(name: str, dtype: str, wide: bool) -> None:
    regions = pair_regions(name, dtype, 1 << 21, seed=6)
    for error in worst_over(name, dtype, VARIANTS, regions, wide).values():
        assert error.ulp <= LIMITS[name], error


@pytest.mark.parametrize("dtype", ["f32", "f64"])
def test_log_gamma_of_negative_arguments(dtype: str) -> None:
    """Within 4 ulp of the largest of 1, the result and log gamma of the size: what the reflection takes."""
    random = np.random.default_rng(9)
    kind = float_type(dtype)
    parts = [random.uniform(-low, 0, 1 << 14) for low in (1, 5, 30, 1000)]
    nearest = np.arange(-50, 1)[:, None] + np.array([-1e-3, -1e-6, 1e-5, 0.5])
    edges = borders("lgamma", dtype, 3)
    x = np.concatenate([*parts, nearest.ravel(), edges[np.isfinite(edges)]]).astype(kind)
    x = -np.abs(x)
    wide = np.float64 if dtype == "f32" else np.longdouble
    want, other = (reference("lgamma", each).view(wide).ravel() for each in (x, -x))
    regular = np.isfinite(want) & (np.abs(want) < np.finfo(kind).max)
    unit = np.spacing(np.maximum(np.maximum(np.abs(want), np.abs(other)), 1)[regular].astype(kind))
    for variant in VARIANTS:
        got = compiled("lgamma", dtype, variant)(x)
        assert (np.abs(got[regular] - want[regular]) <= 4 * unit).all()
        assert (got[np.isinf(want)] == np.inf).all()
    assert np.isinf(want).any() and regular.sum() > 1 << 16


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
    assert suspects(right, want, 0.5).size == 0 and suspects(off, want, 0.5).tolist() == [17]
    assert suspects(off, want, 1.5).size == 0
    zero, signs = np.zeros(4, np.float32), np.array([0.0, -0.0, 1e-310, np.nan])
    assert suspects(zero, signs, 1.0).tolist() == [1, 3], "the sign of zero counts, and what is no number"
    assert suspects(zero + 1, signs, 1.0).tolist() == [0, 1, 2, 3]
    zeros = np.array([0.0, -0.0])
    assert worst_error(-zeros, reference("sin", zeros), (zeros,)).ulp == NEVER
    assert worst_error(zeros, reference("sin", zeros), (zeros,)).ulp == 0
