"""Lanes loops that reduce: the same 32 accumulators at every vector width, combined by halves at the end."""

from __future__ import annotations

from collections.abc import Sequence

from ..kernel.nodes import REDUCTION_LANES, Block, Instruction
from .context import Context
from .lanes import (
    SCATTERED_LANES,
    Iterations,
    active_lanes,
    instruction_count,
    iterations,
    lane_count,
    masks_pay,
    scattered_accesses,
    trip_count,
)
from .loops import counted
from .spelling import held_as
from .varying import Variance
from .writer import Operand, integer

_LONG_TERM = 64
"""Instructions from which a term is written once, where masks pay: what waits for the accumulators in memory
is then hidden."""
_REGISTER_LIMIT = 64
"""Instructions of one round of all accumulators, up to which they live in registers."""


def reduce_lanes(c: Context, instruction: Instruction) -> None:
    if c.in_lanes:
        _reduce_in_lane(c, instruction)
        return
    w = c.writer
    term, combine = instruction.blocks
    space = iterations(c, instruction)
    initial = [c.uniform(value, "an initial accumulator") for value in instruction.operands[3:]]
    scattered = scattered_accesses(c, term)
    width = lane_count(c, term, SCATTERED_LANES if scattered else REDUCTION_LANES)
    parts = REDUCTION_LANES // width
    arrays = [_array(c, value.type, 1) for value in initial]
    start = [w.splat(value, width) for value in initial]
    masks = masks_pay(c, term)
    once = masks and instruction_count(c, term) > _LONG_TERM
    # A scattered access is written once for each lane.
    each = instruction_count(c, term) + scattered * (width - 1) + instruction_count(c, combine)
    in_registers = not once and parts * each <= _REGISTER_LIMIT
    if in_registers:
        first, sums = _whole_rounds(c, term, combine, space, width, start)
    else:
        first, sums = integer(0), [start] * parts
    for part, values in enumerate(sums):
        for array, value in zip(arrays, values, strict=True):
            c.put(array, integer(part * width), value, aligned=True)
    if not in_registers and not once:
        first = _through_memory(c, term, combine, space, width, arrays, first, rest=False)
    rest_width = width if once or (masks and not scattered) else 1
    _through_memory(c, term, combine, space, rest_width, arrays, first, rest=True)
    parts_left = [
        [
            c.get(array, integer(part * width), value.type, width, aligned=True)
            for array, value in zip(arrays, initial, strict=True)
        ]
        for part in range(parts)
    ]
    c.define(instruction, *_combine_halves(c, combine, parts_left, width))


def _combine(
    c: Context, combine: Block, left: Sequence[Operand], right: Sequence[Operand], width: int
) -> list[Operand]:
    yielded = c.run(combine, *left, *right)
    return [c.writer.splat(value, width) for value in yielded]


def _whole_rounds(
    c: Context, term: Block, combine: Block, space: Iterations, width: int, start: list[Operand]
) -> tuple[Operand, list[list[Operand]]]:
    """All accumulators in registers, 32 iterations a round; returns the next iteration and the sums."""
    w = c.writer
    parts, each = REDUCTION_LANES // width, len(start)

    def round_of_all(k: Operand, *sums: Operand) -> list[Operand]:
        following: list[Operand] = []
        with c.lanes(width, None):
            for part in range(parts):
                at = space.index(c, w.add(k, integer(part * width)))
                terms = [w.splat(value, width) for value in c.run(term, at)]
                following += _combine(c, combine, sums[part * each : (part + 1) * each], terms, width)
        return following

    limit = w.sub(space.count, integer(REDUCTION_LANES - 1))
    after, sums = counted(w, integer(0), limit, integer(REDUCTION_LANES), round_of_all, start * parts)
    return after, [sums[part * each : (part + 1) * each] for part in range(parts)]


