"""Reductions, scans, products and writes: ops whose element depends on many elements, or on a region."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy

from ..node import Attributes, Given, Graph, Inferred, Node, Op, Shape
from ..record import record, replace
from ..structure import Axes, Ranks, Structural, sized_window, window_structure
from ..symbolize import Symbols
from ..types import BF16, BOOL, F16, F32, F64, I8, I16, I32, I64, PART_OF, U8, U16, U32, DType
from . import elementwise
from .formulas import infix, reduce_formula, scan_formula, update_formula
from .intervals import either_interval
from .movement import broadcast, permuted, reshape, slices

Array = Any
Number = bool | int | float


class Reducer(metaclass=record):
    """A combining operation: the kernel instruction, its identity, and NumPy's reduction."""

    name: str
    kernel: str
    identity: Callable[[DType], Number]
    reference: Callable[..., Array]
    finds: bool = False
    """Whether the result is a position: `kernel` then compares, and an element that wins against the one
    found before replaces it; of equal ones the first stays, and a NaN comes before numbers."""
    extreme: str = ""
    """The instruction that gives such an extreme element alone."""


def _lowest(dtype: DType) -> Number:
    if dtype is BOOL:
        return False
    if dtype.is_float:
        return -math.inf
    return int(numpy.iinfo(dtype.numpy_name).min)


def _highest(dtype: DType) -> Number:
    if dtype is BOOL:
        return True
    if dtype.is_float:
        return math.inf
    return int(numpy.iinfo(dtype.numpy_name).max)


def _ones(dtype: DType) -> Number:
    """Returns the integer whose bits are all set."""
    return -1 if dtype.is_signed else _highest(dtype)


REDUCERS: dict[str, Reducer] = {
    reducer.name: reducer
    for reducer in (
        # -0.0 is the identity of addition; NumPy starts from 0.0, so an all -0.0 sum is 0.0 there and here.
        Reducer("sum", "add", lambda dtype: 0.0 if dtype.is_float else 0, numpy.sum),
        Reducer("prod", "mul", lambda dtype: 1.0 if dtype.is_float else 1, numpy.prod),
        Reducer("max", "maximum", _lowest, numpy.max),
        Reducer("min", "minimum", _highest, numpy.min),
        Reducer("all", "and", lambda dtype: True, numpy.all),
        Reducer("any", "or", lambda dtype: False, numpy.any),
        Reducer(
            "bit_and", "and", lambda dtype: True if dtype is BOOL else _ones(dtype), numpy.bitwise_and.reduce
        ),
        Reducer("bit_or", "or", lambda dtype: 0, numpy.bitwise_or.reduce),
        Reducer("bit_xor", "xor", lambda dtype: 0, numpy.bitwise_xor.reduce),
        Reducer("argmax", "gt", _lowest, numpy.argmax, finds=True, extreme="maximum"),
        Reducer("argmin", "lt", _highest, numpy.argmin, finds=True, extreme="minimum"),
    )
}


def _infer_reduce(inputs: tuple[Node, ...], attributes: Attributes) -> Inferred:
    kind, axes = attributes
    source = inputs[0]
    assert kind in REDUCERS and isinstance(axes, tuple) and list(axes) == sorted(set(axes)), attributes
    assert not REDUCERS[kind].finds, attributes
    bits = str(kind).startswith("bit")
    assert not (bits and source.dtype.is_float), (inputs, attributes)
    assert bits or (source.dtype is BOOL) == (kind in ("all", "any")) or kind in ("max", "min"), attributes
    return tuple(extent for axis, extent in enumerate(source.shape) if axis not in axes), source.dtype


def _reduce_value(inputs: list[Array], attributes: Given, node: Node) -> Array:
    kind, axes = attributes
    reducer = REDUCERS[kind]
    with numpy.errstate(all="ignore"):
        if kind in ("sum", "prod"):
            return numpy.asarray(reducer.reference(inputs[0], axis=axes, dtype=node.dtype.numpy_name))
        if kind in ("max", "min"):
            limit = reducer.identity(PART_OF.get(node.dtype, node.dtype))
            initial = complex(limit, limit) if node.dtype.is_complex else limit
            return numpy.asarray(reducer.reference(inputs[0], axis=axes, initial=initial))
        return numpy.asarray(reducer.reference(inputs[0], axis=axes))


