"""Reshapes, transpositions and other views of an array, as `View` data."""

from __future__ import annotations

import math
import operator
from typing import Any

from ..errors import ArgumentError, ShapeError
from ..indexing import normalize_axes, normalize_axis
from ..ir.node import Shape
from ..views import Broadcast, Permute, Reshape, Slice, View
from .operands import shape_text


def shape_of(shape: Any) -> Shape:
    """A shape from an int or a sequence of them."""
    if isinstance(shape, (tuple, list)):
        return tuple(operator.index(extent) for extent in shape)
    return (operator.index(shape),)


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
        if len(axes) != rank:
            raise ArgumentError("axes don't match array")
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
    except ArgumentError:
        raise ArgumentError(f"repeated axis in `{name}` argument") from None


def squeeze(source: Shape, axis: Any = None) -> View:
    """Without axes of extent 1: all of them, or those given."""
    if axis is None:
        return _reshaped(source, tuple(extent for extent in source if extent != 1))
    dropped = normalize_axes(axis, len(source))
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
    target = shape_of(shape)
    offset = len(target) - len(source)
    fits = offset >= 0 and all(extent in (1, target[offset + axis]) for axis, extent in enumerate(source))
    if offset < 0:
        raise ShapeError("input operand has more dimensions than allowed by the axis remapping")
    if not fits:
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
