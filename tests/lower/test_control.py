"""Loops and conds compiled to plan steps give what their regions mean."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import jitframe as jf
from jitframe.codegen.plan.nodes import Alloc, Launch, Loop
from jitframe.compilation.evaluate import compute, forget
from jitframe.ir import ops, passes
from jitframe.ir.interpret import evaluate
from jitframe.ir.node import Graph, Node, Region
from jitframe.ir.types import BOOL, F32, I64
from tests.lower.programs import plan_of


def spread(graph: Graph, number: Node, shape: tuple[int, ...]) -> Node:
    return graph.make(ops.broadcast, number, attributes=(shape, ()))


def check(graph: Graph, outputs: list[Node], parameters: list[Node], arrays: list[np.ndarray]) -> None:
    given: dict[Node, np.ndarray] = dict(zip(parameters, arrays, strict=True))
    for node in graph._interned.values():
        if node.op.name == "scalar":
            given[node] = np.asarray(graph.scalar_values[node.attribute("index")], node.dtype.numpy_name)
    for ours, meant in zip(compute(graph, outputs, arrays), evaluate(outputs, given), strict=True):
        np.testing.assert_array_equal(ours, meant)


def vector(seed: int, *shape: int) -> np.ndarray:
    return np.random.default_rng(seed).random(shape, dtype=np.float32)


@pytest.fixture
def steps_of_a_plan(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Loops of elementwise iterations stay loops."""
    monkeypatch.setattr(passes, "sink_loops", lambda _graph, outputs: tuple(outputs))
    forget()
    yield
    forget()


@pytest.mark.parametrize("shape", [(20, 30), (3, 3), (5, 4)])
@pytest.mark.parametrize("steps", [0, 1, 2, 7])
def test_a_stencil_in_a_loop(shape: tuple[int, int], steps: int) -> None:
    graph = Graph()
    start = graph.parameter(0, shape, F32)
    body = Graph(graph)
    index, field, source = (
        body.parameter(0, (), I64),
        body.parameter(1, shape, F32),
        body.parameter(2, shape, F32),
    )
    inner = (shape[0] - 2, shape[1] - 2)

    def shifted(row: int, column: int) -> Node:
        return body.make(ops.slice_, field, attributes=((row, column), (1, 1), inner))

    time = spread(body, body.make(ops.cast, index, attributes=(F32,)), inner)
    around = body.make(ops.add, shifted(0, 1), shifted(2, 1))
    moved = body.make(ops.mul, body.make(ops.add, around, time), spread(body, body.number(0.3, F32), inner))
    updated = body.make(ops.update, field, moved, attributes=((1, 1), (1, 1)))
    region = Region(body, (index, field, source), (body.make(ops.add, updated, source),))
    loop = graph.make(
        ops.loop, graph.number(0, I64), graph.number(steps, I64), start, start, attributes=(region,)
    )
    check(graph, [graph.make(ops.item, loop, attributes=(0,))], [start], [vector(0, *shape)])


def test_carried_values_that_change_places() -> None:
    graph = Graph()
    x, y = graph.parameter(0, (9,), F32), graph.parameter(1, (9,), F32)
    body = Graph(graph)
    parameters = (
        body.parameter(0, (), I64),
        *(body.parameter(k, (9,), F32) for k in (1, 2)),
        body.parameter(3, (), F32),
    )
    _index, p, q, total = parameters
    largest = body.make(ops.reduce, p, attributes=("max", (0,)))
    bounded = body.make(ops.minimum, p, spread(body, largest, (9,)))
    region = Region(body, parameters, (q, bounded, body.make(ops.add, total, largest)))
    loop = graph.make(
        ops.loop, graph.number(2, I64), graph.number(7, I64), x, graph.make(ops.add, x, y),
        graph.constant(0.0, F32), attributes=(region,),
    )  # fmt: skip
    items = [graph.make(ops.item, loop, attributes=(k,)) for k in range(3)]
    check(graph, [*items, graph.make(ops.mul, items[0], items[1])], [x, y], [vector(1, 9), vector(2, 9)])


