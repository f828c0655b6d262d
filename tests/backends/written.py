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
