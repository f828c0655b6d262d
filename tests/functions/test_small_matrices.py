"""Stacks of matrices of up to eight rows are worked on by kernels: what NumPy gives, on each device."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import jitframe as jf
from tests.functions.test_linear_algebra import check, every, leaves, matrices


def symmetric(a: Any) -> Any:
    return a + np.swapaxes(a, -1, -2)


def rebuilt(a: Any) -> list[Any]:
    """What does not depend on the signs of eigenvectors."""
    values, vectors = np.linalg.eigh(a)
    turned = np.swapaxes(vectors, -1, -2)
    return [values, (vectors * values[..., None, :]) @ turned, turned @ vectors]


def decomposed(a: Any) -> list[Any]:
    """What does not depend on the signs of singular vectors."""
    found: list[Any] = [np.linalg.svd(a, compute_uv=False)]
    for full in (False, True):
        u, values, v = np.linalg.svd(a, full_matrices=full)
        k = values.shape[-1]
        tall, wide = u[..., :k], v[..., :k, :]
        unit = [np.swapaxes(u, -1, -2) @ u, v @ np.swapaxes(v, -1, -2)]
        found += [values, (tall * values[..., None, :]) @ wide, *unit]
    return found


FUNCTIONS: dict[str, Callable[[Any], Any]] = {
    "inv": lambda a: np.linalg.inv(a),
    "solve": lambda a: np.linalg.solve(a, a[..., :2] + 1),
    "det": lambda a: np.linalg.det(a),
    "slogdet": lambda a: np.linalg.slogdet(a),
    "cholesky": lambda a: np.linalg.cholesky(a @ np.swapaxes(a, -1, -2)),
    "upper": lambda a: np.linalg.cholesky(a @ np.swapaxes(a, -1, -2), upper=True),
    "qr": lambda a: np.linalg.qr(a),
    "r": lambda a: np.linalg.qr(a, "r"),
    "eigh": lambda a: rebuilt(symmetric(a)),
    "eigvalsh": lambda a: [np.linalg.eigvalsh(a, "L"), np.linalg.eigvalsh(a, "U")],
    "svd": decomposed,
}


@pytest.mark.parametrize(
    ("size", "dtype"), [*((size, "float64") for size in range(1, 9)), (3, "float32"), (6, "float32")]
)
def test_stacks_of_small_matrices(size: int, dtype: str) -> None:
    a = matrices(5, 13, size, size, dtype=dtype)
    jitted = check(every(FUNCTIONS), a)
    assert "LAPACK" not in jitted.explain(a).plan


@pytest.mark.parametrize("shape", [(70, 5, 3), (70, 3, 5), (70, 8, 1), (70, 1, 8), (35, 2, 7, 8)], ids=str)
def test_factors_of_rectangles(shape: tuple[int, ...]) -> None:
    check(lambda a: [np.linalg.qr(a), np.linalg.qr(a, "r"), *decomposed(a)], matrices(*shape))


def test_one_kernel_serves_all_sizes() -> None:
    """Extents are those of a run: a plan of another size finds its kernel."""
    jitted = jf.jit(lambda a: np.linalg.inv(a))
    for size in (5, 6, 7, 8):
        a = matrices(64, size, size)
        np.testing.assert_allclose(jitted(a), np.linalg.inv(a), rtol=1e-9, atol=1e-12)
    five, eight = (jitted.explain(matrices(64, size, size)).kernels for size in (5, 8))
    assert [str(each) for each in five] == [str(each) for each in eight]


@pytest.mark.parametrize("count", [32, 33, 47, 256, 257, 1000])
def test_stacks_of_any_length(count: int) -> None:
    a = matrices(count, 5, 5, seed=count)
    check(every({name: FUNCTIONS[name] for name in ("inv", "qr", "eigh")}), a)


def test_hard_matrices() -> None:
    """Ties, zeros on the diagonal, exchanges in any order, numbers near the ends of floats."""
    random = np.random.default_rng(3)
    for size in (5, 8):
        a = random.integers(-2, 3, (3000, size, size)).astype(float)
        a = a[np.abs(np.linalg.det(a)) > 0.5][:300]
        check(
            every({name: FUNCTIONS[name] for name in ("inv", "solve", "det", "slogdet")}), a, tolerance=1e-7
        )
        check(every({name: FUNCTIONS[name] for name in ("qr", "r")}), a, tolerance=1e-7)
        check(every({name: FUNCTIONS[name] for name in ("eigh", "eigvalsh")}), a.astype("float64"))
        for hard in (a, a[..., :4] @ a[:, :4], a * 10.0 ** np.arange(-size, 0), np.triu(np.ones_like(a))):
            check(decomposed, hard / np.abs(hard).max((1, 2), keepdims=True))
        for scale in (1e200, 1e-200):
            values = jf.jit(lambda a: np.linalg.svd(a, compute_uv=False))(a * scale)
            np.testing.assert_allclose(values / scale, np.linalg.svd(a, compute_uv=False), atol=1e-13)
            assert (np.diff(values) <= 0).all()
            np.testing.assert_allclose(
                jf.jit(lambda a: np.linalg.qr(a).R)(a * scale) / scale, np.linalg.qr(a).R, atol=1e-9
            )
    zeros = np.zeros((40, 6, 6))
    check(every({name: FUNCTIONS[name] for name in ("det", "slogdet", "qr", "eigh", "svd")}), zeros)
    check(FUNCTIONS["eigh"], np.broadcast_to(np.eye(7), (40, 7, 7)).copy())


WRONG: dict[str, tuple[Callable[[Any], Any], float, str]] = {
    "inv": (lambda a: np.linalg.inv(a), 0.0, "Singular matrix"),
    "solve": (lambda a: np.linalg.solve(a, a), 0.0, "Singular matrix"),
    "cholesky": (lambda a: np.linalg.cholesky(a), -1.0, "not positive definite"),
    "eigh": (lambda a: np.linalg.eigvalsh(a), np.nan, "did not converge"),
    "svd": (lambda a: np.linalg.svd(a, compute_uv=False), np.nan, "SVD did not converge"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_matrix_without_a_result_is_an_error(name: str) -> None:
    function, value, message = WRONG[name]
    good = np.broadcast_to(np.eye(6), (70, 6, 6)).copy()
    jitted = jf.jit(function)
    for place in (0, 17, 69):
        bad = good.copy()
        bad[place] *= value
        for _ in range(2):
            jitted(good)
            with pytest.raises(np.linalg.LinAlgError, match=f"{message}\n  at .*test_small_matrices.py:"):
                jitted(bad)


def test_numbers_that_are_none_stay() -> None:
    a = matrices(40, 6, 6)
    a[3] = np.nan
    for function in (np.linalg.inv, np.linalg.det, lambda a: np.linalg.cholesky(a @ np.swapaxes(a, -1, -2))):
        found = np.asarray(function(jf.asarray(a)))
        assert np.isnan(found[3]).any() and not np.isnan(np.delete(found, 3, 0)).any()


@pytest.mark.parametrize("device", ["opencl", "webgpu"])
def test_on_devices(device: str) -> None:
    try:
        jf.zeros(1, device=device).numpy()
    except jf.errors.DeviceError:
        pytest.skip(f"no {device} here")
    a = matrices(40, 4, 4, dtype="float32")
    for name in ("inv", "det", "cholesky", "qr", "eigh", "svd"):
        found = FUNCTIONS[name](jf.asarray(a, device=device))
        wanted = FUNCTIONS[name](a.astype(float))
        for ours, theirs in zip(leaves(found), leaves(wanted), strict=True):
            np.testing.assert_allclose(np.asarray(ours), theirs, rtol=2e-3, atol=2e-3)
