"""The rows of a sort in memory, their result, and the kernels that sort them."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from ....ir.expr import Expr, less, lift, product
from ....ir.node import Node
from ....ir.types import I32, I64, DType
from ..writing.writer import Memory
from ..written_kernel import WrittenKernel
from .order import Order

if TYPE_CHECKING:
    from ..lowering import Lowering, Scope


class Rows:
    """The rows of an array, each of which is sorted into a row of the result."""

    def __init__(
        self, lowering: Lowering, source: Node, scope: Scope, dtype: DType, descending: bool, positions: bool
    ) -> None:
        *outer, length = map(lift, source.shape)
        self.lowering, self.scope = lowering, scope
        self.machine, self.decide = lowering.machine, lowering.decide
        self.source = scope.memories[source]
        self._result = (*outer, length), dtype
        self.length: Expr = length
        self.count: Expr = product(outer)
        self.elements: Expr = product((*outer, length))
        self.positions = positions
        """Whether the result is positions rather than elements."""
        self.order = Order(source.dtype, descending, equal_zeros=positions)

    @cached_property
    def result(self) -> Memory:
        shape, dtype = self._result
        return self.lowering.allocate(shape, dtype, self.scope)

    def position_dtype(self) -> DType:
        """The dtype in which positions in a row are stored."""
        return I32 if self.decide(less(self.length, 1 << 31)) else I64

    def scratch(self, dtype: DType, elements: Expr) -> Memory:
        """Allocates memory of the sort alone."""
        return self.lowering.allocate((elements,), dtype, self.scope)


class SortKernel(WrittenKernel):
    """A kernel of a sort being written."""

    def __init__(self, rows: Rows, name: str, workgroup: int = 1) -> None:
        super().__init__(rows.lowering, rows.scope, name, workgroup)
        self.rows = rows
