"""PyTorch, eager: its own fused operators where it has one, else operation by operation."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch.nn import functional

from . import networks_in_torch
from .base import THREADS, Peer
from .spelled import formulas_of


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


def cumsum(x):
    return torch.cumsum(x, dim=0)


def mean_and_variance(x):
    variance, mean = torch.var_mean(x, correction=0)
    return mean, variance


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


OWN = (softmax, layer_norm, nearest, heat, dense_gelu, cumsum, mean_and_variance, heat_3d, matvec, mlp)
FORMULAS = {
    **formulas_of(torch, torch.erf), **{function.__name__: function for function in OWN},
    **networks_in_torch.SPELLINGS,
}  # fmt: skip


def place(value: Any) -> Any:
    return torch.from_numpy(value) if isinstance(value, np.ndarray) else value


def load() -> Peer:
    torch.set_num_threads(THREADS)
    torch.set_grad_enabled(False)
    return Peer("torch", torch.__version__, FORMULAS, place=place)
