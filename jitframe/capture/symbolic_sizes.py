"""Symbolic sizes: integers known when the loop runs, such as the starts and lengths of slices.

Each is an `int` or a traced scalar; equality and order of two are decided while tracing where possible.
"""

from __future__ import annotations

from typing import Any, cast

from ..api.calls import operand
from ..functions.integer_ranges import Range, known_number
from ..functions.operands import as_node
from ..ir import ops
from ..ir.node import Node, Op
from ..ir.ops.sums import difference
from ..ir.types import I64, DType
from ..tracing.values.cells import Cell
from ..tracing.values.regions import RegionFrame
from ..tracing.values.traced import NUMBER, TracedArray
from ..tracing.values.traced_frame import TraceFrame, current_trace

Size = int | TracedArray


def index_dtype(frame: TraceFrame) -> DType:
    return frame.device.narrows.get(I64, I64)


def node_of(value: Any) -> Node:
    """Returns an integer as a node of the current frame."""
    frame = current_trace()
    graph = frame.begin()
    return as_node(graph, operand(frame, graph, value), index_dtype(frame))


def size_of(node: Node, span: Range | None = None) -> Size:
    """Returns a node of the current frame as a size; `span`: its range, where that is known."""
    frame = current_trace()
    known = known_number(frame.graph, node)
    if known is not None:
        return int(known)
    if span is not None:
        frame.root.ranges.known.setdefault(node, span)
    return TracedArray(Cell(frame, node), None, NUMBER)


def _made(op: Op, *values: Size) -> Size:
    nodes = [node_of(value) for value in values]
    return size_of(current_trace().begin().make(op, *nodes))


def plus(x: Size, y: Size) -> Size:
    if isinstance(x, int) and isinstance(y, int):
        return x + y
    if isinstance(y, int):
        return x if y == 0 else _made(ops.sub, x, -y) if y < 0 else _made(ops.add, x, y)
    return y if isinstance(x, int) and x == 0 else _made(ops.add, x, y)


def minus(x: Size, y: Size) -> Size:
    known = distance(x, y)
    if known is not None:
        return known
    return plus(x, -y) if isinstance(y, int) else _made(ops.sub, x, y)


def times(x: Size, factor: int) -> Size:
    if isinstance(x, int):
        return x * factor
    return x if factor == 1 else _made(ops.neg, x) if factor == -1 else _made(ops.mul, x, factor)


def minimum(x: Size, y: Size) -> Size:
    return x if at_most(x, y) else y if at_most(y, x) else _made(ops.minimum, x, y)


def maximum(x: Size, y: Size) -> Size:
    return x if at_most(y, x) else y if at_most(x, y) else _made(ops.maximum, x, y)


def steps_between(low: Size, high: Size, step: int) -> Size:
    """Returns the number of integers from one to below another one, with a step."""
    found = maximum(minus(high, low), 0)
    if step == 1:
        return found
    if isinstance(found, int):
        return -(-found // step)
    return _made(ops.floordiv, plus(found, step - 1), step)


def from_the_end(position: Size, extent: Size) -> Size:
    """Normalizes a position that counts from the end where it is negative."""
    least, greatest = range_of(position)
    if least >= 0:
        return position
    if greatest < 0:
        return plus(position, extent)
    graph = current_trace().begin()
    nodes = [node_of(position), node_of(plus(position, extent)), node_of(0)]
    negative = graph.make(ops.lt, nodes[0], nodes[2])
    return size_of(graph.make(ops.select, negative, nodes[1], nodes[0]))


# Ranges and relations


def range_of(value: Size) -> Range:
    """Returns the range of a size."""
    frame = current_trace()
    return (value, value) if isinstance(value, int) else frame.root.ranges.of(frame, node_of(value))


def distance(x: Size, y: Size) -> int | None:
    """Returns x - y, where that is one number whatever they are."""
    if isinstance(x, int) and isinstance(y, int):
        return x - y
    frame = current_trace()
    around: dict[Node, Node] = {}
    for each in (*frame.enclosing, frame):
        if isinstance(each, RegionFrame):
            around.update((inner, outer) for outer, inner in each.invariants.items())

    def known(node: Node) -> int | None:
        return cast("int | None", known_number(frame.graph, node))

    return difference(node_of(x), node_of(y), known, around)


def is_same(x: Size, y: Size) -> bool:
    return distance(x, y) == 0


def at_most(x: Size, y: Size) -> bool:
    """Whether x is certainly not greater than y."""
    known = distance(y, x)
    return known >= 0 if known is not None else range_of(x)[1] <= range_of(y)[0]
