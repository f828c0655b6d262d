"""Selection by sampling: elements at given positions of the sorted rows, without sorting them.

A range of keys that contains the wanted one with high probability is taken from a sorted sample, its elements
are counted and kept, and so again, until they are few enough to be sorted. Where the sample was misleading,
the side that the counts indicate is kept, so the result is always right. (R. Floyd and R. Rivest, Expected
Time Bounds for Selection, 1975.) Three kernels: the sample's range; counts and the elements in the range, by
chunks; the rest.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from ....ir.expr import Expr, ceil_div, less
from ....ir.types import BOOL, INDEX
from ...kernel.nodes import Buffer, Value
from ..writing.writer import Memory
from .chunks import AT_ONCE, at_once, read_chunks
from .ranks import each_place
from .rows import Rows, SortKernel

FEW = 96
"""Elements that are sorted by counting, in private memory."""
SAMPLE = 64
"""Elements of a sample of kept elements, and of a row."""
SAMPLES = ((1 << 16, 1024), (1 << 12, 256))
"""Larger samples of rows of at least so many elements."""
_HASH, _HASH_RANGE = 40503, 1 << 16
"""Multiples of it, modulo the range, are spread evenly (D. Knuth, The Art of Computer Programming 3, 6.4)."""

KeyAt = Callable[[Value], Value]
"""The key of an element of a row, or of the kept ones."""


class Selection:
    """Selects for each position in `ranks` the element there in the sorted row, and the one after it."""

    def __init__(self, rows: Rows, ranks: Memory, each: Expr, results: Sequence[Memory]) -> None:
        self.rows, self.ranks, self.results = rows, ranks, results
        self.each = each
        """The number of wanted elements of a row."""
        self.items = rows.count * each
        self.chunks = read_chunks(rows, self.items)
        self.size: Expr = ceil_div(rows.length, self.chunks)
        self.units: Expr = self.items * self.chunks
        self.at_once = at_once(self.size)
        self.sample = next(
            (size for most, size in SAMPLES if not rows.decide(less(rows.length, most))), SAMPLE
        )
        dtype = rows.order.key_dtype
        self.ranges = rows.scratch(dtype, self.items * 2)
        self.counts = rows.scratch(rows.position_dtype(), self.units * 2)
        self.kept = rows.scratch(dtype, self.items * rows.length)

    def select(self) -> None:
        _RangeKernel(self, "choose_range", self.items).write()
        _KeepKernel(self, "keep_range", self.units).write()
        _FinishKernel(self, "select_element", self.items).write()


class _Kernel:
    """One of the three kernels, which processes some units, one after another."""

    def __init__(self, selection: Selection, name: str, units: Expr) -> None:
        self.selection, self.units = selection, units
        rows = self.rows = selection.rows
        kernel = self.kernel = SortKernel(rows, name)
        self.build, self.order = kernel.build, rows.order
        self.dtype = rows.order.key_dtype
        self.zero, self.one = self.build.constant(0), self.build.constant(1)
        self.lowest = self.build.constant(0, self.dtype)
        self.highest = self.build.constant((1 << self.dtype.bits) - 1, self.dtype)
        self.source = kernel.buffer(rows.source, "in")
        self.ranks = kernel.buffer(selection.ranks, "in")
        self.ranges = kernel.buffer(selection.ranges)
        self.length = kernel.index(rows.length)
        self.each, self.chunks = kernel.index(selection.each), kernel.index(selection.chunks)

    def write(self) -> None:
        build = self.build
        height, units = self.kernel.index(self.selection.at_once), self.kernel.index(self.units)
        first = build.group_id() * height
        last = build.minimum(first + height, units)
        self.allocate()
        with build.loop(first, last) as (unit,):
            self.write_unit(unit)
        cost = self.units * self.selection.size
        self.kernel.launch(ceil_div(self.units, self.selection.at_once), cost)

    def allocate(self) -> None: ...

    def write_unit(self, unit: Value) -> None:
        raise NotImplementedError

    def key_of_row(self, item: Value) -> KeyAt:
        build = self.build
        start = item // self.each * self.length
        return lambda i: self.order.key(build, build.load(self.source, start + i))

    def range_of(self, item: Value) -> tuple[Value, Value]:
        at = item * 2
        return self.build.load(self.ranges, at), self.build.load(self.ranges, at + self.one)

    def is_in(self, key: Value, low: Value, high: Value) -> Value:
        return key - low <= high - low

    def counted(self, bounds: tuple[Value, Value], key_at: KeyAt, low: Value, high: Value) -> Sequence[Value]:
        """Counts the keys before a range, and in it."""
        build = self.build

        def term(i: Value) -> Sequence[Value]:
            key = key_at(i)
            found = key < low, self.is_in(key, low, high)
            return [build.cast(each, self.dtype) for each in found]

        def combine(x: Value, y: Value, dx: Value, dy: Value) -> Sequence[Value]:
            return x + dx, y + dy

        none = (self.lowest, self.lowest)
        return [build.cast(each, INDEX) for each in build.reduce(*bounds, none, term, combine)]

    def keep(
        self, bounds: tuple[Value, Value], key_at: KeyAt, low: Value, high: Value, kept: Buffer, start: Value
    ) -> Value:
        """Writes the keys in a range from `start` on; returns their number. (Every key is written to the next
        place, and overwritten if it was outside: no branch to mispredict.)"""
        build = self.build

        def step(i: Value, count: Value) -> Sequence[Value]:
            key = key_at(i)
            build.store(kept, start + count, key)
            return (count + build.cast(self.is_in(key, low, high), INDEX),)

        return build.carry(*bounds, (self.zero,), step)[0]

    def sampled(
        self,
        size: int,
        samples: tuple[Buffer, Buffer],
        key_at: KeyAt,
        length: Value,
        rank: Value,
        margin: Value,
    ) -> tuple[Value, Value]:
        """Returns a range around a rank of `length` elements, with a margin on either side in a sorted
        sample."""
        build = self.build
        keys, ordered = samples
        number = build.constant(size)
        stretch = length // number
        with build.loop(self.zero, number, kind="lanes") as (i,):
            modulus = build.constant(_HASH_RANGE)
            spread = i * _HASH % modulus
            within = spread * stretch // modulus
            build.store(keys, i, key_at(i * stretch + within))
        self.sort_few(keys, ordered, number)
        middle = rank * number // length
        before, after = middle - margin, middle + margin
        last = build.constant(size - 1)
        low = build.load(ordered, build.maximum(before, self.zero))
        high = build.load(ordered, build.minimum(after, last))
        low = build.select(before < self.zero, self.lowest, low)
        return low, build.select(after > last, self.highest, high)

    def sort_few(self, keys: Buffer, ordered: Buffer, length: Value) -> None:
        for i, place in each_place(self.build, keys, length):
            self.build.store(ordered, place, self.build.load(keys, i))


def _margin(size: int) -> int:
    """Returns three standard deviations of a rank in a sample of that size."""
    return math.ceil(1.5 * math.sqrt(size))


class _RangeKernel(_Kernel):
    """Computes the range of keys to keep, for each wanted element of a row."""

    def allocate(self) -> None:
        size = self.selection.sample
        self.samples = self.build.allocate(self.dtype, size), self.build.allocate(self.dtype, size)

    def write_unit(self, unit: Value) -> None:
        build, size = self.build, self.selection.sample
        rank = build.cast(build.load(self.ranks, unit), INDEX)
        margin = build.constant(_margin(size))
        found = self.sampled(size, self.samples, self.key_of_row(unit), self.length, rank, margin)
        at = unit * 2
        for number, key in enumerate(found):
            build.store(self.ranges, at + number, key)


class _KeepKernel(_Kernel):
    """Counts the keys of a row's chunks before the range and in it, and keeps the keys in it."""

    def allocate(self) -> None:
        self.counts = self.kernel.buffer(self.selection.counts)
        self.kept = self.kernel.buffer(self.selection.kept)
        self.size = self.kernel.index(self.selection.size)

    def write_unit(self, unit: Value) -> None:
        build = self.build
        item, chunk = divmod(unit, self.chunks)
        low, high = self.range_of(item)
        lower = build.minimum(chunk * self.size, self.length)
        upper = build.minimum(lower + self.size, self.length)
        key_at = self.key_of_row(item)
        before, _ = self.counted((lower, upper), key_at, low, high)
        start = item * self.length + lower
        within = self.keep((lower, upper), key_at, low, high, self.kept, start)
        at = unit * 2
        for number, count in enumerate((before, within)):
            build.store(self.counts, at + number, build.cast(count, self.counts.dtype))


