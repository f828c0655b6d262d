"""Small matrices as kernels: many matrices of a stack at once, in loops over their rows and columns.

A processor takes sixteen matrices together: every element of them lies in private memory beside the same
element of the others, and the innermost loops go over these, in vectors. On other devices each lane has a
matrix of its own. Extents are those of a run, so one kernel serves all matrices up to
`ops.small_matrices.MOST` rows and columns.
"""

from . import eigenvalues, elimination, factors, singular_values  # noqa: F401 (they lower the ops)
