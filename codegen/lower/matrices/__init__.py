"""Small matrices as kernels: many matrices of a stack at once, in loops over their rows and columns.

A processor takes sixteen matrices together: private memory interleaves their elements, and the innermost
loops go over the matrices, in vectors. On other devices each lane has a matrix. Extents are run-time values,
so one kernel serves all matrices up to `ops.small_matrices.MOST` rows and columns.
"""

from . import eigenvalues, elimination, factors, singular_values  # noqa: F401 (they lower the ops)
