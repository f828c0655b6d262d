"""How many elements there are of each value or in each interval, and which are members of a set."""

from __future__ import annotations

from typing import Any

import numpy

from ..base.arguments import count, integer, shown
from ..errors import ArgumentError, DTypeError, ShapeError
from ..functions.operands import cast
from ..functions.sorted_search import near_place
from ..ir.types import BOOL, F64
from .creation import asarray, full
from .elementwise import where
from .frame import LazyValue, call
from .indexing import take
from .movement import as_lazy, diff, flip, reshape, stack
from .ranges import linspace
from .reductions import max as largest
from .reductions import min as smallest
from .reductions import sum as summed
from .registry import public
from .sorted_search import searchsorted
from .sorting import sort
from .writing import combine_at


@public("reduction", sample=lambda s: (s.v,))
def bincount(x: Any, /, weights: Any = None, minlength: Any = 0, *, size: int | None = None) -> Any:
    """How often each of 0, 1, 2, … is among the integers `x`, or the sums of their `weights`.

    How long the result is, is a shape: `x` is evaluated now, unless its dtype has no more than `minlength`
    values. With `size` there are so many counts, and in a jitted function with `minlength`, where `x` has no
    value yet, that many; an integer in `x` that has none is a BoundsError, told when the result is asked for.

    >>> import numpy as np
    >>> jf.bincount(jf.asarray(np.array([1, 3, 1]))).numpy()
    array([0, 2, 0, 1])
    """
    array = as_lazy(x)
    if array.ndim != 1:
        raise ShapeError(f"bincount: x has 1 axis, not the shape {tuple(array.shape)}; x.ravel() has one")
    if array._dtype is BOOL:
        array = array.astype("uint8")
    if not array._dtype.is_integer and array.size:
        raise DTypeError(f"bincount: x is of integers, not {array.dtype}; write x.astype(int)")
    least = count(minlength, "minlength")
    length = _length(array, least) if size is None else count(size, "size")
    values = 1 if weights is None else asarray(weights, device=array.device)
    if weights is not None and values.shape != array.shape:
        raise ShapeError("The weights and list don't have the same length.")
    result = full((length,), 0 if weights is None else 0.0, device=array.device)
    if array.size:
        if array.dtype.kind == "i":  # what is negative is out of bounds, no position from the end
            array = array.astype(f"u{array.dtype.itemsize}")
        combine_at(numpy.add, result, array, values if weights is None else values.astype(result.dtype))
    return result


def _length(array: Any, least: int) -> int:
    """One more than the largest element, or `least`."""
    if not array.size:
        return least
    if array._dtype.is_integer and least > numpy.iinfo(array.dtype).max:
        return least
    known = array._at_hand("bincount: how many counts there are is a shape")
    if known is not None:
        low, high = int(known.min()), int(known.max())
    elif least:
        return least
    else:
        low, high = stack([array.min(), array.max()]).tolist()
    if low < 0:
        raise ArgumentError(f"bincount: x has no negative elements; the smallest is {low}")
    return max(high + 1, least)


@public("reduction", sample=lambda s: (s.v, s.v))
def digitize(x: Any, bins: Any, right: bool = False) -> Any:
    """In which interval of `bins`, which ascend or descend, each element lies.

    It is i where bins[i-1] <= x < bins[i]; with `right`, where bins[i-1] < x <= bins[i].

    >>> import numpy as np
    >>> jf.digitize(jf.asarray([0.5, 3.0]), np.array([0.0, 1.0, 2.0])).numpy()
    array([1, 3])
    """
    side = "left" if right else "right"
    if not isinstance(bins, LazyValue):
        known = numpy.asarray(bins)
        steps = numpy.diff(known) if known.ndim == 1 else numpy.zeros(0)
        if known.ndim != 1 or not ((steps >= 0).all() or (steps <= 0).all()):
            raise ArgumentError("bins must be monotonically increasing or decreasing")
        if (steps >= 0).all():
            return searchsorted(known, x, side=side)
        return len(known) - searchsorted(known[::-1], x, side=side)
    if bins.shape[0] < 2:
        return searchsorted(bins, x, side=side)
    descending = bins[0] > bins[-1]
    found = searchsorted(where(descending, flip(bins), bins), x, side=side)
    return where(descending, bins.shape[0] - found, found)


@public("reduction")
def histogram_bin_edges(a: Any, bins: Any = 10, range: Any = None, weights: Any = None) -> Any:
    """The edges of `bins` intervals of equal size from the smallest element to the largest, or over `range`;
    or those that are given.

    Shape: [bins + 1].

    >>> jf.histogram_bin_edges([0.0, 4.0], bins=4).numpy()
    array([0., 1., 2., 3., 4.])
    """
    _check_weights(a, weights)
    if _are_edges(bins):
        return as_lazy(bins)
    array = reshape(as_lazy(a), (-1,))
    return _even_edges(array, *_ends(array, bins, range), integer(bins, "bins"))


def _check_weights(a: Any, weights: Any) -> None:
    if weights is not None and as_lazy(weights).shape != as_lazy(a).shape:
        raise ShapeError("weights should have the same shape as a.")


def _are_edges(bins: Any) -> bool:
    if isinstance(bins, str):
        raise ArgumentError(f"histogram: bins={bins!r}; give their number, or their edges")
    rank = len(as_lazy(bins).shape) if isinstance(bins, (list, tuple)) else len(getattr(bins, "shape", ()))
    if rank > 1:
        raise ShapeError(f"`bins` must be 1d, when an array, and {shown(bins)} was given")
    return rank == 1


