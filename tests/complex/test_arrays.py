"""Movement, indexing, assignment, reductions and scans of complex arrays."""

from __future__ import annotations

import numpy as np
import pytest

import jitframe as jf
from tests.complex.compared import DTYPES, assert_close, check, drawn, special


@pytest.mark.parametrize("dtype", DTYPES)
def test_movement(dtype: str) -> None:
    def program(x):
        return (
            x.T, x.reshape(12, 2), x.reshape(-1), x[::-1, 1:4:2], x[:, None] + x,
            np.broadcast_to(x[0], (3, 6)),
            np.concatenate([x, x * 1j], axis=1), np.stack([x, x.conj()]), np.roll(x, 2, axis=1), np.flip(x),
            np.pad(x, 1), np.tile(x, 2), np.repeat(x, 2, axis=0), np.moveaxis(x, 0, 1), np.diff(x, axis=0),
            np.tril(x), np.diag(x), np.trace(x), np.outer(x[0], x[1]), np.squeeze(x[:1]), np.rot90(x),
        )  # fmt: skip

    check(program, drawn(dtype, 4, 6))
    check(program, drawn(dtype, 6, 4).T)
    check(program, drawn(dtype, 8, 12)[::2, ::-2])


@pytest.mark.parametrize("dtype", DTYPES)
def test_indexing(dtype: str) -> None:
    def program(x, rows, mask):
        return (x[rows], x[rows, rows], x[1, 2], x[..., -1], np.take(x, rows, axis=1), np.where(mask, x, 0),
                np.where(mask, x, 1j), np.choose(rows % 2, [x[0, :3], x[1, :3]]),
                np.take_along_axis(x[:3], rows[:, None], axis=1), np.select([mask], [x], 2j))  # fmt: skip

    x = drawn(dtype, 4, 6)
    check(program, x, np.array([0, 2, 1]), x.real > 0)


@pytest.mark.parametrize("dtype", DTYPES)
def test_assignment(dtype: str) -> None:
    def program(x, v, rows):
        x[0] = v
        x[1:, 2] = 3 - 1j
        x[2:, ::2] *= 1j
        x[rows, rows] = v[:3]
        x[:, -1] += 1
        x.T[3] -= 2j
        x[3, 5] = 7
        y = np.zeros((4, 6), dtype)
        y[::2] = x[1::2]
        y[rows] += x[:3]
        z = np.empty(6, dtype)
        z[...] = x[0]
        np.copyto(z[1:], x[1, 1:])
        return y, z

    check(program, drawn(dtype, 4, 6), drawn(dtype, 6), np.array([2, 0, 1]), lazily=False)
    check(program, drawn(dtype, 6, 4).T, drawn(dtype, 6), np.array([2, 0, 1]), lazily=False)
    check(program, drawn(dtype, 8, 12)[::2, ::2], drawn(dtype, 6), np.array([2, 0, 1]), lazily=False)


@pytest.mark.parametrize("dtype", DTYPES)
def test_masked_writes_and_repeated_positions(dtype: str) -> None:
    def program(x, mask, rows, v):
        x[mask] = 5j
        np.add.at(x[0], rows, v)
        x[1][rows] = v
        np.putmask(x, x.real < 0, x.conj())
        return x.copy()

    x = drawn(dtype, 3, 4)
    check(program, x, x.imag > 0, np.array([1, 1, 3, 1]), drawn(dtype, 4, seed=3))


def test_a_written_argument_that_overlaps_another() -> None:
    def program(x, y):
        x[1:] = y[:-1] * 1j
        return y + 1

    for make in (lambda a: (a[1:], a[:-1]), lambda a: (a, a), lambda a: (a[::2], a[1::2])):
        wanted, given = drawn("complex128", 10), drawn("complex128", 10)
        expected, found = program(*make(wanted)), jf.jit(program)(*make(given))
        np.testing.assert_array_equal(found, expected)
        np.testing.assert_array_equal(given, wanted)


