"""Lowers a graph to a plan: fuses, gives every stored node its memory, writes the kernels, and orders
them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ...ir.expr import ONE, TWO, ZERO, Expr, const, lift, product, symbol
from ...ir.index import is_alias, looks_at_positions
from ...ir.node import Graph, Node, topological
from ...ir.passes.fuse import fuse
from ...ir.passes.groups import Fusion, Group, WritePlan
from ...ir.passes.stages import Decide, Limits
from ...ir.passes.write_back import plan_writes
from ...ir.record import mutable, replace
from ...ir.types import DType
from ..plan.kinds import buffers_of
from ..plan.nodes import (
    Alloc,
    BufferRef,
    Copy,
    Faults,
    Free,
    Plan,
    PlanBuffer,
    Step,
    Zero,
)  # fmt: skip
from . import (  # noqa: F401 (they lower ops)
    attention,
    control_steps,
    fft,
    library_calls,
    matrices,
    quantized,
    sorting,
)  # fmt: skip
from .lowering import Lowering, Scope
from .machine import PROCESSOR, Machine
from .maps.tiles import place_in_scratch
from .moves import without_moves
from .products import panel_packing, winograd_weights  # noqa: F401 (they lower ops)
from .products.library_products import lower_library_product
from .reductions.blocked_reductions import lower_blocked_reductions, lower_split_product
from .scans.blocked_scans import lower_blocked_scan
from .scatter.counting_sort import lower_counting_sort
from .scatter.last_writer_scatter import lower_last_writer_scatter
from .scatter.serial_scatter import is_one_launch
from .schedule import LoweringContext, lower_group
from .writing.writer import Memory


class Program(metaclass=mutable):
    """A plan, with what `explain` reports in addition."""

    plan: Plan
    fusions: list[Fusion]
    """The fusion of the program, then those of regions in the order of their steps."""
    outputs: tuple[Node, ...]
    kernels_of: dict[Group, range]
    """The kernels that compute each group, those of its regions included."""
    buffers_of: dict[Node, int]
    """The plan's buffer of each stored value, regions excluded."""
    nests: dict[Node, str]
    """Why each loop is no nest that one kernel runs; empty where it is one."""
    faults: tuple[tuple[int, int], ...] = ()
    """The site and the index array of each word of a `Faults` step."""


def lower_program(
    outputs: Sequence[Node],
    sizes: int,
    inputs: int,
    scalars: Sequence[DType],
    decide: Decide,
    layouts: Mapping[int, str] | None = None,
    writes: Mapping[int, Node] | None = None,
    machine: Machine = PROCESSOR,
) -> Program:
    """The plan that computes symbolized `outputs` from so many arrays, used or not.

    Output number `k` in `writes` goes to the memory of the parameter `writes[k]` and is no output of the
    plan.

    `sizes` of the structure come first; the run-time strides of parameters follow as further symbols, in
    the order of the parameters' indices and of their axes. `layouts` tells of every parameter that has
    strides among the symbols, by index, where passes may have removed some; else those that the outputs use.
    """
    lowering = _Lowering(tuple(outputs), sizes, inputs, tuple(scalars), decide, machine)
    return lowering.run(layouts, writes or {})


