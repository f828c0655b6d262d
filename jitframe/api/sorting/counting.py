"""Counts of values and of elements in intervals, and membership in sets."""

from __future__ import annotations

from typing import Any

import numpy

from ...base.arguments import count, flag, shown, word
from ...base.importing import load
from ...errors import ArgumentError, DTypeError, ShapeError
from ...functions.operands import from_start
from ...ir.types import BOOL
from ..calls import call
from ..creation.constructors import asarray, full
from ..elementwise.arithmetic import clip, where
from ..frame import LazyValue
from ..indexing.reading import take
from ..indexing.writing import combine_at
from ..movement import as_lazy, flip, reshape, stack
from ..registry import public
from .sorted_search import searchsorted
from .sorts import sort


@public("reduction", sample=lambda s: (s.v,))
def bincount(x: Any, /, weights: Any = None, minlength: Any = 0, *, size: int | None = None) -> Any:
    """The count of each of 0, 1, 2, … among the integers `x`, or the sum of its `weights`.

    How long the result is, is a shape: `x` is evaluated now, unless its dtype has no more than `minlength`
    values. In a jitted function with `minlength`, where `x` has no value yet, there are that many; Python
    answers calls that have more. Without it there is room for 256, or for as many as `x` has elements, up to
    65,536. With `size` there are so many counts, and an integer in `x` that has none is
    a BoundsError, told when the result is asked for.

    >>> import numpy as np
    >>> jf.bincount(jf.asarray(np.array([1, 3, 1]))).numpy()
    array([0, 2, 0, 1])
    """
    array = as_lazy(x)
    if array.ndim != 1:
        raise ShapeError(f"bincount: x has 1 axis, not the shape {tuple(array.shape)}; x.ravel() has one")
    if array._dtype is BOOL:
        array = array.astype("uint8")
    if not array._dtype.is_integer and array.size:
        raise DTypeError(f"bincount: elements are integers, not {array.dtype}; write x.astype(int)")
    least = count(minlength, "minlength")
    if size is not None:
        length = count(size, "size")
    else:
        known = _at_hand(array, least)
        if known is None and not least:
            found = load(_ABOVE).open_counts(array, weights)
            if found is not None:
                return found
        array, length = _counted(array, known, least)
    values: Any = 1 if weights is None else asarray(weights, device=array.device)
    if not array.size:
        return full((length,), 0, device=array.device)
    if weights is not None and values.shape != array.shape:
        raise ShapeError("The weights and list don't have the same length.")
    result = full((length,), 0 if weights is None else 0.0, device=array.device)
    places = call(from_start, (array,))
    combine_at(numpy.add, result, places, values if weights is None else values.astype(result.dtype))
    return result


_ABOVE = "jitframe.tracing.values.packed_functions"
"""A room above this one."""


def _at_hand(array: Any, least: int) -> numpy.ndarray | None:
    """Returns the elements to count where they are known, or need not be; None where they have no value."""
    if not array.size or (array.dtype.kind == "u" and least > numpy.iinfo(array.dtype).max):
        return numpy.zeros(0, int)
    found: numpy.ndarray | None = array._at_hand("bincount: how many counts there are is a shape")
    return found


def _counted(array: Any, known: numpy.ndarray | None, least: int) -> tuple[Any, int]:
    """Returns the array to count, and one more than the largest element, or `least`."""
    if known is not None and not known.size:
        return array, least
    if known is not None:
        low, high = int(known.min()), int(known.max())
    elif least:
        bad = (array.min() < 0) | (array.max() >= least)
        load("jitframe.tracing.values.python_numbers").left_to_python(
            bad, f"bincount: elements of x are not negative, and below minlength, {least}"
        )  # a room above this one
        return clip(array, 0, min(least - 1, numpy.iinfo(array.dtype).max)), least
    else:
        low, high = stack([array.min(), array.max()]).tolist()
    if low < 0:
        raise ArgumentError(f"bincount: x has no negative elements; the smallest is {low}")
    return array, max(high + 1, least)


@public("reduction", sample=lambda s: (s.v, s.v))
def digitize(x: Any, bins: Any, right: bool = False) -> Any:
    """The interval of `bins`, which ascend or descend, in which each element lies.

    It is i where bins[i-1] <= x < bins[i]; with `right`, where bins[i-1] < x <= bins[i].

    >>> import numpy as np
    >>> jf.digitize(jf.asarray([0.5, 3.0]), np.array([0.0, 1.0, 2.0])).numpy()
    array([1, 3])
    """
    side = "left" if right else "right"
    if as_lazy(x)._dtype.is_complex:
        raise DTypeError(
            "digitize: x may not be complex: complex numbers have no order; give x.real or abs(x)"
        )
    if not isinstance(bins, LazyValue):
        known = numpy.asarray(bins)
        steps = numpy.diff(known) if known.ndim == 1 else numpy.zeros(0)
        if known.ndim != 1 or not ((steps >= 0).all() or (steps <= 0).all()):
            raise ArgumentError("bins must be monotonically increasing or decreasing")
        if (steps >= 0).all():
            return searchsorted(known, x, side=side)
        return len(known) - searchsorted(known[::-1], x, side=side)
    if bins.ndim != 1:
        raise ShapeError(f"digitize: bins is a vector, not {shown(bins)}")
    if bins.shape[0] < 2:
        return searchsorted(bins, x, side=side)
    descending = bins[0] > bins[-1]
    found = searchsorted(where(descending, flip(bins), bins), x, side=side)
    return where(descending, bins.shape[0] - found, found)


_FEW = 32
"""The most elements that are compared with all others rather than sorted."""


@public("reduction", sample=lambda s: (s.v, s.v), makes_arrays=True)
def isin(
    element: Any, test_elements: Any, assume_unique: bool = False, invert: bool = False, *, kind: Any = None
) -> Any:
    """Whether each element is one of `test_elements`; with `invert`, whether it is none of them.

    `test_elements` are sorted and searched; a few of a lazy array are each compared with each.

    Shape: that of `element`. Dtype: bool.

    >>> jf.isin([1, 2, 3], [1, 3]).numpy()
    array([ True, False,  True])
    """
    if kind is not None:
        word(kind, "kind", ("sort", "table"))
    inverted = flag(invert, "invert")
    array = as_lazy(element)
    if isinstance(test_elements, LazyValue):
        tests = reshape(test_elements, (-1,))
        count = tests.shape[0]
        if count <= _FEW:
            found = (reshape(array, (*array.shape, 1)) == tests).any(axis=-1)
        else:
            tests = sort(tests)
            place = searchsorted(tests, array)
            found = take(tests, where(place < count, place, count - 1)) == array
    else:
        known = numpy.unique(numpy.asarray(test_elements))
        if not known.size:
            return full(array.shape, inverted, device=array.device)
        given = known if isinstance(test_elements, numpy.ndarray) else known.tolist()
        table = asarray(given, device=array.device)
        place = searchsorted(table, array)
        found = take(table, where(place < known.size, place, 0)) == array
    return ~found if inverted else found
