"""torch.compile (Inductor, needs a C++ compiler) over the eager functions."""

from __future__ import annotations

import shutil

import torch

from .base import THREADS, Peer
from .with_torch import FORMULAS, place


def load() -> Peer:
    if shutil.which("g++") is None and shutil.which("clang++") is None:
        raise RuntimeError("torch.compile needs a C++ compiler")
    torch.set_num_threads(THREADS)
    torch.set_grad_enabled(False)
    spellings = {name: torch.compile(function, dynamic=False) for name, function in FORMULAS.items()}
    return Peer("torch.compile", torch.__version__, spellings, place=place)
