"""Sparse matrices: the elements that are not zero, and where they are.

Each format is a dataclass of arrays with the shape as a static field, so that matrices are arguments and
results of jitted functions. What needs other places than a matrix has (`+`, products of two, conversions that
sort) follows from their values: outside of jitted functions alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy

from ..api import reductions
from ..api.calls import call
from ..api.creation.constructors import asarray, full
from ..api.creation.ranges import arange
from ..api.frame import LazyValue
from ..api.movement import as_lazy, broadcast_to
from ..api.sorting.sorted_search import searchsorted
from ..base.arguments import shown
from ..base.boundary import guarded_methods
from ..errors import ArgumentError, BoundsError, KindError, ShapeError
from ..functions.operands import from_start
from ..functions.sparse_rows import row_products, triangular_solve

M = TypeVar("M", bound="Matrix")


def host(x: Any, purpose: str) -> numpy.ndarray:
    """The values of an array, which something's size follows from."""
    return x._concrete(purpose) if isinstance(x, LazyValue) else numpy.asarray(x)


@guarded_methods
class Matrix:
    """The base of all formats. Not made by itself."""

    data: Any
    shape: tuple[int, int]
    __array_ufunc__ = None

    @property
    def dtype(self) -> numpy.dtype[Any]:
        """The dtype of the elements."""
        found: numpy.dtype[Any] = numpy.dtype(self.data.dtype)
        return found

    @property
    def nnz(self) -> int:
        """How many elements are stored."""
        return int(numpy.prod(self.data.shape))

    @property
    def places(self) -> tuple[Any, Any]:
        """The row and the column of each stored element, in the order of `values`."""
        raise AssertionError("formats say where their elements are")

    @property
    def values(self) -> Any:
        """The stored elements as a vector."""
        return as_lazy(self.data)

    @property
    def T(self) -> Matrix:
        """The transpose, of the same arrays."""
        raise AssertionError("formats have their transposes")

    def map(self: M, function: Callable[[Any], Any]) -> M:
        """The matrix whose stored elements are `function` of these: elementwise, and fused with what comes
        next."""
        data, before = as_lazy(function(as_lazy(self.data))), numpy.shape(self.data)
        if data.shape != before:
            raise ShapeError(f"the stored elements of shape {before} would become some of shape {data.shape}")
        rest = (getattr(self, name) for name in self._parts[1:])
        return type(self)(data, *rest, self.shape)  # type: ignore[call-arg]

    def todense(self) -> Any:
        """As an array [rows, columns]; elements stored twice are added."""
        rows, columns = self.places
        return _added_up(self.shape, (rows, columns), self.values)

    def tocoo(self) -> COO:
        """As coordinates."""
        rows, columns = self.places
        return COO(self.values, rows, columns, self.shape)

    def tocsr(self) -> CSR:
        """As compressed rows: sorted by place, elements stored twice added. Needs the places' values.

        Raises BoundsError for places beyond the shape.
        """
        rows, columns = (host(each, "the places of a sparse matrix") for each in self.places)
        return _compressed(self.values, rows, columns, self.shape)

    def tocsc(self) -> CSC:
        """As compressed columns; see `tocsr`."""
        return self.T.tocsr().T

    def toscipy(self) -> Any:
        """As SciPy's array of this format, of the same memory where that is the processor's."""
        import scipy.sparse  # an optional package

        parts = [numpy.asarray(getattr(self, name)) for name in self._parts]
        return self._scipy(scipy.sparse, parts)

    _parts: tuple[str, ...] = ()

    def _scipy(self, module: Any, parts: list[numpy.ndarray]) -> Any:
        raise AssertionError("formats say what they are in SciPy")

    def sum(self, axis: int | None = None) -> Any:
        """The sum of all elements, of each column (`axis` 0) or of each row (1)."""
        if axis is None:
            return reductions.sum(self.values)
        place = axis + 2 if axis < 0 else axis
        if place not in (0, 1):
            raise ArgumentError(f"sum: axis is 0, 1 or None, and {axis!r} was given")
        return _added_up((self.shape[1 - place],), (self.places[1 - place],), self.values)

    def __getitem__(self, index: Any) -> Any:
        """Rows and columns: `A[rows]`, `A[rows, columns]`, each a slice, an integer, a list or a mask.

        A matrix in compressed rows, of one in compressed columns in these; with an integer the dense array
        without that axis. Needs the values of the places. Raises BoundsError beyond the shape, ArgumentError
        for pairs of places and for other indices.
        """
        from .selection import selected  # needs this module

        return selected(self, index)

    def __matmul__(self, other: Any) -> Any:
        if isinstance(other, Matrix):
            from .products import sparse_product  # sorts

            return sparse_product(self, other)
        x = as_lazy(other)
        if x.ndim not in (1, 2) or x.shape[0] != self.shape[1]:
            raise ShapeError(
                f"a sparse matrix {self.shape} is multiplied by a vector or matrix of {self.shape[1]} rows, "
                "not "
                f"{tuple(x.shape)}"
            )
        return self._times(x)

    def __rmatmul__(self, other: Any) -> Any:
        x = as_lazy(other)
        found = self.T @ (x if x.ndim == 1 else x.T)
        return found if x.ndim == 1 else found.T

    def _times(self, x: Any) -> Any:
        """By coordinates: each product is added at its row."""
        rows, columns = self.places
        values = self.values if x.ndim == 1 else self.values[:, None]
        products = values * x[unwrapped(columns)]
        return _added_up((self.shape[0], *x.shape[1:]), (rows,), products)

    def __mul__(self: M, other: Any) -> M:
        """Times a number, or elementwise times an array that broadcasts to the shape."""
        if isinstance(other, Matrix):
            raise ArgumentError("the elementwise product of two sparse matrices: write A * B.todense()")
        factor = other if isinstance(other, (int, float, complex)) else as_lazy(other)
        if not getattr(factor, "ndim", 0):
            return self.map(lambda data: data * factor)
        rows, columns = self.places
        picked = broadcast_to(factor, self.shape)[unwrapped(rows), unwrapped(columns)]
        return self.map(lambda data: data * picked.reshape(data.shape))

    __rmul__ = __mul__

    def __truediv__(self: M, other: Any) -> M:
        return self.map(lambda data: data / other)

    def __neg__(self: M) -> M:
        return self.map(lambda data: -data)

    def __abs__(self: M) -> M:
        return self.map(abs)

    def __add__(self, other: Any) -> Any:
        if not isinstance(other, Matrix):
            return self.todense() + other
        from .products import sparse_sum  # sorts

        return sparse_sum(self, other)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return self + -other

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.shape[0]} x {self.shape[1]}, {self.nnz} of {self.dtype}>"


