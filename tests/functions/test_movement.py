"""Views, joins, products and new arrays equal NumPy's, errors included."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import jitframe as jf
from jitframe.api.creation import constructors
from jitframe.errors import ArgumentError, JitframeError
from tests.functions.compare import DTYPES, assert_same, check, small, tensors

CUBE = np.arange(24, dtype="i4").reshape(2, 3, 4)
EMPTY = np.zeros((0, 3), "f4")


VIEWS: dict[str, Any] = {
    "reshape": [lambda x, shape=shape: x.reshape(shape) for shape in ((6, 4), -1, (2, -1), (-1, 2, 2), (5,
    5), (-1, -1),
                                                                      (-1, 5), (24,), (2, 3, 4), (-1, 0),
                                                                      ())],
    "reshape_arguments": [lambda x: x.reshape(4, 6), lambda x: np.reshape(x, (4, 6)),
    lambda x: np.reshape(x, shape=-1)],
    "ravel": [np.ravel, lambda x: x.ravel(), lambda x: x.flatten()],
    "transpose": [np.transpose, lambda x: x.T, lambda x: x.transpose(1, 0, 2), lambda x: x.transpose((2, 0,
    1)),
                  lambda x: np.transpose(x, (0, -1, 1)), lambda x: x.transpose(0, 0, 1),
                  lambda x: x.transpose(0),
                  lambda x: x.mT, lambda x: np.permute_dims(x, (2, 1, 0)), lambda x: x.transpose(0, 1, 5)],
    "swapaxes": [lambda x: x.swapaxes(0, -1), lambda x: np.swapaxes(x, 1, 2), lambda x: np.swapaxes(x, 0, 3)],
    "moveaxis": [lambda x: np.moveaxis(x, 0, -1), lambda x: np.moveaxis(x, (0, 1), (2, 0)),
                 lambda x: np.moveaxis(x, (0, 0), (0, 1)), lambda x: np.moveaxis(x, 0, (0, 1)),
                 lambda x: np.moveaxis(x, 5, 0)],
    "squeeze": [lambda x: x[:1].squeeze(), lambda x: np.squeeze(x[:, :1], axis=1), lambda x: np.squeeze(x,
    axis=0),
                lambda x: np.squeeze(x[:1, :, :1], (0, -1)), lambda x: np.squeeze(x, 7)],
    "expand_dims": [lambda x: np.expand_dims(x, 0), lambda x: np.expand_dims(x, -1),
    lambda x: np.expand_dims(x, (0, 2)),
                    lambda x: np.expand_dims(x, 5), lambda x: np.expand_dims(x, (0, 0))],
    "broadcast_to": [lambda x: np.broadcast_to(x, (5, 2, 3, 4)), lambda x: np.broadcast_to(x[:, :1], (2, 3,
    4)),
                     lambda x: np.broadcast_to(x, (2, 3)), lambda x: np.broadcast_to(x, (3, 3, 4)),
                     lambda x: np.broadcast_to(x[:1, :1, :1], (4, 1, 3)), lambda x: np.broadcast_to(x, (2,
                     3, 4))],
    "broadcast_arrays": [lambda x: np.broadcast_arrays(x, x[0], x[:, :1])],
    "flip": [np.flip, lambda x: np.flip(x, 0), lambda x: np.flip(x, (0, -1)), np.flipud, np.fliplr,
             lambda x: np.flip(x, 3)],
    "at_least": [np.atleast_1d, np.atleast_2d, lambda x: np.atleast_2d(x[0, 0]),
    lambda x: np.atleast_1d(x[0, 0, 0])],
    "split": [lambda x: np.split(x, 2, axis=2), lambda x: np.split(x, [1, 3], axis=-1),
    lambda x: np.split(x, 5)],
    "unstack": [np.unstack, lambda x: np.unstack(x, axis=-1), list],
    "roll": [lambda x: np.roll(x, 1), lambda x: np.roll(x, -2, axis=2), lambda x: np.roll(x, 7, 1),
             lambda x: np.roll(x, 0), lambda x: np.roll(x, (1, 2), (0, 2)), lambda x: np.roll(x, 1, 5)],
    "diff": [np.diff, lambda x: np.diff(x, axis=0), lambda x: np.diff(x, 2), lambda x: np.diff(x, 9),
             lambda x: np.diff(x, -1), lambda x: np.diff(x > 5), lambda x: np.diff(x, 0)],
    "triangles": [np.tril, np.triu, lambda x: np.tril(x, 1), lambda x: np.triu(x, -1),
    lambda x: np.triu(x[0, 0])],
}  # fmt: skip


@pytest.mark.parametrize("name", VIEWS)
def test_views(name: str) -> None:
    for function in VIEWS[name]:
        check(function, CUBE)


@pytest.mark.parametrize("name", ["ravel", "transpose", "flip", "roll", "diff"])
def test_views_of_empty_arrays(name: str) -> None:
    for function in VIEWS[name][:2]:
        check(function, EMPTY)


def test_reshape_of_empty_arrays() -> None:
    for shape in ((3, 0), (0,), (-1, 3), (0, -1), (-1, 0), (0, 7, 2)):
        check(lambda x, shape=shape: x.reshape(shape), EMPTY)


def test_orders() -> None:
    for order in "CFA":
        check(lambda x, order=order: x.reshape(-1, order=order), CUBE)
        check(lambda x, order=order: x.T.reshape(6, -1, order=order), CUBE)
        for copy in (False, True, None):
            check(lambda x, order=order, copy=copy: x.reshape(6, -1, order=order, copy=copy), CUBE)
            check(lambda x, order=order, copy=copy: x[:, :, 1:].reshape(6, -1, order=order, copy=copy), CUBE)
            check(lambda x, order=order, copy=copy: x[:, 1:].reshape(6, -1, order=order, copy=copy), CUBE)


def test_a_reshape_that_may_not_copy_shows_what_is_written_to_it() -> None:
    def written(x):
        x.T.reshape(4, 6, order="F", copy=False)[0] = 7
        x.reshape(-1, copy=True)[:] = 9
        return x.copy()

    np.testing.assert_array_equal(jf.jit(written)(CUBE.copy()), written(CUBE.copy()))
    tensor = tensors(CUBE)
    tensor.reshape(6, 4, copy=False)[0] = 7
    assert (tensor[0, 0].numpy() == 7).all()
    with pytest.raises(ArgumentError) as caught:
        tensors(CUBE).reshape(-1, order="K")
    assert str(caught.value).split("\n")[0] == "order must be one of 'F', 'A', or 'C' (got 'K')"


JOINS = (
    lambda x, y: np.concatenate([x, y]), lambda x, y: np.concatenate((x, y), axis=1),
    lambda x, y: np.concatenate([x, y], axis=None), lambda x, y: np.concatenate([x, y, x], axis=-1),
    lambda x, y: np.stack([x, y]), lambda x, y: np.stack([x, y], axis=-1), lambda x, y: np.stack([x, y], 5),
    lambda x, y: np.vstack([x, y]), lambda x, y: np.hstack([x, y]), lambda x, y: np.column_stack([x[0],
    y[0]]),
    lambda x, y: np.hstack([x[0], y[0], y[1]]), lambda x, y: np.concatenate([x, y[:1]]),
    lambda x, y: np.concatenate([x[:0], y]), lambda x, y: np.concatenate([x, y[:, :2]]),
    lambda x, y: np.concatenate([x, y[0]]), lambda x, y: np.concatenate([x[0, 0], y[0, 0]]),
    lambda x, y: np.stack([x, y[0]]), lambda x, y: np.concatenate([x, y], axis=2),
    lambda x, y: np.concatenate([x, y], dtype="float64"), lambda x, y: np.column_stack([x, y[:, 0]]),
)  # fmt: skip


@pytest.mark.parametrize("dtypes", [("float32", "float32"), ("int32", "float64"), ("bool", "uint8")])
def test_joins(dtypes: tuple[str, str]) -> None:
    x, y = small(dtypes[0], (3, 4)), small(dtypes[1], (3, 4), seed=1)
    for function in JOINS:
        check(function, x, y)


PRODUCTS = (
    ((3, 4), (4, 5)), ((4,), (4, 5)), ((3, 4), (4,)), ((4,), (4,)), ((3, 4), (3, 5)), ((0, 4), (4, 2)), ((3,
    0), (0, 2)),
    ((), (3,)), ((1, 1), (1, 1)),
)  # fmt: skip


@pytest.mark.parametrize(("x", "y"), PRODUCTS)
def test_products(x: tuple[int, ...], y: tuple[int, ...]) -> None:
    for first, second in (
        ("float32", "float32"),
        ("float64", "float32"),
        ("int32", "int32"),
        ("uint8", "int64"),
    ):
        exact = "float" not in first
        # Positive terms: where they cancel, the order of summation shows in many ulp of what is left.
        operands = np.abs(small(first, x)), np.abs(small(second, y, seed=1))
        check(np.matmul, *operands, exact=exact)
        check(np.dot, *operands, exact=exact)
        check(np.outer, *operands)
        if x[-1:] == y[-1:]:
            check(np.vecdot, *operands, exact=exact)
    check(lambda a, b: a @ b, np.ones(x), np.ones(y))


def same(name: str, *arguments: Any, **options: Any) -> None:
    try:
        with np.errstate(all="ignore"):
            expected = getattr(np, name)(*arguments, **options)
    except (ValueError, TypeError, OverflowError, ZeroDivisionError) as error:
        kind = ValueError if isinstance(error, ZeroDivisionError) else type(error)
        with pytest.raises(kind) as caught:
            getattr(jf, name)(*arguments, **options)
        assert isinstance(caught.value, JitframeError)
        return
    assert_same(getattr(jf, name)(*arguments, **options), expected)


@pytest.mark.parametrize("dtype", [None, *DTYPES])
def test_constants(dtype: str | None) -> None:
    for shape in ((3,), 4, (2, 0), (), (2, 3, 4), -1):
        same("zeros", shape, dtype=dtype)
        same("ones", shape, dtype=dtype)
        for value in (2, 2.7, True, -1, 300):
            same("full", shape, value, dtype=dtype)
    x = small("float32", (2, 3))
    for name in ("zeros_like", "ones_like"):
        same(name, x, dtype=dtype)
        same(name, x, dtype=dtype, shape=(4,))
    same("full_like", x, 7, dtype=dtype)
    assert constructors.empty((2, 3), dtype=dtype or "f4").shape == (2, 3)
    assert constructors.empty_like(x, dtype=dtype).numpy().shape == (2, 3)


@pytest.mark.parametrize("dtype", [None, "int32", "int64", "float32", "float64", "uint8"])
def test_ranges(dtype: str | None) -> None:
    for arguments in ((5,), (0,), (-3,), (2, 9), (2, 9, 3), (9, 2, -2), (0.5, 4), (0, 1, 0.1), (5, 2.5,
    -0.5), (1, 2, 0),
                      (0.1, 5, 0.3), (3, 3), (100,)):  # fmt: skip
        if dtype == "uint8" and min(arguments) < 0:
            continue
        same("arange", *arguments, dtype=dtype)
    for arguments in (
        (0, 1),
        (0, 1, 5),
        (3, -2, 7),
        (0, 1, 1),
        (0, 1, 0),
        (2, 2, 4),
        (0, 1, -1),
        (0.1, 0.7, 10),
    ):
        for endpoint in (True, False):
            if dtype != "uint8":
                same("linspace", *arguments, endpoint=endpoint, dtype=dtype)
    for arguments in ((3,), (3, 4), (2, 5), (0,)):
        for k in (0, 1, -1, 9):
            same("eye", *arguments, k=k, dtype=dtype or "f8")
    same("identity", 3, dtype=dtype)


def test_numpy_scalars_give_a_range_its_dtype() -> None:
    same("arange", np.float32(3))
    same("arange", np.int32(2), np.int32(7))
    same("arange", np.float32(0), 2, 0.25)


def test_protocol_creation() -> None:
    x = tensors(small("float32", (2, 3)))
    assert_same(np.zeros_like(x), np.zeros((2, 3), "f4"))
    assert_same(np.full_like(x, 2.5), np.full((2, 3), 2.5, "f4"))
    assert_same(np.ones_like(x, dtype=int), np.ones((2, 3), int))


def test_elements_of_one_axis_are_no_views() -> None:
    def program(x: np.ndarray) -> tuple[np.ndarray, ...]:
        first, *_ = np.unstack(x)
        rows = np.unstack(x.reshape(1, -1))
        x[0] = 7
        return first, *rows

    x, plain = np.arange(3), np.arange(3)
    for ours, theirs in zip(jf.jit(program)(x), program(plain), strict=True):
        np.testing.assert_array_equal(ours, theirs)
