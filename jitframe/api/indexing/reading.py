"""NumPy's functions that read elements by their positions or by masks, and find those positions."""

from __future__ import annotations

import math
import operator
from typing import Any

import numpy

from ...arrays.indexing import normalize_axis
from ...arrays.views import View
from ...base.arguments import C_OR_F, order_of, shape_of, shown, word
from ...errors import ArgumentError, DTypeError, KindError, ShapeError, UnsupportedError
from ...functions import movement
from ...functions.joining import stack as stack_nodes
from ...functions.operands import as_node, broadcast_shapes, match, shape_text
from ...ir.node import Shape
from ...ir.types import BOOL, I64
from ..calls import call
from ..creation.constructors import full
from ..creation.ranges import arange
from ..elementwise import arithmetic
from ..frame import LazyValue, frame_of
from ..movement import as_lazy, broadcast_to, flat_or_along, parts_of, reshape, stack
from ..reductions import count_nonzero, cumsum
from ..registry import public
from ..signature import single_output
from .selection import Along, Selection, read_selection, select

_MODES = ("clip", "raise", "wrap")


@public("movement", method=True, sample=lambda s: (s.v, s.positions(2)))
def take(a: Any, indices: Any, axis: Any = None, out: Any = None, mode: str = "raise") -> Any:
    """The elements (or, along an axis, slices) at positions; `axis` None takes `a` flat.

    Shape: for a[n, m] and indices[k] along axis 0, [k, m]. A position out of bounds raises IndexError; with
    mode "wrap" it is taken modulo the extent, with "clip" it is the nearest one.

    >>> import numpy as np
    >>> jf.take(np.array([10, 20, 30]), [2, 0]).numpy()
    array([30, 10])
    """
    array, place = flat_or_along(a, axis)
    given = positions_in(as_positions("take", indices), array.shape[place], mode)
    result = _chosen(array, (slice(None),) * place + (given,))
    return written_to(out, result)


def written_to(out: Any, result: Any) -> Any:
    """Returns the result, or `out=` with the result in it."""
    return (
        result if out is None else call(lambda _, node: node, (result,), out=single_output(out), whole=True)
    )


def _chosen(array: Any, index: Any) -> Any:
    """Returns a new array of the elements at an index with arrays."""
    selection = select(index, array.shape)
    return read_selection(array._view(selection.view), selection)


def as_positions(function: str, indices: Any) -> Any:
    """Returns positions as an array of integers."""
    if isinstance(indices, LazyValue):
        found: Any = indices
        kind = indices._dtype.kind
    else:
        found = numpy.asarray(indices)
        if not found.size and not isinstance(indices, numpy.ndarray):
            found = found.astype(numpy.intp)
        kind = {"i": "int", "u": "uint"}.get(found.dtype.kind, found.dtype.name)
    if kind not in ("int", "uint"):
        raise KindError(f"{function}: positions are integers, not {found.dtype.name}")
    return found


def positions_in(indices: Any, extent: int, mode: str) -> Any:
    word(mode, "clipmode", _MODES)
    if mode == "raise" or not extent:
        return indices
    if mode == "wrap":
        return indices % extent
    return (
        arithmetic.clip(indices, 0, extent - 1)
        if isinstance(indices, LazyValue)
        else indices.clip(0, extent - 1)
    )


def chosen_along_axis(function: str, shape: Shape, indices: Any, axis: Any) -> Selection:
    """Returns the selection of `take_along_axis`: the positions themselves on all axes but one."""
    view = View.of(shape)
    if axis is None:
        view = movement.ravel(shape)
        axis = 0
    rank = len(view.shape)
    along = normalize_axis(axis, rank)
    given = as_positions(function, indices)
    if given.ndim != rank:
        raise ShapeError("`indices` and `arr` must have the same number of dimensions")
    arrays: list[Any] = []
    extents: list[Shape] = [tuple(given.shape)]
    for position, extent in enumerate(view.shape):
        if position == along:
            arrays.append(given)
            continue
        arrays.append(Along(extent, position, rank))
        extents.append(tuple(extent if other == position else 1 for other in range(rank)))
    try:
        whole: Shape = tuple(numpy.broadcast_shapes(*extents))
    except ValueError:
        texts = " ".join(shape_text(each) for each in extents)
        raise ShapeError(
            f"shape mismatch: indexing arrays could not be broadcast together with shapes {texts}"
        ) from None
    axes = tuple(range(rank))
    known = tuple(position != along or 0 in whole for position in axes)
    if 0 not in whole and not view.shape[along]:
        raise ShapeError(f"{function}: axis {along} has no elements")
    return Selection(view, axes, tuple(arrays), whole, 0, axes, known, False, whole)


