"""Ufuncs: arithmetic, comparisons, transcendental functions, division."""

from ...base.importing import submodules

__getattr__ = submodules(__name__)
