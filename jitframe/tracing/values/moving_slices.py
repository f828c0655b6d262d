"""Slices that begin at traced positions and have a known length: `x[i : i + 3]` where `i` counts a loop.

What lies between the bounds is their difference as sums of nodes: of `i + 3` and `i`, or `(b + 1) * 8` and
`b * 8`, a number is left. Where a slice begins has bounds by which it lies within its axis; a slice that may
be shorter, at the end of an array, is none of these.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from ...api.frame import LazyValue, frame_of, operand
from ...api.selection import as_item, axes_taken
from ...arrays.views import Pick, View
from ...functions.integer_ranges import known_number
from ...functions.operands import as_node, strong
from ...functions.operands import cast as cast_to
from ...ir.ops.sums import difference
from ...ir.types import I64

if TYPE_CHECKING:
    from ...ir.node import Node
    from .traced import TracedArray
    from .traced_frame import TraceFrame


def shown_by(array: TracedArray, index: Any) -> tuple[Any, Any]:
    """What the slices of an index that begin at traced positions show of an array, and what is left of the
    index; bounds that are no such slices stay."""
    return _Moving(array, index).shown()


def assign(array: TracedArray, index: Any, value: Any) -> bool:
    """`array[index] = value`, where a slice of the index begins at a traced position; whether one does."""
    moving = _Moving(array, index)
    if moving.step is None:
        return False
    if moving.frame is not array._cell.frame:
        array._assign_view(
            moving.graph, moving.view, moving.starts[0]
        )  # which says that it is not written to
    shown, rest = moving.shown()
    shown[rest] = value
    return True


class _Moving:
    """The slices of one index that begin at traced positions."""

    def __init__(self, array: TracedArray, index: Any) -> None:
        self.array = array
        items = [as_item(item) for item in (index if index.__class__ is tuple else (index,))]
        bounds = [each for item in items if item.__class__ is slice for each in (item.start, item.stop)]
        self.frame = cast("TraceFrame", frame_of((array, *filter(is_lazy, bounds))))
        self.graph = self.frame.begin()
        self.starts: list[Node] = []
        axes, extents = [], []
        shape = array.shape
        rest = len(shape) - sum(map(axes_taken, items))
        axis = 0
        for place, item in enumerate(items):
            found = self._known_length(item, shape[axis]) if item.__class__ is slice and rest >= 0 else None
            if found is not None:
                axes.append(axis)
                self.starts.append(found[0])
                extents.append(found[1])
                items[place] = slice(None, None, item.step)
            axis += rest if item is Ellipsis else axes_taken(item)
        self.rest = tuple(items) if axes else index
        self.step: Pick | None = None
        self.view = View.of(shape)
        if axes:
            labels = tuple(axes)
            attributes = (labels, 0, (False,) * len(axes), labels)
            self.step = Pick(attributes, tuple(self.starts), tuple(extents))
            self.view = self.view.then(self.step)

    def shown(self) -> tuple[Any, Any]:
        array, frame, graph = self.array, self.frame, self.graph
        if self.step is None:
            return array, self.rest
        if frame is array._cell.frame:
            found = array._view(self.view)
            made = found._node(graph)
        else:
            made = self.step.apply(graph, strong(graph, operand(frame, graph, array)))
            found = frame.wrap(graph, made)
        for each in (*self.starts, *made.inputs[:1], made):
            frame.note(each)  # positions are looked at when the program runs: the line is told then
        return found, self.rest

    def _known_length(self, item: slice, extent: int) -> tuple[Node, int] | None:
        """Where a slice begins, and how many elements it has before its step; None of one that is known, or
        whose length is not."""
        step = 1 if item.step is None else item.step
        if step.__class__ is not int or step < 1:
            return None
        first, last = self._bound(item.start), self._bound(item.stop)
        if first is None or last is None or self._known(first) is not None:
            return None
        count = difference(last, first, self._known)
        least, greatest = self.frame.root.ranges.of(self.frame, first)
        if count is None or count <= 0 or least < 0 or greatest + count > extent:
            return None
        return first, count

    def _bound(self, bound: Any) -> Node | None:
        """An integer; None of what is none."""
        if is_lazy(bound):
            if bound.shape or not bound._dtype.is_integer:
                return None
        elif not hasattr(bound, "__index__"):
            return None
        else:
            bound = bound.__index__()
        given = operand(self.frame, self.graph, bound)
        dtype = self.frame.device.fitting(I64)
        return cast_to(self.graph, as_node(self.graph, given, dtype), dtype)

    def _known(self, node: Node) -> int | None:
        value = known_number(self.graph, node)
        return None if value is None else int(value)


def is_lazy(value: Any) -> bool:
    return isinstance(value, LazyValue)
