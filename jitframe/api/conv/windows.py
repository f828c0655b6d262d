"""Arguments that convolutions and pools share: sizes for each spatial axis, padding, and windows."""

from __future__ import annotations

import itertools
from typing import Any

from ...base.arguments import integer, is_sequence
from ...errors import ArgumentError, DTypeError, ShapeError
from ..arranging.rearranging import pad, sliding_window_view
from ..movement import as_lazy

PADDINGS = {"zeros": "constant", "reflect": "reflect", "replicate": "edge", "circular": "wrap"}
"""Modes of padding, and NumPy's words for them."""


def each_axis(function: str, name: str, value: Any, count: int, least: int = 1) -> tuple[int, ...]:
    """An integer for each axis of space, given as one or as that many."""
    given = tuple(value) if is_sequence(value) else (value,) * count
    found = tuple(integer(each, f"{function}: {name}") for each in given)
    if len(found) != count or any(each < least for each in found):
        raise ArgumentError(
            f"{function}: {name} is an integer from {least} on, or {count} of them, and {value!r} was given"
        )
    return found


def image(function: str, x: Any, rank: int, name: str = "x") -> tuple[Any, bool]:
    """[batch, channels, *space] of an array that may lack the batch, and whether it does."""
    array = as_lazy(x)
    if array.ndim not in (rank + 1, rank + 2):
        raise ShapeError(
            f"{function}: {name} is [batch, channels, {', '.join('dhw'[3 - rank :])}], with the batch or "
            "without, and "
            f"has the shape {tuple(array.shape)}"
        )
    return (array, False) if array.ndim == rank + 2 else (array.reshape((1, *array.shape)), True)


def real_floats(function: str, x: Any, name: str) -> Any:
    array = as_lazy(x)
    if array.dtype.kind == "c":
        raise DTypeError(f"{function}: {name} is real, not {array.dtype}")
    return array


def widths_of(
    function: str, padding: Any, extents: tuple[int, ...], reach: tuple[int, ...], stride: tuple[int, ...]
) -> list[tuple[int, int]]:
    """Returns the padding before and after each axis: "valid" is none; "same" gives extent / stride results;
    else an integer, one for each axis, or pairs."""
    count = len(extents)
    if padding == "valid":
        return [(0, 0)] * count
    if padding == "same":
        found = []
        for extent, window, step in zip(extents, reach, stride, strict=True):
            total = max((-(-extent // step) - 1) * step + window - extent, 0)
            found.append((total // 2, total - total // 2))
        return found
    if isinstance(padding, str):
        raise ArgumentError(
            f"{function}: padding is 'same', 'valid', integers or pairs of them, not {padding!r}"
        )
    if is_sequence(padding) and len(padding) == count and all(is_sequence(each) for each in padding):
        sides = [each_axis(function, "padding", each, 2, 0) for each in padding]
        return [(before, after) for before, after in sides]
    return [(each, each) for each in each_axis(function, "padding", padding, count, 0)]


def padded(x: Any, widths: list[tuple[int, int]], mode: str, value: Any = 0) -> Any:
    """The last axes with more before and after them."""
    if not any(before or after for before, after in widths):
        return x
    given = [(0, 0)] * (x.ndim - len(widths)) + list(widths)
    return pad(x, given, constant_values=value) if mode == "constant" else pad(x, given, mode)


def results(extents: tuple[int, ...], reach: tuple[int, ...], stride: tuple[int, ...]) -> tuple[int, ...]:
    """Returns the number of windows along each axis."""
    return tuple((n - w) // s + 1 if n >= w else 0 for n, w, s in zip(extents, reach, stride, strict=True))


def check_windows(function: str, extents: tuple[int, ...], reach: tuple[int, ...]) -> None:
    if any(n < w for n, w in zip(extents, reach, strict=True)):
        raise ShapeError(
            f"{function}: windows of {reach} do not fit into what is {extents} with its padding; pad more"
        )


def windows(x: Any, size: tuple[int, ...], stride: tuple[int, ...], dilation: tuple[int, ...]) -> Any:
    """[…, *results, *size]: the windows of the last axes, as a view."""
    count = len(size)
    reach = tuple((k - 1) * d + 1 for k, d in zip(size, dilation, strict=True))
    axes = tuple(range(x.ndim - count, x.ndim))
    found = sliding_window_view(x, reach, axis=axes)
    index = [slice(None)] * (x.ndim - count) + [slice(None, None, step) for step in stride]
    return found[(*index, *(slice(None, None, step) for step in dilation))]


def shifted(x: Any, size: tuple[int, ...], stride: tuple[int, ...], dilation: tuple[int, ...]) -> Any:
    """Yields, for each place in a window, the place and the elements there of all windows: [...,
    *results]."""
    reach = tuple((k - 1) * d + 1 for k, d in zip(size, dilation, strict=True))
    counts = results(tuple(x.shape[-len(size) :]), reach, stride)
    for place in itertools.product(*map(range, size)):
        cut = [
            slice(k * d, k * d + (n - 1) * s + 1, s)
            for k, d, s, n in zip(place, dilation, stride, counts, strict=True)
        ]
        yield place, x[(..., *cut)]
