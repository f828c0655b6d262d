"""Repetition, padding and rotation of elements, and views of windows, as in NumPy."""

from __future__ import annotations

from typing import Any

import numpy

from ...arrays.layout import contiguous_strides
from ...base.arguments import count, extents_of, shape_of, shown
from ...errors import ArgumentError, KindError, UnsupportedError
from ...functions import arranging, movement, padding
from ...functions.operands import shape_text
from ..calls import call
from ..creation.ranges import arange
from ..frame import LazyValue
from ..movement import (
    as_lazy,
    broadcast_to,
    flat_or_along,
    reshape,
    stack,
    transpose,
)
from ..reductions import cumsum
from ..reductions import min as smallest_of
from ..reductions import sum as summed
from ..registry import public
from ..signature import refuse
from ..sorting.sorted_search import searchsorted


@public("movement", sample=lambda s: (s.x, 1))
def rollaxis(a: Any, axis: int, start: int = 0) -> Any:
    """`a` with one axis moved to before the axis `start`.

    A view. Raises AxisError's like, BoundsError, for an axis that is not there.

    >>> jf.rollaxis(np.zeros((2, 3, 4)), 2).shape
    (4, 2, 3)
    """
    array = as_lazy(a)
    return array._view(movement.rollaxis(array.shape, axis, start))


@public("movement")
def rot90(m: Any, k: int = 1, axes: Any = (0, 1)) -> Any:
    """`m` rotated by `k` quarter turns in the plane of two axes.

    A view; `axes` are rotated from the first towards the second.

    >>> jf.rot90([[1, 2], [3, 4]]).numpy()
    array([[2, 4],
           [1, 3]])
    """
    array = as_lazy(m)
    return array._view(movement.rot90(array.shape, k, axes))


@public("movement", numpy=("lib.stride_tricks.sliding_window_view",), sample=lambda s: (s.v, 2))
def sliding_window_view(
    x: Any, window_shape: Any, axis: Any = None, *, subok: bool = False, writeable: bool = False
) -> Any:
    """Every window of `window_shape` along the axes, its elements along new last axes; without a copy.

    Shape: for x[n] and a window of w, [n - w + 1, w]. A reduction over the last axes reads `x` in place.

    >>> import numpy as np
    >>> jf.sliding_window_view(np.arange(4.0), 3).sum(axis=-1).numpy()
    array([3., 6.])
    """
    refuse("sliding_window_view", "writeable", writeable)
    array = as_lazy(x)
    return array._view(movement.sliding_window(array.shape, window_shape, axis))


