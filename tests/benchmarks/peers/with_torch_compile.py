"""torch.compile (Inductor, needs a C++ compiler) over the eager functions."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from functools import partial
from typing import Any

import torch
import torch._inductor.config

from .base import THREADS, Peer
from .with_torch import FORMULAS, place


class Frozen(torch.nn.Module):
    """A function with its weights, which Inductor may lay out and fold as it likes."""

    def __init__(self, function: Callable[..., Any], *weights: Any) -> None:
        super().__init__()
        self.function = function
        held = (torch.nn.Parameter(each, requires_grad=False) for each in weights)
        self.weights = torch.nn.ParameterList(held)

    def forward(self, *inputs: Any) -> Any:
        return self.function(*inputs, *self.weights)


def frozen(function: Callable[..., Any], *weights: Any) -> Callable[..., Any]:
    torch._dynamo.reset()  # modules of one class share a limit of compilations
    torch._inductor.config.freezing = True
    return torch.compile(Frozen(function, *weights).eval(), dynamic=False)


def load() -> Peer:
    if shutil.which("g++") is None and shutil.which("clang++") is None:
        raise RuntimeError("torch.compile needs a C++ compiler")
    torch.set_num_threads(THREADS)
    torch.set_grad_enabled(False)
    spellings = {name: torch.compile(function, dynamic=False) for name, function in FORMULAS.items()}
    built = {name: partial(frozen, function) for name, function in FORMULAS.items()}
    return Peer("torch.compile", torch.__version__, spellings, built=built, place=place)
