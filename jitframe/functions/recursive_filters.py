"""Recursive filters on nodes: one native loop along the first axis, whose state is one value for each delay.

A section is the transposed direct form II (A. V. Oppenheim and R. W. Schafer, Discrete-Time Signal
Processing, 3rd edition, 6.4): y = b[0] x + z[0], then z[k] = b[k + 1] x + z[k + 1] - a[k + 1] y.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..ir import ops
from ..ir.node import Graph, Node, Region
from ..ir.types import I64
from .elementwise import add, multiply, subtract
from .loop_nodes import loop
from .operands import spread


def at(graph: Graph, x: Node, index: Node) -> Node:
    """The part of `x` at one position of its first axis, which is certainly there."""
    return graph.make(ops.gather, x, index, attributes=((0,), 0, (True,), (0,), 0))


def put(graph: Graph, whole: Node, part: Node, index: Node) -> Node:
    """`whole` with a part at one position of its first axis, which is certainly there."""
    return graph.make(ops.scatter, whole, part, index, attributes=((0,), 0, "set", (True,), (0,), True, 0))


def sections(
    graph: Graph, b: Sequence[Sequence[Node]], a: Sequence[Sequence[Node]], x: Node, state: Sequence[Node]
) -> tuple[Node, ...]:
    """Sections one after the other, along the first axis of `x`.

    `b[s]` and `a[s]` are equally many coefficients of rank 0, with `a[s][0]` being 1; `state` has the delays
    of all sections, of the shape of `x` without its first axis. Gives what is filtered, then the last delays.
    """
    body = Graph(graph)
    parameters: list[Node] = []

    def inside(node: Node) -> Node:
        parameters.append(body.parameter(len(parameters), node.shape, node.dtype))
        return parameters[-1]

    empty = graph.make(ops.undefined, attributes=(x.shape, x.dtype))
    given = [x, *(each for row in (*b, *(row[1:] for row in a)) for each in row)]
    index = inside(graph.constant(0, I64))
    made, *delays = [inside(each) for each in (empty, *state)]
    source, *coefficients = [inside(each) for each in given]
    remaining = iter(coefficients)
    ahead = [[next(remaining) for _ in row] for row in b]
    back = [[next(remaining) for _ in row[1:]] for row in a]
    value = at(body, source, index)
    shape, left, after = value.shape, iter(delays), []

    def by(coefficient: Node, factor: Node) -> Node:
        return multiply(body, spread(body, coefficient, shape), factor)

    for forward, backward in zip(ahead, back, strict=True):
        z = [next(left) for _ in backward]
        result = by(forward[0], value)
        result = add(body, result, z[0]) if z else result
        for position, coefficient in enumerate(backward):
            term = by(forward[position + 1], value)
            term = add(body, term, z[position + 1]) if position + 1 < len(z) else term
            after.append(subtract(body, term, by(coefficient, result)))
        value = result
    region = Region(body, tuple(parameters), (put(body, made, value, index), *after))
    return tuple(loop(graph, 0, x.shape[0], region, [empty, *state], given))
