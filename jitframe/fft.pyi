"""What `jitframe.fft` has, for editors and type checkers; made by `tools/make_stubs.py`."""

from collections.abc import Sequence
from typing import Any

from numpy.typing import DTypeLike

from . import ArrayLike, Tensor, _Axis, _bool, _Casting, _Order, _Out

def fft(a: ArrayLike, n: Any = None, axis: _Axis = -1, norm: Any = None, out: _Out = None) -> Tensor:
    """The discrete Fourier transform along an axis.

    `n`: so many points of the axis, by default all; fewer are cut off, more are zeros. `norm`: "backward"
    (the default), "ortho" or "forward", which of the transform and its inverse is scaled by 1 / n, "ortho"
    both by its root. Shape: that of `a`, with n along `axis`. Dtype: complex. Raises ArgumentError for less
    than one point.

    >>> jf.fft.fft([1.0, 0.0, 0.0, 0.0]).numpy()
    array([1.+0.j, 1.+0.j, 1.+0.j, 1.+0.j])
    """
def fft2(a: ArrayLike, s: Any = None, axes: Any = ..., norm: Any = None, out: _Out = None) -> Tensor:
    """The discrete Fourier transform along two axes.

    `s`: the number of points along each axis, by default all. `axes`: by default the last two. `norm`: as
    of `fft`, along each axis. Dtype: complex.

    >>> jf.fft.fft2(np.ones((2, 2))).numpy().real
    array([[4., 0.],
           [0., 0.]])
    """
def fftfreq(n: Any, d: Any = 1.0, device: Any = None, *, dtype: DTypeLike | None = None) -> Tensor:
    """The frequencies of the elements of `fft`, in cycles for each unit of the sample spacing `d`: 0, the
    positive and then the negative ones.

    Shape: [n]. Dtype: float64, or the float `dtype`. Raises DTypeError for another.

    >>> jf.fft.fftfreq(4, 0.5).numpy()
    array([ 0. ,  0.5, -1. , -0.5])
    """
def fftn(a: ArrayLike, s: Any = None, axes: Any = None, norm: Any = None, out: _Out = None) -> Tensor:
    """The discrete Fourier transform along several axes.

    `s`: the number of points along each axis, by default all. `axes`: by default all, or the last `len(s)`.
    `norm`: as of `fft`, along each axis. Dtype: complex.

    >>> jf.fft.fftn(np.ones((2, 2))).numpy().real
    array([[4., 0.],
           [0., 0.]])
    """
def fftshift(x: ArrayLike, axes: Any = None) -> Tensor:
    """The array shifted so that frequency 0 is in the middle of each axis, or of some `axes`, where `fft` has
    it first.

    >>> jf.fft.fftshift([0, 1, 2, -2, -1]).numpy()
    array([-2, -1,  0,  1,  2])
    """
def hfft(a: ArrayLike, n: Any = None, axis: _Axis = -1, norm: Any = None, out: _Out = None) -> Tensor:
    """The transform of a signal whose negative times are conjugates of the positive ones.

    `n`: so many points of the axis, by default all; fewer are cut off, more are zeros. `norm`: "backward"
    (the default), "ortho" or "forward", which of the transform and its inverse is scaled by 1 / n, "ortho"
    both by its root. Shape: that of `a`, with n, by default 2 (m - 1) of m along `axis`. Dtype: real.
    Raises ArgumentError for less than one point.

    >>> jf.fft.hfft([1.0, 0.0, 0.0]).numpy()
    array([1., 1., 1., 1.])
    """
def ifft(a: ArrayLike, n: Any = None, axis: _Axis = -1, norm: Any = None, out: _Out = None) -> Tensor:
    """The inverse of `fft`.

    `n`: so many points of the axis, by default all; fewer are cut off, more are zeros. `norm`: "backward"
    (the default), "ortho" or "forward", which of the transform and its inverse is scaled by 1 / n, "ortho"
    both by its root. Shape: that of `a`, with n along `axis`. Dtype: complex. Raises ArgumentError for less
    than one point.

    >>> jf.fft.ifft([4.0, 0.0, 0.0, 0.0]).numpy()
    array([1.+0.j, 1.+0.j, 1.+0.j, 1.+0.j])
    """
def ifft2(a: ArrayLike, s: Any = None, axes: Any = ..., norm: Any = None, out: _Out = None) -> Tensor:
    """The inverse of `fft2`.

    `s`: the number of points along each axis, by default all. `axes`: by default the last two. `norm`: as
    of `ifft`, along each axis. Dtype: complex.

    >>> jf.fft.ifft2(np.ones((2, 2))).numpy().real
    array([[1., 0.],
           [0., 0.]])
    """
def ifftn(a: ArrayLike, s: Any = None, axes: Any = None, norm: Any = None, out: _Out = None) -> Tensor:
    """The inverse of `fftn`.

    `s`: the number of points along each axis, by default all. `axes`: by default all, or the last `len(s)`.
    `norm`: as of `ifft`, along each axis. Dtype: complex.

    >>> jf.fft.ifftn(np.ones((2, 2))).numpy().real
    array([[1., 0.],
           [0., 0.]])
    """
