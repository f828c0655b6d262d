"""Powers by multiples of a half in a program: rounded once, zeros, infinities and NaNs as NumPy's."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest

import jitframe as jf
from jitframe.codegen.kernel.builder import KernelBuilder
from jitframe.codegen.kernel.interpret import interpret
from jitframe.codegen.kernel.nodes import walk
from jitframe.codegen.math import MathFeatures, expand_math
from jitframe.ir.types import BY_NAME

EXPONENTS = (-16, -7, -3, -2, 3, 4, 5, 6, 7, 8, 11, 16)
HALVES = (-6.5, -2.5, -1.5, -0.5, 1.5, 2.5, 3.5, 7.5)
DTYPES = {"f32": np.float32, "f64": np.float64}


def points(dtype: type, exponent: float, count: int) -> np.ndarray:
    """Numbers of both signs whose powers come close to the ends of the range, and some beyond."""
    rng = np.random.default_rng(int(2 * abs(exponent)))
    reach = (np.log10(np.finfo(dtype).max) + 2) / abs(exponent)
    reach = min(reach, np.log10(np.finfo(dtype).max) - 1)
    signs = rng.choice([-1, 1], count) if exponent == int(exponent) else 1
    return (signs * 10 ** rng.uniform(-reach, reach, count)).astype(dtype)


def worst(x: np.ndarray, got: np.ndarray, exponent: float) -> float:
    """The largest error in ulp, where results are neither infinite nor close to denormal."""
    with mpmath.workprec(300):
        exact = [mpmath.mpf(float(value)) ** exponent for value in x]
        with np.errstate(over="ignore", under="ignore"):
            rounded = np.array([float(value) for value in exact]).astype(x.dtype)
        info = np.finfo(x.dtype)
        inside = np.isfinite(rounded) & (np.abs(rounded) > info.tiny / info.eps)
        assert inside.sum() > len(x) // 2
        outside = np.isinf(rounded)
        assert np.array_equal(got[outside], rounded[outside])
        return max(
            float(abs(mpmath.mpf(float(y)) - value) / mpmath.mpf(float(np.spacing(abs(z)))))
            for y, value, z, near in zip(got, exact, rounded, inside, strict=True)
            if near
        )


@pytest.mark.parametrize("dtype", DTYPES.values(), ids=DTYPES.keys())
@pytest.mark.parametrize("exponent", EXPONENTS + HALVES)
def test_it_is_rounded_once(dtype: type, exponent: float) -> None:
    x = points(dtype, exponent, 2000)
    got = jf.jit(lambda x: x**exponent)(x)
    assert got.dtype == dtype
    assert worst(x, got, exponent) < (0.51 if exponent == int(exponent) else 0.6)


@pytest.mark.parametrize("dtype", DTYPES.values(), ids=DTYPES.keys())
@pytest.mark.parametrize("exponent", EXPONENTS + HALVES)
def test_special_values(dtype: type, exponent: float) -> None:
    info = np.finfo(dtype)
    values = [0.0, np.inf, np.nan, 1.0, 2.0, info.max, info.tiny, info.smallest_subnormal]
    x = np.array([*values, *(-value for value in values)], dtype)
    with np.errstate(all="ignore"):
        expected = x**exponent
    got = jf.jit(lambda x: x**exponent)(x)
    np.testing.assert_array_equal(got, expected)
    zeros = expected == 0
    assert np.array_equal(np.signbit(got[zeros]), np.signbit(expected[zeros]))


@pytest.mark.parametrize("fma", [True, False], ids=["fma", "split"])
@pytest.mark.parametrize("name", DTYPES)
@pytest.mark.parametrize("exponent", [-3, 3, 16, -1.5, -0.5, 2.5])
def test_both_forms_by_the_interpreter(exponent: float, name: str, fma: bool) -> None:
    build = KernelBuilder("power")
    dtype = BY_NAME[name]
    source, target, extent = build.buffer(dtype, "in"), build.buffer(dtype, "out"), build.index()
    with build.loop(build.constant(0), extent) as (i,):
        build.store(target, i, build.emit("pow", (build.load(source, i), build.constant(exponent, dtype))))
    kernel = expand_math(build.finish(), MathFeatures(fma=fma))
    names = {instruction.op.name for instruction in walk(kernel.body)}
    assert "pow" not in names and ("fma" in names) == fma
    x = points(DTYPES[name], exponent, 60)
    got = np.zeros_like(x)
    interpret(kernel, [x, got], [len(x)], [], range(1))
    assert worst(x, got, exponent) < (0.51 if exponent == int(exponent) else 0.6)


def test_other_exponents_are_powers_still() -> None:
    x = np.linspace(0.1, 3, 50)
    for exponent in (17, -17, 16.5, -0.75, 1.0, 0.5, 0.0):
        np.testing.assert_allclose(jf.jit(lambda x, e=exponent: x**e)(x), x**exponent, rtol=1e-15)
