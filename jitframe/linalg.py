"""Linear algebra: the functions of `numpy.linalg` by their names, and the exponential of matrices.

>>> import jitframe as jf
>>> jf.linalg.multi_dot([jf.ones((4, 1000)), jf.ones((1000, 3)), jf.ones((3, 2))]).shape
(4, 2)
"""

from __future__ import annotations

from typing import Any

from .api.namespace import FUNCTIONS as _FUNCTIONS

_functions: dict[str, Any] = {
    name.removeprefix("linalg."): function.call
    for function in _FUNCTIONS.values()
    for name in dict.fromkeys((*function.numpy, function.name))
    if name.startswith("linalg.")
}
globals().update(_functions)

__all__ = [*_functions]
