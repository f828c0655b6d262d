"""Rows that a processor's workgroups take whole, and the chunks of long ones."""

from __future__ import annotations

from ....ir.expr import Expr, ceil_div, const, less, maximum, minimum
from ...kernel.nodes import Value
from .rows import Rows, SortKernel

CHUNK = 32768
"""The least elements of a chunk that is sorted."""
READ_CHUNK = 16384
"""The least elements of a chunk that is only read, or split by a pivot."""
MOST_CHUNKS = 16
ENOUGH_ROWS = 16
"""Rows that occupy all threads, one for each."""
AT_ONCE = 4096
"""The approximate number of elements of a workgroup that takes several rows or chunks."""


def are_whole(rows: Rows) -> bool:
    """Whether each row is sorted by one workgroup: there are many of them, or they are not long."""
    many = rows.decide(less(ENOUGH_ROWS, rows.count)) and rows.decide(less(rows.length, 1 << 31))
    return many or rows.decide(less(rows.length, 2 * CHUNK))


def rows_at_once(rows: Rows) -> Expr:
    """Returns the number of whole rows of a workgroup."""
    return at_once(rows.length)


def at_once(length: Expr) -> Expr:
    """Returns the number of rows or chunks of a workgroup that takes several."""
    return maximum(const(AT_ONCE) // maximum(length, 1), 1)


def read_chunks(rows: Rows, count: Expr) -> Expr:
    """Returns the chunks of a row where each of `count` rows is read: 1 where these are many, or not long."""
    if rows.decide(less(ENOUGH_ROWS, count)) or rows.decide(less(rows.length, 2 * READ_CHUNK)):
        return const(1)
    return minimum(ceil_div(rows.length, READ_CHUNK), MOST_CHUNKS)


class Chunks:
    """The chunks of long rows, a workgroup for each."""

    def __init__(self, rows: Rows) -> None:
        self.length = rows.length
        self.count: Expr = minimum(ceil_div(rows.length, CHUNK), MOST_CHUNKS)
        """Chunks of a row."""
        self.size: Expr = ceil_div(rows.length, self.count)
        self.groups: Expr = rows.count * self.count

    def of_group(self, kernel: SortKernel, group: Value) -> tuple[Value, Value, tuple[Value, Value]]:
        """Returns the number of the row, its position in the array, and the bounds of the chunk in it."""
        build = kernel.build
        chunks, size, length = (kernel.index(each) for each in (self.count, self.size, self.length))
        row, chunk = group // chunks, group % chunks
        start = row * length
        # The last chunks of a row may be empty.
        lower = build.minimum(chunk * size, length)
        upper = build.minimum(lower + size, length)
        return row, start, (lower, upper)
