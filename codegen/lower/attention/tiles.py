"""Attention of many queries on a processor: tiles of queries, blocks of keys, a few queries at a time.

The keys of a block are packed transposed, so that lanes run along keys for the scores, and along the elements
of values for the weighted sums; each loaded vector serves several queries, whose results stay in registers.
"""

from __future__ import annotations

from ....ir.expr import Expr, ceil_div, product
from ...kernel.nodes import Buffer, Value
from ..writing.writer import Memory
from .operands import Attention, AttentionKernel, Heads, Reader, larger, multiply_add

TILE = 64
"""Queries of a workgroup."""
KEYS = 128
"""Keys of a block: these and as many values, of the usual depth, stay in the L2 cache."""
AT_ONCE = 8
"""Queries with sums in registers: more do not fit those of AVX2."""


def attend_in_tiles(a: Attention) -> None:
    blocks = ceil_div(a.length, KEYS)
    packed = a.scratch(product((a.heads, blocks, a.depth, KEYS)))
    _pack(a, packed, blocks)
    tiles = ceil_div(a.queries, TILE)
    heads = a.heads * a.shared
    sums = a.scratch(product((heads, tiles, TILE, a.width)))
    kernel = AttentionKernel(a, "attention")
    _Tile(kernel, packed, sums, blocks, tiles).write()
    kernel.launch(heads * tiles, a.cost)


def _pack(a: Attention, packed: Memory, blocks: Expr) -> None:
    """Packs the keys in blocks, each transposed: [head, block, depth, key]; zeros beyond the last key."""
    kernel = AttentionKernel(a, "attention_keys")
    build = kernel.build
    head, block = kernel.split(build.group_id(), blocks)
    batch, of_batch = kernel.split(head, a.key_heads)
    keys = Reader(kernel, a.keys, (batch, of_batch), a.wide)
    target = kernel.buffer(packed, "out")
    depth, length = kernel.index(a.depth), kernel.index(a.length)
    count, zero = build.constant(KEYS), build.constant(0)
    first = block * count
    start = build.group_id() * depth * count
    with build.loop(zero, depth) as (d,), build.loop(zero, count, kind="lanes") as (j,):
        key = first + j
        value = keys.load(keys.line(key), d, key < length)
        build.store(target, start + d * count + j, value)
    kernel.launch(a.heads * blocks, a.depth * KEYS)


