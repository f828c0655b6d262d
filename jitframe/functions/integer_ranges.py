"""Value ranges of integers: bounds of nodes that follow from positions, scalars and known arrays."""

from __future__ import annotations

from typing import Any

from ..arrays.promotion import limits_of
from ..ir.node import Graph, Node
from ..ir.types import DType

Range = tuple[int, int]
"""The least and the greatest value."""


def known_number(graph: Graph, node: Node) -> Any:
    """The value of a constant number; None for a node that varies."""
    if node.op.source == "constant":
        return node.attributes[0].value
    return graph.number_value(node) if node.op.source == "scalar" else None


def is_never_negative(graph: Graph, node: Node) -> bool:
    """Whether an integer is certainly 0 or more."""
    return range_of(graph, node)[0] >= 0


def range_of(graph: Graph, node: Node) -> Range:
    """Bounds of the elements of an integer or bool node; the whole range of its dtype if it may overflow."""
    found: dict[Node, Range] = {}
    pending = [node]
    while pending:
        each = pending[-1]
        known = found.get(each) or leaf_range(graph, each)
        missing = [source for source in read_by(each) if source not in found] if known is None else []
        if missing:
            pending.extend(missing)
            continue
        pending.pop()
        if known is None:
            assert each.op.interval is not None, each
            low, high = each.op.interval(each, *[found[source] for source in read_by(each)])
            least, greatest = _limits(each.dtype)
            known = (low, high) if least <= low and high <= greatest else (least, greatest)
        found[each] = known
    return found[node]


def leaf_range(graph: Graph, node: Node) -> Range | None:
    """The bounds of a node without inputs, or of an op without a rule; None for the rest."""
    number = known_number(graph, node)
    if number is not None:
        return int(number), int(number)
    values = graph.known_value(node)
    if values is not None and values.size:
        return int(values.min()), int(values.max())
    if 0 in node.shape:
        return 0, 0
    if node.op.interval is None or any(source.dtype.is_float for source in node.inputs):
        return _limits(node.dtype)
    return None


def read_by(node: Node) -> tuple[Node, ...]:
    """The inputs whose values a node's elements are computed from: not the condition of a choice."""
    return node.inputs[node.op.interval_of :]


def _limits(dtype: DType) -> Range:
    return limits_of(dtype) if dtype.is_integer else (0, 1)
