"""Quantization: a value is nearly (q - zero_point) * scale, with an integer q of few bits.

B. Jacob et al., "Quantization and training of neural networks for efficient integer-arithmetic-only
inference", CVPR 2018. Scales are for an array as a whole, for each position of an axis, or for each group of
so many elements side by side on the last axis.
"""

from __future__ import annotations

from typing import Any

import numpy

from ...arrays.indexing import normalize_axis
from ...base.arguments import integer, word
from ...errors import ArgumentError, DTypeError, ShapeError
from .. import reductions
from ..creation.constructors import asarray, zeros_like
from ..elementwise.arithmetic import UFUNCS, clip, where
from ..frame import LazyValue
from ..movement import as_lazy
from ..registry import public
from ..statistics.order_statistics import quantile

_maximum = UFUNCS["maximum"]
RANGES = {"int8": (-128, 127), "uint8": (0, 255), "int4": (-8, 7)}
"""The least and the greatest integer of each kind; int4 are in int8 until they are packed."""


def floats(function: str, x: Any, name: str = "x") -> Any:
    """An array of real floats; of integers the device's usual float."""
    array = as_lazy(x)
    if array.dtype.kind == "c":
        raise DTypeError(f"{function}: {name} is real, not {array.dtype}; take its .real and .imag apart")
    return array if array._dtype.is_float else array * 1.0


def integers(function: str, q: Any, name: str = "q") -> Any:
    array = as_lazy(q)
    if array.dtype.kind not in "iu":
        raise DTypeError(f"{function}: {name} has integers, not {array.dtype}")
    return array


