"""Assignments along a short last axis: parts of a new array, in one loop over the others, sums among them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import jitframe as jf
from jitframe.codegen.llvm.interleaved import find_interleaved

from .programs import counted, floats, lanes_loops, plan_of


def grid(x):
    z = np.zeros((x.size, x.size, 3))
    z[:, :, 0] = x[:, None]
    z[:, :, 1] = x
    return z


def columns(x):
    z = np.zeros((x.size, 2))
    z[:, 0] = x
    z[:, 1] = x * x
    return z


def some_of_four(x):
    z = np.exp(np.outer(x, np.ones(4)))
    z[:, ::2] = x[:, None]
    z[:, 2] += 1
    return z * 2


def reversed_and_read(x):
    z = np.ones((x.size, 4))
    z[:, ::-1][:, 0] = x
    z[:, 1] = z[:, 3] + z[:, 2]
    return z, z.sum(axis=0)


def a_row_between(x):
    z = np.zeros((x.size, 3))
    z[:, 0] = x
    z[2] = 7
    z[:, 1] = x
    return z, z.T.copy()


def kept_before(x):
    z = np.zeros((x.size, 3))
    z[:, 0] = x
    before = z.copy()
    z[:, 2] = np.cumsum(x)
    return before, z


PROGRAMS: list[Callable[..., Any]] = [
    grid,
    columns,
    some_of_four,
    reversed_and_read,
    a_row_between,
    kept_before,
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_results_are_numpy_s(program: Callable[..., Any]) -> None:
    jitted = jf.jit(program)
    for size in (3, 4, 5, 40):
        x = np.linspace(1, 2, size)
        found, expected = jitted(x), program(x)
        for one, other in zip(*map(_as_tuple, (found, expected)), strict=True):
            assert one.shape == other.shape
            np.testing.assert_allclose(one, other, rtol=1e-14)


def _as_tuple(value: Any) -> tuple[Any, ...]:
    return value if isinstance(value, tuple) else (value,)


@pytest.mark.parametrize(("program", "stores"), [(grid, 3), (columns, 2)], ids=["grid", "columns"])
def test_it_is_one_loop(program: Callable[..., Any], stores: int) -> None:
    plan = plan_of(program, np.linspace(1, 2, 40))
    assert counted(plan) == {"launches": 1, "products": 0, "buffers": 1}
    assert [each.stores for each in lanes_loops(plan.kernels[0])] == [stores]


def multiply_add(x, y, z):
    return x * y + z


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
@pytest.mark.parametrize("operands", [1, 3], ids=["doubled", "multiply-add"])
def test_parts_of_complex_numbers_are_loaded_and_stored_together(dtype: str, operands: int) -> None:
    """No access is at every second element alone."""
    program = multiply_add if operands == 3 else (lambda x: x + x)
    plan = plan_of(program, *[np.ones(40, dtype)] * operands)
    ((path, found),) = [(each.path, each.loads + each.stores) for each in lanes_loops(plan.kernels[0])]
    assert found == len(find_interleaved(plan.kernels[0]))
    assert len(path) == 1


def test_longer_axes_are_written_as_they_were_and_compile_nothing_anew() -> None:
    @jf.jit
    def first_column(x, y):
        z = np.zeros((x.size, y.size))
        z[:, 0] = x
        return z

    programs = [first_column.program(np.ones(50), np.ones(columns)) for columns in (5, 6, 40)]
    assert len({id(program.ready.template) for program in programs}) == 1


def test_sums_that_are_parts_of_one_array_share_what_is_costly() -> None:
    def accelerations(x, y, m):
        dx, dy = x.T - x, y.T - y
        near = (dx**2 + dy**2 + 0.1) ** -1.5
        return np.hstack([(dx * near) @ m, (dy * near) @ m, ((dx - dy) * near) @ m])

    arguments = floats(40, 1), floats(40, 1) + 1, floats(40, 1)
    plan = plan_of(accelerations, *arguments)
    assert counted(plan)["launches"] == 1
    assert [loop.operations.get("pow", 0) for loop in lanes_loops(plan.kernels[0])] == [1]
    found, wanted = jf.jit(accelerations)(*arguments), accelerations(*arguments)
    np.testing.assert_allclose(found, wanted, rtol=2e-5, atol=1e-5)
