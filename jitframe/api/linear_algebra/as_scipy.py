"""Functions of `scipy.linalg` on lazy arrays, with its parameters: those whose results are the same as those
of `jitframe.linalg`. `overwrite_…`, `check_finite` and `lapack_driver` change nothing: memory is jitframe's,
and what is not finite gives what is not finite."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...base.importing import load
from ...errors import UnsupportedError
from ...functions import late
from .. import movement, reductions
from ..arranging.diagonals import diagonal
from ..arranging.rearranging import pad
from ..calls import call
from ..creation.constructors import zeros_like
from ..creation.dtypes import finfo
from ..creation.ranges import arange
from ..elementwise.arithmetic import where
from ..movement import as_lazy
from . import decompositions, norms

_solve_triangle = late("triangular", "solve_triangular")

_GENERAL = (None, "gen", "general")
_MOST_PRODUCTS = 200_000
"""The most multiplications by which a triangle is solved row by row: 100 equations for 20 columns."""


def _plain(name: str, **given: Any) -> None:
    """Raises UnsupportedError where a parameter asks for another algorithm."""
    for parameter, value in given.items():
        if value is not None and value is not False:
            raise UnsupportedError(
                f"scipy.linalg.{name}: {parameter}={value!r} is not supported on jitframe arrays; call it by "
                "jf.callback"
            )


def inv(
    a: Any, overwrite_a: Any = False, check_finite: Any = True, *, assume_a: Any = None, lower: Any = False
) -> Any:
    _plain("inv", assume_a=None if assume_a in _GENERAL else assume_a)
    return decompositions.inv(a)


def solve(
    a: Any, b: Any, lower: Any = False, overwrite_a: Any = False, overwrite_b: Any = False,
    check_finite: Any = True, assume_a: Any = None, transposed: Any = False,
) -> Any:  # fmt: skip
    _plain("solve", assume_a=None if assume_a in _GENERAL else assume_a)
    return decompositions.solve(as_lazy(a).T if transposed else a, b)


def det(a: Any, overwrite_a: Any = False, check_finite: Any = True) -> Any:
    return decompositions.det(a)


def norm(a: Any, ord: Any = None, axis: Any = None, keepdims: Any = False, check_finite: Any = True) -> Any:
    return norms.norm(a, ord, axis, keepdims)


def svd(
    a: Any, full_matrices: Any = True, compute_uv: Any = True, overwrite_a: Any = False,
    check_finite: Any = True, lapack_driver: Any = "gesdd",
) -> Any:  # fmt: skip
    found = decompositions.svd(a, full_matrices, compute_uv)
    return tuple(found) if compute_uv else found


def svdvals(a: Any, overwrite_a: Any = False, check_finite: Any = True) -> Any:
    return decompositions.svdvals(a)


def pinv(
    a: Any, *, atol: Any = None, rtol: Any = None, return_rank: Any = False, check_finite: Any = True
) -> Any:
    _plain("pinv", atol=atol, return_rank=return_rank)
    values = decompositions.svdvals(a) if rtol is None else None  # of the dtype that is computed in
    limit = rtol if values is None else max(as_lazy(a).shape) * float(finfo(values.dtype).eps)
    return decompositions.pinv(a, limit)


def cholesky(a: Any, lower: Any = False, overwrite_a: Any = False, check_finite: Any = True) -> Any:
    return decompositions.cholesky(a, upper=not lower)


def solve_triangular(
    a: Any, b: Any, trans: Any = 0, lower: Any = False, unit_diagonal: Any = False, overwrite_b: Any = False,
    check_finite: Any = True,
) -> Any:  # fmt: skip
    a, b = as_lazy(a), as_lazy(b)
    if trans in (1, 2, "T", "C"):
        return _triangle_solved(a.T, b, not lower, bool(unit_diagonal))
    _plain("solve_triangular", trans=None if trans in (0, "N") else trans)
    return _triangle_solved(a, b, bool(lower), bool(unit_diagonal))


def _triangle_solved(a: Any, b: Any, lower: bool, unit: bool) -> Any:
    """Solves for one triangle of a matrix of reals. Where the diagonal has a 0, SciPy raises the error."""
    kinds = {each.dtype.kind for each in (a, b)}
    fits = a.ndim == 2 and b.ndim in (1, 2) and a.shape[0] == a.shape[1] == b.shape[0] and b.size
    if not fits or not kinds <= set("biuf"):
        raise UnsupportedError("scipy.linalg.solve_triangular: a square matrix of reals is needed")
    if a.shape[0] * b.size > _MOST_PRODUCTS:
        raise UnsupportedError("scipy.linalg.solve_triangular: many columns are solved faster by SciPy")
    is_single = a.dtype == b.dtype == "float32"
    a, b = (each.astype("float32" if is_single else "float64") for each in (a, b))
    if not unit:
        is_singular = reductions.any(diagonal(a) == 0)
        load("jitframe.tracing.values.python_numbers").left_to_python(
            is_singular, "scipy.linalg.solve_triangular: the matrix is singular"
        )  # a room above this one
    return call(_solve_triangle, (a, b), lower, unit)


def cho_factor(a: Any, lower: Any = False, overwrite_a: Any = False, check_finite: Any = True) -> Any:
    a = as_lazy(a)
    if a.ndim != 2:
        raise UnsupportedError("scipy.linalg.cho_factor: a matrix is needed")
    factor = cholesky(a, lower)
    rows, columns = arange(a.shape[0])[:, None], arange(a.shape[0])
    inside = columns <= rows if lower else columns >= rows
    return where(inside, factor, a.astype(factor.dtype)), lower


def cho_solve(c_and_lower: Any, b: Any, overwrite_b: Any = False, check_finite: Any = True) -> Any:
    factor, lower = c_and_lower
    factor, lower = as_lazy(factor), bool(lower)
    first, second = (factor, factor.T) if lower else (factor.T, factor)
    return _triangle_solved(second, _triangle_solved(first, as_lazy(b), True, False), False, False)


def eigvalsh(
    a: Any, b: Any = None, *, lower: Any = True, overwrite_a: Any = False, overwrite_b: Any = False,
    type: Any = 1, check_finite: Any = True, subset_by_index: Any = None, subset_by_value: Any = None,
    driver: Any = None,
) -> Any:  # fmt: skip
    _plain("eigvalsh", b=b, subset_by_index=subset_by_index, subset_by_value=subset_by_value)
    return decompositions.eigvalsh(a, "L" if lower else "U")


def qr(
    a: Any, overwrite_a: Any = False, lwork: Any = None, mode: Any = "full", pivoting: Any = False,
    check_finite: Any = True,
) -> Any:  # fmt: skip
    _plain("qr", mode=None if mode in _QR else mode, pivoting=pivoting)
    found = tuple(decompositions.qr(a, _QR[mode]))
    return found[1:] if mode == "r" else found


_QR = {"full": "complete", "r": "complete", "economic": "reduced"}


def expm(A: Any) -> Any:
    return decompositions.expm(A)


def block_diag(*arrays: Any) -> Any:
    blocks = [movement.atleast_2d(array) for array in arrays]
    columns = sum(block.shape[1] for block in blocks)
    rows, before = [], 0
    for block in blocks:
        after = columns - before - block.shape[1]
        rows.append(pad(block, ((0, 0), (before, after))))
        before += block.shape[1]
    return movement.concat(rows)


def toeplitz(c: Any, r: Any = None) -> Any:
    c = as_lazy(c).reshape(-1)
    r = c.conj() if r is None else as_lazy(r).reshape(-1)
    values = movement.concat([movement.flip(c), r[1:]])
    return values[_positions(c.size, r.size)[::-1]]


def hankel(c: Any, r: Any = None) -> Any:
    c = as_lazy(c).reshape(-1)
    r = zeros_like(c) if r is None else as_lazy(r).reshape(-1)
    return movement.concat([c, r[1:]])[_positions(c.size, r.size)]


def _positions(rows: int, columns: int) -> Any:
    return arange(rows)[:, None] + arange(columns)


FUNCTIONS: dict[str, Callable[..., Any]] = {
    function.__name__: function
    for function in (
        inv, solve, det, norm, svd, svdvals, pinv, cholesky, eigvalsh, qr, expm, block_diag, toeplitz, hankel,
        solve_triangular, cho_factor, cho_solve,
    )
}  # fmt: skip
"""The functions by their names in `scipy.linalg`."""
