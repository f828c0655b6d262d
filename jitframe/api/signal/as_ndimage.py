"""Filters of `scipy.ndimage` on lazy arrays, with its parameters: those that are correlations with weights.

As SciPy does, products are summed in float64 and the sums get the dtype of the input, or `output`. Integers
take whole weights alone, and are those of 32 or 64 bits: where sums are rounded or wrap around, results would
depend on the order of the terms. What else there is (arrays as `output`, `axes`, a `mode` for each axis) is
refused, so that SciPy computes it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy

from ...base.arguments import is_sequence
from ...errors import UnsupportedError
from ..arranging.rearranging import pad
from ..frame import LazyValue
from ..movement import as_lazy, flip
from .convolution import correlate as correlated

_PADDED = {
    "reflect": "symmetric", "grid-mirror": "symmetric", "mirror": "reflect", "nearest": "edge",
    "wrap": "wrap", "grid-wrap": "wrap", "constant": "constant", "grid-constant": "constant",
}  # fmt: skip
"""Modes of `scipy.ndimage` by the names that NumPy has for them."""
_MOST_SUMMED = 64
"""Elements of a window of equal weights; of longer ones a running sum takes less time."""


def _refused(name: str, what: str) -> UnsupportedError:
    return UnsupportedError(
        f"scipy.ndimage.{name}: {what} is not supported on jitframe arrays; call it by jf.callback"
    )


def _is_whole(weights: Any) -> bool:
    return not isinstance(weights, LazyValue) and bool((numpy.round(weights) == weights).all())


class _Filter:
    """A call of one function: its input, where elements beyond the border come from, and what it gives."""

    def __init__(self, name: str, given: Any, output: Any, mode: Any, cval: Any, axes: Any = None) -> None:
        self.name = name
        self.input = as_lazy(given)
        if not isinstance(mode, str) or mode not in _PADDED:
            raise _refused(name, f"mode={mode!r}")
        if axes is not None or not self.input.size or not self.input.ndim:
            raise _refused(name, f"axes={axes!r}, shape {tuple(self.input.shape)}")
        self.border = {"mode": _PADDED[mode]} | ({"constant_values": cval} if "constant" in mode else {})
        is_array = hasattr(output, "shape") and not isinstance(output, type)
        if is_array or (output is not None and numpy.dtype(output).char not in "fdil"):
            raise _refused(name, f"output={output!r}")
        if self.input.dtype.char not in "fdil":
            raise _refused(name, f"dtype {self.input.dtype}")
        self.dtype = numpy.dtype(self.input.dtype if output is None else output)

    def correlate(self, x: Any, weights: Any, origins: Sequence[int], total: int = 1) -> Any:
        """The sums of `weights` and the elements around each, divided by `total`."""
        if self.dtype.kind == "i" and (x.dtype.kind == "f" or not _is_whole(weights)):
            raise _refused(self.name, f"rounding to {self.dtype}")
        before = [extent // 2 + origin for extent, origin in zip(weights.shape, origins, strict=True)]
        widths = [(first, extent - 1 - first) for first, extent in zip(before, weights.shape, strict=True)]
        if min(map(min, widths)) < 0:
            raise _refused(self.name, f"origin={origins!r}")
        padded = pad(x.astype(numpy.float64), widths, **self.border)
        found = correlated(padded, weights.astype(numpy.float64), "valid", "direct")
        return (found if total == 1 else found / total).astype(self.dtype)

    def along(self, x: Any, weights: Any, axis: int, origin: int = 0, total: int = 1) -> Any:
        """`correlate` along one axis."""
        shape = [1] * x.ndim
        shape[axis] = -1
        origins = [0] * x.ndim
        origins[axis] = origin
        return self.correlate(x, weights.reshape(shape), origins, total)

    def of_each_axis(self, value: Any) -> list[Any]:
        """A parameter that is one for all axes, or a sequence of them."""
        values = list(value) if is_sequence(value) else [value] * self.input.ndim
        if len(values) != self.input.ndim or any(isinstance(each, LazyValue) for each in values):
            raise _refused(self.name, f"{value!r} for the axes of shape {tuple(self.input.shape)}")
        return values


def _weights(given: Any) -> Any:
    return given if isinstance(given, LazyValue) else numpy.asarray(given, numpy.float64)


def correlate(
    input: Any, weights: Any, output: Any = None, mode: Any = "reflect", cval: Any = 0.0, origin: Any = 0, *,
    axes: Any = None,
) -> Any:  # fmt: skip
    filtered = _Filter("correlate", input, output, mode, cval, axes)
    return filtered.correlate(filtered.input, _weights(weights), filtered.of_each_axis(origin))


def convolve(
    input: Any, weights: Any, output: Any = None, mode: Any = "reflect", cval: Any = 0.0, origin: Any = 0, *,
    axes: Any = None,
) -> Any:  # fmt: skip
    filtered = _Filter("convolve", input, output, mode, cval, axes)
    kernel = _weights(weights)
    origins = filtered.of_each_axis(origin)
    shifted = [-each - (extent % 2 == 0) for each, extent in zip(origins, kernel.shape, strict=True)]
    reverse = flip if isinstance(kernel, LazyValue) else numpy.flip
    return filtered.correlate(filtered.input, reverse(kernel), shifted)


def correlate1d(
    input: Any, weights: Any, axis: Any = -1, output: Any = None, mode: Any = "reflect", cval: Any = 0.0,
    origin: Any = 0,
) -> Any:  # fmt: skip
    filtered = _Filter("correlate1d", input, output, mode, cval)
    return filtered.along(filtered.input, _weights(weights), axis, origin)


def convolve1d(
    input: Any, weights: Any, axis: Any = -1, output: Any = None, mode: Any = "reflect", cval: Any = 0.0,
    origin: Any = 0,
) -> Any:  # fmt: skip
    kernel = _weights(weights)
    return correlate1d(input, kernel[::-1], axis, output, mode, cval, -origin - (kernel.shape[0] % 2 == 0))


def _normal(name: str, sigma: float, order: Any, radius: int) -> numpy.ndarray:
    """A Gaussian, or its first or second derivative, at whole numbers; its values have the sum 1."""
    if order not in (0, 1, 2):
        raise _refused(name, f"order={order!r}")
    x = numpy.arange(-radius, radius + 1)
    values = numpy.exp(-0.5 / sigma**2 * x**2)
    factors = (numpy.ones(x.shape), x / sigma**2, (x**2 / sigma**2 - 1) / sigma**2)
    return values / values.sum() * factors[order]


def gaussian_filter1d(
    input: Any, sigma: Any, axis: Any = -1, order: Any = 0, output: Any = None, mode: Any = "reflect",
    cval: Any = 0.0, truncate: Any = 4.0, *, radius: Any = None,
) -> Any:  # fmt: skip
    filtered = _Filter("gaussian_filter1d", input, output, mode, cval)
    return _smooth(filtered, filtered.input, sigma, axis, order, truncate, radius)


def _smooth(
    filtered: _Filter, x: Any, sigma: Any, axis: int, order: Any, truncate: Any, radius: Any
) -> Any:  # fmt: skip
    if isinstance(sigma, LazyValue) or sigma <= 0:
        raise _refused(filtered.name, "a sigma that is not a positive number")
    reach = int(truncate * float(sigma) + 0.5) if radius is None else radius
    return filtered.along(x, _normal(filtered.name, float(sigma), order, reach), axis)


def gaussian_filter(
    input: Any, sigma: Any, order: Any = 0, output: Any = None, mode: Any = "reflect", cval: Any = 0.0,
    truncate: Any = 4.0, *, radius: Any = None, axes: Any = None,
) -> Any:  # fmt: skip
    filtered = _Filter("gaussian_filter", input, output, mode, cval, axes)
    found = filtered.input
    given = map(filtered.of_each_axis, (sigma, order, radius))
    for axis, (width, derivative, reach) in enumerate(zip(*given, strict=True)):
        if isinstance(width, LazyValue) or width > 1e-15:
            found = _smooth(filtered, found, width, axis, derivative, truncate, reach)
    return found.astype(filtered.dtype)


def uniform_filter1d(
    input: Any, size: Any, axis: Any = -1, output: Any = None, mode: Any = "reflect", cval: Any = 0.0,
    origin: Any = 0,
) -> Any:  # fmt: skip
    filtered = _Filter("uniform_filter1d", input, output, mode, cval)
    return _mean(filtered, filtered.input, size, axis, origin)


def _mean(filtered: _Filter, x: Any, size: Any, axis: int, origin: int) -> Any:
    if isinstance(size, LazyValue) or not 1 <= size <= _MOST_SUMMED:
        raise _refused(filtered.name, f"size={size!r}")
    return filtered.along(x, numpy.ones(int(size)), axis, origin, int(size))


def uniform_filter(
    input: Any, size: Any = 3, output: Any = None, mode: Any = "reflect", cval: Any = 0.0, origin: Any = 0, *,
    axes: Any = None,
) -> Any:  # fmt: skip
    filtered = _Filter("uniform_filter", input, output, mode, cval, axes)
    found = filtered.input
    given = map(filtered.of_each_axis, (size, origin))
    for axis, (extent, shift) in enumerate(zip(*given, strict=True)):
        found = _mean(filtered, found, extent, axis, shift) if extent > 1 else found
    return found.astype(filtered.dtype)


def _edges(name: str, input: Any, axis: Any, output: Any, mode: Any, cval: Any, middle: float) -> Any:
    """Differences along an axis, of sums along the others."""
    filtered = _Filter(name, input, output, mode, cval)
    rank = filtered.input.ndim
    found = filtered.along(filtered.input, numpy.array([-1.0, 0.0, 1.0]), axis)
    for other in range(rank):
        if other != axis % rank:
            found = filtered.along(found, numpy.array([1.0, middle, 1.0]), other)
    return found


def sobel(
    input: Any, axis: Any = -1, output: Any = None, mode: Any = "reflect", cval: Any = 0.0
) -> Any:  # fmt: skip
    return _edges("sobel", input, axis, output, mode, cval, 2.0)


def prewitt(
    input: Any, axis: Any = -1, output: Any = None, mode: Any = "reflect", cval: Any = 0.0
) -> Any:  # fmt: skip
    return _edges("prewitt", input, axis, output, mode, cval, 1.0)


def laplace(
    input: Any, output: Any = None, mode: Any = "reflect", cval: Any = 0.0, *, axes: Any = None
) -> Any:  # fmt: skip
    filtered = _Filter("laplace", input, output, mode, cval, axes)
    second = numpy.array([1.0, -2.0, 1.0])
    along = [filtered.along(filtered.input, second, axis) for axis in range(filtered.input.ndim)]
    return sum(along[1:], along[0])


FUNCTIONS: dict[str, Callable[..., Any]] = {
    function.__name__: function
    for function in (
        correlate, convolve, correlate1d, convolve1d, gaussian_filter1d, gaussian_filter, uniform_filter1d,
        uniform_filter, sobel, prewitt, laplace,
    )
}  # fmt: skip
"""The functions by their names in `scipy.ndimage`."""
