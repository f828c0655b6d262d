"""Decides whether a loop is a nest that one kernel runs, and adds its steps to the plan.

A kernel cannot be interrupted, so it ends after so many iterations of the outermost loop, and is launched
again from there: loop-carried scalars lie in memory in between.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ....ir.expr import ONE, ZERO, Expr, const, less, lift, product
from ....ir.index import index_nodes
from ....ir.node import Graph, Node, Region, topological
from ....ir.passes.stages import Decide
from ....ir.record import fresh, mutable, record
from ....ir.types import BOOL, INDEX, U32, U64, DType
from ...kernel.nodes import Value
from ...plan.nodes import BufferRef, PlanBuffer, While, Zero
from ..machine import Machine
from ..schedule import Lowered
from ..writing.context import LoweringContext
from ..writing.writer import KernelWriter, Memory, contiguous
from .accumulations import Accumulation, accumulation
from .clean import clean_control
from .control_flow import ControlFlow, control_flow_of, origin
from .counted_loops import loop_between, run_once
from .dependence import Own, own_positions
from .effects import Effects, NoNest, effects_of
from .interchange import interchanged
from .ranges import Known, copied
from .regions import repeat
from .selections import Most
from .writer import NestWriter

if TYPE_CHECKING:
    from ..lowering import Lowering, Scope

MOST_ELEMENTS = 4096
"""The most elements of arrays in an iteration, inner loops excluded, for which one thread is faster than
launches."""
MOST_ELEMENTS_ON_LANES = 256
MOST_OF_WHOLE_ARRAYS = 64
"""The limit for iterations of whole-array operations alone."""
ITERATIONS = (1 << 15, 1 << 10, 1 << 7)
"""The iterations after which a kernel ends, by the depth of the nest."""
COST_NS = 50_000
"""The cost of a launch; its number of iterations is unknown."""
GROUPS = 64
"""Workgroups that share independent iterations."""
SHARED_COST_NS = 1_000_000
MOST_SCRATCH = 1 << 23
"""The most elements, over all threads, of an array that each thread has a copy of."""


class Nest(metaclass=mutable):
    """A control node with clean regions, all of which are written into one kernel."""

    node: Node
    effects: dict[int, Effects] = fresh(factory=dict)
    """By the identity of the region: equal regions have nodes of their own."""
    items: dict[tuple[Node, int], Node] = fresh(factory=dict)
    """The nodes for the results of control nodes."""
    depth: int = 1
    """The depth of nested loops."""
    sizes: dict[Node, Expr] = fresh(factory=dict)
    """Operands of the node that are extents."""
    copies: list[Region] = fresh(factory=list)
    """References that keep the identities of copies unique."""

    def copied(self, region: Region, known: Known, most: Most) -> Region:
        """Returns a copy of a region in which some positions are known to be in range."""
        self.copies.append(copied(region, self.effects, self.items, known, most))
        return self.copies[-1]


def find_nest(node: Node, decide: Decide, machine: Machine) -> Nest:
    """Returns the nest of a control node. Raises NoNest."""
    nest = Nest(clean_control(Graph(), node, node.inputs))
    by_element = interchanged(nest.node) if machine.lanes == 1 else None
    if by_element is not None:
        nest.node, nest.sizes = by_element
    most = MOST_ELEMENTS if machine.lanes == 1 else MOST_ELEMENTS_ON_LANES
    if not _has_elements(nest.node):
        most = MOST_OF_WHOLE_ARRAYS
    pending = [(nest.node, 1)]
    while pending:
        control, depth = pending.pop()
        flow = control_flow_of(control)
        nest.depth = max(nest.depth, depth)
        for number, region in enumerate(flow.regions):
            effects = _effects(flow, number, decide)
            # A single lane would fill it slowly.
            elements = effects.elements if machine.lanes == 1 else effects.elements + effects.room
            if not decide(less(elements, most + 1)):
                raise NoNest(f"an iteration computes more than {most} elements of arrays")
            nest.effects[id(region)] = effects
            for each in topological(region.results):
                if each.op.family == "item":
                    nest.items[each.inputs[0], each.attribute("position")] = each
                elif each.op.family == "control":
                    pending.append((each, depth + (1 if each.op.carries else 0)))
    return nest


def _has_elements(node: Node) -> bool:
    """Whether elements, rows or windows are read or written at positions known at run time."""
    for region in control_flow_of(node).regions:
        for each in topological(region.results):
            indices = index_nodes(each)
            if indices and not indices[0].shape:
                return True
            if each.op.family == "control" and each.op.nested and _has_elements(each):
                return True
    return False


def _effects(flow: ControlFlow, number: int, decide: Decide) -> Effects:
    region = flow.regions[number]
    if number >= flow.making:
        return effects_of(region, (None,), frozenset(), decide)
    parameters = flow.parameters(region)
    sources = [
        taken if same is None else same for same, taken in zip(flow.unchanged, flow.taken, strict=True)
    ]
    homes = [None if source is None else parameters[source] for source in sources]
    return effects_of(region, homes, flow.writable(region), decide)


def lower_nest(lowering: Lowering, node: Node, scope: Scope) -> bool:
    """Lowers a loop as one kernel, where it is a nest; else records why not."""
    try:
        nest = find_nest(node, lowering.decide, lowering.machine)
        shared = _shared(nest)
        try:
            _Launching(lowering, nest, node, scope, shared).run()
        except NoNest:
            if shared is None:
                raise
            # Copies of arrays for each thread may take too many buffers, or too much memory.
            _Launching(lowering, nest, node, scope).run()
    except NoNest as reason:
        lowering.nests[node] = str(reason)
        return False
    finally:
        control_flow_of.cache_clear()
    lowering.nests[node] = ""
    return True


class Shared(metaclass=record):
    """The reason why threads may share the iterations of a loop."""

    own: tuple[Own, ...]
    """Positions that prove the iterations independent."""
    accumulated: dict[int, Accumulation]
    """The accumulations of loop-carried scalars, by the position of the result."""


def _shared(nest: Nest) -> Shared | None:
    """Returns the proof that the iterations of the outermost loop are independent; None where they may not
    be. Iterations that the program declares independent need none, except that their loop-carried scalars are
    accumulations."""
    node = nest.node
    if not node.op.bounds:
        return None
    flow = control_flow_of(node)
    (region,) = flow.regions
    counter, *_ = region.parameters
    parameters = flow.parameters(region)
    changed = [k for k, same in enumerate(flow.unchanged) if same is None]
    arrays = [k for k in changed if region.results[k].shape]
    if not changed or any(origin(region.results[k]) is not parameters[k] for k in arrays):
        return None
    if node.op.independent:
        scalars = [k for k in changed if k not in arrays]
        found = {k: accumulation(region, parameters[k], k) for k in scalars}
        known = {k: each for k, each in found.items() if each is not None}
        return Shared((), known) if len(known) == len(scalars) else None
    if len(arrays) < len(changed):
        return None
    fixed = frozenset(parameter for k, parameter in enumerate(parameters) if k not in changed)
    own = own_positions(region, counter, [parameters[k] for k in changed], fixed)
    return None if own is None else Shared(tuple(own), {})


class _Launching:
    """The kernel of a nest, its memory, and the loop of launches.

    `shared`: the proof of independent iterations, which threads then share: workgroups, and on devices of
    many lanes each of their lanes.
    """

    def __init__(
        self, lowering: Lowering, nest: Nest, node: Node, scope: Scope, shared: Shared | None = None
    ) -> None:
        self.lowering, self.nest, self.node, self.scope = lowering, nest, node, scope
        self.shared = shared
        self.flow = control_flow_of(nest.node)
        self.carried: dict[int, Memory] = {}
        """The memory of updated results."""
        self.scratch: dict[DType, int] = {}
        self.lanes = lowering.machine.lanes if shared is not None else 1
        """The lanes of a workgroup that share iterations."""
        self.thread: Value | None = None
        """The index of this thread among those that share iterations."""
        memories = {each: scope.memories[each] for each in node.inputs if each in scope.memories}
        self.writer = KernelWriter(f"{node.op.name}_nest", memories, set(), set())
        self.writer.counters = set(scope.loop_depth)
        self.writer.fault_dtype = U64 if lowering.machine.wide_faults else U32
        context = LoweringContext(
            memories, self.writer.inlined, {}, lowering.decide, set(), self.writer.counters, lowering.machine
        )
        self.writing = NestWriter(nest, self.writer, context, self._allocate)
        for size, extent in nest.sizes.items():
            self.writer.build.remember(
                (size, ()), self.writer.build.cast(self.writer.index(extent), size.dtype)
            )

    def run(self) -> None:
        """Writes the nest. Where it raises NoNest, it has undone its changes."""
        scope, lowering = self.scope, self.lowering
        steps, buffers = len(scope.steps), len(lowering.buffers)
        operands = self.flow.operands
        results = [
            scope.memories[operands[position]]
            if same is not None and (self.node, position) not in scope.items
            else lowering.start_from(operands[position], scope, owned=False)
            for position, same in enumerate(self.flow.unchanged)
        ]
        self.carried = {k: results[k] for k, same in enumerate(self.flow.unchanged) if same is None}
        self.writer.written.update(memory.buffer for memory in self.carried.values())
        try:
            self._write_steps()
        except NoNest:
            del scope.steps[steps:], lowering.buffers[buffers:]
            raise
        scope.tuples[self.node] = results

    def _write_steps(self) -> None:
        scope, lowering = self.scope, self.lowering
        if self.shared is not None:
            partials = self._write_shared(self.shared)
            scope.steps.append(lowering.launch_step(self._lowered(), scope))
            if partials:
                scope.steps.append(lowering.launch_step(self._combining(self.shared, partials), scope))
            return
        again = self._scalar(BOOL)
        state = self._write(again)
        lowered = self._lowered()
        if state is not None:
            scope.steps.append(Zero(BufferRef(state.buffer), ONE))
        scope.steps.append(While(BufferRef(again.buffer), (lowering.launch_step(lowered, scope),), ()))

    def _bounds(self) -> Sequence[Node]:
        node = self.nest.node
        return node.inputs[: node.op.bounds]

    def _lowered(self) -> Lowered:
        writer = self.writer
        kernel = writer.build.finish(self.lanes)
        moved = ZERO
        for position, memory in self.carried.items():
            count = product(map(lift, self.flow.operands[position].shape))
            moved = moved + count * memory.dtype.itemsize
        most = self.lowering.machine.most_buffers
        if most is not None and len(writer.buffers) > most:
            raise NoNest(f"it needs {len(writer.buffers)} buffers, of which a kernel may have {most}")
        groups, cost = (ONE, COST_NS) if self.shared is None else (const(GROUPS), SHARED_COST_NS)
        return Lowered(
            kernel, tuple(writer.buffers), tuple(writer.indices), tuple(writer.scalars), groups, moved,
            const(cost * 16), tuple(writer.faults),
        )  # fmt: skip

    def _scalar(self, dtype: DType) -> Memory:
        return self._memory((), dtype)

    def _memory(self, extents: tuple[Expr, ...], dtype: DType) -> Memory:
        """Returns memory that the kernel writes to."""
        memory = self.lowering.allocate(extents, dtype, self.scope)
        self.writer.written.add(memory.buffer)
        return memory

    def _allocate(self, extents: tuple[Expr, ...], dtype: DType) -> Memory:
        """Allocates scratch memory: one buffer for each dtype, with several arrays in it; for threads that
        share iterations a buffer for each array, with a section for each thread."""
        if self.thread is not None:
            count = product(extents)
            together = count * (GROUPS * self.lanes)
            if not self.lowering.decide(less(together, MOST_SCRATCH + 1)):
                raise NoNest("each thread needs too much memory of its own")
            memory = self._memory((together,), dtype)
            self.writer.origins[memory.buffer] = self.thread * self.writer.index(count)
            return Memory(memory.buffer, dtype, contiguous(extents))
        number, offset, count = self.scratch.get(dtype), ZERO, product(extents)
        if number is None:
            number = self.scratch[dtype] = self._memory(extents, dtype).buffer
        else:
            offset = self.lowering.buffers[number].elements
            self.lowering.buffers[number] = PlanBuffer(dtype, offset + count)
        return Memory(number, dtype, contiguous(extents), offset)

    def _write(self, again: Memory) -> Memory | None:
        """Writes the kernel: the remaining iterations, up to a limit, then whether there are more. Returns
        the memory in which a counted loop stores their number."""
        build, writer, writing, flow = self.writer.build, self.writer, self.writing, self.flow
        homes = {k: memory for k, memory in self.carried.items() if memory.strides}
        at = {k: memory for k, memory in self.carried.items() if not memory.strides}
        scalars = {k: writer.load(memory, ()) for k, memory in at.items()}
        most = ITERATIONS[min(self.nest.depth, len(ITERATIONS)) - 1]
        state = None
        bounds = self._bounds()
        if bounds:
            low, high = (writing.value(bound) for bound in bounds)
            state = self._scalar(low.dtype)
            done = writer.load(state, ())
            start = low + done
            count = build.minimum(high - start, most)
            stop = start + count
            lower, upper = build.cast(start, INDEX), build.cast(stop, INDEX)
            ended = loop_between(writing, flow, lower, upper, scalars, homes)
            self._store(state, done + count)
            more = stop < high
        else:
            count, *values = repeat(writing, flow, scalars, homes, most)
            ended = dict(zip(scalars, values, strict=True))
            more = count.equals(most)
        for position, memory in at.items():
            self._store(memory, ended[position])
        self._store(again, writing.unless_faulty(more))
        return state

    def _write_shared(self, shared: Shared) -> dict[int, Memory]:
        """Writes the kernel for threads that share the iterations. Where a position may count from the end,
        two iterations may have the same one: then the first thread runs all. Returns the memory of the
        threads' partial results."""
        build, writing, flow = self.writer.build, self.writing, self.flow
        (region,) = flow.regions
        low, high = (build.cast(writing.value(bound), INDEX) for bound in self._bounds())
        zero, one = build.constant(0), build.constant(1)
        self.thread = thread = self._thread()
        homes = {k: memory for k, memory in self.carried.items() if memory.strides}
        scalars = {
            k: build.constant(each.identity(self.carried[k].dtype), self.carried[k].dtype)
            for k, each in shared.accumulated.items()
        }
        writing.bind(flow.parameters(region), flow.operands, scalars, homes)
        apart: Value | None = None
        for each in shared.own:
            for end in (low, high - one):
                place = writing.place(region, each.position, end)
                inside = self.writer.within(place, zero, self.writer.index(each.extent))
                apart = inside if apart is None else apart & inside
        if apart is None:
            apart = build.constant(True, BOOL)
        if self.lanes > 1:
            return self._partials(thread, self._write_lanes(thread, low, high, apart, scalars, homes))

        count = build.maximum(high - low, zero)
        size = (count + (GROUPS - 1)) // GROUPS
        size = build.select(apart, size, count)
        lower = build.minimum(low + thread * size, high)
        upper = build.minimum(lower + size, high)
        return self._partials(thread, loop_between(writing, flow, lower, upper, scalars, homes))

    def _partials(self, thread: Value, accumulated: Mapping[int, Value]) -> dict[int, Memory]:
        """Stores the partial results of each thread."""
        made: dict[int, Memory] = {}
        assert self.shared is not None
        for position in self.shared.accumulated:
            value = accumulated[position]
            memory = made[position] = self._memory((const(GROUPS * self.lanes),), value.dtype)
            self.writer.build.store(self.writer.buffer(memory.buffer, memory.dtype), thread, value)
        return made

    def _combining(self, shared: Shared, partials: Mapping[int, Memory]) -> Lowered:
        """The kernel that combines the partial results of threads, one after another."""
        writer = KernelWriter(f"{self.node.op.name}_accumulated", {}, set(), set())
        build = writer.build
        writer.written.update(self.carried[k].buffer for k in partials)
        sources = [writer.buffer(memory.buffer, memory.dtype) for memory in partials.values()]
        places = [writer.element(self.carried[k], ()) for k in partials]

        def step(index: Value, *known: Value) -> Sequence[Value]:
            return [
                shared.accumulated[k].combined(build, value, build.load(source, index))
                for k, value, source in zip(partials, known, sources, strict=True)
            ]

        initial = [build.load(*place) for place in places]
        count = build.constant(GROUPS * self.lanes)
        values = build.carry(0, count, initial, step)
        for place, value in zip(places, values, strict=True):
            build.store(*place, value)
        return Lowered(
            build.finish(1), tuple(writer.buffers), tuple(writer.indices), tuple(writer.scalars), ONE,
            const(GROUPS * self.lanes * 8), const(COST_NS), (),
        )  # fmt: skip

    def _thread(self) -> Value:
        build = self.writer.build
        group = build.group_id()
        if self.lanes == 1:
            return group
        return group * self.lanes + build.lane_id()

    def _write_lanes(
        self, thread: Value, low: Value, high: Value, apart: Value, scalars: Mapping[int, Value],
        homes: Mapping[int, Memory],
    ) -> dict[int, Value]:  # fmt: skip
        """Assigns adjacent iterations to adjacent lanes."""
        build, writing, flow = self.writer.build, self.writing, self.flow
        (region,) = flow.regions
        counter, one = region.parameters[0], build.constant(1)
        alone = build.select(thread.equals(0), low, high)
        start = build.select(apart, low + thread, alone)
        step = build.select(apart, GROUPS * self.lanes, one)

        def body(index: Value, *values: Value) -> Sequence[Value]:
            build.enclose()
            build.remember((counter, ()), build.cast(index, counter.dtype))
            return run_once(writing, flow, region, dict(zip(scalars, values, strict=True)), homes)

        made = build.carry(start, high, list(scalars.values()), body, step)
        return dict(zip(scalars, made, strict=True))

    def _store(self, memory: Memory, value: Value) -> None:
        self.writer.build.store(*self.writer.element(memory, ()), value)
