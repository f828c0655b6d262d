"""Convolutions and correlations along all axes: sums of products over windows, or by Fourier transforms."""

from __future__ import annotations

import math
from typing import Any

from ...base.arguments import integer, is_sequence, word
from ...errors import ArgumentError, ShapeError
from ..arranging.rearranging import pad, sliding_window_view
from ..creation.ranges import arange
from ..linear_algebra.products import tensordot
from ..movement import as_lazy, flip
from ..polynomials.convolution import sums_of_products
from ..registry import public
from .fourier import fftn, ifftn, irfftn, rfftn
from .signals import axis_of, floats

_MODES = ("full", "valid", "same")
_METHODS = ("auto", "direct", "fft")
_DIRECT = 64
"""Products for each result up to which sums of products take less time than transforms, roughly."""


def _operands(function: str, in1: Any, in2: Any, mode: Any) -> tuple[Any, Any, str]:
    x, y = as_lazy(in1), as_lazy(in2)
    word(mode, f"{function}: mode", _MODES)
    if x.ndim != y.ndim:
        raise ShapeError(
            f"{function}: both arrays have the same number of axes, not {x.ndim} and {y.ndim}; add some of "
            "extent 1"
        )
    return x, y, mode


def _fits(function: str, x: Any, y: Any, axes: tuple[int, ...]) -> bool:
    """Whether `y` fits into `x`, for mode "valid"; else `x` must fit into `y`."""
    if all(x.shape[axis] >= y.shape[axis] for axis in axes):
        return True
    if all(x.shape[axis] <= y.shape[axis] for axis in axes):
        return False
    raise ShapeError(
        f"{function}: for mode 'valid' one array is at least as long as the other along every axis, and the "
        f"shapes are {tuple(x.shape)} and {tuple(y.shape)}"
    )


def _directly(x: Any, y: Any, mode: str, same: tuple[int, ...]) -> Any:
    """Sums of products of `y`, in reverse, and the windows of `x`; `same`: the shape of mode "same"."""
    widths = []
    for axis, (n, k) in enumerate(zip(x.shape, y.shape, strict=True)):
        first = 0 if mode == "full" else (n + k - 1 - same[axis]) // 2
        wanted = n + k - 1 if mode == "full" else same[axis]
        if mode == "valid":
            first, wanted = k - 1, n - k + 1
        before = k - 1 - first
        widths.append((before, wanted + k - 1 - before - n))
    if x.ndim == 1:
        return sums_of_products(x, flip(y), *widths[0])
    cut = tuple(
        slice(max(-before, 0), n + min(after, 0)) for n, (before, after) in zip(x.shape, widths, strict=True)
    )
    padded = pad(x[cut], [(max(before, 0), max(after, 0)) for before, after in widths])
    windows = sliding_window_view(padded, tuple(y.shape))
    return tensordot(windows, flip(y), x.ndim)


def _convolved(function: str, in1: Any, in2: Any, mode: Any, method: Any) -> Any:
    x, y, mode = _operands(function, in1, in2, mode)
    word(method, f"{function}: method", _METHODS)
    if not x.ndim:
        return x * y
    if not x.size or not y.size:
        return x.reshape(-1)[:0]
    axes = tuple(range(x.ndim))
    if mode == "valid" and not _fits(function, x, y, axes):
        x, y = y, x
    chosen = choose_conv_method(x, y, mode) if method == "auto" else method
    if chosen == "fft":
        found = fftconvolve(x, y, mode)
        dtype = (x.reshape(-1)[:1] * y.reshape(-1)[:1]).dtype
        return found if dtype.kind in "fc" else found.round().astype(dtype)
    same = tuple(x.shape)
    if mode != "valid" and math.prod(y.shape) > math.prod(x.shape):
        x, y = y, x
    return _directly(x, y, mode, same)


