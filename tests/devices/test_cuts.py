"""Jitted functions that are cut where they need a value, on devices."""

from __future__ import annotations

from typing import Any

import numpy as np

import jitframe as jf


def _selected(x: Any, scale: Any) -> Any:
    chosen = x[x > 0] * scale
    rows = x[: len(x) // 2 * 2].reshape(-1, 2)
    return chosen, rows[rows[:, 0] > 0], np.nonzero(rows > 0), np.repeat(x, (x > 0).astype(np.int32) * 2)


def _iterated(x: Any, scale: Any) -> Any:
    turns = 0
    while x.max() > 0.01:
        x = x * np.float32(0.5)
        turns += 1
    return (x if x.sum() > 0 else x[1:]), turns


def _written(x: Any, scale: Any) -> Any:
    x[x > 1] = 1
    if x.sum() > 0:
        x[:2] += np.float32(len(x[x < 0]))
    return x[1:]


def test_the_same_as_numpy(device: str) -> None:
    rng = np.random.default_rng(5)
    for function in (_selected, _iterated, _written):
        jitted = jf.jit(function, device=device)
        for size in (9, 9, 6):
            x = rng.normal(size=size).astype(np.float32)
            plain, given = x.copy(), x.copy()
            scale = np.float32(rng.random())
            expected = function(plain, scale)
            _check(jitted(given, scale), expected)
            np.testing.assert_allclose(given, plain, rtol=1e-5)
            lazy = jf.asarray(x, device=device)
            _check(jf.jit(function)(lazy, scale), expected)
            np.testing.assert_allclose(np.asarray(lazy), plain, rtol=1e-5)


def _check(ours: Any, theirs: Any) -> None:
    if isinstance(theirs, tuple):
        for mine, other in zip(ours, theirs, strict=True):
            _check(mine, other)
    else:
        np.testing.assert_allclose(np.asarray(ours), theirs, rtol=1e-5)
