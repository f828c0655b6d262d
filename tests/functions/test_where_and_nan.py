"""where=, initial=, reductions that leave NaN out, averages and methods of ufuncs are NumPy's."""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import jitframe as jf
from jitframe.codegen.plan.nodes import Launch
from jitframe.errors import ArgumentError, BoundsError, DTypeError, ShapeError
from tests.functions.compare import check, check_compiled, small, tensors
from tests.sets import second_set

MASKED = (np.sum, np.prod, np.mean, np.var, np.std, np.all, np.any)
NAN = (np.nansum, np.nanprod, np.nanmean, np.nanvar, np.nanstd, np.nanmax, np.nanmin)
AXES = [None, 1, (0, 2)]
SOME = ["bool", "uint8", "int32", "float32"]


def name(function: Callable[..., Any]) -> str:
    return function.__name__


@pytest.mark.parametrize("axis", AXES, ids=str)
@pytest.mark.parametrize("dtype", ["bool", "int32", "float32"])
@pytest.mark.parametrize("function", MASKED, ids=name)
def test_where(function: Callable[..., Any], dtype: str, axis: Any) -> None:
    array = small(dtype, (3, 4, 5))
    if dtype.startswith("float"):
        array = array / 2
    mask = np.random.default_rng(3).random((3, 4, 5)) < 0.6
    mask[1, 2], mask[:, 0, 1] = False, False
    exact = array.dtype.kind != "f" and function not in (np.mean, np.var, np.std)
    for where in (mask, mask[0], mask[:, :1, :1], False):
        found = lambda x, w: function(x, axis=axis, where=w, keepdims=True)  # noqa: E731
        check(found, array, where, exact=exact)
    check(lambda x: function(x, axis=axis, where=x > 0), array, exact=exact)


@pytest.mark.parametrize("dtype", SOME[1:])
@pytest.mark.parametrize("function", [np.sum, np.prod, np.max, np.min], ids=name)
def test_initial(function: Callable[..., Any], dtype: str) -> None:
    array = small(dtype, (3, 4)) / 2 if dtype.startswith("float") else small(dtype, (3, 4))
    array = array.astype(dtype)
    for initial in (0, 2, 3.5, np.float32(1.5)):
        check(lambda x, i=initial: function(x, axis=1, initial=i), array, exact=False)
        check(lambda x, i=initial: function(x, initial=i, where=x > 1), array, exact=False)
        check(lambda x, i=initial: function(x, axis=0, initial=i), array[:0], exact=False)
    check(lambda x: function(x, axis=1, keepdims=True, initial=None), array, exact=False)


def test_extremes_of_nothing_and_of_masks_need_an_initial_value() -> None:
    x, mask = tensors(np.zeros((0, 3))), tensors(np.ones((2, 3), bool))
    with pytest.raises(
        ShapeError, match="zero-size array to reduction operation maximum which has no identity"
    ):
        np.max(x)
    with pytest.raises(
        ArgumentError, match="reduction operation 'minimum' does not have an identity, so to use"
    ):
        np.min(tensors(np.zeros((2, 3))), where=mask)
    check(
        lambda x: np.max(x, axis=1, where=np.array([True, False]), initial=-5), np.arange(4.0).reshape(2, 2)
    )


def test_refused_masks() -> None:
    x = tensors(np.ones(3))
    with pytest.raises(DTypeError, match="where= is of bools, not int64"):
        np.sum(x, where=np.array([1, 0, 1]))
    with pytest.raises(
        ShapeError, match=r"where= has the shape \(2,3\), which does not broadcast to that of"
    ):
        np.sum(x, where=np.ones((2, 3), bool))
    with pytest.raises(ValueError, match="initial= is one number, not float64"):
        np.sum(x, initial=np.ones(2))


