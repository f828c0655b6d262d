"""Functions of `scipy.linalg` on lazy arrays, with its parameters: those whose results are the same as those
of `jitframe.linalg`. `overwrite_…`, `check_finite` and `lapack_driver` change nothing: memory is jitframe's,
and what is not finite gives what is not finite."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...errors import UnsupportedError
from .. import movement
from ..arranging.rearranging import pad
from ..creation.constructors import zeros_like
from ..creation.dtypes import finfo
from ..creation.ranges import arange
from ..movement import as_lazy
from . import decompositions, norms

_GENERAL = (None, "gen", "general")


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
    )
}  # fmt: skip
"""The functions by their names in `scipy.linalg`."""
