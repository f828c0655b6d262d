"""NumPy's functions of masked selections with an unknown number of elements.

Reductions replace unselected elements by a neutral value, elementwise and row functions apply to the whole
array and select afterwards, and products sum zeros in place of unselected elements.
"""

from __future__ import annotations

import functools
import inspect
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy

from ... import api
from ...arrays.promotion import limits_of
from ...ir.types import BOOL
from .cells import Cell
from .concrete import is_of_mask
from .moving_slices import is_open_slice
from .python_numbers import look_at
from .traced import SCALAR, TracedArray


def called(function: Any, arguments: Sequence[Any], options: dict[str, Any]) -> Any:
    """Returns the result of NumPy's function; NotImplemented where it needs an array."""
    rule = _rules().get(function)
    if rule is None or not arguments or not (function in _OF_SEVERAL or is_of_mask(arguments[0])):
        return NotImplemented
    if not all(each.is_open for each in (*arguments, *options.values()) if is_of_mask(each)):
        return NotImplemented
    try:
        inspect.signature(rule).bind(*arguments, **options)
    except TypeError:
        return NotImplemented  # an option of arrays alone, or NumPy's error
    return rule(*arguments, **options)


def method(name: str) -> Any:
    """Returns the implementation of a method for an unknown number of elements; None of others."""
    found = {"flatten": _flat, "astype": _cast}.get(name) or getattr(numpy, name, None)
    return found if found in _rules() and name != "sort" else None  # which sorts in place


_ELEMENTWISE = (numpy.where, numpy.clip, numpy.round, numpy.nan_to_num, numpy.isclose)
_JOINED = (numpy.concatenate, numpy.hstack, numpy.stack, numpy.vstack, numpy.column_stack)
_OF_SEVERAL = frozenset((*_ELEMENTWISE, *_JOINED, numpy.dot, numpy.append, numpy.searchsorted, numpy.interp))
"""Functions any argument of which, or any of a list, may be a masked selection; of others it is the first."""


@functools.cache
def _rules() -> dict[Any, Callable[..., Any]]:
    from . import packed_functions  # which know of these

    reductions = (numpy.sum, numpy.mean, numpy.any, numpy.all, numpy.count_nonzero, numpy.prod)
    return {
        **packed_functions.rules(),
        **{reduction: functools.partial(_reduced, reduction.__name__) for reduction in reductions},
        **dict.fromkeys((numpy.max, numpy.amax), functools.partial(_reduced, "max")),
        **dict.fromkeys((numpy.min, numpy.amin), functools.partial(_reduced, "min")),
        **{each: functools.partial(_spread, each.__name__) for each in (numpy.var, numpy.std)},
        **{each: functools.partial(_each, each) for each in _ELEMENTWISE},
        numpy.around: functools.partial(_each, numpy.round),
        **{each: functools.partial(_place, each) for each in (numpy.argmax, numpy.argmin)},
        _cast: _cast,
        numpy.copy: lambda a: a.like(a.full.copy()),
        numpy.dot: product,
        numpy.linalg.norm: _norm,
        numpy.average: _average,
        numpy.median: _median,
        numpy.ptp: lambda a: _reduced("max", a) - _reduced("min", a),
        numpy.cov: _cov,
        numpy.ravel: lambda a: a if a.ndim == 1 and a.full._strides is None else NotImplemented,
        _flat: _flat,
        numpy.reshape: _column,
    }


def _axes(value: Any, axis: Any) -> tuple[int, ...] | None:
    """Returns the axes that an argument names; None where NumPy decides about it."""
    rank = value.ndim
    if axis is None:
        return tuple(range(rank))
    axes = axis if axis.__class__ is tuple else (axis,)
    if not all(each.__class__ is int and -rank <= each < rank for each in axes):
        return None
    found = {each % rank for each in axes}
    return tuple(sorted(found)) if len(found) == len(axes) else None


def _whole_axes(value: Any, axes: Sequence[int]) -> tuple[int, ...]:
    """Returns the corresponding axes of the whole array."""
    rank = len(value.mask.shape)
    return tuple(
        axis + (rank - 1) * (axis > value.axis) + further
        for axis in axes
        for further in range(rank if axis == value.axis else 1)
    )


def _reduced(name: str, a: Any, axis: Any = None, *, keepdims: bool = False) -> Any:
    return _over_axes(name, a, axis, {"keepdims": bool(keepdims)})


def _spread(name: str, a: Any, axis: Any = None, *, keepdims: bool = False, ddof: float = 0) -> Any:
    return _over_axes(name, a, axis, {"keepdims": bool(keepdims), "ddof": ddof})


