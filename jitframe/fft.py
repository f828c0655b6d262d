"""Discrete Fourier transforms: the functions of `numpy.fft` by their names.

>>> import jitframe as jf
>>> jf.fft.rfft(jf.ones(8)).shape
(5,)
"""

from __future__ import annotations

from typing import Any

from .api.namespace import functions_in

_functions: dict[str, Any] = functions_in("fft")
globals().update(_functions)

__all__ = [*_functions]
