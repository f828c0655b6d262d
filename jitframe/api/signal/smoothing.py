"""Smoothing and envelopes: medians, polynomials of least squares, the analytic signal."""

from __future__ import annotations

import math
from typing import Any

import numpy

from ...base.arguments import integer, is_sequence, word
from ...errors import ArgumentError, ShapeError
from ..arranging.rearranging import pad, sliding_window_view
from ..creation.constructors import asarray
from ..linear_algebra.products import matmul
from ..movement import as_lazy, concat
from ..registry import public
from ..sorting.sorts import sort
from .fourier import fft, ifft
from .signals import as_last, axis_of, fitting, put_back, real_signal, signal


@public("product", name="signal.hilbert")
def hilbert(x: Any, N: Any = None, axis: int = -1) -> Any:
    """The analytic signal: `x` and, as its imaginary part, its Hilbert transform, by Fourier transforms.

    `N`: so many points, by default all. Shape: that of `x`, with N along `axis`. Dtype: complex. Raises
    DTypeError for complex numbers, ArgumentError for less than one point.

    >>> abs(jf.signal.hilbert([1.0, 0.0, -1.0, 0.0])).numpy()
    array([1., 1., 1., 1.])
    """
    array = real_signal("hilbert", x)
    place = axis_of("hilbert", array, axis)
    points = array.shape[place] if N is None else integer(N, "hilbert: N")
    if points < 1:
        raise ArgumentError(f"hilbert: N is 1 at least, and {points} was given")
    last = as_last(array, place)
    factors = numpy.zeros(points)
    factors[0] = 1.0
    factors[1 : (points + 1) // 2] = 2.0
    if points % 2 == 0:
        factors[points // 2] = 1.0
    found = fft(last, points)
    return put_back(ifft(found * fitting(factors, found)), place)


@public("reduction", name="signal.medfilt")
def medfilt(volume: Any, kernel_size: Any = None) -> Any:
    """The median of the window around each element; around the array there are zeros.

    `kernel_size`: the window's extents, odd, one for all axes or one for each; by default 3. Shape and dtype:
    those of `volume`. Raises ArgumentError for even extents.

    >>> jf.signal.medfilt([1.0, 9.0, 2.0, 3.0]).numpy()
    array([1., 2., 3., 2.])
    """
    array = as_lazy(volume)
    if not array.ndim:
        raise ShapeError("medfilt: the array has one axis at least")
    given: Any = 3 if kernel_size is None else kernel_size
    sizes = given if is_sequence(given) else (given,) * array.ndim
    extents = [integer(size, "medfilt: kernel_size") for size in sizes]
    if len(extents) != array.ndim or any(extent < 1 or extent % 2 == 0 for extent in extents):
        raise ArgumentError(
            f"medfilt: kernel_size is an odd extent for each of the {array.ndim} axes, and {given!r} was "
            "given"
        )
    whole = pad(array, [(extent // 2, extent // 2) for extent in extents])
    total = math.prod(extents)
    windows = sliding_window_view(whole, tuple(extents)).reshape((*array.shape, total))
    return sort(windows, axis=-1)[..., total // 2]


def _odd(name: str, window_length: Any) -> int:
    length = integer(window_length, f"{name}: window_length")
    if length < 1:
        raise ArgumentError(f"{name}: window_length is 1 at least, and {length} was given")
    return length


def _polynomial(name: str, window_length: Any, polyorder: Any) -> tuple[int, int]:
    length, order = _odd(name, window_length), integer(polyorder, f"{name}: polyorder")
    if not 0 <= order < length:
        raise ArgumentError(f"{name}: polyorder is from 0 to window_length - 1, {length - 1}, not {order}")
    return length, order


def _weights(length: int, order: int, deriv: int, delta: float, place: float) -> numpy.ndarray:
    """Returns the weights of a window's elements: the sum of their products is a derivative, at `place`, of
    the polynomial of least squares."""
    if deriv > order:
        return numpy.zeros(length)
    powers = (numpy.arange(length) - place)[:, None] ** numpy.arange(order + 1)
    return numpy.linalg.pinv(powers)[deriv] * (math.factorial(deriv) / delta**deriv)


@public("creation", name="signal.savgol_coeffs", sample=lambda s: (5, 2))
def savgol_coeffs(
    window_length: Any, polyorder: Any, deriv: Any = 0, delta: Any = 1.0, pos: Any = None, use: str = "conv"
) -> Any:
    """The coefficients of a Savitzky-Golay filter (A. Savitzky and M. J. E. Golay, "Smoothing and
    differentiation of data by simplified least squares procedures", Analytical Chemistry 36, 1964).

    `deriv`: of which derivative; `delta`: the distance of the samples; `pos`: the place in the window, by
    default its middle; `use`: "conv", in reverse, or "dot". Shape: [window_length]. Dtype: float64.

    >>> jf.signal.savgol_coeffs(3, 1).numpy().round(4)
    array([0.3333, 0.3333, 0.3333])
    """
    length, order = _polynomial("savgol_coeffs", window_length, polyorder)
    word(use, "savgol_coeffs: use", ("conv", "dot"))
    place = (length // 2 - (0 if length % 2 else 0.5)) if pos is None else float(pos)
    if not 0 <= place < length:
        raise ArgumentError(f"savgol_coeffs: pos is a place in the window, below {length}, not {pos!r}")
    array = _weights(length, order, integer(deriv, "savgol_coeffs: deriv"), float(delta), place)
    return asarray(array[::-1].copy() if use == "conv" else array)


_MODES = {"mirror": "reflect", "constant": "constant", "nearest": "edge", "wrap": "wrap", "interp": ""}


@public("product", name="signal.savgol_filter", sample=lambda s: (s.v, 3, 1))
def savgol_filter(
    x: Any, window_length: Any, polyorder: Any, deriv: Any = 0, delta: Any = 1.0, axis: int = -1,
    mode: str = "interp", cval: Any = 0.0,
) -> Any:  # fmt: skip
    """A signal whose elements are those of polynomials of least squares, each fitted to the window around it.

    `mode`: what is beyond the ends: "interp" (nothing: the first and last window's polynomials go on),
    "mirror", "nearest", "wrap", or "constant", which is `cval`. All else as of `savgol_coeffs`. Shape: that
    of `x`. Raises ArgumentError where the window is longer than the signal ("interp").

    >>> jf.signal.savgol_filter([0.0, 1.0, 4.0, 9.0, 16.0], 3, 2).numpy().round(6) + 0.0
    array([ 0.,  1.,  4.,  9., 16.])
    """
    length, order = _polynomial("savgol_filter", window_length, polyorder)
    padding = _MODES[word(mode, "savgol_filter: mode", tuple(_MODES))]
    array = signal("savgol_filter", x)
    place = axis_of("savgol_filter", array, axis)
    last = as_last(array, place)
    step, which = float(delta), integer(deriv, "savgol_filter: deriv")
    middle = length // 2 - (0 if length % 2 else 0.5)
    taps = fitting(_weights(length, order, which, step, middle), last)
    half = length // 2
    if padding:
        options = {"constant_values": cval} if padding == "constant" else {}
        sides = (half, length - 1 - half) if length % 2 else (half - 1, half)
        whole = pad(last, [(0, 0)] * (last.ndim - 1) + [sides], padding, **options)
        return put_back(matmul(sliding_window_view(whole, length, axis=-1), taps), place)
    if length > last.shape[-1]:
        raise ArgumentError(
            f"savgol_filter: with mode 'interp' the window, {length}, is no longer than the signal, "
            f"{last.shape[-1]} along axis {place}"
        )
    inner = matmul(sliding_window_view(last, length, axis=-1), taps)
    inner = inner if length % 2 else inner[..., 1:]
    ends = []
    for first, places in ((True, range(half)), (False, range(length - half, length))):
        rows = [_weights(length, order, which, step, each) for each in places]
        part = last[..., :length] if first else last[..., last.shape[-1] - length :]
        ends.append(matmul(part, fitting(numpy.array(rows).reshape(-1, length).T.copy(), last)))
    return put_back(concat((ends[0], inner, ends[1]), axis=-1), place)