@pytest.mark.parametrize("axis", [None, 1], ids=str)
@pytest.mark.parametrize("dtype", ["bool", "int32", "float64"])
@pytest.mark.parametrize("function", NAN, ids=name)
def test_without_nan(function: Callable[..., Any], dtype: str, axis: Any) -> None:
    array = small(dtype, (6, 7))
    if dtype.startswith("float"):
        array = abs(array) / 2  # sums do not cancel: NumPy adds in another order
        array[np.random.default_rng(2).random(array.shape) < 0.3] = np.nan
        array[1], array[:, 2], array[4, 4] = np.nan, np.nan, np.inf if axis is None else 1
    for keepdims in (False, True):
        check(lambda x, k=keepdims: function(x, axis=axis, keepdims=k), array, exact=False)
    jitted = jf.jit(lambda x: function(x, axis=axis))
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = function(array, axis=axis)
    np.testing.assert_allclose(jitted(array), expected, rtol=1e-5)


def test_degrees_of_freedom_without_nan() -> None:
    array = np.array([[1.0, 2.0, np.nan], [np.nan, np.nan, 3.0], [1.0, 2.0, 4.0]])
    for ddof in (0, 1, 2, 3):
        check(lambda x, d=ddof: np.nanvar(x, axis=1, ddof=d), array, exact=False)
        check(lambda x, d=ddof: np.nanstd(x, ddof=d), array, exact=False)
        check(lambda x, d=ddof: np.nanvar(x, axis=1, ddof=d, mean=[[1.5], [3.0], [2.0]]), array, exact=False)
    check(lambda x: np.nansum(x, axis=1, initial=2, where=x > 1), array, exact=False)
    check(lambda x: np.nanmax(x, axis=0, initial=-3.0), array)
    for function in (np.nanmax, np.nanmin):
        check(lambda x, f=function: f(x, axis=0), np.zeros((0, 2)))
        check(lambda x, f=function: f(x), np.array([np.nan, -np.inf, np.inf, np.nan]))
        for dtype in ("float16", "float32", "float64"):
            rows = np.array([[np.nan, -0.0], [-np.inf, np.nan], [np.nan, 1e-7], [np.inf, np.nan]], dtype)
            check(lambda x, f=function: f(x, axis=1), rows)


@pytest.mark.parametrize("function", [np.nanmax, np.nanmin], ids=name)
def test_extremes_of_long_arrays_are_found_in_one_reduction(function: Callable[..., Any]) -> None:
    array = np.linspace(-1, 1, 300_000, dtype="f4")
    array[::3] = np.nan
    ready = jf.jit(lambda x: function(x)).program(array).ready
    assert ready is not None
    # Of blocks, and of what they come to, which goes from the integer to the float.
    assert sum(isinstance(step, Launch) for step in ready.template.lowered.plan.steps) == 2


@pytest.mark.parametrize("function", NAN, ids=name)
def test_leaving_nan_out_takes_one_kernel(function: Callable[..., Any]) -> None:
    array = np.random.default_rng(0).standard_normal((50, 60)).astype("f4")
    ready = jf.jit(lambda x: function(x, axis=1)).program(array).ready
    assert ready is not None
    assert sum(isinstance(step, Launch) for step in ready.template.lowered.plan.steps) == 1


def test_averages() -> None:
    array, weights = small("float64", (3, 4)), np.array([1.0, 2.0, 3.0, 0.5])
    check(lambda x: np.average(x), array, exact=False)
    check(lambda x: np.average(x, axis=0, keepdims=True), array, exact=False)
    check(lambda x, w: np.average(x, axis=1, weights=w), array, weights, exact=False)
    check(lambda x, w: np.average(x, axis=-1, weights=w, returned=True), array, weights, exact=False)
    check(lambda x: np.average(x, axis=0, weights=x * x, returned=True, keepdims=True), array, exact=False)
    check(lambda x: np.average(x, returned=True), array, exact=False)
    check(
        lambda x, w: np.average(x, axis=(1, 0), weights=w),
        small("float32", (3, 4, 5)),
        np.ones((4, 3)),
        exact=False,
    )
    check(lambda x, w: np.average(x, weights=w), np.arange(4), np.arange(1, 5), exact=False)
    check(lambda x, w: np.average(x, weights=w), array, weights)
    check(lambda x, w: np.average(x, axis=0, weights=w), array, weights)
    assert np.isnan(float(np.average(tensors(np.ones(2)), weights=[0, 0])))


