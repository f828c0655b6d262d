"""Reshapes, transpositions and other views of an array, as `View` data."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ..arrays.indexing import normalize_axes, normalize_axis
from ..arrays.views import Broadcast, Permute, Reshape, Slice, View, Window
from ..base.arguments import extents_of, integer, is_sequence, shape_of, shown
from ..errors import ArgumentError, AxisError, KindError, ShapeError
from ..ir.node import Shape
from .operands import broadcasts, shape_text


def reshape(source: Shape, shape: Any) -> View:
    """The elements in C order in another shape, of which one extent may be -1."""
    target = list(shape_of(shape))
    given = f"({','.join(map(str, target))})"
    size = math.prod(source)
    unknown = [axis for axis, extent in enumerate(target) if extent < 0]
    if len(unknown) > 1:
        raise ShapeError("can only specify one unknown dimension")
    mismatch = f"cannot reshape array of size {size} into shape {given}"
    if unknown:
        known = math.prod(extent for extent in target if extent >= 0)
        if not known or size % known:
            raise ShapeError(mismatch)
        target[unknown[0]] = size // known
    if math.prod(target) != size:
        raise ShapeError(mismatch)
    return _reshaped(source, tuple(target))


def _reshaped(source: Shape, target: Shape) -> View:
    view = View.of(source)
    return view if source == target else view.then(Reshape(target))


def ravel(source: Shape) -> View:
    return _reshaped(source, (math.prod(source),))


def transpose(source: Shape, axes: Any = None) -> View:
    """The axes in reverse, or in the order given."""
    rank = len(source)
    if axes is None:
        order = tuple(reversed(range(rank)))
    else:
        axes = axes if is_sequence(axes) else (axes,)
        if any(isinstance(each, bool) for each in axes):
            raise KindError(f"axes are integers, not {shown(axes)}")
        if len(axes) != rank:
            raise KindError(f"axes don't match array: {shown(axes)} of {rank}")
        order = tuple(normalize_axis(axis, rank) for axis in axes)
        if len(set(order)) < rank:
            raise ArgumentError("repeated axis in transpose")
    return _permuted(source, order)


def _permuted(source: Shape, order: Shape) -> View:
    view = View.of(source)
    return view if order == tuple(range(len(source))) else view.then(Permute(order))


def matrix_transpose(source: Shape) -> View:
    """The last two axes swapped."""
    if len(source) < 2:
        raise ShapeError("matrix transpose with ndim < 2 is undefined")
    return swapaxes(source, -1, -2)


def swapaxes(source: Shape, axis1: Any, axis2: Any) -> View:
    order = list(range(len(source)))
    first = normalize_axis(axis1, len(source), "axis1: ")
    second = normalize_axis(axis2, len(source), "axis2: ")
    order[first], order[second] = second, first
    return _permuted(source, tuple(order))


def moveaxis(source: Shape, origin: Any, destination: Any) -> View:
    """Axes moved to new positions, the others in their order."""
    rank = len(source)
    origins, destinations = (
        _distinct(axes, rank, name) for axes, name in ((origin, "source"), (destination, "destination"))
    )
    if len(origins) != len(destinations):
        raise ArgumentError("`source` and `destination` arguments must have the same number of elements")
    order = [axis for axis in range(rank) if axis not in origins]
    for place, axis in sorted(zip(destinations, origins, strict=True)):
        order.insert(place, axis)
    return _permuted(source, tuple(order))


def _distinct(axes: Any, rank: int, name: str) -> Shape:
    try:
        return normalize_axes(axes, rank, f"{name}: ")
    except KindError:
        raise
    except ArgumentError:
        raise ArgumentError(f"repeated axis in `{name}` argument") from None


def squeeze(source: Shape, axis: Any = None) -> View:
    """Without axes of extent 1: all of them, or those given."""
    if axis is None:
        return _reshaped(source, tuple(extent for extent in source if extent != 1))
    if axis.__class__ is not tuple and is_sequence(axis):
        raise KindError(f"axis is an integer or a tuple of them, not {shown(axis)}")
    dropped = normalize_axes(axis, len(source) or 1)
    if not source:
        return View.of(source)
    if any(source[position] != 1 for position in dropped):
        raise ShapeError("cannot select an axis to squeeze out which has size not equal to one")
    return _reshaped(
        source, tuple(extent for position, extent in enumerate(source) if position not in dropped)
    )


def expand_dims(source: Shape, axis: Any) -> View:
    """With new axes of extent 1 at the positions of the result given."""
    several = axis if isinstance(axis, (tuple, list)) else (axis,)
    rank = len(source) + len(several)
    places = [normalize_axis(position, rank) for position in several]
    if len(set(places)) < len(places):
        raise ArgumentError("repeated axis")
    rest = iter(source)
    return _reshaped(source, tuple(1 if position in places else next(rest) for position in range(rank)))


def broadcast_to(source: Shape, shape: Any) -> View:
    """The array repeated along new axes and those of extent 1."""
    target = extents_of(shape)
    offset = len(target) - len(source)
    if offset < 0:
        raise ShapeError("input operand has more dimensions than allowed by the axis remapping")
    if not broadcasts(source, target):
        raise ShapeError(
            "operands could not be broadcast together with remapped shapes [original->remapped]: "
            f"{shape_text(source)}  and requested shape {shape_text(target)}"
        )
    view = View.of(source)
    if source == target:
        return view
    kept = [axis for axis, extent in enumerate(source) if extent == target[offset + axis]]
    view = _reshaped(source, tuple(source[axis] for axis in kept))
    return (
        view if view.shape == target else view.then(Broadcast(target, tuple(axis + offset for axis in kept)))
    )


def flip(source: Shape, axis: Any = None) -> View:
    """The order of elements reversed along all axes, or those given."""
    rank = len(source)
    flipped = range(rank) if axis is None else normalize_axes(axis, rank)
    view = View.of(source)
    if not flipped:
        return view
    starts = tuple(max(source[position] - 1, 0) if position in flipped else 0 for position in range(rank))
    return view.then(
        Slice(starts, tuple(-1 if position in flipped else 1 for position in range(rank)), source)
    )


def at_least(source: Shape, rank: int) -> View:
    """NumPy's `atleast_1d`, `atleast_2d`: new axes in front."""
    return _reshaped(source, (1,) * (rank - len(source)) + source)


