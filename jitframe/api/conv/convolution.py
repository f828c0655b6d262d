"""Convolutions of images, volumes and sequences with many channels.

Of an image, the windows are the columns of a matrix, which is multiplied by that of the weights (K.
Chellapilla, S. Puri and P. Simard, "High performance convolutional neural networks for document processing",
IWFHR 2006); the processor packs it piece by piece, devices write it. Where a group has one channel, the sum
over the window is one fused kernel; windows of one place are products at once.
"""

from __future__ import annotations

import math
from typing import Any

from ...base.arguments import integer, word
from ...errors import ArgumentError, ShapeError
from ...functions.products import windows_matmul
from ..calls import call
from ..elementwise.arithmetic import UFUNCS
from ..linear_algebra.products import matmul
from ..registry import public
from .windows import (
    PADDINGS,
    check_windows,
    each_axis,
    image,
    padded,
    real_floats,
    results,
    widths_of,
    windows,
)


def _check_weights(function: str, x: Any, weight: Any, rank: int, groups: int) -> None:
    if weight.ndim != rank + 2:
        raise ShapeError(
            f"{function}: weight is [out, channels / groups, {', '.join('dhw'[3 - rank :])}], and has the "
            "shape "
            f"{tuple(weight.shape)}"
        )
    if x.shape[1] != weight.shape[1] * groups or weight.shape[0] % groups:
        raise ShapeError(
            f"{function}: x has {x.shape[1]} channels, and weight {tuple(weight.shape)} in {groups} groups "
            "takes "
            f"{weight.shape[1] * groups}, and gives a multiple of {groups}"
        )


def with_bias(found: Any, bias: Any, function: str) -> Any:
    if bias is None:
        return found
    if bias.shape != (found.shape[1],):
        raise ShapeError(f"{function}: bias is [{found.shape[1]}], and has the shape {tuple(bias.shape)}")
    return found + bias.reshape((-1, *(1,) * (found.ndim - 2)))


