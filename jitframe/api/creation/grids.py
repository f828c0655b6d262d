"""Numbers evenly spaced on a logarithmic scale, positions of triangles, and arrays that a function or an
iterable fills."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import islice
from typing import Any

import numpy

from ...arrays.promotion import from_numpy
from ...base.arguments import extents_of, integer
from ...errors import ArgumentError, DTypeError
from ..elementwise import transcendental
from ..elementwise.arithmetic import UFUNCS, where
from ..frame import LazyValue
from ..movement import as_lazy, broadcast_arrays, expand_dims, moveaxis, reshape
from ..registry import public
from .constructors import asarray
from .ranges import indices, linspace

_log10, _sign = transcendental.UFUNCS["log10"], UFUNCS["sign"]


@public("creation", sample=lambda s: (s.v[0], s.v[1], 3))
def logspace(
    start: Any, stop: Any, num: int = 50, endpoint: bool = True, base: Any = 10.0, dtype: Any = None,
    axis: int = 0,
) -> Any:  # fmt: skip
    """`num` numbers from `base ** start` to `base ** stop`, each the same multiple of the one before.

    Without `endpoint`, the last is left out. Shape: [num], or of bounds and bases that are arrays these
    with a new axis. Dtype: `dtype`, or float64.

    >>> jf.logspace(0, 2, 3).numpy()
    array([  1.,  10., 100.])
    """
    if not isinstance(base, (int, float)):
        base = as_lazy(base)
        if base.ndim:
            start, stop, base = broadcast_arrays(start, stop, base)
            base = expand_dims(base, axis)
    result = base ** linspace(start, stop, num, endpoint, axis=axis)
    return result if dtype is None else result.astype(dtype)


@public("creation", sample=lambda s: (s.v[0], s.v[1], 3))
def geomspace(
    start: Any, stop: Any, num: int = 50, endpoint: bool = True, dtype: Any = None, axis: int = 0
) -> Any:
    """`num` numbers from `start` to `stop`, each the same multiple of the one before; the ends are exact.

    Bounds are both positive or both negative; of others known now NumPy's error is raised, others give NaN.
    Shape: [num], or of bounds that are arrays these with a new axis. Dtype: `dtype`, or float64.

    >>> jf.geomspace(1, 1000, num=4).numpy()
    array([   1.,   10.,  100., 1000.])
    """
    for name, bound in (("start", start), ("stop", stop)):
        if not isinstance(bound, LazyValue) and (numpy.asarray(bound) == 0).any():
            raise ArgumentError(f"Geometric sequence cannot include zero, and {name} does")
    first, last = as_lazy(start) * 1.0, as_lazy(stop) * 1.0
    wanted = None if dtype is None else from_numpy(dtype)
    if first._dtype.is_complex or last._dtype.is_complex or (wanted is not None and wanted.is_complex):
        raise DTypeError(
            "geomspace: bounds and results are real numbers; write np.exp(np.linspace(log_a, log_b, num))"
        )
    sign = where(first < 0, -1.0, 1.0) * abs(_sign(first))  # NaN of NaN, and of float64 as in NumPy
    exponents = linspace(_log10(first * sign), _log10(last * sign), num, endpoint)
    result = sign * 10.0**exponents
    count = result.shape[0]
    positions = numpy.arange(count).reshape((-1,) + (1,) * (result.ndim - 1))
    if count:
        result = where(positions == 0, first, result)
        if count > 1 and endpoint:
            result = where(positions == count - 1, last * (sign / sign), result)
    if axis != 0:
        result = moveaxis(result, 0, axis)
    return result if dtype is None else result.astype(dtype)


def _positions(made: tuple[numpy.ndarray, ...]) -> tuple[Any, ...]:
    return tuple(asarray(array) for array in made)


@public("creation", sample=lambda s: (3,))
def diag_indices(n: Any, ndim: Any = 2) -> tuple[Any, ...]:
    """The positions of the diagonal of an array whose `ndim` extents are `n`: one array for each axis.

    >>> [each.numpy() for each in jf.diag_indices(2)]
    [array([0, 1]), array([0, 1])]
    """
    return _positions(numpy.diag_indices(integer(n, "n"), integer(ndim, "ndim")))


@public("creation", sample=lambda s: (3,))
def tril_indices(n: Any, k: Any = 0, m: Any = None) -> tuple[Any, ...]:
    """The positions at and below the `k`-th diagonal of an array of shape [n, m]: rows and columns.

    >>> [each.numpy() for each in jf.tril_indices(2)]
    [array([0, 1, 1]), array([0, 0, 1])]
    """
    columns = None if m is None else integer(m, "m")
    return _positions(numpy.tril_indices(integer(n, "n"), integer(k, "k"), columns))


@public("creation", sample=lambda s: (3,))
def triu_indices(n: Any, k: Any = 0, m: Any = None) -> tuple[Any, ...]:
    """The positions at and above the `k`-th diagonal of an array of shape [n, m]: rows and columns.

    >>> [each.numpy() for each in jf.triu_indices(2)]
    [array([0, 0, 1]), array([0, 1, 1])]
    """
    columns = None if m is None else integer(m, "m")
    return _positions(numpy.triu_indices(integer(n, "n"), integer(k, "k"), columns))


@public("creation", sample=lambda s: (3, numpy.triu))
def mask_indices(n: Any, mask_func: Callable[..., Any], k: Any = 0) -> tuple[Any, ...]:
    """The positions that `mask_func(ones, k)` (such as `np.triu`) leaves in an array of shape [n, n].

    >>> [each.numpy() for each in jf.mask_indices(2, np.triu)]
    [array([0, 0, 1]), array([0, 1, 1])]
    """
    size = integer(n, "n")
    return _positions(numpy.nonzero(numpy.asarray(mask_func(numpy.ones((size, size), int), k)) != 0))


@public("creation", sample=lambda s: (lambda i: i, (3,)))
def fromfunction(
    function: Callable[..., Any], shape: Any, *, dtype: Any = float, like: Any = None, **kwargs: Any
) -> Any:
    """`function(i, j, …)` of the positions along each axis, all of them at once.

    `dtype`: of the positions. `kwargs` go to the function.

    >>> jf.fromfunction(lambda i, j: i + j, (2, 2), dtype=int).numpy()
    array([[0, 1],
           [1, 2]])
    """
    extents = extents_of(shape)
    positions = indices(extents, dtype=dtype)
    return function(*(positions if like is None else asarray(positions, like=like)), **kwargs)


@public("creation", sample=lambda s: (range(3), s.dtype))
def fromiter(iter: Iterable[Any], dtype: Any, count: int = -1, *, like: Any = None) -> Any:
    """The values of an iterable, all or the first `count` of them, as a vector.

    >>> jf.fromiter((n * n for n in range(4)), dtype=float).numpy()
    array([0., 1., 4., 9.])
    """
    values = list(iter if count < 0 else islice(iter, count))
    if not any(isinstance(value, LazyValue) for value in values):
        return asarray(numpy.fromiter(values, dtype, count), like=like)
    if len(values) < count:
        raise ArgumentError(
            f"iterator too short: Expected {count} but iterator had only {len(values)} items."
        )
    return asarray(values, dtype=float if dtype is None else dtype)


@public("creation", sample=lambda s: (bytes(8), s.dtype))
def frombuffer(buffer: Any, dtype: Any = float, count: int = -1, offset: int = 0, *, like: Any = None) -> Any:
    """The bytes of an object with the buffer protocol, copied, as a vector; those of a lazy array as a view.

    >>> jf.frombuffer(bytes([1, 2, 3]), dtype="uint8").numpy()
    array([1, 2, 3], dtype=uint8)
    """
    if not isinstance(buffer, LazyValue):
        return asarray(numpy.frombuffer(buffer, dtype, count, offset), like=like)
    wanted, number, start = from_numpy(dtype), integer(count, "count"), integer(offset, "offset")
    stored = reshape(asarray(buffer, like=like), (-1,), copy=False).view("uint8")
    rest = stored.size - start
    if not 0 <= start <= stored.size:
        raise ArgumentError(f"offset is from 0 to the buffer's {stored.size} bytes, and {start} was given")
    if number < 0 and rest % wanted.itemsize:
        raise ArgumentError(f"{rest} bytes are no multiple of the {wanted.itemsize} of a {wanted.numpy_name}")
    size = rest if number < 0 else number * wanted.itemsize
    if size > rest or not stored.size:
        raise ArgumentError(f"{size} bytes are asked for, and the buffer has {rest}")
    return stored[start : start + size].view(wanted.numpy_name)
