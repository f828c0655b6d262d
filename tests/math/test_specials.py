"""Special cases, symmetry, thresholds and exact results, against NumPy and the functions' laws."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from .compiled import FORMS, UNARY, Variant, compiled, levels, variants
from .points import borders, float_type, specials

pytestmark = pytest.mark.skipif(not levels(), reason="vector levels are x86-64's")

DTYPES = ("f32", "f64")
POW_FORMS = [(dtype, wide) for name, dtype, wide in FORMS if name == "pow"]
ODD = ("sin", "tanh", "erf", "tan", "asin", "atan", "sinh", "asinh", "atanh", "cbrt")
EVEN = ("cos", "cosh", "sinc")
RISING = (
    "exp", "log", "tanh", "erf", "exp2", "expm1", "log2", "log10", "log1p", "sinh", "cosh", "asinh", "acosh",
    "atanh", "cbrt", "asin", "atan",
)  # fmt: skip
"""Functions that rise with a positive argument."""
SMALL_KEPT = ("sin", "tanh", "tan", "asin", "atan", "expm1", "log1p", "sinh", "asinh", "atanh")
"""Functions that are x where x is small."""


def bits(x: np.ndarray) -> np.ndarray:
    """Bits with every NaN alike."""
    return np.where(np.isnan(x), np.array(np.nan, x.dtype), x).view(f"u{x.itemsize}")


SPECIAL_VALUES: tuple[tuple[str, float, float], ...] = (
    ("exp", np.inf, np.inf), ("exp", -np.inf, 0.0), ("exp", 0.0, 1.0), ("exp", -0.0, 1.0),
    ("log", np.inf, np.inf), ("log", -np.inf, np.nan), ("log", 0.0, -np.inf), ("log", -0.0, -np.inf),
    ("log", -1.0, np.nan), ("log", 1.0, 0.0), ("log", -1e-40, np.nan),
    ("sin", np.inf, np.nan), ("sin", -np.inf, np.nan), ("sin", 0.0, 0.0), ("sin", -0.0, -0.0),
    ("cos", np.inf, np.nan), ("cos", -np.inf, np.nan), ("cos", 0.0, 1.0), ("cos", -0.0, 1.0),
    ("tanh", np.inf, 1.0), ("tanh", -np.inf, -1.0), ("tanh", 0.0, 0.0), ("tanh", -0.0, -0.0),
    ("erf", np.inf, 1.0), ("erf", -np.inf, -1.0), ("erf", 0.0, 0.0), ("erf", -0.0, -0.0),
    ("tan", np.inf, np.nan), ("tan", -np.inf, np.nan), ("tan", 0.0, 0.0), ("tan", -0.0, -0.0),
    ("asin", np.inf, np.nan), ("asin", -1.5, np.nan), ("asin", 0.0, 0.0), ("asin", -0.0, -0.0),
    ("asin", 1.0, np.pi / 2), ("asin", -1.0, -np.pi / 2),
    ("acos", -np.inf, np.nan), ("acos", 1.5, np.nan), ("acos", 1.0, 0.0), ("acos", -1.0, np.pi),
    ("acos", 0.0, np.pi / 2), ("acos", -0.0, np.pi / 2),
    ("erfc", np.inf, 0.0), ("erfc", -np.inf, 2.0), ("erfc", 0.0, 1.0), ("erfc", -0.0, 1.0),
    ("lgamma", np.inf, np.inf), ("lgamma", -np.inf, np.inf), ("lgamma", 0.0, np.inf),
    ("lgamma", -0.0, np.inf), ("lgamma", 1.0, 0.0), ("lgamma", 2.0, 0.0), ("lgamma", -3.0, np.inf),
    ("tgamma", np.inf, np.inf), ("tgamma", -np.inf, np.nan), ("tgamma", 0.0, np.inf),
    ("tgamma", -0.0, -np.inf), ("tgamma", 1.0, 1.0), ("tgamma", -3.0, np.nan),
    ("tgamma", 400.0, np.inf), ("tgamma", -400.5, -0.0), ("tgamma", -401.5, 0.0),
    ("tgamma", -1e30, np.nan),
    ("atan", np.inf, np.pi / 2), ("atan", -np.inf, -np.pi / 2), ("atan", 0.0, 0.0), ("atan", -0.0, -0.0),
    ("exp2", np.inf, np.inf), ("exp2", -np.inf, 0.0), ("exp2", 0.0, 1.0), ("exp2", -0.0, 1.0),
    ("expm1", np.inf, np.inf), ("expm1", -np.inf, -1.0), ("expm1", 0.0, 0.0), ("expm1", -0.0, -0.0),
    *((name, *case) for name in ("log2", "log10") for case in (
        (np.inf, np.inf), (-np.inf, np.nan), (0.0, -np.inf), (-0.0, -np.inf), (-1.0, np.nan), (1.0, 0.0),
        (-1e-40, np.nan),
    )),
    ("log1p", np.inf, np.inf), ("log1p", -np.inf, np.nan), ("log1p", 0.0, 0.0), ("log1p", -0.0, -0.0),
    ("log1p", -1.0, -np.inf), ("log1p", -1.5, np.nan),
    *((name, *case) for name in ("sinh", "asinh", "cbrt") for case in (
        (np.inf, np.inf), (-np.inf, -np.inf), (0.0, 0.0), (-0.0, -0.0),
    )),
    ("cosh", np.inf, np.inf), ("cosh", -np.inf, np.inf), ("cosh", 0.0, 1.0), ("cosh", -0.0, 1.0),
    ("acosh", np.inf, np.inf), ("acosh", -np.inf, np.nan), ("acosh", 1.0, 0.0), ("acosh", 0.5, np.nan),
    ("acosh", -2.0, np.nan),
    ("atanh", 1.0, np.inf), ("atanh", -1.0, -np.inf), ("atanh", 0.0, 0.0), ("atanh", -0.0, -0.0),
    ("atanh", 1.5, np.nan), ("atanh", -np.inf, np.nan), ("atanh", np.inf, np.nan),
    ("cbrt", 8.0, 2.0), ("cbrt", -27.0, -3.0), ("cbrt", 1.0, 1.0),
    ("sinc", 0.0, 1.0), ("sinc", -0.0, 1.0), ("sinc", np.inf, np.nan), ("sinc", -np.inf, np.nan),
    ("sinc", 2.0, 0.0), ("sinc", 2.0**60, 0.0),
    *((name, np.nan, np.nan) for name in UNARY),
)  # fmt: skip


@pytest.mark.parametrize("variant", variants())
@pytest.mark.parametrize("dtype", DTYPES)
def test_special_values(dtype: str, variant: Variant) -> None:
    kind = float_type(dtype)
    for name, argument, result in SPECIAL_VALUES:
        # In whole vectors, in the rest after them, and next to plain values.
        x = np.full(67, 1.75 if name == "acosh" else 0.75, kind)
        x[[0, 5, 63, 64, 66]] = argument
        got = compiled(name, dtype, variant)(x)
        want = np.full(5, result, kind)
        assert (bits(got[[0, 5, 63, 64, 66]]) == bits(want)).all(), (name, argument)
        assert np.isfinite(got[[1, 2, 3, 4, 62, 65]]).all(), (name, argument)


@pytest.mark.parametrize("variant", variants())
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(
    ("name", "function", "tops"),
    [
        ("exp", np.exp, (80, -80)),
        ("exp2", np.exp2, (110, -110)),
        ("expm1", np.expm1, (80,)),
        ("sinh", np.sinh, (80,)),
        ("cosh", np.cosh, (80,)),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_the_range_is_left_where_the_rounded_value_leaves_it(
    name: str, function: Callable[..., np.ndarray], tops: tuple[int, ...], dtype: str, variant: Variant
) -> None:
    kind = float_type(dtype)
    tiny = np.finfo(kind).tiny
    for top in tops:
        leaves = np.isinf if top > 0 else _is_zero
        x = around(kind, function, leaves, top, 10 * top)
        with np.errstate(all="ignore"):
            want = function(x.astype(np.longdouble)).astype(kind)
        got = compiled(name, dtype, variant)(x)
        assert (leaves(got) == leaves(want)).all()
        assert leaves(want).any() and not leaves(want).all()
    if len(tops) == 2:
        x = around(kind, function, lambda y: y < tiny, -80, -1100)
        got = compiled(name, dtype, variant)(x)
        assert (np.abs(got / tiny - 1) < 0.01).all() and (got < tiny).any() and (got > tiny).any()


def _is_zero(y: np.ndarray) -> np.ndarray:
    return y == 0


def around(
    kind: type[np.floating],
    function: Callable[..., np.ndarray],
    leaves: Callable[[np.ndarray], np.ndarray],
    low: float,
    high: float,
) -> np.ndarray:
    """The 200 floats on each side of the argument where a function begins to `leaves`, found by halving."""
    inside, outside = kind(low), kind(high)
    with np.errstate(all="ignore"):
        while np.nextafter(inside, outside) != outside:
            middle = kind(inside + (outside - inside) / 2)
            if leaves(function(np.longdouble(middle)).astype(kind)):
                outside = middle
            else:
                inside = middle
    return inside + np.spacing(inside) * np.arange(-200, 201).astype(kind)


@pytest.mark.parametrize("variant", variants())
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", [*ODD, *EVEN])
def test_symmetry(name: str, dtype: str, variant: Variant) -> None:
    even = np.linspace(0, 50, 5000).astype(float_type(dtype))
    x = np.concatenate([borders(name, dtype), specials(dtype), even])
    function = compiled(name, dtype, variant)
    mirrored = -function(-x) if name in ODD else function(-x)
    assert (bits(function(x)) == bits(mirrored)).all()


@pytest.mark.parametrize("variant", variants())
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", RISING)
def test_rising_where_the_form_changes(name: str, dtype: str, variant: Variant) -> None:
    """Neighbouring floats may differ by the error, but no step goes back by more than two ulp."""
    x = np.sort(np.abs(borders(name, dtype)))
    y = compiled(name, dtype, variant)(x)
    y = y[np.isfinite(y)]
    assert y.size > 1000
    assert (np.diff(y) >= -2 * np.spacing(np.abs(y[:-1]))).all()


@pytest.mark.parametrize("variant", variants())
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", ["tanh", "erf", "sin", "cos"])
def test_never_beyond_one(name: str, dtype: str, variant: Variant) -> None:
    x = np.concatenate([borders(name, dtype), np.linspace(-40, 40, 200001).astype(float_type(dtype))])
    assert np.abs(compiled(name, dtype, variant)(x)).max() <= 1


@pytest.mark.parametrize("variant", variants())
@pytest.mark.parametrize("dtype", DTYPES)
def test_small_arguments_are_kept(dtype: str, variant: Variant) -> None:
    """sin x, tanh x and their like are x, denormals included, where the next term is below half an ulp."""
    smallest = np.finfo(float_type(dtype)).smallest_subnormal
    x = smallest * np.array([1, 2, 3, 1000, 2**20, 2**21 + 1], float_type(dtype))
    for name in SMALL_KEPT:
        assert (compiled(name, dtype, variant)(x) == x).all()
        assert (compiled(name, dtype, variant)(-x) == -x).all()


@pytest.mark.parametrize("variant", variants())
@pytest.mark.parametrize("dtype", DTYPES)
def test_whole_powers_are_exact(dtype: str, variant: Variant) -> None:
    """2**n for every n whose power is a float, and the logarithms of what the powers of 2 and 10 are."""
    kind = float_type(dtype)
    edges = np.finfo(kind)
    exponents = np.arange(edges.minexp - edges.nmant, edges.maxexp).astype(kind)
    powers = np.ldexp(kind(1), exponents.astype(np.int32))
    assert (compiled("exp2", dtype, variant)(exponents) == powers).all()
    assert (compiled("log2", dtype, variant)(powers) == exponents).all()
    tens = np.arange(int(np.log10(float(edges.tiny))), int(np.log10(float(edges.max))) + 1).astype(kind)
    assert (
        compiled("log10", dtype, variant)(np.array([float(f"1e{int(n)}") for n in tens], kind)) == tens
    ).all()


@pytest.mark.parametrize("variant", variants())
@pytest.mark.parametrize("dtype", DTYPES)
def test_hypot_of_specials_and_of_whole_triangles(dtype: str, variant: Variant) -> None:
    values = specials(dtype)
    x, y = (grid.ravel() for grid in np.meshgrid(values, values))
    hypot = compiled("hypot", dtype, variant)
    with np.errstate(all="ignore"):
        want = np.hypot(x, y)
        near = np.abs(hypot(x, y) - want) <= np.spacing(np.abs(want))
    assert ((bits(hypot(x, y)) == bits(want)) | near).all()
    assert (bits(hypot(x, y)) == bits(hypot(y, x))).all()
    assert (bits(hypot(np.zeros_like(values), values)) == bits(np.abs(values))).all()
    for scale in np.ldexp(1.0, [0, -140, 120] if dtype == "f32" else [0, -1060, 1010]):
        sides = np.array([(3, 4, 5), (5, 12, 13), (8, 15, 17), (20, 21, 29)], float_type(dtype)) * scale
        a, b, c = (np.ascontiguousarray(side) for side in sides.astype(float_type(dtype)).T)
        assert (hypot(a, b) == c).all()


@pytest.mark.parametrize("variant", variants())
@pytest.mark.parametrize("dtype", DTYPES)
def test_gamma_of_whole_numbers_is_exact(dtype: str, variant: Variant) -> None:
    """As long as the factorial is a float; rounded to nearest beyond."""
    count = {"f32": 35, "f64": 171}[dtype]
    want = np.array([math.factorial(k) for k in range(count)], object).astype(float_type(dtype))
    got = compiled("tgamma", dtype, variant)(np.arange(1, count + 1).astype(float_type(dtype)))
    exact = [k for k in range(count) if int(want[k]) == math.factorial(k)]
    assert (got[exact] == want[exact]).all() and len(exact) > 13
    assert (np.abs(got - want) <= np.spacing(want)).all()


@pytest.mark.parametrize("variant", variants())
@pytest.mark.parametrize("dtype", DTYPES)
def test_atan2_of_all_pairs_of_specials(dtype: str, variant: Variant) -> None:
    """Both zeros, both infinities and all quadrants: NumPy's results, in the last bit but one."""
    y, x = (grid.ravel() for grid in np.meshgrid(specials(dtype), specials(dtype)))
    got = compiled("atan2", dtype, variant)(y, x)
    want = np.arctan2(y.astype(np.float64), x.astype(np.float64)).astype(float_type(dtype))
    assert (np.isnan(got) == np.isnan(want)).all()
    kept = ~np.isnan(want)
    got, want = got[kept], want[kept]
    assert (np.signbit(got) == np.signbit(want)).all()
    assert (np.abs(got - want) <= np.spacing(np.abs(want))).all()


