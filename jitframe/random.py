"""Random numbers on every device: `default_rng(seed)` gives a `Generator` with NumPy's method names.

>>> import jitframe as jf
>>> jf.random.default_rng(1).normal(size=(2, 3)).shape
(2, 3)
"""

from __future__ import annotations

from .api.random.generator import Generator, default_rng

__all__ = ["Generator", "default_rng"]
