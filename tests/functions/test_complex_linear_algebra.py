"""Linear algebra of complex matrices, and real ones whose eigenvalues are complex, is NumPy's: lazily, inside
jitted functions, by LAPACK and through Python."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import jitframe as jf
from tests.functions.test_linear_algebra import RECTANGULAR, SQUARE, SYMMETRIC, check, every
from tests.functions.test_linear_algebra import library as library


def matrices(*shape: int, dtype: str = "complex128", seed: int = 0) -> np.ndarray:
    """Random matrices, the square ones well-conditioned."""
    random = np.random.default_rng(seed)
    made = random.standard_normal(shape) + 1j * random.standard_normal(shape)
    if shape[-1] == shape[-2]:
        made += 3 * np.eye(shape[-1]) * np.sqrt(shape[-1])
    return made.astype(dtype)


def adjoint(a: Any) -> Any:
    return np.conj(np.swapaxes(a, -1, -2))


HERMITIAN: dict[str, Callable[[Any], Any]] = {
    **{name: SYMMETRIC[name] for name in ("of a triangle", "eigvalsh", "inverse power", "condition")},
    "cholesky": lambda a: np.linalg.cholesky(a @ adjoint(a)),
    "upper": lambda a: np.linalg.cholesky(a @ adjoint(a), upper=True),
    "eigh": lambda a: np.linalg.eigh(a + adjoint(a)),
    "eig": lambda a: np.linalg.eig(a),
    "eigvals": lambda a: np.linalg.eigvals(a),
    "svd": lambda a: np.linalg.svd(a, compute_uv=False, hermitian=True),
}
LEAST_SQUARES: dict[str, Callable[[Any], Any]] = {
    "lstsq": lambda a: np.linalg.lstsq(a, a[:, 0] + 1),
    "several": lambda a: np.linalg.lstsq(a, a * 2 + 1, rcond=0.2),
    "real right": lambda a: np.linalg.lstsq(a, a.real),
    "real left": lambda a: np.linalg.lstsq(a.real, a),
}


@pytest.mark.parametrize("dtype", ["complex128", "complex64"])
@pytest.mark.parametrize("shape", [(1, 1), (5, 5), (2, 3, 4, 4)], ids=str)
def test_square_complex_matrices(shape: tuple[int, ...], dtype: str) -> None:
    check(every(SQUARE | HERMITIAN), matrices(*shape, dtype=dtype))


@pytest.mark.parametrize("dtype", ["complex128", "complex64"])
@pytest.mark.parametrize("shape", [(9, 4), (2, 5), (2, 1, 3, 6), (0, 5, 2)], ids=str)
def test_complex_matrices_of_any_shape(shape: tuple[int, ...], dtype: str) -> None:
    check(every(RECTANGULAR | (LEAST_SQUARES if len(shape) == 2 else {})), matrices(*shape, dtype=dtype))


def test_complex_matrices_without_elements() -> None:
    check(
        every({name: RECTANGULAR[name] for name in ("qr", "svd", "reduced", "values", "pinv")}),
        np.zeros((0, 3), complex),
    )
    check(every(SQUARE), np.zeros((0, 4, 4), complex))
    check(lambda a: np.linalg.eig(a), np.zeros((0, 4, 4), complex))
    check(lambda a, b: np.linalg.lstsq(a, b), matrices(9, 5), matrices(9, 0, seed=1))


def test_complex_matrices_by_the_library_and_through_python(library: str) -> None:
    check(every(SQUARE | HERMITIAN | RECTANGULAR), matrices(6, 6))
    check(every(LEAST_SQUARES), matrices(7, 4))


def test_complex_and_real_operands_and_layouts() -> None:
    a, b = matrices(6, 6), np.arange(12.0).reshape(6, 2)
    check(lambda a, b: np.linalg.solve(a, b), a, b)
    check(lambda a, b: np.linalg.solve(a, b), a.real + np.eye(6), b * 1j)
    check(every(SQUARE), np.asfortranarray(a))
    check(every(SQUARE), matrices(12, 12)[::2, ::2])


def test_complex_matrices_that_have_no_result() -> None:
    with pytest.raises(np.linalg.LinAlgError, match="Singular matrix"):
        jf.jit(lambda a: np.linalg.inv(a))(np.zeros((3, 3), complex))
    with pytest.raises(np.linalg.LinAlgError, match="not positive definite"):
        np.asarray(np.linalg.cholesky(jf.asarray(-np.eye(3) * (1 + 0j))))
    check(every({name: SQUARE[name] for name in ("det", "slogdet")}), np.zeros((4, 4), complex))
    check(SQUARE["det"], matrices(9, 9) * 1e30)
    with np.errstate(invalid="ignore"):
        check(lambda a: np.linalg.solve(a, a), np.full((3, 3), np.nan * 1j))


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_eigenvalues_have_the_dtype_that_numpys_have(dtype: str) -> None:
    """Real where all are, known once they are computed: one trace for each, and both stay."""
    random = np.random.default_rng(2).standard_normal((3, 5, 5)).astype(dtype)
    real, mixed = np.triu(random), random.copy()
    mixed[0] = real[0]
    for function in (lambda a: np.linalg.eig(a), lambda a: np.linalg.eigvals(a) * 2 + 1):
        jitted = jf.jit(function)
        for a in (real, mixed, real, mixed, random[:0]):
            wanted = function(a)
            for found in (jitted(a), function(jf.asarray(a))):
                for ours, theirs in zip(leaves(found), leaves(wanted), strict=True):
                    assert np.asarray(ours).dtype == theirs.dtype
                    np.testing.assert_allclose(ours, theirs, rtol=1e-4, atol=1e-4)


def leaves(value: Any) -> list[Any]:
    return list(value) if isinstance(value, tuple) else [value]


def test_eigenvalues_in_a_compiled_loop_are_refused() -> None:
    program = jf.jit(
        lambda a: jf.fori_loop(0, 3, lambda i, x: np.linalg.eigvals(a * i).real + x, np.zeros(5))
    )
    with pytest.raises(jf.errors.TraceError, match="whether all eigenvalues are real"):
        program(np.eye(5))


POLYNOMIALS = [
    [1.0, -3.0, 2.0],
    [0, 0, 2, 4, 0, 0],
    [1.0, 0.0, 1.0],
    [3, 2.5, -1, 7, 0.5],
    [1j, 2.0, -1 + 3j],
    [0.0, 0.0],
    [5.0],
    [2.0, 0.0],
    [],
]


@pytest.mark.parametrize("p", POLYNOMIALS, ids=str)
def test_zeros_of_polynomials(p: list[Any]) -> None:
    coefficients = np.array(p)
    wanted = np.roots(coefficients)
    jitted = jf.jit(lambda p: np.roots(p))
    for found in (jf.roots(coefficients), jitted(coefficients), jitted(coefficients)):
        assert np.asarray(found).dtype == wanted.dtype
        np.testing.assert_allclose(found, wanted, rtol=1e-9, atol=1e-12)
    for zeros in (wanted, wanted[:1], np.roots(coefficients) + 1j):
        polynomial = np.poly(zeros)
        for found in (jf.poly(zeros), jf.jit(lambda z: np.poly(z))(zeros)):
            assert np.asarray(found).dtype == np.asarray(polynomial).dtype
            np.testing.assert_allclose(found, polynomial, rtol=1e-9, atol=1e-9)


def test_characteristic_polynomials() -> None:
    for a in (np.array([[0.0, 1.0], [-1.0, 0.5]]), matrices(4, 4), np.diag([1.0, 2.0, 3.0])):
        wanted = np.poly(a)
        for found in (jf.poly(a), jf.jit(lambda a: np.poly(a))(a)):
            assert np.asarray(found).dtype == wanted.dtype
            np.testing.assert_allclose(found, wanted, rtol=1e-9, atol=1e-9)