def _added_up(shape: tuple[int, ...], places: tuple[Any, ...], values: Any) -> Any:
    """Zeros, to which the values are added at their places."""
    base = full(shape, 0, values.dtype, device=values.device)
    numpy.add.at(base, tuple(map(unwrapped, places)), values)
    return base


def unwrapped(places: Any) -> Any:
    """Places of which none counts from the end: one below zero is out of bounds."""
    return call(from_start, (places,))


@guarded_methods
@dataclass(eq=False, repr=False)
class COO(Matrix):
    """Coordinates: element k is data[k], at (row[k], col[k]).

    >>> jf.sparse.COO(np.array([2.0, 3.0]), np.array([0, 1]), np.array([1, 0]), (2, 2)).todense().numpy()
    array([[0., 2.],
           [3., 0.]])
    """

    data: Any
    row: Any
    col: Any
    shape: tuple[int, int] = field(metadata={"static": True})
    _parts = ("data", "row", "col")

    @property
    def places(self) -> tuple[Any, Any]:
        return as_lazy(self.row), as_lazy(self.col)

    @property
    def T(self) -> COO:
        return COO(self.data, self.col, self.row, self.shape[::-1])

    def _scipy(self, module: Any, parts: list[numpy.ndarray]) -> Any:
        return module.coo_array((parts[0], (parts[1], parts[2])), shape=self.shape)


def _lines(starts: Any, count: int) -> Any:
    """Which line each of `count` elements is in."""
    firsts = as_lazy(starts)
    return searchsorted(firsts, arange(count, device=firsts.device), side="right") - 1


