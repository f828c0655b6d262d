"""Arguments that the functions of `jf.signal` share: signals as arrays of floats, axes, known
coefficients."""

from __future__ import annotations

from typing import Any

import numpy

from ...arrays.indexing import normalize_axis
from ...base.arguments import shown
from ...errors import ArgumentError, DTypeError, KindError, ShapeError
from ...functions.fourier import in_floats
from ..arranging.rearranging import pad
from ..calls import call
from ..creation.constructors import placed
from ..frame import LazyValue
from ..movement import as_lazy, concat, flip, moveaxis


def floats(x: Any) -> Any:
    """An array of floats or complex numbers; of integers float64, or the widest float that the device has."""
    return call(in_floats, (as_lazy(x),))


def signal(function: str, x: Any, name: str = "x") -> Any:
    """Floats with one axis at least. Raises ShapeError for a single number."""
    array = floats(x)
    if not array.ndim:
        raise ShapeError(f"{function}: {name} is a signal with one axis at least, not a single number")
    return array


def real_signal(function: str, x: Any) -> Any:
    """A signal of real numbers."""
    array = signal(function, x)
    if array.dtype.kind == "c":
        raise DTypeError(f"{function}: x is real, not {array.dtype}; take x.real and x.imag apart")
    return array


def axis_of(function: str, x: Any, axis: Any) -> int:
    """The place of an axis. Raises AxisError."""
    return normalize_axis(axis, x.ndim, f"{function}: axis")


def on_device_of(values: Any, like: Any) -> Any:
    """Floats for use with the array `like`: coefficients in float64 are narrowed where its device has
    none."""
    if isinstance(values, LazyValue):
        return floats(values)
    return floats(placed(numpy.asarray(values), like))


def fitting(values: Any, like: Any) -> numpy.ndarray:
    """Numbers computed here, in the dtype of `like`, which its device has: real ones stay real."""
    array, dtype = numpy.asarray(values), numpy.dtype(like.dtype)
    if dtype.kind == "c" and array.dtype.kind != "c":
        dtype = numpy.dtype(f"f{dtype.itemsize // 2}")
    return array.astype(dtype)


def known(function: str, name: str, value: Any) -> numpy.ndarray:
    """Numbers that a size or coefficients follow from, as an ndarray. Raises where they follow from values
    that are not known yet."""
    if isinstance(value, LazyValue):
        array = value._at_hand(f"{function}: {name}")
        if array is None:
            raise ArgumentError(f"{function}: {name} must be known when the function is called, not computed")
        return array
    try:
        return numpy.asarray(value, None if isinstance(value, numpy.ndarray) else float)
    except (TypeError, ValueError):
        raise KindError(f"{function}: {name} is an array of numbers, not {shown(value)}") from None


def along(x: Any, axis: int, start: Any = None, stop: Any = None, step: Any = None) -> Any:
    """The slice of one axis."""
    index = [slice(None)] * x.ndim
    index[axis] = slice(start, stop, step)
    return x[tuple(index)]


def as_last(x: Any, axis: int) -> Any:
    """Moves an axis to the end."""
    return x if axis == x.ndim - 1 else moveaxis(x, axis, -1)


def put_back(x: Any, axis: int) -> Any:
    """The inverse of `as_last`."""
    return x if axis == x.ndim - 1 else moveaxis(x, -1, axis)


def padded(x: Any, axis: int, before: int, after: int, mode: str = "constant") -> Any:
    """Pads an axis with so many elements before and after its own."""
    widths = [(0, 0)] * x.ndim
    widths[axis] = (before, after)
    return pad(x, widths, mode) if before or after else x


def extended(x: Any, count: int, kind: str | None) -> Any:
    """The last axis with `count` elements more at each end: "odd" turns them about the last element, "even"
    mirrors them, "constant" repeats it, "zeros" are zeros."""
    if not count or kind is None:
        return x
    if kind == "constant":
        return padded(x, x.ndim - 1, count, count, "edge")
    if kind == "zeros":
        return padded(x, x.ndim - 1, count, count)
    first, last = flip(x[..., 1 : count + 1], -1), flip(x[..., -count - 1 : -1], -1)
    if kind == "odd":
        first, last = 2 * x[..., :1] - first, 2 * x[..., -1:] - last
    return concat((first, x, last), axis=-1)
