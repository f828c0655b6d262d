"""`jf.random` has NumPy's functions of the global generator, with NumPy's numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import jitframe as jf

DRAWS: tuple[Callable[[Any], Any], ...] = (
    lambda np: np.random.rand(3, 4),
    lambda np: np.random.randn(5),
    lambda np: np.random.normal(1.0, 2.0, (3, 2)),
    lambda np: np.random.normal(np.asarray([0.0, 5.0]), scale=np.asarray([1.0, 2.0])),
    lambda np: np.random.randint(0, 10, 7),
    lambda np: np.random.choice(np.asarray([1.5, 2.5, 3.5]), size=6, p=np.asarray([0.2, 0.3, 0.5])),
    lambda np: np.random.permutation(8),
    lambda np: np.random.permutation(np.asarray([3, 1, 2])),
    lambda np: np.random.random(),
    lambda np: np.random.uniform(),
)


@pytest.mark.parametrize("draw", DRAWS)
def test_draws_are_numpys(draw: Callable[[Any], Any]) -> None:
    jf.random.seed(7)
    found = [draw(jf) for _ in range(2)]
    np.random.seed(7)
    for made, wanted in zip(found, [draw(np) for _ in range(2)], strict=True):
        assert isinstance(made, jf.Tensor) == isinstance(wanted, np.ndarray)
        np.testing.assert_array_equal(np.asarray(made), wanted)
        assert np.asarray(made).dtype == np.asarray(wanted).dtype


def test_shuffled_in_place() -> None:
    x, wanted = jf.arange(20), np.arange(20)
    jf.random.seed(3)
    assert jf.random.shuffle(x) is None
    np.random.seed(3)
    np.random.shuffle(wanted)
    np.testing.assert_array_equal(x.numpy(), wanted)


def test_names_that_numpy_lacks() -> None:
    with pytest.raises(AttributeError, match="nothing_like_it"):
        getattr(jf.random, "nothing_like_it")  # noqa: B009
    assert jf.random.RandomState is np.random.RandomState


@pytest.mark.usefixtures("strict")
def test_a_trace_draws_by_an_argument() -> None:
    @jf.jit
    def noisy(x: Any) -> Any:
        return x + jf.random.rand(3)

    with pytest.raises(jf.errors.TraceError, match=r"np\.random\.rand"):
        noisy(np.ones(3))