def test_a_loop_in_a_loop_reads_both_counters() -> None:
    graph = Graph()
    x = graph.parameter(0, (5,), F32)
    deep = Graph(graph)
    inner_index, carried, outer = (
        deep.parameter(0, (), I64),
        deep.parameter(1, (5,), F32),
        deep.parameter(2, (), F32),
    )
    step = deep.make(ops.add, outer, deep.make(ops.cast, inner_index, attributes=(F32,)))
    inner = Region(
        deep, (inner_index, carried, outer), (deep.make(ops.add, carried, spread(deep, step, (5,))),)
    )
    body = Graph(graph)
    index, value = body.parameter(0, (), I64), body.parameter(1, (5,), F32)
    loop = body.make(
        ops.loop, body.number(0, I64), body.number(3, I64), value,
        body.make(ops.cast, index, attributes=(F32,)), attributes=(inner,),
    )  # fmt: skip
    region = Region(body, (index, value), (body.make(ops.item, loop, attributes=(0,)),))
    outside = graph.make(ops.loop, graph.number(0, I64), graph.number(5, I64), x, attributes=(region,))
    check(graph, [graph.make(ops.item, outside, attributes=(0,))], [x], [vector(3, 5)])


@pytest.mark.parametrize("chosen", [True, False])
def test_cond_runs_one_arm(chosen: bool) -> None:
    graph = Graph()
    x, flag = graph.parameter(0, (9,), F32), graph.parameter(1, (), BOOL)
    arms = []
    for kind in ("max", "min"):
        body = Graph(graph)
        inside = body.parameter(0, (9,), F32)
        value = body.make(ops.neg, inside) if kind == "max" else inside
        arms.append(Region(body, (inside,), (value, body.make(ops.reduce, inside, attributes=(kind, (0,))))))
    cond = graph.make(ops.cond, flag, x, attributes=tuple(arms))
    items = [graph.make(ops.item, cond, attributes=(k,)) for k in range(2)]
    check(graph, items, [x, flag], [vector(4, 9), np.asarray(chosen)])


def counting(graph: Graph, extent: int) -> tuple[Region, Region]:
    """Regions of a while that carries a vector and a number: condition and body, which also read a limit."""
    made = []
    for _ in range(2):
        body = Graph(graph)
        parameters = (
            body.parameter(0, (extent,), F32),
            body.parameter(1, (), F32),
            body.parameter(2, (), F32),
        )
        made.append((body, parameters))
    (test, (_, count, limit)), (body, (vector_, count_, limit_)) = made
    condition = Region(test, made[0][1], (test.make(ops.lt, count, limit),))
    doubled = body.make(ops.mul, vector_, spread(body, body.make(ops.add, count_, limit_), (extent,)))
    more = body.make(ops.add, count_, body.number(1.0, F32))
    return condition, Region(body, made[1][1], (doubled, more))


@pytest.mark.parametrize("limit", [0.0, 1.0, 4.0])
def test_a_while(limit: float) -> None:
    graph = Graph()
    x, bound = graph.parameter(0, (7,), F32), graph.parameter(1, (), F32)
    condition, body = counting(graph, 7)
    made = graph.make(ops.while_, x, graph.constant(0.0, F32), bound, attributes=(body, condition))
    items = [graph.make(ops.item, made, attributes=(k,)) for k in range(2)]
    check(
        graph,
        [*items, graph.make(ops.neg, items[0])],
        [x, bound],
        [vector(6, 7), np.asarray(limit, np.float32)],
    )


@pytest.mark.parametrize("limits", [(0, 4), (2, 2), (-3, 1)])
def test_bounds_of_a_loop_that_are_computed(limits: tuple[int, int]) -> None:
    graph = Graph()
    x, low, high = graph.parameter(0, (5,), F32), graph.parameter(1, (), I64), graph.parameter(2, (), I64)
    body = Graph(graph)
    index, value = body.parameter(0, (), I64), body.parameter(1, (5,), F32)
    step = spread(body, body.make(ops.cast, index, attributes=(F32,)), (5,))
    region = Region(body, (index, value), (body.make(ops.add, value, step),))
    bounds = graph.make(ops.neg, low), graph.make(ops.add, low, high)
    loop = graph.make(ops.loop, *bounds, x, attributes=(region,))
    arrays = [vector(7, 5), *(np.asarray(limit) for limit in limits)]
    check(graph, [graph.make(ops.item, loop, attributes=(0,))], [x, low, high], arrays)


