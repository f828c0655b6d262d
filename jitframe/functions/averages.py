"""Weighted means, and logarithms of sums of powers."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from ..arrays.indexing import normalize_axes
from ..arrays.promotion import Operand, promote
from ..errors import DTypeError, ShapeError
from ..ir import ops
from ..ir.node import Graph, Node
from ..ir.types import F64
from .elementwise import add, divide, exp, in_floating, isfinite, log, multiply, subtract, where
from .operands import cast, reshaped, spread, strong
from .reductions import max_, mean, reduced_axes, sum


def average(
    graph: Graph, x: Operand, weights: Operand | None = None, axis: Any = None, keepdims: bool = False
) -> tuple[Node, Node]:
    """The mean of elements times weights, and the sums of the weights it was divided by.

    Weights that sum to zero give NaN or infinity; NumPy raises ZeroDivisionError.
    """
    x = strong(graph, x)
    if weights is None:
        result = mean(graph, x, axis, keepdims=keepdims)
        count = math.prod(x.shape[each] for each in reduced_axes(axis, len(x.shape)))
        scale = graph.number(count, result.dtype, common=False)
        return result, spread(graph, scale, result.shape)
    weight = strong(graph, weights)
    dtype = promote(x.dtype, weight.dtype)
    dtype = dtype if x.dtype.is_inexact else promote(dtype, F64)
    weight = cast(graph, _aligned(graph, x, weight, axis), dtype)
    scale = sum(graph, weight, axis, keepdims=keepdims)
    total = sum(graph, multiply(graph, cast(graph, x, dtype), weight), axis, keepdims=keepdims)
    result = divide(graph, total, spread(graph, scale, total.shape))
    return result, spread(graph, scale, result.shape)


def _aligned(graph: Graph, x: Node, weight: Node, axis: Any) -> Node:
    """Weights reshaped to the axes of the array. Raises NumPy's errors."""
    if weight.shape == x.shape:
        return weight
    if axis is None:
        raise DTypeError("Axis must be specified when shapes of a and weights differ.")
    axes = normalize_axes(axis, len(x.shape))
    if weight.shape != tuple(x.shape[each] for each in axes):
        raise ShapeError("Shape of weights must be consistent with shape of a along specified axis.")
    order = tuple(sorted(range(len(axes)), key=axes.__getitem__))
    if order != tuple(range(len(axes))):
        weight = graph.make(ops.permute, weight, attributes=(order,))
    shape = tuple(extent if each in axes else 1 for each, extent in enumerate(x.shape))
    return reshaped(graph, weight, shape)


def log_sum(
    graph: Graph,
    x: Operand,
    power: Callable[..., Node] = exp,
    logarithm: Callable[..., Node] = log,
    **options: Any,
) -> Node:
    """The logarithm of a sum of powers, scaled by the largest so that none overflows."""
    node = in_floating(graph, x)
    largest = max_(graph, node, initial=-math.inf, **{**options, "keepdims": True})
    finite = where(graph, isfinite(graph, largest), largest, 0.0)
    summed = sum(graph, power(graph, subtract(graph, node, finite)), **options)
    shift = finite if options.get("keepdims") else reshaped(graph, finite, summed.shape)
    return add(graph, logarithm(graph, summed), shift)
