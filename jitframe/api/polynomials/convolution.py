"""Discrete convolutions: sums of products over the windows of a vector."""

from __future__ import annotations

from typing import Any

from ...base.arguments import word
from ...errors import ArgumentError, ShapeError
from ..arranging.arranging import pad, sliding_window_view
from ..linear_algebra.products import matmul
from ..movement import as_lazy, flip
from ..registry import public

_MODES = ("valid", "same", "full")


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
    windows = sliding_window_view(pad(x, (before, after)) if before or after else x, width)
    return matmul(windows, y)
