"""Operators that read or write elements at positions."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...errors import ArgumentError
from ...tracing.values.masked import chosen
from ..registry import Known, operator
from ..values import axis_of, cast, dtype_of, is_known, lazy, positions

_COMBINE = {"add": np.add, "mul": np.multiply, "max": np.maximum, "min": np.minimum}


def _from_start(indices: Any, extent: int) -> Any:
    """Positions counted from the end become positions from the start."""
    return np.where(indices < 0, indices + dtype_of(indices).type(extent), indices)


@operator("Gather")
def gather(x: Any, indices: Any, *, axis: int = 0) -> Any:
    return np.take(x, _from_start(indices, x.shape[axis]), axis=axis)


@operator("GatherElements")
def gather_elements(x: Any, indices: Any, *, axis: int = 0) -> Any:
    """As `take_along_axis`, of indices whose other extents may be smaller."""
    place = axis_of(axis, x.ndim)
    cut = tuple(slice(None) if each == place else slice(0, indices.shape[each]) for each in range(x.ndim))
    places = _from_start(indices, x.shape[place])
    return np.take_along_axis(lazy(x)[cut], lazy(places), axis=place)


def _coordinates(indices: Any, shape: tuple[int, ...]) -> tuple[Any, ...]:
    """An array of positions for each axis, of those that the last axis has."""
    return tuple(_from_start(indices[..., axis], shape[axis]) for axis in range(indices.shape[-1]))


@operator("GatherND")
def gather_nd(x: Any, indices: Any, *, batch_dims: int = 0) -> Any:
    if not batch_dims:
        return lazy(x)[_coordinates(indices, tuple(x.shape))]
    batch, rest = tuple(x.shape[:batch_dims]), tuple(x.shape[batch_dims:])
    count = math.prod(batch)
    flat = np.reshape(x, (count, *rest))
    inner = tuple(indices.shape[batch_dims:])
    places = np.reshape(indices, (count, *inner))
    rows = positions(count).reshape((count, *(1,) * (len(inner) - 1)))
    found = lazy(flat)[(rows, *_coordinates(places, rest))]
    return np.reshape(found, (*batch, *found.shape[1:]))


def _copy(x: Any) -> Any:
    return np.array(x) if is_known(x) else lazy(x).copy()


def _written(x: Any, index: tuple[Any, ...], updates: Any, reduction: str) -> Any:
    made = _copy(lazy(x))
    if reduction == "none":
        made[index] = updates
    elif reduction in _COMBINE:
        _COMBINE[reduction].at(made, index, updates)
    else:
        raise ArgumentError(f"the reduction of a scatter is none, {', '.join(_COMBINE)}, not {reduction!r}")
    return made


@operator("ScatterND")
def scatter_nd(x: Any, indices: Any, updates: Any, *, reduction: str = "none") -> Any:
    return _written(x, _coordinates(indices, tuple(x.shape)), updates, reduction)


@operator("Scatter", "ScatterElements")
def scatter_elements(x: Any, indices: Any, updates: Any, *, axis: int = 0, reduction: str = "none") -> Any:
    place = axis_of(axis, x.ndim)
    index = [positions(n).reshape((-1, *(1,) * (x.ndim - each - 1))) for each, n in enumerate(indices.shape)]
    index[place] = _from_start(indices, x.shape[place])
    whole = tuple(np.broadcast_to(array, tuple(indices.shape)) for array in index)
    return _written(x, whole, updates, reduction)


@operator("TensorScatter")
def tensor_scatter(
    cache: Any, update: Any, first: Any = None, *, axis: int = -2, mode: str = "linear"
) -> Any:
    """Writes rows into a cache, of each batch from a position of its own on; `circular` goes round."""
    place, batch, length = axis_of(axis, cache.ndim), cache.shape[0], update.shape[axis]
    begin = np.zeros(batch, np.int64) if first is None else first
    rows = np.reshape(begin, (batch, 1)) + positions(length)
    rows = rows % cache.shape[place] if mode == "circular" else rows
    made = np.moveaxis(lazy(cache), place, 1).copy()
    made[(positions(batch)[:, None], rows)] = np.moveaxis(lazy(update), place, 1)
    return np.moveaxis(made, 1, place)


@operator("OneHot")
def one_hot(indices: Any, depth: Known, values: Any, *, axis: int = -1) -> Any:
    count = int(np.asarray(depth).reshape(-1)[0])
    rank = indices.ndim + 1
    place = axis_of(axis, rank)
    classes = positions(count).reshape((-1, *(1,) * (rank - place - 1)))
    places = np.expand_dims(indices, place)
    places = np.where(places < 0, places + dtype_of(places).type(count), places)
    return np.where(places == classes, values[1], values[0])


@operator("Compress")
def compress(x: Any, condition: Any, *, axis: int | None = None) -> Any:
    values, chosen = (np.reshape(x, (-1,)), 0) if axis is None else (x, axis_of(axis, x.ndim))
    (places,) = np.nonzero(condition[: values.shape[chosen]])
    return np.take(values, places, axis=chosen)


@operator("NonZero")
def non_zero(x: Any) -> Any:
    arrays = np.nonzero(lazy(x) if x.ndim else np.reshape(lazy(x), (1,)))
    # Other operators take arrays: the number of positions is met here.
    return cast(chosen(np.stack(arrays)), np.int64)
