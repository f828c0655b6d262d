"""Small functions of NumPy programs: their values, dtypes, special cases and refusals are NumPy's."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import jitframe as jf
from jitframe.api.creation.constructors import asarray
from jitframe.errors import ArgumentError, DTypeError, ShapeError, UnsupportedError
from tests.functions.compare import DTYPES, check, pairs, values

UNARY = (
    np.deg2rad, np.radians, np.rad2deg, np.degrees, np.conjugate, np.real, np.imag, np.nan_to_num, np.angle,
    np.isposinf, np.isneginf,
)  # fmt: skip
BINARY = (np.heaviside, np.isclose, np.array_equal, np.array_equiv, np.allclose)
FLOATS = ("float32", "float64")


@pytest.mark.parametrize("dtype", [*DTYPES, "float16", "int8"])
def test_functions_of_one_array(dtype: str) -> None:
    array = np.arange(-5, 6).astype(dtype) if dtype in ("float16", "int8") else values(dtype)
    for function in UNARY:
        if dtype == "bool" and function in (np.isposinf, np.isneginf):
            continue  # NumPy has no signbit of bools
        check(lambda x, f=function: np.asarray(f(x)) if isinstance(x, np.ndarray) else f(x), array)


@pytest.mark.parametrize("y", DTYPES)
@pytest.mark.parametrize("x", DTYPES)
def test_functions_of_two_arrays(x: str, y: str) -> None:
    for function in BINARY:
        check(function, *pairs(x, y))
    for function in (np.fmax, np.fmin):
        check(lambda *each, function=function: function(*each) + np.uint8(0), *pairs(x, y))  # either zero


@pytest.mark.parametrize("dtype", DTYPES)
def test_numbers_beside_arrays(dtype: str) -> None:
    for function in (np.fmax, np.heaviside, np.isclose):
        check(lambda x, function=function: function(x, 1), values(dtype))
        check(lambda x, function=function: function(0.5, x), values(dtype))
    check(lambda x: np.angle(x, deg=True), values(dtype), exact=False)
    check(lambda x: np.float_power(x, 2), values(dtype), exact=False)
    check(lambda x: np.float_power(x, x), np.arange(1, 9).astype(dtype), exact=False)
    check(lambda x: np.nan_to_num(x, nan=3, posinf=4, neginf=-0.0 if dtype in FLOATS else 0), values(dtype))
    check(lambda x: np.nan_to_num(x, neginf=5), values(dtype))


def test_nan_to_num_in_place() -> None:
    x = asarray(np.array([1.0, np.nan, -np.inf]))
    np.nan_to_num(x, copy=False, neginf=2.0)
    np.testing.assert_array_equal(x.numpy(), [1, 0, 2])


@pytest.mark.parametrize("dtype", FLOATS)
def test_tolerances(dtype: str) -> None:
    x = values(dtype)
    for options in ({"equal_nan": True}, {"rtol": 0.5}, {"atol": 2.0, "rtol": 0.0}, {"atol": np.inf}):
        check(lambda a, b, options=options: np.isclose(a, b, **options), *pairs(dtype, dtype))
        check(lambda a, options=options: np.allclose(a, a, **options), x)
    check(lambda a: np.array_equal(a, a, equal_nan=True), x)
    check(lambda a: np.array_equal(a, a[1:]), x)
    check(lambda a: np.array_equiv(a, a[None]), x[:4])
    check(lambda a: np.array_equiv(a, a[:3]), x)
    assert bool(jf.allclose(asarray(x[:5]), x[:5])) is True
    assert not jf.array_equal(asarray(x), asarray(x))


@pytest.mark.parametrize("dtype", DTYPES)
def test_cases(dtype: str) -> None:
    x = np.arange(12).reshape(3, 4).astype(dtype)
    check(lambda a: np.select([a > 7, a > 2], [a, -1.5]), x)
    check(lambda a: np.select([a > 7, a[0] > 2], [a * 1.0, a], default=7), x)
    check(lambda a: np.select([a[:, :1] > 4], [a[:1]], 3), x)
    check(lambda a: np.piecewise(a, [a < 3, a > 8], [1, 0, 1]), x)
    check(lambda a: np.piecewise(a, a > 3, [lambda v: v * v]), x)
    check(lambda a: np.piecewise(a, a > 3, [lambda v: v * v]), x[0])
    check(lambda a: np.piecewise(a, a > 3, [1, 2, 3]), x)
    check(lambda a: np.piecewise(a, [a > 3], [lambda v, k: v + k, 0], 2), x)
    with pytest.raises(DTypeError, match="invalid entry 0 in condlist: should be boolean ndarray"):
        np.select([asarray(x.astype("i4"))], [asarray(x)])
    with pytest.raises(ArgumentError, match="either 1 or 2 functions are expected"):
        np.piecewise(asarray(x), [asarray(x > 1)], [1, 2, 3])


@pytest.mark.parametrize("dtype", DTYPES)
def test_differences(dtype: str) -> None:
    x = (np.arange(20).reshape(4, 5) ** 2 % 11).astype(dtype)
    for options in ({"prepend": 0}, {"append": x[:, :2]}, {"prepend": x[:, -1:], "append": 1, "n": 2}):
        check(lambda a, options=options: np.diff(a, **options), x)
    check(lambda a: np.diff(a, axis=0, append=a[:1], prepend=0), x)
    check(lambda a: np.diff(a, n=0, append=a), x)
    check(lambda a: np.ediff1d(a), x)
    check(lambda a: np.ediff1d(a, to_begin=a[0], to_end=1), x)
    check(lambda a: np.trapezoid(a), x, exact=False)
    check(lambda a: np.trapezoid(a, dx=0.5, axis=0), x, exact=False)
    check(lambda a: np.trapezoid(a, x=a * a), x, exact=False)
    check(lambda a: np.trapezoid(a, x=a[:, 1], axis=0), x, exact=False)


@pytest.mark.parametrize("edge_order", [1, 2])
@pytest.mark.parametrize("dtype", DTYPES[1:])
def test_gradient(dtype: str, edge_order: int) -> None:
    x = (np.arange(20).reshape(4, 5) ** 2 % 11).astype(dtype)
    places = np.array([0.0, 1.0, 3.0, 3.5, 7.0])
    for arguments, options in (
        ((), {}), ((2,), {}), ((2.0, 0.5), {}), ((), {"axis": 1}), ((places,), {"axis": -1}),
        ((0.5, places), {}), ((np.arange(4) * 2,), {"axis": 0}), ((), {"axis": (1, 0)}),
    ):  # fmt: skip
        check(
            lambda a, arguments=arguments, options=options: np.gradient(
                a, *arguments, edge_order=edge_order, **options
            ),
            x,
            exact=False,
        )
    with pytest.raises(DTypeError, match="gradient: bools have no differences"):
        np.gradient(asarray(x > 0))
    with pytest.raises(ShapeError, match="Shape of array too small to calculate a numerical gradient"):
        np.gradient(asarray(np.ones(edge_order)), edge_order=edge_order)


@pytest.mark.parametrize("dtype", ["int32", "int64", "float32", "float64"])
def test_unwrap(dtype: str) -> None:
    x = np.random.default_rng(3).integers(-40, 40, (4, 30)).astype(dtype)
    x = x if dtype.startswith("i") else x / np.float32(4)
    check(lambda a: np.unwrap(a, period=8), x)
    check(lambda a: np.unwrap(a, period=7), x)
    check(lambda a: np.unwrap(a[0], period=2.5), x)
    for options in ({}, {"axis": 0, "discont": 4.0}):
        found, wanted = np.unwrap(asarray(x), **options), np.unwrap(x, **options)
        assert found.dtype == wanted.dtype
        # Sums of turns in another order: their errors add up along the axis.
        np.testing.assert_allclose(found.numpy(), wanted, atol=30 * 100 * np.finfo(wanted.dtype).eps)


@pytest.mark.parametrize("dtype", DTYPES)
def test_products(dtype: str) -> None:
    x, y = (np.arange(k, k + 12).reshape(4, 3).astype(dtype) for k in (0, 5))
    check(np.cross, x, y)
    check(lambda a, b: np.cross(a.T, b, axisa=0), x, y)
    check(lambda a, b: np.cross(a, b[0], axisc=0), x, y)
    check(lambda a, b: np.cross(a.T, b.T, axis=0), x, y)
    check(np.kron, x, y)
    check(lambda a, b: np.kron(a[0], b), x, y)
    check(lambda a, b: np.kron(a, b[None, :2]), x, y)
    with pytest.raises(ShapeError, match="vectors of 4 and 4 components; both need 3, or 2"):
        np.cross(asarray(x.T), asarray(y.T))
    with pytest.raises(ShapeError, match="vectors of 2 components; both need 3"):
        np.linalg.cross(asarray(x), asarray(y)[:, :2])


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.filterwarnings("ignore:Arrays of 2-dimensional vectors:DeprecationWarning")
def test_products_of_vectors_in_the_plane(dtype: str) -> None:
    x, y = (np.arange(k, k + 12).reshape(4, 3).astype(dtype) for k in (0, 5))
    check(lambda a, b: np.cross(a[:, :2], b[:, :2]), x, y)
    check(lambda a, b: np.cross(a[:, :2], b, axisc=0), x, y)
    check(lambda a, b: np.cross(a, b[0, :2]), x, y)
    check(lambda a, b: np.cross(a[0, :2], b[0, :2]), x, y)


@pytest.mark.parametrize("dtype", DTYPES)
def test_covariances(dtype: str) -> None:
    x = np.random.default_rng(5).integers(0, 9, (3, 40)).astype(dtype)
    for function in (
        lambda a: np.cov(a), lambda a: np.cov(a, rowvar=False), lambda a: np.cov(a[0]),
        lambda a: np.cov(a[0], a[1]),
        lambda a: np.cov(a, bias=True), lambda a: np.cov(a, ddof=3), lambda a: np.corrcoef(a),
        lambda a: np.corrcoef(a[0], a[1:]), lambda a: np.corrcoef(a[0]),
        lambda a: np.cov(a, dtype=np.float32),
    ):  # fmt: skip
        found, wanted = function(asarray(x)), function(x)
        assert found.dtype == wanted.dtype and found.shape == wanted.shape
        np.testing.assert_allclose(found.numpy(), wanted, rtol=np.finfo(wanted.dtype).eps * 100)
    with pytest.raises(UnsupportedError, match="cov: weights"):
        np.cov(asarray(x), aweights=np.ones(40))


def test_in_a_jitted_function() -> None:
    @jf.jit
    def program(x: Any, y: Any) -> Any:
        slope = np.gradient(np.select([x > 0, x < -1], [np.fmax(x, y), -x], 0.25))
        return np.nan_to_num(slope) + np.where(np.isclose(x, y), np.deg2rad(x), np.trapezoid(y)), np.allclose(
            x, y
        )

    x, y = np.linspace(-2, 2, 50), np.linspace(-2, 2, 50) ** 3
    for found, wanted in zip(program(x, y), program.__wrapped__(x, y), strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-12, atol=1e-12)


def test_nan_to_num_of_bfloat16() -> None:
    array = np.array([1, np.nan, np.inf, -np.inf], jf.bfloat16)
    limits = jf.finfo("bfloat16")
    found = jf.nan_to_num(jf.asarray(array)).numpy()
    assert found.dtype == array.dtype and found.tolist() == [1, 0, limits.max, limits.min]
