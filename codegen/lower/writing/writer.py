"""Writes one kernel from stages: memory, index expressions, and graph nodes as kernel values.

Every value is placed in the outermost loop in which its operands are known, so row-invariant values are
computed once for the row.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ....ir.expr import ONE, ZERO, Expr, lift, symbol
from ....ir.index import Dim, Dims, Iteration, Position, index_nodes, looked_up, through, unrolled, view_of
from ....ir.node import Node
from ....ir.ops import REDUCERS, Reducer
from ....ir.record import record
from ....ir.types import BOOL, I32, I64, INDEX, U64, Bits, DType
from ...kernel.nodes import Buffer, Value, constant_number
from .hoisting import LoopBuilder
from .order_key import order_key

Key = tuple[Node, Dims]
FAULTS = -1
"""A placeholder for the number of the buffer in which kernels record positions out of bounds."""
FAULT_BASE = symbol("faults.base")
LAUNCH = symbol("launch.number")
"""The first of the kernel's words in that buffer."""


class Memory(metaclass=record):
    """The memory of a node: a buffer of the plan, element strides and offset."""

    buffer: int
    dtype: DType
    strides: tuple[Expr, ...]
    offset: Expr = ZERO


def contiguous(extents: Sequence[Expr]) -> tuple[Expr, ...]:
    """Row-major strides, written so that adjacent axes can be merged."""
    strides: list[Expr] = []
    stride = ONE
    for extent in reversed(extents):
        strides.append(stride)
        stride = stride * extent
    return tuple(reversed(strides))


def coefficients(memory: Memory, dims: Dims) -> dict[Any, Expr]:
    """Returns the position's step along each loop axis."""
    found: dict[Any, Expr] = {}
    for dim, stride in zip(dims, memory.strides, strict=True):
        for axis, step in dim.terms:
            found[axis] = found.get(axis, ZERO) + stride * step
    return found


def base_offset(memory: Memory, dims: Dims) -> Expr:
    offset = memory.offset
    for dim, stride in zip(dims, memory.strides, strict=True):
        offset = offset + stride * dim.start
    return offset


def memory_of_view(node: Node, memories: Mapping[Node, Memory]) -> Memory:
    """Returns the memory of a view of stored elements."""
    base, dims = view_of(node)
    memory = memories[base]
    steps = coefficients(memory, dims)
    strides = tuple(steps.get(axis, ZERO) for axis in range(len(node.shape)))
    return Memory(memory.buffer, memory.dtype, strides, base_offset(memory, dims))


