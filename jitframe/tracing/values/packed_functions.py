"""NumPy's functions of arrays of open length that depend on the order of their elements, and functions that
make arrays of open length (see `packed`).

A rule returns NotImplemented for cases that it does not handle: the number of elements has to be known then.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy

from ... import api
from ...arrays.promotion import NUMBERS, limits_of
from ...ir.types import BOOL, F64
from .concrete import is_of_mask
from .masked import Masked, as_count
from .masked_functions import along
from .packed import Packed, left_where, made_for, number_of, open_length, packed
from .traced import TracedArray

FEW_COUNTS, MOST_COUNTS = 1 << 8, 1 << 16
"""The counts of integers that have no value yet: as many as there are integers, but within these limits."""


def rules() -> dict[Any, Callable[..., Any]]:
    """Returns the rules by NumPy's functions."""
    return {
        numpy.nonzero: _nonzero,
        numpy.flatnonzero: _flatnonzero,
        numpy.diff: _diff,
        numpy.ediff1d: lambda ary: _diff(ary) if ary.ndim == 1 else NotImplemented,
        numpy.flip: _flip,
        numpy.cumsum: functools.partial(_scanned, numpy.cumsum, 0),
        numpy.cumprod: functools.partial(_scanned, numpy.cumprod, 1),
        numpy.sort: _sort,
        numpy.argsort: _argsort,
        numpy.unique: _unique,
        numpy.percentile: lambda a, q, axis=None: _quantile(a, _hundredth(q), axis),
        numpy.quantile: lambda a, q, axis=None: _quantile(a, q, axis),
        numpy.concatenate: _concatenate,
        numpy.hstack: lambda tup: _concatenate(tup) if _rank_of(tup) == 1 else NotImplemented,
        numpy.append: lambda arr, values: _concatenate([_raveled(arr), _raveled(values)]),
        numpy.stack: _stack,
        numpy.vstack: lambda tup: _stack(tup) if _rank_of(tup) == 1 else _concatenate(tup),
        numpy.column_stack: lambda tup: _stack(tup, -1) if _rank_of(tup) == 1 else NotImplemented,
        numpy.searchsorted: _searchsorted,
        numpy.digitize: lambda x, bins, right=False: x.like(numpy.digitize(x.full, bins, right)),
        numpy.take: lambda a, indices: a[indices] if a.ndim == 1 else NotImplemented,
        numpy.interp: _interp,
        numpy.histogram: _histogram,
        numpy.bincount: _bincount,
        numpy.asarray: lambda a, dtype=None: a if dtype is None else _cast(a, dtype),
        numpy.array: lambda a, dtype=None: a.like(a.full.copy()) if dtype is None else _cast(a, dtype),
        **{each: functools.partial(_made_like, each) for each in _MADE_LIKE},
    }


_MADE_LIKE = (numpy.zeros_like, numpy.ones_like, numpy.empty_like, numpy.full_like)


def _own(a: Any, axis: Any) -> bool:
    """Whether an argument names the axis of open length."""
    return axis.__class__ is int and -a.ndim <= axis < a.ndim and axis % a.ndim == a.axis


def _cast(a: Any, dtype: Any) -> Any:
    return a if a.full.dtype == numpy.dtype(dtype) else a.like(a.full.astype(dtype))


def _made_like(function: Any, a: Any, *value: Any, dtype: Any = None) -> Any:
    return a.like(function(a.full, *value, dtype=dtype))


def _nonzero(a: Any) -> Any:
    """Returns the positions of the nonzero elements of a vector."""
    found = packed(a) if a.ndim == 1 else None
    if found is None:
        return NotImplemented
    test = found.full if found.full._dtype is BOOL else found.full != 0
    return (Masked(api.creation.ranges.arange(found.full.shape[0]), found.mask & test, 0, 0),)


def open_positions(array: Any) -> tuple[Masked, ...]:
    """Returns the positions of nonzero elements of a traced array: one selection for each axis."""
    mask = api.movement.duplicate(array if array._dtype is BOOL else array != 0)
    found: list[Any] = []
    made = []
    for axis, extent in enumerate(mask.shape):
        rest = (1,) * (len(mask.shape) - axis - 1)
        numbers = api.movement.reshape(
            api.creation.ranges.arange(extent, device=mask.device), ((1,) * axis + (extent, *rest))
        )
        made.append(Masked(api.movement.broadcast_to(numbers, mask.shape), mask, 0, axis, found))
    return tuple(made)


def _flatnonzero(a: Any) -> Any:
    found = _nonzero(a)
    return found if found is NotImplemented else found[0]


