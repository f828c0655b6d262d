"""torch.compile (Inductor, needs a C++ compiler) over the eager functions."""

from __future__ import annotations

import shutil

import torch

from .base import THREADS, Peer
from .with_torch import FUNCTIONS, place


def load() -> Peer:
    if shutil.which("g++") is None and shutil.which("clang++") is None:
        raise RuntimeError("torch.compile needs a C++ compiler")
    torch.set_num_threads(THREADS)
    torch.set_grad_enabled(False)
    spellings = {function.__name__: torch.compile(function, dynamic=False) for function in FUNCTIONS}
    return Peer("torch.compile", torch.__version__, spellings, place=place)
