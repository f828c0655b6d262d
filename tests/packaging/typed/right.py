"""A user's program, as type checkers see it and as it runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, assert_type

import numpy as np

import jitframe as jf

Array = np.ndarray[Any, Any]


@jf.jit
def distance(x: Array, y: Array, scale: float = 1.0) -> Array:
    found: Array = np.sqrt(x * x + y * y) * scale
    return found


@jf.jit(static_argnames="power")
def raised(x: Array, power: int) -> Array:
    found: Array = x**power
    return found


class Layer:
    def __init__(self, width: int) -> None:
        self.weight = np.full(width, 2.0)

    @jf.jit
    def apply(self, x: Array) -> Array:
        found: Array = x * self.weight
        return found


# Jitted functions keep their parameters and results.
three, four = np.array([3.0]), np.array([4.0])
assert_type(distance(three, four), Array)
assert_type(distance(three, four, scale=2.0), Array)
assert_type(raised(three, power=2), Array)
assert_type(Layer(1).apply(three), Array)
assert_type(distance.stats(), dict[str, int | float])
plain: Callable[[Array, int], Array] = raised
typed: jf.JittedFunction[[Array, int], Array] = raised
distance.explain(three, four)
distance.clear()

# Functions take what NumPy takes, and give Tensors.
x = jf.asarray([1.0, 4.0], dtype=jf.float32)
assert_type(jf.sqrt(x), jf.Tensor)
assert_type(jf.exp(np.ones(2)) + 1, jf.Tensor)
assert_type(jf.add(x, 2.0, dtype="float64"), jf.Tensor)
assert_type(2 * x - x[0] @ x if x.ndim > 5 else -x, jf.Tensor)
assert_type(jf.sum([[1, 2], [3, 4]], axis=(0, 1), keepdims=True), jf.Tensor)
assert_type(jf.frexp(x), tuple[jf.Tensor, jf.Tensor])
assert_type(jf.where(x > 1, x, 0), jf.Tensor)
assert_type(jf.where(x > 1), tuple[jf.Tensor, ...])
assert_type(jf.atleast_1d(1.0), jf.Tensor)
assert_type(jf.concat([x, np.ones(3)], axis=0), jf.Tensor)
assert_type(jf.zeros((2, 3), dtype=np.float64), jf.Tensor)
assert_type(jf.clip(x, None, 3.0), jf.Tensor)
assert_type(jf.linalg.norm(x), jf.Tensor)
assert_type(jf.compute(x, x + 1), tuple[jf.Tensor, ...])

# Tensors have NumPy's attributes and methods.
assert_type(x.sum(axis=0), jf.Tensor)
assert_type(x.numpy(), Array)
assert_type(x.shape, tuple[int, ...])
assert_type(x.T.reshape(2, -1).dtype, np.dtype[Any])
assert_type(float(x[0]), float)
assert_type(jf.pi, float)
x[x > 2] = 0
x += 1

with jf.device("cpu"), jf.profile() as taken:
    assert_type(jf.devices()[0].name, str)
jf.errors.JitframeError("a message")
jf.settings.configure(strict=False)
