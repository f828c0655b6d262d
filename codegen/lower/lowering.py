"""`Lowering`: the context of schedules and ops: the memory of nodes, the kernels, their launches.

`program.py` orders the groups of a graph; the rooms of this folder write them with this interface.
"""

from __future__ import annotations

from collections.abc import Container, Hashable, Mapping, Sequence

from ...ir.expr import ONE, ZERO, Expr, const, lift, maximum, product
from ...ir.node import Graph, Node
from ...ir.passes.groups import Fusion, Group, WritePlan
from ...ir.passes.stages import Decide
from ...ir.record import fresh, mutable, replace
from ...ir.types import INDEX, U8, Bits, DType
from ..kernel.nodes import Kernel
from ..plan.nodes import (
    Alloc,
    BufferRef,
    ConstantScalar,
    Copy,
    Launch,
    Loop,
    LoopIndex,
    PlanBuffer,
    Scalar,
    ScalarRef,
    Step,
)
from .machine import Machine
from .schedule import Lowered, LoweringContext
from .writing.writer import FAULT_BASE, FAULTS, LAUNCH, Memory, contiguous


class Scope(metaclass=mutable):
    """A graph being lowered: the whole program, or a region inside it."""

    memories: dict[Node, Memory]
    steps: list[Step] = fresh(factory=list)
    loop_depth: dict[Node, int] = fresh(factory=dict)
    """Scalars that are counters of enclosing loops."""
    tuples: dict[Node, list[Memory]] = fresh(factory=dict)
    """The results of control steps, read through `item`."""
    names: Sequence[Node] = ()
    """Views of memory: items, and reshapes that are stored."""
    items: set[tuple[Node, int]] = fresh(factory=set)
    """The results of control steps that are read."""
    taken: Container[Node] = ()
    """Initial values of loops, whose memory these may overwrite."""
    tables: dict[Hashable, Memory] = fresh(factory=dict)
    """Tables that steps compute once for several others, by content."""


