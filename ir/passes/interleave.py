"""Arrays whose elements along a short last axis are assigned one by one become parts of a new array.

`z = zeros((n, m, 3)); z[..., 0] = x; z[..., 1] = y` would go through z once for each assignment, and for the
zeros row by row of three. As parts (x, y, and what is left of the zeros) it is one loop over n and m. Exact.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .. import ops
from ..expr import equal, less, lift
from ..node import Graph, Node, Walk
from ..structure import Size
from .fix_small import with_plain_sizes
from .movement_rules import takes_all
from .short_axes import SMALL
from .stages import Decide

READ_ANYWHERE = frozenset(("elementwise", "movement", "leaf"))
"""Families of what the assignments are to: its elements can be computed for each part."""


def interleave(graph: Graph, walk: Walk, decide: Decide) -> tuple[Node, ...]:
    """The same outputs, with parts of new arrays for updates along a short last axis."""
    fixed = {size.symbol: int(size) for chain in _chains(walk) for size in _held(chain, decide)}
    if fixed:
        walk = Walk(with_plain_sizes(graph, walk, fixed))
    chains = {chain[-1]: chain for chain in _chains(walk) if _is_plain(chain)}
    if not chains:
        return walk.outputs
    made: dict[Node, Node] = {}
    for node in walk.order:
        if node in chains:
            sources = [(made[source], at) for source, at in _sources(chains[node])]
            made[node] = _parts(graph, node, sources)
        else:
            inputs = tuple(made[source] for source in node.inputs)
            made[node] = graph.like(node, inputs, node.attributes)
    return tuple(made[node] for node in walk.outputs)


def _chains(walk: Walk) -> Iterator[list[Node]]:
    """Updates of nothing but parts of the last axis, each of what the one before it made and nobody else
    needs."""
    for node in walk.order:
        users = walk.users[node]
        continued = len(users) == 1 and _is_along_last(users[0]) and users[0].inputs[0] is node
        if not _is_along_last(node) or (continued and node not in walk.outputs):
            continue
        chain = [node]
        while True:
            base = chain[0].inputs[0]
            if not _is_along_last(base) or walk.users[base] != [chain[0]] or base in walk.outputs:
                break
            chain.insert(0, base)
        if base.op.family in READ_ANYWHERE and base.op.source not in ("array", "undefined"):
            yield chain


def _is_along_last(node: Node) -> bool:
    """Whether a node updates a part of the last of several axes, and all of the others."""
    if node.op is not ops.update or len(node.shape) < 2:
        return False
    starts, steps = node.attribute("starts"), node.attribute("steps")
    windows = zip(starts[:-1], steps[:-1], node.inputs[1].shape[:-1], node.shape[:-1], strict=True)
    return all(takes_all(*window) for window in windows)


def _numbers(chain: Sequence[Node]) -> Iterator[int]:
    """All that says which elements of the last axis are assigned: its extent, then the windows."""
    yield chain[0].shape[-1]
    for node in chain:
        yield node.attribute("starts")[-1]
        yield node.attribute("steps")[-1]
        yield node.inputs[1].shape[-1]


def _held(chain: Sequence[Node], decide: Decide) -> list[Size]:
    """Sizes of a chain along a short axis, which the plan is for from here on."""
    extent = lift(chain[0].shape[-1])
    if not (decide(less(extent, SMALL + 1)) and decide(less(1, extent))):
        return []
    sizes = [number for number in _numbers(chain) if isinstance(number, Size)]
    known = [decide(equal(lift(size), int(size))) for size in sizes]
    assert all(known)
    return sizes


def _is_plain(chain: Sequence[Node]) -> bool:
    plain = not any(isinstance(number, Size) for number in _numbers(chain))
    return plain and 2 <= chain[0].shape[-1] <= SMALL


def _sources(chain: Sequence[Node]) -> list[tuple[Node, int]]:
    """What each element of the last axis comes from, and its position there."""
    base = chain[0].inputs[0]
    sources = [(base, position) for position in range(base.shape[-1])]
    for node in chain:
        value, start, step = node.inputs[1], node.attribute("starts")[-1], node.attribute("steps")[-1]
        for number in range(value.shape[-1]):
            sources[start + step * number] = value, number
    return sources


def _parts(graph: Graph, node: Node, sources: Sequence[tuple[Node, int]]) -> Node:
    """An array of single elements along the last axis."""
    outer = node.shape[:-1]
    zeros, ones = (0,) * len(outer), (1,) * len(node.shape)
    made = graph.make(ops.undefined, attributes=((*outer, len(sources)), node.dtype))
    for position, (source, at) in enumerate(sources):
        part = graph.make(ops.slice_, source, attributes=((*zeros, at), ones, (*outer, 1)))
        made = graph.make(ops.update, made, part, attributes=((*zeros, position), ones))
    return made