def _through_memory(
    c: Context,
    term: Block,
    combine: Block,
    space: Iterations,
    width: int,
    arrays: list[Operand],
    first: Operand,
    rest: bool,
) -> Operand:
    """Accumulators in memory, one vector a step: whole ones, or what is left (masked, or one by one)."""
    w = c.writer
    limit = space.count if rest else w.sub(space.count, integer(width - 1))

    def step(k: Operand) -> tuple[Operand, ...]:
        slot = w.apply("and {T} {0}, {1}", k, integer(REDUCTION_LANES - 1))
        mask = whole = few = None
        if rest and width > 1:
            mask, whole, few = active_lanes(c, w.sub(limit, k), width)
        with c.lanes(width, mask, whole, few):
            terms = [w.splat(value, width) for value in c.run(term, space.index(c, k))]
            old = [
                c.get(array, slot, value.type, width, aligned=True)
                for array, value in zip(arrays, terms, strict=True)
            ]
            new = _combine(c, combine, old, terms, width)
        for array, kept, value in zip(arrays, old, new, strict=True):
            c.put(array, slot, value if mask is None else w.select(mask, value, kept), aligned=True)
        return ()

    return counted(w, first, limit, integer(width), step)[0]


def _combine_halves(c: Context, combine: Block, sums: list[list[Operand]], width: int) -> list[Operand]:
    """Accumulator j with j + half, for half = 16, 8, 4, 2, 1."""
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
    """A reduction inside a lanes loop: every lane runs its own, in order, with its accumulators in memory;
    where nothing varies, one serves all lanes."""
    w = c.writer
    width = c.width if any(Variance(c).results(instruction)) else 1
    term, combine = instruction.blocks
    lower, upper, step = (c.operand(value) for value in instruction.operands[:3])
    initial = [w.splat(c.operand(value), width) for value in instruction.operands[3:]]
    arrays = [_array(c, value.type, width) for value in initial]
    count = trip_count(c, lower, upper, step)

    def row(at: Operand) -> list[Operand]:
        start = w.mul(at, integer(width))
        return [
            c.get(array, start, value.type, width, aligned=True)
            for array, value in zip(arrays, initial, strict=True)
        ]

    def put_row(at: Operand, values: Sequence[Operand]) -> tuple[Operand, ...]:
        for array, value in zip(arrays, values, strict=True):
            c.put(array, w.mul(at, integer(width)), value, aligned=True)
        return ()

    def iteration(k: Operand) -> tuple[Operand, ...]:
        slot = w.apply("and {T} {0}, {1}", k, integer(REDUCTION_LANES - 1))
        index = w.apply("add {T} {0}, {1}", lower, w.apply("mul {T} {0}, {1}", k, step))
        runs = w.apply("icmp slt {T} {0}, {1}", k, count, result="i1") if count.width > 1 else None
        with c.masked(c.mask if runs is None else c.narrowed(runs)):
            terms = [w.splat(value, width) for value in c.run(term, index)]
            old = row(slot)
            new = _combine(c, combine, old, terms, width)
        if runs is not None:
            new = [w.select(runs, value, kept) for value, kept in zip(new, old, strict=True)]
        return put_row(slot, new)

    def level(number: Operand) -> tuple[Operand, ...]:
        half = w.apply("lshr {T} {0}, {1}", integer(REDUCTION_LANES // 2), number)
        counted(
            w,
            integer(0),
            half,
            integer(1),
            lambda j: put_row(j, _combine(c, combine, row(j), row(w.add(j, half)), width)),
        )
        return ()

    counted(w, integer(0), integer(REDUCTION_LANES), integer(1), lambda j: put_row(j, initial))
    counted(w, integer(0), _largest(c, count), integer(1), iteration)
    counted(w, integer(0), integer(REDUCTION_LANES.bit_length() - 1), integer(1), level)
    c.define(instruction, *row(integer(0)))


def _largest(c: Context, count: Operand) -> Operand:
    """The largest trip count of an active lane."""
    if count.width == 1:
        return count
    w = c.writer
    wanted = w.select(c.active(), count, integer(0))
    text = f"call i64 @llvm.vector.reduce.smax.v{wanted.width}i64({wanted.spelled})"
    return w.pure(text, "i64", 1, (wanted,))


# Accumulators in memory --------------------------------------------------------------------------------
def _array(c: Context, type_: str, rows: int) -> Operand:
    return c.stack(held_as(type_), REDUCTION_LANES * rows)
