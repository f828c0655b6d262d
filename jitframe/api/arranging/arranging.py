"""Arrays padded, repeated, cut and put together, as NumPy's functions of the same names do it."""

from __future__ import annotations

from typing import Any

import numpy

from ...arrays.indexing import normalize_axis
from ...arrays.layout import contiguous_strides
from ...base.arguments import count, extents_of, integer, shape_of, shown
from ...errors import ArgumentError, BoundsError, DTypeError, KindError, ShapeError, UnsupportedError
from ...functions import arranging, movement, padding
from ...functions.operands import shape_text
from ..creation.ranges import arange
from ..frame import LazyValue, call
from ..indexing.reading import take
from ..movement import (
    as_lazy,
    bounds_of_parts,
    broadcast_to,
    concat,
    duplicate,
    expand_dims,
    flat_or_along,
    parts_between,
    parts_of,
    reshape,
    split,
    stack,
    transpose,
)
from ..reductions import cumsum
from ..reductions import min as smallest_of
from ..reductions import sum as summed
from ..registry import Varied, public
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
    """`m` turned by `k` quarters in the plane of two axes.

    A view; `axes` are turned from the first towards the second.

    >>> jf.rot90([[1, 2], [3, 4]]).numpy()
    array([[2, 4],
           [1, 3]])
    """
    array = as_lazy(m)
    return array._view(movement.rot90(array.shape, k, axes))