@pytest.mark.parametrize("variant", variants())
@pytest.mark.parametrize(("dtype", "wide"), POW_FORMS)
def test_pow_of_all_pairs_of_specials(dtype: str, wide: bool, variant: Variant) -> None:
    values = specials(dtype)
    x, y = (grid.ravel() for grid in np.meshgrid(values, values))
    got = compiled("pow", dtype, variant, wide=wide)(x, y)
    with np.errstate(all="ignore"):
        want = np.power(x, y)
    same = bits(got) == bits(want)
    near = np.isfinite(want) & np.isfinite(got) & (want != 0)
    with np.errstate(all="ignore"):
        same |= near & (np.abs(got - want) <= 2 * np.spacing(np.abs(want)))
    wrong = [(x[k], y[k], got[k], want[k]) for k in np.nonzero(~same)[0]]
    assert not wrong
    assert values.size**2 >= 15 * 15


@pytest.mark.parametrize("variant", variants())
@pytest.mark.parametrize(("dtype", "wide"), POW_FORMS)
def test_pow_is_exact_where_integers_are(dtype: str, wide: bool, variant: Variant) -> None:
    kind = float_type(dtype)
    precision = np.finfo(kind).nmant + 1
    pairs = [
        (sign * base * 2**twos, exponent)
        for base in range(1, 2000, 2)
        for exponent in range(1, 54)
        if base**exponent < 2**precision
        for twos in (0, 1, 2)
        if twos * exponent < 60
        for sign in (1, -1)
    ]
    x, y = (np.array(side, kind) for side in zip(*pairs, strict=True))
    want = np.array([b**e for b, e in pairs], object).astype(kind)
    got = compiled("pow", dtype, variant, wide=wide)(x, y)
    assert (got == want).all()
    assert len(pairs) > 8000


