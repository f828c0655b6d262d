"""Divergence analysis: the values of a block that differ from lane to lane, found before the block is
written."""

from __future__ import annotations

from collections.abc import Sequence

from ..kernel.nodes import Block, Instruction, Value
from .context import Affine, Context

_OF_EACH_LANE = frozenset(("allocate", "atomic", "lane_id"))
"""Instructions whose results differ from lane to lane whatever their operands are."""


class Variance:
    """Propagates variation through a block: a fixpoint over the values carried by loops."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._varying: dict[Value, bool] = {}

    def carried(self, block: Block, first: Sequence[bool], varying_control: bool) -> tuple[bool, ...]:
        """Whether each carried value varies, for a body whose last parameters are the carried values.

        Parameters before them (a loop index) are uniform.
        """
        state = tuple(flag or varying_control for flag in first)
        while True:
            leading = len(block.parameters) - len(state)
            flags = [False] * leading + list(state)
            self._bind(block, flags)
            self._run(block)
            yielded = tuple(self.varies(value) for value in block.yielded)
            following = tuple(a or b for a, b in zip(state, yielded, strict=True))
            if following == state:
                return state
            state = following

    def condition(self, block: Block, flags: Sequence[bool]) -> bool:
        """Whether the value a condition block yields varies."""
        self._bind(block, flags)
        self._run(block)
        return self.varies(block.yielded[0])

    def results(self, instruction: Instruction) -> Sequence[bool]:
        """Whether each result of an instruction varies."""
        return self._results(instruction)

    def varies(self, value: Value) -> bool:
        known = self._varying.get(value)
        if known is not None:
            return known
        operand = self._context.values.get(value)
        if operand is None:
            memory = self._context.memory.get(value)  # type: ignore[call-overload]
            return memory is not None and memory.lanes > 1
        return isinstance(operand, Affine) or operand.width > 1

    def _bind(self, block: Block, flags: Sequence[bool]) -> None:
        for parameter, flag in zip(block.parameters, flags, strict=True):
            self._varying[parameter] = flag

    def _run(self, block: Block) -> None:
        for instruction in block.instructions:
            for value, flag in zip(instruction.results, self._results(instruction), strict=True):
                self._varying[value] = flag

    def _results(self, instruction: Instruction) -> Sequence[bool]:
        operands = [self.varies(value) for value in instruction.operands]
        if not instruction.blocks:
            own = instruction.op.name in _OF_EACH_LANE and self._context.width > 1
            return [any(operands) or own] * len(instruction.results)
        if instruction.op.name == "if":
            for block in instruction.blocks:
                self._run(block)
            pairs = zip(*(block.yielded for block in instruction.blocks), strict=True)
            return [operands[0] or self.varies(a) or self.varies(b) for a, b in pairs]
        if instruction.op.name == "while":
            return self._while(instruction, operands)
        return self._for(instruction, operands)

    def _for(self, instruction: Instruction, operands: list[bool]) -> Sequence[bool]:
        body = instruction.blocks[0]
        bounds, initial = operands[:3], operands[3:]
        if len(instruction.blocks) == 2:
            return [self._reduction(instruction, operands)] * len(instruction.results)
        leading = any(bounds)
        if leading:
            self._bind(body, [True] + [True] * len(initial))
            self._run(body)
            return [True] * len(initial)
        return self.carried(body, initial, False)

    def _reduction(self, instruction: Instruction, operands: list[bool]) -> bool:
        """Whether the accumulators vary; they do all together."""
        term, combine = instruction.blocks
        self._bind(term, [any(operands[:3])])
        self._run(term)
        varies = any(operands) or any(self.varies(value) for value in term.yielded)
        self._bind(combine, [varies] * len(combine.parameters))
        self._run(combine)
        return varies or any(self.varies(value) for value in combine.yielded)

    def _while(self, instruction: Instruction, initial: list[bool]) -> Sequence[bool]:
        condition, body = instruction.blocks
        state = self.carried(body, initial, False)
        return (True,) * len(state) if self.condition(condition, state) else state
