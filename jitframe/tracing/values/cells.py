"""Cells: the memory of a traced ndarray. Views share a cell, so a write through one is seen by all.

A cell holds the node that is its present content; a write replaces the node and counts the version up. The
graph
stays pure. Strides are NumPy's, in elements, and decide what is a view and what a copy; `None` means C order.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

import numpy

from ...arrays.layout import Strides
from ...errors import TraceError
from ...ir.node import Node

if TYPE_CHECKING:
    from .traced_frame import TraceFrame


class Cell:
    """The memory of an array: its current content, and where it is stored."""

    __slots__ = ("__weakref__", "frame", "is_laid", "name", "node", "source", "strides", "ties", "version")

    def __init__(
        self,
        frame: TraceFrame,
        node: Node,
        strides: Strides | None = None,
        source: int | None = None,
        name: str = "",
    ) -> None:
        self.frame = frame
        self.node = node
        self.version = 0
        self.strides = strides
        """Strides of the content, in elements; None for C order."""
        is_given = strides is not None or source is not None or len(node.shape) < 2
        self.is_laid = is_given or not frame.root.has_orders
        """Whether the strides are known to be NumPy's."""
        self.source = source
        """The parameter of the trace whose memory this is; None for memory made in the trace."""
        self.name = name
        """The user's name for it, for messages."""
        self.ties: tuple[tuple[Callable[[], Cell | None], int], ...] = ()
        """Cells that may be the same memory, which depends on traced values, with their versions at that
        time: it must not be written to, nor read after one of them was. They are functions, weak references
        where only one of both is still reachable."""
        frame.add_cell(self)

    def write(self, node: Node) -> None:
        """Replaces the whole content."""
        assert node.shape == self.node.shape and node.dtype is self.node.dtype, (self.node, node)
        self.node = node
        self.version += 1


class _HeldMemory(Cell):
    """The memory of all arrays that are items of lists whose length values decide: such lists have copies of
    them, which a write to the array would not change."""

    __slots__ = ()

    def __init__(self) -> None:
        self.frame: Any = None
        self.version = 0
        self.source = None
        self.ties = ()


HELD: Final = _HeldMemory()


def _held() -> Cell:
    return HELD


def hold(cell: Cell) -> None:
    """Records that a list holds an array: nobody may write to memory any more that it may be."""
    found = [cell]
    for each in found:
        tied = [other for give, _ in each.ties if (other := give()) is not None]
        found += [other for other in tied if other not in found]
        if HELD not in tied and each is not HELD:
            each.ties = (*each.ties, (_held, 0))


def may_share(cell: Cell, other: Cell) -> None:
    """Records that NumPy makes a view of one of the other or a copy, as the unknown order of elements
    decides."""
    for one, tied in ((cell, other), (other, cell)):
        one.ties = (*one.ties, (weakref.ref(tied), tied.version))


def is_held(cell: Cell) -> bool:
    """Whether a list holds the array."""
    return any(give() is HELD for give, _ in cell.ties)


def alias_error(described: str, written: str) -> TraceError:
    """Returns the error for memory that may be another array's as well."""
    return TraceError(
        f"{described} is one array or another, which depends on traced values, and {written}; work on a "
        "copy: x = x.copy() before the loop or condition"
    )


def refused_write(cell: Cell, described: str) -> TraceError:
    """Returns the error for a write to such memory."""
    if is_held(cell):
        return TraceError(
            f"{described} is written to, and is an item of a list whose length values decide; append x.copy()"
        )
    error = alias_error(described, "is written to")
    error.is_shared = True
    return error


def _may_overlap(x: Any, y: Any) -> bool:
    """Whether two arrays of a trace may have an element in common."""
    if x._cell is not y._cell or any(each._path is None or each._path.picks for each in (x, y)):
        return True
    base = numpy.empty(x._cell.node.shape, numpy.int8)
    views = [each._path.show(base) for each in (x, y)]
    are_views = all(numpy.may_share_memory(base, each) for each in views)
    return not are_views or (numpy.may_share_memory(*views) and _share(*views))


def _share(x: numpy.ndarray, y: numpy.ndarray) -> bool:
    try:
        return numpy.shares_memory(x, y, max_work=1000)  # type: ignore[arg-type] # see `overlap`
    except numpy.exceptions.TooHardError:
        return True


class SelectedMemory:
    """The memory of what a mask has chosen, and of the values that NumPy has as views of it."""

    __slots__ = ("is_apart", "is_shown", "returned")

    def __init__(self) -> None:
        self.returned: list[Any] = []
        """The whole arrays of the values that are returned."""
        self.is_shown = False
        """Whether there are such views."""
        self.is_apart = False
        """Whether some of these are copies here: nothing may be written to them any more."""

    def begin_returning(self, whole: Any) -> None:
        if self.is_shown and any(_may_overlap(whole, other) for other in self.returned):
            raise TraceError(
                "what a mask has chosen and a slice of it are returned; return a copy of the slice"
            )
        self.returned.append(whole)

    def begin_writing(self) -> None:
        if self.is_apart:
            raise TraceError(
                "what a mask has chosen is written to after a slice of it was taken, which NumPy has as a "
                "view; write before, or take a copy of the slice"
            )
