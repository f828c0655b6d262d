"""Ranges of numbers, and grids of positions."""

from __future__ import annotations

from typing import Any

import numpy

from ...arrays.indexing import normalize_axis
from ...arrays.promotion import NUMBERS, Number, from_numpy, result_dtype
from ...base.arguments import count, extents_of, integer, is_sequence, shown, word
from ...errors import KindError
from ...functions import arranging, creation, joining, movement
from ...functions import elementwise as nodes
from ...functions.operands import broadcast_shapes, strong
from ...ir.types import F64, I64, DType
from ..calls import call
from ..frame import LazyValue, current_frame, frame_on
from ..movement import as_lazy, duplicate, moveaxis, reshape
from ..reductions import any as any_
from ..registry import Varied, public
from ..signature import optional_dtype, refuse
from .constructors import astype, frame_like, full, new_array


@public("creation", sample=lambda s: (0, 3, 1, s.dtype))
def arange(
    start: Any, stop: Any = None, step: Any = 1, dtype: Any = None, *, device: Any = None, like: Any = None
) -> Any:
    """`start`, `start + step`, … up to but without `stop`.

    Dtype: `dtype`, or int64 of integers and float64 of floats. The bounds are known now; one alone is
    `stop`.

    >>> jf.arange(1, 10, 3).numpy()
    array([1, 4, 7])
    """
    bounds = (
        _known(start, "arange"),
        None if stop is None else _known(stop, "arange"),
        _known(step, "arange"),
    )
    frame = frame_like(device, "arange", like)
    return new_array(frame, dtype, creation.arange, *bounds, optional_dtype(dtype))


@public("creation", sample=lambda s: (0, 2, 3, True, False, s.dtype))
def linspace(
    start: Any,
    stop: Any,
    num: int = 50,
    endpoint: bool = True,
    retstep: bool = False,
    dtype: Any = None,
    axis: int = 0,
    *,
    device: Any = None,
) -> Any:
    """`num` numbers evenly spaced from `start` to `stop`.

    Without `endpoint`, `stop` itself is left out. Shape: [num], or of bounds that are arrays these with a
    new axis. Dtype: `dtype`, or float64.

    >>> jf.linspace(0.0, 1.0, 5).numpy()
    array([0.  , 0.25, 0.5 , 0.75, 1.  ])
    """
    refuse("linspace", "retstep", retstep)
    number = count(num, "num")
    if any(isinstance(each, LazyValue) or numpy.ndim(each) for each in (start, stop)):
        return _between(start, stop, number, bool(endpoint), optional_dtype(dtype), axis)
    bounds = _known(start, "linspace"), _known(stop, "linspace")
    computed = result_dtype((*map(_strong_dtype, (start, stop)), 1.0))
    wanted = optional_dtype(dtype)
    normalize_axis(axis, 1)
    frame = frame_on(device, "linspace")
    return new_array(frame, dtype, creation.linspace, *bounds, number, bool(endpoint), wanted, computed)


def _between(start: Any, stop: Any, number: int, endpoint: bool, dtype: DType | None, axis: int) -> Any:
    """Makes `linspace` of bounds that are arrays, or traced."""
    computed = result_dtype((*map(_strong_dtype, (start, stop)), 1.0))
    first, last = (astype(call(strong, (each,)), computed.numpy_name) for each in (start, stop))
    delta = last - first
    intervals = number - 1 if endpoint else number
    positions = reshape(
        arange(number, dtype=computed.numpy_name, device=delta.device), (-1, *(1,) * delta.ndim)
    )
    steps = positions * (delta / intervals if intervals > 0 else delta)
    if intervals > 0:  # NumPy: where a step is rounded to zero, the division comes first
        flat = any_(delta / intervals == 0)
        steps = call(nodes.where, (flat, positions / intervals * delta, steps))
    result = steps + first
    if endpoint and number > 1:
        result = call(nodes.where, (positions == number - 1, last, result))
    if dtype is not None and dtype.is_integer:
        result = call(nodes.floor, (result,))
    result = moveaxis(result, 0, axis)
    return result if dtype is None else astype(result, dtype.numpy_name)


