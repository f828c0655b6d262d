"""Movement ops: they rearrange, repeat or make positions and never compute. No kernel contains one."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy

from ..expr import ONE, ZERO, lift
from ..index import FIXED, Dim, Dims, Iteration, sum_of
from ..node import Attributes, Given, Graph, Inferred, Node, Op, Shape
from ..structure import Axes, Ranks, Structural, groups_of, sized_window, window_structure
from ..symbolize import Symbols
from ..types import DType
from .formulas import broadcast_formula, permute_formula, slice_formula, window_formula, wrap_formula
from .intervals import iota_interval, same_interval, zero_interval

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
        ), (inputs, attributes)
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


@lru_cache(maxsize=4096)
def slices(starts: Shape, steps: Shape, shape: Shape) -> tuple[slice, ...]:
    """Returns the Python slices that select `shape` elements from `starts` on by `steps`."""
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


# Structure: which axes of the result are axes of the input, and which numbers are new ---------------------
def _reshape_structure(axes: Axes, node: Node, sources: Ranks) -> Structural:
    groups = groups_of(node)
    result: list[int] = []
    for group in groups:
        if group.same:
            result.append(sources[0][group.sources[0]])
        else:
            result.extend([axes.number(node.shape[axis]) for axis in group.targets])
    return tuple([(len(group.sources), len(group.targets), group.same) for group in groups]), tuple(result)


def _permute_structure(_axes: Axes, node: Node, sources: Ranks) -> Structural:
    (order,) = node.attributes
    return order, tuple([sources[0][axis] for axis in order])


def _broadcast_structure(axes: Axes, node: Node, sources: Ranks) -> Structural:
    kept = node.attributes[1]
    at = dict(zip(kept, sources[0], strict=True))
    result = tuple(
        [at[axis] if axis in at else axes.number(extent) for axis, extent in enumerate(node.shape)]
    )
    return (kept, len(result)), result


def _slice_structure(axes: Axes, node: Node, sources: Ranks) -> Structural:
    starts, steps, shape = node.attributes
    return window_structure(axes, starts, steps, shape, node.inputs[0].shape, sources[0])


def _sized_slice(node: Node, shape: Shape, symbols: Symbols) -> Attributes:
    starts, steps, extents = node.attributes
    return (*sized_window(starts, steps, extents, node.inputs[0].shape, symbols.node_sizes), shape)


def kinds_of_wrap(node: Node) -> list[str]:
    """Returns the kind of each axis of a wrap: unchanged, rolled, or of another extent."""
    return [
        "longer" if int(extent) != int(whole) else "turned" if start else "whole"
        for start, extent, whole in zip(*node.attributes, node.inputs[0].shape, strict=True)
    ]


def _wrap_structure(axes: Axes, node: Node, sources: Ranks) -> Structural:
    result: list[int] = []
    kinds = kinds_of_wrap(node)
    for axis, kind in enumerate(kinds):
        if kind != "whole":
            axes.number(node.attribute("starts")[axis])
        result.append(axes.number(node.shape[axis]) if kind == "longer" else sources[0][axis])
    return tuple(kinds), tuple(result)


def _sized_wrap(node: Node, shape: Shape, symbols: Symbols) -> Attributes:
    sizes, starts = symbols.node_sizes, list[int]()
    for kind in kinds_of_wrap(node):
        starts.append(0 if kind == "whole" else next(sizes))
        if kind == "longer":
            next(sizes)
    return tuple(starts), shape


def _same_axes(node: Node) -> dict[int, int]:
    """Returns the axes of a window's result that are whole axes of its input."""
    source, terms = node.inputs[0], node.attribute("axes")
    used = [axis for axes in terms for axis in axes]
    return {
        axes[0]: position
        for position, axes in enumerate(terms)
        if len(axes) == 1
        and used.count(axes[0]) == 1
        and int(source.shape[position]) == int(node.shape[axes[0]])
    }


