"""Pools: the mean or the largest of each window of an image, volume or sequence."""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Callable
from typing import Any

import numpy

from ...base.arguments import flag, integer, is_sequence
from ...errors import ArgumentError
from .. import reductions
from ..elementwise.arithmetic import UFUNCS, where
from ..indexing.reading import take
from ..registry import public
from .windows import check_windows, each_axis, image, padded, real_floats, shifted, widths_of, windows

_UNROLLED = 32
_maximum = UFUNCS["maximum"]


def _lowest(x: Any) -> Any:
    """Returns the lower bound of all elements."""
    dtype = numpy.dtype(x.dtype) if x.dtype.kind in "iu" else None
    if x.dtype.kind == "b":
        return False
    return -numpy.inf if dtype is None else int(numpy.iinfo(dtype).min)


def _pooled(
    function: str, rank: int, x: Any, kernel_size: Any, stride: Any, padding: Any, dilation: Any, fill: Any,
    over: Callable[[Any], Any], pair: Callable[[Any, Any], Any], ceil_mode: bool,
) -> tuple[Any, bool, tuple[int, ...], tuple[int, ...], Any]:  # fmt: skip
    array, alone = image(function, real_floats(function, x, "x"), rank)
    size = each_axis(function, "kernel_size", kernel_size, rank)
    steps = size if stride is None else each_axis(function, "stride", stride, rank)
    spread = each_axis(function, "dilation", dilation, rank)
    reach = tuple((k - 1) * d + 1 for k, d in zip(size, spread, strict=True))
    widths = widths_of(function, padding, tuple(array.shape[2:]), reach, steps)
    if padding != "same" and any(max(sides) * 2 > w for sides, w in zip(widths, reach, strict=True)):
        raise ArgumentError(f"{function}: padding is at most half of the window {reach}, not {padding!r}")
    if ceil_mode:
        widths = [
            _ceiled(n, w, s, sides)
            for n, w, s, sides in zip(array.shape[2:], reach, steps, widths, strict=True)
        ]
    value = fill(array) if callable(fill) else fill
    whole = padded(array, widths, "constant", value)
    check_windows(function, tuple(whole.shape[2:]), reach)
    if math.prod(size) <= _UNROLLED:
        found = functools.reduce(pair, [part for _, part in shifted(whole, size, steps, spread)])
    else:
        found = over(windows(whole, size, steps, spread))
    return found, alone, size, steps, array


