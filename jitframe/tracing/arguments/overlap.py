"""Arguments that overlap in memory: which ones are views of a common region, and which views.

Only used for functions that write to an array. A region is a grid of axes, strides descending; each array of
it is a path of slices, permutations and broadcasts of the grid. Where no grid fits, AliasError.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import combinations, pairwise

import numpy

from ...arrays.layout import Strides
from ...arrays.views import Broadcast, Permute, Reshape, Slice, View
from ...errors import AliasError
from ...ir.record import record

Grid = tuple[tuple[int, int], ...]
"""(stride in elements, extent) of each axis, strides descending."""

_SEARCH_LIMIT = 10_000
_MOST_STRIDES = 6
"""The most different strides of arrays with a common grid: the search tries all subsets."""


class Region(metaclass=record):
    """The memory that several arrays are views of."""

    owner: int
    """The number of the array whose address locates the region."""
    offset: int
    """From the owner's first element to the region's, in elements."""
    shape: tuple[int, ...]
    strides: Strides
    members: tuple[tuple[int, View], ...]
    """The numbers of the arrays, and the view of each on the region."""

    def array(self, arrays: Sequence[numpy.ndarray]) -> numpy.ndarray:
        """Returns the region's memory as an ndarray."""
        owner = arrays[self.owner]
        memory = _Memory(
            owner, self.offset * owner.itemsize, self.shape, tuple(s * owner.itemsize for s in self.strides)
        )
        return numpy.asarray(memory)


class _Memory:
    """The memory that encloses an array, by NumPy's array interface; keeps the array alive."""

    def __init__(self, owner: numpy.ndarray, offset: int, shape: tuple[int, ...], strides: Strides) -> None:
        self.owner = owner
        self.__array_interface__ = {
            "version": 3, "shape": shape, "strides": strides, "typestr": owner.dtype.str,
            "data": (owner.__array_interface__["data"][0] + offset, False),
        }  # fmt: skip


Pattern = tuple[Region, ...]


def find_pattern(
    arrays: Sequence[numpy.ndarray], written: Collection[int], name_of: Callable[[int], str]
) -> Pattern:
    """Returns the regions of arrays that overlap a written one. Raises AliasError where they have no common
    grid."""
    bounds = [_bounds(array) for array in arrays]
    groups: list[list[int]] = []
    end = 0
    for number in sorted(range(len(arrays)), key=bounds.__getitem__):
        start, beyond = bounds[number]
        if start == beyond:
            continue  # without elements
        if start < end:
            groups[-1].append(number)
        else:
            groups.append([number])
        end = max(end, beyond)
    return tuple(
        region
        for group in sorted(map(sorted, groups))
        if len(group) > 1 and not set(group).isdisjoint(written)
        for region in _regions(group, arrays, bounds, written, name_of)
    )


def _bounds(array: numpy.ndarray) -> tuple[int, int]:
    start: int = array.__array_interface__["data"][0]
    if 0 in array.shape:
        return start, start
    spans = [(extent - 1) * stride for extent, stride in zip(array.shape, array.strides)]
    return start + sum(s for s in spans if s < 0), start + sum(s for s in spans if s > 0) + array.itemsize


def _regions(
    group: list[int],
    arrays: Sequence[numpy.ndarray],
    bounds: Sequence[tuple[int, int]],
    written: Collection[int],
    name_of: Callable[[int], str],
) -> list[Region]:
    """Returns one region of the whole group; an empty list where its bytes are disjoint."""
    region = _common(group, arrays, bounds)
    if region is not None:
        return [region]
    meeting = [
        (first, second)
        for position, first in enumerate(group)
        for second in group[position + 1 :]
        if (first in written or second in written) and _may_share(arrays[first], arrays[second])
    ]
    if not meeting:
        return []
    first, second = meeting[0]
    raise AliasError(
        f"{name_of(first)!r} and {name_of(second)!r} overlap in memory in a way that cannot be traced, "
        "and the function "
        f"writes to one of them: {_shown(arrays[first])} and {_shown(arrays[second])}; pass a copy of one"
    )


def _may_share(first: numpy.ndarray, second: numpy.ndarray) -> bool:
    try:
        return numpy.shares_memory(first, second, max_work=_SEARCH_LIMIT)  # type: ignore[arg-type] # any count: its stubs know two
    except numpy.exceptions.TooHardError:
        return True


def _shown(array: numpy.ndarray) -> str:
    return f"{array.dtype}{list(array.shape)} with strides {array.strides}"


def _common(
    group: list[int], arrays: Sequence[numpy.ndarray], bounds: Sequence[tuple[int, int]]
) -> Region | None:
    """Returns the region that all arrays of the group are views of."""
    first = arrays[group[0]]
    itemsize = first.itemsize
    lowest = min(bounds[number][0] for number in group)
    for number in group:
        array = arrays[number]
        if array.dtype != first.dtype or (_start(array) - lowest) % itemsize:
            return None
        if any(stride % itemsize for stride in array.strides):
            return None
    for grid, origin in _grids(group, arrays, bounds):
        placed = [_placed(arrays[number], origin, grid) for number in group]
        if all(each is not None for each in placed):
            return _region(group, arrays, grid, origin, [each for each in placed if each is not None])
    return None


