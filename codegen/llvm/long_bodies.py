"""Rematerialization in long bodies: positions and parameters shared by thousands of instructions are computed
again at their uses.

LLVM's register allocation takes time for each block that a value lives through. A long body would spill
values to memory that a short one keeps in registers: loading a parameter again takes no longer than loading a
spilled value.
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
"""The least instructions of a kernel whose long bodies are written so."""
LONG_BODY = 300
"""The least instructions of a long body, nested loops and branches included."""
STATEMENT = 32
"""So many consecutive instructions share rematerialized values."""
MOST_AGAIN = 12
"""The most instructions that are written again in place of one live value."""
_AGAIN = frozenset(
    ("add", "sub", "mul", "neg", "minimum", "maximum", "select", "and", "or", "not", "cast", "bitcast")
) | frozenset(COMPARISONS)
_Key = TypeVar("_Key", bound=Value)
_Kept = TypeVar("_Kept")


class MadeAgain(dict[_Key, _Kept], Generic[_Key, _Kept]):
    """The rendered values; those with an entry in `makers` are rendered anew at each use."""

    def __init__(self) -> None:
        super().__init__()
        self.makers: dict[_Key, Callable[[], _Kept]] = {}

    def __contains__(self, value: object) -> bool:
        return super().__contains__(value) or value in self.makers

    def __missing__(self, value: _Key) -> _Kept:
        return self.makers[value]()


class LongBodies(metaclass=mutable):
    """The long bodies of a kernel, and how to render them."""

    blocks: set[Block]
    sizes: dict[Value, int] = fresh(factory=dict)
    """The number of instructions that rematerialize a value."""

    def write(self, c: Context, block: Block) -> None:
        """Renders a long body in statements, which share no rematerializable value."""
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
        """Whether an instruction is rendered at the uses of its result, and not here."""
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
    """Returns the long bodies of a kernel; None of a short kernel, and where workgroups have several
    lanes."""
    if kernel.workgroup > 1:
        return None
    lengths: dict[Block, int] = {}
    if _measure(kernel.body, lengths) < LONG_KERNEL:
        return None
    blocks: set[Block] = set()
    pending = [kernel.body]
    while pending:
        block = pending.pop()
        if lengths[block] >= LONG_BODY:
            blocks.add(block)
            pending += _inner(block.instructions)
    return LongBodies(blocks)


def _measure(block: Block, lengths: dict[Block, int]) -> int:
    """Returns the number of a block's instructions; fills `lengths` with those of all nested blocks."""
    total = len(block.instructions)
    for instruction in block.instructions:
        for inner in instruction.blocks:
            total += _measure(inner, lengths)
    lengths[block] = total
    return total


def _inner(instructions: Iterable[Instruction]) -> list[Block]:
    """Returns the blocks that one lane runs sequentially."""
    return [
        block
        for instruction in instructions
        if instruction.op.name == "if"
        or (instruction.op.name == "for" and instruction.attributes.get("kind") == "serial")
        for block in instruction.blocks
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
