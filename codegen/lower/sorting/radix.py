"""Radix sort of rows on a processor, least significant digit first.

Each pass counts the occurrences of each digit, and then moves every element behind those of smaller digits,
equal ones in their order. Digits that all elements of a row share take no pass. Rows that are not long are
sorted by a workgroup each, in its cache; wide keys by their first digits, which mostly leaves few inversions
for an insertion sort, or else by all digits. Long rows are cut in chunks, one for each workgroup: the
elements of a digit go behind those of the chunks before. (H. Seward, Information Sorting in the Application
of Electronic Digital Computers to Business Operations, 1954; in chunks: M. Zagha and G. Blelloch, Radix Sort
for Vector Multiprocessors, 1991.) The keys alternate between the halves of one buffer: the final half depends
on the number of passes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ....ir.expr import ceil_div
from ....ir.types import BOOL, I32, INDEX
from ...kernel.nodes import Buffer, Value
from .chunks import Chunks, are_whole, rows_at_once
from .rows import Rows, SortKernel
from .words import DIGITS, Words

FIRST_DIGITS = 3
"""Digits by which much wider words are sorted first: few inversions remain."""
MOST_STEPS = 4
"""Steps for each element that the insertion sort may take; beyond that the other digits are sorted too."""


def sort_by_digits(rows: Rows, words: Words) -> None:
    if are_whole(rows):
        _sort_whole_rows(rows, words)
    else:
        _Chunks(rows, words).sort()


class _Pass:
    """A pass over one digit of the elements in a range, with its table of counts."""

    def __init__(
        self, kernel: SortKernel, words: Words, moved: Sequence[Buffer], bounds: tuple[Value, Value]
    ) -> None:
        self.kernel, self.build, self.words, self.moved = kernel, kernel.build, words, moved
        self.lower, self.upper = bounds

    def count(self, table: Buffer, start: Value, shift: Value) -> None:
        """Counts the occurrences of each digit; `start`: the row's position among the words."""
        build, dtype = self.build, table.dtype
        one = build.constant(1, dtype)
        with build.loop(self.lower, self.upper) as (i,):
            word = build.load(self.moved[0], start + i)
            digit = self.words.digit(self.kernel, word, shift)
            build.store(table, digit, build.load(table, digit) + one)

    def count_all(self, tables: Buffer, start: Value) -> None:
        """Counts all digits of the row's words at `start`, each in a table of its own."""
        build, dtype, passes = self.build, tables.dtype, self.words.passes
        one = build.constant(1, dtype)
        with build.loop(0, passes * DIGITS, kind="lanes") as (digit,):
            build.store(tables, digit, build.constant(0, dtype))
        with build.loop(self.lower, self.upper) as (i,):
            word = build.load(self.moved[0], start + i)
            for digit_pass in range(passes):
                shift = self.words.shift(self.kernel, build.constant(digit_pass))
                digit = self.words.digit(self.kernel, word, shift)
                at = digit + digit_pass * DIGITS
                build.store(tables, at, build.load(tables, at) + one)

    def move(self, tables: Buffer, table: Value, source: Value, target: Value, shift: Value) -> None:
        """Moves the elements from the row at `source` to that at `target`, by the places in the table that
        begins at `table`."""
        build = self.build
        one = build.constant(1, tables.dtype)
        with build.loop(self.lower, self.upper) as (i,):
            loaded = [build.load(each, source + i) for each in self.moved]
            digit = self.words.digit(self.kernel, loaded[0], shift)
            entry = table + digit
            place = build.load(tables, entry)
            build.store(tables, entry, place + one)
            at = target + build.cast(place, INDEX)
            for buffer, value in zip(self.moved, loaded, strict=True):
                build.store(buffer, at, value)

    def insert(self, start: Value) -> Value:
        """Insertion sort, as long as it takes few steps; returns whether it has finished."""
        build = self.build
        zero, one = build.constant(0), build.constant(1)
        most = (self.upper - self.lower) * MOST_STEPS

        def before(place: Value) -> Value:
            return start + build.maximum(place - one, zero)

        def put(i: Value, steps: Value) -> Sequence[Value]:
            here = start + i
            loaded = [build.load(buffer, here) for buffer in self.moved]

            def is_larger(place: Value, _steps: Value) -> Value:
                larger = build.load(self.moved[0], before(place)) > loaded[0]
                return (zero < place) & larger

            def shift(place: Value, steps: Value) -> Sequence[Value]:
                for buffer in self.moved:
                    build.store(buffer, start + place, build.load(buffer, before(place)))
                return place - one, steps + one

            def insert() -> Sequence[Value]:
                place, taken = build.repeat_while((i, steps), is_larger, shift)
                for buffer, value in zip(self.moved, loaded, strict=True):
                    build.store(buffer, start + place, value)
                return (taken,)

            wrong = build.load(self.moved[0], before(i)) > loaded[0]
            tries = wrong & (steps < most)
            return build.branch(tries, insert, lambda: (steps,))

        (steps,) = build.carry(self.lower, self.upper, (zero,), put)
        return steps < most


