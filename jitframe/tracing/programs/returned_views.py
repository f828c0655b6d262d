"""NumPy's views of arrays along the paths that a trace found."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import repeat
from typing import Any

import numpy

from ...arrays.reinterpret import Bitcast
from ...arrays.views import Broadcast, Permute, Pick, Reshape, Slice, View, Window
from ...errors import BoundsError


def shown(view: View | None, array: numpy.ndarray, picked: Sequence[int] = ()) -> numpy.ndarray:
    """NumPy's view of an array along a path, which picks these positions."""
    if view is None:
        return array.view()
    positions = iter(picked)
    for step in view.steps:
        if isinstance(step, Slice):
            array = array[_slices(step)]
        elif isinstance(step, Bitcast):
            array = array.view(step.target.numpy_name)
        elif isinstance(step, Pick):
            array = _picked(step, array, positions)
        elif isinstance(step, Permute):
            array = array.transpose(step.axes)
        elif isinstance(step, Broadcast):
            spread = [1] * len(step.shape)
            for axis, extent in zip(step.axes, array.shape, strict=True):
                spread[axis] = extent
            array = numpy.broadcast_to(array.reshape(spread), step.shape)
        elif isinstance(step, Window):
            strides = step.strides(array.shape, array.strides)
            array = numpy.lib.stride_tricks.as_strided(array, step.shape, strides, writeable=False)
        elif isinstance(step, Reshape):
            array = array.reshape(step.shape)
        else:
            array = step.show(array)  # type: ignore[attr-defined]
    return array


def _picked(step: Pick, array: numpy.ndarray, positions: Iterator[int]) -> numpy.ndarray:
    index: list[Any] = [slice(None)] * array.ndim
    for axis, extent in zip(step.attributes[0], step.extents or repeat(0)):
        first = next(positions)
        index[axis] = slice(first, first + extent) if step.extents else first
    try:
        return array[(*index, ...)]
    except IndexError as error:
        raise BoundsError(str(error)) from None


def _slices(step: Slice) -> tuple[slice, ...]:
    made = []
    for start, stride, extent in zip(step.starts, step.steps, step.extents, strict=True):
        stop: int | None = start + extent * stride
        made.append(slice(0, 0) if extent == 0 else slice(start, stop if stop >= 0 else None, stride))  # type: ignore[operator]
    return tuple(made)
