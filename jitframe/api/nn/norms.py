"""Normalizations: elements in units of their size or deviation over some axes, then scaled and shifted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...arrays.indexing import normalize_axis
from ...base.arguments import count, shown
from ...errors import ArgumentError, ShapeError
from ..elementwise import transcendental
from ..movement import reshape
from ..reductions import mean as average
from ..registry import public
from .operands import along, axes_of, finished, real, widened

_sqrt = transcendental.UFUNCS["sqrt"]


@public("reduction", name="nn.rms_norm")
def rms_norm(x: Any, weight: Any = None, *, axis: Any = -1, eps: float = 1e-6, out: Any = None) -> Any:
    """`x / sqrt(mean(x**2) + eps)` over an axis or several, times `weight` (Zhang, Sennrich 2019).

    `weight`: an element for each position on these axes. Shape: that of `x`. Dtype: that of floats, else the
    device's usual float. `out`: an array of that shape that the result is written to, which may be `x` or a
    view of it. Raises ShapeError for weights of another shape, AxisError, DTypeError for complex numbers.

    >>> jf.nn.rms_norm([3.0, 4.0], [1.0, 10.0], eps=0.0).numpy().round(3)
    array([ 0.849, 11.314])
    """
    array = real("rms_norm", x)
    axes = axes_of("rms_norm", axis, array)
    wide = widened(array)
    made = wide / _sqrt(average(wide * wide, axis=axes, keepdims=True) + eps)
    return finished(_scaled("rms_norm", made, axes, weight, None), array, out)


@public("reduction", name="nn.layer_norm")
def layer_norm(
    x: Any, weight: Any = None, bias: Any = None, *, axis: Any = -1, eps: float = 1e-5, out: Any = None
) -> Any:
    """`(x - mean(x)) / sqrt(var(x) + eps)` over an axis or several, times `weight`, plus `bias` (Ba and
    others 2016).

    `weight`, `bias`: an element for each position on these axes. Shape, dtype, `out` and errors as of
    `rms_norm`.

    >>> jf.nn.layer_norm([1.0, 3.0], bias=[10.0, 10.0], eps=0.0).numpy()
    array([ 9., 11.])
    """
    array = real("layer_norm", x)
    axes = axes_of("layer_norm", axis, array)
    return finished(
        _scaled("layer_norm", _standard(widened(array), axes, eps), axes, weight, bias), array, out
    )


@public("reduction", name="nn.batch_norm", sample=lambda s: (s.x,))
def batch_norm(
    x: Any, mean: Any = None, var: Any = None, weight: Any = None, bias: Any = None, *, axis: int = 1,
    eps: float = 1e-5, out: Any = None,
) -> Any:  # fmt: skip
    """`(x - mean) / sqrt(var + eps)` for each channel, a position on `axis`, times `weight`, plus `bias`
    (Ioffe, Szegedy 2015).

    `mean`, `var`: of each channel, as training left them; without both, those of `x` over all other axes.
    `weight`, `bias`: an element for each channel. Shape, dtype, `out` and errors as of `rms_norm`;
    ArgumentError where one of `mean` and `var` is given alone.

    >>> jf.nn.batch_norm([[1.0, 5.0], [3.0, 5.0]], eps=0.0625).numpy().round(2)
    array([[-0.97,  0.  ],
           [ 0.97,  0.  ]])
    """
    if (mean is None) != (var is None):
        raise ArgumentError("batch_norm: mean and var go together; give both, or neither")
    array = real("batch_norm", x)
    channels = (normalize_axis(axis, array.ndim),)
    wide = widened(array)
    if mean is None:
        made = _standard(wide, tuple(each for each in range(array.ndim) if each not in channels), eps)
    else:
        middle, spread = (
            along("batch_norm", *each, wide, channels) for each in (("mean", mean), ("var", var))
        )
        made = (wide - middle) / _sqrt(spread + eps)
    return finished(_scaled("batch_norm", made, channels, weight, bias), array, out)


@public("reduction", name="nn.group_norm", sample=lambda s: (s.x, 3))
def group_norm(
    x: Any, groups: int, weight: Any = None, bias: Any = None, *, eps: float = 1e-5, out: Any = None
) -> Any:
    """`layer_norm` of each group of channels with all their positions (Wu, He 2018).

    `x`: [batch, channels, ...]; `groups` divides channels. `weight`, `bias`: an element for each channel.
    Shape, dtype, `out` and errors as of `rms_norm`.

    >>> jf.nn.group_norm([[1.0, 3.0, 10.0, 30.0]], 2, eps=0.0).numpy()
    array([[-1.,  1., -1.,  1.]])
    """
    array, wide = _with_channels("group_norm", x)
    number = count(groups, "group_norm: groups")
    if not number or array.shape[1] % number:
        raise ShapeError(f"group_norm: groups={number} does not divide the channels of x, {shown(array)}")
    apart = reshape(wide, (array.shape[0], number, array.shape[1] // number, *array.shape[2:]))
    made = reshape(_standard(apart, tuple(range(2, apart.ndim)), eps), array.shape)
    return finished(_scaled("group_norm", made, (1,), weight, bias), array, out)


@public("reduction", name="nn.instance_norm", sample=lambda s: (s.array(2, 2, 3),))
def instance_norm(x: Any, weight: Any = None, bias: Any = None, *, eps: float = 1e-5, out: Any = None) -> Any:
    """`layer_norm` of the positions of each channel by itself (Ulyanov and others 2016).

    `x`: [batch, channels, ...], with one axis of positions or more. `weight`, `bias`: an element for each
    channel. Shape, dtype, `out` and errors as of `rms_norm`.

    >>> jf.nn.instance_norm([[[1.0, 3.0], [10.0, 30.0]]], eps=0.0).numpy()
    array([[[-1.,  1.],
            [-1.,  1.]]])
    """
    array, wide = _with_channels("instance_norm", x, 3)
    made = _standard(wide, tuple(range(2, array.ndim)), eps)
    return finished(_scaled("instance_norm", made, (1,), weight, bias), array, out)


def _with_channels(function: str, x: Any, least: int = 2) -> tuple[Any, Any]:
    array = real(function, x)
    if array.ndim < least:
        shape = "[batch, channels, ...]" if least == 2 else "[batch, channels, positions, ...]"
        raise ShapeError(f"{function}: x is {shown(array)}, and takes {shape}")
    return array, widened(array)


def _standard(wide: Any, axes: tuple[int, ...], eps: float) -> Any:
    centered = wide - average(wide, axis=axes, keepdims=True)
    return centered / _sqrt(average(centered * centered, axis=axes, keepdims=True) + eps)


def _scaled(function: str, made: Any, axes: Sequence[int], weight: Any, bias: Any) -> Any:
    if weight is not None:
        made = made * along(function, "weight", weight, made, axes)
    if bias is not None:
        made = made + along(function, "bias", bias, made, axes)
    return made
