"""searchsorted and interp are NumPy's: sides, NaN, dtypes, ends, periods, repeated points and infinities."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import jitframe as jf
from jitframe.codegen.plan.nodes import Launch
from jitframe.errors import ArgumentError, ShapeError
from tests.functions.compare import DTYPES, check, small, tensors, values

SIDES = ("left", "right")


def drawn(dtype: str, shape: tuple[int, ...], seed: int = 0) -> np.ndarray:
    return (
        np.abs(small("float64", shape, seed)).astype(dtype) if dtype[0] == "u" else small(dtype, shape, seed)
    )


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("dtype", [*DTYPES, "int8", "uint64", "float16"])
def test_every_length_and_dtype(dtype: str, side: str) -> None:
    for length in (0, 1, 2, 3, 4, 5, 7, 8, 9, 31, 100):
        array = np.sort(drawn(dtype, (length,)))
        check(lambda a, v: np.searchsorted(a, v, side=side), array, drawn(dtype, (3, 4), 1))


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("dtype", DTYPES)
def test_every_telling_value(dtype: str, side: str) -> None:
    telling = values(dtype)
    array = np.sort(np.concatenate([telling, telling[:5]]))
    check(lambda a, v: np.searchsorted(a, v, side=side), array, telling)
    check(lambda a, v: a.searchsorted(v, side), array, telling)


@pytest.mark.parametrize(
    ("first", "second"), list(itertools.permutations(["int32", "uint8", "float32", "int64"], 2))
)
def test_dtypes_are_compared_in_their_common_one(first: str, second: str) -> None:
    check(np.searchsorted, np.sort(small(first, (20,))), small(second, (7,)))
    for number in (2, 2.5, -1, True):
        check(lambda a, n=number: np.searchsorted(a, n), np.sort(small(first, (20,))))


def test_a_number_alone_and_a_sorter() -> None:
    array = np.array([3.0, 1.0, 2.0])
    order = np.argsort(array)
    for side in SIDES:
        check(lambda a, o, s=side: np.searchsorted(a, [1.0, 2.5], side=s, sorter=o), array, order)
        check(lambda a, s=side: np.searchsorted(a, 2.0, s, np.array([1, 2, 0])), array)


def test_searchsorted_refuses() -> None:
    x = tensors(np.arange(4.0))
    with pytest.raises(ArgumentError, match=r"search side must be 'left' or 'right' \(got 'middle'\)"):
        np.searchsorted(x, 1.0, side="middle")  # type: ignore[call-overload]
    with pytest.raises(ShapeError, match=r"the sorted array has one axis, not the shape \(2,2\)"):
        np.searchsorted(x.reshape(2, 2), 1.0)
    with pytest.raises(ArgumentError, match=r"sorter.size must equal a.size"):
        np.searchsorted(x, 1.0, sorter=np.arange(3))


def test_positions_of_a_sorter_are_in_range() -> None:
    x, wrong = np.arange(3.0), np.array([-3, 2, 7])
    found = jf.jit(lambda x, order: np.searchsorted(x, 1.0, sorter=order))
    with pytest.raises(ArgumentError, match=r"Sorter index out of range\.\n  at .*<lambda>"):
        found(x, wrong)
    with pytest.raises(ArgumentError, match="Sorter index out of range"):
        np.searchsorted(tensors(x), tensors(np.ones(2)), sorter=tensors(wrong)).numpy()

    def caught(x, order):
        try:
            return np.searchsorted(x, 1.0, sorter=order)
        except ValueError:
            return -1

    assert jf.jit(caught)(x, wrong) == caught(x, wrong) == -1


def launches(function: Any, *arguments: Any) -> int:
    ready = jf.jit(function).program(*arguments).ready
    assert ready is not None
    return sum(isinstance(step, Launch) for step in ready.template.lowered.plan.steps)


def test_one_kernel_whatever_the_length() -> None:
    a, v = np.arange(1000.0), np.arange(50.0)
    assert launches(lambda a, v: np.searchsorted(a, v * 2) + 1, a, v) == 1
    assert launches(lambda v, a: np.interp(v, a, a * a), v, a) == 2  # a * a is read at two places


X = np.array([-3.0, -1.0, -0.5, 0.0, 0.25, 1.0, 1.5, 2.0, 2.5, 9.0, np.nan, np.inf, -np.inf, -0.0])
ENDS: list[dict[str, Any]] = [{}, {"left": -7.0}, {"right": 8}, {"left": np.nan, "right": np.float32(2.5)}]


@pytest.mark.parametrize("ends", ENDS, ids=str)
@pytest.mark.parametrize("length", [1, 2, 3, 4, 5, 6, 40])
def test_interp(length: int, ends: dict[str, Any]) -> None:
    points = np.sort(
        np.concatenate([small("float64", (length,), 1)[: length // 2], X[1:2], small("float64", (length,))])[
            :length
        ]
    )
    heights = small("float64", (length,), 5)
    check(
        lambda x, xp, fp: np.interp(x, xp, fp, **ends),
        np.concatenate([X, points]),
        points,
        heights,
        exact=False,
    )


@pytest.mark.parametrize("dtype", ["int32", "uint8", "float32", "bool"])
def test_interp_is_float64(dtype: str) -> None:
    points = np.array([0, 1, 3, 7], dtype="u1").astype("i4")
    check(np.interp, small(dtype, (3, 5)), points, small(dtype, (4,)), exact=False)
    check(lambda xp, fp: np.interp(1.5, xp, fp), points, small(dtype, (4,)), exact=False)


def test_interp_between_infinite_and_repeated_points() -> None:
    inf, nan = np.inf, np.nan
    for points in ([-1.0, 0.0, 1.0, 2.0], [-1.0, 0.0, 0.0, 2.0], [-inf, 0.0, 1.0, inf], [0.0, 0.0, 0.0, 0.0]):
        for heights in (
            [1.0, 2.0, 3.0, 4.0],
            [inf, inf, -inf, 1.0],
            [nan, 1.0, nan, 2.0],
            [5.0, 5.0, inf, inf],
        ):
            check(np.interp, X, np.array(points), np.array(heights), exact=False)


def test_interp_with_a_period() -> None:
    points, heights = np.array([190.0, -170.0, 20.0, 355.0]), np.array([5.0, 10.0, 3.0, 4.0])
    x = np.array([-180.0, -170, -185, 185, -10, -5, 0, 365, 1000.5])
    for period in (360, -360.0, 100.0):
        check(lambda x, p=period: np.interp(x, points, heights, period=p), x, exact=False)
        check(lambda x, xp, fp, p=period: np.interp(x, xp, fp, period=p), x, points, heights, exact=False)
    found = jf.jit(lambda x, xp, fp, p: np.interp(x, xp, fp, period=p))(x, points, heights, 100.0)
    np.testing.assert_allclose(found, np.interp(x, points, heights, period=100.0))
    with pytest.raises(ArgumentError, match="period must be a non-zero value"):
        np.interp(tensors(x), points, heights, period=0)


def test_interp_refuses() -> None:
    x = tensors(np.arange(4.0))
    with pytest.raises(ShapeError, match="fp and xp are not of the same length"):
        np.interp(x, x, x[:3])
    with pytest.raises(ArgumentError, match="array of sample points is empty"):
        np.interp(x, x[:0], x[:0])
    with pytest.raises(
        ShapeError, match=r"Data points must be 1-D sequences; xp and fp have the shapes \(2,2\)"
    ):
        np.interp(x, x.reshape(2, 2), x)


def test_in_a_jitted_function_with_positions_used_at_once() -> None:
    def histogram(edges: Any, x: Any, counts: Any) -> Any:
        np.add.at(counts, np.searchsorted(edges, x, side="right") - 1, 1)
        return counts

    edges, x = np.linspace(0, 1, 11), np.random.default_rng(0).random(1000)
    found = jf.jit(histogram)(edges, x, np.zeros(11, "i8"))
    np.testing.assert_array_equal(found, histogram(edges, x, np.zeros(11, "i8")))
