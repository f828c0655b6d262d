"""Partial vectors of a loop: lanes beyond the end are masked; reads are written twice, so that whole vectors
are read without a mask."""

from __future__ import annotations

from collections.abc import Callable

from ..kernel.nodes import Block, Buffer, Instruction, Value, walk
from .context import Affine, Context
from .lookups import lookup_index
from .loops import either
from .spelling import vector
from .writer import Operand, integer

MOST_READS = 12
"""The most reads that are written twice: more would spill registers."""


def active_lanes(c: Context, remaining: Operand, width: int) -> tuple[Operand, Operand, Operand]:
    """Returns the lanes below a positive count, which may exceed the width; whether that is all of them; and
    their number."""
    w = c.writer
    few = w.apply("call {T} @llvm.umin.{S}({T} {0}, {T} {1})", remaining, integer(width))
    whole = w.compare("icmp sge", remaining, integer(width))
    return first_lanes(c, few, width), whole, few


def first_lanes(c: Context, few: Operand, width: int) -> Operand:
    """Returns the mask of the first lanes, at least one."""
    w = c.writer
    if c.target.has_masks and width >= 8:
        bits = w.binary("lshr", integer(-1), w.sub(integer(64), few))
        if width < 64:
            bits = w.convert("trunc", bits, f"i{width}")
        return w.pure(f"bitcast {bits.spelled} to {vector('i1', width)}", "i1", width, (bits,))
    kind = f"i{max(8, min(64, c.target.vector_bits // width))}"
    bound = few if kind == few.type else w.convert("trunc", few, kind)
    return w.compare("icmp slt", w.iota(width, kind), bound)


def first_reads(body: Block) -> list[Instruction] | None:
    """Returns the loads that vary with the index, if the body has no other effect than stores at its end."""
    index, reads, stored = body.parameters[0], [], False
    varying: set[Value] = {index}
    top = set(body.instructions)
    for each in walk(body, rare=False):
        if each.op.name in ("allocate", "atomic") or (each.op.rule == "memory" and each not in top):
            return None
    for instruction in body.instructions:
        varies = any(value in varying for value in instruction.operands)
        if varies or instruction.blocks:
            varying.update(instruction.results)
        if instruction.op.name == "load" and varies and lookup_index(instruction) is None:
            if stored or len(instruction.operands) > 2:
                return None
            reads.append(instruction)
        stored = stored or instruction.op.name == "store"
    return reads if len(reads) <= MOST_READS else None


def some_lanes(
    c: Context,
    body: Block,
    reads: list[Instruction] | None,
    at: Callable[[], Operand | Affine],
    remaining: Operand,
    width: int,
) -> tuple[Block, tuple[Operand, Operand, Operand]]:
    """Begins a vector that may be partial: writes `reads` of the body, for a whole vector and for part of
    one, if given; `at` writes the index. Returns the rest of the body, and the results of `active_lanes`."""
    if reads is None:
        return body, active_lanes(c, remaining, width)
    w = c.writer
    whole = w.compare("icmp sge", remaining, integer(width))
    made = makers(body)
    with c.lanes(width, None):
        c.values[body.parameters[0]] = at()
        for each in reads:
            write_position(c, made, each.operands[1])

    def of_all_lanes() -> list[Operand]:
        with c.lanes(width, None):
            read = [_written(c, each) for each in reads]
        return [*read, Operand("splat (i1 true)", "i1", width), integer(width)]

    def of_some_lanes() -> list[Operand]:
        mask, _, few = active_lanes(c, remaining, width)
        with c.lanes(width, mask, few=few):
            return [*(_written(c, each) for each in reads), mask, few]

    *read, mask, few = either(w, whole, of_all_lanes, of_some_lanes, ("full", "part", "both"))
    for each, value in zip(reads, read, strict=True):
        c.define(each, value)
    rest = Block(
        body.parameters, [instruction for instruction in body.instructions if instruction not in reads]
    )
    return rest, (mask, whole, few)


def _written(c: Context, instruction: Instruction) -> Operand:
    c.write(instruction)
    return c.operand(instruction.results[0])


def makers(body: Block) -> dict[Value, Instruction]:
    """Returns the instruction that defines each value of a body."""
    return {instruction.results[0]: instruction for instruction in body.instructions if instruction.results}


def write_position(
    c: Context, made: dict[Value, Instruction], value: Value, names: tuple[str, ...] | None = None
) -> bool:
    """Writes the computation of a position, if it consists of these operations; returns whether it does."""
    instruction = made.get(value)
    if instruction is None:
        return value in c.values or isinstance(value, Buffer)
    if names is not None and instruction.op.name not in names:
        return False
    if not all(write_position(c, made, operand, names) for operand in instruction.operands):
        return False
    c.write(instruction)
    return True