class _Lowering(Lowering):
    """The order of a program's groups, and those of its regions."""

    def run(self, layouts: Mapping[int, str] | None, written: Mapping[int, Node]) -> Program:
        scope = Scope({})
        parameters = {
            node.attribute("index"): node for node in topological(self.outputs) if node.op.source == "array"
        }
        for target in written.values():
            parameters.setdefault(target.attribute("index"), target)
        if layouts is None:
            layouts = {index: node.attribute("layout") for index, node in parameters.items()}
        stride_symbol = self.sizes
        for index, layout in sorted(layouts.items()):
            node = parameters.get(index)
            if node is not None:
                strides, _ = parameter_strides(node, stride_symbol)
                self.buffers[index] = PlanBuffer(node.dtype, product(lift(extent) for extent in node.shape))
                scope.memories[node] = Memory(index, node.dtype, strides)
            stride_symbol += layout.count("s")
        targets = {position: parameters[target.attribute("index")] for position, target in written.items()}
        writes = WritePlan(self.outputs)
        if targets:
            writes = plan_writes(Graph(), self.outputs, targets, self.decide)
        self._lower_graph(writes, scope)
        results = tuple(
            scope.memories[node].buffer
            for position, node in enumerate(writes.outputs)
            if position not in targets
        )
        steps, names = without_moves(scope.steps, self.buffers, results)
        results = tuple([names.get(number, number) for number in results])
        steps = _with_frees(self._with_faults(steps), results)
        plan = Plan(
            stride_symbol,
            tuple(self.kernels),
            self.inputs,
            self.scalars,
            tuple(self.buffers),
            tuple(steps),
            results,
        )
        buffers_of = {
            node: names.get(memory.buffer, memory.buffer) for node, memory in scope.memories.items()
        }
        return Program(
            plan, self.fusions, self.outputs, self.kernels_of, buffers_of, self.nests, tuple(self.faults)
        )

    def _with_faults(self, steps: list[Step]) -> list[Step]:
        """Adds the memory for recorded faults, which is cleared before all steps and checked after them."""
        number = self.fault_buffer
        if number is None:
            return steps
        count = const(len(self.faults))
        self.buffers[number] = PlanBuffer(self.buffers[number].dtype, count)
        return [Alloc(number), Zero(BufferRef(number), count), *steps, Faults(number)]

    def _lower_graph(self, writes: WritePlan, scope: Scope) -> None:
        fusion = fuse(writes, self.decide, self._limits(writes.outputs))
        outputs = writes.outputs
        self.fusions.append(fusion)
        context = LoweringContext(
            scope.memories, fusion.inlined, dict(fusion.extents), self.decide,
            _streamed(outputs, fusion), set(scope.loop_depth), self.machine,
        )  # fmt: skip
        scope.taken = writes.taken
        names = scope.names = [node for node in fusion.order if is_alias(node)]
        scope.items = {
            (node.inputs[0], node.attribute("position")) for node in names if node.op.family == "item"
        }
        self.alias(scope)
        for group in fusion.groups:
            first = len(self.kernels)
            if group.chain:
                step = next(each.stages[0] for each in group.chain if each.stages[0].kind == "control")
                assert step.node.op.lower_chain is not None
                step.node.op.lower_chain(self, group.chain, context, scope, fusion)
            else:
                self.lower_group(group, context, scope, fusion)
            self.kernels_of[group] = range(first, len(self.kernels))
            self.alias(scope)
        for output, parameter in writes.targets.items():
            source, target = scope.memories[output], scope.memories[parameter]
            if output.op.family == "item" and source.buffer != target.buffer:
                # A loop that swaps buffers does not run in the caller's.
                count = self.buffers[source.buffer].elements
                scope.steps.append(Copy(BufferRef(target.buffer), BufferRef(source.buffer), count))

    def lower_group(self, group: Group, context: LoweringContext, scope: Scope, fusion: Fusion) -> None:
        kind = group.stages[0].kind
        if kind == "library":
            lower_library_product(self, group.stages[0], context, scope)
        elif kind == "control":
            self._lower_control(group.stages[0].node, scope)
        elif group.blocked:
            self._lower_blocked(group, context, scope, fusion)
        else:
            if group.scratch:
                place_in_scratch(self, group, scope)
            for stage in group.stages:
                if stage.stored:
                    self.place(stage.node, scope, fusion)
            if not self._lower_in_steps(group, context, scope):
                self.launch(lower_group(group, context), scope)

    def _limits(self, outputs: Sequence[Node]) -> Limits:
        """Returns the limits of a kernel, without the buffer for recorded faults."""
        limits = self.machine.limits
        if limits.most_buffers is None or not any(map(_notes_faults, topological(outputs))):
            return limits
        return replace(limits, most_buffers=limits.most_buffers - 1)

    def _lower_in_steps(self, group: Group, context: LoweringContext, scope: Scope) -> bool:
        """Lowers a long product, or an ordered write at run-time positions, as several kernels, where that
        pays."""
        if self.machine.lanes > 1 and group.stages[0].kind == "product":
            return lower_split_product(self, group, context, scope)
        in_order = group.stages[0].in_order
        if not in_order:
            return False
        few_writers = self.machine.writers == 1
        if few_writers and is_one_launch(product(context.extents[axis] for axis in in_order), context):
            return False
        if lower_last_writer_scatter(self, group, context, scope):
            return True
        return not few_writers and lower_counting_sort(self, group, context, scope)

    def _lower_blocked(self, group: Group, context: LoweringContext, scope: Scope, fusion: Fusion) -> None:
        lower = lower_blocked_scan if group.stages[0].kind == "scan" else lower_blocked_reductions
        lower(self, group, context, scope, fusion)

    # Control steps ----------------------------------------------------------------------
    def _lower_control(self, node: Node, scope: Scope) -> None:
        assert node.op.lower is not None, node
        node.op.lower(self, node, scope)

    def lower_region(
        self,
        writes: WritePlan,
        arguments: dict[Node, Memory],
        results: Mapping[Node, Memory],
        depths: dict[Node, int],
    ) -> tuple[Step, ...]:
        inner = Scope({**arguments, **results}, [], depths)
        self._lower_graph(writes, inner)
        steps, _ = without_moves(inner.steps, self.buffers, ())
        return tuple(_with_frees(steps, ()))