def _encode(
    kernel: SortKernel,
    words: Words,
    source: Buffer,
    moved: Sequence[Buffer],
    rows: tuple[Value, Value],
    bounds: tuple[Value, Value],
) -> Value:
    """Writes the keys of a range of a row; returns the bits in which they differ from the row's first one.
    `rows`: the row's position in the source, and among the words."""
    build, (start, to) = kernel.build, rows
    # The position in a key always differs, but belongs to no digit.
    first = words.encoded(kernel, build.load(source, start), build.constant(0))

    def term(i: Value) -> Sequence[Value]:
        word = words.encoded(kernel, build.load(source, start + i), i)
        build.store(moved[0], to + i, word)
        if words.position_dtype is not None:
            build.store(moved[1], to + i, build.cast(i, words.position_dtype))
        return (word ^ first,)

    def combine(x: Value, y: Value) -> Sequence[Value]:
        return (x | y,)

    (differing,) = build.reduce(*bounds, (build.constant(0, words.dtype),), term, combine)
    return differing


def _clear(kernel: SortKernel, table: Buffer) -> None:
    build = kernel.build
    with build.loop(0, DIGITS, kind="lanes") as (digit,):
        build.store(table, digit, build.constant(0, table.dtype))


def _sort_whole_rows(rows: Rows, words: Words) -> None:
    """Sorts some rows in a workgroup, one after another."""
    kernel = SortKernel(rows, "sort_rows_by_digits")
    build = kernel.build
    source, result = kernel.buffer(rows.source, "in"), kernel.buffer(rows.result, "out")
    moved = words.buffers(kernel)
    at_once = rows_at_once(rows)
    length, height, count = (kernel.index(expr) for expr in (rows.length, at_once, rows.count))
    tables = build.allocate(I32, words.passes * DIGITS)
    zero = build.constant(0)
    first = build.group_id() * height
    last = build.minimum(first + height, count)
    with build.loop(first, last) as (row,):
        start = row * length
        here = start + start
        differing = _encode(kernel, words, source, moved, (start, here), (zero, length))
        digit_pass = _Pass(kernel, words, moved, (zero, length))

        there = here + length
        at = _sort_row(kernel, words, digit_pass, tables, differing, (here, there))
        with build.loop(zero, length, kind="lanes") as (i,):
            build.store(result, start + i, words.result(kernel, moved, at + i))
    kernel.launch(ceil_div(rows.count, at_once), rows.elements * (2 * words.passes + 1))


