"""Diagonals read, written to and summed; positions of diagonals and triangles."""

from __future__ import annotations

import math
from typing import Any

import numpy

from ...base.arguments import integer
from ...errors import ArgumentError, ShapeError
from ...functions import arranging, movement
from ..calls import call
from ..creation.constructors import asarray
from ..indexing.writing import put
from ..movement import as_lazy, reshape
from ..reductions import sum as summed
from ..registry import public


@public("movement", method=True)
def diagonal(a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Any:
    """The elements on a diagonal of two axes, along a new last axis; not to be written to.

    Shape: that of `a` without the two axes, and the diagonal's length. `offset`: above (positive) or below.

    >>> jf.diagonal([[1, 2], [3, 4]]).numpy()
    array([1, 4])
    """
    array = as_lazy(a)
    return array._view(movement.diagonal(array.shape, offset, axis1, axis2))


@public("movement", sample=lambda s: (s.v,))
def diag(v: Any, k: int = 0) -> Any:
    """The diagonal of a matrix; of a vector the matrix that has it as diagonal.

    `k`: how far above (positive) or below the main diagonal.

    >>> jf.diag([1, 2]).numpy()
    array([[1, 0],
           [0, 2]])
    """
    if len(as_lazy(v).shape) == 2:
        return diagonal(v, k)
    return call(arranging.diag, (v,), integer(k, "k"))


@public("movement", sample=lambda s: (s.v,))
def diagflat(v: Any, k: int = 0) -> Any:
    """The matrix that has the elements of `v` as a diagonal.

    >>> jf.diagflat([[1, 2], [3, 4]], k=1).shape
    (5, 5)
    """
    return diag(reshape(v, (-1,)), k)


@public("reduction", method=True)
def trace(a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: Any = None, out: Any = None) -> Any:
    """The sum along a diagonal.

    Shape: that of `a` without the two axes. Dtype: as of `sum`.

    >>> jf.trace([[1, 2], [3, 4]]).numpy()
    array(5)
    """
    return summed(diagonal(a, offset, axis1, axis2), axis=-1, dtype=dtype, out=out)


@public("movement", sample=lambda s: (s.x, 1))
def fill_diagonal(a: Any, val: Any, wrap: bool = False) -> None:
    """Writes a number, or values again from the first where they are too few, to the diagonal of `a`.

    With `wrap`, a matrix of more rows than columns has diagonals below its first one, too.

    `a` is a lazy array. Raises ShapeError for less than two axes, and for more of different extents.

    >>> x = jf.zeros((2, 2))
    >>> jf.fill_diagonal(x, 5)
    >>> x.numpy()
    array([[5., 0.],
           [0., 5.]])
    """
    array = as_lazy(a)
    shape = array.shape
    if len(shape) < 2:
        raise ShapeError("array must be at least 2-d")
    if len(shape) > 2 and len(set(shape)) > 1:
        raise ShapeError("All dimensions of input must be of equal length")
    step = (
        shape[1] + 1 if len(shape) == 2 else 1 + sum(math.prod(shape[axis:]) for axis in range(1, len(shape)))
    )
    end = shape[1] * shape[1] if len(shape) == 2 and not wrap else array.size
    put(a, numpy.arange(0, min(end, array.size), step), val)


def _of_shape(name: str, arr: Any, function: Any) -> tuple[Any, ...]:
    array = as_lazy(arr)
    if array.ndim != 2:
        raise ShapeError(f"{name}: the array has 2 axes, not the shape {tuple(array.shape)}")
    return tuple(asarray(each, device=array.device) for each in function(array.shape))


@public("movement")
def diag_indices_from(arr: Any) -> tuple[Any, ...]:
    """The positions of the diagonal of an array, all of whose extents are equal: one array for each axis.

    >>> [positions.numpy() for positions in jf.diag_indices_from(np.zeros((2, 2)))]
    [array([0, 1]), array([0, 1])]
    """
    array = as_lazy(arr)
    if array.ndim < 2 or len(set(array.shape)) != 1:
        raise ArgumentError("All dimensions of input must be of equal length, and at least two")
    arrays = numpy.diag_indices(array.shape[0], array.ndim)
    return tuple(asarray(each, device=array.device) for each in arrays)


@public("movement")
def tril_indices_from(arr: Any, k: int = 0) -> tuple[Any, ...]:
    """The positions of the lower triangle of a matrix.

    `k`: how far above (positive) or below the main diagonal.

    >>> [positions.numpy() for positions in jf.tril_indices_from(np.zeros((2, 2)))]
    [array([0, 1, 1]), array([0, 0, 1])]
    """
    return _of_shape("tril_indices_from", arr, lambda shape: numpy.tril_indices(shape[0], k, shape[1]))


@public("movement")
def triu_indices_from(arr: Any, k: int = 0) -> tuple[Any, ...]:
    """The positions of the upper triangle of a matrix.

    `k`: how far above (positive) or below the main diagonal.

    >>> [positions.numpy() for positions in jf.triu_indices_from(np.zeros((2, 2)))]
    [array([0, 0, 1]), array([0, 1, 1])]
    """
    return _of_shape("triu_indices_from", arr, lambda shape: numpy.triu_indices(shape[0], k, shape[1]))
