"""Matrix products, decompositions, solvers, norms."""

from ...base.importing import submodules

__getattr__ = submodules(__name__)
