"""Parts of arrays whose axes are split are read where they lie."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import jitframe as jf

from .programs import counted, floats, lanes_loops, plan_of

LONG, WIDE = floats(1003), floats(7, 1003)


def rows(x: Any, columns: int = 10) -> Any:
    """All whole rows of so many elements that an array has, after the first two elements."""
    count = (x.shape[-1] - 2) // columns
    return x[..., 2 : 2 + count * columns].reshape(*x.shape[:-1], count, columns)


READERS: dict[str, Callable[..., Any]] = {
    "a map": lambda x: np.abs(rows(x)) * 2,
    "along rows": lambda x: rows(x).mean(axis=-1),
    "along columns": lambda x: rows(x).sum(axis=-2),
    "turned": lambda x: rows(x, 100).swapaxes(-1, -2) + 1,
    "running sums": lambda x: np.cumsum(rows(x), axis=-1),
    "standardised": lambda x: rows(x) - rows(x).mean(axis=-1, keepdims=True),
    "windows": lambda x: np.lib.stride_tricks.sliding_window_view(rows(x), 3, axis=-1).max(axis=-1),
    "a diagonal": lambda x: np.diagonal(rows(x), axis1=-1, axis2=-2) * 2,
    "positions": lambda x: rows(x)[..., [3, 0, 2], :] + 1,
    "a part of a part": lambda x: rows(x[..., 5:-7])[..., 1:, ::2] * 2,
    "split again": lambda x: rows(x).reshape(*x.shape[:-1], 100, 2, 5).sum(axis=-2),
}


@pytest.mark.parametrize("x", [LONG, WIDE], ids=["one axis", "two axes"])
@pytest.mark.parametrize("name", READERS)
def test_a_part_of_an_array_is_not_copied_to_be_split(name: str, x: np.ndarray) -> None:
    assert counted(plan_of(READERS[name], x)) == {"launches": 1, "products": 0, "buffers": 1}
    np.testing.assert_allclose(jf.jit(READERS[name])(x), READERS[name](x), rtol=1e-5, atol=1e-5)


def test_a_part_is_multiplied_where_it_lies() -> None:
    plan = plan_of(lambda x: rows(x, 30).T @ rows(x, 30), LONG)
    assert counted(plan) == {"launches": 0, "products": 1, "buffers": 1}


WRITERS: dict[str, Callable[..., Any]] = {
    "through the part": lambda x: rows(x).__setitem__(0, rows(x)[1] * 2),
    "sums of columns": lambda x: rows(x).__setitem__(slice(None), rows(x).sum(axis=0)),
    "one element on": lambda x: x.__setitem__(slice(3, 1003), rows(x).reshape(-1)),
    "what is read": lambda x: x.__setitem__(slice(2, 1002), rows(x)[::-1].reshape(-1)),
    "another part": lambda x: x.__setitem__(slice(500, 600), rows(x[:500])[:10].reshape(-1)),
}


@pytest.mark.parametrize("name", WRITERS)
def test_what_is_read_of_an_array_that_is_written(name: str) -> None:
    found, expected = LONG.copy(), LONG.copy()
    WRITERS[name](expected)

    def function(x: Any) -> Any:
        WRITERS[name](x)
        return x.sum()

    jf.jit(function)(found)
    np.testing.assert_allclose(found, expected, rtol=1e-6)


def test_a_part_of_another_size_compiles_nothing() -> None:
    jitted = jf.jit(lambda x: rows(x).max(axis=-1))
    for size in (1003, 99, 33, 4000):
        x = floats(size)
        np.testing.assert_array_equal(jitted(x), rows(x).max(axis=-1))
    assert jitted.stats()["compiled"] <= 1


def test_strided_and_empty_parts() -> None:
    jitted = jf.jit(lambda x: rows(x) + 1)
    for x in (floats(606)[::2], floats(606)[::-1], floats(2), floats(5, 0, 33)):
        np.testing.assert_array_equal(jitted(x), rows(x) + 1)


@pytest.mark.parametrize("view", [np.s_[::2, ::3], np.s_[::-1, ::-1]], ids=["steps", "reversed"])
@pytest.mark.parametrize("rows", [10, 300])
def test_columns_of_a_view_are_reduced_as_those_of_its_copy(rows: int, view: Any) -> None:
    """Side by side, a row after another: their loops are the same, and so are the bits of their sums."""

    def columns(x: Any) -> Any:
        return x.sum(axis=0), x.max(axis=0)

    x = floats(2 * rows, 120)[view]
    plans = [plan_of(columns, each) for each in (x, x.copy())]
    view_loops, copy_loops = (
        [(each.loads, each.stores) for kernel in plan.kernels for each in lanes_loops(kernel)]
        for plan in plans
    )
    assert view_loops == copy_loops
    for one, other in zip(jf.jit(columns)(x), jf.jit(columns)(x.copy()), strict=True):
        assert one.tobytes() == other.tobytes()
