"""Places in sorted arrays, and values between given points, as NumPy's functions of these names find them."""

from __future__ import annotations

from typing import Any

import numpy

from ...base.arguments import shown, word
from ...errors import ArgumentError, KindError
from ...functions import sorted_search as nodes
from ...functions.operands import from_start
from ...ir.ops.indexing import SORTER
from ...ir.record import replace
from ..calls import call
from ..frame import LazyValue
from ..indexing.selection import read_selection, select
from ..movement import as_lazy
from ..registry import public


@public("elementwise", method=True, sample=lambda s: (s.v, s.v))
def searchsorted(a: Any, v: Any, side: str = "left", sorter: Any = None) -> Any:
    """Where the elements of `v` would go in the sorted array `a`: before equal ones, or with "right" behind.

    Shape: that of `v`. `sorter`: positions that sort `a`. NaN comes after every number.

    >>> import numpy as np
    >>> jf.searchsorted(np.array([10, 20, 30]), np.array([5, 20, 35])).numpy()
    array([0, 1, 3])
    """
    word(side, "search side", ("left", "right"))
    array = as_lazy(a)
    if sorter is not None:
        order = sorter if isinstance(sorter, LazyValue) else numpy.asarray(sorter)
        if numpy.dtype(order.dtype).kind not in "iu":
            raise KindError(f"sorter must only contain integers, not {shown(sorter)}")
        if tuple(order.shape) != tuple(array.shape):
            raise KindError("sorter.size must equal a.size")
        if isinstance(order, numpy.ndarray) and not bool(numpy.all((order >= 0) & (order < order.size))):
            raise ArgumentError(f"Sorter index out of range: {shown(sorter)} for {order.size} elements")
        flat = array.reshape(-1)
        chosen = replace(select(call(from_start, (order,)), flat.shape), labels=(SORTER,))
        array = read_selection(flat, chosen)
    return call(nodes.searchsorted, (array, v), side == "right")


@public("elementwise", sample=lambda s: (s.v, s.v, s.v))
def interp(x: Any, xp: Any, fp: Any, left: Any = None, right: Any = None, period: Any = None) -> Any:
    """The values at `x` of the straight lines through the points (`xp`, `fp`), as float64.

    Shape: that of `x`. `xp` is ascending; before and after it the values are `left` and `right`, by default
    the first and the last of `fp`. With `period` both axes are modulo that, and
    the points stand in any order.

    >>> import numpy as np
    >>> jf.interp(np.array([0.0, 1.5, 9.0]), np.array([1.0, 2.0]), np.array([10.0, 20.0])).numpy()
    array([10., 15., 20.])
    """
    if period is not None:
        x, xp, fp = _in_period(x, xp, fp, period)
        left = right = None
    ends = [each for each in (left, right) if each is not None]
    for end in ends:
        if as_lazy(end).shape:
            raise KindError(f"interp: left and right are single numbers, not {shown(end)}")

    def made(graph: Any, x: Any, xp: Any, fp: Any, *given: Any) -> Any:
        rest = iter(given)
        return nodes.interp(
            graph, x, xp, fp, *(None if each is None else next(rest) for each in (left, right))
        )

    return call(made, (x, xp, fp, *ends))


def _in_period(x: Any, xp: Any, fp: Any, period: Any) -> tuple[Any, Any, Any]:
    """Returns positions and points within one period, and a point more on both sides."""
    if not isinstance(period, LazyValue):
        if period == 0:
            raise ArgumentError("period must be a non-zero value")
        period = float(period)
    period = abs(period)
    # What is known now is sorted now.
    points, heights = (each if isinstance(each, LazyValue) else numpy.asarray(each) for each in (xp, fp))
    points = points.astype("float64")
    heights = heights.astype("complex128" if heights.dtype.kind == "c" else "float64")
    if points.ndim != 1 or heights.ndim != 1:
        raise ArgumentError("Data points must be 1-D sequences")
    if points.shape != heights.shape:
        raise ArgumentError("fp and xp are not of the same length")
    points = points % period
    order = numpy.argsort(points)
    points, heights = numpy.take(points, order), numpy.take(heights, order)
    points = numpy.concatenate((points[-1:] - period, points, points[:1] + period))
    heights = numpy.concatenate((heights[-1:], heights, heights[:1]))
    return as_lazy(x) % period, points, heights
