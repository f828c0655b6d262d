"""Operators of scalars whose values are known, as Python computes them.

A loop that picks elements of a Tensor and sums them makes no program: computing a scalar is as fast as
recording it. In float64 and int64 Python's numbers have NumPy's bits.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy

from ..arrays.promotion import NUMBERS
from ..functions import elementwise
from ..ir.types import BOOL, F64, I64, DType

_OPERATORS: dict[Callable[..., Any], Callable[[Any, Any], Any]] = {
    elementwise.add: operator.add,
    elementwise.subtract: operator.sub,
    elementwise.multiply: operator.mul,
    elementwise.divide: operator.truediv,
    elementwise.less: operator.lt,
    elementwise.less_equal: operator.le,
    elementwise.greater: operator.gt,
    elementwise.greater_equal: operator.ge,
    elementwise.equal: operator.eq,
    elementwise.not_equal: operator.ne,
}
DTYPES: dict[type, DType] = {float: F64, int: I64, bool: BOOL}
"""The dtypes that NumPy gives Python's numbers."""
_LIMIT = 1 << 63


def computed(function: Callable[..., Any], x: Any, y: Any) -> float | int | bool | None:
    """Returns `function` of two operands, Python numbers or tensors; None where a graph is needed: for
    operands that are no known scalars, or where Python computes another result than NumPy."""
    apply = _OPERATORS.get(function)
    x, y = _number_of(x), _number_of(y)
    if apply is None or x is None or y is None:
        return None
    if x.__class__ is int or y.__class__ is int:
        if not _fits(x) or not _fits(y):
            return None
        if x.__class__ is not y.__class__ or function is elementwise.divide:
            x, y = float(x), float(y)
    if function is elementwise.divide and not y:
        return None
    made: float | int | bool = apply(x, y)
    return made if made.__class__ is not int or _fits(made) else None


def _number_of(operand: Any) -> float | int | None:
    """Returns the Python number of an operand: a number, or a known scalar."""
    kind = operand.__class__
    if kind in NUMBERS:
        return operand if kind is float or kind is int else None
    value, dtype = operand._value, operand._dtype
    if (
        value.__class__ is not numpy.ndarray
        or not operand._is_scalar
        or (dtype is not F64 and dtype is not I64)
    ):
        return None
    found: float | int = value.item()
    return found


def _fits(value: float | int) -> bool:
    return value.__class__ is not int or -_LIMIT <= value < _LIMIT
