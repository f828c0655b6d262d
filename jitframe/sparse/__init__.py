"""Sparse matrices: `COO`, `CSR`, `CSC`, `BSR`, from and to SciPy, in jitted functions and on every device.

>>> import numpy as np, scipy.sparse, jitframe as jf
>>> matrix = jf.sparse.from_scipy(scipy.sparse.diags_array([1.0, 2.0, 3.0], format="csr"))
>>> jf.jit(lambda matrix, x: np.sqrt(matrix @ x))(matrix, np.array([1.0, 2.0, 3.0]))
array([1., 2., 3.])
"""

from __future__ import annotations

from .formats import BSR as BSR
from .formats import COO as COO
from .formats import CSC as CSC
from .formats import CSR as CSR
from .products import from_scipy as from_scipy
from .products import from_torch as from_torch
from .products import sampled_product as sampled_product

__all__ = ["BSR", "COO", "CSC", "CSR", "from_scipy", "from_torch", "sampled_product"]
