"""Polynomials, windows, logarithmic grids, bits, and functions applied along axes, against NumPy,
lazily and in jitted functions."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import jitframe as jf
from jitframe.errors import ArgumentError, DTypeError, ShapeError
from tests.functions.compare import interpreted
from tests.sets import second_set

P, Q = np.array([3.0, -1.0, 0.5, 2.0]), np.array([1.0, 4.0])
X = np.random.default_rng(5).normal(size=(3, 4))
BYTES = np.arange(23, dtype=np.uint8) * 11
MASKS = np.random.default_rng(1).random((3, 13)) > 0.5

CALLS: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {
    "polyadd": (lambda xp, p, q: xp.polyadd(p, q), (P, Q)),
    "polysub": (lambda xp, p, q: xp.polysub(q, p), (P, Q)),
    "polysub of a number": (lambda xp, p: xp.polysub(p, 2.0), (P,)),
    "polyder": (lambda xp, p: xp.polyder(p), (P,)),
    "polyder twice": (lambda xp, p: xp.polyder(p, 2), (P,)),
    "polyder of a constant": (lambda xp, p: xp.polyder(p[:1]), (P,)),
    "polyder too often": (lambda xp, p: xp.polyder(p, 6), (P,)),
    "polyint": (lambda xp, p: xp.polyint(p), (P,)),
    "polyint with constants": (lambda xp, p: xp.polyint(p, 2, [1.0, 2.0]), (P,)),
    "polyint with one constant": (lambda xp, p: xp.polyint(p, 3, 5), (P,)),
    "poly": (lambda xp, p: xp.poly(p), (P,)),
    "vander": (lambda xp, p: xp.vander(p), (P,)),
    "vander increasing": (lambda xp, p: xp.vander(p, 6, increasing=True), (P,)),
    "vander of integers": (lambda xp, p: xp.vander(p, 3), (np.arange(4, dtype=np.int8),)),
    "vander of one column": (lambda xp, p: xp.vander(p, N=1), (P,)),
    "vander of none": (lambda xp, p: xp.vander(p, 0), (P,)),
    "polyfit": (lambda xp, x, y: xp.polyfit(x, y, 2), (X.ravel(), P.repeat(3))),
    "polyfit of columns": (lambda xp, x, y: xp.polyfit(x, y, 1), (P, np.outer(P, Q))),
    "polyfit with weights": (lambda xp, x, y, w: xp.polyfit(x, y, 1, w=w), (P, P**2, np.abs(P))),
    "covariances": (lambda xp, x, y: xp.polyfit(x, y, 2, cov=True)[1], (X.ravel(), P.repeat(3))),
    "covariances of columns": (lambda xp, x, y: xp.polyfit(x, y, 1, cov=True)[1], (P, np.outer(P, P[:2]))),
    "unscaled covariances": (lambda xp, x, y: xp.polyfit(x, y, 1, cov="unscaled")[1], (P, P**2)),
    "residuals": (lambda xp, x, y: xp.polyfit(x, y, 1, full=True)[1], (P, P**2)),
    "i0": (lambda xp, x: xp.i0(x), (np.concatenate((P, -P, [0.0, 7.9, 8.0, 8.1, 30.0, 700.0])),)),
    "kaiser": (lambda xp, beta: xp.kaiser(11, beta), (np.float64(8.6),)),
    "logspace": (lambda xp, a, b: xp.logspace(a, b, 5), (np.float64(0.5), np.float64(3.0))),
    "logspace open": (lambda xp, a: xp.logspace(a, 4.0, 5, endpoint=False, base=2.0), (np.float64(0.5),)),
    "logspace of bases": (lambda xp, a: xp.logspace(0, a, 4, base=[[2.0], [3.0]], axis=-1), (P,)),
    "logspace of arrays": (lambda xp, a: xp.logspace(a, a + 1, 4), (P,)),
    "geomspace": (lambda xp, a, b: xp.geomspace(a, b, 7), (np.float64(1.0), np.float64(1000.0))),
    "geomspace below 0": (lambda xp, a, b: xp.geomspace(-a, -b, 4), (np.float64(1.0), np.float64(1000.0))),
    "geomspace of arrays": (lambda xp, a: xp.geomspace(a, 8 * a, 4, axis=-1), (np.array([1.0, 3.0]),)),
    "packbits": (lambda xp, a: xp.packbits(a), (MASKS,)),
    "packbits of rows": (lambda xp, a: xp.packbits(a, axis=1, bitorder="little"), (MASKS,)),
    "packbits of columns": (lambda xp, a: xp.packbits(a, axis=0), (MASKS,)),
    "unpackbits": (lambda xp, a: xp.unpackbits(a), (BYTES,)),
    "unpackbits few": (lambda xp, a: xp.unpackbits(a, count=50, bitorder="little"), (BYTES,)),
    "unpackbits more": (lambda xp, a: xp.unpackbits(a, count=200), (BYTES,)),
    "unpackbits less": (lambda xp, a: xp.unpackbits(a.reshape(1, -1), axis=1, count=-3), (BYTES,)),
    "along an axis": (lambda xp, x: xp.apply_along_axis(lambda v: v.max() - v.min(), 0, x), (X,)),
    "along the last axis": (lambda xp, x: xp.apply_along_axis(lambda v, k: v[::-1] * k, -1, x, 2.0), (X,)),
    "to more axes": (lambda xp, x: xp.apply_along_axis(lambda v: v[:, None] * v, 1, x), (X,)),
    "over axes": (lambda xp, x: xp.apply_over_axes(xp.sum, x, (0, 1)), (X,)),
    "over an axis that stays": (lambda xp, x: xp.apply_over_axes(lambda a, i: a * 2, x, 0), (X,)),
}  # fmt: skip


@pytest.mark.parametrize("name", CALLS)
def test_as_numpy_lazily_and_in_jitted_functions(name: str) -> None:
    call, arguments = CALLS[name]
    expected = call(np, *arguments)
    with interpreted():
        lazily = call(jf, *map(jf.asarray, arguments)).numpy()
    for found in (lazily, jf.jit(lambda *given: call(np, *given))(*arguments)):
        assert found.shape == expected.shape and found.dtype == expected.dtype
        np.testing.assert_allclose(
            found, expected, rtol=1e-12 if "fit" in name or "cov" in name else 3e-15, atol=1e-15
        )


@pytest.mark.parametrize("name", ["bartlett", "blackman", "hamming", "hanning"])
@pytest.mark.parametrize("points", [-1, 0, 1, 2, 3, 8, 51, 0.5, 1.0, 2.0, 7.6])
def test_windows(name: str, points: float) -> None:
    found = getattr(jf, name)(points)
    np.testing.assert_allclose(found.numpy(), getattr(np, name)(points), rtol=1e-14, atol=1e-15)


@pytest.mark.parametrize("points", [0, 1, 2, 7])
@pytest.mark.parametrize("beta", [0, 5.0, 14.0])
def test_kaiser(points: int, beta: float) -> None:
    np.testing.assert_allclose(jf.kaiser(points, beta).numpy(), np.kaiser(points, beta), rtol=1e-14)


@pytest.mark.parametrize(
    ("u", "v"),
    [
        ([3.0, 5.0, 2.0], [2.0, 1.0]),
        ([1.0, 2.0], [1.0, 2.0, 3.0]),
        ([0.0, 2.0, 4.0], [2.0]),
        (P, Q),
        (np.float32(1), P),
    ],
)
def test_polynomials_whose_length_follows_from_their_values(u: Any, v: Any) -> None:
    for found in (jf.polymul(u, v), jf.jit(np.polymul)(np.array(u), np.array(v))):
        np.testing.assert_allclose(found, np.polymul(u, v))
    for found, expected in zip(jf.polydiv(u, v), np.polydiv(u, v), strict=True):
        np.testing.assert_allclose(found.numpy(), expected, strict=True)


def test_positions_of_triangles_and_diagonals() -> None:
    for found, expected in (
        (jf.diag_indices(3, 3), np.diag_indices(3, 3)),
        (jf.tril_indices(3, -1, 4), np.tril_indices(3, -1, 4)),
        (jf.triu_indices(4, 1), np.triu_indices(4, 1)),
        (jf.mask_indices(3, np.tril, -1), np.mask_indices(3, np.tril, -1)),
    ):
        assert all(np.array_equal(x, y) for x, y in zip(found, expected, strict=True))


def test_arrays_from_functions_iterables_and_bytes() -> None:
    made = jf.fromfunction(lambda i, j: i * 10 + j, (3, 4))
    np.testing.assert_array_equal(made, np.fromfunction(lambda i, j: i * 10 + j, (3, 4)))
    np.testing.assert_array_equal(jf.fromiter((k * k for k in range(9)), np.int32, 5), [0, 1, 4, 9, 16])
    np.testing.assert_array_equal(jf.frombuffer(P.tobytes(), offset=8), P[1:])


def test_what_does_not_fit_is_said() -> None:
    with pytest.raises(ShapeError, match="zeros are a vector"):
        jf.poly(X)
    with pytest.raises(ShapeError, match="one-dimensional"):
        jf.vander(X)
    with pytest.raises(ArgumentError, match="negative dimensions"):
        jf.vander(P, -2)
    with pytest.raises(ArgumentError, match="must be positive"):
        jf.polyder(P, -1)
    with pytest.raises(ArgumentError, match="k must be a scalar"):
        jf.polyint(P, 3, [1.0, 2.0])
    with pytest.raises(DTypeError, match="same length"):
        jf.polyfit(P, Q, 1)
    with pytest.raises(ArgumentError, match="must exceed order"):
        jf.polyfit(P, P, 3, cov=True)
    with pytest.raises(DTypeError, match="integer or boolean"):
        jf.packbits(P)
    with pytest.raises(DTypeError, match="unsigned byte"):
        jf.unpackbits(P)
    with pytest.raises(ArgumentError, match="cannot include zero, and stop does"):
        jf.geomspace(1.0, 0.0)
    with pytest.raises(ArgumentError, match="iteration dimensions are 0"):
        jf.apply_along_axis(np.sum, 1, np.ones((0, 2)))
    with pytest.raises(ShapeError, match="correct shape"):
        jf.apply_over_axes(lambda x, axis: x.sum(), X, 0)


W = np.arange(6.0)
ROWS: dict[str, Callable[[Any], Any]] = {
    "sum": lambda v: v.sum(),
    "backwards": lambda v: v[::-1] * 2,
    "products": lambda v: np.outer(v, v),
    "sorted": lambda v: np.sort(v)[2:4].mean(),
    "standardized": lambda v: (v - v.mean()) / v.std(),
    "running": lambda v: np.where(v > 0, v, 0).cumsum(),
    "convolved": lambda v: np.convolve(v, [1, 2, 1.0]),
    "at the largest": lambda v: v[np.argmax(v)],
    "interpolated": lambda v: np.interp(v, W, W * W),
    "with an array from outside": lambda v: v @ W,
    "of no vector": lambda v: W[:2],
    "by a library": lambda v: np.linalg.solve(np.eye(6) + np.outer(v, v), v),
    "either way": lambda v: v if v[0] > 0 else -v,
}


@pytest.mark.parametrize("name", ROWS)
def test_many_vectors_are_one_trace(name: str) -> None:
    x = np.random.default_rng(0).normal(size=(30, 6, 20))
    wanted = np.apply_along_axis(ROWS[name], 1, x)
    jitted = jf.jit(lambda x: np.apply_along_axis(ROWS[name], 1, x))
    for found in (jf.apply_along_axis(ROWS[name], 1, jf.asarray(x)).numpy(), jitted(x), jitted(x)):
        assert (found.dtype, found.shape) == (wanted.dtype, wanted.shape)
        np.testing.assert_allclose(found, wanted, rtol=1e-9, atol=1e-12)


def test_each_of_many_vectors_draws() -> None:
    x = np.zeros((300, 3))
    ours, theirs = np.random.default_rng(3), np.random.default_rng(3)
    jitted = jf.jit(lambda x, rng: np.apply_along_axis(lambda v: v + rng.normal(size=3), 1, x))
    np.testing.assert_array_equal(
        jitted(x, ours), np.apply_along_axis(lambda v: v + theirs.normal(size=3), 1, x)
    )
    own = jf.jit(lambda x, rng: np.apply_along_axis(lambda v: v + rng.random(3), 1, x))
    assert np.unique(own(x, jf.random.default_rng(1))).size == x.size


def test_a_trace_of_one_vector_knows_no_values(strict: None) -> None:
    with pytest.raises(jf.errors.TraceError, match="number of elements|shape"):
        jf.jit(lambda x: np.apply_along_axis(lambda v: v[v > 0], 1, x))(np.ones((300, 3)))


SHORT = ((3, 3), (7, 3), (3, 7), (40, 40))
LONG = ((300, 290), (290, 300), (900, 520))


@pytest.mark.parametrize(
    ("lengths", "mode"),
    [
        *itertools.product(SHORT, ["full", "same", "valid"]), *itertools.product(LONG, ["same"]),
        *second_set(*itertools.product(LONG, ["full", "valid"])),
    ],
)  # fmt: skip
def test_what_is_not_finite_meets_no_padding(lengths: tuple[int, int], mode: str) -> None:
    """Infinity times zeros around a vector is NaN, where NumPy sums over what is there."""
    rng = np.random.default_rng(2)
    for dtype in (np.float64, np.float32, np.complex128):
        tolerance = 1e-3 if dtype is np.float32 else 1e-9
        x, y = (rng.normal(size=length).astype(dtype) for length in lengths)
        jitted = {
            name: jf.jit(lambda x, y, name=name: getattr(np, name)(x, y, mode))
            for name in ("convolve", "correlate")
        }
        for place, value in ((0, np.inf), (1, np.nan), (-1, -np.inf)):
            shorter = y if len(y) <= len(x) else x
            shorter[:] = rng.normal(size=len(shorter))
            shorter[place] = value
            for name in jitted:
                with np.errstate(all="ignore"):
                    wanted = getattr(np, name)(x, y, mode)
                for found in (getattr(jf, name)(x, y, mode).numpy(), jitted[name](x, y)):
                    assert found.dtype == wanted.dtype
                    finite = np.isfinite(wanted)
                    np.testing.assert_array_equal(np.isfinite(found), finite)
                    np.testing.assert_allclose(found[finite], wanted[finite], rtol=tolerance, atol=tolerance)
            if dtype is np.float64:
                whole = jf.signal.convolve(x, y, method="direct").numpy()
                np.testing.assert_array_equal(np.isnan(whole), np.isnan(np.convolve(x, y)))
