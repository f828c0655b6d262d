"""Rows of windows are written where they are: `x[1:-1, j] = v`, which takes the window, sets a column of it
and puts it back, writes one column. Exact."""

from __future__ import annotations

from collections.abc import Sequence

from .. import ops
from ..expr import equal
from ..node import Graph, Node, Walk
from ..rewrite import LawTable, Rewriter, rewrite
from .movement_rules import takes_all
from .stages import Decide


def write_windows(graph: Graph, walk: Walk, decide: Decide) -> tuple[Node, ...]:
    """The same outputs, with one scatter for those into windows of the arrays that they are put back in."""

    def update(rewriter: Rewriter, node: Node) -> Node | None:
        """update(x, scatter(slice(x), v, i)) -> window_scatter(x, v, i), of one window."""
        base, value = node.inputs
        if value.op is not ops.scatter or value.inputs[0].op is not ops.slice_:
            return None
        window, written, *indices = value.inputs
        windows = list(zip(*node.attributes, value.shape, base.shape, strict=True))
        if window.inputs[0] is not base or indices[0].shape:
            return None
        if not all(takes_all(*windows[axis]) for axis in value.attribute("axes")):
            return None
        if not _are_equal(window.attributes[:2], node.attributes, decide):
            return None
        attributes = (*value.attributes, *node.attributes)
        return rewriter.make(ops.window_scatter, base, written, *indices, attributes=attributes)

    return rewrite(graph, walk.outputs, LawTable(()), {ops.update: (update,)})


def _are_equal(first: Sequence[Sequence[int]], second: Sequence[Sequence[int]], decide: Decide) -> bool:
    """Whether two windows begin at the same places and have the same steps."""
    return all(
        decide(equal(x, y))
        for ours, others in zip(first, second, strict=True)
        for x, y in zip(ours, others, strict=True)
    )