def ifftshift(x: ArrayLike, axes: Any = None) -> Tensor:
    """The inverse of `fftshift`.

    >>> jf.fft.ifftshift([-2, -1, 0, 1, 2]).numpy()
    array([ 0,  1,  2, -2, -1])
    """
def ihfft(a: ArrayLike, n: Any = None, axis: _Axis = -1, norm: Any = None, out: _Out = None) -> Tensor:
    """The inverse of `hfft`.

    `n`: so many points of the axis, by default all; fewer are cut off, more are zeros. `norm`: "backward"
    (the default), "ortho" or "forward", which of the transform and its inverse is scaled by 1 / n, "ortho"
    both by its root. Shape: that of `a`, with n // 2 + 1 along `axis`. Dtype: complex. Raises ArgumentError
    for less than one point.

    >>> jf.fft.ihfft([4.0, 0.0, 0.0, 0.0]).numpy()
    array([1.-0.j, 1.-0.j, 1.-0.j])
    """
def irfft(a: ArrayLike, n: Any = None, axis: _Axis = -1, norm: Any = None, out: _Out = None) -> Tensor:
    """The inverse of `rfft`; `n` is by default even, 2 (m - 1) of m frequencies.

    `n`: so many points of the axis, by default all; fewer are cut off, more are zeros. `norm`: "backward"
    (the default), "ortho" or "forward", which of the transform and its inverse is scaled by 1 / n, "ortho"
    both by its root. Shape: that of `a`, with n along `axis`. Dtype: real. Raises ArgumentError for less
    than one point.

    >>> jf.fft.irfft([4.0, 0.0, 0.0]).numpy()
    array([1., 1., 1., 1.])
    """
def irfft2(a: ArrayLike, s: Any = None, axes: Any = ..., norm: Any = None, out: _Out = None) -> Tensor:
    """The inverse of `rfft2`.

    `s`: the number of points along each axis, by default all. `axes`: by default the last two. `norm`: as
    of `irfft`, along each axis. Dtype: real.

    >>> jf.fft.irfft2(np.ones((2, 2))).numpy()
    array([[1., 0.],
           [0., 0.]])
    """
def irfftn(a: ArrayLike, s: Any = None, axes: Any = None, norm: Any = None, out: _Out = None) -> Tensor:
    """The inverse of `rfftn`.

    `s`: the number of points along each axis, by default all. `axes`: by default all, or the last `len(s)`.
    `norm`: as of `irfft`, along each axis. Dtype: real.

    >>> jf.fft.irfftn(np.ones((2, 2))).numpy()
    array([[1., 0.],
           [0., 0.]])
    """
def rfft(a: ArrayLike, n: Any = None, axis: _Axis = -1, norm: Any = None, out: _Out = None) -> Tensor:
    """The discrete Fourier transform of real numbers: its frequencies that are not negative.

    `n`: so many points of the axis, by default all; fewer are cut off, more are zeros. `norm`: "backward"
    (the default), "ortho" or "forward", which of the transform and its inverse is scaled by 1 / n, "ortho"
    both by its root. Shape: that of `a`, with n // 2 + 1 along `axis`. Dtype: complex. Raises ArgumentError
    for less than one point.

    >>> jf.fft.rfft([1.0, 0.0, 0.0, 0.0]).numpy()
    array([1.+0.j, 1.+0.j, 1.+0.j])
    """
def rfft2(a: ArrayLike, s: Any = None, axes: Any = ..., norm: Any = None, out: _Out = None) -> Tensor:
    """The discrete Fourier transform of real numbers along two axes.

    `s`: the number of points along each axis, by default all. `axes`: by default the last two. `norm`: as
    of `rfft`, along each axis. Shape: s[-1] // 2 + 1 along the last one. Dtype: complex.

    >>> jf.fft.rfft2(np.ones((2, 2))).numpy().real
    array([[4., 0.],
           [0., 0.]])
    """
def rfftfreq(n: Any, d: Any = 1.0, device: Any = None, *, dtype: DTypeLike | None = None) -> Tensor:
    """The frequencies of the elements of `rfft`, in cycles for each unit of the sample spacing `d`.

    Shape: [n // 2 + 1]. Dtype: float64, or the float `dtype`. Raises DTypeError for another.

    >>> jf.fft.rfftfreq(4, 0.5).numpy()
    array([0. , 0.5, 1. ])
    """
def rfftn(a: ArrayLike, s: Any = None, axes: Any = None, norm: Any = None, out: _Out = None) -> Tensor:
    """The discrete Fourier transform of real numbers along several axes.

    `s`: the number of points along each axis, by default all. `axes`: by default all, or the last `len(s)`.
    `norm`: as of `rfft`, along each axis. Shape: s[-1] // 2 + 1 along the last one. Dtype: complex.

    >>> jf.fft.rfftn(np.ones((2, 2))).numpy().real
    array([[4., 0.],
           [0., 0.]])
    """
