"""Functions of several steps: differences, integrals, comparisons within tolerances, interpolation."""

from ...base.importing import submodules

__getattr__ = submodules(__name__)
