"""Numba: the loops a Numba user writes by hand, parallel, no fast math; the result is a fresh array."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping
from typing import Any

import numba
import numpy as np
from numba import float32, njit, prange

from . import loops_in_numba
from .base import THREADS, Peer

CACHED = "NUMBA_CACHE_DIR" in os.environ
"""Numba caches on disk only where asked: set for the first-call row."""
parallel = njit(parallel=True, cache=CACHED)
reassociating = njit(parallel=True, cache=CACHED, fastmath={"reassoc", "nsz"})
"""For sums: without reassociation they stay scalar."""
TILE = 32
BLOCK = 4096
WIDTH, ROWS = 256, 64
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


@reassociating
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


@reassociating
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


def heat_steps(out, u):
    other = np.empty_like(u)
    heat(other, u)
    for _ in range(9):
        heat(out, other)
        heat(other, out)
    heat(out, other)


@parallel
def blur_along_rows(out, x):
    four, six = float32(4), float32(6)
    for i in prange(out.shape[0]):
        for j in range(out.shape[1]):
            near, far = x[i, j + 1] + x[i, j + 3], x[i, j] + x[i, j + 4]
            out[i, j] = far + four * near + six * x[i, j + 2]


@parallel
def add_details(out, x, wide):
    two, four, six, whole = float32(2), float32(4), float32(6), float32(1 / 256)
    for i in prange(out.shape[0]):
        for j in range(out.shape[1]):
            near, far = wide[i + 1, j] + wide[i + 3, j], wide[i, j] + wide[i + 4, j]
            out[i, j] = two * x[i, j] - (far + four * near + six * wide[i + 2, j]) * whole


def unsharp(out, x):
    rows, columns = x.shape
    wide = np.empty((rows + 4, columns), np.float32)
    blur_along_rows(wide, np.pad(x, 2, mode="edge"))
    add_details(out, x, wide)


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


@parallel
def transpose_add(out, a, b):
    rows, columns = out.shape
    for tile in prange((rows + TILE - 1) // TILE):
        top, bottom = tile * TILE, min(rows, (tile + 1) * TILE)
        for left in range(0, columns, TILE):
            for i in range(top, bottom):
                for j in range(left, min(columns, left + TILE)):
                    out[i, j] = a[j, i] + b[i, j]


@parallel
def outer(out, a, b):
    for i in prange(a.size):
        for j in range(b.size):
            out[i, j] = a[i] * b[j]


@parallel
def heat_3d(out, u):
    planes, rows, columns = u.shape
    tenth, six = float32(0.1), float32(6)
    for i in prange(planes):
        if i == 0 or i == planes - 1:
            out[i] = u[i]
            continue
        out[i, 0] = u[i, 0]
        out[i, rows - 1] = u[i, rows - 1]
        for j in range(1, rows - 1):
            out[i, j, 0] = u[i, j, 0]
            out[i, j, columns - 1] = u[i, j, columns - 1]
            for k in range(1, columns - 1):
                around = u[i + 1, j, k] + u[i - 1, j, k] + u[i, j + 1, k] + u[i, j - 1, k]
                around += u[i, j, k + 1] + u[i, j, k - 1]
                out[i, j, k] = u[i, j, k] + tenth * (around - six * u[i, j, k])


@reassociating
def accelerations(out, positions, masses, softening):
    xs, ys, zs = positions[:, 0].copy(), positions[:, 1].copy(), positions[:, 2].copy()
    softened = float32(softening) * float32(softening)
    for i in prange(masses.size):
        ax, ay, az = float32(0), float32(0), float32(0)
        for j in range(masses.size):
            dx, dy, dz = xs[j] - xs[i], ys[j] - ys[i], zs[j] - zs[i]
            square = dx * dx + dy * dy + dz * dz + softened
            pull = masses[j] / (square * math.sqrt(square))
            ax += dx * pull
            ay += dy * pull
            az += dz * pull
        out[i, 0], out[i, 1], out[i, 2] = ax, ay, az


@reassociating
def matvec(out, matrix, x):
    for i in prange(matrix.shape[0]):
        total = float32(0)
        for j in range(x.size):
            total += matrix[i, j] * x[j]
        out[i] = total


@reassociating
def cumsum(out, x):
    """Each thread's share is summed, then scanned from what the shares before it came to."""
    share = (x.size + THREADS - 1) // THREADS
    sums = np.zeros(THREADS + 1, np.float32)
    for part in prange(THREADS):
        total = float32(0)
        for i in range(part * share, min(x.size, (part + 1) * share)):
            total += x[i]
        sums[part + 1] = total
    for part in range(THREADS):
        sums[part + 1] += sums[part]
    for part in prange(THREADS):
        total = sums[part]
        for i in range(part * share, min(x.size, (part + 1) * share)):
            total += x[i]
            out[i] = total


