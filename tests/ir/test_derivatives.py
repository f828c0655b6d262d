"""`vjp` of every op against finite differences in float64, and `batch` of every op against a loop."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from jitframe.codegen.kernel.ops import KERNEL_OPS
from jitframe.ir import ops
from jitframe.ir.derive import batch, vjp
from jitframe.ir.interpret import evaluate
from jitframe.ir.node import Graph, Node, Op, Region
from jitframe.ir.ops import batching, derivatives
from jitframe.ir.types import BY_NUMPY_NAME, F64, I64

assert batching  # which gives the ops their rules

DOMAINS = {
    "sqrt": (0.1, 4), "log": (0.1, 4), "log2": (0.1, 4), "log10": (0.1, 4), "log1p": (-0.9, 4),
    "asin": (-0.9, 0.9), "acos": (-0.9, 0.9), "atanh": (-0.9, 0.9), "acosh": (1.1, 4), "pow": (0.2, 3),
    "cbrt": (0.2, 3), "fmod": (0.3, 3),
}  # fmt: skip
WITHOUT_VJP = {
    "lgamma": "needs the digamma function",
    "tgamma": "needs the digamma function",
    "apply": "needs the derivatives of loops and conditions",
    **dict.fromkeys(("pair", "real", "imag", "conj", "as_real", "as_complex"), "is of complex numbers"),
}
# Products with packed matrices, and writes to rows of windows, are made when all derivatives are.
CONTROL = {name for name, op in ops.OPS.items() if op.family in ("leaf", "control", "item") or op.in_panels}
CONTROL.add("window_scatter")

Build = Callable[..., Node]


def check(build: Build, *arrays: np.ndarray, constant: Sequence[int] = ()) -> None:
    """The cotangents of a graph against central differences along every element of its float64 inputs."""
    graph = Graph()
    nodes = [graph.parameter(k, x.shape, BY_NUMPY_NAME[x.dtype.name]) for k, x in enumerate(arrays)]
    output = build(graph, *nodes)
    weights = np.random.default_rng(1).standard_normal(output.shape)
    cotangent = graph.parameter(len(arrays), output.shape, output.dtype)
    wanted = [node for k, node in enumerate(nodes) if node.dtype is F64 and k not in constant]
    found = vjp(graph, [output], wanted, [cotangent])

    def run(outputs: Sequence[Node], values: Sequence[np.ndarray]) -> list[np.ndarray]:
        given: dict[Node, Any] = dict(zip((*nodes, cotangent), (*values, weights), strict=True))
        for node in graph._interned.values():
            if node.op.source == "scalar":
                value = graph.scalar_values[node.attribute("index")]
                given[node] = np.asarray(value, node.dtype.numpy_name)
        return evaluate(outputs, given)

    slopes = run(found, arrays)
    step = 1e-6
    for node, slope in zip(wanted, slopes, strict=True):
        place = nodes.index(node)
        assert slope.shape == node.shape
        for at in np.ndindex(node.shape):
            moved = []
            for sign in (1, -1):
                values = [array.copy() for array in arrays]
                values[place][at] += sign * step
                moved.append(float((run([output], values)[0] * weights).sum()))
            assert slope[at] == pytest.approx((moved[0] - moved[1]) / (2 * step), rel=1e-5, abs=1e-6), at


def values(*shape: int, low: float = -2.0, high: float = 2.0, seed: int = 0) -> np.ndarray:
    """No two of them equal."""
    return np.random.default_rng(seed).uniform(low, high, shape)


SMOOTH = [
    op
    for op in ops.OPS.values()
    if op.family == "elementwise"
    and "float" in op.kinds
    and op not in (ops.cast, ops.bitcast, ops.select)
    and op.name not in WITHOUT_VJP
    and op.infer is not ops.lt.infer
    and op.fault is None
]


def operands(op: Op) -> int:
    return 1 if op.instruction is None else KERNEL_OPS[op.instruction].arity or 0


@pytest.mark.parametrize("op", SMOOTH, ids=lambda op: op.name)
def test_elementwise(op: Op) -> None:
    low, high = DOMAINS.get(op.name, (-2.0, 2.0))
    arrays = [values(7, low=low, high=high, seed=seed) for seed in range(operands(op))]
    check(lambda graph, *nodes: graph.make(op, *nodes), *arrays)


def test_select_and_casts() -> None:
    flag = np.array([True, False, True])
    check(lambda graph, c, x, y: graph.make(ops.select, c, x, y), flag, values(3), values(3, seed=1))

    check(
        lambda graph, x, bad: graph.make(ops.checked, x, bad, attributes=("linear algebra", "", 0)),
        values(3),
        flag & False,
    )

    def there_and_back(graph: Graph, x: Node) -> Node:
        narrow = graph.make(ops.cast, x, attributes=(BY_NUMPY_NAME["float32"],))
        return graph.make(ops.mul, graph.make(ops.cast, narrow, attributes=(F64,)), x)

    graph = Graph()
    x = graph.parameter(0, (2,), F64)
    (slope,) = vjp(graph, [there_and_back(graph, x)], [x], [derivatives.filled(graph, (2,), 1.0, F64)])
    np.testing.assert_allclose(evaluate([slope], {x: np.array([1.0, 3.0])})[0], [2.0, 6.0])


ONE_INPUT: dict[str, tuple[tuple[int, ...], Op, tuple[Any, ...]]] = {
    "reshape": ((2, 3), ops.reshape, ((3, 2),)),
    "permute": ((2, 3, 4), ops.permute, ((2, 0, 1),)),
    "broadcast": ((3,), ops.broadcast, ((2, 3, 4), (1,))),
    "slice": ((6, 5), ops.slice_, ((5, 1), (-2, 3), (3, 2))),
    "wrap": ((5, 3), ops.wrap, ((3, 0), (6, 3))),
    "wrapped all": ((4, 3), ops.wrap, ((0, 1), (8, 4))),
    "window": ((7, 2), ops.window, ((4, 3, 2), ((0, 1), (2,)))),
    "diagonal": ((3, 3), ops.window, ((3,), ((0,), (0,)))),
    "sum": ((2, 3, 4), ops.reduce, ("sum", (0, 2))),
    "prod": ((2, 3, 2), ops.reduce, ("prod", (0, 2))),
    "max": ((3, 4), ops.reduce, ("max", (1,))),
    "min": ((3, 4), ops.reduce, ("min", (0, 1))),
    "scan": ((3, 4), ops.scan, ("sum", 0)),
}  # fmt: skip


@pytest.mark.parametrize("name", list(ONE_INPUT))
def test_movement_and_reductions(name: str) -> None:
    shape, op, attributes = ONE_INPUT[name]
    check(lambda graph, x: graph.make(op, x, attributes=attributes), values(*shape))


def test_a_product_with_zeros_in_it() -> None:
    array = values(2, 4)
    array[0, 1] = array[1, 2] = array[1, 3] = 0.0
    check(lambda graph, x: graph.make(ops.reduce, x, attributes=("prod", (1,))), array)


def test_equal_largest_elements_share() -> None:
    graph = Graph()
    x = graph.parameter(0, (3,), F64)
    largest = graph.make(ops.reduce, x, attributes=("max", (0,)))
    (slope,) = vjp(graph, [largest], [x], [graph.constant(1.0, F64)])
    np.testing.assert_array_equal(evaluate([slope], {x: np.array([2.0, 1.0, 2.0])})[0], [0.5, 0.0, 0.5])


INDEX = np.array([2, 0, -1, 2])
SEVERAL: dict[str, tuple[Build, tuple[np.ndarray, ...]]] = {
    "update": (
        lambda graph, x, y: graph.make(ops.update, x, y, attributes=((1, 3), (2, -1))),
        (values(5, 4), values(2, 3, seed=1)),
    ),
    "dot": (lambda graph, x, y: graph.make(ops.dot, x, y), (values(2, 3, 4), values(2, 4, 2, seed=1))),
    "image_dot": (lambda graph, x, y: graph.make(ops.image_dot, x, y), (values(3, 4), values(4, 2, seed=1))),
    "small_dot": (lambda graph, x, y: graph.make(ops.small_dot, x, y), (values(3, 4), values(4, 2, seed=1))),
    "packed_dot": (
        lambda graph, x, y: graph.make(ops.packed_dot, x, y, attributes=(2, 1, (2, 6, 3))),
        (values(2, 2, 3, 2, 2), values(2, 4, 3, seed=1)),
    ),
    "window_dot": (
        lambda graph, x, y: graph.make(ops.window_dot, x, y, attributes=(2, 1, (2, 6, 3))),
        (values(2, 2, 3, 2, 2), values(2, 4, 3, seed=1)),
    ),
    "gather": (
        lambda graph, x, i: graph.make(ops.gather, x, i, attributes=((1,), 1, (False,), (1,), 0)),
        (values(2, 3, 2), INDEX),
    ),
}


@pytest.mark.parametrize("name", list(SEVERAL))
def test_several_inputs(name: str) -> None:
    build, arrays = SEVERAL[name]
    check(build, *arrays)


def test_a_value_that_is_used_twice_and_one_that_is_not_used() -> None:
    def build(graph: Graph, x: Node, y: Node, z: Node) -> Node:
        both = graph.make(ops.mul, x, y)
        return graph.make(ops.add, graph.make(ops.sin, both), graph.make(ops.mul, both, x))

    check(build, values(4), values(4, seed=1), values(4, seed=2))


def test_every_op_has_rules_or_a_reason() -> None:
    without = {name for name, op in ops.OPS.items() if op.vjp is None} - CONTROL
    assert without == {*WITHOUT_VJP, "scatter"}
    assert {name for name, op in ops.OPS.items() if op.batch is None} - CONTROL == {"iota", "undefined"}


def test_complex_numbers_have_no_derivative_yet() -> None:
    graph = Graph()
    x = graph.parameter(0, (2,), F64)
    size = graph.make(ops.abs, graph.make(ops.pair, x, x))
    with pytest.raises(NotImplementedError, match="abs of complex numbers has no derivative yet"):
        vjp(graph, [size], [x], [derivatives.filled(graph, (2,), 1.0, F64)])


# Stacks ---------------------------------------------------------------------------------------------------
def check_stack(build: Build, *arrays: np.ndarray) -> None:
    """Every choice of inputs that are stacked, against one element of the stack after another."""
    size = 3
    for stacked in range(1, 1 << len(arrays)):
        graph = Graph()
        nodes = [graph.parameter(k, x.shape, BY_NUMPY_NAME[x.dtype.name]) for k, x in enumerate(arrays)]
        output = build(graph, *nodes)
        wide, given, stacks = {}, {}, {}
        for number, (node, array) in enumerate(zip(nodes, arrays, strict=True)):
            if stacked >> number & 1:
                wide[node] = graph.parameter(10 + number, (size, *node.shape), node.dtype)
                stacks[node] = np.stack([np.roll(array, shift, -1) for shift in range(size)])
                given[wide[node]] = stacks[node]
            else:
                given[node] = array
        (made,) = batch(graph, [output], wide, size)
        found = evaluate([made], given)[0]
        for each in range(size):
            one = {node: stacks[node][each] if node in stacks else given[node] for node in nodes}
            np.testing.assert_array_equal(found[each], evaluate([output], one)[0])


@pytest.mark.parametrize("name", list(ONE_INPUT))
def test_stacks_of_movement_and_reductions(name: str) -> None:
    shape, op, attributes = ONE_INPUT[name]
    check_stack(lambda graph, x: graph.make(op, x, attributes=attributes), values(*shape))


@pytest.mark.parametrize("name", list(SEVERAL))
def test_stacks_of_several_inputs(name: str) -> None:
    build, arrays = SEVERAL[name]
    check_stack(build, *arrays)


def test_stacks_of_other_ops() -> None:
    flag = np.array([True, False, True])
    check_stack(lambda graph, c, x, y: graph.make(ops.select, c, x, y), flag, values(3), values(3, seed=1))
    check_stack(lambda graph, x, y: graph.make(ops.atan2, x, y), values(4), values(4, seed=1))
    whole = np.arange(12).reshape(3, 4) % 5
    check_stack(lambda graph, x: graph.make(ops.find, x, attributes=("argmax", (0, 1), I64)), whole)
    attributes = ((1,), 0, "add", (False,), (1,), False, 0)
    check_stack(
        lambda graph, base, x, i: graph.make(ops.scatter, base, x, i, attributes=attributes),
        values(2, 3), values(4, 2, seed=1), INDEX,
    )  # fmt: skip


def attended(masked: bool, causal: bool) -> tuple[Build, list[np.ndarray]]:
    """Attention of two heads of keys with two heads of queries each; a mask of bools hides all of a query."""
    mask = values(5, 6, seed=3)
    flags = mask > 0
    flags[1] = False
    arrays = [values(1, 2, 2, 5, 3), values(1, 2, 6, 3, seed=1), values(1, 2, 6, 4, seed=2), np.array(0.7)]
    arrays += [np.array(2), np.array(4)] if causal else []
    arrays += [flags if causal else mask] if masked else []

    def build(graph: Graph, *nodes: Node) -> Node:
        given = list(nodes)
        if masked:
            shape = (*nodes[0].shape[:4], nodes[1].shape[2])
            given[-1] = graph.make(ops.broadcast, given[-1], attributes=(shape, (3, 4)))
        made = graph.make(ops.attention, *given, attributes=(causal, masked))
        return graph.make(ops.item, made, attributes=(0,))

    return build, arrays


@pytest.mark.parametrize("masked", [False, True])
@pytest.mark.parametrize("causal", [False, True])
def test_attention(masked: bool, causal: bool) -> None:
    """Its derivatives, and in stacks of each operand alone and of all."""
    build, arrays = attended(masked, causal)
    check(build, *arrays)
    choices = [{number} for number in range(len(arrays))]
    for stacked in (*choices, set(range(len(arrays)))):
        graph = Graph()
        nodes = [graph.parameter(k, x.shape, BY_NUMPY_NAME[x.dtype.name]) for k, x in enumerate(arrays)]
        output = build(graph, *nodes)
        wide, given, stacks = {}, {}, {}
        for number, (node, array) in enumerate(zip(nodes, arrays, strict=True)):
            if number in stacked:
                wide[node] = graph.parameter(10 + number, (2, *node.shape), node.dtype)
                given[wide[node]] = stacks[node] = np.stack(
                    [array, array[..., ::-1] if array.ndim else array + 1]
                )
            else:
                given[node] = array
        (made,) = batch(graph, [output], wide, 2)
        found = evaluate([made], given)[0]
        for each in range(2):
            one = {node: stacks[node][each] if node in stacks else given[node] for node in nodes}
            np.testing.assert_allclose(found[each], evaluate([output], one)[0], rtol=1e-12)


def test_a_loop_has_no_derivative() -> None:
    graph = Graph()
    x, zero = graph.parameter(0, (), F64), graph.constant(0, I64)
    body = Graph(graph)
    index, carried = body.parameter(0, (), I64), body.parameter(1, (), F64)
    region = Region(body, (index, carried), (body.make(ops.mul, carried, carried),))
    made = graph.make(ops.loop, zero, graph.constant(3, I64), x, attributes=(region,))
    with pytest.raises(NotImplementedError, match="loop has no derivative"):
        vjp(graph, [graph.make(ops.item, made, attributes=(0,))], [x], [graph.constant(1.0, F64)])


def test_what_does_not_depend_on_a_stack_is_repeated() -> None:
    graph = Graph()
    x, y = graph.parameter(0, (2,), F64), graph.parameter(1, (2,), F64)
    (made,) = batch(graph, [graph.make(ops.sin, y)], {x: graph.parameter(2, (3, 2), F64)}, 3)
    assert made.shape == (3, 2)
    assert math.isclose(evaluate([made], {y: np.array([0.0, 1.0])})[0][2, 1], math.sin(1.0))
