"""Images at other sizes, and samples at places that are given.

Each new element of an axis is a sum of a few old ones; which and with which weights is computed by NumPy
while the model is traced.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ...api.conv.resizing import cubic, triangle
from ...errors import UnsupportedError
from ..registry import Known, operator
from ..values import axis_of, cast, dtype_of, integers

MOST_TERMS = 4
"""Elements up to which they are terms of one kernel; more are a reduction."""


class _Axis:
    """One axis of a resize."""

    def __init__(self, extent: int, wanted: int, scale: float, begin: float = 0.0, end: float = 1.0) -> None:
        self.extent, self.wanted, self.scale = extent, wanted, scale
        self.begin, self.end = begin, end

    def coordinates(self, mode: str) -> np.ndarray:
        """Where the new elements are among the old ones."""
        i, n, m, scale = np.arange(self.wanted), self.extent, self.wanted, self.scale
        if mode == "half_pixel":
            return (i + 0.5) / scale - 0.5
        if mode == "half_pixel_symmetric":
            adjusted = m / (scale * n)
            return n / 2 * (1 - adjusted) + (i + 0.5) / scale - 0.5
        if mode == "pytorch_half_pixel":
            return (i + 0.5) / scale - 0.5 if m > 1 else np.zeros(m)
        if mode == "align_corners":
            length = scale * n
            return i * (n - 1) / (length - 1) if length > 1 else np.zeros(m)
        if mode == "asymmetric":
            return i / scale
        if mode == "tf_half_pixel_for_nn":
            return (i + 0.5) / scale
        if mode == "tf_crop_and_resize":
            if m == 1:
                return np.full(1, 0.5 * (self.begin + self.end) * (n - 1))
            return self.begin * (n - 1) + i * (self.end - self.begin) * (n - 1) / (m - 1)
        raise UnsupportedError(f"the coordinate transformation {mode!r} is not supported")


_NEAREST: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "round_prefer_floor": lambda x: np.ceil(x - 0.5),
    "round_prefer_ceil": lambda x: np.floor(x + 0.5),
    "floor": np.floor,
    "ceil": np.ceil,
}


def _taps(
    axis: _Axis, centers: np.ndarray, kernel: Callable[[np.ndarray], np.ndarray], reach: int, antialias: bool,
    exclude_outside: bool,
) -> tuple[np.ndarray, np.ndarray]:  # fmt: skip
    """[wanted, taps]: which old elements a new one is made of, and their weights."""
    shrink = min(axis.scale, 1.0) if antialias else 1.0
    width = math.ceil(reach / shrink)
    places = np.floor(centers).astype(int)[:, None] + np.arange(1 - width, 1 + width)
    weights = kernel((places - centers[:, None]) * shrink)
    inside = (places >= 0) & (places < axis.extent)
    if exclude_outside:
        weights = np.where(inside, weights, 0)
    if exclude_outside or antialias:
        weights = weights / weights.sum(axis=1, keepdims=True)
    used = np.flatnonzero((weights != 0).any(axis=0))
    used = used if used.size else np.arange(1)
    return np.clip(places, 0, axis.extent - 1)[:, used], weights[:, used]


def _weighted(x: Any, axis: int, places: np.ndarray, weights: np.ndarray) -> Any:
    rest = (1,) * (x.ndim - axis - 1)
    factors = weights.astype(dtype_of(x))
    if places.shape[1] <= MOST_TERMS:
        terms = [
            np.take(x, places[:, tap], axis=axis) * factors[:, tap].reshape((-1, *rest))
            for tap in range(places.shape[1])
        ]
        array = terms[0]
        for term in terms[1:]:
            array = array + term
        return array
    taken = np.take(x, places, axis=axis) * factors.reshape((*factors.shape, *rest))
    return np.sum(taken, axis=axis + 1)


def _resized(
    x: Any, axes: dict[int, _Axis], mode: str, transformation: str, nearest: str, a: float, antialias: bool,
    exclude_outside: bool, extrapolation: float,
) -> Any:  # fmt: skip
    dtype = dtype_of(x)
    crops = transformation == "tf_crop_and_resize"
    found = x if mode == "nearest" or dtype.kind == "f" else cast(x, np.float32)
    outside: Any = np.zeros((1,) * x.ndim, bool)
    for place, axis in axes.items():
        if axis.extent == axis.wanted and axis.scale == 1 and not crops:
            continue
        centers = axis.coordinates(transformation)
        if mode == "nearest":
            index = np.clip(_NEAREST[nearest](centers).astype(int), 0, axis.extent - 1)
            found = np.take(found, index, axis=place)
        else:
            kernel, reach = (triangle, 1) if mode == "linear" else (cubic(a), 2)
            found = _weighted(found, place, *_taps(axis, centers, kernel, reach, antialias, exclude_outside))
        beyond = (centers < 0) | (centers > axis.extent - 1)
        outside = outside | beyond.reshape([-1 if each == place else 1 for each in range(x.ndim)])
    if crops and outside.any():
        found = np.where(outside, dtype_of(found).type(extrapolation), found)
    if dtype_of(found) != dtype:
        found = _to_integers(found, dtype)
    return found


def _to_integers(x: Any, dtype: np.dtype) -> Any:
    info = np.iinfo(dtype)
    return cast(np.clip(np.rint(x), float(info.min), float(info.max)), dtype)


@operator("Resize", since=11)
def resize(
    x: Any, roi: Known | None = None, scales: Known | None = None, sizes: Known | None = None, *,
    antialias: int = 0, axes: Any = None, coordinate_transformation_mode: str = "half_pixel",
    cubic_coeff_a: float = -0.75, exclude_outside: int = 0, extrapolation_value: float = 0.0,
    keep_aspect_ratio_policy: str = "stretch", mode: str = "nearest",
    nearest_mode: str = "round_prefer_floor",
) -> Any:  # fmt: skip
    chosen = list(range(x.ndim)) if axes is None else [axis_of(each, x.ndim) for each in axes]
    extents = [x.shape[axis] for axis in chosen]
    if sizes is not None and np.size(sizes):
        wanted = list(integers(sizes))
        factors = [m / n for m, n in zip(wanted, extents)]
        if keep_aspect_ratio_policy != "stretch":
            choose = min if keep_aspect_ratio_policy == "not_larger" else max
            factor = choose(factors)
            factors = [factor] * len(factors)
            wanted = [math.floor(factor * n + 0.5) for n in extents]
    else:
        factors = [float(each) for each in np.asarray(scales).reshape(-1)]
        wanted = [math.floor(n * factor) for n, factor in zip(extents, factors)]
    regions = np.asarray(roi, np.float64).reshape(-1) if roi is not None and np.size(roi) else None
    made = {}
    for number, axis in enumerate(chosen):
        ends = () if regions is None else (regions[number], regions[number + len(chosen)])
        made[axis] = _Axis(extents[number], wanted[number], factors[number], *ends)
    return _resized(
        x, made, mode, coordinate_transformation_mode, nearest_mode, cubic_coeff_a, bool(antialias),
        bool(exclude_outside), extrapolation_value,
    )  # fmt: skip


def _upsampled(x: Any, scales: Any, mode: str) -> Any:
    axes = {
        axis: _Axis(n, math.floor(n * float(factor)), float(factor))
        for axis, (n, factor) in enumerate(zip(x.shape, np.asarray(scales).reshape(-1)))
    }
    kind = "nearest" if mode == "nearest" else "linear"
    return _resized(x, axes, kind, "asymmetric", "floor", -0.75, False, False, 0.0)


@operator("Upsample")
def upsample_by_attribute(
    x: Any, *, scales: Any = None, height_scale: float = 1.0, width_scale: float = 1.0, mode: str = "nearest"
) -> Any:
    return _upsampled(x, scales or (1.0, 1.0, height_scale, width_scale), mode)


@operator("Upsample", since=9)
@operator("Resize", since=10)
def upsample(x: Any, scales: Known, *, mode: str = "nearest") -> Any:
    return _upsampled(x, scales, mode)
