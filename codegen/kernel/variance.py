"""Divergence analysis: the values that differ between the lanes of a workgroup or the iterations of a lanes
loop.

Every value gets a bit set: bit 0 stands for the lane of the workgroup, and each lanes loop has a bit of
its own for its iterations. A value without a bit is equal for all of that bit's lanes. The answer is
conservative, and it trusts that the kernel has no race.
"""

from __future__ import annotations

from .nodes import Block, Buffer, Instruction, Kernel, Value

WORKGROUP_LANE = 1


class Variance:
    """The bits of each value, of each lanes loop, and of the control flow that encloses each instruction."""

    def __init__(self, kernel: Kernel) -> None:
        self.loop_bit: dict[Instruction, int] = {}
        self.control: dict[Instruction, int] = {}
        self._bits: dict[Value, int] = {}
        self._changed = True
        while self._changed:
            self._changed = False
            self._block(kernel.body, 0, WORKGROUP_LANE)

    def of(self, value: Value) -> int:
        """The bits of a value; of a private buffer, the bits of what it holds."""
        return self._bits.get(value, 0)

    def _raise(self, value: Value, bits: int) -> None:
        known = self._bits.get(value, 0)
        if bits & ~known:
            self._bits[value] = known | bits
            self._changed = True

    def _union(self, values: tuple[Value, ...]) -> int:
        bits = 0
        for value in values:
            bits |= self._bits.get(value, 0)
        return bits

    def _block(self, block: Block, control: int, lanes: int) -> None:
        """`control`: the bits that decide whether a lane gets here; `lanes`: all bits that exist here."""
        for instruction in block.instructions:
            self.control[instruction] = control
            structured = _STRUCTURED.get(instruction.op.name)
            if structured is not None:
                structured(self, instruction, control, lanes)
                continue
            self._plain(instruction, control, lanes)

    def _plain(self, instruction: Instruction, control: int, lanes: int) -> None:
        name, operands = instruction.op.name, instruction.operands
        if name == "store":
            buffer = operands[0]
            if isinstance(buffer, Buffer) and buffer.space == "private":
                self._raise(buffer, self._union(operands) | control)
            return
        bits = self._union(operands)
        if name == "lane_id" or name.startswith("subgroup_"):
            bits |= WORKGROUP_LANE
        elif name == "atomic":
            bits |= lanes
        for result in instruction.results:
            if not isinstance(result, Buffer):
                self._raise(result, bits)

    def _for(self, instruction: Instruction, control: int, lanes: int) -> None:
        bounds, initial = self._union(instruction.operands[:3]), instruction.operands[3:]
        inner, here = control | bounds, lanes
        counter = bounds
        if instruction.attributes.get("kind") in ("lanes", "scan"):
            bit = self.loop_bit.setdefault(instruction, 1 << (len(self.loop_bit) + 1))
            counter, inner, here = counter | bit, inner | bit, lanes | bit
        body = instruction.blocks[0]
        if body.parameters:
            self._raise(body.parameters[0], counter)
        for parameter, value in zip(body.parameters[1:], initial, strict=False):
            self._raise(parameter, self.of(value) | bounds)
        self._block(body, inner, here)
        for parameter, value in zip(body.parameters[1:], body.yielded, strict=False):
            self._raise(parameter, self.of(value))
        outer = ~(here & ~lanes)  # a reduced value is one for all iterations
        for block in instruction.blocks[1:2]:
            half = len(block.parameters) // 2
            for position, value in enumerate(initial):
                bits = self.of(value) | bounds
                if position < len(body.yielded):
                    bits |= self.of(body.yielded[position]) & outer
                for parameter in (
                    *block.parameters[position : position + 1],
                    *block.parameters[half + position :][:1],
                ):
                    self._raise(parameter, bits)
            self._block(block, inner & outer, lanes)
        for block in instruction.blocks[2:]:
            for parameter in block.parameters:
                self._raise(parameter, inner)
            self._block(block, inner, here)
        last = instruction.blocks[1 if len(instruction.blocks) > 1 else 0].yielded
        for number, result in enumerate(instruction.results):
            bits = bounds | (self.of(initial[number]) if number < len(initial) else 0)
            bits |= self.of(last[number]) if number < len(last) else 0
            self._raise(result, bits & outer)

    def _while(self, instruction: Instruction, control: int, lanes: int) -> None:
        condition, body = instruction.blocks
        for block in (condition, body):
            for parameter, value in zip(block.parameters, instruction.operands, strict=False):
                self._raise(parameter, self.of(value))
        deciding = self._union(condition.yielded)
        self._block(condition, control | deciding, lanes)
        self._block(body, control | deciding, lanes)
        for block in (condition, body):
            for parameter, value in zip(block.parameters, body.yielded, strict=False):
                self._raise(parameter, self.of(value) | deciding)
        for result, parameter in zip(instruction.results, condition.parameters, strict=False):
            self._raise(result, self.of(parameter) | deciding)

    def _if(self, instruction: Instruction, control: int, lanes: int) -> None:
        deciding = self._union(instruction.operands)
        for block in instruction.blocks:
            self._block(block, control | deciding, lanes)
            for result, value in zip(instruction.results, block.yielded, strict=False):
                self._raise(result, self.of(value) | deciding)


_STRUCTURED = {"for": Variance._for, "while": Variance._while, "if": Variance._if}
