"""Transforms in the lanes of vectors: columns of a matrix, and short rows.

Adjacent points of a column are one row of the matrix apart. Rows are transposed in registers into this
layout, a tile of them at once, and back.
"""

from __future__ import annotations

from ....ir.types import DType
from ...kernel.builder import KernelBuilder
from ...kernel.nodes import Buffer, Value
from .stages import Parts, Planes

TILE_BYTES = 64
"""Bytes of the real parts of one point in a tile."""


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
        """Returns the starts of a tile's consecutive rows, of so many elements."""
        return [first + elements * lane for lane in range(self.lanes)]

    def take(self, source: Buffer, starts: list[Value], buffer: Buffer, base: Value, elements: int) -> None:
        """Copies rows, which begin at `starts`, into the lanes."""
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
        """Copies the lanes to rows; with `together` lanes, their elements of one point are adjacent."""
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
