"""Arrays that are put together from parts: concatenations, stacks, nested lists, windows that are written."""

from __future__ import annotations

import numpy as np
import pytest

import jitframe as jf
from tests.jit.same import assert_same, check


def two():
    generator = np.random.default_rng(2)
    return [generator.random(12).astype(np.float32) for _ in range(2)]


def test_parts_of_a_new_array_share_a_kernel():
    def rotation(x):
        return np.array([[np.cos(x[0]), -np.sin(x[0])], [np.sin(x[0]), np.cos(x[0])]])

    x, y = two()
    for function, kernels in (
        (lambda x, y: np.concatenate([x + 1, y * 2, x - y]), 1),
        (lambda x, y: np.concatenate([x[:3], y * 2, x - y]), 2),
        (lambda x, y: np.stack([x + 1, y * 2, x - y], axis=-1), 1),
        (lambda x, y: np.stack([x.reshape(3, 4), y.reshape(3, 4) * 2], axis=1), 1),
        (lambda x, y: np.hstack([x.reshape(3, 4) - y.reshape(3, 4), y.reshape(3, 4)]), 1),
        (lambda x, y: rotation(x), 1),
        (lambda x, y: np.array([[1, x[1]], [2, 3.5]]), 1),
    ):
        jitted = jf.jit(function)
        for _ in range(2):
            assert_same(jitted(x, y), function(x, y), 1e-6)
        assert len(jitted.explain(x, y).kernels) == kernels


def test_parts_that_overlap_or_read_each_other_keep_their_order():
    def overlapping(x, y):
        out = np.empty(20, np.float32)
        out[:12] = x
        out[8:] = y
        return out

    def reading(x, y):
        out = np.empty(24, np.float32)
        out[:12] = x
        out[12:] = out[11::-1] * y
        return out

    def back(x, y):
        out = np.empty((2, 12), np.float32)
        out[1] = x
        out[0] = y
        out[1, :6] = y[:6]
        return out

    for function in (overlapping, reading, back):
        check(function, *two())


def test_rows_of_numbers_have_the_dtype_of_all():
    x = np.array([1, 2], np.int32)
    for function in (
        lambda x: np.array([[x[0], 1], [2, x[1]]]),
        lambda x: np.array([[x[0], 0.5], [1, 2]]),
        lambda x: np.array([(1, 2, 3), (x[0], x[1], 1.5)]),
        lambda x: np.array([[x[0]], [True]]),
        lambda x: np.array([[[x[0]], [x[1]]], [[3], [4]]]),
    ):
        check(function, x)
    with pytest.raises(ValueError):
        jf.jit(lambda x: np.array([[x[0], x[1]], [1]]))(x)
