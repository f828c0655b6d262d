"""Medians and quantiles along axes: elements at positions in their order, and what lies between them."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy

from ...arrays.indexing import normalize_axes
from ...base.arguments import shown, word
from ...errors import ArgumentError, BoundsError, DTypeError, KindError, UnsupportedError
from ...functions import sorting as nodes
from ...ir.types import I32, I64
from ..calls import call
from ..creation.constructors import full, placed
from ..elementwise.arithmetic import where
from ..frame import LazyValue, dtype_there
from ..indexing.reading import take, take_along_axis, written_to
from ..movement import as_lazy, broadcast_to, moveaxis, reshape
from ..reductions import max as amax
from ..reductions import mean, nanmean
from ..reductions import sum as summed
from ..registry import public

Positions = Callable[[Any, Any], Any]
"""(number of elements, quantiles) -> where they are among the sorted elements, counted from 0."""


def _between(alpha: float, beta: float) -> Positions:
    return lambda n, q: n * q + (alpha + q * (1 - alpha - beta)) - 1


def _whole(positions: Any) -> Any:
    """Positions that are whole numbers, as integers."""
    is_ours = isinstance(positions, LazyValue)
    return positions.astype(dtype_there(positions, numpy.int64) if is_ours else numpy.int64)


def _step(shift: float, stays: Callable[[Any, Any], Any]) -> Positions:
    """The element at a position, or the next one where `stays` does not hold of its fraction."""

    def positions(n: Any, q: Any) -> Any:
        index = n * q - 1 - shift
        below = numpy.floor(index)
        chosen = numpy.where(stays(index - below, below), below, below + 1)
        return _whole(numpy.maximum(chosen, 0))

    return positions


_METHODS: dict[str, Positions] = {
    "inverted_cdf": _step(0, lambda part, below: part == 0),
    "averaged_inverted_cdf": lambda n, q: n * q - 1,
    "closest_observation": _step(0.5, lambda part, below: (part == 0) & (below % 2 == 1)),
    "interpolated_inverted_cdf": _between(0, 1),
    "hazen": _between(0.5, 0.5),
    "weibull": _between(0, 0),
    "linear": lambda n, q: (n - 1) * q,
    "median_unbiased": _between(1 / 3.0, 1 / 3.0),
    "normal_unbiased": _between(3 / 8.0, 3 / 8.0),
    "lower": lambda n, q: _whole(numpy.floor((n - 1) * q)),
    "higher": lambda n, q: _whole(numpy.ceil((n - 1) * q)),
    "midpoint": lambda n, q: 0.5 * (numpy.floor((n - 1) * q) + numpy.ceil((n - 1) * q)),
    "nearest": lambda n, q: _whole(numpy.round((n - 1) * q)),
}
"""Those of R. Hyndman and Y. Fan, Sample Quantiles in Statistical Packages, 1996, and NumPy's own."""

_FRACTIONS: dict[str, Callable[[Any, Any], Any]] = {
    "averaged_inverted_cdf": lambda part, index: numpy.where(part == 0, 0.5, 1.0),
    "midpoint": lambda part, index: numpy.where(index % 1 == 0, 0.0, 0.5),
}
"""(fraction of a position, the position) -> how far from one element to the next the quantile is."""


MOST_SELECTED = 4
"""Positions in each row whose elements are selected one by one; more of them are taken from sorted rows."""


