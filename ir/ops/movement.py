"""Movement ops: they rearrange, repeat or make positions and never compute. No kernel contains one."""

from __future__ import annotations

from typing import Any

import numpy

from ..node import Attributes, Given, Inferred, Node, Op, Shape
from ..types import DType

Array = Any


def _infer_reshape(inputs: tuple[Node, ...], attributes: Attributes) -> Inferred:
    (shape,) = attributes
    assert isinstance(shape, tuple)
    size = 1
    for extent in shape:
        size *= extent
    assert size == inputs[0].size, (inputs, shape)
    return shape, inputs[0].dtype


def _infer_permute(inputs: tuple[Node, ...], attributes: Attributes) -> Inferred:
    (axes,) = attributes
    source = inputs[0]
    assert isinstance(axes, tuple) and sorted(axes) == list(range(len(source.shape))), (inputs, axes)
    return tuple(source.shape[axis] for axis in axes), source.dtype


def _infer_broadcast(inputs: tuple[Node, ...], attributes: Attributes) -> Inferred:
    shape, axes = attributes
    source = inputs[0]
    assert isinstance(shape, tuple) and isinstance(axes, tuple)
    if not axes and not source.shape:  # a number: by far the most frequent
        return shape, source.dtype
    assert len(axes) == len(source.shape) and list(axes) == sorted(set(axes)), (inputs, attributes)
    assert all(shape[axis] == extent for axis, extent in zip(axes, source.shape, strict=True)), (
        inputs,
        attributes,
    )
    return shape, source.dtype


def _infer_slice(inputs: tuple[Node, ...], attributes: Attributes) -> Inferred:
    starts, steps, shape = attributes
    source = inputs[0]
    assert isinstance(starts, tuple) and isinstance(steps, tuple) and isinstance(shape, tuple)
    for start, step, extent, whole in zip(starts, steps, shape, source.shape, strict=True):
        assert step != 0 and (
            int(extent) == 0 or (0 <= start < whole and 0 <= start + (extent - 1) * step < whole)
        ), (
            inputs,
            attributes,
        )
    return shape, source.dtype


def _infer_wrap(inputs: tuple[Node, ...], attributes: Attributes) -> Inferred:
    starts, shape = attributes
    source = inputs[0]
    assert isinstance(starts, tuple) and isinstance(shape, tuple)
    for start, extent, whole in zip(starts, shape, source.shape, strict=True):
        assert 0 <= start < max(int(whole), 1) and int(extent) <= 2 * int(whole) - start, (inputs, attributes)
    return shape, source.dtype


def _infer_window(inputs: tuple[Node, ...], attributes: Attributes) -> Inferred:
    shape, axes = attributes
    source = inputs[0]
    assert isinstance(shape, tuple) and isinstance(axes, tuple) and len(axes) == len(source.shape)
    for extent, terms in zip(source.shape, axes, strict=True):
        last = sum(int(shape[axis]) - 1 for axis in terms)
        assert terms and (last < int(extent) or 0 in map(int, shape)), (inputs, attributes)
    assert set(range(len(shape))) == {axis for terms in axes for axis in terms}, attributes
    return shape, source.dtype


def _infer_iota(_inputs: tuple[Node, ...], attributes: Attributes) -> Inferred:
    shape, axis, dtype = attributes
    assert isinstance(shape, tuple) and isinstance(dtype, DType) and isinstance(axis, int)
    assert 0 <= axis < len(shape)
    return shape, dtype


def _infer_undefined(_inputs: tuple[Node, ...], attributes: Attributes) -> Inferred:
    shape, dtype = attributes
    assert isinstance(shape, tuple) and isinstance(dtype, DType)
    return shape, dtype


def slices(starts: Shape, steps: Shape, shape: Shape) -> tuple[slice, ...]:
    """The Python slices that select `shape` elements from `starts` on by `steps`."""
    made = []
    for start, step, extent in zip(starts, steps, shape, strict=True):
        stop = start + extent * step
        made.append(slice(0, 0) if int(extent) == 0 else slice(start, stop if stop >= 0 else None, step))
    return tuple(made)


def _reshape_value(inputs: list[Array], attributes: Given, _node: Node) -> Array:
    return numpy.reshape(inputs[0], attributes[0])


def _permute_value(inputs: list[Array], attributes: Given, _node: Node) -> Array:
    return numpy.transpose(inputs[0], attributes[0])


def _broadcast_value(inputs: list[Array], attributes: Given, _node: Node) -> Array:
    shape, axes = attributes
    spread = [1] * len(shape)
    for axis, extent in zip(axes, inputs[0].shape, strict=True):
        spread[axis] = extent
    return numpy.broadcast_to(numpy.reshape(inputs[0], spread), shape)


def _slice_value(inputs: list[Array], attributes: Given, _node: Node) -> Array:
    return inputs[0][slices(*attributes)]


def _wrap_value(inputs: list[Array], attributes: Given, _node: Node) -> Array:
    value = inputs[0]
    for axis, (start, extent) in enumerate(zip(*attributes, strict=True)):
        value = numpy.take(value, numpy.arange(start, start + extent) % max(value.shape[axis], 1), axis)
    return value


def _window_value(inputs: list[Array], attributes: Given, _node: Node) -> Array:
    shape, axes = attributes
    strides = [0] * len(shape)
    for stride, terms in zip(inputs[0].strides, axes, strict=True):
        for axis in terms:
            strides[axis] += stride
    return numpy.lib.stride_tricks.as_strided(inputs[0], shape, strides)


def _iota_value(_inputs: list[Array], attributes: Given, node: Node) -> Array:
    shape, axis, dtype = attributes
    spread = [1] * len(shape)
    spread[axis] = shape[axis]
    return numpy.broadcast_to(numpy.arange(shape[axis]).astype(dtype.numpy_name).reshape(spread), shape)


def _undefined_value(_inputs: list[Array], _attributes: Given, node: Node) -> Array:
    return numpy.zeros(node.shape, node.dtype.numpy_name)


_SHAPE = frozenset(("shape",))

reshape = Op("reshape", "movement", _infer_reshape, _reshape_value, ("shape",), _SHAPE)
permute = Op("permute", "movement", _infer_permute, _permute_value, ("axes",))
# Axis k of the input is axis axes[k] of the output (ascending); the others repeat. Extents must agree.
broadcast = Op("broadcast", "movement", _infer_broadcast, _broadcast_value, ("shape", "axes"), _SHAPE)
# out[i] = x[start + step * i] on each axis; steps may be negative.
slice_ = Op(
    "slice",
    "movement",
    _infer_slice,
    _slice_value,
    ("starts", "steps", "shape"),
    frozenset(("starts", "steps", "shape")),
)
# out[i] = x[(start + i) mod extent] on each axis, where start + i goes past the end once at most.
wrap = Op("wrap", "movement", _infer_wrap, _wrap_value, ("starts", "shape"), frozenset(("starts", "shape")))
# Axis k of the input is looked at at the sum of the positions on the axes axes[k] of the output: sliding
# windows (two of them) and diagonals (one axis for several of the input).
window = Op("window", "movement", _infer_window, _window_value, ("shape", "axes"), _SHAPE)
# The position along `axis`.
iota = Op("iota", "movement", _infer_iota, _iota_value, ("shape", "axis", "dtype"), _SHAPE)
# Elements nobody may read before writing them (the reference gives zeros).
undefined = Op("undefined", "movement", _infer_undefined, _undefined_value, ("shape", "dtype"), _SHAPE)

OPS = (reshape, permute, broadcast, slice_, wrap, window, iota, undefined)