@parallel
def argmax(x):
    """Each block's greatest by columns (one running maximum would not vectorise), then its place."""
    size = WIDTH * ROWS
    blocks = x.size // size
    tops = np.full(blocks + 1, -np.inf, np.float32)
    for block in prange(blocks):
        running = x[block * size : block * size + WIDTH].copy()
        for row in range(1, ROWS):
            begin = block * size + row * WIDTH
            for j in range(WIDTH):
                running[j] = x[begin + j] if x[begin + j] > running[j] else running[j]
        tops[block] = running.max()
    if blocks * size < x.size:
        tops[blocks] = x[blocks * size :].max()
    best = np.argmax(tops)
    at = best * size
    while x[at] != tops[best]:
        at += 1
    return at


@reassociating
def mean_and_variance(x):
    """One pass over memory: each block by itself, then the blocks together (Chan, Golub and LeVeque)."""
    blocks = (x.size + BLOCK - 1) // BLOCK
    means, squares = np.empty(blocks, np.float32), np.empty(blocks, np.float32)
    for block in prange(blocks):
        begin, end = block * BLOCK, min(x.size, (block + 1) * BLOCK)
        total = float32(0)
        for i in range(begin, end):
            total += x[i]
        mean = total / float32(end - begin)
        deviations = float32(0)
        for i in range(begin, end):
            deviations += (x[i] - mean) * (x[i] - mean)
        means[block], squares[block] = mean, deviations
    together = 0.0
    for block in range(blocks):
        together += means[block] * min(BLOCK, x.size - block * BLOCK)
    mean = together / x.size
    variance = 0.0
    for block in range(blocks):
        count = min(BLOCK, x.size - block * BLOCK)
        variance += squares[block] + count * (means[block] - mean) ** 2
    return float32(mean), float32(variance / x.size)


@parallel
def relu_rows(hidden, bias):
    rows, columns = hidden.shape
    for i in prange(rows):
        for j in range(columns):
            hidden[i, j] = max(hidden[i, j] + bias[j], float32(0))


def mlp(x, weight1, bias1, weight2, bias2, weight3, bias3):
    hidden = x @ weight1
    relu_rows(hidden, bias1)
    hidden = hidden @ weight2
    relu_rows(hidden, bias2)
    logits = hidden @ weight3
    logits += bias3
    softmax(logits, logits)
    return logits


FILLERS: Mapping[str, Callable[..., None]] = {
    "triad": triad,
    "chain": chain_any_size,
    "black_scholes": black_scholes,
    "softmax": softmax,
    "layer_norm": layer_norm,
    "nearest": nearest,
    "heat": heat,
    "heat_3d": heat_3d,
    "heat_steps": heat_steps,
    "unsharp": unsharp,
    "transpose_add": transpose_add,
    "outer": outer,
    "accelerations": accelerations,
    "matvec": matvec,
    "cumsum": cumsum,
}
"""Formula name -> function that fills its first argument."""


SHAPES: Mapping[str, Callable[..., tuple[int, ...]]] = {
    "nearest": lambda points, others: points.shape[:1],
    "matvec": lambda matrix, x: matrix.shape[:1],
    "outer": lambda a, b: (a.size, b.size),
}
"""Formula name -> its result's shape, where that is not the first argument's."""


def output_for(formula: str, *arguments: np.ndarray) -> np.ndarray:
    shape = SHAPES[formula](*arguments) if formula in SHAPES else arguments[0].shape
    return np.empty(shape, np.float32)


def returning(formula: str) -> Callable[..., Any]:
    fill = FILLERS[formula]

    def call(*arguments):
        out = output_for(formula, *arguments)
        fill(out, *arguments)
        return out

    return call


def load() -> Peer:
    numba.set_num_threads(THREADS)
    spellings = {formula: returning(formula) for formula in FILLERS}
    spellings |= loops_in_numba.spellings(parallel=False) | {
        "squared_differences": squared_differences,
        "dense_gelu": dense_gelu,
        "increment": increment,
        "argmax": argmax,
        "mean_and_variance": mean_and_variance,
        "mlp": mlp,
    }
    return Peer("numba", numba.__version__, spellings)
