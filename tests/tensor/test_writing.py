"""Writes to Tensors whose values are known: views show them, nobody else does, as NumPy has it."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import jitframe as jf
from jitframe.tensors.writing import is_alone

STEPS = 25


def test_out_is_written_to() -> None:
    x, out = jf.asarray([1.0, 2.0]), jf.zeros(2)
    shown = out[:]
    jf.add(x, x, out)
    np.testing.assert_array_equal(out.numpy(), [2, 4])
    np.testing.assert_array_equal(shown.numpy(), [2, 4])
    np.testing.assert_array_equal(x.numpy(), [1, 2])


def test_writes_show_in_views_alone() -> None:
    x = jf.asarray(np.arange(6.0))
    twice, shown, before = x * 2, x[1:4], x.numpy()
    copied = x.copy()
    x[2] = 9.0
    shown[0] = 7.0
    shown += 1.0
    np.testing.assert_array_equal(x.numpy(), [0, 8, 10, 4, 4, 5])
    np.testing.assert_array_equal(shown.numpy(), [8, 10, 4])
    np.testing.assert_array_equal(before, np.arange(6))
    np.testing.assert_array_equal(copied.numpy(), np.arange(6))
    np.testing.assert_array_equal(twice.numpy(), 2 * np.arange(6))


def test_overlapping_stores() -> None:
    for index, other in ((slice(1, None), slice(None, -1)), (slice(None, -1), slice(1, None))):
        x, expected = jf.asarray(np.arange(5.0)), np.arange(5.0)
        x[index] = x[other]
        expected[index] = expected[other].copy()
        np.testing.assert_array_equal(x.numpy(), expected)


def test_masks_that_are_not_computed_yet() -> None:
    x = jf.asarray(np.arange(5.0))
    large = jf.asarray(np.ones(1 << 16)) * 2
    mask = x > large[0]
    x[mask] = 0.0
    np.testing.assert_array_equal(x.numpy(), [0, 1, 2, 0, 0])


def test_a_graph_keeps_the_values_that_it_was_built_of() -> None:
    x = jf.asarray(np.arange(4.0))
    large = jf.asarray(np.ones((20000, 4))) + x
    x[:] = 0.0
    np.testing.assert_array_equal(large.numpy()[0], [1, 2, 3, 4])


def test_a_value_is_written_in_place_where_nobody_else_has_it() -> None:
    x = jf.asarray(np.zeros(4))
    assert is_alone(x)
    value = x._value
    assert not is_alone(x)
    x[1] = 3.0
    assert x._value is not value
    assert value.tolist() == [0, 0, 0, 0]


def test_a_view_of_a_view_at_slices_is_reshaped_to_a_copy() -> None:
    x, expected = jf.asarray(np.arange(24.0).reshape(4, 6)), np.arange(24.0).reshape(4, 6)
    y, other = x[::2][:, ::2].reshape(-1), expected[::2][:, ::2].reshape(-1)
    y[:] = -1.0
    other[:] = -1.0
    np.testing.assert_array_equal(x.numpy(), expected)
    np.testing.assert_array_equal(y.numpy(), other)


@pytest.mark.parametrize("seed", range(12))
def test_random_programs_of_views_and_writes(seed: int) -> None:
    choose = random.Random(seed)
    shapes = [tuple(choose.randint(1, 5) for _ in range(choose.randint(1, 3))) for _ in range(3)]
    arrays: list[Any] = [np.arange(np.prod(shape), dtype=float).reshape(shape) for shape in shapes]
    tensors: list[Any] = [jf.asarray(array) for array in arrays]
    for _ in range(STEPS):
        place = choose.randrange(len(arrays))
        x, y = arrays[place], tensors[place]
        if not x.ndim:
            x, y = x + np.zeros(2), y + jf.zeros(2)
        index = tuple(_item(choose, extent) for extent in x.shape[: choose.randint(1, x.ndim)])
        match choose.randrange(10):
            case 0 | 1:
                made = x[index], y[index]
            case 2:
                x[index] = y[index] = -2.0
                continue
            case 3:
                x[index] *= 3
                y[index] *= 3
                continue
            case 4:
                x += 1
                y += 1
                continue
            case 5:
                x[x > 4] = 0
                y[y > 4] = 0
                continue
            case 6:
                x[...] = x[::-1].copy()
                y[...] = y[::-1]
                continue
            case 7:
                made = x.T, y.T
            case 8:
                made = x - 2 * x, y - 2 * y
            case _:
                made = np.sort(x), jf.sort(y)  # by the graph
        if made[0].size and made[0].ndim:
            place = choose.randrange(8)
            arrays[place : place + 1], tensors[place : place + 1] = [made[0]], [made[1]]
        if choose.random() < 0.2:
            np.asarray(choose.choice(tensors))
    for array, tensor in zip(arrays, tensors, strict=True):
        np.testing.assert_allclose(tensor.numpy(), array)


def _item(choose: random.Random, extent: int) -> Any:
    if choose.random() < 0.25:
        return choose.randrange(-extent, extent)
    bounds = [choose.choice([None, choose.randint(-extent, extent)]) for _ in range(2)]
    return slice(*bounds, choose.choice([None, 1, 2, -1, -2]))
