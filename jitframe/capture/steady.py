"""Carried values that every iteration of a loop sets to the same constant, and that none reads: the loop does
not carry them, and they are known after its first iteration."""

from __future__ import annotations

from collections.abc import Sequence

from ..ir import ops
from ..ir.node import Graph, Node, topological


def steady_values(
    parameters: Sequence[Node], results: Sequence[Node], others: Sequence[Node]
) -> list[Node | None]:
    """Returns the constant of each carried value; None of one that is read, or of another result. `others`:
    what an iteration gives besides."""
    is_constant = [not node.shape and node.op.source == "constant" for node in results]
    if not any(is_constant):
        return [None] * len(results)
    used = set(topological((*results, *others)))
    return [
        node if constant and parameter not in used else None
        for node, constant, parameter in zip(results, is_constant, parameters, strict=True)
    ]


def moving(steady: Sequence[Node | None], nodes: Sequence[Node]) -> list[Node]:
    """Returns those of the carried values that are not constant."""
    return [node for constant, node in zip(steady, nodes, strict=True) if constant is None]


def with_steady(
    graph: Graph,
    steady: Sequence[Node | None],
    initial: Sequence[Node],
    ran: Node | None,
    found: Sequence[Node],
) -> list[Node]:
    """Returns all carried values after a loop, of which `found` are those that it carries. `ran`: whether it
    has had an iteration; None where it certainly has."""
    rest = iter(found)
    values = []
    for constant, first in zip(steady, initial, strict=True):
        if constant is None:
            values.append(next(rest))
            continue
        made = graph.make(constant.op, attributes=constant.attributes)
        values.append(made if ran is None or made is first else graph.make(ops.select, ran, made, first))
    return [*values, *rest]
