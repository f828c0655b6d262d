"""jitframe: the NumPy functions, unchanged, and the layers of networks under `jf.jit`."""

from __future__ import annotations

from typing import Any

import jitframe as jf

from . import networks_in_jitframe
from .base import Peer
from .with_numpy import plain_functions


def load() -> Peer:
    functions = networks_in_jitframe.SPELLINGS | plain_functions()
    spellings = {name: jf.jit(function) for name, function in functions.items()}

    def count_kernels(formula: str, arguments: tuple[Any, ...]) -> int:
        return len(spellings[formula].explain(*arguments).kernels)

    return Peer(
        "jitframe",
        getattr(jf, "__version__", "source tree"),
        spellings,
        built=networks_in_jitframe.BUILT,
        count_kernels=count_kernels,
    )
