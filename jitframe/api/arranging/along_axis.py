"""Application of the user's functions along axes."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy

from ...arrays.indexing import normalize_axis
from ...base.arguments import integer
from ...base.importing import load
from ...errors import ArgumentError, ShapeError
from ..movement import as_lazy, moveaxis, reshape, stack
from ..registry import public

_MOST_CALLS = 256
"""The most calls of the function that become nodes of their own; for more it is traced once."""


@public("reduction", sample=lambda s: (lambda v: v, 0, s.x))
def apply_along_axis(func1d: Callable[..., Any], axis: Any, arr: Any, *args: Any, **kwargs: Any) -> Any:
    """`func1d(vector, *args, **kwargs)` of each vector along an axis.

    For up to 256 vectors the function is called once for each, and all of its operations are fused. For more
    it is traced once, like the body of a loop, and its operations apply to all vectors: it then cannot read
    values. Its results all have one shape, which takes the place of the axis. Raises ArgumentError where
    there is no vector, TraceError where a trace needs a value.

    >>> jf.apply_along_axis(lambda v: v.sum(), 1, np.array([[1.0, 2.0], [3.0, 4.0]])).numpy()
    array([3., 7.])
    """
    array = as_lazy(arr)
    place = normalize_axis(axis, array.ndim)
    moved = moveaxis(array, place, -1)
    outer = moved.shape[:-1]
    calls = int(numpy.prod(outer, dtype=object))
    if not calls:
        raise ArgumentError("Cannot apply_along_axis when any iteration dimensions are 0")
    if calls > _MOST_CALLS:
        rows = reshape(moved, (calls, moved.shape[-1]))
        stacked = load("jitframe.tracing.loops.scans").each_row(
            lambda vector: func1d(vector, *args, **kwargs), rows
        )
    else:
        positions = itertools.product(*map(range, outer))
        found = [as_lazy(func1d(moved[position], *args, **kwargs)) for position in positions]
        if any(each.shape != found[0].shape for each in found):
            raise ShapeError("apply_along_axis: the function's results have different shapes")
        stacked = stack(found)
    shape = stacked.shape[1:]
    result = reshape(stacked, (*outer, *shape))
    for number in range(len(shape)):
        result = moveaxis(result, len(outer) + number, place + number)
    return result


@public("reduction", sample=lambda s: (lambda x, axis: x, s.x, 0))
def apply_over_axes(func: Callable[..., Any], a: Any, axes: Any) -> Any:
    """`func(a, axis)` over one axis after another; the axes stay, with extent 1.

    >>> jf.apply_over_axes(np.sum, np.ones((2, 3)), (0, 1)).numpy()
    array([[6.]])
    """
    result = as_lazy(a)
    rank = result.ndim
    for axis in (axes,) if numpy.ndim(axes) == 0 else axes:
        place = integer(axis, "axis")
        place += rank if place < 0 else 0
        found = as_lazy(func(result, place))
        if found.ndim != rank:
            place = normalize_axis(axis, rank)
            found = reshape(found, (*found.shape[:place], 1, *found.shape[place:]))
            if found.ndim != rank:
                raise ShapeError("function is not returning an array of the correct shape")
        result = found
    return result
