"""Rows of one array as the items of a list, and such lists as the arrays that they are rows of.

A loop that appends to a list leaves an array, and in the list a `RowValue` for each row of it: the list is
one of Python's, and functions of the whole list take the array.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ...api.array.lazy_array import UNROLL_LIMIT
from ...api.calls import operand
from ...arrays.indexing import view_at
from ...arrays.promotion import Weak
from ...arrays.views import View
from ...errors import TraceError
from ...ir.node import Node
from ..arguments.returned_rows import CHOSEN, CLASSED, COLUMNS, CONSTANTS, ITEM, LISTS, OPTIONAL, ROWS, Form
from ..environment.user_code import class_where_asked
from ..values.cells import Cell
from ..values.concrete import is_of_mask
from ..values.traced import NUMBER, TracedArray, needs_capture

LEAST = 8
"""Shorter lists are taken item by item."""


class Rows:
    """The items at so many positions, each made when asked for."""

    __class__ = property(class_where_asked)
    _stands_for: type = object

    def __init__(self, count: int, at: Callable[[Any], Any]) -> None:
        self.count = count
        self.at = at
        self._next = 0

    def __iter__(self) -> Iterator[Any]:
        if self.count > UNROLL_LIMIT:
            raise needs_capture(
                TraceError(
                    f"iterating over {self.count} elements makes a program of as many parts (the limit is "
                    f"{UNROLL_LIMIT}); write it with whole arrays, or with jf.fori_loop"
                )
            )
        return (self.at(position) for position in range(self.count))

    def __next__(self) -> Any:
        if self._next >= self.count:
            raise StopIteration
        self._next += 1
        return self.at(self._next - 1)


class RowValue(TracedArray):
    """A row of an array, whose view is made when asked for."""

    __slots__ = ("_path_of_row", "_position")

    def __init__(self, cell: Cell, position: int, kind: int) -> None:
        self._cell = cell
        self._position = position
        self._kind = kind
        self._read_only = False
        self._shape = cell.node.shape[1:]
        self._within = None
        self._seen_of = None
        self._path_of_row: View | None = None

    @property
    def _path(self) -> View:  # type: ignore[override]
        if self._path_of_row is None:
            self._path_of_row = view_at(self._position, self._cell.node.shape)
        return self._path_of_row

    @classmethod
    def _gathered(cls, values: Sequence[Any]) -> TracedArray | None:
        return gathered(values)


def rows_in(array: TracedArray, kind: int, first: int = 0) -> list[Any]:
    """Returns the rows of an array from the first one on, as the items that were appended to a list."""
    cell = array._cell
    assert array._path is None
    return [RowValue(cell, position, kind) for position in range(first, array.shape[0])]


class Run:
    """Consecutive rows of an array, or rows with a constant step."""

    __slots__ = ("cell", "count", "first", "kind", "step")

    def __init__(self, cell: Cell, first: int, step: int, count: int, kind: int) -> None:
        self.cell, self.first, self.step, self.count, self.kind = cell, first, step, count, kind

    def array(self) -> TracedArray:
        """The rows as a view of the array."""
        whole = TracedArray(self.cell)
        if self.first == 0 and self.step == 1 and self.count == whole.shape[0]:
            return whole
        last = self.first + self.step * self.count
        found = whole[self.first : last if last >= 0 else None : self.step]
        assert isinstance(found, TracedArray)
        return found


def run_of(values: Sequence[Any]) -> Run | None:
    """Returns the run of at least two values; None where they are no run."""
    if len(values) < 2:
        return None
    first, second = values[0], values[1]
    if type(first) is not RowValue or type(second) is not RowValue:
        return None
    cell, kind, position = first._cell, first._kind, first._position
    step = second._position - position
    if not step:
        return None
    begin = position
    for value in values:
        if (
            type(value) is not RowValue
            or value._position != position
            or value._cell is not cell
            or value._kind != kind
        ):
            return None
        position += step
    return Run(cell, begin, step, len(values), kind)


def sections(values: Sequence[Any]) -> list[Run | list[Any]] | None:
    """Splits values into runs and lists of others, in order; None where that saves little."""
    found: list[Run | list[Any]] = []
    start = 0
    while start < len(values):
        end = _end_of_run(values, start)
        if end - start >= LEAST:
            run = run_of(values[start:end])
            found.append(list(values[start:end]) if run is None else run)
        else:
            end = start + 1 if end == start else end
            if found and isinstance(found[-1], list):
                found[-1].extend(values[start:end])
            else:
                found.append(list(values[start:end]))
        start = end
    alone = sum(1 if isinstance(each, Run) else len(each) for each in found)
    return found if LEAST * alone <= len(values) else None


def _end_of_run(values: Sequence[Any], start: int) -> int:
    """Returns the end of the run of consecutive rows from a position on."""
    first = values[start]
    if type(first) is not RowValue:
        return start
    following = values[start + 1] if start + 1 < len(values) else None
    step = following._position - first._position if type(following) is RowValue else 1
    cell, kind, position = first._cell, first._kind, first._position
    end = start
    while end < len(values):
        each = values[end]
        if type(each) is not RowValue or each._cell is not cell or each._kind != kind:
            break
        if each._position != position:
            break
        position += step
        end += 1
    return end


def gathered(values: Sequence[Any]) -> TracedArray | None:
    """Returns the array that NumPy would make of a long list of rows, of lists of rows, or of tuples of them;
    None of other lists."""
    if len(values) < LEAST:
        return None
    if getattr(values, "array", None) is not None and values.counter is None:  # type: ignore[attr-defined]
        return values.whole()  # type: ignore[attr-defined, no-any-return]
    run = run_of(values)
    if run is not None:
        return run.array()
    first = values[0]
    if isinstance(first, (list, tuple)):
        return _gathered_members(values, len(first))
    found = sections(values)
    if found is None:
        return None
    from ...api.movement import concat, stack  # most lists are one run

    parts = [each.array() if isinstance(each, Run) else stack(each) for each in found]
    if any(part.shape[1:] != parts[0].shape[1:] for part in parts):
        return None
    joined: TracedArray = concat(parts)
    return joined


def _gathered_members(values: Sequence[Any], count: int) -> TracedArray | None:
    if not count or any(not isinstance(value, (list, tuple)) or len(value) != count for value in values):
        return None
    run = run_of([member for value in values for member in value])
    if run is not None:
        array = run.array()
        reshaped: TracedArray = array.reshape((len(values), count, *array.shape[1:]))
        return reshaped
    if count > LEAST:
        return None
    columns = [gathered([value[number] for value in values]) for number in range(count)]
    if any(column is None or column.shape != columns[0].shape for column in columns):  # type: ignore[union-attr]
        return None
    from ...api.movement import stack  # as above

    stacked: TracedArray = stack(columns, axis=1)
    return stacked


def rows_of_list(values: Sequence[Any]) -> Rows | None:
    """Returns the items of a long list of rows, each made when asked for."""
    if len(values) < LEAST:
        return None
    run = run_of(values)
    if run is not None:
        array = run.array()
        return Rows(run.count, lambda position: row_at(array, position, run.kind))
    first = values[0]
    if not isinstance(first, (list, tuple)):
        return _rows_of_sections(values)
    if not 0 < len(first) <= LEAST:
        return None
    if any(type(value) is not type(first) or len(value) != len(first) for value in values):
        return None
    columns = [rows_of_list([value[number] for value in values]) for number in range(len(first))]
    if any(column is None for column in columns):
        return None
    make: Callable[[list[Any]], Any] = getattr(type(first), "_make", first.__class__)
    return Rows(len(values), lambda position: make([column.at(position) for column in columns]))  # type: ignore[union-attr]


def _rows_of_sections(values: Sequence[Any]) -> Rows | None:
    """Returns the items of runs of several arrays, all of one kind."""
    parts = sections(values)
    if parts is None:
        return None
    kinds = set()
    for each in parts:
        if isinstance(each, Run):
            kinds.add((each.kind, each.cell.node.dtype, each.cell.node.shape[1:]))
        else:
            kinds.update(_kind_of(one) for one in each)
    array = gathered(values) if len(kinds) == 1 else None
    if array is None:
        return None
    kind = kinds.pop()[0]
    return Rows(len(values), lambda position: row_at(array, position, kind))


def _kind_of(value: Any) -> tuple[Any, ...]:
    if not isinstance(value, TracedArray):
        return (None,)
    return value._kind, value._dtype, value.shape


def row_at(array: TracedArray, position: Any, kind: int) -> Any:
    """Returns a row at a position, also a traced one, as the value that was appended."""
    found = array[position]
    if kind == NUMBER:
        frame = found._frame
        given = operand(frame, frame.begin(), found)
        node = given.node if isinstance(given, Weak) else given
        assert isinstance(node, Node)
        return TracedArray(Cell(frame, node), None, NUMBER)
    return found


def is_rows(value: Any) -> bool:
    """Whether a list is long, and its first items are rows."""
    return (
        isinstance(value, (list, tuple))
        and len(value) >= LEAST
        and any(type(each) is RowValue for each in _firsts(value))
    )


def _firsts(value: Sequence[Any]) -> list[Any]:
    found: list[Any] = []
    for each in value[:LEAST]:
        found += each[:1] if isinstance(each, (list, tuple)) else [each]
    return [each._number if is_one_of(each) else each for each in found]


def is_one_of(value: Any) -> bool:
    """Whether it is one of several constants (see `one_of`, which few programs load)."""
    return hasattr(type(value), "_constants")


def deconstruct(values: Any) -> tuple[Form, list[Any]] | None:
    """Returns the form and the members of a long list of rows, of a dict or set with computed keys, of an
    optional value, of one of several constants, or of an array of open length; None of other values."""
    if is_of_mask(values):
        return values.deconstruct()  # type: ignore[no-any-return]
    if hasattr(type(values), "_may_be_none"):
        return ((OPTIONAL,),), [values._present, values._inner]
    if is_one_of(values):
        return ((CHOSEN, values._constants),), [values._number]
    if hasattr(type(values), "_classes"):
        names, both = values.deconstruct()
        return ((CLASSED, names),), both
    if getattr(values, "array", None) is not None or getattr(values, "table", None) is not None:
        taken: tuple[Form, list[Any]] = values.deconstruct()
        return taken
    if not is_rows(values) or not isinstance(values, list):
        return None
    members: list[Any] = []
    whole = _whole(values, members)
    if whole is not None:
        return (whole,), members
    found = sections(values)
    if found is None:
        return None
    parts: list[Form] = []
    for part in found:
        if isinstance(part, Run):
            parts.append((ROWS, part.kind == NUMBER))
            members.append(part.array())
        else:
            parts += [(ITEM,)] * len(part)
            members += part
    return tuple(parts), members


def _whole(values: Sequence[Any], members: list[Any]) -> Form | None:
    """Returns the form of values that are all alike; appends their members."""
    run = run_of(values)
    if run is not None:
        members.append(run.array())
        return ROWS, run.kind == NUMBER
    kind = type(values[0])
    if is_one_of(values[0]):
        constants = values[0]._constants
        is_one = all(type(each) is kind and each._constants == constants for each in values)
        whole = _whole([each._number for each in values], members) if is_one else None
        return None if whole is None else (CONSTANTS, constants)
    if kind not in (list, tuple) and not hasattr(kind, "_fields"):
        return None
    count = len(values[0])
    if not count or any(type(value) is not kind or len(value) != count for value in values):
        return None
    run = run_of([member for value in values for member in value]) if kind is list else None
    if run is not None:
        members.append(run.array())
        return LISTS, run.kind == NUMBER, count
    if count > LEAST:
        return None
    start = len(members)
    columns = [_whole([value[number] for value in values], members) for number in range(count)]
    if any(column is None for column in columns):
        del members[start:]
        return None
    return COLUMNS, kind, tuple(columns)
