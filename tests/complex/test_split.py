"""The pass that makes pairs of reals of complex numbers: what it leaves, and that it keeps the meaning."""

from __future__ import annotations

import warnings

import numpy as np

from jitframe.codegen.kernel.ops import KERNEL_OPS
from jitframe.ir import ops
from jitframe.ir.interpret import evaluate
from jitframe.ir.node import Graph, Node, Region, topological
from jitframe.ir.passes.split_complex import split_complex
from jitframe.ir.types import BY_NUMPY_NAME, C64, C128, F64, I64
from jitframe.ir.verify import verify_graph
from tests.complex.compared import drawn

ELEMENTWISE = [
    op
    for op in ops.OPS.values()
    if op.family == "elementwise"
    and "region" not in op.attribute_names
    and "complex" in op.kinds
    and op not in (ops.pair, ops.cast, ops.select, ops.checked)
]


def parameters(graph: Graph, *arrays: np.ndarray) -> list[Node]:
    return [graph.parameter(k, x.shape, BY_NUMPY_NAME[x.dtype.name]) for k, x in enumerate(arrays)]


def check(graph: Graph, outputs: list[Node], arrays: list[np.ndarray]) -> None:
    """Before and after the pass the interpreter gives the same, and nothing complex is left."""
    verify_graph(outputs)
    wanted = evaluate(outputs, dict(zip(parameters(graph, *arrays), arrays, strict=True)))
    made = split_complex(graph, outputs)
    verify_graph(made, "split_complex")
    order = topological(made)
    assert not any(node.dtype.is_complex for node in order)
    reals = [x[..., None].view(x.real.dtype) if x.dtype.kind == "c" else x for x in arrays]
    given = {node: reals[node.attribute("index")] for node in order if node.op.source == "array"}
    for found, expected in zip(evaluate(made, given), wanted, strict=True):
        shown = found[..., 0] + 1j * found[..., 1] if expected.dtype.kind == "c" else found
        np.testing.assert_allclose(shown, expected, rtol=1e-13, atol=1e-13)


def test_every_elementwise_op() -> None:
    x, y = drawn("complex128", 4, 5) / 3 + 0.1, drawn("complex128", 4, 5, seed=1) / 3 + 0.2j
    assert len(ELEMENTWISE) > 30
    for op in ELEMENTWISE:
        graph = Graph()
        nodes = parameters(graph, x, y)
        count = 1 if op.instruction is None else KERNEL_OPS[op.instruction].arity or 0
        check(graph, [graph.make(op, *nodes[:count])], [x, y])


def test_numbers_that_loops_carry_are_two_numbers() -> None:
    """And a function of elements has its parts as operands and results."""
    graph, body, inner = Graph(), Graph(), Graph()
    (z,) = parameters(graph, np.zeros(3, complex))
    index, carried, given = (
        body.parameter(0, (), I64), body.parameter(1, (), C128), body.parameter(2, (), C128),
    )  # fmt: skip
    squared = body.make(ops.add, body.make(ops.mul, carried, carried), given)
    own = inner.parameter(0, (), C128)
    bounds = inner.constant(0, I64), inner.constant(3, I64)
    loop = inner.make(
        ops.loop, *bounds, own, own, attributes=(Region(body, (index, carried, given), (squared,)),)
    )
    made = Region(inner, (own,), (inner.make(ops.item, loop, attributes=(0,)),))
    outputs = [graph.make(ops.apply, z, attributes=(made, 0))]
    check(graph, outputs, [np.array([0.1 + 0.2j, -0.5j, 1.0])])
    split = split_complex(graph, outputs)
    functions = [node for node in topological(split) if node.op is ops.apply]
    assert [node.attribute("position") for node in functions] == [0, 1]
    (region,) = {node.attribute("region") for node in functions}
    assert len(functions[0].inputs) == 2 and not any(node.shape for node in topological(region.results))


def test_a_graph_of_reals_stays_itself() -> None:
    graph = Graph()
    (x,) = parameters(graph, np.arange(3.0))
    outputs = (graph.make(ops.add, x, x),)
    assert split_complex(graph, outputs) == outputs


def test_layouts() -> None:
    """Contiguous memory stays so; the elements of another axis lie two reals apart."""
    for layout, wanted in (
        ("m1", "mm1"),
        ("1s", "2s1"),
        ("ms", "ms1"),
        ("0", "01"),
        ("", "1"),
        ("s1", "sm1"),
    ):
        graph = Graph()
        x = graph.parameter(0, (3,) * len(layout), C64, layout)
        (made,) = split_complex(graph, (x,))
        assert made.attribute("layout") == wanted
        assert made.shape == (*x.shape, 2)


def test_memory_that_is_read_is_not_written_anew() -> None:
    graph = Graph()
    x, y = parameters(graph, drawn("complex128", 4), drawn("complex128", 2))
    written = graph.make(ops.update, x, y, attributes=((1,), (1,)))
    (made,) = split_complex(graph, (written,))
    assert sum(node.op is ops.update for node in topological((made,))) == 1
    assert not any(node.op is ops.undefined for node in topological((made,)))


def test_what_is_only_moved_is_moved_as_reals_are() -> None:
    graph = Graph()
    (x,) = parameters(graph, drawn("complex128", 3, 4))
    moved = graph.make(ops.permute, x, attributes=((1, 0),))
    moved = graph.make(ops.slice_, moved, attributes=((3, 0), (-1, 2), (4, 2)))
    moved = graph.make(ops.reshape, moved, attributes=((2, 2, 2),))
    (made,) = split_complex(graph, (graph.make(ops.copy, moved),))
    assert [node.op.name for node in topological((made,))] == [
        "parameter", "permute", "slice", "reshape", "copy",
    ]  # fmt: skip
    check(graph, [moved], [drawn("complex128", 3, 4)])


def test_casts_and_choices() -> None:
    graph = Graph()
    arrays = [drawn("complex64", 6), np.arange(6.0), np.arange(6) % 2 == 0]
    z, x, c = parameters(graph, *arrays)
    wide = graph.make(ops.cast, z, attributes=(C128,))
    real = graph.make(ops.cast, x, attributes=(C128,))
    outputs = [
        wide, real, graph.make(ops.select, c, wide, real), graph.make(ops.cast, wide, attributes=(F64,)),
        graph.make(ops.as_real, wide, attributes=((6, 2),)),
    ]  # fmt: skip
    with warnings.catch_warnings(action="ignore"):
        check(graph, outputs, arrays)
