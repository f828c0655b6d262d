"""jitframe: the NumPy functions, unchanged, and the layers of networks under `jf.jit`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jitframe as jf

from .. import loop_formulas
from . import networks_in_jitframe
from .base import Peer
from .with_numpy import plain_functions


def of_tensor(x: Any) -> Callable[[], Any]:
    tensor, increment = jf.asarray(x), jf.jit(loop_formulas.tensor_increment)
    return lambda: increment(tensor)


def lazily(x: Any, y: Any) -> Callable[[], Any]:
    first, second = jf.asarray(x), jf.asarray(y)
    return lambda: loop_formulas.lazy_expression(first, second).numpy()


BUILT = networks_in_jitframe.BUILT | {"tensor_increment": of_tensor, "lazy_expression": lazily}


def load() -> Peer:
    functions = networks_in_jitframe.SPELLINGS | plain_functions()
    functions |= {name: getattr(loop_formulas, name) for name in loop_formulas.LOOPS}
    spellings = {name: jf.jit(function) for name, function in functions.items()}
    spellings["escape_time"] = jf.vectorize(loop_formulas.escape_time)

    def count_kernels(formula: str, arguments: tuple[Any, ...]) -> int:
        return len(spellings[formula].explain(*arguments).kernels)

    return Peer(
        "jitframe",
        getattr(jf, "__version__", "source tree"),
        spellings,
        built=BUILT,
        count_kernels=count_kernels,
    )