REDUCED = [
    np.add, np.multiply, np.maximum, np.minimum, np.logical_and, np.logical_or, np.logical_xor,
    np.bitwise_and, np.bitwise_or, np.bitwise_xor,
]  # fmt: skip


@pytest.mark.parametrize("dtype", SOME)
@pytest.mark.parametrize("ufunc", REDUCED, ids=name)
def test_reduce(ufunc: Any, dtype: str) -> None:
    array = small(dtype, (4, 5, 3))
    array = abs(array / 2).astype(dtype) if dtype.startswith("float") else array
    exact = not dtype.startswith("float")
    for axis in (-1, None, (0, 1)):
        check(lambda x, a=axis: ufunc.reduce(x, axis=a), array, exact=exact)
    check(lambda x: ufunc.reduce(x), array, exact=exact)
    check(lambda x: ufunc.reduce(x, axis=1, keepdims=True), array, exact=exact)
    check(lambda x: ufunc.reduce(x), array[:0], exact=exact)
    if exact:
        check(lambda x: ufunc.reduce(x, initial=1, where=np.array([True, False, True])), array)


FOLDED_INTEGERS = (
    np.subtract, np.floor_divide, np.remainder, np.gcd, np.lcm, np.left_shift, np.less,
)  # fmt: skip
FOLDED_FLOATS = (np.divide, np.fmax, np.fmin, np.hypot, np.copysign, np.logaddexp)


@pytest.mark.parametrize(
    ("ufunc", "dtype"),
    [
        *itertools.product(FOLDED_INTEGERS, ["int32"]),
        *itertools.product(FOLDED_FLOATS, ["float32"]),
        *second_set(
            *itertools.product(FOLDED_INTEGERS, ["float32", "bool"]),
            *itertools.product(FOLDED_FLOATS, ["int32", "bool"]),
        ),
    ],
    ids=lambda each: each if isinstance(each, str) else name(each),
)
def test_what_is_folded_one_after_another(ufunc: Any, dtype: str) -> None:
    """A ufunc's loop is the same in each dtype: the first set compiles each in one."""
    array = (small(dtype, (4, 2, 3)) % 7 + (dtype != "bool")).astype(dtype)
    mask = np.array([True, False, True])
    calls: list[Callable[..., Any]] = [
        lambda x: ufunc.reduce(x, axis=1, keepdims=True),
        lambda x: ufunc.reduce(x, initial=3, where=mask),
        lambda x: ufunc.reduce(x, where=mask),
        lambda x: ufunc.reduce(x, dtype=np.float32),
    ]
    for axis in (0, -1, None, (0, 1), (), 5):
        calls.append(lambda x, a=axis: ufunc.reduce(x, axis=a))
        calls.append(lambda x, a=axis: ufunc.accumulate(x, axis=a))
    for given, made in [
        (array, calls),
        *((few, [ufunc.reduce, ufunc.accumulate]) for few in (array[:1], array[:0], array[:, :0])),
    ]:
        for call in made:
            check(call, given, exact=False)
        check_compiled(made, given, exact=False)


def test_reduce_in_a_dtype_and_into_an_array() -> None:
    array = np.arange(6, dtype=np.int32).reshape(2, 3)
    for ufunc in (np.maximum, np.bitwise_or, np.gcd, np.logaddexp):
        check(lambda x, u=ufunc: u.reduce(x, dtype=np.int16 if u is not np.logaddexp else "f4"), array)
    check(lambda x: np.logaddexp.reduce(x, initial=2.0), array / 2, exact=False)
    out = np.zeros(3)
    assert np.fmin.reduce(tensors(array), out=out) is out and out.tolist() == [0, 1, 2]


def test_ddof_beside_correction() -> None:
    for function in (np.var, np.std, np.nanvar, np.nanstd):
        check(lambda x, f=function: f(x, ddof=1, correction=1), np.arange(3.0))
        check(lambda x, f=function: f(x, correction=1), np.arange(3.0))


