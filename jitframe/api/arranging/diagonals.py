"""Positions of diagonals and triangles, and writing to diagonals."""

from __future__ import annotations

import math
from typing import Any

import numpy

from ...errors import ArgumentError, ShapeError
from ..creation.constructors import asarray
from ..indexing.writing import put
from ..movement import as_lazy
from ..registry import public


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
    found = numpy.diag_indices(array.shape[0], array.ndim)
    return tuple(asarray(each, device=array.device) for each in found)


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
