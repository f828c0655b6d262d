"""Lanes loops over independent iterations: a vector body, and one more body for partial vectors."""

from __future__ import annotations

from ...ir.record import record
from ...ir.types import DType
from ..kernel.nodes import Block, Buffer, Instruction, Value, walk
from .context import Affine, Context
from .lookups import lookup_index
from .loops import counted, guarded
from .masked_branches import serial
from .partial_vectors import first_lanes, first_reads, some_lanes
from .streaming import iterations_before_aligned, streaming_store
from .writer import Operand, integer

MOST_LANES, SCATTERED_LANES = 64, 16
"""The most lanes; fewer with accesses that are written lane by lane."""
LONG_BODY, _VERY_LONG_BODY = 24, 512
"""The instructions from which a body is written once where masks pay, since copies cost compile time: if its
reads can be written twice (a branch that takes up to a tenth of the time of shorter bodies), and if they
cannot (masks in the main loop take up to 0.6 of its time). Unrolling never pays: processors overlap
iterations."""
_PAIRED_BODY = 100, 256
"""The range of instructions in which a body is written for two registers of each value, as processors overlap
no more than parts of its iterations. Takes 0.87 to 0.95 of the time of single registers; of shorter bodies up
to as much."""


_FEW_LANES = (4, 8, 16, 32)
"""Known numbers of iterations that are one vector each: in several registers where the body is no loop, in
part of one where they are fewer."""


def lane_count(c: Context, block: Block, most: int = MOST_LANES) -> int:
    """Returns the lanes of a block: as many as fit a register with the widest element used."""
    dtypes = {
        value.dtype.name: value.dtype
        for instruction in c.walk(block)
        for value in instruction.operands
        if value.dtype.kind not in ("bool", "index") or isinstance(value, Buffer)
    }
    widest = max(map(_lane_bits, dtypes.values()), default=0)
    return max(2, min(most, c.target.lanes(widest or 64)))


def _lane_bits(dtype: DType) -> int:
    """The bits that count: 16-bit floats are computed with in f32; bools and positions have no size except in
    memory."""
    if dtype.kind in ("bool", "index"):
        return 8
    return 32 if dtype.is_float and dtype.bits == 16 else dtype.bits


def trip_count(c: Context, lower: Operand, upper: Operand, step: Operand) -> Operand:
    """Returns the iterations of a loop with a positive step; not positive where there are none."""
    w = c.writer
    span = w.sub(upper, lower)
    if step.literal == 1:
        return span
    rounded = w.add(span, w.sub(step, integer(1)))
    return w.binary("sdiv", rounded, step)


class Iterations(metaclass=record):
    """A lanes loop's iteration space: number k, below `count`, has the index lower + k * step."""

    lower: Operand
    step: Operand
    count: Operand

    def index(self, c: Context, k: Operand) -> Operand | Affine:
        """Returns the index of iterations k, k + 1, ... in lanes."""
        base = c.writer.add(self.lower, c.writer.mul(k, self.step))
        return Affine(base, self.step) if c.width > 1 else base


def iterations(c: Context, instruction: Instruction) -> Iterations:
    lower, upper, step = _bounds(c, instruction)
    return Iterations(lower, step, trip_count(c, lower, upper, step))


def iterations_from(c: Context, instruction: Instruction) -> tuple[Operand, Iterations]:
    """Returns the iteration space numbered from a given number: indices with step 1 are numbers
    themselves."""
    lower, upper, step = _bounds(c, instruction)
    if step.literal == 1:
        return lower, Iterations(integer(0), step, upper)
    return integer(0), iterations(c, instruction)


def _bounds(c: Context, instruction: Instruction) -> tuple[Operand, ...]:
    return tuple(c.uniform(value, "a bound of a lanes loop") for value in instruction.operands[:3])


def scattered_accesses(c: Context, body: Block) -> int:
    """Counts the accesses that are neither uniform nor contiguous in the loop's order or its reverse."""
    steps: dict[Value, int] = {body.parameters[0]: 1}
    varying: set[Value] = set()
    found = 0

    def step(value: Value) -> int:
        """Returns the step of a position between iterations; 2 stands for any other."""
        return steps.get(value, 0)

    def is_minus_one(value: Value) -> bool:
        known = c.values.get(value)
        return isinstance(known, Operand) and known.literal == -1

    for instruction in c.walk(body):
        operands = [step(value) for value in instruction.operands]
        name, alike = instruction.op.name, varying.isdisjoint(instruction.operands)
        moves = 2 if any(operands) or not alike else 0
        if name in ("add", "sub") and 2 not in operands and alike:
            moves = sum(operands) if name == "add" else operands[0] - operands[1]
        elif name == "mul" and moves and 2 not in operands and any(map(is_minus_one, instruction.operands)):
            moves = -sum(operands)
        scattered = name in ("load", "store", "atomic") and operands[1] not in (-1, 0, 1)
        found += scattered and lookup_index(instruction) is None
        for block in instruction.blocks:
            varying.update(value for value in block.parameters if value.dtype.kind != "index")
        for value in instruction.results:
            if value.dtype.kind == "index":
                steps[value] = moves
            elif moves or instruction.blocks or isinstance(value, Buffer):
                varying.add(value)
    return found


