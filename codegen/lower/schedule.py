"""Schedules for machines whose lanes loops are vector instructions and whose workgroups are tiles.

Three shapes of loop nest: *map* (no reduction), *rows* (the innermost axis is reduced: a row at a time, its
consumers following while it is in cache) and *columns* (another axis is reduced: accumulators for a strip of
columns). The sum of a row is the same for any tile size and thread count.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from ...ir.expr import ONE, Expr, ceil_div, floor_div, less, maximum, minimum, mul, symbol
from ...ir.index import Dim, Dims
from ...ir.node import Node
from ...ir.ops import REDUCERS, Reducer
from ...ir.passes.fuse import Decide, Group
from ...ir.passes.stages import Stage
from ..kernel.nodes import Buffer, Kernel, Value
from .nest import Axis, Nest, plan_nest, store_memory
from .writer import KernelWriter, Memory

TILE = 16384
"""Elements of a workgroup's tile, about 10 µs of work."""
BLOCK = 4096
"""Elements of a row that one reduction loop takes; blocks' results combine in order."""
STRIP = 512
"""Columns of a strip whose accumulators stay in the first cache."""
NARROW = 16
"""Below this extent an inner axis is too short for vectors along it."""


@dataclass(slots=True)
class Lowered:
    """A kernel with what the plan gives to each of its parameters."""

    kernel: Kernel
    buffers: tuple[int, ...]
    indices: tuple[Expr, ...]
    scalars: tuple[Node, ...]
    groups: Expr
    bytes_moved: Expr
    cost: Expr


@dataclass(slots=True)
class Surroundings:
    """What the kernels of a plan share."""

    memories: dict[Node, Memory]
    inlined: set[Node]
    extents: dict[int, Expr]
    decide: Decide
    streamed: set[Node]
    """Nodes no later step reads: they may be written past the caches."""
    counters: set[Node] = field(default_factory=set)
    """Loop counters: rank-0 parameters of regions that reach a kernel as scalars."""


def lower_group(group: Group, around: Surroundings) -> Lowered:
    """Write the kernel of a group."""
    return _Scheduler(group, around).lower()


def lower_blocks(group: Group, around: Surroundings) -> tuple[Lowered, Expr]:
    """Write the kernel that reduces blocks of one axis to partial results, and the number of blocks.

    The group's stage writes block number b of its result at b * (elements of the result).
    """
    scheduler = _Scheduler(group, around)
    count = scheduler.cut_blocks()
    return scheduler.lower(), count


@dataclass(slots=True)
class _Blocks:
    """A reduced axis cut into blocks of `size`; `number` is the current block's, known inside the kernel."""

    axis: Axis
    size: Expr
    count: Expr
    number: Value | None = None


