"""Operators that change shapes or make arrays: reshape, transpose, slices, joins, padding, ranges."""

from __future__ import annotations

import math
from typing import Any, Literal

import numpy as np

from ...errors import ShapeError
from ..registry import Known, operator
from ..values import axis_of, dtype_of, integers, lazy, numbered_dtype, positions


@operator("Shape")
def shape(x: Any, *, start: int = 0, end: int | None = None) -> Any:
    return np.array(tuple(x.shape)[start:end], np.int64)


@operator("Size")
def size(x: Any) -> Any:
    return np.array(math.prod(x.shape), np.int64)


@operator("Reshape")
def reshape_by_attribute(x: Any, *, shape: Any, consumed_inputs: Any = None) -> Any:
    return reshape(x, np.array(shape))


@operator("Reshape", since=5)
def reshape(x: Any, shape: Known, *, allowzero: int = 0) -> Any:
    """0 stands for the extent that is there, -1 for the rest."""
    wanted = integers(shape)
    kept = () if allowzero else tuple(place for place, n in enumerate(wanted) if n == 0)
    left = math.prod(n for place, n in enumerate(x.shape) if place not in kept)
    rest = left // max(math.prod(n for n in wanted if n > 0), 1)
    return np.reshape(
        x,
        tuple(x.shape[place] if place in kept else rest if n == -1 else n for place, n in enumerate(wanted)),
    )


@operator("Flatten")
def flatten(x: Any, *, axis: int = 1) -> Any:
    rows = math.prod(x.shape[: axis_of(axis, x.ndim)])
    return np.reshape(x, (rows, math.prod(x.shape[axis_of(axis, x.ndim) :])))


@operator("Squeeze")
def squeeze_by_attribute(x: Any, *, axes: Any = None) -> Any:
    return np.squeeze(x, None if axes is None else tuple(axes))


@operator("Squeeze", since=13)
def squeeze(x: Any, axes: Known | None = None) -> Any:
    return np.squeeze(x, None if axes is None else integers(axes))


@operator("Unsqueeze")
def unsqueeze_by_attribute(x: Any, *, axes: Any) -> Any:
    return np.expand_dims(x, tuple(axes))


@operator("Unsqueeze", since=13)
def unsqueeze(x: Any, axes: Known) -> Any:
    return np.expand_dims(x, integers(axes))


@operator("Transpose")
def transpose(x: Any, *, perm: Any = None) -> Any:
    return np.transpose(x, None if perm is None else tuple(perm))


@operator("Expand")
def expand(x: Any, shape: Known) -> Any:
    return np.broadcast_to(x, np.broadcast_shapes(tuple(x.shape), integers(shape)))


@operator("Tile")
def tile_along_an_axis(x: Any, tiles: Known, axis: Known) -> Any:
    counts = [1] * x.ndim
    counts[int(np.asarray(axis).item())] = int(np.asarray(tiles).item())
    return np.tile(x, tuple(counts))


@operator("Tile", since=6)
def tile(x: Any, repeats: Known) -> Any:
    return np.tile(x, integers(repeats))


@operator("Concat")
def concat(*values: Any, axis: int = 1) -> Any:
    return np.concatenate(values, axis=axis)


def _split(x: Any, axis: int, lengths: tuple[int, ...]) -> tuple[Any, ...]:
    place, begin, made = axis_of(axis, x.ndim), 0, []
    if sum(lengths) != x.shape[place]:
        raise ShapeError(f"the parts {list(lengths)} are not all of axis {place}, of extent {x.shape[place]}")
    for length in lengths:
        made.append(x[(*[slice(None)] * place, slice(begin, begin + length))])
        begin += length
    return tuple(made)


