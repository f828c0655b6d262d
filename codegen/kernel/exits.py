"""mask_exits: rewrites `exit`: a lane that exits runs on to the end of the kernel with its effects masked.

Lanes that have left count as arrived at every later barrier. Only some languages have that meaning of their
own (docs/decisions/0030), so all are given kernels in which every lane comes to every barrier.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ...ir.types import BOOL
from .builder import KernelBuilder
from .nodes import Block, Instruction, Kernel, Value, constant_number, used, walk
from .ops import PURE
from .rewrite import Emission, unchanged
from .variance import WORKGROUP_LANE, Variance


def mask_exits(kernel: Kernel) -> Kernel:
    """The kernel with masks in place of exits that some lanes of a workgroup take; exact. Itself where
    lanes leave together or not at all. What has exits or barriers is not called, but inlined.

    Its barriers are those of the kernel, in their order. Every instruction that is not free of effects is
    under an `if` of the lanes that are left. Exits of all lanes stay what they are until some have left.
    """
    if kernel.workgroup == 1 or not any(instruction.op.name == "exit" for instruction in walk(kernel.body)):
        return kernel
    variance = Variance(kernel)
    if not any(leaves_alone(instruction, variance) for instruction in walk(kernel.body)):
        return kernel
    build = KernelBuilder(kernel.name)
    masking = _Masking(build, kernel, variance)
    masking.sequence(kernel.body.instructions, None)
    return build.finish(kernel.workgroup, kernel.functions)


def leaves_alone(instruction: Instruction, variance: Variance) -> bool:
    """Whether it is an exit that some lanes of a workgroup may take without the others."""
    return instruction.op.name == "exit" and bool(variance.control[instruction] & WORKGROUP_LANE)


def contains(instruction: Instruction, name: str) -> bool:
    """Whether an instruction or a nested one has this name."""
    inner = (each for block in instruction.blocks for each in walk(block))
    return instruction.op.name == name or any(each.op.name == name for each in inner)


class _Masking:
    """One rewriting. `live` is the mask of remaining lanes: a bool of each lane, or None where all are."""

    def __init__(self, build: KernelBuilder, kernel: Kernel, variance: Variance) -> None:
        self.build = build
        self.variance = variance
        self.uses = Counter(used(kernel.body.instructions))
        self.emission = Emission(build, unchanged)
        self.emission.parameters(kernel)
        self.mapped = self.emission.mapped
        self.guards = 0

    def sequence(self, instructions: Sequence[Instruction], live: Value | None) -> Value | None:
        """Writes instructions except the yield; returns the mask of remaining lanes."""
        pending: list[Instruction] = []
        for instruction in instructions:
            if instruction.op.name == "yield":
                break
            if live is None:
                if self.leaves(instruction, live):
                    live = _STRUCTURED[instruction.op.name](self, instruction, live)
                else:
                    self.emission.instruction(instruction)
            elif contains(instruction, "barrier"):
                live = self.guarded(pending, live)
                pending = []
                live = _STRUCTURED[instruction.op.name](self, instruction, live)
            elif self.is_free(instruction, pending):
                self.emission.instruction(instruction)
            else:
                pending.append(instruction)
        return live if live is None else self.guarded(pending, live)

    def leaves(self, instruction: Instruction, live: Value | None) -> bool:
        """Whether some lanes may exit in it and others not."""
        if not contains(instruction, "exit"):
            return False
        inner = (each for block in instruction.blocks for each in walk(block))
        alone = any(leaves_alone(each, self.variance) for each in (instruction, *inner))
        return bool(self.guards) or live is not None or alone

    def is_free(self, instruction: Instruction, pending: Sequence[Instruction]) -> bool:
        """Whether exited lanes may execute it too: conditions of the way to barriers, and positions, which
        stay contiguous so."""
        op, operands = instruction.op, instruction.operands
        if op.name in ("allocate", "table"):
            return True
        if any(value in each.results for each in pending for value in operands):
            return False
        if op.name in ("quotient", "remainder") and constant_number(operands[1]) is None:
            return False  # the divisor may be 0 where a lane has left
        if not all(value.dtype.kind == "index" for value in (*operands, *instruction.results)):
            varies = any(self.variance.of(value) & WORKGROUP_LANE for value in instruction.results)
            return not varies and op.name in PURE
        return op.name in PURE

    def guarded(self, pending: Sequence[Instruction], live: Value) -> Value:
        """Writes instructions without barriers, for the remaining lanes."""
        if not pending:
            return live
        build, inside = self.build, Counter(used(pending))
        values = [value for instruction in pending for value in instruction.results]
        kept = [value for value in values if self.uses[value] > inside[value]]
        others = [build.constant(0, value.dtype) for value in kept]
        may_leave = any(self.leaves(instruction, live) for instruction in pending)

        def then() -> list[Value]:
            self.guards += 1
            after = self.sequence(pending, None)
            self.guards -= 1
            return [*(self.mapped[value] for value in kept), *self.flags(after, may_leave)]

        results = build.branch(live, then, lambda: [*others, *([live] if may_leave else [])])
        self.mapped.update(zip(kept, results, strict=False))
        return results[-1] if may_leave else live

    def flags(self, live: Value | None, wanted: bool) -> list[Value]:
        """Returns the mask as one more value, where it is needed."""
        return [self.build.constant(True, BOOL) if live is None else live] if wanted else []

    def block(self, block: Block, live: Value | None) -> tuple[list[Value], Value | None]:
        """Writes a block whose parameters are bound; returns the yielded values and the mask."""
        after = self.sequence(block.instructions, live)
        return [self.mapped[value] for value in block.yielded], after

    def bind(self, values: Sequence[Value], meanings: Sequence[Value]) -> None:
        self.mapped.update(zip(values, meanings, strict=True))

    # Instructions that contain barriers or exits --------------------------------------------------------
    def leave(self, instruction: Instruction, live: Value | None) -> Value | None:
        return self.build.constant(False, BOOL)

    def meet(self, instruction: Instruction, live: Value | None) -> Value | None:
        self.emission.instruction(instruction)
        return live

    def branch(self, instruction: Instruction, live: Value | None) -> Value | None:
        may_leave = self.leaves(instruction, live)

        def fill(block: Block) -> list[Value]:
            yielded, after = self.block(block, live)
            return [*yielded, *self.flags(after, may_leave)]

        condition, (then, orelse) = self.mapped[instruction.operands[0]], instruction.blocks
        results = self.build.branch(condition, lambda: fill(then), lambda: fill(orelse))
        self.bind(instruction.results, results[: len(instruction.results)])
        return results[-1] if may_leave else live

    def loop(self, instruction: Instruction, live: Value | None) -> Value | None:
        may_leave = self.leaves(instruction, live)
        lower, upper, step, *initial = (self.mapped[value] for value in instruction.operands)
        (block,) = instruction.blocks

        def body(*values: Value) -> list[Value]:
            self.bind(block.parameters, values[: len(block.parameters)])
            yielded, after = self.block(block, values[-1] if may_leave else live)
            return [*yielded, *self.flags(after, may_leave)]

        first = [*initial, *self.flags(live, may_leave)]
        results = self.build.carry(lower, upper, first, body, step, instruction.attributes["kind"])
        self.bind(instruction.results, results[: len(instruction.results)])
        return results[-1] if may_leave else live

    def repeat_while(self, instruction: Instruction, live: Value | None) -> Value | None:
        """Exited lanes evaluate the condition no more. (The verifier refuses a loop with barriers that all
        lanes might leave.)"""
        first = [*(self.mapped[value] for value in instruction.operands), *self.flags(live, True)]
        condition, body = instruction.blocks

        def asked(*values: Value) -> Value:
            self.bind(condition.parameters, values[:-1])
            (holds,), _ = self.block(condition, values[-1])
            return values[-1] & holds

        def follow(*values: Value) -> list[Value]:
            self.bind(body.parameters, values[:-1])
            self.guards += 1  # a lane comes here only if it is left
            yielded, after = self.block(body, None)
            self.guards -= 1
            return [*yielded, *self.flags(after, True)]

        results = self.build.repeat_while(first, asked, follow)
        self.bind(instruction.results, results[:-1])
        return results[-1]


_STRUCTURED = {
    "exit": _Masking.leave,
    "barrier": _Masking.meet,
    "if": _Masking.branch,
    "for": _Masking.loop,
    "while": _Masking.repeat_while,
}
