"""Reads and writes at positions known at run time.

`axes` are the axes of the array that index arrays stand for, ascending, one index array for each; all index
arrays have one shape, which stands in the result at axis `position`, among the axes that are left. A position
counts from the end where it is negative, and one outside the array is an error that the plan reports; where
`known[k]` holds, those of array k are certainly in range and not negative.

`labels` are the axes as the user counts them, for messages, or keys of `NO_AXIS`. `site` tells a node from
others of its program, so that an error finds it (see `structure.sites`); it is 0 until sizes are taken out.
"""

from __future__ import annotations

from typing import Any

import numpy

from ..expr import lift
from ..index import Dims
from ..node import Attributes, Given, Inferred, Node, Op, Shape
from ..structure import Axes, Ranks, Structural, sized_window, window_structure
from ..symbolize import Symbols

Array = Any


def gathered_shape(source: Shape, index: Shape, axes: Shape, position: int) -> Shape:
    """Returns the shape of the elements that are read or written."""
    rest = tuple(extent for axis, extent in enumerate(source) if axis not in axes)
    return rest[:position] + index + rest[position:]


def _check(source: Node, indices: tuple[Node, ...], attributes: Attributes) -> Shape:
    axes, position, known, labels = attributes
    assert isinstance(axes, tuple) and isinstance(known, tuple) and isinstance(labels, tuple)
    assert indices and len(indices) == len(axes) == len(known) == len(labels), (indices, attributes)
    assert list(axes) == sorted(set(axes)) and all(0 <= axis < len(source.shape) for axis in axes), attributes
    assert isinstance(position, int) and 0 <= position <= len(source.shape) - len(axes), attributes
    first = indices[0].shape
    assert all(index.dtype.kind in ("int", "uint") and index.shape == first for index in indices), indices
    return gathered_shape(source.shape, first, axes, position)


def _infer_gather(inputs: tuple[Node, ...], attributes: Attributes) -> Inferred:
    axes, position, known, labels, _site = attributes
    source, *indices = inputs
    return _check(source, tuple(indices), (axes, position, known, labels)), source.dtype


def _infer_scatter(inputs: tuple[Node, ...], attributes: Attributes) -> Inferred:
    axes, position, kind, known, labels, unique, _site = attributes
    base, value, *indices = inputs
    shape = _check(base, tuple(indices), (axes, position, known, labels))
    assert value.shape == shape and value.dtype is base.dtype, (inputs, shape)
    assert kind == "set" or base.dtype.kind in COMBINERS[str(kind)][1], attributes
    assert isinstance(unique, bool)
    return base.shape, base.dtype


def _moved(source: Array, axes: Shape) -> Array:
    """Returns a view with the indexed axes first."""
    rest = [axis for axis in range(source.ndim) if axis not in axes]
    return numpy.transpose(source, (*axes, *rest))


def _gather_value(inputs: list[Array], attributes: Given, _node: Node) -> Array:
    axes, position = attributes[:2]
    source, *indices = inputs
    rank = indices[0].ndim
    try:
        taken = _moved(source, axes)[tuple(indices)]
    except IndexError:
        if attributes[3][0] == SORTER:
            raise ValueError(NO_AXIS[SORTER][1]) from None
        raise
    return numpy.moveaxis(numpy.asarray(taken), range(rank), range(position, position + rank))


def _scatter_value(inputs: list[Array], attributes: Given, _node: Node) -> Array:
    axes, position, kind = attributes[:3]
    base, value, *indices = inputs
    rank = indices[0].ndim
    result = numpy.array(base)
    target = _moved(result, axes)
    part = numpy.moveaxis(value, range(position, position + rank), range(rank))
    with numpy.errstate(all="ignore"):
        if kind == "set":
            target[tuple(indices)] = part
        else:
            COMBINERS[kind][0].at(target, tuple(indices), part)
    return result


def _infer_window_scatter(inputs: tuple[Node, ...], attributes: Attributes) -> Inferred:
    axes, position, _, known, labels, unique, _, starts, steps = attributes
    base, value, *indices = inputs
    assert isinstance(starts, tuple) and isinstance(steps, tuple) and isinstance(axes, tuple), attributes
    _check(base, tuple(indices), (axes, position, known, labels))
    assert unique and not indices[0].shape and value.dtype is base.dtype, (inputs, attributes)
    assert len(value.shape) + len(axes) == len(starts) == len(steps) == len(base.shape), (inputs, attributes)
    return base.shape, base.dtype


def _window_scatter_value(inputs: list[Array], attributes: Given, node: Node) -> Array:
    base, value, *indices = inputs
    *own, starts, steps = attributes
    rest = iter(value.shape)
    window = numpy.ix_(
        *(
            numpy.arange(extent) if axis in own[0] else start + step * numpy.arange(next(rest))
            for axis, (extent, start, step) in enumerate(
                zip(base.shape, map(int, starts), map(int, steps), strict=True)
            )
        )
    )
    result = numpy.array(base)
    result[window] = _scatter_value([result[window], value, *indices], tuple(own), node)
    return result


def _window_map(node: Node, dims: Dims) -> Dims:
    """Returns the index map of the base, from that of its rows' windows."""
    starts, steps = node.attribute("starts"), node.attribute("steps")
    return tuple(
        dim.moved(lift(start), lift(step)) for dim, start, step in zip(dims, starts, steps, strict=True)
    )