class _Ordered:
    """The elements along some axes in their order, as far as they are asked for."""

    def __init__(self, a: Any, axis: Any, keepdims: Any) -> None:
        array = as_lazy(a)
        rank = array.ndim
        axes = tuple(range(rank)) if axis is None else normalize_axes(axis, rank)
        kept = [each for each in range(rank) if each not in axes]
        self.outer = tuple(array.shape[each] for each in kept)
        moved = moveaxis(array, axes, tuple(range(rank - len(axes), rank))) if axes else array
        self.length = math.prod(array.shape[each] for each in axes)
        self.elements = reshape(moved, (*self.outer, self.length))
        """In rows, the last axis, as they were."""
        self.shape = (
            tuple(1 if each in axes else extent for each, extent in enumerate(array.shape))
            if keepdims
            else self.outer
        )
        """The shape of a result."""

    @property
    def has_nan(self) -> bool:
        """Whether there may be a NaN."""
        return bool(self.elements._dtype.is_inexact)

    def or_nan(self, found: Any) -> Any:
        """Returns the result of each row, NaN where the row has one."""
        if not self.has_nan:
            return found
        largest = amax(self.elements, axis=-1)
        return where(numpy.isnan(largest), largest, found)

    @property
    def counts(self) -> Any:
        """Counts the elements that are not NaN."""
        return summed(~numpy.isnan(self.elements), axis=-1) if self.has_nan else self.length

    def at(self, positions: Any) -> tuple[Any, Any]:
        """The elements at positions in order, and those after them, the last where there is none.

        `positions`: one, or an array with the axes of quantiles, or with those and the axes of rows behind
        them. So are the axes of what is given.
        """
        if isinstance(positions, LazyValue) and positions._dtype not in (I32, I64):
            positions = positions.astype(numpy.int32) if positions._dtype.bits < 32 else _whole(positions)
        whole = numpy.asarray(positions) if not isinstance(positions, LazyValue) else positions
        asked = whole.shape
        if isinstance(positions, LazyValue):
            asked = asked[: positions.ndim - len(self.outer)]
        number = math.prod(asked)
        if self.elements._dtype.is_complex or number > MOST_SELECTED:
            rows = call(nodes.sort, (self.elements,), -1)
            after = numpy.minimum(whole + 1, self.length - 1)
            first, second = (self._taken(rows, each) for each in (positions, after))
            return first, second
        if isinstance(positions, LazyValue):
            spread = reshape(broadcast_to(positions, (*asked, *self.outer)), (number, *self.outer))
            ranks = moveaxis(spread, 0, -1)
        else:
            ranks = broadcast_to(placed(_whole(whole.reshape(-1)), self.elements), (*self.outer, number))
        found = call(nodes.order_statistics, (self.elements, ranks), -1)
        first, second = (reshape(moveaxis(each, -1, 0), (*asked, *self.outer)) for each in found)
        return first, second

    def _taken(self, rows: Any, positions: Any) -> Any:
        """The elements of rows at positions."""
        outer = self.outer
        if isinstance(positions, int):
            return rows[..., positions]
        if isinstance(positions, (numpy.ndarray, numpy.generic)):
            found = take(rows, positions, axis=-1)
            return moveaxis(found, tuple(range(len(outer), found.ndim)), tuple(range(positions.ndim)))
        count = positions.ndim - len(outer)
        whole = broadcast_to(positions, (*positions.shape[:count], *outer))
        if not count:
            return take_along_axis(rows, whole[..., None], axis=-1)[..., 0]
        spread = broadcast_to(rows, (*whole.shape[:count], *rows.shape))
        return take_along_axis(spread, whole[..., None], axis=-1)[..., 0]


def _check_overwritten(a: Any, axis: Any, overwrite_input: bool) -> None:
    """Raises where NumPy would sort in an array that is read-only: in all of it flat, if that is no copy, or
    along an axis."""
    if not overwrite_input or not isinstance(a, (LazyValue, numpy.ndarray)):
        return
    flags, rank = a.flags, len(a.shape)
    whole = axis is None or (isinstance(axis, (list, tuple)) and len(axis) == rank)
    if rank and not flags.writeable and (flags.c_contiguous or not whole):
        raise ArgumentError(f"overwrite_input=True of an array that is read-only: {shown(a)}")


@public("reduction")
def median(
    a: Any, axis: Any = None, out: Any = None, overwrite_input: bool = False, keepdims: Any = False
) -> Any:
    """The middle element over axes, or the mean of the two in the middle; NaN where there is a NaN.

    `overwrite_input` changes nothing; ArgumentError of an array that is read-only. Shape: that of `a` without
    the axes; with `keepdims` their extents are 1. Dtype: that of a mean.

    >>> jf.median([[7, 1, 5], [4, 2, 8]], axis=1).numpy()
    array([5., 4.])
    """
    _check_overwritten(a, axis, overwrite_input)
    given = _Ordered(a, axis, keepdims)
    if not given.length:
        return written_to(out, reshape(mean(given.elements, axis=-1), given.shape))
    middle, is_one = (given.length - 1) // 2, given.length % 2
    pair = given.at(middle)
    found = given.or_nan(mean(numpy.stack(pair[:1] if is_one else pair), axis=0))
    return written_to(out, reshape(found, given.shape))


