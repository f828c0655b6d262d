"""Functions of elements: loops that each element leaves by itself, conditions, several results."""

from __future__ import annotations

import numpy as np
import pytest

from jitframe.ir import ops
from jitframe.ir.node import Graph, Node, Region
from jitframe.ir.types import BOOL, I32
from tests.conformance.devices import Target, meant, parameters


def euclid(given: Graph) -> Region:
    """The greatest common divisor of two integers, and how many steps it takes; a number in its place where
    that is 1, for which there is a cond."""
    body, condition = Graph(given), Graph(given)
    a, b, steps = (body.parameter(k, (), I32) for k in range(3))
    turned = body.make(ops.floormod, a, b), body.make(ops.add, steps, body.constant(1, I32))
    left = [condition.parameter(k, (), I32) for k in range(3)]
    goes_on = condition.make(ops.ne, left[1], condition.constant(0, I32))
    inner = Graph(given)
    x, y, bound = (inner.parameter(k, (), I32) for k in range(3))
    made = inner.make(
        ops.while_, x, y, inner.constant(0, I32),
        attributes=(Region(body, (a, b, steps), (b, *turned)), Region(condition, tuple(left), (goes_on,))),
    )  # fmt: skip
    found, count = (inner.make(ops.item, made, attributes=(k,)) for k in (0, 2))
    counted = Graph(given)
    index, total, limit = (counted.parameter(k, (), I32) for k in range(3))
    added = counted.make(ops.add, total, counted.make(ops.mul, index, limit))
    loop = inner.make(
        ops.loop, inner.constant(0, I32), count, found, bound,
        attributes=(Region(counted, (index, total, limit), (added,)),),
    )  # fmt: skip
    summed = inner.make(ops.item, loop, attributes=(0,))
    arms = [Graph(given) for _ in range(2)]
    chosen = [(arm.parameter(0, (), I32), arm.parameter(1, (), I32)) for arm in arms]
    then = Region(arms[0], chosen[0], (arms[0].make(ops.sub, *chosen[0]),))
    orelse = Region(arms[1], chosen[1], (chosen[1][0],))
    is_one = inner.make(ops.eq, found, inner.constant(1, I32))
    assert is_one.dtype is BOOL
    either = inner.make(ops.cond, is_one, found, summed, attributes=(then, orelse))
    return Region(inner, (x, y, bound), (inner.make(ops.item, either, attributes=(0,)), count))


def built(graph: Graph, given: list[Node]) -> list[Node]:
    x, y = given
    bound = graph.make(ops.broadcast, graph.number(7, I32), attributes=(x.shape, ()))
    region = euclid(graph)
    return [graph.make(ops.apply, x, y, bound, attributes=(region, position)) for position in range(2)]


@pytest.mark.parametrize("shape", [(0, 3), (1, 1), (5, 37)])
def test_a_function_of_elements(target: Target, shape: tuple[int, ...]) -> None:
    target.require("int32")
    graph = target.graph()
    random = np.random.default_rng(5)
    arrays = [random.integers(0, 400, shape, np.int32) for _ in range(2)]
    outputs = built(graph, parameters(graph, arrays))
    outputs.append(graph.make(ops.add, *outputs))
    for ours, theirs in zip(target.run(graph, outputs, arrays), meant(graph, outputs, arrays), strict=True):
        np.testing.assert_array_equal(ours, theirs)