@pytest.mark.parametrize("dtype", SOME)
@pytest.mark.parametrize("ufunc", REDUCED[:6], ids=name)
def test_accumulate(ufunc: Any, dtype: str) -> None:
    array = small(dtype, (4, 5))
    array = (array / 2).astype(dtype) if dtype.startswith("float") else array
    for axis in (0, 1, -1, 2, None, (0, 1)):
        check(lambda x, a=axis: ufunc.accumulate(x, axis=a), array, exact=not dtype.startswith("float"))
    check(lambda x: ufunc.accumulate(x[0, 0]), array)
    check(lambda x: ufunc.accumulate(x), array[:0])
    check(lambda x: ufunc.accumulate(x, axis=1), array[:, :1])


def test_accumulated_extremes_keep_nan() -> None:
    array = np.array([1.0, 3.0, 2.0, np.nan, 5.0], "f4")
    check(np.maximum.accumulate, array)
    check(np.minimum.accumulate, array[::-1])
    long = np.random.default_rng(0).standard_normal(300_007)
    found = jf.jit(lambda x: np.maximum.accumulate(x))(long)
    np.testing.assert_array_equal(found, np.maximum.accumulate(long))


def test_outer() -> None:
    x, y = small("float32", (2, 3)), small("float32", (4,))
    for ufunc in (np.add, np.multiply, np.maximum, np.subtract, np.less):
        check(lambda a, b, u=ufunc: u.outer(a, b), x, y)
    check(lambda a: np.add.outer(a, [1, 2]), x)
    check(lambda a: np.add.outer(2, a), x)
    found = np.subtract.outer(np.arange(3.0), tensors(np.arange(2.0)))
    np.testing.assert_array_equal(found.numpy(), np.subtract.outer(np.arange(3.0), np.arange(2.0)))


def test_methods_in_jitted_functions() -> None:
    array = np.random.default_rng(1).integers(0, 9, (30, 40))

    def program(x):
        return (
            np.add.reduce(x, axis=1),
            np.bitwise_xor.reduce(x),
            np.maximum.accumulate(x, axis=1),
            x.sum(where=x > 3),
        )

    for found, expected in zip(jf.jit(program)(array), program(array), strict=True):
        np.testing.assert_array_equal(found, expected)


SEGMENTS = ([0, 3, 1, 5, 5, 12], [4], [], list(range(0, 300, 7)), [0, 250, 100, 299])


@pytest.mark.parametrize("dtype", ["int32", "float32", "bool"])
@pytest.mark.parametrize("starts", SEGMENTS, ids=str)
def test_reductions_of_segments(starts: list[int], dtype: str) -> None:
    """From an index to the next: long segments and short ones, empty ones, and those that go back."""
    array = (np.random.default_rng(0).integers(0, 3, (4, 300)) - 1).astype(dtype)
    starts = np.array(starts, np.int64)
    for ufunc in (np.add, np.maximum, np.logical_or, np.multiply, np.logaddexp, np.hypot):
        exact = ufunc not in (np.logaddexp, np.hypot)
        if dtype == "bool" and not exact:
            continue
        check(lambda x, ufunc=ufunc: ufunc.reduceat(x, starts, axis=1), array, exact=exact)
    check(lambda x: np.add.reduceat(x[0], starts, dtype=np.float64), array)


def test_reductions_of_segments_in_jitted_functions() -> None:
    array = np.random.default_rng(1).integers(0, 9, (300, 4)).astype(np.float64)

    def program(x):
        out = np.zeros((2, 4))
        np.maximum.reduceat(x, [3, 9], out=out)
        return np.add.reduceat(x, [0, 100, 50]), np.subtract.reduceat(x, [7, 3]), out

    for found, expected in zip(jf.jit(program)(array), program(array), strict=True):
        np.testing.assert_array_equal(found, expected)
    with pytest.raises(BoundsError, match=r"index 300 out-of-bounds in add.reduceat \[0, 300\)"):
        np.add.reduceat(tensors(array), [0, 300])
    found = jf.jit(lambda x, i: np.add.reduceat(x, i))(array, np.array([0, 3]))
    np.testing.assert_array_equal(found, np.add.reduceat(array, [0, 3]))
