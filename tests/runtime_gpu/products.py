"""Products by a driver's library, against NumPy's."""

from __future__ import annotations

import numpy as np

from jitframe.codegen.plan.nodes import LibraryCall
from jitframe.ir.record import replace
from jitframe.runtime.driver import Driver
from tests.plan.bound import At, axis, gemm

from .driver_contract import get, put

SHAPES = ((5, 7, 3, 0, 0), (5, 7, 3, 1, 0), (4, 1, 9, 0, 1), (6, 6, 2, 1, 1), (3, 4, 0, 0, 0))
"""m, n, k, and whether each operand lies transposed."""


def check_products(driver: Driver) -> None:
    for dtype, name in ((np.float32, "f32"), (np.float64, "f64")):
        for m, n, k, flip_a, flip_b in SHAPES:
            random = np.random.default_rng(m)
            a = random.integers(-9, 9, (k, m) if flip_a else (m, k)).astype(dtype)
            b = random.integers(-9, 9, (n, k) if flip_b else (k, n)).astype(dtype)
            c = np.ones((m, n), dtype)
            held = [put(driver, each) for each in (a, b, c)]
            step = gemm(
                name, bool(flip_a), bool(flip_b), m, n, k, At(0), a.shape[1] or 1, At(1),
                max(b.shape[1], 1), At(2), n,
            )  # fmt: skip
            _call(driver, step, held)
            wanted = (a.T if flip_a else a) @ (b.T if flip_b else b)
            np.testing.assert_array_equal(get(driver, (held[2], 0), c), wanted)
            for memory in held:
                driver.free(memory)
            _check_batch(driver, step, a, b)


def _call(driver: Driver, step: LibraryCall, held: list) -> None:
    views = [(memory, 0) for memory in held]
    driver.call(step, views[:2], views[2:])


def _check_batch(driver: Driver, step: LibraryCall, a: np.ndarray, b: np.ndarray) -> None:
    """Three products that read one matrix a and have matrices b of their own, an element between them."""
    size = b.size + 1
    m, n = step.sizes[:2]
    several = np.concatenate([np.append(b.ravel() + i, np.nan) for i in range(3)]).astype(b.dtype)
    c = np.ones((3, m, n), a.dtype)
    held = [put(driver, each) for each in (a, several, c)]
    batch = (axis(3, 0, size, m * n),)
    _call(driver, replace(step, batch=batch), held)
    left = a.T if step.options[0] else a
    wanted = [left @ ((b + i).T if step.options[1] else b + i) for i in range(3)]
    np.testing.assert_array_equal(get(driver, (held[2], 0), c), np.array(wanted).reshape(c.shape))
    _call(driver, replace(step, batch=(axis(0, 0, 0, 0),)), held)
    for memory in held:
        driver.free(memory)
