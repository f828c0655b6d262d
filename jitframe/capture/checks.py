"""Exceptions whose condition is a traced value: asserts, and `raise` under an `if`.

The trace carries the number of the first exception raised, 0 where there was none; the call checks it after
the program has run.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..api.calls import operand
from ..api.frame import innermost_frame
from ..arrays.promotion import Weak
from ..errors import TraceError
from ..functions.elementwise import where
from ..functions.operands import as_node, strong
from ..ir import ops
from ..ir.node import Graph, Node
from ..tracing.arguments.growing_list import GrowingList, elements_of
from ..tracing.environment.handlers import catches, idle
from ..tracing.values.cells import Cell
from ..tracing.values.python_numbers import error_of, unused
from ..tracing.values.traced import NUMBER, TracedArray
from ..tracing.values.traced_frame import TraceFrame


class Checks:
    """The exceptions of one trace; their number is one place of its state."""

    hidden = True
    name = "whether an exception was raised"

    def __init__(self, root: TraceFrame) -> None:
        self.root = root
        self.errors: list[Exception] = []
        self.code: Any = 0
        """The number of the raised exception, counted from 1."""

    def get(self) -> Any:
        return self.code

    def set(self, value: Any) -> None:
        self.code = value

    def note(self, failed: Node, error: Exception) -> None:
        """Records that an exception is raised where `failed` holds, unless an earlier one was."""
        frame = innermost_frame()
        assert isinstance(frame, TraceFrame)
        known = next((number for number, each in enumerate(self.errors) if _equal(each, error)), None)
        if known is None:
            known = len(self.errors)
            self.errors.append(error)
        graph = frame.begin()
        before = self._before(frame, graph)
        failed = self.unless_raised(frame, failed)
        self._set(frame, where(graph, failed, graph.number(known + 1, before.dtype), before))

    def unless_raised(self, frame: TraceFrame, condition: Node) -> Node:
        """Whether a condition holds and no exception was raised before."""
        if not isinstance(self.code, TracedArray):
            return condition
        graph = frame.begin()
        before = self._before(frame, graph)
        none = graph.make(ops.eq, before, graph.constant(0, before.dtype))
        return graph.make(ops.bitwise_and, condition, none)

    def join(self, code: TracedArray) -> None:
        """Merges the exception number of an elementwise function: 0 where no element raised one."""
        frame = innermost_frame()
        assert isinstance(frame, TraceFrame)
        graph = frame.begin()
        before = self._before(frame, graph)
        none = graph.make(ops.eq, before, graph.constant(0, before.dtype))
        node = as_node(graph, operand(frame, graph, code), before.dtype)
        self._set(frame, where(graph, none, node, before))

    def _before(self, frame: TraceFrame, graph: Graph) -> Node:
        given = operand(frame, graph, self.code)
        return given.node if isinstance(given, Weak) else strong(graph, given)

    def _set(self, frame: TraceFrame, code: Node) -> None:
        frame.note(code)
        self.code = TracedArray(Cell(frame, code), None, NUMBER)

    def node(self) -> Node | None:
        """The exception number as an output of the program; None where nothing can be raised."""
        if not isinstance(self.code, TracedArray):
            return None
        return self.code._node(self.root.graph)


def keep_exceptions(region: TraceFrame, *ends: Any) -> None:
    """Keeps the exceptions of checked values at the end of a block, also of values that its results do not
    depend on. `ends`: the values of its variables."""
    if not region.looked and not region.tried:
        return
    checks: Checks = region.root.hooks.checks
    used = [*(node for end in ends for node in _nodes_in(end)), *_contents(region)]
    for node in unused(region, used):
        checks.note(*error_of(node))
    root = region.root
    if region.tried and catches(idle(region.tried, used), root.caught, root.lines):
        raise TraceError(
            "what is computed inside a try is not used, but for the exception that it may raise; compute it "
            "outside of loops and conditions on values"
        )


def _nodes_in(value: Any) -> Iterator[Node]:
    """The nodes in a value and, for containers, in its items; none for other objects."""
    if isinstance(value, TracedArray):
        yield value._cell.node
    elif isinstance(value, (list, tuple)):
        if isinstance(value, GrowingList) and value.array is not None:
            yield value.array._cell.node
        for each in elements_of(value) if isinstance(value, list) else value:
            yield from _nodes_in(each)
    elif isinstance(value, dict):
        yield from _nodes_in(list(value.values()))


def _contents(region: TraceFrame) -> Iterator[Node]:
    """The contents, inside a region, of arrays of the enclosing trace."""
    for each in getattr(region, "touched", {}).values():
        yield each.cell.node


def _equal(first: Exception, second: Exception) -> bool:
    return type(first) is type(second) and repr(first.args) == repr(second.args)
