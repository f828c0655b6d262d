"""Attention on workgroups of lanes: a workgroup takes a few queries of a head through blocks of keys.

The scores of a block are in shared memory. Each lane computes some of them; then a lane for each query makes
weights of its scores; then each lane adds to its elements of the result, which are its own throughout.
"""

from __future__ import annotations

from ....ir.expr import ceil_div, product
from ...kernel.nodes import Value
from .operands import Attention, AttentionKernel, Heads, larger, multiply_add

TILE = 16
"""Queries of a workgroup."""
KEYS = 64
"""Of a block: their scores are 4 KB of f32."""


def attend_on_lanes(a: Attention) -> None:
    tiles, heads = ceil_div(a.queries, TILE), a.heads * a.shared
    sums = a.scratch(product((heads, tiles, TILE, a.width)))
    lanes = a.machine.lanes
    kernel = AttentionKernel(a, "attention", lanes)
    build = kernel.build
    head, tile = kernel.split(build.group_id(), tiles)
    at = Heads(kernel, head)
    keys = at.read_keys()
    made, result = kernel.buffer(sums, "inout"), kernel.buffer(a.result, "out")
    scores = build.allocate(a.wide, TILE * KEYS, "shared")
    factors = build.allocate(a.wide, TILE, "shared")
    zero, size, lane = build.constant(0), build.constant(KEYS), build.lane_id()
    step, rows = build.constant(lanes), build.constant(TILE)
    top = tile * rows
    bottom = build.minimum(top + rows, at.queries)
    start = build.group_id() * rows * at.width
    count = (bottom - top) * at.width

    has_row = top + lane < bottom
    own_row = (lane < rows) & has_row
    with build.loop(lane, count, step) as (i,):
        build.store(made, start + i, at.zero)
    low, high = at.seen(top, bottom)

    def block(first: Value, largest: Value, total: Value) -> list[Value]:
        with build.loop(lane, TILE * KEYS, step) as (i,):
            row = top + i // size
            key = first + i % size
            inside = (row < bottom) & (key < at.length)
            with build.when(inside):
                left, right = at.q.line(row), keys.line(key)

                def product_at(d: Value, known: Value) -> list[Value]:
                    return [multiply_add(build, at.q.load(left, d), keys.load(right, d), known)]

                found = build.carry(zero, at.depth, [at.zero], product_at)[0]
                build.store(scores, i, at.score(found, row, key))
            with build.when(~inside):
                build.store(scores, i, at.lowest)
        build.barrier()

        def weigh() -> list[Value]:
            line = lane * size

            def top_of(j: Value, known: Value) -> list[Value]:
                return [larger(build, build.load(scores, line + j), known)]

            found = build.carry(zero, size, [at.lowest], top_of)[0]
            new, shift, factor = at.rescaled(largest, found)

            def weight(j: Value, known: Value) -> list[Value]:
                there = line + j
                power = build.emit("exp", (build.load(scores, there) - shift,))
                build.store(scores, there, power)
                return [known + power]

            added = build.carry(zero, size, [total * factor], weight)[0]
            build.store(factors, lane, factor)
            return [new, added]

        new, sum_ = build.branch(own_row, weigh, lambda: [largest, total])
        build.barrier()
        number = build.minimum(size, high - first)
        with build.loop(lane, count, step) as (i,):
            row, e = divmod(i, at.width)
            line, place = row * size, start + i
            known = build.load(made, place) * build.load(factors, row)

            def add_value(j: Value, known: Value) -> list[Value]:
                value = at.values.load(at.values.line(first + j), e)
                return [multiply_add(build, build.load(scores, line + j), value, known)]

            build.store(made, place, build.carry(zero, number, [known], add_value)[0])
        build.barrier()
        return [new, sum_]

    _, total = build.carry(low, high, [at.lowest, at.zero], block, size)
    with build.when(own_row):
        build.store(factors, lane, at.share(total))
    build.barrier()
    target = (at.head * at.queries + top) * at.width
    with build.loop(lane, count, step) as (i,):
        share = build.load(factors, i // at.width)
        value = build.load(made, start + i) * share
        build.store(result, target + i, build.cast(value, a.dtype))
    kernel.launch(heads * tiles, a.cost)
