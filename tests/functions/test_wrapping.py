"""Rolls: read where they are used, through positions that wrap around."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import jitframe as jf


def heat(u: Any) -> Any:
    around = np.roll(u, 1, 0) + np.roll(u, -1, 0) + np.roll(u, 1, 1) + np.roll(u, -1, 1)
    return u + np.float32(0.125) * (around - 4 * u)


def life(cells: Any) -> Any:
    steps = [(i, j) for i in (-1, 0, 1) for j in (-1, 0, 1) if i or j]
    count = sum(np.roll(np.roll(cells, i, 0), j, 1) for i, j in steps)
    return ((count == 3) | ((cells == 1) & (count == 2))).astype(np.uint8)


def stream(f: Any) -> Any:
    """The populations of a lattice of nine speeds, each moved its way, and put through a collision."""
    ways = [(0, 0), (1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, 1), (-1, -1), (1, -1)]
    moved = np.stack([np.roll(f[k], way, (0, 1)) for k, way in enumerate(ways)])
    return moved + np.float32(0.5) * (moved.mean(axis=0) - moved)


def whole_numbers(*shape: int) -> Any:
    """Floats whose sums here are exact in any order."""
    return np.random.default_rng(7).integers(0, 256, shape).astype(np.float32)


EXTENTS = st.sampled_from([0, 1, 2, 3, 7, 17, 33, 64, 131])
SHIFTS = st.integers(-300, 300)


@settings(max_examples=30, deadline=None)
@given(st.tuples(EXTENTS, EXTENTS), st.lists(SHIFTS, min_size=4, max_size=4), st.sampled_from([1, -1, 2]))
def test_rolls_are_numpys(shape: tuple[int, int], shifts: list[int], step: int) -> None:
    def program(x: Any) -> Any:
        once = np.roll(x, shifts[0], 1)
        both = np.roll(x[:, ::step], (shifts[1], shifts[2]), (0, 1))
        return x - once, both * 2, np.roll(once[::-1, ::step], shifts[3], 1) + both, np.roll(x.T, shifts[3])

    x = whole_numbers(*shape)
    for found, expected in zip(jf.jit(program)(x), program(x), strict=True):
        np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("device", ["cpu", "opencl", "webgpu"])
@pytest.mark.parametrize("function", [heat, life, stream])
def test_rolls_on_devices(function: Any, device: str) -> None:
    if device not in {each.name for each in jf.devices() if each.available}:
        pytest.skip(f"no {device} here")
    for extents in ((37, 131), (2, 3), (1, 64)):
        shape = (9, *extents) if function is stream else extents
        x = whole_numbers(*shape) if function is not life else (whole_numbers(*shape) < 80).astype(np.uint8)
        found = jf.jit(function)(jf.asarray(x, device=device)).numpy()
        np.testing.assert_allclose(found, function(x), rtol=1e-6)


@pytest.mark.parametrize("function", [heat, life])
def test_a_stencil_of_rolls_is_one_loop_that_stores_its_result_alone(function: Any) -> None:
    x = whole_numbers(64, 64).astype(np.uint8 if function is life else np.float32)
    (kernel,) = jf.jit(function).explain(x).kernels
    text = kernel.source("kernel")
    assert (text.count("store @"), text.count("for lanes")) == (1, 1)


def test_a_loop_of_rolls_is_one_kernel() -> None:
    def program(u: Any) -> Any:
        return jf.fori_loop(0, 20, lambda _i, u: heat(u), u)

    x, expected = whole_numbers(40, 33), whole_numbers(40, 33)
    for _ in range(20):
        expected = heat(expected)
    compiled = jf.jit(program)
    np.testing.assert_allclose(compiled(x), expected, rtol=1e-5)
    assert len(compiled.explain(x).kernels) == 1


def test_what_is_costly_is_computed_once_for_all_its_rolls() -> None:
    def program(x: Any) -> Any:
        e = np.exp(x)
        return e + np.roll(e, 1, 0) + np.roll(e, 1, 1)

    x = whole_numbers(32, 32) / 256
    compiled = jf.jit(program)
    np.testing.assert_allclose(compiled(x), program(x), rtol=1e-6)
    assert len(compiled.explain(x).kernels) == 2


def test_results_are_not_written_over_what_rolls_still_read() -> None:
    def program(u: Any) -> None:
        u[:] = u + np.roll(u, 1, 0) + np.roll(u, -1, 1)

    found, expected = whole_numbers(33, 70), whole_numbers(33, 70)
    jf.jit(program)(found)
    program(expected)
    np.testing.assert_array_equal(found, expected)


def test_products_take_rolled_operands() -> None:
    x, y = whole_numbers(20, 30), whole_numbers(30, 10)
    found = jf.jit(lambda x, y: np.roll(x, 3, 1) @ np.roll(y, -2, 0))(x, y)
    np.testing.assert_array_equal(found, np.roll(x, 3, 1) @ np.roll(y, -2, 0))
