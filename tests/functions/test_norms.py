"""Norms, convolutions, diagonals, polynomials, `dtype=` of ufuncs and `flat` are NumPy's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import jitframe as jf
from jitframe.errors import ArgumentError, DTypeError, LinAlgError, ShapeError
from tests.functions.compare import check, interpreted, small, tensors

MATRIX = small("float64", (3, 5))
STACK = small("float64", (2, 4, 3))
VECTOR = small("float64", (9,))
TAPS = small("float64", (4,), 1)

INEXACT: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {
    **{f"norm {x.ndim}": (lambda x: np.linalg.norm(x), (x,)) for x in (VECTOR, MATRIX, STACK)},
    **{
        f"length {order}": (lambda x, order=order: np.linalg.norm(x, order, axis=1), (MATRIX,))
        for order in (None, 0, 1, 2, 3, -1, 0.5, np.inf, -np.inf)
    },
    **{
        f"matrix {order}": (lambda x, order=order: np.linalg.norm(x, order, (2, 0), keepdims=True), (STACK,))
        for order in (None, "fro", 1, -1, np.inf, -np.inf)
    },
    "kept": (lambda x: np.linalg.norm(x, axis=-1, keepdims=True), (STACK,)),
    "of integers": (lambda x: np.linalg.norm(x, axis=0), (small("int32", (4, 3)),)),
    "several axes": (lambda x: np.linalg.vector_norm(x, axis=(0, 2), ord=3), (STACK,)),
    "the usual order": (lambda x: np.linalg.vector_norm(x, axis=1, ord=None), (STACK,)),
    "matrices": (lambda x: np.linalg.matrix_norm(x, ord=1), (STACK,)),
    "trace": (lambda x: np.linalg.trace(x, offset=1), (STACK,)),
    "diagonal": (lambda x: np.linalg.diagonal(x, offset=-1), (STACK,)),
    "cross": (lambda x, y: np.linalg.cross(x, y), (STACK, STACK[:, ::-1])),
    **{
        f"power {n}": (lambda x, n=n: np.linalg.matrix_power(x, n), (MATRIX[:, :3],)) for n in (0, 1, 2, 5, 8)
    },
    **{
        f"{function.__name__} {mode} {len(x)} {len(y)}": (
            lambda x, y, function=function, mode=mode: function(x, y, mode), (x, y)
        )
        for function in (np.convolve, np.correlate)
        for mode in ("full", "same", "valid")
        for x, y in ((VECTOR, TAPS), (TAPS, VECTOR), (VECTOR, TAPS[:1]), (TAPS, TAPS[:3]))
    },
    "convolve integers": (np.convolve, (np.arange(5), np.arange(3, dtype=np.uint8))),
    "polyval": (np.polyval, (TAPS, MATRIX)),
    "linspace": (lambda x, y: np.linspace(x, y, 5), (VECTOR, 2.0)),
    "linspace open": (lambda x, y: np.linspace(x[0], y, 5, endpoint=False, dtype=int), (VECTOR, 20.0)),
    "linspace level": (lambda x, y: np.linspace(x, y, 4, axis=-1), (VECTOR, VECTOR)),
}  # fmt: skip


@pytest.mark.parametrize("name", INEXACT)
def test_lazy_and_jitted(name: str) -> None:
    function, arguments = INEXACT[name]
    expected = np.asarray(function(*arguments))
    with interpreted():
        lazily = function(*tensors(arguments)).numpy()
    for found in (lazily, jf.jit(function)(*arguments)):
        assert found.dtype == expected.dtype and np.shape(found) == expected.shape
        np.testing.assert_allclose(np.asarray(found), expected, rtol=1e-12, atol=1e-12)


def test_what_norms_do_not_take() -> None:
    x = jf.asarray(MATRIX)
    with pytest.raises(ArgumentError, match="Invalid norm order 'fro' for vectors"):
        np.linalg.norm(x, "fro", axis=0)
    with pytest.raises(ArgumentError, match="Improper number of dimensions to norm"):
        np.linalg.norm(jf.asarray(STACK), 1)
    with pytest.raises(LinAlgError, match="Last 2 dimensions of the array must be square"):
        np.linalg.matrix_power(x, -1)
    with pytest.raises(ShapeError, match=r"convolve: a is a vector, not of the shape \(3, 5\)"):
        np.convolve(x, x[0])
    with pytest.raises(
        ArgumentError, match=r"mode must be one of 'valid', 'same', or 'full' \(got 'middle'\)"
    ):
        np.convolve(x[0], x[0], "middle")


FILLED = [((4, 4), False), ((7, 3), False), ((7, 3), True), ((3, 6), False), ((3, 3, 3), False)]


@pytest.mark.parametrize(("shape", "wrap"), FILLED)
def test_fill_diagonal(shape: tuple[int, ...], wrap: bool) -> None:
    for value in (5.0, [1.0, 2.0]):
        x, expected = np.zeros(shape), np.zeros(shape)
        np.fill_diagonal(expected, value, wrap)
        jf.jit(lambda x, value=value: np.fill_diagonal(x, value, wrap))(x)
        np.testing.assert_array_equal(x, expected)
        lazy = jf.zeros(shape)
        np.fill_diagonal(lazy, value, wrap)
        np.testing.assert_array_equal(lazy.numpy(), expected)


def test_positions_of_triangles() -> None:
    square = STACK[0, :3]
    for function in (np.diag_indices_from, np.tril_indices_from, np.triu_indices_from):
        check(function, square)
        check(lambda x, function=function: x[function(x)], square)


@pytest.mark.parametrize("dtype", ["float32", "float64", "int64", "int32"])
def test_dtype_of_a_ufunc(dtype: str) -> None:
    integers = np.arange(-3, 4)
    for x in (integers, VECTOR, VECTOR.astype("float32"), np.abs(integers).astype("uint8")):
        check(lambda x: np.add(x, x, dtype=dtype), x)
        check(lambda x: np.multiply(x, 2, dtype=dtype, casting="unsafe"), x)
        check(lambda x: np.cos(x, dtype=dtype, casting="unsafe"), x, exact=False)
    with pytest.raises(DTypeError, match="casting='unsafe' allows it"):
        np.add(jf.asarray(VECTOR), 1, dtype=int)


def test_flat() -> None:
    def program(x: Any, y: Any) -> Any:
        x.flat[3] = 9
        x.flat[::4] = [1, 2]
        y.flat[2:5] = 7
        z = x.copy()
        z.flat = 5
        return x, y, z, x.flat[7], y.flat[1:4], np.sum(y.flat), sum(y.flat), len(x.flat), x.flat == 9

    def arguments() -> tuple[Any, Any]:
        return MATRIX.copy(), STACK[0].copy().T

    expected = program(*arguments())
    given = arguments()
    for found in (jf.jit(program)(*given), program(*tensors(arguments()))):
        for each, wanted in zip(found, expected, strict=True):
            np.testing.assert_allclose(np.asarray(each), wanted, rtol=1e-14)
    np.testing.assert_array_equal(given[1], expected[1])
    kinds = jf.jit(lambda x: (isinstance(x.flat, np.flatiter), type(x.flat) is np.flatiter, x.sum()))
    assert kinds(MATRIX)[:2] == (True, True)


def test_methods_that_are_functions_too() -> None:
    x, places = STACK[0, :3], np.array([2, 0])
    for function in (
        lambda x, p: x.take(p, axis=1), lambda x, p: x.take(p), lambda x, p: x.repeat(2, axis=0),
        lambda x, p: x.diagonal(1), lambda x, p: x.trace(), lambda x, p: x.real + x.imag + x.conj(),
        lambda x, p: p.choose((x[0, :2], x[1, :2], x[2, :2])),
    ):  # fmt: skip
        check(function, x, places)
        np.testing.assert_allclose(jf.jit(function)(x, places), function(x, places), rtol=1e-14)
    np.testing.assert_array_equal(jf.jit(lambda x: np.add.reduce([x[0], x[1]]))(x), x[0] + x[1])
    check(lambda x: x.nonzero(), x)
    check(lambda x: x.compress([True, False, True], axis=0), x)


def test_what_is_no_number_differs() -> None:
    for other in (None, "a", b"a"):
        for function in (lambda x, other=other: x == other, lambda x, other=other: x != other):
            expected = np.full(MATRIX.shape, function(1.0))
            for found in (function(jf.asarray(MATRIX)).numpy(), jf.jit(function)(MATRIX)):
                np.testing.assert_array_equal(found, expected)
