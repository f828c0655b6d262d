"""Lists that a loop appends to: the appended items become rows of arrays that the loop writes.

An iteration appends *entries*: values with one pattern each, or a run of rows from an inner loop. Each entry
has arrays of its own, with a row for each iteration, which are written like any array from outside of the
loop.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy

from .. import api
from ..base.arguments import check_size
from ..errors import TraceError
from ..ir import ops
from ..ir.interpret import complete
from ..ir.node import Node, topological
from ..ir.record import mutable
from ..tracing.arguments.growing_list import GrowingList, elements_of
from ..tracing.lists.row_values import Run, row_at, rows_in, run_of, sections
from ..tracing.values.cells import Cell
from ..tracing.values.concrete import is_known
from ..tracing.values.regions import outside_value
from ..tracing.values.traced import ARRAY, NUMBER, TracedArray
from ..tracing.values.traced_frame import TraceFrame
from .aliases import lists_in, share, tie
from .carried import build, carries, inner_lists, leaves, nodes_of, of_items, unchanged
from .patterns import Carry, Pattern, Unsettled
from .region import CaptureRegion
from .values import joined, pattern_of

_WHAT = "what is appended to a list"


class Entry(metaclass=mutable):
    """The values that each iteration appends at one place."""

    count: int
    """The number of rows of an array; 0 for a single value."""
    pattern: Pattern
    arrays: list[TracedArray]
    """The arrays of its carried values: [iterations, *shape], or [iterations, count, *shape]."""


class TableNeeded(BaseException):
    """An item that an earlier iteration has appended is read: the iteration is traced again."""

    def __init__(self, growth: Growth) -> None:
        self.growth = growth


class Growth:
    """A list that may grow in a loop with a known trip count. `raises(failed, error)` records an
    exception."""

    def __init__(
        self,
        frame: TraceFrame,
        values: GrowingList,
        iterations: tuple[int, int],
        raises: Callable[[Any, Exception], None],
    ) -> None:
        self.frame = frame
        self.list = values
        self.enclosing = values.earlier, values.is_grown
        self.before = elements_of(values)
        self.first, self.iterations = iterations
        self.raises = raises
        self.entries: list[Entry] = []
        self.table: list[TracedArray] | None = None
        """The arrays of all items, those before the loop first, where items at positions are read."""
        self.pattern: Pattern | None = None
        """The pattern of the items in the table."""
        self.is_read = False
        """Whether items from before an iteration are read."""
        self.is_stale = False
        """Whether its arrays are outdated by a change of its entries."""
        self.counter: Any = None
        self.versions: list[tuple[TracedArray, int]] = []
        """The versions of the table at the start of an iteration."""
        self.cells: list[Cell] = []
        """Arrays from outside of the loop that its items may alias, and other arrays of items."""
        self.places: set[int] = set()
        """The positions of the carried values that its items may alias."""

    # In an iteration

    def enter(self, counter: TracedArray) -> None:
        """Starts an iteration: the list answers for any iteration."""
        self.counter = counter
        self.versions = [(array, array._cell.version) for array in self.table or ()]
        self.list.earlier = self
        self.list.is_grown = self.enclosing[1] or bool(self.entries)

    def leave(self) -> None:
        self.list.earlier, self.list.is_grown = self.enclosing

    @property
    def iteration(self) -> Any:
        return self.counter - self.first if self.first else self.counter

    @property
    def appended(self) -> list[Any]:
        """Returns the items that this iteration has appended so far."""
        return elements_of(self.list)[len(self.before) :]

    @property
    def each_iteration(self) -> int:
        return sum(max(entry.count, 1) for entry in self.entries)

    def length(self) -> Any:
        base = len(elements_of(self.list))
        earlier = self.enclosing[0]
        if self.enclosing[1] and earlier is not None:  # of a loop inside another that appends too
            base = earlier.length()
        return base + self.iteration * self.each_iteration if self.entries else base

    def at(self, index: Any) -> Any:
        items, own = elements_of(self.list), len(self.appended)
        enclosing = self.enclosing[0]
        if enclosing is not None and not own and not self.entries:
            return enclosing.at(index)
        if self.enclosing[1]:
            if isinstance(index, int) and -own <= index < 0:
                return items[index]
            raise TraceError("a list that two loops append to, one in the other, is asked for an item")
        if not isinstance(index, TracedArray):
            index = index.__index__()
            if not self.entries or -own <= index < 0 or 0 <= index < len(self.before):
                return items[index]
        elif not items and not self.entries:
            raise IndexError("list index out of range")
        elif index.shape or not index._dtype.is_integer:
            raise TypeError(f"list indices must be integers or slices, not {index._described()}")
        elif own:
            raise TraceError("a list is asked for an item at a traced position after it was appended to")
        return self._row(index, own)

    def _row(self, index: Any, own: int) -> Any:
        """Returns an item from before this iteration."""
        if self.table is None:
            raise TableNeeded(self)
        pattern = self.pattern
        assert pattern is not None
        start = len(self.before)
        before = start + self.iteration * self.each_iteration if self.entries else start
        if isinstance(index, int):
            position = index + own + before if index < 0 else index
            is_inside = index < 0 and -(index + own) <= start
        else:
            position, is_inside = index, self._is_inside(index)
            if not is_inside:
                position = index + (index < 0) * before
        if not is_inside:
            self.raises((position >= 0) & (position < before), IndexError("list index out of range"))
        found = [
            row_at(array, position, carry.kind)
            for array, carry in zip(self.table, carries(pattern), strict=True)
        ]
        made = build(pattern, iter(found))
        share(lists_in([made]))  # copies of the lists in it, which nobody may write to
        return made

    def _is_inside(self, index: TracedArray) -> bool:
        """Whether a position depends on the counter, and is in range in all iterations."""
        counter, iterations = self.counter._cell, numpy.arange(self.iterations)
        if index._cell.frame is not counter.frame:
            return False
        node = index._node(counter.frame.graph)
        if any(each.op.family not in ("leaf", "elementwise") for each in topological([node])):
            return False
        values: dict[Node, numpy.ndarray] = {}

        def counted(leaf: Node) -> numpy.ndarray | None:
            return iterations + self.first if leaf is counter.node else None

        if not is_known(node, values, set(), counted):
            return False
        complete([node], values)
        return bool(
            ((values[node] >= 0) & (values[node] < len(self.before) + iterations * self.each_iteration)).all()
        )

    def _of_items(self, pattern: Pattern | None) -> Pattern:
        """Returns the pattern of the items in the list before the loop."""
        frame = self.frame
        for each in self.before:
            try:
                pattern = pattern_of(frame, each) if pattern is None else joined(frame, pattern, each)
            except Unsettled as error:
                raise TraceError(f"the items of a list differ: {error}") from None
        assert pattern is not None
        return of_items(pattern)

    def _filled(self, pattern: Pattern) -> list[TracedArray]:
        """Returns arrays with the items before the loop, and a row for each iteration."""
        frame, count = self.frame, len(self.before)
        arrays = [self._array(carry, count) for carry in carries(pattern)]
        run = run_of(self.before) if isinstance(pattern, Carry) else None
        if run is not None:
            arrays[0][:count] = run.array()
            return arrays
        columns = [
            [outside_value(frame, node) for node in nodes]
            for nodes in zip(*(nodes_of(frame, pattern, each, _WHAT) for each in self.before), strict=True)
        ]
        for array, column in zip(arrays, columns, strict=False):
            array[:count] = api.movement.stack(column)
        return arrays

    def _array(self, carry: Carry, before: int, count: int = 0) -> TracedArray:
        frame = self.frame
        shape = (before + self.iterations, *((count,) if count else ()), *carry.shape)
        check_size(shape, max(carry.dtype.bits // 8, 1), _WHAT)
        graph = frame.begin()
        return outside_value(frame, graph.make(ops.undefined, attributes=(shape, carry.dtype)))

    # Before an iteration

    def prepare(self) -> None:
        """Makes the arrays of changed entries."""
        if not self.is_stale:
            return
        self.is_stale, self.table = False, None
        if self.is_read:
            if len(self.entries) > 1 or (self.entries and self.entries[0].count):
                raise TraceError(
                    "a list that gets several items in an iteration is asked for one of an iteration before"
                )
            self.pattern = self._of_items(self.entries[0].pattern if self.entries else None)
            self.table = self._filled(self.pattern)
            for entry in self.entries:
                entry.pattern, entry.arrays = self.pattern, self.table
            return
        for entry in self.entries:
            entry.arrays = [self._array(carry, 0, entry.count) for carry in carries(entry.pattern)]

    def read(self) -> None:
        """Marks that items at positions are read."""
        self.is_read = self.is_stale = True

    # At the end of an iteration

    def take(self, region: CaptureRegion) -> bool:
        """Compares the items that an iteration has appended with the known entries; returns whether they
        agree, and writes them if so."""
        if any(array._cell.version != version for array, version in self.versions):
            raise TraceError("an item of a list is written to in a loop that appends to the list")
        appended = self._sections()
        if not appended and not self.entries:
            return True
        settled = len(appended) == len(self.entries)
        entries: list[Entry] = []
        for number, each in enumerate(appended):
            count = each.count if isinstance(each, Run) else 0
            known = self.entries[number] if number < len(self.entries) else None
            if known is not None and known.count != count:
                known = None
            try:
                pattern = self._pattern(region, known, each)
            except Unsettled as error:
                raise TraceError(f"{_WHAT} in a loop cannot be settled: {error}") from None
            if known is not None and unchanged(known.pattern, pattern):
                entries.append(known)
                continue
            settled = False
            entries.append(Entry(count, pattern, []))
        self.entries = entries
        if not settled:
            self.is_stale = True
            return False
        for entry, each in zip(entries, appended, strict=True):
            self._write(region, entry, each)
        return True

    def _pattern(self, region: CaptureRegion, known: Entry | None, each: Any) -> Pattern:
        if isinstance(each, Run):
            array = each.array()
            found: Pattern = Carry(array._dtype, array.shape[1:], each.kind)
        elif known is None:
            found = of_items(pattern_of(region, each))
        else:
            found = of_items(joined(region, known.pattern, each))
        if any(carry.kind == ARRAY and not carry.shape for carry in carries(found)):
            raise Unsettled("it is an array without axes")
        return found

    def _sections(self) -> list[Any]:
        """Returns the appended items as single values and runs of rows."""
        appended = self.appended
        found = sections(appended) if len(appended) > 1 else None
        if found is None:
            return appended
        return [each for part in found for each in ([part] if isinstance(part, Run) else part)]

    def _write(self, region: CaptureRegion, entry: Entry, each: Any) -> None:
        row = (
            self.iteration + len(self.before)
            if entry.arrays is self.table and self.before
            else self.iteration
        )
        if isinstance(each, Run):
            entry.arrays[0][row] = each.array()
            return
        nodes = nodes_of(region, entry.pattern, each, _WHAT)
        for array, carry, node in zip(entry.arrays, carries(entry.pattern), nodes, strict=True):
            array[row] = outside_value(region, node, ARRAY if carry.shape else NUMBER)

    def kept_arrays(self) -> Iterator[tuple[TracedArray, TracedArray]]:
        """Returns the arrays that this iteration has appended, and those that contain them."""
        for entry, each in zip(self.entries, self._sections(), strict=True):
            if isinstance(each, Run):
                if each.kind == ARRAY:
                    yield each.array(), entry.arrays[0]
                continue
            for leaf, array in zip(leaves(entry.pattern, each), entry.arrays, strict=True):
                if isinstance(leaf, TracedArray) and leaf._kind == ARRAY:
                    yield leaf, array

    # After the loop

    def finish(self) -> None:
        """Appends the items of all iterations."""
        if not self.entries:
            return
        columns = [self._items(entry) for entry in self._whole_entries()]
        if len(columns) == 1:
            list.extend(self.list, columns[0])
            return
        sizes = [max(entry.count, 1) for entry in self.entries]
        for iteration in range(self.iterations):
            for size, column in zip(sizes, columns, strict=True):
                list.extend(self.list, column[iteration * size : (iteration + 1) * size])

    def _whole_entries(self) -> list[Entry]:
        """Returns the entries as one, where they are equal in form."""
        first = self.entries[0]
        alike = all(unchanged(entry.pattern, first.pattern) for entry in self.entries)
        alike = alike and not any(inner_lists(first.pattern))
        if len(self.entries) == 1 or not alike:
            return self.entries
        arrays = []
        for parts in zip(*(entry.arrays for entry in self.entries), strict=True):
            blocks = [
                part if entry.count else api.movement.expand_dims(part, 1)
                for entry, part in zip(self.entries, parts, strict=True)
            ]
            whole = api.movement.concat(blocks, axis=1)
            whole._cell.ties = tuple(each for part in parts for each in part._cell.ties)
            arrays.append(whole)
        return [Entry(self.each_iteration, first.pattern, arrays)]

    def _items(self, entry: Entry) -> list[Any]:
        columns: list[list[Any]] = []
        start = len(self.before) if entry.arrays is self.table else 0
        parts = zip(entry.arrays, carries(entry.pattern), inner_lists(entry.pattern), strict=True)
        for array, carry, inner in parts:
            if inner is not None:
                flat = self._flat(array, (array.shape[0] * inner.count, *carry.shape[1:]))
                rows, size = rows_in(flat, inner.kind), inner.count
                columns.append(
                    [GrowingList(rows[row : row + size]) for row in range(start * size, len(rows), size)]
                )
                continue
            if entry.count:
                array = self._flat(array, (self.iterations * entry.count, *carry.shape))
            columns.append(rows_in(array, carry.kind, start))
        if isinstance(entry.pattern, Carry):
            return columns[0]
        if not columns:
            return [build(entry.pattern, iter(())) for _ in range(self.iterations * max(entry.count, 1))]
        return [build(entry.pattern, iter(row)) for row in zip(*columns, strict=True)]

    def _flat(self, array: TracedArray, shape: tuple[int, ...]) -> TracedArray:
        graph = self.frame.begin()
        made = outside_value(self.frame, graph.make(ops.reshape, array._node(graph), attributes=(shape,)))
        made._cell.ties = array._cell.ties
        return made


class Growths:
    """The lists that may grow in a loop."""

    def __init__(
        self,
        frame: TraceFrame,
        lists: Sequence[GrowingList],
        iterations: tuple[int, int],
        raises: Callable[[Any, Exception], None],
    ) -> None:
        self.each = [Growth(frame, values, iterations, raises) for values in lists]
        self.kept: list[tuple[Growth, TracedArray, TracedArray]] = []
        """The arrays that the last iteration has appended, and those that contain them."""
        self.kept_lists: list[list[Any]] = []
        """The lists that it has appended."""

    def enter(self, counter: TracedArray) -> None:
        for growth in self.each:
            growth.enter(counter)

    def leave(self) -> None:
        for growth in self.each:
            growth.leave()

    def prepare(self) -> None:
        for growth in self.each:
            growth.prepare()

    def take(self, region: CaptureRegion) -> bool:
        """Compares the items that an iteration has appended with the known entries; returns whether they
        agree."""
        found = [growth.take(region) for growth in self.each]
        return all(found)

    def keep(self) -> None:
        """Records the appended items for `check_kept`."""
        self.kept = [(growth, *pair) for growth in self.grown for pair in growth.kept_arrays()]
        self.kept_lists = [each for growth in self.grown for each in lists_in(growth.appended)]

    @property
    def grown(self) -> list[Growth]:
        return [growth for growth in self.each if growth.entries]

    def finish(self, carried: Sequence[Any]) -> None:
        """Appends the items of all iterations. `carried`: the carried values after the loop."""
        for growth in self.grown:
            cells = [*growth.cells, *(carried[place]._cell for place in sorted(growth.places))]
            for entry in growth.entries:
                for array in entry.arrays:
                    tie(array, [cell for cell in cells if cell is not array._cell], frozenset(), False)
        for growth in self.grown:
            growth.finish()
