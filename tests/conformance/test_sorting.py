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


@THOROUGHLY
@pytest.mark.parametrize("dtype", DTYPES)
def test_sorts_on_devices(target: Target, dtype: str, thorough: bool) -> None:
    """Many equal elements, NaN, infinities and zeros of both signs."""
    target.require(dtype)
    values = np.random.default_rng(2).permutation(interesting(dtype))
    for shape, axis in SHAPES if target.tries_all(thorough) else FEW:
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
