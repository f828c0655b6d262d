"""What every sort works with: the rows in memory, their result, and the kernels that are written for them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ....ir.expr import Expr, const, less, lift, product
from ....ir.node import Node
from ....ir.types import I32, I64, DType
from ...kernel.builder import KernelBuilder
from ...kernel.nodes import Access, Buffer, Value
from ...plan.nodes import Alloc, BufferRef, Launch, PlanBuffer
from ..writer import Memory
from .order import Order

if TYPE_CHECKING:
    from ..program import Lowering, Scope


class Rows:
    """The rows of an array, each of which is sorted into a row of the result."""

    def __init__(
        self,
        lowering: Lowering,
        source: Node,
        scope: Scope,
        dtype: DType,
        descending: bool,
        positions: bool,
    ) -> None:
        *outer, length = map(lift, source.shape)
        self.lowering, self.scope = lowering, scope
        self.machine, self.decide = lowering.machine, lowering.decide
        self.source = scope.memories[source]
        self.result: Memory = lowering.allocate((*outer, length), dtype, scope)
        self.length: Expr = length
        self.count: Expr = product(outer)
        self.elements: Expr = product((*outer, length))
        self.positions = positions
        """Whether positions are the result, and not elements."""
        self.order = Order(source.dtype, descending, equal_zeros=positions)

    def position_dtype(self) -> DType:
        """What positions in a row are kept in."""
        return I32 if self.decide(less(self.length, 1 << 31)) else I64

    def scratch(self, dtype: DType, elements: Expr) -> Memory:
        """Memory of the sort alone."""
        number = len(self.lowering.buffers)
        self.lowering.buffers.append(PlanBuffer(dtype, elements))
        self.scope.steps.append(Alloc(number))
        return Memory(number, dtype, ())


class SortKernel:
    """A kernel of a sort being written, with what the plan gives it."""

    def __init__(self, rows: Rows, name: str, workgroup: int = 1) -> None:
        self.rows = rows
        self.build = KernelBuilder(name)
        self.workgroup = workgroup
        self._memories: list[Memory] = []
        self._indices: dict[Expr, Value] = {}
        self._number: int | None = None

    def buffer(self, memory: Memory, access: Access = "inout") -> Buffer:
        self._memories.append(memory)
        return self.build.buffer(memory.dtype, access)

    def index(self, expr: Expr | int) -> Value:
        """The value of an expression."""
        expr = lift(expr)
        if expr.value is not None:
            return self.build.constant(expr.value)
        if expr not in self._indices:
            self._indices[expr] = self.build.index()
        return self._indices[expr]

    def parameter(self) -> Value:
        """An index that each launch says (see `launch`), above all others."""
        assert not self._indices
        return self.build.index()

    def launch(self, groups: Expr, cost: Expr, given: Sequence[int] = ()) -> None:
        """So many workgroups, with what is given to the parameters. The first launch ends the kernel."""
        lowering = self.rows.lowering
        if self._number is None:
            self._number = len(lowering.kernels)
            lowering.kernels.append(self.build.finish(self.workgroup))
        refs = tuple(BufferRef(memory.buffer, memory.offset) for memory in self._memories)
        indices = (*map(const, given), *self._indices)
        self.rows.scope.steps.append(Launch(self._number, refs, indices, (), groups, cost))
