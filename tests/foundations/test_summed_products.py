"""Sums of products written out with broadcasting: steps of BLAS where that is faster and rounds no worse."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import jitframe as jf
from jitframe.codegen.plan.nodes import Launch, LibraryCall
from tests.foundations.programs import plan_of

Program = Callable[..., Any]


def random(*shape: int, dtype: str = "float32", seed: int = 0) -> np.ndarray:
    values = np.random.default_rng(seed + sum(shape)).uniform(0, 1, shape)
    return (values * 100).astype(dtype) if dtype.startswith("int") else values.astype(dtype)


def steps_of(function: Program, *arguments: np.ndarray) -> list[type]:
    """The launches and products of a jitted call, whose result is compared with NumPy's."""
    jitted = jf.jit(function)
    ours, theirs = jitted(*arguments), function(*arguments)
    assert (ours.dtype, ours.shape) == (theirs.dtype, theirs.shape)
    np.testing.assert_allclose(ours, theirs, rtol=2e-6 if ours.dtype == np.float32 else 1e-14)
    plan = plan_of(jitted, *arguments)
    return [type(step) for step in plan.steps if isinstance(step, (LibraryCall, Launch))]


def spread(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    return (x[:, :, None] * y[None]).sum(axis=1)


X, Y = random(20, 33), random(33, 27)
PRODUCTS: list[tuple[Program, tuple[np.ndarray, ...]]] = [
    (spread, (X, Y)),
    (spread, (random(20, 33, dtype="float64"), random(33, 27, dtype="float64"))),
    (spread, (np.asfortranarray(X), Y)),
    (spread, (X[:, ::2], random(17, 27))),
    (lambda x, y: (y[None] * x[:, :, None]).sum(axis=1), (X, Y)),
    (lambda x, y: (x.T[:, :, None] * y[:, None, :]).sum(axis=0), (X, Y)),
    (lambda x, y: (y[:, :, None] * x.T[:, None, :]).sum(axis=0), (X, Y)),
    (lambda x, y: np.sum(x[:, :, :, None] * y[:, None], axis=2), (random(3, 20, 33), random(3, 33, 27))),
    (lambda x, y: np.sum(x[..., None] * y, axis=-2), (random(3, 20, 33), random(33, 27))),
]


@pytest.mark.parametrize("number", range(len(PRODUCTS)))
def test_it_is_one_product(number: int) -> None:
    function, arguments = PRODUCTS[number]
    assert steps_of(function, *arguments) == ([Launch] * (number == 3)) + [
        LibraryCall
    ]  # BLAS takes no step of 2


def test_what_is_around_it_is_a_kernel_before_and_one_after() -> None:
    steps = steps_of(lambda x, y: ((x + 1)[:, :, None] * y).mean(axis=1, keepdims=True) + 2, X, Y)
    assert steps == [Launch, LibraryCall, Launch]


LAUNCHES: list[tuple[Program, tuple[np.ndarray, ...]]] = [
    # Integers: no library multiplies them, and kernels are exact either way.
    (spread, (random(20, 33, dtype="int32"), random(33, 27, dtype="int32"))),
    # Small ones.
    (spread, (random(20, 33), random(33, 15))),
    (spread, (random(15, 33), random(33, 27))),
    (spread, (random(20, 15), random(15, 27))),
    # NumPy adds in pairs, which rounds less than a library does.
    (lambda x, y: (x[:, None, :] * y.T[None]).sum(axis=-1), (X, Y)),
    (spread, (X, np.asfortranarray(Y))),
    # Not a sum, not one axis, not of two matrices.
    (lambda x, y: (x[:, :, None] * y).max(axis=1), (X, Y)),
    (lambda x, y: (x[:, :, None] * y).sum(axis=(0, 1)), (X, Y)),
    (lambda x, y: (x[:, :, None] * y[0]).sum(axis=1), (X, Y)),
    (lambda x, y: (x[:, :, None] + y).sum(axis=1), (X, Y)),
]


@pytest.mark.parametrize("number", range(len(LAUNCHES)))
def test_it_is_a_kernel(number: int) -> None:
    function, arguments = LAUNCHES[number]
    assert LibraryCall not in steps_of(function, *arguments)


def test_products_that_are_wanted_themselves_are_added_where_they_are() -> None:
    def both(x: Any, y: Any) -> Any:
        products = x[:, :, None] * y
        return products, products.sum(axis=1)

    jitted = jf.jit(both)
    for ours, theirs in zip(jitted(X, Y), both(X, Y), strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=2e-6)
    assert not any(isinstance(step, LibraryCall) for step in plan_of(jitted, X, Y).steps)


def test_other_sizes_of_a_product_compile_nothing() -> None:
    jitted = jf.jit(spread)
    jitted(X, Y)
    before = jf.cache.stats()["compiled"]
    for m, k, n in ((17, 16, 16), (40, 17, 300), (100, 64, 16)):
        x, y = random(m, k), random(k, n)
        np.testing.assert_allclose(jitted(x, y), spread(x, y), rtol=2e-6)
    assert jf.cache.stats()["compiled"] == before


@pytest.mark.parametrize("inner", [64, 1000, 5000])
def test_errors_are_no_larger_than_numpys(inner: int) -> None:
    x, y = random(24, inner), random(inner, 24)
    true = x.astype(float) @ y.astype(float)
    ours, theirs = (np.sqrt(np.mean((f(x, y) / true - 1) ** 2)) for f in (jf.jit(spread), spread))
    assert ours <= 1.1 * theirs