def _diff(a: Any, n: Any = 1, axis: Any = -1) -> Any:
    if n.__class__ is not int or n < 0 or axis.__class__ is not int:
        return NotImplemented
    if not _own(a, axis):
        if not -a.ndim <= axis < a.ndim or len(a.mask.shape) > 1:
            return NotImplemented
        return a.like(numpy.diff(a.full, n, axis % a.ndim))
    found = packed(a)
    for _ in range(n):
        if found is None or found.full.shape[found.axis] < 2:
            return NotImplemented
        before = (slice(None),) * found.axis
        later, earlier = found[(*before, slice(1, None))], found[(*before, slice(None, -1))]
        found = later != earlier if found.full._dtype is BOOL else later - earlier
    return found


def _flip(m: Any, axis: Any = None) -> Any:
    found = packed(m) if (m.ndim == 1 if axis is None else _own(m, axis)) else None
    return NotImplemented if found is None else found[(*(slice(None),) * found.axis, slice(None, None, -1))]


def _scanned(function: Any, neutral: int, a: Any, axis: Any = None) -> Any:
    """Cumulative sum or product over the whole array, in which the other elements are neutral."""
    if axis is None and a.ndim > 1:
        return NotImplemented
    if axis is not None and not _own(a, axis):
        return along(function, a, axis)
    if len(a.mask.shape) > 1:
        return NotImplemented
    return a.like(function(a.or_else(a.full.dtype.type(neutral)), axis=a.axis))


def _last(a: Any) -> Any:
    """Returns a value that sorts after all others; None of complex dtypes."""
    dtype = a.full._dtype
    if dtype.is_complex:
        return None
    if dtype.is_float:
        return a.full.dtype.type(math.nan)
    return True if dtype is BOOL else limits_of(dtype)[1]


def _in_front(a: Any, axis: Any) -> Any:
    """Returns an array whose own elements come first, the others larger than all; None where there is
    none."""
    if not (_own(a, axis) or (axis is None and a.ndim == 1)) or _last(a) is None:
        return None
    return packed(a)


def _sort(a: Any, axis: Any = -1) -> Any:
    if axis is not None and not _own(a, axis):
        return along(numpy.sort, a, axis)
    found = _in_front(a, axis)
    if found is None:
        return NotImplemented
    return found.like(numpy.sort(found.or_else(_last(found)), found.axis))


def _argsort(a: Any, axis: Any = -1, kind: Any = None) -> Any:
    found = _in_front(a, axis)
    if found is None:
        return NotImplemented
    return found.like(numpy.argsort(found.or_else(_last(found)), found.axis, kind="stable"))


def _unique(ar: Any, *, return_counts: bool = False) -> Any:
    """Returns the elements where a new value begins in sorted order, and the count of each."""
    found = _sort(ar) if ar.ndim == 1 else NotImplemented
    if found is NotImplemented:
        return NotImplemented
    values = found.full
    same = values[1:] == values[:-1]
    if values._dtype.is_float:
        same = same | (numpy.isnan(values[1:]) & numpy.isnan(values[:-1]))
    first = api.movement.concat([api.creation.constructors.full((1,), True), ~same]) & found.mask
    distinct = Masked(values, first, 0)
    if return_counts is False:
        return distinct
    begins = Masked(api.creation.ranges.arange(values.shape[0]), first, 0, 0)
    return distinct, _diff(_concatenate([begins, api.movement.reshape(number_of(found), (-1,))]))


def _hundredth(q: Any) -> Any:
    given: Any = q if q.__class__ in NUMBERS else numpy.asarray(q)
    return given / 100


def _quantile(a: Any, q: Any, axis: Any) -> Any:
    """Interpolates between the two neighbors of a rank, as NumPy's method "linear"."""
    if axis is not None and not _own(a, axis):
        return NotImplemented
    dtype = a.full._dtype
    if a.ndim != 1 or not (dtype.is_integer or dtype is F64):
        return NotImplemented
    found = _sort(a if a.full._dtype.is_float else a.like(a.full.astype(float)))
    if found is NotImplemented:
        return NotImplemented
    count, room = number_of(found), found.full.shape[0]
    place = api.movement.as_lazy(q) * (count - 1)
    low = numpy.floor(place)
    part = place - low
    # Of none the position lies outside, as in NumPy.
    at = [numpy.where(count > 0, numpy.minimum(each, count - 1), room).astype(int) for each in (low, low + 1)]
    here, next_one = (found.full[each[()]] for each in at)
    step = next_one - here
    between = numpy.where(part >= 0.5, next_one - step * (1 - part), here + step * part)
    lacks = numpy.any(a.like(numpy.isnan(a.full)))
    return numpy.where(lacks, math.nan, between).astype(found.full.dtype)[()]


def _rank_of(values: Any) -> int | None:
    """Returns the common rank of a list of arrays, or of the rows of one; None where they differ."""
    if is_of_mask(values):
        return values.ndim - 1  # type: ignore[no-any-return]
    if values.__class__ not in (list, tuple):
        return None
    ranks = {each.ndim if is_of_mask(each) else numpy.ndim(each) for each in values}
    return ranks.pop() if len(ranks) == 1 else None


