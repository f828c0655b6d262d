"""Products of complex matrices and vectors."""

from __future__ import annotations

import numpy as np
import pytest

from tests.complex.compared import DTYPES, check, drawn


@pytest.mark.parametrize("dtype", DTYPES)
def test_matrices(dtype: str) -> None:
    for m, k, n in ((3, 4, 5), (1, 4, 5), (3, 1, 5), (3, 4, 1), (40, 33, 35), (0, 3, 2), (2, 0, 3)):
        check(
            lambda x, y: (x @ y, np.dot(x, y), x.T.conj() @ x, y @ y.T),
            drawn(dtype, m, k),
            drawn(dtype, k, n),
            ulp=100,
        )
    check(lambda x, y: (x @ y, x[:, 0] @ y[0]), drawn(dtype, 5, 3, 4), drawn(dtype, 5, 4, 2))
    check(lambda x, y: x @ y, drawn(dtype, 4, 6).T, drawn(dtype, 8, 4)[:, ::-1].T)
    check(lambda x, y: (x @ y, y @ x.T), drawn(dtype, 3, 4), drawn("complex64", 4, 4).real.copy())


@pytest.mark.parametrize("dtype", DTYPES)
def test_vectors(dtype: str) -> None:
    def program(x, y, a):
        return (
            x @ y,
            np.dot(x, y),
            np.vdot(x, y),
            np.inner(x, y),
            np.outer(x, y),
            a @ x,
            x @ a,
            np.kron(x, y),
            np.vecdot(x, y),
            np.matvec(a, x),
            np.vecmat(x, a),
            np.convolve(x, y),
            np.linalg.norm(x),
        )

    check(program, drawn(dtype, 6), drawn(dtype, 6, seed=1), drawn(dtype, 6, 6, seed=2), ulp=32)


@pytest.mark.parametrize("dtype", DTYPES)
def test_sums_over_labelled_axes(dtype: str) -> None:
    def program(x, y):
        return (
            np.tensordot(x, y, 1),
            np.tensordot(x, y, ((0, 1), (1, 0))),
            np.einsum("ij,jk->ik", x, y),
            np.einsum("ij,ij->i", x, y.T),
            np.einsum("ii", x @ y),
            np.einsum("ij,jk,kl->il", x, y, x),
            np.linalg.matrix_power(x @ y, 3),
            np.linalg.multi_dot([x, y, x]),
        )

    check(program, drawn(dtype, 5, 6), drawn(dtype, 6, 5), ulp=500)
