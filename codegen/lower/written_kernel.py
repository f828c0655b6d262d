"""A kernel that an op writes itself, and its launches with their arguments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...ir.expr import ZERO, Expr, add, const, lift
from ...ir.node import Node
from ...ir.types import Bits, DType
from ..kernel.builder import KernelBuilder
from ..kernel.nodes import Access, Buffer, Value
from ..plan.nodes import BufferRef, Launch, Scalar
from .writing.writer import KernelWriter, Memory

if TYPE_CHECKING:
    from .lowering import Lowering, Scope


class WrittenKernel:
    """A kernel being written, with the plan's arguments."""

    def __init__(
        self,
        lowering: Lowering,
        scope: Scope,
        name: str,
        workgroup: int = 1,
        writer: KernelWriter | None = None,
    ) -> None:
        """`writer`: writes values of nodes into it."""
        self.lowering, self.scope, self.writer = lowering, scope, writer
        self.build = KernelBuilder(name) if writer is None else writer.build
        self.workgroup = workgroup
        self._given: dict[Buffer, BufferRef] = {}
        self._indices: dict[Expr, Value] = {} if writer is None else writer.indices
        self._scalars: list[Scalar] = []
        self._number: int | None = None

    def buffer(self, memory: Memory, access: Access = "inout") -> Buffer:
        return self.buffer_of(BufferRef(memory.buffer, memory.offset), memory.dtype, access)

    def buffer_of(self, place: BufferRef, dtype: DType, access: Access = "inout") -> Buffer:
        buffer = self.build.buffer(dtype, access)
        self._given[buffer] = place
        return buffer

    def index(self, expr: Expr | int) -> Value:
        """Returns the value of an expression."""
        expr = lift(expr)
        if expr.value is not None:
            return self.build.constant(expr.value)
        if expr not in self._indices:
            self._indices[expr] = self.build.index()
        return self._indices[expr]

    def scalar(self, node: Node) -> Value:
        """Returns the value of a scalar node: a constant, a scalar of the program, or an element of
        memory."""
        if node.op.source == "constant":
            bits: Bits = node.attributes[0]
            return self.build.constant(bits.value, node.dtype)
        if node.op.source == "scalar" or node in self.scope.loop_depth:
            self._scalars.append(self.lowering.scalar(node, self.scope))
            return self.build.scalar(node.dtype)
        memory = self.scope.memories[node]
        buffer = self.buffer_of(BufferRef(memory.buffer), memory.dtype, "in")
        return self.build.load(buffer, self.index(memory.offset))

    def parameter(self) -> Value:
        """Adds an index that each launch sets (see `launch`), above all others."""
        assert not self._indices
        return self.build.index()

    def launch(self, groups: Expr, cost: Expr, given: Sequence[int] = ()) -> None:
        """Launches so many workgroups, with values of the parameters. The first launch ends the kernel."""
        if self._number is None:
            self._number = len(self.lowering.kernels)
            self.lowering.kernels.append(self.build.finish(self.workgroup))
        indices = (*map(const, given), *self._indices)
        places, scalars = self._given, self._scalars
        if self.writer is not None:
            assert not scalars, "either writes scalars"
            places = places | {buffer: BufferRef(number) for number, buffer in self.writer.buffers.items()}
            scalars = [self.lowering.scalar(node, self.scope) for node in self.writer.scalars]
        buffers = tuple([places[buffer] for buffer in self.build.buffers])
        self.scope.steps.append(
            Launch(self._number, buffers, indices, tuple(scalars), groups, cost, self._moved(buffers))
        )

    def _moved(self, places: Sequence[BufferRef]) -> Expr:
        """Returns the bytes of all argument arrays, each counted once."""
        moved = ZERO
        for number in dict.fromkeys(place.buffer for place in places):
            plan_buffer = self.lowering.buffers[number]
            moved = add(moved, plan_buffer.elements * plan_buffer.dtype.itemsize)
        return moved