class Lowering:
    """A program while it is lowered."""

    def __init__(
        self,
        outputs: tuple[Node, ...],
        sizes: int,
        inputs: int,
        scalars: tuple[DType, ...],
        decide: Decide,
        machine: Machine,
    ) -> None:
        self.inputs = inputs
        self.outputs = outputs
        self.sizes = sizes
        self.scalars = scalars
        self.decide = decide
        self.machine = machine
        self.buffers: list[PlanBuffer] = [PlanBuffer(U8, ZERO) for _ in range(inputs)]
        self.kernels: list[Kernel] = []
        self.fusions: list[Fusion] = []
        self.kernels_of: dict[Group, range] = {}
        self.placeholders = Graph()
        self.faults: list[tuple[int, int]] = []
        """For each word in which kernels record positions out of bounds: the site, and the number of the
        index array."""
        self.fault_buffer: int | None = None
        self.nests: dict[Node, str] = {}
        """Why each loop is no nest that one kernel runs; empty where it is one."""

    def lower_group(self, group: Group, context: LoweringContext, scope: Scope, fusion: Fusion) -> None:
        """Appends the steps of a group."""
        raise NotImplementedError

    def lower_region(
        self,
        writes: WritePlan,
        arguments: dict[Node, Memory],
        results: Mapping[Node, Memory],
        depths: dict[Node, int],
    ) -> tuple[Step, ...]:
        """Returns the steps of a region: parameters lie in `arguments`, results go to `results` or, according
        to `writes`, to the memory of parameters."""
        raise NotImplementedError

    def _fault_words(self, lowered: Lowered) -> tuple[tuple[int, ...], tuple[Expr, ...]]:
        """Adds the words for recorded faults to a kernel's buffers and indices."""
        buffers, indices = lowered.buffers, lowered.indices
        if not lowered.faults:
            return buffers, indices
        dtype = lowered.kernel.buffers[buffers.index(FAULTS)].dtype
        word = self.fault_word(*lowered.faults[0], dtype)
        base = word.offset
        self.faults.extend(lowered.faults[1:])
        return (
            tuple(word.buffer if number == FAULTS else number for number in buffers),
            tuple(base if expr is FAULT_BASE else expr for expr in indices),
        )

    def fault_word(self, site: int, number: int, dtype: DType) -> BufferRef:
        """Returns the number of a word in which a step records a fault."""
        if self.fault_buffer is None:
            self.fault_buffer = len(self.buffers)
            self.buffers.append(PlanBuffer(dtype, ZERO))
        self.faults.append((site, number))
        return BufferRef(self.fault_buffer, const(len(self.faults) - 1))

    def place(self, node: Node, scope: Scope, fusion: Fusion) -> None:
        """Returns the memory of a stored node: its own, or that of a chain of updates."""
        if node in scope.memories:
            return
        chain = [node]
        while chain[-1] in fusion.buffers:
            chain.append(fusion.buffers[chain[-1]])
        while node in fusion.overwriting:
            node = fusion.overwriting[node]
            chain.append(node)
        owner = next((member for member in chain if member in scope.memories), None)
        if owner is None:
            memory = self.allocate(tuple(map(lift, node.shape)), node.dtype, scope)
        else:
            memory = scope.memories[owner]
            if is_contiguous(owner, memory):  # in the symbols of its own extents
                memory = replace(memory, strides=contiguous([lift(extent) for extent in node.shape]))
        scope.memories.update((member, memory) for member in chain if member not in scope.memories)

    def allocate(self, extents: tuple[Expr, ...], dtype: DType, scope: Scope) -> Memory:
        self.buffers.append(PlanBuffer(dtype, product(extents)))
        scope.steps.append(Alloc(len(self.buffers) - 1))
        return Memory(len(self.buffers) - 1, dtype, contiguous(extents))

    def alias(self, scope: Scope) -> None:
        """Gives stored reshapes and items the memory of their input once that exists."""
        for node in scope.names:
            if node.op.family == "item":
                if node.inputs[0] in scope.tuples:
                    scope.memories[node] = scope.tuples[node.inputs[0]][node.attribute("position")]
            elif node not in scope.memories:
                source = scope.memories.get(node.inputs[0])
                if source is not None and is_contiguous(node.inputs[0], source):
                    extents = tuple(lift(extent) for extent in node.shape)
                    scope.memories[node] = Memory(
                        source.buffer, node.dtype, contiguous(extents), source.offset
                    )

    def start_from(self, operand: Node, scope: Scope, owned: bool = True) -> Memory:
        """Returns a buffer for a carried value: that of the operand, or a copy of it (see `moves`). `owned`:
        it is the plan's own, so that swaps may rename it."""
        if operand in scope.taken and not (owned and scope.memories[operand].buffer < self.inputs):
            return scope.memories[operand]
        extents = tuple(map(lift, operand.shape))
        memory = self.allocate(extents, operand.dtype, scope)
        if operand.op.source != "undefined":
            source = scope.memories[operand]
            buffer_ref = BufferRef(source.buffer, source.offset)
            scope.steps.append(Copy(BufferRef(memory.buffer), buffer_ref, product(extents)))
        return memory

    def launch(self, lowered: Lowered, scope: Scope) -> None:
        step = self.launch_step(lowered, scope)
        if lowered.launches is ONE:
            scope.steps.append(step)
            return
        indices = [LoopIndex(0, INDEX) if expr is LAUNCH else expr for expr in step.indices]
        scalars = [
            replace(each, depth=each.depth + 1) if isinstance(each, LoopIndex) else each
            for each in step.scalars
        ]
        cost, moved = (size // maximum(lowered.launches, 1) for size in (step.cost_ns, step.bytes_moved))
        step = replace(step, indices=tuple(indices), scalars=tuple(scalars), cost_ns=cost, bytes_moved=moved)
        scope.steps.append(Loop(ZERO, lowered.launches, (step,)))

    def launch_step(self, lowered: Lowered, scope: Scope) -> Launch:
        """Appends a launch of a new kernel."""
        self.kernels.append(lowered.kernel)
        if lowered.co_aligned:
            self._align_results(lowered, scope)
        buffers, indices = self._fault_words(lowered)
        return Launch(
            len(self.kernels) - 1,
            tuple(BufferRef(number) for number in buffers),
            indices,
            tuple(self.scalar(node, scope) for node in lowered.scalars),
            lowered.groups,
            lowered.cost // 16,
            lowered.bytes_moved,
        )

    def _align_results(self, lowered: Lowered, scope: Scope) -> None:
        """Aligns the memory for results to that of operands."""
        there = set(range(self.inputs))
        for position, step in enumerate(scope.steps):
            if isinstance(step, Alloc):
                others = [
                    read for written, read in lowered.co_aligned if written == step.buffer and read in there
                ]
                if others:
                    scope.steps[position] = Alloc(step.buffer, others[0])
                there.add(step.buffer)

    def scalar(self, node: Node, scope: Scope) -> Scalar:
        """Returns the launch argument of a scalar: the counter of an outer loop, a constant, an argument of
        the call."""
        if node in scope.loop_depth:
            return LoopIndex(scope.loop_depth[node], node.dtype)
        if node.op.source == "constant":
            bits: Bits = node.attributes[0]
            return ConstantScalar(bits.value, node.dtype)
        return ScalarRef(node.attribute("index"))


def is_contiguous(node: Node, memory: Memory) -> bool:
    return memory.strides == contiguous([lift(extent) for extent in node.shape])
