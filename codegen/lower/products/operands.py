"""Operands of products whose rows, inner positions or columns may be several axes."""

from __future__ import annotations

from collections.abc import Sequence

from ....ir.expr import ONE, ZERO, Expr, lift
from ....ir.node import Node
from ....ir.record import record
from ...kernel.nodes import Buffer, Value
from ..writing.context import GroupWriter
from ..writing.writer import memory_of_view


class Axes(metaclass=record):
    """Axes of an operand that are one of the product: extents, and how far elements are apart."""

    extents: tuple[Expr, ...]
    steps: tuple[Expr, ...]

    @property
    def plain(self) -> bool:
        """Whether a running number times one step is the position."""
        return len(self.steps) == 1


def _merged(extents: Sequence[Expr], steps: Sequence[Expr]) -> Axes:
    """The axes, fewer where neighbours lie as one."""
    found: list[tuple[Expr, Expr]] = []
    for extent, step in zip(extents, steps, strict=True):
        if extent is ONE:
            continue
        if found and found[-1][1] is step * extent:
            found[-1] = found[-1][0] * extent, step
        else:
            found.append((extent, step))
    found = found or [(ONE, ZERO)]
    return Axes(tuple(extent for extent, _ in found), tuple(step for _, step in found))


def split(sizes: Sequence[Value], number: Value) -> list[Value]:
    """The positions on axes that a running number over them is at."""
    made: list[Value] = []
    for size in reversed(sizes[1:]):
        made.append(number % size)
        number = number // size
    return [number, *reversed(made)]


def position_of(writing: GroupWriter, axes: Axes, number: Value, leave: int = 0) -> Value:
    """How far the element of a running number over the axes, but for the last ones, is from the first."""
    index = writing.writer.index
    found = writing.build.constant(0)
    extents = axes.extents[: len(axes.steps) - leave]
    for place, step in zip(split([index(each) for each in extents], number), axes.steps, strict=False):
        found = found + place * index(step)
    return found


class Operand:
    """The axes of both sides of a matrix, and where that of a batch position starts."""

    start: Value

    def __init__(self, writing: GroupWriter, node: Node, batch: int, first: int) -> None:
        """`first`: how many axes after those of the batch are of the first side."""
        self.writing, self.batch = writing, batch
        self.memory = memory_of_view(node, writing.writer.memories)
        extents, steps = [lift(extent) for extent in node.shape], self.memory.strides
        self.buffer: Buffer = writing.writer.buffer(self.memory.buffer, self.memory.dtype)
        middle = batch + first
        self.first = _merged(extents[batch:middle], steps[batch:middle])
        self.second = _merged(extents[middle:], steps[middle:])

    def find_start(self) -> None:
        """At the present batch position."""
        writer = self.writing.writer
        self.start = writer.index(self.memory.offset)
        axes = self.writing.group.stages[0].axes[: self.batch]
        for axis, step in zip(axes, self.memory.strides, strict=False):
            self.start = self.start + writer.axes[axis] * writer.index(step)

    def transpose(self) -> None:
        self.first, self.second = self.second, self.first
