"""Set functions: distinct elements of an array, intersections, unions and differences of two.

Their number depends on values: the sorted arrays are evaluated when such a function is called, as for a mask.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy

from ...arrays.indexing import normalize_axis
from ...base.arguments import flag
from ..creation.constructors import asarray
from ..creation.ranges import arange
from ..elementwise.arithmetic import where
from ..frame import frame_of
from ..indexing.reading import nonzero_positions, take
from ..movement import as_lazy, concat, flip, moveaxis, reshape
from ..reductions import cumsum
from ..registry import public
from .counting import isin
from .sorts import argsort, lexsort, sort


class UniqueAllResult(NamedTuple):
    """The result of `unique_all`."""

    values: Any
    indices: Any
    inverse_indices: Any
    counts: Any


class UniqueCountsResult(NamedTuple):
    """The result of `unique_counts`."""

    values: Any
    counts: Any


class UniqueInverseResult(NamedTuple):
    """The result of `unique_inverse`."""

    values: Any
    inverse_indices: Any


@public("movement")
def unique(
    ar: Any,
    return_index: Any = False,
    return_inverse: Any = False,
    return_counts: Any = False,
    axis: Any = None,
    *,
    equal_nan: Any = True,
    sorted: Any = True,
) -> Any:
    """The distinct elements of `ar` in their order, or its distinct slices along an axis.

    With them, for each flag that is set: where each comes first (`return_index`), which of them each element
    is (`return_inverse`, in the shape of `ar`), how often each comes (`return_counts`). Every NaN is one
    element, unless `equal_nan` is False; slices with a NaN are all distinct.
    `sorted` changes nothing. How many there are follows from values: they are evaluated now, and a jitted
    function is cut where it asks for their number.

    >>> import numpy as np
    >>> values, counts = jf.unique(np.array([3, 1, 3, 2]), return_counts=True)
    >>> values.numpy(), counts.numpy()
    (array([1, 2, 3]), array([1, 1, 2]))
    """
    array = as_lazy(ar)
    wanted = [flag(return_index, "return_index"), flag(return_inverse, "return_inverse")]
    wanted.append(flag(return_counts, "return_counts"))
    if axis is None:
        values, others = _distinct(reshape(array, (-1,)), any(wanted[:2]), flag(equal_nan, "equal_nan"), True)
        shape = array.shape
    else:
        along = normalize_axis(axis, array.ndim)
        slices = moveaxis(array, along, 0)
        values, others = _distinct_rows(slices)
        values = moveaxis(values, 0, along)
        shape = (array.shape[along],) if array.ndim else ()
    made: Sequence[Callable[[], Any]] = (others.first, lambda: others.inverse(shape), others.counts)
    results = [values, *(make() for make, asked in zip(made, wanted, strict=True) if asked)]
    return tuple(results) if any(wanted) else values


def _distinct(flat: Any, positions: bool, equal_nan: bool, may_be_open: bool = False) -> tuple[Any, _Others]:
    """Returns the distinct elements of a vector, and further results; `positions`: more than the counts are
    needed. `may_be_open`: their number may stay open in a trace."""
    order = argsort(flat) if positions else None
    ordered = sort(flat, stable=True) if order is None else take(flat, order)
    others = _Others(_differ(ordered, equal_nan), order, ordered, may_be_open)
    return others.chosen(ordered), others


def _differ(ordered: Any, equal_nan: bool) -> Any:
    """Whether each sorted element but the first differs from that before it."""
    before, after = ordered[:-1], ordered[1:]
    differ = after != before
    if equal_nan and ordered._dtype.is_inexact:
        differ = differ & ~(numpy.isnan(before) & numpy.isnan(after))
    return differ


def _positions(holds: Any, *kept: Any) -> Any:
    """Returns the positions where a condition is true. Computes it together with `kept`, once."""
    wanted = [each for each in (holds, *kept) if each is not None]
    frame_of(wanted).evaluate(wanted)
    return nonzero_positions(holds)[0]


class _Others:
    """The further results of distinct elements: they begin where sorted elements differ from those before.
    Their positions are computed, or in a trace selected by a mask."""

    def __init__(self, differ: Any, order: Any, ordered: Any = None, may_be_open: bool = False) -> None:
        """`order`: the sorting positions, where they were requested."""
        kept = ordered if order is None else order
        self.order = order
        self.count = kept.shape[0]
        first = asarray(numpy.ones(min(self.count, 1), bool), device=differ.device)
        self._begins = concat([first, differ]) if self.count else first
        is_open = may_be_open and self.count > 0 and self._begins._open_positions() is not None
        self._positions = None if is_open else _positions(self._begins, order, ordered)

    def chosen(self, array: Any) -> Any:
        """Selects, from an array in sorted order, the elements where distinct ones begin."""
        return array[self._begins] if self._positions is None else take(array, self._positions, axis=0)

    def first(self) -> Any:
        """Returns the position of the first occurrence of each distinct element."""
        return self.chosen(self.order)

    def inverse(self, shape: tuple[int, ...]) -> Any:
        """Returns the number of the distinct element that each element equals."""
        made = asarray(numpy.zeros(self.count, self.order._dtype.numpy_name), device=self.order.device)
        made[self.order] = cumsum(self._begins.astype(made.dtype)) - 1
        return reshape(made, shape)

    def counts(self) -> Any:
        """Returns the count of each distinct element: the distance from its beginning to that of the next."""
        here = arange(self.count, device=self._begins.device)
        begin = where(self._begins, here, self.count)
        following = flip(numpy.minimum.accumulate(flip(begin)))[1:]
        end = asarray(numpy.full(min(self.count, 1), self.count, here.dtype), device=here.device)
        return self.chosen(concat([following, end]) - here)


def _distinct_rows(slices: Any) -> tuple[Any, _Others]:
    """Does the same as `_distinct` for the slices along the first axis, which are compared element by
    element: those with a NaN differ from all others, as in NumPy."""
    count = slices.shape[0]
    rows = reshape(slices, (count, math.prod(slices.shape[1:])))
    if rows.shape[1] and count:
        order = lexsort(moveaxis(rows, 0, 1)[::-1])
        ordered = take(rows, order, axis=0)
        differ = _differ(ordered, False).any(axis=1)
    else:
        order = arange(count, device=rows.device)
        differ = asarray(numpy.zeros(max(count - 1, 0), bool), device=rows.device)
    others = _Others(differ, order)
    return take(slices, others.first(), axis=0), others


@public("movement")
def unique_all(x: Any) -> tuple[Any, Any, Any, Any]:
    """The distinct elements, where each comes first, which one each element is, and how often each comes, as
    the array API has it: every NaN is an element of its own. See `unique`.

    >>> import numpy as np
    >>> jf.unique_all(np.array([3, 1, 3])).indices.numpy()
    array([1, 0])
    """
    return UniqueAllResult(*unique(x, True, True, True, equal_nan=False))


@public("movement")
def unique_counts(x: Any) -> tuple[Any, Any]:
    """The distinct elements and how often each comes; every NaN is an element of its own. See `unique`.

    >>> import numpy as np
    >>> jf.unique_counts(np.array([3, 1, 3])).counts.numpy()
    array([1, 2])
    """
    return UniqueCountsResult(*unique(x, return_counts=True, equal_nan=False))


@public("movement")
def unique_inverse(x: Any) -> tuple[Any, Any]:
    """The distinct elements and which one each element is; every NaN is an element of its own. See `unique`.

    >>> import numpy as np
    >>> jf.unique_inverse(np.array([3, 1, 3])).inverse_indices.numpy()
    array([1, 0, 1])
    """
    return UniqueInverseResult(*unique(x, return_inverse=True, equal_nan=False))


@public("movement")
def unique_values(x: Any) -> Any:
    """The distinct elements; every NaN is an element of its own. See `unique`.

    >>> import numpy as np
    >>> jf.unique_values(np.array([3, 1, 3])).numpy()
    array([1, 3])
    """
    return unique(x, equal_nan=False)


def _flat(x: Any) -> Any:
    return reshape(as_lazy(x), (-1,))


def _of_both(ar1: Any, ar2: Any, assume_unique: Any) -> tuple[Any, Any]:
    if flag(assume_unique, "assume_unique"):
        return _flat(ar1), _flat(ar2)
    return _elements(ar1)[0], _elements(ar2)[0]


def _elements(array: Any, positions: bool = False) -> tuple[Any, _Others]:
    """Returns the distinct elements of any array, as an array in a trace as well, and the further results."""
    return _distinct(_flat(array), positions, equal_nan=True)


@public("movement", sample=lambda s: (s.v, s.v))
def union1d(ar1: Any, ar2: Any) -> Any:
    """The distinct elements of two arrays together, in their order. See `unique`.

    >>> jf.union1d([3, 1], [2, 3]).numpy()
    array([1, 2, 3])
    """
    return unique(concat((ar1, ar2), axis=None))


@public("movement", sample=lambda s: (s.v, s.v))
def intersect1d(ar1: Any, ar2: Any, assume_unique: Any = False, return_indices: Any = False) -> Any:
    """The distinct elements that both arrays have, in their order; with `return_indices`, where each comes
    first in the one and in the other. `assume_unique`: no array has an element twice. See `unique`.

    >>> jf.intersect1d([3, 1, 3], [2, 3, 1]).numpy()
    array([1, 3])
    """
    wanted, alone = flag(return_indices, "return_indices"), flag(assume_unique, "assume_unique")
    if not wanted:
        first, second = _of_both(ar1, ar2, alone)
        ordered = sort(concat([first, second]))
        pairs = _positions(ordered[1:] == ordered[:-1], ordered)
        return take(ordered, pairs)
    places: list[Any] = [None, None]
    if alone:
        first, second = _flat(ar1), _flat(ar2)
    else:
        (first, ones), (second, twos) = _elements(ar1, True), _elements(ar2, True)
        places = [ones.first(), twos.first()]
    both = concat([first, second])
    order = argsort(both)
    ordered = take(both, order)
    pairs = _positions(ordered[1:] == ordered[:-1], ordered, order)
    found = take(order, pairs), take(order, pairs + 1) - first.shape[0]
    if not alone:
        found = take(places[0], found[0]), take(places[1], found[1])
    return take(ordered, pairs), *found


@public("movement", sample=lambda s: (s.v, s.v))
def setdiff1d(ar1: Any, ar2: Any, assume_unique: Any = False) -> Any:
    """The distinct elements of the first array that the second has not, in their order; with `assume_unique`
    as they come. See `unique`.

    >>> jf.setdiff1d([3, 1, 2, 3], [2]).numpy()
    array([1, 3])
    """
    first, second = _of_both(ar1, ar2, assume_unique)
    left = isin(first, second, invert=True)
    return take(first, _positions(left, first))


@public("movement", sample=lambda s: (s.v, s.v))
def setxor1d(ar1: Any, ar2: Any, assume_unique: Any = False) -> Any:
    """The distinct elements that only one of the arrays has, in their order. See `unique`.

    >>> jf.setxor1d([3, 1], [2, 3]).numpy()
    array([1, 2])
    """
    alone = flag(assume_unique, "assume_unique")
    both = sort(concat((ar1, ar2) if alone else (_elements(ar1)[0], _elements(ar2)[0]), axis=None))
    if not both.shape[0]:
        return both
    edge = asarray(numpy.ones(1, bool), device=both.device)
    differ = concat([edge, both[1:] != both[:-1], edge])
    return take(both, _positions(differ[1:] & differ[:-1], both))


@public("movement", sample=lambda s: (s.v, s.v))
def in1d(ar1: Any, ar2: Any, assume_unique: Any = False, invert: Any = False, *, kind: Any = None) -> Any:
    """`isin` of the first array, flat.

    >>> jf.in1d([[1, 2]], [2]).numpy()
    array([False,  True])
    """
    return isin(_flat(ar1), ar2, assume_unique, flag(invert, "invert"), kind=kind)
