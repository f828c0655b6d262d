"""The rows of loops over elements, of time loops around arrays, and of small calls."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from typing import Any

import numpy as np

from . import loop_formulas as programs
from .case import Case, Reach, uniform

PEERS = ("jitframe", "numpy", "numba", "numba-parallel")
REMARK = (
    "`numba-parallel`: `njit(parallel=True)`, or loops written out with `prange` where Numba takes no arrays"
)
NUMBA = ("numba", "numba-parallel")


def _beside_numba(factor: float = 1.0) -> tuple[Reach, ...]:
    text = "not behind Numba" if factor == 1 else f"{factor:g} of Numba's time"
    return (Reach(text, NUMBA, factor),)


FIVE_TIMES_NUMPY = Reach("5x NumPy", ("numpy",), 1 / 5)


def numbers(*shape: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).random(shape)


def positive_definite(n: int) -> np.ndarray:
    a = numbers(n, n)
    return a @ a.T + n * np.eye(n)


def dominant(n: int) -> np.ndarray:
    return numbers(n, n) + n * np.eye(n)


def _lu(a: np.ndarray) -> np.ndarray:
    a = a.copy()
    for k in range(len(a)):
        a[k + 1 :, k] /= a[k, k]
        a[k + 1 :, k + 1 :] -= np.outer(a[k + 1 :, k], a[k, k + 1 :])
    return a


def _gauss_seidel(u: np.ndarray, sweeps: int) -> np.ndarray:
    """Row by row: what is left of a row's recurrence is a filter."""
    from scipy.signal import lfilter

    u = u.copy()
    for _ in range(sweeps):
        for i in range(1, len(u) - 1):
            known = 0.25 * (u[i - 1, 1:-1] + u[i + 1, 1:-1] + u[i, 2:])
            u[i, 1:-1] = lfilter([1.0], [1.0, -0.25], known, zi=[0.25 * u[i, 0]])[0]
    return u


def _floyd_warshall(distance: np.ndarray) -> np.ndarray:
    distance = distance.copy()
    for k in range(len(distance)):
        np.minimum(distance, distance[:, k, None] + distance[k], out=distance)
    return distance


def sparse(rows: int, each: int) -> tuple[np.ndarray, ...]:
    chosen = np.random.default_rng(1).integers(0, rows, rows * each)
    return numbers(rows * each), chosen, np.arange(0, rows * each + 1, each), numbers(rows, seed=2)


def _sparse_product(values: np.ndarray, columns: np.ndarray, starts: np.ndarray, x: np.ndarray) -> np.ndarray:
    return np.add.reduceat(values * x[columns], starts[:-1])


def _recursive_filter(image: np.ndarray, a: float) -> np.ndarray:
    from scipy.signal import lfilter

    for axis in (1, 0):
        first = np.take(image, [0], axis)
        image = lfilter([1 - a], [1.0, -a], image, axis, zi=a * first)[0]
    return image


def sky(count: int) -> tuple[Any, ...]:
    return numbers(3, count), numbers(3, count, seed=1) - 0.5, numbers(count, seed=2) / count, 1e-3


def cavity(n: int, steps: int) -> tuple[Any, ...]:
    u, v, p = np.zeros((n, n)), np.zeros((n, n)), np.zeros((n, n))
    u[-1] = 1.0
    return u, v, p, steps, 0.001, 2 / (n - 1), 2 / (n - 1), 1.0, 0.1


def plane(n: int) -> tuple[np.ndarray, np.ndarray]:
    re, im = np.meshgrid(np.linspace(-2, 0.5, n), np.linspace(-1.25, 1.25, n))
    return re, im


def crc_arguments(size: int) -> tuple[np.ndarray, np.ndarray]:
    table = np.arange(256)
    for _ in range(8):
        table = np.where(table & 1, (table >> 1) ^ 0xEDB88320, table >> 1)
    return np.random.default_rng(0).integers(0, 256, size, dtype=np.uint8), table


def measurements(steps: int) -> tuple[np.ndarray, ...]:
    transition = np.eye(4) + np.diag([0.1, 0.1], 2)
    walk = np.cumsum(numbers(steps, 2) - 0.5, axis=0)
    return walk, transition, np.eye(4)[:2].copy(), 0.01 * np.eye(4), 0.5 * np.eye(2)


def codes(size: int, seed: int) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 4, size)


def _row(
    name: str, title: str, function: Callable[..., Any], arguments: Callable[[], tuple[Any, ...]],
    *reaches: Reach, reference: Callable[..., Any] | None = None, **more: Any,
) -> Case:  # fmt: skip
    return Case(name, title, function, arguments, reaches or _beside_numba(), reference=reference, **more)


