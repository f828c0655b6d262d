"""Reshapes that split or join axes move from results to the memory that these are computed from. Exact.

Such a reshape is another name for an array in memory, so `f(x).reshape(a, b) + z` would need f(x) in memory.
Of a contiguous x it is free instead: `f(x.reshape(a, b)) + z`. So it is before a row is taken,
`x[i].reshape(n)[j]`, where an element would need the row in memory: `x.reshape(m, n)[i][j]`.
"""

from __future__ import annotations

from collections.abc import Sequence

from .. import ops
from ..index import folds
from ..node import Graph, Node, Region, Shape, is_contiguous, topological, users_of
from ..rewrite import Rewriter
from ..structure import reshape_groups
from .movement_rules import takes_all
from .simplify import RULES, TABLE


def hoist_reshapes(graph: Graph, outputs: Sequence[Node]) -> tuple[Node, ...]:
    """The same outputs, reshaped before instead of after elementwise ops where that costs nothing."""
    return _Hoister(graph, topological(outputs), outputs).run()


def _is_general(node: Node) -> bool:
    return not folds(node)


class _Hoister:
    def __init__(self, graph: Graph, order: list[Node], outputs: Sequence[Node]) -> None:
        self.rewriter = Rewriter(graph, TABLE, RULES)
        self.order = order
        self.outputs = tuple(outputs)
        self.made: dict[Node, Node] = {}
        self.users = users_of(order)

    def run(self) -> tuple[Node, ...]:
        make = self.rewriter.make
        for node in self.order:
            hoisted = self._hoisted(node) if _is_general(node) else None
            if hoisted is None:
                attributes = tuple(
                    self._region(value) if isinstance(value, Region) else value for value in node.attributes
                )
                hoisted = make(node.op, *[self.made[source] for source in node.inputs], attributes=attributes)
            self.made[node] = hoisted
        return tuple(self.made[node] for node in self.outputs)

    def _region(self, region: Region) -> Region:
        inner = Graph(self.rewriter.graph)
        results = (*region.parameters, *region.results)
        nodes = _Hoister(inner, topological(results), results).run()
        count = len(region.parameters)
        return Region(inner, nodes[:count], nodes[count:])

    def _hoisted(self, node: Node) -> Node | None:
        (root,) = node.inputs
        if node in self.outputs and not self.users[node]:
            return None
        if _indexed_axes(root, node.shape):
            return self._reshaped(root, node)
        if root.op.family != "elementwise":
            return None
        inside = self._private(node)
        if root not in inside:
            return None
        moved: dict[Node, Node] = {}
        for member in reversed(inside):
            for source in member.inputs:
                if source not in inside and source not in moved:
                    leaf = self._reshaped(source, node)
                    if leaf is None:
                        return None
                    moved[source] = leaf
        for member in reversed(inside):
            inputs = [moved[source] for source in member.inputs]
            moved[member] = self.rewriter.make(member.op, *inputs, attributes=member.attributes)
        return moved[root]

    def _reshaped(self, source: Node, node: Node) -> Node | None:
        """reshape(x[i]) -> reshape(x)[i], also of no row and of rows of rows; None where it is not free."""
        rows, shape = [], node.shape
        while indexed := _indexed_axes(source, shape):
            rows.append((source, shape))
            source = source.inputs[0]
            shape = (*source.shape[:indexed], *shape)
        value = self.rewriter.make(ops.reshape, self.made[source], attributes=(shape,))
        if not is_free(value):
            return None
        for row, shape in reversed(rows):
            value = self._row(row, value, shape)
        return value

    def _row(self, row: Node, value: Node, shape: Shape) -> Node:
        """The row of another array at the positions of `row`."""
        make = self.rewriter.make
        if row.op.family == "gather":
            indices = [self.made[index] for index in row.inputs[1:]]
            return make(row.op, value, *indices, attributes=row.attributes)
        starts, steps, extents = row.attributes
        fixed, rest = _indexed_axes(row, shape), len(shape)
        window = (*starts[:fixed], *(0,) * rest), (*steps[:fixed], *(1,) * rest), (*extents[:fixed], *shape)
        return make(ops.reshape, make(row.op, value, attributes=window), attributes=(shape,))

    def _private(self, node: Node) -> dict[Node, None]:
        """The elementwise nodes that only this reshape needs, users before inputs."""
        inside: dict[Node, None] = {}
        pending = list(node.inputs)
        while pending:
            each = pending.pop()
            if each in inside or each.op.family != "elementwise" or each in self.outputs:
                continue
            # Seen again from its last user, if some are still missing now.
            if all(user is node or user in inside for user in self.users[each]):
                inside[each] = None
                pending.extend(each.inputs)
        return inside


def _indexed_axes(node: Node, shape: Shape) -> int:
    """On how many first axes a node, reshaped to `shape`, is an array at one position; 0: it is no row."""
    if node.op.family == "gather" and node.op.index_map is None and not node.inputs[1].shape:
        axes = node.attribute("axes")
        return len(axes) if axes == tuple(range(len(axes))) else 0
    if node.op is not ops.slice_:
        return 0
    windows = zip(*node.attributes, node.inputs[0].shape, strict=True)
    parts = [axis for axis, window in enumerate(windows) if not takes_all(*window)]
    count = parts[-1] + 1 if parts else 0
    dropped = [group.sources for group in reshape_groups(node.shape, shape) if not group.targets]
    return count if all((axis,) in dropped for axis in range(count)) else 0


def is_free(node: Node) -> bool:
    """Whether reading the node is reading memory that is there anyway, or a number."""
    while node.op is ops.broadcast or (node.op is ops.reshape and folds(node)):
        (node,) = node.inputs
    if node.op is ops.reshape:
        (node,) = node.inputs
        return _has_own_memory(node)
    return not node.inputs or _has_own_memory(node)


def _has_own_memory(node: Node) -> bool:
    """Whether the node lies in memory without gaps whatever its users are."""
    if node.op.source == "array":
        return is_contiguous(node)
    return node.op.family in ("contract", "update", "item")
