"""Operands of products whose rows, inner positions or columns are several axes."""

from __future__ import annotations

from collections.abc import Sequence

from ....ir.expr import ONE, ZERO, Expr, lift
from ....ir.node import Node
from ....ir.record import record
from ...kernel.nodes import Buffer, Value
from ..writing.context import GroupWriter
from ..writing.writer import memory_of_view


class Axes(metaclass=record):
    """Axes of an operand that form one of the product: extents and strides."""

    extents: tuple[Expr, ...]
    steps: tuple[Expr, ...]

    @property
    def plain(self) -> bool:
        """Whether the position is linear in the running index."""
        return len(self.steps) == 1


def _merged(extents: Sequence[Expr], steps: Sequence[Expr]) -> Axes:
    """Merges adjacent axes that are one in memory."""
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
    """Splits a linear index into positions on axes."""
    made: list[Value] = []
    for size in reversed(sizes[1:]):
        made.append(number % size)
        number = number // size
    return [number, *reversed(made)]


def position_of(writing: GroupWriter, axes: Axes, number: Value, leave: int = 0) -> Value:
    """Returns the offset of a linear index over the axes without the last ones."""
    index = writing.writer.index
    found = writing.build.constant(0)
    extents = axes.extents[: len(axes.steps) - leave]
    for place, step in zip(split([index(each) for each in extents], number), axes.steps, strict=False):
        found = found + place * index(step)
    return found


class Operand:
    """The axes of both sides of a matrix, and its start at a batch position."""

    start: Value

    def __init__(self, writing: GroupWriter, node: Node, batch: int, first: int) -> None:
        """`first`: the number of axes after those of the batch on the first side."""
        self.writing, self.batch = writing, batch
        self.memory = memory_of_view(node, writing.writer.memories)
        extents, steps = [lift(extent) for extent in node.shape], self.memory.strides
        self.buffer: Buffer = writing.writer.buffer(self.memory.buffer, self.memory.dtype)
        middle = batch + first
        self.first = _merged(extents[batch:middle], steps[batch:middle])
        self.second = _merged(extents[middle:], steps[middle:])

    def find_start(self) -> None:
        """Computes the start at the present batch position."""
        writer = self.writing.writer
        self.start = writer.index(self.memory.offset)
        axes = self.writing.group.stages[0].axes[: self.batch]
        for axis, step in zip(axes, self.memory.strides, strict=False):
            self.start = self.start + writer.axes[axis] * writer.index(step)

    def transpose(self) -> None:
        self.first, self.second = self.second, self.first
