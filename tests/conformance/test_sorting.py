"""Sorts on devices: elements and positions, in rows of every length that is sorted in a way of its own."""

from __future__ import annotations

import numpy as np
import pytest

from jitframe.functions import sorting
from jitframe.ir.node import Graph, Node, Shape
from tests.conformance.check import Case, outcomes
from tests.conformance.devices import ARRAY_DTYPES, THOROUGHLY, Target
from tests.foundations.values import interesting

DTYPES = tuple(dtype.numpy_name for dtype in ARRAY_DTYPES)
SHAPES: tuple[tuple[Shape, int], ...] = (
    ((40,), 0), ((7, 33), 1), ((33, 7), 0), ((257,), 0), ((3, 300), 1), ((1025,), 0), ((2, 5, 2), 1),
)  # fmt: skip
FEW = SHAPES[4:5]


def built(axis: int, descending: bool, positions: bool) -> Case:
    def build(graph: Graph, given: list[Node]) -> Node:
        function = sorting.argsort if positions else sorting.sort
        return function(graph, given[0], axis, descending)

    return Case("argsort" if positions else "sort", build)


SELECTED: tuple[tuple[Shape, tuple[int, ...]], ...] = (
    ((40,), (0, 39, 13)), ((3, 300), (299, 150)), ((2, 2500), (7, 1249, 2498, 0)), ((40_000,), (20_000,)),
)  # fmt: skip
"""Rows that are sorted, sampled once, sampled more often, and taken in chunks, with positions."""


def selected(second: bool) -> Case:
    """The elements at positions, or those behind them; the positions are the second array."""

    def build(graph: Graph, given: list[Node]) -> Node:
        return sorting.order_statistics(graph, given[0], given[1], -1)[second]

    return Case("order_statistics", build)


def partitioned(descending: bool, positions: bool) -> Case:
    """By pivots that are the second array."""

    def build(graph: Graph, given: list[Node]) -> Node:
        return sorting.partition(graph, given[0], given[1], -1, positions, descending)

    return Case("partition", build)


@THOROUGHLY
@pytest.mark.parametrize("dtype", DTYPES)
def test_selections_on_devices(target: Target, dtype: str, thorough: bool) -> None:
    """What `sort` has; the pivots of some rows are NaN, or a zero."""
    target.require(dtype)
    values = np.random.default_rng(3).permutation(interesting(dtype))
    for shape, positions in SELECTED if target.tries_all(thorough, dtype) else SELECTED[1:2]:
        array, rows = np.resize(values, shape), shape[:-1]
        ranks = np.broadcast_to(np.array(positions), (*rows, len(positions)))
        ranks = np.array(ranks, "int64" if "int64" in target.dtypes else "int32", order="C")
        pivots = np.resize(values[::-1], rows)
        cases = [partitioned(False, positions=False), partitioned(True, positions=True)]
        done = outcomes(target, cases, (array, pivots))
        for outcome in [*done, *outcomes(target, [selected(False), selected(True)], (array, ranks))]:
            assert outcome.ours is not None, outcome.refusal
            assert outcome.ours.dtype == outcome.theirs.dtype
            np.testing.assert_array_equal(
                plain(outcome.ours), plain(outcome.theirs), f"{shape} {outcome.case.op}"
            )


@THOROUGHLY
@pytest.mark.parametrize("dtype", DTYPES)
def test_sorts_on_devices(target: Target, dtype: str, thorough: bool) -> None:
    """Many equal elements, NaN, infinities and zeros of both signs."""
    target.require(dtype)
    values = np.random.default_rng(2).permutation(interesting(dtype))
    for shape, axis in SHAPES if target.tries_all(thorough, dtype) else FEW:
        array = np.resize(values, shape)
        cases = [
            built(axis, descending, positions) for descending in (False, True) for positions in (False, True)
        ]
        for outcome in outcomes(target, cases, (array,)):
            assert outcome.ours is not None, outcome.refusal
            assert outcome.ours.dtype == outcome.theirs.dtype
            np.testing.assert_array_equal(
                plain(outcome.ours), plain(outcome.theirs), f"{shape} {outcome.case.op}"
            )


def plain(array: np.ndarray) -> np.ndarray:
    """In a dtype whose elements NumPy compares."""
    return array.astype("f4") if array.dtype.name == "bfloat16" else array
