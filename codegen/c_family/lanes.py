"""Lanes loops on a workgroup: distributed among its lanes, or run by one, always with the same bits.

A kernel of one lane is run by a hardware workgroup of `threads` lanes: all execute code outside lanes loops
alike (lane 0 alone writes), and lane k % threads executes iteration k of a lanes loop.

A reduction has REDUCTION_LANES accumulators by definition, and accumulator j belongs to lane j. A workgroup
of that many lanes accumulates without communication; a larger one computes a round of terms into shared
memory, from where the accumulators' lanes take theirs in order. At the end the accumulators are combined by
halves, by definition: by shuffles where REDUCTION_LANES lanes certainly share a subgroup, else through shared
memory.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...ir.types import INDEX, DType
from ..kernel.nodes import REDUCTION_LANES, Block, Instruction
from .context import Context
from .rare import rare_branches, run_in_segments
from .subgroups import broadcast, shuffled
from .vectors import deal_vectors


def lanes_loop(c: Context, instruction: Instruction) -> None:
    reducing = len(instruction.blocks) == 2
    if not c.uniform:
        (_reduce_alone if reducing else _run_alone)(c, instruction)
        return
    c.order_accesses(*c.touched(instruction.blocks[0]))
    c.dealt = True
    (_reduce_dealt if reducing else _deal)(c, instruction)
    c.dealt = False


def _scaled(c: Context, count: str | int, step: str) -> str:
    """count * step, where either may be a literal."""
    text = c.index(count) if isinstance(count, int) else count
    return text if step == c.index(1) else f"{text} * {step}"


def _from(c: Context, lower: str, offset: str) -> str:
    return offset if lower == c.index(0) else f"{lower} + {offset}"


# By one lane -----------------------------------------------------------------------------------------
def _run_alone(c: Context, instruction: Instruction) -> None:
    lower, upper, step = [c.names[v] for v in instruction.operands]
    (body,) = instruction.blocks
    if c.threads == 1 and step == c.index(1) and (rare := rare_branches(body)):
        run_in_segments(c, body, rare, lower, upper)
        return
    counter = c.fresh("k")
    c.bind(body.parameters, [counter])
    with c.loop(counter, lower, upper, step):
        c.run(body)


def _reduce_alone(c: Context, instruction: Instruction) -> None:
    """Keeps all accumulators in private arrays, for as many terms at a time: a loop that compilers
    vectorize."""
    lower, upper, step, *initial = [c.names[v] for v in instruction.operands]
    body, combine = instruction.blocks
    d, dtypes = c.dialect, [v.dtype for v in instruction.results]
    arrays = [c.fresh("partial") for _ in dtypes]
    for array, dtype in zip(arrays, dtypes):
        c.line(d.array.format(type=c.memory_type(dtype), name=array, size=REDUCTION_LANES))
    lane, zero, one, lanes = c.fresh("k"), c.index(0), c.index(1), c.index(REDUCTION_LANES)
    with c.loop(lane, zero, lanes, one):
        for array, dtype, value in zip(arrays, dtypes, initial):
            c.line(f"{array}[{lane}] = {c.to_memory(dtype, value)};")
    base, at = c.fresh("k"), c.fresh("k")
    with c.loop(base, lower, upper, _scaled(c, REDUCTION_LANES, step)):
        left = f"{upper} - {base}" if step == one else f"({upper} - {base} + ({step} - {one})) / {step}"
        left = c.let(INDEX, left)
        with c.loop(at, zero, c.let(INDEX, c.select(f"({left} < {lanes})", left, lanes)), one):
            c.bind(body.parameters, [c.let(INDEX, f"{base} + {_scaled(c, at, step)}")])
            _put(c, combine, arrays, at, [f"{array}[{at}]" for array in arrays], c.run(body))
    half = REDUCTION_LANES // 2
    while half:
        left = c.fresh("k")
        with c.loop(left, zero, c.index(half), one):
            _combine_places(c, combine, arrays, left, f"{left} + {c.index(half)}")
        half //= 2
    results = [c.let(dtype, c.from_memory(dtype, f"{array}[{zero}]")) for array, dtype in zip(arrays, dtypes)]
    c.bind(instruction.results, results)


def _combine_places(c: Context, combine: Block, arrays: Sequence[str], left: str, right: str) -> None:
    dtypes = [v.dtype for v in combine.yielded]
    others = [c.from_memory(dtype, f"{array}[{right}]") for array, dtype in zip(arrays, dtypes)]
    others = [c.let(dtype, other) for dtype, other in zip(dtypes, others)]
    _put(c, combine, arrays, left, [f"{array}[{left}]" for array in arrays], others)


def _put(
    c: Context,
    combine: Block,
    arrays: Sequence[str],
    at: str,
    accumulated: Sequence[str],
    terms: Sequence[str],
) -> None:
    """Combines elements with terms, and stores the results there."""
    dtypes = [v.dtype for v in combine.yielded]
    own = [c.let(dtype, c.from_memory(dtype, place)) for dtype, place in zip(dtypes, accumulated)]
    for array, dtype, value in zip(arrays, dtypes, _combined(c, combine, own, terms)):
        c.line(f"{array}[{at}] = {c.to_memory(dtype, value)};")


def _combined(c: Context, combine: Block, left: Sequence[str], right: Sequence[str]) -> list[str]:
    c.bind(combine.parameters, [*left, *right])
    return c.run(combine)


# Distributed -----------------------------------------------------------------------------------------
def _deal(c: Context, instruction: Instruction) -> None:
    lower, upper, step = [c.names[v] for v in instruction.operands]
    (body,) = instruction.blocks

    def one_by_one(counter: str) -> None:
        c.bind(body.parameters, [counter])
        c.run(body)

    if deal_vectors(c, instruction, one_by_one):
        return
    counter = c.fresh("k")
    start = _from(c, lower, _scaled(c, c.lane, step))
    with c.loop(counter, start, upper, _scaled(c, c.threads, step)):
        one_by_one(counter)


def _reduce_dealt(c: Context, instruction: Instruction) -> None:
    """Accumulates, combines, and broadcasts the result."""
    if c.threads % REDUCTION_LANES:
        raise c.refuse(
            f"{c.threads} lanes for a reduction of {REDUCTION_LANES} accumulators",
            f"schedule it for 1 lane or a multiple of {REDUCTION_LANES}",
        )
    combine, dtypes = instruction.blocks[1], [v.dtype for v in instruction.results]
    sums = [c.variable(v.dtype, c.names[v]) for v in instruction.operands[3:]]
    (_accumulate if c.threads == REDUCTION_LANES else _accumulate_rounds)(c, instruction, sums)
    by_shuffles = c.dialect.subgroup_lanes >= REDUCTION_LANES
    results = (_shuffle_halves if by_shuffles else _pass_halves)(c, combine, dtypes, sums)
    c.bind(instruction.results, results)


def _pass_halves(c: Context, combine: Block, dtypes: Sequence[DType], sums: Sequence[str]) -> list[str]:
    """Combines by halves through shared memory."""
    partial = [c.scratch(dtype, f"partial{number}", REDUCTION_LANES) for number, dtype in enumerate(dtypes)]
    with c.block(f"if ({c.lane} < {c.index(REDUCTION_LANES)}) {{"):
        for array, dtype, value in zip(partial, dtypes, sums):
            c.line(f"{array}[{c.lane}] = {c.to_memory(dtype, value)};")
    half = c.variable(INDEX, c.index(REDUCTION_LANES // 2))
    with c.block(c.dialect.forever.format()):
        c.line(f"if ({half} == {c.index(0)}) {{ break; }}")
        c.line(c.dialect.shared_barrier)
        with c.block(f"if ({c.lane} < {half}) {{"):
            _combine_places(c, combine, partial, c.lane, f"{c.lane} + {half}")
        c.line(f"{half} = {half} / {c.index(2)};")
    return [c.uniform_load(dtype, f"{name}[{c.index(0)}]") for dtype, name in zip(dtypes, partial)]


def _shuffle_halves(c: Context, combine: Block, dtypes: Sequence[DType], sums: Sequence[str]) -> list[str]:
    """Combines by halves within a subgroup. All lanes take part; the results of those past the half are
    unused."""
    half = c.variable(INDEX, c.index(REDUCTION_LANES // 2))
    with c.block(c.dialect.forever.format()):
        c.line(f"if ({half} == {c.index(0)}) {{ break; }}")
        others = [shuffled(c, dtype, value, half) for dtype, value in zip(dtypes, sums)]
        c.assign(sums, _combined(c, combine, sums, others), dtypes)
        c.line(f"{half} = {half} / {c.index(2)};")
    if c.threads == REDUCTION_LANES and c.dialect.uniform_memory:
        return [broadcast(c, dtype, value) for dtype, value in zip(dtypes, sums)]
    places = [f"{c.scratch(dtype, f'told{n}', 1)}[{c.index(0)}]" for n, dtype in enumerate(dtypes)]
    with c.lane_zero():
        for place, dtype, value in zip(places, dtypes, sums):
            c.line(f"{place} = {c.to_memory(dtype, value)};")
    return [c.uniform_load(dtype, place) for dtype, place in zip(dtypes, places)]


def _accumulate(c: Context, instruction: Instruction, sums: Sequence[str]) -> None:
    lower, upper, step = [c.names[v] for v in instruction.operands[:3]]
    body, combine = instruction.blocks
    dtypes = [v.dtype for v in instruction.results]
    counter = c.fresh("k")
    c.bind(body.parameters, [counter])
    start = _from(c, lower, _scaled(c, c.lane, step))
    with c.loop(counter, start, upper, _scaled(c, c.threads, step)):
        terms = c.run(body)
        c.assign(sums, _combined(c, combine, sums, terms), dtypes)


def _accumulate_rounds(c: Context, instruction: Instruction, sums: Sequence[str]) -> None:
    """Accumulates by rounds of as many terms as there are lanes."""
    lower, upper, step = [c.names[v] for v in instruction.operands[:3]]
    body, combine = instruction.blocks
    dtypes = [v.dtype for v in instruction.results]
    arrays = [c.scratch(dtype, f"terms{number}", c.threads) for number, dtype in enumerate(dtypes)]
    base, lanes = c.fresh("k"), c.index(REDUCTION_LANES)
    with c.loop(base, lower, upper, _scaled(c, c.threads, step)):
        counter = c.let(INDEX, f"{base} + {_scaled(c, c.lane, step)}")
        c.bind(body.parameters, [counter])
        with c.block(f"if ({counter} < {upper}) {{"):
            for array, dtype, value in zip(arrays, dtypes, c.run(body)):
                c.line(f"{array}[{c.lane}] = {c.to_memory(dtype, value)};")
        c.line(c.dialect.shared_barrier)
        with c.block(f"if ({c.lane} < {lanes}) {{"):
            at = c.fresh("k")
            there = f"{base} + {_scaled(c, at, step)} < {upper}"
            with c.loop(at, c.lane, c.index(c.threads), lanes), c.block(f"if ({there}) {{"):
                places = [c.from_memory(dtype, f"{array}[{at}]") for array, dtype in zip(arrays, dtypes)]
                terms = [c.let(dtype, place) for dtype, place in zip(dtypes, places)]
                c.assign(sums, _combined(c, combine, sums, terms), dtypes)
        c.line(c.dialect.shared_barrier)
