"""Spectra: transforms of segments of a signal, their powers, and back."""

from __future__ import annotations

from typing import Any

import numpy

from ...base.arguments import count, flag, integer, word
from ...errors import ArgumentError, ShapeError
from .. import reductions
from ..arranging.rearranging import pad, sliding_window_view
from ..creation.constructors import asarray
from ..mathematics.differences import unwrap
from ..mathematics.numeric import angle
from ..movement import moveaxis
from ..registry import public
from ..statistics.order_statistics import median
from .filtering import detrend as without_trend
from .fourier import fft, ifft, irfft, rfft
from .signals import along, as_last, axis_of, extended, fitting, known, padded, put_back, signal
from .windows import window_of

_SCALINGS = ("density", "spectrum")
_EDGES = ("even", "odd", "constant", "zeros")


class _Segments:
    """The segments of a signal of some length, as the arguments of SciPy's functions give them."""

    def __init__(
        self, function: str, extent: int, window: Any, nperseg: Any, noverlap: Any, nfft: Any
    ) -> None:
        self.function = function
        if isinstance(window, (str, tuple, int, float)):
            length = 256 if nperseg is None else integer(nperseg, f"{function}: nperseg")
            if length < 1:
                raise ArgumentError(f"{function}: nperseg is 1 at least, and {length} was given")
            self.length = min(length, extent)
            self.window = window_of(function, window, self.length, periodic=True)
        else:
            self.window = known(function, "window", window)
            if self.window.ndim != 1 or not 0 < self.window.size <= extent:
                raise ShapeError(
                    f"{function}: a window is a vector no longer than the signal, which has {extent} "
                    "elements, and is "
                    f"of the shape {self.window.shape}"
                )
            self.length = self.window.size
            if nperseg is not None and integer(nperseg, "nperseg") != self.length:
                raise ArgumentError(
                    f"{function}: nperseg is {nperseg}, and the window has {self.length} points"
                )
        self.overlap = self.length // 2 if noverlap is None else count(noverlap, f"{function}: noverlap")
        if self.overlap >= self.length:
            raise ArgumentError(
                f"{function}: noverlap must be less than nperseg, and they are {self.overlap} and "
                f"{self.length}"
            )
        self.points = self.length if nfft is None else count(nfft, f"{function}: nfft")
        if self.points < self.length:
            raise ArgumentError(
                f"{function}: nfft is nperseg at least, {self.length}, and {self.points} was given"
            )
        self.step = self.length - self.overlap

    def transformed(self, x: Any, detrend: Any, one_sided: bool) -> Any:
        """[…, segments, frequencies] of the last axis of `x`."""
        found = sliding_window_view(x, self.length, axis=-1)[..., :: self.step, :]
        found = _detrended(found, detrend) * fitting(self.window, x)
        return (rfft if one_sided else fft)(found, self.points, -1)

    def scale(self, scaling: str, rate: float) -> float:
        total = (self.window**2).sum() * rate if scaling == "density" else self.window.sum() ** 2
        return float(1.0 / total)

    def frequencies(self, one_sided: bool, rate: float, like: Any) -> Any:
        values = numpy.fft.rfftfreq if one_sided else numpy.fft.fftfreq
        return asarray(_real(values(self.points, 1 / rate), like), device=like.device)

    def times(self, first: float, segments: int, rate: float, like: Any) -> Any:
        places = (numpy.arange(segments) * self.step + first) / rate
        return asarray(_real(places, like), device=like.device)


def _real(values: numpy.ndarray, like: Any) -> numpy.ndarray:
    """float64, where a device has it; else the signal's own."""
    return values if like.dtype.itemsize // (1 + (like.dtype.kind == "c")) == 8 else fitting(values, like)


def _detrended(x: Any, detrend: Any) -> Any:
    if detrend is False or detrend is None:
        return x
    if callable(detrend):
        return detrend(x)
    return without_trend(x, -1, detrend)


def _rate(function: str, fs: Any) -> float:
    rate = float(fs)
    if not rate > 0:
        raise ArgumentError(f"{function}: fs, the sampling rate, is above 0, and {fs!r} was given")
    return rate


