"""What type checkers find before it runs; each such line says what mypy calls it."""

from __future__ import annotations

from typing import Any

import numpy as np

import jitframe as jf

Array = np.ndarray[Any, Any]


@jf.jit
def distance(x: Array, y: Array, scale: float = 1.0) -> Array:
    found: Array = np.sqrt(x * x + y * y) * scale
    return found


class Layer:
    @jf.jit
    def apply(self, x: Array) -> Array:
        return x


x = jf.asarray([1.0, 4.0])
distance(np.ones(3))  # call-arg
distance(np.ones(3), np.ones(3), sclae=2.0)  # call-arg
distance(np.ones(3), "four")  # arg-type
Layer().apply(np.ones(3), 2)  # call-arg
jf.jit(3)  # call-overload
jf.exp("a")  # arg-type
jf.exp(x, x, x)  # call-arg
jf.sum(x, axs=0)  # call-arg
jf.sum(x, axis="rows")  # arg-type
jf.cumulative_sum(x, 0)  # call-arg
jf.add(x, x, casting="same")  # arg-type
jf.squareroot(x)  # attr-defined
jf.linalg.solved(x, x)  # attr-defined
x.summ()  # attr-defined
x.clip(0, 1, None, 3)  # call-arg
count: int = jf.count_nonzero(x)  # assignment
