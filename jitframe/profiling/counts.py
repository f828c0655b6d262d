"""The work of a launch, counted in its kernel: floating-point operations, bytes loaded from and stored to
buffers.

Loops are counted by their bounds, branches on positions by how they fall out, for all lanes of a sample of
workgroups: all of them up to 64, else 63 at equal distances and the last one. Where a bound or a condition is
known only to the device (it was loaded), a loop counts once and a branch as the longer arm, and the count is
no longer exact. An operation is one instruction whose result is a float: a function such as exp counts one.
What joins the accumulators of a reduction at its end is not counted.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import numpy

from ..codegen.kernel.nodes import Block, Instruction, Kernel, Value
from ..codegen.kernel.ops import ARITHMETIC, MATH
from ..ir.record import record

_SAMPLED = 64
_COUNTED = frozenset({*ARITHMETIC, *MATH}) - {"neg", "abs", "copysign"}
Numbers = Any
"""One number for each lane, or one for all."""


class Work(metaclass=record):
    """The work of a launch."""

    operations: int
    loaded: tuple[int, ...]
    """Bytes loaded from each buffer; repeated loads count repeatedly."""
    stored: tuple[int, ...]
    exact: bool

    def moved(self, sizes: Sequence[int]) -> int:
        """The bytes that have to move if the buffers have these sizes: each buffer at most once each way."""
        pairs = (*zip(self.loaded, sizes, strict=True), *zip(self.stored, sizes, strict=True))
        return sum(min(nbytes, size) for nbytes, size in pairs)


@lru_cache(1024)
def work_of(kernel: Kernel, indices: tuple[int, ...], groups: int) -> Work:
    """The work of a launch of this many workgroups."""
    sampled = numpy.arange(groups)
    weights = numpy.ones(groups)
    if groups > _SAMPLED:
        sampled = numpy.append(numpy.linspace(0, groups - 2, _SAMPLED - 1).astype(numpy.int64), groups - 1)
        weights = numpy.append(numpy.full(_SAMPLED - 1, (groups - 1) / (_SAMPLED - 1)), 1.0)
    if not groups:
        nothing = (0,) * len(kernel.buffers)
        return Work(0, nothing, nothing, True)
    counter = _Counter(kernel, indices, sampled)
    with numpy.errstate(all="ignore"):
        total = counter.block(kernel.body)
    lanes = numpy.broadcast_to(total, (counter.rows, counter.lanes)).reshape(counter.rows, len(sampled), -1)
    sums = numpy.rint((lanes.sum(axis=2) * weights).sum(axis=1)).astype(numpy.int64).tolist()
    count = len(kernel.buffers)
    return Work(sums[0], tuple(sums[1 : 1 + count]), tuple(sums[1 + count :]), counter.exact)


class _Counter:
    """One walk over a kernel: tracks the known values of each lane."""

    def __init__(self, kernel: Kernel, indices: Sequence[int], groups: numpy.ndarray) -> None:
        self.kernel = kernel
        self.lanes = len(groups) * kernel.workgroup
        self.known: dict[Value, Numbers] = dict(zip(kernel.indices, indices, strict=True))
        self.groups = numpy.repeat(groups, kernel.workgroup)
        self.lane = numpy.tile(numpy.arange(kernel.workgroup), len(groups))
        self.places = {buffer: number for number, buffer in enumerate(kernel.buffers)}
        self.rows = 1 + 2 * len(kernel.buffers)
        self.exact = True

    def nothing(self) -> numpy.ndarray:
        return numpy.zeros((self.rows, 1))

    def block(self, block: Block) -> numpy.ndarray:
        total = self.nothing()
        for instruction in block.instructions:
            total = total + self.step(instruction)
        return total

    def step(self, instruction: Instruction) -> numpy.ndarray:
        name = instruction.op.name
        special = _SPECIAL.get(name)
        if special is not None:
            return special(self, instruction)
        if instruction.results:
            value = instruction.result
            rule = _RULES.get(name)
            operands = [self.known.get(operand) for operand in instruction.operands]
            if name == "constant":
                if not value.dtype.is_float:
                    self.known[value] = instruction.attributes["value"]
            elif name == "group_id":
                self.known[value] = self.groups
            elif name == "lane_id":
                self.known[value] = self.lane
            elif rule is not None and all(operand is not None for operand in operands):
                self.known[value] = rule(*operands)
            else:
                self.known.pop(value, None)
            if value.dtype.is_float and name in _COUNTED:
                array = self.nothing()
                array[0] = 2 if name == "fma" else 1
                return array
        return self.nothing()

    def access(self, instruction: Instruction) -> numpy.ndarray:
        """A load, store or atomic of a buffer."""
        name, buffer = instruction.op.name, instruction.operands[0]
        for result in instruction.results:
            self.known.pop(result, None)
        place = self.places.get(buffer)  # type: ignore[call-overload]
        if place is None:
            return self.nothing()
        masked = (name == "load" and len(instruction.operands) > 2) or instruction.attributes.get("masked")
        mask: Numbers = 1
        if masked:
            mask = self.known.get(instruction.operands[2 if name == "load" else 3])
            if mask is None:
                mask, self.exact = 1, False
        amount = numpy.broadcast_to(numpy.asarray(mask, float) * buffer.dtype.itemsize, (self._width(mask),))
        array = numpy.zeros((self.rows, len(amount)))
        if name != "store":
            array[1 + place] = amount
        if name != "load":
            array[1 + len(self.places) + place] = amount
        return array

    def _width(self, value: Numbers) -> int:
        return self.lanes if numpy.ndim(value) else 1

    def loop(self, instruction: Instruction) -> numpy.ndarray:
        lower, upper, step = (self.known.get(operand) for operand in instruction.operands[:3])
        for result in instruction.results:
            self.known.pop(result, None)
        body, *others = instruction.blocks
        for block in instruction.blocks:
            for parameter in block.parameters:
                self.known.pop(parameter, None)
        if lower is None or upper is None or step is None:
            self.exact = False
            return sum((self.block(each) for each in others), self.block(body))
        trips = numpy.maximum(-((lower - upper) // numpy.maximum(step, 1)), 0)
        counter = body.parameters[0]
        self.known[counter] = lower
        first = self.block(body)
        self.known[counter] = lower + numpy.maximum(trips - 1, 0) * step
        last = self.block(body)
        rest = sum((self.block(each) for each in others), self.nothing())
        total: numpy.ndarray = numpy.where(trips > 0, first * (trips - 1) + last + rest * trips, 0)
        return total

    def repeat(self, instruction: Instruction) -> numpy.ndarray:
        """A while loop, whose trip count is unknown."""
        self.exact = False
        once: numpy.ndarray = sum((self.block(block) for block in instruction.blocks), self.nothing())
        return once

    def branch(self, instruction: Instruction) -> numpy.ndarray:
        for result in instruction.results:
            self.known.pop(result, None)
        condition = self.known.get(instruction.operands[0])
        then, orelse = (self.block(block) for block in instruction.blocks)
        if instruction.attributes.get("rare"):
            return orelse
        if condition is None:
            self.exact = False
            most: numpy.ndarray = numpy.maximum(then, orelse)
            return most
        chosen: numpy.ndarray = numpy.where(numpy.asarray(condition, bool), then, orelse)
        return chosen


_Rule = Callable[..., Numbers]
_RULES: dict[str, _Rule] = {
    "add": lambda x, y: x + y,
    "sub": lambda x, y: x - y,
    "mul": lambda x, y: x * y,
    "neg": lambda x: -x,
    "minimum": numpy.minimum,
    "maximum": numpy.maximum,
    "quotient": lambda x, y: x // numpy.maximum(y, 1),
    "remainder": lambda x, y: x % numpy.maximum(y, 1),
    "eq": lambda x, y: x == y,
    "ne": lambda x, y: x != y,
    "lt": lambda x, y: x < y,
    "le": lambda x, y: x <= y,
    "gt": lambda x, y: x > y,
    "ge": lambda x, y: x >= y,
    "and": lambda x, y: x & y,
    "or": lambda x, y: x | y,
    "select": lambda test, x, y: numpy.where(test, x, y),
    "cast": lambda x: x,
}
"""The rules for positions and conditions."""
_SPECIAL: dict[str, Callable[[_Counter, Instruction], numpy.ndarray]] = {
    "load": _Counter.access,
    "store": _Counter.access,
    "atomic": _Counter.access,
    "for": _Counter.loop,
    "while": _Counter.repeat,
    "if": _Counter.branch,
}