CASES: tuple[Case, ...] = (
    _row("cholesky", "Cholesky by elements, n = 1000", programs.cholesky, lambda: (positive_definite(1000),),
         reference=np.linalg.cholesky),
    _row("lu", "LU by elements", programs.lu, lambda: (dominant(1000),), reference=_lu),
    _row("forward", "triangular solve by elements", programs.forward_substitution,
         lambda: (np.tril(dominant(1000)), numbers(1000)), reference=np.linalg.solve),
    _row("seidel", "Gauss-Seidel, 50 sweeps of 500 x 500", programs.gauss_seidel,
         lambda: (numbers(500, 500), 50), reference=_gauss_seidel),
    _row("floyd", "Floyd-Warshall, 500 nodes", programs.floyd_warshall, lambda: (numbers(500, 500),),
         reference=_floyd_warshall),
    _row("edit", "edit distance, 400 x 400", programs.edit_distance,
         lambda: (codes(400, 0), codes(400, 1))),
    _row("folding", "RNA folding, 400 bases", programs.folding, lambda: (codes(400, 0),)),
    _row("sparse", "sparse rows times a vector, 10^6 elements", programs.sparse_product,
         lambda: sparse(100_000, 10), Reach("0.6 of Numba's serial time", ("numba",), 0.6),
         reference=_sparse_product),
    _row("recursive", "recursive filters over rows and columns, 1000 x 1000", programs.recursive_filter,
         lambda: (numbers(1000, 1000), 0.9), *_beside_numba(0.6), reference=_recursive_filter),
    _row("bodies", "100 bodies, 1000 steps", programs.bodies, lambda: (*sky(100), 1000),
         *_beside_numba(), FIVE_TIMES_NUMPY),
    _row("jacobi1d", "Jacobi, 3,200 points, 2,000 steps", programs.jacobi_1d, lambda: (numbers(3200), 1000),
         *_beside_numba(), FIVE_TIMES_NUMPY),
    _row("cavity", "cavity flow, 101 x 101, 20 steps of 50 pressure iterations", programs.cavity_flow,
         lambda: cavity(101, 20), *_beside_numba(), FIVE_TIMES_NUMPY, relative_tolerance=1e-9,
         absolute_tolerance=1e-9),
    _row("escape", "escape times, 1000 x 1000, 200 iterations, by a function of numbers",
         programs.escape_time, lambda: plane(1000),
         Reach("0.5 of Numba's vectorize", ("numba-parallel",), 0.5), reference=programs.escape_masked),
    _row("escapemasked", "the same by whole arrays", programs.escape_masked, lambda: plane(1000),
         Reach("0.5 of Numba's vectorize", ("numba-parallel",), 0.5)),
    _row("crc", "CRC of 1 MB", programs.crc, lambda: crc_arguments(1_000_000),
         reference=lambda data, _table: zlib.crc32(data)),
    _row("kalman", "Kalman filter of four states, 100,000 measurements", programs.kalman,
         lambda: measurements(100_000)),
    _row("logistic", "10^7 iterations of a few scalars", programs.logistic_map,
         lambda: (3.7, 0.3, 10_000_000), relative_tolerance=1e-3),  # chaotic: rounding decides
    _row("distances64", "squared distances 2000 x 2000 x 3, stored", programs.squared_distances,
         lambda: (numbers(2000, 3), numbers(2000, 3, seed=1))),
    _row("gray", "image of 2000 x 3000 x 3 times three weights, float32", programs.to_gray,
         lambda: (uniform(2000, 3000, 3), np.array([0.3, 0.59, 0.11], np.float32)),
         Reach("not behind NumPy, Numba", ("numpy", *NUMBA))),
    _row("rms", "RMS norm, 4096 rows of 1024, float32", programs.rms_norm,
         lambda: (uniform(4096, 1024, low=-4, high=4), uniform(1024, seed=1))),
    _row("heat10", "ten heat steps of 1024 x 1024, float32", programs.ten_heat_steps,
         lambda: (uniform(1024, 1024),)),
    _row("tensor16", "a jitted function of a Tensor of 16 elements", programs.tensor_increment,
         lambda: (uniform(16),), Reach("below 2 us", seconds=2e-6), weights=1),
    _row("lazy100", "two lazy operations on 100 elements, built and evaluated", programs.lazy_expression,
         lambda: (uniform(100), uniform(100, seed=1)), Reach("below 5 us", seconds=5e-6), weights=2),
)  # fmt: skip
