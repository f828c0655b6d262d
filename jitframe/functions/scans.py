"""Cumulative sums and products, and binary functions accumulated along an axis."""

from __future__ import annotations

import math
from typing import Any

from ..arrays.indexing import normalize_axis
from ..arrays.promotion import Operand
from ..errors import ArgumentError, UnsupportedError
from ..ir import ops
from ..ir.node import Graph, Node
from ..ir.types import DType
from .complex_scans import cumulative_product
from .elementwise import isnan, where
from .joining import concatenate
from .operands import cast, filled, in_computed, reshaped, strong
from .reductions import accumulator


def cumsum(graph: Graph, x: Operand, axis: Any = None, dtype: DType | None = None) -> Node:
    """The sums up to each element along an axis, or over the flattened array; dtypes as in `sum`."""
    x = strong(graph, x)
    return _accumulated(graph, cast(graph, x, accumulator(x, dtype, "cumsum")), "sum", axis)


def cumprod(graph: Graph, x: Operand, axis: Any = None, dtype: DType | None = None) -> Node:
    """The products up to each element along an axis, or over the flattened array."""
    x = strong(graph, x)
    return _accumulated(graph, cast(graph, x, accumulator(x, dtype, "cumprod")), "prod", axis)


def _accumulated(graph: Graph, x: Node, kind: str, axis: Any) -> Node:
    """A scan in the dtype of `x`: that of 16-bit floats is computed in float32, each result rounded once."""
    return cast(graph, scanned(graph, in_computed(graph, x), kind, axis), x.dtype)


def nancumsum(graph: Graph, x: Operand, axis: Any = None, dtype: DType | None = None) -> Node:
    """As `cumsum`, NaN counting as 0."""
    return cumsum(graph, _without_nan(graph, strong(graph, x), 0), axis, dtype)


def nancumprod(graph: Graph, x: Operand, axis: Any = None, dtype: DType | None = None) -> Node:
    """As `cumprod`, NaN counting as 1."""
    return cumprod(graph, _without_nan(graph, strong(graph, x), 1), axis, dtype)


def _without_nan(graph: Graph, x: Node, value: int) -> Node:
    return where(graph, isnan(graph, x), filled(graph, value, x), x) if x.dtype.is_inexact else x


def cumulative_sum(
    graph: Graph, x: Operand, axis: Any = None, dtype: DType | None = None, include_initial: bool = False
) -> Node:
    """The sums up to each element along an axis, which is needed where there are several.

    `include_initial`: one element more, 0 at the start.
    """
    x = strong(graph, x)
    node = cumsum(graph, x, _only_axis(x, axis, "cumulative_sum"), dtype)
    return _cumulative(graph, node, axis, include_initial, 0)


def cumulative_prod(
    graph: Graph, x: Operand, axis: Any = None, dtype: DType | None = None, include_initial: bool = False
) -> Node:
    """The products up to each element along an axis; `include_initial`: one element more, 1 at the start."""
    x = strong(graph, x)
    node = cumprod(graph, x, _only_axis(x, axis, "cumulative_prod"), dtype)
    return _cumulative(graph, node, axis, include_initial, 1)


def _only_axis(x: Node, axis: Any, function: str) -> Any:
    if axis is None and len(x.shape) > 1:
        raise ArgumentError(
            f"For arrays which have more than one dimension ``axis`` argument is required: {function} of "
            f"{len(x.shape)} dimensions"
        )
    return 0 if axis is None else axis


def _cumulative(graph: Graph, made: Node, axis: Any, include_initial: bool, initial: int) -> Node:
    if not include_initial:
        return made
    at = normalize_axis(0 if axis is None else axis, len(made.shape))
    shape = tuple(1 if each == at else extent for each, extent in enumerate(made.shape))
    first = graph.make(ops.broadcast, graph.number(initial, made.dtype), attributes=(shape, ()))
    return concatenate(graph, [first, made], at)


def scanned(graph: Graph, x: Node, kind: str, axis: Any) -> Node:
    """`x` scanned along an axis, or flattened and scanned for None."""
    if axis is None or not x.shape:
        if axis is not None:
            normalize_axis(axis, 1)
        flat = (math.prod(x.shape),)
        x, at = reshaped(graph, x, flat), 0
    else:
        at = normalize_axis(axis, len(x.shape))
    if kind == "prod" and x.dtype.is_complex:
        return cumulative_product(graph, x, at)
    if kind != "sum" and x.dtype.is_complex:
        raise UnsupportedError(
            f"accumulated extremes of {x.dtype.numpy_name} are not supported; take those of x.real or abs(x)"
        )
    return graph.make(ops.scan, x, attributes=(kind, at))