def _raveled(values: Any) -> Any:
    return values if is_of_mask(values) else api.movement.reshape(api.movement.as_lazy(values), (-1,))


def _concatenate(arrays: Any, axis: Any = 0) -> Any:
    """Concatenates vectors, or rows: each array begins where those before it end."""
    if is_of_mask(arrays):
        return _concatenated_rows(arrays, axis)
    if axis.__class__ is not int or axis != 0 or not _rank_of(arrays):
        return NotImplemented
    given = [packed(each) if is_of_mask(each) else api.movement.as_lazy(each) for each in arrays]
    given = [each for each in given if each is None or is_of_mask(each) or each.shape != (0,)]
    if any(each is None or (is_of_mask(each) and each.axis) for each in given):
        return NotImplemented
    joined, count = given[0], None
    for each in given[1:]:
        joined, count = _behind(joined, each)
        if not isinstance(count, int):
            joined = Packed.of_length(joined, 0, count)
    return joined


def _rows_of(a: Any) -> Packed | None:
    """Returns the rows of an array of open length; None where Python may not answer calls without any, which
    NumPy refuses."""
    found = packed(a) if a.axis == 0 and a.ndim > 1 else None
    if found is None:
        return None
    number = number_of(found)
    return found if left_where(number, number == 0, "an array without rows is joined") else None


def _concatenated_rows(a: Any, axis: Any) -> Any:
    """Concatenates the rows of an array: its first two axes become one."""
    found = _rows_of(a) if axis.__class__ is int and axis == 0 else None
    if found is None:
        return NotImplemented
    room, extent, *rest = found.full.shape
    count = as_count(number_of(found) * extent, room * extent)
    return Packed.of_length(api.movement.reshape(found.full, (room * extent, *rest)).copy(), 0, count)


def _behind(first: Any, second: Any) -> tuple[Any, Any]:
    """Returns the concatenation of two vectors, and its length."""
    whole, more = (each.full if is_of_mask(each) else each for each in (first, second))
    ends, length = (each.length() if is_of_mask(each) else each.shape[0] for each in (first, second))
    joined = api.movement.concat([whole, more])
    room = joined.shape[0]
    count = ends + length
    if not isinstance(ends, int) and not isinstance(length, int):
        count = as_count(count, room)
    if isinstance(ends, int):
        return joined, count
    place = api.creation.ranges.arange(room)
    start = number_of(first)
    moved = numpy.clip(place - start + whole.shape[0], 0, room - 1)
    return joined[numpy.where(place < start, place, moved)], count


def _stack(arrays: Any, axis: Any = 0) -> Any:
    """Stacks arrays of one length, or the rows of one."""
    if is_of_mask(arrays):
        found = _rows_of(arrays) if axis.__class__ is int and -arrays.ndim <= axis < arrays.ndim else None
        if found is None:
            return NotImplemented
        axis %= arrays.ndim
        return found.like(api.movement.moveaxis(found.full, 0, axis).copy(), axis)
    if arrays.__class__ not in (list, tuple) or not all(map(is_of_mask, arrays)):
        return NotImplemented
    rank = arrays[0].ndim
    if axis.__class__ is not int or not -rank - 1 <= axis <= rank:
        return NotImplemented
    first = arrays[0]
    aligned = first.open_operands(arrays) if len(first.mask.shape) == 1 else None
    if aligned is None:
        given: Any = [packed(each) for each in arrays]
        first = given[0]
        aligned = None if any(each is None for each in given) else first.open_operands(given)
    if aligned is None or len({each.shape for each in aligned}) > 1:
        return NotImplemented
    axis %= rank + 1
    return first.like(api.movement.stack(aligned, axis), first.axis + (axis <= first.axis))


def _searchsorted(a: Any, v: Any, side: Any = "left") -> Any:
    if not is_of_mask(a):
        return v.like(numpy.searchsorted(a, v.full, side)) if is_of_mask(v) else NotImplemented
    found = _in_front(a, 0) if a.ndim == 1 and not is_of_mask(v) else None
    if found is None:
        return NotImplemented
    place = api.sorting.sorted_search.searchsorted(found.or_else(_last(found)), v, side)
    return numpy.minimum(place, number_of(found))


def _interp(x: Any, xp: Any, fp: Any, left: Any = None, right: Any = None) -> Any:
    """Interpolates between points in whole arrays, which repeat the last point behind the own ones."""
    if is_of_mask(xp) or is_of_mask(fp):
        if is_of_mask(x) or not (is_of_mask(xp) and is_of_mask(fp)):
            return NotImplemented
        points, values = packed(xp), packed(fp)
        if (
            points is None
            or values is None
            or not points.is_on(values)
            or points.ndim != 1
            or values.ndim != 1
        ):
            return NotImplemented
        line: Any = [each.or_else(each[-1]) for each in (points, values)]
        return numpy.interp(x, line[0], line[1], left, right)
    return x.like(numpy.interp(x.full, xp, fp, left, right))


