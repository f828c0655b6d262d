"""Calls of functions on nodes: arguments become operands in the frame that they belong to, results arrays."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any

import numpy

from ..arrays.promotion import NUMBERS, Operand, Weak, from_numpy, result_dtype
from ..errors import AliasError, KindError, UnsupportedError
from ..functions.operands import as_node, cast, check_output, spread, strong
from ..ir.node import Graph, Node, Shape
from ..ir.types import DType
from ..runtime.memory.foreign import is_foreign
from .frame import LAZY_CLASSES, Frame, LazyValue, frame_of, gathered, holds_lazy, plain_array


def operand(frame: Frame, graph: Graph, value: Any) -> Operand:
    """Converts any argument to an operand. NumPy scalars and arrays are strong; Python numbers weak."""
    if type(value) in NUMBERS:
        return value
    if type(value) in LAZY_CLASSES:
        return frame.adopt(graph, value)
    if type(value) is numpy.ndarray and not frame.device.narrows:
        return frame.lift(graph, plain_array(value))
    if isinstance(value, numpy.generic):
        dtype = from_numpy(value.dtype)
        frame.check(dtype)
        return graph.number(value.item(), dtype)
    if isinstance(value, (int, float, complex)):
        if isinstance(value, complex):
            return complex(value)
        return int(value) if isinstance(value, int) else float(value)
    if isinstance(value, (list, tuple)) and holds_lazy(value):
        from ..functions.joining import reconstruct, stack  # lists are rare

        whole = gathered(value)
        if whole is not None:
            return frame.adopt(graph, whole)
        found = _scalars(frame, graph, value)
        if found is not None:
            return reconstruct(graph, *found)
        # Numbers in lists are not weak: NumPy makes float64 of [x, 1.5], whatever x is.
        return stack(graph, [strong(graph, operand(frame, graph, item)) for item in value])
    if not isinstance(value, (numpy.ndarray, type)) and hasattr(value, "__array__") and not is_foreign(value):
        value = value.__array__()
        if type(value) in LAZY_CLASSES:  # the user's method is traced, too
            return frame.adopt(graph, value)
    if isinstance(value, numpy.matrix):
        raise UnsupportedError("a matrix has NumPy's operators of matrices; write np.asarray(x)")
    return frame.lift(graph, frame.plain(value))


def _scalars(frame: Frame, graph: Graph, rows: Sequence[Any]) -> tuple[Shape, list[Node]] | None:
    """Returns the shape of rows of numbers, and the numbers, each in the dtype of its row; None where rows
    are no sequences of numbers alone, or of several lengths."""
    scalars: list[Node] = []
    for row in rows:
        if not isinstance(row, (list, tuple)) or len(row) != len(rows[0]):
            return None
        items = row if holds_lazy(row) else list(frame.plain(row))
        if any(isinstance(item, (list, tuple, numpy.ndarray)) for item in items):
            return None
        operands = [strong(graph, operand(frame, graph, item)) for item in items]
        dtype = result_dtype(operands)
        nodes = [as_node(graph, item, dtype) for item in operands]
        if any(node.shape for node in nodes):
            return None
        scalars += nodes
    return ((len(rows), len(rows[0])), scalars) if scalars else None


def unary(function: Callable[..., Node], x: Any, key: Hashable) -> Any:
    """`call` of one value, with a fast path for arrays."""
    return x._frame.unary(function, x, key) if type(x) in LAZY_CLASSES else call(function, (x,), key=key)


def call(
    function: Callable[..., Any],
    values: Sequence[Any],
    *arguments: Any,
    out: Any = None,
    dtype: DType | None = None,
    key: Hashable = None,
    whole: bool = False,
) -> Any:
    """Computes `function(graph, *operands, *arguments)` in the frame of the values; results may be a tuple.

    `dtype` is one that the user requested: the device must have it. `key`: identifies the function and the
    arguments, where its only result is one node that nothing else determines. `whole`: the result is not
    broadcast to the shape of `out`.
    """
    frame = frame_of(values if out is None else (*values, out))
    if dtype is not None:
        frame.check(dtype)
    graph = frame.begin()
    operands = [operand(frame, graph, value) for value in values]
    if Node in map(type, operands):
        if key is None:
            result = function(graph, *operands, *arguments)
        else:
            result = graph.result(key, function, operands, arguments)
        if out is None and result.__class__ is Node:
            return frame.wrap(graph, result)
        weak: type[Weak] | None = None
    else:
        # Numbers among themselves are Python's: computed in the default dtypes, and weak again.
        result = function(graph, *(strong(graph, each) for each in operands), *arguments)
        weak = Weak
    if out is not None and not isinstance(out, numpy.ndarray):
        return store(graph, result, out, whole)
    if isinstance(result, (list, tuple)):
        return frame.wrap_all(graph, map(weak, result) if weak else result)
    lazy_value = frame.wrap(graph, weak(result) if weak else result)
    return lazy_value if out is None else store_now(lazy_value, out, whole)


def store_now(result: LazyValue, out: numpy.ndarray, whole: bool = False) -> numpy.ndarray:
    """Writes a result into an ndarray of the user's, by NumPy's rules for outputs, and returns `out`."""
    dtype: DType = result._dtype
    check_output(dtype, result.shape, from_numpy(out.dtype), out.shape, whole)
    if not out.flags.writeable:
        raise AliasError("output array is read-only")
    if type(out) is not numpy.ndarray and isinstance(out, numpy.ma.MaskedArray):
        raise UnsupportedError("out= is a masked array, whose mask NumPy writes, too; write to its .data")
    purpose = f"out=, an array {out.dtype}{list(out.shape)} made outside of it"
    value = result._concrete(purpose, lasting=True)
    numpy.copyto(out, value, casting="same_kind")
    return out


def store(graph: Graph, result: Node, out: Any, whole: bool = False) -> Any:
    """Writes a result into the array `out`, by NumPy's rules for outputs, and returns `out`."""
    if type(out) not in LAZY_CLASSES:
        raise KindError(f"out= is a {type(out).__name__}; it takes an array of the result's shape")
    check_output(result.dtype, result.shape, out._dtype, out.shape, whole)
    out._assign(graph, spread(graph, cast(graph, result, out._dtype), out.shape))
    return out
