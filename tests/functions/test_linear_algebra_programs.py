"""Programs of linear algebra as people write them: the jitted function is the NumPy one, at each call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import jitframe as jf

RANDOM = np.random.default_rng(7)
POINTS = RANDOM.standard_normal((60, 4)) @ RANDOM.standard_normal((4, 4)) + [1.0, -2.0, 0.5, 3.0]
TIMES = np.linspace(0, 4, 60)
SAMPLES = np.sin(TIMES) + 0.05 * RANDOM.standard_normal(60)


def polynomial_fit(t: Any, y: Any) -> Any:
    powers = np.stack([np.ones_like(t), t, t**2, t**3], axis=1)
    coefficients, residuals, rank, values = np.linalg.lstsq(powers, y, rcond=None)
    return coefficients, residuals, powers @ coefficients, rank, values


def normal_equations(t: Any, y: Any) -> Any:
    powers = np.stack([np.ones_like(t), t, t**2], axis=1)
    return np.linalg.solve(powers.T @ powers + 1e-6 * np.eye(3), powers.T @ y)


def principal_components(x: Any) -> Any:
    centered = x - x.mean(axis=0)
    _, s, vh = np.linalg.svd(centered, full_matrices=False)
    return np.abs(centered @ vh.T), s**2 / (len(x) - 1)


def principal_components_by_eigh(x: Any) -> Any:
    centered = x - x.mean(axis=0)
    values, vectors = np.linalg.eigh(centered.T @ centered / (x.shape[0] - 1))
    return values[::-1], np.abs(centered @ vectors[:, ::-1])


def whitening(x: Any) -> Any:
    centered = x - x.mean(axis=0)
    values, vectors = np.linalg.eigh(np.cov(centered.T))
    return centered @ (vectors / np.sqrt(values)) @ vectors.T


def mahalanobis(x: Any) -> Any:
    centered = x - x.mean(axis=0)
    inverse = np.linalg.inv(np.cov(x, rowvar=False))
    return np.sqrt(np.einsum("ni,ij,nj->n", centered, inverse, centered))


def gaussian_process(t: Any, y: Any) -> Any:
    """Mean, variance and likelihood, by a Cholesky decomposition."""
    covariance = np.exp(-0.5 * (t[:, None] - t[None, :]) ** 2) + 0.01 * np.eye(len(t))
    factor = np.linalg.cholesky(covariance)
    weights = np.linalg.solve(factor.T, np.linalg.solve(factor, y))
    points = np.linspace(0, 4, 7)
    between = np.exp(-0.5 * (points[:, None] - t[None, :]) ** 2)
    inner = np.linalg.solve(factor, between.T)
    likelihood = -0.5 * y @ weights - np.sum(np.log(np.diagonal(factor)))
    return between @ weights, 1 - np.sum(inner**2, axis=0), likelihood


def log_density(x: Any) -> Any:
    """Of a normal distribution, with `slogdet`."""
    mean, covariance = x.mean(axis=0), np.cov(x.T)
    centered = x - mean
    _, logarithm = np.linalg.slogdet(covariance)
    squares = np.sum(centered * np.linalg.solve(covariance, centered.T).T, axis=1)
    return -0.5 * (squares + logarithm + x.shape[1] * np.log(2 * np.pi))


def kalman_filter(measured: Any) -> Any:
    """Position and velocity from positions: a matrix inverse at each step."""
    step = np.array([[1.0, 0.1], [0.0, 1.0]])
    sees = np.array([[1.0, 0.0]])
    state, covariance = np.zeros(2), np.eye(2)
    found = []
    for k in range(8):
        state, covariance = step @ state, step @ covariance @ step.T + 0.01 * np.eye(2)
        gain = covariance @ sees.T @ np.linalg.inv(sees @ covariance @ sees.T + 0.1 * np.eye(1))
        state = state + gain @ (measured[k : k + 1] - sees @ state)
        covariance = (np.eye(2) - gain @ sees) @ covariance
        found.append(state)
    return np.stack(found), covariance


def newtons_method(start: Any) -> Any:
    """The intersections of a circle and a hyperbola, from many starts at once."""
    x = start
    for _ in range(6):
        value = np.stack([x[:, 0] ** 2 + x[:, 1] ** 2 - 4, x[:, 0] * x[:, 1] - 1], axis=-1)
        slopes = np.stack(
            [np.stack([2 * x[:, 0], 2 * x[:, 1]], axis=-1), np.stack([x[:, 1], x[:, 0]], axis=-1)], axis=-2
        )
        x = x - np.linalg.solve(slopes, value[..., None])[..., 0]
    return x


def damped_gauss_newton(t: Any, y: Any) -> Any:
    parameters = np.array([0.8, 0.9])
    for _ in range(5):
        model = parameters[0] * np.sin(parameters[1] * t)
        slopes = np.stack([np.sin(parameters[1] * t), parameters[0] * t * np.cos(parameters[1] * t)], axis=1)
        moved = np.linalg.solve(slopes.T @ slopes + 1e-3 * np.eye(2), slopes.T @ (y - model))
        parameters = parameters + moved
    return parameters


def low_rank(x: Any) -> Any:
    u, s, vh = np.linalg.svd(x, full_matrices=False)
    return (u[:, :2] * s[:2]) @ vh[:2], np.linalg.cond(x), np.linalg.matrix_rank(x)


def transforms(points: Any) -> Any:
    """Volumes, inverse maps and orientations of many tetrahedra."""
    edges = points[:, 1:4, :3] - points[:, :1, :3]
    return np.abs(np.linalg.det(edges)) / 6, np.linalg.inv(edges), np.sign(np.linalg.det(edges))


def orthogonal_iteration(x: Any) -> Any:
    """Eigenvalues by repeated QR decompositions."""
    a = x.T @ x
    for _ in range(4):
        q, r = np.linalg.qr(a)
        a = r @ q
    return np.diagonal(a)


PROGRAMS: list[tuple[Callable[..., Any], tuple[np.ndarray, ...]]] = [
    (polynomial_fit, (TIMES, SAMPLES)),
    (normal_equations, (TIMES, SAMPLES)),
    (principal_components, (POINTS,)),
    (principal_components_by_eigh, (POINTS,)),
    (whitening, (POINTS,)),
    (mahalanobis, (POINTS,)),
    (gaussian_process, (TIMES, SAMPLES)),
    (log_density, (POINTS,)),
    (kalman_filter, (SAMPLES,)),
    (newtons_method, (RANDOM.standard_normal((40, 2)) + np.array([2.0, 0.5]),)),
    (damped_gauss_newton, (TIMES, SAMPLES)),
    (low_rank, (POINTS,)),
    (transforms, (RANDOM.standard_normal((30, 4, 4)),)),
    (orthogonal_iteration, (POINTS,)),
]


@pytest.mark.parametrize(("program", "arguments"), PROGRAMS, ids=lambda value: getattr(value, "__name__", ""))
def test_programs_of_linear_algebra(program: Callable[..., Any], arguments: tuple[np.ndarray, ...]) -> None:
    jitted, wanted = jf.jit(program), program(*arguments)
    wanted = wanted if isinstance(wanted, tuple) else (wanted,)
    for _ in range(2):
        found = jitted(*arguments)
        for ours, theirs in zip(found if isinstance(found, tuple) else (found,), wanted, strict=True):
            np.testing.assert_allclose(ours, theirs, rtol=1e-6, atol=1e-8)
