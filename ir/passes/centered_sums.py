"""Sums of products of deviations, `sum((x - m) * (y - n))`, m and n the same all along: variance, covariance.

m usually follows from a reduction of x, so that the sum would read memory once more. Cut into blocks it need
not. With any number c of a block in the place of m, for the n elements of the block,

    sum((x - m)**2) = sum((x - c)**2) + 2 (c - m) sum(x - c) + n (c - m)**2

and likewise for products of two. With c the block's own mean, which its elements give while they are in the
cache, the second sum is what rounding left of zero, and nothing that is large cancels: the result is as exact
as that of two passes (Chan, Golub & LeVeque 1983, "Algorithms for computing the sample variance", whose
formula for joining two groups is the case of m the joint mean).
"""

from __future__ import annotations

from collections.abc import Callable, Container

from .. import ops
from ..node import Graph, Node
from ..record import record
from .stages import Stage, reads


class Deviation(metaclass=record):
    """`values` less `center`, which is repeated along everything that is reduced."""

    values: Node
    center: Node
    """A broadcast."""


def deviations(
    stage: Stage, stop: Container[Node], excluded: Callable[[Node], bool]
) -> tuple[Deviation, Deviation] | None:
    """The two deviations whose product a stage sums; None where it sums no such product, or where the values
    look at what is `excluded`. `stop`: what is computed elsewhere."""
    value = stage.value
    if stage.reducer != "sum" or value.op is not ops.mul or not value.dtype.is_float:
        return None
    for place in (0, 1):  # of the values: where both centers come first, both signs change
        left, right = (_deviation(factor, place, stage.reduced) for factor in value.inputs)
        if left is None or right is None:
            continue
        read = (reads(side.values, stage.dims, stop, False) for side in (left, right))
        if not any(excluded(node) for found in read for node in found):
            return left, right
    return None


def _deviation(node: Node, place: int, reduced: tuple[int, ...]) -> Deviation | None:
    if node.op is not ops.sub:
        return None
    values, center = node.inputs[place], node.inputs[1 - place]
    if center.op.name != "broadcast" or not set(reduced).isdisjoint(center.attribute("axes")):
        return None
    return Deviation(values, center)


class Side(metaclass=record):
    """The sums of one of two factors by block, and its center by block."""

    sums: Node
    """Of the values."""
    rests: Node
    """Of the values less their mean in the block."""
    center: Node


def recentered(graph: Graph, count: Node, products: Node, left: Side, right: Side) -> Node:
    """Of each block the sum of products of deviations from the centers, out of `products`, that of deviations
    from the block's own means."""
    moved = [
        graph.make(ops.sub, graph.make(ops.div, side.sums, count), side.center) for side in (left, right)
    ]
    inner = graph.make(ops.add, right.rests, graph.make(ops.mul, count, moved[1]))
    value = graph.make(ops.add, products, graph.make(ops.mul, moved[0], inner))
    return graph.make(ops.add, value, graph.make(ops.mul, moved[1], left.rests))
