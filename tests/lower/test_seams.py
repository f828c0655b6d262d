"""Results past the caches: rows of whole lines, where a line with some of both pieces is written once, and
both parts of complex numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import jitframe as jf
from jitframe.codegen.kernel.nodes import walk
from jitframe.codegen.lower.maps import window_updates
from jitframe.compilation import evaluate
from jitframe.runtime.cpu.execution.runtime import runtime
from tests.lower.programs import heat, plan_of


@pytest.fixture(autouse=True)
def everything_streams(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Launches of any size go past the caches."""
    evaluate.forget()
    monkeypatch.setattr(runtime(), "stream_bytes", 0)
    monkeypatch.setattr(window_updates, "SEAM_BYTES", 0)
    yield
    evaluate.forget()


def numbers(shape: tuple[int, ...], dtype: type) -> np.ndarray[Any, Any]:
    return np.arange(1, 1 + int(np.prod(shape))).reshape(shape).astype(dtype)


def beside(before: int, after: int) -> Callable[[Any], Any]:
    """Inside of a border along the last axis: the element and what lies on its right."""

    def step(u: Any) -> Any:
        new, end = u.copy(), u.shape[-1] - after
        new[..., before:end] = u[..., before:end] + u[..., u.shape[-1] - (end - before) :]
        return new

    return step


def agrees(function: Callable[..., Any], *arguments: Any) -> None:
    np.testing.assert_array_equal(np.asarray(jf.jit(function)(*arguments)), function(*arguments))


@pytest.mark.parametrize("columns", [16, 32, 48, 64, 80, 17, 100, 512, 520])
def test_heat_steps(columns: int) -> None:
    agrees(heat, numbers((9, columns), np.float32))


@pytest.mark.parametrize(
    "borders", [(0, 0), (0, 1), (1, 0), (1, 1), (3, 2), (16, 0), (16, 32), (20, 9), (31, 31), (40, 3)]
)
def test_borders_of_any_width(borders: tuple[int, int]) -> None:
    agrees(beside(*borders), numbers((5, 64), np.float32))
    agrees(beside(*borders), numbers((64,), np.float32))


@pytest.mark.parametrize("dtype", [np.uint8, np.int16, np.int32, np.float64, np.float16, np.bool_])
def test_lines_of_every_width_of_elements(dtype: type) -> None:
    agrees(beside(1, 2), numbers((3, 4, 128), dtype))


def test_a_long_row_in_tiles() -> None:
    agrees(beside(5, 7), numbers((1 << 16,), np.float32))


def test_windows_inside_of_a_line_and_empty_ones() -> None:
    def inside(u: Any) -> Any:
        new = 2 * u
        new[1:3, 19:22] = 0.5
        return new

    def empty(u: Any) -> Any:
        new = 2 * u
        new[1:3, 19:19] = u[1:3, 19:19] + 1
        return new

    agrees(inside, numbers((4, 64), np.float32))
    agrees(empty, numbers((4, 64), np.float32))


def test_other_columns_than_the_last_axis_and_pads() -> None:
    def turned(u: Any) -> Any:
        new = u.copy()
        new[1:-1, 2:-2] = u.T[1:-1, 2:-2] * 2
        return new

    agrees(turned, numbers((64, 64), np.float32))
    agrees(lambda x: np.pad(x + 1, 2), numbers((6, 60), np.float32))


def test_what_a_window_reads_is_not_read_beside_it() -> None:
    """The neighbours of the first and the last row's borders are outside of the array."""

    def shifted(u: Any, v: Any) -> Any:
        new = u.copy()
        new[:, 1:-1] = v[:, :-2] * v[:, 2:]
        return new

    agrees(shifted, numbers((1, 32), np.float32), numbers((1, 32), np.float32))


def test_positions_from_an_array() -> None:
    def looked_up(u: Any, at: Any) -> Any:
        new = u.copy()
        new[3:-3] = u[at] + 1
        return new

    agrees(looked_up, numbers((64,), np.float32), np.arange(57, -1, -1))


def test_results_of_a_caller_that_begin_anywhere() -> None:
    def fill(out: Any, u: Any) -> None:
        out[...] = u
        out[1:-1, 1:-1] = u[1:-1, 2:] + u[1:-1, :-2]

    u, memory = numbers((8, 64), np.float32), np.zeros(8 * 64 + 16, np.float32)
    expected = np.zeros_like(u)
    fill(expected, u)
    jitted = jf.jit(fill)
    for start in range(0, 16, 3):
        out = memory[start : start + 512].reshape(8, 64)
        out[...] = 0
        jitted(out, u)
        np.testing.assert_array_equal(out, expected)


def test_a_row_is_a_loop_of_each_kind() -> None:
    (kernel,) = plan_of(heat, numbers((9, 64), np.float32)).kernels
    lanes = [each for each in walk(kernel.body) if each.attributes.get("kind") == "lanes"]
    assert ["short" in each.attributes for each in lanes] == [False, True, False]


@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
def test_both_parts_of_complex_numbers(dtype: type) -> None:
    """Vectors hold both parts of numbers that follow one another."""

    def program(x: Any, y: Any) -> Any:
        return x * y + 1

    for size in (1, 7, 64, 1000, 5000):
        x = (numbers((size,), np.float32) % 7 * (1 + 2j)).astype(dtype)
        agrees(program, x, x.conj())
    (kernel,) = plan_of(program, x, x).kernels
    stores = [each for each in walk(kernel.body) if each.op.name == "store"]
    assert [bool(each.attributes.get("stream")) for each in stores] == [True, True]
