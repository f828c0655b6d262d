"""The input and the result of fusion: limits of the device, and groups of stages that share a loop nest."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence

from ..expr import Expr, less, product
from ..index import Dims
from ..node import Node
from ..record import fresh, mutable, record
from .cost import arithmetic
from .stages import Decide, Stage

COSTLY = 20
"""Cost of what is made of a row's result from which it is rather made for many rows at once, in vectors."""
MOST_COST = 128
"""As far as that cost is counted."""
SHORT_ROW = 8
"""Elements of a row, for each unit of that cost, below which the row itself takes less time."""
MANY_ROWS = 1024
"""Rows from which that is worth a kernel of its own."""
LONG_ROW = 65536
"""Rows from this length on are cut into blocks where there are few of them."""
FEW_ROWS = 64


class Reach(metaclass=record):
    """The halo of a tile: how far beyond it an array is read on every axis, from the tile's begin moved by
    `lower` to its end moved by `upper`."""

    lower: tuple[Expr, ...]
    upper: tuple[Expr, ...]

    @property
    def margins(self) -> tuple[Expr, ...]:
        return tuple(upper - lower for lower, upper in zip(self.lower, self.upper, strict=True))


class WritePlan(metaclass=mutable):
    """The memory that results are written to, as fusion has to know it."""

    outputs: tuple[Node, ...]
    memory_of: dict[Node, Node] = fresh(factory=dict)
    """Nodes that are written into the memory of another: of a parameter, or of the update before."""
    targets: dict[Node, Node] = fresh(factory=dict)
    """The parameter whose memory a node is in the end written to."""
    taken: set[Node] = fresh(factory=set)
    """What loops start from whose memory they write to, on the way to such a parameter's."""
    keep: dict[Node, str] = fresh(factory=dict)
    """Values that go to memory of their own first, and why."""


class Group(metaclass=mutable):
    """Stages that share one loop nest."""

    stages: list[Stage]
    parallel: list[int]
    reduced: list[int]
    blocked: bool = False
    """Whether a long reduction is cut into blocks whose partial results are combined by a second kernel."""
    windowed: bool = False
    """Two stages that fill one array: what was there before, and the window of it that an update writes."""
    inner: int | None = None
    """The innermost axis, where that is decided already."""
    unrolled: list[int] = fresh(factory=list)
    """Short axes whose elements are computed side by side in each step of the loops."""
    shared: list[Node] = fresh(factory=list)
    """Values that are computed once for all elements along the unrolled axes."""
    scratch: Mapping[Node, Node] = fresh(factory=dict)
    """Nodes that are written tile by tile for the group alone, and the arrays that they are written to."""
    reaches: Mapping[Node, Reach] = fresh(factory=dict)
    """Of every array of such a group."""
    chain: list[Group] = fresh(factory=list)
    """The groups that this one consists of, where each takes what the one before it makes, element by
    element: see `chains`."""

    @property
    def is_scalar(self) -> bool:
        """Whether it has no loops at all."""
        return not (self.parallel or self.reduced or self.unrolled)


class Fusion(metaclass=mutable):
    """Groups in an order that can run, and what is in memory and why."""

    groups: list[Group]
    stored: dict[Node, str]
    inlined: set[Node]
    """Small reductions computed inside their users' loops."""
    extents: dict[int, Expr]
    """The extent of each loop axis."""
    order: list[Node]
    """Every node of the graph, inputs first."""
    buffers: dict[Node, Node] = fresh(factory=dict)
    """Updates that write into the memory of another node."""
    overwriting: dict[Node, Node] = fresh(factory=dict)
    """The same from the other side: what writes into the memory of a node."""
    reads: dict[Stage, tuple[Node, ...]] = fresh(factory=dict)
    """What each stage reads from memory, or takes from others of its group."""


def is_long(group: Group, extents: Mapping[int, Expr], decide: Decide) -> bool:
    """Whether its rows are cut into blocks."""
    row = product(extents[axis] for axis in group.reduced)
    rows = product(extents[axis] for axis in group.parallel)
    return decide(less(LONG_ROW - 1, row)) and decide(less(rows, FEW_ROWS))


def follows(group: Group, other: Group, needs: Mapping[Stage, Sequence[Stage]]) -> bool:
    """Whether a stage of one group needs one of the other."""
    stages = set(other.stages)
    return any(not stages.isdisjoint(needs[stage]) for stage in group.stages)


