"""Functions of complex numbers: accuracy, branch cuts, special values."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest

import jitframe as jf
from tests.complex.compared import DTYPES, check, drawn, special

FUNCTIONS = (
    "exp", "expm1", "log", "log1p", "log2", "log10", "sqrt", "sinh", "cosh", "tanh", "sin", "cos", "tan",
    "arcsin", "arccos", "arctan", "arcsinh", "arccosh", "arctanh",
)  # fmt: skip
EXACT = {
    "arcsin": "asin", "arccos": "acos", "arctan": "atan", "arcsinh": "asinh", "arccosh": "acosh",
    "arctanh": "atanh",
}  # fmt: skip
"""mpmath's names."""
ULP = 4.0


@jf.jit
def every(z):
    return tuple(getattr(np, name)(z) for name in FUNCTIONS)


def everywhere(dtype: str) -> np.ndarray:
    """Numbers of all sizes, and numbers beside branch points, zeros and the unit circle."""
    random = np.random.default_rng(7)
    limits = np.finfo(dtype)
    spread = 2.0 ** random.uniform(-60, 60, (200, 2)) * random.choice([-1, 1], (200, 2))
    plain = random.uniform(-4, 4, (400, 2))
    near = np.concatenate([
        point + random.choice([-1, 1], (40, 2)) * 2.0 ** random.uniform(-40, -1, (40, 2))
        for point in ((1, 0), (-1, 0), (0, 1), (0, -1), (0, 0), (np.pi / 2, 0))
    ])  # fmt: skip
    angles = random.uniform(0, 2 * np.pi, 60)
    circle = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    steep = np.stack(
        [random.uniform(-1, 1, 40) * 0.9 * np.log(float(limits.max)), random.uniform(-4, 4, 40)], 1
    )
    parts = np.concatenate([spread, plain, near, circle, steep, steep[:, ::-1]]).astype(limits.dtype)
    return (parts[:, 0] + 1j * parts[:, 1]).astype(dtype)


def exact(name: str, z: np.ndarray) -> list[mpmath.mpc]:
    function = {
        "log1p": lambda z: mpmath.log(1 + z),
        "log2": lambda z: mpmath.log(z) / mpmath.log(2),
        "expm1": lambda z: mpmath.exp(z) - 1,
    }.get(name) or getattr(mpmath, EXACT.get(name, name))
    with mpmath.workdps(80):
        return [function(mpmath.mpc(float(each.real), float(each.imag))) for each in z]


@pytest.mark.parametrize("dtype", DTYPES)
def test_accuracy(dtype: str) -> None:
    """Of each part within some ulp of the larger one. Takes seconds, which mpmath needs."""
    z = everywhere(dtype)
    limits = np.finfo(dtype)
    worst = {}
    for name, found in zip(FUNCTIONS, every(z), strict=True):
        wanted = exact(name, z)
        errors = []
        for each, (ours, theirs) in enumerate(zip(found, wanted, strict=True)):
            size = max(abs(theirs.real), abs(theirs.imag))
            if not float(limits.tiny) < size < float(limits.max):
                continue
            with mpmath.workdps(80):
                error = max(
                    abs(mpmath.mpf(float(ours.real)) - theirs.real),
                    abs(mpmath.mpf(float(ours.imag)) - theirs.imag),
                )
                unit = mpmath.mpf(2) ** (mpmath.floor(mpmath.log(size, 2)) - limits.nmant)
                errors.append((float(error / unit), z[each]))
        worst[name] = max(errors, key=lambda pair: pair[0])
    assert not {name: pair for name, pair in worst.items() if not pair[0] <= ULP}


@pytest.mark.parametrize("dtype", DTYPES)
def test_special_values(dtype: str) -> None:
    z = special(dtype)
    for name, found in zip(FUNCTIONS, every(z), strict=True):
        with np.errstate(all="ignore"):
            wanted = getattr(np, name)(z)
        for part in ("real", "imag"):
            ours, theirs = getattr(found, part), getattr(wanted, part)
            message = f"{name}, {part}"
            if name == "expm1":  # NumPy leaves values at infinity undefined that the array API has
                theirs = np.where(np.isfinite(z), theirs, ours)
            np.testing.assert_allclose(ours, theirs, rtol=8 * np.finfo(dtype).eps, err_msg=message)
            numbers = ~np.isnan(theirs)
            np.testing.assert_array_equal(np.signbit(ours)[numbers], np.signbit(theirs)[numbers], message)


@pytest.mark.parametrize("dtype", DTYPES)
def test_powers(dtype: str) -> None:
    x, y = drawn(dtype, 40), drawn(dtype, 40, seed=1)

    def program(x, y):
        return (
            x**y,
            x**2,
            x**-3,
            x**0.5,
            x**1j,
            2.0**x,
            (1 + 1j) ** y,
            np.power(x, 5),
            x**0,
            y.real**x,
            np.float_power(x, 2),
        )

    check(program, x + (x == 0), y, ulp=64)
    check(lambda x, y: x**y, np.zeros(6, dtype), np.array([0, 1, 2, -1, 1j, 1 + 1j], dtype))


def test_real_functions_stay_real() -> None:
    x = np.array([-1.0, 4.0])
    with np.errstate(invalid="ignore"):
        check(lambda x: (np.sqrt(x), np.sqrt(x + 0j), np.log(x.astype(complex))), x)


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_special_values_of_the_array_api(dtype: str) -> None:
    """Those of expm1 and tanh that NumPy leaves to the C library."""
    inf, nan = np.inf, np.nan
    cases = {
        "expm1": [
            (inf, 0.0, inf, 0.0), (-inf, inf, -1.0, 0.0), (inf, inf, inf, nan), (-inf, nan, -1.0, 0.0),
            (inf, nan, inf, nan), (nan, 0.0, nan, 0.0), (-inf, 2.0, -1.0, 0.0), (0.0, 0.0, 0.0, 0.0),
            (nan, 1.0, nan, nan), (1.0, inf, nan, nan),
        ],
        "tanh": [(1e30, inf, nan, nan), (5.0, inf, nan, nan), (inf, 2.0, 1.0, 0.0), (nan, 0.0, nan, 0.0)],
    }  # fmt: skip
    for name, rows in cases.items():
        given = np.array([complex(*row[:2]) for row in rows], dtype)
        made = getattr(jf, name)(jf.asarray(given)).numpy()
        np.testing.assert_array_equal(made.real, np.array([row[2] for row in rows]), err_msg=name)
        np.testing.assert_array_equal(abs(made.imag), np.array([row[3] for row in rows]), err_msg=name)
