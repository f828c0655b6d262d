"""Small functions of NumPy programs as compositions: angles, choices that skip NaN, tolerances, cases."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy

from ..arrays.promotion import Operand, floating_result, promote, result_dtype
from ..errors import ArgumentError, DTypeError
from ..ir import ops
from ..ir.node import Graph, Node
from ..ir.types import BOOL, F64
from . import complex_numbers, division
from .complex_numbers import by_parts, of_real_numbers, real_numbers
from .elementwise import (
    absolute,
    add,
    as_integer,
    equal,
    in_floating,
    isfinite,
    isinf,
    isnan,
    less_equal,
    multiply,
    subtract,
)
from .float_parts import largest_float
from .formula import Term, where
from .operands import (
    as_node,
    broadcast_shapes,
    cast,
    filled,
    fitted,
    in_computed,
    match,
    pair,
    spread,
    strong,
    truth,
)
from .reductions import all_


def _scaled(graph: Graph, x: Operand, above: float, below: float) -> Node:
    """x * (above / below), with the quotient rounded as NumPy's is: float16 takes float32's."""
    x = in_floating(graph, real_numbers(graph, x, "deg2rad" if above < below else "rad2deg"))
    wide = in_computed(graph, x)
    kind = numpy.dtype(wide.dtype.numpy_name).type
    factor = float(kind(above) / kind(below))
    return cast(graph, graph.make(ops.mul, wide, filled(graph, factor, wide)), x.dtype)


def deg2rad(graph: Graph, x: Operand) -> Node:
    """Degrees in radians."""
    return _scaled(graph, x, math.pi, 180.0)


def rad2deg(graph: Graph, x: Operand) -> Node:
    """Radians in degrees."""
    return _scaled(graph, x, 180.0, math.pi)


def float_power(graph: Graph, x: Operand, y: Operand) -> Node:
    """x**y in float64; of complex numbers in complex128."""
    return division.power(graph, *match(graph, (x, y), promote(result_dtype((x, y)), F64)))


def fmax(graph: Graph, x: Operand, y: Operand) -> Node:
    """The larger; of a NaN and a number the number."""
    return _ignoring_nan(graph, ops.maximum, x, y)


def fmin(graph: Graph, x: Operand, y: Operand) -> Node:
    """The smaller; of a NaN and a number the number."""
    return _ignoring_nan(graph, ops.minimum, x, y)


def _ignoring_nan(graph: Graph, op: Any, x: Operand, y: Operand) -> Node:
    x, y = pair(graph, x, y)
    chosen = graph.make(op, x, y)
    if not x.dtype.is_inexact:
        return chosen
    chosen = graph.make(ops.select, isnan(graph, y), x, chosen)
    return graph.make(ops.select, isnan(graph, x), y, chosen)


def heaviside(graph: Graph, x: Operand, y: Operand) -> Node:
    """0 below 0, `y` at 0, 1 above; NaN where `x` is NaN."""
    if result_dtype((x, y)).is_complex:
        raise of_real_numbers("heaviside", result_dtype((x, y)))
    x, y = match(graph, (x, y), floating_result((x, y)))
    number = Term(graph, x)
    result = where(number == 0.0, Term(graph, y), where(number < 0.0, 0.0, number.like(1.0)))
    return where(number != number, number, result).node


def conjugate(graph: Graph, x: Operand) -> Node:
    """x - yi of x + yi; a real number itself."""
    return complex_numbers.conjugate(graph, as_integer(graph, strong(graph, x)))


def isposinf(graph: Graph, x: Operand) -> Node:
    return _infinite(graph, x, below=False)


def isneginf(graph: Graph, x: Operand) -> Node:
    return _infinite(graph, x, below=True)


def _infinite(graph: Graph, x: Operand, below: bool) -> Node:
    x = real_numbers(graph, x, "isneginf" if below else "isposinf")
    if not x.dtype.is_float:
        return isinf(graph, x)
    return graph.make(ops.eq, x, filled(graph, -math.inf if below else math.inf, x))


def nan_to_num(graph: Graph, x: Operand, *given: Operand, above: bool, below: bool) -> Node:
    """`x` with its NaN, inf and -inf replaced: by what is given for NaN and, where `above` and `below` say
    so, for the infinities, else by the largest and the smallest number."""
    x = strong(graph, x)
    if x.dtype.is_complex:
        return by_parts(
            graph, x, lambda graph, part: nan_to_num(graph, part, *given, above=above, below=below)
        )
    if not x.dtype.is_float:
        return x
    rest = [fitted(graph, as_node(graph, each, x.dtype), x.shape) for each in given]
    result = graph.make(ops.select, isnan(graph, x), rest.pop(0), x)
    largest = largest_float(graph, x)
    for wanted, infinite, number in (
        (above, isposinf, largest), (below, isneginf, graph.make(ops.neg, largest)),
    ):  # fmt: skip
        other = rest.pop(0) if wanted else number
        result = graph.make(ops.select, infinite(graph, x), other, result)
    return result


def isclose(graph: Graph, x: Operand, y: Operand, rtol: Operand, atol: Operand, equal_nan: bool) -> Node:
    """|x - y| <= atol + rtol * |y| where y is finite, else whether they are equal."""
    y = as_node(graph, y, result_dtype((strong(graph, y).dtype, 1.0)))
    x = x if isinstance(x, Node) else as_node(graph, x, result_dtype((x, y)))
    distance = absolute(graph, subtract(graph, x, y))
    near = less_equal(graph, distance, add(graph, atol, multiply(graph, rtol, absolute(graph, y))))
    shape = near.shape
    near = graph.make(ops.bitwise_and, near, spread(graph, isfinite(graph, y), shape))
    near = graph.make(ops.bitwise_or, near, spread(graph, equal(graph, x, y), shape))
    if equal_nan:
        both = graph.make(ops.bitwise_and, *(spread(graph, isnan(graph, node), shape) for node in (x, y)))
        near = graph.make(ops.bitwise_or, near, both)
    return near


def array_equal(graph: Graph, x: Operand, y: Operand, equal_nan: bool, broadcast: bool) -> Node:
    """Whether all elements are equal, of arrays of one shape (or, `broadcast`, of shapes that fit)."""
    first, second = strong(graph, x), strong(graph, y)
    if first.shape != second.shape:
        try:
            if not broadcast:
                raise ArgumentError("shapes differ")
            broadcast_shapes(first.shape, second.shape)
        except ValueError:
            return graph.constant(False, BOOL)
    same = equal(graph, first, second)
    if equal_nan:
        both = graph.make(ops.bitwise_and, isnan(graph, first), isnan(graph, second))
        same = graph.make(ops.bitwise_or, same, both)
    return all_(graph, same)


def select(graph: Graph, *operands: Operand) -> Node:
    """The first choice whose condition holds: conditions, as many choices, and what stands elsewhere."""
    count = len(operands) // 2
    conditions, choices = [strong(graph, operand) for operand in operands[:count]], operands[count:]
    for position, condition in enumerate(conditions):
        if condition.dtype is not BOOL:
            raise DTypeError(f"invalid entry {position} in condlist: should be boolean ndarray")
    nodes = match(graph, choices)
    shape = broadcast_shapes(nodes[0].shape, *(condition.shape for condition in conditions))
    *nodes, result = (spread(graph, node, shape) for node in nodes)
    for condition, node in zip(reversed(conditions), reversed(nodes), strict=True):
        result = graph.make(ops.select, spread(graph, condition, shape), node, result)
    return result


def piecewise(graph: Graph, x: Operand, conditions: Sequence[Operand], values: Sequence[Operand]) -> Node:
    """The value of the last condition that holds, in the dtype of `x`; 0 where none does."""
    x = strong(graph, x)
    result = filled(graph, 0, x)
    for condition, value in zip(conditions, values, strict=True):
        node = spread(graph, as_node(graph, value, x.dtype), x.shape)
        result = graph.make(ops.select, spread(graph, truth(graph, condition), x.shape), node, result)
    return result


def angle(graph: Graph, x: Operand, degrees: bool) -> Node:
    """The angle to the positive real axis: of a real number 0, or pi where its sign is negative."""
    result = complex_numbers.angle(graph, x)
    return multiply(graph, result, 180 / math.pi) if degrees else result
