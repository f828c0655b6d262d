"""Functions of scipy.linalg in jitted functions, and of scipy.signal and scipy.fftpack by the
name of their module."""

import numpy as np
import pytest

import jitframe as jf

linalg = pytest.importorskip("scipy.linalg")
fftpack = pytest.importorskip("scipy.fftpack")
fft = pytest.importorskip("scipy.fft")
lu_factor = linalg.lu_factor
signal = pytest.importorskip("scipy.signal")

CASES = {
    "inv": lambda a: linalg.inv(a, overwrite_a=True),
    "inv of integers": lambda a: linalg.inv((a * 10).astype(int)),
    "solve": lambda a: linalg.solve(a, a[0], check_finite=False),
    "solve, transposed": lambda a: linalg.solve(a, a[:, :2], transposed=True),
    "det": lambda a: linalg.det(a),
    "norm": lambda a: linalg.norm(a),
    "norm along an axis": lambda a: linalg.norm(a, 1, axis=0),
    "svd": lambda a: abs(linalg.svd(a[:3])[0]) + linalg.svd(a[:3])[1],
    "svd, reduced": lambda a: abs(linalg.svd(a[:3], full_matrices=False)[2]),
    "svd, values": lambda a: linalg.svd(a[:3], compute_uv=False),
    "svdvals": lambda a: linalg.svdvals(a),
    "pinv": lambda a: linalg.pinv(a[:3]),
    "pinv in float32": lambda a: linalg.pinv(a[:3].astype(np.float32)),
    "pinv within a limit": lambda a: linalg.pinv(a, rtol=0.2),
    "cholesky": lambda a: linalg.cholesky(a @ a.T),
    "cholesky, lower": lambda a: linalg.cholesky(a @ a.T, lower=True),
    "solve_triangular": lambda a: linalg.solve_triangular(a, a[0]),
    "solve_triangular, lower": lambda a: linalg.solve_triangular(a, a[:, :3], lower=True),
    "solve_triangular, transposed": lambda a: linalg.solve_triangular(a, a[0], trans="T", lower=True),
    "solve_triangular, unit": lambda a: linalg.solve_triangular(a, a[0], 1, unit_diagonal=True),
    "solve_triangular in float32": lambda a: linalg.solve_triangular(*[a.astype(np.float32)] * 2),
    "solve_triangular of integers": lambda a: linalg.solve_triangular((9 * a).astype(int), a > 1),
    "cho_factor": lambda a: linalg.cho_factor(a @ a.T)[0],
    "cho_solve": lambda a: linalg.cho_solve(linalg.cho_factor(a @ a.T), a[0]),
    "cho_solve, lower": lambda a: linalg.cho_solve(linalg.cho_factor(a @ a.T, lower=True), a),
    "eigvalsh": lambda a: linalg.eigvalsh(a @ a.T, lower=False),
    "qr": lambda a: linalg.qr(a[:, :3]),
    "qr, economic": lambda a: linalg.qr(a[:, :3], mode="economic"),
    "qr, r": lambda a: linalg.qr(a[:, :3], mode="r"),
    "expm": lambda a: linalg.expm(a / 5),
    "block_diag": lambda a: linalg.block_diag(a, a[:2], 3.0, a[0]),
    "toeplitz": lambda a: linalg.toeplitz(a[0]),
    "toeplitz, with a row": lambda a: linalg.toeplitz(a[0], a[1, :3]),
    "toeplitz, complex": lambda a: linalg.toeplitz(a[0] * 1j),
    "hankel": lambda a: linalg.hankel(a[0]),
    "hankel, with a row": lambda a: linalg.hankel(a[0], a[1]),
    "fftpack.fft": lambda a: fftpack.fft(a, 4, axis=0),
    "fftpack.ifft": lambda a: fftpack.ifft(a + 1j),
    "fftpack.fft2": lambda a: fftpack.fft2(a),
    "fftpack.ifftn": lambda a: fftpack.ifftn(a),
    "fftpack.fftshift": lambda a: fftpack.fftshift(a),
    "fftpack.fft, overwritten": lambda a: fftpack.fft(a + 1, overwrite_x=True),
    "fft.rfft, threads": lambda a: fft.rfft(a, workers=1),
    "fft.fftn, keywords": lambda a: fft.fftn(x=a, axes=(0,), norm="ortho", overwrite_x=True),
    "lfilter": lambda a: signal.lfilter([1.0, 0.5], [1.0], a[0]),
}


@pytest.mark.parametrize("case", CASES)
def test_as_scipy_has_them(case, strict):
    program = CASES[case]
    a = np.random.default_rng(3).random((5, 5)) + 3 * np.eye(5)
    wanted, jitted = program(a), jf.jit(program)
    for _ in range(2):
        found = jitted(a)
        assert type(found) is type(wanted)
        pairs = zip(found, wanted, strict=True) if isinstance(found, tuple) else [(found, wanted)]
        for ours, theirs in pairs:
            assert ours.dtype == theirs.dtype
            np.testing.assert_allclose(
                ours, theirs, rtol=1e-4 if theirs.dtype == np.float32 else 1e-9, atol=1e-12
            )
    jitted(a + 1)
    assert jitted.stats()["traces"] == 1  # no trace is cut for the values


def test_unsolved_elements_and_singular_triangles():
    """What stands in the other triangle is not read; SciPy raises the error of a singular matrix."""
    a = np.random.default_rng(3).random((4, 4)) + np.eye(4)
    jitted = jf.jit(lambda a, b: linalg.solve_triangular(a, b, lower=True, check_finite=False))
    a[0, 3], a[1, 2] = np.nan, np.inf
    np.testing.assert_allclose(jitted(a, a[:, 0]), np.linalg.solve(np.tril(a), a[:, 0]), atol=1e-12)
    assert jitted.stats()["interpreted"] == 0
    a[2, 2] = 0
    with pytest.raises(np.linalg.LinAlgError, match="singular"):
        jitted(a, a[:, 0])


def test_other_functions_are_given_the_values(strict):
    a = np.random.default_rng(3).random((5, 5))
    jitted = jf.jit(lambda a: linalg.sqrtm(a @ a.T) * 2)
    np.testing.assert_allclose(jitted(a), linalg.sqrtm(a @ a.T) * 2, rtol=1e-12)


def test_other_arguments_are_left_to_scipy(strict):
    a = np.random.default_rng(3).random((5, 5))
    for program in (
        lambda a: linalg.solve(a @ a.T, a, assume_a="pos") * 2,
        lambda a: linalg.qr(a + 1, pivoting=True)[1] * 2,
        lambda a: lu_factor(a + 1)[0] * 2,
    ):
        for _ in range(2):
            np.testing.assert_allclose(jf.jit(program)(a), program(a), rtol=1e-9)


def test_transforms_of_fftpack_that_are_others():
    """SciPy's own code answers them."""
    a = np.random.default_rng(3).random((5, 5))
    for program in (lambda a: fftpack.rfft(a) * 2, lambda a: fftpack.idct(a) * 2):
        np.testing.assert_allclose(jf.jit(program)(a), program(a), rtol=1e-12)
