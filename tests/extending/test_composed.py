"""A function composed of others is that function: it traces, fuses and runs lazily like theirs."""

from __future__ import annotations

from typing import Any

import numpy as np

import jitframe as jf


def standardized(x: Any, axis: int = -1, eps: float = 1e-6) -> Any:
    """x without its mean along an axis, in units of its deviation there."""
    centered = x - jf.mean(x, axis=axis, keepdims=True)
    return centered / jf.sqrt(jf.mean(centered * centered, axis=axis, keepdims=True) + eps)


def test_it_is_one_kernel_under_jit_and_lazily() -> None:
    x = np.random.default_rng(0).random((50, 300))
    wanted = (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 1e-6)
    jitted = jf.jit(standardized)
    np.testing.assert_allclose(jitted(x), wanted)
    lazy = standardized(jf.asarray(x))
    assert len(jf.explain(lazy).kernels) == len(jitted.explain(x).kernels) == 1
    np.testing.assert_allclose(lazy.numpy(), wanted)