class Layout:
    """The layout of scales: which elements share one."""

    def __init__(self, function: str, shape: tuple[int, ...], axis: Any, group_size: Any) -> None:
        self.shape, self.axis, self.group = tuple(shape), None, None
        if axis is not None and group_size is not None:
            raise ArgumentError(f"{function}: give axis, for channels, or group_size, for groups, not both")
        if axis is not None:
            self.axis = normalize_axis(axis, len(shape), f"{function}: axis")
        if group_size is not None:
            self.group = integer(group_size, f"{function}: group_size")
            if not shape or self.group < 1 or shape[-1] % self.group:
                raise ShapeError(
                    f"{function}: group_size {self.group} does not divide the last axis of the shape "
                    f"{self.shape}"
                )

    @property
    def scales(self) -> tuple[int, ...]:
        """The shape of the scales."""
        if self.group is not None:
            return (*self.shape[:-1], self.shape[-1] // self.group)
        return () if self.axis is None else (self.shape[self.axis],)

    def grouped(self, x: Any) -> Any:
        """Splits the axis into groups, with an axis for the elements of a group."""
        return x if self.group is None else x.reshape((*self.scales, self.group))

    @property
    def shared(self) -> tuple[int, ...]:
        """The axes of `grouped` along which a scale is shared."""
        if self.group is not None:
            return (len(self.shape),)
        return tuple(axis for axis in range(len(self.shape)) if axis != self.axis)

    def broadcast(self, function: str, name: str, values: Any, like: Any) -> Any:
        """Scales or zero points, so that they broadcast with `grouped`."""
        array = values if isinstance(values, LazyValue) else asarray(values, device=like.device)
        if array.shape != self.scales and array.ndim:
            raise ShapeError(
                f"{function}: {name} has the shape {self.scales}, or is one number, not {tuple(array.shape)}"
            )
        if not array.ndim:
            return array
        if self.group is not None:
            return array.reshape((*self.scales, 1))
        return array.reshape([-1 if axis == self.axis else 1 for axis in range(len(self.shape))])


@public("elementwise", name="quant.quantize", sample=lambda s: (s.x, 0.5))
def quantize(
    x: Any,
    scale: Any,
    zero_point: Any = None,
    *,
    dtype: str = "int8",
    axis: Any = None,
    group_size: Any = None,
) -> Any:
    """The integers nearest to x / scale + zero_point, those out of range clipped; of halves the even one.

    `scale`, `zero_point`: numbers for all of `x`; with `axis`, vectors for its positions; with `group_size`,
    of the shape (…, n / group_size), for so many elements side by side. `dtype`: "int8", "uint8" or "int4",
    which lies in int8 (see `pack_int4`). Shape: that of `x`. NaN becomes the zero point. Raises ShapeError
    where the shapes do not fit. Within range the error is half a scale at most.

    >>> jf.quant.quantize([0.1, 0.26, 9.0], 0.05).numpy()
    array([  2,   5, 127], dtype=int8)
    """
    low, high = RANGES[word(dtype, "quantize: dtype", tuple(RANGES))]
    array = floats("quantize", x)
    layout = Layout("quantize", array.shape, axis, group_size)
    found = layout.grouped(array) / layout.broadcast("quantize", "scale", scale, array)
    found = where(found == found, found, zeros_like(found)).round()
    if zero_point is not None:
        found = found + layout.broadcast("quantize", "zero_point", zero_point, array)
    kind = "uint8" if dtype == "uint8" else "int8"
    return clip(found, low, high).astype(kind).reshape(array.shape)


@public("elementwise", name="quant.dequantize", sample=lambda s: (s.x.astype("int8"), 0.5))
def dequantize(
    q: Any, scale: Any, zero_point: Any = None, *, axis: Any = None, group_size: Any = None, dtype: Any = None
) -> Any:
    """(q - zero_point) * scale.

    `scale`, `zero_point`, `axis`, `group_size`: as of `quantize`. Shape: that of `q`. Dtype: `dtype`, by
    default the one of `scale`, float32 where that is a number. Raises ShapeError where the shapes do not fit.

    >>> jf.quant.dequantize(np.array([2, 5, 127], np.int8), 0.5).numpy()
    array([ 1. ,  2.5, 63.5], dtype=float32)
    """
    array = integers("dequantize", q)
    layout = Layout("dequantize", array.shape, axis, group_size)
    factor = layout.broadcast("dequantize", "scale", scale, array)
    plain = isinstance(scale, (int, float)) or factor.dtype.kind != "f"
    wanted = dtype if dtype is not None else numpy.float32 if plain else factor.dtype
    found = layout.grouped(array).astype(wanted)
    if zero_point is not None:
        found = found - layout.broadcast("dequantize", "zero_point", zero_point, array).astype(wanted)
    return (found * factor.astype(wanted)).reshape(array.shape)


@public("reduction", name="quant.calibrate")
def calibrate(
    x: Any, *, dtype: str = "int8", scheme: str = "symmetric", axis: Any = None, group_size: Any = None,
    percentile: Any = None,
) -> tuple[Any, Any]:  # fmt: skip
    """The scale and the zero point by which `quantize` covers the values of `x`.

    `scheme`: "symmetric", whose zero point is 0 (None is given), or "affine", from the least value to the
    greatest, 0 included. `dtype`, `axis`, `group_size`: as of `quantize`. `percentile`: of the sizes, or of
    the values at both ends, that are covered, such as 99.9; by default all. Scales are the dtype of `x`, zero
    points int32; of zeros the scale is 1. Raises ArgumentError where they do not fit.

    >>> scale, zero_point = jf.quant.calibrate([0.0, 2.55], dtype="uint8", scheme="affine")
    >>> round(float(scale), 4), int(zero_point)
    (0.01, 0)
    """
    low, high = RANGES[word(dtype, "calibrate: dtype", tuple(RANGES))]
    word(scheme, "calibrate: scheme", ("symmetric", "affine"))
    array = floats("calibrate", x)
    if not array.size:
        raise ShapeError("calibrate: x is empty, so there are no values to cover")
    layout = Layout("calibrate", array.shape, axis, group_size)
    values, axes = layout.grouped(array), layout.shared
    share = None if percentile is None else float(percentile) / 100
    if share is not None and not 0 < share <= 1:
        raise ArgumentError(f"calibrate: percentile is above 0 and at most 100, and {percentile!r} was given")
    if scheme == "symmetric":
        if dtype == "uint8":
            raise ArgumentError("calibrate: uint8 has no negative numbers; take scheme 'affine', or int8")
        size = abs(values)
        most = reductions.max(size, axis=axes) if share is None else quantile(size, share, axis=axes)
        return _scale(most, high), None
    if share is None:
        least, most = reductions.min(values, axis=axes), reductions.max(values, axis=axes)
    else:
        least, most = quantile(values, 1 - share, axis=axes), quantile(values, share, axis=axes)
    least, most = -_maximum(-least, 0), _maximum(most, 0)
    scale = _scale(most - least, high - low)
    return scale, clip((low - least / scale).round(), low, high).astype("int32")


def _scale(extent: Any, steps: int) -> Any:
    return where(extent > 0, extent, steps) / steps