def _sort_row(
    kernel: SortKernel,
    words: Words,
    digit_pass: _Pass,
    tables: Buffer,
    differing: Value,
    sides: tuple[Value, Value],
) -> Value:
    """Sorts the words of a row, which are at the first of two sides; returns the final side."""
    build, passes = kernel.build, words.passes
    zero, none = build.constant(0), build.constant(0, I32)

    def sort_digit(number: Value, at: Value, to: Value) -> Sequence[Value]:
        shift = words.shift(kernel, number)

        def sort() -> Sequence[Value]:
            table = number * DIGITS

            def place(digit: Value, before: Value) -> Sequence[Value]:
                counted = build.load(tables, digit)
                build.store(tables, digit, before)
                return (before + counted,)

            build.carry(table, table + DIGITS, (none,), place)
            digit_pass.move(tables, table, at, to, shift)
            return to, at

        return build.branch(words.varies(kernel, differing, shift), sort, lambda: (at, to))

    def sort_from(first: Value, at: Value, to: Value) -> tuple[Value, ...]:
        digit_pass.count_all(tables, at)
        return build.carry(first, passes, (at, to), sort_digit)

    if passes <= FIRST_DIGITS + 1:
        return sort_from(zero, *sides)[0]

    def highest(number: Value, known: Value) -> Sequence[Value]:
        varies = words.varies(kernel, differing, words.shift(kernel, number))
        return (build.select(varies, number, known),)

    (last,) = build.carry(zero, passes, (zero,), highest)
    first = build.maximum(last - (FIRST_DIGITS - 1), zero)

    def go_on(_at: Value, _to: Value, _first: Value, more: Value) -> Value:
        return more

    def attempt(at: Value, to: Value, first: Value, _more: Value) -> Sequence[Value]:
        at, to = sort_from(first, at, to)

        def mend() -> Sequence[Value]:
            return (~digit_pass.insert(at),)

        (more,) = build.branch(zero < first, mend, lambda: (build.constant(False, BOOL),))
        return at, to, zero, more

    state = (*sides, first, build.constant(True, BOOL))
    return build.repeat_while(state, go_on, attempt)[0]


