"""Images at other sizes: nearest elements, lines, cubics, and means of what a new element covers."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy

from ...base.arguments import flag, integer, is_sequence, word
from ...errors import ArgumentError, ShapeError
from .. import reductions
from ..indexing.reading import take
from ..registry import public
from .windows import real_floats

_MODES = ("nearest", "linear", "bilinear", "trilinear", "bicubic", "area")
_SHARPNESS = -0.75
"""Of the cubic: R. G. Keys, "Cubic convolution interpolation for digital image processing", IEEE Transactions
on Acoustics, Speech and Signal Processing 29, 1981. Where a new element covers several, it is -0.5, as Keys
has it."""


def triangle(x: numpy.ndarray) -> numpy.ndarray:
    """The weight of lines, by the distance."""
    array: numpy.ndarray = numpy.maximum(1 - abs(x), 0)
    return array


def cubic(a: float) -> Callable[[numpy.ndarray], numpy.ndarray]:
    """Keys' cubic of this sharpness."""

    def made(x: numpy.ndarray) -> numpy.ndarray:
        size = abs(x)
        near = ((a + 2) * size - (a + 3)) * size * size + 1
        far = ((a * size - 5 * a) * size + 8 * a) * size - 4 * a
        return numpy.where(size <= 1, near, numpy.where(size < 2, far, 0))

    return made


def _taps(extent: int, wanted: int, step: float, kind: str, aligned: bool, smooth: bool) -> tuple[Any, Any]:
    """Returns [wanted, taps]: the elements of an axis that make a new one, and their weights."""
    places = numpy.arange(wanted)
    if kind == "nearest":
        return numpy.minimum((places * step).astype(int), extent - 1)[:, None], numpy.ones((wanted, 1))
    centers = places * step if aligned else (places + 0.5) * step - 0.5
    smooth = smooth and step > 1 and not aligned
    scale = step if smooth else 1.0
    reach = 1 if kind == "linear" else 2
    weight = triangle if kind == "linear" else cubic(-0.5 if smooth else _SHARPNESS)
    if kind == "linear" and not smooth:
        centers = numpy.maximum(centers, 0)
    if smooth:
        first = numpy.maximum((centers + 0.5 - reach * scale + 0.5).astype(int), 0)
        last = numpy.minimum((centers + 0.5 + reach * scale + 0.5).astype(int), extent)
        place = first[:, None] + numpy.arange(int((last - first).max()))
        weights = numpy.where(place < last[:, None], weight((place - centers[:, None]) / scale), 0)
        weights = weights / weights.sum(1, keepdims=True)
    else:
        place = numpy.floor(centers).astype(int)[:, None] + numpy.arange(1 - reach, 1 + reach)
        weights = weight(place - centers[:, None])
    return numpy.clip(place, 0, extent - 1), weights


def _area(extent: int, wanted: int) -> tuple[Any, Any]:
    """Means of bins, as of `nn.adaptive_avg_pool2d`."""
    i = numpy.arange(wanted)
    first, last = i * extent // wanted, -(-(i + 1) * extent // wanted)
    place = first[:, None] + numpy.arange(int((last - first).max()))
    weights = (place < last[:, None]) / (last - first)[:, None]
    return numpy.minimum(place, extent - 1), weights


def _weighted(x: Any, axis: int, place: numpy.ndarray, weights: numpy.ndarray) -> Any:
    """The sum over the taps of a new axis."""
    rest = (1,) * (x.ndim - axis - 1)
    if place.shape[1] == 1:
        return take(x, place[:, 0], axis=axis)
    if place.shape[1] <= 4:
        found = None
        for tap in range(place.shape[1]):
            term = take(x, place[:, tap], axis=axis) * weights[:, tap].astype(x.dtype).reshape((-1, *rest))
            found = term if found is None else found + term
        return found
    taken = take(x, place, axis=axis) * weights.astype(x.dtype).reshape((*weights.shape, *rest))
    return reductions.sum(taken, axis=axis + 1)


@public("movement", name="nn.interpolate", sample=lambda s: (s.array(1, 1, 3, 3), (4, 4)))
def interpolate(
    x: Any, size: Any = None, scale_factor: Any = None, mode: str = "nearest", align_corners: bool = False,
    antialias: bool = False,
) -> Any:  # fmt: skip
    """Sequences, images or volumes at another size.

    `x`: [batch, channels, *space], up to three axes of space. `size`: the new extents, an integer or one for
    each axis; or `scale_factor`: what the extents are multiplied with. `mode`: "nearest", "linear",
    "bilinear", "trilinear" (all three are lines along each axis), "bicubic", or "area", means of what a new
    element covers. `align_corners`: whether the first and last elements stay where they are; else elements
    are areas. `antialias`: whether lines and cubics are widened where the image gets smaller. Shape: [batch,
    channels, *size]. Dtype: float, of "nearest" that of `x`. Raises ArgumentError for what does not fit.

    >>> jf.nn.interpolate(np.array([[[0.0, 1.0]]]), 4, mode="linear").numpy()
    array([[[0.  , 0.25, 0.75, 1.  ]]])
    """
    kind = word(mode, "interpolate: mode", _MODES)
    array = real_floats("interpolate", x, "x")
    rank = array.ndim - 2
    if not 1 <= rank <= 3:
        raise ShapeError(
            f"interpolate: x is [batch, channels, *space], and has the shape {tuple(array.shape)}"
        )
    if (size is None) == (scale_factor is None):
        raise ArgumentError("interpolate: give size or scale_factor, one of both")
    extents = tuple(array.shape[2:])
    given = size if scale_factor is None else scale_factor
    each = tuple(given) if is_sequence(given) else (given,) * rank
    if len(each) != rank:
        raise ArgumentError(
            f"interpolate: one size for all of the {rank} axes of space, or one for each, not {given!r}"
        )
    if scale_factor is None:
        wanted = [integer(one, "interpolate: size") for one in each]
        steps = [n / max(m, 1) for n, m in zip(extents, wanted, strict=True)]
    else:
        wanted = [math.floor(n * float(one)) for n, one in zip(extents, each, strict=True)]
        steps = [1 / float(one) if float(one) > 0 else 0.0 for one in each]
    if min(wanted) < 1 or min(extents) < 1:
        raise ArgumentError(f"interpolate: extents are 1 at least, from {extents} to {tuple(wanted)}")
    if kind != "nearest" and not array._dtype.is_float:
        array = array * 1.0
    aligned, smooth = flag(align_corners, "align_corners"), flag(antialias, "antialias")
    kind = "linear" if kind.endswith("linear") else kind
    for place, (extent, count, step) in enumerate(zip(extents, wanted, steps, strict=True)):
        if kind == "area":
            found = _area(extent, count)
        else:
            ratio = (extent - 1) / max(count - 1, 1) if aligned and kind != "nearest" else step
            found = _taps(extent, count, ratio, kind, aligned, smooth)
        array = _weighted(array, 2 + place, *found)
    return array
