"""Lanes loops over independent iterations: a vector body, and one more body for what does not fill it."""

from __future__ import annotations

from dataclasses import dataclass

from ..kernel.nodes import Block, Buffer, Instruction, Value, walk
from .context import Affine, Context
from .control import serial
from .loops import counted
from .spelling import memory_type
from .target import VectorTarget
from .writer import Operand, integer

_CONTROL = ("for", "while", "if")
_SHORT_BODY, _MEDIUM_BODY = 12, 24
"""Instructions up to which a body is written four times, or twice, in a row."""


def lane_count(target: VectorTarget, block: Block, most: int = 64) -> int:
    """Lanes side by side: as many as the widest element in the block fits a register."""
    widest = 0
    for instruction in walk(block):
        for value in (*instruction.operands, *instruction.results):
            if value.dtype.kind in ("bool", "index"):
                bits = 8 if isinstance(value, Buffer) else 0
            else:
                # 16-bit floats are computed with in f32.
                bits = 32 if value.dtype.is_float and value.dtype.bits == 16 else value.dtype.bits
            widest = max(widest, bits)
    return max(2, min(most, target.lanes(widest or 64)))


def trip_count(c: Context, lower: Operand, upper: Operand, step: Operand) -> Operand:
    """Iterations of a loop with a positive step; not positive where there are none."""
    w = c.writer
    span = w.sub(upper, lower)
    if step.literal == 1:
        return span
    rounded = w.add(span, w.sub(step, integer(1)))
    return w.apply("sdiv {T} {0}, {1}", rounded, step)


@dataclass(frozen=True, slots=True)
class Iterations:
    """A lanes loop's iteration space: number k has the index lower + k * step."""

    lower: Operand
    step: Operand
    count: Operand

    def index(self, c: Context, k: Operand) -> Operand | Affine:
        """The index of iterations k, k + 1, ... side by side."""
        base = c.writer.add(self.lower, c.writer.mul(k, self.step))
        return Affine(base, self.step) if c.width > 1 else base


def iterations(c: Context, instruction: Instruction) -> Iterations:
    lower, upper, step = (c.uniform(value, "a bound of a lanes loop") for value in instruction.operands[:3])
    return Iterations(lower, step, trip_count(c, lower, upper, step))


def map_lanes(c: Context, instruction: Instruction) -> None:
    """A lanes loop that reduces nothing. Inside another one, iterations follow one another."""
    if c.in_lanes:
        serial(c, instruction)
        return
    w, body = c.writer, instruction.blocks[0]
    space = iterations(c, instruction)
    width = lane_count(c.target, body)
    enter, after = w.label("lanes"), w.label("after")
    w.branch(w.apply("icmp sgt {T} {0}, {1}", space.count, integer(0), result="i1"), enter, after)
    w.start(enter)
    head = _peel(c, body, space, width)
    w.enter_loop(w.place())
    _rounds(c, body, space, width, head, after)
    w.leave()
    w.start(after)


def _rounds(c: Context, body: Block, space: Iterations, width: int, head: Operand, after: str) -> None:
    """Loop over: part of a vector (up to the alignment, or the rest), then whole vectors.

    The part comes first, with the limit `head`; after whole vectors it comes again, with the limit `count`.
    """
    w = c.writer
    entry, rounds = w.block, w.label("rounds")
    w.jump(rounds)
    w.start(rounds)
    spot = w.place()
    first = w.phi(spot, "i64", 1, (integer(0), entry))
    limit = w.phi(spot, "i64", 1, (head, entry))
    after_part = _part(c, body, space, width, first.operand, limit.operand)
    finished = w.apply("icmp sge {T} {0}, {1}", after_part, space.count, result="i1")
    whole = w.label("whole")
    w.branch(finished, after, whole)
    w.start(whole)
    at, factor = after_part, _unroll_factor(body)
    factors = (factor,) if c.target.has_masks or factor == 1 else (factor, 1)
    for copies in factors:
        at = _whole(c, body, space, width, at, copies)
    first.close(at, w.block)
    limit.close(space.count, w.block)
    w.jump(rounds)