@public("product", name="signal.choose_conv_method", sample=lambda s: (s.x, s.x))
def choose_conv_method(in1: Any, in2: Any, mode: str = "full", measure: bool = False) -> str:
    """Which method `convolve` takes for arrays like these: "direct" or "fft".

    Decided by the shapes alone, and by the dtype: sums of integers are exact by the direct method only.
    `measure` changes nothing.

    >>> jf.signal.choose_conv_method(np.ones(1000), np.ones(500))
    'fft'
    """
    x, y, mode = _operands("choose_conv_method", in1, in2, mode)
    if x.dtype.kind not in "fc" and y.dtype.kind not in "fc":
        return "direct"
    terms = min(math.prod(x.shape), math.prod(y.shape))
    return "direct" if terms <= _DIRECT else "fft"


@public("product", name="signal.convolve", sample=lambda s: (s.x, s.x))
def convolve(in1: Any, in2: Any, mode: str = "full", method: str = "auto") -> Any:
    """The convolution of two arrays along all of their axes.

    `in1`, `in2`: arrays of equally many axes. `mode`: "full" is all of it, of shape n + k - 1 along each
    axis; "valid" what depends on no zeros around, n - k + 1; "same" the middle, of the shape of `in1`.
    `method`: "direct", "fft" or "auto". Dtype: the promoted one. Raises ShapeError where the axes do not fit.

    >>> jf.signal.convolve([1.0, 2.0, 3.0], [0.0, 1.0, 0.5]).numpy()
    array([0. , 1. , 2.5, 4. , 1.5])
    """
    return _convolved("convolve", in1, in2, mode, method)


@public("product", name="signal.correlate", sample=lambda s: (s.x, s.x))
def correlate(in1: Any, in2: Any, mode: str = "full", method: str = "auto") -> Any:
    """The cross-correlation of two arrays along all of their axes: `in2` is not reversed, and of complex
    numbers conjugated.

    Arguments, shapes and errors are those of `convolve`.

    >>> jf.signal.correlate([1.0, 2.0, 3.0], [0.0, 1.0, 0.5]).numpy()
    array([0.5, 2. , 3.5, 3. , 0. ])
    """
    x, y, mode = _operands("correlate", in1, in2, mode)
    y = y.conj() if y.dtype.kind == "c" else y
    if mode == "valid" and x.ndim and not _fits("correlate", x, y, tuple(range(x.ndim))):
        x = x.conj() if x.dtype.kind == "c" else x
        swapped = flip(_convolved("correlate", y, flip(x), mode, method))
        return swapped.conj() if swapped.dtype.kind == "c" else swapped
    return _convolved("correlate", x, flip(y) if y.ndim else y, mode, method)


@public("creation", name="signal.correlation_lags", sample=lambda s: (3, 3))
def correlation_lags(in1_len: Any, in2_len: Any, mode: str = "full") -> Any:
    """The lags of the elements of a `correlate` of two vectors of these lengths.

    Dtype: int64.

    >>> jf.signal.correlation_lags(3, 2).numpy()
    array([-1,  0,  1,  2])
    """
    n, k = integer(in1_len, "in1_len"), integer(in2_len, "in2_len")
    word(mode, "correlation_lags: mode", _MODES)
    if mode == "full":
        return arange(1 - k, n)
    if mode == "same":
        first = (n + k - 1) // 2 - n // 2 + 1 - k
        return arange(first, first + n)
    return arange(0, n - k + 1) if n >= k else arange(n - k, 1)


def next_length(length: int) -> int:
    """The least number from `length` on that has no prime factor above 11: transforms of it are quick."""
    while True:
        rest = length
        for factor in (2, 3, 5, 7, 11):
            while rest % factor == 0 and rest > 1:
                rest //= factor
        if rest == 1:
            return length
        length += 1


