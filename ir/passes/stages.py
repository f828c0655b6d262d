"""Stages: the parts of a graph that need a loop of their own, before fusion puts them together.

A stage computes one node over an iteration space. A *store* stage runs over its node's shape and writes it;
a *reduce* stage runs over the shape of what it reduces. All other nodes are computed in registers inside the
stages that use them.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping
from typing import TYPE_CHECKING, Literal

from ..expr import ZERO, Expr, equal, less, lift
from ..index import (
    Dim,
    Dims,
    Maps,
    each_once,
    folds,
    index_nodes,
    into_reduction,
    is_number,
    looked_up,
    over,
    through,
    unrolled,
)
from ..node import Node, Shape, Walk
from ..record import fresh, mutable, record
from ..types import F32, F64
from .cost import EXPENSIVE, SHIFTED_COST, arithmetic, is_expensive, is_unrolled
from .margins import is_margin, operands_in_memory
from .short_axes import SideBySide

if TYPE_CHECKING:
    from .centered_sums import Deviation

Decide = Callable[[Expr], bool]
"""Whether a condition on sizes holds now; the answer becomes part of what the plan is valid for."""

LIBRARY_DTYPES = (F32, F64)

RUN_TIME = "it is read at positions computed at run time"

StageKind = Literal["store", "reduce", "scan", "library", "product", "control"]


class Limits(metaclass=record):
    """The limits of a device's kernels."""

    most_buffers: int | None = None
    """Buffers of one kernel; None: any number."""
    library_products: bool = True
    """Matrix products of LIBRARY_DTYPES are library steps."""
    small_products: bool = False
    """Stacks of small matrices are multiplied by kernels even so."""
    lane_products: bool = False
    """Kernels compute a tile of a product with many lanes, or results of small matrices with a lane each."""
    kernel_products: bool = False
    """Other products are kernels of their own kind, which store what is made of them."""
    packed_products: bool = False
    """Their kernels read operands of several axes where these lie."""
    large_products: bool = False
    """Those of floats are as fast as a library where that would wake threads of its own."""
    one_row_at_a_time: bool = True
    """What a kernel makes of the results of a row, it makes with one lane; vectors are for what is in it."""
    tiles: bool = False
    """What is read at neighbouring positions may be written tile by tile, to memory that stays in a cache."""
    scratch_elements: int = 0
    """Positions of a row up to which a kernel's passes find near them what those before them computed."""

    def product(self, node: Node) -> StageKind | None:
        """How a matrix product is computed; None: as a multiplication and a sum."""
        if self.library_products and not node.op.by_kernel and node.dtype in LIBRARY_DTYPES:
            return "library"
        return "product" if self.kernel_products else None

    @property
    def reason(self) -> str:
        return f"the device gives a kernel {self.most_buffers} buffers"


NO_LIMITS = Limits()
LEAST_CACHED = 32
"""Elements of a row."""


def stays_cached(node: Node, decide: Decide, limits: Limits) -> bool:
    """Whether a reduction is of rows that stay cached, and are long enough for a pass to be worth a call."""
    source = node.inputs[0]
    if not limits.scratch_elements or node.attribute("axes") != (len(source.shape) - 1,):
        return False
    extent = lift(source.shape[-1])
    return decide(less(LEAST_CACHED - 1, extent) * less(extent, limits.scratch_elements + 1))


class Window(metaclass=record):
    """The part of an array that an update writes: element start + step * i on each axis."""

    starts: tuple[int, ...]
    steps: tuple[int, ...]


class Reduction(metaclass=record):
    """The state of a reduction's lowering in its stage."""

    deviations: tuple[Deviation, Deviation] | None = None
    """Of a sum whose blocks are summed about their own means."""
    positions: Node | None = None
    """Of one that finds an element: what gives the position of each, where that is not counted."""
    found: Node | None = None
    """Of one that finds an element: what the element itself is written as, besides its position."""


class Carry(metaclass=record):
    """The state of a scan's lowering in blocks in its stage."""

    initial: Node | None = None
    """What has been combined at the end of each block before."""
    serial: bool = False
    """Whether one element is combined after another, whatever the scan runs along."""
    totals: bool = False
    """Whether nothing is written but what has been combined at the end."""


class LastWriter(metaclass=record):
    """The state of lowering a write whose last element wins, in its stage."""

    last: Node | None = None
    """The number of that element for each place, counted from 1."""
    ordinals: bool = False
    """Whether it is this array that is written."""