@pytest.mark.parametrize("dtype", DTYPES)
def test_reductions(dtype: str) -> None:
    def program(x):
        results = []
        for axis in (None, 0, 1, (0, 2), -1):
            results += [
                x.sum(axis=axis),
                x.mean(axis=axis),
                x.var(axis=axis),
                x.std(axis=axis, ddof=1),
                np.any(x, axis=axis),
                np.all(x, axis=axis),
                np.count_nonzero(x, axis=axis),
                x.max(axis=axis),
                x.min(axis=axis),
                x.prod(axis=axis),
                np.sum(x, axis=axis, keepdims=True),
            ]
        for axis in (None, 0, 1, 2):
            results += [x.argmax(axis=axis), x.argmin(axis=axis), x.cumsum(axis=axis), x.cumprod(axis=axis)]
        return results

    check(program, drawn(dtype, 3, 4, 5) + 1, ulp=500)
    check(program, drawn(dtype, 5, 3, 4).transpose(1, 2, 0) + 1, ulp=500)


@pytest.mark.parametrize("dtype", DTYPES)
def test_reductions_of_chosen_elements(dtype: str) -> None:
    def program(x, mask):
        return (
            np.sum(x, where=mask),
            np.prod(x, axis=0, where=mask),
            np.mean(x, where=mask),
            np.max(x, axis=1, where=mask, initial=-9),
            np.min(x, where=mask, initial=3 + 1j),
            np.sum(x, axis=0, initial=1j),
            np.nansum(x),
            np.nanprod(x),
            np.nanmean(x, axis=0),
            np.nancumsum(x),
            np.nanvar(x),
            np.average(x, weights=mask + 1.0),
            np.ptp(x),
        )

    x = drawn(dtype, 4, 5)
    check(program, x, x.real > 0, ulp=100)
    y = x.copy()
    y[1, 2], y[0, 0] = complex(np.nan, 1), complex(1, np.nan)
    check(
        lambda x: (np.nansum(x, axis=0), np.nanmean(x), np.nanprod(x), np.nancumprod(x, axis=1)), y, ulp=100
    )


@pytest.mark.parametrize("dtype", DTYPES)
def test_sums_of_nothing_and_of_many(dtype: str) -> None:
    def program(x):
        return x.sum(), x.prod(), x.mean(), x.sum(axis=0), x.cumsum(), x.cumprod(), np.any(x), np.all(x)

    check(program, drawn(dtype, 0, 3))
    check(program, drawn(dtype, 1))
    unit = np.exp(1j * np.linspace(0, 40, 3001)).astype(dtype)
    check(lambda x: (x.sum(), x.mean(), x.std(), x.prod(), np.cumprod(x), np.cumsum(x)), unit, ulp=5000)


@pytest.mark.parametrize("dtype", DTYPES)
def test_extremes_with_nan(dtype: str) -> None:
    x = special(dtype)
    numbers = x[~np.isnan(x)]

    def program(x):
        return x.max(), x.min(), x.argmax(), x.argmin()

    check(program, numbers)
    check(program, numbers[::-1])
    rows = drawn(dtype, 6, 7)
    rows[2, 3], rows[4, 5], rows[4, 1] = complex(np.nan, 2), complex(3, np.nan), complex(3, np.nan)
    for found, wanted in zip(
        jf.jit(lambda x: (x.max(axis=1), x.argmax(axis=1), x.argmin(axis=0)))(rows),
        (rows.max(axis=1), rows.argmax(axis=1), rows.argmin(axis=0)),
        strict=True,
    ):
        np.testing.assert_array_equal(np.isnan(found), np.isnan(wanted))
        np.testing.assert_array_equal(found[~np.isnan(found)], wanted[~np.isnan(wanted)])


