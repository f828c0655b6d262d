"""Arrays of PyTorch and JAX by DLPack, in both directions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import jitframe as jf
from jitframe.errors import ArgumentError

X = np.arange(6, dtype=np.float32).reshape(2, 3)


def shares(first: Any, second: Any) -> bool:
    return np.shares_memory(np.asarray(first), np.asarray(second))


def test_bfloat16_in_both_directions() -> None:
    """NumPy hands arrays of it to nobody. Capsules that cannot say that memory is read-only are of copies."""
    ours = jf.asarray(X).astype(jf.bfloat16)
    assert jf.from_dlpack(ours + 1).dtype == jf.bfloat16
    np.testing.assert_array_equal(jf.from_dlpack(ours + 1).astype("f4").numpy(), X + 1)
    assert ours.__dlpack__(max_version=(1, 0), copy=False) is not None
    with pytest.raises(BufferError, match=r"only capsules of DLPack 1\.0 are read-only"):
        ours.__dlpack__(copy=False)
    with pytest.raises(BufferError, match="in the host's memory"):
        ours.__dlpack__(dl_device=(2, 0))
    torch = pytest.importorskip("torch")
    assert torch.equal(torch.from_dlpack(ours), torch.asarray(X).to(torch.bfloat16))


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


@jf.jit
def doubled(x: Any, y: Any) -> Any:
    x += 1
    return np.exp(x) @ y


def test_torch_in_a_jitted_function() -> None:
    torch = pytest.importorskip("torch")
    theirs, weights = torch.asarray(X.copy()), torch.ones((3, 2), dtype=torch.bfloat16)
    for times in (1, 2):
        made = doubled(theirs, weights)
        assert type(made) is np.ndarray
        np.testing.assert_allclose(made, np.exp(X + times) @ np.ones((3, 2)), rtol=1e-5)
    np.testing.assert_array_equal(theirs, X + 2, "an argument that is written to is the library's own memory")
    with pytest.raises(ArgumentError, match=r"a Tensor cannot be read by DLPack.*use tensor\.detach\(\)"):
        doubled(theirs.requires_grad_(), weights)
    with pytest.raises(ArgumentError, match="a Tensor cannot be read by DLPack"):
        jf.asarray(torch.empty(3, device="meta"))


def test_jax_in_a_jitted_function(strict) -> None:
    jax = pytest.importorskip("jax")
    theirs = jax.numpy.asarray(X)
    made = jf.jit(lambda x, y: np.exp(x) @ y)(theirs, theirs.T)
    np.testing.assert_allclose(made, np.exp(X) @ X.T, rtol=1e-5)
    with pytest.raises(ValueError, match="read-only"):
        doubled(theirs, theirs.T)
    np.testing.assert_array_equal(theirs, X)


class Foreign:
    """An array whose `__array__` cannot be asked for no copy, as PyTorch's cannot."""

    def __init__(self, values: np.ndarray) -> None:
        self.values = values

    def __dlpack__(self, **options: Any) -> Any:
        return self.values.__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.values.__dlpack_device__()

    def __array__(self, dtype: Any = None) -> np.ndarray:
        raise AssertionError("its memory is read by DLPack")


def test_arrays_of_other_libraries() -> None:
    memory = X.copy()
    theirs = Foreign(memory)
    assert shares(jf.asarray(theirs, copy=False).numpy(), memory)
    assert not shares(jf.asarray(theirs).numpy(), memory)
    np.testing.assert_allclose(doubled(theirs, X.T.copy()), np.exp(X + 1) @ X.T, rtol=1e-5)
    np.testing.assert_array_equal(memory, X + 1)
    np.testing.assert_array_equal((jf.asarray(X) + theirs).numpy(), 2 * X + 1)
    np.testing.assert_array_equal(jf.sum(theirs, axis=0).numpy(), (X + 1).sum(0))


def test_jax() -> None:
    jax = pytest.importorskip("jax")
    theirs = jax.numpy.asarray(X)
    assert shares(jf.from_dlpack(theirs, copy=False).numpy(), theirs)
    np.testing.assert_array_equal(jf.asarray(theirs).numpy(), X)
    np.testing.assert_array_equal(jax.numpy.from_dlpack(jf.asarray(X) * 2), X * 2)
    np.testing.assert_array_equal(jax.numpy.asarray(jf.asarray(X)), X)
