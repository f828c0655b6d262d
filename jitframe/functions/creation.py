"""New arrays: constants, positions and ranges."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy

from ..arrays.promotion import Number, Operand, check_fits, result_dtype
from ..base.arguments import check_size, extents_of
from ..errors import ArgumentError, DTypeError, UnsupportedError, ZeroError
from ..ir import ops
from ..ir.node import Graph, Node, Shape
from ..ir.types import BOOL, F64, I64, PART_OF, U64, DType
from .elementwise import add, divide, equal, multiply, where
from .operands import as_node, broadcast_shapes, cast, fitted, number, spread, strong


def full(graph: Graph, shape: Any, value: Operand, dtype: DType | None = None) -> Node:
    """An array of one value, which may be an array itself and is broadcast then."""
    dtype = result_dtype((value,)) if dtype is None else dtype
    extents = extents_of(shape, "shape", dtype.itemsize)
    if value.__class__ in ((float, complex) if dtype.is_integer else (complex,)) and not dtype.is_complex:
        value = _as(dtype, value).item()  # type: ignore[arg-type]
    return fitted(graph, as_node(graph, value, dtype), extents)


def zeros(graph: Graph, shape: Any, dtype: DType = F64) -> Node:
    return full(graph, shape, 0, dtype)


def ones(graph: Graph, shape: Any, dtype: DType = F64) -> Node:
    return full(graph, shape, 1, dtype)


def empty(graph: Graph, shape: Any, dtype: DType = F64) -> Node:
    """An array whose elements have no defined value before they are written."""
    return graph.make(ops.undefined, attributes=(extents_of(shape, "shape", dtype.itemsize), dtype))


def arange(
    graph: Graph, start: Number, stop: Number | None, step: Number, dtype: DType | None = None
) -> Node:
    """`start`, `start + step`, … up to but without `stop`; the numbers are known while tracing."""
    if stop is None:
        start, stop = 0, start
    if step == 0:
        raise ZeroError("arange: the step must not be zero")
    if dtype is None:
        dtype = result_dtype((start, stop, step))
        dtype = I64 if dtype is BOOL else dtype
    if dtype is BOOL:
        raise UnsupportedError("arange of bool; write np.arange(n) % 2 == 1")
    if isinstance(start, complex) or isinstance(stop, complex) or isinstance(step, complex):
        raise DTypeError("arange takes real numbers; write np.arange(n) * step + start")
    count = _steps(start, stop, step)
    check_size((count,), dtype.itemsize, "arange: the result's shape")
    # NumPy casts the first two values and continues by their difference.
    first, second = (_as(dtype, value) for value in (start, start + step if count > 1 else start))
    with numpy.errstate(all="ignore"):
        delta = (second - first).item()
    positions = iota(graph, (count,), 0, dtype)
    scaled = positions if delta == 1 else multiply(graph, positions, delta)
    return scaled if first == 0 else add(graph, scaled, first.item())


def _steps(start: float, stop: float, step: float) -> int:
    """The number of steps from `start` to before `stop`."""
    if step != step:
        raise ArgumentError("arange: cannot compute length: the step is NaN")
    if stop == start:
        return 0
    try:
        steps = (stop - start) / step
        if steps == 0:  # the step is so large that the first element is the only one
            return int(math.copysign(1, steps) > 0)
        return max(math.ceil(steps), 0)
    except (ValueError, OverflowError):  # NaN and infinities have no ceiling
        raise ArgumentError(
            f"arange: the length from {start} to {stop} by {step} is no finite number: Maximum allowed size "
            "exceeded"
        ) from None


def _as(dtype: DType, value: Number) -> Any:
    """A Python number cast as NumPy casts arrays: NaN to an integer is no error here."""
    if value.__class__ is int:
        check_fits(value, dtype if dtype.is_integer else U64 if value > 0 else I64)
    with numpy.errstate(all="ignore"):
        return numpy.asarray(value).astype(dtype.numpy_name)[()]


def linspace(
    graph: Graph, start: Any, stop: Any, count: int, endpoint: bool, dtype: DType | None, computed: DType
) -> Node:
    """`count` numbers evenly spaced from `start` to `stop`, which is the last of them where `endpoint` is
    set.

    They are computed in `computed` and, where `dtype` is given, cast to that.
    """
    check_size((count,), computed.itemsize, "linspace: the result's shape")
    start, stop = _as(computed, start), _as(computed, stop)
    intervals = count - 1 if endpoint else count
    result = iota(graph, (count,), 0, computed)
    with numpy.errstate(all="ignore"):
        delta = stop - start
        step = delta / intervals if intervals > 0 else delta
    if intervals > 0 and step == 0:
        result = divide(graph, result, float(intervals))
        step = delta
    result = add(graph, multiply(graph, result, step.item()), start.item())
    if endpoint and count > 1:
        last = spread(graph, number(graph, stop.item(), computed), (1,))
        result = graph.make(ops.update, result, last, attributes=((count - 1,), (1,)))
    if dtype is not None and dtype.is_integer:
        result = graph.make(ops.floor, result)
    return result if dtype is None else cast(graph, result, dtype)


def eye(graph: Graph, rows: int, columns: int | None, diagonal: int, dtype: DType = F64) -> Node:
    """Ones on a diagonal, zeros elsewhere."""
    shape = extents_of((rows, rows if columns is None else columns), "the shape", dtype.itemsize)
    if 0 in shape:
        return zeros(graph, shape, dtype)
    diagonal = max(-shape[0], min(diagonal, shape[1]))
    row = add(graph, iota(graph, shape, 0, I64), diagonal) if diagonal else iota(graph, shape, 0, I64)
    return cast(graph, equal(graph, row, iota(graph, shape, 1, I64)), dtype)


def triangle(
    graph: Graph, x: Operand, diagonal: int, keeps: Callable[[Graph, Operand, Operand], Node]
) -> Node:
    """`x` where `keeps(column, row + diagonal)`, zero elsewhere, in the last two axes."""
    x = strong(graph, x)
    if not x.shape:
        raise DTypeError("tril and triu take an array of at least one axis, not a single number")
    shape = x.shape if len(x.shape) > 1 else x.shape * 2
    x = spread(graph, x, broadcast_shapes(x.shape, shape))
    row = add(graph, iota(graph, x.shape, len(shape) - 2, I64), diagonal)
    return where(
        graph, keeps(graph, iota(graph, x.shape, len(shape) - 1, I64), row), x, graph.number(0, x.dtype)
    )


def iota(graph: Graph, shape: Shape, axis: int, dtype: DType) -> Node:
    """The position along an axis."""
    if dtype.is_complex:
        return cast(graph, iota(graph, shape, axis, PART_OF[dtype]), dtype)
    return graph.make(ops.iota, attributes=(shape, axis, dtype))