def _grids(
    group: list[int], arrays: Sequence[numpy.ndarray], bounds: Sequence[tuple[int, int]]
) -> Iterator[tuple[Grid, int]]:
    """Yields candidate grids with their origins: axes from the arrays' strides, aligned with one of the
    arrays."""
    itemsize = arrays[group[0]].itemsize
    lowest, beyond = min(bounds[number][0] for number in group), max(bounds[number][1] for number in group)
    strides = sorted(
        {
            abs(stride) // itemsize
            for number in group
            for extent, stride in zip(arrays[number].shape, arrays[number].strides)
            if extent > 1 and stride
        },
        reverse=True,
    )
    if len(strides) > _MOST_STRIDES:
        return
    total = (beyond - lowest) // itemsize
    for count in range(len(strides), -1, -1):
        for chosen in combinations(strides, count):
            outer = chosen[0] if chosen else 1
            extents = [2 * total // outer + 2, *(before // after for before, after in pairwise(chosen))]
            grid = tuple(zip(chosen, extents))
            for origin in dict.fromkeys(
                _origin(lowest, bounds[number][0], outer * itemsize) for number in group
            ):
                yield grid, origin


def _origin(lowest: int, start: int, pitch: int) -> int:
    """Returns the first address, at or below the lowest, that is a multiple of the pitch from an array's
    start."""
    return start + (lowest - start) // pitch * pitch


def _start(array: numpy.ndarray) -> int:
    start: int = array.__array_interface__["data"][0]
    return start


class _Placed(metaclass=record):
    """The place of an array in a grid: its window on each grid axis, and the grid axis of each of its own
    axes."""

    starts: tuple[int, ...]
    steps: tuple[int, ...]
    extents: tuple[int, ...]
    axes: tuple[int | None, ...]
    shape: tuple[int, ...]


def _placed(array: numpy.ndarray, origin: int, grid: Grid) -> _Placed | None:
    offset = (_start(array) - origin) // array.itemsize
    if offset < 0:
        return None
    starts = []
    for stride, extent in grid:
        position, offset = divmod(offset, stride)
        if position >= extent:
            return None
        starts.append(position)
    if offset:
        return None
    steps, extents = [1] * len(grid), [1] * len(grid)
    axes: list[int | None] = []
    for extent, stride in zip(array.shape, array.strides):
        if extent == 1 or stride == 0:
            axes.append(None)
            continue
        axis = _axis_for(stride // array.itemsize, extent, grid, starts, axes)
        if axis is None:
            return None
        steps[axis], extents[axis] = stride // array.itemsize // grid[axis][0], extent
        axes.append(axis)
    return _Placed(tuple(starts), tuple(steps), tuple(extents), tuple(axes), array.shape)


def _axis_for(
    stride: int, extent: int, grid: Grid, starts: Sequence[int], taken: Sequence[int | None]
) -> int | None:
    """Returns the grid axis along which an array's axis runs."""
    for axis, (unit, whole) in enumerate(grid):
        if axis in taken or stride % unit:
            continue
        last = starts[axis] + (extent - 1) * (stride // unit)
        if 0 <= last < whole:
            return axis
    return None


def _region(
    group: list[int], arrays: Sequence[numpy.ndarray], grid: Grid, origin: int, placed: list[_Placed]
) -> Region:
    """Returns the bounding box of the arrays in the grid."""
    low = [min(_lowest(each, axis) for each in placed) for axis in range(len(grid))]
    high = [max(_highest(each, axis) for each in placed) for axis in range(len(grid))]
    shape = tuple(last - first + 1 for first, last in zip(low, high))
    strides = tuple(stride for stride, _ in grid)
    start = origin + sum(first * stride for first, stride in zip(low, strides)) * arrays[group[0]].itemsize
    owner = next((number for number in group if arrays[number].flags.writeable), group[0])
    offset = (start - _start(arrays[owner])) // arrays[owner].itemsize
    members = tuple((number, _view(each, low, shape)) for number, each in zip(group, placed, strict=True))
    return Region(owner, offset, shape, strides, members)


def _lowest(placed: _Placed, axis: int) -> int:
    return placed.starts[axis] + min(0, (placed.extents[axis] - 1) * placed.steps[axis])


def _highest(placed: _Placed, axis: int) -> int:
    return placed.starts[axis] + max(0, (placed.extents[axis] - 1) * placed.steps[axis])


def _view(placed: _Placed, low: Sequence[int], shape: tuple[int, ...]) -> View:
    """Returns the path from the region to one of its arrays."""
    view = View.of(shape)
    starts = tuple(start - first for start, first in zip(placed.starts, low))
    whole = (
        all(start == 0 and step == 1 for start, step in zip(starts, placed.steps)) and placed.extents == shape
    )
    if not whole:
        view = view.then(Slice(starts, placed.steps, placed.extents))
    used = [axis for axis in placed.axes if axis is not None]
    kept = tuple(placed.extents[axis] for axis in sorted(used))
    if view.shape != kept:
        view = view.then(Reshape(kept))
    order = tuple(sorted(used).index(axis) for axis in used)
    if order != tuple(range(len(order))):
        view = view.then(Permute(order))
    own = placed.shape
    repeated = [axis for axis, place in enumerate(placed.axes) if place is None and own[axis] != 1]
    if repeated:
        spread = tuple(axis for axis in range(len(own)) if placed.axes[axis] is not None)
        return view.then(Broadcast(own, spread))
    return view if view.shape == own else view.then(Reshape(own))
