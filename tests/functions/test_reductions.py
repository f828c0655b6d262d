"""Reductions equal NumPy's in value, dtype and shape."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import jitframe as jf
from jitframe.errors import ShapeError, UnsupportedError
from tests.functions.compare import DTYPES, check, small, tensors

AXES = (None, 0, 1, -1, (0, 2), (-1, 0), (), 3, -4, (0, 0))
FUNCTIONS = (
    np.sum, np.prod, np.mean, np.var, np.std, np.max, np.min, np.all, np.any, np.ptp, np.count_nonzero,
)  # fmt: skip


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_axes_and_dtypes(function: Callable[..., Any], dtype: str) -> None:
    array = small(dtype, (3, 4, 5))
    if function is np.prod and dtype.startswith("float"):
        array = array / 2  # NumPy multiplies in another order
    exact = not (dtype.startswith("float") or function in (np.mean, np.var, np.std))
    for axis, keepdims in itertools.product(AXES, (False, True)):
        check(
            lambda x, axis=axis, keepdims=keepdims: function(x, axis=axis, keepdims=keepdims),
            array,
            exact=exact,
        )


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_empty_and_rank_zero(function: Callable[..., Any]) -> None:
    for shape in ((0,), (0, 3), (3, 0), (0, 0), ()):
        array = np.ones(shape, "f4")
        check(function, array)
        if shape:
            check(lambda x: function(x, axis=0), array)
            check(lambda x: function(x, axis=-1, keepdims=True), array)


@pytest.mark.parametrize("source", DTYPES)
def test_accumulator_dtype(source: str) -> None:
    array = small(source, (4, 3))
    for target in DTYPES[1:]:
        exact = not target.startswith("float")
        for function in (np.sum, np.prod):
            check(lambda x, function=function, t=target: function(x, dtype=t), array, exact=exact)
        if not exact:
            check(lambda x, target=target: np.mean(x, 0, target), array, exact=False)
            check(lambda x, target=target: np.var(x, 0, target), array, exact=False)


def test_degrees_of_freedom() -> None:
    array = small("float64", (5, 4))
    for ddof in (0, 1, 2.5, 5):
        check(lambda x, ddof=ddof: np.var(x, axis=0, ddof=ddof), array, exact=False)
        check(lambda x, ddof=ddof: x.std(0, ddof=ddof), array, exact=False)
    check(lambda x: np.var(x, axis=0, correction=1), array, exact=False)


def test_nan_wins() -> None:
    array = np.array([[1.0, np.nan, 3.0], [4.0, 5.0, 6.0]])
    for function in (np.max, np.min, np.sum, np.mean, np.any, np.all):
        check(lambda x, function=function: function(x, axis=1), array)


def test_float32_accumulates_in_float32() -> None:
    # 2**24 + 1 is no float32: a float64 accumulator would see the ones.
    array = np.array([2.0**24, 1.0, 1.0], "f4")
    check(np.sum, array)
    check(np.mean, array)


def test_methods_and_outputs() -> None:
    array = small("float32", (3, 4))
    for name in ("sum", "prod", "mean", "var", "std", "max", "min", "all", "any"):
        check(lambda x, name=name: getattr(x, name)(1), array, exact=False) if name not in (
            "all",
            "any",
        ) else check(lambda x, name=name: getattr(x, name)(1), array)
    out = tensors(np.zeros(3, "f4"))
    assert np.sum(tensors(array), axis=1, out=out) is out
    np.testing.assert_allclose(out.numpy(), array.sum(1), rtol=1e-6)


@pytest.mark.parametrize("dtype", ["int32", "float32", "float64"])
def test_variances_from_a_known_mean(dtype: str) -> None:
    array = small(dtype, (5, 7))
    for name in ("var", "std"):
        function = getattr(np, name)
        check(lambda x, f=function: f(x, axis=1, mean=x.mean(axis=1, keepdims=True)), array, exact=False)
        check(lambda x, f=function: f(x, mean=1.5, ddof=1, dtype=np.float64), array, exact=False)
        check(lambda x, f=function: f(x, axis=0, mean=2, where=x > -1), array, exact=False)
    check(lambda x: x.std(0, mean=x.mean(0, keepdims=True)), array, exact=False)
    with pytest.raises(ShapeError, match=r"shapes \(5,7\) \(5,\)"):
        np.var(tensors(array), axis=1, mean=tensors(array.mean(axis=1)))


def test_an_axis_of_a_number() -> None:
    """NumPy's ufuncs take 0 and -1; means and variances take none."""
    number = np.array(3, np.float32)
    for axis in (0, -1):
        for name in ("sum", "prod", "max", "min", "any", "all", "count_nonzero", "ptp"):
            check(lambda x, name=name, axis=axis: getattr(np, name)(x, axis=axis, keepdims=True), number)
        for name in ("mean", "var", "std"):
            with pytest.raises(IndexError, match="is out of bounds for array of dimension 0"):
                getattr(np, name)(tensors(number), axis=axis)
    with pytest.raises(IndexError, match="is out of bounds for array of dimension 0"):
        np.sum(tensors(number), axis=1)
    check(lambda x: (np.cumulative_sum(x), np.cumulative_prod(x, include_initial=True)), number)


