"""NumPy's random generators in jitted functions that run on devices."""

from __future__ import annotations

from typing import Any

import numpy as np

import jitframe as jf


def _draws(x: Any, rng: Any) -> Any:
    y = x + rng.normal(size=3).astype(np.float32)
    rng.shuffle(y)
    scale = abs(y[0]) + np.float32(1)
    several = y, rng.random(2), rng.integers(5, size=3), rng.random(), rng.random(4, dtype=np.float32)
    return several, rng.normal(0.0, scale, size=2), rng.choice(x, 2)


def _stepped(x: Any, rng: Any) -> Any:
    return jf.fori_loop(0, 4, lambda i, y: y + rng.random(3, dtype=np.float32), x)


def test_the_same_numbers_as_on_the_host(device: str) -> None:
    x = np.arange(3, dtype=np.float32)
    for function in (_draws, _stepped):
        jitted = jf.jit(function, device=device)
        theirs, ours, lazy = (np.random.default_rng(1) for _ in range(3))
        for _ in range(2):
            expected = jf.jit(function)(x, theirs)
            _check(jitted(x, ours), expected)
            _check(jf.jit(function)(jf.asarray(x, device=device), lazy), expected)
            assert ours.bit_generator.state == theirs.bit_generator.state == lazy.bit_generator.state


def _check(ours: Any, theirs: Any) -> None:
    if isinstance(theirs, tuple):
        for mine, other in zip(ours, theirs, strict=True):
            _check(mine, other)
    else:
        np.testing.assert_allclose(np.asarray(ours), theirs, rtol=1e-6)
