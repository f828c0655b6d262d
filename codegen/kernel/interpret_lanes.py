"""Running the lanes of a workgroup side by side, and watching the memory they share.

A lane is a Python generator that stops at every barrier and subgroup operation; the scheduler resumes
lanes once all of them (for a subgroup operation: all of its subgroup) stopped at the same instruction.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from ...ir.types import DType
from .nodes import Instruction
from .scalars import Scalar, evaluate


@dataclass(frozen=True, slots=True)
class Stop:
    """The reason why a lane waits: the instruction, and its operands in a subgroup operation."""

    instruction: Instruction
    operands: tuple[Scalar, ...] = ()


class LaneFault(Exception):
    """A fault of an instruction, before the interpreter adds where it is."""

    def __init__(self, message: str, *instructions: Instruction) -> None:
        super().__init__(message)
        self.message = message
        self.instructions = instructions


class Lane(Protocol):
    """The state of one lane for the scheduler."""

    number: int
    exited: bool
    """It met `exit`: it counts as arrived at every barrier."""

    def run(self) -> Generator[Stop, Scalar, None]: ...


@dataclass(eq=False, slots=True)
class Memory:
    """A buffer of a running kernel; `written` marks the elements that hold something."""

    elements: np.ndarray[Any, Any]
    dtype: DType
    written: np.ndarray[Any, Any] | None = None
    """None where every element holds something from the start."""
    written_to: bool = True
    """False where nobody writes: reads need no order."""


class Tracker:
    """Finds unordered accesses of agents (lanes, iterations, workgroups) to one element, one of them a write.

    An agent's access is ordered before another's when a fence by each of them stands between.
    """

    def __init__(self, agents: str) -> None:
        self.agents = agents
        self._touched: dict[str, dict[tuple[Memory, int], dict[int, int]]] = {how: {} for how in _AGAINST}
        self._fences: dict[int, int] = {}
        self._clock = 0

    def barrier(self) -> None:
        """Everything before is ordered before everything after."""
        for accesses in self._touched.values():
            accesses.clear()

    def fence(self, agent: int) -> None:
        self._clock += 1
        self._fences[agent] = self._clock

    def touch(self, memory: Memory, position: int, agent: int, how: str) -> None:
        """Record a "read", "write" or "atomic" access; raises LaneFault on a conflict."""
        self._clock += 1
        element = memory, position
        for other_how in _AGAINST[how]:
            others = self._touched[other_how].get(element)
            if others is not None:
                self._refuse(others, agent, how, other_how)
        accesses = self._touched[how]
        own = accesses.get(element)
        if own is None:
            accesses[element] = {agent: self._clock}
        else:
            own[agent] = self._clock

    def _refuse(self, others: dict[int, int], agent: int, how: str, other_how: str) -> None:
        for other, when in others.items():
            if other != agent and not min(self._fences.get(other, 0), self._fences.get(agent, 0)) > when:
                does = f"{self.agents} {agent} {_TOLD[how]}"
                raise LaneFault(f"{does} what {self.agents} {other} {_TOLD[other_how]}, in no order")


_TOLD = {"read": "reads", "write": "writes", "atomic": "changes atomically"}
_AGAINST = {"read": ("write", "atomic"), "write": ("write", "atomic", "read"), "atomic": ("write", "read")}
"""The accesses of others that an access must be ordered with, in the order of the search."""


def run_workgroup(lanes: list[Any], tracker: Tracker, subgroup: int) -> None:
    """Run every lane of one workgroup to its end; raises LaneFault where lanes part ways at a barrier."""
    running = {lane.number: lane.run() for lane in lanes}
    stops: dict[int, Stop | None] = {}
    for number, lane in running.items():
        _advance(lane, None, number, stops)
    while any(stop is not None for stop in stops.values()):
        if not _resume_subgroups(running, stops, subgroup):
            _pass_barrier(lanes, stops)
            tracker.barrier()
            for number, stop in list(stops.items()):
                if stop is not None:
                    _advance(running[number], None, number, stops)


def _advance(lane: Any, answer: Scalar, number: int, stops: dict[int, Stop | None]) -> None:
    try:
        stops[number] = lane.send(answer)
    except StopIteration:
        stops[number] = None


def _pass_barrier(lanes: list[Any], stops: dict[int, Stop | None]) -> None:
    first_number, first = next((n, s) for n, s in stops.items() if s is not None)
    identifier = first.instruction.attributes["id"]
    waits = f"lane {first_number} waits at barrier {identifier}"
    for lane in lanes:
        stop = stops[lane.number]
        if stop is None:
            if not lane.exited:
                raise LaneFault(f"{waits}, lane {lane.number} has ended", first.instruction)
        elif stop.instruction.attributes.get("id") != identifier:
            other = stop.instruction
            raise LaneFault(f"{waits}, lane {lane.number} at {_place(other)}", first.instruction, other)


def _place(instruction: Instruction) -> str:
    if instruction.op.name == "barrier":
        return f"barrier {instruction.attributes['id']}"
    return instruction.op.name


def _resume_subgroups(running: dict[int, Any], stops: dict[int, Stop | None], subgroup: int) -> bool:
    """Executes the subgroup operations that all lanes have reached; False where there is none."""
    resumed = False
    for start in range(0, len(running), subgroup):
        subgroup_lanes = [n for n in running if start <= n < start + subgroup]
        here = [stops[n] for n in subgroup_lanes]
        leader = next((s for s in here if s is not None and s.instruction.op.name in _SUBGROUP), None)
        if leader is None:
            continue
        for number, stop in zip(subgroup_lanes, here, strict=True):
            if stop is None or stop.instruction is not leader.instruction:
                other = "its end" if stop is None else _place(stop.instruction)
                raise LaneFault(f"lane {number} is at {other} where its subgroup is here", leader.instruction)
        operands = [stop.operands for stop in here if stop is not None]
        answers = _SUBGROUP[leader.instruction.op.name](leader.instruction, operands)
        for number, answer in zip(subgroup_lanes, answers, strict=True):
            _advance(running[number], answer, number, stops)
        resumed = True
    return resumed


def _shuffle_down(instruction: Instruction, operands: list[tuple[Scalar, ...]]) -> list[Scalar]:
    answers = []
    for lane, (value, distance) in enumerate(operands):
        source = lane + distance
        answers.append(operands[source][0] if 0 <= source < len(operands) else value)
    return answers


def _subgroup_reduce(instruction: Instruction, operands: list[tuple[Scalar, ...]]) -> list[Scalar]:
    name = {"add": "add", "min": "minimum", "max": "maximum"}[instruction.attributes["kind"]]
    dtype = instruction.result.dtype
    values = [value for (value,) in operands]
    while len(values) > 1:  # by halves, like shuffles
        half = (len(values) + 1) // 2
        pairs = [evaluate(name, [x, y], dtype) for x, y in zip(values[:half], values[half:], strict=False)]
        values = pairs + values[len(values) - half : half]
    return values * len(operands)


_SUBGROUP = {"subgroup_shuffle_down": _shuffle_down, "subgroup_reduce": _subgroup_reduce}