@guarded_methods
@dataclass(eq=False, repr=False)
class Compressed(Matrix):
    """Line after line: elements of line i are data[k] at indices[k], k from indptr[i] to indptr[i + 1]."""

    data: Any
    indices: Any
    indptr: Any
    shape: tuple[int, int] = field(metadata={"static": True})
    _parts = ("data", "indices", "indptr")
    _across = 0
    """The axis whose lines are compressed."""

    def __post_init__(self) -> None:
        if not isinstance(self.data, (LazyValue, numpy.ndarray)):
            self.data = as_lazy(self.data)
        if not isinstance(self.shape, (tuple, list)):
            raise KindError(f"the shape of a matrix is two integers, not {shown(self.shape)}")
        if isinstance(self.indptr, numpy.ndarray):
            self.starts()

    def starts(self) -> numpy.ndarray:
        """The values of `indptr`. Raises ArgumentError where these are no places that lines start at."""
        array = host(self.indptr, "the places of a sparse matrix")
        if not self.data.shape:
            raise ShapeError("data is an array of stored elements, not one number")
        stored, *block = self.data.shape
        lines = self.shape[self._across] // (block[0] if block else 1)
        if array.shape != (lines + 1,):
            raise ArgumentError(f"indptr has {lines + 1} elements for {lines} lines, not shape {array.shape}")
        if numpy.shape(self.indices) != (stored,):
            raise ArgumentError(f"indices of shape {numpy.shape(self.indices)} for {stored} stored elements")
        if array[0] != 0 or array[-1] > stored or numpy.any(array[1:] < array[:-1]):
            raise ArgumentError(
                f"indptr starts with 0, never descends and ends by {stored}, the number of stored elements; "
                f"{numpy.array2string(array, threshold=8)} was given"
            )
        return array

    def _scipy(self, module: Any, parts: list[numpy.ndarray]) -> Any:
        return getattr(module, f"{type(self).__name__.lower()}_array")(tuple(parts), shape=self.shape)


@guarded_methods
@dataclass(eq=False, repr=False)
class CSR(Compressed):
    """Compressed rows: those of row i are data[k] at column indices[k], k from indptr[i] to indptr[i + 1].

    >>> matrix = jf.sparse.CSR(np.array([2.0, 3.0]), np.array([1, 0]), np.array([0, 1, 2]), (2, 2))
    >>> (matrix @ np.array([10.0, 1.0])).numpy()
    array([ 2., 30.])
    """

    @property
    def places(self) -> tuple[Any, Any]:
        return _lines(self.indptr, self.nnz), as_lazy(self.indices)

    @property
    def T(self) -> CSC:
        return CSC(self.data, self.indices, self.indptr, self.shape[::-1])

    def tocsr(self) -> CSR:
        return self

    def _times(self, x: Any) -> Any:
        data = self.values
        dtype = numpy.result_type(data.dtype, x.dtype)
        if dtype.kind not in "fiu" or not self.nnz:
            return super()._times(x)
        data, x = (each.astype(dtype) for each in (data, x))
        return call(row_products, (data, self.indices, self.indptr, x))

    def solve_triangular(self, b: Any, *, lower: bool = True, unit_diagonal: bool = False) -> Any:
        """x with A x = b, of the lower or the upper triangle; what is stored of the other one is left out.

        `b`: [rows]. `unit_diagonal`: the diagonal is taken for 1. One native loop over the rows, each after
        those that it needs. A zero on the diagonal gives infinities, as division does.
        """
        right = as_lazy(b)
        if self.shape[0] != self.shape[1] or tuple(right.shape) != (self.shape[0],):
            raise ShapeError(
                f"solve_triangular: a square matrix and a vector, not {self.shape} and {tuple(right.shape)}"
            )
        dtype = numpy.result_type(self.dtype, right.dtype)
        dtype = dtype if dtype.kind == "f" else numpy.dtype(float)
        data, right = self.values.astype(dtype), right.astype(dtype)
        return call(triangular_solve, (data, self.indices, self.indptr, right), lower, unit_diagonal)


