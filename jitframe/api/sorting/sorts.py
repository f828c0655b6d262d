"""Sorts: elements in their order, the positions of that order, and the first of it."""

from __future__ import annotations

from typing import Any

import numpy

from ...arrays.indexing import normalize_axis
from ...base.arguments import count, flag, shown, word
from ...errors import ArgumentError, DTypeError, KindError, ShapeError
from ...functions import sorting as nodes
from ..calls import call
from ..creation.constructors import full
from ..frame import LazyValue, dtype_there
from ..indexing.reading import take_along_axis
from ..movement import as_lazy, flat_or_along, reshape, squeeze
from ..registry import public

SELECTED_OF = 4
"""The least ratio of a row's elements to those that `top_k` selects: below it sorts them all."""
_KINDS = ("quicksort", "heapsort", "mergesort", "stable")


@public("movement")
def sort(
    a: Any,
    axis: Any = -1,
    kind: Any = None,
    order: Any = None,
    *,
    stable: Any = None,
    descending: Any = False,
) -> Any:
    """The elements in their order along an axis; `axis` None sorts `a` flat. NaN is the last. Complex numbers
    are in the order of their real parts, then of their imaginary parts.

    With `stable`, or `kind` "stable", 0.0 and -0.0, which are equal, stay in their order, which takes
    longer; no other `kind` matters. `descending` is the order reversed: NaN is the first, equal elements
    stay in their order.

    Shape and dtype: those of `a`, or of `a` flat. Short rows are sorted by counting, longer ones by digits (a
    radix sort), on devices of many lanes by merging. Raises ArgumentError for a kind that is none of NumPy's,
    AxisError.

    >>> import numpy as np
    >>> jf.sort(np.array([3.0, np.nan, 1.0])).numpy()
    array([ 1.,  3., nan])
    >>> jf.sort(np.array([[1, 3, 2]]), descending=True).numpy()
    array([[3, 2, 1]])
    """
    kept = _is_stable(kind, order, stable)
    array, along = _along(a, axis)
    return call(nodes.sort, (array,), along, flag(descending, "descending"), kept)._keep_order(array)


@public("movement", method=True)
def argsort(
    a: Any,
    axis: Any = -1,
    kind: Any = None,
    order: Any = None,
    *,
    stable: Any = None,
    descending: Any = False,
) -> Any:
    """The positions that sort `a` along an axis, or `a` flat where it is None; see `sort`.

    Equal elements are in their order whatever `kind` and `stable` are. Shape: that of `a`. Dtype: int64.

    >>> import numpy as np
    >>> jf.argsort(np.array([3, 1, 2, 1])).numpy()
    array([1, 3, 2, 0])
    >>> jf.argsort(np.array([3, 1, 2, 1]), descending=True).numpy()
    array([0, 2, 1, 3])
    """
    _is_stable(kind, order, stable)
    array, place = flat_or_along(a, axis)
    return call(nodes.argsort, (array,), place, flag(descending, "descending"))


def _is_stable(kind: Any, order: Any, stable: Any) -> bool:
    """Whether a stable sort is requested."""
    if order is not None:
        raise ArgumentError("Cannot specify order when the array has no fields.")
    found = None if kind is None else word(kind, "sort kind", _KINDS)
    if found is not None and stable is not None:
        raise ArgumentError(
            "`kind` and keyword parameters can't be provided at the same time. Use only one of them."
        )
    if found is None:
        return stable is not None and flag(stable, "stable")
    return found in ("mergesort", "stable")


def _along(a: Any, axis: Any) -> tuple[Any, int]:
    """Returns the array to sort, and the axis."""
    array = as_lazy(a)
    if axis is None:
        return reshape(array, (-1,)), 0
    return array, normalize_axis(axis, array.ndim)


def sort_in_place(array: Any, axis: Any, kind: Any, order: Any, stable: Any, descending: Any) -> None:
    """Sorts an array in place, for the method `sort`."""
    normalize_axis(axis, array.ndim)
    array[...] = sort(array, axis, kind, order, stable=stable, descending=descending)


@public("movement")
def lexsort(keys: Any, axis: Any = -1) -> Any:
    """The positions that sort by several keys: by the last of `keys` first, equal ones by that before.

    `keys`: arrays of one shape, or an array, whose rows are the keys. Shape: that of a key. Dtype: int64.
    Raises ShapeError for keys of several shapes, DTypeError for none.

    >>> import numpy as np
    >>> jf.lexsort((np.array([1, 0, 2]), np.array([5, 5, 4]))).numpy()
    array([2, 1, 0])
    """
    given = list(keys) if isinstance(keys, (tuple, list)) else list(as_lazy(keys))
    if not given:
        raise DTypeError("need sequence of keys with len > 0 in lexsort")
    arrays = [as_lazy(each) for each in given]
    if any(array.shape != arrays[0].shape for array in arrays):
        raise ShapeError("all keys need to be the same shape")
    if not arrays[0].ndim:
        return as_lazy(numpy.int64(0))
    along = normalize_axis(axis, arrays[0].ndim)
    first, *rest = arrays
    order = argsort(first, axis=along)
    for key in rest:
        order = take_along_axis(order, argsort(take_along_axis(key, order, along), axis=along), along)
    return order