def _infer_find(inputs: tuple[Node, ...], attributes: Attributes) -> Inferred:
    kind, axes, dtype = attributes
    source = inputs[0]
    assert REDUCERS[str(kind)].finds and isinstance(axes, tuple) and list(axes) == sorted(set(axes)), (
        attributes
    )
    assert axes and all(source.shape[axis] for axis in axes), (inputs, attributes)
    assert source.dtype.is_integer or source.dtype in (F32, F64), inputs
    assert dtype in (I32, I64), attributes
    return tuple(extent for axis, extent in enumerate(source.shape) if axis not in axes), dtype


def _find_value(inputs: list[Array], attributes: Given, node: Node) -> Array:
    kind, axes, _dtype = attributes
    kept = [axis for axis in range(inputs[0].ndim) if axis not in axes]
    rows = (
        inputs[0]
        .transpose(*kept, *axes)
        .reshape(*node.shape, math.prod(inputs[0].shape[axis] for axis in axes))
    )
    return REDUCERS[kind].reference(rows, axis=-1).astype(node.dtype.numpy_name)


_SCANS: dict[str, Any] = {
    "sum": numpy.add, "prod": numpy.multiply, "max": numpy.maximum, "min": numpy.minimum,
}  # fmt: skip


def scan_identity(kind: str, dtype: DType) -> Number:
    """Returns the initial value of a scan: an exact identity, so that a first -0.0 stays."""
    return -0.0 if kind == "sum" and dtype.is_float else REDUCERS[kind].identity(dtype)


def _infer_scan(inputs: tuple[Node, ...], attributes: Attributes) -> Inferred:
    kind, axis = attributes
    (source,) = inputs
    assert kind in _SCANS and isinstance(axis, int) and 0 <= axis < len(source.shape), (inputs, attributes)
    assert source.dtype is not BOOL or kind in ("max", "min"), (inputs, attributes)
    return source.shape, source.dtype


def _scan_value(inputs: list[Array], attributes: Given, node: Node) -> Array:
    kind, axis = attributes
    with numpy.errstate(all="ignore"):
        return _SCANS[kind].accumulate(inputs[0], axis=axis, dtype=node.dtype.numpy_name)


def _infer_dot(inputs: tuple[Node, ...], _attributes: Attributes) -> Inferred:
    x, y = inputs
    assert len(x.shape) == len(y.shape) >= 2 and x.dtype is y.dtype, inputs
    assert x.shape[:-2] == y.shape[:-2] and x.shape[-1] == y.shape[-2], inputs
    return (*x.shape[:-1], y.shape[-1]), x.dtype


def _dot_value(inputs: list[Array], _attributes: Given, node: Node) -> Array:
    dtype = accumulator(node.dtype).numpy_name
    with numpy.errstate(all="ignore"):
        return numpy.matmul(*(each.astype(dtype) for each in inputs)).astype(node.dtype.numpy_name)


def _infer_packed(inputs: tuple[Node, ...], attributes: Attributes) -> Inferred:
    rows, columns, shape = attributes
    x, y = inputs
    assert isinstance(rows, int) and isinstance(columns, int) and isinstance(shape, tuple), attributes
    batch, middle = len(shape) - 2, len(y.shape) - columns
    assert rows > 0 and columns > 0 and batch >= 0 and batch + rows < len(x.shape) and batch < middle, inputs
    assert x.dtype is y.dtype and x.shape[:batch] == y.shape[:batch] == shape[:batch], inputs
    sides = [x.shape[batch : batch + rows], y.shape[middle:]]
    assert [_count(side) for side in sides] == [int(extent) for extent in shape[-2:]], (inputs, shape)
    assert _count(x.shape[batch + rows :]) == _count(y.shape[batch:middle]), inputs
    return shape, x.dtype