class _Scheduler:
    def __init__(self, group: Group, around: Surroundings) -> None:
        self.blocks: _Blocks | None = None
        self.group = group
        self.around = around
        self.nest: Nest = plan_nest(group, around.memories, around.inlined, around.extents)
        written = {around.memories[stage.node].buffer for stage in group.stages if stage.stored}
        self.writer = KernelWriter(_name(group), around.memories, around.inlined, self.nest.extents, written)
        self.writer.absorbed = self.nest.absorbed
        self.writer.counters = around.counters
        self.writer.computing = {stage.node for stage in group.stages}
        self.build = self.writer.build
        self.moved = self.nest.bytes_moved()
        self.phases = _phases(group)

    def lower(self) -> Lowered:
        nest = self.nest
        if not nest.reduced:
            groups = self._map()
        elif nest.inner in nest.parallel and not self.around.decide(less(nest.extents[nest.inner], NARROW)):
            groups = self._columns()
        else:
            groups = self._rows()
        writer = self.writer
        work = mul(nest.count([*nest.parallel, *nest.reduced]), _element_cost(self.group, self.around))
        return Lowered(
            self.build.finish(), tuple(writer.buffers), tuple(writer.indices), tuple(writer.scalars), groups, self.moved, work
        )

    def cut_blocks(self) -> Expr:
        """Cut the longest reduced axis into blocks of about a tile."""
        nest = self.nest
        longest = nest.reduced[-1]
        for axis in nest.reduced[:-1]:
            if self.around.decide(less(nest.extents[longest], nest.extents[axis])):
                longest = axis
        rest = nest.count([axis for axis in nest.reduced if axis != longest])
        size = maximum(floor_div(TILE, maximum(rest, 1)), 1)
        count = ceil_div(nest.extents[longest], size)
        self.blocks = _Blocks(longest, size, count)
        return count

    def _take_block(self, group: Value) -> tuple[Value, Expr]:
        """Split a workgroup's number into (row or strip, block); without blocks it is the row."""
        if self.blocks is None:
            return group, ONE
        count = self.writer.index(self.blocks.count)
        self.blocks.number = self.build.emit("remainder", (group, count))
        return self.build.emit("quotient", (group, count)), self.blocks.count

    # Maps -------------------------------------------------------------------------------------------
    def _map(self) -> Expr:
        nest, build = self.nest, self.build
        *outer, inner = nest.parallel or [None]
        if inner is None:
            with build.loop(build.constant(0), build.constant(1), kind="lanes"):
                self._store_all(self.group.stages, None)
            return ONE
        extent = nest.extents[inner]
        rows = nest.count(outer)
        width = minimum(maximum(extent, 1), TILE) if outer else TILE
        strips = ceil_div(extent, width)
        height = floor_div(TILE, width) if outer else ONE
        stream = self._stream()

        def strip(first: Value, index: Value) -> None:
            lower = build.mul(index, self.writer.index(width))
            upper = build.emit("minimum", (build.add(lower, self.writer.index(width)), self.writer.index(extent)))
            with build.loop(lower, upper, kind="lanes") as (i,):
                self.writer.axes[inner] = i
                self._store_all(self.group.stages, stream)

        group = build.group_id()
        if not outer:
            strip(build.constant(0), group)
            return strips
        block = build.emit("quotient", (group, self.writer.index(strips)))
        index = build.emit("remainder", (group, self.writer.index(strips)))
        with self._row_loop(block, height, rows) as (r,):
            self._set_axes(outer, r)
            strip(r, index)
        return mul(ceil_div(rows, height), strips)

    def _stream(self) -> Value:
        """Whether this launch moves so much that its results would only push other data out of the caches."""
        flag = self.writer.index(less(symbol("device.stream_bytes"), self.moved))
        return self.build.emit("ne", (flag, self.build.constant(0)))

    # Rows -------------------------------------------------------------------------------------------
    def _rows(self) -> Expr:
        nest, build = self.nest, self.build
        rows = nest.count(nest.parallel)
        height = ONE
        if self.blocks is None:
            height = maximum(floor_div(TILE, maximum(nest.count(nest.reduced), 1)), 1)
        group, blocks = self._take_block(build.group_id())
        with self._row_loop(group, height, rows) as (r,):
            self._set_axes(nest.parallel, r)
            for phase in self.phases:
                self._row_phase(phase)
            self._store_all([stage for stage in self.group.stages if self._per_row(stage)], None)
        return mul(ceil_div(rows, height), blocks)

    def _per_row(self, stage: Stage) -> bool:
        return stage.stored and not any(axis in self.group.reduced for axis in stage.kept)

    def _row_phase(self, phase: list[Stage]) -> None:
        """One pass over the reduced axes: reductions of this phase, and stores whose values are known."""
        reductions = [stage for stage in phase if stage.kind == "reduce"]
        stores = [stage for stage in phase if stage.kind == "store" and not self._per_row(stage)]
        if not reductions and not stores:
            return
        reducers = [REDUCERS[stage.reducer] for stage in reductions]
        identities = [self._identity(stage) for stage in reductions]
        *outer, inner = self.nest.reduced
        results = self._reduce_over(outer, inner, reductions, reducers, identities, stores)
        for stage, result in zip(reductions, results, strict=True):
            self.writer.results[stage.node] = result

    def _reduce_over(
        self,
        outer: Sequence[Axis],
        inner: Axis,
        reductions: list[Stage],
        reducers: list[Reducer],
        accumulators: Sequence[Value],
        stores: list[Stage],
    ) -> Sequence[Value]:
        build, writer = self.build, self.writer
        lower, upper = self._range(outer[0] if outer else inner)

        def combine(*values: Value) -> list[Value]:
            half = len(values) // 2
            return [
                build.emit(reducer.kernel, (values[k], values[k + half])) for k, reducer in enumerate(reducers)
            ]

        if outer:

            def step(i: Value, *carried: Value) -> Sequence[Value]:
                writer.axes[outer[0]] = i
                return self._reduce_over(outer[1:], inner, reductions, reducers, carried, stores)

            return build.carry(lower, upper, accumulators, step)
        if not reductions:
            with build.loop(lower, upper, kind="lanes") as (i,):
                writer.axes[inner] = i
                self._store_all(stores, None)
            return ()

        def term(i: Value) -> list[Value]:
            writer.axes[inner] = i
            values = [writer.value(stage.value, _dims(stage)) for stage in reductions]
            self._store_all(stores, None)
            return values

        def block(first: Value, *carried: Value) -> list[Value]:
            last = build.emit("minimum", (build.add(first, build.constant(BLOCK)), upper))
            identities = [self._identity(stage) for stage in reductions]
            return combine(*carried, *build.reduce(first, last, identities, term, combine))

        return build.carry(lower, upper, accumulators, block, build.constant(BLOCK))

    def _identity(self, stage: Stage) -> Value:
        dtype = stage.node.dtype
        return self.build.constant(REDUCERS[stage.reducer].identity(dtype), dtype)

    def _range(self, axis: Axis) -> tuple[Value, Value]:
        build, extent = self.build, self.writer.index(self.nest.extents[axis])
        if self.blocks is None or self.blocks.axis != axis:
            return build.constant(0), extent
        assert self.blocks.number is not None
        size = self.writer.index(self.blocks.size)
        lower = build.mul(self.blocks.number, size)
        return lower, build.emit("minimum", (build.add(lower, size), extent))

    # Columns ----------------------------------------------------------------------------------------
    def _columns(self) -> Expr:
        nest, build, writer = self.nest, self.build, self.writer
        *outer, inner = nest.parallel
        extent = nest.extents[inner]
        strips, rows = ceil_div(extent, STRIP), nest.count(outer)
        group, blocks = self._take_block(build.group_id())
        self._set_axes(outer, build.emit("quotient", (group, writer.index(strips))))
        start = build.mul(build.emit("remainder", (group, writer.index(strips))), build.constant(STRIP))
        stop = build.emit("minimum", (build.add(start, build.constant(STRIP)), writer.index(extent)))
        width = build.sub(stop, start)
        accumulators: dict[Stage, Buffer] = {
            stage: build.allocate(stage.node.dtype, STRIP) for stage in self.group.stages if stage.kind == "reduce"
        }

        def along(body: Callable[[Value], None]) -> None:
            with build.loop(build.constant(0), width, kind="lanes") as (j,):
                writer.axes[inner] = build.add(start, j)
                writer.results = {stage.node: build.load(memory, j) for stage, memory in finished.items()}
                body(j)
                writer.results = {}

        def over(axes: Sequence[Axis], body: Callable[[Value], None]) -> None:
            if not axes:
                along(body)
                return
            with build.loop(*self._range(axes[0])) as (i,):
                writer.axes[axes[0]] = i
                over(axes[1:], body)

        finished: dict[Stage, Buffer] = {}
        for phase in self.phases:
            reductions = [stage for stage in phase if stage.kind == "reduce"]
            stores = [stage for stage in phase if stage.kind == "store" and not self._per_row(stage)]

            def clear(j: Value, reductions: list[Stage] = reductions) -> None:
                for stage in reductions:
                    build.store(accumulators[stage], j, self._identity(stage))

            def accumulate(j: Value, reductions: list[Stage] = reductions, stores: list[Stage] = stores) -> None:
                for stage in reductions:
                    reducer = REDUCERS[stage.reducer]
                    value = writer.value(stage.value, _dims(stage))
                    known = build.load(accumulators[stage], j)
                    build.store(accumulators[stage], j, build.emit(reducer.kernel, (known, value)))
                self._store_all(stores, None)

            if reductions:
                along(clear)
            if reductions or stores:
                over(nest.reduced, accumulate)
            finished.update((stage, accumulators[stage]) for stage in reductions)
        per_row = [stage for stage in self.group.stages if self._per_row(stage)]
        if per_row:
            along(lambda j: self._store_all(per_row, None))
        return mul(mul(rows, strips), blocks)

    # Shared -----------------------------------------------------------------------------------------
    def _row_loop(self, block: Value, height: Expr, rows: Expr):  # type: ignore[no-untyped-def]
        """The rows of tile number `block`."""
        build, writer = self.build, self.writer
        lower = build.mul(block, writer.index(height))
        upper = build.emit("minimum", (build.add(lower, writer.index(height)), writer.index(rows)))
        return build.loop(lower, upper)

    def _set_axes(self, axes: Sequence[Axis], linear: Value) -> None:
        """Positions on several axes from one running number."""
        for axis in reversed(axes[1:]):
            extent = self.writer.index(self.nest.extents[axis])
            self.writer.axes[axis] = self.build.emit("remainder", (linear, extent))
            linear = self.build.emit("quotient", (linear, extent))
        if axes:
            self.writer.axes[axes[0]] = linear

    def _store_all(self, stages: Sequence[Stage], stream: Value | None) -> None:
        """Evaluate and write stages at the current position."""
        values = []
        for stage in stages:
            if stage.stored:
                node = stage.node if stage.kind == "reduce" else stage.value
                dims = tuple(Dim(axis) for axis in stage.kept) if stage.kind == "reduce" else _dims(stage)
                values.append((stage, self.writer.value(node, dims)))
        for stage, value in values:
            memory = store_memory(stage, self.around.memories)
            kept = tuple(Dim(axis) for axis in stage.kept)
            past = stream if stage.node in self.around.streamed else None
            buffer = self.writer.buffer(memory.buffer, memory.dtype)
            position = self.writer.position(memory, kept)
            if self.blocks is not None and self.blocks.number is not None:
                shift = self.build.mul(self.blocks.number, self.writer.index(self.nest.count(self.nest.parallel)))
                position = self.build.add(position, shift)
            self.build.store(buffer, position, value, stream=past)


