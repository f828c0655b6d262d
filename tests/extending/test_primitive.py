"""A primitive elementwise op in one file: its meaning, decomposition, derivative and stack."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import jitframe as jf
from jitframe.api.calls import call
from jitframe.errors import BackendError
from jitframe.ir import ops
from jitframe.ir.derive import batch, vjp
from jitframe.ir.interpret import evaluate
from jitframe.ir.node import Graph, Node, Op
from jitframe.ir.ops.derivatives import filled
from jitframe.ir.types import F64
from jitframe.ir.verify import verify_graph


def _number(graph: Graph, like: Node, value: float) -> Node:
    made = graph.constant(value, like.dtype)
    return graph.make(ops.broadcast, made, attributes=(like.shape, ())) if like.shape else made


def _smooth(graph: Graph, inputs: tuple[Node, ...], _attributes: Any = ()) -> Node:
    """x * x * (3 - 2 * x)"""
    (x,) = inputs
    rest = graph.make(ops.sub, _number(graph, x, 3.0), graph.make(ops.mul, _number(graph, x, 2.0), x))
    return graph.make(ops.mul, graph.make(ops.mul, x, x), rest)


def _slope(graph: Graph, node: Node, cotangent: Node) -> tuple[Node, ...]:
    """6 * x * (1 - x)"""
    (x,) = node.inputs
    rest = graph.make(ops.sub, _number(graph, x, 1.0), x)
    slope = graph.make(ops.mul, graph.make(ops.mul, _number(graph, x, 6.0), x), rest)
    return (graph.make(ops.mul, cotangent, slope),)


SMOOTHSTEP = ops.register(
    Op(
        "smoothstep",
        "elementwise",
        lambda inputs, _attributes: (inputs[0].shape, inputs[0].dtype),
        lambda inputs, _attributes, node: inputs[0] * inputs[0] * (3 - 2 * inputs[0]),
        kinds=frozenset(("float",)),
        cost=4,
        decompose=_smooth,
        vjp=_slope,
        batch=lambda graph, node, inputs, size: graph.make(node.op, *inputs),
    )
)


def smoothstep(x: Any) -> Any:
    """The public function."""
    return call(lambda graph, x: graph.make(SMOOTHSTEP, x), (x,))


X = np.linspace(0, 1, 1000, dtype=np.float32).reshape(10, 100)
WANTED = X * X * (3 - 2 * X)


@pytest.mark.parametrize("device", ["cpu", "opencl", "webgpu"])
def test_it_runs_and_fuses_on_every_device(device: str) -> None:
    try:
        x = jf.asarray(X, device=device)
    except BackendError as missing:
        pytest.skip(str(missing))
    y = smoothstep(x) + 1
    np.testing.assert_allclose(y.numpy(), WANTED + 1, rtol=1e-6)
    assert len(jf.explain(smoothstep(x).sum(axis=1) + 1).kernels) == 1


def test_it_runs_in_jitted_functions() -> None:
    jitted = jf.jit(lambda x: smoothstep(x) * 2)
    np.testing.assert_allclose(jitted(X), WANTED * 2, rtol=1e-6)
    assert "smoothstep" in jitted.explain(X).graph or len(jitted.explain(X).kernels) == 1


def test_the_interpreter_the_verifier_and_the_transforms_know_it() -> None:
    graph = Graph()
    x = graph.parameter(0, (5,), F64)
    y = graph.make(SMOOTHSTEP, x)
    verify_graph([y], "traced")
    values = np.linspace(0.1, 0.9, 5)
    (slope,) = vjp(graph, [y], [x], [filled(graph, (5,), 1.0, F64)])
    given = {x: values}
    for node in graph._interned.values():
        if node.op.source == "scalar":
            given[node] = np.asarray(graph.scalar_values[node.attribute("index")])
    np.testing.assert_allclose(evaluate([slope], given)[0], 6 * values * (1 - values))
    stack = graph.parameter(1, (3, 5), F64)
    (stacked,) = batch(graph, [y], {x: stack}, 3)
    rows = np.random.default_rng(0).random((3, 5))
    np.testing.assert_allclose(evaluate([stacked], {stack: rows})[0], rows * rows * (3 - 2 * rows))


def test_a_name_is_taken_once() -> None:
    with pytest.raises(ValueError, match="there is an op 'smoothstep' already"):
        ops.register(SMOOTHSTEP)