@public("movement", numpy=("lib.stride_tricks.as_strided",), sample=lambda s: (s.v, (2, 2), (8, 8)))
def as_strided(
    x: Any, shape: Any = None, strides: Any = None, subok: bool = False, writeable: bool = True
) -> Any:
    """The elements in the memory of `x` by strides in bytes, without a copy; not to be written to.

    Shape: `shape`, that of `x` without it. Raises UnsupportedError for strides that lead out of `x`, that are
    negative or parts of elements, and where the elements of `x` are apart from each other.

    >>> import numpy as np
    >>> jf.as_strided(np.arange(5.0), (2, 3), (16, 8)).numpy()
    array([[0., 1., 2.],
           [2., 3., 4.]])
    """
    refuse("as_strided", "subok", subok)
    array = as_lazy(x)
    extents = array.shape if shape is None else extents_of(shape, "shape")
    if strides is not None:
        steps = shape_of(strides, "strides")
    else:
        laid_out = contiguous_strides(extents) if array._strides is None else array._strides
        steps = tuple(array.itemsize * step for step in laid_out)
    if len(steps) != len(extents):
        raise ArgumentError(f"strides {steps} is not compatible with shape {shape_text(extents)}")
    memory = array
    if array._strides is not None:
        memory = transpose(array, sorted(range(array.ndim), key=lambda axis: -array.strides[axis]))
    size = array.itemsize
    spans = [(extent - 1) * step // size + 1 for extent, step in zip(extents, steps, strict=True)]
    reach = sum(spans) - len(spans) + 1 if 0 not in extents else 0
    apart = memory._strides is not None
    if apart or reach > array.size or any(step < 0 or step % size for step in steps):
        raise UnsupportedError(
            f"as_strided: shape {shape_text(extents)} and strides {steps} of an array of shape "
            f"{shape_text(array.shape)} and strides {array.strides}: elements beyond its own, backwards or "
            "across gaps; index it with positions"
        )
    flat = reshape(memory, (-1,))[:reach]
    if len(spans) < 1 or not reach:
        return reshape(flat, extents)
    seen = flat._view(movement.windows_of_memory(reach, spans))
    return broadcast_to(seen[tuple([slice(None, None, step // size or 1) for step in steps])], extents)


@public("movement", sample=lambda s: (s.x, 1), makes_arrays=True)
def pad(array: Any, pad_width: Any, mode: Any = "constant", **mode_options: Any) -> Any:
    """`array` with new elements before and after its axes, in NumPy's modes (but `median`).

    `pad_width`: (before, after) for each axis, one pair or one number for all. `mode`: "constant" (with
    `constant_values`), "edge", "linear_ramp" (with `end_values`), "maximum", "mean", "minimum" (with
    `stat_length`), "reflect", "symmetric" (with `reflect_type`), "wrap", or "empty".

    >>> jf.pad([1, 2], (1, 2), constant_values=9).numpy()
    array([9, 1, 2, 9, 9])
    """
    if callable(mode):
        raise UnsupportedError("pad: a function as mode; pad with mode='empty' and write to the borders")
    return call(padding.pad, (array,), pad_width, mode, mode_options)


@public("movement", sample=lambda s: (s.x, 1), makes_arrays=True)
def tile(A: Any, reps: Any) -> Any:
    """`A` set side by side so many times along each axis.

    `reps`: a number for each axis, for new ones first.

    >>> jf.tile([1, 2], (2, 2)).numpy()
    array([[1, 2, 1, 2],
           [1, 2, 1, 2]])
    """
    return call(arranging.tile, (A,), reps)


@public("movement", method=True, sample=lambda s: (s.x, 1))
def repeat(a: Any, repeats: Any, axis: int | None = None) -> Any:
    """Every element (or slice along an axis) `repeats` times, or as many times as an array of counts says.

    Shape: of x[n] and k repeats, [n * k]; `axis` None takes `a` flat. Raises ArgumentError for negative
    counts.

    >>> jf.repeat([1, 2], [1, 3]).numpy()
    array([1, 2, 2, 2])
    """
    counts: Any = repeats if isinstance(repeats, LazyValue) else numpy.asarray(repeats)
    array, place = flat_or_along(a, axis)
    if counts.size == 1:
        return call(arranging.repeat, (array,), count(counts.reshape(()).item(), "repeats"), place)
    extent = array.shape[place]
    if counts.dtype.kind not in "biu":
        raise KindError(f"repeats are integers, not {shown(repeats)}")
    if counts.shape != (extent,):
        raise ArgumentError(
            f"operands could not be broadcast together with shape {shape_text((extent,))} "
            f"{shape_text(counts.shape)}"
        )
    known = counts._at_hand("the counts of repeat") if isinstance(counts, LazyValue) else counts
    positions = _computed_repeats(counts) if known is None else _repeated(known)
    return array[(*(slice(None),) * place, positions)]


def _repeated(counts: numpy.ndarray) -> numpy.ndarray:
    """Returns the number of the element at each place, where each is repeated so many times."""
    if (counts < 0).any():
        raise ArgumentError("repeats may not contain negative values.")
    return numpy.repeat(numpy.arange(counts.size), counts)


def _computed_repeats(counts: Any) -> Any:
    """Does the same for counts that a trace computes: it is cut for their sum."""
    if not counts.size:
        return numpy.zeros(0, numpy.int64)
    size, smallest = stack([summed(counts), smallest_of(counts)]).tolist()
    if smallest < 0:
        raise ArgumentError("repeats may not contain negative values.")
    ends = cumsum(counts)
    return searchsorted(ends, arange(size, device=counts.device).astype(ends.dtype), side="right")


@public("movement", sample=lambda s: (s.x, 1), makes_arrays=True)
def roll(a: Any, shift: Any, axis: Any = None) -> Any:
    """Elements shifted cyclically along axes.

    Shape: that of `a`; `axis` None shifts the flat array. `shift` and `axis` may be tuples, of one length.

    >>> jf.roll([1, 2, 3, 4], 1).numpy()
    array([4, 1, 2, 3])
    """
    return call(arranging.rolled, (a,), shift, axis)