@public("reduction")
def nanmedian(
    a: Any, axis: Any = None, out: Any = None, overwrite_input: bool = False, keepdims: Any = False
) -> Any:
    """As `median`, of the elements that are no NaN; NaN where all are.

    >>> import numpy as np
    >>> jf.nanmedian([[7.0, np.nan, 5.0], [4.0, 2.0, 8.0]], axis=1).numpy()
    array([6., 4.])
    """
    _check_output(True, out)
    if not as_lazy(a).size:
        return nanmean(a, axis, out=out, keepdims=keepdims)
    given = _Ordered(a, axis, keepdims)
    if not given.has_nan:
        return median(a, axis, out, overwrite_input, keepdims)
    counts = given.counts
    first, second = given.at(numpy.maximum(counts - 1, 0) // 2)
    # As a mean of two is computed: 16-bit floats in 32 bits.
    found = mean(numpy.stack([first, second]), axis=0)
    return written_to(out, reshape(where(counts % 2 == 1, first, found), given.shape))


@public("reduction", sample=lambda s: (s.x, 0.5))
def quantile(
    a: Any,
    q: Any,
    axis: Any = None,
    out: Any = None,
    overwrite_input: bool = False,
    method: str = "linear",
    keepdims: Any = False,
    *,
    weights: Any = None,
) -> Any:
    """The elements below which the parts `q` of the elements over axes lie, after a `method` of NumPy's.

    `q`: from 0 to 1, a number or an array. Shape: that of `q`, then that of `a` without the axes. NaN where
    there is a NaN. Raises ArgumentError for an unknown method and for numbers in `q` out of range (of an
    array without a value yet nothing is known), UnsupportedError for `weights`.

    >>> jf.quantile([1.0, 2.0, 3.0, 4.0], [0.5, 1.0]).numpy()
    array([2.5, 4. ])
    """
    _check_overwritten(a, axis, overwrite_input)
    return _quantile(a, q, 1, axis, out, method, keepdims, weights, skip=False)


@public("reduction", sample=lambda s: (s.x, 50))
def percentile(
    a: Any,
    q: Any,
    axis: Any = None,
    out: Any = None,
    overwrite_input: bool = False,
    method: str = "linear",
    keepdims: Any = False,
    *,
    weights: Any = None,
) -> Any:
    """As `quantile`, with `q` from 0 to 100.

    >>> jf.percentile([[1, 9], [3, 5]], 50, axis=0).numpy()
    array([2., 7.])
    """
    _check_overwritten(a, axis, overwrite_input)
    return _quantile(a, q, 100, axis, out, method, keepdims, weights, skip=False)


@public("reduction", sample=lambda s: (s.x, 0.5))
def nanquantile(
    a: Any,
    q: Any,
    axis: Any = None,
    out: Any = None,
    overwrite_input: bool = False,
    method: str = "linear",
    keepdims: Any = False,
    *,
    weights: Any = None,
) -> Any:
    """As `quantile`, of the elements that are no NaN; NaN where all are.

    >>> import numpy as np
    >>> jf.nanquantile([1.0, np.nan, 3.0], 0.5).numpy()
    array(2.)
    """
    return _quantile(a, q, 1, axis, out, method, keepdims, weights, skip=True)


@public("reduction", sample=lambda s: (s.x, 50))
def nanpercentile(
    a: Any,
    q: Any,
    axis: Any = None,
    out: Any = None,
    overwrite_input: bool = False,
    method: str = "linear",
    keepdims: Any = False,
    *,
    weights: Any = None,
) -> Any:
    """As `nanquantile`, with `q` from 0 to 100.

    >>> import numpy as np
    >>> jf.nanpercentile([1.0, np.nan, 3.0], 100).numpy()
    array(3.)
    """
    return _quantile(a, q, 100, axis, out, method, keepdims, weights, skip=True)


_MESSAGES = {
    1: "Quantiles must be in the range [0, 1]",
    100: "Percentiles must be in the range [0, 100]",
}


def _check_output(skip: bool, out: Any) -> None:
    """Raises for `out=...` of the functions that leave out NaN: NumPy's write to what they are given."""
    if skip and out is Ellipsis:
        raise KindError("out= is an array to write to, not Ellipsis")


def _asked(q: Any, whole: int) -> Any:
    """The quantiles that are asked for, from 0 to `whole`, as parts of it: an ndarray, or an array
    of ours without a value yet."""
    if isinstance(q, LazyValue):
        given = q if whole == 1 else q / whole
    else:
        given = numpy.asarray(q) if whole == 1 else numpy.asarray(numpy.true_divide(q, whole))
        if given.dtype.kind not in "buif":
            raise DTypeError(f"q is a number or an array of numbers, not {given.dtype}")
        if given.size and not (given.min() >= 0 and given.max() <= 1):
            raise ArgumentError(_MESSAGES[whole])
    return given


def _quantile(
    a: Any, q: Any, whole: int, axis: Any, out: Any, method: Any, keepdims: Any, weights: Any, skip: bool
) -> Any:
    """`q`: from 0 to `whole`; `skip`: NaN is left out."""
    given = _asked(q, whole)
    _check_output(skip, out)
    if weights is not None:
        raise UnsupportedError(
            "weights of quantiles are not supported; sort by jf.argsort(a), and search in the cumulative "
            "sums of the weights in that order"
        )
    word(method, "method", tuple(_METHODS))
    if as_lazy(a)._dtype.is_complex:
        raise KindError(f"a must be an array of real numbers, not {shown(a)}")
    if skip and not as_lazy(a).size:
        return nanmean(a, axis, out=out, keepdims=keepdims)
    if given.ndim > 2:
        raise ArgumentError("q must be a scalar or 1d")
    weak = type(q) in (int, float)
    ordered, asked = _Ordered(a, axis, keepdims), given.shape
    skip = skip and ordered.has_nan
    if not ordered.length and not ordered.has_nan and not math.prod(asked):
        kind = numpy.float64 if given.dtype.kind == "f" else ordered.elements.dtype
        return written_to(out, full((*asked, *ordered.shape), 0, kind))
    if not ordered.length:
        raise BoundsError(f"quantiles of no elements: axis {axis} of {shown(a)} is empty")
    count: Any = ordered.length
    if skip:
        count = ordered.counts
        kind = given.dtype if given.dtype.kind == "f" else "float64" if weak else "int64"
        count = count.astype(dtype_there(count, kind))
    if skip and not isinstance(given, LazyValue):
        given = placed(given, ordered.elements) if given.ndim else float(given) if weak else given.item()
    if isinstance(given, LazyValue) and given.ndim:
        given = reshape(given, (*given.shape, *(1 for _ in ordered.outer)))
    index = _METHODS[method](count, given)
    is_whole = getattr(index, "dtype", numpy.dtype(float)).kind in "iu"
    found = (
        ordered.at(_bounded(index, ordered))[0]
        if is_whole
        else _interpolated(ordered, method, index, count, weak)
    )
    if skip:
        found = where(count == 0, math.nan, found)
    else:
        found = ordered.or_nan(found)
    return written_to(out, reshape(found, (*asked, *ordered.shape)))


def _bounded(index: Any, ordered: _Ordered) -> Any:
    """Whole positions that are certainly there: an int, an ndarray, or an array of ours."""
    if isinstance(index, LazyValue):
        return numpy.clip(index, 0, ordered.length - 1)
    index = numpy.clip(index, 0, ordered.length - 1)
    return int(index) if not index.ndim else index


def _interpolated(ordered: _Ordered, method: str, index: Any, count: Any, weak: bool) -> Any:
    """Interpolates between the elements before and after each position; `weak`: in their dtype."""
    below = numpy.floor(index)
    beyond, before = index >= count - 1, index < 0
    part = index - numpy.where(beyond, -1, numpy.where(before, 0, below))
    part = _FRACTIONS.get(method, lambda part, _: part)(part, index).astype(index.dtype)
    position = _whole(numpy.where(beyond, count - 1, numpy.where(before, 0, below)))
    first, second = ordered.at(_bounded(position, ordered))
    second = where(_spread(beyond | before, first), first, second)
    near, far = (_weight(each, first, weak) for each in (part, 1 - part))
    difference = second - first
    from_above, from_below = second - difference * far, first + difference * near
    return where(as_lazy(_weight(part, first, False)) >= 0.5, from_above, from_below)


def _weight(part: Any, like: Any, weak: bool) -> Any:
    """Returns the weight of a difference for each quantile, in all rows; `weak`: as a Python number."""
    if isinstance(part, LazyValue):
        kind = like.dtype if like.dtype.kind == "f" else dtype_there(like, "float64")
        return part.astype(kind) if weak else part
    part = numpy.asarray(part)
    return float(part) if weak else placed(_spread(part, like), like)


def _spread(part: Any, like: Any) -> Any:
    """Broadcasts a parameter of quantiles to all rows."""
    if isinstance(part, LazyValue):
        return part
    part = numpy.asarray(part)
    return part.reshape((*part.shape, *(1 for _ in range(like.ndim - part.ndim))))
