"""Convolutions and their transposes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...errors import UnsupportedError
from ..registry import operator
from ..values import dtype_of, lazy, public
from .sampling import sampled

_CONVOLUTIONS = [public(f"nn.conv{rank}d") for rank in (1, 2, 3)]
_TRANSPOSES = [public(f"nn.conv_transpose{rank}d") for rank in (1, 2, 3)]
Widths = list[tuple[int, int]]


def widths_of(
    auto_pad: str, pads: Any, extents: Sequence[int], reach: Sequence[int], strides: Sequence[int]
) -> Widths:
    """What is put before and after each axis of space."""
    rank = len(extents)
    if auto_pad in ("NOTSET", ""):
        sides = tuple(pads or (0,) * (2 * rank))
        return list(zip(sides[:rank], sides[rank:]))
    if auto_pad == "VALID":
        return [(0, 0)] * rank
    made = []
    for extent, window, step in zip(extents, reach, strides):
        total = max((math.ceil(extent / step) - 1) * step + window - extent, 0)
        less, more = total // 2, total - total // 2
        made.append((less, more) if auto_pad == "SAME_UPPER" else (more, less))
    return made


def window_of(weight: Any, dilations: Any) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The dilations, and how far a window reaches."""
    size = tuple(weight.shape[2:])
    spread = tuple(dilations or (1,) * len(size))
    return spread, tuple((k - 1) * d + 1 for k, d in zip(size, spread))


def of_rank(functions: Sequence[Any], rank: int) -> Any:
    if not 1 <= rank <= 3:
        raise UnsupportedError(f"{rank} axes of space are not supported, 1 to 3 are")
    return functions[rank - 1]


@operator("Conv")
def conv(
    x: Any, weight: Any, bias: Any = None, *, auto_pad: str = "NOTSET", dilations: Any = None, group: int = 1,
    kernel_shape: Any = None, pads: Any = None, strides: Any = None,
) -> Any:  # fmt: skip
    rank = x.ndim - 2
    steps = tuple(strides or (1,) * rank)
    spread, reach = window_of(weight, dilations)
    widths = widths_of(auto_pad, pads, tuple(x.shape[2:]), reach, steps)
    return of_rank(_CONVOLUTIONS, rank)(
        x, weight, bias, stride=steps, padding=widths, dilation=spread, groups=group
    )


@operator("ConvTranspose")
def conv_transpose(
    x: Any, weight: Any, bias: Any = None, *, auto_pad: str = "NOTSET", dilations: Any = None, group: int = 1,
    kernel_shape: Any = None, output_padding: Any = None, output_shape: Any = None, pads: Any = None,
    strides: Any = None,
) -> Any:  # fmt: skip
    """The whole transpose, of which the pads are cut off."""
    rank = x.ndim - 2
    steps, more = tuple(strides or (1,) * rank), tuple(output_padding or (0,) * rank)
    spread, reach = window_of(weight, dilations)
    extents = tuple(x.shape[2:])
    whole = [(n - 1) * s + r + p for n, s, r, p in zip(extents, steps, reach, more)]
    if output_shape is not None or auto_pad in ("SAME_UPPER", "SAME_LOWER"):
        wanted = tuple(output_shape or (n * s for n, s in zip(extents, steps)))[-rank:]
        totals = [n - w for n, w in zip(whole, wanted)]
        halves = [(t // 2, t - t // 2) for t in totals]
        widths = [(a, b) if auto_pad == "SAME_UPPER" else (b, a) for a, b in halves]
    else:
        widths = widths_of(auto_pad, pads, extents, reach, steps)
    alike = all(a == b and a >= 0 for a, b in widths)
    transpose = of_rank(_TRANSPOSES, rank)
    allowed = all(p < max(s, d) for p, s, d in zip(more, steps, spread))
    if alike and allowed:
        return transpose(
            x, weight, bias, stride=steps, padding=tuple(a for a, _ in widths), output_padding=more,
            groups=group, dilation=spread,
        )  # fmt: skip
    found = transpose(x, weight, None, stride=steps, groups=group, dilation=spread)
    ends = [(max(-a, 0), max(p - b, 0)) for (a, b), p in zip(widths, more)]
    if any(map(any, ends)):
        found = np.pad(found, [(0, 0), (0, 0), *ends])
    cut = [slice(max(a, 0), max(a, 0) + n - a - b) for n, (a, b) in zip(whole, widths)]
    found = found[(slice(None), slice(None), *cut)]
    return found if bias is None else found + np.reshape(bias, (-1, *(1,) * rank))


@operator("DeformConv", since=19)
def deform_conv(
    x: Any, weight: Any, offset: Any, bias: Any = None, mask: Any = None, *, dilations: Any = None,
    group: int = 1, kernel_shape: Any = None, offset_group: int = 1, pads: Any = None, strides: Any = None,
) -> Any:  # fmt: skip
    """Each place of a window is moved by an offset of its own (J. Dai et al., "Deformable convolutional
    networks", ICCV 2017; with masks X. Zhu et al., 2019), and read between the elements."""
    if x.ndim != 4:
        raise UnsupportedError("deformable convolutions of images alone are supported, of two axes of space")
    steps, sides = tuple(strides or (1, 1)), tuple(pads or (0,) * 4)
    spread, _ = window_of(weight, dilations)
    rows, columns = weight.shape[2:]
    batch, channels = x.shape[:2]
    high, wide = offset.shape[2:]
    dtype, each = dtype_of(x), channels // offset_group
    moved = np.reshape(lazy(offset), (batch, offset_group, rows, columns, 2, high, wide))
    kept = None if mask is None else np.reshape(lazy(mask), (batch, offset_group, rows, columns, high, wide))
    made = []
    for part in range(offset_group):
        own = lazy(x)[:, part * each : (part + 1) * each]
        for row, column in np.ndindex(rows, columns):
            y = (np.arange(high) * steps[0] - sides[0] + row * spread[0]).astype(dtype)[:, None]
            z = (np.arange(wide) * steps[1] - sides[1] + column * spread[1]).astype(dtype)
            found = sampled(own, [moved[:, part, row, column, 0] + y, moved[:, part, row, column, 1] + z])
            made.append(found if kept is None else found * kept[:, part, row, column, None])
    places = rows * columns
    taken = np.reshape(np.stack(made, axis=1), (batch, offset_group, places, each, high * wide))
    taken = np.reshape(np.swapaxes(taken, 2, 3), (batch, group, channels // group * places, high * wide))
    matrices = np.reshape(weight, (group, weight.shape[0] // group, -1))
    result = np.reshape(np.matmul(matrices, taken), (batch, weight.shape[0], high, wide))
    return result if bias is None else result + np.reshape(bias, (-1, 1, 1))