def _window_structure(axes: Axes, node: Node, sources: Ranks) -> Structural:
    kept = _same_axes(node)
    result = tuple(
        [
            sources[0][kept[axis]] if axis in kept else axes.number(extent)
            for axis, extent in enumerate(node.shape)
        ]
    )
    return (node.attribute("axes"), tuple(kept.items())), result


def _iota_structure(axes: Axes, node: Node, _sources: Ranks) -> Structural:
    _shape, axis, dtype = node.attributes
    return (len(node.shape), axis, dtype), tuple([axes.number(extent) for extent in node.shape])


def _undefined_structure(axes: Axes, node: Node, _sources: Ranks) -> Structural:
    return (len(node.shape), node.dtype), tuple([axes.number(extent) for extent in node.shape])


# Index maps: which element of the input an element of the result is ---------------------------------------
def _permute_map(node: Node, dims: Dims) -> Dims:
    result = list(dims)
    for position, axis in enumerate(node.attribute("axes")):
        result[axis] = dims[position]
    return tuple(result)


def _broadcast_map(node: Node, dims: Dims) -> Dims:
    _shape, axes = node.attributes
    return tuple([dims[axis] for axis in axes])


def _slice_map(node: Node, dims: Dims) -> Dims:
    starts, steps, _shape = node.attributes
    return tuple(
        dim.moved(lift(start), lift(step)) for dim, start, step in zip(dims, starts, steps, strict=True)
    )


def _reshape_map(node: Node, dims: Dims) -> Dims:
    result = [FIXED] * len(node.inputs[0].shape)
    for group in groups_of(node):
        if group.same:
            result[group.sources[0]] = dims[group.targets[0]]
        elif group.sources and group.targets:
            (source,), step, terms = group.sources, ONE, []
            for target in reversed(group.targets):
                terms.append(dims[target].moved(ZERO, step))
                step = step * lift(node.shape[target])
            result[source] = sum_of(terms[::-1])
        else:
            assert len(group.sources) + len(group.targets) == 1, node
    return tuple(result)


def _reshape_folds(node: Node) -> bool:
    """A general reshape is no index map, unless it splits axes of a part of a parameter, which would have to
    be copied otherwise."""
    groups = groups_of(node)
    if all(group.same or len(group.sources) + len(group.targets) == 1 for group in groups):
        return True
    return all(len(group.sources) == 1 or not group.sources for group in groups) and _is_part(node.inputs[0])


def _is_part(node: Node) -> bool:
    """Whether a node is contiguous elements of a parameter."""
    if node.op is not slice_ or any(step != 1 for step in node.attribute("steps")):
        return False
    (source,) = node.inputs
    return source.op.source == "array" or _is_part(source)


def _wrap_map(node: Node, dims: Dims) -> Dims:
    starts, shape = node.attributes
    whole = node.inputs[0].shape
    result = []
    for dim, start, extent, source in zip(dims, starts, shape, whole, strict=True):
        moved = dim.moved(lift(start), ONE)
        unmoved = lift(start) is ZERO and lift(extent) is lift(source)
        result.append(moved if unmoved else sum_of([moved, Dim(Iteration(moved, lift(source)))]))
    return tuple(result)


def _window_map(node: Node, dims: Dims) -> Dims:
    return tuple(sum_of([dims[axis] for axis in axes]) for axes in node.attribute("axes"))


def _broadcast_repetition(node: Node) -> str:
    """New last axes repeat no computation: values are hoisted out of the loop there."""
    kept = node.attribute("axes")
    return "" if tuple(kept) == tuple(range(len(kept))) else "repetition"


def _window_repetition(node: Node) -> str:
    return "window it is in" if any(len(axes) > 1 for axes in node.attribute("axes")) else ""


