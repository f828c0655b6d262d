"""Which arrays may be the same memory after a region: a variable that is bound to one array or another."""

from __future__ import annotations

import functools
import sys
import weakref
from collections.abc import Iterable, Sequence
from typing import Any

from ..tracing.cells import Cell
from ..tracing.traced import ARRAY, TracedArray
from .region import CaptureRegion
from .state import Place


def shared_memory(region: CaptureRegion, value: Any) -> list[Cell]:
    """The cells from around a region that a value at its end is memory of."""
    if not isinstance(value, TracedArray) or value._kind != ARRAY:
        return []
    found: dict[int, Cell] = {}
    pending = [value._cell]
    while pending:
        cell = pending.pop()
        if cell.frame is not region or id(cell) in region.touched:
            found[id(cell)] = cell
        pending += [
            other for give, _ in cell.ties if (other := give()) is not None and id(other) not in found
        ]
    return list(found.values())


def tie(value: TracedArray, cells: Iterable[Cell], sole: frozenset[int], hidden: bool) -> None:
    """Notes that a new value may be the memory of these cells, but for those that nobody else sees. `hidden`:
    it is what a function returns, which nobody reads while the function still runs."""
    if value._kind != ARRAY:
        return
    others = {id(cell): cell for cell in cells if id(cell) not in sole}
    value._cell.ties = tuple(
        (weakref.ref(cell) if hidden else functools.partial(_itself, cell), cell.version)
        for cell in others.values()
    )


def _itself(cell: Cell) -> Cell:
    return cell


def sole_cells(places: Sequence[Place]) -> frozenset[int]:
    """The cells of arrays that one place holds, and nothing else.

    By counts of references: where something else holds one for another reason the answer is no, which is
    the safe one.
    """
    return frozenset(found for place in places if (found := _sole_cell(place)) is not None)


def _sole_cell(place: Place) -> int | None:
    value = place.get()
    if not isinstance(value, TracedArray) or value._cell.source is not None:
        return None
    if sys.getrefcount(value) != _references or sys.getrefcount(value._cell) != _cell_references:
        return None
    return id(value._cell)


class _Sample:
    """A place that alone holds something, to count its references by."""

    def __init__(self, value: Any) -> None:
        self._value = value

    def get(self) -> Any:
        return self._value


def _counted(place: Any) -> tuple[int, int]:
    value = place.get()
    return sys.getrefcount(value), sys.getrefcount(value.inner)


class _Holder:
    def __init__(self) -> None:
        self.inner = object()


_references, _cell_references = _counted(_Sample(_Holder()))
"""References to what one place alone holds, and to what that alone holds, as counted in here."""
