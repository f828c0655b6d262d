"""Loops and conditions: bodies that run many times, never, in each other; swaps; counters; arms."""

from __future__ import annotations

import numpy as np
import pytest

from jitframe.ir import ops
from jitframe.ir.node import Graph, Node, Region
from jitframe.ir.types import BOOL, F32, I32, I64
from tests.conformance.devices import Target, meant, parameters
from tests.ir.graphs import loop_program


def check(target: Target, graph: Graph, outputs: list[Node], arrays: list[np.ndarray]) -> None:
    for ours, theirs in zip(target.run(graph, outputs, arrays), meant(graph, outputs, arrays), strict=True):
        np.testing.assert_array_equal(ours, theirs)


def spread(graph: Graph, number: Node, shape: tuple[int, ...]) -> Node:
    return graph.make(ops.broadcast, number, attributes=(shape, ()))


@pytest.mark.parametrize("steps", [0, 1, 6])
def test_a_stencil_that_swaps_two_fields(target: Target, steps: int) -> None:
    """Each step makes the new field from the old one, which the next step overwrites."""
    shape, inner = (20, 33), (18, 31)
    graph = target.graph()
    arrays = [np.random.default_rng(3).random(shape, dtype=np.float32) for _ in range(2)]
    given = parameters(graph, arrays)
    body = Graph(graph)
    index = body.parameter(0, (), I64)
    field, before, source = (body.parameter(number, shape, F32) for number in (1, 2, 3))

    def shifted(row: int, column: int) -> Node:
        return body.make(ops.slice_, field, attributes=((row, column), (1, 1), inner))

    around = body.make(ops.add, shifted(0, 1), shifted(2, 1))
    moved = body.make(ops.mul, around, spread(body, body.number(0.3, F32), inner))
    updated = body.make(ops.update, source, moved, attributes=((1, 1), (1, 1)))
    results = body.make(ops.sub, updated, before), field
    region = Region(body, (index, field, before, source), results)
    bounds = graph.constant(0, I64), graph.number(steps, I64)
    made = graph.make(ops.loop, *bounds, *given, given[0], attributes=(region,))
    check(target, graph, [graph.make(ops.item, made, attributes=(place,)) for place in range(2)], arrays)


def parallel_program(graph: Graph, x: Node, places: Node) -> list[Node]:
    """Each iteration writes the place that an array gives it: nothing in the program says they differ."""
    body = Graph(graph)
    index, out = body.parameter(0, (), I64), body.parameter(1, x.shape, F32)
    given, wanted = body.parameter(2, x.shape, F32), body.parameter(3, places.shape, I32)
    at = body.make(ops.cast, index, attributes=(I32,))
    value, place = (
        body.make(ops.gather, each, at, attributes=((0,), 0, (False,), ("",), 0)) for each in (given, wanted)
    )
    doubled = body.make(ops.add, value, value)
    attributes = ((0,), 0, "set", (False,), ("",), True, 0)
    region = Region(
        body,
        (index, out, given, wanted),
        (body.make(ops.scatter, out, doubled, place, attributes=attributes),),
    )
    bounds = graph.constant(0, I64), graph.number(x.shape[0], I64)
    made = graph.make(ops.parallel_loop, *bounds, x, x, places, attributes=(region,))
    return [graph.make(ops.item, made, attributes=(0,))]


@pytest.mark.parametrize("size", [1, 300])
def test_a_loop_that_is_said_to_be_parallel(target: Target, size: int) -> None:
    graph = target.graph()
    arrays = [np.arange(size, dtype=np.float32), np.random.default_rng(5).permutation(size).astype(np.int32)]
    check(target, graph, parallel_program(graph, *parameters(graph, arrays)), arrays)


@pytest.mark.parametrize("steps", [0, 5])
def test_loops_that_read_their_counter(target: Target, steps: int) -> None:
    """Two loops, one of them around a cond whose predicate the device computes from the counter."""
    graph = target.graph()
    outputs = list(loop_program(graph))
    graph.scalar_values[:] = [steps]
    random = np.random.default_rng(4)
    arrays = [random.random(3, dtype=np.float32) for _ in range(2)]
    check(target, graph, outputs, arrays)


