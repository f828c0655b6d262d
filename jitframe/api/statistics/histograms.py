"""Histograms: how many elements lie in each interval of one axis or several."""

from __future__ import annotations

import math
from typing import Any

import numpy

from ...base.arguments import integer, shown
from ...errors import ArgumentError, KindError, ShapeError
from ...functions.complex_numbers import real_numbers
from ...functions.operands import cast
from ...functions.sorted_search import near_place
from ...ir.types import F64
from ..calls import call
from ..creation.constructors import asarray, full
from ..creation.ranges import linspace
from ..elementwise.arithmetic import where
from ..frame import LazyValue, dtype_there
from ..indexing.writing import combine_at
from ..movement import as_lazy, atleast_2d, diff, matrix_transpose, reshape
from ..reductions import max as largest
from ..reductions import min as smallest
from ..reductions import sum as summed
from ..registry import public
from ..sorting.sorted_search import searchsorted


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
    array = reshape(call(real_numbers, (a,), "histogram_bin_edges"), (-1,))
    return _even_edges(array, *_ends(array, bins, range), integer(bins, "bins"))


def _check_weights(a: Any, weights: Any) -> None:
    if weights is not None and as_lazy(weights).shape != as_lazy(a).shape:
        raise ShapeError("weights should have the same shape as a.")


def _are_edges(bins: Any) -> bool:
    if isinstance(bins, str):
        raise KindError(f"histogram: bins={bins!r}; give their number, or their edges")
    rank = len(as_lazy(bins).shape) if isinstance(bins, (list, tuple)) else len(getattr(bins, "shape", ()))
    if rank > 1:
        raise ShapeError(f"`bins` must be 1d, when an array, and {shown(bins)} was given")
    return rank == 1


def _ends(array: Any, bins: Any, range: Any) -> tuple[Any, Any]:
    """Returns the ends of the range of intervals of equal size."""
    if integer(bins, "bins") < 1:
        raise ArgumentError("`bins` must be positive, when an integer")
    if range is not None:
        first, last = range
        if any(as_lazy(end)._dtype.is_complex for end in (first, last)):
            raise KindError(f"range= takes real numbers, not {shown(range)}")
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
    if not isinstance(first, LazyValue) and not isinstance(last, LazyValue):
        _check_widths(float(first), float(last), number, kind)
    return linspace(first, last, number + 1, device=array.device).astype(dtype_there(array, kind))


def _check_widths(first: float, last: float, number: int, dtype: numpy.dtype[Any]) -> None:
    """Raises where intervals are narrower than the distance of adjacent numbers of the dtype."""
    apart = numpy.spacing(numpy.array(max(abs(first), abs(last)), dtype))
    if last - first < 4 * number * float(apart) and number < 2**20:
        edges = numpy.linspace(first, last, number + 1, dtype=dtype)
        if (edges[:-1] >= edges[1:]).any():
            raise ArgumentError(
                f"Too many bins for data range. Cannot create {number} finite-sized bins from {first} to "
                f"{last}."
            )


