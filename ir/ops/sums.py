"""Integers as affine sums: the terms of a node, from which differences of nodes follow."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping

from ..node import Node
from . import elementwise as ops

Known = Callable[[Node], int | None]
"""Returns the number of a node, where it is known."""
Terms = tuple[tuple[Node, int], ...]
"""The terms of a sum, each with its factor."""


def difference(x: Node, y: Node, known: Known, around: Mapping[Node, Node] | None = None) -> int | None:
    """Returns x - y of rank-0 integers that do not wrap around, where it is a number whatever their terms
    are. `around`: the operands of regions' parameters outside of the region."""
    total: Counter[Node] = Counter()
    number = 0
    pending = [(x, 1), (y, -1)]
    while pending:
        node, factor = pending.pop()
        while around and node in around:
            node = around[node]
        value = known(node)
        terms = None if node.op.terms is None or value is not None else node.op.terms(node, known)
        if value is not None:
            number += factor * value
        elif terms is None:
            total[node] += factor
        else:
            pending += [(each, factor * times) for each, times in terms]
    return None if any(total.values()) else number


def base_and_offset(node: Node, known: Known) -> tuple[Node, int]:
    """Splits a rank-0 integer that does not wrap around into a base and the sum of known integers that are
    added to it."""
    offset = 0
    while node.op.terms is not None:
        varying, constant = [], 0
        for each, factor in node.op.terms(node, known) or ():
            value = known(each)
            if value is None:
                varying.append((each, factor))
            else:
                constant += factor * value
        if len(varying) != 1 or varying[0][1] != 1:
            break
        node = varying[0][0]
        offset += constant
    return node, offset


@ops.add.defines("terms")
def add_terms(node: Node, _known: Known) -> Terms:
    x, y = node.inputs
    return (x, 1), (y, 1)


@ops.sub.defines("terms")
def sub_terms(node: Node, _known: Known) -> Terms:
    x, y = node.inputs
    return (x, 1), (y, -1)


@ops.neg.defines("terms")
def neg_terms(node: Node, _known: Known) -> Terms:
    return ((node.inputs[0], -1),)


@ops.mul.defines("terms")
def mul_terms(node: Node, known: Known) -> Terms | None:
    """The terms of a product with a number."""
    x, y = node.inputs
    for each, other in ((x, known(y)), (y, known(x))):
        if other is not None:
            return ((each, other),)
    return None
