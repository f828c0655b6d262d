"""Reads and writes at positions computed on the device: negative ones, equal ones, on several axes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from jitframe.errors import BoundsError
from jitframe.functions import creation, sorted_search
from jitframe.functions.division import remainder
from jitframe.functions.elementwise import add, multiply, subtract
from jitframe.ir import ops
from jitframe.ir.node import Graph, Node, Shape
from jitframe.ir.types import I32
from tests.conformance.check import Case, Outcome, different_bits, outcomes, settle
from tests.conformance.devices import ARRAY_DTYPES, Target
from tests.conformance.tables import ALIKE
from tests.foundations.values import interesting

DTYPES = tuple(dtype.numpy_name for dtype in ARRAY_DTYPES)


def positions(graph: Graph, shape: Shape, extent: int, factor: int) -> Node:
    """Positions over and over an axis, half of them negative."""
    if not shape:
        return graph.number(-3, I32)
    counted = creation.iota(graph, shape, len(shape) - 1, I32)
    if len(shape) > 1:
        counted = add(graph, counted, multiply(graph, creation.iota(graph, shape, 0, I32), 5))
    around = remainder(graph, multiply(graph, counted, factor), 2 * extent)
    return subtract(graph, around, extent)


def gathered(axes: Shape, position: int, index_shape: Shape) -> Case:
    """`x` at positions on some axes."""

    def build(graph: Graph, given: list[Node]) -> Node:
        source = given[0]
        indices = [positions(graph, index_shape, source.shape[axis], 7 + axis) for axis in axes]
        attributes = (axes, position, (False,) * len(axes), axes, 0)
        return graph.make(ops.gather, source, *indices, attributes=attributes)

    return Case("gather", build)


def scattered(axes: Shape, position: int, index_shape: Shape, kind: str = "set") -> Case:
    """`x` in which elements at positions are, or are combined with, those of `y`."""

    def build(graph: Graph, given: list[Node]) -> Node:
        base, other = given
        if kind != "set" and base.dtype.kind not in ops.COMBINERS[kind][1]:
            return graph.make(ops.copy, base)
        indices = [positions(graph, index_shape, base.shape[axis], 7 + axis) for axis in axes]
        known = (False,) * len(axes)
        value = graph.make(ops.gather, other, *indices, attributes=(axes, position, known, axes, 0))
        attributes = (axes, position, kind, known, axes, False, 0)
        return graph.make(ops.scatter, base, value, *indices, attributes=attributes)

    return Case("scatter", build)


def scattered_in_a_window(axis: int, start: int, step: int, extent: int) -> Case:
    """`x` of two axes in which a part of a row or column is that of `y`."""

    def build(graph: Graph, given: list[Node]) -> Node:
        base, other = given
        index = positions(graph, (), base.shape[axis], 7)
        row = graph.make(ops.gather, other, index, attributes=((axis,), 0, (False,), (axis,), 0))
        value = graph.make(ops.slice_, row, attributes=((0,), (1,), (extent,)))
        starts, steps = ((0, start), (1, step)) if axis == 0 else ((start, 0), (step, 1))
        attributes = ((axis,), axis, "set", (False,), (axis,), True, 0, starts, steps)
        return graph.make(ops.window_scatter, base, value, index, attributes=attributes)

    return Case("window_scatter", build)


CASES: dict[Shape, list[Case]] = {
    (257,): [
        gathered((0,), 0, (1000,)), gathered((0,), 0, (3, 5)), gathered((0,), 0, ()), gathered((0,), 0, (0,)),
        scattered((0,), 0, (1000,)), scattered((0,), 0, ()), scattered((0,), 0, (300,), "add"),
        scattered((0,), 0, (300,), "maximum"),
        *[scattered((0,), 0, (300,), kind) for kind in ("and", "or", "xor", "div", "floordiv", "floormod")],
    ],
    (33, 17): [
        gathered((0,), 0, (40,)), gathered((1,), 1, (4, 3)), gathered((0, 1), 0, (50,)),
        gathered((1,), 0, (9,)), gathered((0,), 0, ()), scattered((0,), 0, (40,)),
        scattered((1,), 1, (4, 3)), scattered((0, 1), 0, (700,)), scattered((1,), 0, ()),
        scattered((1,), 1, (50,), "minimum"), scattered((0,), 0, (40,), "mul"),
        scattered_in_a_window(0, 2, 1, 11), scattered_in_a_window(1, 30, -3, 9),
    ],
}  # fmt: skip
FEW: dict[Shape, list[Case]] = {
    (33, 17): [gathered((1,), 1, (4, 3)), scattered((0,), 0, (40,)), scattered((1,), 0, ())],
}


@pytest.mark.parametrize("dtype", DTYPES)
def test_positions_on_devices(target: Target, dtype: str) -> None:
    for shape, cases in (CASES if target.device.is_host and dtype not in ALIKE else FEW).items():
        check_positions(target, dtype, shape, cases)


@pytest.mark.slow
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", CASES, ids=str)
def test_all_positions_on_devices(target: Target, dtype: str, shape: Shape) -> None:
    """What the processor runs of `test_positions_on_devices`, where each kernel takes long to compile, and of
    dtypes that are much like others."""
    check_positions(target, dtype, shape, CASES[shape])


def check_positions(target: Target, dtype: str, shape: Shape, cases: list[Case]) -> None:
    target.require(dtype)
    values = np.random.default_rng(2).permutation(interesting(dtype))
    arrays = np.resize(values, shape), np.resize(values[::-1], shape)
    settle(target, dtype, outcomes(target, cases, arrays), arrays, bits)


def bits(_target: Target, outcome: Outcome, _arrays: Any) -> str:
    assert outcome.ours is not None
    return different_bits(outcome.ours, outcome.theirs)


def test_positions_out_of_bounds(target: Target) -> None:
    """They are told of when the result is read, and the program goes on."""
    graph = target.graph()
    source, index = graph.parameter(0, (5, 3), I32), graph.parameter(1, (4,), I32)
    chosen = graph.make(ops.gather, source, index, attributes=((0,), 0, (False,), (0,), 0))
    values = np.arange(15, dtype=np.int32).reshape(5, 3)
    for places, wrong in (([0, 4, -5, 1], 0), ([0, 5, 1, 2], 5), ([1, -77, 2, 6], -77)):
        given = [values, np.array(places, np.int32)]
        if not wrong:
            np.testing.assert_array_equal(target.run(graph, [chosen], given)[0], values[places])
            continue
        with pytest.raises(BoundsError) as caught:
            target.run(graph, [chosen], given)
        assert caught.value.message == f"index {wrong} is out of bounds for axis 0 with size 5"


@pytest.mark.parametrize("dtype", ["int8", "int32", "uint64", "float16", "float32", "float64"])
def test_places_in_sorted_arrays(target: Target, dtype: str) -> None:
    """Equal elements, NaN, infinities and zeros of both signs, in arrays of few and of many elements."""
    target.require(dtype)
    values = np.sort(interesting(dtype))

    def place(right: bool) -> Case:
        return Case("gather", lambda graph, given: sorted_search.searchsorted(graph, *given, right))

    for length in (1, 6, 1000):
        arrays = np.sort(np.resize(values, length)), np.resize(values[::-1], (7, 33))
        found = outcomes(target, [place(False), place(True)], arrays)
        settle(target, dtype, found, arrays, bits)
        for outcome, side in zip(found, ("left", "right"), strict=True):
            np.testing.assert_array_equal(outcome.theirs, np.searchsorted(*arrays, side=side))


def test_values_between_points(target: Target) -> None:
    points = np.cumsum(np.random.default_rng(3).integers(1, 5, 50)).astype("f4")
    heights = np.random.default_rng(4).standard_normal(50).astype("f4")
    x = np.concatenate([np.linspace(-3, 200, 1001), [np.nan, np.inf, -np.inf], points]).astype("f4")
    case = Case("gather", lambda graph, given: sorted_search.interp(graph, *given, None, 2.5))
    (outcome,) = outcomes(target, [case], (x, points, heights))
    assert outcome.ours is not None, outcome.refusal
    np.testing.assert_allclose(outcome.ours, np.interp(x, points, heights, right=2.5), rtol=2e-5, atol=2e-5)
