"""Products of complex numbers along an axis, all of them up to each element, in as many passes as the extent
has bits (W. D. Hillis and G. L. Steele, "Data parallel algorithms", Communications of the ACM 29, 1986)."""

from __future__ import annotations

import math

from ..ir import ops
from ..ir.node import Graph, Node, Shape
from ..ir.types import I64
from .formula import Term
from .joining import part
from .loop_nodes import repeated
from .operands import filled, reshaped


def product(graph: Graph, x: Node, axes: Shape) -> Node:
    """The product over axes; 1 over none."""
    kept = tuple(axis for axis in range(len(x.shape)) if axis not in axes)
    shape = tuple(x.shape[axis] for axis in kept)
    count = math.prod(x.shape[axis] for axis in axes)
    if not count:
        one = graph.constant(1, x.dtype)
        return graph.make(ops.broadcast, one, attributes=(shape, ())) if shape else one
    x = graph.make(ops.permute, x, attributes=((*axes, *kept),))
    x = reshaped(graph, x, (count, *shape))
    every = cumulative_product(graph, x, 0)
    last = reshaped(graph, part(graph, every, 0, count - 1, count), shape)
    return graph.make(ops.mul, filled(graph, 1, last), last)  # as NumPy starts with 1: of inf, inf+nan*j


def cumulative_product(graph: Graph, x: Node, axis: int) -> Node:
    """In each pass every element is multiplied by the one at that pass's distance before it."""
    extent = x.shape[axis]
    if extent < 2 or not x.size:
        return x

    def step(inner: Graph, index: Node, carried: list[Node], _known: list[Node]) -> list[Node]:
        distance = inner.make(ops.shift_left, inner.constant(1, index.dtype), index)
        place = Term(inner, inner.make(ops.iota, attributes=((extent,), 0, index.dtype)))
        behind = place - Term(inner, distance).spread((extent,))
        there = (behind >= 0).node
        behind = behind.make(ops.maximum, 0)
        attributes = ((axis,), axis, (True,), (axis,), 0)
        before = inner.make(ops.gather, carried[0], behind.node, attributes=attributes)
        there = inner.make(ops.broadcast, there, attributes=(x.shape, (axis,))) if len(x.shape) > 1 else there
        taken_up = inner.make(ops.mul, before, carried[0])
        # (1 * inf of complex numbers is inf+nan*j.)
        return [inner.make(ops.select, there, taken_up, carried[0])]

    passes = graph.number((extent - 1).bit_length(), I64, common=False)
    return repeated(graph, graph.constant(0, I64), passes, [x], [], step)[0]