def _histogram(a: Any, bins: Any = 10, range: Any = None) -> Any:
    """Histogram of the whole array, in which the other elements lie outside of all bins."""
    if not a.full._dtype.is_float or not (bins.__class__ is int or range is None):
        return NotImplemented
    if bins.__class__ is int and range is None:
        return NotImplemented
    return numpy.histogram(a.or_else(math.nan), bins, range)


def open_counts(array: Any, weights: Any = None, mask: Any = None) -> Packed | None:
    """Returns how often each of 0, 1, 2, ... is in a vector, where a mask holds, as an array of open length;
    None where calls with negative integers, or more counts than there is room for, cannot be left to
    Python."""
    if not isinstance(array, TracedArray):
        return None
    room = max(FEW_COUNTS, min(array.size, MOST_COUNTS))
    where, values, of_one = api.elementwise.arithmetic.where, array.astype(int), array
    if mask is not None:
        values, of_one = where(mask, values, -1), where(mask, array, 0)
    number = api.reductions.max(values)[()]
    is_out = (api.reductions.min(of_one) < 0) | (number >= room)
    if weights is not None:
        is_out = is_out | (number < 0)  # NumPy's counts of nothing are integers
    if not left_where(number, is_out, "bincount of negative integers or of large ones"):
        return None
    places = numpy.clip(where(values < 0, room, values), 0, room)
    counts = api.sorting.counting.bincount(places, weights, size=room + 1)[:room]
    return Packed.of_length(counts, 0, as_count(number + 1, room))


def _bincount(x: Any, weights: Any = None) -> Any:
    if x.full.shape != x.mask.shape or x.ndim != 1 or not x.full._dtype.is_integer:
        return NotImplemented
    if weights is not None:
        if not is_of_mask(weights) or not weights.is_on(x) or weights.full.shape != x.full.shape:
            return NotImplemented
        weights = api.movement.reshape(weights.full, (-1,))
    mask, full = x.flat()
    found = open_counts(full, weights, mask)
    return NotImplemented if found is None else found


# Arrays that are made for a length.


def made(function: Any, call: Any, arguments: Sequence[Any], options: dict[str, Any]) -> Any:
    """Makes the arrays of open length of `numpy.zeros` and similar functions, `arange` and `linspace`;
    NotImplemented of others. `call`: our function."""
    if function is numpy.arange:
        return _arange(call, arguments, options)
    if function is numpy.linspace:
        return _linspace(arguments, options)
    if function not in (numpy.zeros, numpy.ones, numpy.empty, numpy.full):
        return NotImplemented
    length = arguments[0] if arguments else options.get("shape")
    extents = length if length.__class__ in (tuple, list) else (length,)
    rooms = [open_length(each) for each in extents]
    opened = [axis for axis, room in enumerate(rooms) if room is not None]
    if len(opened) != 1:
        return NotImplemented
    (axis,) = opened
    room = tuple(each if bound is None else bound for each, bound in zip(extents, rooms, strict=True))
    options = {key: value for key, value in options.items() if key != "shape"}
    return made_for(call(room, *arguments[1:], **options), axis, extents[axis])


def _arange(call: Any, arguments: Sequence[Any], options: dict[str, Any]) -> Any:
    """Returns the integers from 0, or from another known one, to a traced one."""
    if not 1 <= len(arguments) <= 2 or options.keys() - {"dtype"}:
        return NotImplemented
    start = 0 if len(arguments) == 1 else arguments[0]
    if start.__class__ is not int:
        return NotImplemented
    count = arguments[-1] - start if start else arguments[-1]
    room = open_length(count)
    return (
        NotImplemented if room is None else Packed.of_length(call(start, start + room, **options), 0, count)
    )


def _linspace(arguments: Sequence[Any], options: dict[str, Any]) -> Any:
    """Returns numbers at equal distances, the last of them exactly the end."""
    if not 2 <= len(arguments) <= 3 or options.keys() - {"num"}:
        return NotImplemented
    start, stop, count = (*arguments, options.get("num"))[:3]
    room = open_length(count) if start.__class__ in NUMBERS and stop.__class__ in NUMBERS else None
    if room is None:
        return NotImplemented
    place = made_for(api.creation.ranges.arange(room), 0, count)
    number, place = number_of(place), place.full
    values = place * ((stop - start) / numpy.maximum(number - 1, 1)) + float(start)
    is_last = (place == number - 1) & (number > 1)
    return Packed.of_length(numpy.where(is_last, float(stop), values), 0, count)
