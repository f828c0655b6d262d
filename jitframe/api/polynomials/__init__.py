"""Polynomials, and the convolutions that multiply them."""

from ...base.importing import submodules

__getattr__ = submodules(__name__)
