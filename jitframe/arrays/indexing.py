"""Basic indexing: converts an index to a `View`, with NumPy's errors."""

from __future__ import annotations

import operator
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any

from ..base.arguments import integer, is_sequence
from ..errors import ArgumentError, AxisError, BoundsError, DTypeError, JitframeError
from ..ir.node import Shape
from .views import Reshape, Slice, View

NO_INDEX = (
    "only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and integer or boolean arrays are "
    "valid indices"
)


def parse_index(index: Any, shape: Shape) -> View:
    """Returns the view `array[index]` of an array of `shape`."""
    view = View.of(shape)
    items = expanded(index if index.__class__ is tuple else (index,), len(shape))
    starts, steps, extents, kept = [], [], [], []
    axis = 0
    cuts = False
    for item in items:
        if item is None:
            kept.append(1)
            continue
        extent = shape[axis]
        if item.__class__ is slice:
            start, step, count = slice_of(item, extent)
            cuts = cuts or not (item.start in (None, 0) and item.stop is None and item.step in (None, 1))
            kept.append(count)
        else:
            start, step, count = position_in(item, axis, extent), 1, 1
            cuts = True
        starts.append(start)
        steps.append(step)
        extents.append(count)
        axis += 1
    if cuts:
        view = view.then(Slice(tuple(starts), tuple(steps), tuple(extents)))
    result = tuple(kept)
    return view if view.shape == result else view.then(Reshape(result))


def key_of(index: Any) -> Hashable:
    """Returns the key of an index of integers and slices; None of other indices."""
    if index.__class__ is int:
        return index
    parts: list[Any] = []
    for item in index if index.__class__ is tuple else (index,):
        if item.__class__ is slice:
            parts += [slice, item.start, item.stop, item.step]
        else:
            parts.append(item)
    key = tuple(parts)
    return key if _PLAIN.issuperset(map(type, key)) else None


def view_at(index: Any, shape: Shape) -> View:
    """Like `parse_index`, with a cache."""
    return view_by(key_of(index), index, shape)


def view_by(key: Hashable, index: Any, shape: Shape) -> View:
    """Like `view_at`, given the key of the index."""
    if key is None:
        return parse_index(index, shape)
    known = VIEWS.get((key, shape))
    if known is None:
        known = parse_index(index, shape)
        if len(VIEWS) >= VIEWS_KEPT:
            VIEWS.clear()
        VIEWS[key, shape] = known
    return known


VIEWS_KEPT = 4096
_PLAIN = frozenset((int, type, type(None), type(...)))
VIEWS: dict[Any, View] = {}
"""By the keys of indices and shapes."""


def _takes_one(item: Any) -> int:
    """Returns the number of axes that a basic item takes."""
    if item is None or item is Ellipsis:
        return 0
    if item.__class__ not in (slice, int) and not hasattr(item, "__index__"):
        raise BoundsError(NO_INDEX)
    return 1


def expanded(items: Sequence[Any], rank: int, taken: Callable[[Any], int] = _takes_one) -> list[Any]:
    """Replaces the ellipsis by slices; `taken` returns the number of axes of an item."""
    dots = [position for position, item in enumerate(items) if item is Ellipsis]
    if len(dots) > 1:
        raise BoundsError("an index can only have a single ellipsis ('...')")
    used = sum(map(taken, items))
    if used > rank:
        raise BoundsError(f"too many indices for array: array is {rank}-dimensional, but {used} were indexed")
    rest = [slice(None)] * (rank - used)
    if not dots:
        return [*items, *rest]
    return [*items[: dots[0]], *rest, *items[dots[0] + 1 :]]


def position_in(item: Any, axis: int, extent: int) -> int:
    try:
        position = operator.index(item)
    except TypeError as error:
        if isinstance(error, JitframeError):
            raise
        raise BoundsError(NO_INDEX) from None
    if not -extent <= position < extent:
        raise BoundsError(f"index {position} is out of bounds for axis {axis} with size {extent}")
    return position + extent if position < 0 else position


def slice_of(item: slice, extent: int) -> tuple[int, int, int]:
    """Returns (start, step, count) of a slice of an axis."""
    try:
        start, stop, step = item.indices(extent)
    except ValueError:
        raise ArgumentError("slice step cannot be zero") from None
    except TypeError as error:
        if isinstance(error, JitframeError):
            raise
        raise DTypeError(str(error)) from None
    count = len(range(start, stop, step))
    return (start if count else 0), step, count


def normalize_axis(axis: Any, rank: int, name: str = "") -> int:
    """Returns a nonnegative axis. Raises AxisError with NumPy's text."""
    position = integer(axis, f"{name}axis")
    if not -rank <= position < rank:
        raise AxisError(f"{name}axis {position} is out of bounds for array of dimension {rank}")
    return position + rank if position < 0 else position


def normalize_axes(axes: Any, rank: int, name: str = "") -> tuple[int, ...]:
    """Returns nonnegative, different axes from an int or several, in the given order."""
    several: Iterable[Any] = axes if is_sequence(axes) else (axes,)
    result = tuple(normalize_axis(axis, rank, name) for axis in several)
    if len(set(result)) < len(result):
        raise ArgumentError("duplicate value in 'axis'")
    return result
