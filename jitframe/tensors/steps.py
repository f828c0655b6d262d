"""A trie of the steps of lazy programs that were built before: what a program makes next is looked up, not
made again, and the place that it has come to says which program it is.

Nodes know nothing of the values of arrays and numbers, so programs share them whatever they compute with.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, Any

from ..compilation.evaluate import at_forget
from ..ir.node import Node

if TYPE_CHECKING:
    from ..runtime.device import Device

MOST_STEPS = 1 << 15
"""When so many steps are kept, all are forgotten; a step and its node take about a kilobyte."""


class Step:
    """A program as far as it has been built: the nodes up to here, and what came next."""

    __slots__ = ("before", "brings", "count", "inputs", "next", "node", "runs")

    def __init__(self, before: Step | None = None, node: Node | None = None) -> None:
        self.before = before
        self.node = node
        """The last node that was made; None before the first."""
        self.count: int = 0 if before is None else before.count + 1
        self.inputs: int = (0 if before is None else before.inputs) + (
            node is not None and node.op.source == "array"
        )
        """How many of its nodes are parameters: the index of the next one."""
        self.next: dict[Hashable, tuple[Step, Node]] = {}
        """By what was asked for: where that led to, and the node that it gave. Asked for are ops of inputs
        and attributes, arrays, or functions of operands, which may make several nodes, or no new one."""
        self.brings: dict[Hashable, tuple[Any, ...]] | None = None
        """Numbers of their own, such as the count of a mean, that functions bring at this place whenever they
        are asked for; which of a program's numbers they are is part of what is asked for."""
        self.runs: dict[Hashable, Any] | None = None
        """What evaluating some nodes of the program takes, by these nodes (see `computing`, `segments`)."""

    def nodes(self, after: Step | None = None) -> list[Node]:
        """The nodes of the program in the order in which they were made, those up to `after` left out."""
        found: list[Node] = []
        step: Step | None = self
        while step is not None and step is not after:
            if step.node is not None:
                found.append(step.node)
            step = step.before
        found.reverse()
        return found


class _Roots:
    """The roots of the tries of programs, and of those of their parts, one for each device."""

    def __init__(self) -> None:
        self.by_device: dict[tuple[int, bool], tuple[Device, Step]] = {}
        self.kept = 0


_roots = _Roots()


def first_step(device: Device, of_parts: bool = False) -> Step:
    """Where every program of a device begins, or every part of one."""
    key = id(device), of_parts
    known = _roots.by_device.get(key)
    if known is None:
        known = _roots.by_device.setdefault(key, (device, Step()))
    return known[1]


def note_steps(count: int) -> None:
    """Says that more steps are kept, or as much memory in what runs them."""
    _roots.kept += count
    if _roots.kept > MOST_STEPS:
        forget_steps()


def forget_steps() -> None:
    """Forgets all programs; those that are being built go on."""
    _roots.by_device.clear()
    _roots.kept = 0


at_forget.append(forget_steps)
