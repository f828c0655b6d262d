"""Views and joins of arrays."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy

from ..arrays.indexing import normalize_axis, parse_index
from ..arrays.layout import contiguous_strides
from ..arrays.promotion import cast_error, castable
from ..arrays.views import View
from ..base.arguments import casting_of, check_parts, count, integer, is_sequence, order_of, shown
from ..errors import ArgumentError, DTypeError, KindError, ShapeError, UnsupportedError, ZeroError
from ..functions import arranging, joining, movement
from ..functions.operands import broadcast_shapes, strong
from ..ir.types import DType
from .calls import call
from .frame import LazyValue, gathered
from .registry import public
from .signature import optional_dtype, single_output


def as_lazy(x: Any) -> Any:
    """`x` as a lazy array: itself, or a new one."""
    return x if isinstance(x, LazyValue) else call(strong, (x,))


def flat_or_along(a: Any, axis: Any) -> tuple[Any, int]:
    """An array and one of its axes: itself, taken flat where the axis is None; a number as one element."""
    array = as_lazy(a)
    if axis is not None and array.shape:
        return array, normalize_axis(axis, len(array.shape))
    if axis is not None:
        normalize_axis(axis, 1)
    return reshape(array, (-1,)), 0


@public("movement", sample=lambda s: (s.x, (9,)), makes_arrays=True, keeps_scalars=True)
def reshape(a: Any, /, shape: Any, order: str = "C", *, copy: bool | None = None) -> Any:
    """The elements of `a` in another shape; one extent may be -1.

    A view where NumPy gives one. With `copy=True` never; with `copy=False` always: ArgumentError where the
    elements would have to be copied.

    >>> jf.reshape([1, 2, 3, 4], (2, -1)).numpy()
    array([[1, 2],
           [3, 4]])
    """
    array = as_lazy(a)
    view = movement.reshape(array.shape, shape)
    if not array._is_fortran(order_of(order, ("F", "A", "C"))):
        return _reshaped(array, view, copy)
    transposed = transpose(array)
    return transpose(_reshaped(transposed, movement.reshape(transposed.shape, view.shape[::-1]), copy))


def _reshaped(array: LazyValue, view: View, copy: bool | None) -> Any:
    if copy is False and view.strides(array._strides or contiguous_strides(array.shape)) is None:
        raise ArgumentError(
            f"reshape: copy=False was given, and elements that lie in another order than C's cannot be seen "
            f"as {view.shape} without a copy; leave copy= out"
        )
    lazy_value = array._view(view)
    return duplicate(lazy_value) if copy else lazy_value


@public("movement")
def ravel(a: Any, order: str = "C") -> Any:
    """The elements of `a` in one axis.

    `order`: "C" (the last axis first), "F" (the first axis first), "A" or "K" (as they lie).

    >>> jf.ravel([[1, 2], [3, 4]], order="F").numpy()
    array([1, 3, 2, 4])
    """
    array = as_lazy(a)
    order = order_of(order, ("K", "A", "F", "C"))
    if order == "K":
        array._check_order()
        if array._strides is not None:
            raise UnsupportedError("ravel: order='K' of an array that is not in C order; give 'C' or 'F'")
    elif array._is_fortran(order):
        array = transpose(array)
    flat = movement.ravel(array.shape)
    # NumPy gives a view of what lies in C order only, where reshape gives one of any even stride.
    return (array if array._strides is None else duplicate(array))._view(flat)


@public("elementwise", name="copy", makes_arrays=True)
def duplicate(a: Any, order: str = "K", subok: bool = False) -> Any:
    """A new array of the same value, which no write to `a` changes.

    >>> x = jf.asarray([1, 2])
    >>> y = jf.copy(x)
    >>> y[0] = 9
    >>> x.numpy()
    array([1, 2])
    """
    array = as_lazy(a)
    made: LazyValue = call(strong, (array,))
    made._lay_as(array, order_of(order))
    return made


@public(
    "movement",
    name="permute_dims",
    numpy=("transpose", "permute_dims"),
    makes_arrays=True,
    keeps_scalars=True,
)
def transpose(a: Any, axes: Any = None) -> Any:
    """`a` with its axes reversed, or in the order given.

    A view. Raises ArgumentError where `axes` are not all axes once.

    >>> jf.permute_dims(np.zeros((2, 3, 4)), (2, 0, 1)).shape
    (4, 2, 3)
    """
    array = as_lazy(a)
    return array._view(movement.transpose(array.shape, axes))


@public("movement", numpy=("matrix_transpose", "linalg.matrix_transpose"))
def matrix_transpose(x: Any, /) -> Any:
    """`x` with its last two axes swapped.

    A view. Raises ArgumentError for less than two axes.

    >>> jf.matrix_transpose(np.zeros((2, 3, 4))).shape
    (2, 4, 3)
    """
    array = as_lazy(x)
    return array._view(movement.matrix_transpose(array.shape))


@public("movement", sample=lambda s: (s.x, 0, 1))
def swapaxes(a: Any, axis1: Any, axis2: Any) -> Any:
    """`a` with two axes swapped.

    A view.

    >>> jf.swapaxes(np.zeros((2, 3, 4)), 0, 2).shape
    (4, 3, 2)
    """
    array = as_lazy(a)
    return array._view(movement.swapaxes(array.shape, axis1, axis2))


@public("movement", sample=lambda s: (s.x, 0, 1))
def moveaxis(a: Any, source: Any, destination: Any) -> Any:
    """`a` with axes moved to other positions.

    A view. `source` and `destination`: an axis, or as many axes each.

    >>> jf.moveaxis(np.zeros((2, 3, 4)), 0, -1).shape
    (3, 4, 2)
    """
    array = as_lazy(a)
    return array._view(movement.moveaxis(array.shape, source, destination))


@public("movement", makes_arrays=True, keeps_scalars=True)
def squeeze(a: Any, axis: Any = None) -> Any:
    """`a` without axes of extent 1.

    A view. `axis`: which (None: all of them); ArgumentError for one of another extent.

    >>> jf.squeeze(np.zeros((1, 3, 1))).shape
    (3,)
    """
    array = as_lazy(a)
    return array._view(movement.squeeze(array.shape, axis))


@public("movement", sample=lambda s: (s.x, 0))
def expand_dims(a: Any, axis: Any = 0) -> Any:
    """`a` with a new axis of extent 1.

    A view. `axis`: where the new axis, or several, are in the result.

    >>> jf.expand_dims([1, 2], 0).shape
    (1, 2)
    """
    array = as_lazy(a)
    return array._view(movement.expand_dims(array.shape, axis))


@public("movement")
def flip(m: Any, axis: Any = None) -> Any:
    """`m` with the order of its elements reversed along axes.

    A view. `axis` None: along all axes.

    >>> jf.flip([1, 2, 3]).numpy()
    array([3, 2, 1])
    """
    array = as_lazy(m)
    made = array._view(movement.flip(array.shape, axis))
    return made if made.shape else made[()]


@public("movement")
def flipud(m: Any) -> Any:
    """`m` with its rows in reverse order.

    A view.

    >>> jf.flipud([[1, 2], [3, 4]]).numpy()
    array([[3, 4],
           [1, 2]])
    """
    return flip(m, axis=0)


@public("movement")
def fliplr(m: Any) -> Any:
    """`m` with its columns in reverse order.

    A view.

    >>> jf.fliplr([[1, 2], [3, 4]]).numpy()
    array([[2, 1],
           [4, 3]])
    """
    return flip(m, axis=1)


@public("movement", sample=lambda s: (s.x, (2, 3, 3)), makes_arrays=True)
def broadcast_to(array: Any, shape: Any, subok: bool = False) -> Any:
    """`array` repeated along new axes and those of extent 1; not to be written to.

    A view. Raises ShapeError where that cannot be.

    >>> jf.broadcast_to([1, 2], (2, 2)).numpy()
    array([[1, 2],
           [1, 2]])
    """
    lazy = as_lazy(array)
    return lazy._view(movement.broadcast_to(lazy.shape, shape))


@public("movement", sample=lambda s: (s.x, s.v))
def broadcast_arrays(*arrays: Any, subok: bool = False) -> tuple[Any, ...]:
    """All arrays broadcast to their common shape.

    Views. Raises ShapeError where there is none.

    >>> [x.shape for x in jf.broadcast_arrays(np.zeros((2, 1)), np.zeros(3))]
    [(2, 3), (2, 3)]
    """
    lazy = [as_lazy(array) for array in arrays]
    shape = broadcast_shapes(*(array.shape for array in lazy)) if lazy else ()
    return tuple(broadcast_to(array, shape) for array in lazy)


@public("movement")
def atleast_1d(*arrays: Any) -> Any:
    """Arrays with a new first axis where they have none; a tuple for several arrays. Views.

    >>> jf.atleast_1d(5).shape
    (1,)
    """
    return _at_least(1, arrays)


@public("movement")
def atleast_2d(*arrays: Any) -> Any:
    """Arrays with new first axes, so that they have at least two; a tuple for several arrays. Views.

    >>> jf.atleast_2d([1, 2]).shape
    (1, 2)
    """
    return _at_least(2, arrays)


def _at_least(rank: int, arrays: Sequence[Any]) -> Any:
    lazy = list(map(as_lazy, arrays))
    seen = [array._view(movement.at_least(array.shape, rank)) for array in lazy]
    return seen[0] if len(seen) == 1 else tuple(seen)


@public("movement")
def unstack(x: Any, /, *, axis: int = 0) -> tuple[Any, ...]:
    """The parts of `x` along an axis: views, and of one axis the elements, as iterating gives them.

    >>> [row.numpy() for row in jf.unstack(np.array([[1, 2], [3, 4]]))]
    [array([1, 2]), array([3, 4])]
    """
    array = as_lazy(x)
    if not array.shape:
        raise ShapeError("Input array must be at least 1-d.")
    along = normalize_axis(axis, len(array.shape))
    check_parts(array.shape[along], "unstack")
    moved = array._view(movement.moveaxis(array.shape, along, 0))
    return tuple(moved[position] for position in range(array.shape[along]))


@public("movement", sample=lambda s: (s.x, 3))
def split(ary: Any, indices_or_sections: Any, axis: int = 0) -> list[Any]:
    """Equal parts of an array along an axis, or the parts between the positions given.

    Views. Raises ArgumentError where a number of parts does not divide the extent.

    >>> [part.numpy() for part in jf.split([1, 2, 3, 4], 2)]
    [array([1, 2]), array([3, 4])]
    """
    array = as_lazy(ary)
    along = normalize_axis(axis, len(array.shape))
    return parts_between(
        array, along, bounds_of_parts("split", indices_or_sections, array.shape[along], True)
    )


def bounds_of_parts(function: str, indices_or_sections: Any, extent: int, equal: bool = False) -> list[int]:
    """Returns the starts of the parts of an axis, and its end.

    Where a number of parts does not divide the extent, the first ones are longer by one.
    """
    if is_sequence(indices_or_sections):
        check_parts(len(indices_or_sections) + 1, function)
        return [0, *(integer(each, "indices_or_sections") for each in indices_or_sections), extent]
    sections = integer(indices_or_sections, "indices_or_sections")
    if equal and not sections:
        raise ZeroError(f"{function}: an axis has no 0 parts; give 1 or more")
    if sections <= 0:
        raise ArgumentError(f"number sections must be larger than 0, and {sections} was given")
    if equal and extent % sections:
        raise ArgumentError(
            f"array split does not result in an equal division: {extent} elements in {sections} parts; "
            "np.array_split makes parts of several lengths"
        )
    check_parts(sections, function)
    whole, longer = divmod(extent, sections)
    return [whole * position + min(position, longer) for position in range(sections + 1)]


def parts_between(array: LazyValue, along: int, bounds: Sequence[Any]) -> list[Any]:
    """The parts of an array along an axis from each bound to the next one."""
    whole = (slice(None),) * along
    return [
        array._view(parse_index((*whole, slice(start, stop)), array.shape))
        for start, stop in pairwise(bounds)
    ]


def parts_of(arrays: Any) -> Sequence[Any]:
    if isinstance(arrays, LazyValue):
        if not arrays.shape:
            raise KindError("iteration over a 0-d array: arrays to join are given as a sequence of them")
        return unstack(arrays)
    if not hasattr(arrays, "__getitem__") or not hasattr(arrays, "__len__") or isinstance(arrays, Mapping):
        raise KindError(f"arrays to join are given as a list or tuple of them, not {shown(arrays)}")
    return list(arrays)


def _join(
    function: Callable[..., Any], arrays: Any, *arguments: Any, out: Any = None, casting: str = "same_kind"
) -> Any:
    """Joins arrays. Where the last argument is a dtype, all fit into it, or `casting` allows it."""
    rows = gathered(arrays) if function in joining.OF_ROWS else None
    parts = parts_of(arrays) if rows is None else [rows]
    dtype: Any = arguments[-1] if arguments else None
    casting_of(casting)
    for part in parts if casting == "same_kind" and isinstance(dtype, DType) else ():
        given = as_lazy(part)._dtype
        is_weak = type(part) is int and function is joining.concatenate  # of NumPy's functions in this one
        if not is_weak and not castable(given, dtype):
            raise cast_error(given.numpy_name, dtype.numpy_name, casting)

    def joined(graph: Any, *operands: Any) -> Any:
        if rows is not None:
            return joining.OF_ROWS[function](graph, *operands, *arguments)
        return function(graph, operands, *arguments)

    return call(joined, parts, out=single_output(out), whole=True)


@public("movement", numpy=("concatenate", "concat"), sample=lambda s: ([s.x, s.x],))
def concat(
    arrays: Any, /, axis: Any = 0, out: Any = None, *, dtype: Any = None, casting: str = "same_kind"
) -> Any:
    """Arrays one after another along an axis; `axis` None takes them flat.

    Shape: that of the arrays, whose other extents are equal (else ShapeError), with the sum of extents.
    Dtype: what they promote to, or `dtype`.

    >>> jf.concat([[1, 2], [3]]).numpy()
    array([1, 2, 3])
    """
    if out is not None and dtype is not None:
        raise DTypeError("concat takes `out` or `dtype`, and both were given")
    return _join(joining.concatenate, arrays, axis, optional_dtype(dtype), out=out, casting=casting)


@public("movement", sample=lambda s: ([s.x, s.x],))
def stack(
    arrays: Any, axis: Any = 0, out: Any = None, *, dtype: Any = None, casting: str = "same_kind"
) -> Any:
    """Arrays of one shape side by side along a new axis.

    Raises ShapeError where shapes differ. Dtype: what they promote to, or `dtype`.

    >>> jf.stack([[1, 2], [3, 4]], axis=1).numpy()
    array([[1, 3],
           [2, 4]])
    """
    if out is not None and dtype is not None:
        raise DTypeError("stack takes `out` or `dtype`, and both were given")
    return _join(joining.stack, arrays, axis, optional_dtype(dtype), out=out, casting=casting)


@public("movement", numpy=("vstack", "row_stack"), sample=lambda s: ([s.x, s.x],))
def vstack(tup: Any, *, dtype: Any = None, casting: str = "same_kind") -> Any:
    """Rows on top of each other.

    Vectors are rows. Raises ShapeError where the other extents differ.

    >>> jf.vstack(([1, 2], [3, 4])).numpy()
    array([[1, 2],
           [3, 4]])
    """
    return _join(joining.vstack, tup, optional_dtype(dtype), casting=casting)


@public("movement", sample=lambda s: ([s.x, s.x],))
def hstack(tup: Any, *, dtype: Any = None, casting: str = "same_kind") -> Any:
    """Arrays side by side along axis 1, vectors along axis 0.

    Raises ShapeError where the other extents differ.

    >>> jf.hstack(([1, 2], [3])).numpy()
    array([1, 2, 3])
    """
    return _join(joining.hstack, tup, optional_dtype(dtype), casting=casting)


@public("movement", sample=lambda s: ([s.x, s.x],))
def column_stack(tup: Any) -> Any:
    """Vectors as the columns of a matrix.

    Matrices are taken as they are.

    >>> jf.column_stack(([1, 2], [3, 4])).numpy()
    array([[1, 3],
           [2, 4]])
    """
    return _join(joining.column_stack, tup)


@public("movement")
def diff(
    a: Any, n: int = 1, axis: int = -1, prepend: Any = numpy._NoValue, append: Any = numpy._NoValue
) -> Any:
    """Differences of neighbours along an axis, `n` times; of the array put between `prepend` and `append`.

    Shape: that of `a`, `n` elements less along the axis. Of bools: whether neighbours differ.

    >>> jf.diff([1, 2, 4, 7]).numpy()
    array([1, 2, 3])
    """
    times = count(n, "n")
    if not times:
        return as_lazy(a)
    before, after = ([] if value is numpy._NoValue else [as_lazy(value)] for value in (prepend, append))
    if before or after:
        a = as_lazy(a)
        if not a.shape:
            raise ShapeError("diff requires input that is at least one dimensional")
        along = normalize_axis(axis, len(a.shape))
        edge = tuple(1 if each == along else extent for each, extent in enumerate(a.shape))
        parts = [value if value.shape else broadcast_to(value, edge) for value in (*before, *after)]
        a = concat([*parts[: len(before)], a, *parts[len(before) :]], axis=along)
    return call(joining.diff, (a,), times, axis)


@public("movement", sample=lambda s: (s.x, (4,)), makes_arrays=True)
def resize(a: Any, new_shape: Any) -> Any:
    """The elements in C order, again from the first where they are too few, in another shape.

    >>> jf.resize([1, 2, 3], (2, 3)).numpy()
    array([[1, 2, 3],
           [1, 2, 3]])
    """
    is_integer = isinstance(new_shape, (int, numpy.integer)) or getattr(new_shape, "_is_one_number", False)
    if not is_integer and not numpy.iterable(new_shape):
        raise KindError(f"new_shape is a sequence of integers or a single integer, not {shown(new_shape)}")
    return call(arranging.resize, (a,), new_shape)
