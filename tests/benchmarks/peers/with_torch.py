"""PyTorch, eager: its own fused operators where it has one, else operation by operation."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch.nn import functional

from .base import THREADS, Peer


def triad(a, b, c):
    return 2 * a + 3 * b - c


def chain(a, b, c, d):
    return torch.sqrt(a * a + b * b) + torch.sin(c) * d - a


def black_scholes(spot, strike, years, rate, volatility):
    deviation = volatility * torch.sqrt(years)
    d1 = (torch.log(spot / strike) + (rate + volatility**2 / 2) * years) / deviation
    d2 = d1 - deviation
    normal1 = 0.5 * (1 + torch.erf(d1 / 2**0.5))
    normal2 = 0.5 * (1 + torch.erf(d2 / 2**0.5))
    return spot * normal1 - strike * torch.exp(-rate * years) * normal2


def squared_differences(a, b):
    return torch.sum((a - b) ** 2)


def softmax(x):
    return torch.softmax(x, dim=-1)


def layer_norm(x, gain, bias):
    return functional.layer_norm(x, x.shape[-1:], gain, bias, eps=1e-5)


def nearest(points, others):
    return torch.amin(torch.sum((points[:, None, :] - others[None, :, :]) ** 2, dim=-1), dim=1)


def heat(u):
    following = u.clone()
    around = u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2]
    following[1:-1, 1:-1] += 0.1 * (around - 4 * u[1:-1, 1:-1])
    return following


def dense_gelu(x, weight, bias):
    return functional.gelu(torch.addmm(bias, x, weight), approximate="tanh")


def increment(x):
    return x + 1


def argmax(x):
    return torch.argmax(x)


def cumsum(x):
    return torch.cumsum(x, dim=0)


def mean_and_variance(x):
    variance, mean = torch.var_mean(x, correction=0)
    return mean, variance


def transpose_add(a, b):
    return a.T + b


def accelerations(positions, masses, softening):
    offsets = positions[None, :, :] - positions[:, None, :]
    squares = torch.sum(offsets * offsets, dim=-1) + softening * softening
    pulls = masses / (squares * torch.sqrt(squares))
    return torch.sum(offsets * pulls[:, :, None], dim=1)


def outer(a, b):
    return torch.outer(a, b)


def heat_3d(u):
    following = u.clone()
    inside = u[1:-1, 1:-1, 1:-1]
    around = u[2:, 1:-1, 1:-1] + u[:-2, 1:-1, 1:-1] + u[1:-1, 2:, 1:-1] + u[1:-1, :-2, 1:-1]
    around = around + u[1:-1, 1:-1, 2:] + u[1:-1, 1:-1, :-2]
    following[1:-1, 1:-1, 1:-1] += 0.1 * (around - 6 * inside)
    return following


def matvec(matrix, x):
    return torch.mv(matrix, x)


def mlp(x, weight1, bias1, weight2, bias2, weight3, bias3):
    hidden = torch.relu_(torch.addmm(bias1, x, weight1))
    hidden = torch.relu_(torch.addmm(bias2, hidden, weight2))
    return torch.softmax(torch.addmm(bias3, hidden, weight3), dim=-1)


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


def place(value: Any) -> Any:
    return torch.from_numpy(value) if isinstance(value, np.ndarray) else value


def load() -> Peer:
    torch.set_num_threads(THREADS)
    torch.set_grad_enabled(False)
    spellings = {function.__name__: function for function in FUNCTIONS}
    return Peer("torch", torch.__version__, spellings, place=place)