class _FinishKernel(_Kernel):
    """Finds the element among the kept ones, and the one after it."""

    def allocate(self) -> None:
        build, size = self.build, max(SAMPLE, FEW)
        self.counts = self.kernel.buffer(self.selection.counts, "in")
        self.kept = self.kernel.buffer(self.selection.kept)
        self.made = [self.kernel.buffer(each, "out") for each in self.selection.results]
        self.size = self.kernel.index(self.selection.size)
        self.samples = build.allocate(self.dtype, size), build.allocate(self.dtype, size)

    def write_unit(self, unit: Value) -> None:
        build = self.build
        rank = build.cast(build.load(self.ranks, unit), INDEX)
        key_at, start = self.key_of_row(unit), unit * self.length
        count, left = self._kept_of(unit, rank, key_at, start)
        few = build.constant(FEW)

        def goes_on(count: Value, _left: Value, _key: Value, found: Value, _stuck: Value) -> Value:
            return (count > few) & ~found

        def step(count: Value, left: Value, _key: Value, _found: Value, stuck: Value) -> Sequence[Value]:
            return self._narrowed(start, count, left, stuck)

        no = build.constant(False, BOOL)
        count, left, key, found, _ = build.repeat_while((count, left, self.lowest, no, no), goes_on, step)
        keys, ordered = self.samples

        def all_alike() -> Sequence[Value]:
            return key, key

        def sort() -> Sequence[Value]:
            with build.loop(self.zero, count, kind="lanes") as (i,):
                build.store(keys, i, build.load(self.kept, start + i))
            self.sort_few(keys, ordered, count)
            after = build.minimum(left + self.one, count - self.one)
            return build.load(ordered, left), build.load(ordered, after)

        first, second = build.branch(found, all_alike, sort)
        last = count <= left + self.one
        more = rank + self.one < self.length

        def next_larger() -> Sequence[Value]:
            def term(i: Value) -> Sequence[Value]:
                key = key_at(i)
                return (build.select(key > first, key, self.highest),)

            def combine(x: Value, y: Value) -> Sequence[Value]:
                return (build.minimum(x, y),)

            return build.reduce(self.zero, self.length, (self.highest,), term, combine)

        (second,) = build.branch(last & more, next_larger, lambda: (second,))
        for buffer, each in zip(self.made, (first, second), strict=True):
            build.store(buffer, unit, self.order.element(build, each))

    def _kept_of(self, unit: Value, rank: Value, key_at: KeyAt, start: Value) -> tuple[Value, ...]:
        """Returns the number of kept elements of a row, at `start` then, and the rank among them."""
        build = self.build
        low, high = self.range_of(unit)
        first = unit * self.chunks

        def counts_of(chunk: Value) -> list[Value]:
            at = (first + chunk) * 2
            return [build.cast(build.load(self.counts, at + number), INDEX) for number in (0, 1)]

        def add(chunk: Value, before: Value, within: Value) -> Sequence[Value]:
            more = counts_of(chunk)
            return before + more[0], within + more[1]

        before, within = build.carry(self.zero, self.chunks, (self.zero, self.zero), add)
        after = before + within
        is_below, is_above = rank < before, rank >= after

        def join() -> Sequence[Value]:
            """Concatenates the chunks' keys."""

            def move(chunk: Value, to: Value) -> Sequence[Value]:
                count = counts_of(chunk)[1]
                source = start + build.minimum(chunk * self.size, self.length)
                target = start + to
                with build.loop(self.zero, count) as (i,):
                    build.store(self.kept, target + i, build.load(self.kept, source + i))
                return (to + count,)

            build.carry(self.one, self.chunks, (counts_of(self.zero)[1],), move)
            return within, rank - before

        def other_side() -> Sequence[Value]:
            bounds = self._side(is_below, low, high)
            count = self.keep((self.zero, self.length), key_at, *bounds, self.kept, start)
            return count, rank - build.select(is_below, self.zero, after)

        return build.branch(is_below | is_above, other_side, join)

    def _side(self, is_below: Value, low: Value, high: Value) -> tuple[Value, Value]:
        """Keeps the keys below a range, or those above it."""
        build, one = self.build, self.build.constant(1, self.dtype)
        return (
            build.select(is_below, self.lowest, high + one),
            build.select(is_below, low - one, self.highest),
        )

    def _narrowed(self, start: Value, count: Value, left: Value, stuck: Value) -> Sequence[Value]:
        """Returns the next state: the number of kept keys and the rank among them; the key where all are
        equal, and whether they are; whether this made no progress. Then the next range is a single key, so
        that at least that one is excluded."""
        build = self.build

        def key_at(i: Value) -> Value:
            return build.load(self.kept, start + i)

        margin = build.select(stuck, self.zero, _margin(SAMPLE))
        low, high = self.sampled(SAMPLE, self.samples, key_at, count, left, margin)
        bounds = self.zero, count
        before, within = self.counted(bounds, key_at, low, high)
        after = before + within
        is_below, is_above = left < before, left >= after
        is_outside = is_below | is_above
        side = self._side(is_below, low, high)
        kept_low, kept_high = (
            build.select(is_outside, theirs, own) for theirs, own in zip(side, (low, high), strict=True)
        )
        kept = self.keep(bounds, key_at, kept_low, kept_high, self.kept, start)
        passed = build.select(is_below, self.zero, build.select(is_above, after, before))
        alike = ~is_outside & low.equals(high)
        slow = kept * 2 > count
        return kept, left - passed, low, alike, slow


def take_sorted(rows: Rows, ranks: Memory, each: Expr, results: Sequence[Memory]) -> None:
    """Takes the elements from rows that are sorted already."""
    lanes = rows.machine.lanes
    items, height = rows.count * each, lanes if lanes > 1 else AT_ONCE
    kernel = SortKernel(rows, "take_sorted", lanes)
    build = kernel.build
    ordered, at = kernel.buffer(rows.result, "in"), kernel.buffer(ranks, "in")
    made = [kernel.buffer(each, "out") for each in results]
    length, width, count = (kernel.index(each) for each in (rows.length, each, items))
    first = build.group_id() * height

    def take(item: Value) -> None:
        start = item // width * length
        rank = build.cast(build.load(at, item), INDEX)
        after = build.minimum(rank + 1, length - 1)
        for buffer, place in zip(made, (rank, after), strict=True):
            build.store(buffer, item, build.load(ordered, start + place))

    if lanes > 1:
        item = first + build.lane_id()
        with build.when(item < count):
            take(item)
    else:
        last = build.minimum(first + height, count)
        with build.loop(first, last) as (item,):
            take(item)
    kernel.launch(ceil_div(items, height), items)
