"""Composed functions, as a module of `jitframe/api` has them: this is all that is written of them."""

from __future__ import annotations

from typing import Any

from .elementwise.transcendental import UFUNCS
from .movement import as_lazy
from .reductions import mean
from .registry import public


@public("reduction", name="linalg.standardized", sample=lambda s: (s.x, 0))
def standardized_matrix(x: Any, axis: int = -1) -> Any:
    """`standardized` in a namespace.

    >>> jf.linalg.standardized(np.array([[1.0, 3.0]])).numpy()
    array([[-1.,  1.]])
    """
    return standardized(x, axis)


@public("reduction", method=True, scipy="zscore", sample=lambda s: (s.x, 0))
def standardized(x: Any, axis: int = -1) -> Any:
    """`x` without its mean along an axis, in units of its deviation there.

    >>> jf.standardized(np.array([1.0, 3.0])).numpy()
    array([-1.,  1.])
    """
    array = as_lazy(x)
    centered = array - mean(array, axis=axis, keepdims=True)
    return centered / UFUNCS["sqrt"](mean(centered * centered, axis=axis, keepdims=True))
