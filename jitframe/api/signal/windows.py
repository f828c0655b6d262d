"""Window functions by name, and finite impulse responses designed by windows.

They depend on sizes and numbers alone, and are computed by NumPy in float64. Formulas: F. J. Harris, "On the
use of windows for harmonic analysis with the discrete Fourier transform", Proceedings of the IEEE 66, 1978;
those of more than three cosines A. H. Nuttall, "Some windows with very good sidelobe behavior", IEEE
Transactions on Acoustics, Speech and Signal Processing 29, 1981.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy

from ...base.arguments import count, flag, is_sequence, shown
from ...errors import ArgumentError, KindError, listed
from ..creation.constructors import asarray
from ..registry import public

Window = Callable[..., numpy.ndarray]


def _cosines(*weights: float) -> Window:
    """A sum of cosines of the phase, which goes from -pi to pi."""

    def made(points: int) -> numpy.ndarray:
        phase = numpy.linspace(-math.pi, math.pi, points)
        total: numpy.ndarray = sum(
            (weight * numpy.cos(k * phase) for k, weight in enumerate(weights)), numpy.zeros(points)
        )
        return total

    return made


def _places(points: int) -> numpy.ndarray:
    """From -1 at the first point to 1 at the last one."""
    return numpy.linspace(-1.0, 1.0, points)


def _triangle(points: int) -> numpy.ndarray:
    n = numpy.arange(1, (points + 1) // 2 + 1)
    half = 2 * n / (points + 1.0) if points % 2 else (2 * n - 1.0) / points
    return numpy.concatenate((half, half[::-1][points % 2 :]))


def _parzen(points: int) -> numpy.ndarray:
    share = abs(numpy.arange(-(points - 1) / 2.0, (points - 1) / 2.0 + 0.5)) / (points / 2.0)
    inner = share * points / 2.0 <= (points - 1) / 4.0
    return numpy.where(inner, 1 - 6 * share**2 + 6 * share**3, 2 * (1 - share) ** 3)


def _bohman(points: int) -> numpy.ndarray:
    share = abs(_places(points))
    made = (1 - share) * numpy.cos(math.pi * share) + numpy.sin(math.pi * share) / math.pi
    made[[0, -1]] = 0
    return made


def _kaiser(points: int, beta: float) -> numpy.ndarray:
    return numpy.i0(beta * numpy.sqrt(numpy.maximum(1 - _places(points) ** 2, 0))) / numpy.i0(beta)


def _gaussian(points: int, std: float) -> numpy.ndarray:
    n = numpy.arange(points) - (points - 1) / 2.0
    return numpy.exp(-0.5 * (n / std) ** 2)


def _general_gaussian(points: int, p: float, sig: float) -> numpy.ndarray:
    n = numpy.arange(points) - (points - 1) / 2.0
    return numpy.exp(-0.5 * abs(n / sig) ** (2 * p))


def _exponential(points: int, center: float | None = None, tau: float = 1.0) -> numpy.ndarray:
    middle = (points - 1) / 2.0 if center is None else center
    return numpy.exp(-abs(numpy.arange(points) - middle) / tau)


def _tukey(points: int, alpha: float = 0.5) -> numpy.ndarray:
    if alpha <= 0:
        return numpy.ones(points)
    share = numpy.maximum(abs(_places(points)) - (1 - min(alpha, 1.0)), 0) / min(alpha, 1.0)
    return 0.5 * (1 + numpy.cos(math.pi * share))


def _general_hamming(points: int, alpha: float) -> numpy.ndarray:
    return _cosines(alpha, 1.0 - alpha)(points)


def _general_cosine(points: int, weights: Any) -> numpy.ndarray:
    return _cosines(*(float(weight) for weight in weights))(points)


def _cosine(points: int) -> numpy.ndarray:
    return numpy.sin(math.pi / points * (numpy.arange(points) + 0.5))


_NAMED: dict[str, Window] = {
    "boxcar": numpy.ones, "triang": _triangle, "parzen": _parzen, "bohman": _bohman,
    "bartlett": lambda points: 1 - abs(_places(points)), "cosine": _cosine,
    "hann": _cosines(0.5, 0.5), "hamming": _cosines(0.54, 0.46), "blackman": _cosines(0.42, 0.5, 0.08),
    "nuttall": _cosines(0.3635819, 0.4891775, 0.1365995, 0.0106411),
    "blackmanharris": _cosines(0.35875, 0.48829, 0.14128, 0.01168),
    "flattop": _cosines(0.21557895, 0.41663158, 0.277263158, 0.083578947, 0.006947368),
    "kaiser": _kaiser, "gaussian": _gaussian, "general_gaussian": _general_gaussian,
    "exponential": _exponential, "tukey": _tukey, "general_hamming": _general_hamming,
    "general_cosine": _general_cosine,
}  # fmt: skip
_OTHERS = {"hanning": "hann", "hamm": "hamming", "rect": "boxcar", "rectangular": "boxcar", "ones": "boxcar"}
_NEED = frozenset(("kaiser", "gaussian", "general_gaussian", "general_hamming", "general_cosine"))


def window_of(function: str, window: Any, points: int, periodic: bool) -> numpy.ndarray:
    """The window as float64: a name, a name with parameters, or the `beta` of a Kaiser window. `periodic`: it
    is one of a row of them, so that the next one would begin with its first point."""
    if isinstance(window, (int, float)) and not isinstance(window, bool):
        window = ("kaiser", float(window))
    name, *parameters = window if is_sequence(window) and window and isinstance(window[0], str) else (window,)
    if not isinstance(name, str):
        raise KindError(
            f"{function}: a window is a name, or a tuple of it and its parameters, not {shown(window)}"
        )
    known = _NAMED.get(_OTHERS.get(name, name))
    if known is None:
        raise ArgumentError(f"{function}: there is no window {name!r}; there are {listed([*sorted(_NAMED)])}")
    if name in _NEED and not parameters:
        raise ArgumentError(f"{function}: the window {name!r} has parameters: ({name!r}, value)")
    if points <= 1:
        return numpy.ones(points)
    array = known(points + 1, *parameters)[:-1] if periodic else known(points, *parameters)
    return numpy.asarray(array, float)


@public("creation", name="signal.get_window", sample=lambda s: ("hann", 8))
def get_window(window: Any, Nx: Any, fftbins: bool = True) -> Any:
    """A window by its name.

    `window`: a name (boxcar, triang, parzen, bohman, bartlett, cosine, hann, hamming, blackman, nuttall,
    blackmanharris, flattop, tukey, exponential), a tuple of a name and parameters (kaiser, gaussian,
    general_gaussian, general_hamming, general_cosine), or a number, the `beta` of a Kaiser window. `fftbins`:
    for transforms, so that copies of it side by side are periodic; else it is symmetric. Shape: [Nx]. Dtype:
    float64. Raises ArgumentError for an unknown name.

    >>> jf.signal.get_window("hann", 4).numpy()
    array([0. , 0.5, 1. , 0.5])
    """
    return asarray(window_of("get_window", window, count(Nx, "get_window: Nx"), flag(fftbins, "fftbins")))


def kaiser_beta_of(attenuation: float) -> float:
    """J. F. Kaiser, "Nonrecursive digital filter design using the I0-sinh window function", 1974."""
    if attenuation > 50:
        return 0.1102 * (attenuation - 8.7)
    if attenuation > 21:
        return 0.5842 * (attenuation - 21) ** 0.4 + 0.07886 * (attenuation - 21)
    return 0.0


def lowpass_taps(
    numtaps: int, cutoffs: numpy.ndarray, pass_zero: bool, window: numpy.ndarray
) -> numpy.ndarray:
    """The windowed response of an ideal filter whose bands lie between `cutoffs`, in units of half the
    sampling rate, scaled to 1 in the middle of its first band."""
    last = pass_zero == (len(cutoffs) % 2 == 0)
    edges = numpy.concatenate(([0.0] * pass_zero, cutoffs, [1.0] * last)).reshape(-1, 2)
    n = numpy.arange(numtaps) - 0.5 * (numtaps - 1)
    taps = sum((right * numpy.sinc(right * n) - left * numpy.sinc(left * n) for left, right in edges), 0 * n)
    taps = taps * window
    left, right = edges[0]
    center = 0.0 if left == 0 else 1.0 if right == 1 else 0.5 * (left + right)
    return numpy.asarray(taps / (taps * numpy.cos(math.pi * n * center)).sum())


_PASSES = {"bandpass": False, "lowpass": True, "highpass": False, "bandstop": True}


@public("creation", name="signal.firwin", sample=lambda s: (5, 0.3))
def firwin(
    numtaps: Any, cutoff: Any, *, width: Any = None, window: Any = "hamming", pass_zero: Any = True,
    scale: bool = True, fs: Any = None,
) -> Any:  # fmt: skip
    """The coefficients of a filter of finite impulse response, by the window method.

    `cutoff`: one frequency or several that rise, between 0 and fs / 2; `fs`: the sampling rate, by default 2.
    `window`: as of `get_window`; with `width`, the width of the transition, a Kaiser window of it.
    `pass_zero`: whether frequency 0 passes, or "lowpass", "highpass", "bandpass", "bandstop". `scale`:
    whether the first band's middle passes unchanged. Shape: [numtaps]. Dtype: float64. Raises ArgumentError
    for frequencies out of range, and for an even number of taps where fs / 2 passes.

    >>> jf.signal.firwin(3, 0.5).numpy().round(4)
    array([0.0462, 0.9076, 0.0462])
    """
    taps = count(numtaps, "firwin: numtaps")
    half = 1.0 if fs is None else 0.5 * float(fs)
    cutoffs = numpy.atleast_1d(numpy.asarray(cutoff, float)) / half
    if cutoffs.ndim > 1 or not cutoffs.size or cutoffs.min() <= 0 or cutoffs.max() >= 1:
        raise ArgumentError(f"firwin: cutoff frequencies are above 0 and below {half:g}, not {cutoff!r}")
    if (numpy.diff(cutoffs) <= 0).any():
        raise ArgumentError(f"firwin: cutoff frequencies rise, and {cutoff!r} do not")
    if isinstance(pass_zero, str):
        several = pass_zero in ("bandpass", "bandstop")
        if pass_zero not in _PASSES or several != (len(cutoffs) > 1):
            wanted = "bandpass or bandstop" if len(cutoffs) > 1 else "lowpass or highpass"
            raise ArgumentError(
                f"firwin: with {len(cutoffs)} cutoff frequencies pass_zero is {wanted}, not {pass_zero!r}"
            )
        passes = _PASSES[pass_zero]
    else:
        passes = flag(pass_zero, "firwin: pass_zero")
    if passes == (len(cutoffs) % 2 == 0) and taps % 2 == 0:
        raise ArgumentError(
            f"firwin: a filter with an even number of taps ({taps}) is zero at half the sampling rate, "
            "which this "
            "one passes; take one more"
        )
    if width is not None:
        attenuation = 2.285 * (taps - 1) * math.pi * (float(width) / half) + 7.95
        window = ("kaiser", kaiser_beta_of(attenuation))
    shape = window_of("firwin", window, taps, periodic=False)
    array = lowpass_taps(taps, cutoffs, passes, shape)
    if not scale:
        n = numpy.arange(taps) - 0.5 * (taps - 1)
        last = passes == (len(cutoffs) % 2 == 0)
        edges = numpy.concatenate(([0.0] * passes, cutoffs, [1.0] * last)).reshape(-1, 2)
        array = shape * sum(
            right * numpy.sinc(right * n) - left * numpy.sinc(left * n) for left, right in edges
        )
    return asarray(array)


@public("creation", name="signal.kaiser_beta", sample=lambda s: (60.0,))
def kaiser_beta(a: Any) -> float:
    """The `beta` of the Kaiser window by which a filter's stopband lies `a` decibels below its passband.

    >>> round(jf.signal.kaiser_beta(65), 4)
    6.2043
    """
    return kaiser_beta_of(float(a))


@public("creation", name="signal.kaiserord", sample=lambda s: (60.0, 0.1))
def kaiserord(ripple: Any, width: Any) -> tuple[int, float]:
    """How many taps a filter has by `firwin`, and the `beta` of its Kaiser window.

    `ripple`: decibels, 8 at least; `width`: of the transition, in units of half the sampling rate. Raises
    ArgumentError for less ripple.

    >>> jf.signal.kaiserord(65, 0.1)[0]
    81
    """
    attenuation = abs(float(ripple))
    if attenuation < 8:
        raise ArgumentError(f"kaiserord: ripple is 8 decibels at least, and {ripple!r} was given")
    taps = (attenuation - 7.95) / 2.285 / (math.pi * float(width)) + 1
    return math.ceil(taps), kaiser_beta_of(attenuation)
