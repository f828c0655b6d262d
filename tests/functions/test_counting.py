"""Counts, intervals and members are NumPy's, of Tensors, under `jit`, and on the software devices."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import jitframe as jf
from jitframe.errors import ArgumentError, BoundsError, DTypeError, ShapeError, TraceError
from tests.functions.compare import assert_same, check, small, tensors

INTEGERS = np.array([3, 1, 4, 1, 5, 0, 5])
NUMBERS = small("float64", (40,))
EDGES = np.array([-2.0, -0.5, 0.0, 0.0, 1.0, 4.0])


@pytest.mark.parametrize("dtype", ["bool", "uint8", "int8", "int32", "int64", "uint16"])
def test_bincount(dtype: str) -> None:
    x = INTEGERS.astype(dtype)
    weights = small("float64", x.shape)
    for least in (0, 2, 10):
        check(lambda x, least=least: np.bincount(x, minlength=least), x)
        check(lambda x, w, least=least: np.bincount(x, w, least), x, weights)
    check(lambda x: np.bincount(x), x[:0])


def test_bincount_of_a_small_dtype_has_a_known_length_in_a_trace() -> None:
    image = np.random.default_rng(0).integers(0, 256, (30, 40), dtype=np.uint8)

    def equalized(image: Any) -> Any:
        counts = np.bincount(image.ravel(), minlength=256).cumsum()
        return (counts * 255 // image.size).astype(np.uint8)[image]

    np.testing.assert_array_equal(jf.jit(equalized)(image), equalized(image))


def test_bincount_with_a_size() -> None:
    found = jf.jit(lambda x: jf.bincount(x, size=9))(INTEGERS)
    np.testing.assert_array_equal(found, np.bincount(INTEGERS, minlength=9))
    for wrong in (5, -1):
        with pytest.raises(BoundsError):
            jf.jit(lambda x, size=wrong: jf.bincount(x - 1, size=4))(INTEGERS)


def test_bincount_in_a_trace_has_the_least_length() -> None:
    def shares(x, weights):
        return np.bincount(x, minlength=9), np.bincount(x, weights, 9) / np.bincount(x, minlength=9)[x].sum()

    weights = np.linspace(0, 1, INTEGERS.size)
    found, expected = jf.jit(shares)(INTEGERS, weights), shares(INTEGERS, weights)
    np.testing.assert_array_equal(found[0], expected[0])
    np.testing.assert_allclose(found[1], expected[1])
    least = jf.jit(lambda x: np.bincount(x, minlength=3))
    for x in (INTEGERS, INTEGERS % 3, INTEGERS.astype(np.uint8), INTEGERS.astype(np.int8)):
        np.testing.assert_array_equal(least(x), np.bincount(x, minlength=3))
    for x in (-INTEGERS, np.array([2, -1])):
        with pytest.raises(ValueError, match="no negative elements"):
            least(x)


def test_bincount_says_what_fits() -> None:
    np.testing.assert_array_equal(jf.jit(lambda x: np.bincount(x))(INTEGERS), np.bincount(INTEGERS))
    with pytest.raises(TraceError, match="is needed now for .* inside the body of jf.fori_loop"):
        jf.jit(lambda x: jf.fori_loop(0, 2, lambda i, total: total + np.bincount(x + i)[0], 0))(INTEGERS)
    with pytest.raises(DTypeError, match="bincount: elements are integers, not float64"):
        np.bincount(jf.asarray(NUMBERS))
    with pytest.raises(ShapeError, match=r"bincount: x has 1 axis, not the shape \(2, 2\)"):
        np.bincount(jf.asarray(np.ones((2, 2), int)))
    with pytest.raises(ArgumentError, match="the smallest is -3"):
        np.bincount(jf.asarray(-INTEGERS[:1]))
    for least in (0, 3):  # NumPy writes in front of the result
        with pytest.raises(ArgumentError, match="array is too big"):
            np.bincount(jf.asarray([2**63 - 1]), minlength=least)


@pytest.mark.parametrize("right", [False, True])
@pytest.mark.parametrize("edges", [EDGES, EDGES[::-1].copy(), EDGES[:1]], ids=["up", "down", "one"])
def test_digitize(edges: np.ndarray, right: bool) -> None:
    x = np.concatenate([NUMBERS, EDGES, [np.nan, np.inf]])
    check(lambda x, edges: np.digitize(x, edges, right), x, edges)
    assert_same(jf.digitize(jf.asarray(x), edges, right), np.digitize(x, edges, right))
    np.testing.assert_array_equal(
        jf.jit(lambda x, edges: np.digitize(x, edges, right))(x, edges), np.digitize(x, edges, right)
    )


HISTOGRAMS: dict[str, Callable[[Any], Any]] = {
    "ten": lambda x: np.histogram(x),
    "edges": lambda x: np.histogram(x, bins=EDGES),
    "range": lambda x: np.histogram(x, 7, (-1, 2)),
    "density": lambda x: np.histogram(x, 5, density=True),
    "weights": lambda x: np.histogram(x, 5, weights=x * x),
}


@pytest.mark.parametrize("name", HISTOGRAMS)
@pytest.mark.parametrize("dtype", ["float64", "float32", "int32", "uint8"])
def test_histogram(name: str, dtype: str) -> None:
    function, x = HISTOGRAMS[name], (NUMBERS * (1 if dtype[0] == "f" else 10)).astype(dtype)
    for each in (x, np.full(5, 2, dtype)):
        counts, edges = function(each)
        for found in (function(jf.asarray(each)), jf.jit(function)(each)):
            np.testing.assert_allclose(np.asarray(found[0]), counts, rtol=1e-5)
            np.testing.assert_allclose(np.asarray(found[1]), edges, rtol=1e-6)
            assert [np.asarray(part).dtype for part in found] == [counts.dtype, edges.dtype]


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16"])
@pytest.mark.parametrize(
    "options",
    [
        {"bins": 100, "range": (0, 1)},
        {"bins": 100},
        {"bins": 30, "range": (np.float32(0.1), np.float32(0.7))},
    ],
    ids=["range", "free", "narrow range"],
)
def test_histogram_beside_every_edge(dtype: str, options: dict[str, Any]) -> None:
    """What lies on an edge, or next to it, is counted where NumPy counts it."""
    edges = np.linspace(0, 1, 101).astype(dtype)
    beyond = edges.dtype.type(2)
    x = np.concatenate((edges, np.nextafter(edges, beyond), np.nextafter(edges, -beyond)))
    if "range" in options:
        x = np.concatenate((x, np.array([np.nan, np.inf, -np.inf], dtype)))
    check(lambda x: np.histogram(x, **options), x)


def test_histogram_of_what_is_not_finite_stays_in_bounds() -> None:
    """NumPy refuses it: there are no edges."""
    for bad in (np.inf, -np.inf, np.nan):
        counts, edges = jf.jit(lambda x: np.histogram(x, 7))(np.array([1.0, bad, 2.0] * 1000))
        assert counts.shape == (7,) and not np.isfinite(edges).all()
    with pytest.raises(ValueError, match=r"supplied range of \[0, inf\] is not finite"):
        jf.histogram(NUMBERS, 3, (0, np.inf))


GRIDS: dict[str, Callable[..., Any]] = {
    "ten": lambda x, w: np.histogramdd(x),
    "bins": lambda x, w: np.histogramdd(x, bins=(3, 4, 5)),
    "edges": lambda x, w: np.histogramdd(x, bins=[EDGES, 4, np.array([-0.5, 0.5, 2.0])]),
    "range": lambda x, w: np.histogramdd(x, 3, range=[(-1, 1), None, (0, 2)]),
    "weights": lambda x, w: np.histogramdd(x, 3, weights=w),
    "density": lambda x, w: np.histogramdd(x, 3, density=True, weights=w * w),
    "columns": lambda x, w: np.histogramdd((x[:, 0], x[:, 1]), 3),
    "plane": lambda x, w: np.histogram2d(x[:, 0], x[:, 1]),
    "plane with edges": lambda x, w: np.histogram2d(x[:, 0], x[:, 1], np.arange(-2.0, 3.0), density=True),
    "plane with both": lambda x, w: np.histogram2d(x[:, 0], x[:, 1], (EDGES, 3), weights=w),
}


@pytest.mark.parametrize("name", GRIDS)
def test_histograms_of_several_axes(name: str) -> None:
    x = np.random.default_rng(4).normal(size=(200, 3)).round(1)  # on edges as well

    def parts(x: Any, w: Any) -> list[Any]:
        counts, *edges = GRIDS[name](x, w)
        return [counts, *(edges[0] if isinstance(edges[0], list) else edges)]

    for weights in (np.arange(200.0), np.zeros(0))[: 2 if name in ("bins", "range", "plane") else 1]:
        points = x[: weights.size]
        wanted = parts(points, weights)
        for found in (parts(*tensors((points, weights))), jf.jit(parts)(points, weights)):
            for ours, theirs in zip(map(np.asarray, found), wanted, strict=True):
                assert (ours.dtype, ours.shape) == (theirs.dtype, theirs.shape)
                np.testing.assert_allclose(ours, theirs, rtol=1e-12)


def test_histograms_that_do_not_fit() -> None:
    with pytest.raises(jf.errors.ArgumentError, match="dimension of bins must be equal"):
        jf.histogramdd(np.ones((4, 2)), bins=(1, 2, 3))
    with pytest.raises(jf.errors.ArgumentError, match="one entry per dimension"):
        jf.histogramdd(np.ones((4, 2)), range=[(0, 1)])
    with pytest.raises(jf.errors.ShapeError, match="same length"):
        jf.histogram2d(np.ones(3), np.ones(4))


def test_histogram_of_nothing_and_beside_its_edges() -> None:
    check(lambda x: np.histogram(x, 3, (0, 1)), np.array([np.nan, -1.0, 0.0, 1.0, 2.0]))
    check(lambda x: np.histogram(x, 3), NUMBERS[:0])


@pytest.mark.parametrize("invert", [False, True])
@pytest.mark.parametrize(
    "tests", [INTEGERS[:3], INTEGERS[:0], np.array([2.5, 4.0])], ids=["some", "no", "float"]
)
def test_isin(tests: np.ndarray, invert: bool) -> None:
    x = np.arange(12).reshape(3, 4)
    check(lambda x, tests: np.isin(x, tests, invert=invert), x, tests)
    check(lambda x: np.isin(x, tests, invert=invert), x)
    np.testing.assert_array_equal(
        jf.jit(lambda x: np.isin(x, tests, invert=invert))(x), np.isin(x, tests, invert=invert)
    )


@pytest.mark.parametrize("device", ["opencl", "webgpu"])
def test_on_devices(device: str) -> None:
    if device not in {each.name for each in jf.devices() if each.available}:
        pytest.skip(f"no {device} here")
    x, edges = NUMBERS.astype("float32"), EDGES.astype("float32")
    integers = INTEGERS.astype("int32")
    for function, given in (
        (lambda x: jf.bincount(x, size=6), integers),
        (lambda x: jf.digitize(x, edges), x),
        (lambda x: jf.histogram(x, edges)[0], x),
        (lambda x: jf.isin(x, [1, 5]), integers),
        (lambda x: jf.convolve(x, x[:7], "same"), x),
        (lambda x: jf.linalg.norm(x.reshape((8, 5)), axis=1), x),
    ):
        wanted = np.asarray(function(jf.asarray(given)))
        np.testing.assert_allclose(jf.jit(function, device=device)(given), wanted, rtol=1e-5, atol=1e-5)


def test_tensors_add_to_an_ndarray() -> None:
    table, expected = np.zeros(6), np.zeros(6)
    np.add.at(table, *tensors((INTEGERS, NUMBERS[:7])))
    np.add.at(expected, INTEGERS, NUMBERS[:7])
    np.testing.assert_array_equal(table, expected)
