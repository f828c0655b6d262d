"""Errors at the arguments that are hardest to round, and closest to multiples of pi/2."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest

from .compiled import Variant, compiled, levels, variants
from .hard_cases import NEAR_QUARTERS, ROUNDING
from .reference import HAS_LONG_DOUBLE
from .test_accuracy import documented
from .tools.near_quarters import nearest_of

pytestmark = [
    pytest.mark.skipif(not levels(), reason="vector levels are x86-64's"),
    pytest.mark.skipif(not HAS_LONG_DOUBLE, reason="errors are counted in long double"),
]

_EXACT = {name: getattr(mpmath, name) for name in ROUNDING if name not in ("cbrt", "exp2", "log2")} | {
    "cbrt": lambda x: mpmath.sign(x) * mpmath.cbrt(abs(x)),
    "exp2": lambda x: mpmath.power(2, x),
    "log2": lambda x: mpmath.log(x, 2),
}


def errors(name: str, texts: tuple[str, ...], variant: Variant) -> list[float]:
    """In ulp of the true values."""
    x = np.array([*map(float.fromhex, texts)])
    x = np.concatenate([x, -x]) if name in ("sin", "cos", "tan") else x
    got = compiled(name, "f64", variant)(x)
    found = []
    with mpmath.workprec(1400):
        for argument, result in zip(x.tolist(), got.tolist(), strict=True):
            true = _EXACT[name](mpmath.mpf(argument))
            found.append(
                float(abs(mpmath.mpf(result) - true) / mpmath.mpf(float(np.spacing(abs(float(true))))))
            )
    return found


@pytest.mark.parametrize("variant", variants())
@pytest.mark.parametrize("name", ROUNDING)
def test_arguments_that_are_hard_to_round(name: str, variant: Variant) -> None:
    row = documented()[name, "f64"]
    most = row.get(variant, row["fma"])[1]
    assert max(errors(name, ROUNDING[name], variant)) <= most + 0.001


@pytest.mark.parametrize("variant", variants())
@pytest.mark.parametrize("name", ["sin", "cos", "tan"])
def test_arguments_near_multiples_of_half_pi(name: str, variant: Variant) -> None:
    most = documented()[name, "f64"][variant if variant == "split" else "fma"][1]
    assert max(errors(name, NEAR_QUARTERS, variant)) < most


@pytest.mark.parametrize("variant", variants())
def test_tangents_are_within_one_ulp(variant: Variant) -> None:
    """At these arguments they were up to 2 off."""
    assert max(errors("tan", ROUNDING["tan"], variant)) < 1


@pytest.mark.parametrize("name", ["sin", "cos", "tan"])
def test_every_width_gives_the_same_bits(name: str) -> None:
    x = np.array([*map(float.fromhex, (*NEAR_QUARTERS, *ROUNDING[name]))])
    for variant, widths in (("split", levels()), ("fma", levels()[1:])):
        results = [compiled(name, "f64", variant, level)(x).view(np.int64) for level in widths]  # type: ignore[arg-type]
        for each in results[1:]:
            np.testing.assert_array_equal(each, results[0])


def test_the_closest_float_is_the_known_one() -> None:
    """Kahan's 6381956970095103 * 2**797."""
    with mpmath.workprec(1400):
        found = nearest_of(797)
    assert found is not None and found[1] == 6381956970095103.0 * 2.0**797 == float.fromhex(NEAR_QUARTERS[0])
    assert found[0] == pytest.approx(4.687e-19, rel=1e-3)
