"""Graphs as text: what is printed is parsed back to the same nodes, and equal graphs print equal texts."""

from __future__ import annotations

import gc
import math
import struct
import sys
import weakref

import pytest

from jitframe.ir import ops
from jitframe.ir.node import Graph, Node
from jitframe.ir.parse import GraphSyntaxError, parse_graph
from jitframe.ir.structure import find_structure
from jitframe.ir.symbolize import symbolize
from jitframe.ir.text import graph_text, marked_graph
from jitframe.ir.types import BOOL, F32, F64, I64
from tests.lower.random_graphs import Maker

from .graphs import chain, counting_region, loop_program

LOOP_TEXT = """\
graph
  %0: i64[] = constant value=0
  %1: i64[] = scalar index=0
  %2: f32[3] = parameter index=0, layout='1'
  %3: f32[3] = parameter index=1, layout='1'
  %4: bool[] = loop %0, %1, %2, %3
    region of 3:
      %0: i64[] = parameter index=0, layout=''
      %1: f32[3] = parameter index=1, layout='1'
      %2: f32[3] = parameter index=2, layout='1'
      %3: f32[] = cast %0
      %4: f32[3] = broadcast %3, axes=[]
      %5: f32[3] = mul %2, %4
      %6: f32[3] = add %1, %5
      yield %6, %1
  %5: f32[3] = item %4, position=0
  %6: f32[3] = item %4, position=1
  %7: bool[] = loop %0, %1, %2
    region of 2:
      %0: i64[] = parameter index=0, layout=''
      %1: f32[3] = parameter index=1, layout='1'
      %2: i64[] = constant value=2
      %3: bool[] = lt %0, %2
      %4: bool[] = cond %3, %1
        region of 1:
          %0: f32[3] = parameter index=0, layout='1'
          %1: f32[3] = add %0, %0
          yield %1
        region of 1:
          %0: f32[3] = parameter index=0, layout='1'
          yield %0
      %5: f32[3] = item %4, position=0
      yield %5
  %8: f32[3] = item %7, position=0
  return %5, %6, %8
"""


def test_regions_print_and_parse_back_to_the_same_nodes() -> None:
    graph = Graph()
    outputs = loop_program(graph)
    assert graph_text(outputs) == LOOP_TEXT
    assert parse_graph(LOOP_TEXT, graph) == outputs
    assert graph_text(parse_graph(LOOP_TEXT)) == LOOP_TEXT


@pytest.mark.parametrize("start", range(0, 400, 100))
def test_random_graphs_parse_back(start: int) -> None:
    for seed in range(start, start + 100):
        made = Maker(seed).make()
        outputs = tuple(made.outputs)
        assert parse_graph(graph_text(outputs), made.graph) == outputs, seed
        _, symbolic = symbolize(outputs)
        text = graph_text(symbolic)
        parsed = parse_graph(text)
        assert graph_text(parsed) == text, seed
        assert all(x.shape == y.shape for x, y in zip(parsed, symbolic, strict=True)), seed


def test_text_does_not_depend_on_the_order_of_making() -> None:
    def program(first: bool) -> Node:
        graph = Graph()
        if not first:
            graph.parameter(1, (4,), F32)
        x, y = graph.parameter(0, (4,), F32), graph.parameter(1, (4,), F32)
        return graph.make(ops.mul, graph.make(ops.sin, x), y)

    assert graph_text([program(True)]) == graph_text([program(False)])


NUMBERS = [
    (0.0, F64), (-0.0, F64), (math.inf, F64), (-math.inf, F32), (math.nan, F64), (-math.nan, F64), (0.1, F32),
    (5e-324, F64), (1.7976931348623157e308, F64), (True, BOOL), (1, I64), (1.0, F64), (-(2**63), I64),
    (2**63 - 1, I64), (struct.unpack("<d", struct.pack("<Q", 0x7FF8000000000123))[0], F64),
]  # fmt: skip


@pytest.mark.parametrize(("value", "dtype"), NUMBERS)
def test_constants_keep_their_bits(value: float, dtype: object) -> None:
    graph = Graph()
    node = graph.constant(value, dtype)  # type: ignore[arg-type]
    assert parse_graph(graph_text([node]), graph) == (node,)


