"""Compiled code against the same instructions carried out by NumPy, and against the kernel interpreter."""

from __future__ import annotations

import numpy as np
import pytest

from jitframe.codegen.kernel.interpret import interpret
from jitframe.codegen.math import ARITY, expand_math

from .compiled import (
    BINARY,
    FORMS,
    UNARY,
    Variant,
    compiled,
    features_of,
    function_kernel,
    has_tables,
    levels,
    variants,
)
from .evaluate import evaluate
from .points import borders, float_type, pair_regions, patterns, specials
from .test_specials import bits

DTYPES = ("f32", "f64")


def arguments_of(name: str, dtype: str) -> tuple[np.ndarray, ...]:
    """Arguments of every region, a few thousand or more."""
    if ARITY[name] == 2:
        pairs = list(pair_regions(name, dtype, 4000, seed=2))
        return tuple(np.concatenate([pair[side] for pair in pairs]) for side in (0, 1))
    if dtype == "f32":
        some = patterns(0, 104729, 1 << 16)
    else:
        some = np.random.default_rng(4).integers(0, 1 << 64, 1 << 15, dtype=np.uint64).view(np.float64)
    return (np.concatenate([some, borders(name, dtype, 500), specials(dtype)]),)


@pytest.mark.skipif("sse2" not in levels(), reason="vector levels are x86-64's")
@pytest.mark.parametrize(("name", "dtype", "wide"), FORMS)
def test_numpy_agrees_bit_for_bit_without_fma(name: str, dtype: str, wide: bool) -> None:
    x = arguments_of(name, dtype)
    got = compiled(name, dtype, "split", wide=wide)(*x)
    assert (bits(got) == bits(evaluate(name, features_of("split", wide), *x))).all()


@pytest.mark.parametrize("variant", [v for v in variants() if v != "split"])
@pytest.mark.parametrize(("name", "dtype", "wide"), FORMS)
def test_numpy_agrees_with_fma(name: str, dtype: str, wide: bool, variant: Variant) -> None:
    """But for NumPy's missing fma, which is imitated with a second rounding in rare cases: in the last place,
    or a few where such results are divided (tan) or cancel (log gamma of negative arguments)."""
    if variant == "tables" and not (wide and has_tables(name, dtype)):
        pytest.skip("has no form by tables")
    x = arguments_of(name, dtype)
    got = compiled(name, dtype, variant, wide=wide)(*x)
    want = evaluate(name, features_of(variant, wide), *x)
    same = bits(got) == bits(want)
    assert same.mean() > 0.999
    with np.errstate(all="ignore"):
        places = {"tan": 4, "lgamma": 16}.get(name, 1)
        assert (same | (np.abs(got - want) <= places * np.spacing(np.abs(want)))).all()


@pytest.mark.skipif("avx2" not in levels(), reason="needs more than one level")
@pytest.mark.parametrize("variant", ["fma", "split"])
@pytest.mark.parametrize(("name", "dtype", "wide"), FORMS)
def test_every_level_gives_the_same_bits(name: str, dtype: str, wide: bool, variant: Variant) -> None:
    x = arguments_of(name, dtype)
    able = levels()[variant == "fma" :]
    first, *others = [compiled(name, dtype, variant, level, wide)(*x) for level in able]
    assert all((bits(first) == bits(other)).all() for other in others)


@pytest.mark.parametrize("variant", variants())
@pytest.mark.parametrize(("name", "dtype", "wide"), FORMS)
def test_the_interpreter_agrees(name: str, dtype: str, wide: bool, variant: Variant) -> None:
    if variant == "tables" and not (wide and has_tables(name, dtype)):
        pytest.skip("has no form by tables")
    x = tuple(side[:: side.size // 40][:40].copy() for side in arguments_of(name, dtype))
    out = np.zeros_like(x[0])
    kernel = expand_math(function_kernel(name, dtype), features_of(variant, wide))
    interpret(kernel, [*x, out], [out.size], [], range(1))
    assert (bits(out) == bits(compiled(name, dtype, variant, wide=wide)(*x))).all()


def test_every_function_is_covered() -> None:
    assert set(ARITY) == {*UNARY, *BINARY}
    assert all(float_type(dtype) for dtype in DTYPES)