def parameter_strides(node: Node, next_symbol: int) -> tuple[tuple[Expr, ...], int]:
    """Returns the element strides of a parameter by its layout letters; each `s` takes a symbol of its
    own."""
    layout, shape = node.attribute("layout"), node.shape
    strides: list[Expr] = [ZERO] * len(shape)
    run_time = {}
    for axis, letter in enumerate(layout):
        if letter == "s":
            run_time[axis] = symbol(next_symbol)
            next_symbol += 1
    for axis in reversed(range(len(shape))):
        letter = layout[axis]
        if letter == "m":
            strides[axis] = strides[axis + 1] * lift(shape[axis + 1])
        else:
            strides[axis] = {"0": ZERO, "1": ONE, "2": TWO}[letter] if letter != "s" else run_time[axis]
    return tuple(strides), next_symbol


def _notes_faults(node: Node) -> bool:
    """Whether the kernel of a node may record a fault."""
    if node.op.fault is None or node.op.family == "control":
        return False
    return looks_at_positions(node) or not node.op.index_arrays


def _streamed(outputs: Iterable[Node], fusion: Fusion) -> set[Node]:
    """Outputs that no other group reads, and the arrays that become them by updates in the same group."""
    read_later = _read_later(fusion)
    nodes = {node for node in outputs if node not in read_later}
    for group in fusion.groups:
        own = {stage.node for stage in group.stages}
        for node in [stage.node for stage in reversed(group.stages)]:
            if node in nodes and node.op.family == "update" and node.inputs[0] in own:
                nodes.add(node.inputs[0])
    return nodes


def _read_later(fusion: Fusion) -> set[Node]:
    """Returns the stored nodes that another group reads."""
    nodes: set[Node] = set()
    for group in fusion.groups:
        own = {stage.node for stage in group.stages}
        for stage in group.stages:
            for node in fusion.reads[stage]:
                while node not in own:
                    nodes.add(node)
                    if not is_alias(node):
                        break
                    (node,) = node.inputs
    return nodes


def _with_frees(steps: list[Step], outputs: tuple[int, ...]) -> list[Step]:
    """Adds a free of every buffer that these steps allocate after its last use."""
    own = {step.buffer for step in steps if isinstance(step, Alloc)}
    last: dict[int, int] = {}
    for position, step in enumerate(steps):
        for number in buffers_of(step):
            last[number] = position
    freed: dict[int, list[Step]] = {}
    for number in sorted(own.intersection(last).difference(outputs)):
        freed.setdefault(last[number], []).append(Free(number))
    result: list[Step] = []
    for position, step in enumerate(steps):
        result.append(step)
        result.extend(freed.get(position, ()))
    return result
