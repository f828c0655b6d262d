"""Fourier transforms, of whole arrays and of frames, and filters of the mel scale.

Complex numbers are pairs on the last axis.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..registry import Known, operator
from ..values import axis_of, cast, dtype_of, lazy, numbered_dtype, public

_fft, _ifft, _rfft, _irfft = (public(f"fft.{name}") for name in ("fft", "ifft", "rfft", "irfft"))


def _transformed(x: Any, length: int | None, axis: int, inverse: bool, onesided: bool) -> Any:
    pairs = x.shape[-1] == 2
    place, dtype = axis_of(axis, x.ndim), dtype_of(x)
    values = lazy(x)[..., 0]
    if pairs:
        values = (
            values + lazy(x)[..., 1] * np.complex64(1j) if dtype.itemsize < 8 else values + 1j * x[..., 1]
        )
    if inverse and onesided:
        return cast(_irfft(values, n=length, axis=place)[..., None], dtype)
    if onesided:
        found = _rfft(values, n=length, axis=place)
    else:
        found = (_ifft if inverse else _fft)(values, n=length, axis=place)
    return cast(np.stack([np.real(found), np.imag(found)], axis=-1), dtype)


def _number(value: Any) -> int | None:
    return None if value is None else int(np.asarray(value).reshape(-1)[0])


@operator("DFT", since=17)
def dft_along_an_attribute(
    x: Any, length: Known | None = None, *, axis: int = 1, inverse: int = 0, onesided: int = 0
) -> Any:
    return _transformed(x, _number(length), axis, bool(inverse), bool(onesided))


@operator("DFT", since=20)
def dft(
    x: Any, length: Known | None = None, axis: Known | None = None, *, inverse: int = 0, onesided: int = 0
) -> Any:
    chosen = _number(axis)
    along = -2 if chosen is None else chosen
    return _transformed(x, _number(length), along, bool(inverse), bool(onesided))


@operator("STFT")
def stft(
    signal: Any, step: Known, window: Any = None, length: Known | None = None, *, onesided: int = 1
) -> Any:
    """[batch, frames, frequencies, 2]"""
    count = _number(length) or int(window.shape[0])
    advance = _number(step) or 1
    frames = (signal.shape[1] - count) // advance + 1
    places = np.arange(frames)[:, None] * advance + np.arange(count)
    taken = np.take(lazy(signal), places, axis=1)
    taken = taken if window is None else taken * np.reshape(window, (-1, 1))
    real = taken[..., :1] if signal.shape[-1] == 1 else taken
    return _transformed(real, None, 2, False, bool(onesided))


@operator("MelWeightMatrix")
def mel_weight_matrix(
    bins: Known, length: Known, rate: Known, low: Known, high: Known, *, output_datatype: int = 1
) -> Any:
    """Triangles whose corners have equal distances on the mel scale, beside the lines of a spectrum."""
    count = _number(bins) or 0
    least, most = (2595 * np.log10(1 + float(np.asarray(array)) / 700) for array in (low, high))
    edges = np.arange(count + 2) * ((most - least) / (count + 2)) + least
    corners = ((_number(length) or 0) + 1) * (700 * (np.power(10, edges / 2595) - 1)) / (_number(rate) or 1)
    corners = np.floor(corners).astype(int)
    array = np.zeros(((_number(length) or 0) // 2 + 1, count))
    for each in range(count):
        begin, center, end = corners[each : each + 3]
        if begin == center:
            array[center, each] = 1
        else:
            array[begin : center + 1, each] = (np.arange(begin, center + 1) - begin) / (center - begin)
        if end > center:
            array[center:end, each] = (end - np.arange(center, end)) / (end - center)
    return array.astype(numbered_dtype(output_datatype))