def writes_alone(group: Group, stage: Stage) -> bool:
    """Whether all that a group does is to write elements over the space of a stage."""
    stores = all(each.kind == "store" and each.scatter is None for each in group.stages)
    return stores and not group.reduced and set(group.parallel) == set(stage.axes)


def follows_blocks(stage: Stage, own: Group, target: Group, needs: Mapping[Stage, Sequence[Stage]]) -> bool:
    """Whether a stage may join the kernel that combines blocks, and reductions of its group theirs: none of
    them needs another's result, but for the centers of deviations, which only that kernel takes."""
    if stage.kind != "store" or not target.blocked or own.blocked != bool(own.reduced):
        return False
    stages = (*own.stages, *target.stages)
    reductions = (each for each in stages if each.kind != "store" and each.reduction.deviations is None)
    return not any(need in stages for reduction in reductions for need in needs[reduction])


def match_axes(
    own: Group, target: Group, dims: Dims, producer: Stage, extents: Mapping[int, Expr]
) -> dict[int, int] | str:
    """Rename own's axes to target's, or say why their loops differ."""
    renamed: dict[int, int] = {}
    for dim, axis in zip(dims, producer.kept, strict=True):
        assert isinstance(dim.axis, int)
        renamed[dim.axis] = axis
    rest = [axis for axis in (*own.parallel, *own.reduced) if axis not in renamed]
    matched = set(renamed.values())
    missing = [axis for axis in (*target.parallel, *target.reduced) if axis not in matched]
    own_reduced = [renamed.get(axis, axis) for axis in own.reduced]
    if not target.reduced:
        if missing:
            return "its loop runs over more axes than its user's"
        if rest and rest != own.reduced:
            return "it is repeated along an axis that its own loop does not have"
    elif matched & set(target.reduced):
        if missing or rest:
            return "its loop runs over other axes than its user's"
        if own_reduced and set(own_reduced) != set(target.reduced):
            return "the reductions run over different axes"
    else:
        if missing != target.reduced:
            return "its loop runs over more axes than its user's"
        if any(axis in renamed for axis in own.reduced) or (own.reduced and own.reduced != rest):
            return "the reductions run over different axes"
        if rest and [extents[axis] for axis in rest] != [extents[axis] for axis in missing]:
            return "it is used along axes that its own loop does not have"
        renamed.update(zip(rest, missing, strict=bool(rest)))
    return renamed


def outweighs_row(
    stage: Stage,
    own: Group,
    target: Group,
    renamed: Mapping[int, int],
    read: Container[Node],
    extents: Mapping[int, Expr],
    decide: Decide,
) -> bool:
    """Whether what a stage makes of the results of rows, one row at a time, costs more than a row of the
    group that it might join."""
    of_rows = set(renamed) == set(stage.axes) and not set(target.reduced) & set(renamed.values())
    if own.stages != [stage] or stage.kind != "store" or not target.reduced or not of_rows:
        return False
    cost = arithmetic(stage.value, MOST_COST, read)
    row = product(extents[axis] for axis in target.reduced)
    rows = product(extents[axis] for axis in target.parallel)
    return cost >= COSTLY and decide(less(row, SHORT_ROW * cost)) and decide(less(MANY_ROWS, rows))


def in_order(group_of: Mapping[Stage, Group], needs: Mapping[Stage, Sequence[Stage]]) -> list[Group]:
    """Groups in an order that can run; `needs`: the stages that each stage has to follow."""
    order: list[Group] = []
    state: dict[Group, bool] = {}
    stack = [(group, False) for group in reversed(dict.fromkeys(group_of.values()))]
    while stack:
        group, done = stack.pop()
        if done:
            state[group] = True
            order.append(group)
        elif group not in state:
            state[group] = False
            stack.append((group, True))
            needed = [group_of[need] for stage in group.stages for need in needs[stage]]
            for need in needed:
                assert need is group or state.get(need) is not False, "groups depend on each other"
                if need not in state:
                    stack.append((need, False))
    return order


def memory_root(node: Node, own: Container[Node] = ()) -> Node:
    """What a node is read from: reshapes and items in memory are other names for it, but for those of `own`,
    which lie in memory of theirs."""
    while node not in own and (node.op.family == "item" or node.op.renames):
        node = node.inputs[0]
    return node