@public("movement", method=True)
def diagonal(a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Any:
    """The elements on a diagonal of two axes, along a new last axis; not to be written to.

    Shape: that of `a` without the two axes, and the diagonal's length. `offset`: above (positive) or below.

    >>> jf.diagonal([[1, 2], [3, 4]]).numpy()
    array([1, 4])
    """
    array = as_lazy(a)
    return array._view(movement.diagonal(array.shape, offset, axis1, axis2))


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
    """Which element stands at each place, where each is repeated so many times."""
    if (counts < 0).any():
        raise ArgumentError("repeats may not contain negative values.")
    return numpy.repeat(numpy.arange(counts.size), counts)


def _computed_repeats(counts: Any) -> Any:
    """The same of counts that a trace computes: it is cut for their sum."""
    if not counts.size:
        return numpy.zeros(0, numpy.int64)
    size, smallest = stack([summed(counts), smallest_of(counts)]).tolist()
    if smallest < 0:
        raise ArgumentError("repeats may not contain negative values.")
    ends = cumsum(counts)
    return searchsorted(ends, arange(size, device=counts.device).astype(ends.dtype), side="right")


@public("movement", sample=lambda s: (s.x, 1), makes_arrays=True)
def roll(a: Any, shift: Any, axis: Any = None) -> Any:
    """Elements shifted along axes, those that leave coming in at the other end.

    Shape: that of `a`; `axis` None shifts the flat array. `shift` and `axis` may be tuples, of one length.

    >>> jf.roll([1, 2, 3, 4], 1).numpy()
    array([4, 1, 2, 3])
    """
    return call(arranging.rolled, (a,), shift, axis)


@public("movement", sample=lambda s: (s.v,))
def diag(v: Any, k: int = 0) -> Any:
    """The diagonal of a matrix; of a vector the matrix that has it as diagonal.

    `k`: how far above (positive) or below the main diagonal.

    >>> jf.diag([1, 2]).numpy()
    array([[1, 0],
           [0, 2]])
    """
    if len(as_lazy(v).shape) == 2:
        return diagonal(v, k)
    return call(arranging.diag, (v,), integer(k, "k"))


@public("movement", sample=lambda s: (s.v,))
def diagflat(v: Any, k: int = 0) -> Any:
    """The matrix that has the elements of `v` as a diagonal.

    >>> jf.diagflat([[1, 2], [3, 4]], k=1).shape
    (5, 5)
    """
    return diag(reshape(v, (-1,)), k)


@public("reduction", method=True)
def trace(a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: Any = None, out: Any = None) -> Any:
    """The sum along a diagonal.

    Shape: that of `a` without the two axes. Dtype: as of `sum`.

    >>> jf.trace([[1, 2], [3, 4]]).numpy()
    array(5)
    """
    return summed(diagonal(a, offset, axis1, axis2), axis=-1, dtype=dtype, out=out)


@public("movement", sample=lambda s: (s.v, s.v))
def append(arr: Any, values: Any, axis: int | None = None) -> Any:
    """`arr` with values after its end along an axis; `axis` None takes both flat.

    Raises ShapeError where the other extents differ.

    >>> jf.append([1, 2], [3]).numpy()
    array([1, 2, 3])
    """
    if axis is None:
        arr, values = reshape(arr, (-1,)), reshape(values, (-1,))
    return concat((arr, values), axis=0 if axis is None else axis)


@public("movement", sample=lambda s: (s.v, 0))
def delete(arr: Any, obj: Any, axis: int | None = None) -> Any:
    """`arr` without some positions of an axis (None: of all elements in C order).

    `obj`: a position, a slice, positions or a mask, known now. Raises BoundsError for one outside.

    >>> jf.delete([1, 2, 3], 1).numpy()
    array([1, 3])
    """
    array = reshape(arr, (-1,)) if axis is None else as_lazy(arr)
    along = 0 if axis is None else normalize_axis(axis, len(array.shape))
    extent = array.shape[along]
    if isinstance(obj, slice):
        gone = set(range(*obj.indices(extent)))
    else:
        given = numpy.asarray(_known(obj, "delete"))
        if given.dtype == bool:
            if given.shape != (extent,):
                raise ArgumentError(
                    "boolean array argument `obj` to delete must be one-dimensional and match the axis "
                    f"length of {extent}"
                )
            gone = set(numpy.flatnonzero(given).tolist())
        else:
            if given.size and given.dtype.kind not in "iu":
                raise BoundsError("arrays used as indices must be of integer (or boolean) type")
            positions = given.astype(numpy.int64).reshape(-1).tolist()
            gone = {arranging.checked_position(position, extent, along) for position in positions}
    return call(arranging.deleted, (array,), sorted(gone), along)


@public("movement", sample=lambda s: (s.v, 0, s.array(1)))
def insert(arr: Any, obj: Any, values: Any, axis: int | None = None) -> Any:
    """`arr` with values before positions of an axis (None: of all elements in C order).

    `obj`: a position, a slice, positions or a mask, known now. Raises BoundsError for one outside.

    >>> jf.insert([1, 2, 3], 1, 9).numpy()
    array([1, 9, 2, 3])
    """
    array = reshape(arr, (-1,)) if axis is None else as_lazy(arr)
    along = 0 if axis is None else normalize_axis(axis, len(array.shape))
    extent = array.shape[along]
    if isinstance(obj, slice):
        given = numpy.arange(*obj.indices(extent))
    else:
        given = numpy.asarray(_known(obj, "insert"))
    if given.ndim > 1:
        raise ArgumentError("index array argument obj to insert must be one dimensional or scalar")
    if given.dtype == bool:
        given = numpy.flatnonzero(given)
    if given.size and given.dtype.kind not in "iu":
        # NumPy takes a slice up to one position, which it compares with the extent before.
        inside = given.size == 1 and (given.dtype.kind != "f" or not abs(given.item()) > extent)
        kind = DTypeError if inside or given.dtype == object else BoundsError
        raise kind("arrays used as indices must be of integer (or boolean) type")
    positions = given.reshape(-1).astype(numpy.int64)
    for position in positions.tolist():
        if not -extent <= position <= extent:
            raise BoundsError(f"index {position} is out of bounds for axis {along} with size {extent}")
    positions[positions < 0] += extent
    if positions.size == 1:
        return call(arranging.inserted, (array, values), int(positions[0]), along, not given.ndim)
    count = positions.size
    if not count and not as_lazy(values).size:
        return duplicate(array)
    places, sources = numpy.empty(count, numpy.int64), numpy.arange(extent + count)
    order = numpy.argsort(positions, kind="stable")
    places[order] = positions[order] + numpy.arange(count)
    kept = numpy.ones(extent + count, bool)
    kept[places] = False
    sources[kept], sources[places] = numpy.arange(extent), extent + numpy.arange(count)
    return take(call(arranging.followed_by, (array, values), count, along), sources, axis=along)


def _known(value: Any, function: str) -> Any:
    """Positions or counts known now."""
    return value._concrete(f"the positions of {function}") if isinstance(value, LazyValue) else value


@public("movement")
def atleast_3d(*arrays: Any) -> Any:
    """Arrays with new axes, so that they have at least three.

    A tuple for several arrays.

    >>> jf.atleast_3d([1, 2]).shape
    (1, 2, 1)
    """
    seen = []
    for each in arrays:
        array = as_lazy(each)
        if len(array.shape) < 2:
            array = reshape(array, (1, -1, 1))
        elif len(array.shape) == 2:
            array = expand_dims(array, axis=2)
        seen.append(array)
    return seen[0] if len(seen) == 1 else tuple(seen)


@public("movement", sample=lambda s: ([s.x, s.x],))
def dstack(tup: Any) -> Any:
    """Arrays behind each other along the third axis.

    >>> jf.dstack(([1, 2], [3, 4])).numpy()
    array([[[1, 3],
            [2, 4]]])
    """
    made = atleast_3d(*parts_of(tup))
    return concat(made if isinstance(made, tuple) else (made,), axis=2)


@public("movement", sample=lambda s: ([s.x, s.x],))
def block(arrays: Varied) -> Any:
    """One array of nested lists of blocks: the innermost lists along the last axis, and so on outwards.

    Raises ShapeError where blocks do not fit together.

    >>> jf.block([[np.eye(2), np.zeros((2, 1))]]).numpy()
    array([[1., 0., 0.],
           [0., 1., 0.]])
    """
    depth = _depth(arrays)
    rank = max(depth, _most_axes(arrays))
    return _joined(arrays, rank, rank - depth)


def _depth(arrays: Any) -> int:
    if isinstance(arrays, tuple):
        raise DTypeError("block: only lists can be used to arrange blocks, not tuples")
    if not isinstance(arrays, list):
        return 0
    if not arrays:
        raise ArgumentError("block: a list is empty")
    depths = {_depth(each) for each in arrays}
    if len(depths) > 1:
        raise ArgumentError(f"block: lists are nested to different depths: {sorted(depths)}")
    return depths.pop() + 1


def _most_axes(arrays: Any) -> int:
    return max(map(_most_axes, arrays)) if isinstance(arrays, list) else len(as_lazy(arrays).shape)


def _joined(arrays: Any, rank: int, axis: int) -> Any:
    if not isinstance(arrays, list):
        array = as_lazy(arrays)
        return array._view(movement.at_least(array.shape, rank))
    return concat([_joined(each, rank, axis + 1) for each in arrays], axis=axis)


@public("movement", sample=lambda s: (s.x, 3))
def array_split(ary: Any, indices_or_sections: Any, axis: int = 0) -> list[Any]:
    """Parts of an array along an axis, the first ones longer by one where they cannot be equal.

    `indices_or_sections`: how many parts, or the positions between them.

    >>> [part.numpy() for part in jf.array_split([1, 2, 3], 2)]
    [array([1, 2]), array([3])]
    """
    array = as_lazy(ary)
    along = normalize_axis(axis, len(array.shape))
    return parts_between(
        array, along, bounds_of_parts("array_split", indices_or_sections, array.shape[along])
    )


@public("movement", sample=lambda s: (s.x, 3))
def hsplit(ary: Any, indices_or_sections: Any) -> list[Any]:
    """`split` along axis 1, of vectors along axis 0. Raises ShapeError for less axes.

    >>> [part.numpy() for part in jf.hsplit([1, 2, 3, 4], 2)]
    [array([1, 2]), array([3, 4])]
    """
    return _split_along("hsplit", ary, indices_or_sections, 1, 1)


@public("movement", sample=lambda s: (s.x, 3))
def vsplit(ary: Any, indices_or_sections: Any) -> list[Any]:
    """`split` along axis 0. Raises ShapeError for less than two axes.

    >>> [part.numpy() for part in jf.vsplit([[1, 2], [3, 4]], 2)]
    [array([[1, 2]]), array([[3, 4]])]
    """
    return _split_along("vsplit", ary, indices_or_sections, 0, 2)


@public("movement", sample=lambda s: (s.array(1, 2, 2), 2))
def dsplit(ary: Any, indices_or_sections: Any) -> list[Any]:
    """`split` along axis 2. Raises ShapeError for less than three axes.

    >>> [part.shape for part in jf.dsplit(np.zeros((2, 2, 4)), 2)]
    [(2, 2, 2), (2, 2, 2)]
    """
    return _split_along("dsplit", ary, indices_or_sections, 2, 3)


def _split_along(name: str, ary: Any, indices_or_sections: Any, axis: int, least: int) -> list[Any]:
    rank = len(as_lazy(ary).shape)
    if rank < least:
        raise ShapeError(f"{name} only works on arrays of {least} or more dimensions")
    return split(ary, indices_or_sections, axis=axis if rank > 1 else 0)