@public("movement", sample=lambda s: (s.x, s.positions(1, 3), 0))
def take_along_axis(arr: Any, indices: Any, axis: Any = -1) -> Any:
    """For every element of `indices` (as of argsort) the element at that position along `axis`.

    Shape: that of `indices`, which has the axes of `arr`, broadcast against them but for `axis`.

    >>> x = np.array([[3, 1, 2]])
    >>> jf.take_along_axis(x, np.argsort(x), axis=1).numpy()
    array([[1, 2, 3]])
    """
    array = as_lazy(arr)
    selection = chosen_along_axis("take_along_axis", array.shape, indices, axis)
    return read_selection(array._view(selection.view), selection)


@public("movement", sample=lambda s: (s.positions(3), [s.v, s.v]))
def choose(a: Any, choices: Any, out: Any = None, mode: str = "raise") -> Any:
    """For every element of `a` the element at its place of the choice with that number, all broadcast.

    >>> import numpy as np
    >>> jf.choose(jf.asarray([1, 0, 1]), ([1, 2, 3], [10, 20, 30])).numpy()
    array([10,  2, 30])
    """
    # Numbers stay weak, as they meet the arrays before these are stacked.
    stacked = call(lambda graph, *given: stack_nodes(graph, match(graph, given)), parts_of(choices))
    count = stacked.shape[0]
    given = a if isinstance(a, LazyValue) else numpy.asarray(a)
    if given.dtype == bool:
        given = given.astype(numpy.uint8)
    selected = as_lazy(positions_in(as_positions("choose", given), count, mode))
    if mode == "raise" and selected.dtype.kind == "i":
        selected = arithmetic.where(
            selected < 0, numpy.int64(count), selected
        )  # no choice counts from the end
    shape = broadcast_shapes(selected.shape, stacked.shape[1:])
    aligned = reshape(stacked, (count, *(1,) * (len(shape) + 1 - stacked.ndim), *stacked.shape[1:]))
    spread_out = broadcast_to(aligned, (count, *shape))
    result = take_along_axis(spread_out, broadcast_to(selected, shape)[None], axis=0)[0]
    if out is not None and numpy.shape(single_output(out)) != result.shape:
        raise KindError(f"choose: out= is an array of the result's shape {result.shape}, not {shown(out)}")
    return written_to(out, result)


# Positions of what holds ------------------------------------------------------------------------------
@public("movement", method=True, sample=lambda s: (s.v,))
def nonzero(a: Any, *, size: int | None = None, fill_value: Any = 0) -> tuple[Any, ...]:
    """The positions of the elements that are not zero, in C order: one array for each axis.

    The result's length depends on values: `a` is evaluated now, and a jitted function is cut where it needs
    the number of elements. With `size` there are so many positions: the first ones, and `fill_value` after
    the last.

    >>> import numpy as np
    >>> jf.nonzero(jf.asarray(np.array([0, 5, 0, 7])))[0].numpy()
    array([1, 3])
    >>> jf.nonzero(jf.asarray(np.array([0, 5, 0, 7])), size=3, fill_value=-1)[0].numpy()
    array([ 1,  3, -1])
    """
    array = as_lazy(a)
    if size is None and array.ndim:
        found = array._open_positions()
        if found is not None:
            return found
    return nonzero_positions(array, size, fill_value)


