"""Cells: the memory of a traced ndarray. Views share a cell, so a write through one is seen by all.

A cell holds the node that is its present content; a write replaces the node and counts the version up. The
graph
stays pure. Strides are NumPy's, in elements, and decide what is a view and what a copy; `None` means C order.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..ir.node import Node, Shape
from ..views import contiguous_strides

Strides = tuple[int, ...]


class Cell:
    """One piece of memory: its content now, and where it lies."""

    __slots__ = ("frame", "name", "node", "source", "strides", "version")

    def __init__(
        self,
        frame: Any,
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
        self.source = source
        """The parameter of the trace whose memory this is; None for memory made in the trace."""
        self.name = name
        """How the user calls it, for messages."""

    def write(self, node: Node) -> None:
        """Replaces the whole content."""
        assert node.shape == self.node.shape and node.dtype is self.node.dtype, (self.node, node)
        self.node = node
        self.version += 1


def in_c_order(shape: Shape, strides: Strides) -> bool:
    """Whether strides (in elements) are those of C order; axes of one element do not matter."""
    unit = 1
    for extent, stride in zip(reversed(shape), reversed(strides)):
        if extent != 1 and stride != unit:
            return 0 in shape
        unit *= extent
    return True


def kept_order(shape: Shape, operands: Sequence[tuple[Shape, Strides | None]]) -> Strides | None:
    """Strides of a new result of an elementwise function: NumPy's order='K' (None for C order).

    The axes are sorted as NumPy's iterator sorts them (npyiter_find_best_axis_ordering in nditer_constr.c,
    https://github.com/numpy/numpy): an insertion sort by the operands' absolute strides, in which C order
    wins where
    operands disagree. The result is contiguous in that order.
    """
    rank = len(shape)
    if rank < 2:
        return None
    spread = [_spread_strides(shape, own, strides) for own, strides in operands if len(own) <= rank]
    order = list(range(rank - 1, -1, -1))
    """Axes from the fastest to the slowest."""
    for position in range(1, rank):
        axis = order[position]
        target = position
        for earlier in range(position - 1, -1, -1):
            swap = _belongs_before(spread, axis, order[earlier])
            if swap is None:
                continue
            if not swap:
                break
            target = earlier
        order.insert(target, order.pop(position))
    if order == list(range(rank - 1, -1, -1)):
        return None
    strides = [0] * rank
    unit = 1
    for axis in order:
        strides[axis] = unit
        unit *= max(shape[axis], 1)
    return tuple(strides)


def _belongs_before(operands: list[Strides], axis: int, other: int) -> bool | None:
    """Whether `axis` is faster than `other`, which stands before it; None where no operand can tell."""
    result: bool | None = None
    for strides in operands:
        mine, its = abs(strides[axis]), abs(strides[other])
        if mine and its:
            if its <= mine:
                result = False
            elif result is None:
                result = True
    return result


def _spread_strides(shape: Shape, own: Shape, strides: Strides | None) -> Strides:
    """An operand's strides along the axes of the result; 0 where it has one element."""
    known = contiguous_strides(own) if strides is None else strides
    missing = len(shape) - len(own)
    return (0,) * missing + tuple(0 if extent == 1 else stride for extent, stride in zip(own, known))