def test_what_a_step_may_overwrite_has_one_buffer(steps_of_a_plan: None) -> None:
    """Elementwise steps and assignments to a part go over what was carried; the others have two buffers."""
    for name, step, pairs in (
        ("elementwise", lambda i, x: x * 0.5 + i, 0),
        ("part", assign_part, 0),
        ("shifted part", assign_shifted, 0),
        ("most of it, shifted", assign_most, 1),
        ("reversed", lambda i, x: x[::-1] + i, 1),
    ):

        def function(x: np.ndarray, step: Any = step) -> Any:
            return jf.fori_loop(0, 4, step, x)

        plan = plan_of(function, np.arange(999.0))
        (loop,) = [each for each in plan.steps if isinstance(each, Loop)]
        assert len(loop.swaps) == pairs, name
        x = np.arange(999.0)
        np.testing.assert_allclose(jf.jit(function)(x), function(x), err_msg=name)
        assert not any(isinstance(each, Alloc) for each in loop.body) or name == "shifted part", name


def leapfrog(i: Any, state: Any) -> Any:
    u, v = state
    w = v.copy()
    w[1:-1] = 2 * u[1:-1] - v[1:-1] + 0.1 * (u[:-2] - 2 * u[1:-1] + u[2:])
    return w, u


MOVES: dict[str, tuple[Any, int, int, int]] = {
    "leapfrog": (leapfrog, 2, 1, 1),
    "around": (lambda i, s: (s[1], s[2], s[0]), 3, 0, 2),
    "back around": (lambda i, s: (s[2], s[0], s[1], s[3] + i), 4, 1, 2),
    "two places": (lambda i, s: (s[1], s[1] + s[0]), 2, 1, 1),
    "one to both": (lambda i, s: (s[1], s[1], s[0] * 2), 3, 2, 2),
    "kept and given": (lambda i, s: (s[0], s[0], s[1][::-1] + s[2]), 3, 2, 1),
    "history": (lambda i, s: (s[0][::-1] + s[2], s[0], s[1]), 3, 1, 2),
}
"""Steps that move what is carried to another place: how many arrays, launches, swaps of buffers."""


@pytest.mark.parametrize("name", MOVES)
@pytest.mark.parametrize("steps", [0, 1, 2, 3, 7])
def test_values_that_only_change_places_take_their_memory_along(
    name: str, steps: int, steps_of_a_plan: None
) -> None:
    step, count, launches, pairs = MOVES[name]
    arrays = [vector(seed, 99).astype(np.float64) for seed in range(count)]

    def function(*arrays: np.ndarray) -> Any:
        return jf.fori_loop(0, steps, step, arrays)

    (loop,) = [each for each in plan_of(function, *arrays).steps if isinstance(each, Loop)]
    assert len(loop.swaps) == pairs
    assert sum(isinstance(each, Launch) for each in loop.body) == launches
    for ours, meant in zip(jf.jit(function)(*arrays), function(*arrays), strict=True):
        np.testing.assert_array_equal(ours, meant)


def test_moved_values_of_a_while() -> None:
    def function(x: np.ndarray, y: np.ndarray) -> Any:
        return jf.while_loop(lambda s: s[0].sum() < 100, lambda s: (s[1], s[0] + s[1]), (x, y))

    x, y = vector(8, 9), vector(9, 9)
    for ours, meant in zip(jf.jit(function)(x, y), function(x, y), strict=True):
        np.testing.assert_array_equal(ours, meant)


def assign_part(i: Any, x: Any) -> Any:
    x[2:502] = x[2:502] * 2 + i
    return x


def assign_most(i: Any, x: Any) -> Any:
    x[1:-1] = x[2:] * 2 + x[:-2] + i
    return x


def assign_shifted(i: Any, x: Any) -> Any:
    x[2:402] = x[3:403] * 2 + i
    return x