def _over_axes(name: str, a: Any, axis: Any, options: dict[str, Any]) -> Any:
    """Reduces over axes."""
    axes = _axes(a, axis)
    if axes is None:
        return NotImplemented
    function, over, keepdims = getattr(api.reductions, name), _whole_axes(a, axes), options["keepdims"]
    if a.axis not in axes:
        removed = 0 if keepdims else sum(each < a.axis for each in axes)
        return a.like(function(a.full, axis=over, **options), a.axis - removed)
    if keepdims and len(a.mask.shape) > 1:
        return NotImplemented
    whole = None if len(over) == len(a.full.shape) and not keepdims else over
    if name == "count_nonzero":
        return function(a.zeroed(), axis=whole, **options)
    if name in ("max", "min"):
        message = f"zero-size array to reduction operation {name}imum which has no identity"
        options["initial"] = _before_first(a, name, message)
    return function(a.full, axis=whole, where=a.everywhere(), **options)


def _extreme(name: str, a: Any) -> Any:
    """Returns the position of an extreme of a vector: the number of selected elements before it. Unselected
    elements get the value that never wins."""
    message = f"attempt to get {name} of an empty sequence"
    place = getattr(api.reductions, name)(a.or_else(_before_first(a, name.removeprefix("arg"), message)))
    return api.reductions.sum(a.mask & (api.creation.ranges.arange(a.mask.shape[0]) < place))


def _before_first(a: Any, name: str, message: str) -> Any:
    """Returns the initial value of an extreme; records an error with this text where no element is
    selected."""
    dtype = a.full._dtype
    value: Any = name != "max"
    if dtype.is_float:
        value = math.inf if value else -math.inf
    elif dtype is not BOOL:
        value = limits_of(dtype)[value]
    frame = a.mask._frame
    graph = frame.begin()
    none = api.reductions.count_nonzero(a.mask) == 0
    node = look_at(frame, graph.constant(value, dtype), none._node(graph), "argument", message)
    return TracedArray(Cell(frame, node), None, SCALAR)


def _each(function: Any, *values: Any) -> Any:
    """Makes an elementwise function."""
    if function is numpy.where and len(values) == 1:
        return _rules()[numpy.nonzero](*values)
    if any(value is None for value in values) or not any(map(is_of_mask, values)):
        return NotImplemented
    first = next(filter(is_of_mask, values))
    given = first.open_operands(values)
    return NotImplemented if given is None else first.spread(function(*given))


def _place(function: Any, a: Any, axis: Any = None) -> Any:
    """Returns the position of an extreme: among the selected elements of a vector, or in each selected
    row."""
    if len(a.full.shape) == 1 and _axes(a, axis) is not None:
        return _extreme(function.__name__, a)
    return along(function, a, axis)


def along(function: Any, a: Any, axis: Any = None) -> Any:
    """Applies a function of rows, with one row for each selected element."""
    axes = None if axis is None else _axes(a, axis)
    if axes is None or len(axes) != 1 or a.axis in axes:
        return NotImplemented
    found = function(a.full, axis=_whole_axes(a, axes)[0])
    removed = len(found.shape) < len(a.full.shape) and axes[0] < a.axis
    return a.like(found, a.axis - removed)


def product(left: Any, right: Any) -> Any:
    """Returns a product of matrices or vectors, one or both of unknown size."""
    left, right = (each if is_of_mask(each) else api.movement.as_lazy(each) for each in (left, right))
    open_ones = [each for each in (left, right) if is_of_mask(each)]
    if not all(len(each.mask.shape) == 1 for each in open_ones) or not all(
        each.ndim in (1, 2) for each in (left, right)
    ):
        return NotImplemented
    matmul = api.linear_algebra.products.matmul
    summed_left = is_of_mask(left) and left.axis == left.ndim - 1
    summed_right = is_of_mask(right) and right.axis == 0
    if summed_left and summed_right:
        if not left.is_on(right):
            from .packed import packed  # as below

            left, right = packed(left), packed(right)
            if left is None or right is None or not left.is_on(right):
                return NotImplemented
        return matmul(left.zeroed(), right.zeroed())
    if summed_left or summed_right or len(open_ones) == 2:
        return NotImplemented
    if is_of_mask(left):
        return left.like(matmul(left.full, right), 0)
    return right.like(matmul(left, right.full), left.ndim - 1)


def _norm(x: Any, ord: Any = None, axis: Any = None) -> Any:
    """The Euclidean norm of a vector or of a whole matrix; any norm of rows."""
    if axis is not None:
        axes = _axes(x, axis)
        if axes is None or len(axes) != 1 or x.axis in axes or len(x.mask.shape) != 1:
            return NotImplemented
        return x.like(numpy.linalg.norm(x.full, ord, axes[0]), x.axis - (axes[0] < x.axis))
    if not (ord is None or (ord == 2 and x.ndim == 1)):
        return NotImplemented
    if not x.full._dtype.is_float:
        x = x.like(x.full.astype(float))
    return numpy.sqrt(_reduced("sum", x * x))


