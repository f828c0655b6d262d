"""Kernels written by hand that several tests run, and memory of backends for them."""

from __future__ import annotations

from typing import Any

import numpy as np

import jitframe as jf

NAMES = ("cpu", "opencl", "webgpu")
Array = np.ndarray[Any, Any]


def axpy() -> Any:
    """y = a * x + y."""
    build = jf.backends.KernelBuilder("axpy", workgroup=64)
    a, n = build.uniform("float32", "a"), build.uniform("index", "n")
    x, y = build.buffer("float32", "in", "x"), build.buffer("float32", "inout", "y")
    i = build.position()
    with build.when(i < n):
        y[i] = a * x[i] + y[i]
    return build.finish()


def group_sums() -> Any:
    """The sum of each workgroup's 32 elements, through shared memory."""
    build = jf.backends.KernelBuilder("group_sums", workgroup=32)
    x, sums = build.buffer("int32", "in", "x"), build.buffer("int32", "out", "sums")
    n = build.uniform("index", "n")
    shared = build.shared("int32", 32)
    lane, i = build.lane(), build.position()
    shared[lane] = 0
    with build.when(i < n):
        shared[lane] = x[i]
    for half in (16, 8, 4, 2, 1):
        build.barrier()
        with build.when(lane < half):
            shared[lane] = shared[lane] + shared[lane + half]
    with build.when(lane == 0):
        sums[build.group()] = shared[0]
    return build.finish()


def transpose() -> Any:
    """A matrix turned, on a grid of two axes."""
    build = jf.backends.KernelBuilder("transpose", workgroup=(8, 4))
    x, y = build.buffer("float32", "in", "x"), build.buffer("float32", "out", "y")
    rows, columns = build.uniform("index", "rows"), build.uniform("index", "columns")
    i, j = build.position(1), build.position(0)
    with build.when((i < rows) & (j < columns)):
        y[j * rows + i] = x[i * columns + j]
    return build.finish()


def halves() -> Any:
    """Branches with an else, nested, with and without values; barriers with ids; lanes that leave early."""
    build = jf.backends.KernelBuilder("halves", workgroup=8)
    x, n = build.buffer("int32", "inout", "x"), build.uniform("index", "n")
    lane, i = build.lane(), build.position()
    shared = build.shared("int32", 8)
    shared[lane] = 0
    with build.when(i >= n):
        build.exit()
    value = x[i]
    with build.when(value < 0):
        shared[lane] = -value
    with build.otherwise():
        with build.when(value > 50):
            shared[lane] = 50
        with build.otherwise():
            shared[lane] = value
    build.barrier(4)
    other = shared[7 - lane]
    low, high = build.branch(
        other < value,
        lambda: (other, value),
        lambda: (value, build.branch(value > 0, lambda: other, lambda: 0)),
    )
    build.barrier()
    x[i] = low * 1000 + high
    return build.finish()


def halves_of(x: Array, n: int) -> Array:
    """What `halves` makes of an array."""
    out = x.copy()
    kept = np.where(x < 0, -x, np.minimum(x, 50)) * (np.arange(len(x)) < n)
    for i in range(n):
        value, other = int(x[i]), int(kept[i // 8 * 8 + 7 - i % 8])
        low, high = (other, value) if other < value else (value, other if value > 0 else 0)
        out[i] = low * 1000 + high
    return out


def put(backend: Any, array: Array) -> Any:
    """A buffer of a backend with an array's bytes."""
    made = backend.alloc(array.nbytes)
    backend.copy(array, made)
    return made


def get(backend: Any, buffer: Any, like: Array) -> Array:
    """What lies there now."""
    out = np.empty_like(like)
    backend.copy(buffer, out)
    return out
