"""What extents decide: short axes are reduced where results are stored, rows stay whole, and tiles of costly
elements are small."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import jitframe as jf
from jitframe.codegen.plan.nodes import Launch
from jitframe.ir.expr import evaluate

from .programs import floats, lanes_loops, plan_of, ready_of


@pytest.mark.parametrize(("extent", "unrolled"), [(4, True), (8, True), (9, False), (16, False)])
def test_rows_of_up_to_eight_are_reduced_where_they_are_stored(extent: int, unrolled: bool) -> None:
    def lengths(x):
        return np.sqrt((x * x).sum(axis=1)), x.max(axis=1)

    plan = plan_of(lengths, floats(300, extent))
    assert any(loop.stores for kernel in plan.kernels for loop in lanes_loops(kernel)) == unrolled
    for dtype in ("f4", "f8", "i2", "c16"):
        x = floats(300, extent).astype(dtype)
        for found, wanted in zip(jf.jit(lengths)(x), lengths(x), strict=True):
            assert found.dtype == wanted.dtype
            np.testing.assert_allclose(found, wanted, rtol=1e-6)


@pytest.mark.parametrize(("features", "unrolled"), [(5, True), (16, True), (17, False)])
def test_elements_that_several_results_share_are_reduced_where_they_are_stored(
    features: int, unrolled: bool
) -> None:
    def squares(x, y):
        return ((x[:, None] - y[None]) ** 2).sum(axis=-1)

    x, y = floats(50, features), floats(70, features)
    (kernel,) = plan_of(squares, x, y).kernels
    assert any(loop.stores for loop in lanes_loops(kernel)) == unrolled
    for dtype in ("f4", "f8"):
        found = jf.jit(squares)(x.astype(dtype), y.astype(dtype))
        np.testing.assert_allclose(found, squares(x.astype("f8"), y.astype("f8")), rtol=1e-5, atol=1e-6)


def test_what_has_one_element_for_a_row_keeps_rows_whole() -> None:
    """Only what lies across rows makes squares of them, so that its cache lines are used whole."""

    def groups(function, *arrays):
        (launch,) = [step for step in plan_of(function, *arrays).steps if isinstance(step, Launch)]
        return str(launch.groups)

    x, column, rows = floats(300, 500), floats(300), np.arange(300) % 7
    for whole in (
        groups(lambda x, c: x - c[:, None], x, column),
        groups(lambda x, at: x[at], x, rows),
    ):
        assert " 64" not in whole and "16384" in whole
    assert groups(lambda x, y: x + y.T + y[0, 1], x, floats(500, 300)) == "((s0 +/ 64) * (s1 +/ 64))"


@pytest.mark.parametrize(
    ("function", "fewest", "most"),
    [(lambda x: x * x + 1, 1, 1), (np.tanh, 2, 8), (lambda x: np.tan(x) ** np.sin(x), 16, 32)],
    ids=["cheap", "a function", "a formula"],
)
@pytest.mark.parametrize("shape", [(16384,), (64, 256), (2, 8192)], ids=str)
def test_costly_elements_are_shared_by_threads(
    function: Any, fewest: int, most: int, shape: tuple[int, ...]
) -> None:
    """A tile takes some microseconds, whatever its elements cost, and has no fewer than a row of vectors."""
    ready = ready_of(function, floats(*shape))
    (launch,) = [step for step in ready.template.lowered.plan.steps if isinstance(step, Launch)]
    assert fewest <= evaluate(launch.groups, ready.sizes, {"device.threads": 2}) <= most


@pytest.mark.parametrize("step", [1, 2, -1, 3])
def test_columns_that_are_near_one_another_are_reduced_together(step: int) -> None:
    """Each column by itself would read an element of every line of the cache; NumPy adds row by row."""
    x = np.random.default_rng(0).standard_normal((300, 700)).astype("f4")
    by_rows = np.zeros(x[:, ::step].shape[1], "f4")
    for row in x[:, ::step]:
        by_rows += row
    np.testing.assert_array_equal(jf.jit(lambda x: x[:, ::step].sum(axis=0))(x), by_rows)
    pixels = x.reshape(300, 140, 5)
    np.testing.assert_array_equal(
        jf.jit(lambda x: x[:, :, 2].sum(axis=0))(pixels), pixels[:, :, 2].sum(axis=0)
    )


def test_short_sums_of_complex_numbers_are_one_kernel() -> None:
    x = floats(3, 900) + 1j * floats(3, 900)[::-1]
    plan = plan_of(lambda x, y: (x * y).sum(axis=0), x, x)
    assert len(plan.kernels) == 1


def test_a_small_complex_matrix_times_many_vectors_is_one_kernel() -> None:
    gate, state = floats(2, 2) * 1j, floats(2, 900) + 0j
    assert len(plan_of(lambda gate, state: 2 * (gate @ (state + 1)), gate, state).kernels) == 1