def _ends(array: Any, bins: Any, range: Any) -> tuple[Any, Any]:
    """Where intervals of equal size begin and end."""
    if integer(bins, "bins") < 1:
        raise ArgumentError("`bins` must be positive, when an integer")
    if range is not None:
        first, last = range
        if not first <= last:
            raise ArgumentError("max must be larger than min in range parameter.")
        known = [end for end in range if not isinstance(end, LazyValue)]
        if not numpy.isfinite(known).all():
            raise ArgumentError(f"supplied range of [{first}, {last}] is not finite")
    elif array.size:
        first, last = smallest(array), largest(array)
    else:
        first, last = 0.0, 1.0
    if isinstance(first, LazyValue) or isinstance(last, LazyValue):
        level = first == last
        return where(level, first - 0.5, first), where(level, last + 0.5, last)
    return (first - 0.5, last + 0.5) if first == last else (first, last)


def _even_edges(array: Any, first: Any, last: Any, number: int) -> Any:
    dtype = numpy.result_type(array.dtype, *(getattr(end, "dtype", 0.0) for end in (first, last)))
    kind = dtype if dtype.kind == "f" else numpy.dtype(float)
    return linspace(first, last, number + 1).astype(kind)


def _even_places(array: Any, first: Any, last: Any, edges: Any) -> Any:
    """In which of the equal intervals each element lies, or how many there are: in none of them.

    As NumPy has it: divided by their width, and then compared with the edges on both sides.
    """
    whole = edges.shape[0] - 1
    inside = (array >= first) & (array <= last)
    if any(hasattr(end, "dtype") for end in (first, last)):
        below, above = (as_lazy(end).astype(edges.dtype) for end in (first, last))
        share = (array.astype(edges.dtype) - below) / (above - below)
    else:  # the width of Python's numbers is a float64
        share = call(cast, (array.astype(edges.dtype) - float(first),), F64) / float(last - first)
    place = call(near_place, (edges, array, where(inside, share * whole, 0)))
    return where(inside, place, whole)


@public("reduction")
def histogram(
    a: Any, bins: Any = 10, range: Any = None, density: Any = None, weights: Any = None
) -> tuple[Any, Any]:
    """How many elements lie in each interval, or the sums of their `weights`; and the edges.

    An element on an edge counts above it, on the last edge below. With `density`, the sum of counts times
    widths is 1.

    >>> import numpy as np
    >>> counts, edges = jf.histogram(jf.asarray(np.array([1.0, 2.0, 1.0])), bins=[0, 1, 2, 3])
    >>> counts.numpy()
    array([0, 2, 1])
    """
    array = reshape(as_lazy(a), (-1,))
    _check_weights(a, weights)
    # What lies outside, and NaN, goes to an interval behind the last one.
    if _are_edges(bins):
        edges = as_lazy(bins)
        number = edges.shape[0] - 1
        place = searchsorted(edges, array, side="right") - 1
        place = where(array == edges[-1], number - 1, place)
        place = where((place >= 0) & (array <= edges[-1]), place, number)
    else:
        ends, number = _ends(array, bins, range), integer(bins, "bins")
        edges = _even_edges(array, *ends, number)
        place = _even_places(array, *ends, edges)
    counts = full((number + 1,), 0, device=array.device)
    if weights is None:
        combine_at(numpy.add, counts, place, 1)
    else:
        given = reshape(asarray(weights, device=array.device), (-1,))
        counts = counts.astype(given.dtype)
        combine_at(numpy.add, counts, place, given)
    counts = counts[:-1]
    if density:
        counts = counts / diff(edges) / summed(counts)
    return counts, edges


_FEW = 32
"""Elements that are compared with all others in less time than they are sorted."""


@public("reduction", sample=lambda s: (s.v, s.v))
def isin(
    element: Any, test_elements: Any, assume_unique: bool = False, invert: bool = False, *, kind: Any = None
) -> Any:
    """Whether each element is one of `test_elements`; with `invert`, whether it is none of them.

    `test_elements` are sorted and searched; a few of a lazy array are each compared with each.

    Shape: that of `element`. Dtype: bool.

    >>> jf.isin([1, 2, 3], [1, 3]).numpy()
    array([ True, False,  True])
    """
    if not (kind is None or (isinstance(kind, str) and kind in ("sort", "table"))):
        raise ArgumentError(f"isin: kind is None, 'sort' or 'table', not {shown(kind)}")
    array = as_lazy(element)
    if isinstance(test_elements, LazyValue):
        tests = reshape(test_elements, (-1,))
        count = tests.shape[0]
        if count <= _FEW:
            found = (reshape(array, (*array.shape, 1)) == tests).any(axis=-1)
        else:
            tests = sort(tests)
            place = searchsorted(tests, array)
            found = take(tests, where(place < count, place, count - 1)) == array
    else:
        known = numpy.unique(numpy.asarray(test_elements))
        if not known.size:
            return full(array.shape, bool(invert), device=array.device)
        given = known if isinstance(test_elements, numpy.ndarray) else known.tolist()
        table = asarray(given, device=array.device)
        place = searchsorted(table, array)
        found = take(table, where(place < known.size, place, 0)) == array
    return ~found if invert else found
