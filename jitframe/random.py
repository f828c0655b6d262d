"""Random numbers on every device: `default_rng(seed)` gives a `Generator` with NumPy's method names.

>>> import jitframe as jf
>>> jf.random.default_rng(1).normal(size=(2, 3)).shape
(2, 3)

NumPy's other names (`seed`, `rand`, `normal`, `choice`, ...) are here, too. NumPy's global generator draws,
so the numbers are NumPy's.

>>> jf.random.seed(0)
>>> jf.random.rand(2)
Tensor(shape=(2,), dtype=float64, device=cpu, [0.5488135 , 0.71518937])
"""

from __future__ import annotations

from functools import cache, wraps
from typing import Any

import numpy

from .api.frame import LazyValue, current_frame, entered_frame
from .api.random.generator import Generator, default_rng
from .errors import TraceError

__all__ = ["Generator", "default_rng"]


def __getattr__(name: str) -> Any:
    function = None if name.startswith("_") else getattr(numpy.random, name, None)
    if function is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return function if isinstance(function, type) or not callable(function) else _drawn(name)


@cache
def _drawn(name: str) -> Any:
    """A function of NumPy's global generator that takes Tensors, and gives one in place of an ndarray."""
    function = getattr(numpy.random, name)

    @wraps(function)
    def draw(*arguments: Any, **options: Any) -> Any:
        if entered_frame() is not None:
            raise TraceError(
                f"jf.random.{name} draws when a function is traced, which happens once; write "
                f"np.random.{name}, or pass a generator as an argument"
            )
        given = [
            numpy.array(argument) if isinstance(argument, LazyValue) else argument for argument in arguments
        ]
        made = function(*given, **{key: _plain(value) for key, value in options.items()})
        if name == "shuffle" and isinstance(arguments[0], LazyValue):
            arguments[0][...] = given[0]
        return current_frame().array(made, False) if isinstance(made, numpy.ndarray) else made

    return draw


def _plain(value: Any) -> Any:
    return numpy.array(value) if isinstance(value, LazyValue) else value
