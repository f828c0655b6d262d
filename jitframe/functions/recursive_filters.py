"""Recursive filters on nodes: one native loop along the first axis, whose state is one value for each delay.

A section is the transposed direct form II (A. V. Oppenheim and R. W. Schafer, Discrete-Time Signal
Processing, 3rd edition, 6.4): y = b[0] x + z[0], then z[k] = b[k + 1] x + z[k + 1] - a[k + 1] y.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..ir import ops
from ..ir.node import Graph, Node
from .formula import Term
from .loop_nodes import at, put, repeated


def sections(
    graph: Graph, b: Sequence[Sequence[Node]], a: Sequence[Sequence[Node]], x: Node, state: Sequence[Node]
) -> tuple[Node, ...]:
    """Sections in sequence, along the first axis of `x`.

    `b[s]` and `a[s]` are equally many coefficients of rank 0, with `a[s][0]` being 1; `state` has the delays
    of all sections, of the shape of `x` without its first axis. Gives what is filtered, then the last delays.
    """
    empty = graph.make(ops.undefined, attributes=(x.shape, x.dtype))
    nodes = [x, *(node for row in (*b, *(row[1:] for row in a)) for node in row)]

    def step(body: Graph, index: Node, carried: list[Node], known: list[Node]) -> list[Node]:
        node, *delays = carried
        source, *coefficients = known
        remaining, left, after = iter(coefficients), iter(delays), []
        ahead = [[next(remaining) for _ in row] for row in b]
        back = [[next(remaining) for _ in row[1:]] for row in a]
        value = Term(body, at(body, source, index))
        shape = value.node.shape

        def by(coefficient: Node, factor: Term) -> Term:
            return Term(body, coefficient).spread(shape) * factor

        for forward, backward in zip(ahead, back, strict=True):
            z = [Term(body, next(left)) for _ in backward]
            result = by(forward[0], value)
            result = result + z[0] if z else result
            for position, coefficient in enumerate(backward):
                term = by(forward[position + 1], value)
                term = term + z[position + 1] if position + 1 < len(z) else term
                after.append((term - by(coefficient, result)).node)
            value = result
        return [put(body, node, value.node, index), *after]

    return tuple(repeated(graph, 0, x.shape[0], [empty, *state], nodes, step))
