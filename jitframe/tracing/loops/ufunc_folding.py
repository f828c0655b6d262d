"""`reduce` and `accumulate` of ufuncs without a reduction or scan of their own, as sequential loops; and
`reduceat`."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

import numpy

from ...api.calls import call
from ...api.creation.constructors import full
from ...api.frame import LazyValue
from ...api.indexing.reading import take
from ...api.movement import concat, moveaxis, reshape
from ...api.namespace import BY_NUMPY
from ...api.signature import optional_dtype, single_output
from ...arrays.indexing import normalize_axis
from ...base.arguments import flag
from ...errors import ArgumentError, BoundsError, DTypeError, KindError
from ...functions.operands import strong
from ...functions.reductions import condition, reduced_axes
from ..jit import jit
from .control_flow import fori_loop
from .control_flow import scan as scan_over


def reduced(ufunc: Any, array: Any, bound: dict[str, Any]) -> Any:
    """`ufunc.reduce`: from the first element along the axes to the last one, in a native loop."""
    optional_dtype(bound.get("dtype"))
    told = {"axis": bound.get("axis", 0), "keepdims": flag(bound.get("keepdims", False), "keepdims")}
    if "initial" in bound:
        told["initial"] = None if bound["initial"] is None else 1
    if bound.get("where", True) is not True:
        told["where"] = numpy.bool_(True)
    reduced_axes(told["axis"], len(array.shape))  # raises
    _check(ufunc.reduce, array, bound.get("dtype"), told)
    return _reduced(ufunc, array, bound)


def _reduced(ufunc: Any, array: Any, bound: dict[str, Any]) -> Any:
    """Reduces with valid arguments; with `initial=None` and `where` it begins with the first element."""
    axis, keepdims = bound.get("axis", 0), bound.get("keepdims", False)
    initial, where = bound.get("initial"), bound.get("where", True)
    rank = len(array.shape)
    axes = reduced_axes(axis, rank)
    kept = tuple(each for each in range(rank) if each not in axes)
    shape = tuple(array.shape[each] for each in kept)
    count = math.prod(array.shape[each] for each in axes)
    rows = _rows(_computed(ufunc, array, bound.get("dtype")), axes, (count, *shape))
    if isinstance(initial, float) and rows.dtype.kind in "iu":
        int(initial)  # raises, as NumPy's cast does
    start = initial if "initial" in bound else ufunc.identity  # None: the first element
    if isinstance(start, complex) and numpy.dtype(rows.dtype).kind != "c":
        raise KindError(f"{ufunc.__name__}.reduce: initial= is a real number, not {start}")
    if isinstance(start, float) and numpy.dtype(rows.dtype).kind in "iu":
        start = int(start)
    masks: tuple[Any, ...] = ()
    if where is not True:
        mask = call(condition, (where,), array.shape)
        masks = (_rows(mask, axes, (count, *shape)),)
    result = _fold(ufunc)(rows, start, *masks)
    if keepdims:
        result = reshape(result, tuple(1 if each in axes else array.shape[each] for each in range(rank)))
    return _into(result, bound.get("out"))


_IDEMPOTENT = (
    numpy.maximum, numpy.minimum, numpy.fmax, numpy.fmin, numpy.logical_and, numpy.logical_or,
    numpy.bitwise_and, numpy.bitwise_or,
)  # fmt: skip


def reduced_at(ufunc: Any, array: Any, indices: Any, options: dict[str, Any]) -> Any:
    """`ufunc.reduceat`: the reductions of an axis from each index to the next one (the last to the end), or
    where that is no larger the element there. Segments of about the same length are rows of one reduction."""
    out = options.pop("out", None)
    axis = normalize_axis(options.pop("axis", 0), len(array.shape))
    extent = array.shape[axis]
    if isinstance(indices, LazyValue):
        indices = indices._concrete(f"the indices of {ufunc.__name__}.reduceat")
    starts = numpy.asarray(indices)
    if starts.ndim != 1 or (starts.size and starts.dtype.kind not in "iu"):
        raise KindError(f"{ufunc.__name__}.reduceat: the indices are integers along one axis")
    starts = starts.astype(numpy.int64)
    for each in starts.tolist():
        if not 0 <= each < extent:
            raise BoundsError(f"index {each} out-of-bounds in {ufunc.__name__}.reduceat [0, {extent})")
    lengths = numpy.maximum(numpy.append(starts[1:], extent)[: starts.size] - starts, 1)
    rows = moveaxis(array, axis, -1)
    found, order = [], []
    is_folded = BY_NUMPY[ufunc].declared.fold is not None
    for digits in sorted({each.bit_length() for each in lengths.tolist()}) or [1]:
        (members,) = numpy.nonzero((lengths >> (digits - 1)) == 1)
        along = numpy.arange(lengths[members].max(initial=1))
        inside = along < lengths[members, None]
        places = starts[members, None] + numpy.minimum(along, lengths[members, None] - 1)
        chosen = dict(options)
        if ufunc not in _IDEMPOTENT and not inside.all():
            chosen["where"] = inside
        segments = take(rows, places, axis=-1)
        if is_folded:
            found.append(ufunc.reduce(segments, axis=-1, **chosen))
        else:
            found.append(_reduced(ufunc, segments, {**chosen, "initial": None, "axis": -1}))
        order.append(members)
    result = concat(found, axis=-1) if len(found) > 1 else found[0]
    if len(found) > 1:
        result = take(result, numpy.argsort(numpy.concatenate(order)), axis=-1)
    return _into(moveaxis(result, -1, axis), out)


def accumulated(ufunc: Any, array: Any, axis: int, dtype: Any, out: Any) -> Any:
    """`ufunc.accumulate` along an axis."""
    optional_dtype(dtype)
    axis = normalize_axis(axis, len(array.shape))
    _check(ufunc.accumulate, array, dtype, {"axis": axis})
    rows = moveaxis(_computed(ufunc, array, dtype), axis, 0)
    if rows.shape[0] > 1 and rows.size:
        rows = _running(ufunc)(rows)
    return _into(moveaxis(rows, 0, axis), out)


def _check(method: Callable[..., Any], array: Any, dtype: Any, told: dict[str, Any]) -> None:
    """Raises NumPy's errors for the arguments, by a call with an array of at most one element along each
    axis."""
    small = numpy.ones(tuple(min(extent, 1) for extent in array.shape), array.dtype)
    try:
        method(small, dtype=dtype, **told)
    except TypeError as error:
        raise DTypeError(str(error)) from None
    except ValueError as error:
        raise ArgumentError(str(error)) from None


def _computed(ufunc: Any, array: Any, dtype: Any) -> Any:
    """Returns the array in the dtype of the results: the requested one, or that of the ufunc."""
    wanted = ufunc(array, array).dtype if dtype is None else dtype
    return array if array.dtype == wanted else array.astype(wanted)


def _rows(array: Any, axes: tuple[int, ...], shape: tuple[int, ...]) -> Any:
    """Returns the elements to fold along a first axis, in C order of the axes."""
    return reshape(moveaxis(array, axes, tuple(range(len(axes)))), shape)


def _into(result: Any, out: Any) -> Any:
    return result if out is None else call(strong, (result,), out=single_output(out), whole=True)


@functools.cache
def _fold(ufunc: Any) -> Callable[..., Any]:
    def fold(rows: Any, start: Any, mask: Any = None) -> Any:
        def step(position: Any, total: Any) -> Any:
            following = ufunc(total, rows[position])
            return following if mask is None else numpy.where(mask[position], following, total)

        if start is None:
            return fori_loop(1, rows.shape[0], step, rows[0])
        first = full(rows.shape[1:], start, rows.dtype)
        return fori_loop(0, rows.shape[0], step, first) if rows.shape[0] else first

    fold.__name__ = fold.__qualname__ = f"{ufunc.__name__}.reduce"
    folded: Callable[..., Any] = jit(fold)
    return folded


@functools.cache
def _running(ufunc: Any) -> Callable[..., Any]:
    def running(rows: Any) -> Any:
        def step(total: Any, row: Any) -> Any:
            following = ufunc(total, row)
            return following, following

        return concat([rows[:1], scan_over(step, rows[0], rows[1:])[1]])

    running.__name__ = running.__qualname__ = f"{ufunc.__name__}.accumulate"
    jitted: Callable[..., Any] = jit(running)
    return jitted
