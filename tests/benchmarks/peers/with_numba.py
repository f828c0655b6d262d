"""Numba: the loops a Numba user writes by hand, parallel, no fast math; the result is a fresh array."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping
from typing import Any

import numba
import numpy as np
from numba import float32, njit, prange

from .base import THREADS, Peer

CACHED = "NUMBA_CACHE_DIR" in os.environ
"""Numba caches on disk only where asked: set for the first-call row."""
parallel = njit(parallel=True, cache=CACHED)
ROOT_HALF = np.float32(math.sqrt(0.5))
ROOT_TWO_OVER_PI = np.float32(0.7978845608)
HALF, ONE, TWO, THREE = np.float32(0.5), np.float32(1), np.float32(2), np.float32(3)


@parallel
def triad(out, a, b, c):
    for i in prange(a.size):
        out[i] = TWO * a[i] + THREE * b[i] - c[i]


@parallel
def chain(out, a, b, c, d):
    for i in prange(a.size):
        out[i] = math.sqrt(a[i] * a[i] + b[i] * b[i]) + math.sin(c[i]) * d[i] - a[i]


@parallel
def black_scholes(out, spot, strike, years, rate, volatility):
    rate32, volatility32 = float32(rate), float32(volatility)
    drift = rate32 + volatility32 * volatility32 * HALF
    for i in prange(spot.size):
        deviation = volatility32 * math.sqrt(years[i])
        d1 = (math.log(spot[i] / strike[i]) + drift * years[i]) / deviation
        d2 = d1 - deviation
        normal1 = HALF * (ONE + math.erf(d1 * ROOT_HALF))
        normal2 = HALF * (ONE + math.erf(d2 * ROOT_HALF))
        out[i] = spot[i] * normal1 - strike[i] * math.exp(-rate32 * years[i]) * normal2


@njit(parallel=True, cache=CACHED, fastmath={"reassoc", "nsz"})  # without reassociation the sum stays scalar
def squared_differences(a, b):
    total = float32(0)
    for i in prange(a.size):
        difference = a[i] - b[i]
        total += difference * difference
    return total


@parallel
def softmax(out, x):
    rows, columns = x.shape
    for i in prange(rows):
        top = x[i, 0]
        for j in range(columns):
            top = max(top, x[i, j])
        total = float32(0)
        for j in range(columns):
            value = math.exp(x[i, j] - top)
            out[i, j] = value
            total += value
        scale = ONE / total
        for j in range(columns):
            out[i, j] *= scale


@njit(parallel=True, cache=CACHED, fastmath={"reassoc", "nsz"})  # for the two row sums
def layer_norm(out, x, gain, bias):
    rows, columns = x.shape
    for i in prange(rows):
        total = float32(0)
        for j in range(columns):
            total += x[i, j]
        mean = total / float32(columns)
        squares = float32(0)
        for j in range(columns):
            squares += (x[i, j] - mean) * (x[i, j] - mean)
        scale = ONE / math.sqrt(squares / float32(columns) + float32(1e-5))
        for j in range(columns):
            out[i, j] = (x[i, j] - mean) * scale * gain[j] + bias[j]


@parallel
def nearest(out, points, others):
    for i in prange(points.shape[0]):
        best = float32(np.inf)
        for j in range(others.shape[0]):
            dx = points[i, 0] - others[j, 0]
            dy = points[i, 1] - others[j, 1]
            dz = points[i, 2] - others[j, 2]
            best = min(best, dx * dx + dy * dy + dz * dz)
        out[i] = best


@parallel
def heat(out, u):
    rows, columns = u.shape
    tenth, four = float32(0.1), float32(4)
    for i in prange(rows):
        if i == 0 or i == rows - 1:
            for j in range(columns):
                out[i, j] = u[i, j]
            continue
        out[i, 0] = u[i, 0]
        out[i, columns - 1] = u[i, columns - 1]
        for j in range(1, columns - 1):
            around = u[i + 1, j] + u[i - 1, j] + u[i, j + 1] + u[i, j - 1]
            out[i, j] = u[i, j] + tenth * (around - four * u[i, j])


@parallel
def gelu_rows(hidden, bias):
    rows, columns = hidden.shape
    for i in prange(rows):
        for j in range(columns):
            h = hidden[i, j] + bias[j]
            inner = ROOT_TWO_OVER_PI * (h + float32(0.044715) * h * h * h)
            hidden[i, j] = HALF * h * (ONE + math.tanh(inner))


def dense_gelu(x, weight, bias):
    hidden = x @ weight
    gelu_rows(hidden, bias)
    return hidden


@njit(cache=CACHED)
def increment(x):
    return x + ONE


@njit(cache=CACHED)
def chain_serial(out, a, b, c, d):
    for i in range(a.size):
        out[i] = math.sqrt(a[i] * a[i] + b[i] * b[i]) + math.sin(c[i]) * d[i] - a[i]


def chain_any_size(out, a, b, c, d):
    """Starting threads for a few elements costs more than the work: a Numba user keeps two versions."""
    (chain if a.size > 1000 else chain_serial)(out, a, b, c, d)


FILLERS: Mapping[str, Callable[..., None]] = {
    "triad": triad,
    "chain": chain_any_size,
    "black_scholes": black_scholes,
    "softmax": softmax,
    "layer_norm": layer_norm,
    "nearest": nearest,
    "heat": heat,
}
"""Formula name -> function that fills its first argument."""


def output_for(formula: str, first: np.ndarray) -> np.ndarray:
    return np.empty(first.shape[:1] if formula == "nearest" else first.shape, first.dtype)


def returning(formula: str) -> Callable[..., Any]:
    fill = FILLERS[formula]

    def call(*arguments):
        out = output_for(formula, arguments[0])
        fill(out, *arguments)
        return out

    return call


def load() -> Peer:
    numba.set_num_threads(THREADS)
    spellings = {formula: returning(formula) for formula in FILLERS}
    spellings |= {
        "squared_differences": squared_differences,
        "dense_gelu": dense_gelu,
        "increment": increment,
    }
    return Peer("numba", numba.__version__, spellings)
