"""Attention of many queries on a processor: tiles of queries, blocks of keys, a few queries at a time.

The keys are packed in strips, transposed, so that lanes run along keys for the scores, and along the elements
of values for the weighted sums; each loaded vector serves several queries, whose results stay in registers.
"""

from __future__ import annotations

from ....ir.expr import ceil_div, maximum, minimum, product, symbol
from ...kernel.nodes import Buffer, Value
from ..writing.writer import Memory
from .operands import Attention, AttentionKernel, Heads, Reader, larger, multiply_add

STRIP = 32
"""Keys of a strip: two vectors of the widest registers."""
KEYS = 512
"""The most keys of a block: these and as many values, of the usual depth, stay in the L2 cache."""
LINE = KEYS + 16
"""The scores of a query: the lines of a few queries lie in different sets of the L1 cache."""
MOST_QUERIES, FEWEST_QUERIES = 8, 6
"""Queries of a group, with two vectors of sums each in 32 registers and in 16; more do not fit."""
GROUPS = 10
"""The most groups of so many queries of a workgroup."""
SLOTS = MOST_QUERIES
"""Of a group's state."""


class _Sizes:
    """How queries and keys are divided."""

    def __init__(self, a: Attention) -> None:
        self.rows = MOST_QUERIES if a.machine.vector_registers >= 32 else FEWEST_QUERIES
        """Queries of a group."""
        self.strips = ceil_div(a.length, STRIP)
        """Strips of keys."""
        self.columns = ceil_div(a.width, STRIP) * STRIP
        """Elements of a value, in whole strips."""
        self.heads = a.heads * a.shared
        self.groups = ceil_div(a.queries, self.rows)
        # As many workgroups for each thread; of a head they have the same number of groups, or one less.
        threads, heads = maximum(symbol("device.threads"), 1), maximum(self.heads, 1)
        tiles = ceil_div(heads * ceil_div(self.groups, GROUPS), threads) * threads
        self.tiles = minimum(ceil_div(tiles, heads), self.groups)
        """Workgroups of a head."""


def attend_in_tiles(a: Attention) -> None:
    sizes = _Sizes(a)
    keys = a.scratch(product((a.heads, sizes.strips, a.depth, STRIP)))
    values = a.scratch(a.heads * sizes.columns * a.length)
    sums = a.scratch(product((sizes.heads, sizes.groups, sizes.rows, a.width)))
    _pack(a, keys, values, sizes)
    kernel = AttentionKernel(a, "attention")
    _Tile(kernel, keys, values, sums, sizes).write()
    kernel.launch(sizes.heads * sizes.tiles, a.cost)


def _pack(a: Attention, packed_keys: Memory, packed_values: Memory, sizes: _Sizes) -> None:
    """Packs keys in strips, each transposed: [head, strip, depth, key], zeros beyond the last one; values
    in strips of their elements: [head, strip, key, element]. Vectors are then aligned and contiguous."""
    kernel = AttentionKernel(a, "attention_pack")
    build = kernel.build
    head, strip = kernel.split(build.group_id(), sizes.strips)
    batch, of_batch = kernel.split(head, a.key_heads)
    keys, values = (Reader(kernel, each, (batch, of_batch), a.wide) for each in (a.keys, a.values))
    panels, columns = kernel.buffer(packed_keys, "out"), kernel.buffer(packed_values, "out")
    depth, length, width = (kernel.index(each) for each in (a.depth, a.length, a.width))
    zero, size = build.constant(0), build.constant(STRIP)
    first = strip * size
    start = build.group_id() * depth * size
    with build.loop(zero, depth) as (d,), build.loop(zero, size, kind="lanes") as (j,):
        key = first + j
        value = keys.load(keys.line(key), d, key < length)
        build.store(panels, start + d * size + j, value)
    following = build.minimum(first + size, length)
    with build.loop(zero, width, size) as (left,):
        used = build.minimum(size, width - left)
        target = (head * kernel.index(sizes.columns) + left) * length
        with build.loop(first, following) as (key,), build.loop(zero, used, kind="lanes") as (e,):
            build.store(columns, target + key * size + e, values.load(values.line(key), left + e))
    kernel.launch(a.heads * sizes.strips, (a.depth + a.width) * STRIP)


