"""Slices between positions that values decide, `x[:k]` and `u[:, low:high]`, outside of loops and branches.

Such a slice is a masked selection whose mask is true between the two positions. Unlike `x[mask]` it is a
view: its whole array is a view of the sliced one, so writes to either are seen by the other, and a result is
a view of the whole array's memory. Inside of loops and branches, slices have symbolic sizes (see
`capture.symbolic_arrays`).
"""

from __future__ import annotations

from typing import Any

import numpy

from ... import api
from ...api.frame import LazyValue
from ...arrays.indexing import expanded
from ...arrays.promotion import NUMBERS
from ..arguments.returned_rows import BETWEEN
from .masked import Masked, as_count, assign_masked, chosen, is_single_position
from .masked_functions import is_whole
from .packed import Packed, scalar, take_apart, within
from .traced import ARRAY, TracedArray


def shown(array: Any, index: Any) -> Any:
    """Returns the view by an index in which one slice has a traced bound; None of other indices."""
    items = list(index) if index.__class__ is tuple else [index]
    if array._kind != ARRAY or not all(map(_is_basic, items)):
        return None
    items = list(expanded(items, len(array.shape), lambda item: item is not None and item is not Ellipsis))
    opened = [place for place, item in enumerate(items) if _is_open(item)]
    if len(opened) != 1:
        return None
    (place,) = opened
    item, items[place] = items[place], slice(None)
    if item.step not in (None, 1):
        return None
    whole = array[tuple(items)]
    axis = sum(not is_single_position(each) for each in items[:place])
    extent = whole.shape[axis]
    return _between(whole, axis, 0, extent, item.start, item.stop) if extent else None


def _is_basic(item: Any) -> bool:
    return item is None or item is Ellipsis or item.__class__ is slice or is_single_position(item)


def _is_open(item: Any) -> bool:
    bounds = (item.start, item.stop) if item.__class__ is slice else ()
    return any(isinstance(bound, TracedArray) and is_single_position(bound) for bound in bounds)


def _between(whole: Any, axis: int, first: Any, count: Any, start: Any, stop: Any) -> Between:
    """Returns the elements of a slice of `count` elements that begin at `first`."""
    low = 0 if start is None else within(start, count)
    high = count if stop is None else within(stop, count)
    length = high - low
    if not _is_number(low, 0):
        length = numpy.maximum(length, 0)
    low = low if _is_number(first, 0) else first + low
    return Between(whole, axis, low, as_count(api.movement.as_lazy(length), whole.shape[axis]))


def _is_number(value: Any, wanted: int) -> bool:
    return value.__class__ is int and bool(value == wanted)


