"""The kernel interpreter: slow and obvious; it defines the meaning of kernel IR and detects its races.

>>> interpret(kernel, [source, target], [source.size], [], range(1))    # writes into `target`

It raises InterpreterError on an access out of bounds, a read of memory that nothing has written, two lanes
(or workgroups, or iterations of a lanes loop) that touch one element with one of them writing and no order
between them, and lanes that part ways at a barrier. The kernel must have passed `verify`.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from typing import Any

import numpy as np

from ...ir.types import BF16, INDEX
from .interpret_lanes import LaneFault, Memory, Stop, Tracker, run_workgroup
from .interpret_steps import NO_STEP, Exit, Step, constants, prepare
from .nodes import REDUCTION_LANES, SCAN_LANES, Block, Buffer, Instruction, Kernel, Value
from .scalars import Scalar, from_number, storage_dtype
from .text import KernelPrinter

_Steps = Generator[Stop, Scalar, None]
_Part = tuple[list[tuple[Instruction, Step]], Instruction | None]


class InterpreterError(AssertionError):
    """A kernel did what no kernel may: what, in which workgroup and lane, the printed line."""


def interpret(
    kernel: Kernel,
    buffers: Sequence[np.ndarray[Any, Any]],
    indices: Sequence[int],
    scalars: Sequence[Any],
    groups: range,
    subgroup: int = 32,
) -> None:
    """Run workgroups `groups` on one-dimensional arrays, one of each buffer parameter, in place."""
    given = (len(buffers), len(indices), len(scalars))
    due = (len(kernel.buffers), len(kernel.indices), len(kernel.scalars))
    if given != due:
        raise InterpreterError(f"kernel {kernel.name} takes {due} buffers, indices and scalars, not {given}")
    environment: dict[Value, Any] = {}
    for parameter, array in zip(kernel.buffers, buffers, strict=True):
        elements = _elements(kernel, parameter, array)
        environment[parameter] = Memory(elements, parameter.dtype, None, parameter.access != "in")
    for index, number in zip(kernel.indices, indices, strict=True):
        environment[index] = from_number(number, INDEX)
    for scalar, number in zip(kernel.scalars, scalars, strict=True):
        environment[scalar] = from_number(number, scalar.dtype)
    environment.update(constants(kernel))
    with np.errstate(all="ignore"):
        _run_groups(kernel, environment, groups, subgroup)


def _run_groups(kernel: Kernel, environment: dict[Value, Any], groups: range, subgroup: int) -> None:
    parts = _Parts(kernel)
    between_groups = Tracker("workgroup")
    for group in groups:
        between_lanes = Tracker("lane")
        trackers = [(between_groups, group)] if len(groups) > 1 else []
        shared: dict[Instruction, Memory] = {}
        lanes = [
            _Lane(
                kernel,
                parts,
                dict(environment),
                group,
                number,
                [*trackers, (between_lanes, number)] if kernel.workgroup > 1 else list(trackers),
                shared,
            )
            for number in range(kernel.workgroup)
        ]
        try:
            run_workgroup(lanes, between_lanes, subgroup)
        except LaneFault as fault:
            raise _located(kernel, f"workgroup {group}: {fault.message}", fault.instructions) from None


def _elements(kernel: Kernel, parameter: Buffer, array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    if parameter.dtype is BF16 and array.dtype.name == BF16.numpy_name:
        array = array.view(np.uint16)
    if array.ndim != 1 or array.dtype != storage_dtype(parameter.dtype):
        found = f"{array.dtype.name} of {array.ndim} axes"
        raise InterpreterError(f"kernel {kernel.name}: a buffer of {parameter.dtype.name} got {found}")
    return array


def _located(kernel: Kernel, message: str, instructions: Sequence[Instruction]) -> InterpreterError:
    printer = KernelPrinter(kernel)
    line_numbers = [
        printer.line_of[instruction] for instruction in instructions if instruction in printer.line_of
    ]
    lines = [f"  {number + 1} | {printer.lines[number].strip()}" for number in line_numbers]
    return InterpreterError("\n".join([f"kernel {kernel.name}, {message}", *lines]))


class _Parts:
    """The prepared blocks of a kernel: runs of steps, each up to an instruction at which a lane may stop or
    that owns blocks; the last run ends with none."""

    def __init__(self, kernel: Kernel) -> None:
        self.functions = {function.name: function for function in kernel.functions}
        self._made: dict[Block, list[_Part]] = {}

    def of(self, block: Block) -> list[_Part]:
        parts = self._made.get(block)
        if parts is None:
            parts = self._made[block] = [([], None)]
            for instruction in block.instructions:
                if instruction.op.name in _IN_TURNS:
                    parts[-1] = (parts[-1][0], instruction)
                    parts.append(([], None))
                elif instruction.op.name not in NO_STEP:
                    parts[-1][0].append((instruction, prepare(instruction)))
        return parts


class _Lane:
    """One lane of one workgroup: its values, and the trackers that its accesses are reported to."""

    def __init__(
        self,
        kernel: Kernel,
        parts: _Parts,
        environment: dict[Value, Any],
        group: int,
        number: int,
        trackers: list[tuple[Tracker, int]],
        shared: dict[Instruction, Memory],
    ) -> None:
        self.kernel = kernel
        self.parts = parts
        self.environment = environment
        self.group = group
        self.number = number
        self.trackers = trackers
        self.shared = shared
        self.exited = False

    def run(self) -> _Steps:
        try:
            yield from self.block(self.kernel.body)
        except Exit:
            self.exited = True

    def block(self, block: Block) -> Iterable[Stop]:
        """Run the instructions of a block; what it yields stands in the environment afterwards."""
        parts = self.parts.of(block)
        if len(parts) > 1:
            return self.in_turns(parts)
        self.straight(parts[0][0])
        return ()

    def in_turns(self, parts: Sequence[_Part]) -> _Steps:
        for steps, instruction in parts:
            self.straight(steps)
            if instruction is not None:
                yield from _IN_TURNS[instruction.op.name](self, instruction)

    def straight(self, steps: Sequence[tuple[Instruction, Step]]) -> None:
        for instruction, step in steps:
            try:
                step(self)
            except ArithmeticError as error:
                raise self.fault(str(error), instruction) from None
            except LaneFault as fault:
                raise self.fault(fault.message, instruction) from None

    def fault(self, message: str, instruction: Instruction) -> LaneFault:
        where = f"lane {self.number}"
        told = self.kernel.workgroup == 1 or message.startswith(where)
        return LaneFault(message if told else f"{where}: {message}", instruction)

    def values(self, values: Sequence[Value]) -> list[Any]:
        return [self.environment[v] for v in values]

    def bind(self, values: Sequence[Value], meanings: Sequence[Any]) -> None:
        self.environment.update(zip(values, meanings, strict=True))

    # Memory -------------------------------------------------------------------------------------------
    def access(self, memory: Memory, position: int, how: str) -> None:
        size = len(memory.elements)
        if not 0 <= position < size:
            raise LaneFault(f"{how} at {position} of a buffer of {size} elements")
        if memory.written_to:
            for tracker, agent in self.trackers:
                tracker.touch(memory, position, agent, how)
        if memory.written is None:
            return
        if how != "write" and not memory.written[position]:
            raise LaneFault(f"{how} at {position}, which nothing has written")
        memory.written[position] = True

    # Lanes together -----------------------------------------------------------------------------------
    def barrier(self, instruction: Instruction) -> _Steps:
        yield Stop(instruction)

    def subgroup(self, instruction: Instruction) -> _Steps:
        self.environment[instruction.result] = yield Stop(
            instruction, tuple(self.values(instruction.operands))
        )

    def call(self, instruction: Instruction) -> _Steps:
        body = self.parts.functions[instruction.attributes["function"]].body
        self.bind(body.parameters, self.values(instruction.operands))
        yield from self.block(body)
        self.bind(instruction.results, self.values(body.yielded))

    # Structure ----------------------------------------------------------------------------------------
    def loop(self, instruction: Instruction) -> _Steps:
        lower, upper, step, *initial = self.values(instruction.operands)
        if step <= 0:
            raise self.fault(f"a loop step of {step}", instruction)
        run = _LOOPS[instruction.attributes["kind"]]
        yield from run(self, instruction, range(lower, upper, step), initial)

    def serial_loop(self, instruction: Instruction, counters: range, carried: list[Scalar]) -> _Steps:
        (body,) = instruction.blocks
        for counter in counters:
            self.bind(body.parameters, [counter, *carried])
            yield from self.block(body)
            carried = self.values(body.yielded)
        self.bind(instruction.results, carried)

    def lanes_loop(self, instruction: Instruction, counters: range, initial: list[Scalar]) -> _Steps:
        body, *combine = instruction.blocks
        accumulators = [list(initial) for _ in range(REDUCTION_LANES)]
        between_iterations = Tracker("iteration")
        for number, counter in enumerate(counters):
            self.bind(body.parameters, [counter])
            self.trackers.append((between_iterations, number))
            yield from self.block(body)
            self.trackers.pop()
            for block in combine:
                lane, terms = number % REDUCTION_LANES, self.values(body.yielded)
                self.bind(block.parameters, accumulators[lane] + terms)
                yield from self.block(block)
                accumulators[lane] = self.values(block.yielded)
        for block in combine:
            half = REDUCTION_LANES // 2
            while half:
                for lane in range(half):
                    self.bind(block.parameters, accumulators[lane] + accumulators[lane + half])
                    yield from self.block(block)
                    accumulators[lane] = self.values(block.yielded)
                half //= 2
        if combine:
            self.bind(instruction.results, accumulators[0])

    def scan_loop(self, instruction: Instruction, counters: range, carried: list[Scalar]) -> _Steps:
        body, combine, emit = instruction.blocks
        between_iterations = Tracker("iteration")
        for start in range(0, len(counters), SCAN_LANES):
            together = counters[start : start + SCAN_LANES]
            terms: list[list[Scalar]] = []
            for number, counter in enumerate(together, start):
                self.bind(body.parameters, [counter])
                self.trackers.append((between_iterations, number))
                yield from self.block(body)
                self.trackers.pop()
                terms.append(self.values(body.yielded))
            distance = 1
            while distance < SCAN_LANES:
                before = list(terms)
                for j in range(len(terms)):
                    if j & distance:
                        other = before[(j & (-2 * distance)) + distance - 1]
                        self.bind(combine.parameters, other + before[j])
                        yield from self.block(combine)
                        terms[j] = self.values(combine.yielded)
                distance *= 2
            prefixes: list[list[Scalar]] = []
            for own in terms:
                self.bind(combine.parameters, carried + own)
                yield from self.block(combine)
                prefixes.append(self.values(combine.yielded))
            for number, counter in enumerate(together, start):
                self.bind(emit.parameters, [counter, *prefixes[number - start]])
                self.trackers.append((between_iterations, number))
                yield from self.block(emit)
                self.trackers.pop()
            carried = prefixes[-1]
        self.bind(instruction.results, carried)

    def repeat_while(self, instruction: Instruction) -> _Steps:
        condition, body = instruction.blocks
        carried = self.values(instruction.operands)
        while True:
            self.bind(condition.parameters, carried)
            yield from self.block(condition)
            if not self.values(condition.yielded)[0]:
                break
            self.bind(body.parameters, carried)
            yield from self.block(body)
            carried = self.values(body.yielded)
        self.bind(instruction.results, carried)

    def branch(self, instruction: Instruction) -> _Steps:
        (condition,) = self.values(instruction.operands)
        block = instruction.blocks[0 if condition else 1]
        yield from self.block(block)
        self.bind(instruction.results, self.values(block.yielded))


_LOOPS: dict[str, Callable[[_Lane, Instruction, range, list[Scalar]], _Steps]] = {
    "serial": _Lane.serial_loop,
    "unroll": _Lane.serial_loop,
    "lanes": _Lane.lanes_loop,
    "scan": _Lane.scan_loop,
}
_IN_TURNS: dict[str, Callable[[_Lane, Instruction], _Steps]] = {
    "barrier": _Lane.barrier,
    "subgroup_reduce": _Lane.subgroup,
    "subgroup_shuffle_down": _Lane.subgroup,
    "call": _Lane.call,
    "for": _Lane.loop,
    "while": _Lane.repeat_while,
    "if": _Lane.branch,
}
"""Instructions at which a lane may stop until the others reach them."""
