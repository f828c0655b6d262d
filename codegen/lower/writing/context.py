"""`GroupWriter`: the interface that schedules write a kernel with: the group, its loop nest, the builder,
blocks of axes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager

from ....ir.expr import ONE, Expr, ceil_div, less, maximum, symbol
from ....ir.index import FIXED, Dims, index_nodes
from ....ir.node import Node, topological
from ....ir.passes.groups import Group
from ....ir.passes.stages import Decide, Stage
from ....ir.record import fresh, mutable, replace
from ....ir.types import U32, U64
from ...kernel.builder import KernelBuilder
from ...kernel.nodes import Buffer, Value
from ..machine import PROCESSOR, Machine
from .nest import Axis, Nest, plan_nest, store_place
from .writer import KernelWriter, Memory

TILE = 16384
"""Elements of a block of a reduction that is cut into blocks: the result depends on it, on every machine."""
TILE_COST, LEAST_TILE = 1 << 17, 512
"""Additions from which a workgroup's tile has fewer elements, as threads share it: some microseconds of work.
And the fewest elements: a thread takes as long to begin as costly ones take."""
ENOUGH = 64
"""The rows from which on blocks consist of whole ones."""
NARROW = 16
"""Below this extent an inner axis is too short for vectors along it."""
SQUARE = 64
"""Rows and columns of a tile of accesses across rows, so that cache lines are used whole."""


class LoweringContext(metaclass=mutable):
    """The context that the kernels of a plan share."""

    memories: dict[Node, Memory]
    inlined: set[Node]
    extents: dict[int, Expr]
    decide: Decide
    streamed: set[Node]
    """Nodes that no later step reads: they may be written by streaming stores."""
    counters: set[Node] = fresh(factory=set)
    """Loop counters: rank-0 parameters of regions that are scalars of a kernel."""
    machine: Machine = PROCESSOR


class Blocks(metaclass=mutable):
    """A reduced axis cut into blocks of `size`; `number` is the current block's, known inside the kernel."""

    axis: Axis
    size: Expr
    count: Expr
    number: Value | None = None


def next_position(build: KernelBuilder, at: Sequence[Value], sizes: Sequence[Value]) -> list[Value]:
    """Returns the next positions on axes, the last axis fastest."""
    zero, one = build.constant(0), build.constant(1)
    values: list[Value] = []
    carried: Value | None = None
    for place, size in zip(reversed(at), reversed(sizes), strict=True):
        moved = place + one
        if carried is not None:
            moved = build.select(carried, moved, place)
        if len(values) == len(at) - 1:
            values.append(moved)
            break
        full = moved.equals(size)
        values.append(build.select(full, zero, moved))
        carried = full if carried is None else carried & full
    return values[::-1]


