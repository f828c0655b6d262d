"""Matrix products whose rows or columns are several axes of an operand, so that the operand need not be
copied first.

The windows of an image as the columns of a matrix, heads beside each other as its inner axis: a reshape
joins axes that do not lie as one. A kernel that packs its operands reads them where they lie. Exact.
"""

from __future__ import annotations

from .. import ops
from ..index import folds
from ..node import Graph, Node
from ..record import record
from ..structure import groups_of


class Opened(metaclass=record):
    """An operand before its axes were joined: for each of its axes those of `source`, in order."""

    source: Node
    axes: tuple[tuple[int, ...], ...]


def packed_product(graph: Graph, x: Node, y: Node) -> Node | None:
    """x @ y of the arrays that the operands' axes were joined of; None where none was."""
    left, right = opened(x), opened(y)
    if left is None and right is None:
        return None
    shape = (*x.shape[:-1], y.shape[-1])
    (first, rows, _), (second, _, columns) = (
        _arranged(graph, node, found) for node, found in ((x, left), (y, right))
    )
    return graph.make(ops.packed_dot, first, second, attributes=(rows, columns, shape))


def opened(node: Node) -> Opened | None:
    """The array that is seen through reshapes which join axes and permutations; None where no such reshape
    would be a copy."""
    axes: tuple[tuple[int, ...], ...] = tuple([(axis,) for axis in range(len(node.shape))])
    found = None
    joined = False
    while True:
        if joined and node.op.family == "movement" and node.inputs and folds(node):
            found = Opened(node, axes)
        below = _below(node)
        if below is None:
            break
        of_axis, joins = below
        axes = tuple([tuple([each for axis in group for each in of_axis[axis]]) for group in axes])
        joined = joined or joins
        (node,) = node.inputs
    if found is None or any(len(group) > 1 for group in found.axes[:-2]):
        return None
    return found


def _below(node: Node) -> tuple[dict[int, tuple[int, ...]], bool] | None:
    """For each axis of a reshape or permutation those of its input, and whether any are joined."""
    if node.op is ops.permute:
        return {axis: (source,) for axis, source in enumerate(node.attribute("axes"))}, False
    if node.op is not ops.reshape or 0 in map(int, node.shape):
        return None
    of_axis: dict[int, tuple[int, ...]] = {}
    joins = False
    for group in groups_of(node):
        if len(group.targets) > 1:
            return None
        for target in group.targets:
            of_axis[target] = group.sources
        joins = joins or len(group.sources) > 1
    return of_axis, joins


def _arranged(graph: Graph, operand: Node, found: Opened | None) -> tuple[Node, int, int]:
    """The operand with its axes in order, and how many its last but one and its last axis are of."""
    if found is None:
        return operand, 1, 1
    source, groups = found.source, found.axes
    used = sorted(axis for group in groups for axis in group)
    if len(used) < len(source.shape):  # axes of one element that were dropped
        shape = tuple([source.shape[axis] for axis in used])
        source = graph.make(ops.reshape, source, attributes=(shape,))
    order = tuple([used.index(axis) for group in groups for axis in group])
    if order != tuple(range(len(order))):
        source = graph.make(ops.permute, source, attributes=(order,))
    counts = [len(group) for group in groups]
    if 0 in counts:  # axes of one element that were put in
        extents, places = list[int](), list[int]()
        for extent, group in zip(operand.shape, groups, strict=True):
            if not group:
                extents.append(extent)
            for _ in group:
                places.append(len(extents))
                extents.append(source.shape[len(places) - 1])
        source = graph.make(ops.broadcast, source, attributes=(tuple(extents), tuple(places)))
    return source, max(counts[-2], 1), max(counts[-1], 1)
