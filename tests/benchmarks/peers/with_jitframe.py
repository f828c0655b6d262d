"""jitframe: the NumPy functions, unchanged, under `jf.jit`."""

from __future__ import annotations

from typing import Any

import jitframe as jf

from .base import Peer
from .with_numpy import plain_functions


def load() -> Peer:
    spellings = {name: jf.jit(function) for name, function in plain_functions().items()}

    def count_kernels(formula: str, arguments: tuple[Any, ...]) -> int:
        return len(spellings[formula].explain(*arguments).kernels)

    return Peer("jitframe", getattr(jf, "__version__", "source tree"), spellings, count_kernels=count_kernels)
