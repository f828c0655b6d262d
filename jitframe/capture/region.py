"""A region of a trace whose code writes to arrays from outside it, as the body of a Python loop does.

While the region is traced, every array that it uses belongs to it: its cell holds a parameter of the region,
and all views of the cell read and write there. Afterwards the cells are restored, and the written contents
are results of the region.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy

from ..api.frame import LazyValue, entered
from ..arrays.promotion import Operand
from ..errors import TraceError
from ..ir.node import Graph, Node
from ..ir.record import mutable
from ..tracing.values.cells import Cell, is_held
from ..tracing.values.concrete import leave, leave_late
from ..tracing.values.regions import RegionFrame
from ..tracing.values.traced import ARRAY, TracedArray
from ..tracing.values.traced_frame import TraceFrame, ValueOf

MOST_REGIONS = 600
"""The most loops and branches that a trace may try before the call is left to Python, where possible; more
where Python turns out to take long."""
OPERATIONS = 20
"""A loop or branch takes as long to trace as so many operations: some 1.3 ms, 0.1 ms."""
SHORT_NS = MOST_REGIONS * OPERATIONS * 1000
"""Where Python takes less, no more may be tried (see `fallback.Race.most_operations`)."""


@contextmanager
def without_texts(root: TraceFrame) -> Iterator[None]:
    """Refuses a body that formats a value of the region as text, since it may have used the text as a key
    (`d["W" + str(i)]`)."""
    quoted = root.quoted
    try:
        yield
    except TraceError:
        root.quoted = quoted
        raise
    except (LookupError, ValueError, AttributeError) as error:
        if root.quoted == quoted:
            raise
        root.quoted = quoted
        raise TraceError(_TEXT) from error
    if root.quoted > quoted:
        root.quoted = quoted
        raise TraceError(_TEXT)


_TEXT = "the text of a value is made in a loop, where the value is not known; make it after that"


class Touched(metaclass=mutable):
    """An array of the enclosing trace, whose cell belongs to a region while that is traced."""

    cell: Cell
    outer: Any
    """The original frame, and its content there."""
    before: Node
    version: int
    node: Node
    """Its content in the enclosing frame."""
    parameter: Node
    """Its content at the start of the region."""
    own: bool
    """Whether the enclosing frame may write to it."""
    final: Node | None = None
    """Its content at the end of the region, if the region wrote to it."""
    last_version: int = 0
    """Its version there."""


class CaptureRegion(RegionFrame):
    """A region that is traced from a block of Python code."""

    captures = True

    def __init__(self, name: str, parent: TraceFrame, runs: bool = False) -> None:
        super().__init__(name, parent)
        self.runs &= runs
        self.root.regions_made += 1
        leave_late(self.root)
        most = max(MOST_REGIONS, self.root.most_operations // OPERATIONS)
        if self.root.regions_made > most:
            leave(self, f"its trace comes to more than {most} loops and branches", False, SHORT_NS)
        self.touched: dict[int, Touched] = {}
        self.relied: set[int] = set()
        """Cells whose content at the start of the region the trace assumed to be known."""
        self.doubted: frozenset[int] = frozenset()
        """Cells with unknown content: an earlier iteration of the loop wrote to them."""

    def touch(self, value: TracedArray) -> None:
        """Brings the cell of an array into the region."""
        cell = value._cell
        if value._kind != ARRAY or cell.frame is self:
            return
        parent = self.enclosing[-1]
        if isinstance(parent, CaptureRegion):
            parent.touch(value)
        node = _content(parent, cell)
        parameter = self.input(node)
        self.touched[id(cell)] = Touched(
            cell, cell.frame, cell.node, cell.version, node, parameter, cell.frame is parent
        )
        cell.frame, cell.node = self, parameter

    def adopt(self, graph: Graph, value: LazyValue) -> Operand:
        if isinstance(value, TracedArray):
            self.touch(value)
        return super().adopt(graph, value)

    def leave(self) -> None:
        """Returns the cells to the enclosing trace."""
        for each in reversed(self.touched.values()):
            if each.cell.node is not each.parameter:
                each.final = each.cell.node
            each.last_version = each.cell.version
            each.cell.frame = each.outer
            each.cell.node, each.cell.version = each.before, each.version

    def leaf_value(self, leaf: Node, value_of: ValueOf | None = None) -> numpy.ndarray | None:
        found = super().leaf_value(leaf, value_of)
        if found is not None:
            self.rely_on(leaf)
        return found

    def outside(self, parameter: Node) -> Node | None:
        each = self._shown_by(parameter)
        if each is None:
            return super().outside(parameter)
        return None if id(each.cell) in self.doubted else each.node

    def rely_on(self, parameter: Node) -> None:
        each = self._shown_by(parameter)
        if each is not None:
            self.relied.add(id(each.cell))

    def _shown_by(self, parameter: Node) -> Touched | None:
        return next((each for each in self.touched.values() if each.parameter is parameter), None)

    @property
    def written(self) -> list[Touched]:
        """Arrays that the region wrote to."""
        return [each for each in self.touched.values() if each.final is not None]

    def read_and_written_as_another(self) -> bool:
        """Whether the region reads an array that may be the memory of one that it writes to: when the region
        runs again, the array has other contents."""
        written = {id(each.cell) for each in self.written}
        return any(id(give()) in written for each in self.touched.values() for give, _ in each.cell.ties)

    def holds_what_it_writes(self) -> bool:
        """Whether it writes to an array that a list holds: when it runs again, an item changes."""
        return any(is_held(each.cell) for each in self.written)

    @property
    def given(self) -> list[tuple[Node, Node]]:
        kept = [(each.parameter, each.node) for each in self.touched.values() if each.final is None]
        return [*kept, *super().given]

    def traced(self, body: Callable[[], Any]) -> Any:
        """Runs a body in the region."""
        with entered(self):
            return body()

    def afterwards(self, body: Callable[[], Any]) -> Any:
        """Runs a function at the end of a region that was left, with its cells in the region again
        meanwhile."""
        for each in self.touched.values():
            each.cell.frame = self
            each.cell.node = each.parameter if each.final is None else each.final
            each.cell.version = each.last_version
        try:
            return self.traced(body)
        finally:
            self.leave()


def _content(frame: TraceFrame, cell: Cell) -> Node:
    """The content of a cell in a frame that it belongs to, or in a frame inside that one."""
    if cell.frame is frame:
        return cell.node
    assert isinstance(frame, RegionFrame), (frame.name, cell.frame.name)
    return frame.invariant(_content(frame.enclosing[-1], cell))


def commit(frame: TraceFrame, written: Sequence[Touched], made: Sequence[Node]) -> None:
    """Writes the final contents of arrays of the enclosing trace back to their cells."""
    for each, node in zip(written, made, strict=True):
        if not each.own:
            raise TraceError(
                f"{frame.name} writes to an array that was made outside it; return the new value from the "
                "body, and carry the array through it"
            )
        each.cell.write(node)
        frame.note(node)
