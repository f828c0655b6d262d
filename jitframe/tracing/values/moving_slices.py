"""Slices that begin at traced positions and have a known length: `x[i : i + 3]` where `i` counts a loop.

The length is the difference of the bounds as sums of nodes: that of `i + 3` and `i`, or of `(b + 1) * 8` and
`b * 8`, is a number. The range of the start keeps such a slice within its axis; a slice that may be shorter,
at the end of an array, is not one of these. In captured loops it is an array of symbolic sizes
(`capture.symbolic_arrays`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from ...api.calls import operand
from ...api.frame import LazyValue, SymbolicExtents, frame_of
from ...api.indexing.selection import as_item, axes_taken
from ...arrays.views import Pick, View
from ...errors import TraceError
from ...functions.integer_ranges import known_number
from ...functions.operands import as_node, strong
from ...functions.operands import cast as cast_to
from ...ir.ops.sums import difference
from ...ir.types import I64
from .traced import needs_capture

if TYPE_CHECKING:
    from ...ir.node import Node
    from .traced import TracedArray
    from .traced_frame import TraceFrame


def shown_by(array: TracedArray, index: Any) -> tuple[Any, Any]:
    """Returns the view by an index's slices with traced starts, and the rest of the index; other bounds
    stay."""
    moving = _Moving(array, index)
    if moving.is_symbolic:
        return moving.frame.root.hooks.symbolic(array, index), Ellipsis
    found, rest = moving.shown()
    opened = _open(found, rest) if moving.is_open else None
    return (found, rest) if opened is None else (opened, Ellipsis)


def _open(array: TracedArray, index: Any) -> Any:
    from .open_slices import shown  # few programs have these

    return shown(array, index)


def assign(array: TracedArray, index: Any, value: Any) -> bool:
    """Stores `array[index] = value` where a slice of the index has a traced start; returns whether one
    has."""
    moving = _Moving(array, index)
    if moving.is_symbolic or isinstance(value, SymbolicExtents):
        moving.frame.root.hooks.store_symbolic(array, index, value)
        return True
    opened = _open(*moving.shown()) if moving.is_open else None
    if opened is not None:
        opened[...] = value
        return True
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
    """The slices with traced starts of one index."""

    def __init__(self, array: TracedArray, index: Any) -> None:
        self.array = array
        given = index if index.__class__ is tuple else (index,)
        items: list[Any] = [item if isinstance(item, SymbolicExtents) else as_item(item) for item in given]
        bounds = [each for item in items if item.__class__ is slice for each in (item.start, item.stop)]
        self.frame = cast("TraceFrame", frame_of((array, *filter(is_lazy, bounds))))
        self.graph = self.frame.begin()
        self.starts: list[Node] = []
        axes, extents = [], []
        shape = array.shape
        rest = len(shape) - sum(map(_axes_taken, items))
        axis = 0
        for place, item in enumerate(items):
            found = self._known_length(item, shape[axis]) if item.__class__ is slice and rest >= 0 else None
            if found is not None:
                axes.append(axis)
                self.starts.append(found[0])
                extents.append(found[1])
                items[place] = slice(None, None, item.step)
            axis += rest if item is Ellipsis else _axes_taken(item)
        self.index = index
        self.rest = tuple(items) if axes else index
        self.step: Pick | None = None
        self.view = View.of(shape)
        if axes:
            labels = tuple(axes)
            attributes = (labels, 0, (False,) * len(axes), labels)
            self.step = Pick(attributes, tuple(self.starts), tuple(extents))
            self.view = self.view.then(self.step)

    @property
    def is_open(self) -> bool:
        """Whether a slice has a traced length, outside of loops and branches."""
        rest = self.rest if self.rest.__class__ is tuple else (self.rest,)
        return not self.frame.enclosing and any(map(is_open_slice, rest))

    @property
    def is_symbolic(self) -> bool:
        """Whether a slice has a traced length, in a captured loop."""
        rest = self.rest if self.rest.__class__ is tuple else (self.rest,)
        has_symbolic = any(isinstance(item, SymbolicExtents) for item in rest)
        if not has_symbolic and (not self.frame.enclosing or not any(map(is_open_slice, rest))):
            return False
        root = self.frame.root
        if root.hooks is None and root.may_capture:
            raise needs_capture(TraceError("a slice has a length that values of arrays decide"))
        return root.hooks is not None and bool(self.frame.enclosing)

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
        for node in (*self.starts, *made.inputs[:1], made):
            frame.note(node)  # positions are checked at run time: the error names this line
        return found, self.rest

    def _known_length(self, item: slice, extent: int) -> tuple[Node, int] | None:
        """Returns the start of a slice and its length before the step; None of a slice with a known start or
        an unknown length."""
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
        """Returns an integer; None of other values."""
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


def _axes_taken(item: Any) -> int:
    return 1 if isinstance(item, SymbolicExtents) else axes_taken(item)


def is_open_slice(item: Any) -> bool:
    """Whether an item of an index is a slice with a bound that is not known."""
    bounds = (item.start, item.stop) if item.__class__ is slice else ()
    return any(is_lazy(bound) and bound._at_hand("the bounds of a slice") is None for bound in bounds)


def is_lazy(value: Any) -> bool:
    return isinstance(value, LazyValue)
