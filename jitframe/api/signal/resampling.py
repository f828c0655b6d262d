"""Other sampling rates: by Fourier transforms, by filters between the samples, and by leaving some out."""

from __future__ import annotations

import cmath
import math
from typing import Any

import numpy

from ...base.arguments import MOST_PARTS, count, flag, integer, shown, word
from ...errors import ArgumentError, ShapeError, UnsupportedError
from .. import reductions
from ..arranging.rearranging import pad, sliding_window_view
from ..creation.constructors import asarray
from ..linear_algebra.products import matmul
from ..movement import concat
from ..registry import public
from ..statistics.order_statistics import median
from .filtering import lfilter, sosfilt, sosfiltfilt
from .fourier import fft, ifft, irfft, rfft
from .signals import along, as_last, axis_of, fitting, floats, known, on_device_of, put_back, signal
from .windows import lowpass_taps, window_of


@public("product", name="signal.resample", sample=lambda s: (s.x, 5))
def resample(x: Any, num: Any, t: Any = None, axis: int = 0, window: Any = None, domain: str = "time") -> Any:
    """A periodic signal at `num` points, by Fourier transforms.

    `t`: times of the samples, for which those of the result are given too; `window`: weights of the
    frequencies, as of `get_window`, an array, or a function of `np.fft.fftfreq`; `domain`: "time", or "freq"
    where `x` is a transform. Shape: that of `x` with `num` along `axis`. Raises ArgumentError for less than
    one point.

    >>> jf.signal.resample([0.0, 1.0, 0.0, -1.0], 8).numpy().round(3) + 0.0
    array([ 0.   ,  0.707,  1.   ,  0.707,  0.   , -0.707, -1.   , -0.707])
    """
    word(domain, "resample: domain", ("time", "freq"))
    array = signal("resample", x)
    place = axis_of("resample", array, axis)
    points = integer(num, "resample: num")
    if points < 1:
        raise ArgumentError(f"resample: num is 1 at least, and {points} was given")
    last = as_last(array, place)
    extent = last.shape[-1]
    if not extent:
        raise ShapeError("resample: the signal is empty along its axis")
    real = domain == "time" and array.dtype.kind != "c"
    found = last if domain == "freq" else (rfft if real else fft)(last)
    if window is not None:
        weights = _weights(window, extent)
        if real:
            mirrored = weights.copy()
            mirrored[1:] = 0.5 * (weights[1:] + weights[:0:-1])
            weights = mirrored[: extent // 2 + 1]
        found = found * fitting(weights, found)
    made = _cut_real(found, extent, points) if real else _cut(found, extent, points)
    result = put_back(made * (points / extent), place)
    if t is None:
        return result
    times = floats(t)
    step = (times[1] - times[0]) * (extent / points)
    return result, asarray(numpy.arange(points)).astype(times.dtype) * step + times[0]


def _weights(window: Any, extent: int) -> numpy.ndarray:
    if callable(window):
        return numpy.asarray(window(numpy.fft.fftfreq(extent)))
    if not isinstance(window, (str, tuple, int, float)):
        array = known("resample", "window", window)
        if array.shape != (extent,):
            raise ShapeError(f"resample: window has {extent} weights, and is of the shape {array.shape}")
        return array
    return numpy.fft.ifftshift(window_of("resample", window, extent, periodic=True))


def _cut_real(found: Any, extent: int, points: int) -> Any:
    """Frequencies from 0 on to `points` reals: that of half the lower rate is two, of which one may be
    missing."""
    lower = min(extent, points)
    kept = found[..., : lower // 2 + 1]
    if lower % 2 == 0 and extent != points:
        factors = numpy.ones(lower // 2 + 1)
        factors[-1] = 2.0 if points < extent else 0.5
        kept = kept * fitting(factors, kept)
    return irfft(kept, points)


def _cut(found: Any, extent: int, points: int) -> Any:
    """Transforms all frequencies back to `points` points; otherwise as `_cut_real`."""
    if extent == points:
        return ifft(found)
    lower = min(extent, points)
    half = (lower + 1) // 2
    head, tail = found[..., :half], found[..., extent - (lower - half) :]
    middle = points - lower
    zeros = [(0, 0)] * (found.ndim - 1)
    if lower % 2 == 0:
        tail = found[..., extent - (lower - half) + 1 :]
        if points < extent:
            edge = found[..., half : half + 1] + found[..., extent - half : extent - half + 1]
            return ifft(concat((head, edge, tail), axis=-1))
        edge = found[..., half : half + 1] * 0.5
        gap = pad(edge, [*zeros, (0, middle - 1)])
        return ifft(concat((head, gap, edge, tail), axis=-1))
    return ifft(concat((pad(head, [*zeros, (0, middle)]), tail), axis=-1))


def _filtered(x: Any, h: Any, up: int, down: int) -> Any:
    """`upfirdn` of the last axis: each `up` results are windows of `x` times a matrix of the taps between
    them."""
    taps, extent = h.shape[0], x.shape[-1]
    length = -(-((extent - 1) * up + taps) // down)
    rows, each = -(-length // up), -(-taps // up)
    starts, phases = zip(*(divmod(r * down, up) for r in range(up)))
    width = starts[-1] + each
    place = numpy.full((width, up), each * up)
    for r, (start, phase) in enumerate(zip(starts, phases)):
        for j in range(each):
            place[start + each - 1 - j, r] = phase + j * up
    matrix = pad(h, (0, each * up + 1 - taps))[place]
    before, after = each - 1, max((rows - 1) * down + width - (each - 1) - extent, 0)
    whole = pad(x, [(0, 0)] * (x.ndim - 1) + [(before, after)])
    windows = sliding_window_view(whole, width, axis=-1)[..., ::down, :][..., :rows, :]
    made = matmul(windows, matrix)
    return made.reshape((*x.shape[:-1], rows * up))[..., :length]


@public("product", name="signal.upfirdn", sample=lambda s: (s.v, s.x, 2, 1))
def upfirdn(
    h: Any, x: Any, up: Any = 1, down: Any = 1, axis: int = -1, mode: str = "constant", cval: Any = 0
) -> Any:
    """`up` - 1 zeros after each element, a filter of finite impulse response, and each `down`-th of the
    results.

    Nothing is computed that is left out, or multiplied with the zeros. `h`: the taps, a vector; `mode`:
    "constant" with `cval` 0. Shape: ceil(((n - 1) up + len(h)) / down) along `axis`. Raises ArgumentError for
    rates below 1.

    >>> jf.signal.upfirdn([1.0, 1.0], [1.0, 2.0, 3.0], up=2).numpy()
    array([1., 1., 2., 2., 3., 3.])
    """
    if mode != "constant" or cval:
        raise UnsupportedError(
            "upfirdn: beyond its ends the signal is 0 (mode 'constant', cval 0); pad it before"
        )
    array = signal("upfirdn", x)
    taps = on_device_of(h, array)
    place = axis_of("upfirdn", array, axis)
    rates = integer(up, "upfirdn: up"), integer(down, "upfirdn: down")
    _check_rates("upfirdn", *rates)
    if taps.ndim != 1 or not taps.size or not array.shape[place]:
        raise ShapeError("upfirdn: the taps are a vector and the signal has an axis, and neither is empty")
    return put_back(_filtered(as_last(array, place), taps, *rates), place)


def _check_rates(function: str, up: int, down: int) -> None:
    if not 1 <= min(up, down) <= max(up, down) <= MOST_PARTS:
        raise ArgumentError(f"{function}: up and down are from 1 to {MOST_PARTS}, not {up} and {down}")


_BEYOND = {"edge": "edge", "wrap": "wrap", "symmetric": "symmetric", "reflect": "reflect"}
_STATISTICS = ("mean", "median", "maximum", "minimum")
_PADTYPES = ("constant", "line", *_BEYOND, *_STATISTICS)


@public("product", name="signal.resample_poly", sample=lambda s: (s.x, 2, 1))
def resample_poly(
    x: Any, up: Any, down: Any, axis: int = 0, window: Any = ("kaiser", 5.0), padtype: str = "constant",
    cval: Any = None,
) -> Any:  # fmt: skip
    """A signal at `up / down` times its rate, by a filter between its samples.

    `window`: of the filter, as of `get_window`, or its taps; `padtype`: what is beyond the ends: "constant",
    which is `cval` (by default 0), "line" through the first element and the last, "edge", "wrap",
    "symmetric", "reflect", or a statistic: "mean", "median", "maximum", "minimum". Shape: that of `x` with
    ceil(n up / down) along `axis`. Raises ArgumentError for rates below 1.

    >>> jf.signal.resample_poly(np.ones(4), 1, 2).shape
    (2,)
    """
    word(padtype, "resample_poly: padtype", _PADTYPES)
    if cval is not None and padtype != "constant":
        raise ArgumentError("resample_poly: cval goes with padtype 'constant' alone")
    array = signal("resample_poly", x)
    place = axis_of("resample_poly", array, axis)
    above, below = integer(up, "resample_poly: up"), integer(down, "resample_poly: down")
    common = max(math.gcd(above, below), 1)
    above, below = above // common, below // common
    _check_rates("resample_poly", above, below)
    if above == below == 1:
        return array.copy()
    last = as_last(array, place)
    taps = _between(window, above, below)
    extent, half = last.shape[-1], (taps.size - 1) // 2
    count = -(-extent * above // below)
    before = below - half % below
    removed = (half + before) // below
    filled = numpy.concatenate((numpy.zeros(before), taps * above))
    missing = count + removed - -(-((extent - 1) * above + filled.size) // below)
    if missing > 0:
        filled = numpy.concatenate((filled, numpy.zeros(missing * below)))
    level = _level(last, padtype)
    if level is not None:
        last = last - level
    elif padtype != "constant" or cval is not None:
        reach = -(-filled.size // (above * below)) * below
        last = _continued(last, reach, padtype, cval)
        removed += reach * above // below
    found = _filtered(last, asarray(fitting(filled, last), device=array.device), above, below)
    found = found[..., removed : removed + count]
    return put_back(found if level is None else found + level, place)


def _between(window: Any, up: int, down: int) -> numpy.ndarray:
    if not isinstance(window, (str, tuple, int, float)):
        array = known("resample_poly", "window", window)
        if array.ndim != 1:
            raise ShapeError(
                f"resample_poly: the taps of window are a vector, not of the shape {array.shape}"
            )
        return array
    most = max(up, down)
    length = 20 * most + 1
    shape = window_of("resample_poly", window, length, periodic=False)
    return lowpass_taps(length, numpy.array([1.0 / most]), True, shape)


def _level(x: Any, padtype: str) -> Any:
    """A statistic that is subtracted before filtering, for then 0 is what is beyond; None of other kinds."""
    if padtype not in _STATISTICS:
        return None
    if padtype == "median":
        return median(x, axis=-1, keepdims=True)
    of = {"mean": reductions.mean, "maximum": reductions.max, "minimum": reductions.min}[padtype]
    return of(x, axis=-1, keepdims=True)


def _continued(x: Any, reach: int, padtype: str, cval: Any) -> Any:
    """Extends the last axis at both ends by so many elements."""
    widths = [*[(0, 0)] * (x.ndim - 1), (reach, reach)]
    if padtype in _BEYOND:
        return pad(x, widths, _BEYOND[padtype])
    if padtype == "constant":
        return pad(x, widths, constant_values=cval)
    steps = fitting(numpy.arange(1, reach + 1), x)
    slope = (x[..., -1:] - x[..., :1]) / max(x.shape[-1] - 1, 1)
    return concat((x[..., :1] - slope * steps[::-1], x, x[..., -1:] + slope * steps), axis=-1)


def chebyshev_sections(order: int, ripple: float, cutoff: float) -> numpy.ndarray:
    """A Chebyshev filter of the first kind as sections of second order: poles on an ellipse, by the bilinear
    transform (A. V. Oppenheim and R. W. Schafer, Discrete-Time Signal Processing, 3rd edition, 7.3 and
    appendix B). `cutoff` in units of half the sampling rate; an even order."""
    epsilon = math.sqrt(10 ** (0.1 * ripple) - 1)
    spread = math.asinh(1 / epsilon) / order
    warped = 4 * math.tan(math.pi * cutoff / 2)
    rows = []
    for k in range(1, order // 2 + 1):
        angle = math.pi * (2 * k - 1) / (2 * order)
        pole = warped * -cmath.sinh(complex(spread, -angle))
        digital = (4 + pole) / (4 - pole)
        a = numpy.array([1.0, -2 * digital.real, abs(digital) ** 2])
        rows.append(numpy.concatenate((numpy.array([1.0, 2.0, 1.0]) * a.sum() / 4, a)))
    rows.sort(key=lambda row: row[5])
    rows[0][:3] *= 1 / math.sqrt(1 + epsilon * epsilon)
    return numpy.array(rows)


@public("product", name="signal.decimate", sample=lambda s: (s.array(300), 2))
def decimate(
    x: Any, q: Any, n: Any = None, ftype: Any = "iir", axis: int = -1, zero_phase: bool = True
) -> Any:
    """Each `q`-th element of a signal, after a filter against aliases.

    `ftype`: "iir", a Chebyshev filter of order `n` (8) by second-order sections, or "fir", `n` + 1 (20 q + 1)
    taps of a Hamming window; `zero_phase`: filtered forward and backward, or the delay made up for. Shape:
    that of `x` with ceil(m / q) along `axis`. Raises ArgumentError for less than 1, and where the signal is
    too short.

    >>> jf.signal.decimate(np.ones(60), 3).shape
    (20,)
    """
    array = signal("decimate", x)
    place = axis_of("decimate", array, axis)
    factor = integer(q, "decimate: q")
    if factor < 1:
        raise ArgumentError(f"decimate: q is 1 at least, and {factor} was given")
    if not isinstance(ftype, str):
        raise UnsupportedError(
            f"decimate: ftype is 'iir' or 'fir', not {shown(ftype)}; filter before, and take x[::q]"
        )
    word(ftype, "decimate: ftype", ("iir", "fir"))
    still = flag(zero_phase, "decimate: zero_phase")
    if ftype == "fir":
        half = 20 * factor if n is None else count(n, "decimate: n", MOST_PARTS)
        shape = window_of("decimate", "hamming", half + 1, periodic=False)
        taps = lowpass_taps(half + 1, numpy.array([1.0 / factor]), True, shape)
        if still:
            return resample_poly(array, 1, factor, place, taps)
        return along(lfilter(fitting(taps, array), [1.0], array, place), place, None, None, factor)
    order = 8 if n is None else count(n, "decimate: n", MOST_PARTS)
    if order < 2 or order % 2:
        raise ArgumentError(
            f"decimate: the order n of the recursive filter is even and 2 at least, not {order}"
        )
    sos = fitting(chebyshev_sections(order, 0.05, 0.8 / factor), array)
    found = sosfiltfilt(sos, array, place) if still else sosfilt(sos, array, place)
    return along(found, place, None, None, factor)
