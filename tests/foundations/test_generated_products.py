"""Products by kernels on the processor: integers and bools of any size, small matrices, vectors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import jitframe as jf
from jitframe.codegen.plan.nodes import Launch, LibraryCall
from tests.foundations.programs import plan_of


def product(x: Any, y: Any) -> Any:
    return x @ y


def followed(x: Any, y: Any) -> Any:
    """With what a kernel of a product stores in its place: another array's row, a limit."""
    return np.maximum(x @ y + y[..., :1, :], 1)


def steps(jitted: Any, *arrays: np.ndarray) -> list[str]:
    return [
        type(step).__name__
        for step in plan_of(jitted, *arrays).steps
        if isinstance(step, (LibraryCall, Launch))
    ]


def whole(shape: tuple[int, ...], dtype: str) -> np.ndarray:
    limits = (0, 2) if dtype == "bool" else (-(2**30), 2**30) if dtype in ("int32", "int64") else (0, 120)
    return np.random.default_rng(sum(shape)).integers(*limits, shape).astype(dtype)


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint8", "int16", "int32", "int64", "uint64"])
@pytest.mark.parametrize(
    "sizes", [(1, 1, 1), (65, 257, 300), (8, 512, 16), (63, 255, 17), (70, 3, 600)], ids=str
)
def test_integers_of_more_than_a_tile(sizes: tuple[int, int, int], dtype: str) -> None:
    """Rows, inner positions and columns beyond a tile's, and just within: wrapped as NumPy wraps."""
    m, k, n = sizes
    x, y = whole((m, k), dtype), whole((k, n), dtype)
    for function in (product, followed) if dtype != "bool" else (product,):
        jitted = jf.jit(function)
        with np.errstate(all="ignore"):
            np.testing.assert_array_equal(jitted(x, y), function(x, y))
        assert steps(jitted, x, y) == ["Launch"]


@pytest.mark.parametrize("dtype", ["int32", "float32"])
def test_any_strides_without_copies(dtype: str) -> None:
    x, y = whole((2, 40, 30), "uint8").astype(dtype), whole((2, 30, 50), "uint8").astype(dtype)
    x, y = x[:, :16, :11], y[:, :11, :13]
    turned = np.ascontiguousarray(y.swapaxes(1, 2)).swapaxes(1, 2)
    for first, second in (
        (x, y),
        (x[:, ::-1, ::-1], y[::-1]),
        (x[::-1], turned),
        (x[..., ::2], turned[:, ::2]),
    ):
        jitted = jf.jit(product)
        np.testing.assert_array_equal(jitted(first, second), first @ second)
        assert steps(jitted, first, second) == ["Launch"]


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("extent", [1, 2, 3, 4, 7, 8, 16, 17])
def test_stacks_of_small_matrices_are_one_kernel(extent: int, dtype: str) -> None:
    random = np.random.default_rng(extent)
    x, y = (random.standard_normal((6, 50, extent, extent)).astype(dtype) for _ in range(2))
    for function in (product, followed):
        jitted = jf.jit(function)
        scale = (np.abs(x) @ np.abs(y)).max()
        np.testing.assert_allclose(jitted(x, y), function(x, y), rtol=0, atol=4 * np.finfo(dtype).eps * scale)
        library = ["LibraryCall", "Launch"] if function is followed else ["LibraryCall"]
        assert steps(jitted, x, y) == (["Launch"] if extent <= 16 else library)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize(
    "size", [(2, 2, 2), (4, 4, 4), (3, 16, 5), (16, 2, 16), (16, 16, 16), (16, 17, 16)], ids=str
)
def test_small_matrices_are_multiplied_in_the_kernel_of_what_follows(
    size: tuple[int, int, int], dtype: str
) -> None:
    m, k, n = size
    random = np.random.default_rng(m)
    x, y = (random.standard_normal(shape).astype(dtype) for shape in ((m, k), (k, n)))
    bound = 4 * np.finfo(dtype).eps * (np.abs(x) @ np.abs(y)).max()
    for first, second in ((x, y), (x[::-1], y[:, ::-1]), (np.asfortranarray(x), np.asfortranarray(y))):
        for function in (product, followed):
            jitted = jf.jit(function)
            np.testing.assert_allclose(jitted(first, second), function(first, second), rtol=0, atol=bound)
            if max(size) <= 16:
                assert steps(jitted, first, second) == ["Launch"]
            else:
                assert "LibraryCall" in steps(jitted, first, second)


def test_what_is_not_finite_reaches_its_row_and_column_alone() -> None:
    for shape in ((5, 4, 4), (20, 20)):
        x, y = np.ones(shape), np.ones(shape)
        x[..., 1, 2], y[..., 0, 3] = np.inf, np.nan
        for _ in range(2):
            with np.errstate(all="ignore"):
                np.testing.assert_array_equal(jf.jit(product)(x, y), x @ y)
            y[..., 2, 0] = 0.0  # inf * 0


def test_new_sizes_compile_nothing() -> None:
    jitted = jf.jit(followed)
    for dtype, sizes in (
        ("int32", [(20, 30, 40), (100, 7, 301), (64, 256, 256)]),
        ("float32", [(5, 4, 6, 3)]),
    ):
        for size in sizes:
            *batch, m, k, n = size
            jitted(whole((*batch, m, k), dtype), whole((*batch, k, n), dtype))
    before = jf.cache.stats()["compiled"]
    jitted(whole((33, 1000), "int32"), whole((1000, 90), "int32"))
    jitted(whole((9, 11, 5), "float32"), whole((9, 5, 13), "float32"))
    assert jf.cache.stats()["compiled"] == before
