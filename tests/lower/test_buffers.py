"""Kernels of devices that give them few buffers: graphs over many arrays are split, and mean the same."""

from __future__ import annotations

import random

import numpy as np
import pytest

from jitframe.codegen.plan.nodes import Plan
from jitframe.functions import elementwise, joining, reductions
from jitframe.ir import ops
from jitframe.ir.node import Graph, Node
from jitframe.ir.passes.fuse import fuse
from jitframe.ir.passes.groups import WritePlan
from jitframe.ir.passes.stages import Limits
from jitframe.ir.record import replace
from jitframe.ir.types import F32

from .machines import SMALL, Interpreter, Problem, lower, run

LIMITS = range(3, 9)
SELECT = 4
"""Buffers of the one operation that reads three arrays."""
ROWS, COLUMNS = 5, 12


def most_buffers(plan: Plan) -> int:
    return max(len(kernel.buffers) for kernel in plan.kernels)


def tangle(seed: int) -> tuple[Problem, list[Node]]:
    """Integer arrays combined at random: sums of pairs, choices, rows reduced and spread again, parts."""
    rng, choose = np.random.default_rng(seed), random.Random(seed)

    problem = Problem()
    graph = problem.graph
    pool = [
        problem.parameter(rng.integers(-9, 9, (ROWS, COLUMNS)).astype(np.int32))
        for _ in range(choose.randint(4, 12))
    ]
    for _ in range(choose.randint(10, 30)):
        x, y, z = (choose.choice(pool) for _ in range(3))
        kind = choose.choice(("add", "add", "multiply", "where", "row", "column", "total", "transposed"))
        if kind == "where":
            made = graph.make(ops.select, elementwise.less(graph, x, y), y, z)
        elif kind == "row":
            made = elementwise.subtract(graph, x, reductions.max_(graph, y, axis=1, keepdims=True))
        elif kind == "column":
            made = elementwise.add(graph, x, reductions.sum(graph, y, axis=0, dtype=y.dtype))
        elif kind == "total":
            made = elementwise.subtract(graph, x, reductions.min_(graph, y))
        elif kind == "transposed":
            flipped = graph.make(ops.permute, y, attributes=((1, 0),))
            flipped = elementwise.add(graph, flipped, 1)
            made = elementwise.add(graph, x, graph.make(ops.permute, flipped, attributes=((1, 0),)))
        else:
            made = getattr(elementwise, kind)(graph, x, y)
        pool.append(made)
    return problem, choose.sample(pool[-8:], choose.randint(1, 4))


@pytest.mark.parametrize("limit", LIMITS)
def test_random_graphs_over_many_arrays(limit: int) -> None:
    machine = replace(SMALL, most_buffers=limit)
    reached = 0
    for seed in range(15):
        problem, outputs = tangle(seed)
        plan, *_ = lower(outputs, problem.strides(), machine)
        reached = max(reached, most_buffers(plan))
        assert most_buffers(plan) <= max(limit, SELECT), seed
        for found, meant in zip(
            run(Interpreter(), problem, outputs, machine),
            problem.meant(outputs),
            strict=True,
        ):
            np.testing.assert_array_equal(found, meant, err_msg=f"seed {seed}")
    assert reached >= limit  # the limit is used


def test_the_graphs_need_more_than_the_limits() -> None:
    unlimited = replace(SMALL, most_buffers=None)
    plans = [lower(outputs, p.strides(), unlimited)[0] for p, outputs in map(tangle, range(15))]
    assert max(map(most_buffers, plans)) > max(LIMITS)


@pytest.mark.parametrize("count", [9, 20])
@pytest.mark.parametrize("axis", [0, 1])
def test_many_arrays_are_put_together(count: int, axis: int) -> None:
    problem = Problem()
    parts = [problem.parameter(np.full((3, 4), number, np.int32)) for number in range(count)]
    outputs = [joining.concatenate(problem.graph, parts, axis), joining.stack(problem.graph, parts, axis)]
    plan, *_ = lower(outputs, problem.strides(), SMALL)
    assert most_buffers(plan) <= 8
    joined, stacked = run(Interpreter(), problem, outputs, SMALL)
    np.testing.assert_array_equal(joined, np.concatenate(problem.arrays, axis))
    np.testing.assert_array_equal(stacked, np.stack(problem.arrays, axis))


def test_a_split_has_its_reason() -> None:
    graph = Graph()
    parts = [graph.parameter(number, (4,), F32) for number in range(12)]
    total = parts[0]
    for part in parts[1:]:
        total = graph.make(ops.add, total, part)
    fusion = fuse(WritePlan((total,)), lambda _: False, Limits(most_buffers=8))
    reasons = [stage.reason for group in fusion.groups for stage in group.stages]
    assert reasons == ["the device gives a kernel 8 buffers", "it is an output"]