@pytest.mark.parametrize("chosen", [True, False])
def test_one_arm_of_a_cond(target: Target, chosen: bool) -> None:
    graph = target.graph()
    arrays = [np.random.default_rng(5).random(70, dtype=np.float32), np.asarray(chosen)]
    x, flag = parameters(graph, arrays)
    assert flag.dtype is BOOL
    arms = []
    for kind in ("max", "min"):
        body = Graph(graph)
        inside = body.parameter(0, (70,), F32)
        value = body.make(ops.neg, inside) if kind == "max" else inside
        arms.append(Region(body, (inside,), (value, body.make(ops.reduce, inside, attributes=(kind, (0,))))))
    cond = graph.make(ops.cond, flag, x, attributes=tuple(arms))
    check(target, graph, [graph.make(ops.item, cond, attributes=(place,)) for place in range(2)], arrays)


def while_program(graph: Graph, x: Node, bound: Node) -> list[Node]:
    """Two carried values, one changed in place and one through a second buffer, and a value from around."""
    regions = []
    for kind in ("condition", "body"):
        inner = Graph(graph)
        field, count, most = (
            inner.parameter(0, (70,), F32),
            inner.parameter(1, (), F32),
            inner.parameter(2, (), F32),
        )
        if kind == "condition":
            results = (inner.make(ops.lt, count, most),)
        else:
            flipped = inner.make(ops.slice_, field, attributes=((69,), (-1,), (70,)))
            shifted = inner.make(ops.add, flipped, spread(inner, count, (70,)))
            results = shifted, inner.make(ops.add, count, inner.number(1.0, F32))
        regions.append(Region(inner, (field, count, most), results))
    condition, body = regions
    start = graph.constant(0.0, F32)
    made = graph.make(ops.while_, x, start, bound, attributes=(body, condition))
    return [graph.make(ops.item, made, attributes=(place,)) for place in range(2)]


@pytest.mark.parametrize("limit", [0.0, 2.5, 6.0])
def test_a_while_whose_condition_the_device_computes(target: Target, limit: float) -> None:
    graph = target.graph()
    arrays = [np.random.default_rng(6).random(70, dtype=np.float32), np.asarray(np.float32(limit))]
    x, bound = parameters(graph, arrays)
    check(target, graph, while_program(graph, x, bound), arrays)


@pytest.mark.parametrize("bounds", [(0, 4), (3, 3), (-1, 2)])
def test_bounds_that_the_device_computes(target: Target, bounds: tuple[int, int]) -> None:
    """An outer loop between computed bounds around one from the outer counter to a number in memory."""
    graph = target.graph()
    arrays = [np.zeros(5, np.float32), *(np.asarray(bound, np.int32) for bound in bounds)]
    x, low, high = (
        graph.parameter(k, array.shape, dtype)
        for k, (array, dtype) in enumerate(zip(arrays, (F32, I32, I32), strict=True))
    )
    deep = Graph(graph)
    inner_index, value, outer_index = (
        deep.parameter(0, (), I64), deep.parameter(1, (5,), F32), deep.parameter(2, (), I64),
    )  # fmt: skip
    both = deep.make(ops.add, inner_index, outer_index)
    step = spread(deep, deep.make(ops.cast, both, attributes=(F32,)), (5,))
    inner_region = Region(deep, (inner_index, value, outer_index), (deep.make(ops.add, value, step),))
    body = Graph(graph)
    index, carried, last = (
        body.parameter(0, (), I64),
        body.parameter(1, (5,), F32),
        body.parameter(2, (), I64),
    )
    nested = body.make(ops.loop, index, last, carried, index, attributes=(inner_region,))
    region = Region(body, (index, carried, last), (body.make(ops.item, nested, attributes=(0,)),))
    first = graph.make(ops.cast, low, attributes=(I64,))
    end = graph.make(ops.cast, graph.make(ops.add, high, graph.number(1, I32)), attributes=(I64,))
    made = graph.make(ops.loop, first, end, x, end, attributes=(region,))
    check(target, graph, [graph.make(ops.item, made, attributes=(0,))], arrays)