@pytest.mark.parametrize("dtype", DTYPES)
def test_closeness_and_what_replaces_nan(dtype: str) -> None:
    x = special(dtype)
    y = np.where(np.isfinite(x), x + 1e-9, x[::-1]).astype(dtype)

    def program(x, y):
        return (
            np.isclose(x, y),
            np.isclose(x, y, equal_nan=True),
            np.allclose(x[:3], x[:3]),
            np.array_equal(x, y),
            np.array_equal(x, x, equal_nan=True),
            np.nan_to_num(x),
            np.nan_to_num(x, nan=7.0, posinf=1.0),
        )

    check(program, x, y)
    check(lambda x: (np.round(x, 1), np.rint(x * 3), np.sinc(x / 7)), drawn(dtype, 20), ulp=16)


@pytest.mark.parametrize("dtype", DTYPES)
def test_views_as_other_dtypes(dtype: str) -> None:
    part = "float32" if dtype == "complex64" else "float64"

    def program(x):
        reals = x.view(part)
        reals[..., ::2] = 3
        bits = x.view("uint32")
        return reals, reals.view(dtype)[1], bits

    check(program, drawn(dtype, 3, 4))
    check(lambda x: x.view(dtype) * 1j, drawn(dtype, 3, 4).view(part))
    assert_close(
        jf.asarray(drawn("complex128", 4)).view("complex64"), drawn("complex128", 4).view("complex64")
    )
    with pytest.raises(ValueError, match="the last axis must be contiguous"):
        jf.jit(lambda x: x.T.view(part))(drawn(dtype, 3, 4))


@pytest.mark.parametrize("dtype", DTYPES)
def test_sorted_search(dtype: str) -> None:
    edges = np.sort(drawn(dtype, 20))
    check(
        lambda a, v: (np.searchsorted(a, v), np.searchsorted(a, v, side="right")),
        edges,
        drawn(dtype, 9, seed=5),
    )


@pytest.mark.parametrize("dtype", DTYPES)
def test_sorts(dtype: str) -> None:
    def program(x):
        return (
            np.sort(x),
            np.sort(x, axis=0),
            np.argsort(x, axis=1, kind="stable"),
            np.sort(x, axis=None),
            np.median(x, axis=1),
            np.partition(x, 2, axis=1)[:, 2],
            np.nanmax(x, axis=0),
            np.nanmin(x),
        )

    check(program, drawn(dtype, 5, 40))
    x = special(dtype)
    check(lambda x: (np.argsort(x, kind="stable"), np.sort(x)), x)
    found = jf.unique(jf.asarray(x[np.isfinite(x)])).numpy()
    np.testing.assert_array_equal(found, np.unique(x[np.isfinite(x)]))
    with pytest.raises(TypeError, match="must be an array of real numbers"):
        jf.quantile(jf.asarray(x), 0.5)


def test_composed_functions() -> None:
    def program(x, y):
        return (
            np.cov(x, y),
            np.corrcoef(x, y),
            np.correlate(x, y, "full"),
            np.convolve(x, y),
            np.polyval(x, y),
            np.poly(x),
            np.interp([0.2, 1.5, -1.0], np.arange(9.0), x),
            np.linspace(x[0], 2j, 4),
            np.linspace(0, 1j, 5),
            np.arange(4, dtype=complex),
            np.trapezoid(x),
            np.gradient(x),
            np.vander(x, 3),
            np.unwrap(np.angle(x)),
            np.add.reduce(x),
            np.multiply.reduce(x),
            np.multiply.accumulate(x),
            np.subtract.outer(x, y),
            np.fmax(x, y),
            np.clip(x, -1, 1 + 1j),
            np.mean(x.real, dtype=complex),
        )

    check(program, drawn("complex128", 9), drawn("complex128", 9, seed=1), ulp=2000, lazily=False)
    with pytest.raises(jf.errors.UnsupportedError, match="accumulated extremes of complex64"):
        np.maximum.accumulate(jf.asarray(drawn("complex64", 3)))