@guarded_methods
@dataclass(eq=False, repr=False)
class CSC(Compressed):
    """Compressed columns: those of column j are data[k] at row indices[k], k from indptr[j] to indptr[j + 1].

    >>> matrix = jf.sparse.CSC(np.array([3.0, 2.0]), np.array([1, 0]), np.array([0, 1, 2]), (2, 2))
    >>> matrix.todense().numpy()
    array([[0., 2.],
           [3., 0.]])
    """

    _across = 1

    @property
    def places(self) -> tuple[Any, Any]:
        return as_lazy(self.indices), _lines(self.indptr, self.nnz)

    @property
    def T(self) -> CSR:
        return CSR(self.data, self.indices, self.indptr, self.shape[::-1])

    def tocsc(self) -> CSC:
        return self


@guarded_methods
@dataclass(eq=False, repr=False)
class BSR(Compressed):
    """Compressed rows of dense blocks: block k is data[k], [r, c], at the columns from c indices[k] on.

    >>> matrix = jf.sparse.BSR(np.ones((1, 2, 2)), np.array([1]), np.array([0, 1]), (2, 4))
    >>> matrix.todense().numpy()
    array([[0., 0., 1., 1.],
           [0., 0., 1., 1.]])
    """

    @property
    def values(self) -> Any:
        return as_lazy(self.data).reshape(-1)

    @property
    def places(self) -> tuple[Any, Any]:
        blocks, high, wide = self.data.shape
        within = numpy.arange(high, dtype=numpy.int32)[:, None] + numpy.zeros((high, wide), numpy.int32)
        across = numpy.arange(wide, dtype=numpy.int32)[None, :] + numpy.zeros((high, wide), numpy.int32)
        rows = _lines(self.indptr, blocks)[:, None, None] * high + within
        columns = as_lazy(self.indices)[:, None, None] * wide + across
        return rows.reshape(-1), columns.reshape(-1)

    @property
    def T(self) -> COO:
        return self.tocoo().T

    def _times(self, x: Any) -> Any:
        """Products of the blocks, added at the rows of blocks."""
        blocks, high, wide = self.data.shape
        stacked = (x if x.ndim == 2 else x[:, None]).reshape((self.shape[1] // wide, wide, -1))
        products = as_lazy(self.data) @ stacked[unwrapped(as_lazy(self.indices))]
        shape = (self.shape[0] // high, high, stacked.shape[2])
        found = _added_up(shape, (_lines(self.indptr, blocks),), products)
        found = found.reshape((self.shape[0], stacked.shape[2]))
        return found if x.ndim == 2 else found[:, 0]


def _compressed(values: Any, rows: numpy.ndarray, columns: numpy.ndarray, shape: tuple[int, int]) -> CSR:
    """Compressed rows of elements at known places."""
    for places, extent, name in ((rows, shape[0], "row"), (columns, shape[1], "column")):
        if len(places) and not (places.min() >= 0 and places.max() < extent):
            wrong = places[(places < 0) | (places >= extent)][0]
            raise BoundsError(f"{name} {wrong} is out of bounds for a sparse matrix {shape}")
    if shape[0] * shape[1] >= 2**63 and shape[1] > len(columns):  # keys of 64 bits: of the columns met
        met, which = numpy.unique(columns.astype(numpy.int64), return_inverse=True)
        found = _compressed(values, rows, which, (shape[0], len(met)))
        return CSR(found.data, asarray(met)[found.indices], found.indptr, shape)
    keys = rows.astype(numpy.int64) * shape[1] + columns
    unique, which = numpy.unique(keys, return_inverse=True)
    counts = numpy.bincount(unique // max(shape[1], 1), minlength=shape[0])
    starts = numpy.concatenate(([0], numpy.cumsum(counts)))
    narrow = numpy.int32 if max(shape[1], len(keys)) < 2**31 else numpy.int64
    if len(unique) == len(keys):
        order = numpy.argsort(keys, kind="stable").astype(narrow)
        data = values[asarray(order)] if len(keys) else values
    else:
        data = _added_up((len(unique),), (asarray(which.reshape(-1).astype(narrow)),), values)
    kept = (unique % max(shape[1], 1)).astype(narrow)
    return CSR(data, asarray(kept), asarray(starts.astype(narrow)), shape)
