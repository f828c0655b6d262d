"""What NumPy's and math's names stood for when jitframe was imported.

A name that a program binds to something else afterwards is the program's own function, and no longer NumPy's.
"""

from __future__ import annotations

import math
from typing import Any

import numpy

_MODULES: dict[str, dict[str, Any]] = {
    "": dict(vars(numpy)),
    "fft": dict(vars(numpy.fft)),
    "linalg": dict(vars(numpy.linalg)),
    "lib.stride_tricks": dict(vars(numpy.lib.stride_tricks)),
}
_MATH = dict(vars(math))


def numpy_object(name: str) -> Any:
    """What `np.name` was, dots and all; None where this NumPy has it not."""
    module, _, short = name.rpartition(".")
    return _MODULES.get(module, {}).get(short)


def math_function(name: str) -> Any:
    """What `math.name` was."""
    return _MATH[name]
