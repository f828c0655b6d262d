"""Arrays of PyTorch and JAX by DLPack, in both directions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import jitframe as jf

X = np.arange(6, dtype=np.float32).reshape(2, 3)


def shares(first: Any, second: Any) -> bool:
    return np.shares_memory(np.asarray(first), np.asarray(second))


def test_torch() -> None:
    torch = pytest.importorskip("torch")
    theirs = torch.asarray(X.copy())
    for take in (jf.from_dlpack, jf.asarray):
        assert shares(take(theirs, copy=False).numpy(), theirs)
        ours = take(theirs)
        assert not shares(ours.numpy(), theirs)
        np.testing.assert_array_equal(ours.numpy(), X)
    np.testing.assert_array_equal(torch.from_dlpack(jf.asarray(X) + 1), X + 1)
    np.testing.assert_array_equal(torch.asarray(jf.asarray(X)[:, ::2].numpy().copy()), X[:, ::2])
    turned = jf.from_dlpack(theirs.T, copy=False)
    np.testing.assert_array_equal((turned @ jf.asarray(X)).numpy(), X.T @ X)


def test_jax() -> None:
    jax = pytest.importorskip("jax")
    theirs = jax.numpy.asarray(X)
    assert shares(jf.from_dlpack(theirs, copy=False).numpy(), theirs)
    np.testing.assert_array_equal(jf.asarray(theirs).numpy(), X)
    np.testing.assert_array_equal(jax.numpy.from_dlpack(jf.asarray(X) * 2), X * 2)
    np.testing.assert_array_equal(jax.numpy.asarray(jf.asarray(X)), X)
