"""The kernel of a stack of small matrices: its matrices, its loops, and its failures."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ....ir.expr import Expr, ceil_div, const, lift, product
from ....ir.node import Node
from ....ir.ops.small_matrices import MOST
from ....ir.types import I32, U32, U64, DType
from ...kernel.nodes import Buffer, Value
from ..written_kernel import WrittenKernel

if TYPE_CHECKING:
    from ..lowering import Lowering, Scope

TOGETHER = 16
"""Matrices that a processor processes in the lanes of vectors."""
ROUNDS = 16
"""Batches of so many matrices in a workgroup."""
FAILED = 2
"""The code of a matrix without result."""


class Local:
    """A small matrix in private memory: element (i, j) of each of the matrices in the lanes."""

    def __init__(self, kernel: StackKernel, dtype: DType, rows: int = MOST, columns: int = MOST) -> None:
        self._kernel = kernel
        self._columns = columns
        self.buffer: Buffer = kernel.build.allocate(dtype, rows * columns * kernel.together)

    def _place(self, row: Value, column: Value | None) -> Value:
        number = row * self._columns
        number = number if column is None else number + column
        return number * self._kernel.together + self._kernel.lane

    def get(self, row: Value, column: Value | None = None) -> Value:
        return self._kernel.build.load(self.buffer, self._place(row, column))

    def put(self, value: Value, row: Value, column: Value | None = None) -> None:
        self._kernel.build.store(self.buffer, self._place(row, column), value)


class StackKernel(WrittenKernel):
    """Operands, results and the loops of an op on a stack of small matrices."""

    def __init__(self, lowering: Lowering, node: Node, scope: Scope) -> None:
        self.lanes_of_group = lowering.machine.lanes
        super().__init__(lowering, scope, node.op.name, self.lanes_of_group)
        assert node.op.results is not None, node
        cores = node.op.library
        stack, bound = cores.bound([each.shape for each in node.inputs], node.attribute("extents"))
        made = node.op.results(node)
        self.node = node
        self.count: Expr = product(map(lift, stack))
        self.extents: dict[str, Expr] = {letter: lift(bound[letter]) for letter in cores.letters}
        self.dtype = node.inputs[0].dtype
        self.memories = [lowering.allocate(tuple(map(lift, shape)), dtype, scope) for shape, dtype in made]
        self.operands = [self.buffer(scope.memories[each], "in") for each in node.inputs]
        self.results = [self.buffer(memory, "out") for memory in self.memories]
        fault_dtype = U64 if lowering.machine.wide_faults else U32
        self._faults = self.buffer_of(
            lowering.fault_word(node.attribute("site"), 0, fault_dtype), fault_dtype
        )
        self.together = 1 if self.lanes_of_group > 1 else TOGETHER
        self.zero = self.build.constant(0)
        self.lane = self.zero
        """The lane of the present matrix."""
        self._first = self.zero
        self.bad = self.local(rows=1, columns=1)
        """Positive where a matrix has no result."""

    # Values

    def extent(self, letter: str) -> Value:
        return self.index(self.extents[letter])

    def number(self, value: float, dtype: DType | None = None) -> Value:
        return self.build.constant(value, self.dtype if dtype is None else dtype)

    def local(self, rows: int = MOST, columns: int = MOST, dtype: DType | None = None) -> Local:
        return Local(self, self.dtype if dtype is None else dtype, rows, columns)

    def positions(self) -> Local:
        """Allocates a position for each matrix."""
        return self.local(1, 1, I32)

    def after(self, position: Value) -> Value:
        return position + 1

    # Loops

    @contextmanager
    def each(self) -> Iterator[None]:
        """Loops over the matrices in the lanes."""
        if self.together == 1:
            yield
            return
        with self.build.loop(self.zero, self.together, kind="lanes") as (lane,):
            self.lane = lane
            yield
        self.lane = self.zero

    def write(self, body: Callable[[], None], cost: Expr) -> None:
        """Writes `body` for all matrices; `cost`: the arithmetic of one."""
        build, count = self.build, self.index(self.count)
        group = build.group_id()
        if self.together == 1:
            lanes = build.constant(self.lanes_of_group)
            self._first = group * lanes + build.lane_id()
            with build.when(self._first < count):
                self._one(body)
            groups = ceil_div(self.count, self.lanes_of_group)
        else:
            size = build.constant(TOGETHER * ROUNDS)
            begin = group * size
            end = build.minimum(begin + size, count)
            with build.loop(begin, end, TOGETHER) as (first,):
                self._first = first
                self._one(body)
            groups = ceil_div(self.count, TOGETHER * ROUNDS)
        self.launch(groups, self.count * (cost // const(4)))
        self.scope.tuples[self.node] = self.memories

    def _one(self, body: Callable[[], None]) -> None:
        build = self.build
        with self.each():
            self.bad.put(self.number(0.0), self.zero)
        body()
        with self._valid("serial") as lane:
            self.lane = lane
            failed = self.bad.get(self.zero) > self.number(0.0)
            with build.when(failed):
                word = build.constant(FAILED, self._faults.dtype)
                build.atomic("max", self._faults, self.zero, word)
        self.lane = self.zero

    @contextmanager
    def _valid(self, kind: str) -> Iterator[Value]:
        """Loops over the existing matrices: the last batch may have fewer."""
        build = self.build
        if self.together == 1:
            yield self.zero
            return
        left = self.index(self.count) - self._first
        upper = build.minimum(left, self.together)
        with build.loop(self.zero, upper, kind=kind) as (lane,):
            yield lane

    # Memory

    def read(self, source: Buffer, target: Local, rows: Value, columns: Value, triangle: str = "") -> None:
        """Reads the matrices of an operand; `triangle`: "lower" or "upper" is read for both."""
        build = self.build
        last = self.index(self.count) - 1
        size = rows * columns
        with build.loop(self.zero, rows) as (i,), build.loop(self.zero, columns) as (j,):
            row, column = i, j
            if triangle:
                less, more = (build.emit(name, (i, j)) for name in ("minimum", "maximum"))
                row, column = (more, less) if triangle == "lower" else (less, more)
            place = row * columns + column
            with self.each():
                number = build.minimum(self._first + self.lane, last)
                target.put(build.load(source, number * size + place), i, j)

    def save(
        self, target: Buffer, rows: Value, columns: Value, value: Callable[[Value, Value], Value]
    ) -> None:
        """Stores `value(i, j)` of each matrix as element (i, j) of a result."""
        build = self.build
        size = rows * columns
        with build.loop(self.zero, rows) as (i,), build.loop(self.zero, columns) as (j,):
            place = i * columns + j
            with self._valid("lanes") as lane:
                self.lane = lane
                number = self._first + lane
                build.store(target, number * size + place, value(i, j))
            self.lane = self.zero

    def put_unit(self, target: Local, rows: Value, columns: Value) -> None:
        """Stores the first rows and columns of the identity matrix."""
        build = self.build
        with build.loop(self.zero, rows) as (i,), build.loop(self.zero, columns) as (j,):
            same = i.equals(j)
            unit = build.select(same, self.number(1.0), self.number(0.0))
            with self.each():
                target.put(unit, i, j)

    def fail_where(self, condition: Value) -> None:
        """Records in a loop over the matrices that some have no result."""
        known = self.bad.get(self.zero)
        self.bad.put(self.build.select(condition, self.number(1.0), known), self.zero)