def _transformed_axes(function: str, x: Any, y: Any, axes: Any) -> tuple[int, ...]:
    """Axes to convolve along; the others broadcast."""
    given = range(x.ndim) if axes is None else axes if is_sequence(axes) else (axes,)
    found = tuple(axis_of(function, x, axis) for axis in given)
    if len(set(found)) < len(found) or not found:
        raise ArgumentError(f"{function}: axes are different ones, one at least, not {axes!r}")
    for axis in range(x.ndim):
        n, k = x.shape[axis], y.shape[axis]
        if axis not in found and n != k and 1 not in (n, k):
            raise ShapeError(
                f"{function}: the extents {n} and {k} of axis {axis}, which is not convolved, do not "
                "broadcast"
            )
    return found


def _middle(found: Any, mode: str, x: Any, y: Any, axes: tuple[int, ...]) -> Any:
    """Returns the part of the full convolution that a mode selects."""
    index = [slice(None)] * found.ndim
    for axis in axes:
        n, k = x.shape[axis], y.shape[axis]
        wanted = {"full": n + k - 1, "same": n, "valid": n - k + 1}[mode]
        first = (n + k - 1 - wanted) // 2
        index[axis] = slice(first, first + wanted)
    return found[tuple(index)]


@public("product", name="signal.fftconvolve", sample=lambda s: (s.x, s.x))
def fftconvolve(in1: Any, in2: Any, mode: str = "full", axes: Any = None) -> Any:
    """`convolve` by Fourier transforms, along all axes or some `axes`; the others broadcast.

    Arguments, shapes and errors are those of `convolve`. Dtype: float or complex. Errors are some eps times
    the largest result. Transforms are NumPy's, on the processor for every device.

    >>> jf.signal.fftconvolve([1.0, 2.0, 3.0], [0.0, 1.0, 0.5]).numpy().round(6) + 0.0
    array([0. , 1. , 2.5, 4. , 1.5])
    """
    x, y, mode = _operands("fftconvolve", in1, in2, mode)
    x, y = floats(x), floats(y)
    if not x.ndim:
        return x * y
    if not x.size or not y.size:
        return x.reshape(-1)[:0]
    places = _transformed_axes("fftconvolve", x, y, axes)
    if mode == "valid" and not _fits("fftconvolve", x, y, places):
        x, y = y, x
    sizes = [next_length(x.shape[axis] + y.shape[axis] - 1) for axis in places]
    if x.dtype.kind == "c" or y.dtype.kind == "c":
        found = ifftn(fftn(x, sizes, places) * fftn(y, sizes, places), axes=places)
    else:
        found = irfftn(rfftn(x, sizes, places) * rfftn(y, sizes, places), sizes, places)
    return _middle(found, mode, x, y, places)


