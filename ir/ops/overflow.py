"""Overflow checks: for integer ops whose result may not fit their dtype, a bool beside the wrapped result.

Python's integers are unbounded; a program that represents them in a dtype checks those that may exceed it.
Products of two unknown numbers are compared in floating point, a little before the limit, so that some which
just fit count as too large.
"""

from __future__ import annotations

import functools

from ..node import Graph, Node
from ..types import F32, F64
from . import elementwise as ops


def overflow_of(graph: Graph, node: Node) -> Node | None:
    """Whether the result of an integer op overflows its dtype; None where it never does."""
    return None if node.op.overflow is None else node.op.overflow(graph, node)


def multiple_of(graph: Graph, node: Node) -> int:
    """Returns a number of which the result of an integer op is a multiple, where it does not overflow."""
    known = [_known(graph, each) for each in node.inputs] if node.op.instruction == "mul" else []
    return next((abs(each) for each in known if each), 1)


def _known(graph: Graph, x: Node) -> int | None:
    """Returns an integer constant of the program."""
    if x.op.source not in ("constant", "scalar") or not (x.dtype.is_integer and x.dtype.is_signed):
        return None
    value = x.attributes[0].value if x.op.source == "constant" else graph.number_value(x)
    return None if value is None else int(value)


def _is_negative(graph: Graph, x: Node) -> Node:
    return graph.make(ops.lt, x, graph.constant(0, x.dtype))


def _beyond(graph: Graph, x: Node, least: int, greatest: int) -> Node:
    """Whether an integer of a dtype is outside of bounds, one of which may be that of the dtype."""
    end = 1 << (x.dtype.bits - 1)
    nodes = [
        graph.make(op, x, graph.number(bound, x.dtype, common=False))
        for op, bound, last in ((ops.lt, least, -end), (ops.gt, greatest, end - 1))
        if bound != last
    ]
    return functools.reduce(lambda low, high: graph.make(ops.bitwise_or, low, high), nodes)


@ops.add.defines("overflow")
def add_overflow(graph: Graph, node: Node) -> Node | None:
    """The sum overflows if both operands have the sign that it has not; with known bounds, if one operand is
    within the other one of the dtype's limit."""
    x, y = node.inputs
    for given, other in ((x, y), (y, x)):
        known = _known(graph, other)
        if known is not None:
            return _too_near(graph, given, known)
    signs = [graph.make(ops.bitwise_xor, each, node) for each in (x, y)]
    return _is_negative(graph, graph.make(ops.bitwise_and, *signs))


def _too_near(graph: Graph, x: Node, added: int) -> Node | None:
    """Whether adding another integer would pass the dtype's limit."""
    end = 1 << (x.dtype.bits - 1)
    return _beyond(graph, x, max(-end, -end - added), min(end, end - added) - 1) if added else None


@ops.sub.defines("overflow")
def sub_overflow(graph: Graph, node: Node) -> Node | None:
    """The difference overflows if the operands have different signs and it has not that of the first; with
    known bounds, if the first operand is within the second one of the dtype's limit."""
    x, y = node.inputs
    known = _known(graph, y)
    if known is not None:
        return _too_near(graph, x, -known)
    signs = [graph.make(ops.bitwise_xor, x, each) for each in (y, node)]
    return _is_negative(graph, graph.make(ops.bitwise_and, *signs))


@ops.mul.defines("overflow")
def mul_overflow(graph: Graph, node: Node) -> Node:
    """The product overflows if one operand is beyond the dtype's limit divided by the other one, where that
    is known; else if the product in floats comes within its rounding error of the limit."""
    for x, factor in (node.inputs, node.inputs[::-1]):
        known = _known(graph, factor)
        if known is not None:
            most = ((1 << (node.dtype.bits - 1)) - 1) // max(abs(known), 1)
            return _beyond(graph, x, -most, most)
    wide = F64 if node.dtype.bits == 64 else F32
    bits = 48 if wide is F64 else 20
    x, y = (graph.make(ops.cast, each, attributes=(wide,)) for each in node.inputs)
    product = graph.make(ops.abs, graph.make(ops.mul, x, y))
    end = float(1 << (node.dtype.bits - 1)) * (1 - 2.0**-bits)
    return graph.make(ops.ge, product, graph.constant(end, wide))


@ops.neg.defines("overflow")
@ops.abs.defines("overflow")
def negative_overflow(graph: Graph, node: Node) -> Node:
    """Negation of the least integer overflows, as that has no counterpart."""
    (x,) = node.inputs
    return graph.make(ops.eq, x, graph.constant(-(1 << (x.dtype.bits - 1)), x.dtype))


@ops.shift_left.defines("overflow")
def shift_left_overflow(graph: Graph, node: Node) -> Node:
    """A left shift overflows if shifting back gives another number."""
    x, count = node.inputs
    return graph.make(ops.ne, graph.make(ops.shift_right, node, count), x)
