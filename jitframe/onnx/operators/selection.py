"""Operators that choose elements by their values: the largest, those of boxes that overlap little."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..registry import Known, operator
from ..values import axis_of, cast, positions, public

_top_k, _flip = public("top_k"), public("flip")


@operator("TopK")
def top_k_by_attribute(x: Any, *, k: int, axis: int = -1) -> Any:
    return top_k(x, np.array([k]), axis=axis)


@operator("TopK", since=10)
def top_k(x: Any, k: Known, *, axis: int = -1, largest: int = 1, sorted: int = 1) -> Any:
    count, place = int(np.asarray(k).reshape(-1)[0]), axis_of(axis, x.ndim)
    order = np.argsort(_descending(x) if largest else x, axis=place, stable=True)
    places = np.take(order, positions(count), axis=place)
    return np.take_along_axis(x, places, axis=place), cast(places, np.int64)


def _descending(x: Any) -> Any:
    """What is in ascending order where `x` is in descending order, equal elements by position."""
    kind = np.dtype(x.dtype).kind
    return np.negative(x) if kind == "f" else np.invert(x)


@operator("Unique")
def unique(x: Known, *, node: Any, axis: int | None = None, sorted: int = 1) -> Any:
    """Different elements, or parts along an axis, in order, or in that of their first appearance."""
    array, first, inverse, counts = np.unique(
        x, return_index=True, return_inverse=True, return_counts=True, axis=axis
    )
    inverse = inverse.reshape(-1)
    if not sorted:
        order = np.argsort(first, kind="stable")
        places = np.argsort(order, kind="stable")
        array = array[order] if axis is None else np.take(array, order, axis=axis)
        first, counts, inverse = first[order], counts[order], places[inverse]
    arrays = (array, *(array.astype(np.int64) for array in (first, inverse, counts)))
    return arrays[: len(node.outputs)]
