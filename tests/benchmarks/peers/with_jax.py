"""JAX on XLA's CPU backend: each formula in jax.numpy under `jax.jit`, waited for."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

os.environ.setdefault("JAX_PLATFORMS", "cpu")

import jax
import jax.numpy as jnp
import numpy as np
from jax.scipy.special import erf

from .base import Peer


def triad(a, b, c):
    return 2 * a + 3 * b - c


def chain(a, b, c, d):
    return jnp.sqrt(a * a + b * b) + jnp.sin(c) * d - a


def black_scholes(spot, strike, years, rate, volatility):
    deviation = volatility * jnp.sqrt(years)
    d1 = (jnp.log(spot / strike) + (rate + volatility**2 / 2) * years) / deviation
    d2 = d1 - deviation
    normal1 = 0.5 * (1 + erf(d1 / jnp.sqrt(2.0)))
    normal2 = 0.5 * (1 + erf(d2 / jnp.sqrt(2.0)))
    return spot * normal1 - strike * jnp.exp(-rate * years) * normal2


def squared_differences(a, b):
    return jnp.sum((a - b) ** 2)


def softmax(x):
    return jax.nn.softmax(x, axis=-1)


def layer_norm(x, gain, bias):
    mean = jnp.mean(x, axis=-1, keepdims=True)
    variance = jnp.var(x, axis=-1, keepdims=True)
    return (x - mean) / jnp.sqrt(variance + 1e-5) * gain + bias


def nearest(points, others):
    return jnp.min(jnp.sum((points[:, None, :] - others[None, :, :]) ** 2, axis=-1), axis=1)


def heat(u):
    around = u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2]
    return u.at[1:-1, 1:-1].add(0.1 * (around - 4 * u[1:-1, 1:-1]))


def dense_gelu(x, weight, bias):
    return jax.nn.gelu(x @ weight + bias, approximate=True)


def increment(x):
    return x + 1


def argmax(x):
    return jnp.argmax(x)


def cumsum(x):
    return jnp.cumsum(x)


def mean_and_variance(x):
    return jnp.mean(x), jnp.var(x)


def transpose_add(a, b):
    return a.T + b


def accelerations(positions, masses, softening):
    offsets = positions[None, :, :] - positions[:, None, :]
    squares = jnp.sum(offsets * offsets, axis=-1) + softening * softening
    pulls = masses / (squares * jnp.sqrt(squares))
    return jnp.sum(offsets * pulls[:, :, None], axis=1)


def outer(a, b):
    return jnp.outer(a, b)


def heat_3d(u):
    inside = u[1:-1, 1:-1, 1:-1]
    around = u[2:, 1:-1, 1:-1] + u[:-2, 1:-1, 1:-1] + u[1:-1, 2:, 1:-1] + u[1:-1, :-2, 1:-1]
    around += u[1:-1, 1:-1, 2:] + u[1:-1, 1:-1, :-2]
    return u.at[1:-1, 1:-1, 1:-1].add(0.1 * (around - 6 * inside))


def matvec(matrix, x):
    return matrix @ x


def mlp(x, weight1, bias1, weight2, bias2, weight3, bias3):
    hidden = jax.nn.relu(x @ weight1 + bias1)
    hidden = jax.nn.relu(hidden @ weight2 + bias2)
    return jax.nn.softmax(hidden @ weight3 + bias3, axis=-1)


def waited_for(function: Callable[..., Any]) -> Callable[..., Any]:
    compiled = jax.jit(function)
    return lambda *arguments: jax.block_until_ready(compiled(*arguments))


FUNCTIONS = (
    triad,
    chain,
    black_scholes,
    squared_differences,
    softmax,
    layer_norm,
    nearest,
    heat,
    dense_gelu,
    increment,
    argmax,
    cumsum,
    mean_and_variance,
    transpose_add,
    accelerations,
    outer,
    heat_3d,
    matvec,
    mlp,
)


def load() -> Peer:
    spellings = {function.__name__: waited_for(function) for function in FUNCTIONS}
    return Peer("jax", jax.__version__, spellings, place=_place)


def _place(value: Any) -> Any:
    return jnp.asarray(value) if isinstance(value, np.ndarray) else value