def map_lanes(c: Context, instruction: Instruction) -> None:
    """Writes a lanes loop without reduction. Inside another one it is serial."""
    if c.in_lanes:
        serial(c, instruction)
        return
    w, body = c.writer, instruction.blocks[0]
    space = iterations(c, instruction)
    scattered = scattered_accesses(c, body) > 0
    width = lane_count(c, body, SCATTERED_LANES if scattered else MOST_LANES)
    short, known = "short" in instruction.attributes, space.count.literal
    if (known is None or known > width) and _runs_in_pairs(c, body, scattered, known, width):
        width = min(2 * width, MOST_LANES)
    elif known in _FEW_LANES and not scattered:
        width = min(width, known) if any(each.blocks for each in c.walk(body)) else known
    masks = masks_pay(c, body)
    enter, after = w.label("lanes"), w.label("after")
    w.branch(w.compare("icmp sgt", space.count, integer(0)), enter, after)
    w.start(enter)
    if known is not None and known % width == 0 and streaming_store(c, body) is None:
        w.enter_loop(w.place())
        _whole(c, body, space, width, integer(0))
        w.jump(after)
        w.leave()
        w.start(after)
        return
    shared = len(w.scopes[-1].made)
    head = None if short else iterations_before_aligned(c, body, space.lower, space.count, width)
    w.enter_loop(w.place())
    reads = first_reads(body) if c.target.has_masks else None
    least = _VERY_LONG_BODY if scattered or reads is None else LONG_BODY
    if masks and instruction_count(c, body) > least:
        _all_parts(c, body, space, width, head, reads)
        w.jump(after)
    elif short and c.target.has_masks:
        _all_parts(c, body, space, width, None, None)
        w.jump(after)
    elif short and not masks:
        _part(c, body, space, width, False, integer(0), space.count)
        w.jump(after)
    elif head is not None:
        _rounds(c, body, space, width, masks and not scattered, head, after)
    else:
        whole = _whole(c, body, space, width, integer(0))
        _part(c, body, space, width, masks and not scattered, whole, space.count)
        w.jump(after)
    w.leave()
    w.forget_since(shared)
    w.start(after)


def _runs_in_pairs(c: Context, body: Block, scattered: bool, known: int | None, width: int) -> bool:
    """Whether two registers for each value pay: for a long formula, or for loops with one trip count for
    every lane, whose loads are then shared. Other loops would run as often as the slowest of more lanes.
    Where registers are few, a loop's sums must fit."""
    least, most = _PAIRED_BODY
    if any(c.called(each) is not None for each in walk(body, rare=False)):
        least = 0  # functions are called where inlined copies would be a long formula
    count = instruction_count(c, body)
    if count > most:
        return False
    if any(each.op.name in ("for", "while") for each in c.walk(body)):
        whole = known is not None and known % (2 * width) == 0
        fits = c.target.has_spare_registers or _sums_fit(c, body, whole)
        return fits and _loops_are_alike(c, body)
    return c.target.has_spare_registers and count >= least and not scattered


def _sums_fit(c: Context, body: Block, whole: bool) -> bool:
    """Whether there are several sums in a loop, and two registers for each of them, two for what is added and
    one for what it is multiplied with. Unless the iterations of the lanes loop are `whole` pairs, no other
    sum may fit: a schedule chose as many, while columns of small matrices, as an example, fill no pair."""
    most = 0
    for each in c.walk(body):
        if each.op.name == "for":
            most = max(most, sum(value.dtype.kind != "index" for value in each.results))
    free = c.target.vector_registers - (2 * most + 3)
    return most > 1 and (free >= 0 if whole else 0 <= free < 2)


