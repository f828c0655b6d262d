"""Whole-graph derivation by one rule of every op: cotangents of inputs (`vjp`), and stacks (`batch`, as in
vmap).

Derivatives are taken in reverse mode, node by node from the outputs back (Griewank and Walther, Evaluating
Derivatives, 2nd edition, SIAM 2008, chapter 3).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .node import Graph, Node, topological
from .ops import attention_rules, derivatives, elementwise
from .ops.batching import batched, stacked

assert attention_rules  # which gives their op its rules


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


def batch(
    graph: Graph,
    outputs: Sequence[Node],
    given: Mapping[Node, Node],
    size: int,
    outer: Mapping[Node, Node] | None = None,
) -> list[Node]:
    """The outputs with a new first axis of `size`, where `given` says which nodes have one, and with it what
    they are: values that do not depend on these are repeated.

    `outer`: the outputs are of a region, and its parameters that are not in `given` are these nodes of
    `graph`. Raises NotImplementedError for an op that has no rule.
    """
    made: dict[Node, Node] = dict(given)
    same: dict[Node, Node] = dict(outer or {})
    """Nodes of `graph` that do not depend on the position in the stack."""
    for node in topological(outputs):
        if node in made or node in same:
            continue
        if any(source in made for source in node.inputs):
            inputs = [
                made[each] if each in made else stacked(graph, same[each], size) for each in node.inputs
            ]
            made[node] = batched(node.op)(graph, node, inputs, size)
        elif outer is None:
            same[node] = node
        else:
            same[node] = graph.like(node, tuple([same[each] for each in node.inputs]), node.attributes)
    return [made[node] if node in made else stacked(graph, same[node], size) for node in outputs]