class Stage(metaclass=mutable):
    """One loop nest: `value` evaluated over `space`, reduced or stored as (a window of) `node`."""

    node: Node
    kind: StageKind
    value: Node
    space: Shape
    reduced: tuple[int, ...] = ()
    reducer: str = ""
    """What a reduce or scan stage combines with: a name in `ops.REDUCERS`."""
    window: Window | None = None
    scatter: Node | None = None
    """The node whose positions, known at run time, say where the value is written."""
    reduction: Reduction = Reduction()
    carry: Carry = Carry()
    last_writer: LastWriter = LastWriter()
    axes: list[int] = fresh(factory=list)
    """The loop axis of each dimension of the space; fusion makes axes of several stages one."""
    component: Mapping[int, int] = fresh(factory=dict)
    """Loop axes on which the stage stands still, and where: it computes these elements alone."""
    after: tuple[Stage, ...] = ()
    """Stages that must have run, besides those whose results it reads."""
    stored: bool = False
    """Whether the result goes to memory (else it lives only inside its group)."""
    reason: str = ""
    """Why it goes to memory."""

    @property
    def kept(self) -> tuple[int, ...]:
        """Loop axes of the result's dimensions."""
        if not self.reduced:
            return tuple(self.axes)
        return tuple([axis for position, axis in enumerate(self.axes) if position not in self.reduced])

    @property
    def dims(self) -> Dims:
        """Where the stage is, on every dimension of its space."""
        return self._at(tuple(self.axes))

    @property
    def kept_dims(self) -> Dims:
        """Where the stage is, on the dimensions of its result."""
        return self._at(self.kept)

    def _at(self, axes: tuple[int, ...]) -> Dims:
        still = self.component
        if not still:
            return over(axes)
        return tuple([Dim(None, lift(still[axis]), ZERO) if axis in still else Dim(axis) for axis in axes])

    @property
    def in_order(self) -> tuple[int, ...]:
        """Loop axes over which elements are written one after another: several may go to one place."""
        if self.scatter is None or self.scatter.attribute("unique"):
            return ()
        position = self.scatter.attribute("position")
        return tuple(self.axes[position : position + len(index_nodes(self.scatter)[0].shape)])

    @property
    def fusible(self) -> bool:
        """Whether a user in the same group could take the result from registers."""
        return (
            self.window is None
            and self.node.op.family != "update"
            and self.kind in ("store", "reduce", "scan", "product")
        )


def find_stored(graph: Walk, kept: Mapping[Node, str], limits: Limits = NO_LIMITS) -> dict[Node, str]:
    """Nodes that must be materialized whatever fusion does, each with its reason.

    `kept`: nodes already known to.
    """
    order, users = graph.order, graph.users
    stored: dict[Node, str] = {node: reason for node, reason in kept.items() if node.op.source != "array"}

    beside = SideBySide(users, stored)

    def keep(node: Node, reason: str) -> None:
        if node.op.source != "array":
            stored.setdefault(node, reason)

    for node in graph.outputs:
        keep(node, "it is an output")
    for node in order:
        if node.op.family == "contract":
            if limits.product(node) == "library":
                keep(node, "a matrix product is a library call")
            for source in operands_in_memory(node):
                keep(source, "a matrix product reads its operands from memory")
        elif node.op.family == "control":
            name = node.op.title or node.op.name
            keep(node, f"a {name} is a step of its own")
            assert node.op.memory_operands is not None, node
            for source in node.op.memory_operands(node):
                if source.op.source != "undefined":  # else nothing is to be read
                    keep(source, f"a {name} reads its operands from memory")
        elif node.op.family == "item":
            keep(node, "it is a result of a step of its own")
        elif node.op.family == "update":
            if not is_margin(node, users, graph.outputs):
                keep(node, "part of an array is written")
        elif node.op.family == "gather":
            if not _is_read_in_place(node.inputs[0]):
                keep(node.inputs[0], RUN_TIME)
        elif node.op.family == "movement" and node.inputs and not folds(node):
            keep(node.inputs[0], "a reshape that splits or joins axes needs it in memory")
            keep(node, "")
        else:
            again = node.op.repetition(node)
            if again and is_expensive(node.inputs[0]) and not (node.op.repeats and beside.covers(node)):
                keep(node.inputs[0], f"it is costly and would be computed again for every {again}")
        if is_shifted(node, users[node]):
            keep(node, "it would be computed again at several shifted positions")
    if limits.most_buffers is not None:
        _cut_expressions(order, stored, limits)
    return stored


def _cut_expressions(order: Iterable[Node], stored: dict[Node, str], limits: Limits) -> None:
    """Store parts of expressions that read more arrays than a kernel can, one buffer left for the result."""
    assert limits.most_buffers is not None
    read: dict[Node, frozenset[Node]] = {}
    """The arrays that are read where a node is used."""
    for node in order:
        sources = [read[source] for source in node.inputs]
        most = limits.most_buffers - (node.op.family == "scan")  # it may read where its blocks begin, too
        while len(arrays := frozenset[Node]().union(*sources)) >= most:
            widest = max(range(len(sources)), key=lambda position: len(sources[position]))
            if len(sources[widest]) == 1:
                break  # a single operation reads them
            part = node.inputs[widest]
            while part.op.complete:
                part = part.inputs[0]
            stored.setdefault(part, limits.reason)
            sources[widest] = read[part] = frozenset((part,))
        if node in stored or node.op.source == "array" or has_own_loop(node):
            arrays = frozenset((node,))
        read[node] = arrays


