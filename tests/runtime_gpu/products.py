"""Products by a driver's library, against NumPy's."""

from __future__ import annotations

import numpy as np

from jitframe.codegen.plan.bound import BoundGemm, BufferSlot
from jitframe.runtime.driver import Driver

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
            step = BoundGemm(
                name, bool(flip_a), bool(flip_b), m, n, k, BufferSlot(0), a.shape[1] or 1, BufferSlot(1),
                max(b.shape[1], 1), BufferSlot(2), n,
            )  # fmt: skip
            driver.gemm(step, *((memory, 0) for memory in held))
            wanted = (a.T if flip_a else a) @ (b.T if flip_b else b)
            np.testing.assert_array_equal(get(driver, (held[2], 0), c), wanted)
            for memory in held:
                driver.free(memory)
