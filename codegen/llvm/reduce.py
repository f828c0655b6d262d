"""Lanes loops that reduce: the same 32 accumulators at every vector width, combined by halves at the end."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..kernel.nodes import REDUCTION_LANES, Block, Instruction
from .context import Context
from .lanes import (
    LONG_BODY,
    SCATTERED_LANES,
    instruction_count,
    iterations,
    iterations_from,
    lane_count,
    masks_pay,
    scattered_accesses,
    trip_count,
)
from .loops import counted, guarded
from .partial_vectors import first_lanes, first_reads, some_lanes
from .spelling import stored_type
from .varying import Variance
from .writer import Operand, integer

_LONG_TERM = 64
"""The instructions from which a term is written once, where masks pay: the latency of accumulators in memory
is then hidden."""
_SHORT_TERM = 8
"""The instructions up to which a term is written for all accumulators at once: rotating halves costs register
moves, which nothing else would hide."""
_REGISTER_LIMIT = 64
"""The instructions of one step, each for a register, up to which accumulators live in registers."""


Step = Callable[[Operand, Sequence[Operand], int], list[Operand]]


def reduce_lanes(c: Context, instruction: Instruction) -> None:
    if c.in_lanes:
        _reduce_in_lane(c, instruction)
        return
    c.define(instruction, *_Reduction(c, instruction).result())


class _Reduction:
    """A reduction outside of lanes. Where masks cost nothing and results combine by one operation, its
    accumulators are in registers: each step adds to all of them or, where terms are longer, to one half, and
    then the halves are rotated. Else they are in memory in the end."""

    def __init__(self, c: Context, instruction: Instruction) -> None:
        self.c = c
        self.term, self.combine = instruction.blocks
        self.initial = [c.uniform(value, "an initial accumulator") for value in instruction.operands[3:]]
        scattered = scattered_accesses(c, self.term)
        width = lane_count(c, self.term, SCATTERED_LANES if scattered else REDUCTION_LANES)
        count, masks = instruction_count(c, self.term), masks_pay(c, self.term)
        # A scattered access is written once for each lane.
        each = count + scattered * (width - 1) + instruction_count(c, self.combine)
        self.width = width
        """Lanes of a vector, which may take several registers."""
        lanes = REDUCTION_LANES if count <= _SHORT_TERM else max(width, REDUCTION_LANES // 2)
        simple = c.target.has_masks and not scattered and instruction_count(c, self.combine) == 1
        self.in_registers = simple and lanes // width * each <= _REGISTER_LIMIT
        self.begin = integer(0)
        """The number of the first iteration."""
        if self.in_registers:
            self.width = lanes
            self.begin, self.space = iterations_from(c, instruction)
        else:
            self.space = iterations(c, instruction)
        least = _LONG_TERM if scattered else LONG_BODY
        self.reads = first_reads(self.term) if c.target.has_masks and count > least else None
        self.once = self.reads is not None or (masks and count > _LONG_TERM)
        """Whether the term is written once, for whole and partial vectors."""
        self.in_rounds = not self.once and REDUCTION_LANES // width * each <= _REGISTER_LIMIT
        self.rest_width = self.width if self.once or (masks and not scattered) else 1

    def result(self) -> list[Operand]:
        sums = self._in_turns() if self.in_registers else self._in_memory()
        return _combine_halves(self.c, self.combine, sums, self.width)

    # Accumulators in registers -----------------------------------------------------------------------
    def _in_turns(self) -> list[list[Operand]]:
        w, width, count, each = self.c.writer, self.width, self.space.count, len(self.initial)
        start, vectors = [w.splat(value, width) for value in self.initial], REDUCTION_LANES // width

        def turn(step: Step, k: Operand, before: Sequence[Operand]) -> list[Operand]:
            return [*before[each:], *step(k, before[:each], width)]

        def last() -> list[Operand]:
            return turn(self._last_step, first, sums)

        limit = count if self.once else w.sub(count, integer(width - 1))
        taken = self._any_step if self.once else self._whole_step
        first, sums = counted(
            w, self.begin, limit, integer(width), lambda k, *before: turn(taken, k, before), start * vectors
        )
        if not self.once:
            sums = guarded(w, w.compare("icmp slt", first, count), last, sums, hoists=True)
        if vectors == 1:
            return [sums]
        halves = [sums[:each], sums[each:]]
        if _is_symmetric(self.combine):
            return halves
        most = w.add(w.sub(count, self.begin), integer(width - 1))
        steps = w.binary("lshr", most, integer(width.bit_length() - 1))
        odd = w.convert("trunc", steps, "i1")
        pairs = list(zip(*halves, strict=True))
        return [[w.select(odd, y, x) for x, y in pairs], [w.select(odd, x, y) for x, y in pairs]]

    # Accumulators in memory --------------------------------------------------------------------------
    def _in_memory(self) -> list[list[Operand]]:
        w, parts = self.c.writer, REDUCTION_LANES // self.width
        first, sums = integer(0), [[w.splat(value, self.width) for value in self.initial]] * parts
        if self.in_rounds:
            first, sums = self._rounds(sums)
        arrays = [self.c.stack(stored_type(value.type), REDUCTION_LANES) for value in self.initial]
        for part, values in enumerate(sums):
            for array, value in zip(arrays, values, strict=True):
                self.c.put(array, integer(part * self.width), value, aligned=True)
        if not (self.in_rounds or self.once):
            first = self._through_memory(arrays, first, self.width, False)
        self._through_memory(arrays, first, self.rest_width, True)
        return [self._held(arrays, integer(part * self.width), self.width) for part in range(parts)]

    def _rounds(self, start: list[list[Operand]]) -> tuple[Operand, list[list[Operand]]]:
        """Keeps all accumulators in registers, 32 iterations a round; returns the next iteration and the
        sums."""
        w, each = self.c.writer, len(self.initial)

        def round_of_all(k: Operand, *carried: Operand) -> list[Operand]:
            following: list[Operand] = []
            for part in range(len(start)):
                old = carried[part * each : (part + 1) * each]
                at = w.add(k, integer(part * self.width))
                following += self._whole_step(at, old, self.width)
            return following

        limit = w.sub(self.space.count, integer(REDUCTION_LANES - 1))
        flat = [value for values in start for value in values]
        after, sums = counted(w, integer(0), limit, integer(REDUCTION_LANES), round_of_all, flat)
        return after, [sums[at : at + each] for at in range(0, len(sums), each)]

    def _through_memory(self, arrays: list[Operand], first: Operand, width: int, last: bool) -> Operand:
        """Writes steps of one vector: whole ones, or the rest (masked, or one by one)."""
        c, w = self.c, self.c.writer
        limit = self.space.count if last else w.sub(self.space.count, integer(width - 1))
        taken = self._any_step if last else self._whole_step

        def step(k: Operand) -> tuple[Operand, ...]:
            slot = w.binary("and", k, integer(REDUCTION_LANES - 1))
            new = taken(k, self._held(arrays, slot, width), width)
            for array, value in zip(arrays, new, strict=True):
                c.put(array, slot, value, aligned=True)
            return ()

        return counted(w, first, limit, integer(width), step)[0]

    def _held(self, arrays: Sequence[Operand], place: Operand, width: int) -> list[Operand]:
        return [
            self.c.get(array, place, value.type, width, aligned=True)
            for array, value in zip(arrays, self.initial, strict=True)
        ]

    # Steps -------------------------------------------------------------------------------------------
    def _whole_step(self, k: Operand, accumulators: Sequence[Operand], width: int) -> list[Operand]:
        """Adds the terms of a whole vector from iteration k on."""
        return self._step(self.term, k, accumulators, width)

    def _any_step(self, k: Operand, accumulators: Sequence[Operand], width: int) -> list[Operand]:
        """Adds the terms of a vector that may lack iterations, for which accumulators stay unchanged."""
        if width == 1:
            return self._whole_step(k, accumulators, width)
        c, space = self.c, self.space
        term, lanes = some_lanes(
            c, self.term, self.reads, lambda: space.index(c, k), c.writer.sub(space.count, k), width
        )
        return self._step(term, k, accumulators, width, *lanes)

    def _last_step(self, k: Operand, accumulators: Sequence[Operand], width: int) -> list[Operand]:
        """Adds the terms of a vector that certainly lacks iterations."""
        few = self.c.writer.sub(self.space.count, k)
        return self._step(self.term, k, accumulators, width, first_lanes(self.c, few, width), None, few)

    def _step(
        self,
        term: Block,
        k: Operand,
        accumulators: Sequence[Operand],
        width: int,
        mask: Operand | None = None,
        whole: Operand | None = None,
        few: Operand | None = None,
    ) -> list[Operand]:
        c, w = self.c, self.c.writer
        with c.lanes(width, mask, whole, few):
            terms = [w.splat(value, width) for value in c.run(term, self.space.index(c, k))]
            new = _combine(c, self.combine, accumulators, terms, width)
        return (
            new if mask is None else [w.select(mask, *pair) for pair in zip(new, accumulators, strict=True)]
        )


def _is_symmetric(combine: Block) -> bool:
    """Whether the combination is commutative."""
    names = [instruction.op.name for instruction in combine.instructions]
    return len(names) == 2 and names[0] in ("add", "mul", "and", "or", "xor")


def _combine(
    c: Context, combine: Block, left: Sequence[Operand], right: Sequence[Operand], width: int
) -> list[Operand]:
    yielded = c.run(combine, *left, *right)
    return [c.writer.splat(value, width) for value in yielded]


def _combine_halves(c: Context, combine: Block, sums: list[list[Operand]], width: int) -> list[Operand]:
    """Combines accumulator j with j + half, for half = 16, 8, 4, 2, 1."""
    w = c.writer
    with c.lanes(width, None):
        while len(sums) > 1:
            half = len(sums) // 2
            sums = [_combine(c, combine, sums[j], sums[j + half], width) for j in range(half)]
    (last,) = sums
    while width > 1:
        width //= 2
        low = [w.shuffle(value, range(width)) for value in last]
        high = [w.shuffle(value, range(width, 2 * width)) for value in last]
        with c.lanes(width, None):
            last = _combine(c, combine, low, high, width)
    return last


# One reduction in each lane ----------------------------------------------------------------------------
def _reduce_in_lane(c: Context, instruction: Instruction) -> None:
    """Writes a reduction inside a lanes loop: every lane runs its own; a uniform one is shared. Each
    accumulator takes all of its terms in a register, one accumulator after another. They are ordered as
    halves combine (0 and 16, 8 and 24, then these results, ...), so few are live at a time."""
    w = c.writer
    width = c.width if any(Variance(c).results(instruction)) else 1
    term, combine = instruction.blocks
    lower, upper, step = (c.operand(value) for value in instruction.operands[:3])
    initial = [w.splat(c.operand(value), width) for value in instruction.operands[3:]]
    levels = REDUCTION_LANES.bit_length()
    waiting = [c.stack(stored_type(value.type), levels * width) for value in initial]
    count = trip_count(c, lower, upper, step)
    limit, lanes = _largest(c, count), integer(REDUCTION_LANES)

    def row(at: Operand) -> list[Operand]:
        start = w.mul(at, integer(width))
        return [
            c.get(array, start, value.type, width, aligned=True)
            for array, value in zip(waiting, initial, strict=True)
        ]

    def iteration(k: Operand, *old: Operand) -> list[Operand]:
        index = w.binary("add", lower, w.binary("mul", k, step))
        runs = w.compare("icmp slt", k, count) if count.width > 1 else None
        with c.masked(c.mask if runs is None else c.narrowed(runs)):
            terms = [w.splat(value, width) for value in c.run(term, index)]
            new = _combine(c, combine, old, terms, width)
        if runs is not None:
            new = [w.select(runs, value, kept) for value, kept in zip(new, old, strict=True)]
        return new

    def joined(level: Operand, *right: Operand) -> list[Operand]:
        return _combine(c, combine, row(level), right, width)

    def accumulator(number: Operand, first: Operand) -> list[Operand]:
        """`first`: the accumulator's number, the digits of `number` in reverse."""
        sums = counted(w, first, limit, lanes, iteration, initial)[1]
        following = w.add(number, integer(1))
        met = w.apply("call {T} @llvm.cttz.{S}({T} {0}, i1 true)", following)
        sums = counted(w, integer(0), met, integer(1), joined, sums)[1]
        for array, value in zip(waiting, sums, strict=True):
            c.put(array, w.mul(met, integer(width)), value, aligned=True)
        digits = w.binary("lshr", integer((REDUCTION_LANES - 1) * REDUCTION_LANES // 2), met)
        digits = w.binary("and", digits, integer(REDUCTION_LANES - 1))
        return [w.binary("xor", first, digits)]

    counted(w, integer(0), lanes, integer(1), accumulator, [integer(0)])
    c.define(instruction, *row(integer(levels - 1)))


def _largest(c: Context, count: Operand) -> Operand:
    """Returns the largest trip count of an active lane."""
    if count.width == 1:
        return count
    w = c.writer
    wanted = w.select(c.active(), count, integer(0))
    text = f"call i64 @llvm.vector.reduce.smax.v{wanted.width}i64({wanted.spelled})"
    return w.pure(text, "i64", 1, (wanted,))