def _loops_are_alike(c: Context, body: Block) -> bool:
    """Whether no loop of a lanes loop's body depends on the lane."""
    varying: set[Value] = set(body.parameters)
    for instruction in c.walk(body):
        name, operands = instruction.op.name, instruction.operands
        if name == "while" or (name == "for" and not varying.isdisjoint(operands[:3])):
            return False
        for number, block in enumerate(instruction.blocks):
            varying.update(block.parameters[name == "for" and number == 0 :])
        if instruction.blocks or name == "load" or not varying.isdisjoint(operands):
            varying.update(instruction.results)
    return True


def _all_parts(
    c: Context,
    body: Block,
    space: Iterations,
    width: int,
    head: Operand | None,
    reads: list[Instruction] | None,
) -> None:
    """Writes every iteration by vectors that may have a mask, with the body written once. The first vector
    has `head` iterations, so that the others are aligned; 0 stands for all of them. `reads` are written
    twice, so that whole vectors are read without a mask."""
    w, before, loop, done = c.writer, c.writer.block, c.writer.label("loop"), c.writer.label("done")
    first_limit = None
    if head is not None:
        aligned = w.compare("icmp eq", head, integer(0))
        first_limit = w.select(aligned, space.count, head)
    w.enter_loop(w.place())
    w.jump(loop)
    w.start(loop)
    spot = w.place()
    k = w.phi(spot, "i64", 1, (integer(0), before))
    limit = None if first_limit is None else w.phi(spot, "i64", 1, (first_limit, before))
    remaining = w.sub(space.count if limit is None else limit.operand, k.operand)
    rest, (mask, whole, few) = some_lanes(c, body, reads, lambda: space.index(c, k.operand), remaining, width)
    with c.lanes(width, mask, whole, few):
        c.run(rest, space.index(c, k.operand))
    forward = w.advance(k.operand, integer(width) if limit is None else few)
    again = w.compare("icmp slt", forward, space.count)
    k.close(forward, w.block)
    if limit is not None:
        limit.close(space.count, w.block)
    w.branch(again, loop, done)
    w.leave()
    w.start(done)


def _rounds(
    c: Context, body: Block, space: Iterations, width: int, masks: bool, head: Operand, after: str
) -> None:
    """Writes a loop over: part of a vector (up to the alignment, or the rest), then whole vectors.

    The part comes first, with the limit `head`; after whole vectors it comes again, with the limit `count`.
    """
    w = c.writer
    entry, rounds = w.block, w.label("rounds")
    w.jump(rounds)
    w.start(rounds)
    spot = w.place()
    first = w.phi(spot, "i64", 1, (integer(0), entry))
    limit = w.phi(spot, "i64", 1, (head, entry))
    _part(c, body, space, width, masks, first.operand, limit.operand)
    finished = w.compare("icmp sge", limit.operand, space.count)
    whole = w.label("whole")
    w.branch(finished, after, whole)
    w.start(whole)
    at = _whole(c, body, space, width, limit.operand)
    first.close(at, w.block)
    limit.close(space.count, w.block)
    w.jump(rounds)


def masks_pay(c: Context, body: Block) -> bool:
    """Whether every access of the body has a masked form."""
    if c.target.has_masks:
        return True
    buffers = (value for each in c.walk(body) for value in each.operands if isinstance(value, Buffer))
    return c.target.has_masked_words and all(buffer.dtype.bits >= 32 for buffer in buffers)


def instruction_count(c: Context, body: Block) -> int:
    """Counts the instructions that are written for a body."""
    return sum(each.op.name not in ("constant", "yield", "return") for each in c.walk(body))


def _part(
    c: Context, body: Block, space: Iterations, width: int, masks: bool, first: Operand, limit: Operand
) -> None:
    """Writes iterations first .. limit-1, fewer than a vector: by a masked one, or one by one."""
    w = c.writer
    if not masks:

        def step(k: Operand) -> tuple[Operand, ...]:
            with c.lanes(1, None):
                return c.run(body, space.index(c, k))

        counted(w, first, limit, integer(1), step, partial=True)
        return

    def last() -> tuple[Operand, ...]:
        few = w.sub(limit, first)
        with c.lanes(width, first_lanes(c, few, width), few=few):
            return c.run(body, space.index(c, first))

    guarded(w, w.compare("icmp slt", first, limit), last, (), hoists=True)


def _whole(c: Context, body: Block, space: Iterations, width: int, first: Operand) -> Operand:
    """Writes whole vectors from iteration `first` while one fits; returns the next iteration."""
    w = c.writer

    def step(k: Operand) -> tuple[Operand, ...]:
        with c.lanes(width, None):
            return c.run(body, space.index(c, k))

    limit = w.sub(space.count, integer(width - 1))
    return counted(w, first, limit, integer(width), step, partial=True)[0]
