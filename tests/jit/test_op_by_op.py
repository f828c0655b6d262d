"""Graphs run op by op have the bits that their compiled kernels give, or are left to those."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jitframe.codegen.plan.bind import scalar_bits
from jitframe.codegen.plan.nodes import Free
from jitframe.compilation import evaluate
from jitframe.compilation.op_by_op import MOST_BYTES, op_by_op
from jitframe.ir import ops
from jitframe.ir.node import Graph, Node
from jitframe.ir.types import BOOL, BY_NAME, F16, F32, F64
from jitframe.runtime.cpu.kernels import operation_kernels as kernels
from tests.foundations.values import bits_of

SPECIAL = [
    0.0,
    -0.0,
    np.inf,
    -np.inf,
    np.nan,
    1.0,
    -1.0,
    0.5,
    1e-40,
    88.5,
    -745.0,
    1e30,
    3.25,
    -2.5,
    7.0,
    1e6,
]


@pytest.fixture(autouse=True, scope="module")
def _kernels() -> None:
    kernels.make_operation_kernels()
    kernels.operation_kernels.cache_clear()


def values(dtype: str, size: int, seed: int = 0) -> np.ndarray:
    random = np.random.default_rng(seed)
    if dtype == "bool":
        return random.integers(0, 2, size).astype(bool)
    if dtype.startswith("i"):
        return random.integers(-99, 100, size).astype(BY_NAME[dtype].numpy_name)
    found = random.standard_normal(size) * 3
    found[: len(SPECIAL)] = random.permutation(SPECIAL)[:size]
    return found.astype(BY_NAME[dtype].numpy_name)


def run(graph: Graph, outputs: list[Node], arrays: list[np.ndarray]) -> list[np.ndarray] | None:
    """The outputs op by op; None where that is refused."""
    made = op_by_op(outputs, len(arrays))
    if made is None:
        return None
    bits = [0] * len(graph.scalar_values)
    for index, dtype in evaluate.enumerate_scalars(outputs):
        bits[index] = scalar_bits(graph.scalar_values[index], dtype)
    buffers = made.run([array.ctypes.data for array in arrays], bits)
    return [
        buffer.into_ndarray(node.dtype.numpy_name, node.shape)
        for buffer, node in zip(buffers, outputs, strict=True)
    ]


def check(graph: Graph, outputs: list[Node], arrays: list[np.ndarray]) -> None:
    found = run(graph, outputs, arrays)
    assert found is not None
    for ours, compiled in zip(found, evaluate.compute(graph, outputs, arrays), strict=True):
        np.testing.assert_array_equal(bits_of(ours), bits_of(compiled))


@pytest.mark.parametrize("operation", kernels._names(), ids=lambda each: kernels.operation_name(*each))
def test_each_kernel_gives_the_bits_of_the_compiled_operation(operation: Any) -> None:
    op, inputs, output = operation
    for size in (1, 33, 40_001):
        graph = Graph()
        arrays = [values(dtype, size, seed) for seed, dtype in enumerate(inputs)]
        given = [graph.parameter(number, (size,), BY_NAME[dtype]) for number, dtype in enumerate(inputs)]
        if op == kernels.FILL:
            made = graph.make(ops.broadcast, graph.number(3, BY_NAME[output]), attributes=((size,), ()))
        elif op == kernels.SPREAD:
            arrays = [arrays[0][:1].reshape(())]
            given = [graph.parameter(0, (), BY_NAME[output])]
            made = graph.make(ops.broadcast, *given, attributes=((size,), ()))
        else:
            made = graph.make(ops.OPS[op], *given, attributes=(BY_NAME[output],) if op == "cast" else ())
        check(graph, [made], arrays)


@st.composite
def graphs(draw: Any) -> tuple[Graph, list[Node], list[np.ndarray]]:
    """Elementwise graphs over arrays of one shape, numbers among them."""
    shape = draw(st.sampled_from([(), (1,), (5,), (3, 7), (1200,), (2, 3, 4)]))
    graph, arrays = Graph(), []
    by_dtype: dict[str, list[Node]] = {}
    for number in range(draw(st.integers(1, 3))):
        dtype = draw(st.sampled_from(["f32", "f64", "i64", "bool"]))
        array = values(dtype, int(np.prod(shape)), draw(st.integers(0, 9)))
        arrays.append(array.reshape(shape))
        by_dtype.setdefault(dtype, []).append(graph.parameter(number, shape, BY_NAME[dtype]))
    made: list[Node] = []
    for _ in range(draw(st.integers(1, 12))):
        there = [each for each in kernels._names() if each[1] and set(each[1]) <= set(by_dtype)]
        op, inputs, output = draw(st.sampled_from([each for each in there if each[0] != kernels.SPREAD]))
        sources = []
        for dtype in inputs:
            if len(sources) == 1 and draw(st.booleans()):
                number = graph.number(draw(st.sampled_from([0, 1, 2, 3, -1, 5])), BY_NAME[dtype])
                sources.append(graph.make(ops.broadcast, number, attributes=(shape, ())) if shape else number)
            else:
                sources.append(draw(st.sampled_from(by_dtype[dtype])))
        node = graph.make(ops.OPS[op], *sources, attributes=(BY_NAME[output],) if op == "cast" else ())
        by_dtype.setdefault(output, []).append(node)
        made.append(node)
    kept = draw(st.lists(st.sampled_from(made), min_size=1, max_size=3, unique=True))
    return graph, kept, arrays


@settings(
    max_examples=150, derandomize=True, deadline=None, database=None, suppress_health_check=list(HealthCheck)
)
@given(graphs())
def test_graphs_give_the_bits_of_their_compiled_kernels(made: Any) -> None:
    check(*made)


def refused(*outputs: Node, inputs: int = 1) -> bool:
    return op_by_op(outputs, inputs) is None


def test_what_is_no_chain_of_operations_that_are_there_is_refused() -> None:
    graph = Graph()
    x, strided = graph.parameter(0, (8,), F32), graph.parameter(0, (8,), F32, "s")
    assert not refused(graph.make(ops.sin, x))
    assert refused(graph.make(ops.sin, strided))
    assert refused(graph.make(ops.sin, graph.parameter(0, (8,), F16)))
    assert refused(graph.make(ops.sin, graph.parameter(0, (0,), F32)))
    assert refused(graph.make(ops.lgamma, x))
    assert refused(graph.make(ops.reshape, graph.make(ops.sin, x), attributes=((2, 4),)))
    assert refused(x)
    assert refused(graph.make(ops.sin, x), x)
    double = graph.make(ops.sin, x)
    assert refused(double, double)


def test_numbers_that_numpy_folds_are_refused() -> None:
    graph = Graph()
    folded = graph.make(ops.sin, graph.constant(2.0, F64))
    assert refused(graph.make(ops.broadcast, folded, attributes=((4,), ())), inputs=0)
    read = graph.make(ops.sin, graph.scalar(0, F64))
    assert not refused(graph.make(ops.broadcast, read, attributes=((4,), ())), inputs=0)


def test_much_work_is_refused() -> None:
    graph = Graph()
    few, many = MOST_BYTES // 8, MOST_BYTES // 8 + 1
    assert not refused(graph.make(ops.neg, graph.parameter(0, (few,), F32)))
    assert refused(graph.make(ops.neg, graph.parameter(0, (many,), F32)))


def test_values_are_freed_once_nobody_reads_them() -> None:

    graph = Graph()
    x = graph.parameter(0, (8,), F32)
    once, other = graph.make(ops.sin, x), graph.make(ops.cos, x)
    total = graph.make(ops.add, once, other)
    from jitframe.compilation.op_by_op import _Writer

    writer = _Writer(kernels.operation_kernels() or {}, 1, (total, other))
    writer.write()
    assert [step.buffer for step in writer.steps if isinstance(step, Free)] == [writer.place[once]]


def test_without_kernels_everything_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = Graph()
    node = graph.make(ops.bitwise_not, graph.parameter(0, (3,), BOOL))
    assert not refused(node)
    monkeypatch.setattr("jitframe.compilation.op_by_op.operation_kernels", lambda: None)
    assert refused(node)