def nonzero_positions(a: Any, size: int | None = None, fill_value: Any = 0) -> tuple[Any, ...]:
    """Returns the positions of nonzero elements, as arrays: a trace is cut for their number."""
    array = as_lazy(a)
    if not array.ndim:
        raise ArgumentError(
            "Calling nonzero on 0d arrays is not allowed. Use np.atleast_1d(scalar).nonzero() instead."
        )
    if size is None:
        known = array._at_hand(f"nonzero: {COUNT}")
        if known is not None:
            return tuple(_made_on(array, each) for each in numpy.nonzero(known))
        return _all_positions(array)
    flat = _first_positions(array, size)
    inside = flat < array.size
    made = []
    rest = math.prod(array.shape)
    for extent in array.shape:
        rest //= max(extent, 1)
        made.append(arithmetic.where(inside, flat // max(rest, 1) % max(extent, 1), fill_value))
    return tuple(made)


def _all_positions(array: Any) -> tuple[Any, ...]:
    """Returns the positions on each axis of nonzero elements: a trace is cut for their number."""
    test = reshape(array != 0, (-1,))
    count = test.shape[0]
    size = operator.index(count_nonzero(test))
    result = full((size + 1,), 0, device=array.device)
    result[arithmetic.where(test, cumsum(test) - 1, size)] = arange(count, device=array.device)
    flat = result[:size]
    made = []
    for extent in array.shape[:0:-1]:
        made.append(flat % max(extent, 1))
        flat = flat // max(extent, 1)
    return (flat, *made[::-1])


def _first_positions(array: Any, size: int) -> Any:
    """Returns the first `size` flat positions of nonzero elements; the number of elements after the last."""
    test = reshape(array != 0, (-1,))
    count = test.shape[0]
    rank = cumsum(test)
    places = arithmetic.where(test & (rank <= size), rank - 1, size)
    result = full((size + 1,), count, device=array.device)
    result[places] = arange(count, device=array.device)
    return result[:size]


COUNT = "how many elements it has is a shape"


def _made_on(array: Any, positions: numpy.ndarray) -> Any:
    """Makes an array of positions on the device of `array`."""
    frame = frame_of((array,))
    return frame.array(positions.astype(frame.device.fitting(I64).numpy_name, copy=False), False)


@public("movement", sample=lambda s: (s.positions(2), (2, 3)))
def unravel_index(indices: Any, shape: Any, order: str = "C") -> tuple[Any, ...]:
    """The positions on each axis of an array of `shape`, from positions in the flat array.

    Bounds of computed positions are checked at their use: positions out of bounds exceed the first axis.

    >>> import numpy as np
    >>> jf.unravel_index(jf.asarray(np.array([5, 3])), (2, 3))[1].numpy()
    array([2, 0])
    """
    extents = shape_of(shape)
    order = order_of(order, C_OR_F)
    if not extents and not isinstance(indices, LazyValue):
        array = numpy.asarray(indices)
        beyond = array.ravel().tolist()
        if array.dtype.kind in "biu" and any(beyond):
            raise ArgumentError(f"index {next(filter(None, beyond))} is out of bounds for array with size 1")
    rest = as_lazy(indices)
    if math.prod(extents) <= 0 and rest.size:
        raise ArgumentError(f"unravel_index: no position is in an array of shape {extents}")
    if not rest._dtype.is_integer and rest._dtype.kind != "bool":
        raise DTypeError("only int indices permitted")
    if not extents:
        return ()
    rest = call(lambda graph, x: as_node(graph, x, I64), (rest,))
    made: list[Any] = []
    inner = extents[1:] if order == "C" else extents[:-1][::-1]
    for extent in inner[::-1]:
        made.append(rest % extent)
        rest = rest // extent
    made.append(rest)
    return tuple(made[::-1] if order == "C" else made)


@public("movement", sample=lambda s: ((s.positions(2), s.positions(2)), (2, 3)))
def ravel_multi_index(multi_index: Any, dims: Any, mode: Any = "raise", order: str = "C") -> Any:
    """The positions in the flat array, from positions on each axis of an array of shape `dims`.

    `mode`, one or one for each axis: "wrap" and "clip" move positions out of bounds into the array. With
    "raise" such a position becomes the number of all elements, which raises at its use.

    >>> import numpy as np
    >>> jf.ravel_multi_index(jf.asarray(np.array([[1, 0], [2, 0]])), (2, 3)).numpy()
    array([5, 0])
    """
    extents = shape_of(dims, "dims")
    several = mode if isinstance(mode, (tuple, list)) else (mode,) * len(extents)
    modes = tuple(word(each, "ravel_multi_index: mode", _MODES) for each in several)
    order = order_of(order, C_OR_F)
    if len(modes) != len(extents):
        raise ArgumentError(f"ravel_multi_index: {len(modes)} modes for {len(extents)} axes")
    given = multi_index if isinstance(multi_index, (tuple, list)) else tuple(as_lazy(multi_index))
    if len(given) != len(extents):
        raise ArgumentError(f"parameter multi_index must be a sequence of length {len(extents)}")
    flat, inside = as_lazy(0), as_lazy(True)
    axes = list(zip(map(as_lazy, given), extents, modes, strict=True))
    for index, extent, how in axes if order == "C" else axes[::-1]:
        if not index._dtype.is_integer and index._dtype.kind != "bool":
            raise DTypeError("only int indices permitted")
        position = call(lambda graph, x: as_node(graph, x, I64), (index,))
        if how == "wrap":
            position = position % extent
        elif how == "clip":
            position = numpy.clip(position, 0, extent - 1)
        else:
            inside = inside & (position >= 0) & (position < extent)
        flat = flat * extent + position
    return arithmetic.where(inside, flat, math.prod(extents)) if "raise" in modes else flat


@public("movement", sample=lambda s: (s.v,))
def flatnonzero(a: Any, *, size: int | None = None, fill_value: Any = 0) -> Any:
    """The positions in `a`, taken flat, of the elements that are not zero; see `nonzero`.

    >>> jf.flatnonzero([0, 5, 0, 7]).numpy()
    array([1, 3])
    """
    return nonzero(reshape(as_lazy(a), (-1,)), size=size, fill_value=fill_value)[0]


@public("movement", sample=lambda s: (s.v,))
def argwhere(a: Any, *, size: int | None = None, fill_value: Any = 0) -> Any:
    """The positions of the elements that are not zero: a row for each. See `nonzero`.

    >>> jf.argwhere([[0, 5], [7, 0]]).numpy()
    array([[0, 1],
           [1, 0]])
    """
    array = as_lazy(a)
    if not array.ndim:
        raise UnsupportedError("argwhere of a 0-dimensional array; write np.atleast_1d(x)")
    found = array._open_positions() if size is None else None
    if found is not None:
        return numpy.stack(found, axis=-1)
    return stack(nonzero_positions(array, size, fill_value), axis=-1)


@public("movement", sample=lambda s: (s.chosen, s.v))
def compress(
    condition: Any, a: Any, axis: Any = None, out: Any = None, *, size: int | None = None, fill_value: Any = 0
) -> Any:
    """The slices of `a` along an axis (None: elements of `a` flat) for which the condition is true.

    With `size` there are so many, and a jitted function is not cut: the first ones, then `fill_value`.

    Raises ShapeError unless the condition has one axis.

    >>> jf.compress([True, False, True], [1, 2, 3]).numpy()
    array([1, 3])
    """
    test = as_lazy(condition)
    if test.ndim != 1:
        raise ShapeError("condition must be a 1-d array")
    array, place = flat_or_along(a, axis)
    extent = array.shape[place]
    if size is None:
        known = test._at_hand(f"compress: {COUNT}")
        (positions,) = nonzero_positions(test) if known is None else numpy.nonzero(known)
        return take(array, positions, axis=place, out=out)
    if test.shape[0] > extent:
        raise ShapeError(f"compress: {test.shape[0]} conditions for an axis of {extent} elements")
    positions = flatnonzero(test, size=size, fill_value=extent)
    inside = positions < extent
    chosen = take(array, arithmetic.where(inside, positions, 0), axis=place)
    shape = tuple(size if position == place else 1 for position in range(array.ndim))
    return arithmetic.where(reshape(inside, shape), chosen, as_lazy(fill_value).astype(array.dtype))


@public("movement", sample=lambda s: (s.mask, s.x))
def extract(condition: Any, arr: Any, *, size: int | None = None, fill_value: Any = 0) -> Any:
    """The elements of `arr`, flat, for which the condition, flat, is true; see `compress`.

    >>> jf.extract([True, False, True], [1, 2, 3]).numpy()
    array([1, 3])
    """
    test = reshape(as_lazy(condition), (-1,))
    return compress(test != 0, reshape(as_lazy(arr), (-1,)), size=size, fill_value=fill_value)


@public("movement", sample=lambda s: (s.positions(2), s.positions(2)))
def ix_(*args: Any) -> tuple[Any, ...]:
    """Arrays of positions that together index every combination of the given ones.

    Shape: of n and m positions, [n, 1] and [1, m].

    >>> jf.asarray([[1, 2, 3], [4, 5, 6]])[jf.ix_([0, 1], [0, 2])].numpy()
    array([[1, 3],
           [4, 6]])
    """
    made = []
    for position, argument in enumerate(args):
        array = as_lazy(argument)
        if array.ndim != 1:
            raise ArgumentError("Cross index must be 1 dimensional")
        if array._dtype is BOOL:
            (array,) = nonzero_positions(array)
        elif not array.size and not isinstance(argument, (LazyValue, numpy.ndarray)):
            array = array.astype(numpy.intp)
        shape = tuple(-1 if other == position else 1 for other in range(len(args)))
        made.append(reshape(array, shape))
    return tuple(made)