class _Tile:
    def __init__(
        self, kernel: AttentionKernel, keys: Memory, values: Memory, sums: Memory, sizes: _Sizes
    ) -> None:
        self.kernel, self.build, self.rows = kernel, kernel.build, sizes.rows
        build = self.build
        head, tile = kernel.split(build.group_id(), sizes.tiles)
        self.at = Heads(kernel, head)
        self.keys, self.values = (kernel.buffer(each, "in") for each in (keys, values))
        self.sums = kernel.buffer(sums, "inout")
        self.result = kernel.buffer(kernel.attention.result, "out")
        tiles, groups = kernel.index(sizes.tiles), kernel.index(sizes.groups)
        if kernel.attention.causal:
            tile = tiles - 1 - tile  # those with the most keys first: threads end together
        first, following = (number * groups // tiles for number in (tile, tile + 1))
        self.groups = following - first
        self.top = first * self.rows
        self.bottom = build.minimum(following * self.rows, self.at.queries)
        self.panels = self.at.of_keys * kernel.index(sizes.strips) * self.at.depth * STRIP
        self.columns = self.at.of_keys * kernel.index(sizes.columns)
        self.first_sum = (head * groups * self.rows + self.top) * self.at.width
        self.wide = kernel.attention.wide
        self.scores: Buffer
        self.largest: Buffer
        self.totals: Buffer
        self.shifts: Buffer
        self.factors: Buffer

    def write(self) -> None:
        build, zero = self.build, self.build.constant(0)
        self.scores = build.allocate(self.wide, self.rows * LINE)
        self.shifts, self.factors = (build.allocate(self.wide, SLOTS) for _ in range(2))
        self.largest, self.totals = (build.allocate(self.wide, GROUPS * SLOTS) for _ in range(2))
        with build.loop(zero, GROUPS * SLOTS, kind="lanes") as (slot,):
            build.store(self.largest, slot, self.at.lowest)
            build.store(self.totals, slot, self.at.zero)
        with build.loop(zero, SLOTS, kind="lanes") as (slot,):
            build.store(self.shifts, slot, self.at.zero)  # of more slots than there are queries
        elements = self.groups * self.rows * self.at.width
        with build.loop(zero, elements, kind="lanes") as (i,):
            build.store(self.sums, self.first_sum + i, self.at.zero)
        low, high = self.at.seen(self.top, self.bottom)
        starts = build.loop(low // STRIP * STRIP, high, KEYS)
        with starts as (start,), build.loop(zero, self.groups) as (group,):
            first = self.top + group * self.rows
            following = build.minimum(first + self.rows, self.bottom)
            least, most = self.at.seen(first, following)
            begin = build.maximum(start, least // STRIP * STRIP)
            count = build.minimum(start + KEYS, most) - begin
            with build.when(count > 0):
                whole = (count + (STRIP - 1)) // STRIP * STRIP
                self._score(first, following, begin, whole)
                self._weigh(group, whole)
                self._add_values(group, begin, count)
        self._finish()

    def _score(self, first: Value, following: Value, begin: Value, whole: Value) -> None:
        """Computes the scores of some queries and strips of keys; the last query is repeated as padding."""
        build, at = self.build, self.at
        last = following - 1
        rows = [build.minimum(first + number, last) for number in range(self.rows)]
        lines = [at.q.line(row) for row in rows]
        with build.loop(0, whole, STRIP) as (strip,):
            key = begin + strip
            panel = self.panels + key * at.depth
            with build.loop(0, STRIP, kind="lanes") as (j,):

                def step(d: Value, *totals: Value) -> list[Value]:
                    keys = build.load(self.keys, panel + d * STRIP + j)
                    return [
                        multiply_add(build, at.q.load(line, d), keys, total)
                        for line, total in zip(lines, totals, strict=True)
                    ]

                for number, total in enumerate(build.carry(0, at.depth, [at.zero] * self.rows, step)):
                    build.store(self.scores, strip + j + number * LINE, total * at.scale)
            seen = at.all_seen(first, following, key, key + STRIP)
            if seen is None:
                self._mask(first, last, key, strip)
            else:
                with build.when(~seen):
                    self._mask(first, last, key, strip)

    def _mask(self, first: Value, last: Value, key: Value, strip: Value) -> None:
        build = self.build
        with build.loop(0, self.rows) as (number,), build.loop(0, STRIP, kind="lanes") as (j,):
            place = number * LINE + strip + j
            row = build.minimum(first + number, last)
            build.store(self.scores, place, self.at.masked(build.load(self.scores, place), row, key + j))

    def _weigh(self, group: Value, whole: Value) -> None:
        """Converts scores to weights, and stores the factors of earlier sums."""
        build, at, zero = self.build, self.at, self.build.constant(0)
        slots = group * SLOTS
        with build.loop(zero, self.rows) as (number,):
            line = number * LINE
            found = build.reduce(
                zero, whole, [at.lowest], lambda j: [build.load(self.scores, line + j)],
                lambda known, score: [larger(build, score, known)],
            )[0]  # fmt: skip
            build.store(self.shifts, number, found)
        with build.loop(zero, SLOTS, kind="lanes") as (number,):
            slot = slots + number
            found = build.load(self.shifts, number)
            new, shift, factor = at.rescaled(build.load(self.largest, slot), found)
            build.store(self.largest, slot, new)
            build.store(self.shifts, number, shift)
            build.store(self.factors, number, factor)
        with build.loop(zero, self.rows) as (number,):
            line, slot = number * LINE, slots + number
            shift = build.load(self.shifts, number)

            def weight(j: Value) -> list[Value]:
                there = line + j
                made = build.emit("exp", (build.load(self.scores, there) - shift,))
                build.store(self.scores, there, made)
                return [made]

            total = build.reduce(zero, whole, [at.zero], weight, lambda x, y: [x + y])[0]
            known = build.load(self.totals, slot) * build.load(self.factors, number)
            build.store(self.totals, slot, known + total)

    def _add_values(self, group: Value, begin: Value, count: Value) -> None:
        build, at = self.build, self.at
        offsets = [build.constant(number) for number in range(self.rows)]
        lines = [self.first_sum + (group * self.rows + number) * at.width for number in offsets]
        with build.loop(0, at.width, STRIP) as (left,):
            first = (self.columns + left) * at.length + begin * STRIP
            with build.loop(0, build.minimum(STRIP, at.width - left), kind="lanes") as (e,):
                places = [line + left + e for line in lines]
                known = [
                    build.load(self.sums, there) * build.load(self.factors, number)
                    for there, number in zip(places, offsets, strict=True)
                ]

                def step(j: Value, *totals: Value) -> list[Value]:
                    value = build.load(self.values, first + j * STRIP + e)
                    return [
                        multiply_add(build, build.load(self.scores, j + number * LINE), value, total)
                        for number, total in enumerate(totals)
                    ]

                totals = build.carry(0, count, known, step)
                for there, total in zip(places, totals, strict=True):
                    build.store(self.sums, there, total)

    def _finish(self) -> None:
        build, at = self.build, self.at
        with build.loop(self.top, self.bottom) as (row,):
            place = row - self.top
            group, number = divmod(place, build.constant(self.rows))
            share = at.share(build.load(self.totals, group * SLOTS + number))
            source = self.first_sum + place * at.width
            target = (at.head * at.queries + row) * at.width
            with build.loop(0, at.width, kind="lanes") as (e,):
                value = build.load(self.sums, source + e) * share
                build.store(self.result, target + e, build.cast(value, self.kernel.attention.dtype))