class Between(Masked):
    """The elements of a view between two positions along an axis."""

    def __init__(self, full: Any, axis: int, low: Any, count: Any) -> None:
        self._low = low
        """The position of the first element: a traced integer or 0."""
        self._count = count
        self._front = Packed.of_length(full, axis, count) if _is_number(low, 0) else None
        if self._front is None:
            place = api.creation.ranges.arange(full.shape[axis])
            mask = (place >= low) & (place < low + count)
        else:
            mask = self._front.mask
        super().__init__(full, mask, axis)

    is_listed = False  # a list of its elements would be a copy, which the body of a loop may change

    def count(self) -> Any:
        return self._count

    def array(self) -> Any:
        if self._array is None:
            low = int(self._low)
            rows = slice(low, low + int(self._count))
            self._array = self.full[(*(slice(None),) * self.axis, rows)]
        return self._array

    def in_front(self) -> Packed:
        """Returns the elements in front of an array: of the view itself, or of a copy."""
        if self._front is not None:
            return self._front
        room = self.full.shape[self.axis]
        places = numpy.minimum(api.creation.ranges.arange(room) + self._low, room - 1)
        copied = self.full[(*(slice(None),) * self.axis, places)]
        return Packed.of_length(copied, self.axis, self._count)

    def like(self, full: Any, axis: int | None = None) -> Masked:
        axis = self.axis if axis is None else axis
        if full._cell is self.full._cell:
            return Between(full, axis, self._low, self._count)
        return Masked(full, self.mask, axis) if self._front is None else self._front.like(full, axis)

    def deconstruct(self) -> tuple[Any, list[Any]] | None:
        return ((BETWEEN, self.axis),), [self.full, self._low, self._count]

    def overwrite(self, whole: Any) -> None:
        api.indexing.writing.write_where(self.full, self.everywhere(), whole)

    def _place(self, number: Any) -> Any:
        """Returns the position in the view of an element, which the program checks."""
        found = Packed.of_length(self.full, self.axis, self._count).place(number)
        return found if self._front is not None else _moved(found, self._low, self.full.shape[self.axis])

    def __getitem__(self, index: Any) -> Any:
        if not self.is_open:
            return super().__getitem__(index)
        if isinstance(index, Masked):
            found = super().__getitem__(index)
            # NumPy's is a copy.
            return found.like(api.movement.duplicate(found.full)) if isinstance(found, Masked) else found
        own, rest = take_apart(self, index)
        place = self.axis + sum(item is None for item in rest[: self.axis])
        if is_single_position(own):
            return self.full[(*rest[:place], self._place(own), *rest[place + 1 :])]
        if own.__class__ is not slice or is_whole(own):
            return super().__getitem__(index)
        part = self._part(own)
        return self.array()[index] if part is None else part if all(map(is_whole, rest)) else part[rest]

    def _part(self, item: slice) -> Between | None:
        """Returns the view by a slice; None of one with a step for which the first position decides which
        elements it has."""
        before, step = (slice(None),) * self.axis, 1 if item.step is None else item.step
        if step == -1 and item.start is item.stop is None:
            low = (self.full.shape[self.axis] - scalar(self._count)) - self._low
            return Between(self.full[(*before, slice(None, None, -1))], self.axis, low, self._count)
        if step.__class__ is not int or step < 1:
            return None
        found = _between(self.full, self.axis, self._low, scalar(self._count), item.start, item.stop)
        if step == 1:
            return found
        if found._front is None:
            return None
        shown = self.full[(*before, slice(None, None, step))]
        count = as_count((scalar(found._count) + (step - 1)) // step, shown.shape[self.axis])
        return Between(shown, self.axis, 0, count)

    def __setitem__(self, index: Any, value: Any) -> None:
        if self.is_open and not isinstance(index, Masked) and _is_array_or_number(value):
            own, rest = take_apart(self, index)
            if is_single_position(own) and not isinstance(value, Masked):
                place = self.axis + sum(item is None for item in rest[: self.axis])
                self.full[(*rest[:place], self._place(own), *rest[place + 1 :])] = value
                return
            items = index if index.__class__ is tuple else (index,)
            target = self if all(each is Ellipsis or is_whole(each) for each in items) else None
            if target is None and own.__class__ is slice:
                target = self[index]
            if isinstance(target, Between) and target.is_open:
                chosen_rows = (*(slice(None),) * target.axis, target.mask)
                if assign_masked(target.full, chosen_rows, value):
                    return
        of_each = isinstance(index, Masked) and self.is_open and index._is_part_of(self)
        if of_each and value.__class__ in NUMBERS:
            api.indexing.writing.write_where(self.full, self.mask & index.full, value)
            return
        self.array()[chosen(index)] = chosen(value)


def _is_array_or_number(value: Any) -> bool:
    is_array = isinstance(value, (LazyValue, Masked, numpy.ndarray, numpy.generic))
    return is_array or value.__class__ in NUMBERS


def _moved(place: Any, low: Any, extent: int) -> Any:
    """Returns a position counted from another one; one beyond the whole array stays beyond."""
    return api.elementwise.arithmetic.where(place < extent, place + low, extent)[()]
