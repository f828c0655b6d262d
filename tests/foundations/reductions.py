"""Reductions over many shapes, axes and strides, and the bits of their results as one fingerprint each.

Run as a program with a number of threads, it prints the fingerprints of every case as JSON.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import jitframe as jf
from jitframe.runtime.cpu.execution.runtime import runtime

SHAPES: list[tuple[int, ...]] = [
    (1,), (2,), (31,), (32,), (33,), (1000,), (4099,), (16385,), (65537,), (300_007,), (1, 3001), (3001, 1),
    (2, 70_003), (70_003, 2), (3, 5), (129, 257), (64, 64), (5, 7, 11), (33, 2, 129), (0, 4), (4, 0),
]  # fmt: skip


def arrays(dtype: str) -> Iterator[tuple[str, np.ndarray]]:
    """Each shape contiguous, and some seen through strides."""
    random = np.random.default_rng(7)
    for shape in SHAPES:
        made = random.standard_normal(shape) * 10.0 ** random.integers(-3, 4, shape)
        made = (made if dtype.startswith("float") else np.clip(made, -(2**31) + 1, 2**31 - 1)).astype(dtype)
        yield f"{shape}", made
        if len(shape) == 2 and made.size > 10:
            yield f"{shape}.T", made.T
            yield f"{shape}[::-1]", made[::-1]
            yield f"{shape}[:, ::2]", made[:, ::2]
            yield f"{shape}[1:, 1:]", made[1:, 1:]
    yield "broadcast", np.broadcast_to(random.standard_normal(513).astype(dtype), (37, 513))


def axes_of(array: np.ndarray) -> list[Any]:
    return [None, *range(array.ndim), *([(0, 1)] if array.ndim == 3 else [])]


def total(x: np.ndarray, axis: Any) -> Any:
    return x.sum(axis=axis)


def products(x: np.ndarray, axis: Any) -> Any:
    return (x * x).sum(axis=axis)


def variance(x: np.ndarray, axis: Any) -> Any:
    return x.var(axis=axis)


def several(x: np.ndarray, axis: Any) -> Any:
    return x.sum(axis=axis), (x * 2 + 1).sum(axis=axis), x.mean(axis=axis)


def pairs(x: np.ndarray, axis: Any) -> Any:
    """Rows that have nothing along them to themselves; 300 are enough for the lanes of three threads, but not
    for those of seven."""
    return (x[:300, None] - x).sum(axis=1)


FUNCTIONS: dict[str, Callable[..., Any]] = {
    function.__name__: function for function in (total, products, variance, several, pairs)
}


def cases(dtype: str) -> Iterator[tuple[str, str, np.ndarray, Any]]:
    for label, array in arrays(dtype):
        for axis in axes_of(array):
            count = (
                array.size if axis is None else int(np.prod([array.shape[a] for a in np.atleast_1d(axis)]))
            )
            for name in FUNCTIONS:
                if name == "pairs" and (array.ndim > 1 or axis is None or count > 5000):
                    continue
                if count or name == "total":
                    yield name, f"{name} of {dtype}{label} over {axis}", array, axis


def fingerprint(value: Any) -> str:
    digest = hashlib.blake2b(digest_size=8)
    for part in value if isinstance(value, tuple) else (value,):
        digest.update(np.asarray(part).tobytes())
    return digest.hexdigest()


JITTED = {name: jf.jit(function, static_argnames="axis") for name, function in FUNCTIONS.items()}


def fingerprints(dtype: str, threads: int) -> dict[str, str]:
    """The bits of every case with so many threads."""
    before = runtime().threads
    runtime().set_threads(threads)
    try:
        return {label: fingerprint(JITTED[name](array, axis)) for name, label, array, axis in cases(dtype)}
    finally:
        runtime().set_threads(before)


if __name__ == "__main__":
    print(json.dumps({dtype: fingerprints(dtype, int(sys.argv[1])) for dtype in ("float32", "float64")}))
