"""Discrete Fourier transforms: the functions of `numpy.fft`.

On the processor kernels transform along any axis and any number of points up to 2**22, and up to 2**24 where
its prime factors are at most 37. On devices of many lanes they transform rows and columns of complex numbers
that shared memory holds. All others are transformed by NumPy's pocketfft on the processor. float32 and
complex64 stay so, float16 becomes float32, all else is computed in 64 bits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy

from ...arrays.indexing import normalize_axis
from ...base.arguments import extents_of, integer, is_sequence, shown, word
from ...errors import ArgumentError, AxisError, DTypeError, KindError, ZeroError
from ...functions import fourier as nodes
from ...functions.complex_numbers import conjugate
from ..arranging.rearranging import roll
from ..calls import call
from ..creation.ranges import arange
from ..movement import as_lazy, concat
from ..registry import public
from ..signature import optional_dtype

_SWAPPED = {"backward": "forward", "ortho": "ortho", "forward": "backward"}


def _norm(name: str, norm: Any) -> str:
    return "backward" if norm is None else word(norm, f"{name}: norm", nodes.NORMS)


def _count(n: Any) -> int:
    """A number of points."""
    points = integer(n, "n")
    if points < 1:
        raise ArgumentError(f"Invalid number of FFT data points ({points}) specified.")
    return points


def _place(array: Any, axis: Any) -> int:
    return normalize_axis(axis, array.ndim)


def _complex(name: str, a: Any, n: Any, axis: Any, norm: Any, out: Any, forward: bool) -> Any:
    array = as_lazy(a)
    place = _place(array, axis)
    points = _count(array.shape[place] if n is None else n)
    return call(nodes.transform, (array,), points, place, _norm(name, norm), forward, out=out, whole=True)


def _from_real(name: str, a: Any, n: Any, axis: Any, norm: str, out: Any) -> Any:
    array = as_lazy(a)
    if array.dtype.kind == "c":
        raise DTypeError(f"{name}: the input is real, not {array.dtype}; fft takes complex numbers")
    place = _place(array, axis)
    points = _count(array.shape[place] if n is None else n)
    return call(nodes.of_real_rows, (array,), points, place, norm, out=out, whole=True)


def _to_real(a: Any, n: Any, axis: Any, norm: str, out: Any) -> Any:
    array = as_lazy(a)
    place = _place(array, axis)
    points = _count(2 * (array.shape[place] - 1) if n is None else n)
    return call(nodes.to_real_rows, (array,), points, place, norm, out=out, whole=True)


@public("product", name="fft.fft")
def fft(a: Any, n: Any = None, axis: Any = -1, norm: Any = None, out: Any = None) -> Any:
    """The discrete Fourier transform along an axis.

    `n`: so many points of the axis, by default all; fewer are cut off, more are zeros. `norm`: "backward"
    (the default), "ortho" or "forward", which of the transform and its inverse is scaled by 1 / n, "ortho"
    both by its root. Shape: that of `a`, with n along `axis`. Dtype: complex. Raises ArgumentError for less
    than one point.

    >>> jf.fft.fft([1.0, 0.0, 0.0, 0.0]).numpy()
    array([1.+0.j, 1.+0.j, 1.+0.j, 1.+0.j])
    """
    return _complex("fft", a, n, axis, norm, out, True)


@public("product", name="fft.ifft")
def ifft(a: Any, n: Any = None, axis: Any = -1, norm: Any = None, out: Any = None) -> Any:
    """The inverse of `fft`.

    `n`: so many points of the axis, by default all; fewer are cut off, more are zeros. `norm`: "backward"
    (the default), "ortho" or "forward", which of the transform and its inverse is scaled by 1 / n, "ortho"
    both by its root. Shape: that of `a`, with n along `axis`. Dtype: complex. Raises ArgumentError for less
    than one point.

    >>> jf.fft.ifft([4.0, 0.0, 0.0, 0.0]).numpy()
    array([1.+0.j, 1.+0.j, 1.+0.j, 1.+0.j])
    """
    return _complex("ifft", a, n, axis, norm, out, False)


@public("product", name="fft.rfft")
def rfft(a: Any, n: Any = None, axis: Any = -1, norm: Any = None, out: Any = None) -> Any:
    """The discrete Fourier transform of real numbers: its frequencies that are not negative.

    `n`: so many points of the axis, by default all; fewer are cut off, more are zeros. `norm`: "backward"
    (the default), "ortho" or "forward", which of the transform and its inverse is scaled by 1 / n, "ortho"
    both by its root. Shape: that of `a`, with n // 2 + 1 along `axis`. Dtype: complex. Raises ArgumentError
    for less than one point.

    >>> jf.fft.rfft([1.0, 0.0, 0.0, 0.0]).numpy()
    array([1.+0.j, 1.+0.j, 1.+0.j])
    """
    return _from_real("rfft", a, n, axis, _norm("rfft", norm), out)


@public("product", name="fft.irfft")
def irfft(a: Any, n: Any = None, axis: Any = -1, norm: Any = None, out: Any = None) -> Any:
    """The inverse of `rfft`; `n` is by default even, 2 (m - 1) of m frequencies.

    `n`: so many points of the axis, by default all; fewer are cut off, more are zeros. `norm`: "backward"
    (the default), "ortho" or "forward", which of the transform and its inverse is scaled by 1 / n, "ortho"
    both by its root. Shape: that of `a`, with n along `axis`. Dtype: real. Raises ArgumentError for less
    than one point.

    >>> jf.fft.irfft([4.0, 0.0, 0.0]).numpy()
    array([1., 1., 1., 1.])
    """
    return _to_real(a, n, axis, _norm("irfft", norm), out)


@public("product", name="fft.hfft")
def hfft(a: Any, n: Any = None, axis: Any = -1, norm: Any = None, out: Any = None) -> Any:
    """The transform of a signal whose negative times are conjugates of the positive ones.

    `n`: so many points of the axis, by default all; fewer are cut off, more are zeros. `norm`: "backward"
    (the default), "ortho" or "forward", which of the transform and its inverse is scaled by 1 / n, "ortho"
    both by its root. Shape: that of `a`, with n, by default 2 (m - 1) of m along `axis`. Dtype: real.
    Raises ArgumentError for less than one point.

    >>> jf.fft.hfft([1.0, 0.0, 0.0]).numpy()
    array([1., 1., 1., 1.])
    """
    return _to_real(call(conjugate, (as_lazy(a),)), n, axis, _SWAPPED[_norm("hfft", norm)], out)


@public("product", name="fft.ihfft")
def ihfft(a: Any, n: Any = None, axis: Any = -1, norm: Any = None, out: Any = None) -> Any:
    """The inverse of `hfft`.

    `n`: so many points of the axis, by default all; fewer are cut off, more are zeros. `norm`: "backward"
    (the default), "ortho" or "forward", which of the transform and its inverse is scaled by 1 / n, "ortho"
    both by its root. Shape: that of `a`, with n // 2 + 1 along `axis`. Dtype: complex. Raises ArgumentError
    for less than one point.

    >>> jf.fft.ihfft([4.0, 0.0, 0.0, 0.0]).numpy()
    array([1.-0.j, 1.-0.j, 1.-0.j])
    """
    made = _from_real("ihfft", a, n, axis, _SWAPPED[_norm("ihfft", norm)], None)
    return call(conjugate, (made,), out=out, whole=True)


def _sizes(a: Any, s: Any, axes: Any, to_real: bool = False) -> tuple[list[int], list[int]]:
    """The number of points along each axis, and the axes."""
    array = as_lazy(a)
    if s is not None and not is_sequence(s):
        if not numpy.iterable(s):
            raise KindError(f"s is a sequence of integers, not {shown(s)}")
        s = [*s]
    if axes is None:
        count = array.ndim if s is None else len(s)
        places = [_place(array, axis) for axis in range(-count, 0)]
    else:
        if not numpy.iterable(axes):
            raise KindError(f"axes are a sequence of integers, not {shown(axes)}")
        places = [_place(array, axis) for axis in axes]
    sizes = [array.shape[place] for place in places]
    if s is None:
        if to_real and sizes:
            sizes[-1] = 2 * (sizes[-1] - 1)
    else:
        if len(s) != len(places):
            raise ArgumentError("Shape and axes have different lengths.")
        sizes = [size if each is None or each == -1 else integer(each, "s") for each, size in zip(s, sizes)]
    return sizes, places


def _one_by_one(
    function: Callable[..., Any], result: Any, sizes: list[int], places: list[int], norm: Any, out: Any
) -> Any:
    """One axis after the other: forth the last one first, and back the first one. So what is between `fftn`
    and `ifftn` is between two transforms along the same axis."""
    order = range(len(places)) if function is ifft else range(len(places) - 1, -1, -1)
    for number in order:
        result = function(result, sizes[number], places[number], norm, out if number == order[-1] else None)
    return result


def _along_axes(function: Callable[..., Any], a: Any, s: Any, axes: Any, norm: Any, out: Any) -> Any:
    return _one_by_one(function, as_lazy(a), *_sizes(a, s, axes), norm, out)


def _real_along_axes(a: Any, s: Any, axes: Any, norm: Any, out: Any) -> Any:
    sizes, places = _sizes(a, s, axes)
    if not places:
        raise AxisError("at least 1 axis must be transformed")
    result = rfft(a, sizes[-1], places[-1], norm, out if len(places) == 1 else None)
    return _one_by_one(fft, result, sizes[:-1], places[:-1], norm, out)


def _along_axes_to_real(a: Any, s: Any, axes: Any, norm: Any, out: Any) -> Any:
    sizes, places = _sizes(a, s, axes, to_real=True)
    if not places:
        raise AxisError("at least 1 axis must be transformed")
    result = _one_by_one(ifft, as_lazy(a), sizes[:-1], places[:-1], norm, None)
    return irfft(result, sizes[-1], places[-1], norm, out)


@public("product", name="fft.fftn")
def fftn(a: Any, s: Any = None, axes: Any = None, norm: Any = None, out: Any = None) -> Any:
    """The discrete Fourier transform along several axes.

    `s`: the number of points along each axis, by default all. `axes`: by default all, or the last `len(s)`.
    `norm`: as of `fft`, along each axis. Dtype: complex.

    >>> jf.fft.fftn(np.ones((2, 2))).numpy().real
    array([[4., 0.],
           [0., 0.]])
    """
    return _along_axes(fft, a, s, axes, norm, out)


@public("product", name="fft.ifftn")
def ifftn(a: Any, s: Any = None, axes: Any = None, norm: Any = None, out: Any = None) -> Any:
    """The inverse of `fftn`.

    `s`: the number of points along each axis, by default all. `axes`: by default all, or the last `len(s)`.
    `norm`: as of `ifft`, along each axis. Dtype: complex.

    >>> jf.fft.ifftn(np.ones((2, 2))).numpy().real
    array([[1., 0.],
           [0., 0.]])
    """
    return _along_axes(ifft, a, s, axes, norm, out)


@public("product", name="fft.fft2")
def fft2(a: Any, s: Any = None, axes: Any = (-2, -1), norm: Any = None, out: Any = None) -> Any:
    """The discrete Fourier transform along two axes.

    `s`: the number of points along each axis, by default all. `axes`: by default the last two. `norm`: as
    of `fft`, along each axis. Dtype: complex.

    >>> jf.fft.fft2(np.ones((2, 2))).numpy().real
    array([[4., 0.],
           [0., 0.]])
    """
    return _along_axes(fft, a, s, axes, norm, out)


@public("product", name="fft.ifft2")
def ifft2(a: Any, s: Any = None, axes: Any = (-2, -1), norm: Any = None, out: Any = None) -> Any:
    """The inverse of `fft2`.

    `s`: the number of points along each axis, by default all. `axes`: by default the last two. `norm`: as
    of `ifft`, along each axis. Dtype: complex.

    >>> jf.fft.ifft2(np.ones((2, 2))).numpy().real
    array([[1., 0.],
           [0., 0.]])
    """
    return _along_axes(ifft, a, s, axes, norm, out)


@public("product", name="fft.rfftn")
def rfftn(a: Any, s: Any = None, axes: Any = None, norm: Any = None, out: Any = None) -> Any:
    """The discrete Fourier transform of real numbers along several axes.

    `s`: the number of points along each axis, by default all. `axes`: by default all, or the last `len(s)`.
    `norm`: as of `rfft`, along each axis. Shape: s[-1] // 2 + 1 along the last one. Dtype: complex.

    >>> jf.fft.rfftn(np.ones((2, 2))).numpy().real
    array([[4., 0.],
           [0., 0.]])
    """
    return _real_along_axes(a, s, axes, norm, out)


@public("product", name="fft.irfftn")
def irfftn(a: Any, s: Any = None, axes: Any = None, norm: Any = None, out: Any = None) -> Any:
    """The inverse of `rfftn`.

    `s`: the number of points along each axis, by default all. `axes`: by default all, or the last `len(s)`.
    `norm`: as of `irfft`, along each axis. Dtype: real.

    >>> jf.fft.irfftn(np.ones((2, 2))).numpy()
    array([[1., 0.],
           [0., 0.]])
    """
    return _along_axes_to_real(a, s, axes, norm, out)


@public("product", name="fft.rfft2")
def rfft2(a: Any, s: Any = None, axes: Any = (-2, -1), norm: Any = None, out: Any = None) -> Any:
    """The discrete Fourier transform of real numbers along two axes.

    `s`: the number of points along each axis, by default all. `axes`: by default the last two. `norm`: as
    of `rfft`, along each axis. Shape: s[-1] // 2 + 1 along the last one. Dtype: complex.

    >>> jf.fft.rfft2(np.ones((2, 2))).numpy().real
    array([[4., 0.],
           [0., 0.]])
    """
    return _real_along_axes(a, s, axes, norm, out)


@public("product", name="fft.irfft2")
def irfft2(a: Any, s: Any = None, axes: Any = (-2, -1), norm: Any = None, out: Any = None) -> Any:
    """The inverse of `rfft2`.

    `s`: the number of points along each axis, by default all. `axes`: by default the last two. `norm`: as
    of `irfft`, along each axis. Dtype: real.

    >>> jf.fft.irfft2(np.ones((2, 2))).numpy()
    array([[1., 0.],
           [0., 0.]])
    """
    return _along_axes_to_real(a, s, axes, norm, out)


def _spaced(n: Any, d: Any) -> tuple[int, Any]:
    """A number of points, and how far their frequencies are apart."""
    (points,) = extents_of(n if n.__class__ is bool else integer(n, "n"), "n")
    try:
        return points, 1.0 / ((n if isinstance(n, numpy.integer) else points) * d)
    except ZeroDivisionError:  # of Python's numbers; NumPy's have infinity
        raise ZeroError(f"{points} points that are {d} apart have no frequencies: division by zero") from None


@public("creation", name="fft.fftfreq", sample=lambda s: (4,))
def fftfreq(n: Any, d: Any = 1.0, device: Any = None, *, dtype: Any = None) -> Any:
    """The frequencies of the elements of `fft`, in cycles for each unit of the sample spacing `d`: 0, the
    positive and then the negative ones.

    Shape: [n]. Dtype: float64, or the float `dtype`. Raises DTypeError for another.

    >>> jf.fft.fftfreq(4, 0.5).numpy()
    array([ 0. ,  0.5, -1. , -0.5])
    """
    points, spacing = _spaced(n, d)
    positive = (points - 1) // 2 + 1
    places = concat((arange(0, positive, device=device), arange(-(points // 2), 0, device=device)))
    return _as_floats("fft.fftfreq", places * spacing, dtype)


@public("creation", name="fft.rfftfreq", sample=lambda s: (4,))
def rfftfreq(n: Any, d: Any = 1.0, device: Any = None, *, dtype: Any = None) -> Any:
    """The frequencies of the elements of `rfft`, in cycles for each unit of the sample spacing `d`.

    Shape: [n // 2 + 1]. Dtype: float64, or the float `dtype`. Raises DTypeError for another.

    >>> jf.fft.rfftfreq(4, 0.5).numpy()
    array([0. , 0.5, 1. ])
    """
    points, spacing = _spaced(n, d)
    return _as_floats("fft.rfftfreq", arange(0, points // 2 + 1, device=device) * spacing, dtype)


def _as_floats(function: str, frequencies: Any, dtype: Any) -> Any:
    wanted = optional_dtype(dtype)
    if wanted is None:
        return frequencies
    if not wanted.is_float:
        raise DTypeError(f"{function}: dtype={wanted.numpy_name}; frequencies are floats")
    return frequencies.astype(dtype)


def _shifted(x: Any, axes: Any, forward: bool) -> Any:
    array = as_lazy(x)
    if axes is None:
        places: Sequence[int] = range(array.ndim)
    else:
        places = [_place(array, each) for each in (axes if is_sequence(axes) else (axes,))]
    halves = [array.shape[place] // 2 for place in places]
    if not places:
        return array
    return roll(array, tuple(half if forward else -half for half in halves), tuple(places))


@public("movement", name="fft.fftshift")
def fftshift(x: Any, axes: Any = None) -> Any:
    """The array shifted so that frequency 0 is in the middle of each axis, or of some `axes`, where `fft` has
    it first.

    >>> jf.fft.fftshift([0, 1, 2, -2, -1]).numpy()
    array([-2, -1,  0,  1,  2])
    """
    return _shifted(x, axes, True)


@public("movement", name="fft.ifftshift")
def ifftshift(x: Any, axes: Any = None) -> Any:
    """The inverse of `fftshift`.

    >>> jf.fft.ifftshift([-2, -1, 0, 1, 2]).numpy()
    array([ 0,  1,  2, -2, -1])
    """
    return _shifted(x, axes, False)
