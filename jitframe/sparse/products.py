"""Sums and products of two sparse matrices, sampled products of dense ones, and matrices of other
libraries."""

from __future__ import annotations

from typing import Any

import numpy

from ..api import reductions
from ..api.creation.constructors import asarray
from ..api.movement import as_lazy, concat
from ..base.arguments import shown
from ..base.boundary import guarded
from ..errors import KindError, ShapeError
from .formats import BSR, COO, CSC, CSR, Matrix, _compressed, host, unwrapped

_PLACES = "the places of a sparse matrix"


def sparse_sum(x: Matrix, y: Matrix) -> CSR:
    """x + y."""
    if x.shape != y.shape:
        raise ShapeError(f"the sum of sparse matrices of one shape, not {x.shape} and {y.shape}")
    rows, columns = (
        numpy.concatenate([host(each, _PLACES) for each in pair])
        for pair in zip(x.places, y.places, strict=True)
    )
    return _compressed(concat((x.values, y.values)), rows, columns, x.shape)


def sparse_product(x: Matrix, y: Matrix) -> CSR:
    """x @ y: each element of `x` meets the row of `y` that its column names (F. G. Gustavson, "Two fast
    algorithms for sparse matrices", ACM Transactions on Mathematical Software 4, 1978); the places are found
    first, on the processor."""
    if x.shape[1] != y.shape[0]:
        raise ShapeError(f"the inner extents of a sparse product differ: {x.shape} @ {y.shape}")
    right = y.tocsr()
    rows, inner = (host(each, _PLACES) for each in x.places)
    starts, columns = right.starts(), host(right.indices, _PLACES)
    counts = (starts[1:] - starts[:-1])[inner]
    ours = numpy.repeat(numpy.arange(len(inner)), counts)
    first = numpy.concatenate(([0], numpy.cumsum(counts)))[:-1]
    theirs = numpy.arange(len(ours)) - first[ours] + starts[inner][ours]
    values = x.values[asarray(ours)] * right.values[asarray(theirs)]
    return _compressed(values, rows[ours], columns[theirs], (x.shape[0], y.shape[1]))


@guarded
def sampled_product(pattern: Matrix, x: Any, y: Any) -> Matrix:
    """`x @ y` where a sparse matrix has elements, times these: `pattern * (x @ y)`, whose other elements are
    not computed.

    `x`: [rows, n]; `y`: [n, columns]. Raises ShapeError where they do not fit.

    >>> pattern = jf.sparse.COO(np.ones(1), np.array([0]), np.array([1]), (2, 2))
    >>> jf.sparse.sampled_product(pattern, np.ones((2, 3)), np.ones((3, 2))).data.numpy()
    array([3.])
    """
    left, right = as_lazy(x), as_lazy(y)
    if left.ndim != 2 or right.ndim != 2 or (left.shape[0], right.shape[1]) != pattern.shape:
        raise ShapeError(
            f"sampled_product: x @ y is {pattern.shape}, and the operands are {tuple(left.shape)} and "
            f"{tuple(right.shape)}"
        )
    if left.shape[1] != right.shape[0]:
        raise ShapeError(f"sampled_product: inner extents differ: {tuple(left.shape)} @ {tuple(right.shape)}")
    rows, columns = pattern.places
    found = reductions.sum(left[unwrapped(rows)] * right.T[unwrapped(columns)], axis=1)
    return pattern.map(lambda data: data * found.reshape(data.shape))


@guarded
def from_scipy(matrix: Any) -> Matrix:
    """A matrix or array of SciPy's (coo, csr, csc, bsr), of the same memory; others become csr.

    >>> import scipy.sparse
    >>> jf.sparse.from_scipy(scipy.sparse.eye_array(3, format="csr"))
    <CSR 3 x 3, 3 of float64>
    """
    kind = getattr(matrix, "format", None)
    if not isinstance(kind, str) or not hasattr(matrix, "tocsr"):
        raise KindError(f"from_scipy: a matrix of scipy.sparse is needed, not {shown(matrix)}")
    shape = (int(matrix.shape[0]), int(matrix.shape[1]))
    if kind == "coo":
        return COO(matrix.data, matrix.row, matrix.col, shape)
    made = matrix if kind in ("csr", "csc", "bsr") else matrix.tocsr()
    of = {"csr": CSR, "csc": CSC, "bsr": BSR}[made.format]
    return of(made.data, made.indices, made.indptr, shape)


@guarded
def from_torch(tensor: Any) -> Matrix:
    """A sparse tensor of PyTorch on the processor, of layout coo, csr or csc, of the same memory."""
    layout = str(getattr(tensor, "layout", "")).removeprefix("torch.")
    shape = tuple(map(int, getattr(tensor, "shape", ())))
    if layout not in ("sparse_coo", "sparse_csr", "sparse_csc") or len(shape) != 2:
        raise KindError(f"from_torch: a sparse matrix of PyTorch is needed, not {shown(tensor)}")
    if layout == "sparse_coo":
        whole = tensor.coalesce()
        row, column = whole.indices().numpy()
        return COO(whole.values().numpy(), row, column, (shape[0], shape[1]))
    of, names = (CSR, ("col", "crow")) if layout == "sparse_csr" else (CSC, ("row", "ccol"))
    indices, starts = (getattr(tensor, f"{name}_indices")().numpy() for name in names)
    return of(tensor.values().numpy(), indices, starts, (shape[0], shape[1]))
