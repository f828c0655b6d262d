"""Transforms that lie side by side, one in each lane: columns of a matrix, and short rows.

A column's points are a row of the matrix apart. Rows are brought to lie so, and back: they are transposed in
registers, a tile of them at once.
"""

from __future__ import annotations

from ....ir.types import DType
from ...kernel.builder import KernelBuilder
from ...kernel.nodes import Buffer, Value
from .stages import Parts, Planes

TILE_BYTES = 64
"""Of the real parts that lie side by side."""


def lanes_of(dtype: DType) -> int:
    """Transforms of a tile."""
    return TILE_BYTES // dtype.itemsize


class Columns(Parts):
    """Columns of a matrix of complex numbers, whose rows are `step` elements apart."""

    def __init__(
        self,
        build: KernelBuilder,
        buffer: Buffer,
        start: Value,
        step: Value,
        swapped: bool = False,
        scale: float = 1.0,
    ) -> None:
        super().__init__(build, buffer, swapped, scale)
        self.start, self.step = start, step

    def _places(self, point: Value, offset: int, lane: Value) -> list[Value]:
        place = self.start + (point + offset) * self.step + lane * 2
        return [place, place + 1]


class Tile:
    """Scratch memory of the transforms of a tile: of each point the real parts, then the imaginary ones."""

    def __init__(self, build: KernelBuilder, dtype: DType, points: int) -> None:
        self.build, self.points, self.lanes = build, points, lanes_of(dtype)
        self.size = 2 * points * self.lanes

    def planes(self, buffer: Buffer, base: Value, swapped: bool = False, scale: float = 1.0) -> Planes:
        return Planes(self.build, buffer, base, self.lanes, 2 * self.lanes, swapped, scale)

    def starts(self, first: Value, elements: int) -> list[Value]:
        """Where the rows of a tile begin that follow one another, of so many elements."""
        return [first + elements * lane for lane in range(self.lanes)]

    def take(self, source: Buffer, starts: list[Value], buffer: Buffer, base: Value, elements: int) -> None:
        """Bring rows, which begin at `starts`, into the lanes."""
        build = self.build
        with build.loop(0, elements, kind="lanes") as (i,):
            loaded = [build.load(source, start + i) for start in starts]
            root = base + i * self.lanes
            for lane, value in enumerate(loaded):
                build.store(buffer, root + lane, value)

    def give(
        self,
        target: Buffer,
        starts: list[Value],
        buffer: Buffer,
        base: Value,
        elements: int,
        together: int = 1,
    ) -> None:
        """Bring the lanes to rows; of lanes that go `together` those of one point follow one another."""
        build, both = self.build, 2 * together
        with build.loop(0, elements * together, kind="lanes") as (i,):
            if together == 1:
                root = base + i * self.lanes
            else:
                (point, rest), lanes = divmod(i, both), 2 * self.lanes
                root = base + point * lanes + rest % 2 * self.lanes + rest // 2
            loaded = [build.load(buffer, root + lane) for lane in range(0, self.lanes, together)]
            for start, value in zip(starts, loaded, strict=True):
                build.store(target, start + i, value)