class KernelWriter:
    """One kernel being written: its parameters with the plan's arguments, and its values."""

    def __init__(
        self, name: str, memories: dict[Node, Memory], inlined: set[Node], written: set[int]
    ) -> None:
        self.build = LoopBuilder(name)
        self.memories = memories
        self.inlined = inlined
        self.written = written
        """Buffers that this kernel writes; loads of them stay in place."""
        self.buffers: dict[int, Buffer] = {}
        self.indices: dict[Expr, Value] = {}
        self.scalars: dict[Node, Value] = {}
        self._scalars: dict[Any, Value] = {}
        self.axes: dict[Any, Value] = {}
        """The current position on each loop axis."""
        self.absorbed: set[Any] = set()
        """Axes merged into their neighbor: they add nothing to a position."""
        self.origins: dict[int, Value] = {}
        """The offset of positions in a buffer that holds the current part of an array."""
        self.results: dict[Key, Value] = {}
        """Reductions of this kernel whose value is known for the current row."""
        self.kept: dict[Key, Memory] = {}
        """Values of an earlier pass over the row, stored where this pass can load them."""
        self.staged: dict[Key, tuple[Buffer, Value]] = {}
        """Values loaded or computed before, and the place of their current element in scratch memory."""
        self.faults: list[tuple[int, int]] = []
        """The words for positions out of bounds: (site, number of the index array)."""
        self.fault_dtype = U64
        self.one_by_one = False
        """Whether one lane runs at a time: then rarely taken branches cost less than branch-free code."""
        self.there: Value | None = None
        """Whether the row of this team of lanes exists; None: certainly. Nonexistent rows record no fault."""
        self.counters: set[Node] = set()
        self.computing: set[Node] = set()
        """Stored nodes that this kernel computes: they are evaluated, not loaded."""

    def index(self, expr: Expr | int) -> Value:
        """An integer of the plan as a kernel value."""
        expr = lift(expr)
        if expr.value is not None:
            return self.build.constant(expr.value)
        value = self.indices.get(expr)
        if value is None:
            value = self.indices[expr] = self.build.index()
        return value

    def buffer(self, number: int, dtype: DType) -> Buffer:
        made = self.buffers.get(number)
        if made is None:
            access = "inout" if number in self.written else "in"
            made = self.buffers[number] = self.build.buffer(dtype, access)  # type: ignore[arg-type]
        return made

    def position(self, memory: Memory, dims: Dims) -> Value:
        """Returns the element of a buffer at an index map, outer axes added first."""
        terms: list[tuple[int, int, Value, Expr]] = []
        for axis, coefficient in coefficients(memory, dims).items():
            if axis not in self.absorbed and coefficient is not ZERO:
                position = self.at(axis)
                terms.append((self.build.levels.get(position, 0), len(terms), position, coefficient))
        value = self.index(base_offset(memory, dims))
        if memory.buffer in self.origins:
            value = self.origins[memory.buffer] + value
        for _level, _order, position, coefficient in sorted(terms, key=lambda term: term[:2]):
            value = value + position * self.index(coefficient)
        return value

    def at(self, axis: Any) -> Value:
        """Returns the current position on a loop axis, of an iteration, or from an index array
        (`resolve`)."""
        if axis.__class__ is Iteration:
            return self._iteration(axis)
        if axis.__class__ is not Position:
            return self.axes[axis]
        value = self.build.recall(axis)
        assert value is not None, axis
        return value

    def place(self, dim: Dim) -> Value:
        """Returns the position of a dimension of an index map."""
        position = self.index(dim.start)
        for axis, step in dim.terms:
            position = position + self.at(axis) * self.index(step)
        return position

    def _iteration(self, iteration: Iteration) -> Value:
        value = self.build.recall(iteration)
        if value is None:
            value, _ = self.iteration_at(iteration)
        return value

    def iteration_at(self, iteration: Iteration) -> tuple[Value, Value]:
        """Computes an iteration at the current position, and how many elements remain before it wraps."""
        build, extent = self.build, self.index(iteration.extent)
        left = extent - self.place(iteration.dim)
        zero = build.constant(0)
        value = build.select(zero < left, zero, zero - extent)
        build.remember(iteration, value)
        return value, left

    def load(self, memory: Memory, dims: Dims) -> Value:
        return self.build.load(*self.element(memory, dims))

    def element(self, memory: Memory, dims: Dims) -> tuple[Buffer, Value]:
        """Returns the buffer and the position of an index map."""
        return self.buffer(memory.buffer, memory.dtype), self.position(memory, dims)

    def value(self, root: Node, dims: Dims) -> Value:
        """The kernel value of a node at an index map. Iterative: chains may be thousands of nodes long."""
        recall, remember = self.build.recall, self.build.remember
        pending = [(root, dims)]
        while pending:
            key = pending[-1]
            made = recall(key)
            if made is None:
                made = self._given(key)
                if made is None:
                    values: list[Value] = []
                    missing: list[Key] = []
                    for need in self._needs(*key):
                        known = recall(need)
                        if known is None:
                            missing.append(need)
                        else:
                            values.append(known)
                    if missing:
                        pending += missing
                        continue
                    made = self.computed(*key, values)
                remember(key, made)
            pending.pop()
        assert made is not None
        return made

    def _given(self, key: Key) -> Value | None:
        """Returns the value of a node at an index map that a row, an earlier pass or memory supplies; None:
        it is computed."""
        if self.results and key in self.results:
            return self.results[key]
        if self.staged and key in self.staged:
            return self.build.load(*self.staged[key])
        node, dims = key
        if self.in_memory(node):
            return self.load(self.memories[node], dims)
        if self.kept and key in self.kept:
            return self.load(self.kept[key], dims)
        return None

    def _needs(self, node: Node, dims: Dims) -> Sequence[Key]:
        """Returns the operands of a node."""
        family = node.op.family
        if family == "elementwise":
            return [(source, dims if source.shape or not dims else ()) for source in node.inputs]
        if family == "movement":
            return [(node.inputs[0], through(node, dims))] if node.inputs else ()
        if family == "gather":
            own, source = looked_up(node, dims)
            indices: list[Key] = [(index, own) for index in index_nodes(node)]
            if any(self.build.recall(index) is None for index in indices):
                return indices
            self.resolve(node, dims)
            return [(node.inputs[0], source)]
        if family == "reduce":
            assert node in self.inlined, node
            return [(node.inputs[0], at) for at in unrolled(node, dims)]
        assert family == "leaf", node
        return ()

    def in_memory(self, node: Node) -> bool:
        """Whether a node is read from memory. Constants and scalars are not: where they are also results,
        other kernels may come before the one that stores them."""
        known = node.op.source in ("constant", "scalar")
        return node in self.memories and node not in self.computing and not known

    def computed(self, node: Node, dims: Dims, values: list[Value]) -> Value:
        """Returns the value of a node that is computed here, from its operands."""
        source = node.op.source
        if source == "constant":
            bits: Bits = node.attributes[0]
            return self.build.constant(bits.value, node.dtype)
        if source == "scalar" or node in self.counters:
            # Regions have nodes of their own for a scalar of the program.
            key = (node.attribute("index"), node.dtype) if source == "scalar" else node
            value = self._scalars.get(key)
            if value is None:
                value = self._scalars[key] = self.scalars[node] = self.build.scalar(node.dtype)
            return value
        if source == "index":
            return self._counted(dims[node.attribute("axis")], node.dtype)
        if source == "undefined":
            return self.build.constant(0, node.dtype)
        if node.op.family == "reduce":
            return self._combine(node, values)
        if node.op.of_scalars is not None:
            several: list[Value] = node.op.of_scalars(self, node, values)
            position: int = node.attribute("position")
            return several[position]
        if node.op.instruction is None:
            if node.op.fault is not None and node.op.family == "elementwise":
                conditions = _joined(node.inputs[1]) if self.one_by_one else [node.inputs[1]]
                bad = [self.value(condition, dims if condition.shape else ()) for condition in conditions]
                self._note_fault(bad, self.build.constant(1, I32), node.attribute("site"), 0)
            return values[0]
        attributes = {"dtype": node.dtype} if node.op.attribute_names == ("dtype",) else None
        if self.one_by_one and node.op.instruction == "floormod" and node.dtype.is_integer:
            return self._remainder(*values)
        return self.build.emit(node.op.instruction, values, attributes)

    def _remainder(self, x: Value, y: Value) -> Value:
        """x % y, without a division where x is the remainder itself, as for neighbors in rings; y is
        loop-invariant."""
        build = self.build
        moves, divisor_moves = (build.levels.get(value, 0) >= build.floor for value in (x, y))
        if constant_number(y) is not None or divisor_moves or not moves:
            return build.emit("floormod", (x, y))
        is_other = (x < y).equals(False) | (x < 0) if x.dtype.is_signed else (x < y).equals(False)
        (value,) = build.rarely(is_other, lambda: (build.emit_here("floormod", (x, y)),), (x,))
        return value

    def _counted(self, dim: Dim, dtype: DType) -> Value:
        return self.build.cast(self.place(dim), dtype)

    # Positions known at run time ---------------------------------------------------------------------
    def resolve(self, node: Node, dims: Dims) -> Value | None:
        """Computes the positions of a gather or a scatter here. Positions out of bounds are recorded, and
        replaced by 0: no access leaves the array. Returns whether all are in bounds; None: certainly."""
        _, source = looked_up(node, dims)
        inside: Value | None = None
        number = 0
        for dim in source:
            if dim.axis.__class__ is Position:
                valid = self._resolve(dim.axis, node.attribute("site"), number)
                number += 1
                if valid is not None:
                    inside = valid if inside is None else inside & valid
        return inside

    def _resolve(self, position: Position, site: int, number: int) -> Value | None:
        build = self.build
        if build.recall(position) is not None:
            return build.recall((position, "valid"))
        value = self.value(position.array, position.dims)
        # On devices with a 32-bit index, 64-bit positions are compared before truncation.
        dtype = I64 if value.dtype.bits == 64 or self.fault_dtype is U64 else INDEX
        value = build.cast(value, dtype)
        if position.known:
            build.remember(position, build.as_index(value), build.floor)
            return None
        zero, extent = build.constant(0, dtype), build.cast(self.index(position.extent), dtype)
        if self.one_by_one and build.levels.get(value, 0) >= build.floor:
            return self._resolve_rarely(position, value, zero, extent, site, number)
        moved = build.select(value < zero, value + extent, value)
        valid = self.within(moved, zero, extent)
        self._note_fault([valid.equals(False)], value, site, number)
        safe = build.cast(build.select(valid, moved, zero), INDEX)
        build.remember(position, safe, build.floor)
        build.remember((position, "valid"), valid, build.floor)
        return valid

    def _resolve_rarely(
        self, position: Position, given: Value, zero: Value, extent: Value, site: int, number: int
    ) -> Value:
        """Like `resolve`, with the handling of negative and out-of-bounds indices under one rarely taken
        branch."""
        build = self.build
        is_odd = self.within(given, zero, extent).equals(False)

        def resolve() -> Sequence[Value]:
            build.confine()
            moved = build.emit_here("add", (given, extent))
            valid = self.within(moved, zero, extent)
            self._note_fault([valid.equals(False)], given, site, number)
            return build.cast(build.select(valid, moved, zero), INDEX), valid

        place, valid = build.rarely(is_odd, resolve, (build.cast(given, INDEX), build.constant(True, BOOL)))
        build.remember(position, place)
        build.remember((position, "valid"), valid)
        return valid

    def within(self, value: Value, lower: Value, extent: Value) -> Value:
        """Whether lower <= value < lower + extent, for a nonnegative extent, by one unsigned comparison."""
        build = self.build
        if constant_number(lower) != 0:
            value = value - lower
        if value.dtype is INDEX and self.fault_dtype is U64:
            value, extent = build.cast(value, I64), build.cast(extent, I64)
        if value.dtype is INDEX:
            zero = build.constant(0)
            return (zero <= value) & (value < extent)
        return build.bitcast(value, U64) < build.bitcast(extent, U64)

    def _note_fault(self, bad: Sequence[Value], given: Value, site: int, number: int) -> None:
        """Records the index furthest out of bounds, as an unsigned number: v * 2, or -v * 2 - 1. `bad`: the
        conditions for that; the first one is rarely true."""
        build = self.build
        buffer = self.buffers.get(FAULTS)
        if buffer is None:
            buffer = self.buffers[FAULTS] = build.buffer(self.fault_dtype, "inout")
        if (site, number) not in self.faults:
            self.faults.append((site, number))
        word = build.constant(self.faults.index((site, number)))
        slot = self.index(FAULT_BASE) + word
        signed = I64 if self.fault_dtype is U64 else I32
        if self.there is not None:
            bad = [bad[0] & self.there, *bad[1:]]
        one, last = build.constant(1, signed), build.constant(signed.bits - 1, signed)
        least, most = (build.constant(bound, given.dtype) for bound in (-(1 << 31), (1 << 31) - 1))

        def note() -> tuple[Value, ...]:
            value = given
            if signed is I32 and given.dtype.bits == 64:
                value = build.emit_here("maximum", (build.emit_here("minimum", (value, most)), least))
            if value.dtype is not signed:
                value = build.emit_here("cast", (value,), {"dtype": signed})
            doubled = build.emit_here("shift_left", (value, one))
            sign = build.emit_here("shift_right", (value, last))
            spelled = build.emit_here("xor", (doubled, sign))
            build.atomic("max", buffer, slot, build.emit_here("bitcast", (spelled,), {"dtype": buffer.dtype}))
            return ()

        def note_if(*further: Value) -> tuple[Value, ...]:
            if not further:
                return note()
            build.enclose()
            return build.rarely(further[0], lambda: note_if(*further[1:]), (), further[1:])

        # The other conditions are hard to predict: they come after the first one.
        build.rarely(bad[0], lambda: note_if(*bad[1:]), (), bad[1:])

    def _combine(self, node: Node, values: list[Value]) -> Value:
        """Combines a few values in the order of a reduction loop: by halves, the identity first. The identity
        is omitted for sums of squares."""
        reducer = REDUCERS[node.attribute("kind")]
        if reducer.finds:
            return self._find(reducer, node.dtype, [order_key(reducer, value) for value in values])
        half = 1
        while half < len(values):
            half *= 2
        while half > 1:
            half //= 2
            for j in range(half):
                if j + half < len(values):
                    values[j] = self.build.emit(reducer.kernel, (values[j], values[j + half]))
            values = values[:half]
        identity = self.build.constant(reducer.identity(node.dtype), node.dtype)
        if node.inputs[0].op.is_square(node.inputs[0]):
            return values[0]  # 0.0 and x give another number for x = -0.0 alone, which no square is
        return self.build.emit(reducer.kernel, (identity, values[0]))

    def _find(self, reducer: Reducer, dtype: DType, values: list[Value]) -> Value:
        """Returns the position of the first extreme among a few values."""
        best, at = values[0], self.build.constant(0, dtype)
        for position, value in enumerate(values[1:], 1):
            taken = self.build.emit(reducer.kernel, (value, best))
            best = self.build.select(taken, value, best)
            at = self.build.select(taken, position, at)
        return at


def _joined(condition: Node) -> list[Node]:
    """Returns the conjunction of conditions, in order."""
    if condition.op.instruction != "and":
        return [condition]
    return [node for source in condition.inputs for node in _joined(source)]
