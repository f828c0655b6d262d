"""Activations, and softmax with its relations."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..registry import operator
from ..values import axis_of, dtype_of, positions, public

_softmax, _log_softmax = public("nn.softmax"), public("nn.log_softmax")
_sigmoid, _gelu, _softplus = public("nn.sigmoid"), public("nn.gelu"), public("nn.softplus")


@operator("Relu")
def relu(x: Any, *, consumed_inputs: Any = None) -> Any:
    return np.maximum(x, dtype_of(x).type(0))


@operator("Sigmoid")
def sigmoid(x: Any, *, consumed_inputs: Any = None) -> Any:
    return _sigmoid(x)


@operator("HardSigmoid")
def hard_sigmoid(x: Any, *, alpha: float = 0.2, beta: float = 0.5, consumed_inputs: Any = None) -> Any:
    one = dtype_of(x).type
    return np.maximum(one(0), np.minimum(one(1), x * one(alpha) + one(beta)))


@operator("HardSwish")
def hard_swish(x: Any) -> Any:
    return x * hard_sigmoid(x, alpha=1 / 6, beta=0.5)


@operator("Swish")
def swish(x: Any, *, alpha: float = 1.0) -> Any:
    return x * _sigmoid(x * dtype_of(x).type(alpha))


@operator("LeakyRelu")
def leaky_relu(x: Any, *, alpha: float = 0.01, consumed_inputs: Any = None) -> Any:
    return np.where(x < 0, x * dtype_of(x).type(alpha), x)


@operator("ThresholdedRelu")
def thresholded_relu(x: Any, *, alpha: float = 1.0) -> Any:
    one = dtype_of(x).type
    return np.where(x > one(alpha), x, one(0))


@operator("Elu")
def elu(x: Any, *, alpha: float = 1.0, consumed_inputs: Any = None) -> Any:
    return np.where(x < 0, np.expm1(x) * dtype_of(x).type(alpha), x)


@operator("Selu")
def selu(
    x: Any, *, alpha: float = 1.67326319217681884765625, gamma: float = 1.05070102214813232421875,
    consumed_inputs: Any = None,
) -> Any:  # fmt: skip
    one = dtype_of(x).type
    return one(gamma) * np.where(x > 0, x, np.expm1(x) * one(alpha))


@operator("Celu")
def celu(x: Any, *, alpha: float = 1.0) -> Any:
    one = dtype_of(x).type
    return np.maximum(x, one(0)) + np.minimum(one(0), one(alpha) * np.expm1(x / one(alpha)))


@operator("Gelu")
def gelu(x: Any, *, approximate: str = "none") -> Any:
    return _gelu(x, approximate="tanh" if approximate == "tanh" else "erf")


@operator("Mish")
def mish(x: Any) -> Any:
    return x * np.tanh(_softplus(x))


@operator("Softplus")
def softplus(x: Any) -> Any:
    return _softplus(x)


@operator("Softsign")
def softsign(x: Any) -> Any:
    return x / (dtype_of(x).type(1) + np.abs(x))


@operator("Shrink")
def shrink(x: Any, *, bias: float = 0.0, lambd: float = 0.5) -> Any:
    one = dtype_of(x).type
    return np.where(x < one(-lambd), x + one(bias), np.where(x > one(lambd), x - one(bias), one(0)))


def _in_rows(x: Any, axis: int) -> Any:
    """The matrix that an array was before opset 13: axes before `axis` are rows, the others columns."""
    rows = math.prod(x.shape[: axis_of(axis, x.ndim)])
    return np.reshape(x, (rows, math.prod(x.shape) // rows if rows else 0))


@operator("Softmax")
def softmax_of_rows(x: Any, *, axis: int = 1) -> Any:
    return np.reshape(_softmax(_in_rows(x, axis), axis=-1), x.shape)


@operator("Softmax", since=13)
def softmax(x: Any, *, axis: int = -1) -> Any:
    return _softmax(x, axis=axis)


@operator("LogSoftmax")
def log_softmax_of_rows(x: Any, *, axis: int = 1) -> Any:
    return np.reshape(_log_softmax(_in_rows(x, axis), axis=-1), x.shape)


@operator("LogSoftmax", since=13)
def log_softmax(x: Any, *, axis: int = -1) -> Any:
    return _log_softmax(x, axis=axis)


@operator("Hardmax")
def hardmax_of_rows(x: Any, *, axis: int = 1) -> Any:
    return np.reshape(hardmax(_in_rows(x, axis), axis=-1), x.shape)


@operator("Hardmax", since=13)
def hardmax(x: Any, *, axis: int = -1) -> Any:
    """1 at the first of the largest elements, 0 elsewhere."""
    place = axis_of(axis, x.ndim)
    there = positions(x.shape[place]).reshape((-1, *(1,) * (x.ndim - place - 1)))
    one = dtype_of(x).type
    return np.where(there == np.argmax(x, axis=place, keepdims=True), one(1), one(0))
