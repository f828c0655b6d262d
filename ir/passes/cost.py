"""A rough cost model: additions that computing an element of an expression where it is used takes."""

from __future__ import annotations

from collections.abc import Container

from ..node import Node
from ..structure import Size

EXPENSIVE = 8
"""Cost of an element from which computing it twice is worth avoiding."""

SHIFTED_COST = 16
"""Cost of computing an element again at shifted positions from which it is stored instead."""

_MOST_NODES = 64
"""Nodes of an expression that are looked at: one with more is expensive."""

COMPUTED = frozenset(("elementwise", "gather"))
"""Families of ops whose elements are computed one by one where they are used."""


def is_unrolled(node: Node) -> bool:
    """Whether a node is a reduction computed where it is used: its extents are part of the plan for that."""
    if node.op.family != "reduce":
        return False
    extents = [node.inputs[0].shape[axis] for axis in node.attribute("axes")]
    return bool(extents) and not any(isinstance(extent, Size) for extent in extents)


def is_expensive(node: Node) -> bool:
    """Whether computing an element of the node in place costs much (looks at `_MOST_NODES` at most)."""
    stack, seen = [node], {node}
    while stack and len(seen) < _MOST_NODES:
        current = stack.pop()
        if current.op.family in ("reduce", "scan", "contract", "update", "control", "item"):
            continue
        if current.op.cost >= EXPENSIVE:
            return True
        fresh = [source for source in current.inputs if source not in seen]
        seen.update(fresh)
        stack.extend(fresh)
    return len(seen) >= _MOST_NODES


def arithmetic(node: Node, most: int, stop: Container[Node] = ()) -> int:
    """The cost of the operations that compute an element, counted up to `most`; those in `stop` are available
    already."""
    pending, seen, cost = [node], {node}, 0
    while pending and cost < most:
        current = pending.pop()
        if current in stop:
            continue
        if current.op.family in COMPUTED:
            cost += current.op.cost
        if current.op.family in COMPUTED or current.op.family == "movement" or is_unrolled(current):
            fresh = [source for source in current.inputs if source not in seen]
            seen.update(fresh)
            pending.extend(fresh)
    return cost
