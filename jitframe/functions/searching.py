"""Argmax and argmin in NumPy's order: NaN wins, and the first of equal elements."""

from __future__ import annotations

import math
from typing import Any

from ..arrays.indexing import normalize_axis
from ..arrays.promotion import Operand
from ..errors import ArgumentError, DTypeError
from ..ir import ops
from ..ir.node import Graph, Node, Shape
from ..ir.types import F32, I32, I64
from .elementwise import isnan
from .operands import cast, filled, reshaped, strong
from .reductions import kept_shape


def argmax(graph: Graph, x: Operand, axis: Any = None, keepdims: bool = False) -> Node:
    """The position of the first largest element along an axis, or in the flattened array; NaN wins."""
    return _find(graph, strong(graph, x), "argmax", axis, keepdims, skip_nan=False)


def argmin(graph: Graph, x: Operand, axis: Any = None, keepdims: bool = False) -> Node:
    """The position of the first smallest element along an axis, or in the flattened array; NaN wins."""
    return _find(graph, strong(graph, x), "argmin", axis, keepdims, skip_nan=False)


def nanargmax(graph: Graph, x: Operand, axis: Any = None, keepdims: bool = False) -> Node:
    """As `argmax`, where a NaN counts as -inf, as NumPy's; -1 where all are NaN (NumPy raises ValueError)."""
    return _find(graph, strong(graph, x), "argmax", axis, keepdims, skip_nan=True)


def nanargmin(graph: Graph, x: Operand, axis: Any = None, keepdims: bool = False) -> Node:
    """As `argmin`, where a NaN counts as inf, as NumPy's; -1 where all are NaN (NumPy raises ValueError)."""
    return _find(graph, strong(graph, x), "argmin", axis, keepdims, skip_nan=True)


def _find(graph: Graph, x: Node, kind: str, axis: Any, keepdims: bool, skip_nan: bool) -> Node:
    rank = len(x.shape)
    if isinstance(axis, (tuple, list)):
        raise DTypeError(
            f"{kind}: '{type(axis).__name__}' object cannot be interpreted as an integer: axis is one axis, "
            f"or None for all of them"
        )
    axes = tuple(range(rank)) if axis is None else (normalize_axis(axis, rank or 1),)
    if any(x.shape[each] == 0 for each in axes if each < rank):
        raise ArgumentError(f"attempt to get {kind} of an empty sequence")
    missing = isnan(graph, x) if skip_nan and x.dtype.is_inexact else None
    if missing is not None and rank:
        last = -math.inf if kind == "argmax" else math.inf
        number = complex(last, 0) if x.dtype.is_complex else last
        x = graph.make(ops.select, missing, filled(graph, number, x), x)
    if x.dtype.is_complex:
        node = _first_extreme(graph, x, kind, axes) if rank else graph.constant(0, I64)
    elif not rank:
        node = graph.constant(0, I64)
    else:
        if x.dtype.bits < 32:
            x = cast(graph, x, F32 if x.dtype.is_float else I32)
        node = graph.make(ops.find, x, attributes=(kind, axes, I64))
    if missing is not None:
        if rank:
            missing = graph.make(ops.reduce, missing, attributes=("all", axes))
        node = graph.make(ops.select, missing, filled(graph, -1, node), node)
    return reshaped(graph, node, kept_shape(x.shape, axes)) if keepdims else node


def _first_extreme(graph: Graph, x: Node, kind: str, axes: Shape) -> Node:
    """The position of the first extreme complex number: the first that equals it in both parts, or has
    a NaN."""
    extreme = graph.make(ops.reduce, x, attributes=(kind.removeprefix("arg"), axes))
    kept = tuple(axis for axis in range(len(x.shape)) if axis not in axes)
    spread = graph.make(ops.broadcast, extreme, attributes=(x.shape, kept))
    node = graph.make(ops.bitwise_or, graph.make(ops.eq, x, spread), isnan(graph, x))
    return graph.make(ops.find, cast(graph, node, I32), attributes=("argmax", axes, I64))