class GroupWriter:
    """The kernel of one group being written."""

    def __init__(self, group: Group, context: LoweringContext) -> None:
        self.context = context
        self.blocks: Blocks | None = None
        self.workgroup = 1
        """Lanes of the kernel's workgroups."""
        self.launches = ONE
        """Launches of the kernel, one after another, each of which reads its number as `LAUNCH`."""
        self.nest: Nest = plan_nest(
            group, context.memories, context.inlined, context.extents, context.machine.lanes > 1
        )
        self.group = group = _with_unrolled_axes(group, context)
        stored = [stage for stage in group.stages if stage.stored]
        found = [stage.reduction.found for stage in stored if stage.reduction.found is not None]
        nodes = [*found, *(stage.node for stage in stored)]
        written = {context.memories[node].buffer for node in nodes}
        self.writer = KernelWriter(_name(group), context.memories, context.inlined, written)
        self.writer.absorbed = self.nest.absorbed
        self.writer.counters = context.counters
        self.writer.computing = {stage.node for stage in group.stages}
        self.writer.fault_dtype = U64 if context.machine.wide_faults else U32
        self.build = self.writer.build
        self.moved = self.nest.bytes_moved()

    def cut_blocks(self) -> Expr:
        """Cuts a reduced axis into blocks of about a tile; returns their number. The axis is the outermost
        one that gives enough blocks, so that a block has whole rows, else the innermost."""
        nest = self.nest
        *outer, cut = nest.reduced
        for axis in outer:
            if self.context.decide(less(ENOUGH - 1, nest.extents[axis])):
                cut = axis
                break
        rest = nest.count([axis for axis in nest.reduced if axis != cut])
        size = maximum(TILE // maximum(rest, 1), 1)
        count = ceil_div(nest.extents[cut], size)
        self.blocks = Blocks(cut, size, count)
        return count

    def element_cost(self) -> int:
        """Estimates the cost of one step of the inner loop, in additions."""
        stages = self.group.stages
        nodes = {stage.node for stage in stages}
        seen: set[Node] = set()
        pending = [stage.value for stage in stages]
        total = 0
        for stage in stages:
            if stage.scatter is not None:
                total += stage.scatter.op.cost
                pending.extend(index_nodes(stage.scatter))
        while pending:
            node = pending.pop()
            if node in seen or (node in self.context.memories and node not in nodes):
                continue
            seen.add(node)
            total += node.op.cost
            pending.extend(node.inputs)
        return max(total, 1)

    def tile(self) -> int:
        """Returns the elements of a workgroup's tile: the machine's, or a smaller power of two where each
        element costs much."""
        fitting = max(TILE_COST // self.element_cost(), LEAST_TILE)
        return min(self.context.machine.tile, 1 << fitting.bit_length() - 1)

    def take_block(self, group: Value) -> tuple[Value, Expr]:
        """Splits a workgroup's number into (row or strip, block); without blocks it is the row."""
        if self.blocks is None:
            return group, ONE
        count = self.writer.index(self.blocks.count)
        self.blocks.number = group % count
        return group // count, self.blocks.count

    def range_of(self, axis: Axis, block: Value | None = None) -> tuple[Value, Value]:
        """Returns the range of a loop over an axis: all of it, that of a block, or of the current block."""
        build, extent = self.build, self.writer.index(self.nest.extents[axis])
        if self.blocks is None or self.blocks.axis != axis:
            return build.constant(0), extent
        number = self.blocks.number if block is None else block
        assert number is not None
        size = self.writer.index(self.blocks.size)
        lower = number * size
        return lower, build.minimum(lower + size, extent)

    def over(
        self,
        axes: Sequence[Axis],
        carried: Sequence[Value],
        innermost: Callable[[Sequence[Value]], Sequence[Value]],
    ) -> Sequence[Value]:
        """Loops over some axes. `innermost` writes the loop over the last one, from the carried values to the
        next ones."""
        axis, *inner = axes
        if not inner:
            return innermost(carried)

        def step(i: Value, *now: Value) -> Sequence[Value]:
            self.writer.axes[axis] = i
            return self.over(inner, now, innermost)

        return self.build.carry(*self.range_of(axis), carried, step)

    def row_range(self, block: Value, height: Expr, rows: Expr) -> tuple[Value, Value]:
        """Returns the row range of a block."""
        build, writer = self.build, self.writer
        lower = block * writer.index(height)
        return lower, build.minimum(lower + writer.index(height), writer.index(rows))

    def row_loop(self, block: Value, height: Expr, rows: Expr) -> AbstractContextManager[tuple[Value, ...]]:
        return self.build.loop(*self.row_range(block, height, rows))

    def set_axes(self, axes: Sequence[Axis], linear: Value) -> None:
        """Sets positions on several axes from a linear index."""
        for axis in reversed(axes[1:]):
            extent = self.writer.index(self.nest.extents[axis])
            self.writer.axes[axis] = linear % extent
            linear = linear // extent
        if axes:
            self.writer.axes[axes[0]] = linear

    @contextmanager
    def lane_each(self, axes: Sequence[Axis], lanes: int, group: Value) -> Iterator[Expr]:
        """Sets each lane of a workgroup at a position of its own on some axes, where there are so many; gives
        the number of workgroups."""
        self.workgroup = lanes
        count = self.nest.count(axes)
        position = group * lanes + self.build.lane_id()
        with self.build.when(position < self.writer.index(count)):
            self.set_axes(axes, position)
            yield ceil_div(count, lanes)

    def each_row(self, axes: Sequence[Axis], lower: Value, upper: Value, body: Callable[[], None]) -> None:
        """Runs `body` at each of a range of positions on several axes, with one division at the start of the
        range."""
        if len(axes) == 1:
            with self.build.loop(lower, upper) as (self.writer.axes[axes[0]],):
                body()
            return
        sizes = [self.writer.index(self.nest.extents[axis]) for axis in axes]
        self.set_axes(axes, lower)

        def row(_number: Value, *at: Value) -> list[Value]:
            self.writer.axes.update(zip(axes, at, strict=True))
            body()
            return next_position(self.build, at, sizes)

        self.build.carry(lower, upper, [self.writer.axes[axis] for axis in axes], row)

    def stream_flag(self, also: Expr = ONE) -> Value | None:
        """Whether this launch moves so much that its results would evict other data from the caches, and
        `also` is true."""
        if not self.context.machine.streams:
            return None
        flag = self.writer.index(less(symbol("device.stream_bytes"), self.moved) * also)
        return flag.differs(0)

    def store_all(self, stages: Sequence[Stage], stream: Value | None = None) -> None:
        """Evaluates stages at the current position, then writes them."""
        values = []
        for stage in stages:
            if stage.stored:
                node = stage.node if stage.kind in ("reduce", "scan") else stage.value
                dims = stage.kept_dims if stage.kind == "reduce" else stage.dims
                values.append((stage, self.writer.value(node, dims)))
        for stage, value in values:
            self.store(stage, value, stream if stage.node in self.context.streamed else None)
            if stage.reduction.found is not None:
                found = self.context.memories[stage.reduction.found], stage.kept_dims
                self._store_to(*found, stage, self.writer.results[stage.reduction.found, stage.kept_dims])

    def store(self, stage: Stage, value: Value, stream: Value | None = None) -> None:
        with self.where_inside(stage):
            self._store_to(*store_place(stage, self.context.memories), stage, value, stream)

    @contextmanager
    def where_inside(self, stage: Stage) -> Iterator[None]:
        """Guards the code inside by the bounds of a stage's positions."""
        inside = self.resolve(stage)
        with ExitStack() as stack:
            if inside is not None:
                stack.enter_context(self.build.when(inside))
            yield

    def resolve(self, stage: Stage) -> Value | None:
        """Computes the positions that a stage writes to; returns whether they are in bounds (None: yes)."""
        return None if stage.scatter is None else self.writer.resolve(stage.scatter, stage.dims)

    def place(self, stage: Stage) -> tuple[Buffer, Value]:
        """Returns the memory position that a stage writes: known, and in bounds."""
        return self.writer.element(*store_place(stage, self.context.memories))

    def put(self, stage: Stage, mask: Value | None = None) -> None:
        """Evaluates a stage at the current position and writes it, or only where the mask is true, at a known
        position in bounds."""
        value = self.writer.value(stage.value, stage.dims)
        self._store_to(*store_place(stage, self.context.memories), stage, value, mask=mask)

    def _store_to(
        self,
        memory: Memory,
        dims: Dims,
        stage: Stage,
        value: Value,
        stream: Value | None = None,
        mask: Value | None = None,
    ) -> None:
        buffer, position = self.writer.element(memory, dims)
        if self.blocks is not None and self.blocks.number is not None and self._of_block(stage):
            results = self.writer.index(self.nest.count(stage.kept))
            shift = self.blocks.number * results
            position = position + shift
        self.combine(stage, buffer, position, value, mask, stream)

    def combine(
        self,
        stage: Stage,
        buffer: Buffer,
        position: Value,
        value: Value,
        mask: Value | None = None,
        stream: Value | None = None,
    ) -> None:
        """Writes a value to an element, or combines it with the one there."""
        kind = "set" if stage.scatter is None else stage.scatter.attribute("kind")
        if kind != "set":
            value = self.build.emit(kind, (self.build.load(buffer, position, mask), value))
        self.build.store(buffer, position, value, mask, stream)

    def resolve_fixed(self) -> None:
        """Computes here the index positions that are constant in the kernel."""
        pending: list[Node] = []
        for stage in self.group.stages:
            pending.extend((stage.value,) if stage.scatter is None else (stage.value, stage.scatter))
        seen: set[Node] = set()
        while pending:
            node = pending.pop()
            if node in seen or (node in self.context.memories and node not in self.writer.computing):
                continue
            seen.add(node)
            indices = index_nodes(node)
            if indices and not indices[0].shape and self.writer.computing.isdisjoint(topological(indices)):
                shape = node.shape if node.op.family == "gather" else node.inputs[1].shape
                self.writer.resolve(node, (FIXED,) * len(shape))
            pending.extend(node.inputs)

    @staticmethod
    def _of_block(stage: Stage) -> bool:
        """Whether each block has a result of its own."""
        return stage.kind in ("reduce", "product") or stage.carry.totals

    def keep_stored(self, stages: Sequence[Stage]) -> None:
        """Makes later passes load the results of these stages: computing them again could read overwritten
        elements."""
        for stage in stages:
            if stage.window is None and stage.scatter is None:
                memory, _ = store_place(stage, self.context.memories)
                self.writer.kept[stage.node, stage.dims] = memory

    def of_phase(self, phase: Sequence[Stage]) -> tuple[list[Stage], list[Stage]]:
        """Returns the reductions of a pass over the rows, and the stores at each position."""
        reductions = [stage for stage in phase if stage.kind == "reduce"]
        return reductions, [stage for stage in phase if stage.kind == "store" and not self.per_row(stage)]

    @property
    def row_results(self) -> list[Stage]:
        """Stores the results that each row has once."""
        return [stage for stage in self.group.stages if self.per_row(stage)]

    def per_row(self, stage: Stage) -> bool:
        """Whether a stage is stored once for each row."""
        return stage.stored and not any(axis in self.group.reduced for axis in stage.kept)


class Schedule(ABC):
    """A schedule, which writes the kernel of a group."""

    def __init__(self, writing: GroupWriter) -> None:
        self.writing, self.build, self.writer = writing, writing.build, writing.writer
        self.context, self.group, self.nest = writing.context, writing.group, writing.nest

    @abstractmethod
    def write(self) -> Expr:
        """Returns the number of workgroups."""

    @classmethod
    def of(cls, writing: GroupWriter) -> Expr:
        return cls(writing).write()


def _with_unrolled_axes(group: Group, context: LoweringContext) -> Group:
    """Returns the group with a stage for each element of short axes, in place of stages along them."""
    for axis in group.unrolled:
        extent = context.extents[axis].value
        assert extent is not None
        stages = [
            replace(stage, component={**stage.component, axis: element})
            for stage in group.stages
            for element in range(extent if axis in stage.axes else 1)
        ]
        group = replace(group, stages=stages)
    return group


def phases_of(group: Group, memories: Container[Node]) -> list[list[Stage]]:
    """Sorts stages by the number of reductions of the group that must finish before them. A stage that
    overwrites what others read has the phase of the last of these, or a later one.

    `memories`: values in memory, which are known before unless the group itself computes them.
    """
    least: dict[Node, int] = {}
    while True:
        phases = _phases(group, memories, least)
        phase_of = {stage.node: number for number, phase in enumerate(phases) for stage in phase}
        late = {
            stage.node: last
            for stage in group.stages
            if (last := max([phase_of.get(other.node, 0) for other in stage.after], default=0))
            > phase_of[stage.node]
        }
        if not late:
            return phases
        least |= late


def _phases(group: Group, memories: Container[Node], least: Mapping[Node, int]) -> list[list[Stage]]:
    """Returns the stages by phases. `least`: the first phase that may be a node's."""
    nodes = {stage.node for stage in group.stages}
    reductions = {stage.node: stage for stage in group.stages if stage.kind == "reduce"}
    needed: dict[Node, int] = {}
    """The phase that computes each node."""
    level: dict[Node, int] = {}
    phases: list[list[Stage]] = []
    for stage in group.stages:
        wanted = [stage.value, *(() if stage.scatter is None else index_nodes(stage.scatter))]
        pending = list(wanted)
        while pending:
            node = pending[-1]
            if node in reductions and node is not stage.node:
                needed[node] = level[node] + 1
            elif node in memories and node not in nodes:
                needed[node] = 0
            elif node not in needed:
                missing = [source for source in node.inputs if source not in needed]
                if missing:
                    pending += missing
                    continue
                needed[node] = max([least.get(node, 0), *(needed[source] for source in node.inputs)])
            pending.pop()
        phase = max([needed[node] for node in wanted])
        if stage.kind == "reduce":
            level[stage.node] = phase
        phase = max(phase, least.get(stage.node, 0))
        while len(phases) <= phase:
            phases.append([])
        phases[phase].append(stage)
    return phases


def _computed_by(value: Node) -> str:
    """The operation that makes a value, whatever shape it is given then."""
    while value.op.renames and value.inputs[0].inputs:
        value = value.inputs[0]
    kind = value.attribute("kind") if value.op.family == "reduce" else value.op.name
    assert isinstance(kind, str)
    return kind


def _name(group: Group) -> str:
    """Returns a readable name, from the ops of the group's stages."""
    parts = dict.fromkeys(
        f"scan_{stage.reducer}" if stage.kind == "scan" else stage.reducer or _computed_by(stage.value)
        for stage in group.stages
    )
    return "_".join(list(parts)[:4])