def rollaxis(source: Shape, axis: Any, start: Any = 0) -> View:
    """One axis moved to before the axis `start`."""
    rank = len(source)
    moved = normalize_axis(axis, rank)
    place = integer(start, "start")
    if not -rank <= place <= rank:
        raise AxisError(f"'start' arg requires {-rank} <= start < {rank + 1}, but {place} was passed in")
    place = place + rank if place < 0 else place
    order = [each for each in range(rank) if each != moved]
    order.insert(place - (moved < place), moved)
    return _permuted(source, tuple(order))


def rot90(source: Shape, times: Any = 1, axes: Any = (0, 1)) -> View:
    """Turned by quarters in the plane of two axes, from the first towards the second."""
    try:
        given = tuple(axes)
    except TypeError:
        raise KindError(f"rot90: axes is a pair of integers, not {shown(axes)}") from None
    if len(given) != 2:
        raise ArgumentError("len(axes) must be 2.")
    first, second = (normalize_axis(axis, len(source)) for axis in given)
    if first == second:
        raise ArgumentError("Axes must be different.")
    quarters = integer(times, "k") % 4
    if quarters == 0:
        return View.of(source)
    if quarters == 2:
        return flip(source, (first, second))
    if quarters == 1:
        flipped = flip(source, second)
        return flipped.join(swapaxes(flipped.shape, first, second))
    swapped = swapaxes(source, first, second)
    return swapped.join(flip(swapped.shape, second))


def diagonal(source: Shape, offset: Any = 0, axis1: Any = 0, axis2: Any = 1) -> View:
    """The elements whose position on `axis2` is that on `axis1` plus `offset`, along a new last axis."""
    rank = len(source)
    if rank < 2:
        raise ShapeError("diag requires an array of at least two dimensions")
    first, second = normalize_axis(axis1, rank), normalize_axis(axis2, rank)
    if first == second:
        raise ArgumentError("axis1 and axis2 cannot be the same")
    shift = integer(offset, "offset")
    starts = [0] * rank
    starts[second if shift >= 0 else first] = abs(shift)
    count = max(min(source[first] - starts[first], source[second] - starts[second]), 0)
    extents = [count if axis in (first, second) else extent for axis, extent in enumerate(source)]
    if not count:
        starts = [0] * rank
    view = View.of(source)
    if tuple(extents) != source:
        view = view.then(Slice(tuple(starts), (1,) * rank, tuple(extents)))
    rest = [axis for axis in range(rank) if axis not in (first, second)]
    place = {axis: position for position, axis in enumerate(rest)}
    axes = tuple((place.get(axis, rank - 2),) for axis in range(rank))
    return view.then(Window((*(source[axis] for axis in rest), count), axes))


def sliding_window(source: Shape, window: Any, axis: Any = None) -> View:
    """Every window of some extents, its elements along new last axes."""
    extents = shape_of(window, "window_shape")
    if any(extent < 0 for extent in extents):
        raise ArgumentError("`window_shape` cannot contain negative values")
    if axis is None:
        along = tuple(range(len(source)))
        if len(extents) != len(along):
            raise ArgumentError(
                "Since axis is None, must provide window_shape for all dimensions of `x`; got "
                f"{len(extents)} window_shape elements and `x.ndim` is {len(source)}."
            )
    else:
        given = axis if isinstance(axis, (tuple, list)) else (axis,)
        along = tuple(normalize_axis(each, len(source)) for each in given)
        if len(extents) != len(along):
            raise ArgumentError(
                "Must provide matching length window_shape and axis; got "
                f"{len(extents)} window_shape elements and {len(along)} axes elements."
            )
    shape, axes = list(source), [[axis] for axis in range(len(source))]
    for position, (each, extent) in enumerate(zip(along, extents, strict=True)):
        # A window of no elements lies between any two, as NumPy counts them.
        shape[each] -= extent - 1
        axes[each].append(len(source) + position)
        if shape[each] < 0 or (shape[each] == 0 and extent):
            raise ShapeError("window shape cannot be larger than input array shape")
    return View.of(source).then(Window((*shape, *extents), tuple(map(tuple, axes))))


def windows_of_memory(size: int, extents: Sequence[int]) -> View:
    """The view of elements in one axis whose position is the sum of the positions along axes of these
    extents."""
    return View.of((size,)).then(Window(tuple(extents), (tuple(range(len(extents))),)))
