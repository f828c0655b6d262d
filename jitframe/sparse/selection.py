"""Parts of sparse matrices: rows and columns by slices, lists and masks. Where their elements lie is found on
the processor; the values are taken as of any array."""

from __future__ import annotations

from typing import Any

import numpy

from ..api.creation.constructors import asarray
from ..api.frame import LazyValue
from ..api.movement import as_lazy
from ..base.arguments import shown
from ..errors import ArgumentError, BoundsError
from .formats import CSC, CSR, Matrix, host

_PLACES = "the rows of a sparse matrix"


def selected(matrix: Matrix, index: Any) -> Any:
    """`matrix[index]`: a matrix, of compressed columns if it was one, else of compressed rows; where an index
    is an integer an array, without that axis."""
    given = index if isinstance(index, tuple) else (index,)
    if len(given) > 2 or any(each is None or each is Ellipsis for each in given):
        raise ArgumentError(f"a sparse matrix has rows and columns: A[rows, columns], not A[{shown(index)}]")
    known = [host(each, _PLACES) if isinstance(each, LazyValue) else each for each in given]
    known += [slice(None)] * (2 - len(known))
    if all(numpy.ndim(each) == 2 for each in known) and all(
        numpy.shape(each)[1 - axis] == 1 for axis, each in enumerate(known)
    ):
        known = [numpy.ravel(each) for each in known]  # as of `numpy.ix_`
    elif all(numpy.ndim(each) for each in known):
        raise ArgumentError(
            "the elements of a sparse matrix at pairs of places: write A.todense()[rows, columns]; rows and "
            "columns of it are A[rows][:, columns]"
        )
    places = [_places(each, extent) for each, extent in zip(known, matrix.shape, strict=True)]
    found = _part(matrix, *places)
    dropped = tuple(
        0 if numpy.ndim(each) == 0 and not isinstance(each, slice) else slice(None) for each in known
    )
    return found.todense()[dropped] if 0 in dropped else found


def _places(index: Any, extent: int) -> Any:
    """The positions that an index selects, as a range or an array; None: all."""
    if isinstance(index, slice):
        found = range(extent)[index]
        return None if found == range(extent) else found
    array = numpy.asarray(index)
    is_mask = array.dtype.kind == "b" and array.ndim == 1
    if not is_mask and (array.ndim > 1 or (array.size and array.dtype.kind not in "iu")):
        raise ArgumentError(
            "rows and columns of a sparse matrix are slices, integers, lists of them or masks, not "
            f"{shown(index)}"
        )
    if is_mask:
        if len(array) != extent:
            raise BoundsError(f"a mask of {len(array)} bools for an axis of {extent} of a sparse matrix")
        return numpy.flatnonzero(array)
    array = numpy.atleast_1d(array).astype(numpy.int64)
    if array.size and not (-extent <= array.min() and array.max() < extent):
        raise BoundsError(f"{shown(index)} is out of bounds for an axis of {extent} of a sparse matrix")
    return numpy.where(array < 0, array + extent, array)


def _part(matrix: Matrix, rows: Any, columns: Any) -> Matrix:
    if isinstance(matrix, CSC):
        return _part(matrix.T, columns, rows).T
    found = matrix.tocsr()
    found = found if rows is None else _lines(found, rows)
    return found if columns is None else _lines(found.tocsc().T, columns).T.tocsr()


def _lines(matrix: CSR, places: Any) -> CSR:
    """Some rows, in the order in which they are named."""
    bounds = matrix.starts()
    shape = len(places), matrix.shape[1]
    if isinstance(places, range) and places.step == 1:
        first, last = int(bounds[places.start]), int(bounds[places.start + len(places)])
        starts = asarray(bounds[places.start : places.start + len(places) + 1] - first)
        return CSR(matrix.data[first:last], matrix.indices[first:last], starts, shape)
    rows = numpy.asarray(places, numpy.int64)
    counts = bounds[rows + 1] - bounds[rows]
    starts = numpy.concatenate(([0], numpy.cumsum(counts))).astype(bounds.dtype)
    order = numpy.arange(starts[-1]) + numpy.repeat(bounds[rows] - starts[:-1], counts)
    at = asarray(order.astype(numpy.int32 if bounds[-1] < 2**31 else numpy.int64))  # as devices have them
    return CSR(matrix.values[at], as_lazy(matrix.indices)[at], asarray(starts), shape)