@public("movement", sample=lambda s: (s.x, 1))
def partition(a: Any, kth: Any, axis: Any = -1, kind: Any = "introselect", order: Any = None) -> Any:
    """`a` with element `kth` (or each of several) where sorting puts it: smaller ones before, others behind.

    Those before and behind it keep their order; for several positions all elements are sorted. Both are among
    the results that NumPy may give. Shape and dtype: those of `a`. Raises ArgumentError for a position that
    is out of bounds.

    >>> import numpy as np
    >>> int(jf.partition(np.array([7, 1, 5, 3]), 2)[2])
    5
    """
    array, along = _along(a, axis)
    _check_partition(array, along, kth, kind, order)
    rank = _rank(array, kth, along)
    if rank is None:
        return call(nodes.sort, (array,), along)._keep_order(array)
    made = call(nodes.partition, (array, _element_at(array, rank, along)), along, False)
    return made._keep_order(array)


@public("movement", method=True, sample=lambda s: (s.x, 1))
def argpartition(a: Any, kth: Any, axis: Any = -1, kind: Any = "introselect", order: Any = None) -> Any:
    """The positions in the order of `partition`'s elements.

    >>> import numpy as np
    >>> int(jf.argpartition(np.array([7, 1, 5, 3]), 2)[2])
    2
    """
    array, along = flat_or_along(a, axis)
    _check_partition(array, along, kth, kind, order)
    rank = _rank(array, kth, along)
    if rank is None:
        return call(nodes.argsort, (array,), along)
    return call(nodes.partition, (array, _element_at(array, rank, along)), along, True)


def _rank(array: Any, kth: Any, along: int) -> int | None:
    """Returns the one requested position; None where there are none or several, or where the device does not
    select."""
    if isinstance(kth, LazyValue) or array._dtype.is_complex or not array.size:
        return None
    given = numpy.asarray(kth).reshape(-1)
    return int(given[0]) % array.shape[along] if given.size == 1 else None


def _element_at(array: Any, rank: int, along: int) -> Any:
    """Returns the element of each row at a position of the sorted row."""
    shape = [1 if axis == along else extent for axis, extent in enumerate(array.shape)]
    ranks = full(shape, rank, dtype=dtype_there(array, "int64"), device=array.device)
    found, _ = call(nodes.order_statistics, (array, ranks), along)
    return squeeze(found, along)


def _check_partition(array: Any, along: int, kth: Any, kind: Any, order: Any) -> None:
    """Raises for invalid positions along an axis, and for parameters that NumPy rejects."""
    word(kind, "select kind", ("introselect",))
    if order is not None:
        raise ArgumentError("Cannot specify order when the array has no fields.")
    given = kth if isinstance(kth, LazyValue) else numpy.asarray(kth)
    if given.size and given.dtype.kind not in "iu":
        raise KindError(f"Partition index must be integer, not {shown(kth)}")
    if given.ndim > 1:
        raise ShapeError("kth array must have dimension <= 1")
    if isinstance(given, LazyValue) or not array.size:
        return
    extent = array.shape[along]
    for each in given.reshape(-1).tolist():
        if not -extent <= each < extent:
            raise ArgumentError(f"kth(={each}) out of bounds ({extent})")


def partition_in_place(array: Any, kth: Any, axis: Any, kind: Any, order: Any) -> None:
    """Partitions an array in place, for the method `partition`."""
    array[...] = partition(array, kth, normalize_axis(axis, array.ndim), kind, order)


@public("movement", sample=lambda s: (s.x, 2))
def top_k(x: Any, /, k: Any, *, axis: Any = -1, largest: Any = True) -> tuple[Any, Any]:
    """The `k` largest elements along an axis, the largest first, and their positions; or the smallest.

    Of equal ones the first come first. NaN is larger than every number. Shapes: that of `x` with `k` along
    the axis; dtypes: that of `x`, int64. Raises ArgumentError for more than there are.

    >>> import numpy as np
    >>> values, positions = jf.top_k(np.array([1, 9, 3, 9]), 2)
    >>> values.numpy(), positions.numpy()
    (array([9, 9]), array([1, 3]))
    """
    array = as_lazy(x)
    along = normalize_axis(axis, array.ndim)
    wanted, extent = count(k, "k"), array.shape[along]
    if wanted > extent:
        raise ArgumentError(f"top_k: k is {wanted}, and axis {along} has {extent} elements")
    descending = flag(largest, "largest")
    first = (slice(None),) * along + (slice(0, wanted),)
    if array._dtype.is_complex or not 0 < SELECTED_OF * wanted <= extent:
        positions = argsort(array, axis=along, descending=descending)[first]
        return take_along_axis(array, positions, axis=along), positions
    pivot = _element_at(array, extent - wanted if descending else wanted - 1, along)
    chosen = call(nodes.partition, (array, pivot), along, True, descending)[first]
    found = take_along_axis(array, chosen, axis=along)
    order = argsort(found, axis=along, descending=descending)
    return take_along_axis(found, order, axis=along), take_along_axis(chosen, order, axis=along)


@public("movement")
def sort_complex(a: Any) -> Any:
    """The elements in their order along the last axis, as complex numbers: complex64 of integers of 16 bits
    and less, complex128 of other real numbers.

    >>> import numpy as np
    >>> jf.sort_complex(np.array([5, 3])).numpy()
    array([3.+0.j, 5.+0.j])
    """
    ordered = sort(a)
    if ordered._dtype.is_complex:
        return ordered
    small = ordered._dtype.is_integer and ordered._dtype.bits <= 16
    return ordered.astype("complex64" if small else "complex128")
