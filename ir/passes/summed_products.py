"""Sums of products that are products of matrices: `(x[:, :, None] * y).sum(axis=1)` is `x @ y`."""

from __future__ import annotations

from .. import ops
from ..expr import less, lift
from ..index import view_of
from ..node import Graph, Node
from .stages import LIBRARY_DTYPES, Decide

LEAST = 16
"""Extent of rows, columns and inner positions from which a product of matrices is faster than its sums."""


def matrices_of(graph: Graph, node: Node, decide: Decide) -> tuple[Node, Node] | None:
    """The operands of the product of matrices that a sum of products comes to, each with all of the result's
    leading axes; None where it is none, where a library would round worse than NumPy's sum and ours, or where
    the matrices are so small that it would take longer.

    Libraries multiply floats, and add one product after another, as NumPy does along any axis but the last.
    Along the last one, and where both operands lie in memory along the sum, it adds in pairs.
    """
    if node.op is not ops.reduce or node.dtype not in LIBRARY_DTYPES or node.attribute("kind") != "sum":
        return None
    (terms,), axes = node.inputs, node.attribute("axes")
    if terms.op is not ops.mul or len(axes) != 1 or any(x.op is not ops.broadcast for x in terms.inputs):
        return None
    (inner,) = axes
    kept = [axis for axis in range(len(terms.shape)) if axis != inner]
    sides = [frozenset(x.attribute("axes")) for x in terms.inputs]
    if inner == len(kept) or len(kept) < 2 or not all(inner in own for own in sides):
        return None
    *batch, row, column = kept
    of_row, of_column = ([axis in own for own in sides] for axis in (row, column))
    if sum(of_row) != 1 or sum(of_column) != 1 or of_row == of_column:
        return None
    x, y = terms.inputs if of_row[0] else terms.inputs[::-1]
    if _lies_along(x, inner) and _lies_along(y, inner):
        return None
    if any(decide(less(lift(terms.shape[axis]), LEAST)) for axis in (row, column, inner)):
        return None
    return _arranged(graph, x, [*batch, row, inner]), _arranged(graph, y, [*batch, inner, column])


def _lies_along(node: Node, axis: int) -> bool:
    """Whether neighbours along an axis are neighbours in memory."""
    base, dims = view_of(node)
    unit = base.attribute("layout").rfind("1") if base.op.name == "parameter" else len(dims) - 1
    return unit >= 0 and any(axis == each for each, _ in dims[unit].terms)


def _arranged(graph: Graph, x: Node, order: list[int]) -> Node:
    """What a broadcast repeats, with those axes of its result in this order."""
    (source,), own = x.inputs, x.attribute("axes")
    places = [position for position, axis in enumerate(order) if axis in own]
    turned = tuple(own.index(order[position]) for position in places)
    if turned != tuple(range(len(turned))):
        source = graph.make(ops.permute, source, attributes=(turned,))
    shape = tuple(x.shape[axis] for axis in order)
    if shape == source.shape:
        return source
    return graph.make(ops.broadcast, source, attributes=(shape, tuple(places)))
