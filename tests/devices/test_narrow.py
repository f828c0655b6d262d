"""Functions that make integers and floats of their own take those of a device that lacks 64 bits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import jitframe as jf

RNG = np.random.default_rng(4)
X, M = RNG.random(50).astype(np.float32), RNG.random((6, 9)).astype(np.float32)

FUNCTIONS: dict[str, Callable[..., Any]] = {
    "median": lambda np, x, m: np.median(x),
    "rows' medians": lambda np, x, m: np.median(m, axis=1),
    "percentile": lambda np, x, m: np.percentile(x, [5.0, 50.0]),
    "quantile": lambda np, x, m: np.quantile(m, 0.3, axis=0),
    "nearest": lambda np, x, m: np.quantile(x, 0.3, method="nearest"),
    "nanpercentile": lambda np, x, m: np.nanpercentile(x, 20),
    "nanmedian": lambda np, x, m: np.nanmedian(m, axis=0),
    "partition": lambda np, x, m: np.partition(x, 10)[10],
    "histogram": lambda np, x, m: np.histogram(x, 5, (0.0, 1.0))[0],
    "cov": lambda np, x, m: np.cov(m),
    "corrcoef": lambda np, x, m: np.corrcoef(m),
    "vander": lambda np, x, m: np.vander(x[:4], 3),
    "polyfit": lambda np, x, m: np.polyfit(x, 2 * x, 1) + 1,
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_that_make_numbers_of_their_own(name: str) -> None:
    if not any(each.name == "webgpu" and each.available for each in jf.devices()):
        pytest.skip("no webgpu")
    function = FUNCTIONS[name]
    expected = np.asarray(function(np, X, M))
    lazily = np.asarray(function(jf, jf.asarray(X, device="webgpu"), jf.asarray(M, device="webgpu")))
    assert lazily.dtype.itemsize <= 4
    np.testing.assert_allclose(lazily, expected, rtol=1e-3, atol=1e-4)
    jitted = np.asarray(jf.jit(lambda x, m: function(np, x, m), device="webgpu")(X, M))
    np.testing.assert_allclose(jitted, expected, rtol=1e-3, atol=1e-4)
