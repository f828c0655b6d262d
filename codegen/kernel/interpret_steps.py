"""The effect of each instruction on one lane of the interpreter, for instructions without blocks and
barriers.

Its dtypes are looked at once, when it is made; operands and result are entries of the lane's environment.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np

from ...ir.types import DType
from .interpret_lanes import Memory, Tracker
from .nodes import Instruction, Kernel, Value, instructions_of
from .scalars import Scalar, bitcast, cast, from_number, from_storage, meaning, storage_dtype, to_storage


class Exit(Exception):
    """Raised where a lane executes `exit`."""


class RunningLane(Protocol):
    """The lane that executes an instruction, as instructions see it."""

    environment: dict[Value, Any]
    group: int
    number: int
    trackers: list[tuple[Tracker, int]]
    shared: dict[Instruction, Memory]

    def values(self, values: Sequence[Value]) -> list[Any]: ...

    def access(self, memory: Memory, position: int, how: str) -> None: ...


Step = Callable[[Any], None]
"""Of a `RunningLane`."""


def prepare(instruction: Instruction) -> Step:
    """Returns the function that executes an instruction that neither stops a lane nor owns blocks."""
    return _STEPS.get(instruction.op.name, _pure)(instruction)


def constants(kernel: Kernel) -> dict[Value, Any]:
    """Returns the values that are equal for all lanes, from the start: constants and tables."""
    return {
        instruction.result: _CONSTANT[instruction.op.name](instruction)
        for instruction in instructions_of(kernel)
        if instruction.op.name in _CONSTANT
    }


def _pure(instruction: Instruction) -> Step:
    operands, result = instruction.operands, instruction.result
    compute = meaning(instruction.op.name, operands[-1].dtype)
    if len(operands) == 2:
        x, y = operands

        def of_two(lane: RunningLane) -> None:
            environment = lane.environment
            environment[result] = compute(environment[x], environment[y])

        return of_two

    def step(lane: RunningLane) -> None:
        lane.environment[result] = compute(*lane.values(operands))

    return step


def _converted(convert: Callable[[Scalar, DType, DType], Scalar]) -> Callable[[Instruction], Step]:
    def ready(instruction: Instruction) -> Step:
        (operand,), result = instruction.operands, instruction.result
        source, target = operand.dtype, result.dtype

        def step(lane: RunningLane) -> None:
            lane.environment[result] = convert(lane.environment[operand], source, target)

        return step

    return ready


def _told(get: Callable[[RunningLane], int]) -> Callable[[Instruction], Step]:
    def ready(instruction: Instruction) -> Step:
        result = instruction.result

        def step(lane: RunningLane) -> None:
            lane.environment[result] = get(lane)

        return step

    return ready


def _allocate(instruction: Instruction) -> Step:
    result, attributes = instruction.result, instruction.attributes
    dtype, size = attributes["dtype"], attributes["size"]

    def new() -> Memory:
        return Memory(np.zeros(size, storage_dtype(dtype)), dtype, np.zeros(size, np.bool_))

    def private(lane: RunningLane) -> None:
        lane.environment[result] = new()

    def shared(lane: RunningLane) -> None:
        if instruction not in lane.shared:
            lane.shared[instruction] = new()
        lane.environment[result] = lane.shared[instruction]

    return shared if attributes["space"] == "shared" else private


def _load(instruction: Instruction) -> Step:
    (buffer, at, *mask), result = instruction.operands, instruction.result
    dtype = buffer.dtype
    masked = from_number(0, dtype)

    def step(lane: RunningLane) -> None:
        environment = lane.environment
        if mask and not environment[mask[0]]:
            environment[result] = masked
            return
        memory, position = environment[buffer], environment[at]
        lane.access(memory, position, "read")
        environment[result] = from_storage(memory.elements[position], dtype)

    return step


def _store(instruction: Instruction) -> Step:
    buffer, at, stored, *flags = instruction.operands
    masked = instruction.attributes.get("masked")

    def step(lane: RunningLane) -> None:
        environment = lane.environment
        if masked and not environment[flags[0]]:
            return
        memory, position = environment[buffer], environment[at]
        lane.access(memory, position, "write")
        memory.elements[position] = to_storage(environment[stored], memory.dtype)

    return step


def _atomic(instruction: Instruction) -> Step:
    operands, result = instruction.operands, instruction.result
    name = _ATOMIC_MEANING[instruction.attributes["kind"]]

    def step(lane: RunningLane) -> None:
        memory, position, value = lane.values(operands)
        lane.access(memory, position, "atomic")
        old = from_storage(memory.elements[position], memory.dtype)
        new = meaning(name, memory.dtype)(old, value) if name else value
        memory.elements[position] = to_storage(new, memory.dtype)
        lane.environment[result] = old

    return step


def _fence(instruction: Instruction) -> Step:
    scope = instruction.attributes["scope"]

    def step(lane: RunningLane) -> None:
        for tracker, agent in lane.trackers:
            if scope in ("device", "system") or (scope != "thread" and tracker.agents != "workgroup"):
                tracker.fence(agent)

    return step


def _exit(instruction: Instruction) -> Step:
    def step(lane: RunningLane) -> None:
        raise Exit

    return step


_ATOMIC_MEANING = {
    "add": "add",
    "min": "minimum",
    "max": "maximum",
    "and": "and",
    "or": "or",
    "xor": "xor",
    "exchange": None,
}
_STEPS: dict[str, Callable[[Instruction], Step]] = {
    "cast": _converted(cast),
    "bitcast": _converted(bitcast),
    "group_id": _told(lambda lane: lane.group),
    "lane_id": _told(lambda lane: lane.number),
    "allocate": _allocate,
    "load": _load,
    "store": _store,
    "atomic": _atomic,
    "fence": _fence,
    "exit": _exit,
}
"""The makers of steps by instruction; `_pure` makes those of the others."""


def _constant(instruction: Instruction) -> Scalar:
    return from_number(instruction.attributes["value"], instruction.result.dtype)


def _table(instruction: Instruction) -> Memory:
    dtype, values = instruction.attributes["dtype"], instruction.attributes["values"]
    stored_values = [to_storage(from_number(v, dtype), dtype) for v in values]
    return Memory(np.array(stored_values, storage_dtype(dtype)), dtype, None, False)


_CONSTANT: dict[str, Callable[[Instruction], Any]] = {"constant": _constant, "table": _table}

NO_STEP = frozenset(("yield", "return", *_CONSTANT))
"""Instructions without a step: a yield's operands are read where the block was entered."""
