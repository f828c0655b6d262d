"""Linear algebra on stacks of matrices of up to eight rows and columns, which kernels compute together.

Each op is one of `linear_algebra`, with its shapes and its meaning; `codegen.lower.matrices` writes its
kernels. Matrices are of one dtype of floats.
"""

from __future__ import annotations

from functools import partial

import numpy

from .linear_algebra import (
    NO_FACTORS,
    NO_VALUES,
    NOT_CONVERGED,
    NOT_POSITIVE,
    SINGULAR,
    library_op,
    lu_diagonal,
)

MOST = 8
"""The most rows and columns of a small matrix."""
_DECOMPOSITION = "singular value decomposition"

small_solve = library_op(
    "small_solve", "(n,n),(n,m)->(n,m)", numpy.linalg.solve, SINGULAR, "solution of linear equations"
)
small_inv = library_op("small_inv", "(n,n)->(n,n)", numpy.linalg.inv, SINGULAR, "inverse matrices")
small_lu = library_op("small_lu", "(n,n)->(n),()", lu_diagonal, SINGULAR, "LU decomposition")
small_cholesky = library_op(
    "small_cholesky", "(n,n)->(n,n)", numpy.linalg.cholesky, NOT_POSITIVE, "Cholesky decomposition"
)
small_qr = library_op("small_qr", "(m,n)->(m,k),(k,n)", numpy.linalg.qr, NO_FACTORS, "QR decomposition")
small_qr_r = library_op(
    "small_qr_r", "(m,n)->(k,n)", partial(numpy.linalg.qr, mode="r"), NO_FACTORS, "QR decomposition"
)
small_eigh = library_op(
    "small_eigh", "(n,n)->(n),(n,n)", numpy.linalg.eigh, NOT_CONVERGED, "eigendecomposition"
)
small_eigvalsh = library_op(
    "small_eigvalsh", "(n,n)->(n)", numpy.linalg.eigvalsh, NOT_CONVERGED, "eigendecomposition"
)
# Of matrices with at least as many rows as columns.
small_svd, small_svd_full, small_svdvals = (
    library_op(f"small_{name}", cores, partial(numpy.linalg.svd, **options), NO_VALUES, _DECOMPOSITION)
    for name, cores, options in (
        ("svd", "(m,n)->(m,n),(n),(n,n)", {"full_matrices": False}),
        ("svd_full", "(m,n)->(m,m),(n),(n,n)", {}),
        ("svdvals", "(m,n)->(n)", {"compute_uv": False}),
    )
)

OPS = (
    small_solve, small_inv, small_lu, small_cholesky, small_qr, small_qr_r, small_eigh, small_eigvalsh,
    small_svd, small_svd_full, small_svdvals,
)  # fmt: skip
