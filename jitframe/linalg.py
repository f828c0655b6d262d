"""Linear algebra: the functions of `numpy.linalg` by their names, and the exponential of matrices.

>>> import jitframe as jf
>>> jf.linalg.multi_dot([jf.ones((4, 1000)), jf.ones((1000, 3)), jf.ones((3, 2))]).shape
(4, 2)
"""

from __future__ import annotations

from .api.namespace import fill

fill(globals(), "linalg")
