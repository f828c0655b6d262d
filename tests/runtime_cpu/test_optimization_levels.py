"""LLVM's levels of optimization: each computes the same bits, and has kernels and plans of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import jitframe as jf
from jitframe.compilation.evaluate import kernels_compiled

LEVELS = range(4)


@pytest.fixture(autouse=True)
def level_afterwards() -> Iterator[None]:
    before = jf.settings.settings()
    yield
    jf.settings.restore(before)


def computed(function: Callable[..., Any], level: int, *arguments: Any) -> Any:
    jf.settings.configure(optimization_level=level)
    return jf.jit(function)(*arguments)


def counted(x, n):
    total = 0.0
    for i in range(n):
        if x[i] > 0.5:
            total += x[i] * i
    return total


FUNCTIONS = {
    "elementwise": lambda x, n: np.sqrt(np.exp(x) * np.sin(x)) + x / 3 - x**n,
    "reductions": lambda x, n: (x.sum(), x.max(), np.argmin(x), x.var()),
    "scans": lambda x, n: np.cumsum(x) * n,
    "sorting": lambda x, n: np.argsort(x),
    "integers": lambda x, n: ((x * 1000).astype(np.int32) // 7) % (n - 40),
    "products": lambda x, n: x[: n * n].reshape(n, n) @ x[-n * n :].reshape(n, n),
    "loops": counted,
}


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_each_level_computes_the_same_bits(name: str, dtype: str) -> None:
    x = np.random.default_rng(5).random(5000).astype(dtype)
    first, *others = [np.asarray(computed(FUNCTIONS[name], level, x, 39)).tobytes() for level in LEVELS]
    assert all(other == first for other in others)


def test_no_level_answers_for_another() -> None:
    def function(x):
        return np.cosh(x) - 31 * x

    x = np.linspace(0, 1, 77)
    compiled = []
    for level in (3, 0, 1, 0, 3):
        before = kernels_compiled()
        computed(function, level, x)
        compiled.append(kernels_compiled() - before)
    assert compiled == [1, 1, 1, 0, 0]
