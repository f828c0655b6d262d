"""Quicksort on a processor whose loops append in vectors (see `codegen.llvm.appending`).

A range is split by a pivot: smaller words are appended elsewhere, the others where the range begins. Short
ranges are sorted by a network, straight into the result. Long rows are first split into many ranges by
splitters of a sorted sample, and several threads sort these.

(C. Hoare, Quicksort, 1962; W. Frazer and A. McKellar, Samplesort, 1970; vectors of keys: M. Blacher and
others, Vectorized and performance-portable Quicksort, 2022.)
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from ....ir.expr import ceil_div
from ....ir.types import BOOL, I64, INDEX
from ...kernel.builder import KernelBuilder
from ...kernel.nodes import Buffer, Value
from .appending import append
from .blocks import RUN, sort_block
from .chunks import Chunks, are_whole, rows_at_once
from .ranks import BLOCKS, each_place
from .rows import Rows, SortKernel
from .words import Words

UNEVEN = 8
"""If one side of a split has less than 1/UNEVEN of the words, the next pivot is the middle of the range's
values."""
_RANGE = ("size", "here", "room", "to", "uneven")
"""The fields of a range on the stack: its length, the position of its words, of its scratch, of its result,
and whether the last split was uneven."""
STACK = 64
"""Capacity of the stack: the larger range waits, so their number is at most the bits of a length."""
RANGES = 8
"""The ranges of a long row."""
SAMPLED = 16
"""Words of the sample for each range."""


def sort_by_pivots(rows: Rows, words: Words) -> None:
    if are_whole(rows):
        _sort_whole_rows(rows, words)
    else:
        _Ranges(rows, words).sort()


def _sort_whole_rows(rows: Rows, words: Words) -> None:
    """Sorts some rows in a workgroup, one after another."""
    kernel = SortKernel(rows, "sort_rows_by_pivots")
    build = kernel.build
    source, (moved,) = kernel.buffer(rows.source, "in"), words.buffers(kernel)
    at_once = rows_at_once(rows)
    length, height, count = (kernel.index(expr) for expr in (rows.length, at_once, rows.count))
    first = build.group_id() * height
    quicksort = _Quicksort(kernel, words, moved)
    with build.loop(first, build.minimum(first + height, count)) as (row,):
        start = row * length
        here = start + start
        with build.loop(0, length, kind="lanes") as (i,):
            build.store(moved, here + i, words.encoded(kernel, build.load(source, start + i), i))
        quicksort.sort(length, here, here + length, start)
    kernel.launch(ceil_div(rows.count, at_once), rows.elements * 16)


class _Quicksort:
    """Sorts ranges of words into the result. Each range has scratch for as many words."""

    def __init__(self, kernel: SortKernel, words: Words, moved: Buffer) -> None:
        self.kernel, self.build, self.words, self.moved = kernel, kernel.build, words, moved
        self.result = kernel.buffer(words.rows.result, "out")
        self.stack = kernel.build.allocate(I64, len(_RANGE) * STACK)
        self.lanes = words.rows.machine.append_bits // words.dtype.bits
        self.leaf = kernel.build.allocate(words.dtype, RUN * self.lanes)

    def sort(self, size: Value, here: Value, room: Value, to: Value) -> None:
        """Sorts `size` words at position `here`, with scratch at position `room`, to position `to` of the
        result."""
        build, one = self.build, self.build.constant(1)
        self._push(build.constant(0), size, here, room, to, build.constant(False, BOOL))

        def remain(waiting: Value) -> Value:
            return waiting > 0

        def take(waiting: Value) -> Sequence[Value]:
            top = waiting - one
            at = top * len(_RANGE)
            size, here, room, to, uneven = (
                build.cast(build.load(self.stack, at + field), INDEX) for field in range(len(_RANGE))
            )

            def network() -> Sequence[Value]:
                self._sort_leaf(size, here, to)
                return (top,)

            def split() -> Sequence[Value]:
                return (self._split(size, here, room, to, uneven.differs(0), top),)

            return build.branch(size <= RUN * self.lanes, network, split)

        build.repeat_while((one,), remain, take)

    def _push(self, at: Value, *values: Value) -> None:
        for field, value in enumerate(values):
            self.build.store(self.stack, at * len(_RANGE) + field, self.build.cast(value, I64))

    def _sort_leaf(self, size: Value, here: Value, to: Value) -> None:
        build, leaf = self.build, self.leaf
        with build.loop(0, size, kind="lanes") as (i,):
            build.store(leaf, i, build.load(self.moved, here + i))
        sort_block(build, leaf, size, self.lanes)
        with build.loop(0, size, kind="lanes") as (i,):
            build.store(self.result, to + i, self.words.decoded(self.kernel, build.load(leaf, i)))

    def _split(
        self, size: Value, here: Value, room: Value, to: Value, uneven: Value, waiting: Value
    ) -> Value:
        """Splits a range, or writes it where all of its words are equal; returns the number of waiting
        ranges."""
        build = self.build

        def middle() -> Sequence[Value]:
            return self._middle(size, here)

        def of_nine() -> Sequence[Value]:
            return self._of_nine(here, size), build.constant(False, BOOL)

        pivot, equal = build.branch(uneven, middle, of_nine)

        def fill() -> Sequence[Value]:
            with build.loop(0, size, kind="lanes") as (i,):
                build.store(self.result, to + i, self.words.decoded(self.kernel, pivot))
            return (waiting,)

        def divide() -> Sequence[Value]:
            less = self._partition(size, here, room, pivot)
            rest = size - less
            far = build.minimum(less, rest) * UNEVEN < size
            first = less > rest
            ranges = zip((less, room, here + rest, to), (rest, here, room + less, to + less), strict=True)
            larger, smaller = zip(
                *((build.select(first, x, y), build.select(first, y, x)) for x, y in ranges), strict=True
            )
            self._push(waiting, *larger, far)
            self._push(waiting + 1, *smaller, far)
            return (waiting + 2,)

        return build.branch(equal, fill, divide)[0]

    def _partition(self, size: Value, here: Value, room: Value, pivot: Value) -> Value:
        """Moves words below the pivot to the scratch, and compacts the others in place; returns the number of
        those below."""
        build = self.build

        def move(i: Value, low: Value, high: Value) -> Sequence[Value]:
            word = build.load(self.moved, here + i)
            is_less = word < pivot
            build.store(self.moved, low, word)  # in the scratch, and where the range has been read
            build.store(self.moved, high, word)
            return low + build.cast(is_less, INDEX), high + build.cast(~is_less, INDEX)

        low, _ = build.carry(build.constant(0), size, (room, here), move, appends=True)
        return low - room

    def _of_nine(self, first: Value, size: Value) -> Value:
        """Returns the median of three medians of three words (J. Tukey's ninther)."""
        build = self.build
        drawn = [build.load(self.moved, first + (size * (2 * k + 1)) // 18) for k in range(9)]
        return _median(build, [_median(build, drawn[k::3]) for k in range(3)])

    def _middle(self, size: Value, here: Value) -> tuple[Value, Value]:
        """Returns a pivot above the least word and not above the greatest one, midway between them; and
        whether these are equal, where it is that word."""
        build, moved = self.build, self.moved
        first = build.load(moved, here)

        def term(i: Value) -> Sequence[Value]:
            word = build.load(moved, here + i)
            return word, word

        def combine(low: Value, high: Value, a: Value, b: Value) -> Sequence[Value]:
            return build.minimum(low, a), build.maximum(high, b)

        low, high = build.reduce(0, size, (first, first), term, combine)
        equal = low.equals(high)
        half = (low & high) + ((low ^ high) >> 1) + 1
        return build.select(equal, low, half), equal


def _median(build: KernelBuilder, words: Sequence[Value]) -> Value:
    x, y, z = words
    return build.maximum(build.minimum(x, y), build.minimum(build.maximum(x, y), z))


class _Ranges:
    """Long rows: each is split into ranges, in chunks, and a workgroup sorts each range."""

    def __init__(self, rows: Rows, words: Words) -> None:
        self.rows, self.words = rows, words
        self.chunks = Chunks(rows)
        self.splitters = rows.scratch(words.dtype, rows.count * (RANGES - 1))
        self.places = rows.scratch(rows.position_dtype(), self.chunks.groups * RANGES)
        self.starts = rows.scratch(rows.position_dtype(), rows.count * (RANGES + 1))

    def sort(self) -> None:
        self._sample()
        self._count()
        self._place()
        self._move()
        self._sort()

    def _sample(self) -> None:
        """Chooses splitters: words of a sorted sample, at equal distances."""
        kernel, words = SortKernel(self.rows, "choose_splitters"), self.words
        build, drawn = kernel.build, RANGES * SAMPLED
        source, splitters = kernel.buffer(self.rows.source, "in"), kernel.buffer(self.splitters, "out")
        length = kernel.index(self.rows.length)
        sample, ordered = (build.allocate(words.dtype, drawn + BLOCKS[words.dtype]) for _ in range(2))
        row = build.group_id()
        start, stride = row * length, length // drawn
        with build.loop(0, drawn) as (k,):
            at = k * stride + (k * 40503) % stride  # at no regular distances
            word = words.encoded(kernel, build.load(source, start + at), at)
            build.store(sample, k, word)
        for k, place in each_place(build, sample, build.constant(drawn)):
            build.store(ordered, place, build.load(sample, k))
        with build.loop(1, RANGES) as (k,):
            splitter = build.load(ordered, k * SAMPLED)
            build.store(splitters, row * (RANGES - 1) + (k - 1), splitter)
        kernel.launch(self.rows.count, self.rows.count * drawn * drawn)

    def _splitters(self, kernel: SortKernel, row: Value) -> list[Value]:
        buffer = kernel.buffer(self.splitters, "in")
        return [kernel.build.load(buffer, row * (RANGES - 1) + k) for k in range(RANGES - 1)]

    def _count(self) -> None:
        """Counts the words of each range, in every chunk."""
        kernel, words = SortKernel(self.rows, "count_ranges"), self.words
        build, dtype = kernel.build, words.dtype
        source, places = kernel.buffer(self.rows.source, "in"), kernel.buffer(self.places, "out")
        group = build.group_id()
        row, start, (lower, upper) = self.chunks.of_group(kernel, group)
        splitters = self._splitters(kernel, row)

        def term(i: Value) -> Sequence[Value]:
            word = words.encoded(kernel, build.load(source, start + i), i)
            return [build.cast(word >= value, dtype) for value in splitters]

        def combine(*values: Value) -> Sequence[Value]:
            half = len(values) // 2
            return [x + y for x, y in zip(values[:half], values[half:], strict=True)]

        none = [build.constant(0, dtype)] * len(splitters)
        above = [build.cast(value, INDEX) for value in build.reduce(lower, upper, none, term, combine)]
        bounds = [upper - lower, *above, build.constant(0)]
        for k in range(RANGES):
            build.store(places, group * RANGES + k, build.cast(bounds[k] - bounds[k + 1], places.dtype))
        kernel.launch(self.chunks.groups, self.rows.elements * 4)

    def _place(self) -> None:
        """Computes the places of each chunk's words in every range."""
        kernel = SortKernel(self.rows, "place_ranges")
        build, chunks = kernel.build, kernel.index(self.chunks.count)
        places, starts = kernel.buffer(self.places), kernel.buffer(self.starts, "out")
        row = build.group_id()
        first, zero = row * chunks, build.constant(0)

        def of_range(number: Value, before: Value) -> Sequence[Value]:
            build.store(starts, row * (RANGES + 1) + number, build.cast(before, starts.dtype))

            def of_chunk(chunk: Value, place: Value) -> Sequence[Value]:
                at = (first + chunk) * RANGES + number
                counted = build.cast(build.load(places, at), INDEX)
                build.store(places, at, build.cast(place, places.dtype))
                return (place + counted,)

            return build.carry(zero, chunks, (before,), of_chunk)

        (end,) = build.carry(zero, build.constant(RANGES), (zero,), of_range)
        build.store(starts, row * (RANGES + 1) + RANGES, build.cast(end, starts.dtype))
        kernel.launch(self.rows.count, self.chunks.groups * RANGES)

    def _move(self) -> None:
        """Moves the words of a chunk to their ranges."""
        kernel, words = SortKernel(self.rows, "move_to_ranges"), self.words
        build = kernel.build
        source, places = kernel.buffer(self.rows.source, "in"), kernel.buffer(self.places, "in")
        (moved,) = words.buffers(kernel)
        group = build.group_id()
        row, start, bounds = self.chunks.of_group(kernel, group)
        splitters = self._splitters(kernel, row)
        here = start + start
        first = [here + build.cast(build.load(places, group * RANGES + k), INDEX) for k in range(RANGES)]

        def chosen(i: Value) -> tuple[Value, Sequence[Value]]:
            word = words.encoded(kernel, build.load(source, start + i), i)
            above = [word >= value for value in splitters]
            return word, [~above[0], *(x & ~y for x, y in pairwise(above)), above[-1]]

        append(build, self.rows.machine, moved, bounds, first, chosen)
        kernel.launch(self.chunks.groups, self.rows.elements * 8)

    def _sort(self) -> None:
        kernel = SortKernel(self.rows, "sort_ranges")
        build, length = kernel.build, kernel.index(self.rows.length)
        (moved,), starts = self.words.buffers(kernel), kernel.buffer(self.starts, "in")
        group = build.group_id()
        row, number = group // RANGES, group % RANGES
        at = row * (RANGES + 1) + number
        lower, upper = (build.cast(build.load(starts, at + k), INDEX) for k in (0, 1))
        start = row * length
        here = start + start + lower
        _Quicksort(kernel, self.words, moved).sort(upper - lower, here, here + length, start + lower)
        kernel.launch(self.rows.count * RANGES, self.rows.elements * 16)
