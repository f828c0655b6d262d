"""Scan loops: the same prefixes at every vector width, 16 iterations at a time."""

from __future__ import annotations

from collections.abc import Sequence

from ..kernel.nodes import SCAN_LANES, Block, Instruction
from .context import Context
from .lanes import Iterations, iterations, lane_count
from .loops import counted, guarded
from .spelling import stored_type
from .target import UnsupportedKernel
from .writer import Operand, integer

_Parts = list[list[Operand]]
"""For each vector of the iterations that are taken together, its values."""


def scan_lanes(c: Context, instruction: Instruction) -> None:
    if c.in_lanes:
        raise UnsupportedKernel(f"{c.kernel.name}: a scan loop inside a lanes loop")
    term, combine, emit = instruction.blocks
    space = iterations(c, instruction)
    initial = [c.uniform(value, "what a scan starts from") for value in instruction.operands[3:]]
    written = [block for block in (term, combine, emit) if block.instructions]
    width = min(lane_count(c, block, SCAN_LANES) for block in written)
    first, carried = _whole(c, instruction, space, width, initial)
    c.define(instruction, *_rest(c, instruction, space, width, first, carried))


def _whole(
    c: Context, instruction: Instruction, space: Iterations, width: int, initial: list[Operand]
) -> tuple[Operand, list[Operand]]:
    """Scans all iterations but the last few; returns the next iteration and the carried values, in every
    lane."""
    w = c.writer
    term, combine, emit = instruction.blocks

    def together(k: Operand, *carried: Operand) -> list[Operand]:
        with c.lanes(width, None):
            at = [space.index(c, w.add(k, integer(start))) for start in range(0, SCAN_LANES, width)]
            terms = [[w.splat(value, width) for value in c.run(term, each)] for each in at]
            terms = _combined(c, combine, terms, width)
            prefixes = [_combine(c, combine, carried, own, width) for own in terms]
            for each, values in zip(at, prefixes, strict=True):
                c.run(emit, each, *values)
            # From the totals alone: the next iterations wait for one operation, not for shuffles.
            return _combine(c, combine, carried, [_last(c, value) for value in terms[-1]], width)

    limit = w.sub(space.count, integer(SCAN_LANES - 1))
    start = [w.splat(value, width) for value in initial]
    return counted(w, integer(0), limit, integer(SCAN_LANES), together, start)


def _rest(
    c: Context,
    instruction: Instruction,
    space: Iterations,
    width: int,
    first: Operand,
    carried: list[Operand],
) -> list[Operand]:
    """Scans the rest, terms and prefixes one by one; returns the carried values at the end."""
    w = c.writer
    term, combine, emit = instruction.blocks
    scalars = [w.shuffle(value, [0]) if value.width > 1 else value for value in carried]
    arrays = [c.stack(stored_type(value.type), SCAN_LANES) for value in carried]

    def keep(k: Operand) -> tuple[Operand, ...]:
        with c.lanes(1, None):
            values = c.run(term, space.index(c, k))
        for array, value in zip(arrays, values, strict=True):
            c.put(array, w.sub(k, first), value)
        return ()

    def tell(k: Operand) -> tuple[Operand, ...]:
        values = [
            c.get(array, w.sub(k, first), value.type, 1) for array, value in zip(arrays, carried, strict=True)
        ]
        with c.lanes(1, None):
            c.run(emit, space.index(c, k), *values)
        return ()

    def one_by_one() -> list[Operand]:
        for array, value in zip(arrays, carried, strict=True):
            for start in range(0, SCAN_LANES, width):
                # Later terms than the last one change no prefix before them.
                c.put(array, integer(start), Operand("zeroinitializer", value.type, width))
        counted(w, first, space.count, integer(1), keep, partial=True)
        terms = [
            [
                c.get(array, integer(start), value.type, width)
                for array, value in zip(arrays, carried, strict=True)
            ]
            for start in range(0, SCAN_LANES, width)
        ]
        with c.lanes(width, None):
            terms = _combined(c, combine, terms, width)
            prefixes = [_combine(c, combine, carried, own, width) for own in terms]
        for part, values in enumerate(prefixes):
            for array, value in zip(arrays, values, strict=True):
                c.put(array, integer(part * width), value)
        counted(w, first, space.count, integer(1), tell, partial=True)
        last = w.sub(w.sub(space.count, first), integer(1))
        return [c.get(array, last, value.type, 1) for array, value in zip(arrays, carried, strict=True)]

    return guarded(w, w.compare("icmp slt", first, space.count), one_by_one, scalars, "rest")


def _combined(c: Context, combine: Block, terms: _Parts, width: int) -> _Parts:
    """Combines each lane with those before it, by the definition in `nodes`."""
    w = c.writer
    distance = 1
    while distance < width:
        lanes = range(width)
        takes = ", ".join(f"i1 {str(bool(j & distance)).lower()}" for j in lanes)
        mask = Operand(f"<{takes}>", "i1", width)
        before = [(j & (-2 * distance)) + distance - 1 if j & distance else j for j in lanes]
        moved = [[w.shuffle(value, before) for value in own] for own in terms]
        made = [_combine(c, combine, left, own, width) for left, own in zip(moved, terms, strict=True)]
        terms = [
            [w.select(mask, new, old) for new, old in zip(after, own, strict=True)]
            for after, own in zip(made, terms, strict=True)
        ]
        distance *= 2
    while distance < SCAN_LANES:
        parts = distance // width
        last = [[_last(c, value) for value in own] for own in terms]
        terms = [
            _combine(c, combine, last[(part & (-2 * parts)) + parts - 1], own, width) if part & parts else own
            for part, own in enumerate(terms)
        ]
        distance *= 2
    return terms


def _last(c: Context, value: Operand) -> Operand:
    """Returns the last lane in every lane."""
    return c.writer.shuffle(value, [value.width - 1] * value.width)


def _combine(
    c: Context, combine: Block, left: Sequence[Operand], right: Sequence[Operand], width: int
) -> list[Operand]:
    return [c.writer.splat(value, width) for value in c.run(combine, *left, *right)]