def _average(a: Any, axis: Any = None, weights: Any = None) -> Any:
    """The average, with weights where the same mask selects them."""
    if weights is None:
        return _reduced("mean", a, axis)
    if axis is not None or not is_of_mask(weights) or weights.full.shape != a.full.shape:
        return NotImplemented
    return _reduced("sum", a * weights) / _reduced("sum", weights)


def _median(a: Any, axis: Any = None) -> Any:
    """The median of all elements: the whole array is sorted with unselected elements at the end."""
    over = _axes(a, axis)
    if over is None or len(over) != a.ndim or 0 in a.full.shape:
        return NotImplemented
    if not a.full._dtype.is_float:
        a = a.like(a.full.astype(float))
    ordered = numpy.sort(numpy.ravel(a.or_else(math.inf)))
    count = a.size
    middle = (ordered[(count - 1) // 2] + ordered[count // 2]) / 2
    lacks = (count == 0) | _reduced("any", a.like(numpy.isnan(a.full)))
    return numpy.where(lacks, a.full.dtype.type(math.nan), middle)[()]


def _cov(m: Any, y: Any = None, rowvar: bool = True, bias: bool = False, ddof: Any = None) -> Any:
    """The covariance of columns (or rows) over the selected elements."""
    if y is not None or m.ndim != 2 or len(m.mask.shape) != 1 or not m.full._dtype.is_float:
        return NotImplemented
    samples = m.T if rowvar else m
    if samples.axis != 0 or samples.full.shape[1] < 2:
        return NotImplemented
    centered = samples - _reduced("mean", samples, 0)
    degrees = samples.shape[0] - (ddof if ddof is not None else 0 if bias else 1)
    return product(centered.T, centered) / numpy.maximum(degrees, 0)


def _flat(a: Any) -> Any:
    return a.like(a.full.copy()) if a.ndim == 1 else NotImplemented


def _cast(a: Any, dtype: Any) -> Any:
    return a.like(a.full.astype(dtype))


def _column(a: Any, *shape: Any) -> Any:
    """Returns one column of a vector's elements."""
    shape = shape[0] if len(shape) == 1 and shape[0].__class__ is tuple else shape
    if a.ndim != 1 or shape != (-1, 1):
        return NotImplemented
    return indexed(a, (slice(None), None))


def is_whole(item: Any) -> bool:
    """Whether an item of an index is a slice of all."""
    return item.__class__ is slice and item.start is None and item.stop is None and item.step is None


def indexed(a: Any, index: Any) -> Any:
    """Indexes each row by slices, integers and new axes; None of other indices."""
    items = list(index) if index.__class__ is tuple else [index]
    taken = [place for place, item in enumerate(items) if item is not None]
    if not all(item is None or item.__class__ in (int, slice) for item in items) or len(taken) > a.ndim:
        return None
    items += [slice(None)] * (a.ndim - len(taken))
    taken = [place for place, item in enumerate(items) if item is not None]
    own = taken[a.axis]
    if not is_whole(items[own]) or any(map(is_open_slice, items)):
        return None
    axis = sum(item.__class__ is not int for item in items[:own])
    rank = len(a.mask.shape)
    return a.like(a.full[(*items[:own], *[slice(None)] * rank, *items[own + 1 :])], axis)


def new_axes(index: Any) -> tuple[slice | None, ...] | None:
    """Returns the index that adds the new axes of another one, in which slices and arrays alone stand beside
    them: `x[mask, None]` is `x[mask][:, None]`. None of other indices."""
    if index.__class__ is not tuple or not any(each is None for each in index):
        return None
    if not all(each is None or each.__class__ is slice or getattr(each, "shape", ()) for each in index):
        return None
    return tuple([None if each is None else slice(None) for each in index])


def element(a: Any, number: Any) -> Any:
    """One of the elements of a vector; where they are too few, the position lies outside."""
    counts = api.reductions.cumsum(a.mask)
    number = api.movement.as_lazy(number)
    where = api.elementwise.arithmetic.where
    wanted = where(number < 0, number + counts[-1], number) + 1
    place = api.sorting.sorted_search.searchsorted(counts, wanted)
    return a.full[where(wanted > 0, place, counts.shape[0])[()]]


def end(a: Any, from_behind: bool) -> Any:
    """The first or last element; of none the position lies outside."""
    mask = api.movement.reshape(a.mask, (-1,))
    count = mask.shape[0]
    if from_behind:
        place = count - 1 - api.reductions.argmax(api.movement.flip(mask))
    else:
        place = api.reductions.argmax(mask)
    place = api.elementwise.arithmetic.where(api.reductions.any(mask), place, count)
    return api.movement.reshape(a.full, (-1,))[place[()]]
