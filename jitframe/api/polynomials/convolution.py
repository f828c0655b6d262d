"""Discrete convolutions: sums of products over the windows of a vector."""

from __future__ import annotations

import itertools
from typing import Any

from ...base.arguments import word
from ...errors import ArgumentError, ShapeError
from ..arranging.rearranging import pad, sliding_window_view
from ..creation.constructors import full
from ..elementwise.arithmetic import where
from ..linear_algebra.products import einsum, matmul
from ..movement import as_lazy, concat, flip
from ..registry import public

_MODES = ("valid", "same", "full")
_SEGMENT, _SEGMENTS = 64, 8
"""The least length of segments, and how many there are at most: each is a few kernels."""


@public("product", sample=lambda s: (s.v, s.v))
def correlate(a: Any, v: Any, mode: str = "valid") -> Any:
    """Sums of products of `v` and the windows of `a`: only whole ones, or as many as `a` is long, or all. Of
    complex numbers those of `v` are conjugated.

    >>> import numpy as np
    >>> jf.correlate(jf.asarray([1.0, 2.0, 3.0]), np.array([0.0, 1.0, 0.5])).numpy()
    array([3.5])
    """
    x, y = _vectors("correlate", a, v)
    return _correlated("correlate", x, y.conj(), mode)


@public("product", sample=lambda s: (s.v, s.v))
def convolve(a: Any, v: Any, mode: str = "full") -> Any:
    """As `correlate`, with one of the vectors in reverse order.

    >>> import numpy as np
    >>> jf.convolve(jf.asarray([1.0, 2.0, 3.0]), np.array([0.0, 1.0, 0.5])).numpy()
    array([0. , 1. , 2.5, 4. , 1.5])
    """
    x, y = _vectors("convolve", a, v)
    x, y = (y, x) if y.shape[0] > x.shape[0] else (x, y)
    return _correlated("convolve", x, flip(y), mode)


def _vectors(function: str, a: Any, v: Any) -> list[Any]:
    arrays = [as_lazy(a), as_lazy(v)]
    for array, name in zip(arrays, "av", strict=True):
        if array.ndim > 1:
            raise ShapeError(f"{function}: {name} is a vector, not of the shape {tuple(array.shape)}")
        if not array.ndim and function == "correlate":
            raise ShapeError(f"correlate: {name} is a vector, not a single number")
        if not array.size:
            raise ArgumentError(f"{function}: {name} cannot be empty")
    return [array.reshape(-1) for array in arrays]


def _correlated(function: str, x: Any, y: Any, mode: str) -> Any:
    word(mode, f"{function}: mode", _MODES)
    if y.shape[0] > x.shape[0]:
        return flip(_correlated(function, y, x, mode))
    width = y.shape[0]
    before = {"valid": 0, "same": width // 2, "full": width - 1}[mode]
    after = {"valid": 0, "same": width - 1 - before, "full": width - 1}[mode]
    return sums_of_products(x, y, before, after)


def sums_of_products(x: Any, y: Any, before: int, after: int) -> Any:
    """Sums of products of `y` and the windows of `x`, of which so many begin before `x` and end after it.

    Such windows are of fewer elements: nothing stands for what is missing, since infinity times 0 is NaN. `y`
    is no longer than `x`.
    """
    n, k = x.shape[0], y.shape[0]
    if x.dtype.kind not in "fc" and y.dtype.kind not in "fc":
        return _of_padded(x, y, before, after)
    # Windows at the ends have zeros in place of some of `y`; segments of `y` have few such windows.
    count = min(max(k // _SEGMENT, 1), _SEGMENTS)
    bounds = [k * position // count for position in range(count + 1)]
    found: Any = None
    for begin, end in itertools.pairwise(bounds):
        ahead, behind = before - begin, after - (k - end)
        inside = x[max(-ahead, 0) : n + min(behind, 0)]
        most = end - begin - 1
        part = _of_segment(inside, y[begin:end], min(max(ahead, 0), most), min(max(behind, 0), most))
        margins = (max(ahead - most, 0), max(behind - most, 0))
        part = pad(part, margins) if any(margins) else part
        found = part if found is None else found + part
    return found


def _of_segment(x: Any, y: Any, before: int, after: int) -> Any:
    n, k = x.shape[0], y.shape[0]
    if not before and not after:
        return _of_padded(x, y, 0, 0)
    if before + after > n - k:
        return _at_end(x, y, before, after)
    parts = [_of_padded(x, y, 0, 0)]
    if before:
        parts.insert(0, _at_end(x[: k - 1], y, before, 0))
    if after:
        parts.append(_at_end(x[n - k + 1 :], y, 0, after))
    return concat(tuple(parts))


def _of_padded(x: Any, y: Any, before: int, after: int) -> Any:
    padded = pad(x, (before, after)) if before or after else x
    return matmul(sliding_window_view(padded, y.shape[0]), y)


def _at_end(x: Any, y: Any, before: int, after: int) -> Any:
    """`_of_padded` with 0 in place of the elements of `y` that zeros around `x` are multiplied by."""
    there = full((x.shape[0],), True, device=x.device)
    windows, are_there = (sliding_window_view(pad(each, (before, after)), y.shape[0]) for each in (x, there))
    return einsum("ij,ij->i", windows, where(are_there, y, y.dtype.type(0)))
