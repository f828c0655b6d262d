"""The verifier: what real graphs pass, and what each broken rule says."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from jitframe.ir import ops
from jitframe.ir.node import Graph, Node, Op, Region
from jitframe.ir.passes import PASSES, run_passes
from jitframe.ir.symbolize import symbolize
from jitframe.ir.types import BOOL, F32, F64, I32, I64, INDEX, DType
from jitframe.ir.verify import verify_graph
from tests.lower.random_graphs import Maker

from .graphs import loop_program


def test_real_graphs_pass() -> None:
    for seed in range(300):
        verify_graph(Maker(seed).make().outputs)
    verify_graph(loop_program(Graph()))


def test_every_pass_leaves_a_graph_that_passes() -> None:
    seen = set()

    def look(nodes: Sequence[Node], name: str) -> None:
        seen.add(name)
        verify_graph(nodes, name)

    for seed in range(200):
        _, symbolic = symbolize(Maker(seed).make().outputs)
        run_passes(symbolic, lambda _: True, look)
    assert seen == {each.name for each in PASSES}


@pytest.mark.parametrize("dtype", [BOOL, F32])
def test_attention_ends_in_a_mask_or_in_positions(dtype: DType) -> None:
    graph = Graph()
    q = graph.parameter(0, (1, 1, 1, 4, 8), F32)
    keys, values = (graph.parameter(n, (1, 1, 5, 8), F32) for n in (1, 2))
    scale, first, width = graph.scalar(0, F32), graph.scalar(1, I64), graph.scalar(2, I64)
    mask = graph.parameter(3, (1, 1, 1, 4, 5), dtype)
    masked = graph.make(ops.attention, q, keys, values, scale, mask, attributes=(False, True))
    causal = graph.make(ops.attention, q, keys, values, scale, first, width, attributes=(True, False))
    verify_graph([masked, causal])


def broken(node: Node) -> str:
    with pytest.raises(AssertionError) as raised:
        verify_graph([node], "testing")
    return str(raised.value).splitlines()[0]


def raw(op: Op, *inputs: Node, attributes: tuple = (), shape: tuple = (3,), dtype: object = F32) -> Node:
    return Node(op, inputs, attributes, shape, dtype)  # type: ignore[arg-type]


def test_broken_rules_are_named() -> None:
    graph = Graph()
    x, y = graph.parameter(0, (3,), F32), graph.parameter(1, (4,), F32)
    whole = graph.parameter(2, (3,), I64)
    assert broken(raw(ops.add, x, x, shape=(4,))) == "after testing: add gives f32[3], but the node is f32[4]"
    assert broken(raw(ops.add, x, x, dtype=F64)) == "after testing: add gives f32[3], but the node is f64[3]"
    assert broken(raw(ops.add, x, y)).startswith("after testing: add does not take these: ")
    assert broken(raw(ops.sqrt, whole, dtype=I64)) == "after testing: sqrt of i64"
    assert broken(raw(ops.neg, x, attributes=(1,))) == "after testing: neg has 1 attributes, not none"
    position = raw(ops.cast, x, attributes=(INDEX,), dtype=INDEX)
    assert broken(position) == "after testing: no value of a graph is index"
    unknown = Op("wurst", "elementwise", ops.neg.infer, ops.neg.reference)
    assert broken(raw(unknown, x)) == "after testing: wurst is no op"
    region = Region(graph, (x,), (x,))
    assert broken(raw(ops.cast, x, attributes=(region,))) == "after testing: cast has no regions"
    assert broken(raw(ops.loop, x, attributes=(1,))) == "after testing: loop starts with no region"
    twice = raw(x.op, attributes=(0, (3,), I32, "1"), dtype=I32)
    assert broken(raw(ops.select, raw(ops.ne, twice, twice, dtype=graph.make(ops.ne, x, x).dtype), x, x)) == (
        "after testing: parameter 0 is also i32[3]"
    )


def test_a_region_reads_its_own_parameters_only() -> None:
    graph = Graph()
    x = graph.parameter(0, (3,), F32)
    body = Graph(graph)
    index, carried = body.parameter(0, (), I64), body.parameter(1, (3,), F32)
    result = body.make(ops.add, carried, body.parameter(7, (3,), F32))
    bounds = graph.constant(0, I64), graph.constant(2, I64)
    loop = graph.make(ops.loop, *bounds, x, attributes=(Region(body, (index, carried), (result,)),))
    assert broken(graph.make(ops.item, loop, attributes=(0,))) == (
        "after testing: a region reads f32[3], which is no parameter of it"
    )


def test_the_graph_is_printed_with_the_line_marked() -> None:
    graph = Graph()
    x = graph.parameter(0, (3,), F32)
    with pytest.raises(AssertionError, match=r"(?s)graph\n.*->   3 \|   %1: f32\[4\] = neg %0\n"):
        verify_graph([raw(ops.neg, x, shape=(4,))])
