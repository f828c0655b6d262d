"""Masks under jit: assignments become selections; what needs a number of elements cuts the function."""

from __future__ import annotations

import numpy as np
import pytest

import jitframe as jf
from tests.jit.same import assert_same, check


def assigned(x, y):
    x[x > 5] = 0.0
    x[:, x[0] > 2] = 7
    x[x.sum(axis=1) > 20] = y[0]
    x[np.isnan(x)] = -1
    return x


def changed(x, y):
    x[x > 5] += 10
    x[y > 1] *= y[y > 1]
    y[x < 3] = np.sqrt(x[x < 3]) + 1
    return x[y > 1].sum(), np.sum(x[x > 4] * 2), x[y > 2].mean(), x[y > 100].any()


def beside_positions(x, y):
    """Integers and slices beside a mask, in all the orders in which NumPy keeps the place of the axis."""
    x[x[:, 1] > 5, 2] = -1.0
    x[0, y[0] > 1] *= 2.0
    for j in range(x.shape[1]):
        x[y[:, j] > 2.5, j] = y[y[:, j] > 2.5, j] + j
    x[y[:, 0] > 1, 1:3] = y[0, 1:3]
    x[np.argmax(y[:, 0]), y[1] < 1.2] = 0.5
    x[..., y[1] > 1.9] -= 3
    return x, x[y[:, 0] > 1, -1].sum(), x[1, y[1] > 1.2].mean(), x[y[:, 0] > 0.5, 1:].sum()


def beside_positions_of_three_axes(x, y):
    z = np.stack([x, x * 2, x - 1])
    z[1, y > 1.5, ...] = 4.0
    z[y[:, 0] > 0.5, :, 1] = -2.0  # apart: the axis of the chosen goes to the front, where it is
    z[:, y[:, 0] > 0.5, 3] += 1.0
    z[0, :, y[0] > 0.5] = -7.0  # apart, and moved
    return z, z[0, :, y[0] > 0.5].shape, z[:, y[:, 0] > 0.5, 3].sum(), z[2, y > 1].max()


def of_all_elements_in_a_row(x, y):
    kept = x.ravel() > 4
    x.flat[kept] = 1.0
    y.flat[y.ravel() > 1] = 2.5
    z = np.zeros(x.size)
    z.flat[kept] = 1 / (1 + x.ravel()).flat[kept]
    return x, y, z


def conditions(x, flag):
    x[flag] = 3.0
    x[x[0] > 1] = 2.0
    return x


def reduced(x, y):
    return (
        x[x > 3].max(), x[x > 3].min(), np.max(x[y > 1]), x[y > 1].std(), np.var(x[y > 1], ddof=1),
        x[x < 3].prod(), (x * 2)[x > 3].astype(np.int32).min(), (x > 1)[y > 1].max(),
    )  # fmt: skip


@pytest.mark.parametrize(
    "function",
    [assigned, changed, reduced, beside_positions, beside_positions_of_three_axes, of_all_elements_in_a_row],
)
def test_it_is_numpys(function):
    y = np.linspace(0, 3, 12).reshape(3, 4)
    check(function, np.arange(12.0).reshape(3, 4), y, tolerance=1e-6)


def test_one_flag_for_all():
    check(conditions, np.arange(4.0), np.bool_(True))
    check(conditions, np.arange(4.0), np.bool_(False))


def test_extremes_of_nothing_are_the_ends_of_the_dtype():
    found = jf.jit(lambda x: (x[x > 9].max(), x[x > 9].min(), x.astype(np.int16)[x > 9].min()))(
        np.arange(4.0)
    )
    assert found == (-np.inf, np.inf, 32767)


def test_one_kernel_and_no_copy_of_what_is_chosen():
    def clamp(x):
        x[x > 1] = 1
        x[x < 0] *= 0.5
        return x

    assert len(jf.jit(clamp).explain(np.arange(9.0)).kernels) == 1


def test_a_mask_beside_a_number_needs_no_positions():
    def filled(x, medians):
        missing = np.isnan(x)
        for j in range(x.shape[1]):
            x[missing[:, j], j] = medians[j]
        return x

    function = jf.jit(filled)
    x = np.array([[1.0, np.nan, 3.0], [np.nan, 5.0, 6.0]])
    found = function(x.copy(), np.arange(3.0))
    assert found.tolist() == filled(x.copy(), np.arange(3.0)).tolist()
    assert not function.stats()["interpreted"]
    assert not function.explain(x, np.arange(3.0)).before
    with pytest.raises(IndexError, match="boolean index did not match"):
        jf.jit(lambda x, m: x[m, 0].sum())(x, np.ones(3, bool))


def test_what_needs_a_number_of_elements_cuts():
    def function(x, y):
        return (
            x[x > 1],
            x[x > 1].shape,
            x[x > 1, None],
            x[x > 1] + y,
            (x * 2)[x > 3].astype(int),
            x[x > 1] > y,
        )

    check(function, np.arange(5.0), np.ones(3))


def test_only_reductions_do_not_cut():
    jitted = jf.jit(lambda x: (x[x > 1].sum(), np.mean(x[x > 1]), x[x > 1].max()))
    x = np.arange(5.0)
    assert_same(jitted(x), (np.float64(9.0), np.float64(3.0), np.float64(4.0)))
    assert not jitted.program(x).segments


def test_what_masks_have_chosen_is_made_an_array_of_a_dtype():
    def function(x, mask):
        whole = np.array(x[mask], dtype=np.intp, order="C")
        return np.asarray(x[mask], np.float32), whole, np.array(x[mask], order="C").sum()

    x = np.arange(8.0)
    found = jf.jit(function)(x, x > 3)
    for one, expected in zip(found, function(x, x > 3), strict=True):
        assert one.dtype == expected.dtype
        np.testing.assert_array_equal(one, expected)


def test_an_object_of_the_users_may_be_called_so() -> None:
    class Masked:
        """Of another library, say."""

    kept = Masked()
    total, same = jf.jit(lambda x: (x.sum(), kept))(np.ones(3))
    assert total == 3.0 and same is kept
