"""`x[mask]` inside a trace: a selection of unknown length, represented by the whole array and the mask.

Arithmetic on such a value is done for every element of `x`, and the mask is applied when the value is
assigned to `y[mask]`, or summed. All other operations cut the trace, which computes the number of elements.
`np.nonzero(mask)` gives such values as well: the row numbers, the column numbers, and so on, where the mask
is true. An index of them all is the mask.
"""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

import numpy

from ... import api
from ...api.frame import LazyValue, in_region
from ...api.namespace import lookup
from ...arrays.indexing import expanded
from ...arrays.promotion import NUMBERS
from ...errors import BoundsError, forget
from ...ir.node import Shape
from ...ir.types import BOOL
from ..arguments.growing_list import counted_lists
from ..arguments.returned_rows import BETWEEN, FRONT
from ..environment.user_code import class_where_asked
from .cells import SelectedMemory
from .masked_functions import called, element, end, indexed, is_whole, method, new_axes, product
from .traced import NUMBER, TracedArray


def seen_by_mask(array: Any, index: Any) -> tuple[Any, Any] | None:
    """Returns the array that a traced mask selects from, and the index of that mask with whole axes around
    it; None of other indices. Integers and slices next to the mask are applied first, which gives a view:
    `x[mask, 2]` is `x[:, 2][mask]`."""
    index = _by_mask(index, array.shape)
    items = index if index.__class__ is tuple else (index,)
    found = [place for place, item in enumerate(items) if _is_mask(item)]
    if len(found) != 1 or any(isinstance(item, Masked) for item in items):
        return None
    place, mask = found[0], items[found[0]]
    if all(item is Ellipsis or is_whole(item) for item in items if item is not mask):
        return array, index
    singles = [where for where, item in enumerate(items) if is_single_position(item)]
    if not mask.shape or not all(
        where == place or where in singles or item is Ellipsis or item.__class__ is slice
        for where, item in enumerate(items)
    ):
        return None
    # Where integers and the mask are apart, NumPy moves the axis of the chosen elements to the front.
    block = (*singles, place)
    if singles and place and max(block) - min(block) >= len(block):
        return None
    items = tuple(expanded(list(items), len(array.shape), _axes_taken))
    place = next(where for where, item in enumerate(items) if item is mask)
    shown = array[(*items[:place], *(slice(None),) * len(mask.shape), *items[place + 1 :])]
    before = sum(not is_single_position(item) for item in items[:place])
    return shown, (*(slice(None),) * before, mask)


def chosen_of(array: Any, index: Any) -> Any:
    """Returns `array[index]` as a masked selection; None where the index has no mask, or the count has to be
    known."""
    axes = new_axes(index)
    if axes is not None:
        found = chosen_of(array, tuple([each for each in index if each is not None]))
        return None if found is None else indexed(found, axes)
    seen = seen_by_mask(array, index)
    return _gathered(array, index) if seen is None else Masked.of(*seen)


def _gathered(array: Any, index: Any) -> Any:
    """Returns the elements at computed positions that are a masked selection, and integers beside them:
    gathered at all places, at 0 where the mask is false; None of other indices."""
    items = index if index.__class__ is tuple else (index,)
    open_ones = [each for each in items if isinstance(each, Masked)]
    if not all(each._is_position and each.is_on(open_ones[0]) for each in open_ones) or 0 in array.shape:
        return None
    others = [each for each in items if not isinstance(each, Masked)]
    if not open_ones or len(items) > len(array.shape) or not all(map(is_single_position, others)):
        return None
    read = [each.or_else(each.full.dtype.type(0)) if isinstance(each, Masked) else each for each in items]
    return open_ones[0].like(array[tuple(read)])


def _by_mask(index: Any, shape: Shape) -> Any:
    """Replaces all positions from one mask in an index by the mask, where they are adjacent and in order."""
    items = list(index) if index.__class__ is tuple else [index]
    for place, item in enumerate(items):
        if not isinstance(item, Masked) or item.number != 0:
            continue
        run = items[place : place + len(item.mask.shape)]
        if [each.number for each in run if isinstance(each, Masked) and each.mask is item.mask] != list(
            range(len(item.mask.shape))
        ):
            return index
        made = (*items[:place], item.mask, *items[place + len(run) :])
        try:
            spread_mask(made, shape)
        except BoundsError as error:  # positions may be fewer than there are elements
            forget(error)
            return index
        return made
    return index


def is_single_position(item: Any) -> bool:
    """Whether an item of an index is an integer, traced or known."""
    if isinstance(item, LazyValue):
        return not item.shape and item._dtype.is_integer
    return isinstance(item, (int, numpy.integer)) and not isinstance(item, bool)


