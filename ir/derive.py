"""Derivatives of graphs: cotangents of inputs from those of outputs, by the `vjp` of every op between them.

Reverse mode, node by node from the outputs back (Griewank and Walther, Evaluating Derivatives, 2nd edition,
SIAM 2008, chapter 3).
"""

from __future__ import annotations

from collections.abc import Sequence

from .node import Graph, Node, topological
from .ops import derivatives, elementwise


def vjp(
    graph: Graph, outputs: Sequence[Node], inputs: Sequence[Node], cotangents: Sequence[Node]
) -> list[Node]:
    """The cotangents of `inputs`, nodes of `graph` like everything here, given one for each output.

    >>> from jitframe.ir import ops
    >>> from jitframe.ir.types import F64
    >>> graph = Graph()
    >>> x = graph.parameter(0, (3,), F64)
    >>> (slope,) = vjp(graph, [graph.make(ops.sin, x)], [x], [derivatives.filled(graph, (3,), 1.0, F64)])
    >>> slope.op.name, slope.inputs[1].op.name
    ('mul', 'cos')

    Raises NotImplementedError for an op that has no rule.
    """
    total: dict[Node, Node] = {}
    for output, cotangent in zip(outputs, cotangents, strict=True):
        _add(graph, total, output, cotangent)
    wanted = set(inputs)
    for node in reversed(topological(outputs)):
        if node not in total or not node.inputs or node in wanted:
            continue
        if any(each.dtype.is_complex for each in (node, *node.inputs)):
            raise NotImplementedError(f"{node.op.name} of complex numbers has no derivative yet")
        if node.op.vjp is None:
            raise NotImplementedError(f"{node.op.name} has no derivative")
        for source, given in zip(node.inputs, node.op.vjp(graph, node, total[node]), strict=True):
            if given is not None:
                _add(graph, total, source, given)
    zeros = derivatives.zeros_like
    return [total[node] if node in total else zeros(graph, node) for node in inputs]


def _add(graph: Graph, total: dict[Node, Node], node: Node, cotangent: Node) -> None:
    known = total.get(node)
    total[node] = cotangent if known is None else graph.make(elementwise.add, known, cotangent)
