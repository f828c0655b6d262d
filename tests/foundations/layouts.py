"""Arrays in the memory layouts that random programs are given."""

from __future__ import annotations

import numpy as np

LAYOUTS = ("plain", "strided", "transposed", "reversed")


def laid_out(values: np.ndarray, shape: tuple[int, ...], layout: str) -> np.ndarray:
    """An array of a shape, of values that are twice as many along each axis."""
    if not shape:
        return np.array(values)
    if layout == "strided":
        return values[(slice(None, None, 2),) * len(shape)]
    part = values[tuple(slice(extent) for extent in shape)].copy()
    if layout == "transposed":
        return np.ascontiguousarray(part.T).T
    return part[(slice(None, None, -1),) * len(shape)] if layout == "reversed" else part


def same_layout(array: np.ndarray) -> np.ndarray:
    """A copy with the same strides, in memory of its own."""
    if array.flags.c_contiguous:
        return array.copy()
    spans = [(extent - 1) * stride for extent, stride in zip(array.shape, array.strides, strict=True)]
    low = sum(span for span in spans if span < 0)
    memory = np.zeros(sum(span for span in spans if span > 0) - low + array.itemsize, np.uint8)
    made = np.ndarray(array.shape, array.dtype, memory, -low, array.strides)
    made[...] = array
    return made


def broadcast(x: tuple[int, ...], y: tuple[int, ...]) -> tuple[int, ...] | None:
    """The shape that two go to; None where they do not go together."""
    try:
        return np.broadcast_shapes(x, y)
    except ValueError:
        return None
