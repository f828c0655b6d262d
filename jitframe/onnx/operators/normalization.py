"""Norms: of batches, layers, instances, groups, channels."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..registry import operator
from ..values import axis_of, cast, dtype_of


def _by_channel(values: Any, rank: int) -> Any:
    """[channels] beside [batch, channels, *space]."""
    return np.reshape(values, (-1, *(1,) * (rank - 2)))


@operator("BatchNormalization")
def batch_normalization(
    x: Any, scale: Any, bias: Any, mean: Any, variance: Any, *, node: Any, epsilon: float = 1e-5,
    momentum: float = 0.9, spatial: int = 1, is_test: int = 0, training_mode: int = 0,
    consumed_inputs: Any = None,
) -> Any:  # fmt: skip
    dtype = dtype_of(x)
    if not training_mode:
        factor = scale / np.sqrt(variance + dtype_of(variance).type(epsilon))
        shift = bias - mean * factor
        return cast(x * _by_channel(factor, x.ndim) + _by_channel(shift, x.ndim), dtype)
    axes = (0, *range(2, x.ndim))
    now, spread = np.mean(x, axis=axes), np.var(x, axis=axes)
    kept, new = dtype_of(mean).type(momentum), dtype_of(mean).type(1 - momentum)
    factor = scale / np.sqrt(spread + dtype.type(epsilon))
    made = x * _by_channel(factor, x.ndim) + _by_channel(bias - now * factor, x.ndim)
    return (made, mean * kept + now * new, variance * kept + spread * new)[: len(node.outputs)]


def _standardized(x: Any, axes: tuple[int, ...], epsilon: float) -> tuple[Any, Any, Any]:
    """With mean 0 and variance 1 along axes; the mean, and the reciprocal of the deviation."""
    mean = np.mean(x, axis=axes, keepdims=True)
    apart = x - mean
    variance = np.mean(apart * apart, axis=axes, keepdims=True)
    factor = dtype_of(x).type(1) / np.sqrt(variance + dtype_of(x).type(epsilon))
    return apart * factor, mean, factor


def _wide(x: Any, stash_type: int) -> Any:
    """In float32 where a float of 16 bits is computed in that."""
    return cast(x, np.float32) if stash_type == 1 and dtype_of(x).itemsize < 4 else x


@operator("LayerNormalization")
def layer_normalization(
    x: Any, scale: Any, bias: Any = None, *, node: Any, axis: int = -1, epsilon: float = 1e-5,
    stash_type: int = 1,
) -> Any:  # fmt: skip
    axes = tuple(range(axis_of(axis, x.ndim), x.ndim))
    made, mean, factor = _standardized(_wide(x, stash_type), axes, epsilon)
    made = cast(made, dtype_of(x)) * scale
    made = made if bias is None else made + bias
    return (made, mean, factor)[: len(node.outputs)]


@operator("RMSNormalization")
def rms_normalization(
    x: Any, scale: Any, *, axis: int = -1, epsilon: float = 1e-5, stash_type: int = 1
) -> Any:
    axes = tuple(range(axis_of(axis, x.ndim), x.ndim))
    wide = _wide(x, stash_type)
    mean = np.mean(wide * wide, axis=axes, keepdims=True)
    return cast(wide / np.sqrt(mean + dtype_of(wide).type(epsilon)), dtype_of(x)) * scale


@operator("InstanceNormalization")
def instance_normalization(
    x: Any, scale: Any, bias: Any, *, epsilon: float = 1e-5, consumed_inputs: Any = None
) -> Any:
    made, _, _ = _standardized(x, tuple(range(2, x.ndim)), epsilon)
    return made * _by_channel(scale, x.ndim) + _by_channel(bias, x.ndim)


def _groups(x: Any, count: int, epsilon: float, stash_type: int) -> Any:
    apart = np.reshape(_wide(x, stash_type), (x.shape[0], count, -1))
    return cast(np.reshape(_standardized(apart, (2,), epsilon)[0], x.shape), dtype_of(x))


@operator("GroupNormalization", since=18)
def group_normalization_of_groups(
    x: Any, scale: Any, bias: Any, *, num_groups: int, epsilon: float = 1e-5
) -> Any:
    """The scale and bias have an element for each group."""
    each = x.shape[1] // num_groups
    return group_normalization(
        x, np.repeat(scale, each), np.repeat(bias, each), num_groups=num_groups, epsilon=epsilon
    )


@operator("GroupNormalization", since=21)
def group_normalization(
    x: Any, scale: Any, bias: Any, *, num_groups: int, epsilon: float = 1e-5, stash_type: int = 1
) -> Any:
    made = _groups(x, num_groups, epsilon, stash_type)
    return made * _by_channel(scale, x.ndim) + _by_channel(bias, x.ndim)


@operator("LpNormalization")
def lp_normalization(x: Any, *, axis: int = -1, p: int = 2) -> Any:
    """Where the norm is 0, so is the result."""
    norm = np.sum(np.abs(x) if p == 1 else x * x, axis=axis, keepdims=True)
    norm = norm if p == 1 else np.sqrt(norm)
    zero = dtype_of(x).type(0)
    return np.where(norm == zero, zero, x / np.where(norm == zero, dtype_of(x).type(1), norm))


@operator("MeanVarianceNormalization")
def mean_variance_normalization(x: Any, *, axes: Any = (0, 2, 3)) -> Any:
    return _standardized(x, tuple(axes), 1e-9)[0]


@operator("LRN")
def local_response_normalization(
    x: Any, *, size: int, alpha: float = 1e-4, beta: float = 0.75, bias: float = 1.0
) -> Any:
    """By the squares of the channels around each."""
    one, rank = dtype_of(x).type, x.ndim - 2
    widths = [(0, 0), ((size - 1) // 2, math.ceil((size - 1) / 2)), *[(0, 0)] * rank]
    squares = np.pad(x * x, widths)
    total = squares[:, : x.shape[1]]
    for place in range(1, size):
        total = total + squares[:, place : place + x.shape[1]]
    return x / (one(bias) + one(alpha / size) * total) ** one(beta)
