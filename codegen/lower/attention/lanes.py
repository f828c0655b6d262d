"""Attention on workgroups of lanes: a workgroup takes a few queries of a head through blocks of keys.

The scores of a block are in shared memory. Each lane computes some of them; then a lane for each query makes
weights of its scores; then each lane adds to its elements of the result, which are its own throughout.
"""

from __future__ import annotations

from contextlib import AbstractContextManager

from ....ir.expr import Expr, ceil_div, product
from ...kernel.nodes import Value
from ..writing.writer import Memory
from .operands import Attention, AttentionKernel, Heads, larger, multiply_add

TILE = 16
"""Queries of a workgroup."""
KEYS = 64
"""Keys of a block: their scores are 4 KB of f32."""


def attend_on_lanes(a: Attention) -> None:
    tiles, heads = ceil_div(a.queries, TILE), a.heads * a.shared
    sums = a.scratch(product((heads, tiles, TILE, a.width)))
    kernel = AttentionKernel(a, "attention", a.machine.lanes)
    _Tile(kernel, a, sums, tiles).write()
    kernel.launch(heads * tiles, a.cost)


class _Tile:
    """The queries of one workgroup."""

    def __init__(self, kernel: AttentionKernel, a: Attention, sums: Memory, tiles: Expr) -> None:
        build = self.build = kernel.build
        head, tile = kernel.split(build.group_id(), tiles)
        at = self.at = Heads(kernel, head)
        self.keys = at.read_keys()
        self.made, self.result = kernel.buffer(sums, "inout"), kernel.buffer(a.result, "out")
        self.dtype = a.dtype
        self.scores = build.allocate(a.wide, TILE * KEYS, "shared")
        self.factors = build.allocate(a.wide, TILE, "shared")
        """The factor of each query's sums."""
        self.zero, self.size, self.lane = build.constant(0), build.constant(KEYS), build.lane_id()
        self.step, rows = build.constant(a.machine.lanes), build.constant(TILE)
        self.top = tile * rows
        self.bottom = build.minimum(self.top + rows, at.queries)
        self.start = build.group_id() * rows * at.width
        self.count = (self.bottom - self.top) * at.width
        has_row = self.top + self.lane < self.bottom
        self.own_row = (self.lane < rows) & has_row

    def write(self) -> None:
        build, at = self.build, self.at
        with self._elements() as (i,):
            build.store(self.made, self.start + i, at.zero)
        low, high = at.seen(self.top, self.bottom)

        def block(first: Value, largest: Value, total: Value) -> list[Value]:
            self._score(first)
            build.barrier()
            both = build.branch(self.own_row, lambda: self._weigh(largest, total), lambda: [largest, total])
            build.barrier()
            self._add(first, build.minimum(self.size, high - first))
            build.barrier()
            return list(both)

        _, total = build.carry(low, high, [at.lowest, at.zero], block, self.size)
        with build.when(self.own_row):
            build.store(self.factors, self.lane, at.share(total))
        build.barrier()
        target = (at.head * at.queries + self.top) * at.width
        with self._elements() as (i,):
            share = build.load(self.factors, i // at.width)
            value = build.load(self.made, self.start + i) * share
            build.store(self.result, target + i, build.cast(value, self.dtype))

    def _elements(self) -> AbstractContextManager[tuple[Value, ...]]:
        """The elements of the results that this lane owns."""
        return self.build.loop(self.lane, self.count, self.step)

    def _score(self, first: Value) -> None:
        """Stores the scores of the keys of a block."""
        build, at = self.build, self.at
        with build.loop(self.lane, TILE * KEYS, self.step) as (i,):
            row = self.top + i // self.size
            key = first + i % self.size
            inside = (row < self.bottom) & (key < at.length)
            with build.when(inside):
                left, right = at.q.line(row), self.keys.line(key)

                def product_at(d: Value, known: Value) -> list[Value]:
                    return [multiply_add(build, at.q.load(left, d), self.keys.load(right, d), known)]

                found = build.carry(self.zero, at.depth, [at.zero], product_at)[0]
                build.store(self.scores, i, at.score(found, row, key))
            with build.when(~inside):
                build.store(self.scores, i, at.lowest)

    def _weigh(self, largest: Value, total: Value) -> list[Value]:
        """Converts the scores of the lane's query to weights, given its largest score and sum of weights so
        far."""
        build, line = self.build, self.lane * self.size

        def top_of(j: Value, known: Value) -> list[Value]:
            return [larger(build, build.load(self.scores, line + j), known)]

        found = build.carry(self.zero, self.size, [self.at.lowest], top_of)[0]
        new, shift, factor = self.at.rescaled(largest, found)

        def weight(j: Value, known: Value) -> list[Value]:
            there = line + j
            power = build.emit("exp", (build.load(self.scores, there) - shift,))
            build.store(self.scores, there, power)
            return [known + power]

        added = build.carry(self.zero, self.size, [total * factor], weight)[0]
        build.store(self.factors, self.lane, factor)
        return [new, added]

    def _add(self, first: Value, number: Value) -> None:
        """Adds the values of so many keys, by their weights, to the results."""
        build, at = self.build, self.at
        with self._elements() as (i,):
            row, e = divmod(i, at.width)
            line, place = row * self.size, self.start + i
            known = build.load(self.made, place) * build.load(self.factors, row)

            def add_value(j: Value, known: Value) -> list[Value]:
                value = at.values.load(at.values.line(first + j), e)
                return [multiply_add(build, build.load(self.scores, line + j), value, known)]

            build.store(self.made, place, build.carry(self.zero, number, [known], add_value)[0])
