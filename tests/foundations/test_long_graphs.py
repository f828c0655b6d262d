"""F8: graphs of thousands of nodes pass through every stage without recursion, in linear time."""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Iterator

import numpy as np
import pytest

import jitframe as jf
from jitframe.ir import ops
from jitframe.ir.node import Graph, topological
from jitframe.ir.parse import parse_graph
from jitframe.ir.structure import find_structure
from jitframe.ir.text import graph_text
from jitframe.ir.types import F64
from tests.foundations.programs import plan_of

LONG = 50_000


@pytest.fixture
def shallow() -> Iterator[None]:
    """A recursion limit that a recursion over nodes would reach at once."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(600)
    yield
    sys.setrecursionlimit(before)


def test_a_chain_of_nodes_hashes_prints_parses_and_frees(shallow):
    graph = Graph()
    x = graph.parameter(0, (7,), F64)
    node = x
    for step in range(LONG // 2):
        node = graph.make(ops.add, graph.make(ops.sqrt, node), x)
        if step % 2:
            node = graph.make(ops.mul, node, x)
    assert len(topological([node])) > LONG
    assert find_structure([node]).key == find_structure([node]).key
    assert isinstance(hash(find_structure([node]).key), int)
    assert isinstance(repr(node), str)
    text = graph_text([node])
    assert text.count("\n") >= LONG
    assert graph_text(parse_graph(text)) == text
    del graph, node, x
    gc.collect()


def test_a_lazy_chain_evaluates_itself_on_the_way(shallow):
    start = jf.asarray(np.zeros(5))
    value = start
    for _ in range(LONG):
        value = value + 1
    np.testing.assert_array_equal(value.numpy(), np.full(5, float(LONG)))


def test_a_lazy_chain_that_is_dropped_unevaluated(shallow):
    value = jf.asarray(np.zeros(5))
    for _ in range(LONG):
        value = value * 1.5 + 1
    del value
    gc.collect()


def program(x):
    """2000 operations on one array."""
    y = x
    for step in range(500):
        y = y * 0.999 + x
        y = np.abs(y - step)
    return y


def test_a_function_of_thousands_of_operations_compiles_in_seconds(shallow):
    jitted = jf.jit(program)
    x = np.linspace(0, 1, 101)
    begin = time.process_time()
    found = jitted(x)
    seconds = time.process_time() - begin
    np.testing.assert_array_equal(found, program(x))
    assert seconds < 3, f"{seconds:.1f} s of processor time"


def mixed_program(x):
    """2000 operations: costly functions, sums along rows, and values that loops carry on."""
    y = x
    for step in range(180):
        y = np.exp(-y * y) + x * (0.5 + step)
        y = np.where(y > x, np.sin(y), x)
        y = y - y.mean(axis=1, keepdims=True)
    return y


def test_kernels_of_thousands_of_mixed_operations_are_found_in_seconds(shallow):
    jitted = jf.jit(mixed_program)
    x = np.linspace(0, 1, 60).reshape(6, 10)
    begin = time.process_time()
    found = jitted(x)
    seconds = time.process_time() - begin
    np.testing.assert_allclose(found, mixed_program(x), rtol=1e-6, atol=1e-9)
    assert seconds < 6, f"{seconds:.1f} s of processor time"


def test_many_results_of_many_operations(shallow):
    @jf.jit
    def rows(x):
        results = []
        for step in range(60):
            x = np.sqrt(x * x + step)
            results.append(x.sum())
        return tuple(results)

    x = np.linspace(0, 1, 101)
    np.testing.assert_allclose(rows(x), rows.__wrapped__(x), rtol=1e-13)
    assert len(plan_of(rows, x).outputs) == 60


def test_a_deep_graph_of_updates(shallow):
    @jf.jit
    def fill(n):
        y = np.zeros(300)
        for k in range(300):
            y[k] = k * n
        return y

    np.testing.assert_array_equal(fill(3.0), np.arange(300) * 3.0)