@public("product", name="signal.oaconvolve", sample=lambda s: (s.x, s.x))
def oaconvolve(in1: Any, in2: Any, mode: str = "full", axes: Any = None) -> Any:
    """`fftconvolve` in blocks that overlap and are added, for arrays of very different lengths.

    Arguments, shapes and errors are those of `fftconvolve`. The longest of the axes is cut into blocks whose
    transforms are eight times as long as the shorter array, all of them one call.

    >>> jf.signal.oaconvolve(np.ones(1000), [0.5, 0.5]).numpy()[:3].round(6)
    array([0.5, 1. , 1. ])
    """
    x, y, mode = _operands("oaconvolve", in1, in2, mode)
    x, y = floats(x), floats(y)
    if not x.ndim or not x.size or not y.size:
        return fftconvolve(x, y, mode, axes)
    places = _transformed_axes("oaconvolve", x, y, axes)
    if mode == "valid" and not _fits("oaconvolve", x, y, places):
        x, y = y, x
    longest = max(places, key=lambda axis: max(x.shape[axis], y.shape[axis]))
    long, short = (x, y) if x.shape[longest] >= y.shape[longest] else (y, x)
    n, k = long.shape[longest], short.shape[longest]
    step = next_length(8 * k) - k + 1
    if step >= n:
        return fftconvolve(x, y, mode, axes)
    blocks = -(-n // step)
    widths = [(0, 0)] * long.ndim
    widths[longest] = (0, blocks * step - n)
    cut = pad(long, widths).reshape((*long.shape[:longest], blocks, step, *long.shape[longest + 1 :]))
    taps = short.reshape((*short.shape[:longest], 1, *short.shape[longest:]))
    inner = [axis + (axis >= longest) for axis in places]
    made = fftconvolve(cut, taps, "full", inner)
    head = made[(*[slice(None)] * (longest + 1), slice(None, step))]
    tail = made[(*[slice(None)] * (longest + 1), slice(step, None))]
    rest = [(0, 0)] * made.ndim
    rest[longest] = (1, 0)
    spread = list(rest)
    spread[longest], spread[longest + 1] = (0, 1), (0, 0)
    rest[longest + 1] = (0, step - (k - 1))
    added = pad(head, spread) + pad(tail, rest)
    whole = added.reshape((*added.shape[:longest], (blocks + 1) * step, *added.shape[longest + 2 :]))
    full = whole[(*[slice(None)] * longest, slice(None, n + k - 1))]
    return _middle(full, mode, x, y, places)


_BOUNDARIES = {"fill": "constant", "wrap": "wrap", "symm": "symmetric"}


def _in_plane(
    function: str, in1: Any, in2: Any, mode: Any, boundary: Any, fillvalue: Any, shift: int = 0
) -> Any:
    """`shift`: whether the middle of an even extent is the later one of two."""
    x, y, mode = _operands(function, in1, in2, mode)
    if x.ndim != 2:
        raise ShapeError(f"{function}: both arrays are matrices, and have {x.ndim} axes")
    padding = _BOUNDARIES[word(boundary, f"{function}: boundary", tuple(_BOUNDARIES))]
    if mode == "valid":
        return _convolved(function, x, y, mode, "direct")
    widths = []
    for n, k in zip(x.shape, y.shape, strict=True):
        first = 0 if mode == "full" else (k - 1 + shift) // 2
        wanted = n + k - 1 if mode == "full" else n
        widths.append((k - 1 - first, wanted + first - n))
    options = {"constant_values": fillvalue} if padding == "constant" else {}
    extended = pad(x, widths, padding, **options)
    windows = sliding_window_view(extended, tuple(y.shape))
    return tensordot(windows, flip(y), 2)


@public("product", name="signal.convolve2d", sample=lambda s: (s.x, s.x))
def convolve2d(in1: Any, in2: Any, mode: str = "full", boundary: str = "fill", fillvalue: Any = 0) -> Any:
    """The convolution of two matrices, with what is around the first one.

    `boundary`: "fill" is `fillvalue`, "wrap" the matrix again, "symm" its mirror image. `mode`: as of
    `convolve`. Raises ShapeError for arrays that are no matrices.

    >>> jf.signal.convolve2d(np.eye(2), np.ones((2, 2)), "same", "wrap").numpy()
    array([[2., 2.],
           [2., 2.]])
    """
    return _in_plane("convolve2d", in1, in2, mode, boundary, fillvalue)


@public("product", name="signal.correlate2d", sample=lambda s: (s.x, s.x))
def correlate2d(in1: Any, in2: Any, mode: str = "full", boundary: str = "fill", fillvalue: Any = 0) -> Any:
    """The cross-correlation of two matrices, with what is around the first one; see `convolve2d`.

    >>> jf.signal.correlate2d(np.eye(3), np.eye(2), "valid").numpy()
    array([[2., 0.],
           [0., 2.]])
    """
    x, y, mode = _operands("correlate2d", in1, in2, mode)
    if mode == "valid" and x.ndim == 2 and not _fits("correlate2d", x, y, (0, 1)):
        return correlate(x, y, mode, "direct")
    taps = flip(y.conj() if y.dtype.kind == "c" else y)
    return _in_plane("correlate2d", x, taps, mode, boundary, fillvalue, shift=1)
