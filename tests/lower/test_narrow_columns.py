"""Reductions down a few columns: the bits of rows, by vectors along the columns."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import jitframe as jf
from jitframe.codegen.lower import schedule
from jitframe.codegen.lower.reductions import columns
from jitframe.compilation.evaluate import forget

REDUCTIONS: dict[str, Callable[..., Any]] = {
    "sum": lambda x, axis: x.sum(axis=axis),
    "prod": lambda x, axis: (1 + x / 1000).prod(axis=axis),
    "max": lambda x, axis: x.max(axis=axis),
    "sum of products": lambda x, axis: (x * (x + 1)).sum(axis=axis) + 1,
    "several": lambda x, axis: x.sum(axis=axis) / (1 + x.min(axis=axis)),
    "mean and variance": lambda x, axis: (x.mean(axis=axis), x.var(axis=axis)),
}
SHAPES: list[tuple[tuple[int, ...], Any]] = [
    ((2, 8), 0),
    ((200, 5), 0),
    ((3001, 10), 0),
    ((17_000, 15), 0),
    ((66_000, 12), 0),
    ((5, 700, 9), 1),
    ((3, 20, 300, 11), (1, 2)),
]


def values(shape: tuple[int, ...], dtype: str) -> np.ndarray:
    random = np.random.default_rng(sum(shape))
    return random.integers(0, 100, shape).astype(dtype) if dtype[0] in "iub" else (
        (random.standard_normal(shape) * 50).astype(dtype)
    )  # fmt: skip


def bits(found: Any) -> list[bytes]:
    return [np.asarray(each).tobytes() for each in (found if isinstance(found, tuple) else (found,))]


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize(("shape", "axis"), SHAPES, ids=str)
def test_bits_are_those_of_rows(
    shape: tuple[int, ...], axis: Any, dtype: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    x = values(shape, dtype)
    programs = [lambda x, make=make: make(x, axis) for make in REDUCTIONS.values()]
    forget()
    ours = [bits(jf.jit(program)(x)) for program in programs]
    monkeypatch.setattr(schedule, "is_narrow", lambda _: False)
    forget()
    rows = [bits(jf.jit(program)(x)) for program in programs]
    forget()
    assert [name for name, one, other in zip(REDUCTIONS, ours, rows, strict=True) if one != other] == []


@pytest.mark.parametrize("dtype", ["bool", "uint8", "int16", "int32", "int64", "float16"])
def test_other_dtypes(dtype: str) -> None:
    x = values((1001, 9), dtype)
    np.testing.assert_array_equal(jf.jit(lambda x: x.max(axis=0))(x), x.max(axis=0))
    found, meant = jf.jit(lambda x: x.sum(axis=0))(x), x.sum(axis=0, dtype=np.float64)
    np.testing.assert_allclose(found.astype(np.float64), meant, rtol=1e-3 if dtype == "float16" else 0)


def test_the_first_of_equal_elements_is_found() -> None:
    x = values((3000, 8), "int32") % 7
    np.testing.assert_array_equal(jf.jit(lambda x: x.argmax(axis=0))(x), x.argmax(axis=0))
    x = x.astype(np.float32)
    x[1234, 3] = np.nan
    np.testing.assert_array_equal(jf.jit(lambda x: x.argmin(axis=0))(x), x.argmin(axis=0))


def test_a_column_is_read_beside_the_others() -> None:
    """Of products with a vector too; but not what is costly, whose idle lanes would take time as well."""

    def places(function: Callable[..., Any], *arrays: np.ndarray) -> bool:
        (kernel,) = jf.jit(function).explain(*arrays).kernels
        return "allocate" in kernel.source("kernel")

    x, weights = values((1000, 10), "float32"), values((1000,), "float32")
    assert places(lambda x: x.sum(axis=0), x)
    assert places(lambda x, w: x.T @ w, x, weights)
    assert places(lambda x, w: (x.T @ w) / 1000, x, weights)
    assert not places(lambda x: np.exp(x).sum(axis=0), x)
    assert not places(lambda x: x.sum(axis=0), x[:, :4])


def of_long_terms(x: Any, y: Any) -> Any:
    terms = x * (x * (x * y[0] + 1) - y[1]) + y[2] * x
    return terms.sum(axis=1), np.maximum(terms, 0).max(axis=1) + 1


@pytest.mark.parametrize("dtype", ["float32", "float64", "int64"])
def test_long_terms_are_combined_in_registers(dtype: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """To the bits of sums in memory, from no row to more than are combined at a time."""
    given = [(values((3, rows, 20), dtype), values((3, 20), dtype)) for rows in (1, columns.MANY_ROWS, 150)]
    found, texts = [], []
    for length in (columns.LONG_TERM, 1 << 20):
        monkeypatch.setattr(columns, "LONG_TERM", length)
        forget()
        program = jf.jit(of_long_terms)
        found.append([bits(program(*each)) for each in given])
        texts.append([kernel.source("kernel") for kernel in program.explain(*given[0]).kernels])
    forget()
    assert found[0] == found[1] and texts[0] != texts[1]
