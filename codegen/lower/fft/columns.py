"""Transforms of the columns of matrices on a processor: a workgroup takes tiles of columns that lie side by
side, which stay in its scratch memory through all passes.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ....ir.expr import Expr, ceil_div, const, lift, minimum, mul, symbol
from ....ir.types import DType
from ...kernel.nodes import Buffer, Value
from ...plan.nodes import Alloc, PlanBuffer
from ..writer import Memory as Placed
from ..written_kernel import WrittenKernel
from .chirp import convolved_points, stages_for
from .factors import radices_of
from .rows import cost_of
from .stages import Planes
from .tiles import Columns, Tile, lanes_of

if TYPE_CHECKING:
    from . import Transform

GROUPS_OF_A_THREAD = 4
MOST = 8192
"""Points of a column, whose tile is to stay in the cache."""
MOST_CONVOLVED = 1024
"""The same of a convolution, whose memory is a kernel's own."""


def stay_in_cache(transform: Transform) -> bool:
    """Whether the complex columns of a transform are transformed where they are."""
    points = transform.points
    if points == 0 or radices_of(points):
        return 0 < points <= MOST
    return points <= MOST_CONVOLVED and convolved_points(points) <= MOST_CONVOLVED


def transform_columns(transform: Transform) -> None:
    """All columns of a transform, of which there are at least as many as a tile has."""
    kernel = ColumnsKernel(
        transform, f"fft_{transform.points}_columns", transform.points, transform.columns, transform.rows
    )
    kernel.write(transform.source, transform.result, (transform.backward, transform.backward))


def scratch_of(transform: Transform, dtype: DType, elements: Expr) -> Placed:
    """Memory of the transform alone."""
    lowering = transform.lowering
    lowering.buffers.append(PlanBuffer(dtype, elements))
    transform.scope.steps.append(Alloc(len(lowering.buffers) - 1))
    return Placed(len(lowering.buffers) - 1, dtype, ())


class ColumnsKernel(WrittenKernel):
    """The kernel that transforms the columns, of `points` points, of so many matrices of so many columns."""

    def __init__(self, transform: Transform, name: str, points: int, columns: Expr, matrices: Expr) -> None:
        super().__init__(transform.lowering, transform.scope, name)
        self.transform, self.points, self.matrices = transform, points, matrices
        self.columns = columns
        self.dtype: DType = transform.dtype
        self.lanes = lanes_of(self.dtype)
        self.tile = Tile(self.build, self.dtype, points)
        self.stages = stages_for(self.build, self.dtype, points, self.lanes)
        self._tiles: Expr = ceil_div(columns, self.lanes)
        self._count: Expr = mul(matrices, self._tiles)
        self._groups: Expr = minimum(self._count, mul(symbol("device.threads"), lift(GROUPS_OF_A_THREAD)))

    def write(self, given: Placed, made: Placed, swapped: tuple[bool, bool]) -> None:
        """The columns of one array as those of another one; `swapped`: whether the parts of either are."""
        source, target = self.buffer(given, "in"), self.buffer(made, "out")
        scratch, own = self.allocate_scratch(0)
        with self.tiles() as (start, column):
            self.stages.write(
                self.columns_of(source, start, column, swapped[0]),
                self.columns_of(target, start, column, swapped[1], self.transform.scale),
                lambda left: self.planes(scratch, own, left % 2),
            )
        self.launch_groups()

    def columns_of(
        self, buffer: Buffer, start: Value, column: Value, swapped: bool, scale: float = 1.0
    ) -> Columns:
        """Those of a tile."""
        return Columns(self.build, buffer, start + column * 2, self._step, swapped, scale)

    def planes(self, scratch: Buffer, own: Value, number: int) -> Planes:
        return self.tile.planes(scratch, own + number * self.tile.size)

    def allocate_scratch(self, more: int) -> tuple[Buffer, Value]:
        """Memory of each group, and where that of this one begins."""
        size = 2 * self.tile.size + more
        memory = scratch_of(self.transform, self.dtype, mul(self._groups, const(size)))
        return self.buffer(memory), self.build.group_id() * size

    @contextmanager
    def tiles(self) -> Iterator[tuple[Value, Value]]:
        """The tiles of a group: where the matrix begins, and the first column. The last tile of a matrix
        begins so that it is whole; what two tiles have, both write alike."""
        build = self.build
        tiles, columns = self.index(self._tiles), self.index(self.columns)
        self._step = columns * 2
        matrix, whole = self._step * self.points, columns - self.lanes
        with build.loop(build.group_id(), self.index(self._count), self.index(self._groups)) as (number,):
            place, tile = divmod(number, tiles)
            column = tile * self.lanes
            yield place * matrix, build.minimum(column, whole)

    def launch_groups(self) -> None:
        passes = len(self.stages.passes)
        count: Expr = mul(self.matrices, self.columns)
        self.launch(self._groups, cost_of(count, self.points, passes))
