"""Single-lane loops with a rarely taken branch: the iterations are split into segments that run without it.

A compiler does not vectorize a loop whose body branches. So a loop over a segment first evaluates the
conditions alone, and records whether any iteration branches; then the segment is run by the body without
branches, or by the whole body.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...ir.types import INDEX
from ..kernel.nodes import Block, Instruction, Value, walk
from ..kernel.ops import PURE
from .context import Context

PIECE = 256
"""Iterations of a segment: the conditions' loads stay in the L1 cache for the body."""


def rare_branches(body: Block) -> list[Instruction]:
    """Returns the rarely taken branches of a body without other branches or loops, whose conditions can be
    computed beforehand; else none."""
    rare = [
        instruction
        for instruction in body.instructions
        if instruction.op.name == "if" and instruction.attributes.get("rare")
    ]
    nested = [
        instruction for instruction in body.instructions if instruction.blocks and instruction not in rare
    ]
    if nested or not rare or _needed(body, rare) is None:
        return []
    return rare


def _needed(body: Block, rare: Sequence[Instruction]) -> list[Instruction] | None:
    """Returns the instructions of the conditions, in order; None where one has an effect or depends on one of
    the branches."""
    written = {
        instruction.operands[0] for instruction in walk(body) if instruction.op.name in ("store", "atomic")
    }
    wanted: set[Value] = {instruction.operands[0] for instruction in rare}
    needed: list[Instruction] = []
    for instruction in reversed(body.instructions):
        if wanted.isdisjoint(instruction.results):
            continue
        loads = instruction.op.name == "load" and instruction.operands[0] not in written
        if not loads and instruction.op.name not in PURE:
            return None
        needed.append(instruction)
        wanted.update(instruction.operands)
    return needed[::-1]


def run_in_segments(c: Context, body: Block, rare: Sequence[Instruction], lower: str, upper: str) -> None:
    """Writes the loop."""
    needed = _needed(body, rare) or []
    one, piece = c.index(1), c.index(PIECE)
    begin = c.fresh("k")
    with c.loop(begin, lower, upper, piece):
        left = c.let(INDEX, f"{upper} - {begin}")
        end = c.let(INDEX, c.select(f"({left} < {piece})", upper, f"{begin} + {piece}"))
        taken = c.variable(INDEX, c.index(0))
        counter = c.fresh("k")
        c.bind(body.parameters, [counter])
        with c.loop(counter, begin, end, one):
            for instruction in needed:
                c.handlers[instruction.op.name](c, instruction)
            for instruction in rare:
                c.line(f"{taken} |= {c.select(c.names[instruction.operands[0]], one, c.index(0))};")
        c.line(f"if ({taken} == {c.index(0)}) {{")
        with c.indented():
            counter = c.fresh("k")
            c.bind(body.parameters, [counter])
            with c.loop(counter, begin, end, one):
                for instruction in body.instructions:
                    if instruction in rare:
                        c.bind(instruction.results, c.run(instruction.blocks[1]))
                    else:
                        c.handlers[instruction.op.name](c, instruction)
        c.line("} else {")
        with c.indented():
            counter = c.fresh("k")
            c.bind(body.parameters, [counter])
            with c.loop(counter, begin, end, one):
                c.run(body)
        c.line("}")
