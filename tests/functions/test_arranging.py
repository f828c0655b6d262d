"""Functions that pad, repeat, cut and join arrays, and views of windows and diagonals: NumPy's results."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import jitframe as jf
from jitframe.errors import ArgumentError
from tests.functions.compare import check

RANDOM = np.random.default_rng(0)
MATRIX = RANDOM.standard_normal((5, 7)).astype(np.float32)
VECTOR = RANDOM.standard_normal(11)
CUBE = np.arange(2 * 3 * 4 * 5).reshape(2, 3, 4, 5)
GRID = np.arange(12).reshape(3, 4)
windows = np.lib.stride_tricks.sliding_window_view


def same(function: Callable[..., Any], *arrays: np.ndarray) -> None:
    """Jitted and lazy, a function gives what it gives under NumPy."""
    wanted = leaves(function(*arrays))
    for got in (jf.jit(function)(*arrays), function(*map(jf.asarray, arrays))):
        for mine, theirs in zip(leaves(got), wanted, strict=True):
            mine = np.asarray(mine)
            assert mine.dtype == theirs.dtype and mine.shape == theirs.shape
            np.testing.assert_array_equal(mine, theirs)


def leaves(value: Any) -> list[Any]:
    return [leaf for each in value for leaf in leaves(each)] if isinstance(value, (tuple, list)) else [value]


@pytest.mark.parametrize("mode", ["constant", "edge", "reflect", "symmetric", "wrap", "minimum", "maximum"])
@pytest.mark.parametrize("width", [0, 1, (2, 3), ((1, 2), (0, 4)), ((3, 0), (20, 17))], ids=str)
def test_pad(mode: str, width: Any) -> None:
    same(lambda x: np.pad(x, width, mode), MATRIX)


def test_pad_with_options() -> None:
    same(lambda x: np.pad(x, 2, constant_values=((1, 2), (3, 4))), MATRIX)
    same(lambda x: np.pad(x, 2, constant_values=7), MATRIX)
    same(lambda x: np.pad(x, ((3, 2), (1, 4)), "linear_ramp", end_values=(-2, 5)), GRID)
    same(lambda x: np.pad(x, ((3, 2), (1, 4)), "mean"), GRID)
    same(lambda x: np.pad(x, ((3, 2), (1, 4)), "maximum", stat_length=2), MATRIX)
    same(lambda x: np.pad(x, 3, "reflect"), MATRIX[:1])
    same(lambda x: np.pad(x, {1: (1, 2)}), MATRIX)
    same(lambda x: np.pad(x, ((2, 1), (1, 3)), "empty")[2:-1, 1:-3], MATRIX)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda x: np.pad(x, 1, "median"), "mode 'median' is not supported"),
        (lambda x: np.pad(x, -1), "index can't contain negative values"),
        (lambda x: np.pad(x, 1, "edge", constant_values=1), "unsupported keyword arguments for mode 'edge'"),
        (lambda x: np.pad(x[:0], 1, "edge"), "can't extend empty axis 0"),
        (lambda x: np.rot90(x, axes=(0, 0)), "Axes must be different"),
        (lambda x: windows(x, 9, axis=1), "window shape cannot be larger than input array shape"),
        (lambda x: np.delete(x, 9, axis=0), "index 9 is out of bounds for axis 0 with size 5"),
        (lambda x: np.diagonal(x[0]), "diag requires an array of at least two dimensions"),
        (lambda x: np.vsplit(x[0], 1), "vsplit only works on arrays of 2 or more dimensions"),
    ],
)
def test_what_does_not_fit(call: Callable[..., Any], message: str) -> None:
    with pytest.raises(jf.errors.JitframeError, match=message.replace("(", r"\(")):
        call(jf.asarray(MATRIX))


def test_windows() -> None:
    same(lambda v: windows(v, 3), VECTOR)
    same(lambda v: windows(v, 0), VECTOR)
    same(lambda x: windows(x, (2, 3)) + 1, MATRIX)
    same(lambda x: windows(x, 4, axis=1).max(-1), MATRIX)
    same(lambda x: windows(np.sqrt(np.abs(x)), (3,), (0,)).max(axis=-1) * 2, MATRIX)
    same(lambda x: windows(x, (2, 2), axis=(1, 1)), MATRIX)


def moving_rows(x: Any, width: int) -> Any:
    shape = (*x.shape[:-1], x.shape[-1] - width + 1, width)
    return np.lib.stride_tricks.as_strided(x, shape=shape, strides=(*x.strides, x.strides[-1]))


def tiles_of(x: Any, side: int) -> Any:
    down, right = x.strides
    shape = (x.shape[0] // side, x.shape[1] // side, side, side)
    return np.lib.stride_tricks.as_strided(x, shape, (side * down, side * right, down, right))


STRIDED = [
    lambda x: moving_rows(x, 4)[:, ::2],
    lambda x: moving_rows(x[1:3], 2).sum(axis=-1),
    lambda x: moving_rows(np.ascontiguousarray(x.T), 3),
    lambda x: tiles_of(x, 2).max(axis=(2, 3)),
    lambda x: np.lib.stride_tricks.as_strided(x, (3, 5), (0, x.strides[0])) + 1,
    lambda x: np.lib.stride_tricks.as_strided(x, (5,), (x.strides[0] + x.strides[1],)).copy(),
    lambda x: np.lib.stride_tricks.as_strided(x) * 2,
    lambda x: np.lib.stride_tricks.as_strided(x, (), ()),
    lambda x: np.lib.stride_tricks.as_strided(x, (0, 3), (4, 4)),
]


@pytest.mark.parametrize("number", range(len(STRIDED)))
def test_strides_of_the_users_own(strict: Any, number: int) -> None:
    same(STRIDED[number], MATRIX)


def test_strides_of_an_array_in_fortran_order(strict: Any) -> None:
    got = jf.jit(lambda x: moving_rows(x.T, 3) * 2)(MATRIX)
    np.testing.assert_array_equal(got, moving_rows(MATRIX.T, 3) * 2)


LYING = [
    lambda x: x.T, lambda x: x.T + 1, lambda x: x[:, ::2], lambda x: (x * 2)[1:3, 1:4].T, lambda x: x[::-1],
    lambda x: np.swapaxes(x[:4].reshape(2, 2, 7), 0, 2) * 2, lambda x: np.broadcast_to(x[0], (3, x.shape[1])),
]  # fmt: skip


@pytest.mark.parametrize("number", range(len(LYING)))
def test_numpy_strides_over_a_tensor_as_it_says_that_it_lies(number: int) -> None:
    array, tensor = LYING[number](MATRIX), LYING[number](jf.asarray(MATRIX))
    assert tensor.strides == array.strides
    expected, found = (
        np.lib.stride_tricks.as_strided(each, each.shape[::-1], each.strides[::-1])
        for each in (array, tensor)
    )
    np.testing.assert_array_equal(found, expected)
    assert not found.flags.writeable


def test_strided_windows_see_later_writes(strict: Any) -> None:
    def function(x: Any) -> Any:
        seen = moving_rows(x, 3)
        x[2] = 100.0
        return seen.sum(axis=-1)

    given, expected = VECTOR.copy(), VECTOR.copy()
    np.testing.assert_allclose(jf.jit(function)(given), function(expected), rtol=1e-14)


@pytest.mark.parametrize(
    "function",
    [
        lambda x: moving_rows(x, 3)[..., ::-1] + np.lib.stride_tricks.as_strided(x, (12, 7)),
        lambda x: np.lib.stride_tricks.as_strided(x[:, 1:3], (3, 2), (8, 4)),  # across gaps
        lambda x: np.lib.stride_tricks.as_strided(x, (3,), (-4,)),
        lambda x: np.lib.stride_tricks.as_strided(x, (3,), (6,)),
    ],
)
def test_strides_that_leave_an_array_are_refused(strict: Any, function: Callable[..., Any]) -> None:
    with pytest.raises(jf.errors.UnsupportedError, match="beyond its own, backwards or across gaps"):
        jf.jit(function)(MATRIX)


def test_windows_are_read_in_place() -> None:
    def mean(x: Any) -> Any:
        return windows(x, 16).mean(axis=-1)

    explanation = jf.jit(mean).explain(np.arange(4096, dtype=np.float32))
    (kernel,) = explanation.kernels
    assert "x, b1" in str(explanation)
    # Lanes run along the results, not along the window.
    depth, lines = None, []
    for line in kernel.source("kernel").splitlines():
        indent = len(line) - len(line.lstrip())
        if depth is not None and indent > depth:
            lines.append(line)
        else:
            depth = indent if "for lanes" in line else None
    assert any("load @0" in line for line in lines)
    assert not any("quotient" in line for line in lines)
    jitted = jf.jit(mean)
    np.testing.assert_allclose(jitted(VECTOR.repeat(9)), mean(VECTOR.repeat(9)), rtol=1e-12)


@pytest.mark.parametrize("offset", [-5, -2, 0, 1, 6, 8])
def test_diagonals(offset: int) -> None:
    same(lambda x: np.diagonal(x, offset) * 1, MATRIX)
    same(lambda x: np.diagonal(x, offset), MATRIX)
    same(lambda x: np.diag(x, offset), MATRIX)
    same(lambda v: np.diag(v, offset), VECTOR)
    same(lambda t: np.diagonal(t, offset, 2, 0) + 0, CUBE)
    same(lambda t: np.trace(t, offset, 1, 3), CUBE)


def test_a_view_of_an_argument_cannot_be_written_to() -> None:
    view = jf.jit(lambda x: np.diagonal(x))(MATRIX)
    assert np.shares_memory(view, MATRIX) and not view.flags.writeable
    with pytest.raises(ValueError, match="read-only"):
        jf.jit(lambda x: np.diagonal(x).__setitem__(0, 1))(MATRIX)


def test_repetitions() -> None:
    for counts in (1, 2, (2, 3), (2, 1, 3), 0, (1, 2, 1, 2)):
        same(lambda x, counts=counts: np.tile(x, counts), MATRIX)
    for axis in (None, 0, 1, -1):
        same(lambda x, axis=axis: np.repeat(x, 3, axis=axis), MATRIX)
        same(lambda x, axis=axis: np.roll(x, 2, axis=axis), MATRIX)
    same(lambda x: np.roll(x, (1, -2), axis=(0, 1)), MATRIX)
    same(lambda x: np.roll(x, (1, 2)), MATRIX)
    same(lambda x: np.roll(x, 1, axis=(0, 1)), MATRIX)
    same(lambda x: np.resize(x, (4, 3)), MATRIX)
    same(lambda x: np.resize(x, (9, 13)), MATRIX)


def test_turns() -> None:
    for quarters in range(-1, 5):
        same(lambda x, quarters=quarters: np.rot90(x, quarters), MATRIX)
    same(lambda t: np.rot90(t, 1, (3, 1)) + 1, CUBE)
    same(lambda t: np.rollaxis(t, 3, 1) * 1, CUBE)
    same(lambda t: np.rollaxis(t, 0, 4) * 1, CUBE)


def test_parts_taken_out_and_put_in() -> None:
    same(lambda x, y: np.append(x, y), MATRIX, MATRIX)
    same(lambda x, y: np.append(x, y, axis=1), MATRIX, MATRIX)
    same(lambda x: np.delete(x, [1, 3], axis=1), MATRIX)
    same(lambda x: np.delete(x, slice(None, None, 2), axis=0), MATRIX)
    same(lambda x: np.delete(x, 3), MATRIX)
    same(lambda x: np.delete(x, [True, False, False, True, False], axis=0), MATRIX)
    same(lambda x: np.insert(x, 2, 5), MATRIX)
    same(lambda x: np.insert(x, 2, 5, axis=1), MATRIX)
    same(lambda x, y: np.insert(x, -1, y, axis=0), MATRIX, MATRIX[0])
    same(lambda x, y: np.insert(x, [1], y, axis=1), MATRIX, MATRIX[:, :2])
    same(lambda x, y: np.insert(x, 1, y, axis=1), MATRIX, MATRIX[:, 1])


def test_values_put_in_at_several_positions() -> None:
    same(lambda x: np.insert(x, [1, 2], 5), MATRIX)
    same(lambda x, v: np.insert(x, [3, 1, 1, -1], v), VECTOR, VECTOR[:4])
    same(lambda x, v: np.insert(x, [2, 0, 7], v, axis=1), MATRIX, VECTOR[:3])
    same(lambda x, y: np.insert(x, [5, 1], y, axis=0), MATRIX, MATRIX[:2] * 2)
    same(lambda x: np.insert(x, slice(0, 7, 2), 9, axis=1), MATRIX)
    same(lambda x: np.insert(x, np.array([True, False, True, False, False]), 9, axis=0), MATRIX)
    same(lambda x: np.insert(x, np.array([], int), 9), MATRIX)
    with pytest.raises(ValueError, match="could not broadcast"):
        np.insert(jf.asarray(MATRIX[:2, :2]), 0, np.ones((2, 1, 3)), axis=1)
    with pytest.raises(IndexError, match="index 12 is out of bounds for axis 0 with size 11"):
        np.insert(jf.asarray(VECTOR), [0, 12], 1)


def test_joins_and_splits() -> None:
    same(lambda x, y: np.dstack((x, y)), MATRIX, MATRIX)
    same(lambda v: np.dstack((v, v)), VECTOR)
    same(lambda v: np.atleast_3d(v) * 1, VECTOR)
    same(lambda x: np.block([[x, x], [x * 2, x[:, ::-1]]]), MATRIX)
    same(lambda v: np.block([v, v]), VECTOR)
    same(lambda x: np.array_split(x * 1, 3, axis=1), MATRIX)
    same(lambda x: np.array_split(x * 1, [2, 3], axis=1), MATRIX)
    same(lambda x: np.hsplit(x * 1, [2, 5]), MATRIX)
    same(lambda x: np.vsplit(x * 1, 5), MATRIX)
    same(lambda t: np.dsplit(t * 1, 2), CUBE)


def test_grids() -> None:
    same(lambda v, w: np.meshgrid(v, w), VECTOR, VECTOR[:4])
    same(lambda v, w: np.meshgrid(v, w, indexing="ij", sparse=True), VECTOR, VECTOR[:4])
    same(lambda v: np.tri(4, 5, 1) + v[0], VECTOR)
    same(lambda v: np.indices((3, 4)) + (v[0] > 9), VECTOR)
    same(lambda v: np.diagflat(v) * 2, VECTOR)


def test_a_count_for_each() -> None:
    same(lambda x: np.repeat(x, [0, 2, 1, 3, 1], axis=0), MATRIX)
    same(lambda v: np.repeat(v, [*range(11)]), VECTOR)
    same(lambda a, x: np.choose(a, (x[0], x[1], 7.0)), np.arange(14).reshape(2, 7) % 3, MATRIX)
    same(lambda a, x: np.choose(a, x, mode="wrap"), np.arange(-3, 4), MATRIX)
    same(lambda a, x: np.choose(a, (x, -x)), MATRIX > 0, MATRIX)
    with pytest.raises(IndexError):
        np.choose(jf.asarray(np.array([0, -1, 1])), (MATRIX[0, :3], MATRIX[1, :3])).numpy()
    same(lambda a, x: np.choose(a, x, mode="clip"), np.arange(-3, 4), MATRIX)
    with pytest.raises(jf.errors.JitframeError, match="could not be broadcast"):
        np.repeat(jf.asarray(MATRIX), [1, 2], axis=0)


def test_numbers_given_as_ndarrays() -> None:
    numbers = np.array([2, 1])
    for function in (
        lambda x: np.roll(x, numbers, (0, 1)),
        lambda x: np.roll(x, 1, np.array([0, 1])),
        lambda x: np.tile(x, numbers),
        lambda x: np.split(x, numbers[::-1]),
        lambda x: np.tensordot(x, x, numbers.reshape(2, 1) - 1),
        lambda x: np.roll(x, 3, ()),
    ):
        check(function, np.arange(9.0).reshape(3, 3))


def test_split_into_no_parts() -> None:
    with pytest.raises(ZeroDivisionError, match=r"^split: an axis has no 0 parts; give 1 or more"):
        np.split(jf.asarray(np.arange(4)), 0)
    with pytest.raises(ArgumentError, match=r"^number sections must be larger than 0, and -1 was given"):
        np.split(jf.asarray(np.arange(4)), -1)


@pytest.mark.parametrize("function", [np.concatenate, np.stack, np.vstack, np.hstack])
def test_joining_in_a_dtype(function: Callable[..., Any]) -> None:
    array = np.array([[1.5, -2.0]])
    check(lambda x: function([x, x], dtype=np.int32), array)
    check(lambda x: function([x, x], dtype=np.int32, casting="unsafe"), array)
    check(lambda x: function([x, x.astype(np.int8)], dtype=np.float32), array)