class _Chunks:
    """Long rows, with a workgroup for each chunk."""

    def __init__(self, rows: Rows, words: Words) -> None:
        self.rows, self.words = rows, words
        self.chunks = Chunks(rows)
        self.counts = rows.scratch(rows.position_dtype(), self.chunks.groups * DIGITS)
        self.differing = rows.scratch(words.dtype, self.chunks.groups)

    def sort(self) -> None:
        self._encode()
        kernels = self._count(), self._place(), self._move()
        groups = self.chunks.groups, self.rows.count, self.chunks.groups
        for digit_pass in range(self.words.passes):
            for kernel, count in zip(kernels, groups, strict=True):
                kernel.launch(count, self.rows.elements, (digit_pass,))
        self._decode()

    def _encode(self) -> None:
        kernel = SortKernel(self.rows, "write_keys")
        source, moved = kernel.buffer(self.rows.source, "in"), self.words.buffers(kernel)
        differing = kernel.buffer(self.differing, "out")
        group = kernel.build.group_id()
        _, start, bounds = self.chunks.of_group(kernel, group)
        value = _encode(kernel, self.words, source, moved, (start, start + start), bounds)
        kernel.build.store(differing, group, value)
        kernel.launch(self.chunks.groups, self.rows.elements)

    def _state(
        self, kernel: SortKernel, differing: Buffer, row: Value, digit_pass: Value
    ) -> tuple[Value, Value]:
        """Returns whether elements of a row differ in the digit of a pass, and the number of earlier digits
        in which they do."""
        build = kernel.build
        chunks = kernel.index(self.chunks.count)
        first, zero = row * chunks, build.constant(0)

        def join(chunk: Value, known: Value) -> Sequence[Value]:
            return (known | build.load(differing, first + chunk),)

        (bits,) = build.carry(zero, chunks, (build.constant(0, self.words.dtype),), join)

        def add(before: Value, taken: Value) -> Sequence[Value]:
            varies = self.words.varies(kernel, bits, self.words.shift(kernel, before))
            return (taken + build.cast(varies, INDEX),)

        (taken,) = build.carry(zero, digit_pass, (zero,), add)
        return self.words.varies(kernel, bits, self.words.shift(kernel, digit_pass)), taken

    def _sides(self, kernel: SortKernel, here: Value, taken: Value) -> tuple[Value, Value]:
        """Returns the source and the destination of a row's words after so many passes."""
        build, length = kernel.build, kernel.index(self.rows.length)
        there = here + length
        odd = (taken % 2).differs(0)
        return build.select(odd, there, here), build.select(odd, here, there)

    def _pass_kernel(
        self, name: str, write: Callable[[SortKernel, Buffer, _Pass, tuple[Value, ...]], None]
    ) -> SortKernel:
        kernel = SortKernel(self.rows, name)
        build, digit_pass = kernel.build, kernel.parameter()
        moved = self.words.buffers(kernel)
        differing, counts = kernel.buffer(self.differing, "in"), kernel.buffer(self.counts)
        group = build.group_id()
        row, start, bounds = self.chunks.of_group(kernel, group)
        varies, taken = self._state(kernel, differing, row, digit_pass)
        at, to = self._sides(kernel, start + start, taken)
        with build.when(varies):
            own = group * DIGITS
            shift = self.words.shift(kernel, digit_pass)
            write(kernel, counts, _Pass(kernel, self.words, moved, bounds), (own, at, to, shift))
        return kernel

    def _count(self) -> SortKernel:
        def write(kernel: SortKernel, counts: Buffer, digit_pass: _Pass, given: tuple[Value, ...]) -> None:
            own, at, _, shift = given
            build = kernel.build
            table = build.allocate(counts.dtype, DIGITS)
            _clear(kernel, table)
            digit_pass.count(table, at, shift)
            with build.loop(0, DIGITS, kind="lanes") as (digit,):
                build.store(counts, own + digit, build.load(table, digit))

        return self._pass_kernel("count_digits", write)

    def _place(self) -> SortKernel:
        """Computes the first place of each digit's elements, by chunk; a workgroup for each row."""
        kernel = SortKernel(self.rows, "place_digits")
        build, digit_pass = kernel.build, kernel.parameter()
        differing, counts = kernel.buffer(self.differing, "in"), kernel.buffer(self.counts)
        row, chunks = build.group_id(), kernel.index(self.chunks.count)
        varies, _ = self._state(kernel, differing, row, digit_pass)
        zero, first = build.constant(0), row * chunks

        def of_digit(digit: Value, before: Value) -> Sequence[Value]:
            def of_chunk(chunk: Value, place: Value) -> Sequence[Value]:
                at = (first + chunk) * DIGITS + digit
                counted = build.load(counts, at)
                build.store(counts, at, place)
                return (place + counted,)

            return build.carry(zero, chunks, (before,), of_chunk)

        with build.when(varies):
            build.carry(zero, DIGITS, (build.constant(0, counts.dtype),), of_digit)
        return kernel

    def _move(self) -> SortKernel:
        def write(kernel: SortKernel, counts: Buffer, digit_pass: _Pass, given: tuple[Value, ...]) -> None:
            own, at, to, shift = given
            build = kernel.build
            table = build.allocate(counts.dtype, DIGITS)
            with build.loop(0, DIGITS, kind="lanes") as (digit,):
                build.store(table, digit, build.load(counts, own + digit))
            digit_pass.move(table, build.constant(0), at, to, shift)

        return self._pass_kernel("move_by_digit", write)

    def _decode(self) -> None:
        kernel = SortKernel(self.rows, "read_keys")
        build = kernel.build
        result, moved = kernel.buffer(self.rows.result, "out"), self.words.buffers(kernel)
        differing = kernel.buffer(self.differing, "in")
        group = build.group_id()
        row, start, (lower, upper) = self.chunks.of_group(kernel, group)
        varies, before = self._state(kernel, differing, row, build.constant(self.words.passes - 1))
        taken = before + build.cast(varies, INDEX)
        at, _ = self._sides(kernel, start + start, taken)
        with build.loop(lower, upper, kind="lanes") as (i,):
            build.store(result, start + i, self.words.result(kernel, moved, at + i))
        kernel.launch(self.chunks.groups, self.rows.elements)