def has_own_loop(node: Node) -> bool:
    """Whether a value comes from another loop than its user's, or from another step."""
    return node.op.family in ("scan", "contract", "update", "control", "item") or (
        node.op.family == "reduce" and not is_unrolled(node)
    )


def _is_read_in_place(node: Node) -> bool:
    """Whether what is read at run-time positions is computed there: cheap, and of one array at most."""
    pending, seen, arrays = [node], {node}, 0
    while pending:
        current = pending.pop()
        if current.op.source == "array" or current.op.family in ("update", "contract", "control", "item"):
            arrays += bool(current.shape)
        elif current.op.family == "gather" and not index_nodes(current)[0].shape:
            pending.append(current.inputs[0])
        elif current.op.family not in ("elementwise", "movement", "leaf") or current.op.cost >= EXPENSIVE:
            return False
        elif current.op.family == "movement" and current.inputs and not folds(current):
            arrays += 1
        else:
            fresh = [source for source in current.inputs if source not in seen]
            seen.update(fresh)
            pending.extend(fresh)
        if arrays > 1 or len(seen) > EXPENSIVE:
            return False
    return True


def is_shifted(node: Node, users: list[Node]) -> bool:
    """Whether a node is stored, as it would be computed again at several shifted positions."""
    return node.op.family != "movement" and _repeated_cost(node, users) >= SHIFTED_COST


def _repeated_cost(node: Node, users: list[Node]) -> int:
    """What it costs to compute an element again for every shifted position it is read at."""
    wraps = {user for user in users if user.op.shift == "cyclic"}
    shifted = len({user for user in users if user.op.shift})
    shifted += bool(wraps) and any(user.op.family != "movement" for user in users)
    return arithmetic(node, SHIFTED_COST) * (shifted - 1) if shifted > 1 else 0


def reads(root: Node, dims: Dims, stop: Container[Node], skip_root: bool) -> dict[Node, Maps]:
    """The nodes of `stop` and parameters an expression looks at, with the index maps used.

    `skip_root`: the root itself is being computed, so it is looked into even if it is in `stop`.
    """
    found: dict[Node, Maps] = {}
    pending: list[tuple[Node, Dims]] = [(root, dims)]
    for node, at, seen in each_once(pending):
        if (node in stop and not (skip_root and node is root)) or node.op.source == "array":
            found.setdefault(node, {})[at] = None
        elif node.op.family == "movement":
            if node.inputs:
                pending.append((node.inputs[0], through(node, at)))
        elif node.op.family == "reduce":
            loops = tuple(Dim((node, axis)) for axis in node.attribute("axes"))
            maps = unrolled(node, at) if is_unrolled(node) else [into_reduction(node, at, loops)]
            pending.extend((node.inputs[0], dims) for dims in maps)
        elif node.op.family == "gather":
            own, source = looked_up(node, at)
            pending.append((node.inputs[0], source))
            pending.extend((index, own) for index in index_nodes(node))
        else:
            pending += [
                (source, at)
                for source in node.inputs
                if source not in seen and (source in stop or not is_number(source))
            ]
    return found


def stage_reads(stage: Stage, stop: Container[Node]) -> dict[Node, Maps]:
    """`reads` of all that a stage that is a loop nest looks at: its value, and where that is written."""
    dims = stage.dims
    found = reads(stage.value, dims, stop, stage.value is stage.node)
    if stage.scatter is not None:
        own, _ = looked_up(stage.scatter, dims)
        for index in index_nodes(stage.scatter):
            for node, maps in reads(index, own, stop, False).items():
                found.setdefault(node, {}).update(maps)
    return found


def comes_after(part: Stage, last: Stage, decide: Decide) -> bool:
    """Whether two stages write parts of one array, the first of them beyond the other on the first axis where
    they differ, over equal spaces: then parts that come one after another are all apart."""
    if part.window is None or last.window is None:
        return False
    starts, before = part.window.starts, last.window.starts
    axis = next((axis for axis, start in enumerate(starts) if start != before[axis]), None)
    if axis is None or part.window.steps[axis] != 1 or last.window.steps[axis] != 1:
        return False
    extents = [(lift(x), lift(y)) for x, y in zip(part.space, last.space, strict=True)]
    return decide(less(lift(before[axis]) + extents[axis][1], lift(starts[axis]) + 1)) and all(
        x is y or decide(equal(x, y)) for x, y in extents
    )
