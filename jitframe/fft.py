"""Discrete Fourier transforms: the functions of `numpy.fft` by their names.

>>> import jitframe as jf
>>> jf.fft.rfft(jf.ones(8)).shape
(5,)
"""

from __future__ import annotations

from .api.namespace import fill

fill(globals(), "fft")
