"""The benchmarked functions as a NumPy user writes them; jitframe runs these very objects."""

from __future__ import annotations

import math

import numpy as np

try:
    from scipy.special import erf
except ImportError:  # NumPy itself has no erf; without SciPy the row that needs it is skipped
    erf = None


def triad(a, b, c):
    return 2 * a + 3 * b - c


def chain(a, b, c, d):
    """Eight operations, two of them costly: mul mul add sqrt, sin mul, add, sub."""
    return np.sqrt(a * a + b * b) + np.sin(c) * d - a


def black_scholes(spot, strike, years, rate, volatility):
    """Price of a European call."""
    deviation = volatility * np.sqrt(years)
    d1 = (np.log(spot / strike) + (rate + volatility**2 / 2) * years) / deviation
    d2 = d1 - deviation
    normal1 = 0.5 * (1.0 + erf(d1 / math.sqrt(2.0)))
    normal2 = 0.5 * (1.0 + erf(d2 / math.sqrt(2.0)))
    return spot * normal1 - strike * np.exp(-rate * years) * normal2


def squared_differences(a, b):
    difference = a - b
    return np.sum(difference * difference)


def softmax(x):
    exponentials = np.exp(x - np.max(x, axis=-1, keepdims=True))
    return exponentials / np.sum(exponentials, axis=-1, keepdims=True)


def layer_norm(x, gain, bias):
    mean = np.mean(x, axis=-1, keepdims=True)
    variance = np.var(x, axis=-1, keepdims=True)
    return (x - mean) / np.sqrt(variance + 1e-5) * gain + bias


def nearest(points, others):
    """Squared distance from each point to the nearest of the others."""
    return np.min(np.sum((points[:, None, :] - others[None, :, :]) ** 2, axis=-1), axis=1)


def heat(u):
    """One explicit step of the heat equation; the border keeps its temperature."""
    following = u.copy()
    following[1:-1, 1:-1] = u[1:-1, 1:-1] + 0.1 * (
        u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4 * u[1:-1, 1:-1]
    )
    return following


def heat_steps(u):
    """Twenty of them."""
    for _ in range(20):
        u = heat(u)
    return u


def unsharp(x):
    """A grey photograph with its details doubled: what differs from a blur of 5 x 5."""
    padded = np.pad(x, 2, mode="edge")
    wide = padded[:, :-4] + 4 * padded[:, 1:-3] + 6 * padded[:, 2:-2] + 4 * padded[:, 3:-1] + padded[:, 4:]
    blurred = wide[:-4] + 4 * wide[1:-3] + 6 * wide[2:-2] + 4 * wide[3:-1] + wide[4:]
    return 2 * x - blurred / 256


def dense_gelu(x, weight, bias):
    hidden = x @ weight + bias
    return 0.5 * hidden * (1 + np.tanh(0.7978845608 * (hidden + 0.044715 * hidden * hidden * hidden)))


def increment(x):
    return x + 1


def argmax(x):
    return np.argmax(x)


def cumsum(x):
    return np.cumsum(x)


def mean_and_variance(x):
    return np.mean(x), np.var(x)


def transpose_add(a, b):
    return a.T + b


def accelerations(positions, masses, softening):
    """Gravity of every body on every body, softened so that close ones (and a body itself) do no harm."""
    offsets = positions[None, :, :] - positions[:, None, :]
    squares = np.sum(offsets * offsets, axis=-1) + softening * softening
    pulls = masses / (squares * np.sqrt(squares))
    return np.sum(offsets * pulls[:, :, None], axis=1)


def outer(a, b):
    return np.outer(a, b)


def heat_3d(u):
    """One explicit step of the heat equation in a block; its surface keeps its temperature."""
    following = u.copy()
    following[1:-1, 1:-1, 1:-1] = u[1:-1, 1:-1, 1:-1] + 0.1 * (
        u[2:, 1:-1, 1:-1]
        + u[:-2, 1:-1, 1:-1]
        + u[1:-1, 2:, 1:-1]
        + u[1:-1, :-2, 1:-1]
        + u[1:-1, 1:-1, 2:]
        + u[1:-1, 1:-1, :-2]
        - 6 * u[1:-1, 1:-1, 1:-1]
    )
    return following


def matvec(matrix, x):
    return matrix @ x


def mlp(x, weight1, bias1, weight2, bias2, weight3, bias3):
    """The probabilities that a network of three layers gives for each row."""
    hidden = np.maximum(x @ weight1 + bias1, 0)
    hidden = np.maximum(hidden @ weight2 + bias2, 0)
    return softmax(hidden @ weight3 + bias3)