def convolved(x: Any, weight: Any, stride: tuple[int, ...], dilation: tuple[int, ...]) -> Any:
    """[batch, out, *results] of [batch, groups, channels / groups, *space], padded already."""
    batch, groups = x.shape[:2]
    out, inner, *size = weight.shape
    reach = tuple((k - 1) * d + 1 for k, d in zip(size, dilation, strict=True))
    counts = results(tuple(x.shape[3:]), reach, stride)
    places = math.prod(size)
    if places == 1:
        found = x[(..., *(slice(None, None, step) for step in stride))]
    else:
        count = len(size)
        order = (0, 1, 2, *range(3 + count, 3 + 2 * count), *range(3, 3 + count))
        found = windows(x, tuple(size), stride, dilation).transpose(order)
    columns = found.reshape((batch, groups, inner * places, math.prod(counts)))
    rows = weight.reshape((groups, out // groups, inner * places))
    operands = (rows[0], columns[:, 0]) if groups == 1 else (rows, columns)
    made = matmul(*operands) if places == 1 else call(windows_matmul, operands)
    return made.reshape((batch, out, *counts))


def in_groups(x: Any, groups: int) -> Any:
    """[batch, groups, channels / groups, *space]."""
    batch, channels, *space = x.shape
    return x.reshape((batch, groups, channels // groups, *space))


def _convolution(
    rank: int, x: Any, weight: Any, bias: Any, stride: Any, padding: Any, dilation: Any, groups: Any,
    padding_mode: Any, out: Any,
) -> Any:  # fmt: skip
    function = f"conv{rank}d"
    mode = PADDINGS[word(padding_mode, f"{function}: padding_mode", tuple(PADDINGS))]
    array, alone = image(function, real_floats(function, x, "x"), rank)
    weights = real_floats(function, weight, "weight")
    count = integer(groups, f"{function}: groups")
    if count < 1:
        raise ArgumentError(f"{function}: groups is 1 at least, and {count} was given")
    _check_weights(function, array, weights, rank, count)
    steps, spread = (
        each_axis(function, name, value, rank) for name, value in (("stride", stride), ("dilation", dilation))
    )
    reach = tuple((k - 1) * d + 1 for k, d in zip(weights.shape[2:], spread, strict=True))
    widths = widths_of(function, padding, tuple(array.shape[2:]), reach, steps)
    whole = padded(in_groups(array, count), widths, mode)
    check_windows(function, tuple(whole.shape[3:]), reach)
    found = convolved(whole, weights, steps, spread)
    found = with_bias(found, None if bias is None else real_floats(function, bias, "bias"), function)
    found = found[0] if alone else found
    return found if out is None else UFUNCS["positive"](found, out=out)


@public("product", name="nn.conv1d", sample=lambda s: (s.array(1, 2, 5), s.array(2, 2, 3)))
def conv1d(
    x: Any, weight: Any, bias: Any = None, *, stride: Any = 1, padding: Any = 0, dilation: Any = 1,
    groups: Any = 1, padding_mode: str = "zeros", out: Any = None,
) -> Any:  # fmt: skip
    """The convolution of sequences with many channels: sums of products of their windows and the weights.

    `x`: [batch, channels, n], the batch may be missing; `weight`: [out, channels / groups, k]; all else as of
    `conv2d`. Shape: [batch, out, (n + padding - (k - 1) dilation - 1) // stride + 1].

    >>> jf.nn.conv1d(np.arange(4.0).reshape(1, 4), np.array([[[1.0, -1.0]]])).numpy()
    array([[-1., -1., -1.]])
    """
    return _convolution(1, x, weight, bias, stride, padding, dilation, groups, padding_mode, out)


@public("product", name="nn.conv2d", sample=lambda s: (s.array(1, 2, 5, 5), s.array(2, 2, 3, 3)))
def conv2d(
    x: Any, weight: Any, bias: Any = None, *, stride: Any = 1, padding: Any = 0, dilation: Any = 1,
    groups: Any = 1, padding_mode: str = "zeros", out: Any = None,
) -> Any:  # fmt: skip
    """The convolution of images with many channels: sums of products of their windows and the weights.

    `x`: [batch, channels, h, w], the batch may be missing; `weight`: [out, channels / groups, kh, kw];
    `bias`: [out]. `stride`, `dilation`: an integer, or one for each axis: between windows, and in them.
    `padding`: an integer, one for each axis, pairs, "valid" (none), or "same" (n / stride results);
    `padding_mode`: "zeros", "reflect", "replicate" or "circular". `groups`: of channels, each by itself; as
    many as channels are a depthwise convolution. Dtype: the promoted one. The weights are not reversed, as in
    other libraries of neural networks. Raises ShapeError and ArgumentError for what does not fit.

    >>> jf.nn.conv2d(np.ones((1, 1, 4, 4)), np.ones((2, 1, 3, 3)), stride=2, padding="same").numpy()[0, 0]
    array([[9., 6.],
           [6., 4.]])
    """
    return _convolution(2, x, weight, bias, stride, padding, dilation, groups, padding_mode, out)


@public("product", name="nn.conv3d", sample=lambda s: (s.array(1, 1, 3, 3, 3), s.array(2, 1, 2, 2, 2)))
def conv3d(
    x: Any, weight: Any, bias: Any = None, *, stride: Any = 1, padding: Any = 0, dilation: Any = 1,
    groups: Any = 1, padding_mode: str = "zeros", out: Any = None,
) -> Any:  # fmt: skip
    """The convolution of volumes with many channels: sums of products of their windows and the weights.

    `x`: [batch, channels, d, h, w], the batch may be missing; `weight`: [out, channels / groups, kd, kh, kw];
    all else as of `conv2d`.

    >>> jf.nn.conv3d(np.ones((1, 1, 2, 2, 2)), np.ones((1, 1, 2, 2, 2))).numpy().item()
    8.0
    """
    return _convolution(3, x, weight, bias, stride, padding, dilation, groups, padding_mode, out)