def _strong_dtype(value: Any) -> DType | complex:
    """Returns the dtype of an array or NumPy scalar; a weak number for a Python one."""
    if isinstance(value, LazyValue):
        return value._dtype
    if isinstance(value, (numpy.generic, numpy.ndarray)):
        return from_numpy(value.dtype)
    return 1j if isinstance(value, complex) else 1.0


def _known(value: Any, function: str) -> Number:
    """Returns a number known now, as a Python number; evaluates arrays."""
    if value.__class__ in NUMBERS:
        return value  # type: ignore[return-value]
    if isinstance(value, LazyValue):
        value = value._concrete(f"the bounds of {function}")
    if isinstance(value, (numpy.generic, numpy.ndarray)):
        if value.dtype.kind not in "biufc" or value.size != 1:
            raise KindError(f"{function} takes real numbers, not {shown(value)}")
        return value.item()
    if hasattr(value, "__index__"):
        return integer(value, function)
    if isinstance(value, str) or not hasattr(value, "__float__"):
        raise KindError(f"{function} takes real numbers, not {shown(value)}")
    return float(value)


@public("creation", sample=lambda s: ((2, 2), s.dtype))
def indices(dimensions: Any, dtype: Any = int, sparse: bool = False) -> Varied:
    """The positions along each axis of an array of shape `dimensions`, stacked along a first axis.

    Shape: [rank, *dimensions]; with `sparse` a tuple of arrays that broadcast to `dimensions`.

    >>> rows, columns = jf.indices((2, 2))
    >>> columns.numpy()
    array([[0, 1],
           [0, 1]])
    """
    found = I64 if dtype is int or (dtype is None and sparse) else F64 if dtype is None else from_numpy(dtype)
    if not is_sequence(dimensions):
        raise KindError(f"indices: dimensions are a sequence of integers, not {shown(dimensions)}")
    frame = current_frame()
    frame.check(None if dtype is int or dtype is None else found)
    graph = frame.begin()
    if sparse:
        extents = extents_of(dimensions, "dimensions")
        made = []
        for axis, extent in enumerate(extents):
            (positions,) = arranging.indices(graph, (extent,), found)
            shape = tuple(extent if each == axis else 1 for each in range(len(extents)))
            made.append(movement.reshape((extent,), shape).apply(graph, positions))
        return frame.wrap_all(graph, made)
    nodes = arranging.indices(graph, dimensions, found)
    if not nodes:
        return full((0,), 0, found.numpy_name)
    return frame.wrap(graph, joining.stack(graph, nodes, 0, found))


@public("creation", sample=lambda s: (s.v, s.v))
def meshgrid(*xi: Any, copy: bool = True, sparse: bool = False, indexing: str = "xy") -> Any:
    """Coordinate arrays of a grid from the coordinates along each axis.

    Shape: of x[n] and y[m], [m, n]; with `indexing` "ij" [n, m]; with `sparse` what broadcasts to that.

    >>> columns, rows = jf.meshgrid([1, 2, 3], [10, 20])
    >>> rows.numpy()
    array([[10, 10, 10],
           [20, 20, 20]])
    """
    word(indexing, "indexing", ("xy", "ij"))
    arrays = [as_lazy(each) for each in xi]
    rank = len(arrays)
    places = list(range(rank))
    if indexing == "xy" and rank > 1:
        places[:2] = 1, 0
    spread_out = [
        reshape(array, tuple(-1 if axis == place else 1 for axis in range(rank)))
        for array, place in zip(arrays, places, strict=True)
    ]
    if copy and sparse:
        return tuple(map(duplicate, spread_out))
    if sparse or not spread_out:
        return spread_out if sparse else ()  # a list, as NumPy's
    shape = broadcast_shapes(*(array.shape for array in spread_out))
    whole = tuple(array._view(movement.broadcast_to(array.shape, shape)) for array in spread_out)
    return tuple(map(duplicate, whole)) if copy else whole