def _even_places(array: Any, first: Any, last: Any, edges: Any) -> Any:
    """Returns the equal interval of each element, or the number of intervals: in none of them.

    Computes it like NumPy: divides by their width, and then compares with the edges on both sides.
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
    _check_weights(a, weights)
    array = reshape(call(real_numbers, (a,), "histogram"), (-1,))
    # What lies outside, and NaN, goes to an interval behind the last one.
    if _are_edges(bins):
        edges = call(real_numbers, (bins,), "histogram")
        if not edges.shape[0]:
            counts = full((0,), 0, device=array.device)
            return counts / 1.0 if density else counts, edges
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


@public("reduction", sample=lambda s: (s.x, 3))
def histogramdd(
    sample: Any, bins: Any = 10, range: Any = None, density: Any = None, weights: Any = None
) -> tuple[Any, list[Any]]:
    """How many points lie in each cell of a grid, or the sums of their `weights`; and the edges along each
    axis.

    `sample`: [points, axes], or a sequence of the coordinates along each axis. `bins`: how many along every
    axis, or for each axis how many or the edges. `range`: for each axis where they begin and end, or None.
    Shape: [bins along the first axis, ...]. Dtype: float64. With `density`, the sum of counts times volumes
    is 1.

    >>> counts, edges = jf.histogramdd(np.array([[0.0, 0.0], [1.0, 0.0]]), bins=(2, 1))
    >>> counts.numpy()
    array([[1.],
           [1.]])
    """
    points = _points(sample)
    count, axes = points.shape
    given = _for_axes(bins, axes, "bins")
    if range is not None and not hasattr(range, "__len__"):
        raise KindError(f"range= is a sequence of one pair for each axis, not {shown(range)}")
    ranges = [None] * axes if range is None else list(range)
    if len(ranges) != axes:
        raise ArgumentError("range argument must have one entry per dimension")
    all_edges, place, extents = [], 0, []
    for axis, (each, reach) in enumerate(zip(given, ranges, strict=True)):
        values = points[:, axis]
        if _are_edges(each):
            edges = call(real_numbers, (each,), "histogram")
        else:
            ends, number = _ends(values, each, reach), integer(each, "bins")
            edges = linspace(*ends, number + 1)
        # Two cells more, for what lies before and behind.
        found = searchsorted(edges, values, side="right")
        found = where(values == edges[-1], edges.shape[0] - 1, found)
        extents.append(edges.shape[0] + 1)
        place = place * extents[-1] + found
        all_edges.append(edges)
    counts = full((math.prod(extents),), 0.0, device=points.device)
    if count:
        if weights is None:
            combine_at(numpy.add, counts, place, 1)
        else:
            _check_weights(points[:, 0], weights)
            combine_at(numpy.add, counts, place, asarray(weights, device=points.device).astype(counts.dtype))
    inner = (slice(1, -1),) * axes
    counts = reshape(counts, tuple(extents))[inner]
    if density:
        total = summed(counts)
        for axis, edges in enumerate(all_edges):
            behind = (1,) * (axes - 1 - axis)
            counts = counts / reshape(diff(edges), (-1, *behind))
        counts = counts / total
    return counts, all_edges


def _points(sample: Any) -> Any:
    """[points, axes]: an array is that, or the points of one axis; a sequence has a vector for each axis."""
    array = as_lazy(sample)
    if array.ndim > 2:
        raise ShapeError(f"histogramdd: the points are a matrix or vectors, not {shown(sample)}")
    return array if array.ndim == 2 and hasattr(sample, "shape") else matrix_transpose(atleast_2d(array))


def _for_axes(given: Any, axes: int, name: str) -> list[Any]:
    """Returns a parameter's value for each axis, from one for each or for all."""
    if not hasattr(given, "__len__") or (hasattr(given, "shape") and not given.shape):
        return [given] * axes
    if len(given) != axes:
        raise ArgumentError(f"The dimension of {name} must be equal to the dimension of the sample x.")
    return list(given)


@public("reduction", sample=lambda s: (s.v, s.v, 3))
def histogram2d(
    x: Any, y: Any, bins: Any = 10, range: Any = None, density: Any = None, weights: Any = None
) -> tuple[Any, Any, Any]:
    """How many points lie in each cell of a plane; and the edges along both axes. See `histogramdd`.

    `x`, `y`: [points]. `bins`: how many along both axes, or the edges of both, or a pair with one of these
    for each. Shape: [bins along x, bins along y].

    >>> counts, xedges, yedges = jf.histogram2d([0.0, 1.0], [0.0, 1.0], bins=2)
    >>> counts.numpy()
    array([[1., 0.],
           [0., 1.]])
    """
    if as_lazy(x).shape != as_lazy(y).shape:
        raise ShapeError("x and y must have the same length.")
    if hasattr(bins, "__len__") and getattr(bins, "shape", None) != () and len(bins) not in (1, 2):
        bins = [as_lazy(bins)] * 2
    counts, edges = histogramdd([x, y], bins, range, density, weights)
    return counts, edges[0], edges[1]
