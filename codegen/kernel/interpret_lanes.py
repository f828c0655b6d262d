"""Running the lanes of a workgroup side by side, and watching the memory they share.

A lane is a Python generator that stops at every barrier and subgroup operation; the scheduler resumes
lanes once all of them (for a subgroup operation: all of its subgroup) stopped at the same instruction.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from ...ir.types import DType
from .nodes import Instruction
from .scalars import Scalar, evaluate


@dataclass(frozen=True, slots=True)
class Stop:
    """Why a lane waits: the instruction, and the operands it brings to a subgroup operation."""

    instruction: Instruction
    operands: tuple[Scalar, ...] = ()


class LaneFault(Exception):
    """What went wrong at an instruction, before the interpreter adds where."""

    def __init__(self, message: str, instruction: Instruction | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.instruction = instruction


class Lane(Protocol):
    """What the scheduler knows of a lane."""

    number: int

    def run(self) -> Generator[Stop, Scalar, None]: ...


@dataclass(eq=False, slots=True)
class Memory:
    """A buffer of a running kernel; `written` marks the elements that hold something."""

    elements: np.ndarray[Any, Any]
    dtype: DType
    written: np.ndarray[Any, Any] | None = None
    """None where every element holds something from the start."""


@dataclass(slots=True)
class _Touched:
    """Who touched one element how, and when."""

    readers: dict[int, int] = field(default_factory=dict)
    writers: dict[int, int] = field(default_factory=dict)
    atomics: dict[int, int] = field(default_factory=dict)


class Tracker:
    """Finds agents (lanes, iterations, workgroups) that touch one element, one of them writing, unordered.

    An agent's access is ordered before another's when a fence by each of them stands between.
    """

    def __init__(self, agents: str) -> None:
        self.agents = agents
        self._touched: dict[tuple[int, int], _Touched] = {}
        self._kept: list[Memory] = []
        self._fences: dict[int, int] = {}
        self._clock = 0

    def barrier(self) -> None:
        """Everything before is ordered before everything after."""
        self._touched.clear()
        self._kept.clear()

    def fence(self, agent: int) -> None:
        self._clock += 1
        self._fences[agent] = self._clock

    def touch(self, memory: Memory, position: int, agent: int, how: str) -> None:
        """Record a "read", "write" or "atomic" access; raises LaneFault on a conflict."""
        self._clock += 1
        key = (id(memory), position)
        seen = self._touched.get(key)
        if seen is None:
            seen = self._touched[key] = _Touched()
            self._kept.append(memory)  # its id stays its own
        self._refuse(seen.writers, agent, f"{how}s what {self.agents} {{other}} writes")
        if how != "atomic":
            self._refuse(seen.atomics, agent, f"{how}s what {self.agents} {{other}} changes atomically")
        if how != "read":
            verb = "writes" if how == "write" else "changes atomically"
            self._refuse(seen.readers, agent, f"{verb} what {self.agents} {{other}} reads")
        own = {"read": seen.readers, "write": seen.writers, "atomic": seen.atomics}[how]
        own[agent] = self._clock

    def _refuse(self, others: dict[int, int], agent: int, message: str) -> None:
        for other, when in others.items():
            ordered = min(self._fences.get(other, 0), self._fences.get(agent, 0)) > when
            if other != agent and not ordered:
                raise LaneFault(f"{self.agents} {agent} {message.format(other=other)}, in no order")


def run_workgroup(lanes: list[Any], tracker: Tracker, subgroup: int) -> None:
    """Run every lane of one workgroup to its end; raises LaneFault where lanes part ways at a barrier."""
    running = {lane.number: lane.run() for lane in lanes}
    stops: dict[int, Stop | None] = {}
    for number, lane in running.items():
        _advance(lane, None, number, stops)
    while any(stop is not None for stop in stops.values()):
        if not _resume_subgroups(running, stops, subgroup):
            _pass_barrier(stops)
            tracker.barrier()
            for number, stop in list(stops.items()):
                if stop is not None:
                    _advance(running[number], None, number, stops)


def _advance(lane: Any, answer: Scalar, number: int, stops: dict[int, Stop | None]) -> None:
    try:
        stops[number] = lane.send(answer)
    except StopIteration:
        stops[number] = None


def _pass_barrier(stops: dict[int, Stop | None]) -> None:
    first_number, first = next((n, s) for n, s in stops.items() if s is not None)
    identifier = first.instruction.attributes["id"]
    for number, stop in stops.items():
        if stop is None:
            message = f"lane {first_number} waits at barrier {identifier}, lane {number} has ended"
            raise LaneFault(message, first.instruction)
        if stop.instruction.attributes.get("id") != identifier:
            other = _place(stop.instruction)
            raise LaneFault(
                f"lane {first_number} waits at barrier {identifier}, lane {number} at {other}",
                first.instruction,
            )


def _place(instruction: Instruction) -> str:
    if instruction.op.name == "barrier":
        return f"barrier {instruction.attributes['id']}"
    return instruction.op.name


def _resume_subgroups(running: dict[int, Any], stops: dict[int, Stop | None], subgroup: int) -> bool:
    """Carry out the subgroup operations that are due; False where none is."""
    resumed = False
    for start in range(0, len(running), subgroup):
        numbers = [n for n in running if start <= n < start + subgroup]
        here = [stops[n] for n in numbers]
        leader = next((s for s in here if s is not None and s.instruction.op.name in _SUBGROUP), None)
        if leader is None:
            continue
        for number, stop in zip(numbers, here, strict=True):
            if stop is None or stop.instruction is not leader.instruction:
                other = "its end" if stop is None else _place(stop.instruction)
                raise LaneFault(f"lane {number} is at {other} where its subgroup is here", leader.instruction)
        operands = [stop.operands for stop in here if stop is not None]
        answers = _SUBGROUP[leader.instruction.op.name](leader.instruction, operands)
        for number, answer in zip(numbers, answers, strict=True):
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
    while len(values) > 1:  # by halves, as shuffles would
        half = (len(values) + 1) // 2
        pairs = [evaluate(name, [x, y], dtype) for x, y in zip(values[:half], values[half:], strict=False)]
        values = pairs + values[len(values) - half : half]
    return values * len(operands)


_SUBGROUP = {"subgroup_shuffle_down": _shuffle_down, "subgroup_reduce": _subgroup_reduce}
