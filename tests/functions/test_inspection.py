"""What is known of arrays without computing, and arrays in a certain order, is NumPy's: of Tensors and in
jitted functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import jitframe as jf

X = np.arange(12.0).reshape(3, 4)
ARRAYS = [X, X.T, X[:, ::2], X[0], np.float32(3), np.zeros((0, 2), "int8"), X + 1j, np.asfortranarray(X)]
FACTS: dict[str, Callable[[Any, Any], Any]] = {
    "shape": lambda xp, x: xp.shape(x),
    "ndim": lambda xp, x: xp.ndim(x),
    "size": lambda xp, x: xp.size(x),
    "size along": lambda xp, x: [xp.size(x, axis) for axis in range(xp.ndim(x))],
    "iterable": lambda xp, x: xp.iterable(x),
    "iscomplexobj": lambda xp, x: xp.iscomplexobj(x),
    "isrealobj": lambda xp, x: xp.isrealobj(x),
    "isfortran": lambda xp, x: xp.isfortran(x),
    "common_type": lambda xp, x: xp.common_type(x, x),
    "mintypecode": lambda xp, x: xp.mintypecode([x, "f"]),
    "issubdtype": lambda xp, x: [xp.issubdtype(x.dtype, each) for each in (np.floating, np.integer, "f4")],
    "promote_types": lambda xp, x: xp.promote_types(x.dtype, "int32"),
    "broadcast_shapes": lambda xp, x: xp.broadcast_shapes(xp.shape(x), (5, 1, 1), 1),
}
ORDERS: dict[str, Callable[[Any, Any], Any]] = {
    "C": lambda xp, x: xp.ascontiguousarray(x),
    "C as float32": lambda xp, x: xp.ascontiguousarray(x.real, dtype=np.float32),
    "Fortran": lambda xp, x: xp.asfortranarray(x),
    "required": lambda xp, x: xp.require(x, requirements=["C", "O"]),
    "required in Fortran's": lambda xp, x: xp.require(x, x.dtype, "F"),
    "nothing required": lambda xp, x: xp.require(x),
    "finite": lambda xp, x: xp.asarray_chkfinite(x),
}


@pytest.mark.parametrize("array", ARRAYS, ids=lambda x: f"{x.dtype}{x.shape}")
def test_facts_of_arrays(array: Any) -> None:
    for name, fact in FACTS.items():
        wanted = fact(np, array)
        if name != "isfortran" or not np.isfortran(array):  # a Tensor is a copy in C order
            assert fact(jf, jf.asarray(array)) == wanted, name
        found, _ = jf.jit(lambda x, fact=fact: (str(fact(np, x)), x * 2))(array)
        assert found == str(wanted), name


@pytest.mark.parametrize("array", ARRAYS, ids=lambda x: f"{x.dtype}{x.shape}")
def test_orders_of_elements(array: Any) -> None:
    for name, order in ORDERS.items():
        wanted = order(np, array)

        def program(x: Any, order: Any = order) -> Any:
            made = order(np, x)
            return made, str(made.strides)

        tensor = order(jf, jf.asarray(array))
        tensor_value = tensor.numpy()
        for found, strides in (jf.jit(program)(array), (tensor_value, str(tensor.strides))):
            assert (np.asarray(found).dtype, np.shape(found)) == (wanted.dtype, wanted.shape), name
            np.testing.assert_array_equal(found, wanted)
            copied = name == "finite" or (found is tensor_value and not array.flags.c_contiguous)
            if wanted.size > 1 and not copied:
                assert strides == str(wanted.strides), name


def test_facts_of_what_is_no_lazy_array() -> None:
    assert jf.shape([[1, 2, 3]]) == (1, 3) and jf.ndim(4) == 0 and jf.size([[1, 2], [3, 4]], 0) == 2
    assert jf.shape([jf.asarray([1.0, 2.0]), jf.asarray([1.0, 2.0])]) == (2, 2)
    assert jf.iterable([]) and not jf.iterable(3) and jf.isscalar("a") and not jf.isscalar(None)
    assert jf.iscomplexobj(1j) and jf.isrealobj(True) and jf.isfortran(np.asfortranarray(X))
    for value in (3, -300, 1e50, 1j, True, X):
        assert jf.min_scalar_type(value) == np.min_scalar_type(value)
    assert jf.min_scalar_type(jf.asarray(np.int64(300))) == np.min_scalar_type(np.array(300))
    assert jf.min_scalar_type(jf.asarray(X)) == np.float64


def test_scalars_and_arrays_of_a_jitted_function() -> None:
    @jf.jit
    def program(x: Any, y: Any) -> Any:
        return x * y, str([np.isscalar(x), np.isscalar(y), np.isscalar(x[0]), np.isscalar(x.sum())])

    assert program(X[0], 2.0)[1] == "[False, True, True, True]"
    assert not jf.isscalar(jf.asarray(2.0))


def test_the_order_of_a_contraction() -> None:
    operands = [np.ones((2, 3)), np.ones((3, 40)), np.ones((40, 5))]
    wanted = np.einsum_path("ij,jk,kl->il", *operands)
    assert jf.einsum_path("ij,jk,kl->il", *map(jf.asarray, operands)) == wanted
    lists = ([0, 1], [1, 2])
    given = [each for pair in zip(operands, lists, strict=False) for each in pair]
    assert jf.einsum_path(*given, [0, 2])[0] == np.einsum_path(*given, [0, 2])[0]
    with pytest.raises(jf.errors.ArgumentError, match="einsum_path"):
        jf.einsum_path("ij,jk->iq", *operands[:2])


def test_memory_that_arrays_share() -> None:
    views: list[Callable[[Any], tuple[Any, Any]]] = [
        lambda x: (x, x),
        lambda x: (x[:2], x[1:]),
        lambda x: (x[:1], x[1:]),
        lambda x: (x[:, ::2], x[:, 1::2]),
        lambda x: (x.T, x[1]),
        lambda x: (x, x + 0),
        lambda x: (x[0:0], x),
        lambda x: (x.reshape(-1)[:4], x[0]),
    ]
    for view in views:
        wanted = np.shares_memory(*view(X))
        assert jf.shares_memory(*view(jf.asarray(X))) == wanted
        found, _ = jf.jit(lambda x, view=view: (str(np.shares_memory(*view(x))), x * 2))(X)
        assert found == str(wanted)
    assert jf.may_share_memory(X, X) and not jf.shares_memory(X, jf.asarray(X))


def test_what_is_not_finite_is_an_error_where_values_are_needed() -> None:
    for bad in (np.nan, np.inf, complex(0, -np.inf)):
        array = np.array([1.0, bad])
        made = jf.asarray_chkfinite(jf.asarray(array))
        with pytest.raises(ValueError, match="must not contain infs or NaNs"):
            made.numpy()
        with pytest.raises(ValueError, match="must not contain infs or NaNs\n  at .*test_inspection.py"):
            jf.jit(lambda x: np.asarray_chkfinite(x) * 2)(array)


TRIMMED: list[Any] = [[0, 0, 1, 2, 0], [0.0, 0.0], [1.0], [], [[0, 0, 0], [0, 3, 0], [0, 1, 0]], [np.nan, 0]]


@pytest.mark.parametrize("values", TRIMMED, ids=str)
def test_zeros_at_the_ends(values: Any) -> None:
    array = np.array(values)
    for options in ({}, {"trim": "f"}, {"trim": "b"}, {"axis": -1}, {"axis": ()}):
        wanted = np.trim_zeros(array, **options)
        for found in (
            jf.trim_zeros(array, **options),
            jf.jit(lambda x, o=options: np.trim_zeros(x, **o))(array),
        ):
            np.testing.assert_array_equal(found, wanted)
            assert np.asarray(found).dtype == wanted.dtype


def test_imaginary_parts_that_are_small() -> None:
    for array, tol in (
        (X, 100),
        (X + 1e-14j, 100),
        (X + 1j, 100),
        (X + 1e-3j, 1e-2),
        ((X + 1e-6j).astype("c8"), 100),
    ):
        wanted = np.real_if_close(array, tol)
        for found in (
            jf.real_if_close(array, tol).numpy(),
            jf.jit(lambda x, t=tol: np.real_if_close(x, t))(array),
        ):
            np.testing.assert_array_equal(found, wanted)
            assert found.dtype == wanted.dtype


def test_bytes_of_arrays() -> None:
    for array in (X, X.T, X.astype("int16")):
        assert jf.asarray(array).tobytes() == array.tobytes()
        assert jf.asarray(array).tobytes("F") == array.tobytes("F")
    jitted = jf.jit(lambda x: x * np.frombuffer((x + 1).tobytes())[0])
    np.testing.assert_array_equal(jitted(X[0]), X[0] * 1)


WRONG: list[tuple[Callable[[], Any], type[Exception], str]] = [
    (lambda: jf.size(X, 2), jf.errors.AxisError, "axis 2"),
    (lambda: jf.broadcast_shapes((3,), (4,)), jf.errors.ShapeError, "could not be broadcast"),
    (lambda: jf.common_type(np.array([True])), jf.errors.DTypeError, "common_type"),
    (lambda: jf.require(X, requirements=["C", "F"]), jf.errors.ArgumentError, "Cannot specify both"),
    (lambda: jf.require(X, requirements=["Z"]), jf.errors.ArgumentError, "'Z' is no requirement"),
    (lambda: jf.trim_zeros(X, "q"), jf.errors.ArgumentError, "unexpected character"),
]


@pytest.mark.parametrize(("call", "kind", "message"), WRONG)
def test_what_does_not_fit(call: Callable[[], Any], kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=message):
        call()
