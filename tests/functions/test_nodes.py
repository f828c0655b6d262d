"""What functions on nodes make: loops and conditions, weak numbers, and no more nodes than needed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from jitframe.api.calls import call
from jitframe.api.frame import Frame, current_frame, entered
from jitframe.arrays.promotion import Weak
from jitframe.errors import DTypeError, ShapeError
from jitframe.functions import elementwise, loop_nodes
from jitframe.ir import ops
from jitframe.ir.interpret import evaluate
from jitframe.ir.node import Graph, Node, Region
from jitframe.ir.types import BOOL, F32, F64, I64
from jitframe.tensors.tensor import FRAME, Tensor


def region(dtypes: list[Any], body: Any) -> Region:
    graph = Graph()
    parameters = tuple(graph.parameter(index, (), dtype) for index, dtype in enumerate(dtypes))
    return Region(graph, parameters, tuple(body(graph, *parameters)))


def test_loop() -> None:
    graph = Graph()
    start, factor = graph.parameter(0, (), F64), graph.parameter(1, (), F64)
    body = region([I64, F64, F64], lambda g, _index, x, by: [elementwise.multiply(g, x, by)])
    five = Weak(graph.constant(5, I64))  # a plain 5 would be a run-time scalar
    (result,) = loop_nodes.loop(graph, 0, five, body, [start], [factor])
    assert evaluate([result], {start: np.array(3.0), factor: np.array(2.0)})[0] == 96
    wrong = region([I64, F64], lambda g, _index, x: [elementwise.less(g, x, 1)])
    with pytest.raises(DTypeError) as caught:
        loop_nodes.loop(graph, 0, 5, wrong, [start], [])
    assert str(caught.value).split("\n")[0] == "fori_loop: carried value 0 is f64[] given and bool[] returned"


def test_cond() -> None:
    graph = Graph()
    x = graph.parameter(0, (), F64)
    negated = region([F64], lambda g, value: [elementwise.negative(g, value)])
    same = region([F64], lambda g, value: [value])
    (result,) = loop_nodes.cond(graph, elementwise.less(graph, x, 0), negated, same, [x])
    assert [evaluate([result], {x: np.array(value)})[0] for value in (-2.5, 4.0)] == [2.5, 4]
    with pytest.raises(ShapeError, match="the predicate must be one value, not an array of shape"):
        loop_nodes.cond(graph, graph.parameter(1, (3,), BOOL), negated, same, [x])
    with pytest.raises(ShapeError, match="the first function returns 1 values and the second 0"):
        loop_nodes.cond(graph, x, negated, region([F64], lambda g, value: []), [x])


def test_weak_nodes_take_the_dtype_of_arrays() -> None:
    graph = Graph()
    x, rate = graph.parameter(0, (3,), F32), Weak(graph.parameter(1, (), F64))
    product = elementwise.multiply(graph, rate, x)
    assert product.dtype is F32
    values = evaluate([product], {x: np.ones(3, "f4"), rate.node: np.array(0.1)})[0]
    np.testing.assert_array_equal(values, np.ones(3, "f4") * 0.1)
    assert elementwise.add(graph, graph.parameter(2, (3,), I64), rate).dtype is F64


class Recording(Frame):
    """A frame that keeps what it is asked to wrap."""

    priority = 5

    def __init__(self) -> None:
        self.graph = Graph()
        self.wrapped: list[Node | Weak] = []

    def begin(self) -> Graph:
        return self.graph

    def wrap(self, graph: Graph, result: Node | Weak) -> Any:
        self.wrapped.append(result)
        return result

    def lift(self, graph: Graph, array: np.ndarray) -> Node:
        return graph.parameter(0, array.shape, F64)

    def unary(self, function: Any, x: Any, key: Any) -> Any:
        return call(function, (x,), key=key)

    def binary(self, function: Any, x: Any, y: Any) -> Any:
        return call(function, (x, y))


def test_numbers_among_themselves_stay_weak() -> None:
    frame = Recording()
    with entered(frame):
        assert current_frame() is frame
        result = call(elementwise.divide, (1, 3))
        array = call(elementwise.divide, (np.ones(3), 3))
    assert current_frame() is FRAME
    assert isinstance(result, Weak)
    assert result.node.dtype is F64
    assert isinstance(array, Node)
    assert frame.wrapped == [result, array]


def test_the_frame_of_highest_priority_takes_all() -> None:
    frame = Recording()

    class Value(Tensor):
        __slots__ = ()

        @property
        def _frame(self) -> Frame:
            return frame

    value = object.__new__(Value)
    value._settle(np.ones(3))
    frame.adopt = lambda graph, each: graph.parameter(2, each.shape, F64)  # type: ignore[method-assign]
    tensor = Tensor._of(np.ones(3))
    assert isinstance(np.add(tensor, value), Node)
    assert isinstance(np.stack([tensor, value]), Node)


def test_equal_operands_cost_one_node() -> None:
    graph = Graph()
    x, y = graph.parameter(0, (3,), F32), graph.parameter(1, (3,), F32)
    before = len(graph)
    assert elementwise.add(graph, x, y).op is ops.add
    assert len(graph) == before + 1
    # A number is a leaf and its broadcast, both made once.
    elementwise.add(graph, x, 2.5)
    elementwise.multiply(graph, y, 2.5)
    assert [node.op.name for node in graph._interned.values()].count("broadcast") == 1