def _unroll_factor(body: Block) -> int:
    size = sum(instruction.op.name != "yield" for instruction in walk(body))
    if any(instruction.op.name in _CONTROL for instruction in walk(body)) or size > _MEDIUM_BODY:
        return 1
    return 4 if size <= _SHORT_BODY else 2


def _part(
    c: Context, body: Block, space: Iterations, width: int, first: Operand, limit: Operand
) -> Operand:
    """Iterations first .. limit-1 by masked vectors, or one by one; returns the next iteration."""
    w, masks = c.writer, c.target.has_masks

    def step(k: Operand) -> tuple[Operand, ...]:
        mask = active_lanes(c, w.sub(limit, k), width) if masks else None
        with c.lanes(width if masks else 1, mask):
            return c.run(body, space.index(c, k))

    counted(w, first, limit, integer(width if masks else 1), step, partial=True)
    return w.apply("call {T} @llvm.smax.{S}({T} {0}, {T} {1})", first, limit)


def active_lanes(c: Context, remaining: Operand, width: int) -> Operand:
    """Lanes below a positive count, which may exceed the width."""
    w = c.writer
    kind = f"i{max(8, min(32, c.target.vector_bits // width))}"
    few = w.apply("call {T} @llvm.umin.{S}({T} {0}, {T} {1})", remaining, integer(width))
    bound = w.apply("trunc {T} {0} to {R}", few, result=kind)
    return w.apply("icmp ult {T} {0}, {1}", w.iota(width, kind), bound, result="i1")


def _whole(c: Context, body: Block, space: Iterations, width: int, first: Operand, copies: int) -> Operand:
    """Whole vectors from iteration `first` while `copies` of them fit; returns the next iteration."""
    w = c.writer

    def step(k: Operand) -> tuple[Operand, ...]:
        for copy in range(copies):
            with c.lanes(width, None):
                c.run(body, space.index(c, w.add(k, integer(copy * width))))
        return ()

    stride = width * copies
    limit = w.sub(space.count, integer(stride - 1))
    return counted(w, first, limit, integer(stride), step, partial=True)[0]


# Alignment -------------------------------------------------------------------------------------------
def _peel(c: Context, body: Block, space: Iterations, width: int) -> Operand:
    """Iterations before the first streaming store is aligned to a vector, where it will stream."""
    found = _first_streaming_store(body)
    if found is None:
        return integer(0)
    buffer, position, *_, stream = found.operands
    flag = c.values.get(stream)
    base = _at_first_iteration(c, body, position, space.lower)
    if not isinstance(buffer, Buffer) or not isinstance(flag, Operand) or flag.width != 1 or base is None:
        return integer(0)
    w, nbytes = c.writer, buffer.dtype.itemsize
    address = c.element(c.memory[buffer].address, memory_type(buffer.dtype), base)
    bits = w.apply("ptrtoint {T} {0} to {R}", address, result="i64")
    vector_bytes = min(width * nbytes, c.target.vector_bits // 8)
    missing = w.apply("and {T} {0}, {1}", w.sub(integer(0), bits), integer(vector_bytes - 1))
    elements = w.apply("lshr {T} {0}, {1}", missing, integer(nbytes.bit_length() - 1))
    head = w.apply("call {T} @llvm.smin.{S}({T} {0}, {T} {1})", elements, space.count)
    return w.select(flag, head, integer(0))


def _first_streaming_store(body: Block) -> Instruction | None:
    for instruction in body.instructions:
        if instruction.op.name == "store" and instruction.attributes.get("stream"):
            return instruction
    return None


def _at_first_iteration(c: Context, body: Block, position: Value, lower: Operand) -> Operand | None:
    """A position of the body where its index is `lower`, if it follows from index arithmetic alone."""
    made = {instruction.results[0]: instruction for instruction in body.instructions if instruction.results}
    kept = dict(c.values)
    c.values[body.parameters[0]] = lower

    def write(value: Value) -> bool:
        if value in c.values and value not in made:
            return True
        instruction = made.get(value)
        if instruction is None or instruction.op.name not in ("add", "sub", "mul", "neg", "constant"):
            return False
        if not all(write(operand) for operand in instruction.operands):
            return False
        c.handlers[instruction.op.name](c, instruction)
        return True

    result = c.operand(position) if write(position) else None
    c.values.clear()
    c.values.update(kept)
    return result