def _count(extents: Shape) -> int:
    return math.prod(map(int, extents))


def _packed_value(inputs: list[Array], attributes: Given, node: Node) -> Array:
    *batch, rows, columns = attributes[2]
    x, y = inputs
    inner = math.prod(x.shape[len(batch) + attributes[0] :])
    x, y = x.reshape((*batch, rows, inner)), y.reshape((*batch, inner, columns))
    return _dot_value([x, y], (), node)


_WIDER = {F16: F32, BF16: F32, I8: I32, I16: I32, U8: U32, U16: U32}


def accumulator(dtype: DType) -> DType:
    """Returns the dtype in which products of a dtype are summed; only the result is rounded, or wraps."""
    return _WIDER.get(dtype, dtype)


def _infer_update(inputs: tuple[Node, ...], attributes: Attributes) -> Inferred:
    base, value = inputs
    starts, steps = attributes
    assert isinstance(starts, tuple) and isinstance(steps, tuple)
    assert base.dtype is value.dtype and len(base.shape) == len(value.shape) == len(starts) == len(steps), (
        inputs
    )
    for start, step, extent, whole in zip(starts, steps, value.shape, base.shape, strict=True):
        assert step != 0 and (
            int(extent) == 0 or (0 <= start < whole and 0 <= start + (extent - 1) * step < whole)
        )
    return base.shape, base.dtype


def _update_value(inputs: list[Array], attributes: Given, _node: Node) -> Array:
    starts, steps = attributes
    result = numpy.array(inputs[0])
    result[slices(starts, steps, inputs[1].shape)] = inputs[1]
    return result


def _reduce_structure(_axes: Axes, node: Node, sources: Ranks) -> Structural:
    gone = node.attributes[1]
    return node.attributes, tuple([number for axis, number in enumerate(sources[0]) if axis not in gone])


def _scan_structure(_axes: Axes, node: Node, sources: Ranks) -> Structural:
    return node.attributes, sources[0]


def _dot_structure(axes: Axes, _node: Node, sources: Ranks) -> Structural:
    (*batch, m, k), (*other, k2, n) = sources
    axes.unify((*batch, k), (*other, k2))
    return None, (*batch, m, n)


def sides(node: Node) -> tuple[int, int]:
    """Returns the number of row axes and of column axes of a contraction's operands."""
    if not node.attributes:
        return 1, 1
    rows, columns, _ = node.attributes
    return rows, columns


def _packed_structure(axes: Axes, node: Node, sources: Ranks) -> Structural:
    rows, columns, shape = node.attributes
    batch = len(shape) - 2
    x, y = sources
    axes.unify(x[:batch], y[:batch])
    middle = len(y) - columns
    if len(x) - batch - rows == middle - batch == 1:
        axes.unify(x[-1:], y[batch:middle])
    sides = (x[batch : batch + rows], y[middle:])
    made = [
        side[0] if len(side) == 1 else axes.number(extent)
        for side, extent in zip(sides, node.shape[-2:], strict=True)
    ]
    return (rows, columns), (*x[:batch], *made)


def _update_structure(axes: Axes, node: Node, sources: Ranks) -> Structural:
    starts, steps = node.attributes
    base, value = node.inputs
    detail, window = window_structure(axes, starts, steps, value.shape, base.shape, sources[0])
    for axis, number in enumerate(window):
        axes.unify((number,), (sources[1][axis],))
    return detail, sources[0]


def _sized_update(node: Node, _shape: Shape, symbols: Symbols) -> Attributes:
    starts, steps = node.attributes
    base, value = node.inputs
    return sized_window(starts, steps, value.shape, base.shape, symbols.node_sizes)


