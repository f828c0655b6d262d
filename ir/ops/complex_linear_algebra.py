"""Linear algebra of complex matrices: for each library op of reals the one of pairs of reals, which are
adjacent along a last axis `c`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy

from ..node import Op
from . import linear_algebra as reals
from .complex_numbers import complex_of, pairs_of
from .linear_algebra import PARTS, library_op

Array = Any


def _twin(op: Op, cores: str, function: Callable[..., Any] | None = None) -> Op:
    """Makes the complex counterpart of a real op; `function`: its reference, where that differs."""
    meaning = op.library.reference if function is None else function

    def by_pairs(*arrays: Array) -> tuple[Array, ...]:
        spelled = made.library
        given = [
            complex_of(array) if core.endswith(PARTS) else array
            for array, core in zip(arrays, spelled.operands, strict=True)
        ]
        found = meaning(*given)
        values = found if isinstance(found, tuple) else (found,)
        return tuple(
            pairs_of(value) if core.endswith(PARTS) else numpy.real(value)
            for value, core in zip(values, spelled.results, strict=True)
        )

    made = library_op(f"complex_{op.name}", cores, by_pairs, "", op.title, op.fault)
    return made


TWINS: dict[Op, Op] = {
    reals.solve: _twin(reals.solve, "(n,n,c),(n,m,c)->(n,m,c)"),
    reals.lu: _twin(reals.lu, "(n,n,c)->(n,c),()"),
    reals.cholesky: _twin(reals.cholesky, "(n,n,c)->(n,n,c)"),
    reals.qr: _twin(reals.qr, "(m,n,c)->(m,k,c),(k,n,c)"),
    reals.qr_complete: _twin(reals.qr_complete, "(m,n,c)->(m,m,c),(m,n,c)"),
    reals.qr_r: _twin(reals.qr_r, "(m,n,c)->(k,n,c)"),
    reals.qr_raw: _twin(reals.qr_raw, "(m,n,c)->(n,m,c),(k,c)"),
    reals.eigh: _twin(reals.eigh, "(n,n,c)->(n),(n,n,c)"),
    reals.eigh_upper: _twin(reals.eigh_upper, "(n,n,c)->(n),(n,n,c)"),
    reals.eigvalsh: _twin(reals.eigvalsh, "(n,n,c)->(n)"),
    reals.eig: _twin(reals.eig, "(n,n,c)->(n,c),(n,n,c)", numpy.linalg.eig),
    reals.eigvals: _twin(reals.eigvals, "(n,n,c)->(n,c)", numpy.linalg.eigvals),
    reals.svd: _twin(reals.svd, "(m,n,c)->(m,k,c),(k),(k,n,c)"),
    reals.svd_full: _twin(reals.svd_full, "(m,n,c)->(m,m,c),(k),(n,n,c)"),
    reals.svdvals: _twin(reals.svdvals, "(m,n,c)->(k)"),
    reals.lstsq: _twin(reals.lstsq, "(m,n,c),(m,p,c),()->(n,p,c),(),(k)"),
}
"""The complex op of each real one."""

OPS = tuple(TWINS.values())
