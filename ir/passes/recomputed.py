"""Values that several groups compute again, where that costs more than reading it."""

from __future__ import annotations

import functools
import operator
from collections.abc import Container, Iterable, Iterator

from ..index import index_nodes
from ..node import Node, Shape, topological, users_of
from .cost import COMPUTED, arithmetic, is_unrolled
from .groups import Fusion, Group
from .stages import Stage, has_own_loop

MANY_LEVELS = 5
"""Loops, each of which needs the one before, from which on a value that all of them compute is stored."""
READ_COST = 4
"""Cost of reading an element of an array, in additions."""
STORE_COST = 32
"""What computing an element again may cost before it is stored instead."""
LAUNCH_COST = 512
"""The same of a value that is smaller than the loops around it: storing it takes a loop of its own."""

REASON = "several kernels would compute it again"


def carried_on(outputs: Iterable[Node], kept: Container[Node]) -> dict[Node, str]:
    """Nodes that go to memory, known before fusion: values that an unrolled loop carries from step to step.

    The kernels of each step would compute them from the beginning. Steps are told apart by level: how many
    loops that need each other come before. Fewer than MANY_LEVELS of them compute a value again, and
    `recomputed` looks at those.
    """
    order = topological(tuple(outputs))
    ends = {node for node in outputs if node.op.family != "leaf"}
    level: dict[Node, int] = {}
    for node in order:
        below = max((level[source] for source in node.inputs), default=0)
        level[node] = below + has_own_loop(node)
    levels: dict[Node, int] = {}
    """Those of the loops that compute a node: a set as bits."""
    chosen: dict[Node, str] = {}
    users = users_of(order)
    for node in reversed(order):
        own = 1 << level[node]
        if node in ends or node in kept or has_own_loop(node):
            levels[node] = own
            continue
        found = [levels[user] for user in users[node]]
        levels[node] = functools.reduce(operator.or_, found, 0)
        if (
            levels[node].bit_count() >= MANY_LEVELS
            and levels[node] not in found
            and node.op.family in COMPUTED
            and _cost(node, kept, LAUNCH_COST) >= (READ_COST if node.shape else LAUNCH_COST // MANY_LEVELS)
        ):
            chosen[node] = REASON
            levels[node] = own
    return chosen


def recomputed(fusion: Fusion) -> dict[Node, str]:
    """Nodes that go to memory, each with its reason: what groups compute again costs more than reading it."""
    stop = {*fusion.stored, *(stage.node for group in fusion.groups for stage in group.stages)}
    inside = _Inside(stop)
    for group in fusion.groups:
        for stage in group.stages:
            inside.look_at(stage, group)
    chosen: dict[Node, str] = {}
    for node in fusion.order:
        groups = inside.groups.get(node, ())
        if len(groups) < 2 or node.op.family not in COMPUTED or inside.is_part(node):
            continue
        limit = STORE_COST if node.shape in inside.spaces[node] else LAUNCH_COST
        cost = _cost(node, stop, limit)
        if cost >= READ_COST and cost * (len(groups) - 1) >= limit:
            chosen[node] = REASON
            stop.add(node)
    return chosen


class _Inside:
    """Which nodes the loops of which groups compute without storing them."""

    def __init__(self, stop: Container[Node]) -> None:
        self.stop = stop
        self.groups: dict[Node, dict[Group, None]] = {}
        self.spaces: dict[Node, set[Shape]] = {}
        """The loops around each node."""
        self.users: dict[Node, dict[Node | None, None]] = {}
        """The nodes that each is computed for; None: a stage itself."""

    def look_at(self, stage: Stage, group: Group) -> None:
        if stage.kind in ("library", "product", "control"):
            return
        pending: list[tuple[Node, Node | None]] = [(root, None) for root in _roots(stage)]
        seen: set[Node] = set()
        while pending:
            node, user = pending.pop()
            if node is not stage.node and node in self.stop:
                continue
            self.users.setdefault(node, {})[user] = None
            if node in seen:
                continue
            seen.add(node)
            self.groups.setdefault(node, {})[group] = None
            self.spaces.setdefault(node, set()).add(stage.space)
            pending += [(source, node) for source in node.inputs]

    def is_part(self, node: Node) -> bool:
        """Whether each group that computes a node does so for one other node, the same in all."""
        groups = self.groups[node]
        return any(user is not None and self.groups[user] == groups for user in self.users[node])


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
        if current is not node and (current in stop or current.op.name == "parameter"):
            cost += READ_COST if current.shape else 0
        elif current.op.family in ("elementwise", "movement", "gather") or is_unrolled(current):
            fresh = [source for source in current.inputs if source not in seen]
            seen.update(fresh)
            pending.extend(fresh)
    return cost
