"""Integers with scales and zero points: to them, from them, and products of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...errors import UnsupportedError
from ..registry import operator
from ..values import axis_of, cast, dtype_of, numbered_dtype
from .convolution import conv


def _spread(values: Any, x: Any, axis: int, block: int) -> Any:
    """Scales or zero points of an axis, or of blocks of it, beside the array."""
    if values is None or not values.ndim or (values.ndim == 1 and values.shape[0] == 1):
        return values if values is None or not values.ndim else np.reshape(values, ())
    place = axis_of(axis, x.ndim)
    if values.ndim == 1:
        return np.reshape(values, [-1 if each == place else 1 for each in range(x.ndim)])
    wide = np.repeat(values, block or -(-x.shape[place] // values.shape[place]), axis=place)
    return wide[tuple(slice(0, n) for n in x.shape)]


def rounded(x: Any, zero_point: Any, dtype: np.dtype) -> Any:
    """To the nearest integer, ties to even, and the nearest that the dtype has."""
    if dtype.kind not in "iu" or dtype.itemsize > 2:
        raise UnsupportedError(f"quantization to {dtype} is not supported; int8, uint8, int16 and uint16 are")
    info = np.iinfo(dtype)
    found = np.rint(x)
    if zero_point is not None:
        found = found + cast(zero_point, dtype_of(x))
    return cast(np.clip(found, dtype_of(x).type(info.min), dtype_of(x).type(info.max)), dtype)


@operator("QuantizeLinear")
def quantize_linear(
    x: Any, scale: Any, zero_point: Any = None, *, axis: int = 1, block_size: int = 0, output_dtype: int = 0,
    precision: int = 0, saturate: int = 1,
) -> Any:  # fmt: skip
    dtype = numbered_dtype(output_dtype) if output_dtype else np.dtype(np.uint8)
    dtype = dtype if zero_point is None else dtype_of(zero_point)
    wide = cast(x, np.float32) if dtype_of(x).itemsize < 4 or dtype_of(x).kind != "f" else x
    factor = cast(_spread(scale, x, axis, block_size), dtype_of(wide))
    return rounded(wide / factor, _spread(zero_point, x, axis, block_size), dtype)


@operator("DequantizeLinear")
def dequantize_linear(
    x: Any, scale: Any, zero_point: Any = None, *, axis: int = 1, block_size: int = 0, output_dtype: int = 0
) -> Any:
    dtype = numbered_dtype(output_dtype) if output_dtype else dtype_of(scale)
    factor, zero = (_spread(each, x, axis, block_size) for each in (scale, zero_point))
    wide = cast(x, dtype_of(scale))
    wide = wide if zero is None else wide - cast(zero, dtype_of(scale))
    return cast(wide * factor, dtype)


@operator("DynamicQuantizeLinear")
def dynamic_quantize_linear(x: Any) -> Any:
    zero, steps = np.float32(0), np.float32(255)
    low, high = np.minimum(np.min(x), zero), np.maximum(np.max(x), zero)
    scale = (high - low) / steps
    safe = np.where(scale == zero, np.float32(1), scale)
    zero_point = np.clip(np.rint(-low / safe), zero, steps)
    found = np.clip(np.rint(x / safe) + zero_point, zero, steps)
    return cast(found, np.uint8), scale, cast(zero_point, np.uint8)


def _centered(x: Any, zero_point: Any, axis: int | None = None) -> Any:
    """In int32, less the zero point: one number, or one for each row or channel."""
    wide = cast(x, np.int32)
    if zero_point is None:
        return wide
    zero = cast(zero_point, np.int32)
    if zero.ndim == 1 and axis is not None:
        zero = _spread(zero, x, axis, 0)
    return wide - zero


@operator("MatMulInteger")
def matmul_integer(x: Any, y: Any, x_zero: Any = None, y_zero: Any = None) -> Any:
    return np.matmul(_centered(x, x_zero, -2), _centered(y, y_zero, -1))


@operator("ConvInteger")
def conv_integer(x: Any, weight: Any, x_zero: Any = None, weight_zero: Any = None, **options: Any) -> Any:
    return cast(conv(_centered(x, x_zero), _centered(weight, weight_zero, 0), **options), np.int32)


def _requantized(total: Any, factor: Any, zero_point: Any) -> Any:
    return rounded(cast(total, np.float32) * factor, zero_point, dtype_of(zero_point))


@operator("QLinearMatMul")
def qlinear_matmul(
    x: Any, x_scale: Any, x_zero: Any, y: Any, y_scale: Any, y_zero: Any, scale: Any, zero: Any
) -> Any:
    total = np.matmul(_centered(x, x_zero, -2), _centered(y, y_zero, -1))
    factors = [cast(each, np.float32) for each in (x_scale, y_scale, scale)]
    left, right = _spread(factors[0], x, -2, 0), _spread(factors[1], y, -1, 0)
    return _requantized(total, left * right / factors[2], zero)


@operator("QLinearConv")
def qlinear_conv(
    x: Any, x_scale: Any, x_zero: Any, weight: Any, weight_scale: Any, weight_zero: Any, scale: Any,
    zero: Any, bias: Any = None, **options: Any,
) -> Any:  # fmt: skip
    total = conv_integer(x, weight, x_zero, weight_zero, **options)
    channels = (-1, *(1,) * (x.ndim - 2))
    if bias is not None:
        total = total + np.reshape(bias, channels)
    factor = x_scale * weight_scale / scale
    factor = np.reshape(factor, channels) if factor.ndim and factor.size > 1 else np.reshape(factor, ())
    return _requantized(total, factor, zero)
