"""Ranges of traced integers that stand for Python's, which have no limit: where one may exceed its dtype, the
program records whether it did."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...arrays.promotion import Operand, Weak, limits_of
from ...errors import NumberError, TraceError
from ...functions.integer_ranges import Range, leaf_range, read_by
from ...ir.node import Node
from ...ir.ops.overflow import multiple_of, overflow_of
from ...ir.types import DType
from ..arguments.signature import SMALL, is_small
from .concrete import cut, leave
from .python_numbers import BEYOND, either, look_at

if TYPE_CHECKING:
    from .traced_frame import TraceFrame

STEADY = 1 << 48
_STEP = 1 << 16
"""An integer that starts below STEADY and grows by at most this at a time stays within 64 bits: 2**46 steps,
some twenty hours, would lead out."""


def full_range(dtype: DType) -> Range:
    return limits_of(dtype) if dtype.is_integer else (0, 1)


def hull(x: Range, y: Range) -> Range:
    return min(x[0], y[0]), max(x[1], y[1])


def widened(span: Range, dtype: DType) -> Range:
    """Returns the assumed range of an integer that a loop changes: that of one that grows slowly, or any."""
    if dtype.bits == 64 and span[0] >= -STEADY and span[1] <= STEADY:
        return -STEADY, STEADY
    return full_range(dtype)


class NumberRanges:
    """The ranges of integers in one trace, with its regions."""

    def __init__(self) -> None:
        self.known: dict[Node, Range] = {}
        self.notes = 0
        """The number of recorded checks."""
        self._noted: set[Node] = set()
        self.wrapping: set[Node] = set()
        """Results that are NumPy's integers: they wrap around, and so do their operands."""
        self.counts: dict[Node, tuple[Node, int]] = {}
        """How many elements there are of open length: another such number and what is added, or none where
        that is negative."""

    def of(self, frame: TraceFrame, node: Node) -> Range:
        """Returns the least and the greatest value of an integer or bool."""
        return self._of(frame, node, [])

    def of_operand(self, frame: TraceFrame, given: Operand) -> Range:
        """Like `of`, of an operand, which may be a Python number."""
        if isinstance(given, int):
            return given, given
        node = given.node if isinstance(given, Weak) else given
        assert isinstance(node, Node), given
        return self.of(frame, node)

    def _of(self, frame: TraceFrame, node: Node, beyond: list[Node]) -> Range:
        """Like `of`; adds the nodes that may exceed their dtype to `beyond`."""
        pending = [node]
        while pending:
            each = pending[-1]
            if each in self.known:
                pending.pop()
                continue
            span = self._leaf(frame.root, each)
            if span is None:
                missing = [source for source in read_by(each) if source not in self.known]
                if missing:
                    pending += missing
                    continue
                span = self._computed(each, beyond)
            self.known[each] = span
            pending.pop()
        return self.known[node]

    def _leaf(self, root: TraceFrame, node: Node) -> Range | None:
        if node.op.source == "scalar" and node.dtype.is_integer:
            index = node.attribute("index")
            value = root.graph.scalar_values[index]
            if index not in root.scalars:  # a number that stands in the program
                return int(value), int(value)
            # Signatures tell small integers of Python's from others, but not those of NumPy's.
            is_known = type(value) is int and is_small(value)
            return (-SMALL, SMALL - 1) if is_known else full_range(node.dtype)
        return full_range(node.dtype) if node.shape else leaf_range(root.graph, node)

    def _computed(self, node: Node, beyond: list[Node]) -> Range:
        assert node.op.interval is not None, node
        low, high = node.op.interval(node, *[self.known[source] for source in read_by(node)])
        least, greatest = full_range(node.dtype)
        if node.dtype.bits == 64 and low >= -STEADY - _STEP and high <= STEADY + _STEP:
            return max(low, -STEADY), min(high, STEADY)
        if least <= low and high <= greatest:
            return low, high
        beyond.append(node)
        return max(low, least), min(high, greatest)

    def noted(self, frame: TraceFrame, node: Node) -> Node:
        """Returns a computed Python integer, with a check at run time where it may exceed its dtype."""
        beyond: list[Node] = []
        before = self.known.pop(node, None) if node not in self._noted else None
        self._of(frame, node, beyond)
        if before is not None:
            self.known[node] = before
        self._noted.add(node)
        new = [each for each in beyond if each is node or each not in self._noted]
        if len(new) > 1 or (new and new[0] is not node):
            of_python = self._of_python(node)
            new = [each for each in new if each in of_python]
        self._noted.update(new)
        if not new or not frame.has_python_numbers:
            return node
        return self._checked(frame, node, new)

    def _of_python(self, node: Node) -> set[Node]:
        """Yields the operands of a Python integer's computation that are none of NumPy's."""
        nodes, pending = {node}, [node]
        while pending:
            sources = [each for each in read_by(pending.pop()) if each not in self.wrapping]
            pending += [source for source in sources if source not in nodes]
            nodes.update(sources)
        return nodes

    def _checked(self, frame: TraceFrame, node: Node, beyond: list[Node]) -> Node:
        root = frame.root
        if root.may_capture:
            error = TraceError("an integer may grow beyond its dtype")
            error.needs_capture = True
            raise error
        graph = frame.begin()
        nodes = [overflow_of(graph, each) for each in beyond]
        failed = either(graph, *(each for each in nodes if each is not None))
        if failed is False:
            return node
        self.notes += 1
        message = (
            f"a Python integer grows beyond {node.dtype.bits} bits, which compiled code has for one; keep "
            "it small (x % 2**32), compute with floats, or leave this function to Python"
        )
        if root.hooks is not None:
            made = look_at(frame, node, failed, BEYOND, message)
            low, high = self.known[made]
            times = multiple_of(graph, node)
            self.known[made] = -(-low // times * times), high // times * times
            self._noted.add(made)
            return made

        value = cut(frame, failed, "whether an integer grows beyond its dtype")
        if value is not None and bool(value):
            leave(frame, "an integer grows beyond its dtype")
            raise NumberError(message)
        return node
