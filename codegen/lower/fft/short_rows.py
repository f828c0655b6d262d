"""Many short rows on a processor, a tile of them in the lanes of vectors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING

from ....ir.expr import Expr, ceil_div
from ...kernel.nodes import Value
from .ends import Ends
from .rows import AT_ONCE, Reals, RowsKernel
from .stages import Memory, Planes
from .tiles import Tile, lanes_of

if TYPE_CHECKING:
    from . import Transform


class RowsSideBySide(RowsKernel):
    """A tile of rows at a time, which are copied to scratch memory and back."""

    def __init__(self, transforms: Sequence[Transform]) -> None:
        self.lanes = lanes_of(transforms[0].dtype)
        super().__init__(transforms, "_side_by_side", self.lanes)
        self.tile = Tile(self.build, self.dtype, self.points + 1)
        self._scratch = [self.build.allocate(self.dtype, self.tile.size) for _ in range(2)]

    def shares(self, rows: Expr) -> tuple[Expr, int]:
        return ceil_div(rows, self.lanes), max(1, AT_ONCE // (self.points * self.lanes))

    @contextmanager
    def rows(self) -> Iterator[None]:
        """Loops over tiles. The last tile is moved back so that it is whole: there are at least as many rows
        as lanes."""
        build, rows = self.build, self.transform.rows
        tiles, together = self.shares(rows)
        first = build.group_id() * together
        last = build.minimum(first + together, self.index(tiles))
        with build.loop(first, last) as (number,):
            self.row = build.minimum(number * self.lanes, self.index(rows) - self.lanes)
            yield

    @contextmanager
    def each(self, first: int, last: int) -> Iterator[tuple[Value, Value]]:
        build = self.build
        with build.loop(first, last) as (k,), build.loop(0, self.lanes, kind="lanes") as (lane,):
            yield k, lane

    def planes(self, number: int, swapped: bool = False, scale: float = 1.0) -> Planes:
        return self.tile.planes(self._scratch[self.scratch(number)], self.zero, swapped, scale)

    def _memory(self, number: int, made: bool, swapped: bool, scale: float) -> Memory:
        """Returns rows of elements before or after their copy."""
        if (self.source, self.result)[made] is None or self.transform.modes[made] != "reals":
            return self.planes(number, swapped, scale)
        scratch = self._scratch[self.scratch(number)]
        return Reals(self.build, scratch, self.zero, swapped, scale, self.lanes)

    def _starts(self, made: bool) -> tuple[list[Value], int]:
        points, parts = self.transform.extents[made]
        return self.tile.starts(self.row * (points * parts), points * parts), points * parts

    def taken_in(self, number: int, swapped: bool) -> Memory:
        if self.source is None:
            self._each_row(number, [
                Ends.before(self, self.transform, partial(self._at, row)) for row in self._rows()
            ])  # fmt: skip
        else:
            starts, elements = self._starts(False)
            scratch = self._scratch[self.scratch(number)]
            self.tile.take(self.source, starts, scratch, self.zero, elements)
        return self._memory(number, False, swapped, 1.0)

    def taken(self, number: int) -> Memory:
        return self.given(number)

    def given_out(self, number: int, swapped: bool, scale: float) -> Memory:
        if not self.is_last:
            return self.planes(number, swapped, scale)
        return self._memory(number, True, swapped, scale)

    def finish(self) -> None:
        number = self._left - self._shift
        if self.is_last and self.result is not None:
            starts, elements = self._starts(True)
            self.tile.give(self.result, starts, self._scratch[self._left], self.zero, elements)
            return
        transform, onward = self.transform, None if self.is_last else self.planes(number)
        places = [partial(self._at, row) for row in self._rows()]
        self._each_row(number, [Ends.behind(self, transform, place, onward=onward) for place in places], True)

    def _rows(self) -> list[Value]:
        return [self.row + lane for lane in range(self.lanes)]

    def _at(self, row: Value, k: Value, _lane: Value) -> list[Value]:
        return self.transform.at(self, row, k)

    def _each_row(self, number: int, rows: Sequence[Ends], made: bool = False) -> None:
        """Copies the points of each row to its lane of scratch memory, or back."""
        build, planes = self.build, self.planes(number)
        points = self.transform.extents[made][0] // (2 if self.transform.modes[made] == "pairs" else 1)
        lanes = [build.constant(lane) for lane in range(self.lanes)]
        with build.loop(0, points, kind="lanes") as (k,):
            if made:
                values = [planes.load(k, 0, lane) for lane in lanes]
                for row, lane, value in zip(rows, lanes, values, strict=True):
                    row.store(k, 0, lane, value)
            else:
                values = [row.load(k, 0, self.zero) for row in rows]
                for lane, value in zip(lanes, values, strict=True):
                    planes.store(k, 0, lane, value)


def transform_short_rows(transforms: Sequence[Transform]) -> None:
    RowsSideBySide(transforms).write()
