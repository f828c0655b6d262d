"""Materialization: values that several groups would compute again, where that costs more than reading
them."""

from __future__ import annotations

import functools
import operator
from collections.abc import Collection, Container, Iterator, Mapping, Sequence

from ..index import index_nodes
from ..node import Node, Shape, Walk
from .cost import COMPUTED, arithmetic, is_unrolled
from .groups import Fusion
from .joining import MOST_SCRATCH_PASSES
from .stages import NO_LIMITS, Decide, Limits, Stage, has_own_loop, is_shifted, stays_cached

MANY_LEVELS = 5
"""Loops, each of which needs the one before, from which on a value that all of them compute is stored."""
READ_COST = 4
"""Cost of reading an element of an array, in additions."""
STORE_COST = 32
"""What computing an element again may cost before it is stored instead."""
LAUNCH_COST = 512
"""The same of a value that is smaller than the enclosing loops: storing it takes a loop of its own."""

REASON = "several kernels would compute it again"


def carried_on(
    graph: Walk, kept: Container[Node], decide: Decide, limits: Limits = NO_LIMITS
) -> dict[Node, str]:
    """Nodes to materialize before fusion: values that an unrolled loop carries from iteration to iteration.

    The kernels of each step would compute them from the beginning. Steps are told apart by level: how many
    loops that need each other come before. Fewer than MANY_LEVELS of them compute a value again, and
    `recomputed` looks at those. Where all loops are over the same rows, which stay cached, one kernel does.
    """
    order, users = graph.order, graph.users
    ends = {node for node in graph.outputs if node.op.family != "leaf"}
    level: dict[Node, int] = {}
    loops: set[Node] = set()
    for node in order:
        below = max(map(level.__getitem__, node.inputs), default=0)
        if has_own_loop(node) or is_shifted(node, users[node]):
            loops.add(node)
            below += 1
        level[node] = below
    if len(set(level.values())) < MANY_LEVELS:
        return {}
    many = MOST_SCRATCH_PASSES if _share_rows(loops, decide, limits) else MANY_LEVELS
    levels: dict[Node, int] = {}
    """Those of the loops that compute a node: a set as bits."""
    chosen: dict[Node, str] = {}
    for node in reversed(order):
        if node in ends or node in kept or node in loops:
            levels[node] = 1 << level[node]
            continue
        found = [levels[user] for user in users[node]]
        levels[node] = together = functools.reduce(operator.or_, found, 0)
        if together.bit_count() >= many and together not in found and node.op.family in COMPUTED:
            worth = READ_COST if node.shape else LAUNCH_COST // many
            if _cost(node, kept, worth) >= worth:
                chosen[node] = REASON
                levels[node] = 1 << level[node]
    return chosen


def _share_rows(loops: Collection[Node], decide: Decide, limits: Limits) -> bool:
    """Whether all loops can be passes over the same rows, which stay in the cache."""
    if any(node.op.family != "reduce" for node in loops):
        return False
    spaces = {node.inputs[0].shape for node in loops}
    return len(spaces) == 1 and all(stays_cached(node, decide, limits) for node in loops)


def recomputed(fusion: Fusion, users: Mapping[Node, Sequence[Node]]) -> dict[Node, str]:
    """Nodes that go to memory, each with its reason: what groups compute again costs more than reading it."""
    stop = {*fusion.stored, *(stage.node for group in fusion.groups for stage in group.stages)}
    groups, enclosing, spaces = _computing(fusion, users, stop)
    chosen: dict[Node, str] = {}
    for node in fusion.order:
        together = groups.get(node, 0)
        count = together.bit_count()
        if count < 2 or node.op.family not in COMPUTED:
            continue
        if any(groups.get(user) == together for user in users[node]):
            continue  # each group that computes it does so for one other node, the same in all
        limit = STORE_COST if enclosing[node] & spaces.get(_extents(node.shape), 0) else LAUNCH_COST
        cost = _cost(node, stop, limit)
        if cost >= READ_COST and cost * (count - 1) >= limit:
            chosen[node] = REASON
            stop.add(node)
    return chosen


def _computing(
    fusion: Fusion, users: Mapping[Node, Sequence[Node]], stop: Container[Node]
) -> tuple[dict[Node, int], dict[Node, int], dict[tuple[int, ...], int]]:
    """The groups whose loops compute each node and do not store it, a bit for each; the spaces of those
    loops, a bit for each; and the bit of each space."""
    groups: dict[Node, int] = {}
    enclosing: dict[Node, int] = {}
    spaces: dict[tuple[int, ...], int] = {}
    for number, group in enumerate(fusion.groups):
        for stage in group.stages:
            if stage.kind in ("library", "product", "control"):
                continue
            space = spaces.setdefault(_extents(stage.space), 1 << len(spaces))
            for root in _roots(stage):
                if root is stage.node or root not in stop:
                    groups[root] = groups.get(root, 0) | 1 << number
                    enclosing[root] = enclosing.get(root, 0) | space
    for node in reversed(fusion.order):
        if node in stop:
            continue
        together, there = groups.get(node, 0), enclosing.get(node, 0)
        for user in users[node]:
            together |= groups.get(user, 0)
            there |= enclosing.get(user, 0)
        if there:
            groups[node], enclosing[node] = together, there
    return groups, enclosing, spaces


def _extents(space: Shape) -> tuple[int, ...]:
    """Returns a key of a space. Sizes with one value have one hash, and programs have hundreds of them."""
    return tuple([getattr(extent, "symbol", ~extent) for extent in space])


def _roots(stage: Stage) -> Iterator[Node]:
    yield stage.value
    if stage.scatter is not None:
        yield from index_nodes(stage.scatter)


def _cost(node: Node, stop: Container[Node], most: int) -> int:
    """What an element costs beyond reading it, counted up to `most`: arithmetic, and the arrays that are
    read for it."""
    cost = arithmetic(node, most + READ_COST, stop) - READ_COST
    pending, seen = [node], {node}
    while pending and cost < most:
        current = pending.pop()
        if current is not node and (current in stop or current.op.source == "array"):
            cost += READ_COST if current.shape else 0
        elif current.op.family in ("elementwise", "movement", "gather") or is_unrolled(current):
            fresh = [source for source in current.inputs if source not in seen]
            seen.update(fresh)
            pending.extend(fresh)
    return cost
