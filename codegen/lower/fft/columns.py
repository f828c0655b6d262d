"""Transforms of the columns of matrices on a processor: a workgroup takes tiles of adjacent columns, which
stay in its scratch memory through all passes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from ....ir.expr import Expr, ceil_div, const, lift, minimum, mul, symbol
from ....ir.types import DType
from ...kernel.nodes import Buffer, Value
from ...plan.nodes import Alloc, PlanBuffer
from ..writing.writer import Memory as Placed
from ..written_kernel import WrittenKernel
from .chirp import convolved_points, stages_for
from .ends import Ends, writer_of
from .factors import radices_of
from .rows import cost_of
from .stages import Memory, Planes
from .tiles import Columns, Tile, lanes_of

if TYPE_CHECKING:
    from . import Transform

GROUPS_OF_A_THREAD = 4
MOST = 8192
"""The most points of a column whose tile stays in the cache."""
MOST_CONVOLVED = 2048
"""The limit for a convolution, whose kernel has more scratch memory."""


def stay_in_cache(transform: Transform) -> bool:
    """Whether the complex columns of a transform are transformed in place."""
    return transform.points > 0 and fit(transform.points)


def fit(points: int) -> bool:
    """Whether a tile of columns of so many points stays in the cache."""
    if radices_of(points):
        return points <= MOST
    return points <= MOST_CONVOLVED and convolved_points(points) <= MOST_CONVOLVED


def scratch_of(transform: Transform, dtype: DType, elements: Expr) -> Placed:
    """Allocates memory of the transform alone."""
    lowering = transform.lowering
    lowering.buffers.append(PlanBuffer(dtype, elements))
    transform.scope.steps.append(Alloc(len(lowering.buffers) - 1))
    return Placed(len(lowering.buffers) - 1, dtype, ())


class Columned(NamedTuple):
    """Adjacent columns: the number of their matrix, its start, and the first of them."""

    matrix: Value
    start: Value
    first: Value


class ColumnsKernel(WrittenKernel):
    """The kernel that transforms columns of `points` points, of so many matrices with so many columns.

    `of_rows`: the matrices are long rows.
    """

    def __init__(
        self,
        transforms: Sequence[Transform],
        name: str,
        points: int,
        columns: Expr,
        matrices: Expr,
        of_rows: bool = False,
    ) -> None:
        transform = transforms[0]
        super().__init__(transform.lowering, transform.scope, name, writer=writer_of(transforms, name))
        self.transform, self.points, self.matrices = transform, points, matrices
        self.columns, self._of_rows = columns, of_rows
        self.dtype: DType = transform.dtype
        self.lanes = lanes_of(self.dtype)
        self.tile = Tile(self.build, self.dtype, points)
        self.stages = stages_for(self.build, self.dtype, points, self.lanes)
        self._tiles: Expr = ceil_div(columns, self.lanes)
        self._count: Expr = mul(matrices, self._tiles)
        self._groups: Expr = minimum(self._count, mul(symbol("device.threads"), lift(GROUPS_OF_A_THREAD)))

    def source_of(self, transform: Transform, swapped: bool) -> Callable[[Columned], Memory]:
        """Returns the source of columns: memory, or the prologue of the transform."""
        if transform.source is None:
            return lambda tile: Ends.before(self, transform, self._place(transform, tile), swapped)
        buffer = self.buffer(transform.source, "in")
        return lambda tile: self._columns(buffer, tile, swapped, 1.0)

    def target_of(self, transform: Transform) -> Callable[[Columned, Planes | None], Memory]:
        """Returns the destination of columns; `onward`: the source of the next transform."""
        swapped, scale = transform.backward, transform.scale
        if transform.result is None:
            return lambda tile, onward: Ends.behind(
                self, transform, self._place(transform, tile), swapped, scale, onward
            )
        buffer = self.buffer(transform.result, "out")
        return lambda tile, _onward: self._columns(buffer, tile, swapped, scale)

    def _columns(self, buffer: Buffer, tile: Columned, swapped: bool, scale: float) -> Columns:
        return Columns(self.build, buffer, tile.start + tile.first * 2, self._step, swapped, scale)

    def _place(self, transform: Transform, tile: Columned) -> Callable[[Value, Value], list[Value]]:
        if self._of_rows:
            across = self.index(self.columns)
            return lambda k, lane: transform.at(self, tile.matrix, k * across + (tile.first + lane))
        return lambda k, lane: transform.at(self, tile.matrix, k, tile.first + lane)

    def planes(self, scratch: Buffer, own: Value, number: int, swapped: bool = False) -> Planes:
        return self.tile.planes(scratch, own + number * self.tile.size, swapped)

    def allocate_scratch(self, more: int) -> tuple[Buffer, Value]:
        """Allocates memory of each workgroup; returns the start of this one's."""
        size = 2 * self.tile.size + more
        memory = scratch_of(self.transform, self.dtype, mul(self._groups, const(size)))
        return self.buffer(memory), self.build.group_id() * size

    @contextmanager
    def tiles(self) -> Iterator[Columned]:
        """Loops over the tiles of a workgroup. The last tile of a matrix is moved back so that it is whole;
        both tiles write equal values where they overlap."""
        build = self.build
        tiles, columns = self.index(self._tiles), self.index(self.columns)
        self._step = columns * 2
        matrix, whole = self._step * self.points, columns - self.lanes
        with build.loop(build.group_id(), self.index(self._count), self.index(self._groups)) as (number,):
            place, tile = divmod(number, tiles)
            column = tile * self.lanes
            yield Columned(place, place * matrix, build.minimum(column, whole))

    def launch_groups(self, transforms: int = 1) -> None:
        passes = len(self.stages.passes)
        count: Expr = mul(self.matrices, self.columns)
        self.launch(self._groups, cost_of(count, self.points, passes * transforms))


def transform_columns(transforms: Sequence[Transform]) -> None:
    """Transforms all columns, at least as many as a tile has, by one transform after the other."""
    first = transforms[0]
    name = "_".join(transform.name for transform in transforms) + "_columns"
    kernel = ColumnsKernel(transforms, name, first.points, first.columns, first.rows)
    write_columns(kernel, transforms, first.backward)


def write_columns(kernel: ColumnsKernel, transforms: Sequence[Transform], swapped: bool) -> None:
    """Transforms columns from their source, with parts `swapped` or not, to their destination. A transform
    leaves its result in scratch memory for the next one."""
    first, last = transforms[0], transforms[-1]
    source, targets = kernel.source_of(first, swapped), [kernel.target_of(each) for each in transforms]
    scratch, own = kernel.allocate_scratch(0)
    passes = len(kernel.stages.passes)
    with kernel.tiles() as tile:
        for number, (transform, target) in enumerate(zip(transforms, targets, strict=True)):

            def between(left: int, shift: int = number * passes) -> Planes:
                return kernel.planes(scratch, own, (left + shift) % 2)

            read: Memory = kernel.planes(scratch, own, (passes + number * passes) % 2, transform.backward)
            if transform is first:
                read = source(tile)
            kernel.stages.write(read, target(tile, None if transform is last else between(0)), between)
    kernel.launch_groups(len(transforms))
