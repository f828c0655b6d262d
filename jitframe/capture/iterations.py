"""The iterables of `for` loops, indexed by position: ranges with traced bounds, and the rows of arrays."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import Any

from ..api.calls import operand
from ..api.frame import SymbolicExtents, frame_of
from ..arrays.promotion import Operand
from ..functions.integer_ranges import Range
from ..functions.operands import as_node
from ..ir import ops
from ..ir.types import I64
from ..tracing.arguments.growing_dict import Keyed
from ..tracing.arguments.growing_list import GrowingList
from ..tracing.lists.counted_lists import counts_of, item_of
from ..tracing.lists.ranges import ParallelRange, TracedRange, rows_of
from ..tracing.values.cells import Cell
from ..tracing.values.number_ranges import STEADY, hull
from ..tracing.values.traced import NUMBER, TracedArray
from ..tracing.values.traced_frame import TraceFrame
from .region import CaptureRegion


class Iterations:
    """The item at each position of an iterable, from a lower bound up to an upper one (exclusive)."""

    def __init__(
        self,
        lower: Any,
        upper: Any,
        at: Callable[[Any], Any],
        independent: bool = False,
        growing: GrowingList | None = None,
    ) -> None:
        """`independent`: the program promises that iterations do not depend on each other; `growing`: the
        list iterated over, whose length the iterations may change."""
        self.independent = independent
        self.growing = growing
        self.lower = lower
        self.upper = upper
        self.at = at

    @property
    def known_count(self) -> int | None:
        """The trip count, where it is known at trace time."""
        if isinstance(self.lower, int) and isinstance(self.upper, int):
            return max(0, self.upper - self.lower)
        return None

    def goes_on(self, position: Any) -> Any:
        """Whether there is an iteration at a position, given that there was one at each earlier position."""
        return position < (self.upper if self.growing is None else self.growing.length())

    def are_changed_by(self, region: CaptureRegion) -> bool:
        """Whether a region may change the length of the list that is iterated over."""
        if self.growing is None:
            return False
        written = {id(each.cell) for each in region.written}
        return any(id(array._cell) in written for array in counts_of(self.growing))

    def limits(self) -> tuple[Any, Any]:
        return self.lower, self.upper

    def bounds(self, frame: TraceFrame) -> tuple[Operand, Operand]:
        """Both bounds as operands of a loop."""
        graph = frame.begin()
        lower, upper = (operand(frame, graph, each) for each in (self.lower, self.upper))
        dtype = frame.device.fitting(I64)
        return as_node(graph, lower, dtype), as_node(graph, upper, dtype)

    def span(self, frame: TraceFrame) -> Range:
        """The range of the position: it starts at the lower bound and increases by one, so it cannot get
        far."""
        lower, upper = (_range(frame, each) for each in (self.lower, self.upper))
        return lower[0], max(lower[1], min(upper[1] - 1, lower[1] + STEADY))

    def __iter__(self) -> Iterator[Any]:
        return (self.at(position) for position in range(self.lower, self.upper))


def _range(frame: TraceFrame, value: Any) -> Range:
    return frame.root.ranges.of_operand(frame, operand(frame, frame.begin(), value))


def _item(start: Any, stop: Any, step: Any, position: Any) -> TracedArray:
    """`start + position * step`; it lies between the bounds, so it cannot overflow its dtype."""
    frame = frame_of((position, step))
    graph = frame.begin()
    dtype = frame.device.fitting(I64)
    begin, by, at = (as_node(graph, operand(frame, graph, each), dtype) for each in (start, step, position))
    node = graph.make(ops.add, begin, graph.make(ops.mul, at, by))
    assert isinstance(frame, TraceFrame)
    frame.root.ranges.known[node] = hull(_range(frame, start), _range(frame, stop))
    frame.note(node)
    return TracedArray(Cell(frame, node), None, NUMBER)


def in_order(iterable: Any) -> Any:
    """The keys of a traced dict as a list; anything else unchanged."""
    return iterable.table.keys() if isinstance(iterable, Keyed) and iterable.table is not None else iterable


def iterations_of(iterable: Any) -> Iterations | None:
    """The iterable of a loop as a function of a traced position, where there is one."""
    if isinstance(iterable, Iterations):
        return iterable
    if isinstance(iterable, SymbolicExtents) or (isinstance(iterable, GrowingList) and iterable.is_grown):
        return Iterations(0, iterable.length(), iterable.__getitem__)
    if isinstance(iterable, (range, TracedRange)):
        start, stop, step = iterable.start, iterable.stop, iterable.step
        independent = isinstance(iterable, ParallelRange)
        if not isinstance(step, TracedArray) and step == 1:
            return Iterations(start, stop, lambda position: position, independent)
        count = len(iterable) if isinstance(iterable, range) else iterable.count
        if isinstance(step, TracedArray):
            return Iterations(0, count, lambda position: _item(start, stop, step, position), independent)
        return Iterations(0, count, lambda position: start + position * step, independent)
    iterable = in_order(iterable)
    if isinstance(iterable, GrowingList) and iterable.counter is not None:
        growing = iterable if type(iterable) is GrowingList and not iterable.is_shared else None
        return Iterations(0, iterable.length(), functools.partial(item_of, iterable), growing=growing)
    rows = rows_of(iterable)
    return None if rows is None else Iterations(0, rows.count, rows.at)