def test_refused_arguments() -> None:
    x = tensors(np.arange(3, dtype=np.uint8))
    with pytest.raises(UnsupportedError, match=r"^sum with dtype=bool; write np\.any\(x\) or np\.all\(x\)"):
        np.sum(x, dtype=bool)


@pytest.mark.parametrize("shape", [(300_000,), (3, 200_000), (200_000, 3), (100_000, 20)], ids=str)
@pytest.mark.parametrize("spread", ["uniform", "rising", "one far away"])
def test_long_variances_are_as_exact_as_two_passes(shape: tuple[int, ...], spread: str) -> None:
    """Far from zero, where the difference of mean squares has no digit left."""
    axis = int(np.argmax(shape))
    values = np.random.default_rng(1).random(shape)
    if spread == "rising":
        values.sort(axis=axis)
    elif spread == "one far away":
        values.reshape(-1)[: values.size // shape[axis]] += 1e3
    array = (values + 2000).astype("f4")
    meant = np.var(array.astype("f8"), axis=axis)
    found = jf.jit(lambda x: np.var(x, axis=axis))(array)
    # Sums of columns are added one after another, as NumPy's are, and the mean is as far off.
    errors = [np.abs(each - meant).max() for each in (found, np.var(array, axis=axis))]
    assert errors[0] <= max(errors[1], 4e-6 * meant.max())


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("reduction", ["np.max", "np.min", "np.ptp", "np.nanmax", "np.minimum.reduce"])
@pytest.mark.parametrize("kinds", [("u8", "i8"), ("u8", "u1"), ("i1", "i4"), ("i8", "i4"), ("u1", "i8")])
def test_an_output_of_other_integers(reduction: str, kinds: tuple[str, str]) -> None:
    """Each buffer of NumPy's is cast to the dtype of the output, whose numbers are compared with the next."""
    limits = np.iinfo(kinds[0])
    array = np.array([limits.max, limits.min, 1, limits.max - 1], kinds[0])
    function = eval(f"lambda a, out: {reduction}(a, out=out)", {"np": np})
    expected, found = (np.array(0, kinds[1]) for _ in range(2))
    try:
        function(array, expected)
    except TypeError:  # the difference of float64 numbers is no int64
        with pytest.raises(TypeError):
            jf.jit(function)(array, found)
        return
    jf.jit(function)(array, found)
    assert found == expected


def test_an_output_that_does_not_hold_what_is_compared(strict: None) -> None:
    out = np.array(0, "u1")
    with pytest.raises(UnsupportedError, match="out= is of uint8, which does not hold all numbers of int64"):
        np.max(tensors(np.arange(3)), out=out)
    with pytest.raises(UnsupportedError, match="out= is of uint8, and the operation of int64"):
        np.floor_divide.reduce(tensors(np.arange(3)), out=out)
    assert np.max(tensors(np.array([3, 2**63], "u8")), initial=0, out=np.array(0, "f8")) == 2.0**63