class _Tile:
    def __init__(
        self, kernel: AttentionKernel, packed: Memory, sums: Memory, blocks: Expr, tiles: Expr
    ) -> None:
        self.kernel, self.build = kernel, kernel.build
        build = self.build
        head, tile = kernel.split(build.group_id(), tiles)
        self.at = Heads(kernel, head)
        self.packed = kernel.buffer(packed, "in")
        self.sums = kernel.buffer(sums, "inout")
        self.result = kernel.buffer(kernel.attention.result, "out")
        self.top = tile * TILE
        self.bottom = build.minimum(self.top + TILE, self.at.queries)
        self.panels = self.at.of_keys * kernel.index(blocks)
        self.first_sum = build.group_id() * TILE * self.at.width
        self.wide = kernel.attention.wide
        self.scores: Buffer
        self.largest: Buffer
        self.totals: Buffer
        self.factors: Buffer

    def write(self) -> None:
        build, zero = self.build, self.build.constant(0)
        self.scores, self.factors = (build.allocate(self.wide, AT_ONCE * each) for each in (KEYS, 1))
        self.largest, self.totals = (build.allocate(self.wide, TILE) for _ in range(2))
        with build.loop(zero, TILE) as (row,):
            build.store(self.largest, row, self.at.lowest)
            build.store(self.totals, row, self.at.zero)
        elements = TILE * self.at.width
        with build.loop(zero, elements, kind="lanes") as (i,):
            build.store(self.sums, self.first_sum + i, self.at.zero)
        low, high = self.at.seen(self.top, self.bottom)
        size = build.constant(KEYS)
        block = low // size
        with build.loop(block * size, high, size) as (start,):
            number = self.panels + start // size
            panel = number * self.at.depth * size
            count = build.minimum(size, high - start)
            with build.loop(self.top, self.bottom, AT_ONCE) as (first,):
                self._score(panel, start, first)
                self._weigh(first - self.top)
                self._add_values(first - self.top, start, count)
        self._finish()

    def _score(self, panel: Value, start: Value, first: Value) -> None:
        """Computes the scores of some queries and a block of keys; the last query is repeated as padding."""
        build, at, size = self.build, self.at, self.build.constant(KEYS)
        last = self.bottom - 1
        rows = [build.minimum(first + number, last) for number in range(AT_ONCE)]
        lines = [at.q.line(row) for row in rows]
        with build.loop(0, size, kind="lanes") as (j,):

            def step(d: Value, *totals: Value) -> list[Value]:
                key = build.load(self.packed, panel + d * size + j)
                return [
                    multiply_add(build, at.q.load(line, d), key, total)
                    for line, total in zip(lines, totals, strict=True)
                ]

            totals = build.carry(0, at.depth, [at.zero] * AT_ONCE, step)
            key = start + j
            for number, (row, total) in enumerate(zip(rows, totals, strict=True)):
                place = number * KEYS + j
                build.store(self.scores, place, at.score(total, row, key))

    def _weigh(self, place: Value) -> None:
        """Converts scores to weights, and stores the factors of earlier sums."""
        build, at = self.build, self.at
        zero, size = build.constant(0), build.constant(KEYS)
        with build.loop(zero, AT_ONCE) as (number,):
            line, slot = number * size, place + number
            found = build.reduce(
                zero, size, [at.lowest], lambda j: [build.load(self.scores, line + j)],
                lambda known, score: [larger(build, score, known)],
            )[0]  # fmt: skip
            new, shift, factor = at.rescaled(build.load(self.largest, slot), found)

            def weight(j: Value) -> list[Value]:
                there = line + j
                made = build.emit("exp", (build.load(self.scores, there) - shift,))
                build.store(self.scores, there, made)
                return [made]

            total = build.reduce(zero, size, [at.zero], weight, lambda x, y: [x + y])[0]
            known = build.load(self.totals, slot) * factor
            build.store(self.totals, slot, known + total)
            build.store(self.largest, slot, new)
            build.store(self.factors, number, factor)

    def _add_values(self, place: Value, start: Value, count: Value) -> None:
        build, at = self.build, self.at
        offsets = [build.constant(number) for number in range(AT_ONCE)]
        lines = [self.first_sum + (place + number) * at.width for number in offsets]
        first = at.values.line(start)
        with build.loop(0, at.width, kind="lanes") as (e,):
            places = [line + e for line in lines]
            known = [
                build.load(self.sums, there) * build.load(self.factors, number)
                for there, number in zip(places, offsets, strict=True)
            ]

            def step(j: Value, *totals: Value) -> list[Value]:
                value = at.values.load(first + j * at.values.row, e)
                weights = [build.load(self.scores, number * KEYS + j) for number in range(AT_ONCE)]
                return [
                    multiply_add(build, weight, value, total)
                    for weight, total in zip(weights, totals, strict=True)
                ]

            totals = build.carry(0, count, known, step)
            for there, total in zip(places, totals, strict=True):
                build.store(self.sums, there, total)

    def _finish(self) -> None:
        build, at = self.build, self.at
        with build.loop(self.top, self.bottom) as (row,):
            slot = row - self.top
            share = at.share(build.load(self.totals, slot))
            source = self.first_sum + slot * at.width
            target = (at.head * at.queries + row) * at.width
            with build.loop(0, at.width, kind="lanes") as (e,):
                value = build.load(self.sums, source + e) * share
                build.store(self.result, target + e, build.cast(value, self.kernel.attention.dtype))