def test_constants_are_told_apart_by_dtype_and_bits() -> None:
    graph = Graph()
    nodes = [graph.constant(value, dtype) for value, dtype in NUMBERS]  # type: ignore[arg-type]
    assert len(set(nodes)) == len(NUMBERS)
    assert graph.constant(0.0, F64) is nodes[0]


def test_equal_bodies_are_equal() -> None:
    graph = Graph()
    x = graph.parameter(0, (3,), F32)
    bounds = graph.constant(0, I64), graph.constant(4, I64)
    same = [graph.make(ops.loop, *bounds, x, x, attributes=(counting_region(graph),)) for _ in range(2)]
    other = graph.make(ops.loop, *bounds, x, x, attributes=(counting_region(graph, swapped=True),))
    assert same[0] is same[1]
    assert other is not same[0]


def test_a_long_chain_builds_prints_parses_hashes_and_is_freed_without_recursion() -> None:
    length = 50_000
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(200)
    try:
        graph = Graph()
        node = chain(graph, length)
        assert hash(node) == hash(chain(graph, length))
        text = graph_text([node])
        assert text.count("\n") == length + 3
        assert parse_graph(text, graph) == (node,)
        assert find_structure([node]).sizes == (8,)
        assert isinstance(repr(node), str) and isinstance(hash(find_structure([node]).key), int)

        class Watched(Graph):
            __slots__ = ("__weakref__",)

        watched = Watched()
        end = chain(watched, length)
        gone = weakref.ref(watched)
        assert end.op is ops.add
        del watched, end, node, graph
        gc.collect()
        assert gone() is None
    finally:
        sys.setrecursionlimit(limit)


def test_marked_graph_points_at_one_line() -> None:
    graph = Graph()
    x = graph.parameter(0, (2,), F32)
    y = graph.make(ops.neg, x)
    assert marked_graph([y], y) == (
        "     1 | graph\n     2 |   %0: f32[2] = parameter index=0, layout='1'\n"
        "->   3 |   %1: f32[2] = neg %0\n     4 |   return %1"
    )


BROKEN = {
    "%0: f32[] = constant value=1.0": "line 1, column 1: expected graph: '%0: f32[] = constant value=1.0'",
    "graph\n  %0: f32[] = wurst": "line 2, column 15: no op is called wurst: '%0: f32[] = wurst'",
    "graph\n  %0: f99[] = constant value=1": (
        "line 2, column 7: no dtype is called f99: '%0: f99[] = constant value=1'"
    ),
    "graph\n  %1: f32[] = constant value=1": (
        "line 2, column 3: values are numbered in order: expected %0: '%1: f32[] = constant value=1'"
    ),
    "graph\n  %0: f32[] = neg %0": "line 2, column 19: %0 is not defined above: '%0: f32[] = neg %0'",
    "graph\n  %0: f32[] = constant": "line 2, column 15: constant needs value: '%0: f32[] = constant'",
    "graph\n  %0: f32[] = constant value=1, wat=2": (
        "line 2, column 33: constant has no attribute wat: '%0: f32[] = constant value=1, wat=2'"
    ),
    "graph\n  %0: f32[] = constant value=1": (
        "line 2, column 31: expected a return: '%0: f32[] = constant value=1'"
    ),
    "graph\n    return": "line 2, column 5: expected an indent of 2: 'return'",
    "graph\n  return !": "line 2, column 10: unexpected '!': 'return !'",
    "graph\n  %0: f32[] = constant value=1\n  %1: i64[] = neg %0\n  return %1": (
        "line 3, column 19: neg gives f32[], not i64[]: '%1: i64[] = neg %0'"
    ),
    "graph\n    region of 1:": (
        "line 2, column 5: a region belongs to the loop or cond above it: 'region of 1:'"
    ),
    "graph\n  return\n  return": "line 3, column 3: the graph goes on after its return: 'return'",
}


@pytest.mark.parametrize("text", list(BROKEN))
def test_broken_texts_are_refused(text: str) -> None:
    with pytest.raises(GraphSyntaxError) as raised:
        parse_graph(text)
    assert str(raised.value) == BROKEN[text]
