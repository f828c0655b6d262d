"""Pools: means, norms and largest elements of windows."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np

from ..registry import Known, operator
from ..values import cast, dtype_of, integers, lazy
from .convolution import Widths, widths_of
from .reductions import _limit


class _Windows:
    """The windows of a pool along each spatial axis."""

    def __init__(
        self, x: Any, kernel: Any, strides: Any, dilations: Any, pads: Any, auto_pad: str, ceil: int
    ) -> None:
        self.rank = len(kernel)
        self.size = tuple(kernel)
        self.strides = tuple(strides or (1,) * self.rank)
        self.dilations = tuple(dilations or (1,) * self.rank)
        self.extents = tuple(x.shape[2:])
        self.reach = tuple((k - 1) * d + 1 for k, d in zip(self.size, self.dilations))
        self.widths = widths_of(auto_pad, pads, self.extents, self.reach, self.strides)
        self.counts = tuple(self._count(axis, bool(ceil)) for axis in range(self.rank))

    def _count(self, axis: int, ceil: bool) -> int:
        before, after = self.widths[axis]
        room = self.extents[axis] + before + after - self.reach[axis]
        step = self.strides[axis]
        count: int = (-(-room // step) if ceil else room // step) + 1
        # A window that begins behind the padding has nothing in it.
        if ceil and (count - 1) * step >= self.extents[axis] + before:
            count -= 1
        return count

    @property
    def ends(self) -> Widths:
        """The padding that all windows need, the last of which may reach beyond what was given."""
        made = []
        for axis, (before, _) in enumerate(self.widths):
            last = (self.counts[axis] - 1) * self.strides[axis] + self.reach[axis]
            made.append((before, max(last - before - self.extents[axis], 0)))
        return made

    def padded(self, x: Any, value: Any) -> Any:
        if not any(map(any, self.ends)):
            return x
        return np.pad(x, [(0, 0), (0, 0), *self.ends], constant_values=value)

    def places(self, padded: Any) -> list[Any]:
        """For each place in a window, what all windows have there."""
        made = []
        for place in itertools.product(*map(range, self.size)):
            cut = [
                slice(k * d, k * d + (n - 1) * s + 1, s)
                for k, d, s, n in zip(place, self.dilations, self.strides, self.counts)
            ]
            made.append(padded[(slice(None), slice(None), *cut)])
        return made

    def divisors(self, padding_counts: bool) -> np.ndarray | None:
        """How many elements each window has; None where all have all."""
        counts = []
        for axis, (before, after) in enumerate(self.widths):
            begin = np.arange(self.counts[axis]) * self.strides[axis] - before
            inside = begin[:, None] + np.arange(self.size[axis]) * self.dilations[axis]
            low, high = (-before, self.extents[axis] + after) if padding_counts else (0, self.extents[axis])
            counts.append(((inside >= low) & (inside < high)).sum(axis=1))
        total = counts[0]
        for count in counts[1:]:
            total = total[..., None] * count
        return None if (total == math.prod(self.size)).all() else total


def _combined(function: Any, parts: list[Any]) -> Any:
    """Neighbours first: fewer steps one after the other."""
    while len(parts) > 1:
        pairs = [function(*parts[n : n + 2]) for n in range(0, len(parts) - 1, 2)]
        parts = pairs + parts[len(pairs) * 2 :]
    return parts[0]


_UNROLLED = 81
"""Places of a window up to which they are the terms of one kernel."""


def _reduced(windows: _Windows, padded: Any, pair: Any, whole: Any) -> Any:
    if math.prod(windows.size) <= _UNROLLED:
        return _combined(pair, windows.places(padded))
    return whole(np.stack(windows.places(padded)), axis=0)


@operator("MaxPool")
def max_pool(
    x: Any, *, node: Any, kernel_shape: Any, auto_pad: str = "NOTSET", ceil_mode: int = 0,
    dilations: Any = None, pads: Any = None, storage_order: int = 0, strides: Any = None,
) -> Any:  # fmt: skip
    windows = _Windows(x, kernel_shape, strides, dilations, pads, auto_pad, ceil_mode)
    padded = windows.padded(x, _limit(x, True))
    if len(node.outputs) < 2:
        return _reduced(windows, padded, np.maximum, np.max)
    parts = np.stack(windows.places(padded))
    first = np.argmax(parts, axis=0)
    flat = _flat_places(windows, tuple(x.shape[:2]), bool(storage_order))
    places = np.take_along_axis(lazy(flat), first[None], axis=0)[0]
    return np.max(parts, axis=0), cast(places, np.int64)


def _flat_places(windows: _Windows, outer: tuple[int, int], by_columns: bool) -> np.ndarray:
    """The position in the flat input of each place of each window."""
    rank, extents = windows.rank, windows.extents
    order = range(rank) if by_columns else range(rank - 1, -1, -1)
    strides, step = [0] * rank, 1
    for axis in order:
        strides[axis], step = step, step * extents[axis]
    arrays = []
    for place in itertools.product(*map(range, windows.size)):
        total = np.zeros((1,) * rank, np.int64)
        for axis, k in enumerate(place):
            begin = np.arange(windows.counts[axis]) * windows.strides[axis] - windows.widths[axis][0]
            along = (begin + k * windows.dilations[axis]) * strides[axis]
            total = total + along.reshape([-1 if each == axis else 1 for each in range(rank)])
        arrays.append(total)
    images = np.arange(outer[0] * outer[1]).reshape((*outer, *(1,) * rank)) * step
    return np.stack(arrays)[:, None, None] + images


@operator("AveragePool")
def average_pool(
    x: Any, *, kernel_shape: Any, auto_pad: str = "NOTSET", ceil_mode: int = 0, count_include_pad: int = 0,
    dilations: Any = None, pads: Any = None, strides: Any = None,
) -> Any:  # fmt: skip
    windows = _Windows(x, kernel_shape, strides, dilations, pads, auto_pad, ceil_mode)
    dtype = dtype_of(x)
    total = _reduced(windows, windows.padded(x, dtype.type(0)), np.add, np.sum)
    divisors = windows.divisors(bool(count_include_pad))
    return cast(total, dtype) / (
        dtype.type(math.prod(windows.size)) if divisors is None else divisors.astype(dtype)
    )


@operator("LpPool")
def lp_pool(
    x: Any, *, kernel_shape: Any, auto_pad: str = "NOTSET", ceil_mode: int = 0, dilations: Any = None,
    p: float = 2, pads: Any = None, strides: Any = None,
) -> Any:  # fmt: skip
    windows = _Windows(x, kernel_shape, strides, dilations, pads, auto_pad, ceil_mode)
    return _root(_reduced(windows, windows.padded(_powers(x, p), dtype_of(x).type(0)), np.add, np.sum), p)


def _powers(x: Any, p: float) -> Any:
    return x * x if p == 2 else np.abs(x) ** dtype_of(x).type(p)


def _root(x: Any, p: float) -> Any:
    return np.sqrt(x) if p == 2 else x ** dtype_of(x).type(1 / p)


def _space(x: Any) -> tuple[int, ...]:
    return tuple(range(2, x.ndim))


@operator("GlobalAveragePool")
def global_average_pool(x: Any) -> Any:
    return np.mean(x, axis=_space(x), keepdims=True)


@operator("GlobalMaxPool")
def global_max_pool(x: Any) -> Any:
    return np.max(x, axis=_space(x), keepdims=True)


@operator("GlobalLpPool")
def global_lp_pool(x: Any, *, p: float = 2) -> Any:
    return _root(np.sum(_powers(x, p), axis=_space(x), keepdims=True), p)


@operator("MaxUnpool")
def max_unpool(
    x: Any, indices: Any, output_shape: Known | None = None, *, kernel_shape: Any, pads: Any = None,
    strides: Any = None,
) -> Any:  # fmt: skip
    rank = len(kernel_shape)
    steps, sides = tuple(strides or (1,) * rank), tuple(pads or (0,) * (2 * rank))
    inferred = [
        (n - 1) * s + k - sides[axis] - sides[axis + rank]
        for axis, (n, s, k) in enumerate(zip(x.shape[2:], steps, kernel_shape))
    ]
    shape = (*x.shape[:2], *inferred)
    wanted = shape if output_shape is None else integers(output_shape)
    made = lazy(np.zeros(math.prod(wanted), dtype_of(x))).copy()
    places: Any = np.reshape(indices, (-1,))
    if wanted != shape:  # positions are those in the smaller array
        places = np.ravel_multi_index(np.unravel_index(lazy(places), shape), wanted)
    made[places] = np.reshape(x, (-1,))
    return np.reshape(made, wanted)
