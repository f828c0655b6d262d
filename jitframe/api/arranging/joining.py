"""Concatenation and splitting of arrays, insertion and deletion of elements, as in NumPy."""

from __future__ import annotations

from typing import Any

import numpy

from ...arrays.indexing import normalize_axis
from ...errors import ArgumentError, BoundsError, DTypeError, ShapeError
from ...functions import arranging, movement
from ..calls import call
from ..frame import LazyValue
from ..indexing.reading import take
from ..movement import (
    as_lazy,
    bounds_of_parts,
    concat,
    duplicate,
    expand_dims,
    parts_between,
    parts_of,
    reshape,
    split,
)
from ..registry import Varied, public


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
    """Returns positions or counts known now."""
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
    depths = {_depth(array) for array in arrays}
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
