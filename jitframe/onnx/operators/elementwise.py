"""Operators on elements: arithmetic, comparison, logic, bits, casts."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from ...errors import UnsupportedError
from ..registry import Known, operator
from ..values import cast, dtype_of, is_known, lazy, numbered_dtype, public

_OF_ONE: dict[str, Callable[..., Any]] = {
    "Abs": np.abs, "Acos": np.arccos, "Acosh": np.arccosh, "Asin": np.arcsin, "Asinh": np.arcsinh,
    "Atan": np.arctan, "Atanh": np.arctanh, "BitwiseNot": np.bitwise_not, "Ceil": np.ceil, "Cos": np.cos,
    "Cosh": np.cosh, "Erf": public("erf"), "Exp": np.exp, "Floor": np.floor, "IsNaN": np.isnan,
    "Log": np.log, "Neg": np.negative, "Not": np.logical_not, "Reciprocal": np.reciprocal,
    "Round": np.rint, "Sign": np.sign, "Sin": np.sin, "Sinh": np.sinh, "Sqrt": np.sqrt, "Tan": np.tan,
    "Tanh": np.tanh,
}  # fmt: skip
_OF_TWO: dict[str, Callable[..., Any]] = {
    "And": np.logical_and, "BitwiseAnd": np.bitwise_and, "BitwiseOr": np.bitwise_or,
    "BitwiseXor": np.bitwise_xor, "Equal": np.equal, "Greater": np.greater,
    "GreaterOrEqual": np.greater_equal, "Less": np.less, "LessOrEqual": np.less_equal, "Or": np.logical_or,
    "Xor": np.logical_xor,
}  # fmt: skip
_ARITHMETIC: dict[str, Callable[..., Any]] = {
    "Add": np.add, "Mul": np.multiply, "Sub": np.subtract,
}  # fmt: skip
_OF_MANY: dict[str, Callable[..., Any]] = {"Max": np.maximum, "Min": np.minimum, "Sum": np.add}


def _of_one(function: Callable[..., Any]) -> Callable[..., Any]:
    def computed(x: Any, *, consumed_inputs: Any = None) -> Any:
        return function(x)

    return computed


def _of_two(function: Callable[..., Any]) -> Callable[..., Any]:
    def computed(x: Any, y: Any) -> Any:
        return function(x, y)

    return computed


def _broadcast(x: Any, y: Any, axis: int | None) -> Any:
    """The second operand as it was before opset 7: its axes are those of the first from `axis` on."""
    if axis is None:
        return y
    return np.reshape(y, (*y.shape, *(1,) * (x.ndim - int(axis) % max(x.ndim, 1) - y.ndim)))


def _of_two_before_7(function: Callable[..., Any]) -> Callable[..., Any]:
    def computed(
        x: Any, y: Any, *, axis: int | None = None, broadcast: int = 0, consumed_inputs: Any = None
    ) -> Any:
        return function(x, _broadcast(x, y, axis))

    return computed


def _of_many(function: Callable[..., Any]) -> Callable[..., Any]:
    def computed(*values: Any, consumed_inputs: Any = None) -> Any:
        return functools.reduce(function, values)

    return computed


for _name, _function in _OF_ONE.items():
    operator(_name)(_of_one(_function))
for _name, _function in {**_OF_TWO, **_ARITHMETIC}.items():
    operator(_name)(_of_two_before_7(_function))
    operator(_name, since=7)(_of_two(_function))
for _name, _function in _OF_MANY.items():
    operator(_name)(_of_many(_function))


@operator("Mean")
def mean(*values: Any, consumed_inputs: Any = None) -> Any:
    return functools.reduce(np.add, values) / dtype_of(values[0]).type(len(values))


def divided(x: Any, y: Any) -> Any:
    """The quotient; of integers it is rounded towards zero."""
    kind = dtype_of(x).kind
    if kind not in "iu":
        return np.true_divide(x, y)
    if kind == "u":
        return np.floor_divide(x, y)
    found = np.floor_divide(x, y)
    return found + cast((np.bitwise_xor(x, y) < 0) & (found * y != x), dtype_of(x))


operator("Div")(_of_two_before_7(divided))
operator("Div", since=7)(_of_two(divided))


def power(x: Any, y: Any) -> Any:
    """The power, in the dtype of the base."""
    dtype = dtype_of(x)
    if dtype.kind in "iu" and dtype_of(y).kind == "i":
        # Negative exponents are not defined.
        y = cast(y, np.uint64)
        return cast(np.power(cast(x, np.uint64), y), dtype)
    elif dtype.kind == "f" and dtype_of(y).kind in "iu":
        y = cast(y, dtype)
    return cast(np.power(x, y), dtype)


operator("Pow")(_of_two_before_7(power))
operator("Pow", since=7)(_of_two(power))


@operator("Mod")
def modulo(x: Any, y: Any, *, fmod: int = 0) -> Any:
    return np.fmod(x, y) if fmod else np.mod(x, y)


@operator("PRelu")
def prelu(x: Any, slope: Any, *, consumed_inputs: Any = None) -> Any:
    if x.ndim > 2 and slope.ndim == 1 and slope.shape[0] == x.shape[1] != x.shape[-1]:
        slope = np.reshape(slope, (-1, *(1,) * (x.ndim - 2)))  # one for each channel, as before opset 7
    return np.where(x < 0, x * slope, x)


@operator("Clip")
def clip(
    x: Any, low: Any = None, high: Any = None, *, min: float | None = None, max: float | None = None,
    consumed_inputs: Any = None,
) -> Any:  # fmt: skip
    dtype = dtype_of(x)
    low = dtype.type(min) if low is None and min is not None else low
    high = dtype.type(max) if high is None and max is not None else high
    x = x if low is None else np.maximum(x, low)
    return x if high is None else np.minimum(x, high)


@operator("BitShift")
def bit_shift(x: Any, y: Any, *, direction: str) -> Any:
    bits = dtype_of(x).itemsize * 8
    inside = y < bits
    shift = np.left_shift if direction == "LEFT" else np.right_shift
    y = np.where(inside, y, dtype_of(x).type(0))
    empty = dtype_of(x).type(0)
    if direction == "RIGHT" and dtype_of(x).kind == "i":
        empty = np.where(x < 0, dtype_of(x).type(-1), empty)
    return np.where(inside, shift(x, y), empty)


@operator("IsInf")
def is_inf(x: Any, *, detect_negative: int = 1, detect_positive: int = 1) -> Any:
    found = np.isinf(x)
    if not detect_negative:
        found = found & (x > 0)
    if not detect_positive:
        found = found & (x < 0)
    return found


@operator("Where")
def where(condition: Any, x: Any, y: Any) -> Any:
    return np.where(condition, x, y)


@operator("Identity")
def identity(x: Any) -> Any:
    return x


@operator("Dropout")
def dropout_by_attribute(
    x: Any, *, node: Any, ratio: float = 0.5, is_test: int = 1, consumed_inputs: Any = None
) -> Any:
    """All elements stay, and so the mask says."""
    return x if len(node.outputs) == 1 else (x, np.ones(tuple(x.shape), bool))


@operator("Dropout", since=12)
def dropout(
    x: Any, ratio: Known | None = None, training_mode: Known | None = None, *, node: Any, seed: int = 0
) -> Any:
    drops = ratio is None or float(np.asarray(ratio).item()) > 0
    if training_mode is not None and np.all(training_mode) and drops:
        raise UnsupportedError("training is not supported: dropout draws what it leaves out")
    return dropout_by_attribute(x, node=node)


@operator("Cast")
def cast_to(x: Any, *, to: int | str, saturate: int = 1, round_mode: str = "up") -> Any:
    return converted(x, numbered_dtype(to) if isinstance(to, int) else np.dtype(to.lower()))


@operator("CastLike")
def cast_like(x: Any, like: Any, *, saturate: int = 1, round_mode: str = "up") -> Any:
    return converted(x, dtype_of(like))


def converted(x: Any, dtype: np.dtype) -> Any:
    if dtype.kind == "b":
        return x != dtype_of(x).type(0)
    return cast(x, dtype)


@operator("BitCast")
def bit_cast(x: Any, *, to: int) -> Any:
    dtype = numbered_dtype(to)
    return np.asarray(x).view(dtype) if is_known(x) else lazy(x).view(dtype)
