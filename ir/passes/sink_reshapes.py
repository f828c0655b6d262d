"""Sinks reshapes of products below the elementwise code that uses them, which can then become the epilogue of
the product's kernel. Exact.

The positions of a convolution are one axis of its product, and several of its result: `product.reshape(a, b)
+ bias` would need the product in memory, `(product + bias).reshape(a, b)` needs the sum there.
"""

from __future__ import annotations

from collections.abc import Sequence

from .. import ops
from ..index import folds
from ..node import Graph, Node, topological
from ..rewrite import Rewriter
from .hoist_reshapes import is_free
from .simplify import RULES, TABLE


def sink_reshapes(graph: Graph, outputs: Sequence[Node]) -> tuple[Node, ...]:
    """The same outputs, reshaped after instead of before elementwise ops where nothing else has to be copied
    for it."""
    make = Rewriter(graph, TABLE, RULES).make
    made: dict[Node, Node] = {}
    sunk: dict[Node, Node] = {}
    """What nodes are reshapes of: products, and what is made of these."""

    def before(source: Node, like: Node) -> Node | None:
        """An operand in the shape of a product; None where it would be a copy."""
        known = sunk.get(source)
        if known is not None and known.shape == like.shape:
            return known
        moved = make(ops.reshape, made[source] if known is None else known, attributes=(like.shape,))
        return moved if is_free(moved) or (known is not None and folds(moved)) else None

    for node in topological(outputs):
        inputs = [made[source] for source in node.inputs]
        value = None
        if node.op is ops.reshape and node.inputs[0].op.family == "contract":
            (value,) = inputs
        elif node.op.family == "elementwise":
            like = next((sunk[source] for source in node.inputs if source in sunk), None)
            operands = [] if like is None else [before(source, like) for source in node.inputs]
            nodes = [operand for operand in operands if operand is not None]
            if nodes and len(nodes) == len(operands):
                value = make(node.op, *nodes, attributes=node.attributes)
        if value is None:
            made[node] = make(node.op, *inputs, attributes=node.attributes)
        else:
            sunk[node] = value
            made[node] = make(ops.reshape, value, attributes=(node.shape,))
    return tuple(made[node] for node in outputs)
