"""NumPy's functions of arrays with symbolic sizes: reductions, products, and rearrangements of axes."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy

from .. import api
from ..api.calls import operand
from ..arrays.indexing import normalize_axes
from ..errors import ShapeError, TraceError
from ..functions.operands import cast, strong, truth
from ..functions.reductions import accumulator
from ..ir import ops
from ..ir.node import Graph, Node, Op
from ..ir.ops import REDUCERS
from ..ir.record import record
from ..ir.types import BOOL, F32, DType
from ..tracing.values.cells import Cell
from ..tracing.values.traced import SCALAR, TracedArray
from ..tracing.values.traced_frame import current_trace
from .symbolic_arrays import SymbolicArray, as_symbolic, elementwise, is_one
from .symbolic_loops import folded, for_each, put_aside, scratch, store
from .symbolic_parts import Part
from .symbolic_sizes import (
    Size,
    distance,
    index_dtype,
    is_same,
    minus,
    plus,
    range_of,
    steps_between,
    times,
)  # fmt: skip

Positions = Mapping[int, Size]
_AT_ONCE = 4
"""Rows of a matrix that are added to an element of a product while it is in a register."""


def _node(value: Any, dtype: DType | None = None) -> Node:
    """A scalar as a node of the current frame."""
    frame = current_trace()
    graph = frame.begin()
    node = strong(graph, operand(frame, graph, value))
    return node if dtype is None else truth(graph, node) if dtype is BOOL else cast(graph, node, dtype)


def _scalar(node: Node, kind: int = SCALAR) -> TracedArray:
    return TracedArray(Cell(current_trace(), node), None, kind)


def _wide(dtype: DType) -> DType:
    """Returns the dtype in which 16-bit floats are accumulated."""
    return F32 if dtype.is_float and dtype.bits == 16 else dtype


class Reduction(metaclass=record):
    """A reduction of all elements, or along axes."""

    name: str
    kind: str
    op: Op

    def dtype(self, source: DType) -> DType:
        if self.kind in ("any", "all"):
            return BOOL
        if self.kind not in ("sum", "prod"):
            return source
        found = accumulator(Graph().parameter(0, (), source), None, self.kind)
        return current_trace().device.narrows.get(found, found)

    def __call__(self, array: Any, axis: Any = None, dtype: Any = None, out: Any = None,
                 keepdims: Any = False, **options: Any) -> Any:  # fmt: skip
        given = as_symbolic(array)
        left = [option for option in options.values() if option is not numpy._NoValue]
        if not isinstance(given, SymbolicArray) or dtype is not None or out is not None or left or keepdims:
            raise TraceError(f"np.{self.name} of a slice of a length that is not known takes an axis alone")
        axes = tuple(range(given.ndim)) if axis is None else normalize_axes(axis, given.ndim)
        result = self.dtype(given.value.dtype)
        if result.is_complex and self.kind in ("max", "min"):
            raise TraceError(f"np.{self.name} of a slice of complex numbers")
        self._look_at([given.shape[each] for each in axes])

        def of(positions: Positions) -> Any:
            return reduced(self, given, axes, positions, result)

        kept = [each for each in range(given.ndim) if each not in axes]
        return _for_kept(given, kept, result, of)

    def _look_at(self, extents: Sequence[Size]) -> None:
        """Raises for the maximum of an empty array."""
        if self.kind not in ("max", "min"):
            return
        for extent in extents:
            if range_of(extent)[0] < 1:
                message = f"zero-size array to reduction operation {self.name} which has no identity"
                current_trace().root.hooks.raise_unless(extent > 0, ValueError(message))


def _for_kept(array: SymbolicArray, kept: Sequence[int], dtype: DType, of: Callable[[Positions], Any]) -> Any:
    """Computes a value for each position on the axes that are kept."""
    if not kept:
        return of({})
    extents = [array.shape[axis] for axis in kept]
    target = scratch(extents, dtype)

    def put(positions: tuple[Size, ...]) -> None:
        target.array[positions] = of(dict(zip(kept, positions, strict=True)))

    for_each(extents, put)
    return _made(target, extents)


def _made(target: Part, extents: Sequence[Size]) -> Any:
    """Returns a computed array: one of the trace where its extents are known."""
    if all(extent.__class__ is int for extent in extents):
        return target.array
    return SymbolicArray(target, extents)


def reduced(
    reduction: Reduction, array: SymbolicArray, axes: Sequence[int], at: Positions, dtype: DType
) -> TracedArray:
    """Reduces the elements along axes, at positions on the others."""
    wide = _wide(dtype)
    identity = REDUCERS[reduction.kind].identity(wide)

    def along(left: Sequence[int], found: Positions, start: Node) -> Node:
        graph = current_trace().begin()
        if not left:
            element = _node(array.element([found[axis] for axis in range(array.ndim)]), wide)
            return graph.make(reduction.op, start, element)

        def step(position: TracedArray, value: TracedArray) -> Sequence[Any]:
            node = along(left[1:], {**found, left[0]: position}, _node(value))
            return (_scalar(node),)

        (made,) = folded(array.shape[left[0]], [start], step, True)
        return _node(made)

    begin = current_trace().begin()
    first = begin.constant(identity, wide) if wide is BOOL else begin.number(identity, wide)
    return _scalar(cast(current_trace().begin(), along(list(axes), at, first), dtype))


SUM = Reduction("add", "sum", ops.add)
MAXIMUM = Reduction("maximum", "max", ops.maximum)
MINIMUM = Reduction("minimum", "min", ops.minimum)
REDUCTIONS = {
    numpy.add: SUM,
    numpy.multiply: Reduction("multiply", "prod", ops.mul),
    numpy.maximum: MAXIMUM,
    numpy.minimum: MINIMUM,
    numpy.logical_and: Reduction("logical_and", "all", ops.bitwise_and),
    numpy.logical_or: Reduction("logical_or", "any", ops.bitwise_or),
}


def _mean(array: Any, axis: Any = None, **options: Any) -> Any:
    given = as_symbolic(array)
    source = given.value.dtype
    if axis is not None and not isinstance(axis, int):
        raise TraceError("np.mean of a slice of a length that is not known along several axes")
    if not source.is_inexact or source.bits == 16:
        given = _astype(given, "float32" if source.bits == 16 and source.is_float else "float64")
    count: Any = given.size if axis is None else given.shape[normalize_axes(axis, given.ndim)[0]]
    found = SUM(given, axis, **options) / count
    return (
        api.creation.constructors.astype(found, source.numpy_name)
        if source.is_float and source.bits == 16
        else found
    )


def _extreme_position(array: Any, wins: Op) -> Any:
    """Returns the position of the first maximum or minimum; NaN is both."""
    given = as_symbolic(array)
    if given.ndim != 1 or given.value.dtype.is_complex:
        raise TraceError("np.argmax of a slice of several axes, or of complex numbers")
    (extent,) = given.shape
    frame = current_trace()
    if range_of(extent)[0] < 1:
        message = f"attempt to get {'argmax' if wins is ops.gt else 'argmin'} of an empty sequence"
        current_trace().root.hooks.raise_unless(extent > 0, ValueError(message))
    dtype = given.value.dtype
    kind = "max" if wins is ops.gt else "min"
    graph = frame.begin()
    place = index_dtype(frame)
    first = [graph.number(REDUCERS[kind].identity(dtype), dtype), graph.number(0, place)]

    def step(position: TracedArray, best: TracedArray, at: TracedArray) -> Sequence[Any]:
        element = _node(given.element((position,)), dtype)
        known, node = _node(best), _node(at)
        graph = current_trace().begin()
        better = graph.make(wins, element, known)
        if dtype.is_float:
            is_nan, was_nan = graph.make(ops.ne, element, element), graph.make(ops.eq, known, known)
            better = graph.make(ops.bitwise_or, better, graph.make(ops.bitwise_and, is_nan, was_nan))
        here = _node(position, place)
        return [
            _scalar(graph.make(ops.select, better, element, known)),
            _scalar(graph.make(ops.select, better, here, node)),
        ]

    _, found = folded(extent, first, step, False)
    frame.root.ranges.known[found._cell.node] = 0, max(0, range_of(extent)[1] - 1)
    return found


def _product(x: Any, y: Any) -> Any:
    return x * y


def _dot(x: Any, y: Any, out: Any = None) -> Any:
    a, b = as_symbolic(x), as_symbolic(y)
    if not isinstance(a, SymbolicArray) or not isinstance(b, SymbolicArray):
        return a * b
    return matmul(a, b)


def _inner(x: Any, y: Any) -> Any:
    a, b = as_symbolic(x), as_symbolic(y)
    if not all(isinstance(each, SymbolicArray) and each.ndim == 1 for each in (a, b)):
        raise TraceError("np.inner of slices of more than an axis")
    return matmul(a, b)


def _vdot(x: Any, y: Any) -> Any:
    if as_symbolic(x).value.dtype.is_complex:
        return _inner(numpy.conjugate(as_symbolic(x)), y)
    return _inner(x, y)


def matmul(x: Any, y: Any) -> Any:
    """The product of vectors and matrices."""
    a, b = as_symbolic(x), as_symbolic(y)
    if not isinstance(a, SymbolicArray) or not isinstance(b, SymbolicArray) or max(a.ndim, b.ndim) > 2:
        raise TraceError("a product of slices of more than two axes")
    inner = b.shape[-2] if b.ndim == 2 else b.shape[0]
    if not is_same(a.shape[-1], inner):
        if distance(a.shape[-1], inner) is not None:
            raise ShapeError("matmul: the inner extents differ")
        raise TraceError("slices whose lengths may differ are multiplied in a loop")
    if BOOL in (a.value.dtype, b.value.dtype):
        raise TraceError("a product of slices of bools")
    rows, columns = a.ndim == 2, b.ndim == 2
    if columns and not (rows and is_one(b.shape[1])):
        return _by_rows(a, b)
    left = a[:, None, :] if columns else a
    right = b.T[None] if columns else b
    products = elementwise(_product, left, right)
    return reduced_along_last(products)


def reduced_along_last(products: SymbolicArray) -> Any:
    axis = products.ndim - 1
    dtype = products.value.dtype
    return _for_kept(products, range(axis), dtype, lambda at: reduced(SUM, products, (axis,), at, dtype))


def _by_rows(a: SymbolicArray, b: SymbolicArray) -> Any:
    """A product with a matrix: its scaled rows are added to the row of the result."""
    if not isinstance(a.value, type(b.value)) or a.ndim == 2:
        a = SymbolicArray(put_aside(a.shape, a.value), a.shape)  # each element is used often
    vector = a.ndim == 1
    left = a[None] if vector else a
    extents = (left.shape[0], b.shape[1])
    terms = elementwise(_product, left[:, :, None], b[None])
    dtype = terms.value.dtype
    target = scratch(extents, _wide(dtype))
    store(target, extents, 0)

    def put(row: Size) -> None:
        def add(first: Size, count: int) -> None:
            def column(places: tuple[Size, ...]) -> None:
                (j,) = places
                total = target.array[row, j]
                for number in range(count):
                    at = (row, plus(first, number), j)
                    total = total + _scalar(_node(terms.element(at), _wide(dtype)))
                target.array[row, j] = total

            for_each((extents[1],), column)

        inner = left.shape[1]
        several = steps_between(0, minus(inner, _AT_ONCE - 1), _AT_ONCE)
        done = times(several, _AT_ONCE)
        for_each((several,), lambda at: add(times(at[0], _AT_ONCE), _AT_ONCE), False)
        for_each((minus(inner, done),), lambda at: add(plus(done, at[0]), 1), False)

    for_each((extents[0],), lambda at: put(at[0]))
    array = SymbolicArray(target, extents)
    if _wide(dtype) is not dtype:
        array = _astype(array, dtype.numpy_name)
    if vector and extents[1].__class__ is int and isinstance(array.value, Part):
        return array.value.array[0]
    return array[0] if vector else array


def _outer(x: Any, y: Any, out: Any = None) -> Any:
    a, b = as_symbolic(x), as_symbolic(y)
    if any(not isinstance(each, SymbolicArray) or each.ndim != 1 for each in (a, b)):
        raise TraceError("np.outer of slices with more than an axis")
    return elementwise(_product, a[:, None], b[None, :])


def _astype(array: SymbolicArray, dtype: Any, **options: Any) -> SymbolicArray:
    return elementwise(lambda each: api.creation.constructors.astype(each, dtype), array)


def _copy(array: Any, *_: Any) -> SymbolicArray:
    given = as_symbolic(array)
    return SymbolicArray(put_aside(given.shape, given.value), given.shape)


def _filled(array: SymbolicArray, value: Any, dtype: Any = None) -> SymbolicArray:
    like = array.value.dtype if dtype is None else api.creation.constructors.zeros(1, dtype)._dtype
    target = scratch(array.shape, like)
    store(target, array.shape, value)
    return SymbolicArray(target, array.shape)


def _norm(array: Any, *options: Any, **named: Any) -> Any:
    given = as_symbolic(array)
    if options or named or not given.value.dtype.is_float:
        raise TraceError("np.linalg.norm of a slice takes nothing more")
    return api.elementwise.transcendental.UFUNCS["sqrt"](SUM(given * given))


def _where(condition: Any, *values: Any) -> Any:
    if len(values) != 2:
        raise TraceError("the positions of a slice of a length that is not known")
    return elementwise(api.elementwise.arithmetic.where, condition, *values)


def _flip(array: Any, axis: Any = None) -> Any:
    given = view_or_array(array)
    return given.flipped(range(given.ndim) if axis is None else normalize_axes(axis, given.ndim))


def view_or_array(array: Any) -> SymbolicArray:
    found = array if isinstance(array, SymbolicArray) else as_symbolic(array)
    assert isinstance(found, SymbolicArray)
    return found


def _transpose(array: Any, *axes: Any) -> Any:
    given = view_or_array(array)
    order = axes[0] if len(axes) == 1 and not isinstance(axes[0], int) else axes
    return given.permuted(tuple(order) if order else tuple(range(given.ndim))[::-1])


def _fill(array: SymbolicArray, value: Any) -> None:
    array[...] = value


def _shape(array: Any) -> Any:
    return array.shape


METHODS: dict[str, Callable[..., Any]] = {
    "sum": SUM, "prod": REDUCTIONS[numpy.multiply], "max": MAXIMUM, "min": MINIMUM,
    "any": REDUCTIONS[numpy.logical_or], "all": REDUCTIONS[numpy.logical_and], "mean": _mean,
    "argmax": lambda array: _extreme_position(array, ops.gt),
    "argmin": lambda array: _extreme_position(array, ops.lt),
    "conj": numpy.conjugate, "conjugate": numpy.conjugate,
    "dot": _dot, "astype": _astype, "copy": _copy, "transpose": _transpose, "fill": _fill,
}  # fmt: skip
"""Methods of arrays, by name."""

FUNCTIONS: dict[Any, Callable[..., Any]] = {
    **{getattr(numpy, name): METHODS[name] for name in METHODS if hasattr(numpy, name)},
    numpy.amax: MAXIMUM, numpy.amin: MINIMUM, numpy.inner: _inner, numpy.vdot: _vdot,
    numpy.outer: _outer, numpy.where: _where, numpy.flip: _flip, numpy.linalg.norm: _norm,
    numpy.flipud: lambda array: _flip(array, 0), numpy.fliplr: lambda array: _flip(array, 1),
    numpy.count_nonzero: lambda array: SUM(as_symbolic(array) != 0),
    numpy.shape: _shape, numpy.size: lambda array: array.size, numpy.ndim: lambda array: array.ndim,
    numpy.zeros_like: lambda array, dtype=None: _filled(array, 0, dtype),
    numpy.ones_like: lambda array, dtype=None: _filled(array, 1, dtype),
    numpy.full_like: lambda array, value, dtype=None: _filled(array, value, dtype),
    numpy.clip: lambda array, low, high: elementwise(api.elementwise.arithmetic.clip, array, low, high),
    numpy.round: lambda array, decimals=0: elementwise(
        functools.partial(api.elementwise.arithmetic.round, decimals=decimals), array
    ),
}  # fmt: skip
"""NumPy's functions."""

UFUNCS: dict[Any, Callable[..., Any]] = {
    (numpy.matmul, "__call__"): matmul,
    (numpy.multiply, "outer"): _outer,
}
"""Ufuncs and their methods that are not elementwise."""
