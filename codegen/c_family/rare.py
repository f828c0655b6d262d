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
    rare = [each for each in body.instructions if each.op.name == "if" and each.attributes.get("rare")]
    nested = [each for each in body.instructions if each.blocks and each not in rare]
    if nested or not rare or _needed(body, rare) is None:
        return []
    return rare


def _needed(body: Block, rare: Sequence[Instruction]) -> list[Instruction] | None:
    """Returns the instructions of the conditions, in order; None where one has an effect or depends on one of
    the branches."""
    written = {each.operands[0] for each in walk(body) if each.op.name in ("store", "atomic")}
    wanted: set[Value] = {each.operands[0] for each in rare}
    needed: list[Instruction] = []
    for each in reversed(body.instructions):
        if wanted.isdisjoint(each.results):
            continue
        loads = each.op.name == "load" and each.operands[0] not in written
        if not loads and each.op.name not in PURE:
            return None
        needed.append(each)
        wanted.update(each.operands)
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
            for each in needed:
                c.handlers[each.op.name](c, each)
            for each in rare:
                c.line(f"{taken} |= {c.select(c.names[each.operands[0]], one, c.index(0))};")
        c.line(f"if ({taken} == {c.index(0)}) {{")
        with c.indented():
            counter = c.fresh("k")
            c.bind(body.parameters, [counter])
            with c.loop(counter, begin, end, one):
                for each in body.instructions:
                    if each in rare:
                        c.bind(each.results, c.run(each.blocks[1]))
                    else:
                        c.handlers[each.op.name](c, each)
        c.line("} else {")
        with c.indented():
            counter = c.fresh("k")
            c.bind(body.parameters, [counter])
            with c.loop(counter, begin, end, one):
                c.run(body)
        c.line("}")