@pytest.mark.parametrize("variant", variants())
@pytest.mark.parametrize(("dtype", "wide"), POW_FORMS)
def test_pow_of_simple_exponents(dtype: str, wide: bool, variant: Variant) -> None:
    """x**1 is x and x**2 and x**0.5 are within an ulp of the rounded results."""
    kind = float_type(dtype)
    x = np.random.default_rng(3).uniform(1e-3, 1e3, 5000).astype(kind)
    power = compiled("pow", dtype, variant, wide=wide)
    for exponent, want in ((1, x), (2, x * x), (0.5, np.sqrt(x)), (-1, 1 / x)):
        got = power(x, np.full_like(x, exponent))
        assert (np.abs(got - want) <= np.spacing(want)).all()
    assert (power(x, np.ones_like(x)) == x).all()


@pytest.mark.parametrize("variant", variants())
@pytest.mark.parametrize(("dtype", "wide"), POW_FORMS)
def test_pow_of_the_outermost_bases(dtype: str, wide: bool, variant: Variant) -> None:
    """The largest, the smallest normal and the smallest floats, to exponents on both sides of every limit."""
    kind = float_type(dtype)
    edges = np.finfo(kind)
    bases = np.array([edges.max, edges.tiny, edges.smallest_subnormal, np.nextafter(kind(1), kind(2))], kind)
    exponents = np.array([0.5, 1, 7.4999995, 7.5, 7.5000005, 8, 9, 1e3, 1e9, 1e30, np.inf], kind)
    x, y = (grid.ravel() for grid in np.meshgrid(bases, np.concatenate([exponents, -exponents])))
    with np.errstate(all="ignore"):
        want = np.power(x.astype(np.longdouble), y.astype(np.longdouble)).astype(kind)
        got = compiled("pow", dtype, variant, wide=wide)(x, y)
        assert ((got == want) | (np.abs(got - want) <= 2 * np.spacing(want))).all()