def dot_as_sum(graph: Graph, inputs: tuple[Node, ...], attributes: Attributes = ()) -> Node:
    """Expresses a product of matrices as a multiplication and a sum. The operands of a product over several
    axes (see `packed_dot`) have the same ones, in one order."""
    x, y = inputs
    rows, columns, joined = attributes or (1, 1, None)
    assert isinstance(rows, int) and isinstance(columns, int)
    batch = len(x.shape if joined is None else joined) - 2  # type: ignore[arg-type]
    kept, first, last = tuple(range(batch)), batch + rows, len(x.shape)
    shape, inner = (*x.shape, *y.shape[len(y.shape) - columns :]), tuple(range(first, last))
    dtype, wide = x.dtype, accumulator(x.dtype)
    if wide is not x.dtype:
        x, y = (graph.make(elementwise.cast, node, attributes=(wide,)) for node in (x, y))
    left = graph.make(broadcast, x, attributes=(shape, tuple(range(last))))
    right = graph.make(broadcast, y, attributes=(shape, (*kept, *range(first, len(shape)))))
    if wide is BOOL:
        total = graph.make(
            reduce, graph.make(elementwise.bitwise_and, left, right), attributes=("any", inner)
        )
    else:
        total = graph.make(reduce, graph.make(elementwise.mul, left, right), attributes=("sum", inner))
    if wide is not dtype:
        total = graph.make(elementwise.cast, total, attributes=(dtype,))
    return total if joined in (None, total.shape) else graph.make(reshape, total, attributes=(joined,))


reduce = Op(
    "reduce",
    "reduce",
    _infer_reduce,
    _reduce_value,
    ("kind", "axes"),
    _reduce_structure,
    formula=reduce_formula,
)
# The position of the first largest (smallest) integer, counted in C order over the axes, none of them empty.
find = Op(
    "find",
    "reduce",
    _infer_find,
    _find_value,
    ("kind", "axes", "dtype"),
    _reduce_structure,
    cost=6,
    kinds=elementwise.INTEGERS | elementwise.FLOATS,
    formula=reduce_formula,
)
# Element i combines elements 0 to i along an axis.
scan = Op(
    "scan", "scan", _infer_scan, _scan_value, ("kind", "axis"), _scan_structure, keeps_order=True,
    formula=scan_formula,
)  # fmt: skip
# x[..., m, k] @ y[..., k, n] for every position of the leading axes, which both have.
dot = Op(
    "dot",
    "contract",
    _infer_dot,
    _dot_value,
    structure=_dot_structure,
    cost=100,
    kinds=elementwise.REAL,
    formula=infix("@"),
    decompose=dot_as_sum,
)
# The same, by a kernel also where there is a library: for matrices so small that its calls would cost more.
small_dot = Op(
    "small_dot",
    "contract",
    _infer_dot,
    _dot_value,
    structure=_dot_structure,
    cost=100,
    kinds=elementwise.REAL,
    small=True,
    by_kernel=True,
)  # fmt: skip
# The same of matrices whose rows, columns and inner positions are several axes each, by a kernel:
# x[*batch, *rows, *inner] and y[*batch, *inner, *columns], the inner axes split in any way, give `shape`,
# [*batch, rows, columns].
packed_dot = Op(
    "packed_dot",
    "contract",
    _infer_packed,
    _packed_value,
    ("rows", "columns", "shape"),
    _packed_structure,
    cost=100,
    kinds=elementwise.REAL,
    by_kernel=True,
)
# packed_dot(x, y) whose y is windows of an image, by a kernel that keeps a part of the image.
window_dot = replace(packed_dot, name="window_dot", fills_margins=True)
# A copy of base in which base[start + step * i] = value[i].
update = Op(
    "update",
    "update",
    _infer_update,
    _update_value,
    ("starts", "steps"),
    _update_structure,
    _sized_update,
    formula=update_formula,
    interval=either_interval,
    keeps_order=True,
)


@update.defines("permuted")
def _permuted_update(graph: Graph, node: Node, axes: tuple[int, ...]) -> Node | None:
    base, value = node.inputs
    moved = None if base.op.permuted is None else base.op.permuted(graph, base, axes)
    if moved is None:
        return None  # an array, of which a copy would be made
    starts, steps = (tuple(attribute[axis] for axis in axes) for attribute in node.attributes)
    return graph.make(update, moved, permuted(graph, value, axes), attributes=(starts, steps))


OPS = (reduce, find, scan, dot, small_dot, packed_dot, window_dot, update)
