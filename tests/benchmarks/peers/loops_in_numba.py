"""The programs of `loop_formulas` under Numba: the same source, or loops where it takes no arrays."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numba import njit, prange, vectorize

from .. import loop_formulas

FASTMATH = {"reassoc", "nsz"}
TENTH, FOUR = np.float32(0.1), np.float32(4)


@njit(parallel=True)
def squared_distances(points, others):
    out = np.empty((points.shape[0], others.shape[0]))
    for i in prange(points.shape[0]):
        for j in range(others.shape[0]):
            total = 0.0
            for k in range(points.shape[1]):
                difference = points[i, k] - others[j, k]
                total += difference * difference
            out[i, j] = total
    return out


@njit(parallel=True)
def to_gray(image, weights):
    rows, columns, channels = image.shape
    out = np.empty((rows, columns), image.dtype)
    for i in prange(rows):
        for j in range(columns):
            total = image.dtype.type(0)
            for k in range(channels):
                total += image[i, j, k] * weights[k]
            out[i, j] = total
    return out


@njit(parallel=True, fastmath=FASTMATH)
def rms_norm(x, gain):
    rows, columns = x.shape
    out = np.empty_like(x)
    for i in prange(rows):
        total = np.float32(0)
        for j in range(columns):
            total += x[i, j] * x[i, j]
        scale = np.float32(1) / math.sqrt(total / np.float32(columns) + np.float32(1e-6))
        for j in range(columns):
            out[i, j] = x[i, j] * scale * gain[j]
    return out


@njit(parallel=True)
def _heat_step(out, u):
    rows, columns = u.shape
    for i in prange(rows):
        for j in range(columns):
            if 0 < i < rows - 1 and 0 < j < columns - 1:
                near = u[i + 1, j] + u[i - 1, j] + u[i, j + 1] + u[i, j - 1]
                out[i, j] = u[i, j] + TENTH * (near - FOUR * u[i, j])
            else:
                out[i, j] = u[i, j]


def ten_heat_steps(u):
    out, other = np.empty_like(u), np.empty_like(u)
    _heat_step(other, u)
    for _ in range(4):
        _heat_step(out, other)
        _heat_step(other, out)
    _heat_step(out, other)
    return out


def spellings(parallel: bool) -> dict[str, Callable[..., Any]]:
    """Formula name -> function; `parallel`: whole-array expressions of the same source on all threads."""
    compiled = njit(parallel=parallel)
    found: dict[str, Callable[..., Any]] = {
        name: compiled(getattr(loop_formulas, name))
        for name in (*loop_formulas.OF_ELEMENTS, *loop_formulas.AROUND_ARRAYS)
    }
    if parallel:
        escaped = vectorize(["int64(float64, float64)"], target="parallel")(loop_formulas.escape_time)
        own = (squared_distances, to_gray, rms_norm, ten_heat_steps)
        found |= {function.__name__: function for function in own}
        found |= {"escape_time": escaped, "escape_masked": escaped}
        del found["bodies"]  # its products and its threads wait for each other without end
    return found
