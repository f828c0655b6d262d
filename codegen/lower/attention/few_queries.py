"""Attention of few queries on a processor: one query at a time, over blocks of keys in place."""

from __future__ import annotations

from ...kernel.nodes import Value
from .operands import Attention, AttentionKernel, Heads, larger, multiply_add

KEYS = 256
"""Keys of a block, whose scores stay in the L1 cache."""


def attend_one_by_one(a: Attention) -> None:
    heads = a.heads * a.shared
    sums = a.scratch(heads * a.queries * a.width)
    kernel = AttentionKernel(a, "attention_of_few")
    build = kernel.build
    head, query = kernel.split(build.group_id(), a.queries)
    at = Heads(kernel, head)
    keys = at.read_keys()
    made, result = kernel.buffer(sums, "inout"), kernel.buffer(a.result, "out")
    scores = build.allocate(a.wide, KEYS)
    zero, size = build.constant(0), build.constant(KEYS)
    start = build.group_id() * at.width
    line = at.q.line(query)
    with build.loop(zero, at.width, kind="lanes") as (e,):
        build.store(made, start + e, at.zero)
    low, high = at.seen(query, query + 1)

    def block(first: Value, largest: Value, total: Value) -> list[Value]:
        count = build.minimum(size, high - first)
        with build.loop(zero, count) as (j,):
            key = first + j
            there = keys.line(key)
            found = build.reduce(
                zero, at.depth, [at.zero], lambda d: [at.q.load(line, d) * keys.load(there, d)],
                lambda x, y: [x + y],
            )[0]  # fmt: skip
            build.store(scores, j, at.score(found, query, key))
        found = build.reduce(
            zero, count, [at.lowest], lambda j: [build.load(scores, j)],
            lambda known, score: [larger(build, score, known)],
        )[0]  # fmt: skip
        new, shift, factor = at.rescaled(largest, found)

        def weight(j: Value) -> list[Value]:
            power = build.emit("exp", (build.load(scores, j) - shift,))
            build.store(scores, j, power)
            return [power]

        added = build.reduce(zero, count, [at.zero], weight, lambda x, y: [x + y])[0]
        values = at.values.line(first)
        with build.loop(zero, at.width, kind="lanes") as (e,):
            place = start + e

            def step(j: Value, known: Value) -> list[Value]:
                value = at.values.load(values + j * at.values.row, e)
                return [multiply_add(build, build.load(scores, j), value, known)]

            known = build.load(made, place) * factor
            build.store(made, place, build.carry(zero, count, [known], step)[0])
        return [new, total * factor + added]

    _, total = build.carry(low, high, [at.lowest, at.zero], block, size)
    share = at.share(total)
    with build.loop(zero, at.width, kind="lanes") as (e,):
        place = start + e
        value = build.load(made, place) * share
        build.store(result, place, build.cast(value, a.dtype))
    kernel.launch(heads * a.queries, a.cost)