def _is_mask(item: Any) -> bool:
    return isinstance(item, LazyValue) and item._dtype is BOOL and getattr(item, "_cell", None) is not None


def _axes_taken(item: Any) -> int:
    if _is_mask(item):
        return len(item.shape)
    return 0 if item is Ellipsis else 1


def spread_mask(index: Any, shape: Shape) -> tuple[Any, int, int]:
    """Returns the mask of an index, its first axis, and its rank; raises where its shape does not fit."""
    items = index if index.__class__ is tuple else (index,)
    out = expanded(list(items), len(shape), _axes_taken)
    axis = next(place for place, item in enumerate(out) if _is_mask(item))
    mask = out[axis]
    over = shape[axis : axis + len(mask.shape)]
    if 0 in mask.shape and mask.shape != over:  # NumPy lets a mask of no elements choose none
        found = [extent if extent == own else 0 for extent, own in zip(mask.shape, over, strict=True)]
        if tuple(found) == mask.shape:
            return api.creation.constructors.zeros(over, bool), axis, len(over)
    for offset, extent in enumerate(mask.shape):
        if shape[axis + offset] != extent:
            raise BoundsError(
                f"boolean index did not match indexed array along axis {axis + offset}; size of axis is "
                f"{shape[axis + offset]} but size of corresponding boolean axis is {extent}"
            )
    return mask, axis, len(mask.shape)


def _over(mask: Any, axis: int, shape: Shape) -> Any:
    """Broadcasts the mask to all elements of an array."""
    rest = (1,) * (len(shape) - axis - len(mask.shape))
    return api.movement.reshape(mask, (*((1,) * axis), *mask.shape, *rest)) if shape else mask


def assign_masked(array: Any, index: Any, value: Any) -> bool:
    """`array[mask] = value` of a trace where no positions are needed; returns whether it was done."""
    mask, axis, rank = spread_mask(index, array.shape)
    if isinstance(value, Masked) and value.is_open and value.fits(mask, axis, array.shape):
        value = value.full
    elif value.__class__ not in NUMBERS:
        given = value if isinstance(value, Masked) else api.movement.as_lazy(value)
        after = len(array.shape) - axis - rank
        value = None if isinstance(value, Masked) else _fitted(given, after, rank)
        if value is None:
            from .packed import spread  # as below

            value = spread(given, mask, after)
        if value is None:
            return False
    api.indexing.writing.write_where(array, _over(mask, axis, array.shape), value)
    return True


def _fitted(value: Any, after: int, rank: int) -> Any:
    """Reshapes a value for `y[mask]`, one for all selected elements, so that it broadcasts to y; None of
    several values."""
    before = len(value.shape) - after - 1
    if before < 0:
        return value
    if value.shape[before] != 1:
        return None
    shape = value.shape
    return api.movement.reshape(value, (*shape[:before], *((1,) * rank), *shape[before + 1 :]))


def chosen(value: Any) -> Any:
    """Replaces masked selections by their arrays, also inside of tuples and lists."""
    if isinstance(value, Masked):
        return value.array()
    if value.__class__ in (tuple, list):
        return value.__class__(map(chosen, value))
    return value


def counted(mask: Any) -> Any:
    """Counts the true elements of a mask, as a traced integer."""
    return as_count(api.reductions.count_nonzero(mask), math.prod(mask.shape))


def as_count(value: Any, most: int) -> Any:
    """Returns a number of elements, no more than `most`, as a Python int."""
    frame = value._cell.frame
    node, ranges = value._node(frame.begin()), frame.root.ranges
    ranges.known[node] = 0, most
    ranges.counts.setdefault(node, (node, 0))
    return TracedArray(value._cell, None, NUMBER)


M = TypeVar("M", bound="Masked")


