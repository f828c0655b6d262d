"""Writing a loop nest: statements of regions in order, scalars in registers, arrays in place."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ....ir.expr import ONE, ZERO, Expr, lift
from ....ir.index import FIXED, Dim, Dims, index_nodes, looked_up, over
from ....ir.node import Node, Region, topological
from ....ir.passes.cost import is_unrolled
from ....ir.passes.stages import Stage, reads
from ....ir.types import INDEX, DType
from ...kernel.nodes import Value
from ..reductions.lanes_order import at_element
from ..writing.accumulators import combine, identities, reducer_of, results, terms
from ..writing.context import LoweringContext
from ..writing.writer import FAULT_BASE, FAULTS, KernelWriter, Memory, coefficients, contiguous
from .control_flow import control_flow_of, version_of
from .dependence import Sum
from .effects import Effects

if TYPE_CHECKING:
    from .nests import Nest


def is_read(node: Node) -> bool:
    """Whether a node is an element of an array at a position known at run time."""
    return node.op.family == "gather" and not node.shape and not any(each.shape for each in index_nodes(node))


def _is_one_number(node: Node) -> bool:
    """Whether an array has a single element, as where `x[0] = v` writes to a window."""
    return (
        node.op.family == "movement"
        and not node.op.repeats
        and bool(node.inputs)
        and (not node.inputs[0].shape or _is_one_number(node.inputs[0]))
    )


COLUMN_TERMS = 4
"""Rows that are added to an accumulator while it is in a register."""
Allocate = Callable[[tuple[Expr, ...], DType], Memory]
Step = Callable[[Dims], None]


class NestWriter:
    """The writer of one kernel with one lane: the statements of a nest's regions."""

    def __init__(
        self, nest: Nest, writer: KernelWriter, context: LoweringContext, allocate: Allocate
    ) -> None:
        self.nest = nest
        self.writer = writer
        self.build = writer.build
        self.context = context
        self.allocate = allocate
        """Allocates scratch memory for the lifetime of the kernel."""
        self.inner = "lanes" if context.machine.lanes == 1 else "serial"
        """The kind of independent loops over elements."""
        writer.one_by_one = self.inner == "lanes"
        self._axes = 0

    # Regions ------------------------------------------------------------------------------------------
    def bind(
        self,
        parameters: Sequence[Node],
        operands: Sequence[Node],
        scalars: Mapping[int, Value],
        arrays: Mapping[int, Memory],
    ) -> None:
        """Binds the parameters of a region to operands of the enclosing region, except for values and memory
        that are given by position."""
        for position, (parameter, operand) in enumerate(zip(parameters, operands, strict=True)):
            if position in scalars:
                self.build.remember((parameter, ()), scalars[position])
            elif position in arrays:
                self.writer.memories[parameter] = arrays[position]
            elif parameter.shape:
                if operand.op.source == "undefined" and operand not in self.writer.memories:
                    self.writer.memories[operand] = self._scratch(operand)  # read only
                self.writer.memories[parameter] = self.memory(operand)
            else:
                self.build.remember((parameter, ()), self.value(operand))

    def run(self, region: Region) -> None:
        """Writes the statements of a region whose parameters are bound."""
        effects = self.nest.effects[id(region)]
        for node in effects.order:
            self._statement(node, effects)

    def deliver(self, region: Region, homes: Mapping[int, Memory]) -> None:
        """Copies results to their destinations with the effect of a parallel copy."""
        moves = {
            position: self.memory(region.results[position])
            for position in homes
            if self.memory(region.results[position]) != homes[position]
        }
        while moves:
            sources = list(moves.values())
            free = next((k for k in moves if homes[k] not in sources), None)
            if free is None:
                # A cycle: one of them is saved first.
                free = next(iter(moves))
                shape = region.results[free].shape
                aside = self.allocate(tuple(map(lift, shape)), moves[free].dtype)
                self.copy(shape, aside, moves[free])
                moves[free] = aside
                continue
            self.copy(region.results[free].shape, homes[free], moves.pop(free))

    def value(self, node: Node) -> Value:
        """Returns the value of a scalar."""
        return self.writer.value(node, ())

    def place(self, region: Region, position: Sum, iteration: Value) -> Value:
        """Returns a position, given as nodes of a loop's region, in one of its iterations."""
        build, counter = self.build, region.parameters[0]
        terms, constant = position
        value = build.constant(constant)
        # In an order that does not depend on addresses.
        order = {node: place for place, node in enumerate(topological((*region.parameters, *region.results)))}

        def place_in_order(term: tuple[Node, int]) -> tuple[bool, int]:
            node, _ = term
            is_scalar = node.op.source == "scalar"
            return not is_scalar, node.attribute("index") if is_scalar else order[node]

        for node, times in sorted(terms, key=place_in_order):
            own = iteration if node is counter else build.cast(self.value(node), INDEX)
            value = value + own * times
        return value

    def memory(self, node: Node) -> Memory:
        """Returns the memory of an array."""
        known = self.writer.memories.get(node)
        if known is None:
            version = version_of(node, self.writer.memories)
            assert version is not None, node
            if version not in self.writer.memories:  # an uninitialized array that is read all the same
                self.writer.memories[version] = self._scratch(version)
            source = self.writer.memories[version]
            same = node.shape == version.shape
            strides = source.strides if same else contiguous(tuple(map(lift, node.shape)))
            known = Memory(source.buffer, source.dtype, strides, source.offset)
            self.writer.memories[node] = known
        return known

    def unless_faulty(self, goes_on: Value) -> Value:
        """Ends a loop where a position was out of bounds, as it might never end otherwise."""
        build, writer = self.build, self.writer
        noted = writer.buffers.get(FAULTS)
        if noted is None:
            return goes_on
        for word in range(len(writer.faults)):
            slot = writer.index(FAULT_BASE) + word
            clean = build.load(noted, slot).equals(0)
            goes_on = goes_on & clean
        return goes_on

    # Statements ---------------------------------------------------------------------------------------
    def _statement(self, node: Node, effects: Effects) -> None:
        if node.op.family == "control":
            self._write_control(node, effects)
        elif node.op.family == "update":
            self._update(node, (node, 0) in effects.in_place)
        elif node.op.family == "reduce" and not is_unrolled(node):
            self._reduce(node)
        elif node.shape:
            self._fill(node)
        elif is_read(node):
            self.read(node)
        else:
            self._make_ready((node,))
            self.value(node)

    def read(self, node: Node) -> Value:
        """Reads an element of an array, or reuses an earlier read."""
        key = (node.inputs[0], node.attribute("axes"), *index_nodes(node))
        known = self.build.recall(key)
        if known is None:
            self._make_ready((node,))
            known = self.value(node)
            self.build.remember(key, known)
        else:
            self.build.remember((node, ()), known)
        return known

    def read_outside(self, region: Region, outside: Mapping[Node, Node]) -> None:
        """Reuses elements that were read outside a region; `outside`: the operands of its parameters."""
        for node in topological(region.results):
            if is_read(node) and all(each in outside for each in node.inputs):
                array, *indices = (outside[each] for each in node.inputs)
                known = self.build.recall((array, node.attribute("axes"), *indices))
                if known is not None:
                    self.build.remember((node, ()), known)

    def _write_control(self, node: Node, effects: Effects) -> None:
        """Writes a control node: allocates the arrays that it updates, then writes its op."""
        flow = control_flow_of(node)
        homes: dict[int, Memory] = {}
        for position, source in enumerate(flow.taken):
            result = flow.regions[0].results[position]
            if not result.shape or flow.unchanged[position] is not None:
                continue
            if source is not None and (node, position) in effects.in_place:
                homes[position] = self.memory(flow.operands[source])
                continue
            homes[position] = self._scratch(result)
            if source is not None and flow.operands[source].op.source != "undefined":
                self.copy(result.shape, homes[position], self.memory(flow.operands[source]))
        for operand in node.inputs:
            if not operand.shape:
                self.value(operand)
        assert node.op.nested is not None
        scalars = node.op.nested(self, node, homes)
        for position, result in enumerate(flow.regions[0].results):
            item = self.nest.items.get((node, position))
            if item is None:
                continue
            if position in homes:
                self.writer.memories[item] = homes[position]
            elif result.shape:
                same = flow.unchanged[position]
                assert same is not None
                self.writer.memories[item] = self.memory(flow.operands[same])
            else:
                self.build.remember((item, ()), scalars[position])

    def _scratch(self, node: Node) -> Memory:
        return self.allocate(tuple(map(lift, node.shape)), node.dtype)

    def _update(self, node: Node, in_place: bool) -> None:
        base, value = node.inputs[:2]
        if in_place:
            memory = self.memory(base)
        else:
            memory = self._scratch(node)
            if base.op.source != "undefined":
                self._store_all(base, memory)
        self._make_ready((value, *index_nodes(node)))
        indices = index_nodes(node)
        if not indices:
            starts, steps = node.attribute("starts"), node.attribute("steps")

            def assign(dims: Dims) -> None:
                at = tuple(
                    Dim(dim.axis, lift(start), lift(step)) for dim, start, step in zip(dims, starts, steps)
                )
                made = self.writer.value(value, dims)
                self.build.store(*self.writer.element(memory, at), made)

            if _is_one_number(value):
                assign((FIXED,) * len(value.shape))
            else:
                self.over(value.shape, assign)
        else:
            self._scatter(node, memory)
        self.writer.memories[node] = memory

    def _scatter(self, node: Node, memory: Memory) -> None:
        """Scatters; positions out of bounds are recorded and skipped."""
        value, kind = node.inputs[1], node.attribute("kind")

        def put(dims: Dims) -> None:
            made = self.writer.value(value, dims)
            place = self.writer.element(memory, looked_up(node, dims)[1])
            if kind != "set":
                made = self.build.emit(kind, (self.build.load(*place), made))
            self.build.store(*place, made)

        def put_inside(dims: Dims) -> None:
            inside = self.writer.resolve(node, dims)
            if inside is None:
                put(dims)
            else:
                with self.build.when(inside):
                    put(dims)

        indices = index_nodes(node)
        if not indices[0].shape and value.shape:
            # One position for all elements.
            inside = self.writer.resolve(node, (FIXED,) * len(value.shape))
            if inside is None:
                self.over(value.shape, put)
            else:
                with self.build.when(inside):
                    self.over(value.shape, put)
        else:
            self.over(value.shape, put_inside, ordered=not node.attribute("unique"))

    def _fill(self, node: Node) -> None:
        memory = self._scratch(node)
        if node.op.source != "undefined":
            self._store_all(node, memory)
        self.writer.memories[node] = memory

    def _store_all(self, node: Node, memory: Memory) -> None:
        self._make_ready((node,))
        self.over(
            node.shape,
            lambda dims: self.build.store(*self.writer.element(memory, dims), self.writer.value(node, dims)),
        )

    def copy(self, shape: Sequence[int], target: Memory, source: Memory) -> None:
        """Copies an array."""
        self.over(
            shape,
            lambda dims: self.build.store(*self.writer.element(target, dims), self.writer.load(source, dims)),
        )

    def _reduce(self, node: Node) -> None:
        (source,) = node.inputs
        self._make_ready((source,))
        axes, space = node.attribute("axes"), source.shape
        stage = Stage(node, "reduce", source, space, axes, node.attribute("kind"))
        stage.axes = [self._axis() for _ in space]
        kept = [axis for position, axis in enumerate(stage.axes) if position not in axes]
        extents = dict(zip(stage.axes, map(lift, space), strict=True))
        memory = self._scratch(node) if node.shape else None
        reduced = [axis for axis in stage.axes if axis not in kept]
        if memory is not None and self._lies_along(stage, kept[-1]):
            self._reduce_columns(stage, memory, kept, reduced, extents)
            self.writer.memories[node] = memory
            return

        def one(dims: Dims) -> None:
            start = identities(self, [stage])
            made = results(self.build, [stage], self._reduced(stage, reduced, extents, start))
            value = made[node, stage.kept_dims]
            if memory is None:
                self.build.remember((node, ()), value)
            else:
                self.build.store(*self.writer.element(memory, dims), value)

        self._loops(kept, [extents[axis] for axis in kept], one, ["serial"] * len(kept))
        if memory is not None:
            self.writer.memories[node] = memory

    def _lies_along(self, stage: Stage, column: int) -> bool:
        """Whether the reduction's elements are contiguous along an axis that is kept: every array that moves
        along it moves by one element."""
        if self.inner != "lanes" or reducer_of(stage).finds:
            return False
        found = reads(stage.value, stage.dims, self.writer.memories, False)
        steps = [
            coefficients(self.writer.memories[node], dims).get(column, ZERO)
            for node, maps in found.items()
            if node in self.writer.memories
            for dims in maps
        ]
        return ONE in steps and all(step in (ZERO, ONE) for step in steps)

    def _reduce_columns(
        self, stage: Stage, memory: Memory, kept: Sequence[int], reduced: Sequence[int],
        extents: Mapping[int, Expr],
    ) -> None:  # fmt: skip
        """Reduces columns: accumulators lie in memory, those of a row in vectors; several terms at once are
        added to each."""
        build, writer = self.build, self.writer
        (identity,) = identities(self, [stage])
        *rows, column = kept
        *outer, last = reduced

        def along(step: Step) -> None:
            self._loops([column], [extents[column]], lambda _: step(over(tuple(kept))), ["lanes"])

        def add(first: Value, numbers: Sequence[int]) -> None:
            for number in numbers:
                writer.axes[last, number] = first + number

            def combined(dims: Dims) -> None:
                place = writer.element(memory, dims)
                known = [build.load(*place)]
                for number in numbers:
                    added = terms(self, stage, at_element(stage.dims, last, number))
                    known = combine(build, [stage], known, added)
                build.store(*place, *known)

            along(combined)

        def down(_: Dims) -> None:
            lower, upper = build.constant(0), writer.index(extents[last])
            step, middle = build.in_steps(lower, upper, COLUMN_TERMS)
            with build.loop(lower, middle, step) as (i,):
                add(i, range(COLUMN_TERMS))
            with build.loop(middle, upper) as (i,):
                add(i, range(1))

        def row(_: Dims) -> None:
            along(lambda dims: build.store(*writer.element(memory, dims), identity))
            self._loops(outer, [extents[axis] for axis in outer], down, ["serial"] * len(outer))

        self._loops(rows, [extents[axis] for axis in rows], row, ["serial"] * len(rows))

    def _reduced(
        self, stage: Stage, axes: Sequence[int], extents: Mapping[int, Expr], start: Sequence[Value]
    ) -> Sequence[Value]:
        """Returns the accumulators after all positions on the remaining axes."""
        build, writer = self.build, self.writer
        lower, upper = build.constant(0), writer.index(extents[axes[0]])
        axis = axes[0]

        def join(*values: Value) -> list[Value]:
            half = len(values) // 2
            return combine(build, [stage], values[:half], values[half:])

        if len(axes) > 1:

            def step(i: Value, *carried: Value) -> Sequence[Value]:
                writer.axes[axis] = i
                return self._reduced(stage, axes[1:], extents, carried)

            return build.carry(lower, upper, start, step)

        def term(i: Value) -> list[Value]:
            writer.axes[axis] = i
            return terms(self, stage, stage.dims)

        return join(*start, *self.reduce(lower, upper, identities(self, [stage]), term, join))

    # Loops --------------------------------------------------------------------------------------------
    def over(self, shape: Sequence[int], step: Step, ordered: bool = False) -> None:
        """Runs a step at each position; `ordered`: serially."""
        axes = [self._axis() for _ in shape]
        kinds = ["serial"] * len(axes)
        if axes and not ordered:
            kinds[-1] = self.inner
        self._loops(axes, [lift(extent) for extent in shape], step, kinds)

    def _loops(self, axes: Sequence[int], extents: Sequence[Expr], step: Step, kinds: Sequence[str]) -> None:
        build = self.build

        def at(depth: int) -> None:
            if depth == len(axes):
                step(over(tuple(axes)))
                return
            if extents[depth] is ONE:
                self.writer.axes[axes[depth]] = build.constant(0)
                at(depth + 1)
                return
            with self.loop(build.constant(0), self.writer.index(extents[depth]), kinds[depth]) as i:
                self.writer.axes[axes[depth]] = i
                at(depth + 1)

        at(0)

    @contextmanager
    def loop(self, lower: Value, upper: Value, kind: str) -> Iterator[Value]:
        """Writes a loop without loop-carried values."""
        with self._in(kind), self.build.loop(lower, upper, kind=kind) as (i,):
            yield i

    def reduce(
        self,
        lower: Value,
        upper: Value,
        identity: Sequence[Value],
        term: Callable[[Value], Sequence[Value]],
        combine: Callable[..., Sequence[Value]],
    ) -> Sequence[Value]:
        """Writes a reduction loop in vectors."""
        with self._in("lanes"):
            return self.build.reduce(lower, upper, identity, term, combine)

    @contextmanager
    def _in(self, kind: str) -> Iterator[None]:
        """Marks the code inside as part of a loop of a kind."""
        before = self.writer.one_by_one
        self.writer.one_by_one = before and kind != "lanes"
        yield
        self.writer.one_by_one = before

    def _axis(self) -> int:
        self._axes += 1
        return self._axes

    def _make_ready(self, roots: Sequence[Node]) -> None:
        """Prepares the small reductions and views in the expressions of these nodes."""
        pending, seen = list(roots), set[Node]()
        while pending:
            node = pending.pop()
            if node in seen or node in self.writer.memories:
                continue
            seen.add(node)
            if is_unrolled(node):
                self.writer.inlined.add(node)
            elif node.shape and version_of(node, self.writer.memories) is not None:
                self.memory(node)
                continue
            pending.extend(node.inputs)