_INTEGERS = ("int", "uint")
_NUMBERS = (*_INTEGERS, "float")
_SUMMED = (*_NUMBERS, "complex")

COMBINERS: dict[str, tuple[Any, tuple[str, ...]]] = {
    "add": (numpy.add, _SUMMED),
    "mul": (numpy.multiply, _NUMBERS),
    "div": (numpy.divide, ("float",)),
    "minimum": (numpy.minimum, ("bool", *_NUMBERS)),
    "maximum": (numpy.maximum, ("bool", *_NUMBERS)),
    "and": (numpy.bitwise_and, ("bool", *_INTEGERS)),
    "or": (numpy.bitwise_or, ("bool", *_INTEGERS)),
    "xor": (numpy.bitwise_xor, ("bool", *_INTEGERS)),
    "floordiv": (numpy.floor_divide, _INTEGERS),
    "floormod": (numpy.remainder, _INTEGERS),
    "shift_left": (numpy.left_shift, _INTEGERS),
    "shift_right": (numpy.right_shift, _INTEGERS),
}
"""The kinds of `scatter` besides `set`, by the combining kernel instruction: NumPy's functions, and their
kinds of dtypes."""


def _gather_structure(axes: Axes, node: Node, sources: Ranks) -> Structural:
    return node.attributes, _indexed_axes(axes, node, sources[0], sources[1:])


def _scatter_structure(axes: Axes, node: Node, sources: Ranks) -> Structural:
    axes.unify(_indexed_axes(axes, node, sources[0], sources[2:]), sources[1])
    return node.attributes, sources[0]


def _window_scatter_structure(axes: Axes, node: Node, sources: Ranks) -> Structural:
    *own, starts, steps = node.attributes
    detail, window = window_structure(axes, starts, steps, window_of(node), node.inputs[0].shape, sources[0])
    rest = tuple(number for axis, number in enumerate(window) if axis not in own[0])
    axes.unify(rest, sources[1])
    return (*own, detail), sources[0]


def window_of(node: Node) -> Shape:
    """Returns the extents of a scatter's target, with indexed axes taken whole."""
    base, value = node.inputs[:2]
    rest, gone = iter(value.shape), node.attribute("axes")
    return tuple(extent if axis in gone else next(rest) for axis, extent in enumerate(base.shape))


def _indexed_axes(axes: Axes, node: Node, source: tuple[int, ...], indices: Ranks) -> tuple[int, ...]:
    """Returns the axes that are read or written at run-time positions."""
    for other in indices[1:]:
        axes.unify(indices[0], other)
    gone, position = node.attribute("axes"), node.attribute("position")
    rest = tuple(number for axis, number in enumerate(source) if axis not in gone)
    return rest[:position] + indices[0] + rest[position:]


SORTER = -3
NO_AXIS = {
    -1: ("index", "list index out of range"),
    -2: ("index", "list assignment index out of range"),
    SORTER: ("argument", "Sorter index out of range."),
}
"""The kind of error and its words for out-of-bounds positions that are on no axis to the user, by their
labels: of a list, and of the result of argsort."""


def _fault(node: Node, number: int, noted: int) -> tuple[str, str]:
    """`noted`: the position, spelled without a sign (see `lower.writer`)."""
    index = -(noted >> 1) - 1 if noted & 1 else noted >> 1
    axis, label = node.attribute("axes")[number], node.attribute("labels")[number]
    if label in NO_AXIS:
        return NO_AXIS[label]
    extent = int(node.inputs[0].shape[axis])
    return "index", f"index {index} is out of bounds for axis {label} with size {extent}"


def _with_site(node: Node, _shape: Shape, symbols: Symbols) -> Attributes:
    return (*node.attributes[:-1], symbols.site())


def _sized_window_scatter(node: Node, _shape: Shape, symbols: Symbols) -> Attributes:
    *own, _, starts, steps = node.attributes
    sized = sized_window(starts, steps, window_of(node), node.inputs[0].shape, symbols.node_sizes)
    return (*own, symbols.site(), *sized)


# x at the positions of index arrays: x, one index array for each of `axes`.
gather = Op(
    "gather",
    "gather",
    _infer_gather,
    _gather_value,
    ("axes", "position", "known", "labels", "site"),
    _gather_structure,
    _with_site,
    index_arrays=1,
    fault=_fault,
    cost=8,
)
# A copy of base in which the elements at the positions are those of value (the last one wins where several go
# to one place), or are combined with them one after another. `unique`: no two go to one place.
scatter = Op(
    "scatter",
    "update",
    _infer_scatter,
    _scatter_value,
    ("axes", "position", "kind", "known", "labels", "unique", "site"),
    _scatter_structure,
    _with_site,
    index_arrays=2,
    fault=_fault,
    cost=8,
)

# The same where the value goes into a window of the rows that are indexed: base[start + step * i] on each of
# the other axes. One write for what a slice of the rows, a scatter and an update say together.
window_scatter = Op(
    "window_scatter",
    "update",
    _infer_window_scatter,
    _window_scatter_value,
    (*scatter.attribute_names, "starts", "steps"),
    _window_scatter_structure,
    _sized_window_scatter,
    index_map=_window_map,
    index_arrays=2,
    fault=_fault,
    cost=8,
)

OPS = (gather, scatter, window_scatter)
