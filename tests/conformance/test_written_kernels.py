"""Kernels that somebody wrote, as nodes of the graph, on every device."""

from __future__ import annotations

import numpy as np
import pytest

from jitframe.backends.kernels.custom import GraphKernel
from jitframe.functions import elementwise
from jitframe.ir import ops
from jitframe.ir.node import Graph, Node
from tests.backends.written import axpy, group_sums
from tests.conformance.check import Case, outcomes
from tests.conformance.devices import Target


def scaled_and_added(graph: Graph, x: Node, y: Node) -> Node:
    """max(x) * (x + 1) + y, the factor computed."""
    (size,) = x.shape
    factor = graph.make(ops.reduce, x, attributes=("max", (0,)))
    operands = elementwise.add(graph, x, 1), y, factor
    attributes = GraphKernel(axpy()), ((size,),), (-(-size // 64), size)
    made = graph.make(ops.custom, *operands, attributes=attributes)
    return graph.make(ops.item, made, attributes=(0,))


def summed_by_workgroups(graph: Graph, x: Node) -> Node:
    (size,) = x.shape
    groups = -(-size // 32)
    attributes = GraphKernel(group_sums()), ((groups,),), (groups, size)
    made = graph.make(ops.custom, x, attributes=attributes)
    return elementwise.multiply(graph, graph.make(ops.item, made, attributes=(0,)), 2)


@pytest.mark.parametrize("size", [1, 64, 100])
def test_written_kernels(target: Target, size: int) -> None:
    random = np.random.default_rng(size)
    x, y = random.normal(size=(2, size)).astype(np.float32)
    case = Case("custom", lambda graph, given: scaled_and_added(graph, *given))
    (found,) = outcomes(target, [case], (x, y))
    assert not found.refusal and found.ours is not None
    np.testing.assert_allclose(found.ours, found.theirs, rtol=1e-6)
    numbers = random.integers(-99, 99, size).astype(np.int32)
    case = Case("custom", lambda graph, given: summed_by_workgroups(graph, *given))
    (found,) = outcomes(target, [case], (numbers,))
    assert not found.refusal and found.ours is not None
    np.testing.assert_array_equal(found.ours, found.theirs)