def _doubled(powers: Any, points: int) -> Any:
    """One-sided powers: those of frequencies that stand for two."""
    factors = numpy.full(points // 2 + 1, 2.0)
    factors[0] = 1.0
    if points % 2 == 0:
        factors[-1] = 1.0
    return powers * fitting(factors, powers)


class _Arguments:
    """The arguments that the functions below have in common, read."""

    def __init__(
        self, function: str, x: Any, fs: Any, window: Any, nperseg: Any, noverlap: Any, nfft: Any,
        return_onesided: Any, scaling: Any, axis: Any, y: Any = None,
    ) -> None:  # fmt: skip
        self.signal = signal(function, x)
        self.other = None if y is None else signal(function, y, "y")
        self.place = axis_of(function, self.signal, axis)
        self.rate = _rate(function, fs)
        self.scaling = word(scaling, f"{function}: scaling", _SCALINGS)
        is_complex = self.signal.dtype.kind == "c" or (
            self.other is not None and self.other.dtype.kind == "c"
        )
        self.one_sided = flag(return_onesided, f"{function}: return_onesided") and not is_complex
        self.last = as_last(self.signal, self.place)
        self.last_other = None if self.other is None else as_last(self.other, self.place)
        extent = self.last.shape[-1]
        if self.last_other is not None and self.last_other.shape[-1] != extent:
            extent = max(extent, self.last_other.shape[-1])
            self.last, self.last_other = (
                padded(each, each.ndim - 1, 0, extent - each.shape[-1])
                for each in (self.last, self.last_other)
            )
        if not extent:
            raise ShapeError(f"{function}: the signal is empty along axis {self.place}")
        self.segments = _Segments(function, extent, window, nperseg, noverlap, nfft)

    @property
    def frequencies(self) -> Any:
        return self.segments.frequencies(self.one_sided, self.rate, self.signal)

    def powers(self, detrend: Any) -> Any:
        """[…, segments, frequencies], scaled."""
        segments = self.segments
        first = segments.transformed(self.last, detrend, self.one_sided)
        scale = segments.scale(self.scaling, self.rate)
        if self.last_other is None:
            found = (first.real**2 + first.imag**2) * scale
        else:
            found = first.conj() * segments.transformed(self.last_other, detrend, self.one_sided) * scale
        return _doubled(found, segments.points) if self.one_sided else found


def _averaged(function: str, powers: Any, average: Any) -> Any:
    """Over the segments."""
    word(average, f"{function}: average", ("mean", "median"))
    if average == "mean":
        return reductions.mean(powers, axis=-2)
    rows = powers.shape[-2]
    steps = 2 * numpy.arange(1.0, (rows - 1) // 2 + 1)
    bias = float(1 + (1.0 / (steps + 1) - 1.0 / steps).sum())

    if powers.dtype.kind == "c":
        return (median(powers.real, axis=-2) + 1j * median(powers.imag, axis=-2)) / bias
    return median(powers, axis=-2) / bias


@public("reduction", name="signal.periodogram")
def periodogram(
    x: Any, fs: Any = 1.0, window: Any = "boxcar", nfft: Any = None, detrend: Any = "constant",
    return_onesided: bool = True, scaling: str = "density", axis: int = -1,
) -> tuple[Any, Any]:  # fmt: skip
    """The power spectral density of a signal, by one transform of all of it.

    `fs`: the sampling rate; `window`: as of `get_window`; `nfft`: points of the transform, by default as many
    as the signal has; `detrend`: "constant", "linear" or False; `scaling`: "density" or "spectrum". Gives
    frequencies, and powers in their place along `axis`. Raises ArgumentError and ShapeError for what does not
    fit.

    >>> jf.signal.periodogram([1.0, -1.0, 1.0, -1.0])[1].numpy()
    array([0., 0., 4.])
    """
    array = signal("periodogram", x)
    place = axis_of("periodogram", array, axis)
    extent = array.shape[place]
    points = extent if nfft is None else count(nfft, "periodogram: nfft")
    if points < extent:
        array, extent = along(array, place, None, points), points
    return _welch(
        "periodogram",
        array,
        None,
        fs,
        window,
        extent,
        0,
        points,
        detrend,
        return_onesided,
        scaling,
        place,
        "mean",
    )


def _welch(
    function: str, x: Any, y: Any, fs: Any, window: Any, nperseg: Any, noverlap: Any, nfft: Any, detrend: Any,
    return_onesided: Any, scaling: Any, axis: Any, average: Any,
) -> tuple[Any, Any]:  # fmt: skip
    given = _Arguments(function, x, fs, window, nperseg, noverlap, nfft, return_onesided, scaling, axis, y)
    found = _averaged(function, given.powers(detrend), average)
    return given.frequencies, put_back(found, given.place)


@public("reduction", name="signal.welch")
def welch(
    x: Any, fs: Any = 1.0, window: Any = "hann", nperseg: Any = None, noverlap: Any = None, nfft: Any = None,
    detrend: Any = "constant", return_onesided: bool = True, scaling: str = "density", axis: int = -1,
    average: str = "mean",
) -> tuple[Any, Any]:  # fmt: skip
    """The power spectral density of a signal, averaged over segments that overlap.

    P. D. Welch, "The use of the fast Fourier transform for the estimation of power spectra", IEEE
    Transactions on Audio and Electroacoustics 15, 1967. `nperseg`: of a segment, by default 256 or all;
    `noverlap`: by default half of them; `nfft`: points of each transform; `detrend`: of each segment;
    `average`: "mean" or "median". Gives frequencies, and powers in their place along `axis`. Raises
    ArgumentError and ShapeError for what does not fit.

    >>> frequencies, powers = jf.signal.welch(np.tile([1.0, -1.0], 8), nperseg=4, window="boxcar")
    >>> powers.numpy()
    array([0., 0., 4.])
    """
    return _welch(
        "welch",
        x,
        None,
        fs,
        window,
        nperseg,
        noverlap,
        nfft,
        detrend,
        return_onesided,
        scaling,
        axis,
        average,
    )


@public("reduction", name="signal.csd", sample=lambda s: (s.x, s.x))
def csd(
    x: Any, y: Any, fs: Any = 1.0, window: Any = "hann", nperseg: Any = None, noverlap: Any = None,
    nfft: Any = None, detrend: Any = "constant", return_onesided: bool = True, scaling: str = "density",
    axis: int = -1, average: str = "mean",
) -> tuple[Any, Any]:  # fmt: skip
    """The cross power spectral density of two signals by the method of `welch`, whose arguments it has.

    >>> x = np.tile([1.0, -1.0], 8)
    >>> jf.signal.csd(x, 2 * x, nperseg=4, window="boxcar")[1].numpy().real
    array([0., 0., 8.])
    """
    return _welch(
        "csd", x, y, fs, window, nperseg, noverlap, nfft, detrend, return_onesided, scaling, axis, average
    )


@public("reduction", name="signal.coherence", sample=lambda s: (s.x, s.x))
def coherence(
    x: Any, y: Any, fs: Any = 1.0, window: Any = "hann", nperseg: Any = None, noverlap: Any = None,
    nfft: Any = None, detrend: Any = "constant", axis: int = -1,
) -> tuple[Any, Any]:  # fmt: skip
    """How far two signals are linear functions of each other, from 0 to 1, at each frequency.

    The square of `csd` over the product of both of `welch`, whose arguments it has.

    >>> x = np.random.default_rng(0).normal(size=64)
    >>> jf.signal.coherence(x, 2 * x, nperseg=8)[1].numpy().round(6)
    array([1., 1., 1., 1., 1.])
    """
    rest = (window, nperseg, noverlap, nfft, detrend, True, "density", axis, "mean")
    frequencies, both = _welch("coherence", x, y, fs, *rest)
    first = _welch("coherence", x, None, fs, *rest)[1]
    second = _welch("coherence", y, None, fs, *rest)[1]
    size = both.real**2 + both.imag**2 if both.dtype.kind == "c" else both**2
    return frequencies, size / first / second


_MODES = ("psd", "complex", "magnitude", "angle", "phase")


@public("movement", name="signal.spectrogram")
def spectrogram(
    x: Any, fs: Any = 1.0, window: Any = ("tukey", 0.25), nperseg: Any = None, noverlap: Any = None,
    nfft: Any = None, detrend: Any = "constant", return_onesided: bool = True, scaling: str = "density",
    axis: int = -1, mode: str = "psd",
) -> tuple[Any, Any, Any]:  # fmt: skip
    """The spectra of segments of a signal one after the other.

    Arguments are those of `welch`; `noverlap` is by default an eighth of `nperseg`. `mode`: "psd", "complex",
    "magnitude", "angle" or "phase" (unwrapped along frequency). Gives frequencies, the times of the segments'
    middles, and the spectra, with frequencies in place of `axis` and times last.

    >>> frequencies, times, powers = jf.signal.spectrogram(np.ones(16), nperseg=4, noverlap=0)
    >>> powers.shape, times.numpy()
    ((3, 4), array([ 2.,  6., 10., 14.]))
    """
    word(mode, "spectrogram: mode", _MODES)
    array = signal("spectrogram", x)
    extent = array.shape[axis_of("spectrogram", array, axis)]
    length = min(256 if nperseg is None else integer(nperseg, "spectrogram: nperseg"), extent)
    if not isinstance(window, (str, tuple, int, float)):
        length = len(window)
    over = length // 8 if noverlap is None else noverlap
    given = _Arguments("spectrogram", array, fs, window, nperseg, over, nfft, return_onesided, scaling, axis)
    segments = given.segments
    if mode == "psd":
        found = given.powers(detrend)
    else:
        scale = segments.scale(given.scaling, given.rate) ** 0.5
        found = segments.transformed(given.last, detrend, given.one_sided) * scale
        if mode == "magnitude":
            found = abs(found)
        elif mode in ("angle", "phase"):
            found = angle(found)
            found = unwrap(found, axis=-1) if mode == "phase" else found
    times = segments.times(segments.length / 2, found.shape[-2], given.rate, given.signal)
    return given.frequencies, times, _times_last(found, given.place)


def _times_last(found: Any, place: int) -> Any:
    """[…, times, frequencies] with the frequencies at `place`, and the times last."""
    swapped = found.swapaxes(-1, -2)
    return swapped if place == swapped.ndim - 2 else moveaxis(swapped, -2, place)


@public("movement", name="signal.stft")
def stft(
    x: Any, fs: Any = 1.0, window: Any = "hann", nperseg: Any = 256, noverlap: Any = None, nfft: Any = None,
    detrend: Any = False, return_onesided: bool = True, boundary: Any = "zeros", padded: bool = True,
    axis: int = -1, scaling: str = "spectrum",
) -> tuple[Any, Any, Any]:  # fmt: skip
    """The short-time Fourier transform: transforms of windowed segments.

    `boundary`: how the signal goes on at both ends, by half a segment: "zeros", "even", "odd", "constant", or
    None; `padded`: with zeros at the end, to whole segments; `scaling`: "spectrum" or "psd". All else as of
    `welch`. Gives frequencies, times, and the transforms, with frequencies in place of `axis` and times last.

    >>> frequencies, times, found = jf.signal.stft(np.ones(8), nperseg=4)
    >>> found.shape
    (3, 5)
    """
    word(scaling, "stft: scaling", ("spectrum", "psd"))
    if boundary is not None:
        word(boundary, "stft: boundary", _EDGES)
    kind = "spectrum" if scaling == "spectrum" else "density"
    given = _Arguments("stft", x, fs, window, nperseg, noverlap, nfft, return_onesided, kind, axis)
    segments, last = given.segments, given.last
    if boundary is not None:
        last = extended(last, segments.length // 2, boundary)
    if flag(padded, "stft: padded"):
        missing = -(last.shape[-1] - segments.length) % segments.step % segments.length
        last = pad(last, [(0, 0)] * (last.ndim - 1) + [(0, missing)])
    found = segments.transformed(last, detrend, given.one_sided) * segments.scale(kind, given.rate) ** 0.5
    first = 0.0 if boundary is not None else segments.length / 2
    times = segments.times(first, found.shape[-2], given.rate, given.signal)
    return given.frequencies, times, _times_last(found, given.place)


@public("movement", name="signal.istft", sample=lambda s: (s.x,))
def istft(
    Zxx: Any, fs: Any = 1.0, window: Any = "hann", nperseg: Any = None, noverlap: Any = None,
    nfft: Any = None, input_onesided: bool = True, boundary: bool = True, time_axis: int = -1,
    freq_axis: int = -2, scaling: str = "spectrum",
) -> tuple[Any, Any]:  # fmt: skip
    """The inverse of `stft`: transforms back, windowed again, overlapped and added (D. W. Griffin and J. S.
    Lim, "Signal estimation from modified short-time Fourier transform", IEEE Transactions on Acoustics,
    Speech and Signal Processing 32, 1984).

    Arguments are those that `stft` was given; `boundary`: whether it lengthened the signal. Gives times and
    the signal, whose axis stands where the times were. Raises ShapeError and ArgumentError for what
    does not fit.

    >>> x = np.arange(8.0)
    >>> jf.signal.istft(jf.signal.stft(x, nperseg=4)[2], nperseg=4)[1].numpy().round(6)
    array([0., 1., 2., 3., 4., 5., 6., 7.])
    """
    word(scaling, "istft: scaling", ("spectrum", "psd"))
    array = signal("istft", Zxx, "Zxx")
    if array.ndim < 2:
        raise ShapeError("istft: Zxx has an axis of frequencies and one of times, and is a vector")
    times, rows = (axis_of("istft", array, axis) for axis in (time_axis, freq_axis))
    if times == rows:
        raise ArgumentError("istft: time_axis and freq_axis are the same axis")
    last = moveaxis(array, (times, rows), (-2, -1))
    one_sided = flag(input_onesided, "istft: input_onesided")
    most = 2 * (last.shape[-1] - 1) if one_sided else last.shape[-1]
    length = most if nperseg is None else integer(nperseg, "istft: nperseg")
    if nfft is not None:
        points = integer(nfft, "istft: nfft")
    else:
        points = length if one_sided and length == most + 1 else most
    if length < 1 or points < length:
        raise ArgumentError(f"istft: nperseg is between 1 and nfft, {points}, and {length} was given")
    segments = _Segments("istft", length, window, length, noverlap, points)
    made = (irfft if one_sided else ifft)(last, points, -1)[..., :length]
    weights = segments.window
    total = (
        float(weights.sum())
        if scaling == "spectrum"
        else float((_rate("istft", fs) * (weights**2).sum()) ** 0.5)
    )
    made = made * fitting(weights * total, made)
    found, norm = _overlapped(made, segments.step), _norm(weights, segments.step, last.shape[-2])
    if flag(boundary, "istft: boundary"):
        cut = slice(length // 2, found.shape[-1] - length // 2)
        found, norm = found[..., cut], norm[cut]
    safe = numpy.where(norm > 1e-10, norm, 1.0)
    found = found / fitting(safe, found)
    places = asarray(_real(numpy.arange(found.shape[-1]) / _rate("istft", fs), array), device=array.device)
    return places, put_back(found, times - (rows < times))


def _overlapped(segments: Any, step: int) -> Any:
    """The sum of segments, [..., count, length], each `step` behind the one before."""
    *outer, rows, length = segments.shape
    chunks = -(-length // step)
    cut = pad(segments, [*[(0, 0)] * (len(outer) + 1), (0, chunks * step - length)])
    cut = cut.reshape((*outer, rows, chunks, step))
    widths = [[*[(0, 0)] * len(outer), (k, chunks - 1 - k), (0, 0)] for k in range(chunks)]
    total = sum((pad(cut[..., k, :], widths[k]) for k in range(1, chunks)), pad(cut[..., 0, :], widths[0]))
    whole = total.reshape((*outer, (rows + chunks - 1) * step))
    return whole[..., : (rows - 1) * step + length]


def _norm(window: numpy.ndarray, step: int, rows: int) -> numpy.ndarray:
    """Returns the sum of the squares of overlapping windows."""
    total = numpy.zeros((rows - 1) * step + window.size)
    for row in range(rows):
        total[row * step : row * step + window.size] += window**2
    return total