def _ceiled(extent: int, window: int, step: int, sides: tuple[int, int]) -> tuple[int, int]:
    """Padding by which a last window that is not whole counts, if it begins within the array."""
    before, after = sides
    count = -(-(extent + before + after - window) // step) + 1
    if (count - 1) * step >= extent + before:
        count -= 1
    return before, max((count - 1) * step + window - extent - before, after)


def _max_pool(
    rank: int, x: Any, kernel_size: Any, stride: Any, padding: Any, dilation: Any, ceil_mode: Any
) -> Any:
    function = f"max_pool{rank}d"
    axes = tuple(range(-rank, 0))
    found, alone, *_ = _pooled(
        function, rank, x, kernel_size, stride, padding, dilation, _lowest,
        lambda each: reductions.max(each, axis=axes), _maximum, flag(ceil_mode, f"{function}: ceil_mode"),
    )  # fmt: skip
    return found[0] if alone else found


def _avg_pool(
    rank: int, x: Any, kernel_size: Any, stride: Any, padding: Any, ceil_mode: Any, count_include_pad: Any
) -> Any:
    function = f"avg_pool{rank}d"
    axes = tuple(range(-rank, 0))
    array = real_floats(function, x, "x")
    array = array if array._dtype.is_float else array * 1.0
    found, alone, size, steps, given = _pooled(
        function, rank, array, kernel_size, stride, padding, 1, 0,
        lambda each: reductions.sum(each, axis=axes), operator.add, flag(ceil_mode, f"{function}: ceil_mode"),
    )  # fmt: skip
    inside = widths_of(function, padding, tuple(given.shape[2:]), size, steps)
    whole = flag(count_include_pad, f"{function}: count_include_pad")
    counts: Any = numpy.ones(())
    for axis, (n, k, s, sides) in enumerate(zip(given.shape[2:], size, steps, inside, strict=True)):
        before, after = sides
        starts = numpy.arange(found.shape[2 + axis]) * s - before
        low, high = (-before, n + after) if whole else (0, n)
        covered = numpy.minimum(starts + k, high) - numpy.maximum(starts, low)
        counts = counts * covered.reshape([-1 if other == axis else 1 for other in range(rank)])
    if (counts == counts.flat[0]).all():
        found = found / float(counts.flat[0])
    else:
        found = found / counts.astype(found.dtype)
    return found[0] if alone else found


def _adaptive(function: str, rank: int, x: Any, output_size: Any, largest: bool) -> Any:
    array, alone = image(function, real_floats(function, x, "x"), rank)
    if not largest and not array._dtype.is_float:
        array = array * 1.0
    given = tuple(output_size) if is_sequence(output_size) else (output_size,) * rank
    if len(given) != rank:
        raise ArgumentError(f"{function}: output_size is an integer, or {rank} of them, not {output_size!r}")
    for place, wanted in enumerate(given):
        if wanted is not None:
            array = _binned(function, array, 2 + place, integer(wanted, f"{function}: output_size"), largest)
    return array[0] if alone else array


def _binned(function: str, x: Any, axis: int, count: int, largest: bool) -> Any:
    """An axis as `count` bins that cover it, each from floor(i n / count) to ceil((i + 1) n / count)."""
    extent = x.shape[axis]
    if count < 1 or not extent:
        raise ArgumentError(f"{function}: output_size is 1 at least, of an axis that is not empty")
    over = reductions.max if largest else reductions.mean
    if extent % count == 0:
        shape = (*x.shape[:axis], count, extent // count, *x.shape[axis + 1 :])
        return over(x.reshape(shape), axis=axis + 1)
    i = numpy.arange(count)
    first, last = i * extent // count, -(-(i + 1) * extent // count)
    width = int((last - first).max())
    place = first[:, None] + numpy.arange(width)
    inside = (place < last[:, None]).reshape((count, width, *(1,) * (x.ndim - axis - 1)))
    taken = take(x, numpy.minimum(place, extent - 1), axis=axis)
    if largest:
        return reductions.max(where(inside, taken, _lowest(x)), axis=axis + 1)
    lengths = (last - first).reshape((count, *(1,) * (x.ndim - axis - 1)))
    return reductions.sum(where(inside, taken, 0), axis=axis + 1) / lengths.astype(x.dtype)


def _global(function: str, x: Any, over: Callable[..., Any], keepdims: Any) -> Any:
    array = real_floats(function, x, "x")
    if array.ndim < 3:
        raise ArgumentError(f"{function}: x is [batch, channels, *space], and has {array.ndim} axes")
    return over(array, axis=tuple(range(2, array.ndim)), keepdims=flag(keepdims, f"{function}: keepdims"))


@public("reduction", name="nn.max_pool1d", sample=lambda s: (s.array(1, 2, 6), 2))
def max_pool1d(
    x: Any, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1, ceil_mode: bool = False
) -> Any:
    """The largest element of each window of sequences.

    `x`: [batch, channels, n], the batch may be missing. `kernel_size`, `stride` (by default the windows'
    size), `dilation`: integers, or one for each axis; `padding`: as of `nn.conv2d`, at most half of a window,
    less than all elements; `ceil_mode`: whether a last window that is not whole counts. Dtype: that of `x`.
    Raises ShapeError and ArgumentError for what does not fit.

    >>> jf.nn.max_pool1d(np.arange(4.0).reshape(1, 4), 2).numpy()
    array([[1., 3.]])
    """
    return _max_pool(1, x, kernel_size, stride, padding, dilation, ceil_mode)


@public("reduction", name="nn.avg_pool1d", sample=lambda s: (s.array(1, 2, 6), 2))
def avg_pool1d(
    x: Any,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
) -> Any:
    """The mean of each window of sequences.

    Arguments are those of `nn.max_pool1d`; padding is zeros, which count where `count_include_pad`. Dtype:
    float.

    >>> jf.nn.avg_pool1d(np.arange(4.0).reshape(1, 4), 2).numpy()
    array([[0.5, 2.5]])
    """
    return _avg_pool(1, x, kernel_size, stride, padding, ceil_mode, count_include_pad)


@public("reduction", name="nn.adaptive_max_pool1d", sample=lambda s: (s.array(1, 2, 6), 2))
def adaptive_max_pool1d(x: Any, output_size: Any) -> Any:
    """The largest of each of so many windows, which cover sequences and overlap where they must.

    `x`: [batch, channels, n], the batch may be missing; `output_size`: an integer, or one for each axis, None
    leaving it. Window i is from floor(i n / size) to ceil((i + 1) n / size).

    >>> jf.nn.adaptive_max_pool1d(np.arange(4.0).reshape(1, 4), 1).numpy()
    array([[3.]])
    """
    return _adaptive("adaptive_max_pool1d", 1, x, output_size, True)


@public("reduction", name="nn.adaptive_avg_pool1d", sample=lambda s: (s.array(1, 2, 6), 2))
def adaptive_avg_pool1d(x: Any, output_size: Any) -> Any:
    """The mean of each of so many windows; see `nn.adaptive_max_pool1d`. Dtype: float.

    >>> jf.nn.adaptive_avg_pool1d(np.arange(4.0).reshape(1, 4), 1).numpy()
    array([[1.5]])
    """
    return _adaptive("adaptive_avg_pool1d", 1, x, output_size, False)


@public("reduction", name="nn.max_pool2d", sample=lambda s: (s.array(1, 2, 4, 4), 2))
def max_pool2d(
    x: Any, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1, ceil_mode: bool = False
) -> Any:
    """The largest element of each window of images.

    `x`: [batch, channels, h, w], the batch may be missing. `kernel_size`, `stride` (by default the windows'
    size), `dilation`: integers, or one for each axis; `padding`: as of `nn.conv2d`, at most half of a window,
    less than all elements; `ceil_mode`: whether a last window that is not whole counts. Dtype: that of `x`.
    Raises ShapeError and ArgumentError for what does not fit.

    >>> jf.nn.max_pool2d(np.arange(4.0).reshape(1, 2, 2), 2).numpy()
    array([[[3.]]])
    """
    return _max_pool(2, x, kernel_size, stride, padding, dilation, ceil_mode)


@public("reduction", name="nn.avg_pool2d", sample=lambda s: (s.array(1, 2, 4, 4), 2))
def avg_pool2d(
    x: Any,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
) -> Any:
    """The mean of each window of images.

    Arguments are those of `nn.max_pool2d`; padding is zeros, which count where `count_include_pad`. Dtype:
    float.

    >>> jf.nn.avg_pool2d(np.arange(4.0).reshape(1, 2, 2), 2).numpy()
    array([[[1.5]]])
    """
    return _avg_pool(2, x, kernel_size, stride, padding, ceil_mode, count_include_pad)


@public("reduction", name="nn.adaptive_max_pool2d", sample=lambda s: (s.array(1, 2, 4, 4), 2))
def adaptive_max_pool2d(x: Any, output_size: Any) -> Any:
    """The largest of each of so many windows, which cover images and overlap where they must.

    `x`: [batch, channels, h, w], the batch may be missing; `output_size`: an integer, or one for each axis,
    None leaving it. Window i is from floor(i n / size) to ceil((i + 1) n / size).

    >>> jf.nn.adaptive_max_pool2d(np.arange(4.0).reshape(1, 2, 2), 1).numpy()
    array([[[3.]]])
    """
    return _adaptive("adaptive_max_pool2d", 2, x, output_size, True)


@public("reduction", name="nn.adaptive_avg_pool2d", sample=lambda s: (s.array(1, 2, 4, 4), 2))
def adaptive_avg_pool2d(x: Any, output_size: Any) -> Any:
    """The mean of each of so many windows; see `nn.adaptive_max_pool2d`. Dtype: float.

    >>> jf.nn.adaptive_avg_pool2d(np.arange(4.0).reshape(1, 2, 2), 1).numpy()
    array([[[1.5]]])
    """
    return _adaptive("adaptive_avg_pool2d", 2, x, output_size, False)


@public("reduction", name="nn.max_pool3d", sample=lambda s: (s.array(1, 1, 2, 2, 2), 2))
def max_pool3d(
    x: Any, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1, ceil_mode: bool = False
) -> Any:
    """The largest element of each window of volumes.

    `x`: [batch, channels, d, h, w], the batch may be missing. `kernel_size`, `stride` (by default the
    windows' size), `dilation`: integers, or one for each axis; `padding`: as of `nn.conv2d`, at most half of
    a window, less than all elements; `ceil_mode`: whether a last window that is not whole counts. Dtype: that
    of `x`. Raises ShapeError and ArgumentError for what does not fit.

    >>> jf.nn.max_pool3d(np.arange(8.0).reshape(1, 2, 2, 2), 2).numpy()
    array([[[[7.]]]])
    """
    return _max_pool(3, x, kernel_size, stride, padding, dilation, ceil_mode)


@public("reduction", name="nn.avg_pool3d", sample=lambda s: (s.array(1, 1, 2, 2, 2), 2))
def avg_pool3d(
    x: Any,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
) -> Any:
    """The mean of each window of volumes.

    Arguments are those of `nn.max_pool3d`; padding is zeros, which count where `count_include_pad`. Dtype:
    float.

    >>> jf.nn.avg_pool3d(np.arange(8.0).reshape(1, 2, 2, 2), 2).numpy()
    array([[[[3.5]]]])
    """
    return _avg_pool(3, x, kernel_size, stride, padding, ceil_mode, count_include_pad)


@public("reduction", name="nn.adaptive_max_pool3d", sample=lambda s: (s.array(1, 1, 2, 2, 2), 2))
def adaptive_max_pool3d(x: Any, output_size: Any) -> Any:
    """The largest of each of so many windows, which cover volumes and overlap where they must.

    `x`: [batch, channels, d, h, w], the batch may be missing; `output_size`: an integer, or one for each
    axis, None leaving it. Window i is from floor(i n / size) to ceil((i + 1) n / size).

    >>> jf.nn.adaptive_max_pool3d(np.arange(8.0).reshape(1, 2, 2, 2), 1).numpy()
    array([[[[7.]]]])
    """
    return _adaptive("adaptive_max_pool3d", 3, x, output_size, True)


@public("reduction", name="nn.adaptive_avg_pool3d", sample=lambda s: (s.array(1, 1, 2, 2, 2), 2))
def adaptive_avg_pool3d(x: Any, output_size: Any) -> Any:
    """The mean of each of so many windows; see `nn.adaptive_max_pool3d`. Dtype: float.

    >>> jf.nn.adaptive_avg_pool3d(np.arange(8.0).reshape(1, 2, 2, 2), 1).numpy()
    array([[[[3.5]]]])
    """
    return _adaptive("adaptive_avg_pool3d", 3, x, output_size, False)


@public("reduction", name="nn.global_avg_pool", sample=lambda s: (s.array(1, 2, 3, 3),))
def global_avg_pool(x: Any, *, keepdims: bool = True) -> Any:
    """The mean over all axes of space.

    `x`: [batch, channels, *space]. Shape: [batch, channels, 1, …], without the ones if not `keepdims`.

    >>> jf.nn.global_avg_pool(np.ones((1, 2, 3, 3)), keepdims=False).numpy()
    array([[1., 1.]])
    """
    return _global("global_avg_pool", x, reductions.mean, keepdims)


@public("reduction", name="nn.global_max_pool", sample=lambda s: (s.array(1, 2, 3, 3),))
def global_max_pool(x: Any, *, keepdims: bool = True) -> Any:
    """The largest over all axes of space.

    `x`: [batch, channels, *space]. Shape: [batch, channels, 1, …], without the ones if not `keepdims`.

    >>> jf.nn.global_max_pool(np.arange(8.0).reshape(1, 2, 2, 2), keepdims=False).numpy()
    array([[3., 7.]])
    """
    return _global("global_max_pool", x, reductions.max, keepdims)