class Masked(numpy.lib.mixins.NDArrayOperatorsMixin):
    """A masked selection: the elements of a traced array where a traced mask is true; an array after their
    number was needed."""

    __hash__ = None  # type: ignore[assignment]
    __class__ = property(class_where_asked)
    _stands_for = numpy.ndarray
    _is_of_mask = True
    """See `as_array`."""

    def __init__(
        self, full: Any, mask: Any, axis: int, number: int | None = None, found: list[Any] | None = None
    ) -> None:
        """`number`: the axis of the mask whose positions it contains; `found`: the positions along all axes,
        once they are arrays."""
        self.full = full
        """The array of the whole shape from which the mask selects."""
        self.mask = mask
        self.axis = axis
        self.number = number
        self._found = [] if found is None else found
        self._array: Any = None
        self._memory = SelectedMemory()

    @staticmethod
    def of(array: Any, index: Any) -> Masked:
        mask, axis, _ = spread_mask(index, array.shape)
        return Masked(api.movement.duplicate(array), api.movement.duplicate(mask), axis)

    @property
    def is_open(self) -> bool:
        """Whether the number of elements is still unknown."""
        return self._array is None

    def array(self) -> Any:
        """Returns the elements as an array of the trace, which is cut for their number; always the same
        one."""
        if self._array is None:
            if not self._found:
                self._found += api.indexing.reading.nonzero_positions(self.mask)
            if self.number is not None:
                self._array = self._found[self.number]
            else:
                self._array = self.full[(*(slice(None),) * self.axis, *self._found)]
            self._memory.is_apart |= self._memory.is_shown
        return self._array

    def deconstruct(self) -> tuple[Any, list[Any]] | None:
        """Returns a form and the arrays that a result is built from (see `returned_rows`); None where the
        number of elements has to be known."""
        from .packed import packed  # few programs return these

        found = packed(self) if self.is_open else None
        if found is None:
            return None
        if found is self and self._memory.is_shown and not self._memory.is_apart:
            return ((BETWEEN, found.axis),), [found.full, 0, found.count()]  # with views of one memory
        self._memory.begin_returning(self.full)
        return ((FRONT, found.axis),), [found.full, found.count()]

    def length(self) -> Any:
        """Returns the number of elements, as a traced value."""
        if not self.is_open:
            return len(self.array())
        return self.full.shape[0] if self.axis else self.count()

    def count(self) -> Any:
        return counted(self.mask)

    @property
    def _is_flat(self) -> bool:
        """Whether its count is unknown, and it has one element for each true element of the mask."""
        return self.is_open and self.full.shape == self.mask.shape

    @property
    def is_listed(self) -> bool:
        """Whether its elements can be items of a list of unknown length."""
        return self._is_flat and self.mask._frame.root.hooks is not None

    def flat(self) -> tuple[Any, Any]:
        """Returns the flattened mask and the flattened whole array."""
        mask, full = (api.movement.reshape(each, (-1,)) for each in (self.mask, self.full))
        return mask, full

    @property
    def _is_position(self) -> bool:
        """Whether it has one integer for each true element of the mask."""
        return self._is_flat and self.full._dtype.is_integer

    def is_on(self, other: Masked) -> bool:
        """Whether both were selected by one mask."""
        graph = self.mask._frame.begin()
        return self.mask is other.mask or self.mask._operand(graph) is other.mask._operand(graph)

    def fits(self, mask: Any, axis: int, shape: Shape) -> bool:
        """Whether it was selected by this mask from an array of this shape."""
        graph = mask._frame.begin()
        same = mask._operand(graph) is self.mask._operand(graph)
        return same and axis == self.axis and tuple(shape) == tuple(self.full.shape)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, out: Any = None, **options: Any) -> Any:
        function = lookup(ufunc)
        if ufunc is numpy.matmul and method == "__call__" and out is None and not options:
            result = product(*inputs)
            if result is not NotImplemented:
                return result
        given = None
        if method == "__call__" and function is not None and not options and ufunc.signature is None:
            given = self.open_operands((*inputs, *(out or ())))
            if given is None and out is None:
                from .packed import in_front  # as below

                given, first = in_front(inputs)
                if given is not None:
                    return first.spread(function(*given))
        if given is None:
            if out is not None:
                options["out"] = chosen(out)
            return getattr(ufunc, method)(*map(chosen, inputs), **options)
        result = function(*given[: len(inputs)])  # type: ignore[misc]
        if out is None:
            return self.spread(result)
        (target,) = out
        target.overwrite(result)
        return target

    def overwrite(self, whole: Any) -> None:
        """Writes new elements, given as a whole array."""
        self._memory.begin_writing()
        self.full[...] = whole

    def open_operands(self, values: Sequence[Any]) -> list[Any] | None:
        """Returns operands for all elements of the whole array; None where the count has to be known."""
        after = self.after
        given: list[Any] = []
        for value in values:
            if isinstance(value, Masked):
                if not value.is_open or value.after != after or not value.is_on(self):
                    return None
                given.append(value.full)
            elif value.__class__ in NUMBERS:
                given.append(value)
            else:
                given.append(_fitted(api.movement.as_lazy(value), after, len(self.mask.shape)))
        return None if any(each is None for each in given) else given

    def __array_function__(self, function: Any, types: Any, arguments: Any, options: Any) -> Any:
        found = called(function, arguments, options)
        if found is not NotImplemented:
            return found
        named = {key: chosen(value) for key, value in options.items()}
        return function(*map(chosen, arguments), **named)

    def like(self, full: Any, axis: int | None = None) -> Masked:
        """Selects from another array by the same mask."""
        return Masked(full, self.mask, self.axis if axis is None else axis)

    def _seen_as(self, other: M) -> M:
        """Makes another value, which NumPy has as a view, one of the same memory."""
        other._memory = self._memory
        self._memory.is_shown = True
        return other

    def spread(self, full: Any) -> Masked:
        """Selects by the same mask from an array to which this one was broadcast."""
        return self.like(full, len(full.shape) - self.after - len(self.mask.shape))

    @property
    def after(self) -> int:
        """The number of axes behind those of the mask."""
        return len(self.full.shape) - self.axis - len(self.mask.shape)

    def everywhere(self) -> Any:
        """Returns the mask broadcast to the whole array."""
        return api.movement.broadcast_to(_over(self.mask, self.axis, self.full.shape), self.full.shape)

    def or_else(self, other: Any) -> Any:
        """Returns the whole array, with another value where the mask is false."""
        return api.elementwise.arithmetic.where(self.everywhere(), self.full, other)

    def zeroed(self) -> Any:
        return self.or_else(self.full.dtype.type(0))

    @property
    def dtype(self) -> Any:
        return self.full.dtype

    @property
    def ndim(self) -> int:
        return len(self.full.shape) - len(self.mask.shape) + 1

    @property
    def size(self) -> Any:
        """The number of elements, as a traced value."""
        return counted(self.everywhere()) if self.is_open else self._array.size

    @property
    def shape(self) -> Any:
        """The extents, one of which is a traced value."""
        if not self.is_open:
            return self._array.shape
        shape = self.full.shape
        return (*shape[: self.axis], self.count(), *shape[self.axis + len(self.mask.shape) :])

    @property
    def T(self) -> Any:
        if not self.is_open or len(self.mask.shape) != 1:
            return self.array().T
        return self._seen_as(self.like(self.full.T, len(self.full.shape) - 1 - self.axis))

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or not hasattr(numpy.ndarray, name):
            raise AttributeError(f"'x[mask]' of a trace has no attribute {name!r}")
        function = method(name) if self.is_open else None
        if function is not None:
            return functools.partial(self._called, name, function)
        return getattr(self.array(), name)

    def _called(self, name: str, function: Any, *arguments: Any, **options: Any) -> Any:
        """Calls a function as a method of NumPy's arrays."""
        found = called(function, (self, *arguments), options)
        if found is not NotImplemented:
            return found
        return getattr(self.array(), name)(*map(chosen, arguments), **options)

    def __array__(self, *_: Any, **__: Any) -> Any:
        return self.array()

    def __len__(self) -> int:
        return self.full.shape[0] if self.is_open and self.axis else len(self.array())

    def __iter__(self) -> Iterator[Any]:
        if self.is_open and self.axis:  # rows of `x[mask].T`, whose number is known
            return iter([self[number] for number in range(self.full.shape[0])])
        return iter(self.array())

    def __bool__(self) -> bool:
        return bool(self.array())

    def __float__(self) -> float:
        return float(self.array())

    def __int__(self) -> int:
        return int(self.array())

    def __index__(self) -> int:
        return operator.index(self.array())

    def __contains__(self, value: Any) -> bool:
        return value in self.array()

    def __getitem__(self, index: Any) -> Any:
        if self.is_open and isinstance(index, Masked) and index._is_part_of(self):
            return Masked(self.full, self.mask & index.full, 0)
        if self.is_open:
            found = indexed(self, index)
            if found is not None:
                return self._seen_as(found)
        is_row = self._is_flat and 0 not in self.mask.shape
        if is_row and index.__class__ is int and index in (0, -1):
            return end(self, from_behind=index == -1)
        if is_row and is_single_position(index):
            if not in_region():
                if len(self.mask.shape) == 1:
                    return element(self, index)
            elif self.is_listed:
                return counted_lists().list_of(self, counted_lists().Unnamed)[index]
        if self.is_open:
            from .packed import shown_of  # few programs ask for these

            found = shown_of(self, index)
            if found is not None:
                return found
        return self.array()[chosen(index)]

    def _is_part_of(self, other: Masked) -> bool:
        """Whether it is a test of each element of the other selection along its only axis."""
        tests = self._is_flat and self.full._dtype is BOOL
        return tests and not (self.axis or other.axis) and self.is_on(other)

    def __setitem__(self, index: Any, value: Any) -> None:
        self._memory.begin_writing()
        if (
            self.is_open
            and isinstance(index, Masked)
            and index._is_part_of(self)
            and value.__class__ in NUMBERS
        ):
            self.full[index.full] = value  # also where the mask is false, as those elements are unused
            return
        self.array()[chosen(index)] = chosen(value)
