"""Views and joins of arrays."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy

from ..errors import ArgumentError, ShapeError, UnsupportedError
from ..frame import LazyValue, call
from ..functions import joining, movement
from ..functions.operands import broadcast_shapes, strong
from ..indexing import normalize_axis, parse_index
from ..ir.types import DType
from ..layout import contiguous_strides
from ..promotion import cast_error, castable
from ..views import View
from .signature import optional_dtype, single_output


def as_lazy(x: Any) -> Any:
    """`x` as a lazy array: itself, or a new one."""
    return x if isinstance(x, LazyValue) else call(strong, (x,))


def _is_fortran(array: LazyValue, order: Any) -> bool:
    """Whether elements are taken with the first axis varying fastest; "A": where they lie so."""
    if order not in ("C", "F", "A"):
        raise ArgumentError(f"order must be one of 'C', 'F' or 'A', not {order!r}")
    return order == "F" or (order == "A" and array._strides is not None and transpose(array)._strides is None)


def reshape(
    x: Any, /, shape: Any = None, order: str = "C", *, copy: bool | None = None, newshape: Any = None
) -> Any:
    """The elements of `x` in another shape; one extent may be -1.

    A view where NumPy gives one. With `copy=True` never; with `copy=False` always: ArgumentError where the
    elements would have to be copied.
    """
    array = as_lazy(x)
    view = movement.reshape(array.shape, newshape if shape is None else shape)
    if not _is_fortran(array, order):
        return _reshaped(array, view, copy)
    turned = transpose(array)
    return transpose(_reshaped(turned, movement.reshape(turned.shape, view.shape[::-1]), copy))


def _reshaped(array: LazyValue, view: View, copy: bool | None) -> Any:
    if copy is False and view.strides(array._strides or contiguous_strides(array.shape)) is None:
        raise ArgumentError(
            f"reshape: copy=False was given, and elements that lie in another order than C's cannot be seen "
            f"as {view.shape} without a copy; leave copy= out"
        )
    made = array._view(view)
    return duplicate(made) if copy else made


def ravel(x: Any, /, order: str = "C") -> Any:
    """The elements of `x` in one axis."""
    array = as_lazy(x)
    if order == "K":
        if array._strides is not None:
            raise UnsupportedError("ravel: order='K' of an array that is not in C order; give 'C' or 'F'")
    elif _is_fortran(array, order):
        array = transpose(array)
    flat = movement.ravel(array.shape)
    # NumPy gives a view of what lies in C order only, where reshape gives one of any even stride.
    return (array if array._strides is None else duplicate(array))._view(flat)


def duplicate(x: Any) -> Any:
    """A new array of the same value, which no write to `x` changes."""
    return call(strong, (x,))


def transpose(x: Any, /, axes: Any = None) -> Any:
    """`x` with its axes reversed, or in the order given."""
    array = as_lazy(x)
    return array._view(movement.transpose(array.shape, axes))


def matrix_transpose(x: Any, /) -> Any:
    """`x` with its last two axes swapped."""
    array = as_lazy(x)
    return array._view(movement.matrix_transpose(array.shape))


def swapaxes(x: Any, axis1: Any, axis2: Any) -> Any:
    """`x` with two axes swapped."""
    array = as_lazy(x)
    return array._view(movement.swapaxes(array.shape, axis1, axis2))


def moveaxis(x: Any, source: Any, destination: Any, /) -> Any:
    """`x` with axes moved to other positions."""
    array = as_lazy(x)
    return array._view(movement.moveaxis(array.shape, source, destination))


def squeeze(x: Any, /, axis: Any = None) -> Any:
    """`x` without axes of extent 1."""
    array = as_lazy(x)
    return array._view(movement.squeeze(array.shape, axis))


def expand_dims(x: Any, /, axis: Any = 0) -> Any:
    """`x` with a new axis of extent 1."""
    array = as_lazy(x)
    return array._view(movement.expand_dims(array.shape, axis))


def flip(m: Any, /, axis: Any = None) -> Any:
    """`x` with the order of its elements reversed along axes."""
    array = as_lazy(m)
    return array._view(movement.flip(array.shape, axis))


def flipud(m: Any, /) -> Any:
    """`x` with its rows in reverse order."""
    return flip(m, axis=0)


def fliplr(m: Any, /) -> Any:
    """`x` with its columns in reverse order."""
    return flip(m, axis=1)


def broadcast_to(x: Any, /, shape: Any, subok: bool = False) -> Any:
    """`x` repeated along new axes and those of extent 1; not to be written to."""
    array = as_lazy(x)
    return array._view(movement.broadcast_to(array.shape, shape))


def broadcast_arrays(*arrays: Any, subok: bool = False) -> tuple[Any, ...]:
    """All arrays broadcast to their common shape."""
    lazy = [as_lazy(array) for array in arrays]
    shape = broadcast_shapes(*(array.shape for array in lazy)) if lazy else ()
    return tuple(broadcast_to(array, shape) for array in lazy)


def _at_least(rank: int) -> Callable[..., Any]:
    def public(*arrays: Any) -> Any:
        seen = []
        for each in arrays:
            array = as_lazy(each)
            seen.append(array._view(movement.at_least(array.shape, rank)))
        return seen[0] if len(seen) == 1 else tuple(seen)

    public.__name__ = public.__qualname__ = f"atleast_{rank}d"
    return public


atleast_1d = _at_least(1)
atleast_2d = _at_least(2)


def unstack(x: Any, /, *, axis: int = 0) -> tuple[Any, ...]:
    """The parts of `x` along an axis: views, and of one axis the elements, as iterating gives them."""
    array = as_lazy(x)
    if not array.shape:
        raise ShapeError("Input array must be at least 1-d.")
    along = normalize_axis(axis, len(array.shape))
    moved = array._view(movement.moveaxis(array.shape, along, 0))
    return tuple(moved[position] for position in range(array.shape[along]))


def split(ary: Any, indices_or_sections: Any, /, axis: int = 0) -> list[Any]:
    """Equal parts of an array along an axis, or the parts between the positions given."""
    array = as_lazy(ary)
    along = normalize_axis(axis, len(array.shape))
    extent = array.shape[along]
    bounds = bounds_of_parts(indices_or_sections, extent)
    if not movement.is_sequence(indices_or_sections) and extent % (len(bounds) - 1):
        raise ArgumentError("array split does not result in an equal division")
    return parts_between(array, along, bounds)


def bounds_of_parts(indices_or_sections: Any, extent: int) -> list[int]:
    """Where the parts of an axis begin, and its end.

    Of a given number of parts that cannot be equal the first ones are longer by one.
    """
    if movement.is_sequence(indices_or_sections):
        return [0, *map(operator.index, indices_or_sections), extent]
    sections = operator.index(indices_or_sections)
    if sections <= 0:
        raise ArgumentError("number sections must be larger than 0.")
    whole, longer = divmod(extent, sections)
    return [whole * position + min(position, longer) for position in range(sections + 1)]


def parts_between(array: LazyValue, along: int, bounds: Sequence[Any]) -> list[Any]:
    """The parts of an array along an axis from each bound to the next one."""
    whole = (slice(None),) * along
    return [
        array._view(parse_index((*whole, slice(start, stop)), array.shape))
        for start, stop in pairwise(bounds)
    ]


def _parts(arrays: Any) -> Sequence[Any]:
    return unstack(arrays) if isinstance(arrays, LazyValue) else list(arrays)


def _join(
    function: Callable[..., Any], arrays: Any, *arguments: Any, out: Any = None, casting: str = "same_kind"
) -> Any:
    """The arrays joined. Where the last argument is a dtype, all fit into it, or `casting` allows it."""
    parts = _parts(arrays)
    dtype: Any = arguments[-1] if arguments else None
    if casting not in ("same_kind", "unsafe"):
        raise UnsupportedError(f"casting={casting!r}; 'same_kind' and 'unsafe' are supported")
    for part in parts if casting == "same_kind" and isinstance(dtype, DType) else ():
        given = as_lazy(part)._dtype
        if not castable(given, dtype):
            raise cast_error(given.numpy_name, dtype.numpy_name, casting)

    def joined(graph: Any, *operands: Any) -> Any:
        return function(graph, operands, *arguments)

    return call(joined, parts, out=single_output(out))


def concat(
    arrays: Any, /, axis: Any = 0, out: Any = None, *, dtype: Any = None, casting: str = "same_kind"
) -> Any:
    """Arrays one after another along an axis; `axis` None takes them flat."""
    return _join(joining.concatenate, arrays, axis, optional_dtype(dtype), out=out, casting=casting)


def stack(
    arrays: Any, /, axis: Any = 0, out: Any = None, *, dtype: Any = None, casting: str = "same_kind"
) -> Any:
    """Arrays of one shape side by side along a new axis."""
    return _join(joining.stack, arrays, axis, optional_dtype(dtype), out=out, casting=casting)


def vstack(tup: Any, /, *, dtype: Any = None, casting: str = "same_kind") -> Any:
    """Rows on top of each other."""
    return _join(joining.vstack, tup, optional_dtype(dtype), casting=casting)


def hstack(tup: Any, /, *, dtype: Any = None, casting: str = "same_kind") -> Any:
    """Arrays side by side along axis 1, vectors along axis 0."""
    return _join(joining.hstack, tup, optional_dtype(dtype), casting=casting)


def column_stack(tup: Any, /) -> Any:
    """Vectors as the columns of a matrix."""
    return _join(joining.column_stack, tup)


def diff(x: Any, /, n: int = 1, axis: int = -1, prepend: Any = None, append: Any = None) -> Any:
    """Differences of neighbours along an axis, `n` times; of the array put between `prepend` and `append`."""
    before, after = (
        [] if value is None or value is numpy._NoValue else [as_lazy(value)] for value in (prepend, append)
    )
    if n and (before or after):
        x = as_lazy(x)
        if not x.shape:
            raise ShapeError("diff requires input that is at least one dimensional")
        along = normalize_axis(axis, len(x.shape))
        edge = tuple(1 if each == along else extent for each, extent in enumerate(x.shape))
        parts = [value if value.shape else broadcast_to(value, edge) for value in (*before, *after)]
        x = concat([*parts[: len(before)], x, *parts[len(before) :]], axis=along)
    return call(joining.diff, (x,), n, axis)