def _dims(stage: Stage) -> Dims:
    return tuple(Dim(axis) for axis in stage.axes)


def _phases(group: Group) -> list[list[Stage]]:
    """Stages by the number of reductions of the group that must be finished before they start."""
    reductions = {stage.node: stage for stage in group.stages if stage.kind == "reduce"}
    level: dict[Node, int] = {}
    phases: list[list[Stage]] = []
    for stage in group.stages:
        needed, pending, seen = 0, [stage.value], {stage.value}
        if stage.kind == "store" and stage.value in reductions:
            needed = level[stage.value] + 1
            pending = []
        while pending:
            node = pending.pop()
            if node in reductions and node is not stage.node:
                needed = max(needed, level[node] + 1)
                continue
            fresh = [source for source in node.inputs if source not in seen]
            seen.update(fresh)
            pending.extend(fresh)
        if stage.kind == "reduce":
            level[stage.node] = needed
        while len(phases) <= needed:
            phases.append([])
        phases[needed].append(stage)
    return phases


def _name(group: Group) -> str:
    """A readable name: what the group's stages compute."""
    parts = dict.fromkeys(
        stage.reducer if stage.kind == "reduce" else stage.value.op.name for stage in group.stages
    )
    return "_".join(list(parts)[:4])


def _element_cost(group: Group, around: Surroundings) -> int:
    seen: set[Node] = set()
    pending = [stage.value for stage in group.stages]
    total = 0
    while pending:
        node = pending.pop()
        if node in seen or (node in around.memories and node not in {stage.node for stage in group.stages}):
            continue
        seen.add(node)
        total += node.op.cost
        pending.extend(node.inputs)
    return max(total, 1)