def _parts(extent: int, count: int) -> tuple[int, ...]:
    """Equal parts, the last of which may be smaller."""
    each = -(-extent // count)
    return tuple(min(each, max(extent - each * number, 0)) for number in range(count))


@operator("Split")
def split_by_attribute(
    x: Any, given: Known | None = None, *, node: Any, axis: int = 0, split: Any = None
) -> Any:
    lengths = split if split is not None else (None if given is None else integers(given))
    return _split(x, axis, lengths or _parts(x.shape[axis], len(node.outputs)))


@operator("Split", since=13)
def split(x: Any, split: Known | None = None, *, node: Any, axis: int = 0, num_outputs: int = 0) -> Any:
    if split is None:
        return _split(x, axis, _parts(x.shape[axis], num_outputs or len(node.outputs)))
    return _split(x, axis, integers(split))


def _slice(x: Any, starts: Any, ends: Any, axes: Any, steps: Any) -> Any:
    places = range(len(starts)) if axes is None else axes
    index: list[Any] = [slice(None)] * x.ndim
    for start, end, axis, step in zip(starts, ends, places, steps or (1,) * len(starts)):
        extent = x.shape[axis]
        least, most = (-1, extent - 1) if step < 0 else (0, extent)
        begin, stop = (min(max(each + extent if each < 0 else each, least), most) for each in (start, end))
        begin = max(begin, 0) if step > 0 else begin
        if step < 0 and begin < 0:
            stop, begin = 0, 0
        index[axis] = slice(begin, None if stop < 0 else stop, step)
    return x[tuple(index)]


@operator("Slice")
def slice_by_attribute(x: Any, *, starts: Any, ends: Any, axes: Any = None) -> Any:
    return _slice(x, starts, ends, axes, None)


@operator("Slice", since=10)
def slice_by_input(
    x: Any, starts: Known, ends: Known, axes: Known | None = None, steps: Known | None = None
) -> Any:
    chosen = None if axes is None else integers(axes)
    return _slice(x, integers(starts), integers(ends), chosen, None if steps is None else integers(steps))


_MODES: dict[str, Literal["reflect", "edge", "wrap"]] = {
    "reflect": "reflect",
    "edge": "edge",
    "wrap": "wrap",
}


def _pad(x: Any, pads: tuple[int, ...], mode: str, value: Any) -> Any:
    """Negative widths cut off."""
    count = len(pads) // 2
    widths = list(zip(pads[:count], pads[count:]))
    cut = tuple(slice(max(-before, 0), n - max(-after, 0)) for n, (before, after) in zip(x.shape, widths))
    if any(before < 0 or after < 0 for before, after in widths):
        x = x[cut]
    widths = [(max(before, 0), max(after, 0)) for before, after in widths]
    if not any(map(any, widths)):
        return x
    if mode == "constant":
        return np.pad(x, widths, constant_values=value)
    return np.pad(x, widths, _MODES[mode])


@operator("Pad")
def pad_by_attribute(
    x: Any, *, pads: Any = None, paddings: Any = None, mode: str = "constant", value: float = 0.0
) -> Any:
    return _pad(x, tuple(pads or paddings), mode, dtype_of(x).type(value))


@operator("Pad", since=11)
def pad(
    x: Any, pads: Known, value: Known | None = None, axes: Known | None = None, *, mode: str = "constant"
) -> Any:
    widths = integers(pads)
    if axes is not None:
        chosen, count = [axis_of(each, x.ndim) for each in integers(axes)], len(widths) // 2
        whole = [0] * (2 * x.ndim)
        for place, axis in enumerate(chosen):
            whole[axis], whole[axis + x.ndim] = widths[place], widths[place + count]
        widths = tuple(whole)
    filling = dtype_of(x).type(0) if value is None else np.asarray(value).reshape(-1)[0]
    return _pad(x, widths, mode, filling)


@operator("Constant")
def constant(
    *, value: Any = None, value_float: float | None = None, value_floats: Any = None,
    value_int: int | None = None, value_ints: Any = None, sparse_value: Any = None,
) -> Any:  # fmt: skip
    if value is not None or sparse_value is not None:
        return value if value is not None else sparse_value
    if value_float is not None or value_floats is not None:
        return np.array(value_floats if value_float is None else value_float, np.float32)
    return np.array(value_ints if value_int is None else value_int, np.int64)


@operator("ConstantOfShape")
def constant_of_shape(shape: Known, *, value: Any = None) -> Any:
    filling = np.zeros(1, np.float32) if value is None else value
    return np.full(integers(shape), filling.reshape(-1)[0], filling.dtype)


@operator("Range")
def range_of(start: Known, limit: Known, delta: Known, *, stash_type: int = 1) -> Any:
    first, last, step = (np.asarray(array).reshape(-1)[0] for array in (start, limit, delta))
    count = max(math.ceil((float(last) - float(first)) / float(step)), 0)
    return (first + np.arange(count).astype(first.dtype) * step).astype(first.dtype)


@operator("EyeLike")
def eye_like(x: Any, *, dtype: int | None = None, k: int = 0) -> Any:
    rows, columns = x.shape
    return np.eye(rows, columns, k, dtype=dtype_of(x) if dtype is None else numbered_dtype(dtype))


@operator("Trilu")
def trilu(x: Any, k: Known | None = None, *, upper: int = 1) -> Any:
    diagonal = 0 if k is None else int(np.asarray(k).reshape(-1)[0])
    rows, columns = positions(x.shape[-2])[:, None], positions(x.shape[-1])
    kept = columns - rows >= diagonal if upper else columns - rows <= diagonal
    return np.where(kept, x, dtype_of(x).type(0))


@operator("DepthToSpace")
def depth_to_space(x: Any, *, blocksize: int, mode: str = "DCR") -> Any:
    batch, depth, height, width = x.shape
    kept = depth // blocksize**2
    if mode == "DCR":
        apart = np.reshape(x, (batch, blocksize, blocksize, kept, height, width))
        moved = np.transpose(apart, (0, 3, 4, 1, 5, 2))
    else:
        apart = np.reshape(x, (batch, kept, blocksize, blocksize, height, width))
        moved = np.transpose(apart, (0, 1, 4, 2, 5, 3))
    return np.reshape(moved, (batch, kept, height * blocksize, width * blocksize))


@operator("SpaceToDepth")
def space_to_depth(x: Any, *, blocksize: int, mode: str = "DCR") -> Any:
    batch, depth, height, width = x.shape
    apart = np.reshape(x, (batch, depth, height // blocksize, blocksize, width // blocksize, blocksize))
    order = (0, 3, 5, 1, 2, 4) if mode == "DCR" else (0, 1, 3, 5, 2, 4)
    return np.reshape(
        np.transpose(apart, order),
        (batch, depth * blocksize**2, height // blocksize, width // blocksize),
    )


@operator("CenterCropPad")
def center_crop_pad(x: Any, shape: Known, *, axes: Any = None) -> Any:
    """Cut off or padded with zeros on both sides alike; what is odd goes to the end."""
    chosen = range(x.ndim) if axes is None else [axis_of(each, x.ndim) for each in axes]
    widths = [0] * (2 * x.ndim)
    for axis, wanted in zip(chosen, integers(shape)):
        more = wanted - x.shape[axis]
        before = more // 2 if more > 0 else -((-more) // 2)
        widths[axis], widths[axis + x.ndim] = before, more - before
    return _pad(x, tuple(widths), "constant", dtype_of(x).type(0))


@operator("ReverseSequence")
def reverse_sequence(x: Any, lengths: Any, *, batch_axis: int = 1, time_axis: int = 0) -> Any:
    """The first elements of each sequence in reverse, as many as its length says."""
    batch, time = axis_of(batch_axis, x.ndim), axis_of(time_axis, x.ndim)
    steps = positions(x.shape[time])
    counts = np.reshape(lengths, (-1, 1))
    places = np.where(steps < counts, counts - 1 - steps, steps)
    places = places if batch < time else np.transpose(places)
    spread = [n if axis in (batch, time) else 1 for axis, n in enumerate(x.shape)]
    index = np.broadcast_to(np.reshape(places, tuple(spread)), tuple(x.shape))
    return np.take_along_axis(lazy(x), lazy(index), axis=time)


@operator("Col2Im")
def col2im(
    x: Any, image_shape: Known, block_shape: Known, *, dilations: Any = None, pads: Any = None,
    strides: Any = None,
) -> Any:  # fmt: skip
    """Columns, each of one window, added up where they came from."""
    image, block = integers(image_shape), integers(block_shape)
    rank = len(image)
    spread, steps = dilations or (1,) * rank, strides or (1,) * rank
    sides = pads or (0,) * (2 * rank)
    whole = [n + sides[axis] + sides[axis + rank] for axis, n in enumerate(image)]
    counts = [(n - d * (k - 1) - 1) // s + 1 for n, d, k, s in zip(whole, spread, block, steps, strict=True)]
    channels = x.shape[1] // math.prod(block)
    apart = lazy(np.reshape(x, (x.shape[0], channels, *block, *counts)))
    total: Any = None
    for place in np.ndindex(*block):
        part = apart[(slice(None), slice(None), *place)]
        for axis, (k, d, s, n) in enumerate(zip(place, spread, steps, whole, strict=True)):
            part = _spread_along(part, 2 + axis, k * d, s, n)
        total = part if total is None else total + part
    inner = tuple(slice(sides[axis], sides[axis] + n) for axis, n in enumerate(image))
    return total[(slice(None), slice(None), *inner)]


def _spread_along(x: Any, axis: int, begin: int, step: int, extent: int) -> Any:
    """Elements of an axis at places `begin`, `begin + step`, … of one of the extent."""
    places = positions(extent) - begin
    inside = (places >= 0) & (places % step == 0) & (places // step < x.shape[axis])
    taken = np.take(x, np.where(inside, places // step, 0), axis=axis)
    mask = inside.reshape((-1, *(1,) * (x.ndim - axis - 1)))
    return np.where(mask, taken, dtype_of(x).type(0))
