"""Arrays that a list collects from the iterations of a loop, and the variables that may alias them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..errors import TraceError
from ..tracing.values.cells import Cell
from ..tracing.values.traced import ARRAY, TracedArray
from .aliases import shared_memory
from .growth import Growths
from .region import CaptureRegion


def check_kept(
    growths: Growths, region: CaptureRegion, begun: Sequence[Any], ended: Sequence[Any], known: set[int]
) -> None:
    """Raises TraceError where a list collects an array that the loop writes to; records the aliases of its
    items after the loop.

    `begun`, `ended`: carried values at the start and the end of an iteration; `known`: lists referenced
    elsewhere.
    """
    lists = list(map(id, growths.kept_lists))
    if len(set(lists)) < len(lists) or known & set(lists):
        raise TraceError("a list that is appended to a list is used elsewhere as well; append a copy")
    kept = growths.kept
    if not kept:
        return
    memory = _Memory(region)
    for place, (begin, end) in enumerate(zip(begun, ended, strict=True)):
        memory.join(place, begin, end)
    for growth, leaf, array in kept:
        cells = [leaf._cell, *shared_memory(region, leaf)]
        for cell in cells:
            if memory.is_written(cell):
                raise TraceError(
                    "a list keeps an array that the loop writes to, so that its items change; append a copy"
                )
            growth.cells += memory.outside(cell)
            growth.places |= memory.places(cell)
        growth.cells += [
            other._cell for _, its, other in kept if other is not array and its._cell is leaf._cell
        ]


class _Memory:
    """The cells that may share memory in some iteration."""

    def __init__(self, region: CaptureRegion) -> None:
        self.region = region
        self.groups: dict[int, set[int]] = {}
        self.cells: dict[int, Cell] = {}
        self.written = {id(each.cell) for each in region.written}
        self.of_places: list[tuple[int, int]] = []

    def join(self, place: int, begin: Any, end: Any) -> None:
        """Records that a loop-carried value begins the next iteration as what it is at the end of this
        one."""
        if not isinstance(end, TracedArray) or end._kind != ARRAY:
            return
        cells = [end._cell, *shared_memory(self.region, end)]
        if isinstance(begin, TracedArray):
            cells.append(begin._cell)
            if begin._cell.version:
                self.written.add(id(begin._cell))
        self.cells.update((id(cell), cell) for cell in cells)
        group = set[int]().union(*(self._group(cell) for cell in cells))
        self.groups.update(dict.fromkeys(group, group))
        self.of_places.append((place, id(end._cell)))

    def _group(self, cell: Cell) -> set[int]:
        return self.groups.get(id(cell), {id(cell)})

    def is_written(self, cell: Cell) -> bool:
        return bool(self._group(cell) & self.written)

    def outside(self, cell: Cell) -> list[Cell]:
        """Those of them that belong to the enclosing trace."""
        touched = self.region.touched
        return [touched[each].cell for each in self._group(cell) if each in touched]

    def places(self, cell: Cell) -> set[int]:
        """The loop-carried values that may share this memory."""
        return {place for place, each in self.of_places if each in self._group(cell)}
