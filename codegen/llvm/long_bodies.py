"""Long bodies: positions and parameters that thousands of instructions share are made again where they are
used.

LLVM's register allocation takes time for each block that a value lives through. What a body of a few
instructions has before it, and in registers, a long one would keep in memory anyway: to load a parameter
again takes no longer than to load what was kept of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Generic, TypeVar

from ...ir.record import fresh, mutable, replace
from ..kernel.nodes import Block, Buffer, Instruction, Kernel, Value
from ..kernel.ops import COMPARISONS
from .context import Context
from .writer import Operand

LONG_KERNEL = 3_000
"""Instructions of a kernel from which on its long bodies are written so."""
LONG_BODY = 300
"""Those of a body, what is in its loops and branches included."""
STATEMENT = 32
"""What so many instructions that follow one another make again, they share."""
MOST_AGAIN = 12
"""Instructions that are written again in place of one value that is kept."""
_AGAIN = frozenset(
    ("add", "sub", "mul", "neg", "minimum", "maximum", "select", "and", "or", "not", "cast", "bitcast")
) | frozenset(COMPARISONS)
_Key = TypeVar("_Key", bound=Value)
_Kept = TypeVar("_Kept")


class MadeAgain(dict[_Key, _Kept], Generic[_Key, _Kept]):
    """What values have become; those that `makers` has are written anew wherever they are asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.makers: dict[_Key, Callable[[], _Kept]] = {}

    def __contains__(self, value: object) -> bool:
        return super().__contains__(value) or value in self.makers

    def __missing__(self, value: _Key) -> _Kept:
        return self.makers[value]()


class LongBodies(metaclass=mutable):
    """The long bodies of a kernel, and how they are written."""

    blocks: set[Block]
    sizes: dict[Value, int] = fresh(factory=dict)
    """How many instructions are written where a value is made again."""

    def write(self, c: Context, block: Block) -> None:
        """Writes a long body in statements, which share nothing that can be made again."""
        statement: list[Instruction] = []
        for instruction in block.instructions:
            if instruction.op.name in ("yield", "return"):
                break
            if self._is_made_again(c, instruction):
                continue
            statement.append(instruction)
            if instruction.blocks or len(statement) == STATEMENT:
                _write_statement(c, statement)
                statement = []
        _write_statement(c, statement)

    def _is_made_again(self, c: Context, instruction: Instruction) -> bool:
        """Whether an instruction is written where its result is used, and not here."""
        if instruction.op.name not in _AGAIN or len(instruction.results) != 1:
            return False
        (value,) = instruction.results
        if value.dtype.is_float:
            return False
        size = 1 + sum([self.sizes.get(operand, 0) for operand in instruction.operands])
        if size > MOST_AGAIN:
            return False
        self.sizes[value] = size

        def made() -> Operand:
            c.write(instruction)
            result = c.values.pop(value)
            assert isinstance(result, Operand)
            return result

        assert isinstance(c.values, MadeAgain)
        c.values.makers[value] = made
        return True


def long_bodies(kernel: Kernel) -> LongBodies | None:
    """The long bodies of a kernel; None of one that is short, or whose workgroups have several lanes."""
    if kernel.workgroup > 1:
        return None
    lengths: dict[Block, int] = {}
    if _measure(kernel.body, lengths) < LONG_KERNEL:
        return None
    found: set[Block] = set()
    pending = [kernel.body]
    while pending:
        block = pending.pop()
        if lengths[block] >= LONG_BODY:
            found.add(block)
            pending += _inner(block.instructions)
    return LongBodies(found)


def _measure(block: Block, lengths: dict[Block, int]) -> int:
    """How many instructions a block has; `lengths` is given those of all blocks in it."""
    total = len(block.instructions)
    for instruction in block.instructions:
        for inner in instruction.blocks:
            total += _measure(inner, lengths)
    lengths[block] = total
    return total


def _inner(instructions: Iterable[Instruction]) -> list[Block]:
    """The bodies of what one lane runs after another."""
    return [
        block
        for each in instructions
        if each.op.name == "if" or (each.op.name == "for" and each.attributes.get("kind") == "serial")
        for block in each.blocks
    ]


def _write_statement(c: Context, statement: Sequence[Instruction]) -> None:
    """Writes instructions; what they make again is known to them alone."""
    w = c.writer
    w.enter_branch()
    for instruction in statement:
        c.write(instruction)
    w.leave()
    for instruction in statement:
        for value in instruction.results:
            if isinstance(value, Buffer):
                continue  # memory of the whole call
            result = c.values[value]
            assert isinstance(result, Operand)
            c.values[value] = replace(result, depth=min(result.depth, w.depth))
