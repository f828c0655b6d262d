"""A trie of the steps of lazy programs: the next node of a program is looked up instead of made, and its
place in the trie identifies the program.

Nodes do not depend on the values of arrays and numbers, so programs share them whatever they compute with.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, Any

from ..compilation.evaluate import at_forget
from ..ir.node import Node

if TYPE_CHECKING:
    from ..runtime.device import Device

MOST_STEPS = 1 << 15
"""The most steps; beyond that all are dropped. A step and its node take about a kilobyte."""


class Step:
    """A prefix of a program: the nodes up to here, and the next steps."""

    __slots__ = ("before", "brings", "count", "inputs", "next", "node", "runs")

    def __init__(self, before: Step | None = None, node: Node | None = None) -> None:
        self.before = before
        self.node = node
        """The last node; None before the first."""
        self.count: int = 0 if before is None else before.count + 1
        self.inputs: int = (0 if before is None else before.inputs) + (
            node is not None and node.op.source == "array"
        )
        """The number of parameters among its nodes: the index of the next one."""
        self.next: dict[Hashable, tuple[Step, Node]] = {}
        """By key: the next step, and its node. Keys are ops of inputs and attributes, arrays, or functions of
        operands, which may make several nodes, or no new one."""
        self.brings: dict[Hashable, tuple[Any, ...]] | None = None
        """The run-time scalars, such as the count of a mean, that functions add at this step; their indices
        are part of keys."""
        self.runs: dict[Hashable, Any] | None = None
        """The recordings of evaluations, by the requested nodes (see `computing`, `segments`)."""

    def nodes(self, after: Step | None = None) -> list[Node]:
        """Returns the nodes of the program in order, those up to `after` excluded."""
        found: list[Node] = []
        step: Step | None = self
        while step is not None and step is not after:
            if step.node is not None:
                found.append(step.node)
            step = step.before
        found.reverse()
        return found


class _Roots:
    """The roots of the tries of programs, and of those of segments, one for each device."""

    def __init__(self) -> None:
        self.by_device: dict[tuple[int, bool], tuple[Device, Step]] = {}
        self.kept = 0


_roots = _Roots()


def first_step(device: Device, of_parts: bool = False) -> Step:
    """Returns the first step of programs of a device, or of segments."""
    key = id(device), of_parts
    known = _roots.by_device.get(key)
    if known is None:
        known = _roots.by_device.setdefault(key, (device, Step()))
    return known[1]


def note_steps(count: int) -> None:
    """Counts kept steps, or equivalent memory of recordings."""
    _roots.kept += count
    if _roots.kept > MOST_STEPS:
        forget_steps()


def forget_steps() -> None:
    """Drops all programs; those in progress continue."""
    _roots.by_device.clear()
    _roots.kept = 0


at_forget.append(forget_steps)