reshape = Op(
    "reshape",
    "movement",
    _infer_reshape,
    _reshape_value,
    ("shape",),
    _reshape_structure,
    index_map=_reshape_map,
    complete=True,
    folds=_reshape_folds,
    renames=True,
    interval=same_interval,
)
permute = Op(
    "permute",
    "movement",
    _infer_permute,
    _permute_value,
    ("axes",),
    _permute_structure,
    index_map=_permute_map,
    complete=True,
    formula=permute_formula,
    interval=same_interval,
)
# Axis k of the input is axis axes[k] of the output (ascending); the others repeat. Extents must agree.
broadcast = Op(
    "broadcast",
    "movement",
    _infer_broadcast,
    _broadcast_value,
    ("shape", "axes"),
    _broadcast_structure,
    index_map=_broadcast_map,
    complete=True,
    repetition=_broadcast_repetition,
    repeats=True,
    formula=broadcast_formula,
    interval=same_interval,
)
# out[i] = x[start + step * i] on each axis; steps may be negative.
slice_ = Op(
    "slice",
    "movement",
    _infer_slice,
    _slice_value,
    ("starts", "steps", "shape"),
    _slice_structure,
    _sized_slice,
    index_map=_slice_map,
    shift="linear",
    formula=slice_formula,
    interval=same_interval,
)
# out[i] = x[(start + i) mod extent] on each axis, where start + i goes past the end once at most.
wrap = Op(
    "wrap",
    "movement",
    _infer_wrap,
    _wrap_value,
    ("starts", "shape"),
    _wrap_structure,
    _sized_wrap,
    index_map=_wrap_map,
    shift="cyclic",
    keeps_order=True,
    formula=wrap_formula,
    interval=same_interval,
)
# Axis k of the input is looked at at the sum of the positions on the axes axes[k] of the output: sliding
# windows (two of them) and diagonals (one axis for several of the input).
window = Op(
    "window",
    "movement",
    _infer_window,
    _window_value,
    ("shape", "axes"),
    _window_structure,
    index_map=_window_map,
    repetition=_window_repetition,
    formula=window_formula,
    interval=same_interval,
)
# The position along `axis`.
iota = Op(
    "iota",
    "movement",
    _infer_iota,
    _iota_value,
    ("shape", "axis", "dtype"),
    _iota_structure,
    source="index",
    formula=lambda node, _inputs: f"position along axis {node.attribute('axis')}",
    interval=iota_interval,
)
# Elements nobody may read before writing them (the reference gives zeros).
undefined = Op(
    "undefined",
    "movement",
    _infer_undefined,
    _undefined_value,
    ("shape", "dtype"),
    _undefined_structure,
    source="undefined",
    formula=lambda _node, _inputs: "empty",
    interval=zero_interval,
)


@undefined.defines("permuted")
def _permuted_undefined(graph: Graph, node: Node, axes: tuple[int, ...]) -> Node:
    shape, dtype = node.attributes
    return graph.make(undefined, attributes=(tuple(shape[axis] for axis in axes), dtype))


@broadcast.defines("permuted")
def _permuted_broadcast(graph: Graph, node: Node, axes: tuple[int, ...]) -> Node | None:
    (source,), (shape, _) = node.inputs, node.attributes
    if source.shape:
        return None
    return graph.make(broadcast, source, attributes=(tuple(shape[axis] for axis in axes), ()))


@wrap.defines("permuted")
def _permuted_wrap(graph: Graph, node: Node, axes: tuple[int, ...]) -> Node:
    starts, shape = (tuple(attribute[axis] for axis in axes) for attribute in node.attributes)
    return graph.make(wrap, permuted(graph, node.inputs[0], axes), attributes=(starts, shape))


def permuted(graph: Graph, node: Node, axes: tuple[int, ...]) -> Node:
    """Returns a node with its axes in this order."""
    made = None if node.op.permuted is None else node.op.permuted(graph, node, axes)
    return graph.make(permute, node, attributes=(axes,)) if made is None else made


OPS = (reshape, permute, broadcast, slice_, wrap, window, iota, undefined)
