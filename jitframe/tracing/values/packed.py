"""Traced arrays of open length with contiguous elements: the first rows of an array with capacity for the
most that there may be.

A masked selection becomes one where the order of its elements matters: slices, differences of neighbors,
sorted values, elements at positions. Arrays that are made with a traced length, as `np.zeros(len(v))`, are
packed from the start. The mask of a packed array is true at its rows, so every rule for masks holds for it,
and two arrays of one length have one mask.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy

from ... import api
from ...api.calls import call, operand
from ...api.frame import LazyValue, current_frame
from ...arrays.promotion import NUMBERS
from ...errors import NumberError
from ...functions.sorting import first_positions
from ...ir.node import Node
from ...ir.ops.sums import base_and_offset
from ...ir.types import BOOL, F64
from .cells import Cell
from .masked import Masked, as_count, counted, is_single_position
from .masked_functions import is_whole
from .python_numbers import BEYOND, look_at
from .traced import NUMBER, SCALAR, TracedArray

if TYPE_CHECKING:
    from .traced_frame import TraceFrame

MOST_ROWS = 1 << 24
"""The largest capacity of an array of open length."""


class Packed(Masked):
    """The first rows of an array along one axis: their count is the sum of a traced integer and a known one,
    or 0 where that is negative."""

    def __init__(self, full: Any, axis: int, base: Any, more: int = 0) -> None:
        limit = base + more if more else base
        super().__init__(full, api.creation.ranges.arange(full.shape[axis]) < limit, axis)
        self._base = base
        self._more = more

    @staticmethod
    def of_length(full: Any, axis: int, number: Any) -> Packed:
        """Makes an array with a traced count of rows."""
        return Packed(full, axis, *_in_terms(number))

    def count(self) -> Any:
        if not self._more:
            return as_count(self._base, self.full.shape[self.axis])
        number = self._base + self._more
        if self._more > 0:
            return TracedArray(number._cell, None, NUMBER)
        made = as_count(numpy.maximum(number, 0), self.full.shape[self.axis])
        frame = made._cell.frame
        if self._base._cell.frame is frame:
            graph = frame.begin()
            frame.root.ranges.counts[made._node(graph)] = self._base._node(graph), self._more
        return made

    def array(self) -> Any:
        if self._array is None:
            rows = slice(0, int(self.count()))
            self._array = self.full[(*(slice(None),) * self.axis, rows)]
            self._memory.is_apart |= self._memory.is_shown
        return self._array

    def like(self, full: Any, axis: int | None = None) -> Packed:
        return Packed(full, self.axis if axis is None else axis, self._base, self._more)

    def rows(self, positions: Any) -> Any:
        """Returns the rows at positions of the whole array."""
        return self.full[(*(slice(None),) * self.axis, positions)]

    def place(self, number: Any) -> Any:
        """Returns the position of an element, counted from the end where it is negative; where there is no
        such element, one beyond the whole array, which the program reports."""
        where, number = api.elementwise.arithmetic.where, api.movement.as_lazy(number)
        count = number_of(self)
        number = where(number < 0, number + count, number)
        found = where((number >= 0) & (number < count), number, self.full.shape[self.axis])
        return found if found.shape else found[()]

    def _sliced(self, item: slice) -> Any:
        """Returns the rows of a slice; None where their maximal count is unknown."""
        start, stop, step = item.start, item.stop, 1 if item.step is None else item.step
        room = self.full.shape[self.axis]
        stop = self._without_end(stop)
        if step == -1 and start is None and stop is None:
            behind = number_of(self) - 1 - api.creation.ranges.arange(room)
            return self._taken(numpy.maximum(behind, 0), self._base, self._more)
        if step.__class__ is not int or step < 1 or (step > 1 and stop is not None):
            return None
        if any(isinstance(bound, LazyValue) for bound in (start, stop)) or (start or 0) < 0:
            return self._between(start, stop) if step == 1 else None
        start = 0 if start is None else start
        if stop is not None and stop < 0:
            shown, length = (
                self.rows(slice(start, max(room + stop, start))),
                (self._base, self._more + stop - start),
            )
        elif stop is None or stop >= room:
            shown, length = self.rows(slice(start, None)), (self._base, self._more - start)
        else:
            shown = self.rows(slice(start, max(start, stop)))
            length = _counted_as(numpy.minimum(number_of(self), stop) - start, shown.shape[self.axis]), 0
        if step > 1:
            rest = number_of(Packed(shown, self.axis, *length))
            shown = shown[(*(slice(None),) * self.axis, slice(None, None, step))]
            length = _counted_as((rest + (step - 1)) // step, shown.shape[self.axis]), 0
        return self._seen_as(Packed(shown, self.axis, *length))

    def _without_end(self, stop: Any) -> Any:
        """Returns the end of `v[: n - 1]` or `v[: n - 2]`, n being the number of elements, as counted from
        the end. (`n - 3` differs: of two elements NumPy's end is -1 then.)"""
        if not isinstance(stop, TracedArray) or stop.shape or not stop._dtype.is_integer:
            return stop
        base, more = _in_terms(stop)
        less = self._more - more
        same = base._cell.node is self._base._cell.node and base._cell.frame is self._base._cell.frame
        return (None if less == 0 else -less) if same and 0 <= less <= 2 else stop

    def _between(self, start: Any, stop: Any) -> Packed:
        """Returns the rows between two positions that are traced, or counted from the end."""
        count, room = number_of(self), self.full.shape[self.axis]
        low = 0 if start is None else within(start, count)
        high = count if stop is None else within(stop, count)
        found = _counted_as(high - low, room)
        if low.__class__ is int:
            return self._seen_as(Packed(self.full, self.axis, found))
        read = numpy.minimum(api.creation.ranges.arange(room) + low, room - 1)
        return self._taken(read, found)

    def _taken(self, positions: Any, base: Any, more: int = 0) -> Packed:
        """Copies rows, although NumPy's slice is a view."""
        self._memory.is_apart = True
        return self._seen_as(Packed(self.rows(positions), self.axis, base, more))

    def __getitem__(self, index: Any) -> Any:
        if not self.is_open:
            return super().__getitem__(index)
        own, rest = take_apart(self, index)
        if is_single_position(own):
            row = self.rows(self.place(own))
            others = tuple(each for place, each in enumerate(rest) if place != self._own(rest))
            return row[others] if others else row
        if own.__class__ is slice and not is_whole(own):
            found = self._sliced(own)
            if found is None:
                return self.array()[index]
            return found if all(map(is_whole, rest)) else found[rest]
        if self._is_list(own) and len(rest) == 1:
            return self.rows(self.place(own))
        return super().__getitem__(index)

    def __setitem__(self, index: Any, value: Any) -> None:
        if not self.is_open:
            return super().__setitem__(index, value)
        own, rest = take_apart(self, index)
        given = value.__class__ in (int, float, bool, complex) or isinstance(
            value, (LazyValue, numpy.generic)
        )
        if is_single_position(own) and given:
            self._memory.begin_writing()
            place = self._own(rest)
            self.full[(*rest[:place], self.place(own), *rest[place + 1 :])] = value
            return None
        if own.__class__ is slice and len(rest) == 1 and self.axis == 0 and _is_view(own):
            shown = self if is_whole(own) else self._sliced(own)
            if shown is not None and shown._stored(value, to_end=own.stop is None):
                return None
        if isinstance(index, Masked) and self._stored_at(index, value):
            return None
        return super().__setitem__(index, value)

    def _stored_at(self, index: Masked, value: Any) -> bool:
        """Writes values at positions that are a masked selection; returns whether it did: not where the
        values cannot be paired with the positions."""
        given = index.open_operands([index, value]) if index.is_open else None
        if given is None or len(self.full.shape) != 1 or len(index.full.shape) != 1:
            return False
        if numpy.ndim(given[1]) > 1:
            return False
        if not index.full._dtype.is_integer:
            return False
        self._memory.begin_writing()
        room = self.full.shape[0]
        place = api.elementwise.arithmetic.where(index.mask, _inside(self, index), room)
        written = api.movement.concat([self.full, self.full[:1]])
        written[place] = given[1]
        self.full[...] = written[:room]
        return True

    def _stored(self, value: Any, to_end: bool) -> bool:
        """Writes a value to all rows; returns whether it did: not where its length differs. `to_end`: no row
        of another array lies behind them."""
        self._memory.begin_writing()
        if isinstance(value, Masked):
            source = packed(value) if value.is_open else None
            if source is None or not source.fits(self.mask, self.axis, self.full.shape):
                return False
            value = source.full
        elif (isinstance(value, LazyValue) and value.shape) or not isinstance(
            value, (LazyValue, int, float, complex, numpy.generic)
        ):
            return False
        if to_end:
            self.full[...] = value
        else:
            api.indexing.writing.write_where(self.full, self.everywhere(), value)
        return True

    def _own(self, rest: tuple[Any, ...]) -> int:
        return self.axis + sum(item is None for item in rest[: self.axis])

    @staticmethod
    def _is_list(item: Any) -> bool:
        if isinstance(item, LazyValue):
            return bool(item.shape) and item._dtype.is_integer
        return item.__class__ is list and all(each.__class__ is int for each in item)


def take_apart(value: Masked, index: Any) -> tuple[Any, tuple[Any, ...]]:
    """Returns the item of an index for the axis of open length, and the index with that axis whole; None
    where it has none."""
    items = index if index.__class__ is tuple else (index,)
    if value.axis >= len(items) or not all(_is_plain(each) for each in items[: value.axis]):
        return None, ()
    own = items[value.axis]
    return own, (*items[: value.axis], slice(None), *items[value.axis + 1 :])


def _note(kind: str, number: Any, fails: Any, message: str) -> None:
    """Makes the program raise an error of NumPy's where a condition holds. `number`: a value that is always
    computed."""
    frame: Any = current_frame()
    value, bad = (operand(frame, frame.begin(), each) for each in (number, fails))
    look_at(frame, value, bad, kind, message)  # type: ignore[arg-type] # no numbers, but nodes of the trace


def packed(value: Any) -> Packed | None:
    """Packs a masked selection into the first rows of an array; returns None where no capacity is known."""
    if isinstance(value, Packed):
        return value
    if not value.is_open or 0 in value.full.shape:
        return None
    if hasattr(value, "in_front"):
        return value.in_front()  # type: ignore[no-any-return] # a slice: see `open_slices`
    rank, axis = len(value.mask.shape), value.axis
    mask, full = api.movement.reshape(value.mask, (-1,)), value.full
    if rank > 1:
        full = api.movement.reshape(full, (*full.shape[:axis], -1, *full.shape[axis + rank :]))
    room = mask.shape[0]
    if room > MOST_ROWS:
        return None
    if mask._frame.device.is_host:
        places = call(first_positions, (mask,))
    else:
        places = api.creation.constructors.full((room + 1,), 0)
        order = api.reductions.cumsum(mask) - 1
        places[api.elementwise.arithmetic.where(mask, order, room)] = api.creation.ranges.arange(room)
        places = places[:room]
    return Packed(full[(*(slice(None),) * axis, places)], axis, scalar(counted(value.mask)))


def of_list(full: Any, count: Any) -> Packed | None:
    """Returns the array that NumPy makes of the first rows, the items of a list; None where a call in which
    there is none cannot be left to Python: NumPy makes float64[0] of an empty list."""
    number = scalar(count)
    if (len(full.shape) > 1 or full._dtype is not F64) and not left_where(
        number, number == 0, "an empty list becomes an array"
    ):
        return None
    return Packed.of_length(full, 0, count)


def left_where(number: Any, fails: Any, what: str) -> bool:
    """Leaves calls to Python in which a condition holds; returns whether Python may answer calls. `number`: a
    value that is always computed."""
    frame: Any = current_frame()
    root = frame.root
    if not (root.may_leave and root.may_rely) or (root.cuts is not None and root.cuts.segments):
        return False
    root.relies = True
    message = f"{what}, which compiled code does not do"
    if root.hooks is None:
        _note(BEYOND, number, fails, message)
    else:
        root.hooks.raise_unless(~fails, NumberError(message))
    return True


def spread(value: Any, mask: Any, after: int) -> Any:
    """Spreads the elements of a value to the places where a mask is true, in the mask's shape; None where no
    capacity is known. `after`: the number of the value's axes behind that of the elements."""
    if isinstance(value, Masked):
        source = packed(value) if value.is_open else None
        if source is None or source.axis != source.ndim - 1 - after:
            return None
        array, length = source.full, number_of(source)
        is_one = length == 1  # which NumPy broadcasts
    else:
        array, length, is_one = value, value.shape[-1 - after], False
    axis = len(array.shape) - 1 - after
    room = array.shape[axis]
    if not room or 0 in mask.shape:
        return None
    chosen = scalar(counted(mask))
    differs = chosen != length if is_one is False else (chosen != length) & ~is_one
    _note("argument", chosen, differs, "a mask chooses another number of elements than are assigned")
    order = api.reductions.cumsum(api.movement.reshape(mask, (-1,))) - 1
    place = numpy.clip(api.movement.reshape(order, mask.shape), 0, room - 1)
    if is_one is not False:
        place = api.elementwise.arithmetic.where(is_one, 0, place)
    return array[(*(slice(None),) * axis, place)]


def in_front(values: Sequence[Any]) -> tuple[list[Any] | None, Any]:
    """Returns operands of one length, selected by several masks, as whole arrays, and the first of open
    length; None where the count has to be known."""
    given = [packed(each) if isinstance(each, Masked) else each for each in values]
    first = next((each for each in given if isinstance(each, Packed)), None)
    if first is None or any(each is None for each in given):
        return None, None
    room = min(each.full.shape[each.axis] for each in given if isinstance(each, Packed))
    if room < first.full.shape[first.axis]:
        first = first.like(first.rows(slice(0, room)))
    given = [_as_long_as(first, each) if isinstance(each, Packed) else each for each in given]
    return first.open_operands(given), first


def _as_long_as(first: Packed, other: Packed) -> Packed:
    """Returns an array of open length as one of another's length, where calls in which they differ can be
    left to Python."""
    if other.is_on(first) or other.after != first.after:
        return other
    number, count = number_of(first), number_of(other)
    if not left_where(number, number != count, "arrays of different open lengths are operands"):
        return other
    room = first.full.shape[first.axis]
    return first.like(other.rows(slice(0, room)), other.axis)


def shown_of(value: Masked, index: Any) -> Any:
    """Returns what an index selects from a masked selection, where the order of the elements matters; None of
    other indices."""
    if isinstance(index, Masked):
        return _at_open_positions(value, index)
    items = index if index.__class__ is tuple else (index,)
    if not all(_is_plain(each) or is_single_position(each) or Packed._is_list(each) for each in items):
        return None
    found = None if isinstance(value, Packed) else packed(value)
    if found is None:
        return None
    value._memory.is_apart = True
    found._memory = value._memory
    return found[index]


def _at_open_positions(value: Masked, index: Masked) -> Any:
    """Returns the elements at positions that are a masked selection: read everywhere, at 0 where the mask is
    false."""
    source = packed(value)
    if source is None or not index.is_open or not index.full._dtype.is_integer:
        return None
    if source.axis or len(index.full.shape) != 1:
        return None
    return index.like(source.rows(_inside(source, index)))


def _inside(source: Packed, index: Masked) -> Any:
    """Returns positions among the rows of an array, 0 where there is none; the program records those out of
    bounds."""
    where, count = api.elementwise.arithmetic.where, number_of(source)
    place = index.or_else(index.full.dtype.type(0))
    place = where(place < 0, place + count, place)
    is_inside = (place >= 0) & (place < count)
    outside = api.reductions.any(index.everywhere() & ~is_inside)
    _note("index", count, outside, "index is out of bounds for an axis of open length")
    return where(is_inside, place, 0)


def number_of(value: Packed) -> Any:
    """Returns the number of elements, as a NumPy scalar."""
    return scalar(value.count())


def open_length(value: Any) -> int | None:
    """Returns the maximum of a traced integer that counts the true elements of a mask, or is that plus a
    known integer; None of others."""
    if not isinstance(value, TracedArray) or value.shape or value._cell.frame is not current_frame():
        return None
    frame = value._cell.frame
    node = value._node(frame.begin())
    base = _terms(frame, node)[0]
    if value._known() is not None or not (base in frame.root.ranges.counts or _counts_mask(frame, base)):
        return None
    high = frame.root.ranges.of(frame, node)[1]
    return high if 0 < high <= MOST_ROWS else None


def made_for(full: Any, axis: int, number: Any) -> Packed:
    """Makes an array with a traced number of elements, which must not be negative."""
    given = scalar(number)
    if number._cell.frame.root.ranges.of(number._cell.frame, number._node(number._cell.frame.begin()))[0] < 0:
        _note("argument", given, given < 0, "negative dimensions are not allowed")
    return Packed.of_length(full, axis, number)


def _counts_mask(frame: TraceFrame, node: Node) -> bool:
    """Whether a node is a sum of bools, which counts the true elements of a mask."""
    if node.op.family != "reduce" or node.attributes[0] != "sum" or not node.inputs[0].op.converts:
        return False
    (mask,) = node.inputs[0].inputs
    if mask.dtype is not BOOL or not node.dtype.is_integer:
        return False
    frame.root.ranges.known[node] = 0, math.prod(mask.shape)
    frame.root.ranges.counts[node] = node, 0
    return True


def scalar(number: Any) -> Any:
    """Returns a traced integer as a NumPy scalar."""
    return TracedArray(number._cell, None, SCALAR)


def _counted_as(value: Any, most: int) -> Any:
    """Returns a computed number of elements, 0 where it is negative."""
    return scalar(as_count(numpy.maximum(value, 0), most))


def _in_terms(number: Any) -> tuple[Any, int]:
    """Returns the normal form of a traced integer, equal for all its spellings (`n - 1 + 1` is `n`): a traced
    base and a known addend."""
    frame: TraceFrame = number._cell.frame
    if current_frame() is not frame:
        return scalar(number), 0
    base, more = _terms(frame, number._node(frame.begin()))
    return TracedArray(Cell(frame, base), None, SCALAR), more


def _terms(frame: TraceFrame, node: Node) -> tuple[Node, int]:
    """Returns a node without the known integers that are added to it, and their sum."""
    if node in frame.root.ranges.counts:
        return frame.root.ranges.counts[node]

    def known(each: Node) -> int | None:
        low, high = frame.root.ranges.of(frame, each)
        return low if low == high else None

    return base_and_offset(node, known)


def within(bound: Any, count: Any) -> Any:
    """Returns a bound of a slice, clamped to 0 and the number of elements."""
    if bound.__class__ is int and bound == 0:
        return 0
    open_length(bound)  # which may know its range
    bound = api.movement.as_lazy(bound)
    low, high = bound._cell.frame.root.ranges.of(bound._cell.frame, bound._node(bound._cell.frame.begin()))
    if low < 0:
        bound = numpy.maximum(api.elementwise.arithmetic.where(bound < 0, bound + count, bound), 0)
    return bound if count.__class__ is int and high <= count else numpy.minimum(bound, count)


def _is_view(item: slice) -> bool:
    """Whether the rows of a slice keep their positions in the whole array: it does not count from the end."""
    bounds, step = (item.start, item.stop), item.step
    return (
        not any(isinstance(each, LazyValue) for each in bounds)
        and (item.start or 0) >= 0
        and step in (None, 1)
    )


def _is_number(value: Any) -> bool:
    if isinstance(value, LazyValue):
        return not value.shape
    return value.__class__ in NUMBERS or isinstance(value, numpy.generic)


def _is_plain(item: Any) -> bool:
    return item is None or item.__class__ in (int, slice)
